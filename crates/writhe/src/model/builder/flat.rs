//! From indices of a rod to flat ones.

use crate::constraints::Constraint;
use crate::model::ModelError;
use crate::rod::{Frames, Rod, Topology};

/// What each of so many rods has; empty where none has anything.
pub(super) fn of_rods<T: Copy>(rods: usize, list: &[(usize, T)]) -> Vec<Option<T>> {
    let mut all = vec![None; if list.is_empty() { 0 } else { rods }];
    for (rod, value) in list {
        all[*rod] = Some(*value);
    }
    all
}

pub(super) fn flat(
    what: &'static str,
    rod: usize,
    item: &'static str,
    index: usize,
    topology: &Topology,
) -> Result<usize, ModelError> {
    let Some(r) = topology.rods.get(rod) else {
        return Err(ModelError::NoSuchRod {
            what,
            rod,
            last: topology.rods.len() - 1,
        });
    };
    let (first, count) = if item == "node" {
        (r.first_node, r.nodes)
    } else {
        (r.first_edge, r.edges)
    };
    if index >= count {
        return Err(ModelError::Index {
            what,
            rod,
            item,
            index,
            last: count - 1,
        });
    }
    Ok(first + index)
}

pub(super) fn flat_constraint(
    rod: usize,
    constraint: Constraint,
    topology: &Topology,
) -> Result<Constraint, ModelError> {
    Ok(match constraint {
        Constraint::Clamp { edge, motion } => Constraint::Clamp {
            edge: flat("a clamp", rod, "edge", edge, topology)?,
            motion,
        },
        Constraint::Node { node, axes, motion } => Constraint::Node {
            node: flat("a held node", rod, "node", node, topology)?,
            axes,
            motion,
        },
        Constraint::Angle { edge, angle } => Constraint::Angle {
            edge: flat("a held angle", rod, "edge", edge, topology)?,
            angle,
        },
        // Bodies belong to no rod.
        Constraint::Body { .. } | Constraint::BodyAxes { .. } => constraint,
    })
}

pub(super) fn first_frames(rods: &[Rod]) -> Result<Frames, ModelError> {
    let mut all = Frames::default();
    for (rod, r) in rods.iter().enumerate() {
        let frames = r
            .frames()
            .map_err(|source| ModelError::Rod { rod, source })?;
        all.tangent.extend(frames.tangent);
        all.director.extend(frames.director);
        all.twist.extend(frames.twist);
    }
    Ok(all)
}
