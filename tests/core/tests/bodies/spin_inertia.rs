//! Spinning rods are gyroscopes with [`SpinInertia::Full`]: the swing plane of a pendulum, a top,
//! angular momentum. Figures in decision 0052 are printed with `-- --nocapture`.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use writhe::bodies::Body;
use writhe::ledger::Ledger;
use writhe::model::{BendingModel, Model, ModelBuilder, SpinInertia};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe::step::{Integrator, NotExplicit, Scheme, StepError, StepSettings, supports};

const RADIUS: f64 = 5e-3;
const GRAVITY: f64 = 9.81;

/// A stiff straight rod from the origin, where it is held, in the direction `t`; it spins at
/// `spin`, rad/s.
fn pivoted(t: DVec3, length: f64, edges: usize, spin: f64, counts: SpinInertia) -> (Model, State) {
    // So stiff that what it bends is below 1e-6.
    let section = Section::circle(Material::new(1e11, 0.3, 1000.0), RADIUS);
    let node = |i| t * (length * i as f64 / edges as f64);
    let rod = Rod::open((0..=edges).map(node).collect(), section).unwrap();
    let (model, mut state) = ModelBuilder::new()
        .rod(rod)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .gravity(DVec3::Z * -GRAVITY)
        .spin_inertia(counts)
        .build()
        .unwrap();
    for dof in &model.topology.edge_dof {
        state.velocity[*dof] = spin;
    }
    (model, state)
}

fn settings(scheme: Scheme, dt: f64) -> StepSettings {
    StepSettings {
        dt,
        scheme,
        adaptive: false,
        step_tolerance: 1e-10,
        residual_tolerance: 1e-10,
        ..StepSettings::default()
    }
}

/// Polar moment, moment about the pivot and m d of the nodes: kg m^2, kg m^2, kg m.
fn moments(model: &Model, state: &State) -> [f64; 3] {
    let polar = model.topology.edge_dof.iter().map(|d| model.mass[*d]);
    let nodes = model.positions(state);
    let nodes = nodes.iter().zip(&model.topology.node_dof);
    let weighed = nodes.map(|(x, dof)| (x.length(), model.mass[*dof]));
    let weighed: Vec<(f64, f64)> = weighed.collect();
    [
        polar.sum(),
        weighed.iter().map(|(s, m)| m * s * s).sum(),
        weighed.iter().map(|(s, m)| m * s).sum(),
    ]
}

/// The same of a smooth rod of that length.
fn smooth(length: f64) -> [f64; 3] {
    let mass = 1000.0 * PI * RADIUS * RADIUS * length;
    [
        0.5 * mass * RADIUS * RADIUS,
        mass * length * length / 3.0,
        0.5 * mass * length,
    ]
}

/// Order by which errors fall when what they depend on is halved each time.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect()
}

// ---- The swing plane of a pendulum

/// Amplitude, rad.
const SWING: f64 = 1e-3;
const PENDULUM: f64 = 0.1;
const PENDULUM_SPIN: f64 = 1000.0;

/// Place over the amplitude of a pendulum that begins at x = 1 at rest, as a complex number x + iy:
/// `I_t z'' + i I w z' + m g d z = 0`, w about the tangent, which points down.
fn swinging(moments: [f64; 3], t: f64) -> [f64; 2] {
    let [polar, about, weight] = moments;
    let turn = polar * PENDULUM_SPIN / (2.0 * about);
    let rate = (GRAVITY * weight / about + turn * turn).sqrt();
    // z = exp(-i turn t) (cos rate t + i (turn/rate) sin rate t)
    let (x, y) = ((rate * t).cos(), turn / rate * (rate * t).sin());
    let (sin, cos) = (turn * t).sin_cos();
    [x * cos + y * sin, y * cos - x * sin]
}

/// Places of the pendulum's tip over its amplitude after each step, up to `end`, s.
fn swing(
    counts: SpinInertia,
    scheme: Scheme,
    edges: usize,
    dt: f64,
    end: f64,
) -> ([f64; 3], Vec<[f64; 2]>) {
    let down = DVec3::new(SWING, 0.0, -1.0).normalize();
    let (model, state) = pivoted(down, PENDULUM, edges, PENDULUM_SPIN, counts);
    let moments = moments(&model, &state);
    let mut run = Simulation::new(model, state, settings(scheme, dt));
    let steps = (end / dt).round() as usize;
    let tips = (0..steps).map(|_| {
        run.step(dt).unwrap();
        let tip = run.model.positions(&run.state)[edges] / (PENDULUM * SWING);
        [tip.x, tip.y]
    });
    (moments, tips.collect())
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn the_swing_plane_of_a_spinning_pendulum_turns_with_the_order_of_the_scheme() {
    let schemes = [
        (Scheme::BackwardEuler, 1.0),
        (Scheme::Bdf2, 2.0),
        (Scheme::FittedBdf2 { omega: 6.0 }, 2.0),
        (Scheme::ImplicitMidpoint, 2.0),
    ];
    for (scheme, order) in schemes {
        let first = if order < 2.0 { 2.5e-4 } else { 4e-3 };
        let errors = [1.0, 0.5, 0.25].map(|part| {
            let end = 0.4;
            let (moments, tips) = swing(SpinInertia::Full, scheme, 3, first * part, end);
            distance(tips[tips.len() - 1], swinging(moments, end))
        });
        println!(
            "{scheme:?}, steps from {first}: {errors:?}, {:?}",
            orders(&errors)
        );
        for found in orders(&errors) {
            assert!((found - order).abs() < 0.2, "{scheme:?}: {errors:?}");
        }
    }
}

#[test]
fn the_swing_plane_turns_in_the_limit_of_many_edges_as_that_of_a_smooth_rod() {
    let end = 0.4;
    let errors = [2, 4, 8].map(|edges| {
        let (_, tips) = swing(
            SpinInertia::Full,
            Scheme::ImplicitMidpoint,
            edges,
            1e-3,
            end,
        );
        distance(tips[tips.len() - 1], swinging(smooth(PENDULUM), end))
    });
    println!("edges 2, 4, 8: {errors:?}, {:?}", orders(&errors));
    for found in orders(&errors) {
        assert!((found - 2.0).abs() < 0.2, "{errors:?}");
    }
}

/// The last sample at which the tip is farthest out, and its direction, rad, up to half a turn:
/// that of the swing plane.
fn plane(tips: &[[f64; 2]]) -> (usize, f64) {
    let out = |k: usize| tips[k][0].hypot(tips[k][1]);
    let farthest = |k: &usize| out(*k) >= out(k - 1) && out(*k) >= out(k + 1);
    let last = (1..tips.len() - 1).rev().find(farthest).unwrap();
    (last, tips[last][1].atan2(tips[last][0]))
}

#[test]
fn without_it_the_swing_plane_never_turns() {
    let (dt, end) = (1e-3, 1.6);
    let turned = |counts| {
        let (moments, tips) = swing(counts, Scheme::ImplicitMidpoint, 3, dt, end);
        let (last, direction) = plane(&tips);
        let rate = moments[0] * PENDULUM_SPIN / (2.0 * moments[1]);
        let expected = -rate * dt * (last + 1) as f64;
        // Which of the directions half a turn apart.
        let turns = ((expected - direction) / PI).round();
        (direction + turns * PI, expected)
    };
    let (with, expected) = turned(SpinInertia::Full);
    println!("the plane turns by {with} rad, {expected} expected");
    assert!(expected < -2.0 && (with - expected).abs() < 5e-3);
    let (_, tips) = swing(SpinInertia::Angles, Scheme::ImplicitMidpoint, 3, dt, end);
    assert!(tips.iter().all(|tip| tip[1].abs() < 1e-12));
}

// ---- A top

const TOP: f64 = 0.05;
const TOP_SPIN: f64 = 8000.0;
const TILT: f64 = 0.6;

/// The slow one of the rates at which a top precesses steadily about z, rad/s:
/// `I_t W^2 cos(tilt) - I w W + m g d = 0`.
fn precession([polar, about, weight]: [f64; 3]) -> f64 {
    let spin = polar * TOP_SPIN;
    let (a, c) = (about * TILT.cos(), GRAVITY * weight);
    2.0 * c / (spin + (spin * spin - 4.0 * a * c).sqrt())
}

/// A top of `edges` that precesses steadily.
fn top(edges: usize, counts: SpinInertia) -> (Model, State, [f64; 3]) {
    let t = DVec3::new(TILT.sin(), 0.0, TILT.cos());
    let (model, mut state) = pivoted(t, TOP, edges, TOP_SPIN, counts);
    let moments = moments(&model, &state);
    let turning = DVec3::Z * precession(moments);
    for (x, dof) in model.positions(&state).iter().zip(&model.topology.node_dof) {
        state.velocity[*dof..dof + 3].copy_from_slice(&turning.cross(*x).to_array());
    }
    (model, state, moments)
}

#[test]
fn a_top_precesses_with_the_order_of_the_scheme() {
    let end = 0.4;
    let cases = [
        (Scheme::BackwardEuler, 1.0, 1e-3),
        (Scheme::Bdf2, 2.0, 4e-3),
        (Scheme::ImplicitMidpoint, 2.0, 4e-3),
    ];
    for (scheme, order, first) in cases {
        let errors = [1.0, 0.5, 0.25].map(|part| {
            let (model, state, moments) = top(3, SpinInertia::Full);
            let dt = first * part;
            let mut run = Simulation::new(model, state, settings(scheme, dt));
            run.run_until(end, |_, _| true).unwrap();
            let angle = precession(moments) * run.state.time;
            let (sin, cos) = angle.sin_cos();
            let expected = DVec3::new(TILT.sin() * cos, TILT.sin() * sin, TILT.cos());
            run.state.frames.tangent[2].distance(expected)
        });
        println!(
            "{scheme:?}, steps from {first}: {errors:?}, {:?}",
            orders(&errors)
        );
        for found in orders(&errors) {
            assert!((found - order).abs() < 0.3, "{scheme:?}: {errors:?}");
        }
    }
    // Without, it falls over.
    let (model, state, _) = top(3, SpinInertia::Angles);
    let mut run = Simulation::new(model, state, settings(Scheme::ImplicitMidpoint, 1e-3));
    let lowest = (0..400).fold(1.0, |lowest: f64, _| {
        run.step(1e-3).unwrap();
        lowest.min(run.state.frames.tangent[2].z)
    });
    assert!(lowest < -0.9, "{lowest}");
}

#[test]
fn what_holds_a_top_bears_its_weight_and_the_balance_of_energy_closes() {
    let (model, state, _) = top(3, SpinInertia::Full);
    let before = observe(&model, &state).unwrap();
    let mut run = Simulation::new(model, state, settings(Scheme::Bdf2, 2e-3));
    run.run_until(0.4, |_, _| true).unwrap();
    let shown = observe(&run.model, &run.state).unwrap();
    let moving = run.model.topology.node_dof.iter();
    let force = moving.map(|dof| {
        let weight = DVec3::Z * (run.model.mass[*dof] * GRAVITY);
        weight + DVec3::from_slice(&run.state.acceleration[*dof..]) * run.model.mass[*dof]
    });
    let force: DVec3 = force.sum();
    let held = shown.reactions[0].force;
    assert!(
        (held - force).length() < 1e-6 * force.length(),
        "{held} {force}"
    );
    // I w^2/2 does not count: nothing takes it.
    let weight = run.model.mass.iter().sum::<f64>() * GRAVITY * TOP;
    assert!(
        shown.ledger.scheme.abs() < 1e-3 * weight,
        "{}",
        shown.ledger.scheme
    );
    let energy = |o: &writhe::observe::Observables| o.kinetic + o.load_potential;
    let change = energy(&shown) - energy(&before);
    println!(
        "scheme {:e} J, change {change:e} J of {weight:e}",
        shown.ledger.scheme
    );
    assert!(change.abs() < 1e-3 * weight, "{change}");
}

// ---- Angular momentum

/// A free bent rod that tumbles, vibrates and spins, twisted by so much from edge to edge, rad.
fn free(counts: SpinInertia, twist: f64) -> (Model, State) {
    let section = Section::circle(Material::new(1e6, 0.3, 1000.0), RADIUS);
    let node = |i: i32| {
        let s = 0.1 * f64::from(i) / 8.0 - 0.05;
        DVec3::new(s, 4.0 * s * s, 0.0)
    };
    let straight = Rod::open((0..=8).map(node).collect(), section).unwrap();
    let (model, mut state) = ModelBuilder::new()
        .rod(straight)
        .spin_inertia(counts)
        .build()
        .unwrap();
    let turning = DVec3::new(3.0, 5.0, 20.0);
    for (x, dof) in model.positions(&state).iter().zip(&model.topology.node_dof) {
        state.velocity[*dof..dof + 3].copy_from_slice(&turning.cross(*x).to_array());
    }
    for (edge, dof) in model.topology.edge_dof.iter().enumerate() {
        state.velocity[*dof] = 300.0;
        state.q[*dof] = twist * edge as f64;
    }
    (model, state)
}

/// Largest change of the angular momentum within .3 s, over it.
fn lost((counts, twist): (SpinInertia, f64), scheme: Scheme, dt: f64) -> f64 {
    let (model, state) = free(counts, twist);
    let momentum = |run: &Simulation| observe(&run.model, &run.state).unwrap().angular_momentum;
    let mut run = Simulation::new(model, state, settings(scheme, dt));
    let before = momentum(&run);
    let mut largest = 0.0_f64;
    while run.state.time < 0.3 - 0.5 * dt {
        run.step(dt).unwrap();
        largest = largest.max(momentum(&run).distance(before) / before.length());
    }
    largest
}

#[test]
fn a_free_rod_keeps_its_angular_momentum() {
    for (scheme, first) in [(Scheme::Bdf2, 5e-4), (Scheme::ImplicitMidpoint, 1e-3)] {
        let by = |counts| [1.0, 0.5, 0.25].map(|part| lost((counts, 0.0), scheme, first * part));
        let (with, without) = (by(SpinInertia::Full), by(SpinInertia::Angles));
        println!(
            "{scheme:?}, steps from {first}: {with:?} {:?}, without {without:?}",
            orders(&with)
        );
        for found in orders(&with) {
            assert!(found > 1.7, "{scheme:?}: {with:?}");
        }
        assert!(
            without[2] > 20.0 * with[2],
            "{scheme:?}: {with:?} {without:?}"
        );
    }
}

/// Spins that speed up and slow down: `I w' a` counts.
#[test]
fn a_free_rod_that_untwists_keeps_its_angular_momentum() {
    let counts = (SpinInertia::Full, 0.2);
    let errors = [1e-4, 5e-5, 2.5e-5].map(|dt| lost(counts, Scheme::Bdf2, dt));
    println!(
        "untwisting, steps from 1e-4: {errors:?}, {:?}",
        orders(&errors)
    );
    for found in orders(&errors) {
        assert!(found > 1.8, "{errors:?}");
    }
}

// ---- What else there is

#[test]
fn a_restart_goes_on_with_the_same_bits() {
    let (model, state) = free(SpinInertia::Full, 0.2);
    let mut run = Simulation::new(model, state, settings(Scheme::Bdf2, 1e-3));
    let step = |run: &mut Simulation| {
        run.step(1e-3).unwrap();
    };
    (0..10).for_each(|_| step(&mut run));
    let saved = run.state.to_arrays().unwrap().to_bytes().unwrap();
    let read = State::from_arrays(&Arrays::from_bytes(&saved).unwrap()).unwrap();
    let (model, _) = free(SpinInertia::Full, 0.2);
    let mut again = Simulation::new(model, read, settings(Scheme::Bdf2, 1e-3));
    for _ in 0..10 {
        step(&mut run);
        step(&mut again);
    }
    let bytes = |run: &Simulation| run.state.to_arrays().unwrap().to_bytes().unwrap();
    assert_eq!(bytes(&run), bytes(&again));
}

#[test]
fn a_rod_that_does_not_spin_moves_as_without() {
    let ends = [SpinInertia::Full, SpinInertia::Angles].map(|counts| {
        let down = DVec3::new(0.5, 0.0, -1.0).normalize();
        let (model, state) = pivoted(down, PENDULUM, 3, 0.0, counts);
        let mut run = Simulation::new(model, state, settings(Scheme::Bdf2, 2e-3));
        run.run_until(0.3, |_, _| true).unwrap();
        run.model.positions(&run.state)[3]
    });
    assert!(ends[0].distance(ends[1]) < 1e-8 * PENDULUM, "{ends:?}");
}

// ---- Explicit steps

/// A shaft that is turned where it is held, after a blow across it.
fn shaft(counts: SpinInertia, settings: StepSettings) -> Simulation {
    const EDGES: usize = 6;
    const SPIN: f64 = 500.0;
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let node = |i| DVec3::X * (0.1 * i as f64 / EDGES as f64);
    let (model, mut state) = ModelBuilder::new()
        .rod(Rod::open((0..=EDGES).map(node).collect(), section).unwrap())
        .bending(BendingModel::PerEdge)
        .spin_inertia(counts)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, 1, [true; 3], Motion::Still)
        .hold_angle(
            0,
            0,
            Schedule::Rate {
                value: 0.0,
                rate: SPIN,
            },
        )
        .build()
        .unwrap();
    for (x, dof) in model.positions(&state).iter().zip(&model.topology.node_dof) {
        state.velocity[dof + 1] = if x.x < 0.02 { 0.0 } else { 2.0 * x.x * x.x };
    }
    for dof in &model.topology.edge_dof {
        state.velocity[*dof] = SPIN;
    }
    Simulation::new(model, state, settings)
}

/// Place of its tip across it after .3 s, and the ledger.
fn blow(counts: SpinInertia, settings: StepSettings) -> ([f64; 2], Ledger) {
    let mut run = shaft(counts, settings);
    for _ in 0..(0.3 / settings.dt).round() as usize {
        run.step(settings.dt).unwrap();
    }
    let tip = run.model.positions(&run.state)[6];
    ([tip.y, tip.z], run.state.ledger)
}

#[test]
fn explicit_steps_turn_spins_as_implicit_ones_do() {
    let by_midpoint = |counts| blow(counts, settings(Scheme::ImplicitMidpoint, 1e-4)).0;
    let by_explicit = |counts, dt| {
        let explicit = StepSettings {
            integrator: Integrator::SymplecticProjected,
            ..settings(Scheme::Bdf2, dt)
        };
        blow(counts, explicit)
    };
    let expected = by_midpoint(SpinInertia::Full);
    let size = expected[0].hypot(expected[1]);
    let without = distance(expected, by_midpoint(SpinInertia::Angles)) / size;
    let errors = [1e-4, 5e-5, 2.5e-5].map(|dt| {
        let (tip, ledger) = by_explicit(SpinInertia::Full, dt);
        let made = ledger.scheme.abs() / ledger.largest;
        println!("explicit, {dt} s: scheme {made:e} of the energy");
        assert!(made < 0.02, "{made}");
        distance(tip, expected) / size
    });
    println!(
        "explicit: {errors:?}, {:?}; without {without}",
        orders(&errors)
    );
    for found in orders(&errors) {
        assert!((found - 1.0).abs() < 0.1, "{errors:?}");
    }
    assert!(without > 0.2, "{without}");
    assert!(errors[2] < 0.02 * without, "{errors:?} {without}");
}

/// A shaft that is turned where it is held, with a disc welded to its other end, after a blow across
/// it.
fn shaft_with_disc(counts: SpinInertia, settings: StepSettings) -> Simulation {
    const EDGES: usize = 6;
    const SPIN: f64 = 300.0;
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let node = |i| DVec3::X * (0.1 * i as f64 / EDGES as f64);
    let disc = Body {
        orientation: DQuat::from_rotation_arc(DVec3::Z, DVec3::X),
        velocity: DVec3::Y * 0.02,
        angular_velocity: DVec3::X * SPIN,
        ..Body::cylinder(2e-3, 8e-3, 5e-3, DVec3::X * 0.1)
    };
    let rate = Schedule::Rate {
        value: 0.0,
        rate: SPIN,
    };
    let (model, mut state) = ModelBuilder::new()
        .rod(Rod::open((0..=EDGES).map(node).collect(), section).unwrap())
        .bending(BendingModel::PerEdge)
        .spin_inertia(counts)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, 1, [true; 3], Motion::Still)
        .hold_angle(0, 0, rate)
        .body(disc)
        .weld(0, 0, EDGES - 1)
        .build()
        .unwrap();
    for dof in &model.topology.edge_dof {
        state.velocity[*dof] = SPIN;
    }
    Simulation::new(model, state, settings)
}

/// Edges at welded nodes turn their spins too: what their nodes feel goes to the body.
#[test]
fn explicit_steps_turn_spins_at_a_body_as_implicit_ones_do() {
    let disc = |counts, settings: StepSettings| {
        let mut run = shaft_with_disc(counts, settings);
        for _ in 0..(0.2 / settings.dt).round() as usize {
            run.step(settings.dt).unwrap();
        }
        let at = observe(&run.model, &run.state).unwrap().bodies[0].position;
        [at.y, at.z]
    };
    let by_midpoint = |counts| disc(counts, settings(Scheme::ImplicitMidpoint, 1e-4));
    let expected = by_midpoint(SpinInertia::Full);
    let size = expected[0].hypot(expected[1]);
    let without = distance(expected, by_midpoint(SpinInertia::Angles)) / size;
    let errors = [1e-4, 5e-5, 2.5e-5].map(|dt| {
        let explicit = StepSettings {
            integrator: Integrator::SymplecticProjected,
            ..settings(Scheme::Bdf2, dt)
        };
        distance(disc(SpinInertia::Full, explicit), expected) / size
    });
    println!(
        "explicit, with a disc: {errors:?}, {:?}; without {without}",
        orders(&errors)
    );
    for found in orders(&errors) {
        assert!((found - 1.0).abs() < 0.15, "{errors:?}");
    }
    assert!(errors[2] < 0.1 * without, "{errors:?} {without}");
}

/// A support that spins a rod up gives it the energy of its spin, in both integrators.
#[test]
fn supports_give_the_energy_of_spin() {
    let (time, rate) = (0.1, 4000.0);
    let spun = |settings: StepSettings| {
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
        let node = |i| DVec3::X * (0.1 * f64::from(i) / 6.0);
        // Even acceleration from rest.
        let angle = Schedule::Custom(std::sync::Arc::new(move |t| 0.5 * rate * t * t));
        let (model, state) = ModelBuilder::new()
            .rod(Rod::open((0..=6).map(node).collect(), section).unwrap())
            .bending(BendingModel::PerEdge)
            .spin_inertia(SpinInertia::Full)
            .hold_node(0, 0, [true; 3], Motion::Still)
            .hold_node(0, 1, [true; 3], Motion::Still)
            .hold_angle(0, 0, angle)
            .build()
            .unwrap();
        let polar: f64 = model.topology.edge_dof.iter().map(|d| model.mass[*d]).sum();
        let mut run = Simulation::new(model, state, settings);
        for _ in 0..(time / settings.dt).round() as usize {
            run.step(settings.dt).unwrap();
        }
        let exact = 0.5 * polar * (rate * time).powi(2);
        let seen = observe(&run.model, &run.state).unwrap();
        (
            seen.kinetic / exact,
            seen.ledger.works.supports / exact,
            seen.ledger.scheme / exact,
        )
    };
    let explicit = |dt| StepSettings {
        integrator: Integrator::SymplecticProjected,
        ..settings(Scheme::Bdf2, dt)
    };
    for (what, steps, waves) in [
        // Waves of twist run through it, which explicit steps have not.
        ("midpoint", settings(Scheme::ImplicitMidpoint, 1e-4), 0.02),
        ("explicit", explicit(1e-4), 2e-3),
        ("explicit, half", explicit(5e-5), 1e-3),
    ] {
        let (kinetic, work, made) = spun(steps);
        println!("{what}: kinetic energy {kinetic:.5}, work {work:.5}, made {made:.1e}");
        assert!((kinetic - 1.0).abs() < waves, "{kinetic}");
        assert!((work - kinetic).abs() < 2e-3, "{work} {kinetic}");
        assert!(made.abs() < 2e-3, "{made}");
    }
}

#[test]
fn explicit_steps_refuse_spins_that_they_do_not_know() {
    let (model, state) = free(SpinInertia::Full, 0.0);
    let unknown = StepError::Unsupported(NotExplicit::SpinInertia);
    assert_eq!(supports(&model), Err(unknown));
    let explicit = StepSettings {
        integrator: Integrator::SymplecticProjected,
        ..settings(Scheme::Bdf2, 1e-5)
    };
    let mut run = Simulation::new(model, state, explicit);
    let error = run.step(1e-5).unwrap_err().to_string();
    assert!(error.contains("whose angles nothing holds"), "{error}");
}
