//! Stretches of rods that go one way: no two of their edges meet.
//!
//! Where every edge makes at least a part f of its rest length along one direction, two points are as
//! far apart as f times the rod between them. Nodes that go straight at once keep that on their way if
//! it holds at its ends.

use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

use glam::DVec3;

use super::exclusion::CLEAR;
use super::nearest::{BENT_BACK, NEARLY_TOUCHING};
use super::parts::Wanted;
use crate::model::Model;

/// The least such part that is asked of edges that must not cross ...
const LEAST: f64 = 0.1;
/// ... and the largest, beyond which hardly a stretch would have two edges.
const LARGEST: f64 = 0.98;
/// Lengths are known to this part.
const ROUNDING: f64 = 1e-9;

/// What belongs to no stretch.
pub(super) const NONE: u32 = u32::MAX;

/// The stretch that each edge of all rods belongs to, or [`NONE`]: edges of one stretch are never
/// wanted, at whatever point of their way between `ends(node)`, m, with their `margin(edge)`, m,
/// around them. Returns whether all belong to one.
pub(super) fn find(
    model: &Model,
    wanted: Wanted,
    margin: impl Fn(usize) -> f64,
    ends: impl Fn(usize) -> [DVec3; 2],
    of_edge: &mut Vec<u32>,
) -> bool {
    let topology = &model.topology;
    of_edge.clear();
    let mut stretch = 0;
    for rod in &topology.rods {
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        let Some(forward) = forward(model, wanted, &margin, edges.clone()) else {
            of_edge.resize(edges.end, NONE);
            continue;
        };
        let mut direction = DVec3::ZERO;
        let mut last = ends(topology.edge_nodes[edges.start][0]);
        for edge in edges {
            let next = ends(topology.edge_nodes[edge][1]);
            let along = [next[0] - last[0], next[1] - last[1]];
            last = next;
            let least = forward * model.rest_length[edge];
            // Not where a number is none.
            let goes = |direction| along.iter().all(|along| along.dot(direction) >= least);
            if !goes(direction) {
                stretch += 1;
                direction = along[0] / along[0].length();
            }
            of_edge.push(if goes(direction) { stretch } else { NONE });
        }
    }
    stretch == 1 && !of_edge.contains(&NONE)
}

/// The part of their lengths that these edges of a rod must make along a direction so that none of
/// them meet, if it is not too large.
fn forward(
    model: &Model,
    wanted: Wanted,
    margin: impl Fn(usize) -> f64,
    edges: Range<usize>,
) -> Option<f64> {
    let range = |values: &[f64]| {
        let start = [f64::INFINITY, 0.0_f64];
        (values.iter()).fold(start, |[low, high], x| [x.min(low), x.max(high)])
    };
    let [shortest, longest] = range(&model.rest_length[edges.clone()]);
    let margins = 2.0 * edges.clone().map(margin).fold(0.0, f64::max);
    let part = match wanted {
        // Between two that share no node is at least one edge.
        Wanted::Crossing => (margins / shortest).max(LEAST),
        Wanted::Touching => {
            let [thin, thick] = range(&model.radius[edges]);
            // As many edges are at least between two that may touch (`exclusion.rs`).
            let touching = 2.0 * thin / longest * (1.0 - ROUNDING);
            let between = (FRAC_PI_2 * touching - 1.0).ceil();
            let between = between.max((CLEAR * touching).ceil()).max(1.0);
            // Neither within the margins nor an approach (`nearest.rs`).
            let needed = margins.max((1.0 + NEARLY_TOUCHING) * 2.0 * thick);
            (needed / (between * shortest)).max(BENT_BACK)
        }
    };
    let part = part * (1.0 + ROUNDING);
    (part <= LARGEST).then_some(part)
}
