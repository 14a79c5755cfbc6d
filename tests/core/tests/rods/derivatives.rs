//! Gradients and Hessians of elastic energies and loads against differences, with edges turned
//! since the start of the step.

use glam::{DMat3, DVec3};
use writhe::assembly::Trial;
use writhe::contact::pair::HessianPart;
use writhe::contact::{
    Beginning, ContactFrame, ContactModel, ContactSet, Directions, Friction, ImcSettings, Stiffness,
};
use writhe::forces::{add_elastic, by_angles};
use writhe::loads::{
    Bedding, DistributedForce, FollowerLoad, Foundation, Load, MagneticField, Magnetism,
    PointForce, PointMoment, ViscousDamping, Wind, WindDrag,
};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::obstacle::surface::Instants;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Schedule;
use writhe::state::State;
use writhe_tests::support::{Dense, Random, differences, force, kinematics, relative_error};

const TOLERANCE: f64 = 1e-6;

/// An open rod and a ring with anisotropic, varying sections, bent and twisted rest shapes.
fn model(random: &mut Random, bending: BendingModel) -> (Model, State) {
    let material = Material::new(1e5, 0.3, 1000.0);
    let build = |random: &mut Random, closed: bool| {
        let n = 6;
        let nodes: Vec<DVec3> = (0..n)
            .map(|i| {
                let s = i as f64;
                let base = if closed {
                    let a = s / n as f64 * std::f64::consts::TAU;
                    DVec3::new(a.cos(), a.sin(), 5.0)
                } else {
                    DVec3::new(s * 0.7, 0.2 * s * s, 0.0)
                };
                base + random.vector() * 0.1
            })
            .collect();
        let section = Section::ellipse(material, 0.02, 0.01);
        let mut rod = if closed {
            Rod::closed(nodes, section)
        } else {
            Rod::open(nodes, section)
        }
        .unwrap();
        for (i, s) in rod.sections.iter_mut().enumerate() {
            *s = Section::rectangle(material, 0.02 + 0.002 * i as f64, 0.01);
        }
        rod.rest_lengths
            .iter_mut()
            .for_each(|l| *l *= 1.0 + 0.2 * random.next());
        rod.rest_curvature
            .iter_mut()
            .for_each(|k| *k = [k[0] + 0.3 * random.next(), k[1] + 0.3 * random.next()]);
        rod.rest_twist.iter_mut().for_each(|t| *t += random.next());
        rod
    };
    let open = build(random, false);
    let ring = build(random, true);
    ModelBuilder::new()
        .rod(open)
        .rod(ring)
        .bending(bending)
        .build()
        .unwrap()
}

const BENDING: [BendingModel; 3] = [
    BendingModel::Averaged,
    BendingModel::PerEdge,
    BendingModel::HalfEdges,
];

/// Turns every edge by about half a radian and every angle by up to one.
fn turned(random: &mut Random, model: &Model, state: &State) -> Vec<f64> {
    let angle = &model.topology.angle;
    let q = state.q.iter().zip(angle);
    q.map(|(q, angle)| q + random.next() * if *angle { 1.0 } else { 0.18 })
        .collect()
}

#[test]
fn elastic_gradient_and_hessian() {
    let mut random = Random(1);
    let mut largest_turn = 0.0_f64;
    for trial in 0..30 {
        let (model, state) = model(&mut random, BENDING[trial % 3]);
        let q = turned(&mut random, &model, &state);
        let k = kinematics(&model, &state.frames, &q);
        for (edge, t0) in k.edges().zip(&state.frames.tangent) {
            largest_turn = largest_turn.max(edge.tangent.angle_between(*t0));
        }
        let mut gradient = vec![0.0; q.len()];
        let mut hessian = Dense::new(q.len());
        add_elastic(&model, &k, &q, &mut gradient, Some(&mut hessian));
        let energy = |q: &[f64]| {
            let k = kinematics(&model, &state.frames, q);
            add_elastic(&model, &k, q, &mut vec![0.0; q.len()], None).0
        };
        // Each kind alone, so that the stiff one cannot hide the others.
        let total = differences(&q, 1e-3, |q| vec![energy(q).total()]);
        assert!(relative_error(&gradient, &total) < TOLERANCE);
        let slope = |q: &[f64]| {
            let k = kinematics(&model, &state.frames, q);
            let mut g = vec![0.0; q.len()];
            add_elastic(&model, &k, q, &mut g, None);
            g
        };
        let by_differences = differences(&q, 1e-3, slope);
        let error = relative_error(&hessian.values, &by_differences);
        assert!(error < TOLERANCE, "Hessian off by {error:e}");
    }
    assert!(
        largest_turn > 0.5,
        "the test must turn edges: {largest_turn}"
    );
}

/// As above without the stretching stiffness, which is a thousand times the others.
#[test]
fn bending_and_twisting_hessian() {
    let mut random = Random(2);
    for trial in 0..30 {
        let (mut model, state) = model(&mut random, BENDING[trial % 3]);
        model.stretching.fill(0.0);
        let q = turned(&mut random, &model, &state);
        let k = kinematics(&model, &state.frames, &q);
        let mut gradient = vec![0.0; q.len()];
        let mut hessian = Dense::new(q.len());
        add_elastic(&model, &k, &q, &mut gradient, Some(&mut hessian));
        let value = |q: &[f64]| {
            let k = kinematics(&model, &state.frames, q);
            let mut g = vec![0.0; q.len()];
            let e = add_elastic(&model, &k, q, &mut g, None).0;
            (e.bend + e.twist, g)
        };
        let error = relative_error(&gradient, &differences(&q, 1e-3, |q| vec![value(q).0]));
        assert!(error < TOLERANCE, "gradient off by {error:e}");
        let error = relative_error(&hessian.values, &differences(&q, 1e-3, |q| value(q).1));
        assert!(error < TOLERANCE, "Hessian off by {error:e}");
        for r in 0..q.len() {
            for c in 0..r {
                let (a, b) = (
                    hessian.values[r * q.len() + c],
                    hessian.values[c * q.len() + r],
                );
                assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "not symmetric");
            }
        }
    }
}

/// The derivatives by angles alone are those entries of the whole ones, in each model of bending.
#[test]
fn derivatives_by_angles() {
    let mut random = Random(5);
    for trial in 0..10 {
        let (model, state) = model(&mut random, BENDING[trial % 3]);
        let q = turned(&mut random, &model, &state);
        let k = kinematics(&model, &state.frames, &q);
        let mut gradient = vec![0.0; q.len()];
        let mut hessian = Dense::new(q.len());
        let energy = add_elastic(&model, &k, &q, &mut gradient, Some(&mut hessian)).0;
        let mut parts = Vec::new();
        let by_angles = by_angles(&model, &k, &q, 0..model.topology.vertices(), &mut parts);
        assert!((by_angles - energy.bend - energy.twist).abs() < 1e-12 * by_angles);
        let mut sums = vec![0.0; q.len()];
        let mut diagonal = vec![0.0; q.len()];
        for (vertex, part) in parts.iter().enumerate() {
            let dofs = model.topology.vertex_edges[vertex].map(|e| model.topology.edge_dof[e]);
            for (side, dof) in dofs.into_iter().enumerate() {
                sums[dof] += part.gradient[side];
                diagonal[dof] += part.diagonal[side];
            }
            let mixed = hessian.values[dofs[0] * q.len() + dofs[1]];
            assert!((part.mixed - mixed).abs() < 1e-12 * mixed.abs());
        }
        for dof in &model.topology.edge_dof {
            let scale = diagonal[*dof].abs();
            assert!((sums[*dof] - gradient[*dof]).abs() < 1e-12 * scale);
            let both = hessian.values[dof * q.len() + dof];
            assert!((diagonal[*dof] - both).abs() < 1e-12 * scale);
        }
    }
}

/// A rod is at rest in its rest shape with either model, however its frames are twisted there.
#[test]
fn the_rest_shape_is_free_of_stress() {
    let mut random = Random(6);
    for bending in BENDING {
        for closed in [false, true] {
            let node = |i: usize| {
                let a = i as f64 * std::f64::consts::TAU / 12.0;
                DVec3::new(a.cos(), a.sin(), (2.0 * a).sin()) + 0.1 * random.vector()
            };
            let nodes: Vec<DVec3> = (0..12).map(node).collect();
            let section = Section::ellipse(Material::new(1e5, 0.3, 1000.0), 0.02, 0.01);
            let mut rod = if closed {
                Rod::closed(nodes, section)
            } else {
                Rod::open(nodes, section)
            }
            .unwrap();
            rod.twist_directors(&[1.3; 11]);
            rod.set_rest_shape_here().unwrap();
            let (model, state) = ModelBuilder::new()
                .rod(rod)
                .bending(bending)
                .build()
                .unwrap();
            let k = kinematics(&model, &state.frames, &state.q);
            let mut gradient = vec![0.0; state.q.len()];
            let (energy, force) = add_elastic(&model, &k, &state.q, &mut gradient, None);
            assert!(
                energy.total() < 1e-30 && force < 1e-14,
                "{bending:?}: {energy:?} {force:e}"
            );
        }
    }
}

fn check_load(load: &dyn Load, model: &Model, state: &State, random: &mut Random) {
    let q = turned(random, model, state);
    let history: Vec<f64> = q.iter().map(|_| random.next()).collect();
    let (rate, time) = (3.0, 0.7);
    let k = kinematics(model, &state.frames, &q);
    let velocity: Vec<f64> = q.iter().zip(&history).map(|(q, h)| rate * q + h).collect();
    let at = Trial {
        topology: &model.topology,
        kinematics: &k,
        time,
        q: &q,
        velocity: &velocity,
        rate,
    };
    let mut stiffness = Dense::new(q.len());
    load.add_stiffness(&at, &mut stiffness);
    let by_differences = differences(&q, 1e-3, |q| {
        force(model, &state.frames, load, q, rate, &history, time)
    });
    let minus: Vec<f64> = by_differences.iter().map(|v| -v).collect();
    let error = relative_error(&stiffness.values, &minus);
    assert!(
        error < TOLERANCE,
        "{} stiffness off by {error:e}",
        load.name()
    );
    if load.potential(&at).is_some() {
        let slope = differences(&q, 1e-3, |q| {
            let k = kinematics(model, &state.frames, q);
            let velocity: Vec<f64> = q.iter().zip(&history).map(|(q, h)| rate * q + h).collect();
            let at = Trial {
                kinematics: &k,
                q,
                velocity: &velocity,
                ..at
            };
            vec![-load.potential(&at).unwrap()]
        });
        let mut f = vec![0.0; q.len()];
        load.add_force(&at, &mut f);
        let error = relative_error(&f, &slope);
        assert!(
            error < TOLERANCE,
            "{} potential off by {error:e}",
            load.name()
        );
    }
}

#[test]
fn loads() {
    let mut random = Random(3);
    let (model, state) = model(&mut random, BendingModel::Averaged);
    let ramp = Schedule::Rate {
        value: 1.0,
        rate: 0.5,
    };
    let nodes = model.positions(&state)[..6].to_vec();
    let section = Section::circle(Material::new(1e5, 0.3, 1000.0), 0.01);
    let ground = Rod::open(nodes, section).unwrap();
    for _ in 0..5 {
        let (a, b) = (random.vector(), random.vector());
        for follows in [None, Some(2), Some(4)] {
            let load = PointForce {
                node: 3,
                force: a,
                amplitude: ramp.clone(),
                follows,
            };
            if follows.is_some() {
                check_load(&load, &model, &state, &mut random);
            }
        }
        for follows in [false, true] {
            let load = PointMoment {
                edge: 2,
                moment: b,
                amplitude: ramp.clone(),
                follows,
            };
            check_load(&load, &model, &state, &mut random);
        }
        let beddings = [None, Some([a, b])].map(|plane| Bedding {
            normal: 2.0,
            tangential: 0.7,
            edges: Some([1, 3]),
            plane,
        });
        for bedding in beddings {
            let load = Foundation::new(&ground, 0, &bedding).unwrap();
            check_load(&load, &model, &state, &mut random);
        }
        for force in [
            FollowerLoad::Frame(a),
            FollowerLoad::Pressure {
                pressure: 0.7,
                normal: b.normalize(),
            },
        ] {
            for (edges, closed) in [(0..5, false), (5..11, true)] {
                let amplitude = ramp.clone();
                let load = DistributedForce {
                    edges,
                    force,
                    amplitude,
                    closed,
                };
                check_load(&load, &model, &state, &mut random);
            }
        }
        let [p, q, r] = [random.vector(), random.vector(), random.vector()];
        let mut gradient =
            DMat3::from_cols(p, DVec3::new(p.y, q.y, r.x), DVec3::new(p.z, r.x, 0.0));
        gradient.z_axis.z = -p.x - q.y;
        let magnetism = Magnetism {
            moment: model
                .topology
                .edge_dof
                .iter()
                .map(|_| random.vector())
                .collect(),
            field: MagneticField {
                uniform: b,
                gradient,
                amplitude: ramp.clone(),
                axis: q,
                rate: 0.8,
            },
        };
        check_load(&magnetism, &model, &state, &mut random);
        let coefficient = (0..model.topology.nodes())
            .map(|i| 1.0 + i as f64)
            .collect();
        check_load(&ViscousDamping { coefficient }, &model, &state, &mut random);
        for drag in [
            WindDrag::Quadratic {
                density: 1.2,
                coefficient: 1.1,
            },
            WindDrag::Linear { coefficient: 0.4 },
        ] {
            let wind = Wind::new(a * 5.0, ramp.clone(), drag, &model.radius);
            check_load(&wind, &model, &state, &mut random);
        }
    }
}

/// A dead moment does the work of its rotation: a rigid turn of the whole rod by a small angle.
#[test]
fn a_moment_does_the_work_of_a_rotation() {
    let mut random = Random(4);
    let (model, state) = model(&mut random, BendingModel::Averaged);
    let moment = PointMoment {
        edge: 1,
        moment: DVec3::new(0.3, -0.8, 0.5),
        amplitude: Schedule::Constant(1.0),
        follows: false,
    };
    let q = state.q.clone();
    let f = force(
        &model,
        &state.frames,
        &moment,
        &q,
        0.0,
        &vec![0.0; q.len()],
        0.0,
    );
    // At the start of a step no frame has spun: theta turns by omega . t.
    let omega = DVec3::new(-0.2, 0.4, 0.9);
    let mut work = 0.0;
    for (n, dof) in model.topology.node_dof.iter().enumerate() {
        let x = DVec3::from_slice(&q[*dof..]);
        let _ = n;
        work += DVec3::from_slice(&f[*dof..]).dot(omega.cross(x));
    }
    for (edge, dof) in model.topology.edge_dof.iter().enumerate() {
        work += f[*dof] * omega.dot(state.frames.tangent[edge]);
    }
    assert!((work - moment.moment.dot(omega)).abs() < 1e-12);
}

/// Contact of rods with friction by direction: minus the derivative of all forces, by velocities and
/// by positions, where edges have turned since the start of the step. It is not symmetric.
#[test]
fn friction_by_direction_between_rods() {
    let mut random = Random(17);
    let scales = [
        Directions {
            forward: 0.1,
            backward: 0.4,
            across: 0.25,
        },
        Directions {
            forward: 0.5,
            backward: 0.15,
            across: 0.3,
        },
    ];
    for second in [true, false] {
        for _ in 0..5 {
            let (h, edge) = (0.01, 0.1);
            let section = Section::circle(Material::new(1e5, 0.3, 1000.0), h);
            let askew = random.vector() * DVec3::new(0.3, 0.3, 0.05);
            let line = |along: DVec3, middle: DVec3| {
                let node = |i: u32| middle + edge * (f64::from(i) - 1.6) * along.normalize();
                Rod::open((0..4).map(node).collect(), section).unwrap()
            };
            let contact = ContactModel::Imc(ImcSettings {
                tolerance: 0.4,
                stiffness: Stiffness::Given(1.0),
                friction: Friction {
                    slip_tolerance: 0.3,
                    ..Friction::coulomb(0.3)
                },
            });
            let mut builder = ModelBuilder::new()
                .rod(line(DVec3::X + askew, DVec3::ZERO))
                .rod(line(DVec3::Y, 2.15 * h * DVec3::Z))
                .contact(contact)
                .friction_by_direction(0, scales[0]);
            if second {
                builder = builder.friction_by_direction(1, scales[1]);
            }
            let (model, state) = builder.build().unwrap();
            let (rate, dt) = (100.0, 0.01);
            let near = |q: &f64| q + 2e-4 * random.next();
            let q: Vec<f64> = state.q.iter().map(near).collect();
            let history: Vec<f64> = q.iter().map(|q| -rate * q + 0.2 * random.next()).collect();
            let instants = Instants {
                start: 0.0,
                stage: dt,
                end: dt,
                rate,
                span: [dt, 0.0],
            };
            let mut frame = ContactFrame::new(&model, &Beginning::new(&model, &state, instants));
            let mut set = ContactSet::default();
            let mut force = |q: &[f64], stiffness: Option<&mut Dense>| {
                let k = kinematics(&model, &state.frames, q);
                let velocity: Vec<f64> =
                    q.iter().zip(&history).map(|(q, h)| rate * q + h).collect();
                let at = Trial {
                    topology: &model.topology,
                    kinematics: &k,
                    time: dt,
                    q,
                    velocity: &velocity,
                    rate,
                };
                let mut force = vec![0.0; q.len()];
                set.find(&mut frame, &model, &at, 1.0, &mut force);
                if let Some(matrix) = stiffness {
                    set.add_stiffness(&frame, &model, &at, HessianPart::Exact, matrix);
                }
                assert!(!set.pairs().is_empty() && set.potential().is_none());
                force
            };
            let mut matrix = Dense::new(q.len());
            force(&q, Some(&mut matrix));
            let slope = differences(&q, 1e-7, |q| force(q, None));
            let minus: Vec<f64> = slope.iter().map(|v| -v).collect();
            let error = relative_error(&matrix.values, &minus);
            println!("stiffness off by {error:.1e}");
            assert!(error < TOLERANCE, "{error:e}");
        }
    }
}
