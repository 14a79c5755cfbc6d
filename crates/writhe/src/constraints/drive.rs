//! Supports that are driven anew between steps: by a controller, say.

use glam::DVec3;

use super::{Constraint, Constraints};
use crate::rod::Topology;
use crate::schedule::{Motion, Schedule};

/// What cannot be driven so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// There is none of this index.
    #[error("there is no {what} {index}; there are {count}")]
    NoSuch {
        /// Of what.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// It follows something else.
    #[error("{what} {index} follows no {given}: it {follows}")]
    Other {
        /// Of what.
        what: &'static str,
        /// The index.
        index: usize,
        /// What it was given.
        given: &'static str,
        /// What it does.
        follows: &'static str,
    },
}

/// What supports are called.
const WHAT: &str = "support";

impl Constraint {
    /// How it moves; `None` for a held angle and for a body that is guided.
    pub fn motion(&self) -> Option<&Motion> {
        match self {
            Self::Clamp { motion, .. } | Self::Node { motion, .. } | Self::Body { motion, .. } => {
                Some(motion)
            }
            Self::Angle { .. } | Self::BodyAxes { .. } => None,
        }
    }

    /// The angle that it holds, rad, if it holds one.
    pub fn angle(&self) -> Option<&Schedule> {
        match self {
            Self::Angle { angle, .. } => Some(angle),
            _ => None,
        }
    }

    /// What it does, after "it".
    fn follows(&self) -> &'static str {
        match self {
            Self::Clamp { .. } | Self::Node { .. } | Self::Body { .. } => "follows a motion",
            Self::Angle { .. } => "holds an angle",
            Self::BodyAxes { .. } => "guides a body, which moves by itself",
        }
    }
}

impl Constraints {
    /// Lets a clamp, a held node or a held body move so from now on; between steps. At the present
    /// time the motion should have the pose of the one before it: a leap happens within one step.
    ///
    /// # Errors
    /// When there is no such support, or it follows no motion.
    pub fn drive(&mut self, index: usize, by: Motion) -> Result<(), DriveError> {
        let support = self.at(index)?;
        let follows = support.follows();
        match support {
            Constraint::Clamp { motion, .. }
            | Constraint::Node { motion, .. }
            | Constraint::Body { motion, .. } => *motion = by,
            Constraint::Angle { .. } | Constraint::BodyAxes { .. } => {
                return Err(DriveError::Other {
                    what: WHAT,
                    index,
                    given: "motion",
                    follows,
                });
            }
        }
        Ok(())
    }

    /// Lets a held angle, rad, go so from now on; between steps.
    ///
    /// # Errors
    /// When there is no such support, or it holds no angle.
    pub fn drive_angle(&mut self, index: usize, by: Schedule) -> Result<(), DriveError> {
        let support = self.at(index)?;
        let follows = support.follows();
        let Constraint::Angle { angle, .. } = support else {
            return Err(DriveError::Other {
                what: WHAT,
                index,
                given: "angle",
                follows,
            });
        };
        *angle = by;
        Ok(())
    }

    /// The point of the initial configuration that a support holds, m: the middle of a clamped edge,
    /// a node, the centre of mass of a body; the middle of an edge whose angle is held.
    ///
    /// # Errors
    /// When there is no such support.
    pub fn pivot(&self, index: usize, topology: &Topology) -> Result<DVec3, DriveError> {
        let initial = &self.initial;
        let support = self.list.get(index).ok_or(self.none(index))?;
        Ok(match support {
            Constraint::Clamp { edge, .. } | Constraint::Angle { edge, .. } => {
                let [a, b] = topology.edge_nodes[*edge].map(|node| initial.positions[node]);
                0.5 * (a + b)
            }
            Constraint::Node { node, .. } => initial.positions[*node],
            Constraint::Body { body, .. } | Constraint::BodyAxes { body, .. } => {
                initial.bodies[*body].0
            }
        })
    }

    fn at(&mut self, index: usize) -> Result<&mut Constraint, DriveError> {
        let none = self.none(index);
        self.list.get_mut(index).ok_or(none)
    }

    fn none(&self, index: usize) -> DriveError {
        DriveError::NoSuch {
            what: WHAT,
            index,
            count: self.list.len(),
        }
    }
}
