//! The mobility B: nodal forces on the fluid to nodal velocities, u = B F.
//!
//! `B_ij = sum over edges e at node j of (L_e M_e)(x_i) / (8 pi mu dl_j)`, i.e. Tong et al. 2022,
//! Eqs. A.6 to A.8, with f_j = F_j / dl_j. B is dense, 3N x 3N and not symmetric (collocation at
//! the nodes).
//!
//! # Storage
//!
//! Each 3 x 3 block is symmetric, so a row of blocks is stored as six planes xx, xy, xz, yy, yz, zz
//! over the nodes j, row after row. That is two thirds of the memory of a dense matrix, which is
//! what a product costs once B leaves the cache. [`DenseMobility::dense`] expands it, column-major,
//! for a factorisation. A copy in f32 is for products inside an iterative solver, whose residuals
//! are taken in f64: it is half as large.

use crate::fluid::stokeslet_segments::kernel::{EndBlocks, SegmentLanes};
use crate::fluid::stokeslet_segments::segments::{Segments, StokesError, StokesModel};
use crate::lanes::{Pack, scale_add, splat3};
use faer::Mat;
use glam::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use std::ops::Range;

/// Planes of a symmetric 3 x 3 block.
const PLANES: usize = 6;
/// Row and column of each plane.
const PLANE_INDEX: [(usize, usize); PLANES] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
/// Rows of blocks assembled by one task.
const ASSEMBLY_ROWS: usize = 8;
/// Products of fewer nodes than this run on the calling thread.
const PARALLEL_PRODUCT: usize = 256;
/// Rows of blocks in one task of a product.
const PRODUCT_ROWS: usize = 32;

/// The mobility, N x N symmetric 3 x 3 blocks, m/(N s).
#[derive(Clone, Debug)]
pub struct DenseMobility {
    n_nodes: usize,
    slots: usize,
    planes: Vec<f64>,
    /// The same in f32.
    rough: Vec<f32>,
}

impl DenseMobility {
    /// Mobility of the rods at node `positions` (m).
    pub fn new(model: &StokesModel, positions: &[DVec3]) -> Result<Self, StokesError> {
        let mut mobility = Self {
            n_nodes: 0,
            slots: 0,
            planes: Vec::new(),
            rough: Vec::new(),
        };
        mobility.assemble(model, positions)?;
        Ok(mobility)
    }

    /// Assembles anew at other positions, keeping the memory. Parallel over rows; bitwise the same
    /// for any number of threads. On error the mobility is unchanged.
    pub fn assemble(
        &mut self,
        model: &StokesModel,
        positions: &[DVec3],
    ) -> Result<(), StokesError> {
        let segments = Segments::new(model, positions)?;
        self.n_nodes = model.n_nodes();
        self.slots = segments.slots;
        let row = PLANES * self.slots;
        self.planes.resize(self.n_nodes * row, 0.0);
        self.rough.resize(self.n_nodes * row, 0.0);
        if row == 0 {
            return Ok(());
        }
        let arch = Arch::new();
        self.planes
            .par_chunks_mut(ASSEMBLY_ROWS * row)
            .zip(self.rough.par_chunks_mut(ASSEMBLY_ROWS * row))
            .zip(positions.par_chunks(ASSEMBLY_ROWS))
            .for_each_init(
                || vec![0.0; row],
                |scratch, ((rows, rough), points)| {
                    arch.dispatch(FillRows {
                        segments: &segments,
                        points,
                        rows,
                        rough,
                        scratch,
                    });
                },
            );
        Ok(())
    }

    /// Number of nodes N.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// `velocity = B force`, both of length 3N with x, y, z of each node together (m/s and N, force
    /// on the fluid).
    ///
    /// Parallel over rows when large, with a fixed order of summation.
    pub fn apply(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), StokesError> {
        check_product(self.n_nodes, force, velocity)?;
        // Components apart, as the planes are: the sums of a row run along both.
        let x = split_components(force, self.slots, |a| a);
        let arch = Arch::new();
        for_each_rows(self.n_nodes, velocity, |first, velocity| {
            let row = PLANES * self.slots;
            let rows = &self.planes[first * row..][..velocity.len() / 3 * row];
            arch.dispatch(ProductF64 {
                rows,
                x: &x,
                velocity,
            });
        });
        Ok(())
    }

    /// The product of [`DenseMobility::apply`], with B and the sums in f32: relative error about
    /// 1e-6.
    ///
    /// The force is scaled by its largest component before it is rounded, so that small forces do
    /// not underflow.
    pub fn apply_roughly(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), StokesError> {
        check_product(self.n_nodes, force, velocity)?;
        let largest = force.iter().fold(0.0_f64, |max, a| max.max(a.abs()));
        let scale = if largest > 0.0 && largest.is_finite() {
            largest
        } else {
            1.0
        };
        let x = split_components(force, self.slots, |a| (a / scale) as f32);
        let arch = Arch::new();
        for_each_rows(self.n_nodes, velocity, |first, velocity| {
            let row = PLANES * self.slots;
            let rows = &self.rough[first * row..][..velocity.len() / 3 * row];
            arch.dispatch(ProductF32 {
                rows,
                x: &x,
                scale,
                velocity,
            });
        });
        Ok(())
    }

    /// Block B_ij: velocity of node i by a force at node j. `None` if a node does not exist.
    pub fn block(&self, i: usize, j: usize) -> Option<DMat3> {
        if i >= self.n_nodes || j >= self.n_nodes {
            return None;
        }
        let [xx, xy, xz, yy, yz, zz] =
            std::array::from_fn(|plane| self.planes[(i * PLANES + plane) * self.slots + j]);
        Some(DMat3::from_cols_array(&[
            xx, xy, xz, xy, yy, yz, xz, yz, zz,
        ]))
    }

    /// Rows and columns of the given nodes as a dense column-major matrix; nodes outside are left
    /// out.
    pub(crate) fn dense_block(&self, rows: Range<usize>, columns: Range<usize>) -> Mat<f64> {
        let rows = rows.start.min(self.n_nodes)..rows.end.min(self.n_nodes);
        let columns = columns.start.min(self.n_nodes)..columns.end.min(self.n_nodes);
        let mut dense = Mat::zeros(3 * rows.len(), 3 * columns.len());
        for (i, row) in rows.enumerate() {
            for (plane, (a, b)) in PLANE_INDEX.into_iter().enumerate() {
                let values = &self.planes[(row * PLANES + plane) * self.slots..][columns.clone()];
                for (j, value) in values.iter().enumerate() {
                    dense[(3 * i + a, 3 * j + b)] = *value;
                    dense[(3 * i + b, 3 * j + a)] = *value;
                }
            }
        }
        dense
    }

    /// All of B as a dense 3N x 3N column-major matrix. It is not symmetric: factor by LU, not
    /// Cholesky.
    pub fn dense(&self) -> Mat<f64> {
        self.dense_block(0..self.n_nodes, 0..self.n_nodes)
    }
}

fn check_product(n_nodes: usize, force: &[f64], velocity: &[f64]) -> Result<(), StokesError> {
    for (what, found) in [("force", force.len()), ("velocity", velocity.len())] {
        if found != 3 * n_nodes {
            return Err(StokesError::Size {
                what,
                found,
                expected: 3 * n_nodes,
            });
        }
    }
    Ok(())
}

/// x, y and z components one after the other, each padded with zeros to `slots`.
fn split_components<T: Copy + Default>(
    force: &[f64],
    slots: usize,
    convert: impl Fn(f64) -> T,
) -> [Vec<T>; 3] {
    std::array::from_fn(|k| {
        let mut component = Vec::with_capacity(slots);
        component.extend(force.iter().skip(k).step_by(3).map(|a| convert(*a)));
        component.resize(slots, T::default());
        component
    })
}

/// Calls `product(first row, velocities of the rows)` for all rows, in parallel when there are
/// many.
fn for_each_rows(n_nodes: usize, velocity: &mut [f64], product: impl Fn(usize, &mut [f64]) + Sync) {
    if n_nodes < PARALLEL_PRODUCT {
        product(0, velocity);
    } else {
        velocity
            .par_chunks_mut(3 * PRODUCT_ROWS)
            .enumerate()
            .for_each(|(chunk, velocity)| product(chunk * PRODUCT_ROWS, velocity));
    }
}

/// Assembly of the rows of blocks of a few points.
struct FillRows<'a> {
    segments: &'a Segments,
    points: &'a [DVec3],
    rows: &'a mut [f64],
    /// The rows in f32.
    rough: &'a mut [f32],
    /// Blocks of the second end of each slot, six planes.
    scratch: &'a mut [f64],
}

impl WithSimd for FillRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let slots = self.segments.slots;
        let lanes = SegmentLanes::new(simd, self.segments);
        let rows = self.rows.chunks_exact_mut(PLANES * slots);
        let rows = rows.zip(self.rough.chunks_exact_mut(PLANES * slots));
        for ((row, rough), point) in rows.zip(self.points) {
            let point = splat3(simd, *point);
            for group in 0..lanes.len() {
                let blocks = lanes.blocks(group, point);
                // The first end of slot j is node j, in place; the second is added afterwards.
                store_block(&blocks, 0, lanes.scale(0, group), row, group);
                store_block(&blocks, 1, lanes.scale(1, group), self.scratch, group);
            }
            add_second_ends(self.segments, row, self.scratch);
            // While the row is in the cache.
            for (rough, value) in rough.iter_mut().zip(&*row) {
                *rough = *value as f32;
            }
        }
    }
}

/// Writes `scale` times the block of end `end` to the six planes of `output`, at vector `group`.
#[inline(always)]
fn store_block<S: Simd>(
    blocks: &EndBlocks<S>,
    end: usize,
    scale: Pack<S>,
    output: &mut [f64],
    group: usize,
) {
    let EndBlocks { iso, m, r, t } = blocks;
    let [m0, m1, m2] = [scale * m[end][0], scale * m[end][1], scale * m[end][2]];
    let zero = scale.constant(0.0);
    // iso I + (m0 r + m1 t) r^T + (m1 r + m2 t) t^T, over 8 pi mu dl
    let a = scale_add(m0, *r, scale_add(m1, *t, [zero; 3]));
    let b = scale_add(m1, *r, scale_add(m2, *t, [zero; 3]));
    let slots = output.len() / PLANES;
    for (output, (i, j)) in output.chunks_exact_mut(slots).zip(PLANE_INDEX) {
        let start = if i == j { scale * iso[end] } else { zero };
        let value = a[i].mul_add(r[j], b[i].mul_add(t[j], start));
        S::as_mut_simd_f64s(output).0[group] = value.lanes;
    }
}

/// Adds the block of the second end of slot j to node j + 1, or to the first node where a closed
/// rod closes.
#[inline(always)]
fn add_second_ends(segments: &Segments, row: &mut [f64], second: &mut [f64]) {
    let slots = segments.slots;
    for (row, second) in row
        .chunks_exact_mut(slots)
        .zip(second.chunks_exact_mut(slots))
    {
        for (first, last) in &segments.closed {
            // Taken out, lest the shift below carry it on to the next rod's first node.
            row[*first] += std::mem::take(&mut second[*last]);
        }
        for (value, addend) in row[1..].iter_mut().zip(second.iter()) {
            *value += addend;
        }
    }
}

struct ProductF64<'a> {
    rows: &'a [f64],
    x: &'a [Vec<f64>; 3],
    velocity: &'a mut [f64],
}

impl WithSimd for ProductF64<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let slots = self.x[0].len();
        let x = S::as_simd_f64s(&self.x[0]).0;
        let y = S::as_simd_f64s(&self.x[1]).0;
        let z = S::as_simd_f64s(&self.x[2]).0;
        let n = x.len();
        let rows = self.rows.chunks_exact(PLANES * slots);
        for (row, velocity) in rows.zip(self.velocity.chunks_exact_mut(3)) {
            let b = S::as_simd_f64s(row).0;
            let (xx, xy, xz) = (&b[..n], &b[n..2 * n], &b[2 * n..3 * n]);
            let (yy, yz, zz) = (&b[3 * n..4 * n], &b[4 * n..5 * n], &b[5 * n..6 * n]);
            // Nine sums of their own: additions that do not wait for each other.
            let mut sums = [simd.splat_f64s(0.0); 9];
            for k in 0..n {
                sums[0] = simd.mul_add_e_f64s(xx[k], x[k], sums[0]);
                sums[1] = simd.mul_add_e_f64s(xy[k], y[k], sums[1]);
                sums[2] = simd.mul_add_e_f64s(xz[k], z[k], sums[2]);
                sums[3] = simd.mul_add_e_f64s(xy[k], x[k], sums[3]);
                sums[4] = simd.mul_add_e_f64s(yy[k], y[k], sums[4]);
                sums[5] = simd.mul_add_e_f64s(yz[k], z[k], sums[5]);
                sums[6] = simd.mul_add_e_f64s(xz[k], x[k], sums[6]);
                sums[7] = simd.mul_add_e_f64s(yz[k], y[k], sums[7]);
                sums[8] = simd.mul_add_e_f64s(zz[k], z[k], sums[8]);
            }
            for (velocity, [a, b, c]) in velocity.iter_mut().zip(threes(sums)) {
                *velocity = simd.reduce_sum_f64s(simd.add_f64s(simd.add_f64s(a, b), c));
            }
        }
    }
}

struct ProductF32<'a> {
    rows: &'a [f32],
    x: &'a [Vec<f32>; 3],
    scale: f64,
    velocity: &'a mut [f64],
}

impl WithSimd for ProductF32<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let slots = self.x[0].len();
        let x = S::as_simd_f32s(&self.x[0]).0;
        let y = S::as_simd_f32s(&self.x[1]).0;
        let z = S::as_simd_f32s(&self.x[2]).0;
        let n = x.len();
        let rows = self.rows.chunks_exact(PLANES * slots);
        for (row, velocity) in rows.zip(self.velocity.chunks_exact_mut(3)) {
            let b = S::as_simd_f32s(row).0;
            let (xx, xy, xz) = (&b[..n], &b[n..2 * n], &b[2 * n..3 * n]);
            let (yy, yz, zz) = (&b[3 * n..4 * n], &b[4 * n..5 * n], &b[5 * n..6 * n]);
            // Nine sums of their own: additions that do not wait for each other.
            let mut sums = [simd.splat_f32s(0.0); 9];
            for k in 0..n {
                sums[0] = simd.mul_add_e_f32s(xx[k], x[k], sums[0]);
                sums[1] = simd.mul_add_e_f32s(xy[k], y[k], sums[1]);
                sums[2] = simd.mul_add_e_f32s(xz[k], z[k], sums[2]);
                sums[3] = simd.mul_add_e_f32s(xy[k], x[k], sums[3]);
                sums[4] = simd.mul_add_e_f32s(yy[k], y[k], sums[4]);
                sums[5] = simd.mul_add_e_f32s(yz[k], z[k], sums[5]);
                sums[6] = simd.mul_add_e_f32s(xz[k], x[k], sums[6]);
                sums[7] = simd.mul_add_e_f32s(yz[k], y[k], sums[7]);
                sums[8] = simd.mul_add_e_f32s(zz[k], z[k], sums[8]);
            }
            for (velocity, [a, b, c]) in velocity.iter_mut().zip(threes(sums)) {
                let sum = simd.reduce_sum_f32s(simd.add_f32s(simd.add_f32s(a, b), c));
                *velocity = self.scale * f64::from(sum);
            }
        }
    }
}

/// Nine values as three groups of three.
fn threes<T: Copy>(v: [T; 9]) -> [[T; 3]; 3] {
    [[v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]]
}

#[cfg(test)]
mod tests;
