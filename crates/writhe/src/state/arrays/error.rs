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
    /// An array that is not what the program expects of it.
    pub(super) fn wrong(array: &str, reason: impl Display) -> Self {
        Self::Wrong {
            array: array.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// A value that has no place among arrays.
    pub(super) fn unsupported(array: &str, reason: impl Display) -> Self {
        Self::Unsupported {
            array: array.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// A failure on the way through a value: small, for each number is asked whether it failed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(super) struct Fault(Box<ArraysError>);

/// Result of writing or reading a part of a value.
pub(super) type Walk<T> = Result<T, Fault>;

impl Fault {
    /// The same, at the array `name` if it did not say where.
    #[cold]
    pub(super) fn at(self, name: &str) -> Self {
        Self::from(match *self.0 {
            ArraysError::Senseless(reason) => {
                ArraysError::wrong(name, format_args!("makes no sense: {reason}"))
            }
            told => told,
        })
    }
}

impl From<ArraysError> for Fault {
    #[cold]
    fn from(error: ArraysError) -> Self {
        Self(Box::new(error))
    }
}

impl From<Fault> for ArraysError {
    fn from(fault: Fault) -> Self {
        *fault.0
    }
}

impl serde::ser::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        ArraysError::Senseless(message.to_string()).into()
    }
}

impl serde::de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        ArraysError::Senseless(message.to_string()).into()
    }
}
