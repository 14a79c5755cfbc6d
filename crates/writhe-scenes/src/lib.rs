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
//! Bare numbers are SI; texts may carry units (`"15 rpm"`, `"3 MPa"`). Unknown keys are errors.
//! Reading goes in three steps: the file as a tree that knows where each value stands, the checked
//! description with every default ([`spec`]), the core's types ([`Scene::build`]).

mod build;
mod copies;
mod crossings;
mod describe;
mod error;
mod expression;
mod files;
mod foreign;
mod import;
mod named;
mod random;
mod scene;
pub mod spec;
mod tables;
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
pub use tables::tables;
pub use tree::{Bound, Key, Kind, Table};

/// Scenes that describe every rod by itself and have a template.
pub const FREE: &[&str] = &["free", "slope", "drum"];

const FREE_TEMPLATES: &[(&str, &str)] = &[
    ("free", include_str!("../templates/free.toml")),
    ("slope", include_str!("../templates/slope.toml")),
    ("drum", include_str!("../templates/drum.toml")),
];

/// A commented scene to start from; `None` for an unknown name. All of [`names`] have one, and so
/// have [`FREE`] ones.
pub fn template(name: &str) -> Option<&'static str> {
    let mut all = named::TEMPLATES.iter().chain(FREE_TEMPLATES);
    all.find(|(known, _)| *known == name).map(|(_, text)| *text)
}
