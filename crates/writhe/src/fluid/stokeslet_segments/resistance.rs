//! Local resistance blocks: a sparse stand-in for the inverse of the mobility.

use crate::fluid::stokeslet_segments::segments::{StokesError, StokesModel};
use crate::loads::resistive_force::DragCoefficients;
use glam::{DMat3, DVec3};

/// One 3 x 3 drag block per node, N s/m: the force of the node on the fluid is about `R_i u_i`.
///
/// Each edge adds its drag per length, `c_t t t^T + c_n (I - t t^T)`, times half its length to both
/// of its nodes. The coefficients are those of slender-body theory for a straight rod of the same
/// contour length whose radius is the one that the regularised segments represent, eps / sqrt(e):
/// see [`DragCoefficients::slender_body`]. Meant as a preconditioner for
/// [`crate::fluid::stokeslet_segments::mobility::DenseMobility`]; the blocks are symmetric and
/// positive definite.
pub fn local_resistance_blocks(
    model: &StokesModel,
    positions: &[DVec3],
) -> Result<Vec<DMat3>, StokesError> {
    // Also checks the sizes and that no edge is empty.
    model.node_lengths(positions)?;
    let mut blocks = vec![DMat3::ZERO; model.n_nodes()];
    let mut first_edge = 0;
    for rod in model.rods() {
        let ends = || (0..rod.n_edges()).map(|edge| rod.edge_nodes(edge));
        let contour: f64 = ends()
            .map(|[i, j]| positions[i].distance(positions[j]))
            .sum();
        for ([i, j], epsilon) in ends().zip(&model.epsilon()[first_edge..]) {
            // eps = sqrt(e) radii is what agrees with slender-body theory (decision 0004).
            let radius = epsilon * (-0.5_f64).exp();
            let drag = DragCoefficients::slender_body(model.viscosity(), contour, radius);
            let block = 0.5 * drag.integrated(positions[j] - positions[i]);
            blocks[i] += block;
            blocks[j] += block;
        }
        first_edge += rod.n_edges();
    }
    Ok(blocks)
}
