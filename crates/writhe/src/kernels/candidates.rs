//! Broad phase: which boxes overlap, found through a hierarchy of uniform grids.
//!
//! Each box belongs to the grid whose cells are between two and four times its largest side, so it
//! covers at most two cells per axis; grids of one level differ from the next by a factor of two. A
//! pair of boxes is looked for in the grid of the larger one, where the smaller covers no more
//! cells either. Boxes of one size, the usual case, use one or two grids; boxes of very different
//! sizes never fill many cells. Cells are sorted, not hashed into buckets: no table to size, and
//! the order is reproducible.

mod sweep;

use glam::DVec3;

pub(crate) use sweep::sweep;

/// Grids below the largest box's one; smaller boxes share the lowest grid.
const MAX_LEVELS: i32 = 24;

/// Bits of a cell's coordinate in its key. Coordinates that differ by a multiple of 2^21 share
/// keys, which costs time but no correctness.
const CELL_BITS: u32 = 21;

/// Axis-aligned box, in metres, closed: boxes that share a face overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub min: DVec3,
    pub max: DVec3,
}

impl Aabb {
    /// Box of the segment from `x0` to `x1`, grown by `margin` (at least 0) on all sides.
    pub(crate) fn of_edge(x0: DVec3, x1: DVec3, margin: f64) -> Self {
        Self {
            min: x0.min(x1) - margin,
            max: x0.max(x1) + margin,
        }
    }

    /// Smallest box around both: the box swept by an edge, from those at the start and end of a
    /// step.
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    fn largest_side(&self) -> f64 {
        (self.max - self.min).max_element()
    }

    fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmple(self.max).all()
    }
}

/// A box in a cell; sorted by cell, the grid's own boxes before guests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    cell: u64,
    /// Whether the box is too small for this grid: two such boxes meet in a finer one.
    guest: bool,
    id: u32,
}

/// Workspace of the broad phase; it keeps its buffers from call to call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Broadphase {
    /// Level of each box; `None` for boxes without finite extent.
    levels: Vec<Option<i32>>,
    entries: Vec<Entry>,
    #[cfg(test)]
    box_tests: usize,
}

impl Broadphase {
    /// Box tests of the last call: a measure of its work.
    #[cfg(test)]
    pub(crate) fn box_tests(&self) -> usize {
        self.box_tests
    }

    /// Replaces `out` by all pairs (i, j), i < j, of boxes that overlap and pass `filter`; sorted,
    /// each pair once.
    ///
    /// Boxes with a NaN, an infinity or a negative side overlap nothing. At most 2^32 boxes.
    pub(crate) fn pairs(
        &mut self,
        boxes: &[Aabb],
        filter: impl Fn(u32, u32) -> bool,
        out: &mut Vec<(u32, u32)>,
    ) {
        out.clear();
        #[cfg(test)]
        {
            self.box_tests = 0;
        }
        let largest = boxes
            .iter()
            .filter(|b| b.is_valid())
            .map(Aabb::largest_side)
            .fold(0.0, f64::max);
        let top = level_of(largest);
        let bottom = top - MAX_LEVELS;
        let level = |b: &Aabb| b.is_valid().then(|| level_of(b.largest_side()).max(bottom));
        self.levels.clear();
        self.levels.extend(boxes.iter().map(level));
        // Levels with a box of their own, as bits above the lowest: only these grids are used.
        let present = self
            .levels
            .iter()
            .flatten()
            .fold(0_u32, |mask, level| mask | 1 << (level - bottom));
        for level in (bottom..=top).filter(|level| present >> (level - bottom) & 1 == 1) {
            self.enter(boxes, level);
            self.test(boxes, level, &filter, out);
        }
        // In the order of the boxes, whichever grid found a pair: sums of forces depend on it.
        out.sort_unstable();
    }

    /// Lists the cells covered by all boxes that belong to this grid or to a finer one.
    fn enter(&mut self, boxes: &[Aabb], level: i32) {
        let grid = Grid::new(level);
        self.entries.clear();
        for (id, (b, own)) in (0_u32..).zip(boxes.iter().zip(&self.levels)) {
            if let Some(own) = own.filter(|own| *own <= level) {
                // Guests meet this grid's own boxes here, and each other in a finer grid.
                let guest = own < level;
                grid.for_each_cell(b, |cell| self.entries.push(Entry { cell, guest, id }));
            }
        }
        self.entries.sort_unstable();
    }

    /// Tests this grid's boxes against all in the same cell.
    fn test(
        &mut self,
        boxes: &[Aabb],
        level: i32,
        filter: &impl Fn(u32, u32) -> bool,
        out: &mut Vec<(u32, u32)>,
    ) {
        let grid = Grid::new(level);
        for cell in self.entries.chunk_by(|a, b| a.cell == b.cell) {
            // Own boxes come first in a cell; guests are only ever the second of a pair.
            for (n, first) in cell.iter().enumerate().take_while(|(_, e)| !e.guest) {
                for second in &cell[n + 1..] {
                    #[cfg(test)]
                    {
                        self.box_tests += 1;
                    }
                    let (a, b) = (&boxes[first.id as usize], &boxes[second.id as usize]);
                    // Pairs that share several cells are reported by the one with the low corner of
                    // the overlap.
                    if a.overlaps(b) && grid.cell_of(a.min.max(b.min)) == first.cell {
                        let pair = (first.id.min(second.id), first.id.max(second.id));
                        if filter(pair.0, pair.1) {
                            out.push(pair);
                        }
                    }
                }
            }
        }
    }
}

/// Smallest level whose cells, of side 2^level, are at least twice as large as `side`. Measured on
/// rods: smaller cells cost more in entries than they save in tests.
fn level_of(side: f64) -> i32 {
    const LOWEST: f64 = -1000.0;
    // A box without extent has log2(0), minus infinity.
    side.log2().ceil().max(LOWEST) as i32 + 1
}

/// Cells of side 2^level.
struct Grid {
    cells_per_metre: f64,
}

impl Grid {
    fn new(level: i32) -> Self {
        Self {
            cells_per_metre: f64::from(-level).exp2(),
        }
    }

    fn coordinates(&self, x: DVec3) -> [i64; 3] {
        (x * self.cells_per_metre)
            .floor()
            .to_array()
            .map(|c| c as i64)
    }

    fn cell_of(&self, x: DVec3) -> u64 {
        key(self.coordinates(x))
    }

    /// Visits the keys of the cells that a box covers: one or two per axis, each key once.
    fn for_each_cell(&self, b: &Aabb, mut visit: impl FnMut(u64)) {
        let (low, high) = (self.coordinates(b.min), self.coordinates(b.max));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    visit(key([x, y, z]));
                }
            }
        }
    }
}

fn key(coordinates: [i64; 3]) -> u64 {
    const MASK: i64 = (1 << CELL_BITS) - 1;
    coordinates
        .iter()
        .fold(0, |key, c| (key << CELL_BITS) | (c & MASK) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::*;
    use proptest::prelude::*;

    fn brute_force(boxes: &[Aabb], filter: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let n = boxes.len() as u32;
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        all.filter(|(i, j)| boxes[*i as usize].overlaps(&boxes[*j as usize]) && filter(*i, *j))
            .collect()
    }

    fn found(boxes: &[Aabb], filter: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let mut pairs = vec![(7, 7)];
        Broadphase::default().pairs(boxes, &filter, &mut pairs);
        assert_eq!(pairs, sweep(boxes, filter));
        pairs
    }

    fn random_boxes(random: &mut Random, count: usize, span: f64, sides: [f64; 2]) -> Vec<Aabb> {
        let mut boxes = Vec::new();
        for _ in 0..count {
            let size = random.range(sides[0], sides[1]).exp2();
            let x0 = span * random.vector();
            boxes.push(Aabb::of_edge(x0, x0 + size * random.vector(), 0.01 * size));
        }
        boxes
    }

    /// Edges of a random walk with a persistence of a few steps, length 1 each.
    fn rod(random: &mut Random, edges: usize, length: f64) -> Vec<Aabb> {
        let (mut x, mut direction) = (DVec3::ZERO, DVec3::X);
        let mut boxes = Vec::with_capacity(edges);
        for _ in 0..edges {
            direction = (direction + 0.7 * random.vector()).normalize();
            boxes.push(Aabb::of_edge(x, x + length * direction, 0.1 * length));
            x += length * direction;
        }
        boxes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn equals_brute_force(seed: u64, count in 0..120_usize, span in 0.1..20.0_f64, smallest in -30.0..0.0_f64) {
            let boxes = random_boxes(&mut Random(seed), count, span, [smallest, 3.0]);
            prop_assert_eq!(found(&boxes, |_, _| true), brute_force(&boxes, |_, _| true));
        }

        #[test]
        fn equals_brute_force_for_equal_boxes_far_away(seed: u64, count in 0..200_usize, shift in -1e6..1e6_f64) {
            let mut boxes = random_boxes(&mut Random(seed), count, 3.0, [0.0, 0.01]);
            for b in &mut boxes {
                *b = Aabb { min: b.min + shift, max: b.max + shift };
            }
            prop_assert_eq!(found(&boxes, |_, _| true), brute_force(&boxes, |_, _| true));
        }

        /// Faces on cell borders, touching exactly: closed boxes overlap.
        #[test]
        fn equals_brute_force_on_integers(corners in prop::collection::vec((-4..4_i32, -4..4_i32, -4..4_i32, 0..5_i32), 0..60)) {
            let cube = |(x, y, z, side): (i32, i32, i32, i32)| {
                let min = DVec3::new(x.into(), y.into(), z.into());
                Aabb { min, max: min + f64::from(side) }
            };
            let boxes: Vec<Aabb> = corners.into_iter().map(cube).collect();
            prop_assert_eq!(found(&boxes, |_, _| true), brute_force(&boxes, |_, _| true));
        }

        #[test]
        fn filter_sees_ordered_pairs(seed: u64) {
            let boxes = random_boxes(&mut Random(seed), 60, 1.0, [-2.0, 1.0]);
            let filter = |i: u32, j: u32| {
                assert!(i < j);
                j - i > 1 && !(i + j).is_multiple_of(3)
            };
            prop_assert_eq!(found(&boxes, filter), brute_force(&boxes, filter));
        }
    }

    /// Keys repeat every 2^21 cells: the boxes there are no neighbours.
    #[test]
    fn keys_that_wrap_do_not_pair() {
        let unit = |x: f64| Aabb {
            min: DVec3::splat(x),
            max: DVec3::splat(x + 1.0),
        };
        let period = f64::from(1 << CELL_BITS);
        let boxes = [
            unit(0.0),
            unit(period),
            unit(0.5),
            unit(period + 0.5),
            unit(-period),
        ];
        assert_eq!(found(&boxes, |_, _| true), vec![(0, 2), (1, 3)]);
    }

    #[test]
    fn points_and_invalid_boxes() {
        let point = Aabb {
            min: DVec3::ONE,
            max: DVec3::ONE,
        };
        let nan = Aabb {
            min: DVec3::NAN,
            max: DVec3::NAN,
        };
        let endless = Aabb {
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
        };
        let inverted = Aabb {
            min: DVec3::ONE,
            max: DVec3::ZERO,
        };
        assert_eq!(
            found(&[point, nan, endless, inverted, point], |_, _| true),
            vec![(0, 4)]
        );
        assert_eq!(found(&[], |_, _| true), vec![]);
        let large = Aabb {
            min: DVec3::splat(-1e9),
            max: DVec3::splat(1e9),
        };
        assert_eq!(found(&[point, large], |_, _| true), vec![(0, 1)]);
    }

    #[test]
    fn buffers_are_reused() {
        let boxes = rod(&mut Random(1), 2000, 0.01);
        let mut broadphase = Broadphase::default();
        let mut pairs = Vec::new();
        broadphase.pairs(&boxes, |i, j| j - i > 1, &mut pairs);
        let sizes = |b: &Broadphase| (b.entries.capacity(), b.levels.capacity());
        let (first, capacity) = (pairs.clone(), (sizes(&broadphase), pairs.capacity()));
        broadphase.pairs(&boxes, |i, j| j - i > 1, &mut pairs);
        assert_eq!(pairs, first);
        assert_eq!((sizes(&broadphase), pairs.capacity()), capacity);
    }

    /// Work per box at two sizes of the same scene: linear, not quadratic.
    fn tests_per_box(boxes: &[Aabb]) -> f64 {
        let mut broadphase = Broadphase::default();
        broadphase.pairs(boxes, |i, j| j - i > 1, &mut Vec::new());
        broadphase.box_tests() as f64 / boxes.len() as f64
    }

    #[test]
    fn work_grows_like_the_number_of_boxes() {
        let mut random = Random(12);
        let (short, long) = (
            rod(&mut random, 1000, 0.01),
            rod(&mut random, 100_000, 0.01),
        );
        let (few, many) = (tests_per_box(&short), tests_per_box(&long));
        assert!(
            many < 2.0 * few && many < 50.0,
            "{few} and {many} tests a box"
        );
    }

    /// A straight rod along an axis defeats a sweep over one axis; a coarse rod beside a fine one,
    /// a single grid.
    #[test]
    fn work_stays_linear_for_straight_and_for_mixed_rods() {
        let line = |n: usize, length: f64, y: f64| -> Vec<Aabb> {
            let node = |i: usize| DVec3::new(0.0, y, length * i as f64);
            (0..n)
                .map(|i| Aabb::of_edge(node(i), node(i + 1), 0.1 * length))
                .collect()
        };
        assert!(tests_per_box(&line(100_000, 0.01, 0.0)) < 10.0);
        let mixed = |n: usize| [line(n, 0.001, 0.0), line(n / 1000, 1.0, 0.5)].concat();
        let (few, many) = (
            tests_per_box(&mixed(10_000)),
            tests_per_box(&mixed(100_000)),
        );
        assert!(
            many < 2.0 * few && many < 50.0,
            "{few} and {many} tests a box"
        );
    }
}
