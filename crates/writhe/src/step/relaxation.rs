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
//! exactly while the others keep theirs ([`Balance`]), as solvers for Coulomb friction in hair do
//! (Daviet, Bertails-Descoubes and Boissieux 2011), there with a law that is not smooth. What the
//! rounds leave out are second derivatives of gaps and slips; so the iterate that they end at is
//! near the solution, where all contacts are in the state that they will have, and Newton's method
//! does the rest (decision 0068).

mod compliance;

use super::correction::{Correction, Matrix};
use super::error::StepError;
use super::newton::Iterate;
use super::phases::Phase;
use super::residual::Residual;
use super::settings::{LineSearch, StepSettings};
use super::system::{Storage, System};
use crate::contact::site::{Balance, Block, MOST_ROWS, Rows, Site, Square, at_trial, blocks};
use crate::contact_model::hardening::ContactId;
use crate::contact_model::policy::NormalForces;
use crate::model::Model;
use compliance::Compliance;
use std::collections::BTreeMap;

/// Contacts at the first guess from which on a step begins so.
const MANY: usize = 100;
/// Linearisations, and sweeps in each.
const ROUNDS: usize = 5;
const SWEEPS: usize = 100;
/// Motion of surfaces in a sweep, in radii, at which sweeps end: a fiftieth of what sticks before it
/// slips, so that few contacts are still to turn.
const STILL: f64 = 3e-6;
/// The same over that of the first sweep: what is linearised anew need not be exact.
const STILL_BEFORE: f64 = 1e-3;
/// Correction of a round, in radii, after which Newton's method goes on.
const NEAR: f64 = 1e-5;
/// Most rows that may see one rod: its compliance is a full matrix.
const MOST_ON_A_ROD: usize = 3000;

/// Forces of contacts by their identity, from round to round.
type Kept = BTreeMap<(ContactId, u8), Vec<f64>>;

/// Whether a step begins so: with many contacts by an energy of the gap, friction that is solved for,
/// and rods that nothing couples but contact.
pub(super) fn applies(residual: &Residual, settings: &StepSettings, iterate: &Iterate) -> bool {
    let model = residual.problem.model;
    let policy = model.contact.policy();
    settings.line_search == LineSearch::Automatic
        && residual.at.contact.count() >= MANY
        && matches!(policy.forces, NormalForces::OfGap)
        && !policy.barrier
        && !model.has_friction_by_direction()
        && iterate.fluid_force.is_none()
        && !residual.contact.any_lags()
        && System::choose(model, false) == Storage::Band
}

/// Moves the iterate near to the solution; where that fails it stays, evaluated.
pub(super) fn relax(
    residual: &mut Residual,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
) -> Result<(), StepError> {
    let from = iterate.clone();
    let mut kept = Kept::new();
    for _ in 0..ROUNDS {
        match round(residual, iterate, matrix, &mut kept)? {
            Some(size) if size < NEAR => break,
            Some(_) => {}
            // Newton's method from where it would have begun.
            None => {
                *iterate = from;
                return residual.evaluate(iterate);
            }
        }
    }
    Ok(())
}

/// One linearisation, solved, and the iterate moved: the size of the correction, in radii. `None` if
/// the sweeps grow, or if a rod has too many contacts.
fn round(
    residual: &mut Residual,
    iterate: &mut Iterate,
    matrix: &mut Matrix,
    kept: &mut Kept,
) -> Result<Option<f64>, StepError> {
    let problem = residual.problem;
    let (model, fixed) = (problem.model, problem.model.constraints.fixed());
    matrix.assemble(residual, &iterate.y, None)?;
    let clock = matrix.phases.start();
    let at = residual.at.trial(model, problem.stage, &iterate.y);
    let mut sites = (residual.contact).sites(model, &at, problem.contact_stiffness);
    let blocks = blocks(model, &mut sites);
    // -g' = -g less what contact exerts at the iterate.
    let mut rhs: Vec<f64> = residual.at.residual.iter().map(|g| -g).collect();
    let present = at_trial(&sites, model);
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
    let sweeps = Sweeps {
        sites: &sites,
        blocks: &blocks,
        length: problem.length,
    };
    let settled = sweeps.run(model, &mut compliance, &mut forces, residual)?;
    remember(&sites, &forces, kept);
    push(&sites, &forces, 1.0, fixed, &mut rhs);
    let mut dq = rhs;
    matrix.system.solve_unchecked(&mut dq)?;
    matrix.phases.stop(Phase::Solve, clock);
    let size = problem.size(&dq);
    if !settled || !size.is_finite() {
        return Ok(None);
    }
    let longest = residual.longest_step(&iterate.y, &dq);
    let (from, correction) = (
        iterate.clone(),
        Correction {
            dq,
            df: None,
            natural: None,
        },
    );
    iterate.move_along(&problem, &from, longest, &correction);
    residual.evaluate(iterate)?;
    Ok(Some(size))
}

/// Sweeps over the contacts.
struct Sweeps<'a> {
    sites: &'a [Site],
    blocks: &'a [Block],
    /// A radius, m.
    length: f64,
}

impl Sweeps<'_> {
    /// Brings the forces into balance, forwards and backwards in turn. Whether motions became less.
    fn run(
        &self,
        model: &Model,
        compliance: &mut Compliance,
        forces: &mut [f64],
        residual: &Residual,
    ) -> Result<bool, StepError> {
        let own: Vec<Box<Square>> = (self.blocks.iter())
            .map(|block| compliance.among(block.rows.clone()))
            .collect();
        let (mut first, mut last) = (None, f64::INFINITY);
        for sweep in 0..SWEEPS {
            residual.check_poll()?;
            let mut moved = 0.0_f64;
            for k in 0..self.blocks.len() {
                let k = match sweep % 2 {
                    0 => k,
                    _ => self.blocks.len() - 1 - k,
                };
                moved = moved.max(self.visit(k, model, &own[k], compliance, forces));
            }
            last = moved / self.length;
            let first = *first.get_or_insert(last);
            if last <= STILL.max(STILL_BEFORE * first) {
                return Ok(true);
            }
        }
        // NaN is no less.
        Ok(first.is_some_and(|first| last < first))
    }

    /// Brings the forces of a block into balance; returns by how much that moves surfaces, m.
    fn visit(
        &self,
        k: usize,
        model: &Model,
        own: &Square,
        compliance: &mut Compliance,
        forces: &mut [f64],
    ) -> f64 {
        let Block { sites, rows } = &self.blocks[k];
        let (n, before) = (rows.len(), &mut forces[rows.clone()]);
        let mut y: Rows = [0.0; MOST_ROWS];
        y[..n].copy_from_slice(before);
        // The rows without these forces.
        let mut free: Rows = [0.0; MOST_ROWS];
        for (i, row) in rows.clone().enumerate() {
            let by_own: f64 = (0..n).map(|j| own[j][i] * y[j]).sum();
            free[i] = compliance.value(row) - by_own;
        }
        let balance = Balance {
            sites: &self.sites[sites.clone()],
            model,
            n,
            free,
            own,
        };
        balance.find(&mut y);
        let mut moved: Rows = [0.0; MOST_ROWS];
        for (j, row) in rows.clone().enumerate() {
            let change = y[j] - before[j];
            if change != 0.0 {
                compliance.push(row, change);
                for i in 0..n {
                    moved[i] += change * own[j][i];
                }
            }
        }
        before.copy_from_slice(&y[..n]);
        moved.iter().fold(0.0, |most: f64, m| most.max(m.abs()))
    }
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
