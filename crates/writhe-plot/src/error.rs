//! What cannot be drawn.

/// Why a figure cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// No panel at all.
    #[error("a figure needs a panel")]
    NoPanel,
    /// A panel without a point that its axes can show.
    #[error("`{label}` has no value to draw{}{}", if *limited { " between the limits given" } else { "" }, if *logarithmic { " on a logarithmic axis, which shows positive ones only" } else { "" })]
    NothingToDraw {
        /// Label of the vertical axis.
        label: String,
        /// Whether one of the axes is logarithmic.
        logarithmic: bool,
        /// Whether the horizontal axis has given ends.
        limited: bool,
    },
    /// Ends that an axis cannot have.
    #[error("the axis `{label}` cannot go from {from} to {to}: {}", if *logarithmic { "ends of a logarithmic axis are numbers above 0, the smaller one first" } else { "ends are numbers, the smaller one first" })]
    Limits {
        /// Label of the axis.
        label: String,
        /// First end.
        from: f64,
        /// Last end.
        to: f64,
        /// Whether the axis is logarithmic.
        logarithmic: bool,
    },
    /// A picture that the encoder refuses.
    #[error("the picture cannot be written as PNG: {reason}")]
    Png {
        /// The encoder's words.
        reason: String,
    },
    /// A font that cannot be cut down to what a document needs of it.
    #[error("the font cannot be embedded: {reason}")]
    Font {
        /// The words of the program that cuts.
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
    /// A sheet whose labels leave no room for curves.
    #[error(
        "a figure of {width:.0} x {height:.0} points has no room for {panels} with labels and legend: each needs about {least_width:.0} x {least_height:.0} points (1/72 inch)"
    )]
    Cramped {
        /// Width, points.
        width: f64,
        /// Height, points.
        height: f64,
        /// How many panels, in words.
        panels: String,
        /// Least width of a panel with its labels, points.
        least_width: f64,
        /// Least height of a panel with its labels, points.
        least_height: f64,
    },
}
