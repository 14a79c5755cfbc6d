//! Where eliminations from both ends meet: a few unknowns, eliminated with exchanges of rows.

use super::GROUP;

/// Groups that are left to the middle at most.
pub(super) const MOST: usize = 3;
/// Their unknowns.
const SIZE: usize = MOST * GROUP;

/// The dense matrix of the middle, and its factor `P A = L U`.
#[derive(Debug, Clone)]
pub(super) struct Middle {
    /// Row by row; unknowns that are not there have ones on the diagonal.
    pub(super) values: [[f64; SIZE]; SIZE],
    rows: [usize; SIZE],
}

impl Default for Middle {
    fn default() -> Self {
        let mut middle = Self {
            values: [[0.0; SIZE]; SIZE],
            rows: [0; SIZE],
        };
        middle.clear();
        middle
    }
}

impl Middle {
    /// Becomes the identity.
    pub(super) fn clear(&mut self) {
        self.values = [[0.0; SIZE]; SIZE];
        for (k, row) in self.values.iter_mut().enumerate() {
            row[k] = 1.0;
        }
    }

    /// Adds the columns of a block of these groups; `whole` in place of what is there.
    pub(super) fn put(&mut self, [i, j]: [usize; 2], columns: &[[f64; GROUP]; GROUP], whole: bool) {
        for (c, column) in columns.iter().enumerate() {
            for (r, value) in column.iter().enumerate() {
                let own = &mut self.values[GROUP * i + r][GROUP * j + c];
                *own = if whole { *value } else { *own + value };
            }
        }
    }

    /// Factorises in place, rows and columns scaled by the powers of two `scale`; false where a column
    /// has no pivot.
    #[inline(always)]
    pub(super) fn factor(&mut self, scale: &[f64; SIZE]) -> bool {
        let (a, mut scale) = (&mut self.values, *scale);
        for k in 0..SIZE {
            let mut found = k;
            for row in k + 1..SIZE {
                let [size, largest] = [row, found].map(|row| (a[row][k] * scale[row]).abs());
                if size > largest {
                    found = row;
                }
            }
            self.rows[k] = found;
            a.swap(k, found);
            scale.swap(k, found);
            let reciprocal = 1.0 / a[k][k];
            // Not infinite, nor that of a pivot which is.
            if !(reciprocal.is_finite() && reciprocal != 0.0) {
                return false;
            }
            let (pivot, rest) = a.split_at_mut(k + 1);
            let pivot = &mut pivot[k];
            for row in rest {
                let multiplier = row[k] * reciprocal;
                row[k] = multiplier;
                for column in k + 1..SIZE {
                    row[column] = (-multiplier).mul_add(pivot[column], row[column]);
                }
            }
            pivot[k] = reciprocal;
        }
        true
    }

    /// `x <- A^-1 x`.
    #[inline(always)]
    pub(super) fn solve(&self, x: &mut [f64; SIZE]) {
        let a = &self.values;
        // Rows were exchanged whole, multipliers too.
        for k in 0..SIZE {
            x.swap(k, self.rows[k]);
        }
        for k in 0..SIZE {
            for row in k + 1..SIZE {
                x[row] = (-a[row][k]).mul_add(x[k], x[row]);
            }
        }
        for k in (0..SIZE).rev() {
            x[k] *= a[k][k];
            for row in 0..k {
                x[row] = (-a[row][k]).mul_add(x[k], x[row]);
            }
        }
    }
}
