//! The mobility B: nodal forces on the fluid to nodal velocities, u = B F.
//!
//! `B_ij = sum over edges e at node j of (L_e M_e)(x_i) / (8 pi mu dl_j)`, i.e. Tong et al. 2022,
//! Eqs. A.6 to A.8, with f_j = F_j / dl_j. B is dense, 3N x 3N and not symmetric (collocation at
//! the nodes).
//!
//! # Storage
//!
//! B is kept in f32 alone, for products inside an iterative solver. Its residuals are taken with
//! products in f64 whose blocks are evaluated anew: once B leaves the cache that costs little more
//! than to read them (decision 0098), and a product beside the assembly costs next to nothing.
//!
//! Each 3 x 3 block is symmetric: six numbers xx, xy, xz, yy, yz, zz, two thirds of a dense matrix.
//! A row of blocks consists of tiles of sixteen nodes j, a tile of the six components of its nodes,
//! sixteen numbers each, so that a product reads memory from the beginning to the end.

mod assembly;
mod product;

use std::ops::Range;

use faer::Mat;
use glam::{DMat3, DVec3};
use pulp::Arch;
use rayon::prelude::*;

use crate::fluid::stokeslet_segments::kernel::Densities;
use crate::fluid::stokeslet_segments::segments::{PADDING, Segments, StokesError, StokesModel};
use crate::fluid::stokeslet_segments::velocity::add_flow;
use crate::threads;
use assembly::{ExactRow, RoughRows};
use product::RoughProduct;

/// Components of a symmetric 3 x 3 block.
const COMPONENTS: usize = 6;
/// Row and column of each component.
const COMPONENT_INDEX: [(usize, usize); COMPONENTS] =
    [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
/// Numbers of a tile.
const TILE: usize = COMPONENTS * PADDING;
/// Rows of blocks assembled by one task.
const ASSEMBLY_ROWS: usize = 8;
/// Products of fewer nodes than this run on the calling thread.
const PARALLEL_PRODUCT: usize = 256;
/// Rows of blocks in one task of a product.
const PRODUCT_ROWS: usize = 32;

/// The mobility, N x N symmetric 3 x 3 blocks, m/(N s).
#[derive(Clone, Debug, Default)]
pub struct DenseMobility {
    segments: Segments,
    positions: Vec<DVec3>,
    /// Tile after tile, row after row.
    rough: Vec<f32>,
}

impl DenseMobility {
    /// Mobility of the rods at node `positions` (m).
    pub fn new(model: &StokesModel, positions: &[DVec3]) -> Result<Self, StokesError> {
        let mut mobility = Self::default();
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
        self.fill(Segments::new(model, positions)?, positions, None);
        Ok(())
    }

    /// Assembles anew and sets `velocity = B force`, as [`DenseMobility::apply`] does.
    ///
    /// # Errors
    /// See [`DenseMobility::assemble`] and [`DenseMobility::apply`].
    pub fn assemble_with(
        &mut self,
        model: &StokesModel,
        positions: &[DVec3],
        force: &[f64],
        velocity: &mut [f64],
    ) -> Result<(), StokesError> {
        let segments = Segments::new(model, positions)?;
        check_product(positions.len(), force, velocity)?;
        let densities = Densities::new(&segments, force);
        let flow = self.fill(segments, positions, Some(&densities));
        velocity.copy_from_slice(&flow);
        Ok(())
    }

    /// Fills all rows; returns the flow that the densities make at the nodes, m/s, `(3 nodes)`.
    fn fill(
        &mut self,
        segments: Segments,
        positions: &[DVec3],
        densities: Option<&Densities>,
    ) -> Vec<f64> {
        self.segments = segments;
        self.positions.clear();
        self.positions.extend_from_slice(positions);
        let row = COMPONENTS * self.segments.slots;
        self.rough.resize(positions.len() * row, 0.0);
        let mut flow = vec![0.0; 3 * positions.len()];
        if row == 0 {
            return flow;
        }
        let arch = Arch::new();
        let grain = threads::grain(positions.len().div_ceil(ASSEMBLY_ROWS), 1);
        let rows = self.rough.par_chunks_mut(ASSEMBLY_ROWS * row);
        rows.zip(flow.par_chunks_mut(3 * ASSEMBLY_ROWS))
            .zip(positions.par_chunks(ASSEMBLY_ROWS))
            .with_min_len(grain)
            .for_each(|((rows, flow), points)| {
                arch.dispatch(RoughRows {
                    segments: &self.segments,
                    points,
                    rows,
                    densities,
                    flow,
                });
            });
        flow
    }

    /// Number of nodes N.
    pub fn n_nodes(&self) -> usize {
        self.positions.len()
    }

    /// `velocity = B force`, both of length 3N with x, y, z of each node together (m/s and N, force
    /// on the fluid). The blocks are evaluated anew.
    ///
    /// Parallel over rows, with a fixed order of summation.
    pub fn apply(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), StokesError> {
        check_product(self.n_nodes(), force, velocity)?;
        let densities = Densities::new(&self.segments, force);
        let mut flow = vec![DVec3::ZERO; self.n_nodes()];
        add_flow(&self.segments, &densities, &self.positions, &mut flow);
        for (velocity, flow) in velocity.chunks_exact_mut(3).zip(flow) {
            velocity.copy_from_slice(&flow.to_array());
        }
        Ok(())
    }

    /// The product of [`DenseMobility::apply`], with B and the sums in f32: relative error about
    /// 1e-6.
    ///
    /// The force is scaled by its largest component before it is rounded, so that small forces do
    /// not underflow.
    pub fn apply_roughly(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), StokesError> {
        check_product(self.n_nodes(), force, velocity)?;
        let largest = force.iter().fold(0.0_f64, |max, a| max.max(a.abs()));
        let scale = if largest > 0.0 && largest.is_finite() {
            largest
        } else {
            1.0
        };
        // Components apart, as in tiles: the sums of a row run along both.
        let slots = self.segments.slots;
        let x = split_components(force, slots, scale);
        let arch = Arch::new();
        for_each_rows(self.n_nodes(), velocity, |first, velocity| {
            let row = COMPONENTS * slots;
            let rows = &self.rough[first * row..][..velocity.len() / 3 * row];
            arch.dispatch(RoughProduct {
                rows,
                x: &x,
                scale,
                velocity,
            });
        });
        Ok(())
    }

    /// Block B_ij: velocity of node i by a force at node j, to the digits of f32. `None` if a node
    /// does not exist.
    pub fn rough_block(&self, i: usize, j: usize) -> Option<DMat3> {
        if i >= self.n_nodes() || j >= self.n_nodes() {
            return None;
        }
        let row = &self.rough[i * COMPONENTS * self.segments.slots..];
        let [xx, xy, xz, yy, yz, zz] =
            std::array::from_fn(|component| f64::from(row[place(component, j)]));
        Some(DMat3::from_cols_array(&[
            xx, xy, xz, xy, yy, yz, xz, yz, zz,
        ]))
    }

    /// Rows and columns of the given nodes as a dense column-major matrix, evaluated anew; nodes
    /// outside are left out.
    pub(crate) fn dense_block(&self, rows: Range<usize>, columns: Range<usize>) -> Mat<f64> {
        let n = self.n_nodes();
        let rows = rows.start.min(n)..rows.end.min(n);
        let columns = columns.start.min(n)..columns.end.min(n);
        let mut dense = Mat::zeros(3 * rows.len(), 3 * columns.len());
        let mut row = vec![0.0; COMPONENTS * self.segments.slots];
        for (i, point) in self.positions[rows].iter().enumerate() {
            Arch::new().dispatch(ExactRow {
                segments: &self.segments,
                point: *point,
                row: &mut row,
            });
            for (component, (a, b)) in COMPONENT_INDEX.into_iter().enumerate() {
                for (j, column) in columns.clone().enumerate() {
                    let value = row[place(component, column)];
                    dense[(3 * i + a, 3 * j + b)] = value;
                    dense[(3 * i + b, 3 * j + a)] = value;
                }
            }
        }
        dense
    }

    /// All of B as a dense 3N x 3N column-major matrix. It is not symmetric: factor by LU, not
    /// Cholesky.
    pub fn dense(&self) -> Mat<f64> {
        self.dense_block(0..self.n_nodes(), 0..self.n_nodes())
    }
}

/// Where in its row a component of the block of node `j` is.
fn place(component: usize, j: usize) -> usize {
    j / PADDING * TILE + component * PADDING + j % PADDING
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

/// x, y and z components over `scale`, one after the other, each padded with zeros to `slots`.
fn split_components(force: &[f64], slots: usize, scale: f64) -> [Vec<f32>; 3] {
    std::array::from_fn(|k| {
        let mut component = Vec::with_capacity(slots);
        component.extend(force.iter().skip(k).step_by(3).map(|a| (a / scale) as f32));
        component.resize(slots, 0.0);
        component
    })
}

/// Calls `product(first row, velocities of the rows)` for all rows, in parallel when there are
/// many.
fn for_each_rows(n_nodes: usize, velocity: &mut [f64], product: impl Fn(usize, &mut [f64]) + Sync) {
    if n_nodes < PARALLEL_PRODUCT || threads::count() == 1 {
        product(0, velocity);
    } else {
        velocity
            .par_chunks_mut(3 * PRODUCT_ROWS)
            .enumerate()
            .for_each(|(chunk, velocity)| product(chunk * PRODUCT_ROWS, velocity));
    }
}

#[cfg(test)]
mod tests;
