//! Commands that show runs: exports, pictures, films, plots.

#[path = "../common/mod.rs"]
mod common;

mod exports;
mod json;
mod movie;
mod plot;
mod problems;
