//! Whether the parameter that is followed changes anything.

use writhe::follow::{Family, Member};
use writhe::observe::observe;
use writhe::state::State;
use writhe::statics::Statics;

/// Where the parameter is looked at, as parts of its way: no whole parts of a period.
const PARTS: [f64; 3] = [0.0, 0.37, 1.0];
/// Strain that rounding can leave.
const ROUNDING: f64 = 1e-13;
/// Relative difference up to which two energies are the same.
const SAME: f64 = 1e-12;

/// What an equilibrium notices of the parameter.
struct Noticed {
    /// Forces that are out of balance.
    residual: Vec<f64>,
    /// What rounding can make of them.
    rounding: f64,
    /// Elastic energy, and that of loads and contact, J.
    energy: f64,
    /// What rounding can make of it.
    least: f64,
}

impl Noticed {
    fn at(family: &dyn Family, state: &State, parameter: f64) -> Option<Self> {
        let Member { model, time } = family.at(parameter).ok()?;
        if model.topology.dofs != state.q.len() {
            return None;
        }
        let mut trial = state.clone();
        trial.time = time;
        let (frames, q) = (&state.frames, &state.q);
        let span = [state.time, time];
        (model.constraints).apply(&model.topology, frames, q, span, &mut trial.q);
        let statics = Statics::at(&model, &trial).ok()?;
        let seen = observe(&model, &trial).ok()?;
        let stiffest = statics.stiffness.iter().map(|(.., k)| k.abs());
        let edge = model.rest_length.iter().copied().fold(0.0, f64::max);
        let force = stiffest.fold(0.0, f64::max) * edge;
        let length: f64 = model.rest_length.iter().sum();
        let elastic = seen.elastic.stretch + seen.elastic.bend + seen.elastic.twist;
        Some(Self {
            residual: statics.residual,
            rounding: ROUNDING * force,
            energy: elastic + seen.load_potential + seen.contact_energy,
            least: ROUNDING * ROUNDING * force * length,
        })
    }

    fn is_like(&self, other: &Self) -> bool {
        let mut pairs = self.residual.iter().zip(&other.residual);
        let energy = (self.energy - other.energy).abs();
        pairs.all(|(a, b)| (a - b).abs() <= self.rounding.max(other.rounding))
            && energy <= (SAME * self.energy.abs()).max(self.least.max(other.least))
    }
}

/// Whether this equilibrium remains one, with the same energy, all the way of the parameter: then
/// nothing is followed. Not known, and so denied, where a model cannot be made.
pub fn has_none(family: &dyn Family, state: &State, [from, to]: [f64; 2]) -> bool {
    let at = PARTS.map(|part| Noticed::at(family, state, from + part * (to - from)));
    let [Some(first), Some(middle), Some(last)] = at else {
        return false;
    };
    first.is_like(&middle) && first.is_like(&last)
}
