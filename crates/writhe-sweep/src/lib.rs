//! Runs of one scene over values of its keys: what command line and Python have in common.
//!
//! [`Parameter`]s are keys with values, as lists or [ranges](range). A [`Sweep`] is a scene and
//! parameters: its [`Point`]s are all combinations, each with a name that is that of its run
//! directory. The folder of a sweep [records](record) what it is of, so that no other sweep mixes
//! with it. [`results`] is the table of what the runs came to. Who runs the points, and where, is
//! the caller's.

pub mod axis;
pub mod parameter;
pub mod point;
pub mod range;
pub mod record;
pub mod results;
pub mod state;
pub mod sweep;

pub use axis::Axis;
pub use parameter::Parameter;
pub use point::Point;
pub use results::{Results, Row};
pub use state::State;
pub use sweep::Sweep;
