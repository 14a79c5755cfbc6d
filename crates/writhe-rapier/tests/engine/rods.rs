//! Rods on bodies that Rapier moves: closed forms, invariants, the implicit path, restarts.

use crate::rigid::{free_tree, transducer, tree};
use crate::scene::{G, explicit, gaps, line, restarts, run, section};
use writhe::bodies::{Body, BodyEngine, FreeBodies};
use writhe::glam::DVec3;
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::state::State;
use writhe::step::largest_stable_step;
use writhe_rapier::RapierEngine;

fn engine() -> Box<dyn BodyEngine> {
    Box::new(RapierEngine::new())
}

/// B08 Fig. 6, CATALOGUE 2.2: the figure of `FreeBodies`, with the bodies guided in the engine too.
#[test]
fn a_torque_transducer_swings_at_its_frequency() {
    let across = [false, true, true];
    let guided = RapierEngine::new()
        .guide(0, [true; 3], across)
        .guide(1, across, across);
    let swing = transducer(Box::new(guided));
    println!("torque transducer: {swing:?}");
    let off = swing.period / swing.closed_form - 1.0;
    assert!(off.abs() < 1e-3 && swing.drift < 1e-9, "{swing:?}");
    // What both lack of the closed form is ten times as much as that by which they differ.
    let free = transducer(Box::new(FreeBodies::default()));
    let apart = (swing.period / free.period - 1.0).abs();
    assert!(apart < 0.1 * off.abs(), "{apart:e} {free:?}");
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
        .engine(engine())
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

/// Three rods on one body of no mass of its own.
#[test]
fn a_tree_agrees_with_the_implicit_path() {
    let (model, state) = tree(true, engine());
    let dt = 0.5 * largest_stable_step(&model, &state).unwrap();
    let steps = [dt, dt / 2.0, dt / 4.0];
    let gaps = gaps(&|| tree(true, engine()), 128.0 * dt, steps, dt / 2.0);
    println!("several rods on one body: off by {gaps:?} m, steps from {dt:.1e} s");
    assert!(gaps[2] < 2e-3 && gaps[0] / gaps[2] > 2.8, "{gaps:?}");
}

/// Three bodies on one rod, whose one end is clamped.
fn beads(engine: Box<dyn BodyEngine>) -> (Model, State) {
    let mut builder = ModelBuilder::new()
        .rod(Rod::open(line(14, 0.42), section(1e-3, 1e-3, 1e-3)).unwrap())
        .bending(BendingModel::PerEdge)
        .clamp(0, 0, Motion::Still)
        .gravity(DVec3::NEG_Z * G)
        .engine(engine);
    for (k, edge) in [3, 8, 13].into_iter().enumerate() {
        let at = DVec3::X * (0.03 * (edge as f64 + 0.5)) + DVec3::Y * 0.005;
        let body = Body::cuboid(0.02, DVec3::new(0.02, 0.03, 0.01), at);
        builder = builder.body(body).weld(k, 0, edge);
    }
    builder.build().unwrap()
}

#[test]
fn several_bodies_on_one_rod_agree_with_the_implicit_path() {
    let (model, state) = beads(engine());
    let dt = 0.5 * largest_stable_step(&model, &state).unwrap();
    let steps = [dt, dt / 2.0, dt / 4.0];
    let gaps = gaps(&|| beads(engine()), 256.0 * dt, steps, dt / 2.0);
    println!("several bodies on one rod: off by {gaps:?} m, steps from {dt:.1e} s");
    assert!(gaps[2] < 3e-3 && gaps[0] / gaps[2] > 2.8, "{gaps:?}");
}

/// As with `FreeBodies`: momentum to rounding, angular momentum with order 1.
#[test]
fn a_free_tree_keeps_its_momenta() {
    let drift = free_tree(&engine);
    println!("angular momentum of a tree off by {drift:?} with steps of .2, .1 and .05 ms");
    assert!(drift[0] / drift[2] > 2.0 && drift[2] < 1e-2, "{drift:?}");
}

#[test]
fn a_tree_restarts_bit_for_bit() {
    restarts(&|| tree(true, engine()), 1e-4, 40);
}
