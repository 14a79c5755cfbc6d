//! The experiments of the papers behind Writhe: run, measured, and put beside the papers' figures.
//!
//! An [`Experiment`] has rows. Each row is measured from one or more runs of the scene `flagella`
//! and recorded in a CSV file as soon as it is done, with date, commit and machine; rows that are
//! there already are not measured again. Each run is a run directory with checkpoints, so that a
//! killed experiment goes on where it was; runs are named by what they do and shared by all
//! experiments.
//!
//! - [`experiments`]: one file an experiment; [`paper`]: the papers' figures, as constants with
//!   their sources.
//! - [`runner`]: rows in their order; [`bench`](mod@bench): what an experiment may ask for;
//!   [`run`], [`plan`]: a run in its directory.
//! - [`measure`]: what is read off a run (T22 Eq. 22, where contact ends, turns wound); [`rows`]:
//!   CSV. Tables of text and who made a row are `writhe-results`'.
//!
//! Simulations use one thread, as the papers' did: processor times compare. T22 is Tong et al. 2022
//! (Extreme Mechanics Letters), T22a its preprint with appendices.

pub mod bench;
mod csv;
pub mod error;
pub mod experiments;
pub mod measure;
pub mod paper;
pub mod picture;
pub mod plan;
pub mod rows;
pub mod run;
pub mod runner;
mod scenes;
pub mod watch;

pub use bench::Options;
pub use error::{ReproduceError, Result};
pub use experiments::{Experiment, Row, all, find};
pub use runner::{Outcome, reproduce};
pub use watch::Watch;
