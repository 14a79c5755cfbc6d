//! What is known of the keys of a table: for its reader, for the book, for shells and for Python.

use std::any::type_name;

use serde::Serialize;
use toml::Value;

use super::Bound;
use crate::units::{Dimension, Quantity, number};

/// A key of the scene file.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it means.
    pub meaning: String,
    /// What its value is.
    pub kind: Kind,
    /// Whether the table must have it.
    pub is_needed: bool,
    /// What is taken where it is missing: a value of the scene file, or words in brackets.
    pub default: Option<String>,
    /// What its number must be.
    pub bound: Option<Bound>,
}

/// What the value of a key is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A number, or a text with a unit.
    Quantity(Dimension),
    /// A whole number.
    Whole,
    /// True or false.
    Flag,
    /// A text.
    Text,
    /// The path of a file.
    File,
    /// One of these words, each with its meaning.
    Words(Vec<(&'static str, &'static str)>),
    /// A list of any length.
    List(Box<Kind>),
    /// A list of so many.
    Several(usize, Box<Kind>),
    /// Rows of numbers.
    Rows,
    /// A table that is read into the type of this name; see `Table::of`.
    Table(&'static str),
    /// A table that is called as this one and this key.
    Inner,
    /// Any of these.
    Either(Vec<Kind>),
}

/// What can be the value of a key.
pub(crate) trait Described {
    /// Whether a key must have such a value.
    const NEEDED: bool = true;

    fn kind() -> Kind;

    /// Whether the value says no more than a missing one.
    fn is_missing(&self) -> bool {
        false
    }
}

/// What is read from a table of the scene file.
pub(crate) trait Known {
    /// Names of its keys.
    fn known() -> Vec<&'static str>;

    /// Its keys.
    fn keys() -> Vec<Key>;
}

impl Key {
    /// Of a value of this type; its default, where it has one, may be that nothing is there.
    pub(crate) fn new<T: Described>(
        name: &'static str,
        meaning: &[&str],
        default: Option<Option<String>>,
        bound: Option<Bound>,
    ) -> Self {
        let lines = meaning.iter().map(|line| line.trim());
        Self {
            name,
            meaning: lines.collect::<Vec<_>>().join(" "),
            kind: T::kind(),
            is_needed: T::NEEDED && default.is_none(),
            default: default.flatten(),
            bound,
        }
    }
}

/// A default as the scene file has it; `None` where it is that nothing is there.
pub(crate) fn told<T: Described + Serialize>(default: &T) -> Option<String> {
    let value = Value::try_from(default)
        .ok()
        .filter(|_| !default.is_missing());
    value.as_ref().map(written)
}

/// A value as a user would write it.
pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::Float(x) => number(*x),
        Value::Array(list) => {
            let list: Vec<String> = list.iter().map(written).collect();
            format!("[{}]", list.join(", "))
        }
        Value::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| format!("{key} = {}", written(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

impl Kind {
    /// A table that is read into this type.
    pub(crate) fn table<T: ?Sized>() -> Self {
        Self::Table(type_name::<T>())
    }

    /// A list of any length.
    pub(crate) fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }
}

/// Kinds of values that are read into a type.
macro_rules! described {
    ($($kind:ty => $is:expr;)*) => {
        $(impl $crate::tree::Described for $kind {
            fn kind() -> $crate::tree::Kind {
                #[allow(unused_imports)]
                use $crate::tree::Kind::*;
                $is
            }
        })*
    };
}
pub(crate) use described;

described! {
    bool => Flag;
    usize => Whole;
    f64 => Quantity(Dimension::NONE);
    String => Text;
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Described
    for Quantity<M, KG, S, RAD>
{
    fn kind() -> Kind {
        Kind::Quantity(Self::DIMENSION)
    }
}

impl<T: Described> Described for Option<T> {
    const NEEDED: bool = false;

    fn kind() -> Kind {
        T::kind()
    }

    fn is_missing(&self) -> bool {
        self.is_none()
    }
}

impl<T: Described> Described for Vec<T> {
    fn kind() -> Kind {
        Kind::list(T::kind())
    }

    fn is_missing(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Described, const N: usize> Described for [T; N] {
    fn kind() -> Kind {
        Kind::Several(N, Box::new(T::kind()))
    }
}
