//! Many simulations at once: the bits of each alone, and what each ended with.

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, SimulationError, run_side_by_side};
use writhe::step::{LineSearch, Scheme, StepSettings};

/// A cantilever of this length, m, that falls.
fn swing(length: f64) -> Simulation {
    let node = |i: i32| DVec3::X * (length * f64::from(i) / 12.0);
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let rod = Rod::open((0..=12).map(node).collect(), section).unwrap();
    let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
    let (model, state) = builder.gravity(DVec3::Z * -9.81).build().unwrap();
    let settings = StepSettings {
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn swings() -> Vec<Simulation> {
    (1..=9).map(|i| swing(0.02 * f64::from(i))).collect()
}

#[test]
fn each_has_the_bits_that_it_has_alone() {
    const END: f64 = 0.05;
    let mut alone = swings();
    for simulation in &mut alone {
        simulation.run_until(END, |_, _| true).unwrap();
    }
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let mut together = swings();
        let ends = pool
            .unwrap()
            .install(|| run_side_by_side(&mut together, END, |_, _, _| true));
        assert!(ends.iter().all(|end| matches!(end, Ok(true))), "{ends:?}");
        for (one, other) in alone.iter().zip(&together) {
            assert!(one.state == other.state, "{threads} threads");
        }
    }
    assert!(run_side_by_side(&mut [], END, |_, _, _| true).is_empty());
}

#[test]
fn one_that_fails_or_stops_leaves_the_others_alone() {
    let mut simulations = swings();
    // Steps of a size that no method survives without shorter ones.
    simulations[3].settings.max_iterations = 1;
    // No correction by the same matrix follows.
    simulations[3].settings.line_search = LineSearch::Goldstein;
    simulations[3].settings.adaptive = false;
    let ends = run_side_by_side(&mut simulations, 0.02, |index, simulation, _| {
        index != 5 || simulation.state.step < 7
    });
    for (index, end) in ends.iter().enumerate() {
        match (index, end) {
            (3, Err(SimulationError::FixedStep { .. })) | (5, Ok(false)) => {}
            (3 | 5, _) => panic!("{index}: {end:?}"),
            _ => assert!(matches!(end, Ok(true)), "{index}: {end:?}"),
        }
    }
    assert_eq!(simulations[5].state.step, 7);
    assert_eq!(simulations[8].state.time, 0.02);
}
