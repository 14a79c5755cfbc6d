//! Loads that can do nothing, and rods that nothing can move.

use super::Remark;
use super::facts::{Facts, RodFacts};
use super::remarks::warning;
use crate::build::part;
use crate::spec::centreline::vector;
use crate::spec::unit;

/// A sine below this is that of rounding.
const PARALLEL: f64 = 1e-9;

pub(super) fn all(facts: &Facts) -> Vec<Remark> {
    let nothing_moves = facts.spec.all_bodies().is_empty() && facts.rods.iter().all(is_held);
    let still = |rod: &&RodFacts| is_held(rod) && (nothing_moves || is_loaded(rod));
    let held = facts.rods.iter().filter(still).map(|rod| {
        let message = "its supports hold every node of it: no load moves it, and it does not bend; give it more edges, or hold less of it";
        warning(rod.key.clone(), message.to_owned())
    });
    held.chain(facts.rods.iter().flat_map(pressures)).collect()
}

/// Whether supports hold all nodes of a rod, in all directions.
fn is_held(rod: &RodFacts) -> bool {
    let (nodes, edges) = (rod.rod.positions.len(), rod.rod.edges());
    let clamped = rod.spec.clamps.iter().flat_map(|clamp| {
        let edge = clamp.edge.index(edges);
        [edge, (edge + 1) % nodes]
    });
    let held = (rod.spec.held.iter().filter(|held| held.axes.0 == [true; 3]))
        .map(|held| held.node.index(nodes));
    let all: Vec<usize> = clamped.chain(held).collect();
    (0..nodes).all(|node| all.contains(&node))
}

fn is_loaded(rod: &RodFacts) -> bool {
    !(rod.spec.forces.is_empty() && rod.spec.line_loads.is_empty())
}

/// Pressures in a plane that the rod is nowhere in: its normal lies along the rod.
fn pressures(rod: &RodFacts) -> impl Iterator<Item = Remark> {
    let along = |normal| {
        let edges = rod.rod.positions.windows(2).map(|ends| ends[1] - ends[0]);
        edges.fold(0.0_f64, |most, edge| {
            most.max(edge.normalize_or_zero().cross(normal).length())
        })
    };
    let loads = rod.spec.line_loads.iter().enumerate();
    loads.filter_map(move |(i, load)| {
        load.pressure?;
        let normal = vector(&load.normal.unwrap_or(unit(2))).normalize_or_zero();
        (along(normal) < PARALLEL).then(|| {
            let message = "the rod lies along the normal of the plane of this pressure, which does nothing then: write the normal of a plane in which the rod lies, such as normal = [0, 1, 0]";
            warning(part(&rod.key, &format!("line_loads[{i}]")), message.to_owned())
        })
    })
}
