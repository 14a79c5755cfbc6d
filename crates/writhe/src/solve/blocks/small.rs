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
