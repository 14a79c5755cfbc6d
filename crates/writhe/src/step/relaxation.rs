//! Newton's method with contacts that are solved one by one: a start for many contacts.
//!
//! Where hundreds of contacts bear on each other, Newton's method goes a hundredth of each
//! correction: so stiff a contact opens, or a contact slips that sticks, after a ten thousandth of a
//! radius, and each correction turns some over. Here the unknowns are linear, contacts are not: about
//! an iterate y, with K the matrix without contact and g' the residual without it,
//!
//! ```text
//! K dq = -g' + sum over contacts of f_k w_k,     f_k by the laws, from gaps and slips linear in dq
//! ```
//!
//! ([`Site`](crate::contact::site::Site)). By the compliance W K^-1 W^T, which rods have each for
//! themselves, this is a problem in the forces alone ([`compliance`]). It is solved by nonlinear
//! Gauss-Seidel sweeps: each contact, or a few that are nearly one, finds the forces that balance it
//! exactly while the others keep theirs ([`sweeps`]), as solvers for Coulomb friction in hair do
//! (Daviet, Bertails-Descoubes and Boissieux 2011), there with a law that is not smooth. What the
//! rounds leave out are second derivatives of gaps and slips; so the iterate that they end at is
//! near the solution, where all contacts are in the state that they will have, and Newton's method
//! does the rest (decision 0068). Contacts that come to be too deep are made stiffer on the way, which
//! costs a round and not the whole step once more (decision 0076).

mod acceleration;
mod compliance;
mod crew;
mod sweeps;
mod tasks;

use super::contact::too_deep;
use super::correction::{Correction, Matrix};
use super::error::StepError;
use super::hardening::{Change, change_within};
use super::newton::Iterate;
use super::phases::Phase;
use super::residual::Residual;
use super::settings::{LineSearch, StepSettings};
use super::system::{Storage, System};
use crate::contact::site::{Site, blocks, forces};
use crate::contact_model::hardening::ContactId;
use crate::contact_model::policy::NormalForces;
use compliance::Compliance;
use std::collections::BTreeMap;
use sweeps::{Contacts, Sweeps};

/// Contacts between rods or with obstacles, at the first guess or where the step is expected to end,
/// from which on it begins so.
const MANY: usize = 100;
/// Linearisations.
const ROUNDS: usize = 8;
/// Factor by which the stiffness is raised farther than depths ask for: in a heap that lands loads
/// grow tenfold from step to step, and contacts that are deep when they are made stiffer need springs
/// with next to no room, a hundred times as stiff.
const RESERVE: f64 = 4.0;
/// Correction of a round, in radii, after which Newton's method goes on.
const NEAR: f64 = 1e-3;
/// Way to go until it acts, over the correction of the round before, beyond which a contact is left out
/// of a round: it counts again in the next one if it comes near (decision 0094).
const REACH: f64 = 0.5;
/// Most rows that may see one rod: its compliance is a full matrix.
const MOST_ON_A_ROD: usize = 3000;

/// Forces of contacts by their identity, from round to round.
type Kept = BTreeMap<(ContactId, u8), Vec<f64>>;

/// Whether a step begins so: with many contacts by an energy of the gap, friction that is solved for,
/// and rods that nothing couples but contact. Without friction Newton's method needs no such start.
/// Strands of one rod that lie along each other are the slowest for sweeps, so contacts of a rod with
/// itself are not counted: a plectoneme took minutes in place of 4 s (decision 0076).
pub(super) fn applies(residual: &Residual, settings: &StepSettings, iterate: &Iterate) -> bool {
    let model = residual.problem.model;
    let policy = model.contact.policy();
    settings.line_search == LineSearch::Automatic
        && matches!(policy.forces, NormalForces::OfGap)
        && !policy.barrier
        && !model.has_friction_by_direction()
        && iterate.drag.is_none()
        && !residual.contact.any_lags()
        && model.has_friction()
        && System::choose(model, false) == Storage::Rods
        && (residual.at.contact.count_between(model) >= MANY || lands_on_many(residual))
}

/// Whether there are many contacts where the step is expected to end.
fn lands_on_many(residual: &Residual) -> bool {
    let problem = residual.problem;
    let (expected, stiffness) = (problem.target, problem.contact_stiffness);
    (residual.contact).count_between_at(problem.model, expected, stiffness) >= MANY
}

/// What a round came to.
struct Moved {
    /// Size of its correction, in radii.
    size: f64,
    /// Stiffness that contacts need which came to be too deep, N m.
    stiffness: Option<f64>,
}

/// What all rounds came to.
pub(super) struct Relaxed {
    /// What became of the stiffness of contact, if it was raised.
    pub change: Option<Change>,
    /// Whether the iterate was moved.
    pub moved: bool,
}

/// Moves the iterate near to the solution; where that fails it stays, evaluated.
pub(super) fn relax(
    residual: &mut Residual,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
) -> Result<Relaxed, StepError> {
    let mut best = (f64::INFINITY, iterate.clone());
    let (mut kept, mut change) = (Kept::new(), None);
    let mut reach = f64::INFINITY;
    for _ in 0..ROUNDS {
        let moved = round(residual, iterate, matrix, &mut kept, reach)?;
        let Some(Moved { size, stiffness }) = moved else {
            // Newton's method from where the rounds were nearest, or where it would have begun.
            *iterate = best.1;
            residual.evaluate(iterate)?;
            break;
        };
        reach = REACH * size;
        if size <= best.0 {
            best = (size, iterate.clone());
        }
        if let Some(stiffness) = stiffness {
            change = Some(change_within(residual, stiffness)?);
            residual.evaluate(iterate)?;
        } else if size < NEAR {
            break;
        }
    }
    let moved = best.0.is_finite();
    Ok(Relaxed { change, moved })
}

/// One linearisation, solved, and the iterate moved; of contacts that act or may within `reach` radii.
/// `None` if the sweeps grow, or if a rod has too many contacts.
fn round(
    residual: &mut Residual,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
    kept: &mut Kept,
    reach: f64,
) -> Result<Option<Moved>, StepError> {
    let problem = residual.problem;
    let (model, fixed) = (problem.model, problem.model.constraints.fixed());
    matrix.assemble(residual, &iterate.y, None)?;
    let clock = matrix.phases.start();
    let at = residual.at.trial(model, problem.stage, &iterate.y);
    let mut sites = (residual.contact).sites(model, &at, problem.contact_stiffness);
    sites.retain(|site| site.distance_to_act() <= reach * problem.length);
    let blocks = blocks(model, &mut sites);
    // -g' = -g less what contact exerts at the iterate.
    let mut rhs: Vec<f64> = residual.at.residual.iter().map(|g| -g).collect();
    let present = forces(&sites);
    push(&sites, &present, -1.0, fixed, &mut rhs);
    let mut free = rhs.clone();
    matrix.system.solve_unchecked(&mut free)?;
    let found = Compliance::new(model, &sites, &matrix.system, &free, MOST_ON_A_ROD)?;
    let Some(mut compliance) = found else {
        return Ok(None);
    };
    let mut forces = match kept.is_empty() {
        true => present,
        false => recall(&sites, kept),
    };
    compliance.push_all(&forces);
    let contacts = Contacts {
        sites: &sites,
        blocks: &blocks,
        length: problem.length,
    };
    let ended = contacts.sweep(&compliance, &mut forces, residual)?;
    remember(&sites, &forces, kept);
    push(&sites, &forces, 1.0, fixed, &mut rhs);
    let mut dq = rhs;
    matrix.system.solve_unchecked(&mut dq)?;
    matrix.phases.stop(Phase::Solve, clock);
    let size = problem.size(&dq);
    if ended == Sweeps::Grew || !size.is_finite() {
        return Ok(None);
    }
    let stiffness = match ended {
        Sweeps::Settled => wanted_stiffness(residual, &sites, &compliance, size)?,
        // Depths say nothing yet.
        Sweeps::Fell | Sweeps::Grew => None,
    };
    let longest = residual.longest_step(&iterate.y, &dq);
    let (from, correction) = (
        iterate.clone(),
        Correction {
            dq,
            drag: None,
            natural: None,
        },
    );
    iterate.move_along(&problem, &from, longest, &correction);
    residual.evaluate(iterate)?;
    Ok(Some(Moved { size, stiffness }))
}

/// The stiffness that contacts need which have come to be too deep, N m, by a correction of `size`
/// radii.
fn wanted_stiffness(
    residual: &Residual,
    sites: &[Site],
    compliance: &Compliance,
    size: f64,
) -> Result<Option<f64>, StepError> {
    let (mut contacts, mut row) = (Vec::new(), 0);
    for site in sites {
        contacts.extend(site.penetration(site.gap + compliance.value(row)));
        row += site.count();
    }
    // Gaps that are linear are off by about this: thin rods that fly by many radii would look deep.
    let uncertain = 0.5 * size * size;
    let deep = too_deep(residual, &contacts)?.filter(|deep| deep.depth > deep.allowed + uncertain);
    Ok(deep.map(|deep| RESERVE * deep.stiffness))
}

/// The forces that contacts had in the last round, zero of those that are new.
fn recall(sites: &[Site], kept: &Kept) -> Vec<f64> {
    let known = |site: &Site| kept.get(&site.id).filter(|f| f.len() == site.count());
    let forces = sites.iter().flat_map(|site| match known(site) {
        Some(forces) => forces.clone(),
        None => vec![0.0; site.count()],
    });
    forces.collect()
}

fn remember(sites: &[Site], forces: &[f64], kept: &mut Kept) {
    kept.clear();
    let mut rest = forces;
    for site in sites {
        let (own, others) = rest.split_at(site.count());
        // Those that push.
        if own[0] > 0.0 {
            kept.insert(site.id, own.to_vec());
        }
        rest = others;
    }
}

/// Adds so many times the forces of contacts to those on free unknowns.
fn push(sites: &[Site], forces: &[f64], by: f64, fixed: &[bool], out: &mut [f64]) {
    let rows = sites.iter().flat_map(Site::rows);
    for (row, force) in rows.zip(forces) {
        for (dof, v) in row.terms.iter().filter(|(dof, _)| !fixed[*dof]) {
            out[*dof] += by * force * v;
        }
    }
}

#[cfg(test)]
mod tests;
