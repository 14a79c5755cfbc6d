//! The elimination of a rod from both ends, group by group, towards its middle.

use super::lu::{Quad, RodLu, Step, product, subtracted};
use super::matrix::{Block, RodMatrix};
use super::middle::{MOST, Middle};
use super::{GROUP, REACH};
use crate::solve::band::inverse_root;

/// A diagonal serves as pivot when no entry below it is more than so many times as large, units
/// balanced; the growth this allows is caught by the check of residuals.
const LARGEST_MULTIPLIER: f64 = 10.0;

#[inline(always)]
fn scaled(a: &Quad, by: f64) -> Quad {
    [a[0] * by, a[1] * by, a[2] * by, a[3] * by]
}

/// Column `C` of a block.
#[inline(always)]
fn column<const C: usize>(block: &Block) -> Quad {
    let at = GROUP * C;
    [block[at], block[at + 1], block[at + 2], block[at + 3]]
}

/// All columns of a block.
#[inline(always)]
fn columns(block: &Block) -> [Quad; GROUP] {
    [
        column::<0>(block),
        column::<1>(block),
        column::<2>(block),
        column::<3>(block),
    ]
}

/// A column of three groups of rows.
type Column = [Quad; REACH + 1];
/// Three groups of columns.
type Window = [[Column; GROUP]; REACH + 1];

/// The whole factorisation; false where a diagonal does not serve as pivot.
pub(super) struct Factor<'a> {
    pub(super) lu: &'a mut RodLu,
    pub(super) matrix: &'a RodMatrix,
}

impl pulp::WithSimd for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> bool {
        let Self { lu, matrix } = self;
        let steps = lu.steps.len();
        let mut front = Elimination::<false>::new(matrix, steps);
        let mut back = Elimination::<true>::new(matrix, steps);
        for (k, [first, second]) in lu.steps.iter_mut().enumerate() {
            front.advance(k, first);
            back.advance(k, second);
        }
        front.is_sound()
            && back.is_sound()
            && meet(&mut lu.middle, [&front.window, &back.window], matrix, steps)
    }
}

/// The elimination from either end.
struct Elimination<'a, const BACK: bool> {
    matrix: &'a RodMatrix,
    /// Groups that it takes.
    steps: usize,
    window: Window,
    /// Powers of two that balance the units of the window's rows.
    scales: [Quad; REACH + 1],
    /// Largest multipliers with units balanced.
    worst: Quad,
}

impl<'a, const BACK: bool> Elimination<'a, BACK> {
    #[inline(always)]
    fn new(matrix: &'a RodMatrix, steps: usize) -> Self {
        let mut own = Self {
            matrix,
            steps,
            window: [[[[0.0; GROUP]; REACH + 1]; GROUP]; REACH + 1],
            scales: [[1.0; GROUP]; REACH + 1],
            worst: [0.0; GROUP],
        };
        if steps > 0 {
            for j in 0..=REACH {
                for i in 0..=REACH {
                    let block = columns(&own.block(i, j));
                    for (column, block) in own.window[j].iter_mut().zip(block) {
                        column[i] = block;
                    }
                }
                own.scales[j] = own.scale(j);
            }
        }
        own
    }

    /// The group that it sees `k`-th.
    #[inline(always)]
    fn place(&self, k: usize) -> usize {
        match BACK {
            false => k,
            true => self.matrix.groups() - 1 - k,
        }
    }

    /// A block of the matrix, of the middle zero: there only what is subtracted counts.
    #[inline(always)]
    fn block(&self, i: usize, j: usize) -> Block {
        match i.min(j) < self.steps {
            true => self.matrix.block(self.place(i), self.place(j)),
            false => [0.0; GROUP * GROUP],
        }
    }

    #[inline(always)]
    fn scale(&self, k: usize) -> Quad {
        let place = self.place(k);
        scale(&self.matrix.block(place, place))
    }

    /// Eliminates the first group of the window, takes down the factor, and moves the window on.
    #[inline(always)]
    fn advance(&mut self, k: usize, step: &mut Step) {
        let [panel, near, far] = &mut self.window;
        let l0 = pivot::<0>(panel, &mut step.reciprocals);
        let l1 = pivot::<1>(panel, &mut step.reciprocals);
        let l2 = pivot::<2>(panel, &mut step.reciprocals);
        let l3 = pivot::<3>(panel, &mut step.reciprocals);
        let l = [l0, l1, l2, l3];
        step.inner = [l0[0], l1[0], l2[0]];
        step.below = [
            [l0[1], l0[2]],
            [l1[1], l1[2]],
            [l2[1], l2[2]],
            [l3[1], l3[2]],
        ];
        let r = step.reciprocals;
        let [_, b, c, d] = panel;
        step.upper = [
            [b[0][0] * r[0], 0.0, 0.0, 0.0],
            [c[0][0] * r[0], c[0][1] * r[1], 0.0, 0.0],
            [d[0][0] * r[0], d[0][1] * r[1], d[0][2] * r[2], 0.0],
        ];
        let [near_right, far_right] = &mut step.right;
        let near = update(near, &l, &r, near_right);
        let far = update(far, &l, &r, far_right);
        self.admit(&l, &r);

        let next = k + 1 + REACH;
        let below = [
            columns(&self.block(next, k + 1)),
            columns(&self.block(next, k + 2)),
        ];
        let beside = [
            columns(&self.block(k + 1, next)),
            columns(&self.block(k + 2, next)),
        ];
        let corner = columns(&self.block(next, next));
        let join = |c: usize| {
            [
                [near[c][0], near[c][1], below[0][c]],
                [far[c][0], far[c][1], below[1][c]],
                [beside[0][c], beside[1][c], corner[c]],
            ]
        };
        let [a, b, c, d] = [join(0), join(1), join(2), join(3)];
        self.window = [
            [a[0], b[0], c[0], d[0]],
            [a[1], b[1], c[1], d[1]],
            [a[2], b[2], c[2], d[2]],
        ];
        self.scales = [
            self.scales[1],
            self.scales[2],
            self.scale(next.min(self.matrix.groups() - 1)),
        ];
    }

    /// Raises `worst` to the largest multipliers of these columns with units balanced.
    #[inline(always)]
    fn admit(&mut self, l: &[Column; GROUP], reciprocals: &Quad) {
        let own = self.scales[0];
        let mut worst = self.worst;
        for (worst, reciprocal) in worst.iter_mut().zip(reciprocals) {
            // Of a pivot that is infinite, nothing.
            *worst = if reciprocal.abs() > 0.0 {
                *worst
            } else {
                f64::INFINITY
            };
        }
        for (c, column) in l.iter().enumerate() {
            // |l| s_row / s_column; the scale is a power of two.
            let over = 1.0 / own[c];
            for (multipliers, scales) in column.iter().zip(&self.scales) {
                for k in 0..GROUP {
                    let size = (multipliers[k] * scales[k]).abs() * over;
                    // What is no number is as good as infinite.
                    let known = size <= worst[k];
                    let size = if size < f64::INFINITY {
                        size
                    } else {
                        f64::INFINITY
                    };
                    worst[k] = if known { worst[k] } else { size };
                }
            }
        }
        self.worst = worst;
    }

    #[inline(always)]
    fn is_sound(&self) -> bool {
        self.worst.iter().all(|worst| *worst <= LARGEST_MULTIPLIER)
    }
}

/// Makes the diagonal of column `C` the pivot: what it takes of the columns behind it in its group.
/// Returns multipliers, zero for rows up to its own.
#[inline(always)]
fn pivot<const C: usize>(panel: &mut [Column; GROUP], reciprocals: &mut Quad) -> Column {
    let reciprocal = 1.0 / panel[C][0][C];
    reciprocals[C] = reciprocal;
    let mut own = scaled(&panel[C][0], reciprocal);
    own[0] = 0.0;
    if C > 0 {
        own[1] = 0.0;
    }
    if C > 1 {
        own[2] = 0.0;
    }
    if C > 2 {
        own[3] = 0.0;
    }
    let l = [
        own,
        scaled(&panel[C][1], reciprocal),
        scaled(&panel[C][2], reciprocal),
    ];
    if C < 1 {
        panel[1] = without::<C>(&panel[1], &l);
    }
    if C < 2 {
        panel[2] = without::<C>(&panel[2], &l);
    }
    if C < 3 {
        panel[3] = without::<C>(&panel[3], &l);
    }
    l
}

/// A column after the elimination of column `C`, whose multipliers are `l`.
#[inline(always)]
fn without<const C: usize>(column: &Column, l: &Column) -> Column {
    let above = column[0][C];
    [
        subtracted(&l[0], above, &column[0]),
        subtracted(&l[1], above, &column[1]),
        subtracted(&l[2], above, &column[2]),
    ]
}

/// A group of columns after the elimination of one before it: the rows of the two groups that follow.
/// Takes down the rows of U, over pivots.
#[inline(always)]
fn update(
    columns: &[Column; GROUP],
    l: &[Column; GROUP],
    reciprocals: &Quad,
    upper: &mut [Quad; GROUP],
) -> [[Quad; REACH]; GROUP] {
    let mut rest = [[[0.0; GROUP]; REACH]; GROUP];
    for ((column, rest), upper) in columns.iter().zip(&mut rest).zip(upper) {
        let a = without::<0>(column, &l[0]);
        let b = without::<1>(&a, &l[1]);
        let c = without::<2>(&b, &l[2]);
        let [own, near, far] = without::<3>(&c, &l[3]);
        *upper = product(&own, reciprocals);
        *rest = [near, far];
    }
    rest
}

/// Powers of two that make the diagonal of a block nearly one.
#[inline(always)]
fn scale(diagonal: &Block) -> Quad {
    let mut scale = [1.0; GROUP];
    for (k, scale) in scale.iter_mut().enumerate() {
        *scale = inverse_root(diagonal[(GROUP + 1) * k]);
    }
    scale
}

/// Factorises the middle: what the matrix has there and what both eliminations, whose windows these
/// are, subtract from it.
#[inline(always)]
fn meet(middle: &mut Middle, windows: [&Window; 2], matrix: &RodMatrix, steps: usize) -> bool {
    let left = matrix.groups() - 2 * steps;
    middle.clear();
    let mut scales = [1.0; MOST * GROUP];
    for i in 0..left {
        for j in 0..left {
            middle.put([i, j], &columns(&matrix.block(steps + i, steps + j)), true);
        }
        let diagonal = matrix.block(steps + i, steps + i);
        scales[GROUP * i..GROUP * (i + 1)].copy_from_slice(&scale(&diagonal));
    }
    // From the front the first two groups are seen, from the back the last two, the last one first.
    for i in 0..REACH.min(left) {
        for j in 0..REACH.min(left) {
            let [front, back] = windows.map(|window| window[j].map(|column| column[i]));
            middle.put([i, j], &front, false);
            middle.put([left - 1 - i, left - 1 - j], &back, false);
        }
    }
    middle.factor(&scales)
}
