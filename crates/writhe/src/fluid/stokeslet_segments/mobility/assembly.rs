//! Rows of the mobility.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::{COMPONENT_INDEX, COMPONENTS, TILE};
use crate::fluid::stokeslet_segments::coefficients::segment_blocks;
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
    }
}

/// The tiles of one row, one after the other.
struct Tiles<'a, S: Simd> {
    look: Look<'a, S>,
    lanes: &'a SegmentLanes<'a, S>,
    point: DVec3,
    tile: usize,
    values: [f64; TILE],
    /// Components of the second ends of the last vector: the highest lane goes on to the next one.
    before: [Pack<S>; COMPONENTS],
    lowest: S::m64s,
    /// Segments that close a rod whose first node is still to come.
    closing: &'a [Closing],
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
            point,
            tile: 0,
            values: [0.0; TILE],
            before: [zero; COMPONENTS],
            lowest: one_lane(zero.simd, 0),
            closing: &segments.closing,
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
            let second = components(&blocks, 1, self.lanes.scale(1, group));
            // The second end of slot j is node j + 1, which is a lane further.
            for (k, column) in self.values.chunks_exact_mut(PADDING).enumerate() {
                let sum = first[k] + second[k].moved_up(self.before[k], self.lowest);
                S::as_mut_simd_f64s(column).0[vector] = sum.lanes;
            }
            self.before = second;
        }
        if let Some(closing) = self.closing.first()
            && closing.node / PADDING == self.tile
        {
            self.closing = add_closing(self.closing, self.tile, self.point, &mut self.values);
        }
        self.tile += 1;
        &self.values
    }
}

/// Adds to tile `tile` of the row of `point` the blocks of the segments that close rods whose first
/// nodes are in it; returns the others. Not in lanes, and apart, lest registers go to memory for it.
#[cold]
fn add_closing<'a>(
    mut closing: &'a [Closing],
    tile: usize,
    point: DVec3,
    values: &mut [f64; TILE],
) -> &'a [Closing] {
    while let Some((first, later)) = closing.split_first()
        && first.node / PADDING == tile
    {
        let [y0, y1] = first.ends;
        let [_, second] = segment_blocks(point, y0, y1, first.epsilon);
        for (k, (i, j)) in COMPONENT_INDEX.into_iter().enumerate() {
            values[k * PADDING + first.node % PADDING] += first.scale * second.col(j)[i];
        }
        closing = later;
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
