//! Where forces and second derivatives go.

use std::ops::Range;

use glam::DVec3;

use super::PairBlocks;
use crate::rod::Topology;

/// Where second derivatives go: dense blocks on a few unknowns, row-major
/// `(dofs.len() x dofs.len())`.
pub trait Blocks {
    /// Adds a block that need not be symmetric.
    fn general(&mut self, dofs: &[usize], values: &[f64]);

    /// Adds a symmetric block: a promise, which tests check.
    fn symmetric(&mut self, dofs: &[usize], values: &[f64]) {
        self.general(dofs, values);
    }

    /// Adds the blocks of a vertex of a rod, whose unknowns `x0, th-, x1, th+, x2` are `dofs`.
    fn vertex(&mut self, _vertex: usize, dofs: &[usize; 11], blocks: &VertexBlocks) {
        self.symmetric(dofs, &blocks.dense());
    }

    /// Adds the blocks of a few vertices, which are side by side in `columns`.
    fn vertices(&mut self, topology: &Topology, vertices: Range<usize>, columns: &VertexColumns) {
        for (lane, vertex) in vertices.enumerate() {
            let blocks = VertexBlocks::of(columns, lane);
            self.vertex(vertex, &topology.vertex_dofs(vertex), &blocks);
        }
    }

    /// Adds a symmetric matrix `h`, by rows, that belongs to the difference of an edge's ends,
    /// whose positions are `dofs`: h for each of them, -h for both.
    fn edge(&mut self, _edge: usize, dofs: &[usize; 6], h: &[[f64; 3]; 3]) {
        self.symmetric(dofs, &of_difference(h));
    }

    /// Adds derivatives of forces, which need not be symmetric, by what two edges have: `dofs` are the
    /// twelve positions of their ends and the angles of both.
    fn pair(&mut self, _edges: [usize; 2], dofs: &[usize; 14], blocks: &PairBlocks) {
        blocks.add_dense(dofs, self);
    }

    /// Adds a diagonal matrix, `(dofs)`.
    fn diagonal(&mut self, values: &[f64]) {
        for (dof, value) in values.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            self.symmetric(&[dof], &[*value]);
        }
    }
}

/// Second derivatives by the six positions of two points, by rows, of what has those `h` by their
/// difference: h for each of them, -h for both.
pub(crate) fn of_difference(h: &[[f64; 3]; 3]) -> [f64; 36] {
    std::array::from_fn(|k| {
        let (r, c) = (k / 6, k % 6);
        match (r < 3) == (c < 3) {
            true => h[r % 3][c % 3],
            false => -h[r % 3][c % 3],
        }
    })
}

/// Symmetric second derivatives by the unknowns `x0, th-, x1, th+, x2` of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexBlocks {
    /// Blocks of `(x0, th-)`, `(x1, th+)` and `(x2, nothing)`, that of row i and column j at
    /// `3 i + j`, each of shape (4, 4) column by column; zero for nothing.
    pub blocks: [[f64; 16]; 9],
}

/// Second derivatives of up to eight vertices, side by side: of the blocks of [`VertexBlocks`] those
/// in rows and columns (0,0), (0,1), (0,2), (1,1), (1,2), (2,2), each column by column.
pub type VertexColumns = [[[f64; 8]; 16]; 6];

/// Rows and columns of those blocks.
pub(crate) const UPPER: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

impl VertexBlocks {
    /// Those of one of several vertices.
    pub(crate) fn of(columns: &VertexColumns, lane: usize) -> Self {
        let mut blocks = [[0.0; 16]; 9];
        for ((i, j), columns) in UPPER.into_iter().zip(columns) {
            for (at, column) in columns.iter().enumerate() {
                let (value, mirror) = (column[lane], 4 * (at % 4) + at / 4);
                blocks[3 * i + j][at] = value;
                blocks[3 * j + i][mirror] = value;
            }
        }
        Self { blocks }
    }

    /// Entry of two of the unknowns.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.blocks[3 * (row / 4) + column / 4][4 * (column % 4) + row % 4]
    }

    /// All entries, row-major `(11 x 11)`.
    pub fn dense(&self) -> [f64; 121] {
        std::array::from_fn(|k| self.get(k / 11, k % 11))
    }
}

/// Adds a vector to three entries.
#[inline]
pub(crate) fn add3(force: &mut [f64], dof: usize, f: DVec3) {
    force[dof] += f.x;
    force[dof + 1] += f.y;
    force[dof + 2] += f.z;
}
