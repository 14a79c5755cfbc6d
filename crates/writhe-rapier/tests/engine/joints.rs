//! Joints that only the engine knows: closed forms, motors, momentum.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use crate::scene::{G, explicit, line, pendulum, restarts, run, section};
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::glam::{DQuat, DVec3};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe_rapier::RapierEngine;

fn hinge(axis: DVec3, motor: Motor) -> JointKind {
    JointKind::Hinge { axis, motor }
}

fn to_scene(body: usize, anchor: DVec3, kind: JointKind) -> Joint {
    Joint::new([Some(body), None], anchor, kind)
}

/// A rod far off that only makes the model one.
fn aside() -> ModelBuilder {
    let nodes = line(2, 0.1).into_iter().map(|x| x + DVec3::Y * 9.0);
    ModelBuilder::new().rod(Rod::open(nodes.collect(), section(1e-6, 1e-6, 1e-6)).unwrap())
}

fn pose(s: &Simulation, body: usize) -> (DVec3, DQuat) {
    let body = &observe(&s.model, &s.state).unwrap().bodies[body];
    (body.position, body.orientation)
}

/// A box on a hinge swings as a physical pendulum: `phi'' = -m g d / (I + m d^2) sin phi`, with
/// order 1; on a ball joint in its plane too.
#[test]
fn a_body_on_a_joint_swings_as_a_pendulum() {
    let (mass, size, d) = (0.3, DVec3::new(0.2, 0.05, 0.04), 0.1);
    let inertia = mass * (size.x * size.x + size.z * size.z) / 12.0;
    let rate = mass * G * d / (inertia + mass * d * d);
    let time = 1.0;
    let phi = pendulum(rate, FRAC_PI_2, time);
    let wanted = d * DVec3::new(phi.sin(), 0.0, -phi.cos());
    for kind in [hinge(DVec3::Y, Motor::Free), JointKind::Ball] {
        let errors = [2e-3, 1e-3, 5e-4].map(|dt| {
            let engine = RapierEngine::new().joint(to_scene(0, DVec3::ZERO, kind.clone()));
            let built = aside()
                .body(Body::cuboid(mass, size, DVec3::X * d))
                .gravity(DVec3::NEG_Z * G)
                .engine(Box::new(engine));
            let s = run(built.build().unwrap(), explicit(dt), time);
            let (x, r) = pose(&s, 0);
            // The joint holds: the body's own point is still at the anchor.
            let drift = (x + r * (DVec3::NEG_X * d)).length();
            assert!(drift < 1e-5, "{drift:e}");
            (x - wanted).length() / d
        });
        println!("pendulum on {kind:?}: off by {errors:?} of its length, steps of 2, 1, .5 ms");
        assert!(
            errors[2] < 2e-2 && errors[0] / errors[2] > 3.0,
            "{errors:?}"
        );
    }
}

/// A disc on a hinge at the end of a clamped rod: `omega^2 = GJ / (L I)`. The hinge is the
/// engine's, the torque the rod's.
fn torsion(dt: f64) -> (Simulation, f64) {
    let (gj, edges, inertia) = (1e-3, 10, 2e-5);
    let body = Body {
        angular_velocity: DVec3::X * 3.0,
        ..Body::new(0.1, DVec3::new(inertia, 3e-5, 3e-5), DVec3::X * 0.3)
    };
    let kind = hinge(DVec3::X, Motor::Free);
    let engine = RapierEngine::new().joint(to_scene(0, DVec3::X * 0.3, kind));
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(line(edges, 0.3), section(1e-3, 1e-3, gj)).unwrap())
        .bending(BendingModel::PerEdge)
        .clamp(0, 0, Motion::Still)
        .body(body)
        .weld(0, 0, edges - 1)
        .engine(Box::new(engine))
        .build()
        .unwrap();
    let moment = model.bodies.list[0].inertia.x_axis.x;
    let period = TAU * (moment * 0.27 / gj).sqrt();
    (Simulation::new(model, state, explicit(dt)), period)
}

#[test]
fn a_disc_on_a_hinge_twists_a_rod_at_its_frequency() {
    let period = torsion(1.0).1;
    let dt = period / 400.0;
    let (mut s, _) = torsion(dt);
    let (mut crossings, mut before) = (Vec::new(), 0.0);
    while crossings.len() < 4 {
        s.step(dt).unwrap();
        let now = observe(&s.model, &s.state).unwrap().bodies[0].spin.x;
        if before > 0.0 && now <= 0.0 {
            crossings.push(s.state.time - dt * now / (now - before));
        }
        before = now;
        let off = pose(&s, 0).0 - DVec3::X * 0.3;
        assert!(off.length() < 1e-3, "{off}");
    }
    let measured = (crossings[3] - crossings[0]) / 3.0;
    println!("disc on a hinge: period {measured:.6} s, closed form {period:.6} s");
    assert!(
        (measured / period - 1.0).abs() < 1e-3,
        "{measured} {period}"
    );
}

#[test]
fn joints_restart_bit_for_bit() {
    let dt = torsion(1.0).1 / 400.0;
    let build = || {
        let s = torsion(dt).0;
        (s.model, s.state)
    };
    restarts(&build, dt, 60);
}

/// A motor with a torque: `omega = T t / I` of a free body about a hinge through its centre; two
/// bodies on it turn against each other.
#[test]
fn a_torque_spins_what_it_drives() {
    let inertia = DVec3::new(2e-3, 3e-3, 4e-3);
    let body = |x: DVec3, scale: f64| Body::new(0.5, inertia * scale, x);
    let kind = hinge(DVec3::Z, Motor::Torque(Schedule::Constant(0.01)));
    let joint = Joint::new([Some(0), Some(1)], DVec3::ZERO, kind);
    let built = aside()
        .body(body(DVec3::ZERO, 1.0))
        .body(body(DVec3::Z * 0.1, 2.0))
        .engine(Box::new(RapierEngine::new().joint(joint)));
    let s = run(built.build().unwrap(), explicit(1e-3), 0.5);
    let spins = observe(&s.model, &s.state)
        .unwrap()
        .bodies
        .iter()
        .map(|b| b.spin.z)
        .collect::<Vec<_>>();
    let wanted = [0.005 / 4e-3, -0.005 / 8e-3];
    for (spin, wanted) in spins.iter().zip(wanted) {
        assert!((spin / wanted - 1.0).abs() < 1e-9, "{spins:?} {wanted}");
    }
}

/// A motor with an angle follows it, more than once round, while a rod pulls at what it turns.
#[test]
fn a_motor_follows_its_angle() {
    let wanted = |t: f64| 5.0 * t * t;
    let angle = Schedule::Custom(Arc::new(wanted));
    let kind = hinge(DVec3::Z, Motor::Angle(angle));
    let engine = RapierEngine::new().joint(to_scene(0, DVec3::ZERO, kind));
    let nodes = (0..=6).map(|i| DVec3::X * (0.05 + 0.02 * f64::from(i)));
    let built = ModelBuilder::new()
        .rod(Rod::open(nodes.collect(), section(1e-3, 1e-3, 1e-3)).unwrap())
        .body(Body::cuboid(0.1, DVec3::splat(0.1), DVec3::ZERO))
        .weld(0, 0, 0)
        .engine(Box::new(engine))
        .build()
        .unwrap();
    let mut s = Simulation::new(built.0, built.1, explicit(2e-4));
    let mut worst = 0.0_f64;
    for _ in 0..6000 {
        s.step(2e-4).unwrap();
        let direction = pose(&s, 0).1 * DVec3::X;
        let turned = direction.y.atan2(direction.x) - wanted(s.state.time);
        let off = (turned + PI).rem_euclid(TAU) - PI;
        worst = worst.max(off.abs());
    }
    println!("motor: off its angle by at most {worst:.1e} rad in 1.1 turns");
    assert!(worst < 5e-3, "{worst}");
}

/// Two bodies that a fixed joint makes one, thrown and spinning: momentum to rounding, angular
/// momentum the better the shorter the step (the joint acts where its bodies are before they turn),
/// and no motion against each other.
#[test]
fn a_fixed_joint_makes_one_of_two() {
    let body = |x: f64, v: f64| Body {
        velocity: DVec3::new(0.3, v, 0.0),
        ..Body::cuboid(0.2, DVec3::new(0.1, 0.06, 0.04), DVec3::X * x)
    };
    let spun = [1e-3, 5e-4, 2.5e-4].map(|dt| {
        let joint = Joint::new([Some(0), Some(1)], DVec3::X * 0.05, JointKind::Weld);
        let built: (Model, State) = aside()
            .body(body(0.0, -0.2))
            .body(body(0.1, 0.2))
            .engine(Box::new(RapierEngine::new().joint(joint)))
            .build()
            .unwrap();
        let first = observe(&built.0, &built.1).unwrap();
        let s = run(built, explicit(dt), 1.0);
        let last = observe(&s.model, &s.state).unwrap();
        let pushed = (last.momentum - first.momentum).length() / first.momentum.length();
        let apart = (last.bodies[0].position - last.bodies[1].position).length();
        println!("fixed: momentum off by {pushed:.1e}, distance {apart:.6} m of .1 m");
        assert!(
            pushed < 1e-12 && (apart - 0.1).abs() < 1e-5,
            "{pushed:e} {apart}"
        );
        let turned = last.angular_momentum - first.angular_momentum;
        turned.length() / first.angular_momentum.length()
    });
    println!("fixed: angular momentum off by {spun:?} with steps of 1, .5 and .25 ms");
    assert!(spun[0] < 1e-3 && spun[0] / spun[2] > 3.0, "{spun:?}");
}
