//! The forces that close gaps, by the linear response of a step to them.
//!
//! A step with displacements dq to come answers more forces dF by `K^-1 C^T dF`, with C the
//! derivatives of the gaps g. Wanted are
//!
//! ```text
//! F + dF >= 0,   g + C (dq + K^-1 C^T dF) >= 0,   one of the two zero for each pair
//! ```
//!
//! a quadratic programme in dF, known by products; each is one solve with K, and the masses scale
//! it.

use crate::contact::frame::Approach;
use crate::solve::SolveError;
use crate::solve::bounded::{BoundedOptions, minimise};
use crate::step::error::StepError;

/// Gap that the quadratic programme leaves, over the tolerance.
const PROGRAMME: f64 = 0.02;
/// Products with the compliance within one correction.
const MAX_PRODUCTS: usize = 400;

/// How unknowns answer forces by their masses alone.
#[derive(Debug, Clone, Default)]
pub(in crate::step) struct MassCompliance {
    /// By how much a force on an unknown moves it, m/N, `(dofs)`; 0 if it is held or moves with a
    /// body.
    pub own: Vec<f64>,
    /// Of unknowns that move with a body, `(dofs)`: the body's first unknown, and six numbers
    /// whose products with those of another are the answer of the one to a force on the other;
    /// empty without bodies.
    pub carried: Vec<Option<(usize, [f64; 6])>>,
}

impl MassCompliance {
    /// Without bodies.
    pub fn of_nodes(own: Vec<f64>) -> Self {
        Self {
            own,
            carried: Vec::new(),
        }
    }

    fn carries(&self, dof: usize) -> Option<&(usize, [f64; 6])> {
        self.carried.get(dof)?.as_ref()
    }

    /// Of a force along a row, its parts by bodies: first unknown of the body, and its six numbers.
    fn at_bodies(&self, dofs: &[usize; 12], row: &[f64; 12]) -> Vec<(usize, [f64; 6])> {
        let mut sums: Vec<(usize, [f64; 6])> = Vec::new();
        for (dof, c) in dofs.iter().zip(row) {
            let Some((body, by)) = self.carries(*dof) else {
                continue;
            };
            let place = sums.iter().position(|(known, _)| known == body);
            let place = place.unwrap_or_else(|| {
                sums.push((*body, [0.0; 6]));
                sums.len() - 1
            });
            for (sum, by) in sums[place].1.iter_mut().zip(by) {
                *sum += c * by;
            }
        }
        sums
    }

    /// By how much a row moves under a unit of force along it, m/N; entries of the row that nothing
    /// moves become 0.
    pub fn of_row(&self, dofs: &[usize; 12], row: &mut [f64; 12]) -> f64 {
        let mut compliance = 0.0;
        for (c, dof) in row.iter_mut().zip(dofs) {
            if self.own[*dof] > 0.0 {
                compliance += *c * *c * self.own[*dof];
            } else if self.carries(*dof).is_none() {
                // Held: no force moves it, so the programme must not count on it.
                *c = 0.0;
            }
        }
        for (_, six) in self.at_bodies(dofs, row) {
            compliance += six.iter().map(|v| v * v).sum::<f64>();
        }
        compliance
    }
}

/// The contact condition of one pair: touching if it pushes, not nearer in any case.
pub(in crate::step) fn closed(pair: &Approach, tolerance: f64) -> bool {
    pair.gap >= -tolerance && (pair.force == 0.0 || pair.gap <= tolerance)
}

/// Corrects the forces of `pairs`, and `dq` with them, so that the gaps predicted by `dq` are
/// closed within a part of `tolerance`, m; returns the number of solves. `respond` turns forces
/// into displacements, `x <- K^-1 x`, and is no softer than the masses, `mass_compliance`.
pub(in crate::step) fn correct(
    pairs: &mut [Approach],
    mass_compliance: &MassCompliance,
    dq: &mut [f64],
    tolerance: f64,
    mut respond: impl FnMut(&mut [f64]) -> Result<(), SolveError>,
) -> Result<usize, StepError> {
    let rows = Rows::new(pairs, mass_compliance);
    // x = F/d, with d the scale of the row.
    let scaled = |(pair, d): (&Approach, &f64)| if *d > 0.0 { pair.force / d } else { 0.0 };
    let start: Vec<f64> = pairs.iter().zip(&rows.scale).map(scaled).collect();
    let mut x = start.clone();
    // Gradient of the programme at the forces at hand: d (g + C dq).
    let mut gaps = vec![0.0; pairs.len()];
    rows.times(dq, &mut gaps);
    for ((gap, pair), d) in gaps.iter_mut().zip(pairs.iter()).zip(&rows.scale) {
        *gap += d * pair.gap;
    }
    let options = BoundedOptions {
        // Gradients are d times gaps: with the smallest d all gaps are within the tolerance.
        tolerance: PROGRAMME * tolerance * rows.smallest_scale(),
        max_products: MAX_PRODUCTS,
        norm: rows.norm(mass_compliance),
    };
    let mut moved = vec![0.0; dq.len()];
    // A p = d C K^-1 C^T d p
    let outcome = minimise(&mut x, &mut gaps, &options, |p, out| {
        rows.transposed(p, &mut moved);
        respond(&mut moved)?;
        rows.times(&moved, out);
        Ok(())
    })?;
    if outcome.products == 0 {
        return Ok(0);
    }
    for ((pair, x), d) in pairs.iter_mut().zip(&x).zip(&rows.scale) {
        pair.force = d * x;
    }
    // dq += K^-1 C^T dF
    let change: Vec<f64> = x.iter().zip(&start).map(|(x, start)| x - start).collect();
    rows.transposed(&change, &mut moved);
    respond(&mut moved)?;
    for (dq, moved) in dq.iter_mut().zip(&moved) {
        *dq += moved;
    }
    Ok(outcome.products + 1)
}

/// Derivatives of the gaps by the free unknowns, each scaled so that its pair has a compliance of 1
/// by its masses alone.
struct Rows {
    entries: Vec<([usize; 12], [f64; 12])>,
    /// Force over its scaled unknown, and scaled gap over gap, 1/sqrt(m/N); 0 for a pair of held
    /// nodes, which no force moves.
    scale: Vec<f64>,
}

impl Rows {
    fn new(pairs: &[Approach], mass_compliance: &MassCompliance) -> Self {
        let mut rows = Self {
            entries: Vec::with_capacity(pairs.len()),
            scale: Vec::with_capacity(pairs.len()),
        };
        for pair in pairs {
            let mut row = pair.direction;
            let compliance = mass_compliance.of_row(&pair.dofs, &mut row);
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

    /// Upper bound of the compliance's largest eigenvalue by the masses alone, `|B|_1 |B|_inf` with
    /// `B = C M^-1/2`: elasticity only lowers it.
    fn norm(&self, mass_compliance: &MassCompliance) -> f64 {
        let mut columns = vec![0.0_f64; mass_compliance.own.len()];
        let mut widest = 0.0_f64;
        for (dofs, row) in &self.entries {
            let mut sum = 0.0;
            for (dof, c) in dofs.iter().zip(row) {
                let entry = c.abs() * mass_compliance.own[*dof].sqrt();
                sum += entry;
                columns[*dof] += entry;
            }
            for (body, six) in mass_compliance.at_bodies(dofs, row) {
                for (k, entry) in six.into_iter().enumerate() {
                    sum += entry.abs();
                    columns[body + k] += entry.abs();
                }
            }
            widest = widest.max(sum);
        }
        widest * columns.iter().fold(0.0, |m: f64, c| m.max(*c))
    }
}
