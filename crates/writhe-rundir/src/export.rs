//! A run in the formats of other programs.

mod arrow;
mod csv;
mod frames;
mod gltf;
mod npz;
mod obj;
mod options;
mod place;
pub mod surroundings;
mod tube;
mod usd;
mod vtk;
mod zip;

pub use csv::export_csv;
pub use gltf::export_gltf;
pub use npz::export_npz;
pub use obj::export_obj;
pub use options::{Colouring, ExportOptions};
pub use surroundings::Surroundings;
pub use usd::export_usd;
pub use vtk::export_vtk;

/// Okabe and Ito's colours, as sRGB.
const COLOURS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [213, 94, 0],
    [86, 180, 233],
    [204, 121, 167],
    [240, 228, 66],
];

/// Colour of a rod, linear light.
fn rod_colour(rod: usize) -> [f64; 3] {
    COLOURS[rod % COLOURS.len()].map(|byte| {
        let x = f64::from(byte) / 255.0;
        if x <= 0.04045 {
            x / 12.92
        } else {
            ((x + 0.055) / 1.055).powf(2.4)
        }
    })
}
