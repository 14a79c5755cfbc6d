//! The integrator symplectic-projected against closed forms, invariants and the implicit path.

use glam::DVec3;
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;
use writhe::step::{StepError, largest_stable_step};
use writhe_tests::scene::{G, explicit, line, pendulum, restarts, run, section, stretch};
use writhe_tests::support::Random;

/// An inextensible pendulum, one edge long: its angle converges to that of `phi'' = -(g/l) sin phi`
/// with order 1.
#[test]
fn a_pendulum_swings_as_it_should() {
    let (length, time) = (0.5, 1.0);
    let build = || {
        let rod = Rod::open(line(1, length), section(1.0, 1.0, 1.0)).unwrap();
        ModelBuilder::new()
            .rod(rod)
            .hold_node(0, 0, [true; 3], Motion::Still)
            .gravity(DVec3::NEG_Z * G)
            .build()
            .unwrap()
    };
    let phi = pendulum(G / length, 0.5 * std::f64::consts::PI, time);
    let wanted = length * DVec3::new(phi.sin(), 0.0, -phi.cos());
    let ends = [2e-3, 1e-3, 5e-4].map(|dt| {
        let s = run(build(), explicit(dt), time);
        assert!(stretch(&s.model, &s.state) < 1e-8);
        s.model.positions(&s.state)[1]
    });
    let errors = ends.map(|x| (x - wanted).length() / length);
    println!("pendulum: errors {errors:?} with steps of 2, 1 and .5 ms");
    // Each step loses (omega dt)^2 / 2 of the speed; where steps go to zero nothing is off.
    let limit = (2.0 * ends[2] - ends[1] - wanted).length() / length;
    assert!(limit < 2e-3, "{limit}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(
            (0.85..1.15).contains(&order),
            "order {order:.2}: {errors:?}"
        );
    }
}

/// A hanging chain comes to rest on the catenary (span .8, CATALOGUE 1.7: sag .2654375091 of its
/// length), second order in its edges.
#[test]
fn a_chain_comes_to_rest_on_the_catenary() {
    const SAG: f64 = 0.265_437_509_1;
    let errors = [10_usize, 20].map(|edges| {
        // An arc of chord .8: sin(a)/a = .8.
        let a = 1.131_102_6_f64;
        let radius = 0.5 / a;
        let chord = 2.0 * radius * (a / edges as f64).sin() * edges as f64;
        let nodes = (0..=edges).map(|i| {
            let angle = a * (2.0 * i as f64 / edges as f64 - 1.0);
            DVec3::new(radius * angle.sin(), 0.0, -radius * angle.cos())
        });
        let scaled = nodes.map(|x| x / chord).collect();
        let soft = 1e-7 * 0.1 * G;
        let rod = Rod::open(scaled, section(soft, soft, soft))
            .unwrap()
            .straight_at_rest()
            .unwrap();
        let built = ModelBuilder::new()
            .rod(rod)
            .hold_node(0, 0, [true; 3], Motion::Still)
            .hold_node(0, edges, [true; 3], Motion::Still)
            .gravity(DVec3::NEG_Z * G)
            .viscous_damping(0.8)
            .build()
            .unwrap();
        let s = run(built, explicit(2e-3), 12.0);
        let x = s.model.positions(&s.state);
        let speed = s
            .state
            .velocity
            .iter()
            .fold(0.0, |v: f64, u| v.max(u.abs()));
        assert!(speed < 1e-6, "still moving: {speed:e}");
        let span = (x[edges] - x[0]).length();
        assert!((span - 0.8).abs() < 2e-3, "{span}");
        let sag = x[0].z - x[edges / 2].z;
        println!("catenary, {edges} edges: span {span:.6}, sag {sag:.6}, catalogue {SAG}");
        (sag - catenary_sag(span)).abs()
    });
    assert!(
        errors[1] < 1e-3 && errors[0] / errors[1] > 3.0,
        "{errors:?}"
    );
}

/// Sag of the catenary of unit length with its ends level and `span` apart.
fn catenary_sag(span: f64) -> f64 {
    // 2 a sinh(s / 2a) = 1.
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (0.5 * span / a).sinh() > 1.0 {
            low = a;
        } else {
            high = a;
        }
    }
    low * ((0.5 * span / low).cosh() - 1.0)
}

/// A free rod, bent, twisted, curved at rest and thrown.
fn thrown() -> (Model, State) {
    let mut random = Random(3);
    let mut at = DVec3::ZERO;
    let mut nodes = vec![at];
    for _ in 0..10 {
        at += 0.03 * (DVec3::X + 0.4 * random.vector()).normalize();
        nodes.push(at);
    }
    let mut rod = Rod::open(nodes, section(2e-3, 1e-3, 1e-3))
        .unwrap()
        .straight_at_rest()
        .unwrap();
    for k in &mut rod.rest_curvature {
        *k = [0.2, 0.1 * random.next()];
    }
    let (model, mut state) = ModelBuilder::new()
        .rod(rod)
        .bending(BendingModel::PerEdge)
        .build()
        .unwrap();
    let spin = DVec3::new(2.0, 1.0, -1.0);
    for dof in &model.topology.node_dof {
        let v = DVec3::new(0.3, -0.2, 0.5) + spin.cross(DVec3::from_slice(&state.q[*dof..]));
        state.velocity[*dof..dof + 3].copy_from_slice(&v.to_array());
    }
    (model, state)
}

/// Linear and angular momentum of the nodes.
fn momenta(model: &Model, state: &State) -> [DVec3; 2] {
    let mut sums = [DVec3::ZERO; 2];
    for dof in &model.topology.node_dof {
        let [x, v] = [&state.q, &state.velocity].map(|a| DVec3::from_slice(&a[*dof..]));
        let p = model.mass[*dof] * v;
        sums[0] += p;
        sums[1] += x.cross(p);
    }
    sums
}

/// No net force and no net torque acts on a free rod: momentum is kept to rounding; angular
/// momentum with order 1, since the projection pulls along edges where they end and not where they
/// start.
#[test]
fn a_free_rod_keeps_its_momenta() {
    let drift = [1e-4, 5e-5, 2.5e-5].map(|dt| {
        let (model, state) = thrown();
        let [p, l] = momenta(&model, &state);
        let s = run((model, state), explicit(dt), 0.2);
        let [p1, l1] = momenta(&s.model, &s.state);
        assert!(
            (p1 - p).length() < 1e-13 * p.length(),
            "{:e}",
            (p1 - p).length()
        );
        (l1 - l).length() / l.length()
    });
    println!("angular momentum off by {drift:?} with steps of .1, .05 and .025 ms");
    for pair in drift.windows(2) {
        assert!(
            (0.5..1.2).contains(&(pair[0] / pair[1]).log2()),
            "{drift:?}"
        );
    }
}

/// The projection dissipates: energy falls, by less the smaller the step.
#[test]
fn energy_falls_by_what_the_projection_takes() {
    // The rod starts bent, and its bending waves turn edges fast.
    let rates = [2e-4, 1e-4, 5e-5].map(|dt| {
        let (model, state) = thrown();
        let energy = |model: &Model, state: &State| {
            let e = observe(model, state).unwrap();
            e.kinetic + e.elastic.bend + e.elastic.twist
        };
        let start = writhe::step::relax_angles(&model, &state).unwrap();
        let before = energy(&model, &start);
        let s = run((model, state), explicit(dt), 0.2);
        (before / energy(&s.model, &s.state)).ln() / 0.2
    });
    println!("energy decays at {rates:.2?} /s with steps of .2, .1 and .05 ms");
    assert!(rates.iter().all(|r| *r > 0.0), "{rates:?}");
    for pair in rates.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((0.7..1.1).contains(&order), "order {order:.2}: {rates:?}");
    }
}

/// Length is kept to 1e-8 in a few iterations a step.
#[test]
fn the_projection_takes_few_iterations() {
    let (model, state) = thrown();
    let mut s = Simulation::new(model, state, explicit(2e-4));
    let mut iterations = Vec::new();
    for _ in 0..500 {
        iterations.push(s.step(2e-4).unwrap().iterations);
        assert!(stretch(&s.model, &s.state) < 1e-8);
    }
    let largest = iterations.iter().max().unwrap();
    let mean = f64::from(iterations.iter().sum::<u32>()) / 500.0;
    println!("iterations of the projection: {mean:.2} a step, at most {largest}");
    assert!((1..=5).contains(largest));
}

/// The bound of the stable step is near the truth, and a step beyond it is an error that names both
/// and a remedy.
#[test]
fn steps_beyond_stability_are_refused() {
    let (model, state) = thrown();
    let largest = largest_stable_step(&model, &state).unwrap();
    // The largest eigenvalue of a straight rod is 16 EI/(rho A l^4).
    let uniform = 0.5 * 0.03_f64.powi(2) * (0.1_f64 / 2e-3).sqrt();
    println!("largest stable step: {largest:.3e} s, straight uniform rod {uniform:.3e} s");
    assert!(
        (0.7..1.0).contains(&(largest / uniform)),
        "{largest} {uniform}"
    );
    let mut s = Simulation::new(model, state, explicit(2.0 * uniform));
    let before = s.state.clone();
    let error = s.step(2.0 * uniform).unwrap_err();
    let SimulationError::FixedStep { cause, remedy, .. } = &error else {
        panic!("{error}");
    };
    assert!(matches!(cause, StepError::Unstable { .. }), "{error}");
    assert!(remedy.contains("a step below that"), "{error}");
    assert_eq!(s.state, before);
    // With adaptive steps the run goes on with smaller ones.
    s.settings.adaptive = true;
    let report = s.step(2.0 * uniform).unwrap();
    assert!(report.dt <= largest);
}

/// At the bound itself a long run stays bounded.
#[test]
fn steps_at_the_bound_are_stable() {
    let (model, state) = thrown();
    let dt = 0.95 * largest_stable_step(&model, &state).unwrap();
    let energy = |model: &Model, state: &State| {
        let e = observe(model, state).unwrap();
        e.kinetic + e.elastic.bend + e.elastic.twist
    };
    let before = energy(&model, &state);
    let s = run((model, state), explicit(dt), 5000.0 * dt);
    let after = energy(&s.model, &s.state);
    println!("energy {before:.3e} J, after 5000 steps at the bound {after:.3e} J");
    assert!(after < before);
}

/// Ends pulled farther apart than the rod is long: no lengths to keep, said as such.
#[test]
fn a_rod_pulled_too_far_is_an_error() {
    let rod = Rod::open(line(6, 0.3), section(1e-3, 1e-3, 1e-3)).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, 6, [true; 3], Motion::Velocity(DVec3::X))
        .build()
        .unwrap();
    let mut s = Simulation::new(model, state, explicit(1e-4));
    let error = s.step(1e-4).unwrap_err().to_string();
    assert!(error.contains("held nodes may be farther apart"), "{error}");
}

/// A taut rod between held ends, one constraint too many, is no trouble.
#[test]
fn a_taut_rod_between_held_ends_stays_where_it_is() {
    let rod = Rod::open(line(6, 0.3), section(1e-3, 1e-3, 1e-3)).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .hold_node(0, 0, [true; 3], Motion::Still)
        .hold_node(0, 6, [true; 3], Motion::Still)
        .gravity(DVec3::NEG_Z * G)
        .build()
        .unwrap();
    let s = run((model, state), explicit(2e-4), 0.02);
    let sag = s
        .model
        .positions(&s.state)
        .iter()
        .map(|x| x.z.abs())
        .fold(0.0, f64::max);
    // |C| < 1e-8 leaves a slack of 5e-9 of the length: sqrt(3/8 * 5e-9) of it.
    assert!(sag < 0.3 * 5e-5, "{sag:e}");
}

/// At rest the support of a hanging chain bears its weight, and tension is that of what hangs
/// below.
#[test]
fn tension_and_reactions_are_those_of_the_weight() {
    let nodes = (0..=8)
        .map(|i| DVec3::NEG_Z * (0.04 * f64::from(i)))
        .collect();
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section(1e-4, 1e-4, 1e-4)).unwrap())
        .hold_node(0, 0, [true; 3], Motion::Still)
        .gravity(DVec3::NEG_Z * G)
        .build()
        .unwrap();
    let s = run((model, state), explicit(1e-3), 0.01);
    let weight = |edges: f64| 0.1 * 0.04 * edges * G;
    for (edge, tension) in s.state.tension.iter().enumerate() {
        let below = weight(7.5 - edge as f64);
        assert!(
            (tension - below).abs() < 1e-6 * below,
            "edge {edge}: {tension} {below}"
        );
    }
    let observed = observe(&s.model, &s.state).unwrap();
    let up = observed.reactions[0].force.z;
    assert!((up - weight(8.0)).abs() < 1e-6 * up, "{up} {}", weight(8.0));
    assert_eq!(observed.elastic.stretch, 0.0);
}

/// A restart goes on bit for bit, from a state that went through a file and with a new workspace.
#[test]
fn a_restart_goes_on_bit_for_bit() {
    restarts(&thrown, 2e-4, 60);
}
