//! What is told of a table to whoever offers scenes in another form.

use super::Known;

/// A table of the scene file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it is called here: by the key that holds it, after a dot by the choice that it is for.
    pub name: String,
    /// Its keys.
    pub keys: Vec<&'static str>,
    /// Whether it holds exactly one of its keys, which says what it describes.
    pub is_choice: bool,
}

impl Table {
    pub(crate) fn new(name: &str, keys: &[&'static str]) -> Self {
        Self {
            name: name.to_owned(),
            keys: keys.to_vec(),
            is_choice: false,
        }
    }

    /// Of a type that is read from it.
    pub(crate) fn of<T: Known>(name: &str) -> Self {
        Self::new(name, &T::known())
    }

    /// Of which each key excludes the others.
    pub(crate) fn choice(name: &str, keys: &[&'static str]) -> Self {
        Self {
            is_choice: true,
            ..Self::new(name, keys)
        }
    }
}
