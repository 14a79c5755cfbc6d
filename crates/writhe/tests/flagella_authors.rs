//! Two flagella against one run of the authors' program as shipped (T22; 1.0 Pa s, 1e4 kg/m^3, 15
//! rpm, 1 ms steps).

#[path = "support/authors_drag.rs"]
mod authors_drag;
#[path = "support/flagella.rs"]
mod flagella;

use authors_drag::{
    AuthorsDrag, Mean, REFERENCE_CONTACT, node_difference, reference_nodes, reference_rows,
};
use writhe::fluid::Coupling;
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

/// With the authors' drag and masses every step is that of their program: 5000 steps meet the 10
/// digits that they print of a coordinate and the 6 of a force. `examples/authors_run.rs` goes on
/// to their first contact.
#[test]
fn with_the_authors_drag_the_run_is_the_authors() {
    faer::set_global_parallelism(faer::Par::Seq);
    let drag = AuthorsDrag::as_shipped(1.0);
    let (model, state, force) = authors_drag::model(2, 1e4, flagella::OMEGA);
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    for row in reference_rows().iter().take(20) {
        let mut mean = Mean::default();
        for _ in 0..250 {
            authors_drag::update(&drag, &simulation.model, &simulation.state, &force);
            let report = simulation.step(1e-3).unwrap();
            mean.add(&simulation.model, &simulation.state, report.dt);
        }
        let ours = mean.row(&simulation.model, &simulation.state);
        let ends = (ours.end_distance / row.end_distance - 1.0).abs();
        assert!(ends < 1e-7, "{ours:?} {row:?}");
        // Their mean of 2.53 iterations suggests that about 118 of the first 250 steps ended with
        // forces not yet in balance.
        let allowed = if row.time < 0.3 { 5e-3 } else { 1e-5 };
        let reaction = ours.reaction.distance(row.reaction) / row.reaction.length();
        assert!(reaction < allowed, "{ours:?} {row:?}");
    }
    let x = simulation.model.positions(&simulation.state);
    let difference = node_difference(&x, &reference_nodes(5.0));
    assert!(difference < 1e-6, "{difference} radii");
}

/// Implicit drag of this project at 20 ms. Thrust stays within 7 % of theirs up to their first
/// contact; the shape leaves theirs (0.53 radii at 5 s, 1.5 at 20 s) and the first contact comes at
/// 27.7 s, not 25.8 s. Lag and step have no part in it: a complete factor of A alone takes the
/// first contact to 27.6 s, and the weight of the free ends shifts the thrust by 4 %
/// (`docs/accuracy.md`).
#[test]
fn implicit_drag_at_twenty_milliseconds_stays_near_the_authors() {
    let (model, state) = flagella::model(2, 1e4, 1.0, flagella::OMEGA, Coupling::Implicit);
    let scheme = Scheme::FittedBdf2 {
        omega: flagella::OMEGA,
    };
    let settings = StepSettings {
        dt: 0.02,
        scheme,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    for row in reference_rows() {
        let mut mean = Mean::default();
        let compared = [1.0, 5.0, 13.0, 21.0].contains(&row.time);
        simulation
            .run_until(row.time, |s, report| {
                if compared {
                    mean.add(&s.model, &s.state, report.dt);
                }
                s.statistics.first_contact.is_none()
            })
            .unwrap();
        if compared {
            let ours = mean.row(&simulation.model, &simulation.state);
            let thrust = ours.reaction.x / row.reaction.x - 1.0;
            assert!(thrust.abs() < 0.07, "{ours:?} {row:?}");
            let ends = ours.end_distance / row.end_distance - 1.0;
            assert!(ends.abs() < 0.02, "{ours:?} {row:?}");
        }
        for (time, expected) in [(5.0, 0.53), (20.0, 1.5)] {
            if row.time == time {
                let x = simulation.model.positions(&simulation.state);
                let difference = node_difference(&x, &reference_nodes(time));
                assert!(
                    (difference - expected).abs() < 0.02,
                    "{time} s: {difference} radii"
                );
            }
        }
        if simulation.statistics.first_contact.is_some() {
            break;
        }
    }
    let contact = simulation.statistics.first_contact.unwrap();
    assert!(
        (contact - 27.69).abs() < 0.05,
        "{contact} s, theirs {REFERENCE_CONTACT} s"
    );
    let s = simulation.statistics;
    assert_eq!(s.rejected_steps, s.stiffness_raises, "{s:?}");
}
