//! An approximate inverse of the mobility that couples each node with the next.
//!
//! On a rod, what a node does to the one after the next goes nearly all through the node between
//! them: of the mobility in between, the inverse is narrow. `R = sum_i Y_i Q_i Y_i^T` is the one of
//! all chains that agrees with B on neighbours: `(R^-1)_ij = B_ij` for equal and for successive
//! i, j. With `T = B_{i-1,i-1}^-1 B_{i-1,i}`,
//!
//! ```text
//! Q_i = (B_ii - B_{i,i-1} T)^-1,   Y_i = (-T, I)^T on the nodes (i-1, i),
//! ```
//!
//! the factorised sparse approximate inverse of L. Yu. Kolotilina and A. Yu. Yeremin, *Factorized
//! sparse approximate inverse preconditionings I*, SIAM J. Matrix Anal. Appl. 14 (1993), with blocks of
//! one node and a pattern of two. It is symmetric and positive definite by its form, however short
//! edges are beside the regularisation.
//!
//! What it misses are forces that are smooth along a rod, whose flow reaches further, and the flow of
//! other rods: few directions, which a Krylov method removes one by one.

use std::ops::Range;

use glam::DMat3;
use rayon::prelude::*;

use crate::fluid::Resistance;
use crate::fluid::stokeslet_segments::mobility::DenseMobility;
use crate::threads;

/// Nodes below which one thread makes the chains of all rods.
const TOGETHER: usize = 256;

/// The chain of every rod, given the nodes of each, which follow each other without a gap; a closed
/// rod counts as open where it closes, so that it has an edge more than it has blocks that couple.
///
/// Of a node whose pair with the one before is not positive definite, as that of two nodes at one
/// place, the coupling is left out.
pub fn chain_resistance(
    mobility: &DenseMobility,
    rods: impl IntoIterator<Item = (Range<usize>, bool)>,
) -> Resistance {
    let rods: Vec<_> = rods.into_iter().collect();
    let chain = |(nodes, closed): &(Range<usize>, bool)| chain_of_rod(mobility, nodes, *closed);
    let chains: Vec<Resistance> = match mobility.n_nodes() < TOGETHER || threads::count() == 1 {
        true => rods.iter().map(chain).collect(),
        false => rods.par_iter().map(chain).collect(),
    };
    let mut all = Resistance::default();
    for chain in chains {
        all.nodes.extend(chain.nodes);
        all.edges.extend(chain.edges);
    }
    all
}

fn chain_of_rod(mobility: &DenseMobility, nodes: &Range<usize>, closed: bool) -> Resistance {
    let mut chain = Resistance::default();
    let first = nodes.start;
    for node in nodes.clone() {
        let own = symmetric(mobility, node, node);
        if node == first {
            chain.nodes.push(own.inverse());
            continue;
        }
        let before = symmetric(mobility, node - 1, node - 1);
        let coupling = symmetric(mobility, node - 1, node);
        let mut t = before.inverse() * coupling;
        let mut rest = own - coupling.transpose() * t;
        if !is_positive_definite(&rest) {
            (t, rest) = (DMat3::ZERO, own);
        }
        let q = rest.inverse();
        let tq = t * q;
        chain.nodes[node - 1 - first] += tq * t.transpose();
        chain.nodes.push(q);
        chain.edges.push(-tq);
    }
    if closed {
        chain.edges.push(DMat3::ZERO);
    }
    chain
}

/// Block of the symmetric part of B; zero if a node does not exist.
fn symmetric(mobility: &DenseMobility, i: usize, j: usize) -> DMat3 {
    let block = |i, j| mobility.rough_block(i, j).unwrap_or(DMat3::ZERO);
    // Blocks themselves are symmetric.
    0.5 * (block(i, j) + block(j, i))
}

/// By the leading minors.
fn is_positive_definite(m: &DMat3) -> bool {
    let second = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
    m.x_axis.x > 0.0 && second > 0.0 && m.determinant() > 0.0
}

#[cfg(test)]
mod tests;
