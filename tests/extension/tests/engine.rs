//! A body on a rail that leans by 45 degrees slides down by g t^2 / 4 along each axis, whatever
//! hangs on it.

use glam::DVec3;
use writhe::bodies::Body;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::step::{Integrator, StepSettings};
use writhe_extension::rail::Rail;

#[test]
fn a_body_slides_down_its_rail() {
    const GRAVITY: f64 = 9.81;
    const END: f64 = 0.1;
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let nodes = (0..3).map(|i| DVec3::Y * 0.01 * f64::from(i)).collect();
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section).unwrap())
        // So heavy that the rod does not matter.
        .body(Body::sphere(100.0, 0.01, DVec3::ZERO))
        .weld(0, 0, 0)
        .gravity(DVec3::Z * -GRAVITY)
        .engine(Box::new(Rail::new(DVec3::new(1.0, 0.0, -1.0))))
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 1e-4,
        integrator: Integrator::SymplecticProjected,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    simulation.run_until(END, |_, _| true).unwrap();
    let dof = simulation.model.topology.body_dof[0];
    let at = DVec3::from_slice(&simulation.state.q[dof..]);
    let fall = 0.25 * GRAVITY * END * END;
    assert!((at.x / fall - 1.0).abs() < 2e-3, "{at}, expected {fall}");
    assert!((at.z / fall + 1.0).abs() < 2e-3, "{at}, expected {fall}");
    // What keeps the lengths of the rod pushes the body too, by as much as the rod is lighter.
    assert!(at.y.abs() < 1e-6 * fall, "{at}");
}
