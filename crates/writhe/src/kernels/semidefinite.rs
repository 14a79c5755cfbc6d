//! The positive semidefinite part of a pair's Hessian.
//!
//! A contact Hessian phi' Hess D + phi'' grad D grad D^T has rank five at most, however many
//! coordinates it is written in: its range is spanned by the weights times the normal and times two
//! tangents, and by the normal times two slides along the edges. So the eigenvalues are found in
//! that small space, which a pivoted Gram-Schmidt reads off the columns.

use crate::kernels::distance::Matrix12;

/// Columns that are shorter than this fraction of the longest belong to the range by rounding only.
const NEGLIGIBLE: f64 = 1e-13;
/// Sweeps of Jacobi's method; five or six reach rounding.
const MAX_SWEEPS: usize = 30;

/// The nearest positive semidefinite matrix in the Frobenius norm: negative eigenvalues of the
/// symmetric `matrix` become zero. Entries that are not finite are returned as they are.
pub(crate) fn positive_part(matrix: &Matrix12) -> Matrix12 {
    let (basis, rank) = range_basis(matrix);
    let basis = &basis[..rank];
    // B^T A B: the matrix in its own range.
    let mut reduced = [[0.0; 12]; 12];
    for (row, b) in reduced.iter_mut().zip(basis) {
        let image = matrix.map(|m| dot(&m, b));
        for (entry, c) in row.iter_mut().zip(basis) {
            *entry = dot(&image, c);
        }
    }
    // Its eigenvectors, which start as the unit matrix.
    let mut turns: Matrix12 =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    diagonalise(&mut reduced, &mut turns, rank);
    let value = |e: usize| reduced[e][e];
    if (0..rank).all(|e| value(e) >= 0.0) {
        // Nothing to take away: the matrix itself, to the last bit.
        return *matrix;
    }
    // sum lambda v v^T over lambda > 0, with v = B t from the small space
    let mut out = [[0.0; 12]; 12];
    for e in (0..rank).filter(|e| value(*e) > 0.0) {
        let component = |c: usize| basis.iter().zip(&turns).map(|(b, t)| t[e] * b[c]).sum();
        let vector: [f64; 12] = std::array::from_fn(component);
        for (row, v) in out.iter_mut().zip(&vector) {
            for (entry, w) in row.iter_mut().zip(&vector) {
                *entry += value(e) * v * w;
            }
        }
    }
    out
}

/// Orthonormal basis of the range of a symmetric matrix, by Gram-Schmidt on its columns, longest
/// first; and its rank.
fn range_basis(matrix: &Matrix12) -> (Matrix12, usize) {
    let mut columns = *matrix;
    let mut basis = [[0.0; 12]; 12];
    let mut first = 0.0;
    for rank in 0..12 {
        let lengths_sq = columns.map(|c| dot(&c, &c));
        let longest = lengths_sq.iter().copied().fold(0.0, f64::max);
        // The longest column left gives the next direction.
        let pivot = lengths_sq.iter().position(|l| *l == longest).unwrap_or(0);
        let length = longest.sqrt();
        if rank == 0 {
            first = length;
        }
        // What is left is rounding. An entry that is not finite ends it at once, with rank 0.
        let counts = length > NEGLIGIBLE * first && lengths_sq.iter().all(|l| l.is_finite());
        if !counts {
            return (basis, rank);
        }
        let mut next = columns[pivot].map(|v| v / length);
        // Twice is enough: orthogonal to rounding.
        for b in &basis[..rank] {
            subtract(&mut next, b);
        }
        let again = dot(&next, &next).sqrt();
        let next = next.map(|v| v / again);
        // All that is left is then normal to the basis so far.
        for column in &mut columns {
            subtract(column, &next);
        }
        basis[rank] = next;
    }
    (basis, 12)
}

/// Removes the part of `x` along the unit vector `unit`.
fn subtract(x: &mut [f64; 12], unit: &[f64; 12]) {
    let along = dot(x, unit);
    for (x, u) in x.iter_mut().zip(unit) {
        *x -= along * u;
    }
}

fn dot(a: &[f64; 12], b: &[f64; 12]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Jacobi's method: makes the leading `rank` rows and columns of the symmetric `a` diagonal; the
/// columns of `turns` become its eigenvectors.
fn diagonalise(a: &mut Matrix12, turns: &mut Matrix12, rank: usize) {
    for _ in 0..MAX_SWEEPS {
        let scale = (0..rank).map(|i| a[i][i].abs()).fold(0.0, f64::max);
        let mut changed = false;
        for p in 0..rank {
            for q in p + 1..rank {
                // Below rounding of the largest diagonal entry nothing changes an eigenvalue.
                let matters = a[p][q].abs() > 1e-2 * f64::EPSILON * scale;
                if matters {
                    changed = true;
                    rotate(a, turns, (p, q));
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Turns the coordinates p < q so that `a[p][q]` vanishes.
fn rotate(a: &mut Matrix12, turns: &mut Matrix12, (p, q): (usize, usize)) {
    // cot(2 phi) = (a_qq - a_pp)/(2 a_pq); t = tan(phi) is the smaller root of t^2 + 2 cot t = 1
    let cot = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = cot.signum() / (cot.abs() + cot.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    // A J, and the eigenvectors so far times J ...
    for row in a.iter_mut().chain(turns.iter_mut()) {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    // ... then J^T (A J).
    let (head, tail) = a.split_at_mut(q);
    for (x, y) in head[p].iter_mut().zip(&mut tail[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
    a[p][q] = 0.0;
    a[q][p] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::distance::pair_distance;
    use crate::kernels::testing::*;
    use proptest::prelude::*;

    fn quadratic(matrix: &Matrix12, x: &[f64; 12]) -> f64 {
        matrix.iter().zip(x).map(|(row, xi)| xi * dot(row, x)).sum()
    }

    fn norm(matrix: &Matrix12) -> f64 {
        matrix
            .as_flattened()
            .iter()
            .map(|v| v * v)
            .sum::<f64>()
            .sqrt()
    }

    /// The Hessian of a repulsive pair at random.
    fn hessian(seed: u64, force: f64, stiffness: f64) -> Matrix12 {
        let [a0, a1, b0, b1] = Random(seed).nodes();
        pair_distance(a0, a1, b0, b1).chain_hessian(-force, stiffness)
    }

    proptest! {
        /// H+ and H+ - H are semidefinite and orthogonal to each other, which characterises the
        /// nearest semidefinite matrix.
        #[test]
        fn is_the_nearest_semidefinite_matrix(seed: u64, force in 0.01..100.0_f64, stiffness in 0.0..100.0_f64) {
            let whole = hessian(seed, force, stiffness);
            let part = positive_part(&whole);
            let rest: Matrix12 = std::array::from_fn(|i| std::array::from_fn(|j| part[i][j] - whole[i][j]));
            let scale = norm(&whole);
            let mut random = Random(seed ^ 1);
            for _ in 0..30 {
                let x: [f64; 12] = std::array::from_fn(|_| random.range(-1.0, 1.0));
                prop_assert!(quadratic(&part, &x) > -1e-12 * scale);
                prop_assert!(quadratic(&rest, &x) > -1e-12 * scale);
            }
            let product: f64 = part.as_flattened().iter().zip(rest.as_flattened()).map(|(a, b)| a * b).sum();
            prop_assert!(product.abs() < 1e-12 * scale * scale);
            prop_assert!(norm(&rest) > 0.0, "a repulsive pair's Hessian is indefinite");
        }

        #[test]
        fn keeps_what_is_semidefinite(seed: u64) {
            let whole = hessian(seed, 0.0, 3.0);
            prop_assert!(matrix_error(&positive_part(&whole), &whole) < 1e-14);
        }

        /// The header's claim on the rank.
        #[test]
        fn rank_is_at_most_five(seed: u64) {
            prop_assert!(range_basis(&hessian(seed, 1.0, 2.0)).1 <= 5);
        }
    }

    #[test]
    fn zero_and_infinite_matrices() {
        let zero = [[0.0; 12]; 12];
        assert_eq!(positive_part(&zero), zero);
        let mut broken = zero;
        broken[3][3] = f64::INFINITY;
        assert_eq!(positive_part(&broken), broken);
    }

    /// Known eigenvalues, beyond rank five: diag(1, -2, 3, -4, ...) in a turned frame.
    #[test]
    fn full_rank() {
        let mut random = Random(5);
        let mut basis: Vec<[f64; 12]> = Vec::new();
        while basis.len() < 12 {
            let mut x: [f64; 12] = std::array::from_fn(|_| random.range(-1.0, 1.0));
            for _ in 0..2 {
                for b in &basis {
                    subtract(&mut x, b);
                }
            }
            let length = dot(&x, &x).sqrt();
            basis.push(x.map(|v| v / length));
        }
        let with = |value: &dyn Fn(usize) -> f64| -> Matrix12 {
            std::array::from_fn(|i| {
                std::array::from_fn(|j| (0..12).map(|e| value(e) * basis[e][i] * basis[e][j]).sum())
            })
        };
        let value = |e: usize| (e as f64 + 1.0) * if e.is_multiple_of(2) { 1.0 } else { -1.0 };
        let whole = with(&value);
        let positive = with(&|e| value(e).max(0.0));
        assert!(matrix_error(&positive_part(&whole), &positive) < 1e-13);
    }
}
