//! The integrator symplectic-projected against the implicit path: the same motion as steps fall.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use writhe::model::{BendingModel, ModelBuilder};
use writhe::rod::Rod;
use writhe::schedule::{Motion, Pose};
use writhe_tests::scene::{G, explicit, gaps, line, run, section};

#[test]
fn a_swinging_cantilever_agrees_with_the_implicit_path() {
    let build = || {
        let rod = Rod::open(line(12, 0.3), section(2e-3, 2e-3, 1e-3)).unwrap();
        ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::NEG_Z * G)
            .build()
            .unwrap()
    };
    let gaps = gaps(&build, 0.4, [8e-4, 4e-4, 2e-4], 2e-4);
    println!("cantilever: off by {gaps:?} m (its length is .3 m)");
    assert!(gaps[2] < 2e-3 && gaps[0] / gaps[2] > 3.0, "{gaps:?}");
}

/// A clamped rod, one end turned past Greenhill's threshold while it comes nearer, buckles out of
/// line.
#[test]
fn a_twisted_rod_buckles_as_in_the_implicit_path() {
    let build = || {
        let nodes = (0..=16).map(|i| {
            let s = f64::from(i) / 16.0;
            DVec3::new(0.3 * s, 2e-3 * (std::f64::consts::PI * s).sin(), 0.0)
        });
        let rod = Rod::open(nodes.collect(), section(1e-3, 1e-3, 1e-3)).unwrap();
        // Ends set off gently, so that no wave of stretch, which the other integrator knows,
        // buckles the rod.
        let part = |t: f64| (t / 0.6).powi(2) * (3.0 - 2.0 * t / 0.6);
        let turning = Motion::Custom(Arc::new(move |t| Pose {
            rotation: DQuat::from_rotation_x(18.0 * part(t)),
            ..Pose::IDENTITY
        }));
        let nearing = Motion::Custom(Arc::new(move |t| Pose {
            translation: DVec3::NEG_X * (0.03 * part(t)),
            ..Pose::IDENTITY
        }));
        ModelBuilder::new()
            .rod(rod.straight_at_rest().unwrap())
            .bending(BendingModel::PerEdge)
            .clamp(0, 0, turning)
            .clamp(0, 15, nearing)
            .viscous_damping(0.2)
            .build()
            .unwrap()
    };
    let s = run(build(), explicit(2e-4), 0.6);
    let out = s
        .model
        .positions(&s.state)
        .iter()
        .map(|x| x.y.hypot(x.z))
        .fold(0.0, f64::max);
    assert!(out > 0.03, "it must buckle: {out}");
    let gaps = gaps(&build, 0.6, [4e-4, 2e-4, 1e-4], 1e-4);
    println!("twisted rod: off by {gaps:?} m, where it is {out:.3} m out of line");
    assert!(gaps[2] < 1e-3 && gaps[0] / gaps[2] > 3.0, "{gaps:?}");
}

/// Part of a ring at rest, wider than thick, held at one end and let fall: bending and twisting are
/// coupled.
#[test]
fn a_curved_anisotropic_rod_agrees_with_the_implicit_path() {
    let build = || {
        let nodes = (0..=14).map(|i| {
            let a = 0.25 * f64::from(i);
            0.08 * DVec3::new(a.sin(), 1.0 - a.cos(), 0.0)
        });
        let rod = Rod::open(nodes.collect(), section(3e-3, 1e-3, 1e-3)).unwrap();
        ModelBuilder::new()
            .rod(rod)
            .bending(BendingModel::PerEdge)
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::NEG_Z * G)
            .build()
            .unwrap()
    };
    let gaps = gaps(&build, 0.3, [4e-4, 2e-4, 1e-4], 1e-4);
    println!("curved rod: off by {gaps:?} m (its length is .28 m)");
    assert!(gaps[2] < 2e-3 && gaps[0] / gaps[2] > 3.0, "{gaps:?}");
}
