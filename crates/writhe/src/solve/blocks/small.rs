//! Dense blocks of four by four.

/// Unknowns of a group, at most.
pub(super) const SIZE: usize = 4;

/// A block, column by column.
pub(super) type Block = [f64; SIZE * SIZE];

/// Four unknowns.
pub(super) type Part = [f64; SIZE];

/// `c -= a b`.
#[inline(always)]
pub(super) fn subtract_product(c: &mut Block, a: &Block, b: &Block) {
    for column in 0..SIZE {
        for k in 0..SIZE {
            let by = -b[column * SIZE + k];
            for row in 0..SIZE {
                let at = column * SIZE + row;
                c[at] = by.mul_add(a[k * SIZE + row], c[at]);
            }
        }
    }
}

/// `a b`.
#[inline(always)]
pub(super) fn product(a: &Block, b: &Block) -> Block {
    let mut c = [0.0; SIZE * SIZE];
    for column in 0..SIZE {
        for k in 0..SIZE {
            let by = b[column * SIZE + k];
            for row in 0..SIZE {
                let at = column * SIZE + row;
                c[at] = by.mul_add(a[k * SIZE + row], c[at]);
            }
        }
    }
    c
}

/// `a x`.
#[inline(always)]
pub(super) fn image(a: &Block, x: &Part) -> Part {
    let mut y = [0.0; SIZE];
    for k in 0..SIZE {
        for row in 0..SIZE {
            y[row] = x[k].mul_add(a[k * SIZE + row], y[row]);
        }
    }
    y
}

/// Adds to `sums` the sizes of a block's entries, row by row.
#[inline(always)]
pub(super) fn add_sizes(sums: &mut Part, a: &Block) {
    for column in a.chunks_exact(SIZE) {
        for (sum, value) in sums.iter_mut().zip(column) {
            *sum += value.abs();
        }
    }
}

/// `y -= a x`.
#[inline(always)]
pub(super) fn subtract_image(y: &mut Part, a: &Block, x: &Part) {
    for k in 0..SIZE {
        for row in 0..SIZE {
            y[row] = (-x[k]).mul_add(a[k * SIZE + row], y[row]);
        }
    }
}

/// How many times larger than its pivot what is left of a column may be for rows to stay where they
/// are.
const GROWTH: f64 = 16.0;

/// The inverse, by elimination; the column without a pivot if there is none.
///
/// Rows are exchanged where a pivot is small beside its column, which is seldom. Without, nothing
/// waits for a choice, and the next block is begun meanwhile.
#[inline(always)]
pub(super) fn inverse(a: &Block) -> Result<Block, usize> {
    match inverse_in_order(a) {
        Some(inverse) => Ok(inverse),
        None => inverse_with_exchanges(a),
    }
}

/// The inverse without exchanges, if no pivot is small beside what is left of its column.
#[inline(always)]
fn inverse_in_order(a: &Block) -> Option<Block> {
    let mut out = *a;
    let mut fits = true;
    for step in 0..SIZE {
        let pivot = out[step * (SIZE + 1)];
        let reciprocal = 1.0 / pivot;
        let mut by = [0.0; SIZE];
        for row in 0..SIZE {
            by[row] = -out[step * SIZE + row];
        }
        // False for NaN, too.
        fits &= reciprocal.is_finite();
        for size in &by[step + 1..] {
            fits &= size.abs() <= GROWTH * pivot.abs();
        }
        // Gauss-Jordan in place: the column of the pivot is that of the inverse from here on.
        for column in 0..SIZE {
            let value = reciprocal * out[column * SIZE + step];
            for (row, by) in by.iter().enumerate() {
                let at = column * SIZE + row;
                out[at] = match (row == step, column == step) {
                    (true, true) => reciprocal,
                    (true, false) => value,
                    (false, true) => by * reciprocal,
                    (false, false) => by.mul_add(value, out[at]),
                };
            }
        }
    }
    fits.then_some(out)
}

/// The inverse, by elimination with row exchanges; the column without a pivot if there is none.
#[cold]
fn inverse_with_exchanges(a: &Block) -> Result<Block, usize> {
    // Gauss-Jordan: [A | 1] becomes [1 | A^-1].
    let mut rows = [[0.0; 2 * SIZE]; SIZE];
    for (r, row) in rows.iter_mut().enumerate() {
        for c in 0..SIZE {
            row[c] = a[c * SIZE + r];
        }
        row[SIZE + r] = 1.0;
    }
    for step in 0..SIZE {
        let mut best = step;
        for other in step + 1..SIZE {
            if rows[other][step].abs() > rows[best][step].abs() {
                best = other;
            }
        }
        rows.swap(step, best);
        let reciprocal = 1.0 / rows[step][step];
        if !reciprocal.is_finite() {
            return Err(step);
        }
        for value in &mut rows[step] {
            *value *= reciprocal;
        }
        let pivot = rows[step];
        for (other, row) in rows.iter_mut().enumerate() {
            if other != step {
                let by = -row[step];
                for (value, p) in row.iter_mut().zip(&pivot) {
                    *value = by.mul_add(*p, *value);
                }
            }
        }
    }
    let mut out = [0.0; SIZE * SIZE];
    for (r, row) in rows.iter().enumerate() {
        for c in 0..SIZE {
            out[c * SIZE + r] = row[SIZE + c];
        }
    }
    Ok(out)
}

/// Whether a symmetric block is positive definite: elimination without exchanges meets positive
/// pivots alone.
pub(super) fn is_positive_definite(a: &Block) -> bool {
    let mut left = *a;
    for step in 0..SIZE {
        let pivot = left[step * (SIZE + 1)];
        // False for NaN, too.
        if pivot.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return false;
        }
        for column in step + 1..SIZE {
            // Schur complement of what is left.
            let by = left[column * SIZE + step] / pivot;
            for row in step + 1..SIZE {
                left[column * SIZE + row] -= by * left[step * SIZE + row];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    /// `a b - 1`, the largest entry over that of the sum that it is.
    fn error(a: &Block, b: &Block) -> f64 {
        let mut worst = 0.0_f64;
        for column in 0..SIZE {
            for row in 0..SIZE {
                let wanted = f64::from(u8::from(row == column));
                let terms = (0..SIZE).map(|k| a[k * SIZE + row] * b[column * SIZE + k]);
                let (sum, size) = terms.fold((0.0, wanted), |(sum, size), term| {
                    (sum + term, size + f64::abs(term))
                });
                worst = worst.max((sum - wanted).abs() / size);
            }
        }
        worst
    }

    fn random(random: &mut Random, units: [f64; SIZE]) -> Block {
        let mut block = [0.0; SIZE * SIZE];
        for (at, value) in block.iter_mut().enumerate() {
            let (row, column) = (at % SIZE, at / SIZE);
            // Diagonally dominant, so that rows may stay.
            let entry = random.range(-1.0, 1.0) + 4.0 * f64::from(u8::from(row == column));
            *value = entry * units[row] * units[column];
        }
        block
    }

    /// Positions and an angle, whose units differ.
    #[test]
    fn blocks_are_inverted_in_order_or_with_exchanges() {
        let mut numbers = Random(3);
        for units in [[1.0; SIZE], [1e3, 1e3, 1e3, 1e-2]] {
            for _ in 0..100 {
                let block = random(&mut numbers, units);
                let in_order = inverse_in_order(&block).unwrap();
                let exchanged = inverse_with_exchanges(&block).unwrap();
                assert!(error(&block, &in_order) < 1e-14);
                assert!(error(&block, &exchanged) < 1e-14);
                assert_eq!(inverse(&block), Ok(in_order));
                // Columns go round by one: no pivot is where it was.
                let mut turned = block;
                turned.rotate_left(SIZE);
                turned[0] = 0.0;
                assert!(inverse_in_order(&turned).is_none());
                assert_eq!(inverse(&turned), inverse_with_exchanges(&turned));
                assert!(inverse(&turned).is_ok());
            }
        }
    }

    #[test]
    fn blocks_without_pivot_are_told() {
        let mut block = random(&mut Random(5), [1.0; SIZE]);
        assert_eq!(inverse(&[0.0; SIZE * SIZE]), Err(0));
        assert_eq!(inverse(&[f64::NAN; SIZE * SIZE]), Err(0));
        for row in 0..SIZE {
            block[2 * SIZE + row] = 0.0;
        }
        assert_eq!(inverse(&block), Err(2));
    }
}
