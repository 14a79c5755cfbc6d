//! Resistive-force drag as a load: derivatives, terminal velocities, the thrust of a rotating
//! helix.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::assembly::Trial;
use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::loads::{Load, ResistiveDrag};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_tests::support::{Dense, Random, differences, force, kinematics, relative_error};

#[test]
fn stiffness_agrees_with_differences() {
    let mut random = Random(7);
    for _ in 0..5 {
        let section = Section::circle(Material::new(1e5, 0.3, 1000.0), 0.02);
        let nodes = |random: &mut Random, closed: bool| -> Vec<DVec3> {
            let place = |s: f64| match closed {
                true => DVec3::new((TAU * s).cos(), (TAU * s).sin(), 5.0),
                false => DVec3::new(3.0 * s, s * s, 0.0),
            };
            (0..6)
                .map(|i| place(f64::from(i) / 6.0) + random.vector() * 0.1)
                .collect()
        };
        let open = Rod::open(nodes(&mut random, false), section).unwrap();
        let ring = Rod::closed(nodes(&mut random, true), section).unwrap();
        let (model, state) = ModelBuilder::new().rod(open).rod(ring).build().unwrap();
        let edges = 0..model.topology.edges();
        let load = ResistiveDrag {
            coefficients: edges
                .map(|_| DragCoefficients {
                    tangential: 1.5 + random.next(),
                    normal: 3.0 + random.next(),
                })
                .collect(),
        };
        let (rate, time) = (3.0, 0.7);
        let q: Vec<f64> = state.q.iter().map(|q| q + 0.1 * random.next()).collect();
        let history: Vec<f64> = q.iter().map(|_| random.next()).collect();
        let velocity: Vec<f64> = q.iter().zip(&history).map(|(q, h)| rate * q + h).collect();
        let k = kinematics(&model, &state.frames, &q);
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
        let slope = differences(&q, 1e-3, |q| {
            force(&model, &state.frames, &load, q, rate, &history, time)
        });
        let minus: Vec<f64> = slope.iter().map(|v| -v).collect();
        let error = relative_error(&stiffness.values, &minus);
        println!("drag stiffness off by {error:.1e}");
        assert!(error < 1e-6, "drag stiffness off by {error:.2e}");
        // What it takes from the motion: u . F < 0.
        let mut f = vec![0.0; q.len()];
        load.add_force(&at, &mut f);
        assert!(f.iter().zip(&velocity).map(|(f, u)| f * u).sum::<f64>() < 0.0);
        assert!(load.dissipative() && load.potential(&at).is_none());
    }
}

/// A straight rod sinks without turning, with its weight per length over c_t along itself and over
/// c_n across.
#[test]
fn straight_rods_reach_their_terminal_velocity() {
    let (tangential, normal, gravity) = (0.3, 0.5, 9.81);
    let law = DragLaw::Explicit(DragCoefficients { tangential, normal });
    let section = Section::circle(Material::new(1e7, 0.5, 1000.0), 1e-3);
    for axis in [DVec3::Z, DVec3::X, DVec3::new(1.0, 0.0, 1.0).normalize()] {
        // Uneven edges: weight and drag are shared between nodes by the same rule.
        let nodes = [0.0, 0.01, 0.03, 0.04, 0.07].map(|s: f64| axis * s);
        let rod = Rod::open(nodes.to_vec(), section).unwrap();
        let builder = ModelBuilder::new().rod(rod);
        let drag = ResistiveDrag::new(builder.rods(), 1.0, law);
        let (model, state) = builder
            .load(Box::new(drag))
            .gravity(DVec3::Z * -gravity)
            .build()
            .unwrap();
        let settings = StepSettings {
            step_tolerance: 1e-10,
            residual_tolerance: 1e-10,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        // 40 times the decay time rho A / c.
        simulation.run_until(0.5, |_, _| true).unwrap();
        let weight = DVec3::Z * -gravity * section.mass_per_length;
        let along = axis * weight.dot(axis);
        let wanted = along / tangential + (weight - along) / normal;
        for dof in &simulation.model.topology.node_dof {
            let u = DVec3::from_slice(&simulation.state.velocity[*dof..]);
            let error = (u - wanted).length() / wanted.length();
            assert!(
                error < 1e-8,
                "sinks with {u} instead of {wanted}: {error:.2e}"
            );
        }
    }
}

/// Helix of Rodenborn et al. 2013, R = 6.3 mm, L = 130 mm, a = 0.397 mm.
const RADIUS: f64 = 6.3e-3;
const LENGTH: f64 = 0.130;
const ROD_RADIUS: f64 = 0.397e-3;

/// Thrust/(mu Omega R^2) and torque/(mu Omega R^3) of a stiff helix held by its first edge and
/// turned; drag/(mu U R) of one pulled along its axis: reactions of the clamp.
fn swim(pitch: f64, edges: usize, law: DragLaw) -> [f64; 3] {
    let rate = 0.1;
    let reaction = |motion: Motion| {
        let node = |i: usize| {
            let x = LENGTH * i as f64 / edges as f64;
            let angle = TAU * x / (pitch * RADIUS);
            DVec3::new(x, RADIUS * angle.cos(), RADIUS * angle.sin())
        };
        let section = Section::circle(Material::new(1e13, 0.5, 1e-3), ROD_RADIUS);
        let rod = Rod::open((0..=edges).map(node).collect(), section).unwrap();
        let builder = ModelBuilder::new().rod(rod);
        let drag = ResistiveDrag::new(builder.rods(), 1.0, law);
        let (model, state) = builder
            .load(Box::new(drag))
            .clamp(0, 0, motion)
            .build()
            .unwrap();
        let settings = StepSettings {
            dt: 0.1,
            scheme: Scheme::FittedBdf2 { omega: rate },
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        simulation.run_until(1.0, |_, _| true).unwrap();
        let all = observe(&simulation.model, &simulation.state).unwrap();
        let clamp = all.reactions[0];
        (
            clamp.force.x,
            clamp.torque.x + clamp.at.cross(clamp.force).x,
        )
    };
    let (thrust, torque) = reaction(Motion::spin(DVec3::ZERO, DVec3::X, rate));
    let (drag, _) = reaction(Motion::Velocity(DVec3::X * rate * RADIUS));
    [
        -thrust / (rate * RADIUS.powi(2)),
        torque / (rate * RADIUS.powi(3)),
        drag / (rate * RADIUS.powi(2)),
    ]
}

/// `(c_n - c_t) sin Omega R L`, `(c_n cos^2 + c_t sin^2) Omega R^2 L / cos`,
/// `(c_n sin^2 + c_t cos^2) U L / cos`, made dimensionless.
fn theory(pitch: f64, c: DragCoefficients) -> [f64; 3] {
    let (sin, cos) = (TAU / pitch).atan().sin_cos();
    let (ct, cn, slender) = (c.tangential, c.normal, LENGTH / RADIUS);
    [
        (cn - ct) * sin * slender,
        (cn * cos * cos + ct * sin * sin) * slender / cos,
        (cn * sin * sin + ct * cos * cos) * slender / cos,
    ]
}

#[test]
fn turned_helix_has_the_thrust_torque_and_drag_of_resistive_force_theory() {
    // Pitch over R; columns by Gray and Hancock and by Lighthill, to three digits.
    let columns = [
        (2.226, [18.9, 110.0, 157.0], [29.4, 142.0, 215.0]),
        (6.509, [12.3, 50.0, 49.1], [20.3, 76.5, 75.0]),
        (15.241, [6.09, 39.5, 27.2], [9.88, 60.4, 40.5]),
    ];
    for (pitch, gray_hancock, lighthill) in columns {
        let wavelength = pitch * RADIUS;
        let laws = [
            (DragLaw::GrayHancock { wavelength }, gray_hancock),
            (
                DragLaw::Lighthill {
                    wavelength,
                    helix_radius: RADIUS,
                },
                lighthill,
            ),
        ];
        for (law, column) in laws {
            let wanted = theory(pitch, law.coefficients(1.0, ROD_RADIUS));
            // About 16 and 32 edges a turn.
            let turns = LENGTH / wavelength;
            let edges = (16.0 * turns).round() as usize;
            let found = [swim(pitch, edges, law), swim(pitch, 2 * edges, law)];
            for k in 0..3 {
                // 12.3 of the columns is 12.25 here; all others agree to their digits.
                assert!(
                    (wanted[k] / column[k] - 1.0).abs() < 5e-3,
                    "{} {}",
                    wanted[k],
                    column[k]
                );
                let errors = found.map(|f| f[k] / wanted[k] - 1.0);
                let order = errors[0] / errors[1];
                println!("pitch {pitch}: {errors:?} falls by {order:.3}");
                assert!(
                    errors[1].abs() < 1e-2 && (3.5..4.5).contains(&order),
                    "{errors:?}"
                );
            }
        }
    }
}
