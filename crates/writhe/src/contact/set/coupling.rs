//! Which pairs of edges the matrix must couple.

use crate::contact::ContactFrame;
use crate::contact::frame::reach;
use crate::contact::set::ContactSet;
use crate::kernels::distance::{ROUNDING, closest_points};
use crate::lanes::COLUMN;
use crate::model::Model;
use crate::model::pairs::nearest::rough_distances;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// How far beyond the range of forces a pair is coupled in the matrix, over the radius. Where rods
/// cross, two thirds of the pairs of edges are .05 to .2 radii away from acting: with them elimination
/// would take five times as long (decision 0096).
const CUSHION: f64 = 0.02;

impl ContactSet {
    /// Whether forces of contact couple any edges.
    pub fn couples(&self, frame: &ContactFrame) -> bool {
        !self.pairs.is_empty() || !frame.lagged().is_empty()
    }

    /// Pairs that a matrix at the unknowns `q`, `(dofs)`, of the trial should couple: those that
    /// act there and those that a small correction would make act; sorted.
    pub(crate) fn coupled_pairs(
        &self,
        frame: &ContactFrame,
        model: &Model,
        q: &[f64],
    ) -> Vec<(u32, u32)> {
        let cushion = CUSHION * model.length_scale();
        let place = |node: usize| position(q, model.topology.node_dof[node]);
        let mut pairs = Vec::new();
        for candidates in frame.candidates().chunks(COLUMN) {
            let found = rough_distances(model, candidates, place);
            for (&(i, j), rough) in candidates.iter().zip(found) {
                let edges = [i as usize, j as usize];
                let limit = reach(model, edges[0]) + reach(model, edges[1]) + cushion;
                let exact = || {
                    let [a0, a1, b0, b1] = nodes(model, edges).map(place);
                    closest_points(a0, a1, b0, b1).distance
                };
                // As near as rounding the exact one decides, and where an edge has no length.
                let near = rough < (1.0 - ROUNDING) * limit;
                let far = rough > (1.0 + ROUNDING) * limit;
                if near || (!far && exact() < limit) {
                    pairs.push((i, j));
                }
            }
        }
        // Lagged friction acts wherever its pair has gone.
        pairs.extend(self.acting_pairs(frame));
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Whether all pairs that act are among the sorted `pairs`.
    pub(crate) fn acts_within(&self, frame: &ContactFrame, pairs: &[(u32, u32)]) -> bool {
        self.acting_pairs(frame)
            .all(|pair| pairs.binary_search(&pair).is_ok())
    }

    fn acting_pairs(&self, frame: &ContactFrame) -> impl Iterator<Item = (u32, u32)> {
        let active = self.pairs.iter().map(|pair| pair.edges);
        let lagged = frame.lagged().iter().map(|pair| pair.edges);
        active.chain(lagged).map(|[i, j]| (i as u32, j as u32))
    }
}
