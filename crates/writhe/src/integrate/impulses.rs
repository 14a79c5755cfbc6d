//! Contact forces found by solving the step again (Spillmann and Teschner 2008).
//!
//! Contact is not part of the matrix K of a Newton iteration. With the forces F of the last solve, the residual r they leave, and the
//! gaps g of the pairs with their derivatives C, one iteration is
//!
//! ```text
//! dq = -K^-1 r                            the step solved with the forces at hand
//! F + dF >= 0,   g + C (dq + K^-1 C^T dF) >= 0,   one of the two zero for each pair
//! ```
//!
//! and then q += dq + K^-1 C^T dF. Spillmann and Teschner correct pair after pair by the mass that it moves; pairs of one knot
//! share nodes and push on each other, so here all are corrected at once: the second line is the solution of a quadratic programme
//! in dF whose matrix, the compliance C K^-1 C^T, is known by its products. Each product is a solve with the factor at hand; the
//! masses scale it. Gaps, directions and residual are then evaluated anew, until forces balance and gaps are closed.

use super::error::StepError;
use super::newton::{
    Iterate, NewtonReport, assemble, balanced, correction, evaluate, foreseen, not_converged,
};
use super::problem::Problem;
use super::search::{Taken, longest_step, search};
use super::settings::{LineSearch, StepSettings};
use super::step::Workspace;
use crate::contact::step::Approach;
use crate::solve::bounded::{BoundedOptions, minimise};

/// Gap that the quadratic programme leaves, over the tolerance.
const PROGRAMME: f64 = 0.02;
/// Products with the compliance within one iteration.
const MAX_PRODUCTS: usize = 400;

/// As [`super::newton::solve`], with contact forces that are corrected between the solves until gaps are closed within `tolerance`, over
/// the radius.
pub(super) fn solve(
    problem: &Problem,
    tolerance: f64,
    settings: &StepSettings,
    iterate: &mut Iterate,
    ws: &mut Workspace,
) -> Result<NewtonReport, StepError> {
    let model = problem.model;
    let tolerance = tolerance * problem.length;
    let mut report = NewtonReport::default();
    let mut size = f64::INFINITY;
    let mut pairs = Vec::new();
    evaluate(problem, iterate, ws)?;
    for _ in 0..settings.max_iterations {
        let free = ws.contact.candidates().is_empty();
        let searched = StepSettings {
            line_search: if free {
                settings.line_search
            } else {
                LineSearch::None
            },
            ..*settings
        };
        assemble(problem, &iterate.y, None, ws)?;
        let (mut dq, _) = correction(problem, &searched, iterate, ws, &mut report)?;
        report.iterations += 1;
        ws.contact
            .approaches(model, &iterate.y, ws.contact.margin(), &mut pairs);
        report.krylov_iterations +=
            correct(problem, ws, &mut pairs, &mut dq, PROGRAMME * tolerance)?;
        ws.contact.take(&pairs);

        let longest = longest_step(problem, &iterate.y, ws, &dq);
        let Taken { alpha, natural } =
            search(problem, &searched, iterate, (&dq, None), longest, ws)?;
        if alpha < 1.0 {
            report.shortened += 1;
        }
        size = alpha * problem.size(&dq);
        ws.contact
            .approaches(model, &iterate.y, ws.contact.margin(), &mut pairs);
        let rounding = problem.rounding(&iterate.y, &ws.contact);
        let solved =
            size < settings.step_tolerance && balanced(problem, settings, iterate, ws, rounding);
        if pairs.iter().all(|pair| closed(pair, tolerance))
            && (solved
                || (foreseen(problem, settings, natural, ws)?
                    && balanced(problem, settings, iterate, ws, 0.0)))
        {
            return Ok(report);
        }
    }
    let depth = pairs.iter().fold(0.0, |d: f64, pair| d.max(-pair.gap));
    if depth > tolerance {
        return Err(StepError::NotKeptApart {
            iterations: report.iterations,
            depth: depth / problem.length,
            allowed: tolerance / problem.length,
        });
    }
    let done = (report.iterations, size);
    Err(not_converged(problem, settings, &iterate.y, done, ws))
}

/// The contact condition of one pair: touching if it pushes, not nearer in any case.
fn closed(pair: &Approach, tolerance: f64) -> bool {
    pair.gap >= -tolerance && (pair.force == 0.0 || pair.gap <= tolerance)
}

/// Corrects the forces of `pairs`, and `dq` with them, so that the gaps predicted by `dq` are closed within `tolerance`, m; returns the
/// number of solves.
fn correct(
    problem: &Problem,
    ws: &mut Workspace,
    pairs: &mut [Approach],
    dq: &mut [f64],
    tolerance: f64,
) -> Result<usize, StepError> {
    let rows = Rows::new(problem, pairs);
    let scaled = |(pair, d): (&Approach, &f64)| if *d > 0.0 { pair.force / d } else { 0.0 };
    let start: Vec<f64> = pairs.iter().zip(&rows.scale).map(scaled).collect();
    let mut x = start.clone();
    let mut gaps = vec![0.0; pairs.len()];
    rows.times(dq, &mut gaps);
    for ((gap, pair), d) in gaps.iter_mut().zip(pairs.iter()).zip(&rows.scale) {
        *gap += d * pair.gap;
    }
    let options = BoundedOptions {
        tolerance: tolerance * rows.smallest_scale(),
        max_products: MAX_PRODUCTS,
        norm: rows.norm(problem),
    };
    let mut moved = vec![0.0; dq.len()];
    let outcome = minimise(&mut x, &mut gaps, &options, |p, out| {
        rows.transposed(p, &mut moved);
        ws.system.solve_unchecked(&mut moved)?;
        rows.times(&moved, out);
        Ok(())
    })?;
    if outcome.products == 0 {
        return Ok(0);
    }
    for ((pair, x), d) in pairs.iter_mut().zip(&x).zip(&rows.scale) {
        pair.force = d * x;
    }
    let change: Vec<f64> = x.iter().zip(&start).map(|(x, start)| x - start).collect();
    rows.transposed(&change, &mut moved);
    ws.system.solve_unchecked(&mut moved)?;
    for (dq, moved) in dq.iter_mut().zip(&moved) {
        *dq += moved;
    }
    Ok(outcome.products + 1)
}

/// Derivatives of the gaps by the free unknowns, each scaled so that its pair has a compliance of 1 by its masses alone.
struct Rows {
    entries: Vec<([usize; 12], [f64; 12])>,
    /// Force over its scaled unknown, and scaled gap over gap, 1/sqrt(m/N); 0 for a pair of held nodes, which no force moves.
    scale: Vec<f64>,
}

impl Rows {
    fn new(problem: &Problem, pairs: &[Approach]) -> Self {
        let model = problem.model;
        let fixed = model.constraints.fixed();
        let rate_sq = problem.stage.rate * problem.stage.rate;
        let mut rows = Self {
            entries: Vec::with_capacity(pairs.len()),
            scale: Vec::with_capacity(pairs.len()),
        };
        for pair in pairs {
            let mut row = pair.direction;
            let mut compliance = 0.0;
            for (c, dof) in row.iter_mut().zip(&pair.dofs) {
                if fixed[*dof] {
                    *c = 0.0;
                } else {
                    compliance += *c * *c / (model.mass[*dof] * rate_sq);
                }
            }
            let scale = if compliance > 0.0 {
                1.0 / compliance.sqrt()
            } else {
                0.0
            };
            rows.entries.push((pair.dofs, row.map(|c| scale * c)));
            rows.scale.push(scale);
        }
        rows
    }

    fn smallest_scale(&self) -> f64 {
        let movable = self.scale.iter().filter(|d| **d > 0.0);
        movable.fold(f64::INFINITY, |m, d| m.min(*d))
    }

    /// `out = C q`.
    fn times(&self, q: &[f64], out: &mut [f64]) {
        for ((dofs, row), out) in self.entries.iter().zip(out) {
            *out = dofs.iter().zip(row).map(|(dof, c)| c * q[*dof]).sum();
        }
    }

    /// `out = C^T p`.
    fn transposed(&self, p: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for ((dofs, row), p) in self.entries.iter().zip(p) {
            for (dof, c) in dofs.iter().zip(row) {
                out[*dof] += c * p;
            }
        }
    }

    /// Upper bound of the compliance's largest eigenvalue by the masses alone, `|B|_1 |B|_inf` with `B = C M^-1/2`: elasticity only
    /// lowers it.
    fn norm(&self, problem: &Problem) -> f64 {
        let root = |dof: usize| problem.stage.rate * problem.model.mass[dof].sqrt();
        let mut columns = vec![0.0_f64; problem.model.topology.dofs];
        let mut widest = 0.0_f64;
        for (dofs, row) in &self.entries {
            let mut sum = 0.0;
            for (dof, c) in dofs.iter().zip(row) {
                let entry = c.abs() / root(*dof);
                sum += entry;
                columns[*dof] += entry;
            }
            widest = widest.max(sum);
        }
        widest * columns.iter().fold(0.0, |m: f64, c| m.max(*c))
    }
}
