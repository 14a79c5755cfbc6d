//! What is told of a table to whoever offers scenes in another form.

use std::any::type_name;

use super::{Choice, Key, Known};

/// A table of the scene file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it is called here: by the key that holds it, after a dot by the choice that it is for.
    pub name: String,
    /// Its keys.
    pub keys: Vec<Key>,
    /// Whether it holds exactly one of its keys, which says what it describes.
    pub is_choice: bool,
    /// The type that it is read into; empty for a table within a choice.
    pub of: &'static str,
}

impl Table {
    /// Of a type that is read from it.
    pub(crate) fn of<T: Known>(name: &str) -> Vec<Self> {
        vec![Self {
            name: name.to_owned(),
            keys: T::keys(),
            is_choice: false,
            of: type_name::<T>(),
        }]
    }

    /// Of which each key excludes the others, and what its keys hold that has no type of its own.
    pub(crate) fn choice<T: Choice>(name: &str) -> Vec<Self> {
        let choice = Self {
            name: name.to_owned(),
            keys: T::choices(),
            is_choice: true,
            of: type_name::<T>(),
        };
        let inner = T::inner().into_iter().map(|(word, keys)| Self {
            name: format!("{name}.{word}"),
            keys,
            is_choice: false,
            of: "",
        });
        [choice].into_iter().chain(inner).collect()
    }
}
