//! A folder in which `writhe-papers` runs.

#![allow(dead_code, unused_imports)] // Each test file uses a part.

#[path = "../../../writhe-cli/tests/common/place.rs"]
mod place;

pub use place::{Place, signal, text, wait_until};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_writhe-papers");
/// What it is called.
pub const NAME: &str = "writhe-papers";
