//! Scenes by name: they make their own rods from a few parameters.

mod cantilever;
mod flagella;
mod knot;
mod ring;
mod round_rod;
mod torque_transducer;
mod tree_in_wind;
mod wilberforce;

use serde::Serialize;

pub use cantilever::{Cantilever, CantileverLoad};
pub use flagella::Flagella;
pub use knot::{Knot, KnotKind, PhaseSpec};
pub use ring::{Ring, RingRest};
pub use torque_transducer::TorqueTransducer;
pub use tree_in_wind::TreeInWind;
pub use wilberforce::{SpringTheory, Wilberforce};

use crate::error::SceneError;
use crate::spec::{BodySpec, Defaults, RodSpec};
use crate::tree::{At, Keys, Read, Value};

/// A named scene with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum NamedScene {
    /// Rotating helical flagella side by side, as the authors of the Implicit Contact Model ran them.
    Flagella(Flagella),
    /// The same with the numbers printed in their paper.
    FlagellaLiteral(Flagella),
    /// A clamped rod under gravity or a tip force.
    Cantilever(Cantilever),
    /// A closed rod, twisted or released from an ellipse.
    Ring(Ring),
    /// A knot, pulled tight or let go.
    Knot(Knot),
    /// A bob on a helical spring.
    Wilberforce(Wilberforce),
    /// Two bodies joined by a rod that twists.
    TorqueTransducer(TorqueTransducer),
    /// A tree of rods in gusts.
    TreeInWind(TreeInWind),
}

/// Names of the named scenes.
pub fn names() -> &'static [&'static str] {
    &[
        "flagella",
        "flagella-literal",
        "cantilever",
        "ring",
        "knot",
        "wilberforce",
        "torque-transducer",
        "tree-in-wind",
    ]
}

#[derive(Clone, Copy)]
enum Name {
    Flagella,
    FlagellaLiteral,
    Cantilever,
    Ring,
    Knot,
    Wilberforce,
    TorqueTransducer,
    TreeInWind,
}

impl Read for NamedScene {
    fn wanted() -> String {
        "a table such as { name = \"flagella\" }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let Value::Table(_) = at.node.value else {
            return at.wrong_type(Self::wanted());
        };
        let wanted = || {
            names()
                .iter()
                .map(|n| format!("\"{n}\""))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let Some(name) = at.node.get("name") else {
            return Err(Keys::unchecked(at).missing("name", format!("one of {}", wanted())));
        };
        let name = At {
            node: name,
            path: format!("{}.name", at.path),
            ..at.clone()
        };
        match name.word(&[
            ("flagella", Name::Flagella),
            ("flagella-literal", Name::FlagellaLiteral),
            ("cantilever", Name::Cantilever),
            ("ring", Name::Ring),
            ("knot", Name::Knot),
            ("wilberforce", Name::Wilberforce),
            ("torque-transducer", Name::TorqueTransducer),
            ("tree-in-wind", Name::TreeInWind),
        ])? {
            Name::Flagella => Flagella::read(at, Flagella::as_run()).map(Self::Flagella),
            Name::FlagellaLiteral => {
                Flagella::read(at, Flagella::as_printed()).map(Self::FlagellaLiteral)
            }
            Name::Cantilever => Cantilever::read(at).map(Self::Cantilever),
            Name::Ring => Ring::read(at).map(Self::Ring),
            Name::Knot => Knot::read(at).map(Self::Knot),
            Name::Wilberforce => Wilberforce::read(at).map(Self::Wilberforce),
            Name::TorqueTransducer => TorqueTransducer::read(at).map(Self::TorqueTransducer),
            Name::TreeInWind => TreeInWind::read(at).map(Self::TreeInWind),
        }
    }
}

impl NamedScene {
    /// What the scene takes where the file says nothing.
    pub fn defaults(&self) -> Defaults {
        match self {
            Self::Flagella(f) => f.defaults(),
            Self::FlagellaLiteral(f) => f.defaults_as_printed(),
            Self::Cantilever(c) => c.defaults(),
            Self::Ring(r) => r.defaults(),
            Self::Knot(k) => k.defaults(),
            Self::Wilberforce(s) => s.defaults(),
            Self::TorqueTransducer(s) => s.defaults(),
            Self::TreeInWind(s) => s.defaults(),
        }
    }

    /// Rate at which the scene is driven, rad/s.
    pub fn rate(&self) -> Option<f64> {
        match self {
            Self::Flagella(f) | Self::FlagellaLiteral(f) => Some(f.speed.si().abs()),
            _ => None,
        }
    }

    /// Its rods with supports and loads.
    pub fn rods(&self) -> Vec<RodSpec> {
        match self {
            Self::Flagella(f) | Self::FlagellaLiteral(f) => f.rods(),
            Self::Cantilever(c) => vec![c.rod()],
            Self::Ring(r) => vec![r.rod()],
            Self::Knot(k) => k.rods(),
            Self::Wilberforce(s) => vec![s.rod()],
            Self::TorqueTransducer(s) => vec![s.rod()],
            Self::TreeInWind(s) => s.rods(),
        }
    }
    /// Its bodies; rods are named by their numbers.
    pub fn bodies(&self) -> Vec<BodySpec> {
        match self {
            Self::Wilberforce(s) => vec![s.body()],
            Self::TorqueTransducer(s) => s.bodies(),
            Self::TreeInWind(s) => s.bodies(),
            _ => Vec::new(),
        }
    }
}
