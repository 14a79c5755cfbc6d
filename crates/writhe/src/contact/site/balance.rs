//! The balance of a few contacts while all others keep their forces.
//!
//! With the rows' values `xi = xi_0 + A y`, A being their compliance, and normal forces given for
//! friction, the forces y are where
//!
//! ```text
//! y . A y/2 + sum V(gap) + sum P(s)/rate
//! ```
//!
//! is least (decision 0068), V being the energies of the contacts and P the potential of friction by the slip. It is
//! convex, since V and P are, so that Newton's method with a line search finds y from anywhere. Normal
//! forces follow y: most often in each iteration, else from one such y to the next (decision 0094).

use glam::DVec2;

use super::Contact;
use super::contact::Drag;
use crate::contact_model::law::Response;

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
/// Iterations in which friction sees the normal forces of the iteration before, and imbalance over the
/// largest force at which these end: two in a hundred blocks do not settle so (decision 0094).
const TOGETHER: usize = 12;
const BALANCED: f64 = 1e-5;
/// For those: most times that friction sees other normal forces, and the change of forces, over the
/// largest, up to which it need not. Another visit costs more, since it reads the compliance; and
/// contacts that are left before their forces settle go to and fro from sweep to sweep (decision 0093).
const PASSES: usize = 8;
const ALIKE: f64 = 1e-4;
/// Part of the sum that counts as none.
const ROUNDING: f64 = 1e-12;

/// One number for each of at most M rows.
type Rows<const M: usize> = [f64; M];

/// What contacts answer to the values of their rows.
struct Answer<const M: usize> {
    /// Forces.
    force: Rows<M>,
    /// Of a gap its stiffness; of the first row of a slip `rate B`, of the second `rate B'/|s|`.
    slope: Rows<M>,
    /// Slips.
    slip: Rows<M>,
    /// What the rows have changed by.
    moved: Rows<M>,
}

/// Contacts that are solved for at once.
#[derive(Clone, Copy)]
pub(crate) struct Balance<'a> {
    pub contacts: &'a [Contact],
    /// Values of the rows without any of their forces.
    pub free: &'a [f64],
    /// Their compliance: change of row i by the force on row j at `j n + i`.
    pub own: &'a [f64],
}

impl Balance<'_> {
    /// Brings forces into balance; where they do not settle, the next visit goes on.
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
pub(crate) fn admit(contacts: &[Contact], y: &mut [f64]) {
    let mut normals = [0.0; MOST_ROWS];
    let mut row = 0;
    for (contact, normal) in contacts.iter().zip(&mut normals) {
        *normal = y[row].max(0.0);
        row += contact.count();
    }
    clamp(contacts, &normals, y);
}

/// Keeps normal forces and friction within what they can be with these normal forces.
fn clamp(contacts: &[Contact], normals: &[f64], y: &mut [f64]) {
    let mut row = 0;
    for (contact, normal) in contacts.iter().zip(normals) {
        y[row] = y[row].max(0.0);
        row += 1;
        for slip in contact.slips.iter().flatten() {
            let most = slip.most(*normal);
            let size = DVec2::new(y[row], y[row + 1]).length();
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
        let mut start: Rows<M> = [0.0; M];
        start[..n].copy_from_slice(forces);
        let mut y = start;
        if !self.together(n, &mut y) {
            y = start;
            self.in_turn(n, &mut y);
        }
        forces.copy_from_slice(&y[..n]);
    }

    /// Normal forces and friction brought on together, friction by the normal forces of the iteration
    /// before; whether that settles.
    fn together(&self, n: usize, y: &mut Rows<M>) -> bool {
        let mut normals = self.normals(y);
        let mut matrix = [[0.0; M]; M];
        for _ in 0..TOGETHER {
            let at = self.answer(n, &normals, y);
            let mut dy: Rows<M> = std::array::from_fn(|i| at.force[i] - y[i]);
            if largest(&dy) <= BALANCED * largest(&at.force).max(largest(y)) {
                return true;
            }
            self.fill(n, &at, y, true, &mut matrix);
            eliminate(&mut matrix, &mut dy, n);
            for (y, dy) in y.iter_mut().zip(&dy) {
                *y += dy;
            }
            normals = self.normals(y);
            clamp(self.0.contacts, &normals, y);
        }
        false
    }

    /// A balance with these normal forces for friction, then once more with those that it has, as long
    /// as they change.
    fn in_turn(&self, n: usize, y: &mut Rows<M>) {
        for _ in 0..PASSES {
            let before = *y;
            self.solve(n, y);
            let changes = y.iter().zip(&before).map(|(y, b)| (y - b).abs());
            if changes.fold(0.0, f64::max) <= ALIKE * largest(y) {
                break;
            }
        }
    }

    /// The balance with the normal forces for friction that there are at the start.
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
                clamp(self.0.contacts, &normals, y);
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
        for contact in self.0.contacts {
            for j in 0..n {
                matrix[row][j] = at.slope[row] * own[j * n + row];
            }
            row += 1;
            for slip in contact.slips.iter().flatten() {
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
        let most = self.potential(normals, at, y);
        let mut alpha = 1.0;
        for _ in 0..MOST_HALVINGS {
            let trial: Rows<M> = std::array::from_fn(|i| y[i] + alpha * dy[i]);
            let next = self.answer(n, normals, &trial);
            if self.potential(normals, &next, &trial) <= most + ROUNDING * most.abs() {
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
        for (contact, normal) in self.0.contacts.iter().zip(&mut normals) {
            *normal = y[row].max(0.0);
            row += contact.count();
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
        for (moved, free) in moved.iter_mut().zip(free) {
            *moved += free;
        }
        let mut at = Answer {
            force: [0.0; M],
            slope: [0.0; M],
            slip: [0.0; M],
            moved,
        };
        let mut row = 0;
        for (contact, normal) in self.0.contacts.iter().zip(normals) {
            let Response {
                force, stiffness, ..
            } = contact.response(moved[row]);
            (at.force[row], at.slope[row]) = (force, stiffness);
            row += 1;
            for slip in contact.slips.iter().flatten() {
                let s = slip.value([moved[row], moved[row + 1]]);
                let Drag { factor, slope } = slip.drag(*normal, s);
                for (k, s) in s.to_array().into_iter().enumerate() {
                    at.slip[row + k] = s;
                    at.force[row + k] = -factor * s;
                }
                at.slope[row] = slip.rate * factor;
                at.slope[row + 1] = slip.rate * slope;
                row += 2;
            }
        }
        at
    }

    /// The sum that is least where forces are in balance, with these normal forces for friction.
    fn potential(&self, normals: &Rows<M>, at: &Answer<M>, y: &Rows<M>) -> f64 {
        let moved = at
            .moved
            .iter()
            .zip(self.0.free)
            .map(|(moved, free)| moved - free);
        let mut sum = 0.5 * y.iter().zip(moved).map(|(y, moved)| y * moved).sum::<f64>();
        let mut row = 0;
        for (contact, normal) in self.0.contacts.iter().zip(normals) {
            sum += contact.response(at.moved[row]).energy;
            row += 1;
            for slip in contact.slips.iter().flatten() {
                let s = DVec2::new(at.slip[row], at.slip[row + 1]);
                sum += slip.potential(*normal, s) / slip.rate;
                row += 2;
            }
        }
        sum
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
