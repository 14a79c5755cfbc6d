//! Rigid bodies in the implicit path against closed forms, clamps and conservation laws.

use glam::{DMat3, DQuat, DVec3};
use writhe::bodies::{Body, Joint, JointKind};
use writhe::model::{ModelBuilder, ModelError};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

const MATERIAL: Material = Material {
    young: 1e6,
    shear: 4e5,
    density: 1000.0,
};

fn line(from: DVec3, along: DVec3, edges: usize, radius: f64) -> Rod {
    let node = |i: usize| from + along * i as f64;
    let nodes = (0..=edges).map(node).collect();
    Rod::open(nodes, Section::circle(MATERIAL, radius)).unwrap()
}

fn run(builder: ModelBuilder, dt: f64, scheme: Scheme) -> Simulation {
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt,
        scheme,
        adaptive: false,
        step_tolerance: 1e-10,
        residual_tolerance: 1e-10,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// A body alone; the rod that a model must have lies apart.
fn free_body(inertia: DVec3, spin: DVec3) -> ModelBuilder {
    let body = Body {
        angular_velocity: spin,
        velocity: DVec3::new(0.1, 0.0, -0.2),
        orientation: DQuat::from_axis_angle(DVec3::new(0.0, 0.6, 0.8), 0.4),
        ..Body::new(2.0, inertia, DVec3::new(5.0, 0.0, 0.0))
    };
    ModelBuilder::new()
        .rod(line(DVec3::ZERO, 0.1 * DVec3::X, 2, 0.01))
        .body(body)
}

#[test]
fn a_free_body_keeps_energy_and_momentum_under_the_midpoint_rule() {
    let builder = free_body(DVec3::new(0.3, 0.2, 0.1), DVec3::new(1.0, 2.0, -1.5));
    let mut run = run(builder, 0.05, Scheme::ImplicitMidpoint);
    let first = observe(&run.model, &run.state).unwrap();
    for _ in 0..400 {
        run.step(0.05).unwrap();
    }
    let last = observe(&run.model, &run.state).unwrap();
    assert!((last.kinetic - first.kinetic).abs() < 1e-10 * first.kinetic);
    let turned = last.angular_momentum - first.angular_momentum;
    assert!(turned.length() < 1e-10 * first.angular_momentum.length());
    // The rates have gone all round: the body tumbles.
    assert!((last.bodies[0].spin - first.bodies[0].spin).length() > 0.1);
    let expected = DVec3::new(5.0, 0.0, 0.0) + DVec3::new(0.1, 0.0, -0.2) * 20.0;
    assert!((last.bodies[0].position - expected).length() < 1e-10);
}

/// What is left of the energy and of the angular momentum, as a fraction of both, after 52 turns in
/// 48 steps each.
fn left_after_turns(scheme: Scheme, inertia: DVec3, spin: DVec3) -> [f64; 2] {
    let dt = std::f64::consts::TAU / spin.length() / 48.0;
    let (model, state) = free_body(inertia, spin).build().unwrap();
    let settings = StepSettings {
        dt,
        scheme,
        adaptive: false,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    // The flight of the body's centre adds energy and momentum of its own, which change no less.
    let turning = |run: &Simulation| {
        let o = observe(&run.model, &run.state).unwrap();
        let velocity = o.bodies[0].velocity;
        let orbit = o.bodies[0].position.cross(2.0 * velocity);
        let kinetic = o.bodies[0].kinetic - velocity.length_squared();
        (kinetic, o.angular_momentum - orbit)
    };
    let (energy, momentum) = turning(&run);
    for _ in 0..52 * 48 {
        run.step(dt).unwrap();
    }
    let (last, kept) = turning(&run);
    let lost = (kept - momentum).length() / momentum.length();
    [last / energy, 1.0 - lost]
}

#[test]
fn a_free_body_keeps_its_spin_under_every_scheme() {
    for (inertia, spin) in [
        (DVec3::new(0.3, 0.2, 0.1), DVec3::new(1.0, 2.0, -1.5)),
        (DVec3::new(0.3, 0.25, 0.06), DVec3::new(0.1, 0.1, 4.0)),
        // About the middle axis a body turns over and over.
        (DVec3::new(0.3, 0.2, 0.15), DVec3::new(1e-3, 3.0, 0.0)),
    ] {
        for scheme in [
            Scheme::BackwardEuler,
            Scheme::Bdf2,
            Scheme::FittedBdf2 {
                omega: spin.length(),
            },
            Scheme::ImplicitMidpoint,
        ] {
            let [energy, momentum] = left_after_turns(scheme, inertia, spin);
            assert!((momentum - 1.0).abs() < 1e-9, "{scheme:?}: {momentum}");
            assert!((energy - 1.0).abs() < 1e-8, "{scheme:?}: {energy}");
        }
    }
}

#[test]
fn a_body_turns_about_a_principal_axis_as_far_as_it_should() {
    let dt = 0.25;
    let builder = free_body(DVec3::new(0.3, 0.2, 0.1), DVec3::ZERO);
    let mut run = run(builder, dt, Scheme::Bdf2);
    let start = run.state.frames.orientation[0];
    let dof = run.model.topology.body_dof[0] + 3;
    let spin = start * DVec3::X * 4.0;
    run.state.velocity[dof..dof + 3].copy_from_slice(&spin.to_array());
    for _ in 0..40 {
        run.step(dt).unwrap();
    }
    let exact = DQuat::from_scaled_axis(spin * run.state.time) * start;
    let apart = run.state.frames.orientation[0] * exact.conjugate();
    assert!(apart.xyz().length() < 1e-12, "{apart}");
}

#[test]
fn a_step_in_which_a_body_turns_half_round_fails_and_is_halved() {
    let spin = DVec3::new(0.0, 0.0, 4.0);
    let mut run = run(free_body(DVec3::splat(0.2), spin), 1.0, Scheme::Bdf2);
    let error = run.step(1.0).unwrap_err().to_string();
    assert!(
        error.contains("body 0 turned by more than 160 degrees"),
        "{error}"
    );
    run.settings.adaptive = true;
    run.step(1.0).unwrap();
    let dof = run.model.topology.body_dof[0];
    assert!((run.state.velocity[dof + 5] - 4.0).abs() < 1e-9);
}

/// Angle by which a symmetric top has turned about its own axis and its axis about the angular
/// momentum, against the closed form.
fn top_error(scheme: Scheme, dt: f64) -> f64 {
    let (across, along) = (0.2, 0.3);
    let inertia = DVec3::new(across, across, along);
    let spin = DVec3::new(0.8, 0.3, 2.0);
    let mut run = run(free_body(inertia, spin), dt, scheme);
    let start = run.state.frames.orientation[0];
    let omega = start.conjugate() * spin;
    let momentum = start * (inertia * omega);
    let time = 1.0;
    for _ in 0..(time / dt).round() as usize {
        run.step(dt).unwrap();
    }
    // The axis precesses about L at |L|/I1; in the body the rest turns at (I1 - I3)/I1 omega_3.
    let precession = DQuat::from_scaled_axis(momentum / across * time);
    let own = DQuat::from_rotation_z((across - along) / across * omega.z * time);
    let exact = precession * start * own;
    let found = run.state.frames.orientation[0];
    found.dot(exact).abs().min(1.0).acos()
}

/// Without a torque backward Euler, too, turns a body by its flight.
#[test]
fn a_symmetric_top_converges_with_second_order() {
    for scheme in [
        Scheme::BackwardEuler,
        Scheme::Bdf2,
        Scheme::ImplicitMidpoint,
    ] {
        let [a, b] = [0.01, 0.005].map(|dt| top_error(scheme, dt));
        let found = (a / b).log2();
        assert!(
            (found - 2.0).abs() < 0.1,
            "{scheme:?}: order {found}, errors {a} {b}"
        );
    }
}

/// A heavy symmetric top on a ball joint at the origin, in steady precession.
struct HeavyTop {
    /// Turns of the body about its own axis relative to the precession, rad/s.
    own: f64,
    /// About the vertical, rad/s.
    precession: f64,
    start: DQuat,
    run: Simulation,
}

impl HeavyTop {
    fn new(scheme: Scheme, spin: f64, dt: f64) -> Self {
        let (mass, arm, g, tilt) = (1.0, 0.1, 9.81, 0.5_f64);
        let (across, along) = (0.012, 0.02);
        // I1 cos(tilt) W^2 - I3 spin W + m g l = 0 with I1 about the pivot; the slow root.
        let about_pivot = (across + mass * arm * arm) * tilt.cos();
        let half = 0.5 * along * spin;
        let moment = mass * g * arm;
        let precession = moment / (half + (half * half - about_pivot * moment).sqrt());
        let own = spin - precession * tilt.cos();
        let start = DQuat::from_rotation_y(tilt);
        let axis = start * DVec3::Z;
        let omega = precession * DVec3::Z + own * axis;
        let body = Body {
            orientation: start,
            angular_velocity: omega,
            velocity: omega.cross(arm * axis),
            ..Body::new(mass, DVec3::new(across, across, along), arm * axis)
        };
        let builder = ModelBuilder::new()
            .rod(line(9.0 * DVec3::X, 0.1 * DVec3::X, 2, 0.01))
            .clamp(0, 0, Motion::Still)
            .body(body)
            .joint(Joint::new([Some(0), None], DVec3::ZERO, JointKind::Ball))
            .gravity(-g * DVec3::Z);
        Self {
            own,
            precession,
            start,
            run: run(builder, dt, scheme),
        }
    }

    /// Angle between where it is and where it should be, rad.
    fn error(&self) -> f64 {
        let time = self.run.state.time;
        let turned = DQuat::from_rotation_z(self.precession * time) * self.start;
        let exact = turned * DQuat::from_rotation_z(self.own * time);
        let apart = self.run.state.frames.orientation[0] * exact.conjugate();
        2.0 * apart.xyz().length().asin()
    }

    fn axis(&self) -> DVec3 {
        self.run.state.frames.orientation[0] * DVec3::Z
    }
}

#[test]
fn a_heavy_top_converges_at_the_order_of_the_scheme() {
    for (scheme, order) in [
        (Scheme::BackwardEuler, 1.0),
        (Scheme::Bdf2, 2.0),
        (Scheme::ImplicitMidpoint, 2.0),
    ] {
        let [a, b] = [2e-3, 1e-3].map(|dt| {
            let mut top = HeavyTop::new(scheme, 30.0, dt);
            for _ in 0..(0.4 / dt).round() as usize {
                top.run.step(dt).unwrap();
            }
            top.error()
        });
        let found = (a / b).log2();
        println!("{scheme:?}: order {found}, errors {a} {b}");
        assert!(
            (found - order).abs() < 0.25,
            "{scheme:?}: order {found}, errors {a} {b}"
        );
    }
}

/// Three times round, in 48 steps a turn of the top about itself.
#[test]
fn a_heavy_top_precesses_and_does_not_fall() {
    let spin = 60.0;
    let dt = std::f64::consts::TAU / spin / 48.0;
    let mut top = HeavyTop::new(Scheme::Bdf2, spin, dt);
    let steps = (3.0 * std::f64::consts::TAU / top.precession / dt).round() as usize;
    let (mut lowest, mut highest) = (f64::MAX, 0.0_f64);
    for _ in 0..steps {
        top.run.step(dt).unwrap();
        let tilt = top.axis().z.acos();
        lowest = lowest.min(tilt);
        highest = highest.max(tilt);
    }
    let o = observe(&top.run.model, &top.run.state).unwrap();
    let own = o.bodies[0].spin.dot(top.axis());
    println!(
        "{steps} steps, tilt {lowest} to {highest}, spin {own}, off by {}",
        top.error()
    );
    assert!(highest - lowest < 1e-3, "tilt {lowest} to {highest}");
    assert!((own / spin - 1.0).abs() < 1e-4, "spins at {own} rad/s");
}

/// Section 2.2 of the catalogue of B08's scenes: two bodies that spin about the axis of the rod
/// between them.
#[test]
fn two_bodies_on_a_rod_swing_in_torsion_at_the_closed_form() {
    let (radius, edges, length) = (0.005, 22, 0.2);
    let (heavy, light) = (4e-3, 1e-3);
    // The welded edges are rigid: the rod that twists is between their inner ends.
    let step = length / (edges - 2) as f64;
    let rod = line(DVec3::ZERO, step * DVec3::X, edges, radius);
    let section = rod.sections[0];
    let end = step * edges as f64;
    let spin = 0.5;
    let turning = |inertia: f64, x: f64, spin: f64| Body {
        angular_velocity: spin * DVec3::X,
        ..Body::new(1.0, DVec3::splat(inertia), x * DVec3::X)
    };
    let along_x = [false, true, true];
    // In the frame without angular momentum.
    let builder = ModelBuilder::new()
        .rod(rod)
        .body(turning(heavy, 0.0, -spin * light / heavy))
        .body(turning(light, end, spin))
        .weld(0, 0, 0)
        .weld(1, 0, edges - 1)
        .guide_body(0, [true; 3], along_x)
        .guide_body(1, [true; 3], along_x);
    // Twisting stiffness of the discrete rod: welded edges end in the middle of the outer vertices'
    // lengths.
    let twisting = section.gj / (step * (edges - 1) as f64);
    let omega = (twisting * (1.0 / heavy + 1.0 / light)).sqrt();
    let period = std::f64::consts::TAU / omega;
    let dt = period / 400.0;
    let mut run = run(builder, dt, Scheme::ImplicitMidpoint);
    let total = |run: &Simulation| {
        let o = observe(&run.model, &run.state).unwrap();
        (o.elastic.total() + o.kinetic, o)
    };
    let (energy, first) = total(&run);
    let (mut crossings, mut before) = (Vec::new(), spin);
    let mut drift = 0.0_f64;
    for _ in 0..4000 {
        run.step(dt).unwrap();
        let (now, o) = total(&run);
        drift = drift.max((now / energy - 1.0).abs());
        let momentum = o.angular_momentum.x - first.angular_momentum.x;
        assert!(momentum.abs() < 1e-10 * light * spin);
        let light_spin = o.bodies[1].spin.x;
        if before < 0.0 && light_spin >= 0.0 {
            crossings.push(run.state.time - dt * light_spin / (light_spin - before));
        }
        before = light_spin;
        if light_spin.abs() > 0.5 * spin {
            let ratio = o.bodies[0].kinetic / o.bodies[1].kinetic;
            assert!((ratio - light / heavy).abs() < 1e-3, "ratio {ratio}");
        }
    }
    let cycles = (crossings.len() - 1) as f64;
    let found = std::f64::consts::TAU * cycles / (crossings.last().unwrap() - crossings[0]);
    // The rod's own inertia and the midpoint rule's phase lower it a little.
    let rod_inertia = section.inertia_per_length * length;
    assert!(rod_inertia < 5e-4 * light, "{rod_inertia}");
    assert!(
        (found / omega - 1.0).abs() < 2e-3,
        "{found} against {omega}"
    );
    assert!(drift < 1e-3, "energy drifts by {drift}");
}

fn cantilever(held: impl Fn(ModelBuilder) -> ModelBuilder) -> State {
    let rod = line(DVec3::ZERO, 0.02 * DVec3::X, 10, 0.004);
    let builder = held(ModelBuilder::new().rod(rod).gravity(-9.81 * DVec3::Z));
    let mut run = run(builder, 0.01, Scheme::Bdf2);
    for _ in 0..30 {
        run.step(0.01).unwrap();
    }
    run.state
}

#[test]
fn a_body_that_is_moved_clamps_as_a_clamp_does() {
    let motion = || Motion::spin(DVec3::ZERO, DVec3::new(0.3, 0.2, 1.0), 2.0);
    let clamped = cantilever(|b| b.clamp(0, 0, motion()));
    let body = Body::sphere(0.3, 0.02, DVec3::new(-0.01, 0.005, 0.0));
    let welded = cantilever(|b| b.body(body.clone()).weld(0, 0, 0).move_body(0, motion()));
    let apart = clamped.q.iter().zip(&welded.q);
    let apart = apart.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "apart by {apart}");
}

/// A rod in two halves whose ends are welded to a body without mass is one rod with two stiff
/// edges.
#[test]
fn rods_joined_end_to_end_hang_as_one() {
    let tip = |pieces: bool, half: usize| {
        let length = 0.1;
        let step = length / half as f64;
        let builder = ModelBuilder::new().gravity(-2.0 * DVec3::Z);
        let builder = if pieces {
            let first = line(DVec3::ZERO, step * DVec3::X, half, 0.004);
            let second = line(length * DVec3::X, step * DVec3::X, half, 0.004);
            builder
                .rod(first)
                .rod(second)
                .body(Body::joint(length * DVec3::X))
                .weld(0, 0, half - 1)
                .weld(0, 1, 0)
        } else {
            builder.rod(line(DVec3::ZERO, step * DVec3::X, 2 * half, 0.004))
        };
        let mut run = run(
            builder.clamp(0, 0, Motion::Still),
            0.01,
            Scheme::BackwardEuler,
        );
        run.settle().unwrap();
        let topology = &run.model.topology;
        let end = topology.node_dof[topology.nodes() - 1];
        run.state.q[end + 2]
    };
    let errors = [8, 16, 32].map(|half| tip(true, half) / tip(false, half) - 1.0);
    assert!(errors[0].abs() < 0.15, "{errors:?}");
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.7..2.3).contains(&ratio), "first order: {errors:?}");
    }
}

#[test]
fn three_rods_on_one_joint_conserve_momentum_and_restart_bit_for_bit() {
    let directions = [
        DVec3::X,
        DVec3::new(-0.5, 0.8, 0.1),
        DVec3::new(-0.4, -0.7, 0.5),
    ];
    let build = || {
        let mut builder = ModelBuilder::new();
        for along in directions {
            let mut rod = line(DVec3::ZERO, 0.02 * along, 8, 0.003);
            // Angles of free edges carry spin along tangents that turn, which no law conserves.
            rod.sections
                .iter_mut()
                .for_each(|s| s.inertia_per_length *= 1e-6);
            builder = builder.rod(rod);
        }
        builder = builder.body(Body::joint(DVec3::ZERO));
        (0..3).fold(builder, |b, rod| b.weld(0, rod, 0))
    };
    let throw = |run: &mut Simulation| {
        for (node, dof) in run.model.topology.node_dof.iter().enumerate() {
            if !run.model.bodies.follows(*dof) {
                run.state.velocity[dof + node % 3] = 0.3;
            }
        }
    };
    let mut run = run(build(), 2e-3, Scheme::ImplicitMidpoint);
    throw(&mut run);
    let first = observe(&run.model, &run.state).unwrap();
    let mut middle = None;
    for n in 0..100 {
        if n == 60 {
            middle = Some(run.state.clone());
        }
        run.step(2e-3).unwrap();
    }
    let last = observe(&run.model, &run.state).unwrap();
    assert!((last.momentum - first.momentum).length() < 1e-9 * first.momentum.length());
    let turned = (last.angular_momentum - first.angular_momentum).length();
    assert!(turned < 1e-8 * first.angular_momentum.length(), "{turned}");
    let end = run.state.clone();
    run.state = middle.unwrap();
    run.drop_workspace();
    for _ in 60..100 {
        run.step(2e-3).unwrap();
    }
    assert_eq!(run.state, end);
}

#[test]
fn what_cannot_be_is_refused() {
    let rod = || line(DVec3::ZERO, 0.02 * DVec3::X, 4, 0.004);
    let body = || Body::sphere(1.0, 0.1, DVec3::ZERO);
    let message = |b: ModelBuilder| b.build().unwrap_err().to_string();
    let twice = ModelBuilder::new().rod(rod()).body(body()).body(body());
    let twice = message(twice.weld(0, 0, 1).weld(1, 0, 2));
    assert!(twice.contains("node 2 is welded twice"), "{twice}");
    let held = ModelBuilder::new().rod(rod()).body(body()).weld(0, 0, 0);
    let held = message(held.clamp(0, 0, Motion::Still));
    assert!(held.contains("hold the body instead"), "{held}");
    let missing = message(ModelBuilder::new().rod(rod()).weld(0, 0, 0));
    assert!(missing.contains("there is no body 0"), "{missing}");
    let flat = Body {
        inertia: DMat3::from_diagonal(DVec3::new(1.0, 0.1, 0.1)),
        ..body()
    };
    let impossible = ModelBuilder::new().rod(rod()).body(flat).build();
    assert!(matches!(
        impossible,
        Err(ModelError::Body { key: "inertia", .. })
    ));
    let light = message(
        ModelBuilder::new()
            .rod(rod())
            .body(Body::joint(DVec3::ZERO)),
    );
    assert!(light.contains("mass"), "{light}");
}
