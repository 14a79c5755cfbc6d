//! A beam on springs, pushed down in its middle: w = F / (8 EI b^3) under the force, b^4 = k / (4
//! EI) (Hetenyi 1946).

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Schedule;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;
use writhe_extension::foundation::Foundation;

const EDGES: usize = 240;
/// Stiffness for a length, N/m^2.
const PER_LENGTH: f64 = 100.0;
const FORCE: f64 = 1e-4;

#[test]
fn a_beam_on_an_elastic_foundation_sinks_as_hetenyi_says() {
    let section = Section::circle(Material::new(1e7, 0.5, 1000.0), 1e-3);
    let b = (PER_LENGTH / (4.0 * section.ei1)).powf(0.25);
    // Twelve decay lengths are as good as endless.
    let edge = 12.0 / b / EDGES as f64;
    let nodes = (0..=EDGES).map(|i| DVec3::X * edge * i as f64).collect();
    let half = |i: usize| if i == 0 || i == EDGES { 0.5 } else { 1.0 };
    let stiffness = (0..=EDGES).map(|i| half(i) * PER_LENGTH * edge).collect();
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section).unwrap())
        .hold_node(
            0,
            EDGES / 2,
            [true, true, false],
            writhe::schedule::Motion::Still,
        )
        .hold_node(0, 0, [false, true, false], writhe::schedule::Motion::Still)
        .hold_angle(0, 0, Schedule::Constant(0.0))
        .force(0, EDGES / 2, DVec3::Z * -FORCE, Schedule::Constant(1.0))
        .load(Box::new(Foundation { stiffness }))
        .build()
        .unwrap();
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle().unwrap();
    let found = -simulation.model.positions(&simulation.state)[EDGES / 2].z;
    let expected = FORCE / (8.0 * section.ei1 * b.powi(3));
    assert!(
        (found / expected - 1.0).abs() < 2e-3,
        "sinks by {found} m, expected {expected} m"
    );
}
