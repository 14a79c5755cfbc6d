//! Scenes: what a user types, as TOML, made into a model of the core.
//!
//! ```
//! use writhe_scenes::{Scene, template};
//!
//! let text = template("flagella").unwrap_or_default();
//! let mut scene = Scene::parse(text, "flagella.toml")?;
//! scene.set("scene.count=3")?;
//! println!("{}", scene.describe()?);
//! let setup = scene.build()?;
//! assert_eq!(setup.model.topology.nodes(), 3 * 68);
//! # Ok::<(), writhe_scenes::SceneError>(())
//! ```
//!
//! Bare numbers are SI; texts may carry units (`"15 rpm"`, `"3 MPa"`). Unknown keys are errors. Reading goes in three steps: the
//! file as a tree that knows where each value stands, the checked description with every default ([`spec`]), the core's types
//! ([`Scene::build`]).

mod build;
mod describe;
mod error;
mod files;
mod foreign;
mod import;
mod named;
mod scene;
mod shapes;
pub mod spec;
mod ties;
mod tree;
pub mod units;

pub use build::Setup;
pub use describe::{Level, Line, Remark, Report, Section};
pub use error::{Problem, SceneError};
pub use files::Files;
pub use foreign::{ImportError, Imported, ShapeUse, import_options, import_shape, is_options};
pub use named::{
    AsymmetryOfTwist, BentRest, Cantilever, CantileverLoad, Flagella, HangingChain,
    HelicalPerversion, Knot, KnotKind, LocalizedBuckling, MichellRing, NamedScene, PhaseSpec,
    Plectoneme, Ring, RingRest, SpringTheory, TorqueTransducer, TreeInWind, TwistedKnot,
    Wilberforce, Wire, names,
};
pub use scene::{Scene, SceneSpec};

/// Scenes that describe every rod by itself and have a template.
pub const FREE: &[&str] = &["free", "slope", "drum"];

/// A commented scene to start from; `None` for an unknown name. All of [`names`] have one, and so have [`FREE`] ones.
pub fn template(name: &str) -> Option<&'static str> {
    match name {
        "flagella" => Some(include_str!("../templates/flagella.toml")),
        "flagella-literal" => Some(include_str!("../templates/flagella-literal.toml")),
        "cantilever" => Some(include_str!("../templates/cantilever.toml")),
        "ring" => Some(include_str!("../templates/ring.toml")),
        "knot" => Some(include_str!("../templates/knot.toml")),
        "localized-buckling" => Some(include_str!("../templates/localized-buckling.toml")),
        "michell-ring" => Some(include_str!("../templates/michell-ring.toml")),
        "twisted-knot" => Some(include_str!("../templates/twisted-knot.toml")),
        "plectoneme" => Some(include_str!("../templates/plectoneme.toml")),
        "asymmetry-of-twist" => Some(include_str!("../templates/asymmetry-of-twist.toml")),
        "helical-perversion" => Some(include_str!("../templates/helical-perversion.toml")),
        "hanging-chain" => Some(include_str!("../templates/hanging-chain.toml")),
        "wilberforce" => Some(include_str!("../templates/wilberforce.toml")),
        "torque-transducer" => Some(include_str!("../templates/torque-transducer.toml")),
        "tree-in-wind" => Some(include_str!("../templates/tree-in-wind.toml")),
        "free" => Some(include_str!("../templates/free.toml")),
        "slope" => Some(include_str!("../templates/slope.toml")),
        "drum" => Some(include_str!("../templates/drum.toml")),
        _ => None,
    }
}
