//! Rows of the mobility.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use super::{COMPONENT_INDEX, COMPONENTS, TILE};
use crate::fluid::stokeslet_segments::kernel::{Densities, EndBlocks, SegmentLanes};
use crate::fluid::stokeslet_segments::segments::{PADDING, Segments};
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
            let mut sum = [Pack::splat(simd, 0.0); 3];
            let on_blocks = |group, blocks: &EndBlocks<S>| {
                // While the blocks are at hand, a product costs little.
                if let Some(densities) = self.densities {
                    sum = blocks.add_flow(densities.lanes(simd, group), sum);
                }
            };
            let on_tile = |tile: usize, values: &[f64; TILE]| {
                let row = &mut row[tile * TILE..][..TILE];
                for (rough, value) in row.iter_mut().zip(values) {
                    *rough = *value as f32;
                }
            };
            for_each_tile(&lanes, splat3(simd, *point), on_blocks, on_tile);
            flow.copy_from_slice(&sum.map(|sum| sum.sum_lanes()));
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
        let on_tile = |tile: usize, values: &[f64; TILE]| {
            self.row[tile * TILE..][..TILE].copy_from_slice(values);
        };
        for_each_tile(&lanes, splat3(simd, self.point), |_, _| (), on_tile);
    }
}

/// Calls `on_blocks` with the blocks seen from `point`, vector after vector, and `on_tile` with each
/// tile of the row.
#[inline(always)]
fn for_each_tile<S: Simd>(
    lanes: &SegmentLanes<S>,
    point: Pack3<S>,
    mut on_blocks: impl FnMut(usize, &EndBlocks<S>),
    mut on_tile: impl FnMut(usize, &[f64; TILE]),
) {
    let simd = point[0].simd;
    let lowest = one_lane(simd, 0);
    let vectors = PADDING / S::F64_LANES;
    let mut values = [0.0; TILE];
    let mut closing = lanes.closing().iter().peekable();
    // The second end of slot j is node j + 1, which is a lane further.
    let mut before = [Pack::splat(simd, 0.0); COMPONENTS];
    lanes.for_each_blocks(point, |group, blocks| {
        on_blocks(group, blocks);
        let first = components(blocks, 0, lanes.scale(0, group));
        let second = components(blocks, 1, lanes.scale(1, group));
        let (tile, vector) = (group / vectors, group % vectors);
        for (k, column) in values.chunks_exact_mut(PADDING).enumerate() {
            let sum = first[k] + second[k].moved_up(before[k], lowest);
            S::as_mut_simd_f64s(column).0[vector] = sum.lanes;
        }
        before = second;
        if vector + 1 == vectors {
            while let Some(closing) = closing.next_if(|c| c.node / PADDING == tile) {
                let (blocks, lane) = lanes.blocks_with(closing.slot, point);
                let scale = Pack::splat(simd, closing.scale);
                for (k, component) in components(&blocks, 1, scale).into_iter().enumerate() {
                    values[k * PADDING + closing.node % PADDING] += component.lane(lane);
                }
            }
            on_tile(tile, &values);
        }
    });
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
