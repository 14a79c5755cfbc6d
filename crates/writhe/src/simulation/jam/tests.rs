use glam::DVec3;

use super::super::{Simulation, SimulationError};
use crate::contact_model::{ContactModel, ImcSettings};
use crate::kernels::friction::Friction;
use crate::model::ModelBuilder;
use crate::obstacle::Obstacle;
use crate::rod::{Material, Rod, Section};
use crate::schedule::Motion;
use crate::state::Reaction;
use crate::step::{StepError, StepSettings};

const RADIUS: f64 = 1e-3;

/// What two crossed rods that cannot make a step come from.
#[derive(Clone, Copy)]
struct Past {
    /// Distance of their axes, radii.
    apart: f64,
    /// Twist of the first at each joint, rad.
    twist: f64,
    /// Coefficient of friction.
    friction: f64,
    /// Growth of the reaction to the drive a step, N; `None` without a drive.
    growth: Option<f64>,
}

/// A coil that friction holds and a drive winds up.
const JAM: Past = Past {
    apart: 2.0,
    twist: 2.0,
    friction: 0.5,
    growth: Some(0.1),
};

fn section() -> Section {
    Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS)
}

fn contact(friction: f64) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(friction),
        ..ImcSettings::default()
    })
}

fn stuck(past: Past) -> SimulationError {
    let line = |along: DVec3, height: f64| {
        let node = |i: i32| along * (0.006 * (f64::from(i) - 2.5)) + DVec3::Z * height;
        Rod::open((0..6).map(node).collect(), section()).unwrap()
    };
    let (model, mut state) = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0))
        .rod(line(DVec3::Y, past.apart * RADIUS))
        .contact(contact(past.friction))
        .build()
        .unwrap();
    for edge in 0..5 {
        state.q[model.topology.edge_dof[edge]] = past.twist * edge as f64;
    }
    let reaction = |i: i32, growth: f64| Reaction {
        time: 1e-3 * f64::from(i - 7),
        force: 1.0 + growth * f64::from(i),
    };
    if let Some(growth) = past.growth {
        state.reactions = (0..8).map(|i| reaction(i, growth)).collect();
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
    let error = stuck(JAM);
    let SimulationError::Jammed { jam, cause, .. } = &error else {
        panic!("not jammed: {error}");
    };
    assert_eq!((jam.rod, jam.contacts), (0, 1));
    // h tau / l.
    assert!((jam.twist - 2.0 / 6.0).abs() < 1e-12 && jam.bending < 1e-12);
    assert!(matches!(cause, StepError::NotConverged(_)));
    assert!(error.to_string().contains(&cause.to_string()), "{error}");
}

#[test]
fn without_all_that_makes_a_jam_it_is_a_failure() {
    let apart = Past { apart: 3.0, ..JAM };
    let straight = Past { twist: 0.1, ..JAM };
    let smooth = Past {
        friction: 0.0,
        ..JAM
    };
    let free = Past {
        growth: None,
        ..JAM
    };
    let steady = Past {
        growth: Some(0.0),
        ..JAM
    };
    for past in [apart, straight, smooth, free, steady] {
        let error = stuck(past);
        assert!(
            matches!(error, SimulationError::StepTooSmall { .. }),
            "{error}"
        );
    }
}

/// A bent rod on a floor, whose end is told to jump half a metre in a nanosecond: a failure, with
/// and without friction.
#[test]
fn an_end_that_jumps_is_a_failure() {
    for friction in [0.0, 0.5] {
        let node = |i: i32| {
            let angle = 0.5 * f64::from(i);
            DVec3::new(angle.cos(), angle.sin(), 0.0) * 3.0 * RADIUS + DVec3::Z * RADIUS
        };
        // Strained by a third.
        let rod = Rod::open((0..8).map(node).collect(), section()).unwrap();
        let rod = rod.straight_at_rest().unwrap();
        let jump = Motion::Path(vec![
            (0.0, DVec3::ZERO),
            (1e-2, DVec3::ZERO),
            (1e-2 + 1e-9, DVec3::new(0.5, 0.0, 0.0)),
        ]);
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
            .clamp(0, 0, Motion::Still)
            .hold_node(0, 7, [true; 3], jump)
            .contact(contact(friction))
            .build()
            .unwrap();
        let settings = StepSettings {
            dt: 1e-3,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let error = simulation.run_until(2e-2, |_, _| true).unwrap_err();
        assert!(
            matches!(error, SimulationError::StepTooSmall { .. }),
            "{error}"
        );
    }
}
