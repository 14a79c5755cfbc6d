//! The factors of a group's block on the diagonal.
//!
//! A block D is kept as `L U`, not as its inverse: products with an inverse err by the square of how
//! much the stretching of an edge is stiffer than its bending, and solutions with factors by no more
//! than the factors do (decision 0104).

use super::small::{Block, Part, SIZE, is_positive_definite};

/// How many times larger than its pivot what is left of a column may be for rows to stay where they
/// are.
const GROWTH: f64 = 16.0;

/// Rows where they are.
const IN_ORDER: [u8; SIZE] = [0, 1, 2, 3];

/// Which rows of the block D the rows of `L U` are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rows([u8; SIZE]);

impl Rows {
    /// Whether all are where they were.
    pub fn in_order(self) -> bool {
        self.0 == IN_ORDER
    }

    /// What belongs to the rows of `L U`, by those of D.
    pub fn put_back<T: Copy>(self, values: [T; SIZE]) -> [T; SIZE] {
        let mut out = values;
        for (row, value) in self.0.into_iter().zip(values) {
            out[usize::from(row)] = value;
        }
        out
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self(IN_ORDER)
    }
}

/// Factorises the block in place: L below the diagonal, where it has ones, U above, and reciprocals of
/// its diagonal. The column without a pivot if there is none.
///
/// Rows are exchanged where a pivot is small beside its column, which is seldom. Where not, nothing
/// waits for a choice, and the next block is begun meanwhile.
#[inline(always)]
pub(super) fn factorise(a: &mut Block) -> Result<Rows, usize> {
    let mut rows = Rows::default();
    for step in 0..SIZE {
        let allowed = GROWTH * a[step * (SIZE + 1)].abs();
        let below = &a[step * SIZE + step + 1..(step + 1) * SIZE];
        if below.iter().any(|v| v.abs() > allowed) {
            exchange(a, &mut rows, step);
        }
        let reciprocal = 1.0 / a[step * (SIZE + 1)];
        if !reciprocal.is_finite() {
            return Err(step);
        }
        // Zero down to the pivot, so that whole columns change alike.
        let mut lower = [0.0; SIZE];
        for row in step + 1..SIZE {
            lower[row] = a[step * SIZE + row] * reciprocal;
            a[step * SIZE + row] = lower[row];
        }
        for column in step + 1..SIZE {
            let by = -a[column * SIZE + step];
            let values = &mut a[column * SIZE..(column + 1) * SIZE];
            for (value, lower) in values.iter_mut().zip(&lower) {
                *value = by.mul_add(*lower, *value);
            }
        }
        a[step * (SIZE + 1)] = reciprocal;
    }
    Ok(rows)
}

/// Makes the largest of what is left of a column its pivot.
#[cold]
fn exchange(a: &mut Block, rows: &mut Rows, step: usize) {
    let mut best = step;
    for other in step + 1..SIZE {
        if a[step * SIZE + other].abs() > a[step * SIZE + best].abs() {
            best = other;
        }
    }
    rows.0.swap(step, best);
    for column in 0..SIZE {
        a.swap(column * SIZE + step, column * SIZE + best);
    }
}

/// `a D^-1`, with D as factorised.
#[inline(always)]
pub(super) fn divide(a: &Block, d: &Block, rows: Rows) -> Block {
    let mut x = *a;
    // x U = a, then x L = that.
    for column in 0..SIZE {
        for k in 0..column {
            subtract_column(&mut x, column, d[column * SIZE + k], k);
        }
        for row in 0..SIZE {
            x[column * SIZE + row] *= d[column * (SIZE + 1)];
        }
    }
    for column in (0..SIZE).rev() {
        for k in column + 1..SIZE {
            subtract_column(&mut x, column, d[column * SIZE + k], k);
        }
    }
    if rows.in_order() {
        return x;
    }
    let mut columns = [[0.0; SIZE]; SIZE];
    for (to, from) in columns.iter_mut().zip(x.chunks_exact(SIZE)) {
        to.copy_from_slice(from);
    }
    let mut out = [0.0; SIZE * SIZE];
    out.copy_from_slice(rows.put_back(columns).as_flattened());
    out
}

/// Of a row x of `a`, that of `a D^-1`, but for where its numbers belong: [`Rows::put_back`].
#[inline(always)]
pub(super) fn divide_row(x: &mut Part, d: &Block) {
    for column in 0..SIZE {
        for k in 0..column {
            x[column] = (-d[column * SIZE + k]).mul_add(x[k], x[column]);
        }
        x[column] *= d[column * (SIZE + 1)];
    }
    for column in (0..SIZE).rev() {
        for k in column + 1..SIZE {
            x[column] = (-d[column * SIZE + k]).mul_add(x[k], x[column]);
        }
    }
}

/// Subtracts `by` times column k from another one.
#[inline(always)]
fn subtract_column(x: &mut Block, column: usize, by: f64, k: usize) {
    for row in 0..SIZE {
        let at = column * SIZE + row;
        x[at] = (-by).mul_add(x[k * SIZE + row], x[at]);
    }
}

/// `D^-1 b`, with D as factorised.
#[inline(always)]
pub(super) fn solve(d: &Block, rows: Rows, b: &Part) -> Part {
    let mut x = *b;
    if !rows.in_order() {
        x = rows.0.map(|row| b[usize::from(row)]);
    }
    for column in 0..SIZE {
        for row in column + 1..SIZE {
            x[row] = (-x[column]).mul_add(d[column * SIZE + row], x[row]);
        }
    }
    for column in (0..SIZE).rev() {
        x[column] *= d[column * (SIZE + 1)];
        for row in 0..column {
            x[row] = (-x[column]).mul_add(d[column * SIZE + row], x[row]);
        }
    }
    x
}

/// Whether D, as factorised, is positive definite if it is symmetric.
pub(super) fn is_positive(d: &Block, rows: Rows) -> bool {
    if rows.in_order() {
        // Then `L U = L diag(u) L^T`. False for NaN, too.
        return (0..SIZE).all(|k| d[k * (SIZE + 1)] > 0.0);
    }
    is_positive_definite(&multiplied_out(d, rows))
}

/// The block D, as factorised.
fn multiplied_out(d: &Block, rows: Rows) -> Block {
    let mut out = [0.0; SIZE * SIZE];
    for (r, row) in rows.0.into_iter().enumerate() {
        for c in 0..SIZE {
            let mut sum = 0.0;
            for k in 0..=r.min(c) {
                let lower = if k == r { 1.0 } else { d[k * SIZE + r] };
                let upper = if k == c {
                    1.0 / d[k * (SIZE + 1)]
                } else {
                    d[c * SIZE + k]
                };
                sum += lower * upper;
            }
            out[c * SIZE + usize::from(row)] = sum;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    fn random(random: &mut Random, units: [f64; SIZE], dominant: f64) -> Block {
        let mut block = [0.0; SIZE * SIZE];
        for (at, value) in block.iter_mut().enumerate() {
            let (row, column) = (at % SIZE, at / SIZE);
            let entry = random.range(-1.0, 1.0) + dominant * f64::from(u8::from(row == column));
            *value = entry * units[row] * units[column];
        }
        block
    }

    /// The largest difference of two entries over its size.
    fn error(found: &Block, expected: &Block, sizes: &Block) -> f64 {
        let terms = found.iter().zip(expected).zip(sizes);
        terms.fold(0.0, |worst: f64, ((f, e), s)| worst.max((f - e).abs() / s))
    }

    fn product(a: &Block, b: &Block) -> Block {
        let entry = |at: usize| {
            (0..SIZE)
                .map(|k| a[k * SIZE + at % SIZE] * b[at / SIZE * SIZE + k])
                .sum()
        };
        std::array::from_fn(entry)
    }

    fn columns_go_round(block: &Block) -> Block {
        let mut turned = *block;
        turned.rotate_left(SIZE);
        turned[0] = 0.0;
        turned
    }

    /// Positions and an angle, whose units differ, with rows in order and not.
    #[test]
    fn blocks_are_divided_by_a_block_in_any_order_of_its_rows() {
        let mut numbers = Random(3);
        for units in [[1.0; SIZE], [1e3, 1e3, 1e3, 1e-2]] {
            for _ in 0..100 {
                let kept = random(&mut numbers, units, 4.0);
                let turned = columns_go_round(&kept);
                let by = random(&mut numbers, [1.0; SIZE], 0.0);
                for (d, in_order) in [(kept, true), (turned, false)] {
                    let mut factors = d;
                    let rows = factorise(&mut factors).unwrap();
                    assert_eq!(rows.in_order(), in_order);
                    let sizes = product(&by.map(f64::abs), &d.map(f64::abs));
                    let whole = multiplied_out(&factors, rows);
                    let column = |at: usize| (at / SIZE + usize::from(!in_order)) % SIZE;
                    let scale = std::array::from_fn(|at| units[at % SIZE] * units[column(at)]);
                    assert!(error(&whole, &d, &scale) < 1e-12, "{whole:?} {d:?}");
                    let found = divide(&product(&by, &d), &factors, rows);
                    let back = product(&found, &d);
                    assert!(error(&back, &product(&by, &d), &sizes) < 1e-13);
                    let b = numbers.vector();
                    let b = [b.x, b.y, b.z, 1.0];
                    let x = solve(&factors, rows, &b);
                    for row in 0..SIZE {
                        let terms = (0..SIZE).map(|k| d[k * SIZE + row] * x[k]);
                        let (sum, size) = terms
                            .fold((-b[row], b[row].abs()), |(sum, size), term| {
                                (sum + term, size + f64::abs(term))
                            });
                        assert!(sum.abs() < 1e-13 * size, "{sum} {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn pivots_tell_what_is_positive_definite() {
        let mut numbers = Random(4);
        let (mut positive, mut exchanged) = (0, 0);
        for turn in 0..400 {
            let half = random(&mut numbers, [1.0, 1.0, 1.0, 1e-2], 0.0);
            let mut transposed = half;
            for at in 0..SIZE * SIZE {
                transposed[at] = half[at % SIZE * SIZE + at / SIZE];
            }
            let mut d = product(&half, &transposed);
            if turn % 2 == 1 {
                d[turn % SIZE * (SIZE + 1)] -= 0.5;
            }
            let mut factors = d;
            let rows = factorise(&mut factors).unwrap();
            assert_eq!(is_positive(&factors, rows), is_positive_definite(&d));
            positive += usize::from(is_positive(&factors, rows));
            exchanged += usize::from(rows != Rows::default());
        }
        assert!((200..400).contains(&positive), "{positive}");
        assert!((5..200).contains(&exchanged), "{exchanged}");
    }

    #[test]
    fn blocks_without_pivot_are_told() {
        let mut block = random(&mut Random(5), [1.0; SIZE], 4.0);
        assert_eq!(factorise(&mut [0.0; SIZE * SIZE]), Err(0));
        assert_eq!(factorise(&mut [f64::NAN; SIZE * SIZE]), Err(0));
        for row in 0..SIZE {
            block[2 * SIZE + row] = 0.0;
        }
        assert_eq!(factorise(&mut block), Err(2));
    }
}
