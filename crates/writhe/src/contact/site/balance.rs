//! The balance of a few contacts while all others keep their forces.
//!
//! With the rows' values `xi = xi_0 + A y`, A being their compliance, and normal forces given for
//! friction, the forces y are where
//!
//! ```text
//! y . A y/2 + sum V(gap) + sum P(s)/rate
//! ```
//!
//! is least, V being the energies of the contacts and P the potential of friction by the slip. It is
//! convex, since V and P are, so that Newton's method with a line search finds y from anywhere.

use super::{Site, SlipSite};
use crate::contact_model::law::Response;
use crate::kernels::friction::Stick;
use crate::kernels::friction::traction::Weight;
use crate::model::Model;

/// Most rows that are solved for at once.
pub(crate) const MOST_ROWS: usize = 26;
/// Iterations, of which two to four are the rule.
const MOST_ITERATIONS: usize = 40;
/// Those with whole corrections, before the sum must fall.
const WHOLE: usize = 16;
/// Halvings of a correction.
const MOST_HALVINGS: usize = 12;
/// Imbalance over the largest force at which it is solved.
const ACCURACY: f64 = 1e-6;
/// Most times that friction sees other normal forces, and the change of forces, over the largest, up to
/// which it need not. Another visit costs more, since it reads the compliance; and contacts that are
/// left before their forces settle go to and fro from sweep to sweep (decision 0093).
const PASSES: usize = 8;
const ALIKE: f64 = 1e-4;
/// Part of the sum that counts as none.
const ROUNDING: f64 = 1e-12;

/// One number for each of at most M rows.
type Rows<const M: usize> = [f64; M];

/// Friction through one edge by its slip: `f = -B s` with the potential P.
struct Drag {
    /// B.
    factor: f64,
    /// B'/|s|.
    slope: f64,
    /// P, of which f is minus the derivative.
    potential: f64,
}

impl Drag {
    fn new(slip: &SlipSite, normal: f64, length: f64) -> Self {
        let (weight, c) = match slip.law.stick {
            Stick::Creep { tolerance } => (Weight::Tanh, tolerance),
            Stick::Anchor { length, .. } => (Weight::Cubic, length),
        };
        let (most, x) = (slip.law.coefficient * slip.share * normal, length / c);
        let (ratio, slope) = weight.ratio(x);
        Self {
            factor: most * ratio / c,
            slope: most * slope / (c * c * c),
            potential: most * c * weight.integral(x),
        }
    }
}

/// The forces of sites at the trial that they were made of, row by row.
pub(crate) fn at_trial(sites: &[Site], model: &Model) -> Vec<f64> {
    let mut forces = Vec::new();
    for site in sites {
        let normal = site.response(model, site.gap).force;
        forces.push(normal);
        for slip in &site.slips {
            let drag = Drag::new(slip, normal, slip.slip.length());
            forces.extend((-drag.factor * slip.slip).to_array());
        }
    }
    forces
}

/// What contacts answer to the values of their rows.
struct Answer<const M: usize> {
    /// Forces.
    force: Rows<M>,
    /// Of a gap its stiffness; of the first row of a slip `rate B`, of the second `rate B'/|s|`.
    slope: Rows<M>,
    /// Slips.
    slip: Rows<M>,
    /// The sum of potentials.
    potential: f64,
}

/// Contacts that are solved for at once.
#[derive(Clone, Copy)]
pub(crate) struct Balance<'a> {
    pub sites: &'a [Site],
    pub model: &'a Model,
    /// Values of the rows without any of their forces.
    pub free: &'a [f64],
    /// Their compliance: change of row i by the force on row j at `j n + i`.
    pub own: &'a [f64],
}

impl Balance<'_> {
    /// Brings forces into balance. Friction sees the normal forces that are given, so that once more
    /// follows where these change; where they still do after that, the next visit goes on.
    pub fn find(&self, y: &mut [f64]) {
        match y.len() {
            0..=3 => Few::<3>(self).find(y),
            4..=6 => Few::<6>(self).find(y),
            7..=12 => Few::<12>(self).find(y),
            _ => Few::<MOST_ROWS>(self).find(y),
        }
    }
}

/// Brings forces to what contacts can exert: normal forces that push, and friction that they allow.
pub(crate) fn admit(sites: &[Site], y: &mut [f64]) {
    let mut normals = [0.0; MOST_ROWS];
    let mut row = 0;
    for (site, normal) in sites.iter().zip(&mut normals) {
        *normal = y[row].max(0.0);
        row += site.count();
    }
    clamp(sites, &normals, y);
}

/// Keeps normal forces and friction within what they can be with these normal forces.
fn clamp(sites: &[Site], normals: &[f64], y: &mut [f64]) {
    let mut row = 0;
    for (site, normal) in sites.iter().zip(normals) {
        y[row] = y[row].max(0.0);
        row += 1;
        for slip in &site.slips {
            let most = slip.law.coefficient * slip.share * normal;
            let size = y[row].hypot(y[row + 1]);
            if size > most {
                y[row] *= most / size;
                y[row + 1] *= most / size;
            }
            row += 2;
        }
    }
}

/// Contacts of at most M rows: most blocks have few, and what is not there costs nothing.
struct Few<'a, const M: usize>(&'a Balance<'a>);

impl<const M: usize> Few<'_, M> {
    fn find(&self, forces: &mut [f64]) {
        let n = forces.len();
        let mut y: Rows<M> = [0.0; M];
        y[..n].copy_from_slice(forces);
        for _ in 0..PASSES {
            let before = y;
            self.solve(n, &mut y);
            let changes = y.iter().zip(&before).map(|(y, b)| (y - b).abs());
            if changes.fold(0.0, f64::max) <= ALIKE * largest(&y) {
                break;
            }
        }
        forces.copy_from_slice(&y[..n]);
    }

    fn solve(&self, n: usize, y: &mut Rows<M>) {
        let normals = self.normals(y);
        let mut at = self.answer(n, &normals, y);
        let mut matrix = [[0.0; M]; M];
        for iteration in 0..MOST_ITERATIONS {
            // (1 + D A) dy = f - y.
            let mut dy: Rows<M> = std::array::from_fn(|i| at.force[i] - y[i]);
            if largest(&dy) <= ACCURACY * largest(&at.force).max(largest(y)) {
                return;
            }
            let whole = iteration < WHOLE;
            self.fill(n, &at, y, whole, &mut matrix);
            eliminate(&mut matrix, &mut dy, n);
            if whole {
                for (y, dy) in y.iter_mut().zip(&dy) {
                    *y += dy;
                }
                clamp(self.0.sites, &normals, y);
                at = self.answer(n, &normals, y);
            } else {
                match self.descend(n, &normals, &at, y, &dy) {
                    Some(found) => (*y, at) = found,
                    // Nothing lower: what is left is rounding.
                    None => return,
                }
            }
        }
    }

    /// `1 + D A`, D = -df/dxi: of a gap its stiffness, of a slip `rate (B + (B'/|s|) s s^T)`, or in
    /// whole corrections, with the force in place of one s,
    ///
    /// ```text
    /// rate (B - (B'/(B |s|)) y s^T),
    /// ```
    ///
    /// which turns from sticking to slipping without going to and fro
    /// (`kernels/friction/steering.rs`).
    fn fill(&self, n: usize, at: &Answer<M>, y: &Rows<M>, whole: bool, matrix: &mut [Rows<M>; M]) {
        let own = self.0.own;
        let mut row = 0;
        for site in self.0.sites {
            for j in 0..n {
                matrix[row][j] = at.slope[row] * own[j * n + row];
            }
            row += 1;
            for slip in &site.slips {
                let (drag, slope) = (at.slope[row], at.slope[row + 1]);
                let s = [at.slip[row], at.slip[row + 1]];
                let (by, v) = match whole && drag > 0.0 {
                    true => (-slope / drag * slip.rate, [y[row], y[row + 1]]),
                    false => (slope, s),
                };
                for j in 0..n {
                    let a = [own[j * n + row], own[j * n + row + 1]];
                    let along = by * (s[0] * a[0] + s[1] * a[1]);
                    matrix[row][j] = drag * a[0] + along * v[0];
                    matrix[row + 1][j] = drag * a[1] + along * v[1];
                }
                row += 2;
            }
        }
        for (i, row) in matrix.iter_mut().enumerate().take(n) {
            row[i] += 1.0;
        }
    }

    /// The farthest point along `dy`, by halves, where the sum is lower.
    fn descend(
        &self,
        n: usize,
        normals: &Rows<M>,
        at: &Answer<M>,
        y: &Rows<M>,
        dy: &Rows<M>,
    ) -> Option<(Rows<M>, Answer<M>)> {
        let mut alpha = 1.0;
        for _ in 0..MOST_HALVINGS {
            let trial: Rows<M> = std::array::from_fn(|i| y[i] + alpha * dy[i]);
            let next = self.answer(n, normals, &trial);
            if next.potential <= at.potential + ROUNDING * at.potential.abs() {
                return Some((trial, next));
            }
            alpha *= 0.5;
        }
        None
    }

    /// The normal force of each site.
    fn normals(&self, y: &Rows<M>) -> Rows<M> {
        let mut normals = [0.0; M];
        let mut row = 0;
        for (site, normal) in self.0.sites.iter().zip(&mut normals) {
            *normal = y[row].max(0.0);
            row += site.count();
        }
        normals
    }

    fn answer(&self, n: usize, normals: &Rows<M>, y: &Rows<M>) -> Answer<M> {
        let free = self.0.free;
        let mut moved: Rows<M> = [0.0; M];
        for (column, y) in self.0.own.chunks_exact(n).zip(y) {
            for (moved, a) in moved.iter_mut().zip(column) {
                *moved += a * y;
            }
        }
        let mut at = Answer {
            force: [0.0; M],
            slope: [0.0; M],
            slip: [0.0; M],
            potential: 0.5
                * y.iter()
                    .zip(&moved)
                    .map(|(y, moved)| y * moved)
                    .sum::<f64>(),
        };
        let mut row = 0;
        for (site, normal) in self.0.sites.iter().zip(normals) {
            let gap = site.gap + free[row] + moved[row];
            let Response {
                energy,
                force,
                stiffness,
            } = site.response(self.0.model, gap);
            at.potential += energy;
            (at.force[row], at.slope[row]) = (force, stiffness);
            row += 1;
            for slip in &site.slips {
                let value = |k: usize| free[row + k] + moved[row + k];
                let s = [0, 1].map(|k| slip.slip[k] + slip.rate * value(k));
                let drag = Drag::new(slip, *normal, s[0].hypot(s[1]));
                at.potential += drag.potential / slip.rate;
                for (k, s) in s.into_iter().enumerate() {
                    at.slip[row + k] = s;
                    at.force[row + k] = -drag.factor * s;
                }
                at.slope[row] = slip.rate * drag.factor;
                at.slope[row + 1] = slip.rate * drag.slope;
                row += 2;
            }
        }
        at
    }
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |most, v| most.max(v.abs()))
}

/// Gaussian elimination without exchanges: the matrix is the identity plus a product of two that are
/// positive semidefinite.
fn eliminate<const M: usize>(matrix: &mut [Rows<M>; M], x: &mut Rows<M>, n: usize) {
    for k in 0..n {
        let (above, below) = matrix.split_at_mut(k + 1);
        let pivot = &above[k];
        let reciprocal = 1.0 / pivot[k];
        for (i, row) in (k + 1..n).zip(below) {
            let factor = row[k] * reciprocal;
            if factor != 0.0 {
                for (entry, p) in row[k..n].iter_mut().zip(&pivot[k..n]) {
                    *entry -= factor * p;
                }
                x[i] -= factor * x[k];
            }
        }
    }
    for k in (0..n).rev() {
        for i in k + 1..n {
            x[k] -= matrix[k][i] * x[i];
        }
        x[k] /= matrix[k][k];
    }
}
