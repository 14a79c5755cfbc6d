//! Nodes and edges by number, or by the words "first" and "last".

use serde::{Serialize, Serializer};

use crate::error::SceneError;
use crate::tree::{At, Read, described};

/// A node or an edge of a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndRef {
    /// The first one.
    First,
    /// The last one.
    Last,
    /// By number, from 0.
    Index(usize),
}

impl EndRef {
    /// Its number among `count`; the caller checks that it exists.
    pub fn index(self, count: usize) -> usize {
        match self {
            Self::First => 0,
            Self::Last => count.saturating_sub(1),
            Self::Index(i) => i,
        }
    }
}

impl Serialize for EndRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::First => serializer.serialize_str("first"),
            Self::Last => serializer.serialize_str("last"),
            Self::Index(i) => serializer.serialize_u64(*i as u64),
        }
    }
}

impl Read for EndRef {
    fn wanted() -> String {
        "a number from 0, or \"first\" or \"last\"".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.text() {
            Some(_) => at.word(&[("first", Self::First), ("last", Self::Last)]),
            None => usize::read(at)
                .map(Self::Index)
                .or_else(|e| match *e.problem {
                    crate::error::Problem::WrongType { .. } => at.wrong_type(Self::wanted()),
                    _ => Err(e),
                }),
        }
    }
}

described! {
    EndRef => Either(vec![Whole, Words(vec![("first", "The first one"), ("last", "The last one")])]);
}
