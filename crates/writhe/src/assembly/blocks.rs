//! Where forces and second derivatives go.

use glam::DVec3;

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

    /// Adds a symmetric matrix `h`, by rows, that belongs to the difference of an edge's ends,
    /// whose positions are `dofs`: h for each of them, -h for both.
    fn edge(&mut self, _edge: usize, dofs: &[usize; 6], h: &[[f64; 3]; 3]) {
        self.symmetric(dofs, &of_difference(h));
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

impl VertexBlocks {
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
