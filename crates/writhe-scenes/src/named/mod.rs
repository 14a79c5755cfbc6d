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
use crate::tree::{At, Key, Keys, Known, Read, Section, Value, described};

/// What a named scene makes of its parameters.
trait Named {
    /// What it takes where the file says nothing.
    fn defaults(&self) -> Defaults;

    /// Rate at which it is driven, rad/s.
    fn rate(&self) -> Option<f64> {
        None
    }

    /// Its rods with supports and loads.
    fn rods(&self) -> Vec<RodSpec>;

    /// Its bodies; rods are named by their numbers.
    fn bodies(&self) -> Vec<BodySpec> {
        Vec::new()
    }

    /// The joints between its bodies, which are named by their numbers.
    fn joints(&self) -> Vec<JointSpec> {
        Vec::new()
    }
}

/// The parameters as the keys say, or else the defaults.
fn read<S: Section>(at: &At, default: S) -> Result<S, SceneError> {
    let keys = Keys::new(at, &[vec!["name"], S::known()].concat())?;
    S::keyed(&keys, default)
}

/// The named scenes: type of the parameters, name, and how they are read.
macro_rules! named {
    ($($(#[$about:meta])* $scene:ident($kind:ty) = $name:literal, $read:expr;)*) => {
        /// A named scene with its parameters.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(tag = "name")]
        pub enum NamedScene {
            $($(#[$about])* #[serde(rename = $name)] $scene($kind),)*
        }

        /// Names of the named scenes.
        pub fn names() -> &'static [&'static str] {
            &[$($name),*]
        }

        /// A commented scene of each.
        pub(crate) const TEMPLATES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../templates/", $name, ".toml")))),*];

        /// How each is read.
        type Reader = fn(&At) -> Result<NamedScene, SceneError>;

        const READERS: &[(&str, Reader)] = &[
            $(($name, |at| { let read: fn(&At) -> _ = $read; read(at).map(NamedScene::$scene) })),*
        ];

        /// The parameters of each.
        pub(crate) fn parameters() -> Vec<(&'static str, Vec<Key>)> {
            vec![$(($name, <$kind as Known>::keys())),*]
        }

        impl NamedScene {
            fn parameters(&self) -> &dyn Named {
                match self {
                    $(Self::$scene(parameters) => parameters,)*
                }
            }
        }
    };
}

named! {
    /// Rotating helical flagella side by side, as the authors of the Implicit Contact Model ran
    /// them.
    Flagella(Flagella) = "flagella", |at| read(at, Flagella::as_run());
    /// The same with the numbers printed in their paper.
    FlagellaLiteral(Flagella) = "flagella-literal", |at| read(at, Flagella::as_printed());
    /// A clamped rod under gravity or a tip force.
    Cantilever(Cantilever) = "cantilever", |at| read(at, Cantilever::default());
    /// A closed rod, twisted or released from an ellipse.
    Ring(Ring) = "ring", |at| read(at, Ring::default());
    /// A knot, pulled tight or let go.
    Knot(Knot) = "knot", |at| Knot::read(at);
    /// A twisted rod whose ends come together.
    LocalizedBuckling(LocalizedBuckling) = "localized-buckling", |at| read(at, LocalizedBuckling::default());
    /// A twisted ring that leaves its plane.
    MichellRing(MichellRing) = "michell-ring", |at| read(at, MichellRing::default());
    /// A trefoil twisted by one of its ends.
    TwistedKnot(TwistedKnot) = "twisted-knot", |at| read(at, TwistedKnot::default());
    /// A hanging rod twisted until it winds about itself.
    Plectoneme(Plectoneme) = "plectoneme", |at| read(at, Plectoneme::default());
    /// A bent rod turned at one end.
    AsymmetryOfTwist(AsymmetryOfTwist) = "asymmetry-of-twist", |at| read(at, AsymmetryOfTwist::default());
    /// A helical rod pulled straight and let together.
    HelicalPerversion(HelicalPerversion) = "helical-perversion", |at| read(at, HelicalPerversion::default());
    /// A chain of open links pulled until one opens.
    HangingChain(HangingChain) = "hanging-chain", |at| read(at, HangingChain::default());
    /// A bob on a helical spring.
    Wilberforce(Wilberforce) = "wilberforce", |at| read(at, Wilberforce::default());
    /// Two bodies joined by a rod that twists.
    TorqueTransducer(TorqueTransducer) = "torque-transducer", |at| read(at, TorqueTransducer::default());
    /// A tree of rods in gusts.
    TreeInWind(TreeInWind) = "tree-in-wind", |at| read(at, TreeInWind::default());
}

described! { NamedScene => Table(std::any::type_name::<NamedScene>()); }

impl Read for NamedScene {
    fn wanted() -> String {
        "a table such as { name = \"flagella\" }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let Value::Table(_) = at.node.value else {
            return at.wrong_type(Self::wanted());
        };
        let Some(name) = at.node.get("name") else {
            let names: Vec<_> = names().iter().map(|n| format!("\"{n}\"")).collect();
            let wanted = format!("one of {}", names.join(", "));
            return Err(Keys::unchecked(at).missing("name", wanted));
        };
        let name = At {
            node: name,
            path: format!("{}.name", at.path),
            ..at.clone()
        };
        name.word(READERS)?(at)
    }
}

impl NamedScene {
    /// What the scene takes where the file says nothing.
    pub fn defaults(&self) -> Defaults {
        match self {
            Self::FlagellaLiteral(f) => f.defaults_as_printed(),
            _ => self.parameters().defaults(),
        }
    }

    /// Rate at which the scene is driven, rad/s.
    pub fn rate(&self) -> Option<f64> {
        self.parameters().rate()
    }

    /// Its rods with supports and loads.
    pub fn rods(&self) -> Vec<RodSpec> {
        self.parameters().rods()
    }

    /// Its bodies; rods are named by their numbers.
    pub fn bodies(&self) -> Vec<BodySpec> {
        self.parameters().bodies()
    }

    /// The joints between its bodies, which are named by their numbers.
    pub fn joints(&self) -> Vec<JointSpec> {
        self.parameters().joints()
    }
}
