//! Bodies that meet each other and the scene, tied by rods.

use std::time::{Duration, Instant};

use crate::scene::{G, explicit, restarts, run, section, stretch};
use writhe::bodies::{Body, BodyEngine, EngineError, Joint, JointKind};
use writhe::contact::{ContactModel, SpillmannTeschnerSettings};
use writhe::glam::{DQuat, DVec3};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::Rod;
use writhe::schedule::{Motion, Pose};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe_rapier::{Collider, RapierEngine, Shape};

const RADIUS: f64 = 0.02;

fn ball() -> Collider {
    Collider::new(Shape::Ball { radius: RADIUS })
}

/// Two balls at the ends of an arc of a soft rod, thrown at each other at 1 m/s.
fn tied(restitution: f64, speed: f64) -> (Model, State) {
    let shape = |angle: f64| 0.1 * DVec3::new(-angle.cos(), angle.sin(), 0.0);
    let nodes = (0..=16).map(|i| shape(std::f64::consts::PI * f64::from(i) / 16.0));
    let rod = Rod::open(nodes.collect(), section(2e-6, 2e-6, 2e-6)).unwrap();
    let engine = (0..2).fold(RapierEngine::new(), |engine, body| {
        engine.collider(body, ball().with_restitution(restitution))
    });
    let thrown = |x: f64, v: f64| Body {
        velocity: DVec3::new(v, 0.1, 0.02),
        ..Body::sphere(0.1, RADIUS, DVec3::X * x)
    };
    ModelBuilder::new()
        .rod(rod)
        .bending(BendingModel::PerEdge)
        .body(thrown(-0.1, speed))
        .body(thrown(0.1, -speed))
        .weld(0, 0, 0)
        .weld(1, 0, 15)
        .engine(Box::new(engine))
        .build()
        .unwrap()
}

fn distance(s: &Simulation) -> f64 {
    let o = observe(&s.model, &s.state).unwrap();
    // The bodies' own centres, a little off those of the assemblies.
    let own =
        |k: usize| o.bodies[k].position + o.bodies[k].orientation * s.model.bodies.list[k].origin;
    (own(0) - own(1)).length()
}

/// They meet, bounce, and do not enter each other; the rod stays as long as it is and momentum is
/// kept to rounding.
#[test]
fn balls_on_a_rod_bounce_off_each_other() {
    for restitution in [0.0, 0.5] {
        let (model, state) = tied(restitution, 1.0);
        let first = observe(&model, &state).unwrap().momentum;
        let mut s = Simulation::new(model, state, explicit(1e-4));
        let (mut nearest, mut before, mut after) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        let mut last = distance(&s);
        for _ in 0..2000 {
            s.step(1e-4).unwrap();
            assert!(stretch(&s.model, &s.state) < 1e-8);
            let now = distance(&s);
            let rate = (now - last) / 1e-4;
            last = now;
            if nearest > 2.0 * RADIUS + 1e-3 {
                before = rate;
            }
            nearest = nearest.min(now);
            if nearest < 2.0 * RADIUS + 1e-4 {
                after = after.max(rate);
            }
        }
        let momentum = observe(&s.model, &s.state).unwrap().momentum;
        let pushed = (momentum - first).length() / first.length();
        let deep = (2.0 * RADIUS - nearest) / RADIUS;
        let bounced = -after / before;
        println!(
            "balls on a rod, restitution {restitution}: came at {before:.3}, left at {after:.3} m/s ({bounced:.3}); nearest {nearest:.6} m of {:.6}; \
             momentum off by {pushed:.1e}",
            2.0 * RADIUS
        );
        assert!(before < -0.5, "they must meet: {before}");
        assert!(deep < 0.01, "{deep}");
        assert!(pushed < 1e-11, "{pushed:e}");
        assert!((bounced - restitution).abs() < 0.1, "{bounced}");
    }
}

#[test]
fn collisions_restart_bit_for_bit() {
    restarts(&|| tied(0.5, 4.0), 2e-4, 250);
    // They had met by then.
    let s = run(tied(0.5, 4.0), explicit(2e-4), 0.05);
    assert!(distance(&s) < 0.16 && observe(&s.model, &s.state).unwrap().bodies[0].velocity.x < 0.0);
}

/// A snapshot is all of the engine: with and without going back to it before each step bodies roll
/// on the same bits.
#[test]
fn a_snapshot_is_complete() {
    let (model, _) = tied(0.3, 1.0);
    let floor = Collider::new(Shape::HalfSpace).with_friction(0.5);
    let cuboid = Shape::Cuboid {
        half: DVec3::splat(0.02),
    };
    let described = RapierEngine::new()
        .scenery(floor)
        .collider(0, ball().with_friction(0.5))
        .collider(1, Collider::new(cuboid).with_friction(0.5))
        .joint(Joint::new(
            [Some(0), None],
            DVec3::new(-0.05, 0.0, 0.1),
            JointKind::Weld,
        ));
    let list = &model.bodies.list;
    let places = [DVec3::new(0.0, 0.0, 0.03), DVec3::new(0.03, 0.0, 0.07)];
    let poses: Vec<_> = (0..2)
        .map(|k| {
            let turn = DQuat::from_rotation_y(0.4 * k as f64);
            (&list[k], places[k], turn)
        })
        .collect();
    let mut plain = described.clone();
    let mut broken = described.clone();
    plain.place(&poses).unwrap();
    broken.place(&poses).unwrap();
    let (mut bytes, mut spent) = (0, Duration::ZERO);
    for step in 0..400 {
        let clock = Instant::now();
        let snapshot = broken.snapshot().unwrap();
        broken = described.clone();
        broken.restore(&snapshot).unwrap();
        (bytes, spent) = (snapshot.len().max(bytes), spent + clock.elapsed());
        for engine in [&mut plain, &mut broken] {
            for body in 0..2 {
                engine.add_force(body, DVec3::NEG_Z * G * 0.1, DVec3::ZERO);
            }
            engine.step(1e-3).unwrap();
        }
        for body in 0..2 {
            assert_eq!(plain.pose(body), broken.pose(body), "step {step}");
            assert_eq!(plain.velocity(body), broken.velocity(body), "step {step}");
        }
    }
    let each = spent.as_secs_f64() / 400.0 * 1e6;
    println!(
        "a snapshot of two bodies with joint and floor: {bytes} bytes, {each:.0} us to write and read"
    );
}

/// A ball that hangs on a slack rod comes to rest on a floor, a box too; they do not sink in.
#[test]
fn bodies_on_rods_come_to_rest_on_a_floor() {
    for (shape, height) in [
        (Shape::Ball { radius: RADIUS }, RADIUS),
        (
            Shape::Cuboid {
                half: DVec3::new(0.03, 0.02, 0.01),
            },
            0.01,
        ),
        (
            Shape::Capsule {
                half_length: 0.03,
                radius: 0.01,
            },
            0.04,
        ),
    ] {
        let nodes = (0..=12).map(|i| {
            let s = f64::from(i) / 12.0;
            DVec3::new(0.15 * s, 0.05 * (std::f64::consts::PI * s).sin(), 0.06)
        });
        let rod = Rod::open(nodes.collect(), section(1e-6, 1e-6, 1e-6)).unwrap();
        let engine = RapierEngine::new()
            .scenery(Collider::new(Shape::HalfSpace).with_friction(0.5))
            .collider(0, Collider::new(shape).with_friction(0.5))
            .guide(0, [false; 3], [true; 3]);
        let body = Body::cuboid(0.2, DVec3::splat(0.03), DVec3::new(0.15, 0.0, 0.06));
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .bending(BendingModel::PerEdge)
            .clamp(0, 0, Motion::Still)
            .body(body)
            .weld(0, 0, 11)
            .guide_body(0, [false; 3], [true; 3])
            .gravity(DVec3::NEG_Z * G)
            .viscous_damping(0.05)
            .engine(Box::new(engine))
            .build()
            .unwrap();
        let mut s = Simulation::new(model, state, explicit(2e-4));
        let mut lowest = f64::INFINITY;
        for _ in 0..10_000 {
            s.step(2e-4).unwrap();
            let o = observe(&s.model, &s.state).unwrap();
            lowest = lowest.min(o.bodies[0].position.z + s.model.bodies.list[0].origin.z);
        }
        let speed = observe(&s.model, &s.state).unwrap().bodies[0]
            .velocity
            .length();
        println!("{shape:?} at rest at {lowest:.6} m of {height} m, {speed:.1e} m/s");
        assert!((lowest - height).abs() < 2e-4, "{lowest} {height}");
        assert!(speed < 1e-3, "{speed}");
    }
}

/// A rod falls on a box of the engine that lies on a floor of the engine: the box bears the rod, and
/// the floor both.
#[test]
fn a_rod_lies_on_a_body_of_the_engine() {
    let half = DVec3::new(0.03, 0.02, 0.01);
    let middle = DVec3::Z * 0.01;
    let section = section(2e-4, 2e-4, 1e-4);
    let lift = middle + DVec3::Z * (0.01 + section.radius + 2e-4);
    let nodes = (0..=10).map(|i| lift + DVec3::X * (0.01 * f64::from(i) - 0.05));
    let engine = RapierEngine::new()
        .scenery(Collider::new(Shape::HalfSpace).with_friction(0.5))
        .collider(0, Collider::new(Shape::Cuboid { half }).with_friction(0.5));
    let at = Pose {
        translation: middle,
        ..Pose::IDENTITY
    };
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes.collect(), section).unwrap())
        .body(Body::cuboid(0.05, 2.0 * half, middle))
        .obstacle(Obstacle::cuboid(half, at).on_body(0).with_friction(0.4))
        .contact(ContactModel::SpillmannTeschner(
            SpillmannTeschnerSettings::default(),
        ))
        .gravity(DVec3::NEG_Z * G)
        .viscous_damping(0.05)
        .engine(Box::new(engine))
        .build()
        .unwrap();
    let of_nodes = model.topology.node_dof.iter().map(|dof| model.mass[*dof]);
    let weight = of_nodes.sum::<f64>() * G;
    let mut s = Simulation::new(model, state, explicit(2e-4));
    let (mut borne, count) = (0.0, 500);
    for step in 0..2500 {
        let report = s.step(2e-4).unwrap();
        assert!(report.penetration < 1.01e-4, "{report:?}");
        if step >= 2500 - count {
            borne -= observe(&s.model, &s.state).unwrap().obstacles[0].force.z;
        }
    }
    let borne = borne / f64::from(count) / weight;
    let body = observe(&s.model, &s.state).unwrap().bodies[0];
    println!(
        "the box bears {borne:.4} of the rod's weight, at {:.6} m",
        body.position.z
    );
    assert!((borne - 1.0).abs() < 0.02, "{borne}");
    assert!((body.position.z - 0.01).abs() < 1e-4 && body.velocity.length() < 1e-3);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |engine: RapierEngine| -> String {
        let (model, state) = tied(0.0, 1.0);
        let model = Model {
            engine: Box::new(engine),
            ..model
        };
        let mut s = Simulation::new(model, state, explicit(1e-4));
        s.step(1e-4).unwrap_err().to_string()
    };
    let flat = ball();
    let flat = Collider {
        shape: Shape::Ball { radius: 0.0 },
        ..flat
    };
    for (engine, words) in [
        (
            RapierEngine::new().collider(2, ball()),
            "body 2, and there are 2 bodies",
        ),
        (RapierEngine::new().collider(1, flat), "the radius 0 m"),
        (
            RapierEngine::new().collider(0, Collider::new(Shape::HalfSpace)),
            "RapierEngine::scenery",
        ),
        (
            RapierEngine::new().scenery(ball().with_restitution(1.5)),
            "restitution 1.5",
        ),
        (
            RapierEngine::new().joint(Joint::new([Some(1), Some(1)], DVec3::ZERO, JointKind::Weld)),
            "joins body 1 to itself",
        ),
        (
            RapierEngine::new().joint(Joint::new([Some(7), None], DVec3::ZERO, JointKind::Weld)),
            "joins body 7",
        ),
    ] {
        let said = refused(engine);
        assert!(said.contains(words), "{said}");
    }
    // A state that another engine made.
    let mut engine = RapierEngine::new();
    let EngineError(said) = engine.restore(&[1, 2, 3]).unwrap_err();
    assert!(said.contains("is not one of this engine"), "{said}");
}
