//! Pictures of elastic rods as shaded tubes, on the CPU, without a display.
//!
//! Input is plain arrays: a [`Tube`] is a centreline with radii, optionally with the material
//! director m1 (drawn as a stripe that shows twist) and a scalar shown as colour. A [`Scene`] of
//! tubes, seen by a [`Camera`], becomes an [`Image`] by [`render()`]; a [`ContactSheet`] puts many
//! scenes into one labelled picture, a [`GifWriter`] images into a movie.
//!
//! ```
//! use glam::DVec3;
//! use writhe_render::{Bounds, Camera, RenderOptions, Scene, Tube, render, rod_color};
//!
//! let helix = (0..80).map(|i| 0.2 * f64::from(i)).map(|a| DVec3::new(a.cos(), a.sin(), 0.15 * a)).collect();
//! let scene = Scene::new(vec![Tube::new(helix, 0.08, rod_color(0))]);
//! let bounds = Bounds::of(&scene);
//! let direction = Camera::good_direction(&bounds, DVec3::Z);
//! let options = RenderOptions::sized(120, 160);
//! let camera = Camera::fit(&bounds, direction, DVec3::Z, 120.0 / 160.0, 0.05)?;
//! let mut png = Vec::new();
//! render(&scene, &camera, &options)?.write_png(&mut png)?;
//! # Ok::<(), writhe_render::RenderError>(())
//! ```
//!
//! Steps, one module each: `tube` (arrays) - `curve` (dense stations) - `frame` (section axes,
//! twist) - `mesh` (triangles) - `raster` (which triangle is seen) - `shade`, `occlusion`, `shadow`
//! (light) - `render` (pixels) - `text`, `legend`, `sheet`, `layout` (labels and grids), `gif`
//! (motion).

mod bounds;
mod camera;
mod color;
mod curve;
mod error;
mod frame;
mod gif;
mod image;
mod legend;
mod mesh;
mod noise;
mod occlusion;
mod palette;
mod piecewise;
mod raster;
mod render;
mod scale;
mod scene;
mod shade;
mod shadow;
mod sheet;
mod solid;
mod text;
mod tube;
mod view;

pub use bounds::Bounds;
pub use camera::{Camera, Projection};
pub use color::Color;
pub use error::RenderError;
pub use gif::{GifPalette, GifWriter};
pub use image::Image;
pub use legend::Legend;
pub use palette::{ColorMap, rod_color};
pub use render::{RenderOptions, render};
pub use scale::{ColorBar, ScaleBar};
pub use scene::{Background, Floor, Lighting, Scene, Shadow};
pub use sheet::{CellSize, ContactSheet, SheetOptions, SheetRow, SheetScaleBar};
pub use solid::Solid;
pub use text::{Anchor, TextStyle, text_width};
pub use tube::{Stripe, Tube, TubeColor};
