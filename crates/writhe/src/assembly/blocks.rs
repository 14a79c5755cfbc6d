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
}

/// Adds a vector to three entries.
#[inline]
pub(crate) fn add3(force: &mut [f64], dof: usize, f: DVec3) {
    force[dof] += f.x;
    force[dof + 1] += f.y;
    force[dof + 2] += f.z;
}
