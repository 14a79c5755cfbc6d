//! Why values cannot be written as arrays, or arrays not be read.

use std::fmt::Display;

/// A failure of writing or reading; its message says what is wrong, for a sentence about the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArraysError {
    /// Values of this type are not written.
    #[error("`{array}` is not written: {reason}")]
    Unsupported {
        /// Where.
        array: String,
        /// What it is.
        reason: String,
    },
    /// An array that the program needs is not there.
    #[error("it lacks the array `{array}`")]
    Lacks {
        /// Its name.
        array: String,
    },
    /// An array is there of which the program knows nothing.
    #[error("it holds the array `{array}`, which this program does not know")]
    Unknown {
        /// Its name.
        array: String,
    },
    /// An array is not what the program expects of it.
    #[error("its array `{array}` {reason}")]
    Wrong {
        /// Its name.
        array: String,
        /// What is wrong.
        reason: String,
    },
    /// A value that makes no sense; where is added on the way up.
    #[error("{0}")]
    Senseless(String),
    /// Bytes that hold no arrays.
    #[error("{0}")]
    Torn(&'static str),
    /// Arrays of a schema from which the program cannot read what it needs.
    #[error("its schema is {found}, this program's is {own}: {reason}")]
    OtherSchema {
        /// Schema of the arrays.
        found: u32,
        /// That of the program.
        own: u32,
        /// What does not fit.
        reason: String,
    },
}

impl ArraysError {
    pub(super) fn wrong(array: &str, reason: impl Display) -> Self {
        Self::Wrong {
            array: array.to_owned(),
            reason: reason.to_string(),
        }
    }

    pub(super) fn unsupported(array: &str, reason: impl Display) -> Self {
        Self::Unsupported {
            array: array.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// The same, at the array `name` if it did not say where.
    pub(super) fn at(self, name: &str) -> Self {
        match self {
            Self::Senseless(reason) => Self::wrong(name, format_args!("makes no sense: {reason}")),
            told => told,
        }
    }
}

impl serde::ser::Error for ArraysError {
    fn custom<T: Display>(message: T) -> Self {
        Self::Senseless(message.to_string())
    }
}

impl serde::de::Error for ArraysError {
    fn custom<T: Display>(message: T) -> Self {
        Self::Senseless(message.to_string())
    }
}
