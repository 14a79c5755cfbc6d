//! Curves with axes and units, as SVG, PDF and PNG.
//!
//! A [`Figure`] has [`Panel`]s, a panel two [`Axis`] and [`Curve`]s of plain numbers. Axes find
//! round ticks and a prefix of their unit, the legend finds the corner where it covers least.
//!
//! ```
//! use writhe_plot::{Axis, Curve, Figure, Panel};
//!
//! let points = (1..=100).map(|i| 0.01 * f64::from(i)).map(|e| [e, 1e-3 / e]).collect();
//! let mut panel = Panel::new(Axis::new("Shortening", "m"), Axis::new("Pull force", "N"));
//! panel.curves.push(Curve::new("n = 1", points, 0));
//! let svg = Figure::new(vec![panel]).to_svg()?;
//! assert!(svg.contains("Pull force (mN)"));
//! # Ok::<(), writhe_plot::PlotError>(())
//! ```
//!
//! Steps, one module each: `figure` (what is asked for) - `ticks` (axes) - `layout`, `clip`,
//! `legend` (places on the sheet) - `drawing` (lines and words) - `svg`, `pdf`, `pixels` (bytes).

mod clip;
mod color;
mod curve;
mod drawing;
mod error;
mod figure;
mod frame;
mod layout;
mod legend;
mod markup;
mod pdf;
mod pixels;
mod svg;
mod ticks;

pub use color::Color;
pub use error::PlotError;
pub use figure::{Axis, Curve, Figure, Panel, Scale, Style};

impl Figure {
    /// The figure as an SVG document.
    ///
    /// # Errors
    /// When it has no panel, a panel nothing to draw, or the sheet no size.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        layout::laid_out(self).map(|drawing| svg::svg(&drawing))
    }

    /// The figure as a PDF document of one page, in the fonts that every reader has.
    ///
    /// # Errors
    /// As [`to_svg`](Self::to_svg).
    pub fn to_pdf(&self) -> Result<Vec<u8>, PlotError> {
        layout::laid_out(self).map(|drawing| pdf::pdf(&drawing))
    }

    /// The figure as a PNG file of three pixels a point; fewer on sheets of which a side would have
    /// more than 8192.
    ///
    /// # Errors
    /// As [`to_svg`](Self::to_svg).
    pub fn to_png(&self) -> Result<Vec<u8>, PlotError> {
        pixels::png(&layout::laid_out(self)?)
    }
}
