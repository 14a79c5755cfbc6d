//! Boxes of the edges that stay together, side by side.

use pulp::{Arch, Simd, WithSimd};

use super::{Part, ROUNDING};
use crate::lanes::{COLUMN, Column, Columns3, Lanes, put};

/// As [`Part`] has them: boxes around the ways of centrelines, m, and margins, m. Where there is no
/// edge is a box that nothing is near to.
#[derive(Debug, Clone)]
pub(super) struct Run {
    min: Columns3,
    max: Columns3,
    margin: Column,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            min: [[f64::INFINITY; COLUMN]; 3],
            max: [[f64::NEG_INFINITY; COLUMN]; 3],
            margin: [0.0; COLUMN],
        }
    }
}

impl Run {
    /// Puts an edge in its place.
    pub fn put(&mut self, place: usize, edge: &Part) {
        put(&mut self.min, place, edge.around.min);
        put(&mut self.max, place, edge.around.max);
        self.margin[place] = edge.margin;
    }
}

/// Tells `found` the places in two runs of all pairs of edges whose boxes overlap when they are grown
/// by their margins on all sides, as [`Part::overlaps`] finds it.
pub(super) fn overlapping(first: &Run, second: &Run, mut found: impl FnMut(usize, usize)) {
    let mut near = [[0.0; COLUMN]; COLUMN];
    Arch::new().dispatch(Overlaps {
        first,
        second,
        near: &mut near,
    });
    for (k, near) in near.iter().enumerate() {
        for (l, near) in near.iter().enumerate() {
            if *near > 0.0 {
                found(k, l);
            }
        }
    }
}

/// Compiled once per instruction set and chosen at run time.
struct Overlaps<'a> {
    first: &'a Run,
    second: &'a Run,
    /// One where the boxes overlap, by edges of the first run.
    near: &'a mut [Column; COLUMN],
}

impl WithSimd for Overlaps<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            first,
            second,
            near,
        } = self;
        for lanes in Lanes::all(simd) {
            let (min, max) = (lanes.load3(&second.min), lanes.load3(&second.max));
            let margin = lanes.load(&second.margin);
            let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
            for (k, near) in near.iter_mut().enumerate() {
                let mut apart = zero;
                for axis in 0..3 {
                    let after = lanes.splat(first.min[axis][k]) - max[axis];
                    let before = min[axis] - lanes.splat(first.max[axis][k]);
                    apart = apart.max(after).max(before);
                }
                let apart = apart * lanes.splat(1.0 - ROUNDING);
                let margins = (lanes.splat(first.margin[k]) + margin) * lanes.splat(1.0 + ROUNDING);
                lanes.store(zero.or_else(margins.less_than(apart), one), near);
            }
        }
    }
}
