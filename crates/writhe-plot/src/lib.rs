//! Curves with axes and units, as SVG, PDF and PNG.
//!
//! A [`Figure`] has [`Panel`]s, a panel two [`Axis`] and [`Curve`]s of plain numbers. Axes find
//! round ticks and a prefix of their unit, the legend stands where it covers no curve.
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
//! Steps, one module each: `figure` and `theme` (what is asked for) - `ticks` (axes) - `layout`,
//! `plan`, `legend`, `cover`, `curve`, `clip` (places on the sheet) - `panel`, `marker`, `drawing`
//! (lines and words) - `svg`, `pdf`, `pixels` (bytes). Letters are those of `writhe-lettering` in all three.

mod clip;
mod color;
mod cover;
mod curve;
mod drawing;
mod error;
mod figure;
mod frame;
mod layout;
mod legend;
mod marker;
mod markup;
mod panel;
mod pdf;
mod pixels;
mod plan;
mod svg;
mod theme;
mod ticks;
mod title;

pub use color::Color;
pub use error::PlotError;
pub use figure::{Axis, Curve, Figure, Legend, Marker, Panel, Scale, Size, Style};
pub use theme::Look;

impl Figure {
    /// The figure as an SVG document. Letters are outlines.
    ///
    /// # Errors
    /// When it has no panel, a panel nothing to draw, the sheet no size or no room for its panels,
    /// or an axis ends that it cannot have.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        layout::laid_out(self).map(|drawing| svg::svg(&drawing))
    }

    /// The figure as a PDF document of one page. Text can be searched and copied; the letters that
    /// it needs are embedded.
    ///
    /// # Errors
    /// As [`to_svg`](Self::to_svg).
    pub fn to_pdf(&self) -> Result<Vec<u8>, PlotError> {
        pdf::pdf(&layout::laid_out(self)?)
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
