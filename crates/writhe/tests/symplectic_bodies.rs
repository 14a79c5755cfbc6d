//! Rigid bodies in the integrator symplectic-projected: closed forms, invariants, the implicit path.

#[path = "support/explicit.rs"]
mod scene;

use glam::DVec3;
use scene::{G, explicit, line, run, section, stretch};
use writhe::bodies::{Body, Joint, JointKind};
use writhe::integrate::{Scheme, StepSettings, largest_stable_step};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;

/// Largest distance of nodes between the two integrators, as the explicit steps fall; the implicit path steps finely.
fn gaps(build: &dyn Fn() -> (Model, State), time: f64, steps: [f64; 3], fine: f64) -> [f64; 3] {
    let implicit = StepSettings {
        dt: fine,
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    let reference = run(build(), implicit, time);
    let wanted = reference.model.positions(&reference.state);
    steps.map(|dt| {
        let s = run(build(), explicit(dt), time);
        let x = s.model.positions(&s.state);
        assert!(free_stretch(&s) < 1e-8);
        let apart = x.iter().zip(&wanted).map(|(a, b)| (*a - *b).length());
        apart.fold(0.0, f64::max)
    })
}

/// As `stretch`; what is welded is as long as it was at the start.
fn free_stretch(s: &Simulation) -> f64 {
    stretch(&s.model, &s.state)
}

/// A body that nothing touches keeps its momenta, and tumbles.
#[test]
fn a_free_body_keeps_its_momenta() {
    let body = Body {
        velocity: DVec3::new(0.1, 0.0, -0.2),
        angular_velocity: DVec3::new(1.0, 2.0, -1.5),
        ..Body::new(2.0, DVec3::new(0.3, 0.2, 0.1), DVec3::X * 5.0)
    };
    let built = ModelBuilder::new()
        .rod(Rod::open(line(3, 0.3), section(1e-3, 1e-3, 1e-3)).unwrap())
        .body(body)
        .build()
        .unwrap();
    let first = observe(&built.0, &built.1).unwrap();
    let s = run(built, explicit(2e-3), 4.0);
    let last = observe(&s.model, &s.state).unwrap();
    let turned = (last.angular_momentum - first.angular_momentum).length();
    assert!(
        turned < 1e-10 * first.angular_momentum.length(),
        "{turned:e}"
    );
    assert!((last.bodies[0].position - DVec3::new(5.4, 0.0, -0.8)).length() < 1e-10);
    assert!((last.bodies[0].spin - first.bodies[0].spin).length() > 0.1);
}

/// Two bodies that spin about the rod which joins them: omega^2 = GJ/L (1/I1 + 1/I2) (B08 Fig. 6, CATALOGUE 2.2), with the torque of
/// section 8.2. Angular momentum is kept.
#[test]
fn a_torque_transducer_swings_at_its_frequency() {
    let (gj, inertia, edges) = (1e-3, [2e-5, 1e-5], 10);
    let build = || {
        let ends = [0.0, 0.3];
        let mut builder = ModelBuilder::new()
            .rod(Rod::open(line(edges, 0.3), section(1e-3, 1e-3, gj)).unwrap())
            .bending(BendingModel::PerEdge);
        for (k, end) in ends.into_iter().enumerate() {
            let body = Body {
                angular_velocity: DVec3::X * [0.0, 3.0][k],
                ..Body::new(0.1, DVec3::splat(inertia[k]), DVec3::X * end)
            };
            builder = builder.body(body).weld(k, 0, [0, edges - 1][k]).guide_body(
                k,
                [k == 0, true, true],
                [false, true, true],
            );
        }
        builder.build().unwrap()
    };
    let (model, _) = build();
    let moments = [0, 1].map(|k| model.bodies.list[k].inertia.x_axis.x);
    // Twist lives between the middles of the welded edges.
    let length = 0.3 - 0.03;
    let omega = (gj / length * (1.0 / moments[0] + 1.0 / moments[1])).sqrt();
    let period = std::f64::consts::TAU / omega;
    let (model, state) = build();
    let mut s = Simulation::new(model, state, explicit(period / 400.0));
    let spin = |s: &Simulation, k: usize| observe(&s.model, &s.state).unwrap().bodies[k].spin.x;
    let momentum = |s: &Simulation| moments[0] * spin(s, 0) + moments[1] * spin(s, 1);
    let first = momentum(&s);
    let (mut crossings, mut before) = (Vec::new(), 0.0);
    for _ in 0..1200 {
        s.step(period / 400.0).unwrap();
        let now = spin(&s, 1) - spin(&s, 0);
        if before > 0.0 && now <= 0.0 {
            crossings.push(s.state.time - period / 400.0 * now / (now - before));
        }
        before = now;
        assert!((momentum(&s) - first).abs() < 1e-9 * first.abs());
    }
    let measured = (crossings[2] - crossings[0]) / 2.0;
    println!("torque transducer: period {measured:.6} s, closed form {period:.6} s");
    assert!(
        (measured / period - 1.0).abs() < 1e-3,
        "{measured} {period}"
    );
}

/// A heavy body on a rod that swings.
#[test]
fn a_bob_on_a_rod_agrees_with_the_implicit_path() {
    let build = || {
        ModelBuilder::new()
            .rod(Rod::open(line(8, 0.24), section(2e-4, 2e-4, 2e-4)).unwrap())
            .body(Body::new(
                0.05,
                DVec3::new(1e-5, 2e-5, 3e-5),
                DVec3::new(0.24, 0.01, 0.0),
            ))
            .weld(0, 0, 7)
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::NEG_Z * G)
            .build()
            .unwrap()
    };
    let gaps = gaps(&build, 0.3, [8e-4, 4e-4, 2e-4], 2e-4);
    println!("bob on a rod: off by {gaps:?} m (the rod is .24 m long)");
    assert!(gaps[2] < 3e-3 && gaps[0] / gaps[2] > 3.0, "{gaps:?}");
}

/// Three rods on one joint without mass of its own, and a body at the end of one: a tree.
fn tree(held: bool) -> (Model, State) {
    let directions = [
        DVec3::X,
        DVec3::new(-0.5, 0.8, 0.1),
        DVec3::new(-0.4, -0.7, 0.5),
    ];
    let mut builder = ModelBuilder::new().bending(BendingModel::PerEdge);
    for along in directions {
        let nodes = (0..=6)
            .map(|i| along.normalize() * (0.03 * f64::from(i)))
            .collect();
        builder = builder.rod(Rod::open(nodes, section(1e-3, 1e-3, 1e-3)).unwrap());
    }
    builder = builder.body(Body::joint(DVec3::ZERO));
    builder = (0..3).fold(builder, |b, rod| b.weld(0, rod, 0));
    let end = 0.18 * directions[1].normalize();
    builder = builder.body(Body::sphere(0.02, 0.02, end)).weld(1, 1, 5);
    if held {
        builder = builder.clamp(0, 5, Motion::Still).gravity(DVec3::NEG_Z * G);
    }
    builder.build().unwrap()
}

#[test]
fn a_tree_agrees_with_the_implicit_path() {
    let largest = largest_stable_step(&tree(true).0, &tree(true).1).unwrap();
    let dt = 0.5 * largest;
    let steps = [dt, dt / 2.0, dt / 4.0];
    // Steps that divide the time.
    let gaps = gaps(&|| tree(true), 128.0 * dt, steps, dt / 2.0);
    println!(
        "tree: off by {gaps:?} m after {:.3} s, steps from {dt:.1e} s",
        128.0 * dt
    );
    assert!(gaps[2] < 2e-3 && gaps[0] / gaps[2] > 2.8, "{gaps:?}");
}

/// Bodies and rods on their own keep momentum to rounding, angular momentum with order 1; lengths are kept in few iterations.
#[test]
fn a_free_tree_keeps_its_momenta() {
    let drift = [2e-4, 1e-4, 5e-5].map(|dt| {
        let (model, mut state) = tree(false);
        for (node, dof) in model.topology.node_dof.iter().enumerate() {
            if !model.bodies.follows(*dof) {
                state.velocity[dof + node % 3] = 0.3;
            }
        }
        let first = observe(&model, &state).unwrap();
        let mut s = Simulation::new(model, state, explicit(dt));
        let mut iterations = 0;
        for _ in 0..(0.05 / dt).round() as u32 {
            iterations = iterations.max(s.step(dt).unwrap().iterations);
            assert!(free_stretch(&s) < 1e-8);
        }
        assert!(iterations <= 5, "{iterations}");
        let last = observe(&s.model, &s.state).unwrap();
        let pushed = (last.momentum - first.momentum).length();
        // Rounding of each step's solve.
        let steps = s.state.step as f64;
        assert!(
            pushed < 1e-14 * steps * first.momentum.length(),
            "{pushed:e}"
        );
        (last.angular_momentum - first.angular_momentum).length() / first.angular_momentum.length()
    });
    println!("angular momentum of a tree off by {drift:?} with steps of .2, .1 and .05 ms");
    assert!(drift[0] / drift[2] > 2.0 && drift[2] < 1e-2, "{drift:?}");
}

#[test]
fn a_tree_restarts_bit_for_bit() {
    let settings = explicit(1e-4);
    let [mut plain, mut broken] = [0, 1].map(|_| {
        let (model, state) = tree(true);
        Simulation::new(model, state, settings)
    });
    for step in 0..40 {
        if step % 7 == 3 {
            let text = serde_json::to_string(&broken.state).unwrap();
            broken.state = serde_json::from_str(&text).unwrap();
            broken.drop_workspace();
        }
        plain.step(1e-4).unwrap();
        broken.step(1e-4).unwrap();
        assert!(plain.state == broken.state, "differs after step {step}");
    }
}

#[test]
fn what_the_integrator_does_not_know_is_refused() {
    let refused = |b: ModelBuilder| {
        let (model, state) = b.build().unwrap();
        let error = Simulation::new(model, state, explicit(1e-5))
            .step(1e-5)
            .unwrap_err();
        assert!(
            matches!(error, SimulationError::NotForIntegrator(_)),
            "{error}"
        );
        error.to_string()
    };
    let rod = || Rod::open(line(4, 0.4), section(1e-3, 1e-3, 1e-3)).unwrap();
    let body = |x: f64| Body::sphere(0.1, 0.02, DVec3::X * x);
    let near = ModelBuilder::new()
        .rod(rod())
        .body(body(0.0))
        .body(body(0.2));
    let near = refused(near.weld(0, 0, 0).weld(1, 0, 2));
    assert!(near.contains("leave two edges"), "{near}");
    let joint = Joint {
        bodies: [Some(0), None],
        anchor: DVec3::ZERO,
        kind: JointKind::Ball,
        strength: None,
    };
    let joint = refused(
        ModelBuilder::new()
            .rod(rod())
            .body(body(0.0))
            .weld(0, 0, 0)
            .joint(joint),
    );
    assert!(joint.contains("joints of bodies"), "{joint}");
}
