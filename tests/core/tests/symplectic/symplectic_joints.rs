//! Joints between bodies in explicit steps: closed forms with the order of convergence, momentum,
//! energy, restarts.

use glam::{DQuat, DVec3};
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe_tests::scene;
use writhe_tests::scene::{G, explicit, pendulum, restarts, run, section, stretch};

/// What every model must have, out of the way.
fn idle_rod() -> Rod {
    let node = |i: usize| DVec3::new(0.1 * i as f64, 50.0, 0.0);
    Rod::open((0..3).map(node).collect(), section(1e-2, 1e-2, 1e-2)).unwrap()
}

fn built(builder: ModelBuilder) -> (Model, State) {
    let held = builder.rod(idle_rod()).clamp(0, 0, Motion::Still);
    held.clamp(0, 1, Motion::Still).build().unwrap()
}

fn hinge(bodies: [Option<usize>; 2], anchor: DVec3, motor: Motor) -> Joint {
    let axis = DVec3::Y;
    Joint::new(bodies, anchor, JointKind::Hinge { axis, motor })
}

fn direction(angle: f64) -> DVec3 {
    DVec3::new(angle.sin(), 0.0, -angle.cos())
}

/// A box of mass m around `arm` along a line that hangs from `top` at `angle` from the vertical.
fn hanging(mass: f64, top: DVec3, arm: f64, angle: f64) -> Body {
    Body {
        orientation: DQuat::from_rotation_y(-angle),
        ..Body::cuboid(
            mass,
            DVec3::new(0.05, 0.04, 0.3),
            top + arm * direction(angle),
        )
    }
}

/// The moment of such a box about its middle, across the swing, over its mass, m^2.
const MOMENT: f64 = (0.05 * 0.05 + 0.3 * 0.3) / 12.0;

/// Angle of a body from the vertical.
fn angle(s: &Simulation, body: usize) -> f64 {
    let down = observe(&s.model, &s.state).unwrap().bodies[body].orientation * DVec3::NEG_Z;
    down.x.atan2(-down.z)
}

/// How far the points of two bodies that a joint keeps together are apart, m.
fn apart(s: &Simulation, arms: [DVec3; 2]) -> f64 {
    let bodies = observe(&s.model, &s.state).unwrap().bodies;
    let at = |k: usize| bodies[k].position + bodies[k].orientation * arms[k];
    at(0).distance(at(1))
}

fn order_one(errors: &[f64], what: &str) {
    let orders = errors.windows(2).map(|e| (e[0] / e[1]).log2());
    let orders: Vec<f64> = orders.collect();
    println!("{what}: off by {errors:?}, orders {orders:.2?}");
    let of_one = |order: &f64| (0.8..1.3).contains(order);
    assert!(orders.iter().all(of_one), "{what}: {orders:?}");
}

/// Two boxes welded to each other swing from a hinge of the scene as one physical pendulum.
#[test]
fn two_welded_bodies_swing_as_one_pendulum() {
    let (start, time) = (1.0, 0.7);
    let place = |arm: f64| arm * direction(start);
    let build = || {
        let weld = Joint::new([Some(0), Some(1)], place(0.35), JointKind::Weld);
        let bodies = [(1.5, 0.2), (0.7, 0.5)];
        let builder = bodies
            .iter()
            .fold(ModelBuilder::new(), |builder, (mass, arm)| {
                builder.body(hanging(*mass, DVec3::ZERO, *arm, start))
            });
        built(
            builder
                .gravity(G * DVec3::NEG_Z)
                .joint(hinge([Some(0), None], DVec3::ZERO, Motor::Free))
                .joint(weld),
        )
    };
    // phi'' = -m g l/I sin phi
    let moment = 1.5 * 0.2 + 0.7 * 0.5;
    let inertia = 1.5 * (0.04 + MOMENT) + 0.7 * (0.25 + MOMENT);
    let exact = pendulum(G * moment / inertia, start, time);
    let errors = [2e-3, 1e-3, 5e-4].map(|dt| {
        let s = run(build(), explicit(dt), time);
        let off = (angle(&s, 0) - angle(&s, 1)).abs();
        assert!(off < 1e-7, "the weld bends by {off}");
        let joints = [DVec3::NEG_Z * 0.15, DVec3::Z * 0.15];
        assert!(apart(&s, joints) < 1e-8);
        (angle(&s, 0) - exact).abs()
    });
    order_one(&errors, "physical pendulum, rad");
    assert!(errors[2] < 1e-2);
}

/// Two boxes on two hinges swing in the slow mode of a double pendulum.
#[test]
fn a_double_pendulum_swings_in_its_slow_mode() {
    let ([m, n], [arm, length]) = ([1.5, 0.7], [0.2, 0.4]);
    // M phi'' + K phi = 0 for small angles of both boxes, each about its own hinge.
    let mass = [
        [
            m * (arm * arm + MOMENT) + n * length * length,
            n * length * arm,
        ],
        [n * length * arm, n * (arm * arm + MOMENT)],
    ];
    let stiffness = [(m * arm + n * length) * G, n * arm * G];
    // det(K - w^2 M) = 0
    let a = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
    let b = -(stiffness[0] * mass[1][1] + stiffness[1] * mass[0][0]);
    let c = stiffness[0] * stiffness[1];
    let squared = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    // (k_1 - w^2 m_11) + (-w^2 m_12) r = 0
    let ratio = (stiffness[0] - squared * mass[0][0]) / (squared * mass[0][1]);
    let amplitude = 0.01;
    let build = || {
        let elbow = length * direction(amplitude);
        built(
            ModelBuilder::new()
                .body(hanging(m, DVec3::ZERO, arm, amplitude))
                .body(hanging(n, elbow, arm, ratio * amplitude))
                .gravity(G * DVec3::NEG_Z)
                .joint(hinge([Some(0), None], DVec3::ZERO, Motor::Free))
                .joint(hinge([Some(0), Some(1)], elbow, Motor::Free)),
        )
    };
    // A quarter of a period and some: both the phase and the amplitude count.
    let time = (0.4 * std::f64::consts::TAU / squared.sqrt() / 4e-3).round() * 4e-3;
    let errors = [4e-3, 2e-3, 1e-3].map(|dt| {
        let s = run(build(), explicit(dt), time);
        let exact = (squared.sqrt() * time).cos();
        let of = |body: usize, part: f64| (angle(&s, body) / (part * amplitude) - exact).abs();
        of(0, 1.0).max(of(1, ratio))
    });
    assert!(errors[2] < 1e-2);
    order_one(&errors, "double pendulum, over the amplitude");
}

/// Two boxes on a ball joint thrown through space keep their momentum, and their joint; angular
/// momentum is kept to first order, and energy does not grow.
#[test]
fn thrown_bodies_on_a_joint_keep_their_momentum() {
    let build = || {
        let thrown = |mass: f64, x: f64, v: DVec3, omega: DVec3| Body {
            velocity: v,
            angular_velocity: omega,
            ..Body::cuboid(mass, DVec3::new(0.2, 0.05, 0.1), DVec3::X * x)
        };
        // The joint at x = .1 moves with both: v + omega x r.
        let [v, omega, other] = [
            DVec3::new(0.3, -0.2, 0.5),
            DVec3::new(1.0, 3.0, -2.0),
            DVec3::new(-2.0, 1.0, 4.0),
        ];
        let point = v + omega.cross(DVec3::X * 0.1);
        built(
            ModelBuilder::new()
                .body(thrown(0.8, 0.0, v, omega))
                .body(thrown(
                    0.5,
                    0.25,
                    point + other.cross(DVec3::X * 0.15),
                    other,
                ))
                .joint(Joint::new(
                    [Some(0), Some(1)],
                    DVec3::X * 0.1,
                    JointKind::Ball,
                )),
        )
    };
    let mut lost = Vec::new();
    for dt in [1e-3, 5e-4, 2.5e-4] {
        let (model, state) = build();
        let before = observe(&model, &state).unwrap();
        let mut s = Simulation::new(model, state, explicit(dt));
        let mut energy = before.kinetic;
        for _ in 0..(0.3 / dt) as u32 {
            s.step(dt).unwrap();
            let now = observe(&s.model, &s.state).unwrap();
            let pushed = (now.momentum - before.momentum).length() / before.momentum.length();
            assert!(pushed < 1e-12, "{pushed:e}");
            assert!(now.kinetic <= energy * (1.0 + 1e-12), "energy grows");
            energy = now.kinetic;
            assert!(apart(&s, [DVec3::X * 0.1, DVec3::X * -0.15]) < 1e-8);
        }
        let after = observe(&s.model, &s.state).unwrap();
        let turned = (after.angular_momentum - before.angular_momentum).length();
        lost.push(turned / before.angular_momentum.length());
        // What the ledger makes of the loss: nothing but the scheme.
        let works = after.ledger.works;
        assert!(works.motors.abs() + works.supports.abs() < 1e-12 * energy);
    }
    order_one(&lost, "angular momentum");
}

/// Motors: a torque speeds a disc up as the closed form says, and its work is what the disc gains;
/// an angle is followed to the last bit of the projection.
#[test]
fn motors_turn_bodies() {
    let torque = 0.03;
    let build = |motor: Motor| {
        let disc = Body::cylinder(0.6, 0.1, 0.02, DVec3::ZERO);
        let axis = DVec3::Z;
        let joint = Joint::new(
            [Some(0), None],
            DVec3::ZERO,
            JointKind::Hinge { axis, motor },
        );
        built(ModelBuilder::new().body(disc).joint(joint))
    };
    let (dt, time) = (1e-3, 0.5);
    let s = run(
        build(Motor::Torque(Schedule::Constant(torque))),
        explicit(dt),
        time,
    );
    let now = observe(&s.model, &s.state).unwrap();
    let inertia = 0.5 * 0.6 * 0.01;
    let spin = torque * time / inertia;
    assert!((now.bodies[0].spin.z / spin - 1.0).abs() < 1e-12);
    let work = now.ledger.works.motors;
    println!("motor: {work} J for {} J", now.kinetic);
    assert!((work / now.kinetic - 1.0).abs() < 4e-3, "{work}");

    // An angle that speeds up evenly from rest.
    let follows = Schedule::Custom(std::sync::Arc::new(|t| 5.0 * t * t));
    let s = run(build(Motor::Angle(follows)), explicit(dt), time);
    let now = observe(&s.model, &s.state).unwrap();
    let (axis, angle) = now.bodies[0].orientation.to_axis_angle();
    assert!((axis.z * angle - 5.0 * time * time).abs() < 1e-7);
    let (work, bears) = (now.ledger.works.motors, now.joints[0].torque.z);
    println!(
        "motor of an angle: {work} J for {} J, {bears} N m",
        now.kinetic
    );
    assert!((work / now.kinetic - 1.0).abs() < 4e-3, "{work}");
    assert!((bears / (10.0 * inertia) - 1.0).abs() < 1e-4, "{bears}");
}

/// A joint lets go at the cosine of two thirds of a swing on a bar that bears 2 m g.
#[test]
fn a_joint_lets_go_where_it_bears_too_much() {
    let (mass, length) = (0.5, 0.6);
    let build = || {
        let start = std::f64::consts::FRAC_PI_2;
        let bob = Body::sphere(mass, 1e-3, length * direction(start));
        let joint = Joint {
            strength: Some(2.0 * mass * G),
            ..hinge([Some(0), None], DVec3::ZERO, Motor::Free)
        };
        built(
            ModelBuilder::new()
                .body(bob)
                .gravity(G * DVec3::NEG_Z)
                .joint(joint),
        )
    };
    let errors: [f64; 3] = [1e-3, 5e-4, 2.5e-4].map(|dt| {
        let (model, state) = build();
        let mut s = Simulation::new(model, state, explicit(dt));
        while s.state.broken.is_empty() {
            s.step(dt).unwrap();
            assert!(s.state.time < 1.0, "it holds");
        }
        let at = observe(&s.model, &s.state).unwrap().bodies[0].position;
        (-at.z / length - 2.0 / 3.0).abs()
    });
    println!("breaks at a cosine off by {errors:?}");
    assert!(errors[2] < 5e-3 && errors[2] < 0.6 * errors[0]);
}

/// A chain of three bodies on hinges, with a rod welded to the last: implicit and explicit agree.
fn chain() -> (Model, State) {
    let at = |i: usize| DVec3::X * (0.1 * i as f64);
    let mut builder = ModelBuilder::new().gravity(G * DVec3::NEG_Z);
    for i in 0..3 {
        let size = DVec3::new(0.1, 0.02, 0.02);
        builder = builder.body(Body::cuboid(0.2, size, at(i) + DVec3::X * 0.05));
    }
    let rod = (0..8).map(|i| at(3) + DVec3::X * (0.03 * i as f64));
    let rod = Rod::open(rod.collect(), section(2e-3, 2e-3, 1e-3)).unwrap();
    builder
        .rod(rod)
        .weld(2, 0, 0)
        .joint(Joint::new([Some(0), None], at(0), JointKind::Ball))
        .joint(hinge([Some(0), Some(1)], at(1), Motor::Free))
        .joint(hinge([Some(1), Some(2)], at(2), Motor::Free))
        .build()
        .unwrap()
}

#[test]
fn a_chain_of_bodies_and_a_rod_swing_as_implicit_steps_have_it() {
    let apart = scene::gaps(&chain, 0.12, [8e-4, 4e-4, 2e-4], 5e-5);
    order_one(
        &apart,
        "chain of bodies and a rod, from the implicit path, m",
    );
    let s = run(chain(), explicit(4e-4), 0.2);
    assert!(stretch(&s.model, &s.state) < 1e-8);
}

#[test]
fn joints_restart_bit_for_bit() {
    restarts(&chain, 4e-4, 60);
}
