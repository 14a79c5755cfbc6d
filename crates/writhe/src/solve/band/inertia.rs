//! Signs of eigenvalues by the signs of pivots.

use super::matrix::BandMatrix;

/// Sum of the magnitudes that make a diagonal entry, over that entry, up to which pivots are
/// trusted: rounding then moves eigenvalues by about as many units in the last place of the largest
/// entry.
const GROWTH: f64 = 1e3;

/// Number of negative eigenvalues of a symmetric matrix: as many as `L D L^T = A` has negative
/// pivots (Sylvester). Without exchanges of rows a small pivot can make all that follow rounding;
/// `None` then.
///
/// Only the lower half is looked at. Cost: `n b^2` operations.
pub fn negative_eigenvalues(matrix: &BandMatrix) -> Option<usize> {
    let (n, b) = (matrix.n(), matrix.half_bandwidth);
    let width = b + 1;
    // Row i of L, columns i - b .. i; the last is the pivot.
    let mut rows = vec![0.0; n * width];
    let largest = (0..n).fold(0.0_f64, |a, i| a.max(matrix.get(i, i).abs()));
    let mut negative = 0;
    for i in 0..n {
        let first = i.saturating_sub(b);
        let mut grown = 0.0;
        for j in first..=i {
            let mut sum = matrix.get(i, j);
            for k in first.max(j.saturating_sub(b))..j {
                let l = rows[i * width + k + b - i] * rows[j * width + k + b - j];
                let part = l * rows[k * width + b];
                sum -= part;
                if j == i {
                    grown += part.abs();
                }
            }
            rows[i * width + j + b - i] = match j == i {
                true => sum,
                false => sum / rows[j * width + b],
            };
        }
        let pivot = rows[i * width + b];
        let entry = matrix.get(i, i).abs();
        let is_trusted = grown <= GROWTH * entry.max(1e-3 * largest) && pivot != 0.0;
        if !(is_trusted && pivot.is_finite()) {
            return None;
        }
        negative += usize::from(pivot < 0.0);
    }
    Some(negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second difference less a shift: its eigenvalues are 2 - 2 cos(k pi/(n + 1)) less it.
    #[test]
    fn eigenvalues_below_a_shift_are_counted() {
        let n = 40;
        for (shift, rounding) in [(-0.1, 0), (0.05, 0), (0.7, 0), (3.99, 0), (4.1, 0)] {
            let mut matrix = BandMatrix::new(n, 2);
            for i in 0..n {
                matrix.add(i, i, 2.0 - shift).unwrap();
                for j in [i.wrapping_sub(1), i + 1] {
                    if j < n {
                        matrix.add(i, j, -1.0).unwrap();
                    }
                }
            }
            let angle = |k: usize| std::f64::consts::PI * k as f64 / (n + 1) as f64;
            let below = (1..=n)
                .filter(|k| 2.0 - 2.0 * angle(*k).cos() < shift)
                .count();
            assert_eq!(
                negative_eigenvalues(&matrix),
                Some(below + rounding),
                "{shift}"
            );
        }
    }

    #[test]
    fn a_pivot_of_nothing_is_not_trusted() {
        let mut matrix = BandMatrix::new(2, 1);
        for (row, column, value) in [(0, 0, 1e-9), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1e-9)] {
            matrix.add(row, column, value).unwrap();
        }
        assert_eq!(negative_eigenvalues(&matrix), None);
    }
}
