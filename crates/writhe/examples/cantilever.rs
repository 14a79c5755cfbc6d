//! A heavy rod held at one end, against the closed form.

use writhe::glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 0.2 m from the middle of the clamped edge to the tip; weight x length^3 / bending stiffness
    // is 10.
    let edge = 0.2 / 49.5;
    let nodes = Vec::from_iter((0..=50).map(|i| DVec3::X * (i as f64 - 0.5) * edge));
    let section = Section::circle(Material::new(7.848e6, 0.5, 1000.0), 2e-3);
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section)?)
        .clamp(0, 0, Motion::Still)
        .gravity(DVec3::new(0.0, 0.0, -9.81))
        .build()?;
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle()?;
    let drop = -simulation.model.positions(&simulation.state)[50].z / 0.2;
    println!("drop/length {drop:.4}, closed form 0.7002");
    assert!((drop - 0.7002).abs() < 1e-3);
    Ok(())
}
