//! What pairs of edges remember of their slip.

use crate::contact::frame::ContactFrame;
use crate::kernels::friction::Anchor;
use crate::model::Model;

impl ContactFrame {
    /// What a pair remembers from before the step. One that just came into contact takes over from
    /// a neighbour: the contact point moved on to the next edge.
    pub(super) fn remembered(&self, model: &Model, [i, j]: [usize; 2]) -> Option<Anchor> {
        let find = |i: usize, j: usize| {
            let edges = [i as u32, j as u32];
            let found = self.memory.binary_search_by_key(&edges, |a| a.edges);
            found.ok().map(|k| self.memory[k].anchor)
        };
        // The edges before and after, on the same rod; the seam of a ring is not looked across.
        let rods = &model.topology.edge_rod;
        let neighbours = |edge: usize| {
            [edge.checked_sub(1), Some(edge + 1)]
                .into_iter()
                .flatten()
                .filter(move |other| rods.get(*other) == rods.get(edge))
        };
        find(i, j)
            .or_else(|| neighbours(j).find_map(|j| find(i, j)))
            .or_else(|| neighbours(i).find_map(|i| find(i, j)))
    }
}
