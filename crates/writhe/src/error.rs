//! What is wrong with a model that is described: one error for all that check a part of it.

mod obstacle_overlap;
mod overlap;

pub use obstacle_overlap::{NarrowWall, ObstacleOverlap};
pub use overlap::Overlap;

use crate::rod::RodError;

/// A model that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// A model without rods.
    #[error("the model has no rod: add one")]
    NoRod,
    /// A rod is wrong.
    #[error("rod {rod}: {source}")]
    Rod {
        /// Index of the rod.
        rod: usize,
        /// The fault.
        source: RodError,
    },
    /// An index outside its range.
    #[error("{what}: rod {rod} has no {item} {index}; its last one is {last}")]
    Index {
        /// Name of the constraint or load that asked.
        what: &'static str,
        /// Rod asked for.
        rod: usize,
        /// "node" or "edge".
        item: &'static str,
        /// Index asked for.
        index: usize,
        /// Last index that exists.
        last: usize,
    },
    /// No such rod.
    #[error("{what}: there is no rod {rod}; the last one is {last}")]
    NoSuchRod {
        /// Name of the constraint or load that asked.
        what: &'static str,
        /// Rod asked for.
        rod: usize,
        /// Last rod.
        last: usize,
    },
    /// No such body.
    #[error("{what}: there is no body {body}; there are {count}")]
    NoSuchBody {
        /// Name of the weld or constraint that asked.
        what: &'static str,
        /// Body asked for.
        body: usize,
        /// How many there are.
        count: usize,
    },
    /// A body is wrong.
    #[error("body {body}: {key} is {value}: it must be {need}")]
    Body {
        /// Index of the body.
        body: usize,
        /// Name of the property.
        key: &'static str,
        /// Its value.
        value: f64,
        /// Requirement on it, in words.
        need: &'static str,
    },
    /// A joint that cannot be.
    #[error("joint {joint}: {need}")]
    Joint {
        /// Index of the joint.
        joint: usize,
        /// Requirement on it, in words.
        need: &'static str,
    },
    /// Something welded twice.
    #[error(
        "rod {rod}: {what} {index} is welded twice: weld each edge to one body, and leave a free edge between two bodies"
    )]
    Welded {
        /// "edge" or "node".
        what: &'static str,
        /// Index of the rod.
        rod: usize,
        /// Index of the edge or node.
        index: usize,
    },
    /// Something welded is held as well.
    #[error(
        "rod {rod}: node {node} (or the edge that begins there) is welded to a body and held as well: hold the body instead"
    )]
    WeldedAndHeld {
        /// Index of the rod.
        rod: usize,
        /// Index of the node.
        node: usize,
    },
    /// Rods that cannot be joined.
    #[error("rods {rods:?} cannot be joined: {need}")]
    Joined {
        /// The rods that were to be joined, as asked for.
        rods: Vec<usize>,
        /// Requirement on them, in words.
        need: &'static str,
    },
    /// A setting out of range.
    #[error("{key} is {value}: it must be {need}")]
    Setting {
        /// Name of the setting.
        key: &'static str,
        /// Its value.
        value: f64,
        /// Requirement on it, in words.
        need: &'static str,
    },
    /// Two settings that make no sense together.
    #[error("{first} cannot be used together with {second}: {remedy}")]
    Pairing {
        /// One setting.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// Remedy, in words.
        remedy: &'static str,
    },
    /// Friction by direction, of a rod or an obstacle, and a setting of contact that does not know it.
    #[error(
        "friction by direction (friction_by_direction of a rod or an obstacle) cannot be used {with}: {remedy}"
    )]
    Directions {
        /// Name of the setting.
        setting: &'static str,
        /// With what, in words.
        with: &'static str,
        /// Remedy, in words.
        remedy: &'static str,
    },
    /// Rods overlap at the start.
    #[error("{0}")]
    Overlap(Overlap),
    /// A rod overlaps an obstacle at the start.
    #[error("{0}")]
    ObstacleOverlap(ObstacleOverlap),
    /// A rod does not fit into a tube, funnel or cavity.
    #[error("{0}")]
    NarrowWall(NarrowWall),
    /// Nothing keeps rods out of obstacles.
    #[error(
        "the scene has obstacles ({0}), but no contact: choose a contact model, or leave the obstacles out"
    )]
    ObstaclesWithoutContact(usize),
}

/// Requirement on a setting that has a sign.
pub(crate) const POSITIVE: &str = "finite and greater than zero";

/// Whether a number is [`POSITIVE`].
pub(crate) fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// Refuses a setting that is not `good`; `need` says what it must be.
pub(crate) fn check(
    key: &'static str,
    value: f64,
    good: bool,
    need: &'static str,
) -> Result<(), ModelError> {
    if good {
        Ok(())
    } else {
        Err(ModelError::Setting { key, value, need })
    }
}
