//! The run directory: what is written, read back, gone on with, exported.

#[path = "../common/mod.rs"]
mod common;
#[path = "../npz/mod.rs"]
mod npz;
#[path = "../common/swinging.rs"]
mod swinging;

mod compare;
mod failures;
mod interruption;
mod recording;
mod round_trip;
mod state_arrays;
mod units;
