//! Rigid bodies in the integrator symplectic-projected: closed forms, invariants, the implicit
//! path.

use glam::DVec3;
use writhe::bodies::{Body, BodyEngine, FreeBodies};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::largest_stable_step;
use writhe_tests::rigid::{free_tree, transducer, tree};
use writhe_tests::scene::{G, explicit, gaps, line, restarts, run, section, stretch};

fn free_bodies() -> Box<dyn BodyEngine> {
    Box::new(FreeBodies::default())
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

/// B08 Fig. 6, CATALOGUE 2.2, with the torque of section 8.2. Angular momentum is kept.
#[test]
fn a_torque_transducer_swings_at_its_frequency() {
    let swing = transducer(free_bodies());
    println!("torque transducer: {swing:?}");
    let off = swing.period / swing.closed_form - 1.0;
    assert!(off.abs() < 1e-3 && swing.drift < 1e-9, "{swing:?}");
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

#[test]
fn a_tree_agrees_with_the_implicit_path() {
    let (model, state) = tree(true, free_bodies());
    let largest = largest_stable_step(&model, &state).unwrap();
    let dt = 0.5 * largest;
    let steps = [dt, dt / 2.0, dt / 4.0];
    // Steps that divide the time.
    let gaps = gaps(&|| tree(true, free_bodies()), 128.0 * dt, steps, dt / 2.0);
    println!(
        "tree: off by {gaps:?} m after {:.3} s, steps from {dt:.1e} s",
        128.0 * dt
    );
    assert!(gaps[2] < 2e-3 && gaps[0] / gaps[2] > 2.8, "{gaps:?}");
}

/// Bodies and rods on their own keep momentum to rounding, angular momentum with order 1; lengths
/// are kept in few iterations.
#[test]
fn a_free_tree_keeps_its_momenta() {
    let drift = free_tree(&free_bodies);
    println!("angular momentum of a tree off by {drift:?} with steps of .2, .1 and .05 ms");
    assert!(drift[0] / drift[2] > 2.0 && drift[2] < 1e-2, "{drift:?}");
}

#[test]
fn a_tree_restarts_bit_for_bit() {
    restarts(&|| tree(true, free_bodies()), 1e-4, 40);
}

/// Two bodies with one edge between what is welded to them, no node of which is free, and a third
/// that one more edge ties to a clamp.
#[test]
fn bodies_one_edge_apart_agree_with_the_implicit_path() {
    let build = || {
        let mut builder = ModelBuilder::new()
            .rod(Rod::open(line(9, 0.27), section(1e-3, 1e-3, 1e-3)).unwrap())
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::NEG_Z * G);
        for (k, edge) in [2, 4, 7].into_iter().enumerate() {
            let at = DVec3::new(0.03 * (edge as f64 + 0.5), 0.005, 0.0);
            let body = Body::cuboid(0.02, DVec3::new(0.02, 0.03, 0.01), at);
            builder = builder.body(body).weld(k, 0, edge);
        }
        builder.build().unwrap()
    };
    let (model, state) = build();
    let dt = 0.5 * largest_stable_step(&model, &state).unwrap();
    let gaps = gaps(&build, 256.0 * dt, [dt, dt / 2.0, dt / 4.0], dt / 2.0);
    println!("bodies one edge apart: off by {gaps:?} m, steps from {dt:.1e} s");
    assert!(gaps[2] < 2e-3 && gaps[0] / gaps[2] > 2.8, "{gaps:?}");
}

/// A rod straight and taut between a body that is prescribed and a clamp has an edge too many;
/// rings and several rods at one body.
#[test]
fn rods_with_an_edge_too_many_and_rings_stay_as_long_as_they_are() {
    let ring = |centre: f64| {
        let node = |i: i32| {
            let a = std::f64::consts::TAU * f64::from(i) / 12.0;
            DVec3::new(centre + 0.05 * a.cos(), 0.05 * a.sin(), 0.1)
        };
        Rod::closed((0..12).map(node).collect(), section(1e-4, 1e-4, 1e-4)).unwrap()
    };
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(line(8, 0.4), section(1e-3, 1e-3, 1e-3)).unwrap())
        .rod(ring(0.0))
        .rod(ring(0.2))
        .body(Body::sphere(0.02, 0.01, DVec3::ZERO))
        .body(Body::sphere(0.02, 0.01, DVec3::new(0.0, 0.0, 0.1)))
        .weld(0, 0, 0)
        .clamp(0, 7, Motion::Still)
        .move_body(0, Motion::Still)
        // Two edges of one ring, beside each other but for one; the seam of the other.
        .weld(1, 1, 2)
        .weld(1, 1, 4)
        .weld(1, 2, 11)
        .gravity(DVec3::NEG_Z * G)
        .build()
        .unwrap();
    let dt = 0.4 * largest_stable_step(&model, &state).unwrap();
    let mut s = Simulation::new(model, state, explicit(dt));
    let mut iterations = 0;
    for _ in 0..400 {
        iterations = iterations.max(s.step(dt).unwrap().iterations);
        assert!(stretch(&s.model, &s.state) < 1e-8);
    }
    let fallen = observe(&s.model, &s.state).unwrap().bodies[1].position.z - 0.1;
    let free = -0.5 * G * s.state.time.powi(2);
    println!(
        "rings on a body fell {fallen:.6} m, freely {free:.6} m; at most {iterations} iterations"
    );
    assert!((fallen / free - 1.0).abs() < 0.02, "{fallen} {free}");
}
