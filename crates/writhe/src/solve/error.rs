//! What can go wrong in a linear solve or a line search.

/// Why a factorisation, a solve or an assembly was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Elimination met a pivot that is exactly zero.
    #[error("the matrix is singular: elimination found no pivot for unknown {row}")]
    Singular {
        /// Unknown (0-based, in the caller's numbering) whose pivot vanished.
        row: usize,
    },
    /// A matrix, a right-hand side or a solution holds a NaN or an infinity.
    #[error("a NaN or an infinity appeared in the {place}")]
    NotFinite {
        /// What held the value.
        place: &'static str,
    },
    /// The computed solution does not solve the system, even after refinement.
    #[error("the linear solve left a relative residual of {relative:.3e}")]
    ResidualTooLarge {
        /// `|b - A x| / (|A| |x| + |b|)` in the largest-entry norm.
        relative: f64,
    },
    /// A vector, block or pattern does not have the size of the matrix.
    #[error("expected {expected} values, found {found}")]
    WrongLength {
        /// Length the operation needs.
        expected: usize,
        /// Length it was given.
        found: usize,
    },
    /// An entry was addressed that the storage has no place for.
    #[error("entry ({row}, {column}) lies outside the stored pattern")]
    OutsidePattern {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
    },
    /// A product with a matrix that is known by its products only failed.
    #[error("{what}: {reason}")]
    Operator {
        /// What cannot be computed.
        what: &'static str,
        /// Why, in the words of who computes it.
        reason: String,
    },
    /// `solve` was called without a factorisation that succeeded.
    #[error("no factorisation is available")]
    NotFactored,
    /// The matrix was assembled on another pattern than the factorisation was prepared for.
    #[error("the matrix has another pattern than the factorisation")]
    PatternMismatch,
    /// A [`Poll`](super::Poll) said stop.
    #[error("stopped on request")]
    Interrupted,
    /// So many unknowns are coupled with each other that a factorisation would take too much memory
    /// and time.
    #[error(
        "too many parts of the rods are coupled with each other at once: a factorisation of the {blocks} blocks of the matrix would take more \
         than 1 GiB"
    )]
    TooDense {
        /// Blocks on the diagonal: nodes.
        blocks: usize,
    },
    /// The symbolic analysis failed: too many entries for 32-bit indices, or out of memory.
    #[error("the symbolic analysis of a matrix with {unknowns} unknowns failed")]
    Symbolic {
        /// Number of unknowns.
        unknowns: usize,
    },
}

/// Refuses a slice of the wrong length.
pub(super) fn expect_length(expected: usize, found: usize) -> Result<(), SolveError> {
    if expected == found {
        Ok(())
    } else {
        Err(SolveError::WrongLength { expected, found })
    }
}
