//! Scenes by name: they make their own rods from a few parameters.

mod asymmetry_of_twist;
mod cantilever;
mod ends;
mod flagella;
mod hanging_chain;
mod helical_perversion;
mod knot;
mod localized_buckling;
mod michell_ring;
mod plectoneme;
mod ring;
mod round_rod;
mod torque_transducer;
mod tree_in_wind;
mod twisted_knot;
mod wilberforce;
mod wire;

use serde::Serialize;

pub use asymmetry_of_twist::{AsymmetryOfTwist, BentRest};
pub use cantilever::{Cantilever, CantileverLoad};
pub use flagella::Flagella;
pub use hanging_chain::HangingChain;
pub use helical_perversion::HelicalPerversion;
pub use knot::{Knot, KnotKind, PhaseSpec};
pub use localized_buckling::LocalizedBuckling;
pub use michell_ring::MichellRing;
pub use plectoneme::Plectoneme;
pub use ring::{Ring, RingRest};
pub use torque_transducer::TorqueTransducer;
pub use tree_in_wind::TreeInWind;
pub use twisted_knot::TwistedKnot;
pub use wilberforce::{SpringTheory, Wilberforce};
pub use wire::Wire;

use crate::error::SceneError;
use crate::spec::{BodySpec, Defaults, JointSpec, RodSpec};
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
    /// A twisted rod whose ends come together.
    LocalizedBuckling(LocalizedBuckling),
    /// A twisted ring that leaves its plane.
    MichellRing(MichellRing),
    /// A trefoil twisted by one of its ends.
    TwistedKnot(TwistedKnot),
    /// A hanging rod twisted until it winds about itself.
    Plectoneme(Plectoneme),
    /// A bent rod turned at one end.
    AsymmetryOfTwist(AsymmetryOfTwist),
    /// A helical rod pulled straight and let together.
    HelicalPerversion(HelicalPerversion),
    /// A chain of open links pulled until one opens.
    HangingChain(HangingChain),
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
        "localized-buckling",
        "michell-ring",
        "twisted-knot",
        "plectoneme",
        "asymmetry-of-twist",
        "helical-perversion",
        "hanging-chain",
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
    LocalizedBuckling,
    MichellRing,
    TwistedKnot,
    Plectoneme,
    AsymmetryOfTwist,
    HelicalPerversion,
    HangingChain,
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
            ("localized-buckling", Name::LocalizedBuckling),
            ("michell-ring", Name::MichellRing),
            ("twisted-knot", Name::TwistedKnot),
            ("plectoneme", Name::Plectoneme),
            ("asymmetry-of-twist", Name::AsymmetryOfTwist),
            ("helical-perversion", Name::HelicalPerversion),
            ("hanging-chain", Name::HangingChain),
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
            Name::LocalizedBuckling => LocalizedBuckling::read(at).map(Self::LocalizedBuckling),
            Name::MichellRing => MichellRing::read(at).map(Self::MichellRing),
            Name::TwistedKnot => TwistedKnot::read(at).map(Self::TwistedKnot),
            Name::Plectoneme => Plectoneme::read(at).map(Self::Plectoneme),
            Name::AsymmetryOfTwist => AsymmetryOfTwist::read(at).map(Self::AsymmetryOfTwist),
            Name::HelicalPerversion => HelicalPerversion::read(at).map(Self::HelicalPerversion),
            Name::HangingChain => HangingChain::read(at).map(Self::HangingChain),
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
            Self::LocalizedBuckling(s) => s.defaults(),
            Self::MichellRing(s) => s.defaults(),
            Self::TwistedKnot(s) => s.defaults(),
            Self::Plectoneme(s) => s.defaults(),
            Self::AsymmetryOfTwist(s) => s.defaults(),
            Self::HelicalPerversion(s) => s.defaults(),
            Self::HangingChain(s) => s.defaults(),
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
            Self::LocalizedBuckling(s) => vec![s.rod()],
            Self::MichellRing(s) => vec![s.rod()],
            Self::TwistedKnot(s) => s.rods(),
            Self::Plectoneme(s) => vec![s.rod()],
            Self::AsymmetryOfTwist(s) => vec![s.rod()],
            Self::HelicalPerversion(s) => vec![s.rod()],
            Self::HangingChain(s) => s.rods(),
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
            Self::HangingChain(s) => s.bodies(),
            _ => Vec::new(),
        }
    }

    /// The joints between its bodies, which are named by their numbers.
    pub fn joints(&self) -> Vec<JointSpec> {
        match self {
            Self::HangingChain(s) => s.joints(),
            _ => Vec::new(),
        }
    }
}
