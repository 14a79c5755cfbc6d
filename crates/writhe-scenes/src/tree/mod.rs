//! The scene file as a tree of values that remember where they stand.

mod bound;
mod choice;
mod key;
mod listed;
mod path;
mod read;
mod set;
mod table;
mod words;

use std::ops::Range;

use toml::de::{DeTable, DeValue};

pub use bound::Bound;
pub(crate) use bound::{DIRECTION, Measured, NOT_NEGATIVE, PART, POSITIVE};
pub(crate) use choice::{Choice, choice};
pub(crate) use key::{Described, Known, described, told, written};
pub use key::{Key, Kind};
pub use listed::Table;
use path::Step;
pub(crate) use read::{AlongRod, At, Keys, Read, error_at, one_of, table_of};
pub(crate) use table::{Entry, Section, Stated, default_of, fields, first, keys, section, table};
pub(crate) use words::words;

use crate::error::{Problem, SceneError};

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub value: Value,
    pub origin: Origin,
}

/// Where a value stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// Bytes of the file: the key's (empty for elements of arrays) and the value's.
    File {
        key: Range<usize>,
        value: Range<usize>,
    },
    /// An override such as `contact.friction=0.3`.
    Set(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    Date(String),
    Array(Vec<Node>),
    Table(Vec<(String, Node)>),
}

impl Node {
    /// Reads a file.
    pub fn parse(text: &str, file: &str) -> Result<Self, SceneError> {
        let root = DeTable::parse(text).map_err(|e| SceneError {
            file: file.to_owned(),
            key: String::new(),
            span: e.span(),
            problem: Box::new(Problem::Syntax {
                message: one_line(e.message()),
            }),
        })?;
        let span = root.span();
        Ok(Self {
            value: table(root.get_ref()),
            origin: Origin::File {
                key: span.clone(),
                value: span,
            },
        })
    }

    /// The child of that name, if this is a table that has it.
    pub fn get(&self, name: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|(k, _)| k == name).map(|(_, n)| n),
            _ => None,
        }
    }

    /// The element of an array.
    pub fn element(&self, index: usize) -> Option<&Node> {
        match &self.value {
            Value::Array(elements) => elements.get(index),
            _ => None,
        }
    }

    /// The value as the user would write it, shortened.
    pub fn shown(&self) -> String {
        match &self.value {
            Value::Text(t) => format!("\"{}\"", t.chars().take(60).collect::<String>()),
            Value::Integer(i) => i.to_string(),
            Value::Float(x) if x.abs() < 1e-3 && *x != 0.0 => format!("{x:e}"),
            Value::Float(x) => x.to_string(),
            Value::Boolean(b) => b.to_string(),
            Value::Date(d) => d.clone(),
            Value::Array(a) => format!("a list of {}", a.len()),
            Value::Table(t) => {
                let keys: Vec<&str> = t.iter().take(4).map(|(k, _)| k.as_str()).collect();
                format!("a table {{ {} }}", keys.join(", "))
            }
        }
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table(entries: &DeTable<'_>) -> Value {
    let entries = entries.iter().map(|(key, value)| {
        let origin = Origin::File {
            key: key.span(),
            value: value.span(),
        };
        (
            key.get_ref().to_string(),
            Node {
                value: convert(value.get_ref()),
                origin,
            },
        )
    });
    Value::Table(entries.collect())
}

fn convert(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(n) => Value::Integer(n),
            Err(_) => Value::Float(i.as_str().parse().unwrap_or(f64::NAN)),
        },
        DeValue::Float(x) => Value::Float(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Boolean(*b),
        DeValue::Datetime(d) => Value::Date(d.to_string()),
        DeValue::Array(elements) => {
            let node = |e: &toml::Spanned<DeValue<'_>>| Node {
                value: convert(e.get_ref()),
                origin: Origin::File {
                    key: 0..0,
                    value: e.span(),
                },
            };
            Value::Array(elements.iter().map(node).collect())
        }
        DeValue::Table(t) => table(t),
    }
}
