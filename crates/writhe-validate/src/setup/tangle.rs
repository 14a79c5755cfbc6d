//! Random tangles: short rods thrown together, and a check of every step that does not ask the core's contact.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::DVec3;
use writhe::contact::ContactModel;
use writhe::integrate::{Scheme, StepSettings};
use writhe::model::{Model, ModelBuilder, ModelError};
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::{Simulation, Statistics};
use writhe::state::State;

use super::random::Random;
use super::sweep::{Pair, crossing};
use crate::case::CaseError;

/// Simulated time of a tangle, s.
pub const DURATION: f64 = 0.5;
/// Fastest throw, m/s.
const FASTEST: f64 = 10.0;
/// Largest and smallest step asked for, s.
const STEPS: [f64; 2] = [2e-3, 1e-2];
/// Nodes of all rods of a tangle, about, at most.
const NODES: usize = 44;
/// Placements tried until no two rods overlap.
const PLACEMENTS: u32 = 100;

/// A tangle ready to be thrown.
#[derive(Debug)]
pub struct Tangle {
    /// The rods.
    pub model: Model,
    /// Where they are and how they fly.
    pub state: State,
    /// Step and scheme.
    pub settings: StepSettings,
}

/// What came of a tangle.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It ran to the end.
    Finished,
    /// The simulation gave up, and said why.
    GaveUp {
        /// Time reached, s.
        time: f64,
        /// Its message.
        reason: String,
    },
    /// Two edges passed through each other in an accepted step.
    Crossed {
        /// Time at the end of the step, s.
        time: f64,
        /// Flat indices.
        edges: [usize; 2],
    },
    /// An unknown that is no number.
    NotFinite {
        /// Time, s.
        time: f64,
    },
    /// A panic, with its message.
    Panicked(String),
}

/// The tangle of this seed: 2 to 8 rods, half of them curved by nature, thrown at one point at up to 10 m/s, with steps up to 10 ms.
///
/// # Errors
/// When no placement without overlap was found.
pub fn tangle(seed: u64, contact: ContactModel) -> Result<Tangle, CaseError> {
    let mut random = Random(seed.wrapping_mul(7919).wrapping_add(13));
    let rods = 2 + (seed % 7) as usize;
    let material = Material::new(10f64.powf(random.within(5.0, 7.0)), 0.3, 1000.0);
    let section = Section::circle(material, random.within(2e-3, 4e-3));
    let scheme = match seed % 3 {
        0 => Scheme::Bdf2,
        _ => Scheme::BackwardEuler,
    };
    let settings = StepSettings {
        dt: random.within(STEPS[0], STEPS[1]),
        scheme,
        ..StepSettings::default()
    };
    for _ in 0..PLACEMENTS {
        match placed(&mut random, rods, section, contact) {
            Err(CaseError::Model(ModelError::Overlap(_))) => {}
            Err(error) => return Err(error),
            Ok((model, state)) => {
                return Ok(Tangle {
                    model,
                    state,
                    settings,
                });
            }
        }
    }
    Err(CaseError::NotFound(format!(
        "tangle {seed}: rods overlap in {PLACEMENTS} placements"
    )))
}

fn placed(
    random: &mut Random,
    rods: usize,
    section: Section,
    contact: ContactModel,
) -> Result<(Model, State), CaseError> {
    let mut builder = ModelBuilder::new().contact(contact);
    let mut velocities = Vec::new();
    for _ in 0..rods {
        let nodes = random.within(5.0, (NODES as f64 / rods as f64).max(6.0) + 1.0) as usize;
        let (axis, away) = (random.direction(), random.direction());
        let middle = away * random.within(0.08, 0.15);
        let length = random.within(0.1, 0.2);
        let place = |i: usize| middle + axis * (length * (i as f64 / (nodes - 1) as f64 - 0.5));
        let mut rod = Rod::open((0..nodes).map(place).collect(), section)?;
        if random.signed() > 0.0 {
            // Up to about a turn along the rod.
            let turn = [0, 1].map(|_| 4.0 * random.signed() / nodes as f64);
            rod.rest_curvature.fill(turn);
        }
        let velocity =
            (random.vector() * 0.2 - away).normalize() * random.within(0.1, 1.0) * FASTEST;
        let spin = random.vector() * 20.0;
        velocities.extend(
            rod.positions
                .iter()
                .map(|x| velocity + spin.cross(*x - middle)),
        );
        builder = builder.rod(rod);
    }
    let (model, mut state) = builder.build()?;
    for (dof, u) in model.topology.node_dof.iter().zip(velocities) {
        state.velocity[*dof..dof + 3].copy_from_slice(&u.to_array());
    }
    Ok((model, state))
}

/// Throws it, and looks at every accepted step.
pub fn throw(tangle: Tangle) -> (Outcome, Statistics) {
    let Tangle {
        model,
        state,
        settings,
    } = tangle;
    let mut simulation = Simulation::new(model, state, settings);
    let outcome = catch_unwind(AssertUnwindSafe(|| watch(&mut simulation)));
    let outcome = outcome.unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<String>().cloned();
        let message = message.or_else(|| payload.downcast_ref::<&str>().map(|&s| s.to_owned()));
        Outcome::Panicked(message.unwrap_or_default())
    });
    (outcome, simulation.statistics)
}

fn watch(simulation: &mut Simulation) -> Outcome {
    let mut before = simulation.model.positions(&simulation.state);
    let mut seen = None;
    let run = simulation.run_until(DURATION, |simulation, _| {
        let (model, state) = (&simulation.model, &simulation.state);
        let time = state.time;
        if !state.q.iter().chain(&state.velocity).all(|v| v.is_finite()) {
            seen = Some(Outcome::NotFinite { time });
        }
        let now = model.positions(state);
        if let Some(edges) = first_crossing(model, &before, &now) {
            seen = Some(Outcome::Crossed { time, edges });
        }
        before = now;
        seen.is_none()
    });
    match (seen, run) {
        (Some(outcome), _) => outcome,
        (None, Ok(_)) => Outcome::Finished,
        (None, Err(error)) => Outcome::GaveUp {
            time: simulation.state.time,
            reason: error.to_string(),
        },
    }
}

/// The first two edges without a common node that pass through each other on the way from one configuration to the next, m.
pub fn first_crossing(model: &Model, before: &[DVec3], now: &[DVec3]) -> Option<[usize; 2]> {
    let edges = &model.topology.edge_nodes;
    for i in 0..edges.len() {
        for j in i + 1..edges.len() {
            let [[a0, a1], [b0, b1]] = [edges[i], edges[j]];
            if a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1 {
                continue;
            }
            let at = |x: &[DVec3]| -> Pair { [x[a0], x[a1], x[b0], x[b1]] };
            if crossing(&at(before), &at(now)).is_some() {
                return Some([i, j]);
            }
        }
    }
    None
}
