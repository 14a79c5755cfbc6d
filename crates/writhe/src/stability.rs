//! Whether an equilibrium is stable: whether the energy is least there among all near
//! configurations.
//!
//! A state is at rest if its kinetic energy is at most a thousandth of its elastic energy and no
//! force that is left over exceeds a hundredth of the largest one. It is unstable if
//! `K u = lambda M u`, with the Hessian K of the energy (elastic, loads, contact) and the masses M,
//! has an eigenvalue below `-NEGATIVE` of the lowest bending frequency squared, or below what
//! rounding of K can make; where that is large no state is called stable. First K + |that bound| M is
//! factorised: if all pivots are positive there is none (Sylvester). Otherwise the lowest mode is found
//! by inverse iteration behind a shift that makes all pivots positive. Rigid motions that cost nothing
//! are taken out: of rods that nothing holds, and the spin of a round rod about its own axis.
//!
//! A state that moves away from an unstable equilibrium is none itself: the equilibrium is where
//! the gradient g vanishes along the mode u, `g.u / (lambda u.M u)` times u away. A state farther
//! from it than a thousandth of a radius has left it.

mod lowest;
mod rigid;
mod shape;
mod watch;

use std::fmt;
use std::ops::ControlFlow::{Break, Continue};

use serde::{Deserialize, Serialize};

use crate::forces::{Acting, load_potential, loads};
use crate::kinetic::kinetic;
use crate::model::Model;
use crate::observe::Observed;
use crate::state::State;
use crate::step::{StepError, Variation};

pub use shape::{Kind, Shape};
pub use watch::{Episode, StabilityRecord, StabilityWatch};

/// Kinetic energy over elastic energy up to which a state is at rest.
pub(crate) const SLOW: f64 = 1e-3;
/// Unbalanced force over the largest force up to which a state is at rest.
pub(crate) const BALANCED: f64 = 1e-2;
/// Negative eigenvalues are below minus this part of the lowest bending eigenvalue.
pub(crate) const NEGATIVE: f64 = 1e-6;
/// Distance from an unstable equilibrium, in radii, up to which a state is at it.
pub(crate) const NEAR: f64 = 1e-3;
/// Rounding of an eigenvalue over the largest diagonal entry of the Hessian: some .8 eps at most, with
/// 30 to 1000 edges and radii of 1e-4 to .1 of the length (decision 0104).
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Part of the lowest bending eigenvalue that rounding may come to where a state is called stable.
const HIDDEN: f64 = 1e-2;

/// What is known of the stability of a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Stability {
    /// The state is at rest, and stable.
    Stable,
    /// At rest, and unstable.
    Unstable(Instability),
    /// Not at rest.
    Moving,
    /// Not known, for this reason.
    LeftOut(LeftOut),
}

/// An unstable equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Instability {
    /// How it would be left.
    pub shape: Shape,
    /// Lowest eigenvalue over the lowest bending eigenvalue; negative.
    pub eigenvalue: f64,
    /// Motion of the unknowns, m and rad, `(dofs)`; the node that moves most moves by 1.
    pub mode: Vec<f64>,
}

/// Why nothing is known of the stability of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LeftOut {
    /// Friction acts, which has no potential: it holds what would move.
    Friction,
    /// Lengths are kept by projection.
    Explicit,
    /// Forces of contact are given.
    GivenContact,
    /// Bodies are joined.
    Joints,
    /// A load follows the rod, or a moment acts: no potential.
    Load,
    /// A rod flows under any load.
    Flows,
    /// Wind blows: it holds rods where no equilibrium is.
    Wind,
    /// Rounding hides whether a weak instability is there: edges are short beside their rod, which is
    /// thin.
    Rounding,
    /// The matrix could not be made.
    Numbers,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Friction => "friction acts, which has no potential",
            Self::Explicit => "steps are explicit and keep lengths by projection",
            Self::GivenContact => "forces of contact are those of spillmann-teschner",
            Self::Joints => "bodies are joined",
            Self::Load => "a load has no potential: a force that follows the rod, or a moment",
            Self::Flows => "a rod flows under any load",
            Self::Wind => "wind holds the rods",
            Self::Rounding => {
                "rounding hides weak instabilities of rods so thin with so many edges: take fewer edges"
            }
            Self::Numbers => "its matrix could not be made",
        })
    }
}

/// Whether `state` is at rest, and stable there. The state is not changed.
pub fn stability(model: &Model, state: &State) -> Stability {
    let left_out = why_left_out(model, state).map(Stability::LeftOut);
    left_out.unwrap_or_else(|| judge(model, state))
}

/// The same of a state that is shown: most need no more than what that took.
fn stability_of(model: &Model, state: &State, observed: &Observed) -> Stability {
    let left_out = why_left_out(model, state).map(Stability::LeftOut);
    let told = left_out.or_else(|| plainly(model, state, observed));
    told.unwrap_or_else(|| judge(model, state))
}

fn judge(model: &Model, state: &State) -> Stability {
    find(model, state).unwrap_or(Stability::LeftOut(LeftOut::Numbers))
}

/// The reason why stability is not looked at, if there is one.
fn why_left_out(model: &Model, state: &State) -> Option<LeftOut> {
    if !state.tension.is_empty() {
        return Some(LeftOut::Explicit);
    }
    if !model.joints.is_empty() {
        return Some(LeftOut::Joints);
    }
    if model.flowing_rod().is_some() {
        return Some(LeftOut::Flows);
    }
    let given = !state.contact.forces.is_empty() || !state.contact.obstacle_forces.is_empty();
    if model.contact.policy().impulsive() && given {
        return Some(LeftOut::GivenContact);
    }
    let blows = |load: &dyn crate::loads::Load| load.name() == "wind";
    loads(model, Acting::All)
        .any(blows)
        .then_some(LeftOut::Wind)
}

/// What is plain from what a state shows, as [`find`] would tell it: friction acts, or it moves too
/// fast to be at rest.
fn plainly(model: &Model, state: &State, observed: &Observed) -> Option<Stability> {
    let seen = &observed.observables;
    if seen.friction {
        return Some(Stability::LeftOut(LeftOut::Friction));
    }
    let at = state.trial(&model.topology, &observed.kinematics);
    let has_potential = load_potential(model, Acting::Conservative, &at).is_some();
    let moves = seen.kinetic > SLOW * seen.elastic.total();
    (has_potential && moves).then_some(Stability::Moving)
}

fn find(model: &Model, state: &State) -> Result<Stability, StepError> {
    let first = Variation::at(model, state, |seen| {
        if seen.has_friction {
            return Break(Stability::LeftOut(LeftOut::Friction));
        }
        if seen.follows {
            return Break(Stability::LeftOut(LeftOut::Load));
        }
        // Only what is at rest is judged (decision 0044).
        if kinetic(model, state) > SLOW * seen.elastic {
            return Break(Stability::Moving);
        }
        Continue(())
    })?;
    let mut variation = match first {
        Break(told) => return Ok(told),
        Continue(variation) => variation,
    };
    // Where forces are no more than rounding of each other, that is what may be left over.
    let balanced = (BALANCED * variation.largest_force).max(variation.rounding);
    if variation.unbalanced > balanced {
        return Ok(Stability::Moving);
    }
    let bending = model.lowest_bending();
    // Below rounding of K no eigenvalue can be told from zero.
    let bound = (NEGATIVE * bending).max(ROUNDING * variation.steepest);
    let stable = if bound > HIDDEN * bending {
        Stability::LeftOut(LeftOut::Rounding)
    } else {
        Stability::Stable
    };
    // All pivots positive: no eigenvalue below -bound (Sylvester).
    if variation.is_positive(bound)? {
        return Ok(stable);
    }
    // Rigid motions that nothing prevents cost nothing, and rounding gives them either sign.
    let free = rigid::Motions::of(model, state, &variation);
    let Some(found) = lowest::lowest(&mut variation, bound, |eigenvalue, mode| {
        free.holds(mode) && eigenvalue > -free.noise(bending, mode)
    })?
    else {
        return Ok(stable);
    };
    let mut mode = found.mode;
    variation.expand(model, &mut mode);
    let shape = Shape::of(model, state, &mut mode, |mode| free.holds(mode));
    // Where along the mode the gradient vanishes, in radii: the mode moves its fastest node by 1 m.
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let inertia: f64 = mode
        .iter()
        .zip(&variation.mass)
        .map(|(u, m)| m * u * u)
        .sum();
    let away = dot(&variation.gradient, &mode) / (found.eigenvalue * inertia);
    // On its way from the equilibrium, not at it.
    if away.abs() > NEAR * model.length_scale() {
        return Ok(Stability::Moving);
    }
    Ok(Stability::Unstable(Instability {
        shape,
        eigenvalue: found.eigenvalue / bending,
        mode,
    }))
}
