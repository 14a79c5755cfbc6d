//! Symmetric tridiagonal matrices of chains and, with a corner, of rings: `L D L^T` in O(n).

/// Symmetric matrix of a chain of unknowns; of a ring, if the last is coupled with the first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tridiagonal {
    /// Diagonal, `(n)`.
    pub diagonal: Vec<f64>,
    /// Entry `i` couples unknowns i and i + 1, `(n - 1)`.
    pub off: Vec<f64>,
    /// Couples the last unknown with the first; of a ring of at least three.
    pub corner: Option<f64>,
}

/// Its factor, kept apart so that storage is used again.
#[derive(Debug, Clone, Default)]
pub(crate) struct TridiagonalFactor {
    pivots: Vec<f64>,
    multipliers: Vec<f64>,
    /// `T^-1 b` of the ring `[T b; b^T d]`, and its Schur complement.
    border: Option<(Vec<f64>, f64)>,
    ends: [f64; 2],
}

/// A pivot below this part of its diagonal entry counts as zero.
const SMALL_PIVOT: f64 = 1e-13;

impl Tridiagonal {
    /// Zeroes of `n` unknowns of a chain or a ring.
    pub(crate) fn reset(&mut self, n: usize, ring: bool) {
        self.diagonal.clear();
        self.diagonal.resize(n, 0.0);
        self.off.clear();
        self.off.resize(n.saturating_sub(1), 0.0);
        self.corner = (ring && n > 2).then_some(0.0);
    }

    /// Decouples unknown `i`: its row and column become those of the identity.
    pub(crate) fn fix(&mut self, i: usize) {
        let last = self.diagonal.len() - 1;
        self.diagonal[i] = 1.0;
        if i > 0 {
            self.off[i - 1] = 0.0;
        }
        if i < last {
            self.off[i] = 0.0;
        }
        if i == 0 || i == last {
            self.corner = self.corner.map(|_| 0.0);
        }
    }

    /// The entry that couples unknown `i` with the next one, which of the last of a ring is the
    /// first.
    pub(crate) fn next(&mut self, i: usize) -> &mut f64 {
        if i + 1 < self.diagonal.len() {
            &mut self.off[i]
        } else {
            self.corner.get_or_insert(0.0)
        }
    }

    /// `A x`.
    #[cfg(test)]
    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        let n = self.diagonal.len();
        let mut y: Vec<f64> = self.diagonal.iter().zip(x).map(|(d, x)| d * x).collect();
        for (i, off) in self.off.iter().enumerate() {
            y[i] += off * x[i + 1];
            y[i + 1] += off * x[i];
        }
        if let Some(corner) = self.corner {
            y[0] += corner * x[n - 1];
            y[n - 1] += corner * x[0];
        }
        y
    }

    /// Factorises the matrix with `shift` added to its diagonal; false if that is not positive
    /// definite.
    pub(crate) fn factor(&self, shift: f64, out: &mut TridiagonalFactor) -> bool {
        let n = self.diagonal.len();
        let chain = if self.corner.is_some() { n - 1 } else { n };
        out.pivots.clear();
        out.multipliers.clear();
        out.border = None;
        // L D L^T of the chain: d_i = a_i - l_{i-1}^2 d_{i-1}, l_i = off_i/d_i
        let mut carried = 0.0;
        for i in 0..chain {
            let entry = self.diagonal[i] + shift;
            let pivot = entry - carried;
            // Lost to cancellation: not positive definite, to rounding.
            if pivot.is_nan() || pivot <= SMALL_PIVOT * entry.abs() {
                return false;
            }
            let multiplier = if i + 1 < chain {
                self.off[i] / pivot
            } else {
                0.0
            };
            carried = multiplier * multiplier * pivot;
            out.pivots.push(pivot);
            out.multipliers.push(multiplier);
        }
        let Some(corner) = self.corner else {
            return true;
        };
        // A ring's last unknown borders the chain: [T b; b^T d], z = T^-1 b, schur = d - b.z
        let mut border = vec![0.0; chain];
        border[0] += corner;
        border[chain - 1] += self.off[chain - 1];
        out.ends = [corner, self.off[chain - 1]];
        out.sweep(&mut border);
        let entry = self.diagonal[n - 1] + shift;
        let schur = entry - out.ends[0] * border[0] - out.ends[1] * border[chain - 1];
        out.border = Some((border, schur));
        schur > SMALL_PIVOT * entry.abs()
    }
}

impl TridiagonalFactor {
    /// `x <- A^-1 x`.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let Some((border, schur)) = &self.border else {
            return self.sweep(x);
        };
        let chain = border.len();
        let (head, tail) = x.split_at_mut(chain);
        self.sweep(head);
        // x_n = (r_n - b.T^-1 r)/schur, then x = T^-1 r - z x_n
        let last = (tail[0] - self.ends[0] * head[0] - self.ends[1] * head[chain - 1]) / schur;
        for (x, z) in head.iter_mut().zip(border) {
            *x -= z * last;
        }
        tail[0] = last;
    }

    fn sweep(&self, x: &mut [f64]) {
        // L, then D, then L^T
        for i in 1..x.len() {
            x[i] -= self.multipliers[i - 1] * x[i - 1];
        }
        for (x, pivot) in x.iter_mut().zip(&self.pivots) {
            *x /= pivot;
        }
        for i in (1..x.len()).rev() {
            x[i - 1] -= self.multipliers[i - 1] * x[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_and_rings_are_solved() {
        for ring in [false, true] {
            for n in [1, 2, 3, 8] {
                let mut a = Tridiagonal::default();
                a.reset(n, ring);
                for i in 0..n {
                    a.diagonal[i] = 3.0 + 0.1 * i as f64;
                    if i + 1 < n || a.corner.is_some() {
                        *a.next(i) = -1.0 - 0.05 * i as f64;
                    }
                }
                let x: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).sin()).collect();
                let mut b: Vec<f64> = (0..n).map(|i| (a.diagonal[i] + 0.5) * x[i]).collect();
                for i in 0..n.saturating_sub(1) {
                    b[i] += a.off[i] * x[i + 1];
                    b[i + 1] += a.off[i] * x[i];
                }
                if let Some(corner) = a.corner {
                    b[0] += corner * x[n - 1];
                    b[n - 1] += corner * x[0];
                }
                let mut factor = TridiagonalFactor::default();
                assert!(a.factor(0.5, &mut factor));
                factor.solve(&mut b);
                for (found, x) in b.iter().zip(&x) {
                    assert!((found - x).abs() < 1e-14, "ring {ring}, n {n}: {found} {x}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        for corner in [None, Some(-1.0)] {
            // The Laplacian of a free chain or ring, which does not see a shift of all.
            let ends = if corner.is_some() { 2.0 } else { 1.0 };
            let a = Tridiagonal {
                diagonal: vec![ends, 2.0, 2.0, ends],
                off: vec![-1.0; 3],
                corner,
            };
            let mut factor = TridiagonalFactor::default();
            assert!(!a.factor(0.0, &mut factor));
            assert!(a.factor(1e-6, &mut factor));
            assert!(!a.factor(-0.1, &mut factor));
            assert!(!a.factor(f64::NAN, &mut factor));
        }
    }
}
