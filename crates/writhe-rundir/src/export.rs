//! A run in the formats of other programs.

mod csv;
mod npz;
mod zip;

pub use csv::export_csv;
pub use npz::export_npz;
