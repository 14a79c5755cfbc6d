//! The run directory: what is written, read back, refused and exported. Interruption is a program of its own: a process
//! that starts another hands it its locks for a moment.

#[path = "../common/mod.rs"]
mod common;
#[path = "../npz/mod.rs"]
mod npz;
#[path = "../common/swinging.rs"]
mod swinging;

mod compare;
mod failures;
mod recording;
mod round_trip;
mod state_arrays;
mod units;
