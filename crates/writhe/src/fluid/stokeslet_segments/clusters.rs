//! Inverses of the mobility of a few consecutive nodes each: a preconditioner for the whole of it.
//!
//! A local resistance gives every node a 3 x 3 block, with the flow of its rod in it as the
//! logarithm of the rod's *length*. That is right for forces that are the same all along. Forces
//! that change from node to node drive a weaker flow, the weaker the shorter the edges are beside
//! the regularisation, and local resistances do not know it: eigenvalues of R B come near zero. The
//! diagonal blocks `B_cc` of clusters c of consecutive nodes hold those changes as they are, since
//! what changes within a few nodes cancels further away. What remains are forces smooth over many
//! clusters: few eigenvalues, all large, which a Krylov method removes one by one.

use std::ops::Range;

use crate::fluid::NearBlocks;
use crate::fluid::stokeslet_segments::mobility::DenseMobility;
use crate::solve::SolveError;
use crate::solve::dense::DenseLu;

/// Nodes of a cluster. Iterations of GMRES to a residual of 1e-10, with local resistances and with
/// clusters of 4, 8 and 16 nodes:
///
/// - ten flagella from the force of the step before: 35; 24, 23, 21;
/// - a helix of 200 nodes with edges of five regularisations: 34; 19, 17, 17;
/// - with edges of one: 113; 34, 31, 26; of a half: more than 300; 54, 51, 42.
const CLUSTER: usize = 8;

/// `diag(B_cc)^-1`.
#[derive(Debug, Clone)]
pub struct Clusters {
    blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
struct Block {
    first: usize,
    size: usize,
    /// `B_cc^-1` by columns.
    inverse: Vec<f64>,
}

impl Clusters {
    /// Inverts the mobility of each cluster, given the nodes of each rod. Cost: linear in the
    /// number of nodes.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] when a rod has nodes beyond those of the mobility.
    pub fn new(
        mobility: &DenseMobility,
        rods: impl IntoIterator<Item = Range<usize>>,
    ) -> Result<Self, SolveError> {
        let mut blocks = Vec::new();
        for rod in rods {
            for first in rod.clone().step_by(CLUSTER) {
                // Clusters end with their rod: neighbours in the list of nodes need not be near.
                let nodes = first..(first + CLUSTER).min(rod.end);
                let size = 3 * nodes.len();
                let matrix = mobility.dense_block(nodes.clone(), nodes);
                if matrix.nrows() != size {
                    return Err(SolveError::WrongLength {
                        expected: size,
                        found: matrix.nrows(),
                    });
                }
                let inverse = DenseLu::factor(matrix)?.inverse();
                blocks.push(Block {
                    first: 3 * first,
                    size,
                    inverse: (0..size)
                        .flat_map(|j| inverse.col_as_slice(j).iter().copied())
                        .collect(),
                });
            }
        }
        Ok(Self { blocks })
    }
}

impl NearBlocks for Clusters {
    /// Forces on the fluid that would drive the velocities of each cluster if it were alone; both
    /// `(3 nodes)`.
    fn force(&self, velocity: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let own = block.first..block.first + block.size;
            let out = &mut out[own.clone()];
            out.fill(0.0);
            let columns = block.inverse.chunks_exact(block.size);
            for (column, u) in columns.zip(&velocity[own]) {
                for (f, a) in out.iter_mut().zip(column) {
                    *f += a * u;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
