//! What rounding of the unknowns leaves of the residual, unknown by unknown.
//!
//! An unknown x is known to eps |x|, and a term of the residual that changes with it by k is then
//! known to k eps |x|. Summed over the blocks k that are assembled for Newton's matrix, before any
//! of them cancel, the residual of unknown i is known to
//!
//! ```text
//! r_i = 4 eps sum over blocks, over their columns j, of |k_ij| |x_j|.
//! ```
//!
//! A pair in contact is one block: its normal force and its friction follow from one distance, whose
//! rounding both share. So each unknown has the rounding of its own terms: a heavy body or a stiff
//! contact says nothing about a rod elsewhere. The part of contact is kept apart, because a barrier may become as steep
//! as you like (decision 0042).

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use crate::assembly::{Blocks, PairBlocks, UPPER, VertexBlocks, VertexColumns};
use crate::bodies::reduction::Reduction;
use crate::lanes::{COLUMN, Column, Lanes};
use crate::model::Model;
use crate::rod::Topology;

/// An eps for the unknown itself, as much for each of the sums and products that lead from it to
/// the residual; `step/bodies/tests.rs` changes last digits and looks.
const DIGITS: f64 = 4.0 * f64::EPSILON;

/// Rounding of the residual at the trial last assembled.
#[derive(Debug, Default)]
pub(super) struct Rounding {
    /// Size of each unknown, m and rad, `(dofs)`: of a position the largest coordinate of its node.
    size: Vec<f64>,
    /// Of elastic forces, loads, inertia and joints, N and N m, `(dofs)`.
    others: Vec<f64>,
    /// Of contact, N and N m, `(dofs)`.
    contact: Vec<f64>,
}

impl Rounding {
    /// Prepares for the blocks of the trial `y`.
    pub fn begin(&mut self, model: &Model, y: &[f64]) {
        let topology = &model.topology;
        self.size.clear();
        // A turn of 1 rad for angles: their frames are known to eps, whatever the angle.
        let size = |(y, angle): (&f64, &bool)| if *angle { y.abs().max(1.0) } else { y.abs() };
        self.size.extend(y.iter().zip(&topology.angle).map(size));
        for dof in topology.node_dof.iter().chain(&topology.body_dof) {
            let largest = y[*dof..dof + 3].iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            self.size[*dof..dof + 3].fill(largest);
        }
        for (dof, assembly) in topology.body_dof.iter().zip(&model.bodies.list) {
            // Welded nodes are at X + R c: rounding of arms belongs to X. A turn counts as 1 rad.
            let reach = self.size[*dof].max(assembly.size());
            self.size[*dof..dof + 3].fill(reach);
            self.size[dof + 3..dof + 6].fill(1.0);
        }
        for sum in [&mut self.others, &mut self.contact] {
            sum.clear();
            sum.resize(topology.dofs, 0.0);
        }
    }

    /// Passes blocks of contact on to `inner` and takes their rounding down.
    pub fn contact<'a>(&'a mut self, inner: &'a mut dyn Blocks) -> Weighed<'a> {
        Weighed {
            size: &self.size,
            sum: &mut self.contact,
            inner,
        }
    }

    /// The same for all other blocks.
    pub fn others<'a>(&'a mut self, inner: &'a mut dyn Blocks) -> Weighed<'a> {
        Weighed {
            size: &self.size,
            sum: &mut self.others,
            inner,
        }
    }

    /// Takes the rounding of welded unknowns to the bodies that they follow.
    pub fn reduce(&mut self, model: &Model, reduction: &Reduction) {
        for sum in [&mut self.others, &mut self.contact] {
            reduction.reduce_sizes(&model.topology, sum);
        }
    }

    /// Rounding of the residual of an unknown by all but contact, N or N m.
    pub fn of_others(&self, dof: usize) -> f64 {
        self.others.get(dof).map_or(0.0, |r| DIGITS * r)
    }

    /// Rounding of the residual of an unknown by contact, N or N m.
    pub fn of_contact(&self, dof: usize) -> f64 {
        self.contact.get(dof).map_or(0.0, |r| DIGITS * r)
    }

    /// What rounding of the residual makes of the potential when each unknown is known to its last
    /// digit, J.
    pub fn work(&self) -> f64 {
        let rounding = (0..self.size.len()).map(|dof| self.of_others(dof) + self.of_contact(dof));
        // eps sum r_i |x_i|.
        let work = rounding.zip(&self.size).map(|(r, size)| r * size);
        f64::EPSILON * work.sum::<f64>()
    }
}

/// Passes blocks on and sums |k| |x| by row.
pub(super) struct Weighed<'a> {
    size: &'a [f64],
    sum: &'a mut [f64],
    inner: &'a mut dyn Blocks,
}

impl Weighed<'_> {
    fn weigh(&mut self, dofs: &[usize], values: &[f64]) {
        for (row, dof) in values.chunks_exact(dofs.len()).zip(dofs) {
            // sum over j of |k_ij| |x_j|.
            let columns = row.iter().zip(dofs);
            self.sum[*dof] += columns.map(|(k, j)| k.abs() * self.size[*j]).sum::<f64>();
        }
    }
}

impl Blocks for Weighed<'_> {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        self.weigh(dofs, values);
        self.inner.general(dofs, values);
    }

    fn symmetric(&mut self, dofs: &[usize], values: &[f64]) {
        self.weigh(dofs, values);
        self.inner.symmetric(dofs, values);
    }

    fn vertex(&mut self, vertex: usize, dofs: &[usize; 11], blocks: &VertexBlocks) {
        // By groups of four unknowns, the last of which is none.
        let mut sizes = [0.0; 12];
        for (size, dof) in sizes.iter_mut().zip(dofs) {
            *size = self.size[*dof];
        }
        for (i, row) in blocks.blocks.chunks_exact(3).enumerate() {
            let mut sums = [0.0; 4];
            let columns = row.iter().flat_map(|block| block.chunks_exact(4));
            for (column, size) in columns.zip(&sizes) {
                for (sum, k) in sums.iter_mut().zip(column) {
                    *sum += k.abs() * size;
                }
            }
            for (dof, sum) in dofs[4 * i..].iter().zip(sums) {
                self.sum[*dof] += sum;
            }
        }
        self.inner.vertex(vertex, dofs, blocks);
    }

    fn vertices(&mut self, topology: &Topology, vertices: Range<usize>, columns: &VertexColumns) {
        let mut sums = [[0.0; COLUMN]; 12];
        let mut weigh = Weigh {
            columns,
            sizes: [[0.0; COLUMN]; 5],
            sums: &mut sums,
        };
        // Of x0, th-, x1, th+ and x2: all coordinates of a node have the same.
        for (lane, vertex) in vertices.clone().enumerate() {
            let [a, b, c] = topology.vertex_nodes[vertex].map(|n| topology.node_dof[n]);
            let [minus, plus] = topology.vertex_edges[vertex].map(|e| topology.edge_dof[e]);
            for (k, dof) in [a, minus, b, plus, c].into_iter().enumerate() {
                weigh.sizes[k][lane] = self.size[dof];
            }
        }
        Arch::new().dispatch(weigh);
        for (lane, vertex) in vertices.clone().enumerate() {
            for (dof, column) in topology.vertex_dofs(vertex).into_iter().zip(&sums) {
                self.sum[dof] += column[lane];
            }
        }
        self.inner.vertices(topology, vertices, columns);
    }

    fn edge(&mut self, edge: usize, dofs: &[usize; 6], h: &[[f64; 3]; 3]) {
        for (k, row) in h.iter().enumerate() {
            // The same of both ends, each with the coordinates of both.
            let by = |c: usize| self.size[dofs[c]] + self.size[dofs[c + 3]];
            let sum: f64 = row.iter().enumerate().map(|(c, v)| v.abs() * by(c)).sum();
            self.sum[dofs[k]] += sum;
            self.sum[dofs[k + 3]] += sum;
        }
        self.inner.edge(edge, dofs, h);
    }

    fn pair(&mut self, edges: [usize; 2], dofs: &[usize; 14], pair: &PairBlocks) {
        // By groups of four unknowns, the last of which is an angle or none.
        let slots = |group: usize| (&dofs[3 * group..3 * group + 3], dofs[12 + group / 2]);
        let mut sizes = [0.0; 16];
        for (group, sizes) in sizes.chunks_exact_mut(4).enumerate() {
            let (positions, angle) = slots(group);
            for (size, dof) in sizes.iter_mut().zip(positions) {
                *size = self.size[*dof];
            }
            sizes[3] = self.size[angle];
        }
        for (group, row) in pair.blocks.chunks_exact(4).enumerate() {
            let mut sums = [0.0; 4];
            let columns = row.iter().flat_map(|block| block.chunks_exact(4));
            for (column, size) in columns.zip(&sizes) {
                for (sum, k) in sums.iter_mut().zip(column) {
                    *sum += k.abs() * size;
                }
            }
            let (positions, angle) = slots(group);
            for (dof, sum) in positions.iter().zip(sums) {
                self.sum[*dof] += sum;
            }
            self.sum[angle] += sums[3];
        }
        self.inner.pair(edges, dofs, pair);
    }

    fn diagonal(&mut self, values: &[f64]) {
        for ((sum, k), size) in self.sum.iter_mut().zip(values).zip(self.size) {
            *sum += k.abs() * size;
        }
        self.inner.diagonal(values);
    }
}

/// Sums |k| |x| by row for several vertices. Compiled once per instruction set and chosen at run
/// time.
struct Weigh<'a> {
    columns: &'a VertexColumns,
    /// Of x0, th-, x1, th+ and x2.
    sizes: [Column; 5],
    /// Of the unknowns of vertices, and of one that is none.
    sums: &'a mut [Column; 12],
}

impl WithSimd for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for lanes in Lanes::all(simd) {
            let zero = lanes.splat(0.0);
            let [x0, minus, x1, plus, x2] = &self.sizes;
            // Of x and of the angle of each group of four unknowns.
            let size = [
                [lanes.load(x0), lanes.load(minus)],
                [lanes.load(x1), lanes.load(plus)],
                [lanes.load(x2), zero],
            ];
            let mut sums = [zero; 12];
            for ((i, j), block) in UPPER.into_iter().zip(self.columns) {
                for c in 0..4 {
                    for r in 0..4 {
                        let k = lanes.load(&block[4 * c + r]).abs();
                        sums[4 * i + r] = k.mul_add(size[j][c / 3], sums[4 * i + r]);
                        if i != j {
                            sums[4 * j + c] = k.mul_add(size[i][r / 3], sums[4 * j + c]);
                        }
                    }
                }
            }
            for (sum, column) in sums.into_iter().zip(self.sums.iter_mut()) {
                lanes.store(sum, column);
            }
        }
    }
}
