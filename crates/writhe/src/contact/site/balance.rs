//! The balance of a few contacts while all others keep their forces.
//!
//! With the rows' values `xi = xi_0 + A y`, A being their compliance, the forces y are wanted that
//! contacts exert there:
//!
//! ```text
//! y_n = F_n(gap),   y_t = F_t(slip, N),   N = max(y_n, 0)
//! ```
//!
//! for a contact with the rows n and t. Newton's method with whole corrections finds them, y being
//! unknowns beside xi (decision 0095). On the way normal forces may pull, and friction may be more than
//! N allows: the law tells in the next iteration that a contact is open or slips. If such forces were
//! cut off, contacts that share a place would take the whole force in turn, and never settle.

use super::Contact;
use super::contact::Drag;
use crate::contact_model::law::Response;

/// Most rows that are solved for at once.
pub(crate) const MOST_ROWS: usize = 26;
/// Iterations of a try, of which two to four are the rule. Pressed far into a spring that is a million
/// times as stiff as the contact, each iteration takes off a factor of e.
const MOST_ITERATIONS: usize = 60;
/// Imbalance, or correction, over the largest force at which it is solved.
const BALANCED: f64 = 1e-5;

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
}

/// What the matrix knows of friction and the normal forces that it follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Friction {
    /// Both change in one iteration.
    Follows,
    /// Friction sees the normal forces of the iteration before.
    Waits,
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
    /// Brings forces into balance, to a hundred thousandth of the largest; whether that was found. If
    /// not, they stay as they were.
    pub fn find(&self, y: &mut [f64]) -> bool {
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
    let mut row = 0;
    for contact in contacts {
        let normal = y[row].max(0.0);
        y[row] = normal;
        row += 1;
        for slip in contact.slips.iter().flatten() {
            let (most, size) = (slip.most(normal), y[row].hypot(y[row + 1]));
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
    /// From the forces that there are, then from none, with both matrices: what fails with one most often
    /// settles with another (decision 0095).
    fn find(&self, forces: &mut [f64]) -> bool {
        let n = forces.len();
        for from_none in [false, true] {
            for friction in [Friction::Follows, Friction::Waits] {
                let mut y: Rows<M> = [0.0; M];
                if !from_none {
                    y[..n].copy_from_slice(forces);
                }
                if self.settle(n, friction, &mut y) {
                    forces.copy_from_slice(&y[..n]);
                    return true;
                }
            }
        }
        false
    }

    /// Newton's method from these forces; whether that settles.
    fn settle(&self, n: usize, friction: Friction, y: &mut Rows<M>) -> bool {
        let mut matrix = [[0.0; M]; M];
        for _ in 0..MOST_ITERATIONS {
            let normals = self.normals(y);
            let at = self.answer(n, &normals, y);
            let mut dy: Rows<M> = std::array::from_fn(|i| at.force[i] - y[i]);
            if largest(&dy) <= BALANCED * largest(&at.force).max(largest(y)) {
                return true;
            }
            self.fill(n, &at, (&normals, y, friction), &mut matrix);
            eliminate(&mut matrix, &mut dy, n);
            for (y, dy) in y.iter_mut().zip(&dy) {
                *y += dy;
            }
            if !y.iter().all(|y| y.is_finite()) {
                return false;
            }
            // Springs may be so stiff that the rounding of a gap is a force of a hundredth of theirs.
            if largest(&dy) <= BALANCED * largest(y) {
                return true;
            }
        }
        false
    }

    /// The derivative of y - F: `1 + D A`, D = -dF/dxi, less dF/dN. D is of a gap its stiffness, of a
    /// slip
    ///
    /// ```text
    /// rate (B - (B'/(B |s|)) y s^T),
    /// ```
    ///
    /// with the force y in place of -B s, which turns from sticking to slipping without going to and fro
    /// (`kernels/friction/steering.rs`), and no more of it than N allows. Friction is in proportion to
    /// N: `dF/dN = F/N`.
    fn fill(
        &self,
        n: usize,
        at: &Answer<M>,
        (normals, y, friction): (&Rows<M>, &Rows<M>, Friction),
        matrix: &mut [Rows<M>; M],
    ) {
        let own = self.0.own;
        let mut row = 0;
        for (contact, normal) in self.0.contacts.iter().zip(normals) {
            let gap = row;
            for j in 0..n {
                matrix[gap][j] = at.slope[gap] * own[j * n + gap];
            }
            row += 1;
            for slip in contact.slips.iter().flatten() {
                let (drag, slope) = (at.slope[row], at.slope[row + 1]);
                let s = [at.slip[row], at.slip[row + 1]];
                let (most, size) = (slip.most(*normal), y[row].hypot(y[row + 1]));
                let allowed = if size > most { most / size } else { 1.0 };
                let by = match drag > 0.0 {
                    true => -slope / drag * slip.rate * allowed,
                    false => 0.0,
                };
                for j in 0..n {
                    let a = [own[j * n + row], own[j * n + row + 1]];
                    let along = by * (s[0] * a[0] + s[1] * a[1]);
                    matrix[row][j] = drag * a[0] + along * y[row];
                    matrix[row + 1][j] = drag * a[1] + along * y[row + 1];
                }
                if friction == Friction::Follows && *normal > 0.0 {
                    for k in [row, row + 1] {
                        matrix[k][gap] -= at.force[k] / normal;
                    }
                }
                row += 2;
            }
        }
        for (i, row) in matrix.iter_mut().enumerate().take(n) {
            row[i] += 1.0;
        }
    }

    /// N of each contact.
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
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |most, v| most.max(v.abs()))
}

/// Gaussian elimination without exchanges: but for dF/dN the matrix is the identity plus a product of
/// two that are positive semidefinite. A pivot of zero leaves forces that are not finite.
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

#[cfg(test)]
mod tests;
