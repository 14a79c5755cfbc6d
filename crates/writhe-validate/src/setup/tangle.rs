//! Random tangles: short rods thrown together, and a check of every step that does not ask the
//! core's contact.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::DVec3;
use writhe::contact::ContactModel;
use writhe::model::{Model, ModelBuilder, ModelError};
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, SimulationError, Statistics};
use writhe::state::State;
use writhe::step::{Scheme, StepError, StepSettings};

use super::random::Random;
use super::sweep::{Pair, crossing};
use crate::case::CaseError;

/// Nodes of all rods of a tangle, about, at most.
const NODES: usize = 44;
/// Placements tried until no two rods overlap.
const PLACEMENTS: u32 = 100;

/// What a family of tangles is drawn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Throws {
    /// Radius of the rods, from and to, m.
    pub radius: [f64; 2],
    /// Powers of ten of Young's modulus, from and to, Pa.
    pub young: [f64; 2],
    /// Speed of each rod, from and to, m/s.
    pub speed: [f64; 2],
    /// Distance from the common point at which the rods start, from and to, m.
    pub away: [f64; 2],
    /// Step asked for, from and to, s.
    pub step: [f64; 2],
    /// Simulated time, s.
    pub duration: f64,
    /// Whether every third tangle is stepped by BDF2 and not by backward Euler.
    pub two_step: bool,
    /// Whether a floor rises and a ball flies through every second tangle.
    pub obstacles: bool,
}

impl Throws {
    /// Thin rods at up to 10 m/s.
    pub const GENTLE: Self = Self {
        radius: [2e-3, 4e-3],
        young: [5.0, 7.0],
        speed: [1.0, 10.0],
        away: [0.08, 0.15],
        step: [2e-3, 1e-2],
        duration: 0.5,
        two_step: true,
        obstacles: false,
    };

    /// Thin rods at 10 to 50 m/s, half of the tangles with obstacles that move.
    pub const FAST: Self = Self {
        speed: [10.0, 50.0],
        obstacles: true,
        duration: 0.02,
        ..Self::GENTLE
    };

    /// Thick soft rods at 20 m/s in steps of 10 ms: much of their energy goes through contacts.
    pub const SOFT: Self = Self {
        radius: [5e-3, 1e-2],
        young: [4.968, 4.969],
        speed: [20.0, 20.0],
        away: [0.1, 0.25],
        step: [1e-2, 1e-2],
        duration: 0.02,
        two_step: false,
        obstacles: false,
    };
}

/// A tangle ready to be thrown.
#[derive(Debug)]
pub struct Tangle {
    /// The rods.
    pub model: Model,
    /// Where they are and how they fly.
    pub state: State,
    /// Step and scheme.
    pub settings: StepSettings,
    /// Simulated time, s.
    pub duration: f64,
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
        /// What kind of failure it was, in a word.
        class: String,
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

/// The tangle of this seed: 2 to 8 rods, half of them curved by nature, thrown at one point.
///
/// # Errors
/// When no placement without overlap was found.
pub fn tangle(throws: &Throws, seed: u64, contact: ContactModel) -> Result<Tangle, CaseError> {
    let mut random = Random(seed.wrapping_mul(7919).wrapping_add(13));
    let rods = 2 + (seed % 7) as usize;
    let material = Material::new(
        10f64.powf(random.within(throws.young[0], throws.young[1])),
        0.3,
        1000.0,
    );
    let section = Section::circle(material, random.within(throws.radius[0], throws.radius[1]));
    let scheme = match seed % 3 {
        0 if throws.two_step => Scheme::Bdf2,
        _ => Scheme::BackwardEuler,
    };
    let settings = StepSettings {
        dt: random.within(throws.step[0], throws.step[1]),
        scheme,
        ..StepSettings::default()
    };
    for _ in 0..PLACEMENTS {
        match placed(throws, seed, &mut random, rods, section, contact) {
            Err(CaseError::Model(ModelError::Overlap(_))) => {}
            Err(error) => return Err(error),
            Ok((model, state)) => {
                return Ok(Tangle {
                    model,
                    state,
                    settings,
                    duration: throws.duration,
                });
            }
        }
    }
    Err(CaseError::NotFound(format!(
        "tangle {seed}: rods overlap in {PLACEMENTS} placements"
    )))
}

fn placed(
    throws: &Throws,
    seed: u64,
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
        let middle = away * random.within(throws.away[0], throws.away[1]);
        let length = random.within(0.1, 0.2);
        let place = |i: usize| middle + axis * (length * (i as f64 / (nodes - 1) as f64 - 0.5));
        let mut rod = Rod::open((0..nodes).map(place).collect(), section)?;
        if random.signed() > 0.0 {
            // Up to about a turn along the rod.
            let turn = [0, 1].map(|_| 4.0 * random.signed() / nodes as f64);
            rod.rest_curvature.fill(turn);
        }
        let velocity = (random.vector() * 0.2 - away).normalize()
            * random.within(throws.speed[0], throws.speed[1]);
        let spin = random.vector() * 20.0;
        velocities.extend(
            rod.positions
                .iter()
                .map(|x| velocity + spin.cross(*x - middle)),
        );
        builder = builder.rod(rod);
    }
    if throws.obstacles && seed % 2 == 1 {
        for obstacle in moving(random, throws) {
            builder = builder.obstacle(obstacle);
        }
    }
    let (model, mut state) = builder.build()?;
    for (dof, u) in model.topology.node_dof.iter().zip(velocities) {
        state.velocity[*dof..dof + 3].copy_from_slice(&u.to_array());
    }
    Ok((model, state))
}

/// A floor that rises from beyond the rods, and a ball that flies through their common point.
fn moving(random: &mut Random, throws: &Throws) -> [Obstacle; 2] {
    let reach = throws.away[1] + 0.2;
    let up = random.direction();
    let rise = random.within(0.5, 5.0);
    let floor = Obstacle::half_space(-reach * up, up).moving(Motion::Velocity(rise * up));
    let from = random.direction();
    let radius = random.within(0.02, 0.05);
    let speed = random.within(throws.speed[0], throws.speed[1]);
    let ball =
        Obstacle::sphere((reach + radius) * from, radius).moving(Motion::Velocity(-speed * from));
    [floor, ball]
}

/// Energy that comes from nowhere: what the balance of the run leaves to the scheme, and what
/// changes of contact stiffness do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gains {
    /// Largest energy of the run, J.
    pub largest: f64,
    /// Largest gain of an accepted step, J.
    pub step: f64,
    /// Time of that step's end, s.
    pub at: f64,
    /// Largest gain over any part of the run, J.
    pub run: f64,
    made: f64,
    sum: f64,
}

impl Gains {
    /// Part of the largest energy that one step gained at most, and that any part of the run did.
    pub fn parts(&self) -> [f64; 2] {
        [self.step, self.run].map(|gain| gain / self.largest)
    }

    /// Takes note of an accepted step.
    fn look(&mut self, state: &State) {
        let ledger = &state.ledger;
        let made = ledger.scheme + ledger.works.contact;
        let gain = made - self.made;
        self.made = made;
        self.largest = ledger.largest;
        if gain > self.step {
            (self.step, self.at) = (gain, state.time);
        }
        self.sum = (self.sum + gain).max(0.0);
        self.run = self.run.max(self.sum);
    }
}

/// Throws it, and looks at every accepted step.
pub fn throw(tangle: Tangle) -> (Outcome, Statistics, Gains) {
    let Tangle {
        model,
        state,
        settings,
        duration,
    } = tangle;
    let mut simulation = Simulation::new(model, state, settings);
    let mut gains = Gains::default();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        watch(&mut simulation, duration, &mut gains)
    }));
    let outcome = outcome.unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<String>().cloned();
        let message = message.or_else(|| payload.downcast_ref::<&str>().map(|&s| s.to_owned()));
        Outcome::Panicked(message.unwrap_or_default())
    });
    (outcome, simulation.statistics, gains)
}

fn watch(simulation: &mut Simulation, duration: f64, gains: &mut Gains) -> Outcome {
    gains.look(&simulation.state);
    let mut before = simulation.model.positions(&simulation.state);
    let mut seen = None;
    let run = simulation.run_until(duration, |simulation, _| {
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
        gains.look(state);
        seen.is_none()
    });
    match (seen, run) {
        (Some(outcome), _) => outcome,
        (None, Ok(_)) => Outcome::Finished,
        (None, Err(error)) => Outcome::GaveUp {
            time: simulation.state.time,
            class: class(&error),
            reason: error.to_string(),
        },
    }
}

/// The name of what made the last step fail, and whether it was a jam.
fn class(error: &SimulationError) -> String {
    let name = |cause: &StepError| {
        let text = format!("{cause:?}");
        let end = text.find([' ', '(', '{']).unwrap_or(text.len());
        text[..end].to_owned()
    };
    match error {
        SimulationError::StepTooSmall { cause, .. } | SimulationError::FixedStep { cause, .. } => {
            name(cause)
        }
        SimulationError::Jammed { cause, .. } => format!("jam, {}", name(cause)),
        other => other.to_string(),
    }
}

/// The first two edges without a common node that pass through each other on the way from one
/// configuration to the next, m.
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
