//! A rod with a bob in a viscous fluid: a simulation that has everything that a run can record.

use glam::DVec3;
use writhe::bodies::Body;
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

/// The bob hangs on the rod's last edge and is pushed aside.
pub fn swinging() -> Simulation {
    let nodes = (0..6).map(|i| DVec3::new(0.0, 0.0, -0.02 * f64::from(i)));
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let rod = Rod::open(nodes.collect(), section).unwrap();
    let mut bob = Body::cylinder(2e-3, 5e-3, 8e-3, DVec3::new(1e-3, 0.0, -0.104));
    bob.velocity = 0.05 * DVec3::X;
    let builder = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .body(bob)
        .weld(0, 0, 4)
        .gravity(-9.81 * DVec3::Z)
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity: 0.01,
                regularisation: 1.02,
            },
            Coupling::Lagged,
        ));
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt: 2e-3,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}
