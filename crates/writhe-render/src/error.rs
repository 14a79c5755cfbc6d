//! What can be wrong with the input of a picture.

use std::fmt;

/// Why a picture could not be made.
///
/// `tube` is the index in [`crate::Scene::tubes`].
#[derive(Debug)]
#[non_exhaustive]
pub enum RenderError {
    /// The image has no pixels, or more than the limit.
    ImageSize {
        /// Requested width, pixels.
        width: u64,
        /// Requested height, pixels.
        height: u64,
    },
    /// A tube needs two nodes, a closed one three.
    TooFewNodes {
        /// Which tube.
        tube: usize,
        /// Nodes given.
        nodes: usize,
        /// Nodes needed.
        needed: usize,
    },
    /// A number is NaN or infinite, or a position is too far away to compute with.
    NonFinite {
        /// Which tube.
        tube: usize,
        /// Which array.
        array: &'static str,
        /// Where in the array.
        index: usize,
    },
    /// A radius is zero or negative.
    BadRadius {
        /// Which tube.
        tube: usize,
        /// Where in the array.
        index: usize,
        /// The radius, scene length.
        radius: f64,
    },
    /// An array fits neither the nodes nor the edges.
    LengthMismatch {
        /// Which tube.
        tube: usize,
        /// Which array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// Nodes of the tube.
        nodes: usize,
    },
    /// Two consecutive nodes are at the same place.
    CoincidentNodes {
        /// Which tube.
        tube: usize,
        /// The edge without length.
        edge: usize,
    },
    /// A material director has no length.
    ZeroDirector {
        /// Which tube.
        tube: usize,
        /// Which edge.
        edge: usize,
    },
    /// The camera does not define a projection.
    BadCamera {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An option is outside its range.
    BadOption {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// There is nothing to frame with a camera.
    EmptyBounds,
    /// The number of column labels of a contact sheet is not the number of columns.
    LabelCount {
        /// Labels given.
        labels: usize,
        /// Columns of the longest row.
        columns: usize,
    },
    /// The PNG could not be written.
    Png(png::EncodingError),
    /// The GIF could not be written.
    Gif(gif::EncodingError),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ImageSize { width, height } => {
                write!(f, "an image of {width} x {height} pixels cannot be made")
            }
            Self::TooFewNodes {
                tube,
                nodes,
                needed,
            } => {
                write!(
                    f,
                    "tube {tube} has {nodes} nodes and needs at least {needed}"
                )
            }
            Self::NonFinite { tube, array, index } => {
                write!(f, "tube {tube}: {array}[{index}] is not a usable number")
            }
            Self::BadRadius {
                tube,
                index,
                radius,
            } => {
                write!(f, "tube {tube}: radius[{index}] = {radius} is not positive")
            }
            Self::LengthMismatch {
                tube,
                array,
                found,
                nodes,
            } => write!(
                f,
                "tube {tube}: {array} has {found} entries, which fits neither the nodes ({nodes}) nor the edges"
            ),
            Self::CoincidentNodes { tube, edge } => {
                write!(f, "tube {tube}: edge {edge} has no length")
            }
            Self::ZeroDirector { tube, edge } => {
                write!(
                    f,
                    "tube {tube}: the material director of edge {edge} has no length"
                )
            }
            Self::BadCamera { reason } => write!(f, "camera: {reason}"),
            Self::BadOption { name, value } => write!(f, "{name} = {value} is out of range"),
            Self::EmptyBounds => write!(f, "there is nothing to frame with a camera"),
            Self::LabelCount { labels, columns } => {
                write!(f, "{labels} column labels for {columns} columns")
            }
            Self::Png(error) => write!(f, "PNG: {error}"),
            Self::Gif(error) => write!(f, "GIF: {error}"),
        }
    }
}

impl std::error::Error for RenderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Png(error) => Some(error),
            Self::Gif(error) => Some(error),
            _ => None,
        }
    }
}

impl From<png::EncodingError> for RenderError {
    fn from(error: png::EncodingError) -> Self {
        Self::Png(error)
    }
}

impl From<gif::EncodingError> for RenderError {
    fn from(error: gif::EncodingError) -> Self {
        Self::Gif(error)
    }
}
