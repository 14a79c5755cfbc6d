//! Every line search reaches the same step; only the way there differs.

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{LineSearch, StepSettings};

/// A cantilever loaded at once by many times its weight, above a second one that it falls on.
fn run(line_search: LineSearch) -> (State, u64) {
    let section = Section::circle(Material::new(1e7, 0.5, 1000.0), 2e-3);
    let rod = |z: f64| {
        Rod::open(
            (0..=20)
                .map(|i| DVec3::new(0.01 * f64::from(i), 0.0, z))
                .collect(),
            section,
        )
        .unwrap()
    };
    let (model, state) = ModelBuilder::new()
        .rod(rod(0.01))
        .rod(rod(0.0))
        .clamp(0, 0, Motion::Still)
        .clamp(1, 0, Motion::Still)
        .force(0, 20, DVec3::new(0.0, 1e-3, -2e-2), Schedule::Constant(1.0))
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 2e-3,
        line_search,
        step_tolerance: 1e-9,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let mut touched = 0;
    simulation
        .run_until(0.08, |_, report| {
            touched += report.contacts;
            true
        })
        .unwrap();
    assert!(touched > 0, "the rods must touch");
    (simulation.state, simulation.statistics.newton_iterations)
}

#[test]
fn line_searches_reach_the_same_state() {
    let (automatic, iterations) = run(LineSearch::Automatic);
    let (goldstein, others) = run(LineSearch::Goldstein);
    println!("Newton iterations: potential {iterations}, Goldstein-Price {others}");
    assert_eq!(automatic.step, goldstein.step);
    for (a, b) in automatic.q.iter().zip(&goldstein.q) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}
