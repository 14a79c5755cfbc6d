//! Why a curve has no certificate.

use glam::DVec3;

/// A curve, or a set of them, whose type cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KnotError {
    /// A closed curve needs three nodes.
    #[error("a closed curve of {nodes} node(s): it needs at least 3")]
    TooFewNodes {
        /// How many there are.
        nodes: usize,
    },
    /// A coordinate is NaN or infinite, or all nodes are in one place.
    #[error("the nodes of a curve must be finite and must not all be in one place")]
    NoExtent,
    /// Two parts of a curve, or two curves, are so near that the type is not certain.
    #[error(
        "edge {} of curve {} and edge {} of curve {} are {distance:.1e} m apart at {at}, where {needed:.1e} m are needed to tell how \
         they cross",
        edges[0], curves[0], edges[1], curves[1]
    )]
    Touching {
        /// The two curves.
        curves: [usize; 2],
        /// An edge of each, from 0.
        edges: [usize; 2],
        /// Their distance, m.
        distance: f64,
        /// The distance that would do, m.
        needed: f64,
        /// Where, m.
        at: DVec3,
    },
    /// No view in which all crossings are clear.
    #[error(
        "the curve shows no clear diagram from {views} directions: do parts of it lie upon each other?"
    )]
    NoClearView {
        /// Directions tried.
        views: usize,
    },
    /// A diagram that is too large for exact integers; one of up to 60 crossings never is.
    #[error("the simplest diagram found has {crossings} crossings, too many for exact integers")]
    TooComplex {
        /// Crossings.
        crossings: usize,
    },
    /// Two computations that must agree do not: a fault of the program.
    #[error(
        "two computations of the same number disagree ({first} and {second}), a fault of the program: please report it"
    )]
    Inconsistent {
        /// The determinant from the Alexander polynomial, or the linking number from the crossings
        /// where the first curve is above.
        first: i128,
        /// The determinant from the Goeritz matrix, or the linking number from the other crossings.
        second: i128,
    },
}
