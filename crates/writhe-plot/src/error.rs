//! What cannot be drawn.

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// No panel at all.
    #[error("a figure needs a panel")]
    NoPanel,
    /// A panel without a point that its axes can show.
    #[error("`{label}` has no finite value to draw{}", if *logarithmic { " on a logarithmic axis, which shows positive ones only" } else { "" })]
    NothingToDraw {
        /// Label of the vertical axis.
        label: String,
        /// Whether one of the axes is logarithmic.
        logarithmic: bool,
    },
    /// A picture that the encoder refuses.
    #[error("the picture cannot be written as PNG: {reason}")]
    Png {
        /// The encoder's words.
        reason: String,
    },
    /// A size that no sheet of paper has.
    #[error(
        "a figure of {width} x {height} points cannot be drawn: each side must be from 72 to 7200 points (1/72 inch)"
    )]
    Size {
        /// Width, points.
        width: f64,
        /// Height, points.
        height: f64,
    },
}
