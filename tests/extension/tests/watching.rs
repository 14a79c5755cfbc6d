//! An observable and a condition that ends a run, both of a user's own.

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::observe::{Entry, ObservableSink, Observer};
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

/// Height of the lowest node.
fn lowest(simulation: &Simulation) -> f64 {
    let positions = simulation.model.positions(&simulation.state);
    positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_run_ends_where_a_user_says_so() {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let nodes = (0..5).map(|i| DVec3::X * 0.01 * f64::from(i)).collect();
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section).unwrap())
        .gravity(DVec3::Z * -9.81)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 1e-3,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let own = |simulation: &Simulation, sink: &mut dyn ObservableSink| {
        sink.visit(&"lowest", "m", lowest(simulation));
    };
    let mut table = Vec::new();
    let ended = simulation.run_until(10.0, |simulation, _| {
        let mut row: Vec<Entry> = Vec::new();
        own.observe(simulation, &mut row);
        table.extend(row);
        lowest(simulation) > -0.05
    });
    assert_eq!(ended, Ok(false));
    // It has fallen 5 cm: sqrt(2 s / g) = 0.101 s.
    assert!((simulation.state.time - 0.101).abs() < 2e-3);
    let last = table.last().unwrap();
    assert_eq!((last.name.as_str(), last.unit.as_str()), ("lowest", "m"));
    assert_eq!(last.value, lowest(&simulation));
}
