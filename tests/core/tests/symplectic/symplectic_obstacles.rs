//! Rods that touch obstacles and rigid bodies in explicit steps: what lies is borne, what slides
//! obeys Coulomb, nothing goes in, momentum is kept, energy does not grow.

use glam::DVec3;
use writhe::bodies::{Body, Joint, JointKind};
use writhe::contact::{ContactModel, ImcSettings, LaggedFriction, SpillmannTeschnerSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::{Mesh, Obstacle};
use writhe::rod::Rod;
use writhe::schedule::{Motion, Pose, Schedule};
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;
use writhe::step::{Scheme, StepError, StepSettings};
use writhe_tests::scene;
use writhe_tests::scene::{G, explicit, line, restarts, section, stretch};

const H: f64 = 1e-3;
/// The default.
const TOLERANCE: f64 = 1e-4;

fn contact(mu: f64) -> ContactModel {
    ContactModel::SpillmannTeschner(SpillmannTeschnerSettings {
        tolerance: TOLERANCE,
        friction: LaggedFriction::coulomb(mu),
    })
}

fn rod(positions: Vec<DVec3>) -> Rod {
    Rod::open(positions, section(2e-4, 2e-4, 1e-4)).unwrap()
}

/// A straight rod of .1 m along x, its lower side `gap` above z = 0.
fn above(gap: f64) -> Vec<DVec3> {
    let lift = DVec3::Z * (H + gap);
    line(10, 0.1).into_iter().map(|x| x + lift).collect()
}

fn floor() -> Obstacle {
    Obstacle::half_space(DVec3::ZERO, DVec3::Z)
}

fn weight(model: &Model) -> f64 {
    let nodes = model.topology.node_dof.iter();
    nodes.map(|dof| model.mass[*dof]).sum::<f64>() * G
}

/// Kinetic, elastic and gravitational energy, J.
fn energy(s: &Simulation) -> f64 {
    let o = observe(&s.model, &s.state).unwrap();
    o.kinetic + o.elastic.bend + o.elastic.twist + o.load_potential
}

fn throw((model, mut state): (Model, State), velocity: DVec3) -> (Model, State) {
    for dof in &model.topology.node_dof {
        state.velocity[*dof..dof + 3].copy_from_slice(&velocity.to_array());
    }
    (model, state)
}

/// Steps of `dt`, s, each of which keeps rods out of obstacles and as long as they are; `look` sees
/// each.
fn steps(s: &mut Simulation, dt: f64, time: f64, mut look: impl FnMut(&Simulation)) {
    for _ in 0..(time / dt).round() as u32 {
        let report = s.step(dt).unwrap();
        assert!(report.penetration < 1.01e-3 * TOLERANCE, "{report:?}");
        assert!(stretch(&s.model, &s.state) < 1e-8);
        look(s);
    }
}

/// A rod falls on the floor, and is borne by it: in the mean by its weight, and to the last bits
/// once it lies still.
#[test]
fn a_floor_bears_the_weight_of_a_rod() {
    let built = || {
        let builder = ModelBuilder::new().rod(rod(above(5e-4)));
        let builder = builder.gravity(DVec3::NEG_Z * G).contact(contact(0.3));
        builder.obstacle(floor()).build().unwrap()
    };
    let dt = 1e-4;
    let (model, state) = built();
    let weight = weight(&model);
    let mut s = Simulation::new(model, state, explicit(dt));
    let mut last = energy(&s);
    steps(&mut s, dt, 0.1, |s| {
        let now = energy(s);
        assert!(now <= last + 1e-9 * weight, "energy grows: {last} {now}");
        last = now;
    });
    let (mut borne, mut count) = (0.0, 0);
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    steps(&mut s, dt, 0.05, |s| {
        let o = observe(&s.model, &s.state).unwrap();
        let force = -o.obstacles[0].force.z;
        (least, most) = (least.min(force), most.max(force));
        borne += force;
        count += 1;
        assert!((o.contact_force / force - 1.0).abs() < 1e-9);
    });
    let mean = borne / f64::from(count) / weight;
    println!(
        "borne, over the weight: {mean:.9} in the mean, {:.6} to {:.6}",
        least / weight,
        most / weight
    );
    assert!((mean - 1.0).abs() < 1e-4, "{mean}");
    assert!(most / weight - 1.0 < 0.01 && 1.0 - least / weight < 0.01);
}

/// A rod slides along itself and comes to rest where Coulomb's law has it, with steps of any size;
/// the heat is the energy that it had.
#[test]
fn a_rod_slides_and_stops_by_coulombs_law() {
    let (mu, speed) = (0.3, 0.2);
    for (dt, along) in [(2e-4, DVec3::X), (1e-4, DVec3::new(0.6, 0.8, 0.0))] {
        let builder = ModelBuilder::new().rod(rod(above(0.0)));
        let builder = builder.gravity(DVec3::NEG_Z * G).contact(contact(mu));
        let built = builder.obstacle(floor()).build().unwrap();
        let (model, state) = throw(built, speed * along);
        let mut s = Simulation::new(model, state, explicit(dt));
        let start = s.model.positions(&s.state)[5];
        // v = v0 - mu g t until it rests.
        let stop = speed / (mu * G);
        steps(&mut s, dt, 0.5 * stop, |_| {});
        let half = observe(&s.model, &s.state).unwrap().momentum;
        let mass = weight(&s.model) / G;
        let slid = half.dot(along) / mass;
        assert!((slid / (0.5 * speed) - 1.0).abs() < 0.02, "{slid}");
        steps(&mut s, dt, stop, |_| {});
        let way = (s.model.positions(&s.state)[5] - start).dot(along);
        let exact = 0.5 * speed * stop;
        let after = observe(&s.model, &s.state).unwrap();
        let rest = after.momentum.length() / mass;
        let heat = after.ledger.works.friction / (0.5 * mass * speed * speed);
        println!(
            "steps of {dt}: way {way:.6} m, closed form {exact:.6} m; at rest {rest:.1e} m/s, heat {heat:.5}"
        );
        assert!((way / exact - 1.0).abs() < 0.02);
        assert!(rest < 1e-6, "it must stick: {rest}");
        assert!((heat - 1.0).abs() < 0.02, "{heat}");
    }
}

/// On a slope below the angle of friction it sticks; above, it slides as it must.
#[test]
fn slopes_hold_what_friction_can() {
    let mu = 0.5;
    for angle in [0.4_f64, 0.6] {
        let down = DVec3::new(angle.sin(), 0.0, -angle.cos());
        let builder = ModelBuilder::new().rod(rod(above(0.0)));
        // The slope is the floor, and gravity leans.
        let builder = builder.gravity(G * down).contact(contact(0.0));
        let slope = floor().with_friction(mu);
        let (model, state) = builder.obstacle(slope).build().unwrap();
        let dt = 1e-4;
        let mut s = Simulation::new(model, state, explicit(dt));
        let time = 0.05;
        steps(&mut s, dt, time, |_| {});
        let v = observe(&s.model, &s.state).unwrap().momentum.x / (weight(&s.model) / G);
        let exact = (G * time * (angle.sin() - mu * angle.cos())).max(0.0);
        println!("slope of {angle} rad: {v:.3e} m/s, closed form {exact:.3e}");
        assert!((v - exact).abs() < 1e-3 * G * time, "{v} {exact}");
        if exact == 0.0 {
            assert!(v.abs() < 1e-6, "{v}");
        }
    }
}

/// A limp rod over a fixed cylinder, pulled at both ends: it slips where one pull is `e^(mu pi)` times
/// the other, and not before.
#[test]
fn a_rod_over_a_cylinder_slips_as_eytelwein_says() {
    let (mu, radius, small) = (0.4, 0.02, 0.05);
    let bound = f64::exp(mu * std::f64::consts::PI);
    for (part, slips) in [(0.9, false), (1.15, true)] {
        let edges = 24;
        // Edges touch the cylinder, nodes stand off.
        let half = 0.5 * std::f64::consts::PI / f64::from(edges);
        let bend = (radius + H) / half.cos() * (1.0 + 1e-6);
        let step = std::f64::consts::PI * bend / f64::from(edges);
        // Down, over the top, down.
        let node = |i: i32| {
            let s = f64::from(i) * step;
            let angle = (s / bend).clamp(0.0, std::f64::consts::PI);
            let beyond = s - angle * bend;
            let down = if s < 0.0 { s } else { -beyond };
            DVec3::new(-bend * angle.cos(), 0.0, bend * angle.sin() + down)
        };
        let nodes: Vec<DVec3> = (-4..=edges + 4).map(node).collect();
        let last = nodes.len() - 1;
        let axis = [DVec3::NEG_Y * 0.05, DVec3::Y * 0.05];
        let (model, state) = ModelBuilder::new()
            .rod(Rod::open(nodes, section(1e-9, 1e-9, 1e-9)).unwrap())
            .contact(contact(mu))
            .obstacle(Obstacle::cylinder(axis, radius))
            .force(0, 0, DVec3::NEG_Z * small, Schedule::Constant(1.0))
            .force(
                0,
                last,
                DVec3::NEG_Z * (small * bound * part),
                Schedule::Constant(1.0),
            )
            .viscous_damping(0.2)
            .build()
            .unwrap();
        let dt = 1e-4;
        let mut s = Simulation::new(model, state, explicit(dt));
        steps(&mut s, dt, 0.06, |_| {});
        let top = |s: &Simulation| s.state.velocity[s.model.topology.node_dof[16]..][..3].to_vec();
        let speed = DVec3::from_slice(&top(&s)).length();
        let of = s.statistics;
        println!(
            "{part} of e^(mu pi): the top moves at {speed:.2e} m/s; {:.1} projections and {:.1} responses a step",
            of.newton_iterations as f64 / of.steps as f64,
            of.krylov_iterations as f64 / of.steps as f64,
        );
        assert_eq!(speed > 1e-3, slips, "{part}: {speed}");
    }
}

/// Rods thrown at obstacles of all shapes, slow or fast for their steps, never go in.
#[test]
fn thrown_rods_do_not_enter_obstacles() {
    let ends = [DVec3::new(0.05, -0.03, 0.0), DVec3::new(0.05, 0.03, 0.0)];
    let cube = |half: f64| {
        let corner = |i: u32| {
            let side = |bit: u32| if i >> bit & 1 == 1 { half } else { -half };
            DVec3::new(side(0), side(1), side(2))
        };
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        let faces = [
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
        ];
        Mesh::new(&corners, &faces).unwrap()
    };
    let middle = Pose {
        translation: DVec3::X * 0.053,
        ..Pose::IDENTITY
    };
    let obstacles = [
        ("floor", Obstacle::half_space(DVec3::Z * 0.01, DVec3::Z)),
        ("sphere", Obstacle::sphere(DVec3::X * 0.053, 0.01)),
        ("capsule", Obstacle::capsule(ends, 0.01)),
        ("cylinder", Obstacle::cylinder(ends, 0.01)),
        ("box", Obstacle::cuboid(DVec3::splat(0.01), middle)),
        ("mesh", Obstacle::mesh(cube(0.01).into(), middle)),
        (
            "inside of a tube",
            Obstacle::tube(
                [-0.1, 0.2].map(|x| DVec3::new(x, 0.0, 0.0115 + 0.006)),
                0.01,
            ),
        ),
        (
            "inside of a cavity",
            Obstacle::cavity(DVec3::new(0.05, 0.0, 0.0125 + 0.028), 0.06),
        ),
        ("outside of a tube", Obstacle::tube(ends, 0.01)),
        (
            "rising sphere",
            Obstacle::sphere(DVec3::X * 0.053, 0.01).moving(Motion::Velocity(DVec3::Z * 0.5)),
        ),
    ];
    for (what, obstacle) in obstacles {
        for (speed, dt) in [(0.3, 2e-4), (3.0, 2e-4), (12.0, 3e-4)] {
            let lifted = above(0.0115).into_iter().collect();
            let builder = ModelBuilder::new().rod(rod(lifted)).contact(contact(0.2));
            let built = builder.obstacle(obstacle.clone()).build().unwrap();
            let (model, state) = throw(built, DVec3::new(0.1, 0.0, -speed));
            let settings = StepSettings {
                adaptive: true,
                ..explicit(dt)
            };
            let mut s = Simulation::new(model, state, settings);
            let time = (0.01 / speed).clamp(2e-3, 0.02);
            s.run_until(time, |s, report| {
                let depth = report.penetration;
                assert!(depth < 1.01e-3 * TOLERANCE, "{what}, {speed} m/s: {depth}");
                assert!(stretch(&s.model, &s.state) < 1e-8);
                true
            })
            .unwrap_or_else(|e| panic!("{what}, {speed} m/s: {e}"));
            let of = s.statistics;
            let gain = s.state.ledger.gain / (0.5 * weight(&s.model) / G * speed * speed);
            println!(
                "{what}, {speed} m/s: {} steps, {} rejected, {:.1} projections and {:.1} responses a step; made {gain:.1e}",
                of.steps,
                of.rejected_steps,
                of.newton_iterations as f64 / of.steps as f64,
                of.krylov_iterations as f64 / of.steps as f64,
            );
            assert!(of.contact_steps > 0, "{what}, {speed} m/s: it must hit");
        }
    }
}

/// A rod meets a free body and both keep their momentum to rounding, with friction or without. The
/// energy goes up by no more than waves in the rod make it sway, which falls with the step.
#[test]
fn a_rod_and_a_free_body_keep_their_momentum() {
    for mu in [0.0, 0.4] {
        for welded in [false, true] {
            let [coarse, fine] = [1e-4, 5e-5].map(|dt| meet(mu, welded, dt));
            assert!(fine < 0.7 * coarse, "energy grows: {coarse} {fine}");
        }
    }
}

/// Lets them meet with steps of `dt`, s; returns the sum of all steps' growth of the energy, over
/// the first.
fn meet(mu: f64, welded: bool, dt: f64) -> f64 {
    let (model, state) = meeting(mu, welded);
    let before = observe(&model, &state).unwrap();
    let mut s = Simulation::new(model, state, explicit(dt));
    let size = 0.1 * 0.1 * 0.5;
    let (first, mut last) = (energy(&s), energy(&s));
    let (mut touched, mut grown) = (0, 0.0);
    for _ in 0..(0.04 / dt) as u32 {
        let report = s.step(dt).unwrap();
        assert!(report.penetration < 1.01e-3 * TOLERANCE, "{report:?}");
        touched += usize::from(report.contacts > 0);
        let now = observe(&s.model, &s.state).unwrap();
        let pushed = (now.momentum - before.momentum).length();
        assert!(pushed < 1e-13 * size, "{pushed:e}");
        grown += (energy(&s) - last).max(0.0);
        last = energy(&s);
    }
    let after = observe(&s.model, &s.state).unwrap();
    let turned = (after.angular_momentum - before.angular_momentum).length()
        / before.angular_momentum.length();
    println!(
        "mu {mu}, welded {welded}: touched in {touched} steps, body at {:.4} m/s, angular momentum off by {turned:.1e}, energy {:.4} of the first, up by {:.1e} of it in all",
        after.bodies[0].velocity.z,
        last / first,
        grown / first
    );
    assert!(touched > 5 && turned < 0.01, "{touched} {turned}");
    // What the impact takes.
    assert!(last < 0.8 * first, "{last}");
    grown / first
}

/// A rod falls on a free ball, off its middle; the ball may have a rod of its own.
fn meeting(mu: f64, welded: bool) -> (Model, State) {
    let ball = Body {
        velocity: DVec3::Z * 0.2,
        ..Body::sphere(0.02, 0.01, DVec3::new(0.06, 0.002, 0.0))
    };
    let mut builder = ModelBuilder::new()
        .rod(rod(above(0.011)))
        .contact(contact(mu))
        .body(ball)
        .obstacle(Obstacle::sphere(DVec3::new(0.06, 0.002, 0.0), 0.01).on_body(0));
    if welded {
        let tail = (0..6).map(|i| DVec3::new(0.06, 0.002, -0.008 - 0.01 * f64::from(i)));
        builder = builder.rod(rod(tail.collect())).weld(0, 1, 0);
    }
    let (model, mut state) = builder.build().unwrap();
    let first = &model.topology.rods[0];
    for dof in &model.topology.node_dof[first.first_node..first.first_node + first.nodes] {
        state.velocity[*dof] = 0.1;
        state.velocity[dof + 2] = -0.5;
    }
    (model, state)
}

/// Two bodies on a hinge, one of which a rod falls on: all of it at once, restarted bit for bit.
#[test]
fn obstacles_and_bodies_restart_bit_for_bit() {
    let built = || {
        let ball = |x: f64| Body::sphere(0.02, 0.01, DVec3::new(x, 0.002, 0.0));
        let joint = Joint::new(
            [Some(0), None],
            DVec3::new(0.0, 0.002, 0.0),
            JointKind::Ball,
        );
        let other = Joint::new(
            [Some(0), Some(1)],
            DVec3::new(0.045, 0.002, 0.0),
            JointKind::Weld,
        );
        let ball_at = |x: f64| Obstacle::sphere(DVec3::new(x, 0.002, 0.0), 0.01);
        let wheel = ball_at(0.02);
        ModelBuilder::new()
            .rod(rod(above(0.0102)))
            .gravity(DVec3::NEG_Z * G)
            .contact(contact(0.3))
            .body(ball(0.06))
            .body(ball(0.03))
            .obstacle(ball_at(0.06).on_body(0))
            .obstacle(Obstacle::half_space(DVec3::NEG_Z * 0.2, DVec3::Z))
            .obstacle(wheel.moving(Motion::Velocity(DVec3::new(0.0, 0.3, 0.1))))
            .joint(joint)
            .joint(other)
            .build()
            .unwrap()
    };
    restarts(&built, 1e-4, 250);
}

/// Dropped on a held sphere without friction, both integrators come to the same as steps fall.
#[test]
fn a_drop_on_a_sphere_agrees_with_the_implicit_path() {
    let build = |contact: ContactModel| {
        let rod = rod(above(0.0105));
        ModelBuilder::new()
            .rod(rod)
            .gravity(DVec3::NEG_Z * G)
            .obstacle(Obstacle::sphere(DVec3::new(0.055, 0.0, 0.0), 0.01))
            .contact(contact)
            .build()
            .unwrap()
    };
    let time = 0.03;
    // Contact that begins nearer than the others' tolerance, and edges that do not stretch.
    let imc = ContactModel::Imc(ImcSettings {
        tolerance: 1e-4,
        ..ImcSettings::default()
    });
    let fine = StepSettings {
        dt: 1e-5,
        scheme: Scheme::BackwardEuler,
        ..StepSettings::default()
    };
    let reference = scene::run(build(imc), fine, time);
    let wanted = reference.model.positions(&reference.state);
    let moved = wanted
        .iter()
        .zip(above(0.0105))
        .map(|(a, b)| (*a - b).length());
    let moved = moved.fold(0.0, f64::max);
    let off = [2e-4, 1e-4, 5e-5].map(|dt| {
        let s = scene::run(build(contact(0.0)), explicit(dt), time);
        let x = s.model.positions(&s.state);
        let apart = x.iter().zip(&wanted).map(|(a, b)| (*a - *b).length());
        apart.fold(0.0, f64::max)
    });
    println!("drop on a sphere: moved {moved:.2e} m, apart {off:?}");
    assert!(off[2] < 0.02 * moved && off[2] < 0.7 * off[0], "{off:?}");
}

/// Implicit steps know these forces between rods alone.
#[test]
fn implicit_steps_refuse_them_at_obstacles() {
    let builder = ModelBuilder::new()
        .rod(rod(above(0.0)))
        .contact(contact(0.0));
    let (model, state) = builder.obstacle(floor()).build().unwrap();
    let mut s = Simulation::new(model, state, StepSettings::default());
    let error = s.step(1e-4).unwrap_err();
    assert!(
        matches!(
            error,
            SimulationError::NotForIntegrator(StepError::OnlyRodsTouch)
        ),
        "{error}"
    );
}
