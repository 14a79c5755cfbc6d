//! Two rods side by side whose lower ends turn about their common axis, further than any rod
//! stands: a jam, told with its cause.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::loads::ViscousDamping;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, SimulationError};
use writhe::step::StepSettings;

const RADIUS: f64 = 2e-3;
const EDGES: i32 = 12;
/// Rate of the drive, rad/s.
const RATE: f64 = 6.0;

fn plies() -> Simulation {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let mut builder = ModelBuilder::new();
    for side in [-1.0, 1.0] {
        let x = 1.2 * RADIUS * side;
        let node = |i: i32| DVec3::new(x, 0.0, 5e-3 * f64::from(i));
        let turn = Motion::spin(DVec3::ZERO, DVec3::Z, RATE);
        let rod = Rod::open((0..=EDGES).map(node).collect(), section).unwrap();
        let index = usize::from(side > 0.0);
        builder =
            builder
                .rod(rod)
                .clamp(index, 0, turn)
                .clamp(index, EDGES as usize - 1, Motion::Still);
    }
    let contact = ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(0.5),
        ..ImcSettings::default()
    });
    let (model, state) = builder
        .load(Box::new(ViscousDamping {
            coefficient: vec![2e-3; 2 * (EDGES as usize + 1)],
        }))
        .contact(contact)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 5e-3,
        dt_min: 1e-4,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

#[test]
fn plies_twisted_too_far_jam() {
    let mut simulation = plies();
    let error = simulation.run_until(60.0, |_, _| true).unwrap_err();
    let SimulationError::Jammed { jam, cause, .. } = &error else {
        panic!("not jammed: {error}");
    };
    assert!(jam.contacts > 0 && jam.bending + jam.twist > 0.25);
    assert!(error.to_string().contains(&cause.to_string()));
}
