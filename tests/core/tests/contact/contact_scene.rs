//! Rods that hit and tangle: nothing passes through, momentum is kept. Pressing and sliding is a
//! case of `writhe-validate`.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_tests::support::crossed::{ALLOWED, RADIUS, apart, thrown, twisted_ring};
use writhe_tests::support::writhe_number::{linking_number, writhe_number};

fn contact(friction: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(friction),
        ..ImcSettings::default()
    })
}

fn frictionless(speed: f64, angle: f64, settings: StepSettings) -> Simulation {
    thrown(contact(0.0), speed, angle, settings)
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
    let (mut before, _) = apart(&simulation.model, &simulation.state);
    let side = before.signum();
    let speed = simulation.state.velocity[2].abs();
    let (mut drift, mut rounding_sq) = (0.0_f64, 0.0_f64);
    let done = simulation
        .run_until(time, |simulation, report| {
            let (model, state) = (&simulation.model, &simulation.state);
            let (now, distance) = apart(model, state);
            assert!(
                (now - before).abs() < 0.5,
                "passed through: {before} to {now}"
            );
            assert!(now * side > 0.0, "on the other side: {now}");
            before = now;
            let depth = 2.0 - distance / RADIUS;
            assert!(
                depth < ALLOWED,
                "penetration of {depth} radii at {}",
                state.time
            );
            let momentum = observe(model, state).unwrap().momentum;
            drift = drift.max((momentum - start.momentum).length() / scale);
            // A velocity is a difference of rounded positions over the step; errors add like a
            // random walk.
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
                        frictionless(speed, angle, settings),
                        (10.0 * RADIUS / speed).max(0.01),
                    );
                }
            }
        }
    }
}

/// 8 m/s in steps of 5 ms is 40 radii a step: the first step must be refused, and one shorter
/// accepted.
#[test]
fn a_step_that_would_tunnel_is_refused() {
    let settings = StepSettings {
        dt: 5e-3,
        ..StepSettings::default()
    };
    let run = collide(frictionless(8.0, 1.3, settings), 5e-3);
    assert!(
        run.statistics.crossings_prevented > 0,
        "{:?}",
        run.statistics
    );
    // Contact is what stops them: without it they fly apart on the other side.
    let mut free = frictionless(8.0, 1.3, settings);
    free.model.contact = ContactModel::None;
    let (side, _) = apart(&free.model, &free.state);
    free.run_until(5e-3, |_, _| true).unwrap();
    let (after, _) = apart(&free.model, &free.state);
    assert!(after * side < 0.0);
}

#[test]
fn coiling_ring_does_not_cross_itself() {
    let (model, state) = twisted_ring(contact(0.2));
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
