//! Where the nodes and edges of each rod are among those of all rods.

use crate::layout::{RodLayout, RunLayout};

/// A rod's place among all nodes and edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub first_node: usize,
    pub first_edge: usize,
    pub rod: RodLayout,
}

impl Span {
    /// Those of all rods.
    pub fn all(layout: &RunLayout) -> Vec<Self> {
        let (mut first_node, mut first_edge) = (0, 0);
        let rods = layout.rods.iter().map(|rod| {
            let span = Self {
                first_node,
                first_edge,
                rod: *rod,
            };
            first_node += rod.nodes;
            first_edge += rod.edges();
            span
        });
        rods.collect()
    }

    /// The edges before and after a node of this rod; at an open end twice the same.
    pub fn edges(&self, node: usize) -> [usize; 2] {
        let count = self.rod.edges();
        let before = match node {
            0 if self.rod.closed => count - 1,
            node => node.saturating_sub(1),
        };
        [before, node.min(count - 1)].map(|edge| self.first_edge + edge)
    }

    /// Radius at a node of this rod, m: the mean of those of its edges in `radius`, which has those
    /// of all edges.
    pub fn radius(&self, node: usize, radius: &[f64]) -> f64 {
        let [before, after] = self.edges(node).map(|edge| radius[edge]);
        0.5 * (before + after)
    }
}
