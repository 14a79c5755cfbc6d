//! Rows of the mobility.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::{COMPONENT_INDEX, COMPONENTS, TILE, place};
use crate::fluid::stokeslet_segments::kernel::{Densities, EndBlocks, Look, SegmentLanes};
use crate::fluid::stokeslet_segments::segments::{Closing, PADDING, Segments};
use crate::lanes::{Pack, Pack3, one_lane, scale_add, splat3};

/// Assembly of the rows of blocks of a few points, in f32.
pub(super) struct RoughRows<'a> {
    pub segments: &'a Segments,
    pub points: &'a [DVec3],
    pub rows: &'a mut [f32],
    /// Of a force whose flow at the points is wanted as well.
    pub densities: Option<&'a Densities>,
    /// That flow, m/s, `(3 points)`.
    pub flow: &'a mut [f64],
}

impl WithSimd for RoughRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let lanes = SegmentLanes::new(simd, self.segments);
        let rows = self.rows.chunks_exact_mut(COMPONENTS * self.segments.slots);
        let rows = rows.zip(self.flow.chunks_exact_mut(3));
        for ((row, flow), point) in rows.zip(self.points) {
            let mut tiles = Tiles::new(self.segments, &lanes, *point, self.densities);
            for rough in row.chunks_exact_mut(TILE) {
                for (rough, value) in rough.iter_mut().zip(tiles.next()) {
                    *rough = *value as f32;
                }
            }
            for (node, components) in &tiles.late {
                for (k, component) in components.iter().enumerate() {
                    row[place(k, *node)] += *component as f32;
                }
            }
            flow.copy_from_slice(&tiles.flow.map(|sum| sum.sum_lanes()));
        }
    }
}

/// The row of blocks of one point.
pub(super) struct ExactRow<'a> {
    pub segments: &'a Segments,
    pub point: DVec3,
    pub row: &'a mut [f64],
}

impl WithSimd for ExactRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let lanes = SegmentLanes::new(simd, self.segments);
        let mut tiles = Tiles::new(self.segments, &lanes, self.point, None);
        for tile in self.row.chunks_exact_mut(TILE) {
            tile.copy_from_slice(tiles.next());
        }
        for (node, components) in &tiles.late {
            for (k, component) in components.iter().enumerate() {
                self.row[place(k, *node)] += component;
            }
        }
    }
}

/// A node, and components that are to be added to its block.
type Late = (usize, [f64; COMPONENTS]);

/// The tiles of one row, one after the other.
struct Tiles<'a, S: Simd> {
    look: Look<'a, S>,
    lanes: &'a SegmentLanes<'a, S>,
    tile: usize,
    values: [f64; TILE],
    /// Components of the second ends of the last vector: the highest lane goes on to the next one.
    before: [Pack<S>; COMPONENTS],
    highest: S::m64s,
    /// Segments that close a rod and are still to come.
    closing: &'a [Closing],
    /// What those that have come do to first nodes.
    late: Vec<Late>,
    densities: Option<&'a Densities>,
    /// The flow that the densities of all vectors so far make.
    flow: Pack3<S>,
}

impl<'a, S: Simd> Tiles<'a, S> {
    #[inline(always)]
    fn new(
        segments: &'a Segments,
        lanes: &'a SegmentLanes<'a, S>,
        point: DVec3,
        densities: Option<&'a Densities>,
    ) -> Self {
        let zero = lanes.zero();
        Self {
            look: Look::new(lanes, splat3(zero.simd, point)),
            lanes,
            tile: 0,
            values: [0.0; TILE],
            before: [zero; COMPONENTS],
            highest: one_lane(zero.simd, S::F64_LANES - 1),
            closing: &segments.closing,
            late: Vec::new(),
            densities,
            flow: [zero; 3],
        }
    }

    #[inline(always)]
    fn next(&mut self) -> &[f64; TILE] {
        let vectors = PADDING / S::F64_LANES;
        for vector in 0..vectors {
            let group = self.tile * vectors + vector;
            let blocks = self.look.blocks();
            // While the blocks are at hand, a product costs little.
            if let Some(densities) = self.densities {
                let densities = densities.lanes(self.flow[0].simd, group);
                self.flow = blocks.add_flow(densities, self.flow);
            }
            let first = components(&blocks, 0, self.lanes.scale(0, group));
            let mut second = components(&blocks, 1, self.lanes.scale(1, group));
            if let Some(closing) = self.closing.first()
                && closing.slot / S::F64_LANES == group
            {
                self.closing = take_closing(self.closing, group, &mut second, &mut self.late);
            }
            // The second end of slot j is node j + 1, which is a lane further.
            for (k, column) in self.values.chunks_exact_mut(PADDING).enumerate() {
                let sum = first[k] + second[k].moved_up(self.before[k], self.highest);
                S::as_mut_simd_f64s(column).0[vector] = sum.lanes;
            }
            self.before = second;
        }
        self.tile += 1;
        &self.values
    }
}

/// Takes the components of segments that close a rod, in vector `group`, out of its `second` ends, to
/// `late`, since the first node of the rod came long before; returns the segments that are left.
#[inline(always)]
fn take_closing<'a, S: Simd>(
    mut closing: &'a [Closing],
    group: usize,
    second: &mut [Pack<S>; COMPONENTS],
    late: &mut Vec<Late>,
) -> &'a [Closing] {
    let simd = second[0].simd;
    // Sixteen lanes are more than any instruction set has.
    let mut lanes = [[0.0; 16]; COMPONENTS];
    for (lanes, second) in lanes.iter_mut().zip(&*second) {
        simd.partial_store_f64s(&mut lanes[..S::F64_LANES], second.lanes);
    }
    while let Some((first, later)) = closing.split_first()
        && first.slot / S::F64_LANES == group
    {
        let lane = first.slot % S::F64_LANES;
        let components = lanes
            .each_mut()
            .map(|lanes| std::mem::take(&mut lanes[lane]));
        late.push((first.node, components));
        closing = later;
    }
    for (lanes, second) in lanes.iter().zip(second) {
        second.lanes = simd.partial_load_f64s(&lanes[..S::F64_LANES]);
    }
    closing
}

/// Components of `scale` times the block of end `end`.
#[inline(always)]
fn components<S: Simd>(blocks: &EndBlocks<S>, end: usize, scale: Pack<S>) -> [Pack<S>; COMPONENTS] {
    let EndBlocks { iso, m, r, t } = blocks;
    let [m0, m1, m2] = [scale * m[end][0], scale * m[end][1], scale * m[end][2]];
    let zero = scale.constant(0.0);
    // iso I + (m0 r + m1 t) r^T + (m1 r + m2 t) t^T, over 8 pi mu dl
    let a = scale_add(m0, *r, scale_add(m1, *t, [zero; 3]));
    let b = scale_add(m1, *r, scale_add(m2, *t, [zero; 3]));
    let mut components = [zero; COMPONENTS];
    for (component, (i, j)) in components.iter_mut().zip(COMPONENT_INDEX) {
        let start = if i == j { scale * iso[end] } else { zero };
        *component = a[i].mul_add(r[j], b[i].mul_add(t[j], start));
    }
    components
}
