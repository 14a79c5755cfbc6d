use glam::DVec3;

use super::*;
use crate::contact_model::{ContactModel, Friction, ImcSettings};
use crate::model::{Model, ModelBuilder};
use crate::response::StepMaterial;
use crate::rod::{Material, Rod, Section};
use crate::schedule::Motion;
use crate::state::State;
use crate::step::advance::{Step, begin, predict};
use crate::step::drag::prepare::prepare_fluid;
use crate::step::problem::Problem;
use crate::step::scheme::{Scheme, Stage};
use crate::step::workspace::Workspace;

const RADIUS: f64 = 1e-3;
const DT: f64 = 1e-3;

/// A rod that slides over another and along it, its first node driven, both pressed together a
/// little.
fn sliding(friction: f64) -> (Model, State) {
    let section = Section::circle(Material::new(1e6, 0.5, 1200.0), RADIUS);
    let line = |centre: DVec3, along: DVec3| {
        let node = |i: u32| centre + 4e-3 * (f64::from(i) - 3.05) * along;
        Rod::open((0..8).map(node).collect(), section).unwrap()
    };
    let friction = Friction {
        coefficient: friction,
        ..Friction::default()
    };
    let across = DVec3::new(0.3, 1.0, 0.0).normalize();
    let driven = Motion::Velocity(DVec3::X * 0.05);
    let (model, mut state) = ModelBuilder::new()
        .rod(line(DVec3::ZERO, DVec3::X))
        .rod(line(DVec3::Z * 1.999 * RADIUS, across))
        .hold_node(1, 0, [true; 3], driven)
        .contact(ContactModel::Imc(ImcSettings {
            friction,
            ..ImcSettings::default()
        }))
        .build()
        .unwrap();
    for dof in &model.topology.node_dof[8..] {
        state.velocity[*dof] = 0.05;
    }
    (model, state)
}

/// What a guess is at the prediction of a step: whether it is doubtful there, the unknowns that it is
/// taken back to and the residual there, and whether it is doubtful still.
fn taken_back((model, state): &(Model, State), acting: Acting) -> (bool, Vec<f64>, Vec<f64>, bool) {
    let settings = StepSettings::default();
    let stage = Stage::new(Scheme::BackwardEuler, state, DT);
    let step = Step {
        model,
        start: state,
        stage: &stage,
        end_time: DT,
        acting,
        material: &StepMaterial::of_step(model, state, stage.interval()).unwrap(),
        settings: &settings,
    };
    let mut ws = Workspace::new(model);
    let predicted = predict(&step);
    let contact = begin(&step, &predicted, &mut ws).unwrap();
    let fluid = prepare_fluid(&step, &predicted, &mut ws).unwrap();
    let problem = Problem::new(&step, model.first_contact_stiffness(), &predicted);
    let (mut residual, _, _) = ws.split(problem, contact, fluid);
    let mut iterate = Iterate {
        y: predicted.clone(),
        drag: None,
        progress: 1.0,
    };
    residual.evaluate(&iterate).unwrap();
    // What was found contact by contact is no prediction.
    let mut told = Guess::default();
    told.keep();
    assert!(!told.is_doubtful(&residual, &settings));
    let mut guess = Guess::default();
    let before = guess.is_doubtful(&residual, &settings);
    guess.take_back(&mut residual, &mut iterate).unwrap();
    let (y, found) = (iterate.y.clone(), residual.at.residual.clone());
    residual.evaluate(&iterate).unwrap();
    assert_eq!(found, residual.at.residual, "not evaluated where it is");
    (before, y, found, guess.is_doubtful(&residual, &settings))
}

#[test]
fn a_guess_goes_back_to_the_start_once_with_what_is_driven_in_its_place() {
    let scene = sliding(0.3);
    let (doubtful, y, _, again) = taken_back(&scene, Acting::All);
    assert!(doubtful && !again);
    let (model, state) = &scene;
    for (dof, fixed) in model.constraints.fixed().iter().enumerate() {
        let moved = y[dof] - state.q[dof];
        let driven = if *fixed && dof == model.topology.node_dof[8] {
            0.05 * DT
        } else {
            0.0
        };
        assert!((moved - driven).abs() < 1e-15, "unknown {dof}: {moved:e}");
    }
}

/// What has a potential descends along it from anywhere, and towards an equilibrium nothing is
/// predicted.
#[test]
fn guesses_without_friction_and_towards_equilibria_are_not_doubted() {
    assert!(!taken_back(&sliding(0.0), Acting::All).0);
    assert!(!taken_back(&sliding(0.3), Acting::Conservative).0);
}
