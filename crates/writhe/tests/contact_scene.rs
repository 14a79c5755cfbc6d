//! Rods that hit and tangle: nothing passes through, momentum is kept. Pressing and sliding is a case of `writhe-validate`.

mod support;

use glam::DVec3;
use support::writhe_number::{gauss, linking_number, writhe_number};
use writhe::contact::distance::closest_points;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::integrate::{Scheme, StepSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::state::State;

const RADIUS: f64 = 1e-3;
/// Penetration over the radius that automatic stiffness allows.
const ALLOWED: f64 = 3e-3;

fn section(young: f64) -> Section {
    Section::circle(Material::new(young, 0.5, 1000.0), RADIUS)
}

fn contact(friction: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(friction),
        ..ImcSettings::default()
    })
}

fn edge(model: &Model, state: &State, index: usize) -> [DVec3; 2] {
    model.topology.edge_nodes[index].map(|n| {
        let dof = model.topology.node_dof[n];
        DVec3::from_slice(&state.q[dof..])
    })
}

/// Gauss integral of two rods: jumps by one when they pass through each other.
fn entanglement(model: &Model, state: &State) -> f64 {
    let edges = |rod: usize| {
        let r = model.topology.rods[rod];
        r.first_edge..r.first_edge + r.edges
    };
    edges(0)
        .flat_map(|i| edges(1).map(move |j| (i, j)))
        .map(|(i, j)| gauss(edge(model, state, i), edge(model, state, j)))
        .sum()
}

/// Smallest distance of edges of the two rods, by looking at all.
fn distance(model: &Model, state: &State) -> f64 {
    let split = model.topology.rods[1].first_edge;
    (0..split)
        .flat_map(|i| (split..model.topology.edges()).map(move |j| (i, j)))
        .map(|(i, j)| {
            let ([a0, a1], [b0, b1]) = (edge(model, state, i), edge(model, state, j));
            closest_points(a0, a1, b0, b1).distance
        })
        .fold(f64::INFINITY, f64::min)
}

/// Two crossed rods a radius apart that fly at each other with `speed`, m/s; `angle` between them, rad.
fn thrown(speed: f64, angle: f64, settings: StepSettings) -> Simulation {
    let line = |along: DVec3, height: f64| {
        let node = |i: i32| along * (0.01 * (f64::from(i) - 2.7)) + DVec3::Z * height;
        Rod::open((0..7).map(node).collect(), section(1e6)).unwrap()
    };
    let (model, mut state) = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0))
        .rod(line(
            DVec3::new(angle.cos(), angle.sin(), 0.0),
            3.0 * RADIUS,
        ))
        .contact(contact(0.0))
        .build()
        .unwrap();
    for (node, dof) in model.topology.node_dof.iter().enumerate() {
        // Not quite head on, and not with the centre of mass at rest.
        state.velocity[*dof] = 0.1 * speed;
        state.velocity[dof + 2] = if node < 7 { 0.7 * speed } else { -0.3 * speed };
    }
    Simulation::new(model, state, settings)
}

/// Runs for `time`, s, and checks every accepted step.
fn collide(mut simulation: Simulation, time: f64) -> Simulation {
    let start = observe(&simulation.model, &simulation.state).unwrap();
    let scale: f64 = simulation
        .model
        .topology
        .node_dof
        .iter()
        .map(|dof| {
            simulation.model.mass[*dof]
                * DVec3::from_slice(&simulation.state.velocity[*dof..]).length()
        })
        .sum();
    let mut before = entanglement(&simulation.model, &simulation.state);
    let side = before.signum();
    let speed = simulation.state.velocity[2].abs();
    let (mut drift, mut rounding_sq) = (0.0_f64, 0.0_f64);
    let done = simulation
        .run_until(time, |simulation, report| {
            let (model, state) = (&simulation.model, &simulation.state);
            let now = entanglement(model, state);
            assert!(
                (now - before).abs() < 0.5,
                "passed through: {before} to {now}"
            );
            assert!(now * side > 0.0, "on the other side: {now}");
            before = now;
            let depth = 2.0 - distance(model, state) / RADIUS;
            assert!(
                depth < ALLOWED,
                "penetration of {depth} radii at {}",
                state.time
            );
            let momentum = observe(model, state).unwrap().momentum;
            drift = drift.max((momentum - start.momentum).length() / scale);
            // A velocity is a difference of rounded positions over the step; errors add like a random walk.
            rounding_sq += (f64::EPSILON * 0.05 / (report.dt * speed)).powi(2);
            true
        })
        .unwrap();
    assert!(done);
    let s = simulation.statistics;
    let rounding = rounding_sq.sqrt();
    println!("momentum changes by {drift:.1e}, rounding {rounding:.1e}; {s:?}");
    assert!(s.contact_steps > 0, "they must hit: {s:?}");
    assert!(drift < rounding, "momentum changes by {drift:e}");
    simulation
}

#[test]
fn thrown_rods_never_pass_through_each_other() {
    for scheme in [Scheme::BackwardEuler, Scheme::Bdf2] {
        for speed in [0.1, 1.0, 8.0] {
            for dt in [1e-4, 1e-3, 5e-3] {
                for angle in [1.3, 0.2] {
                    let settings = StepSettings {
                        dt,
                        scheme,
                        ..StepSettings::default()
                    };
                    println!("{scheme:?}, {speed} m/s, steps of {dt} s, {angle} rad");
                    // Ten times what closing the gap takes.
                    collide(
                        thrown(speed, angle, settings),
                        (10.0 * RADIUS / speed).max(0.01),
                    );
                }
            }
        }
    }
}

/// 8 m/s in steps of 5 ms is 40 radii a step: the first step must be refused, and one shorter accepted.
#[test]
fn a_step_that_would_tunnel_is_refused() {
    let settings = StepSettings {
        dt: 5e-3,
        ..StepSettings::default()
    };
    let run = collide(thrown(8.0, 1.3, settings), 5e-3);
    assert!(
        run.statistics.crossings_prevented > 0,
        "{:?}",
        run.statistics
    );
    // Contact is what stops them: without it they fly apart on the other side.
    let mut free = thrown(8.0, 1.3, settings);
    free.model.contact = ContactModel::None;
    let side = entanglement(&free.model, &free.state);
    free.run_until(5e-3, |_, _| true).unwrap();
    assert!(entanglement(&free.model, &free.state) * side < 0.0);
}

/// A ring with eight turns of twist coils up until it touches itself. Twist and writhe add up to eight as long as no edge
/// passes through another; one that does changes the sum by two.
#[test]
fn coiling_ring_does_not_cross_itself() {
    let (nodes, turns) = (60, 8.0);
    let node = |i: usize| {
        let a = std::f64::consts::TAU * i as f64 / nodes as f64;
        DVec3::new(
            0.04 * a.cos(),
            0.04 * a.sin(),
            5e-4 * (2.0 * a).sin() + 2e-4 * (3.0 * a).cos(),
        )
    };
    let rod = Rod::closed((0..nodes).map(node).collect(), section(1e6)).unwrap();
    let mut rod = rod.straight_at_rest().unwrap();
    rod.twist_directors(&vec![
        std::f64::consts::TAU * turns / nodes as f64;
        nodes - 1
    ]);
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .viscous_damping(0.02)
        .contact(contact(0.2))
        .build()
        .unwrap();
    let link = linking_number(&model, &state);
    assert!((link - link.round()).abs() < 0.1, "{link}");
    let mut simulation = Simulation::new(
        model,
        state,
        StepSettings {
            dt: 2e-3,
            ..StepSettings::default()
        },
    );
    let (mut worst, mut most) = (0.0_f64, 0.0_f64);
    simulation
        .run_until(0.5, |simulation, _| {
            let (model, state) = (&simulation.model, &simulation.state);
            worst = worst.max((linking_number(model, state) - link).abs());
            most = most.max(writhe_number(&model.positions(state)).abs());
            assert!(
                worst < 1e-9,
                "linking number {link} changes by {worst} at {}",
                state.time
            );
            let nearest = observe(model, state).unwrap().nearest;
            if let Some(nearest) = nearest {
                assert!(nearest.gap > -ALLOWED * RADIUS, "gap {}", nearest.gap);
            }
            true
        })
        .unwrap();
    let s = simulation.statistics;
    println!("link {link}, off by {worst:.1e}, writhe up to {most:.2}: {s:?}");
    assert!(s.contact_steps > 20, "it must touch itself: {s:?}");
    assert!(s.deepest_penetration <= ALLOWED);
}
