//! A run in the formats of other programs.

mod csv;
mod frames;
mod gltf;
mod npz;
mod obj;
mod tube;
mod usd;
mod vtk;
mod zip;

pub use csv::export_csv;
pub use gltf::export_gltf;
pub use npz::export_npz;
pub use obj::export_obj;
pub use usd::export_usd;
pub use vtk::export_vtk;
