//! Clamps, held nodes, held angles.

use serde::{Serialize, Serializer};

use super::{AngleSpec, EndRef, MotionSpec};
use crate::error::SceneError;
use crate::tree::{At, Described, Kind, Read, table};
use crate::units::Angle;

table! {
    /// A clamped edge: both nodes and the angle follow a motion.
    ///
    /// The discrete rod behaves as if clamped at the *middle* of this edge. With `half_edge` the
    /// edge is placed half behind the start of the stated shape, so the shape's length counts from
    /// the clamp plane and results are second order in the edge length.
    pub struct ClampSpec: "a table such as { edge = \"first\" }" {
        /// Which edge.
        pub edge: EndRef,
        /// How it moves.
        pub motion: MotionSpec = MotionSpec::Still,
        /// Whether half of the edge lies behind the stated end of the rod, so that lengths count
        /// from the clamp; first and last edges only.
        pub half_edge: bool = false,
    }
}

impl ClampSpec {
    /// Of this edge, all of it inside the rod.
    pub(crate) fn new(edge: EndRef, motion: MotionSpec) -> Self {
        Self {
            edge,
            motion,
            half_edge: false,
        }
    }
}

table! {
    /// A node of which some coordinates are held.
    pub struct HeldSpec: "a table such as { node = \"last\", axes = \"xyz\" }" {
        /// Which node.
        pub node: EndRef,
        /// Which coordinates: letters of `"xyz"`.
        pub axes: Axes = Axes([true; 3]),
        /// How they move.
        pub motion: MotionSpec = MotionSpec::Still,
    }
}

/// Some of the axes x, y and z, written as letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axes(pub [bool; 3]);

impl Axes {
    /// As letters.
    pub(crate) fn letters(self) -> String {
        let names = ["x", "y", "z"].iter().zip(self.0);
        names.filter(|(_, on)| *on).map(|(n, _)| *n).collect()
    }
}

impl Serialize for Axes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.letters())
    }
}

impl Described for Axes {
    fn kind() -> Kind {
        Kind::Text
    }

    fn is_missing(&self) -> bool {
        self.0 == [false; 3]
    }
}

impl Read for Axes {
    fn wanted() -> String {
        "letters of \"xyz\", each once, such as \"xy\"".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let text = at.text().unwrap_or_default();
        let mut axes = [false; 3];
        for c in text.chars() {
            match "xyz".find(c) {
                Some(k) if !axes[k] => axes[k] = true,
                _ => return at.wrong_type(Self::wanted()),
            }
        }
        if text.is_empty() {
            at.wrong_type(Self::wanted())
        } else {
            Ok(Self(axes))
        }
    }
}

table! {
    /// An edge whose angle about its tangent is held.
    pub struct HeldAngleSpec: "a table such as { edge = \"last\", angle = 0 }" {
        /// Which edge.
        pub edge: EndRef,
        /// Angle relative to the start.
        pub angle: AngleSpec = AngleSpec::Constant(Angle::default()),
    }
}
