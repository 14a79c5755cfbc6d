//! Tables of the scene file that are read into structs, a key for each field.

use super::{Keys, Read};
use crate::error::SceneError;
use crate::units::Quantity;

/// What a key may hold: a value that is there or has a default, or one that may be missing.
pub(crate) trait Entry: Sized {
    /// The value of `name`, or else the default.
    fn entry(keys: &Keys, name: &str, default: Option<Self>) -> Result<Self, SceneError>;
}

impl<T: Read> Entry for T {
    fn entry(keys: &Keys, name: &str, default: Option<Self>) -> Result<Self, SceneError> {
        match default {
            Some(default) => keys.or(name, default),
            None => keys.required(name),
        }
    }
}

impl<T: Read> Entry for Option<T> {
    fn entry(keys: &Keys, name: &str, default: Option<Self>) -> Result<Self, SceneError> {
        Ok(keys.optional(name)?.or(default.flatten()))
    }
}

/// A number that may be missing.
pub(crate) trait Given {
    /// In SI.
    fn given(&self) -> Option<f64>;
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Given for Quantity<M, KG, S, RAD> {
    fn given(&self) -> Option<f64> {
        Some(self.si())
    }
}

impl<T: Given> Given for Option<T> {
    fn given(&self) -> Option<f64> {
        self.as_ref().and_then(T::given)
    }
}

/// Refuses what is not greater than zero.
pub(crate) fn positive(keys: &Keys, name: &str, value: &impl Given) -> Result<(), SceneError> {
    value.given().map_or(Ok(()), |v| keys.positive(name, v))
}

/// Refuses what is less than zero.
pub(crate) fn not_negative(keys: &Keys, name: &str, value: &impl Given) -> Result<(), SceneError> {
    value.given().map_or(Ok(()), |v| keys.not_negative(name, v))
}

/// What is read from a table of the scene file.
pub(crate) trait Known {
    /// The keys of the table.
    fn known() -> Vec<&'static str>;
}

/// A part of the scene file whose keys all have defaults; see [`section!`].
pub(crate) trait Section: Known + Sized {
    /// As the keys say, or else the default.
    fn keyed(keys: &Keys, default: Self) -> Result<Self, SceneError>;
}

/// A struct that is read from a table, with a key for each field: its default, if it has one,
/// stands after `=`, what is asked of it after `=>`; what is asked of several keys is a function
/// after `check`. The text tells what is wanted where the whole table is missing.
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(: $wanted:literal)? {
            $(
                $(#[$about:meta])*
                pub $key:ident: $kind:ty $(= $default:expr)? $(=> $asked:expr)?
            ),* $(,)?
        }
        $(check $check:expr)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$about])* pub $key: $kind,)*
        }

        impl $crate::tree::Known for $name {
            fn known() -> Vec<&'static str> {
                vec![$(stringify!($key)),*]
            }
        }

        impl $crate::tree::Read for $name {
            fn wanted() -> String {
                let wanted: Option<&str> = None $(.or(Some($wanted)))?;
                wanted.map_or_else(
                    || $crate::tree::table_of(&<Self as $crate::tree::Known>::known()),
                    str::to_owned,
                )
            }

            fn read(at: &$crate::tree::At) -> Result<Self, $crate::error::SceneError> {
                let keys = $crate::tree::Keys::new(at, &<Self as $crate::tree::Known>::known())?;
                let spec = Self {
                    $($key: $crate::tree::Entry::entry(
                        &keys,
                        stringify!($key),
                        None $(.or(Some($default)))?,
                    )?,)*
                };
                $($(($asked)(&keys, stringify!($key), &spec.$key)?;)?)*
                $(($check)(&spec, &keys)?;)?
                Ok(spec)
            }
        }
    };
}

/// A struct whose keys all have defaults, as [`table!`] otherwise; `with` it may hold another one,
/// whose keys stand beside its own.
macro_rules! section {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$about:meta])*
                pub $key:ident: $kind:ty = $default:expr $(=> $asked:expr)?
            ),* $(,)?
        }
        $($(#[$about_other:meta])* with $other:ident: $other_kind:ty = $other_default:expr;)?
        $(check $check:expr)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$about])* pub $key: $kind,)*
            $($(#[$about_other])* #[serde(flatten)] pub $other: $other_kind,)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($key: $default,)*
                    $($other: $other_default,)?
                }
            }
        }

        impl $crate::tree::Known for $name {
            fn known() -> Vec<&'static str> {
                [
                    vec![$(stringify!($key)),*],
                    $(<$other_kind as $crate::tree::Known>::known())?
                ]
                .concat()
            }
        }

        impl $crate::tree::Section for $name {
            fn keyed(
                keys: &$crate::tree::Keys,
                default: Self,
            ) -> Result<Self, $crate::error::SceneError> {
                use $crate::tree::Entry;
                let spec = Self {
                    $($key: Entry::entry(keys, stringify!($key), Some(default.$key))?,)*
                    $($other: <$other_kind>::keyed(keys, default.$other)?,)?
                };
                $($(($asked)(keys, stringify!($key), &spec.$key)?;)?)*
                $(($check)(&spec, keys)?;)?
                Ok(spec)
            }
        }
    };
}

pub(crate) use {section, table};
