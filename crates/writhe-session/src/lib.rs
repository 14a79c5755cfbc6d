//! A run of a scene and the directory that it leaves: what command line and Python have in common.
//!
//! A [`scene::RunnableScene`] is what is simulated. A [`session::Session`] simulates it into a run
//! directory, from its start or from the last checkpoint, and leaves a [`summary`] with what it
//! [found](findings). Whoever runs it hands in an [`interrupt::Interrupt`], sees every step, and
//! tells a [`failure::Failure`] in its own way: this crate prints nothing and hears no signal.

pub mod checkpoint;
pub mod crush;
pub mod differences;
pub mod failure;
pub mod files;
pub mod findings;
pub mod follow;
pub mod format;
pub mod interrupt;
pub mod names;
pub mod origin;
pub mod printable;
pub mod scene;
pub mod session;
pub mod shell;
pub mod summary;
pub mod usage;
