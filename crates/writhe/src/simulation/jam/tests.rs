use glam::DVec3;

use super::super::{Simulation, SimulationError};
use crate::contact::{ContactModel, ImcSettings};
use crate::integrate::StepSettings;
use crate::model::ModelBuilder;
use crate::rod::{Material, Rod, Section};

const RADIUS: f64 = 1e-3;

/// Two crossed rods `apart` radii apart, the first twisted by `twist`, rad, at each joint, that cannot make a step.
fn stuck(apart: f64, twist: f64) -> SimulationError {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let line = |along: DVec3, height: f64| {
        let node = |i: i32| along * (0.006 * (f64::from(i) - 2.5)) + DVec3::Z * height;
        Rod::open((0..6).map(node).collect(), section).unwrap()
    };
    let (model, mut state) = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0))
        .rod(line(DVec3::Y, apart * RADIUS))
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap();
    for edge in 0..5 {
        state.q[model.topology.edge_dof[edge]] = twist * edge as f64;
    }
    let settings = StepSettings {
        max_iterations: 0,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let before = simulation.state.clone();
    let error = simulation.step(1e-3).unwrap_err();
    assert_eq!(simulation.state, before);
    error
}

#[test]
fn a_rod_wound_up_in_contact_is_jammed() {
    let SimulationError::Jammed { jam, .. } = stuck(2.0, 2.0) else {
        panic!("not jammed");
    };
    assert_eq!((jam.rod, jam.contacts), (0, 1));
    // h tau / l.
    assert!((jam.twist - 2.0 / 6.0).abs() < 1e-12 && jam.bending < 1e-12);
}

#[test]
fn without_contact_or_strain_it_is_a_failure() {
    for (apart, twist) in [(3.0, 2.0), (2.0, 0.1)] {
        let error = stuck(apart, twist);
        assert!(
            matches!(error, SimulationError::StepTooSmall { .. }),
            "{error}"
        );
    }
}
