//! Tables of the scene file that are read into structs, a key for each field. A key is stated once:
//! its meaning is the comment of the field, its kind the type, then its default and its bounds.

use std::ops::Deref;

use super::{Bound, Keys, Known, Read};
use crate::error::SceneError;

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

/// A key as it is stated, to read it by hand; where a name is wanted it is one.
pub(crate) struct Stated<T> {
    pub name: &'static str,
    pub default: Option<T>,
    /// What the numbers of its value must be.
    pub bound: Option<(Bound, Numbers<T>)>,
}

/// The numbers of a value, in SI.
type Numbers<T> = fn(&T) -> Vec<f64>;

impl<T: Entry> Stated<T> {
    /// The value, or else the default that is stated; refuses what is out of its bound.
    pub fn read(self, keys: &Keys) -> Result<T, SceneError> {
        let value = T::entry(keys, self.name, self.default)?;
        if let Some((bound, numbers)) = self.bound {
            bound.check(keys, self.name, &numbers(&value))?;
        }
        Ok(value)
    }

    /// The value, or else this one.
    pub fn or(self, keys: &Keys, default: T) -> Result<T, SceneError> {
        let default = Some(default);
        Self { default, ..self }.read(keys)
    }
}

impl<T> Deref for Stated<T> {
    type Target = str;

    fn deref(&self) -> &str {
        self.name
    }
}

/// A part of the scene file whose keys all have defaults; see [`section!`].
pub(crate) trait Section: Known + Sized {
    /// As the keys say, or else the default.
    fn keyed(keys: &Keys, default: Self) -> Result<Self, SceneError>;
}

/// The first that is there.
macro_rules! first {
    ([$first:expr] $($rest:tt)*) => { $first };
    ([] $($rest:tt)+) => { $crate::tree::first!($($rest)+) };
}

/// What is told of a default: in words, or else its value.
macro_rules! default_of {
    ($kind:ty, [$said:literal] [$($default:expr)?]) => {
        Some(Some(concat!("(", $said, ")").to_owned()))
    };
    ($kind:ty, [] [$default:expr]) => {
        Some($crate::tree::told::<$kind>(&$default))
    };
    ($kind:ty, [] []) => {
        None
    };
}

/// The keys of a table that is read by hand, without a struct that has them as fields. Each of them
/// is a function of the struct that gives the key as it is stated: `Sine::phase().read(&keys)?`.
macro_rules! keys {
    (
        $(#[$meta:meta])*
        $visible:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $key:ident: $kind:ty $(| $said:literal)? $(= $default:expr)? $(=> $bound:expr)?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $visible struct $name;

        $crate::tree::keys! {
            @of $name, {}
            $([$($doc)*] $key [stringify!($key)]: $kind, [$($said)?] [$($default)?] [$($bound)?];)*
        }
    };
    (
        @of $name:ty, { $($other:ty)? }
        $([$($doc:literal)*] $field:ident [$key:expr]: $kind:ty, [$($said:literal)?] [$($default:expr)?] [$($bound:expr)?];)*
    ) => {
        #[allow(dead_code)]
        impl $name {
            $(pub(crate) fn $field() -> $crate::tree::Stated<$kind> {
                $crate::tree::Stated {
                    name: $key,
                    default: $crate::tree::first!([$(Some($default))?] [None]),
                    bound: $crate::tree::first!(
                        [$(Some(($bound, |value| $crate::tree::Measured::numbers(value))))?] [None]
                    ),
                }
            })*
        }

        impl $crate::tree::Known for $name {
            fn known() -> Vec<&'static str> {
                [vec![$($key),*], $(<$other as $crate::tree::Known>::known())?].concat()
            }

            fn keys() -> Vec<$crate::tree::Key> {
                let own = vec![$($crate::tree::Key::new::<$kind>(
                    $key,
                    &[$($doc),*],
                    $crate::tree::default_of!($kind, [$($said)?] [$($default)?]),
                    $crate::tree::first!([$(Some($bound))?] [None]),
                )),*];
                [own, $(<$other as $crate::tree::Known>::keys())?].concat()
            }
        }
    };
}

/// A struct with a key for each field, which is read by hand: the default of a key, if it has one,
/// stands after `=` (in words after `|`), its bounds after `=>`. What is no field is `also` a key;
/// keys of another struct may stand beside its own (`with`). Its keys are functions as in [`keys!`].
macro_rules! fields {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                pub $key:ident $(as $word:literal)?:
                    $kind:ty $(| $said:literal)? $(= $default:expr)? $(=> $bound:expr)?
            ),* $(,)?
        }
        $(also { $($(#[doc = $also_doc:literal])* $also:ident: $also_kind:ty $(| $also_said:literal)? $(= $also_default:expr)? $(=> $also_bound:expr)?),* $(,)? })?
        $($(#[doc = $about_other:literal])* with $other:ident: $other_kind:ty;)?
        $(missing $missing:expr;)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                $(#[serde(rename = $word)])?
                #[serde(skip_serializing_if = "crate::tree::Described::is_missing")]
                pub $key: $kind,
            )*
            $($(#[doc = $about_other])* #[serde(flatten)] pub $other: $other_kind,)?
        }

        $crate::tree::keys! {
            @of $name, { $($other_kind)? }
            $(
                [$($doc)*] $key [$crate::tree::first!([$($word)?] [stringify!($key)])]: $kind,
                [$($said)?] [$($default)?] [$($bound)?];
            )*
            $($([$($also_doc)*] $also [stringify!($also)]: $also_kind, [$($also_said)?] [$($also_default)?] [$($also_bound)?];)*)?
        }

        impl $crate::tree::Described for $name {
            fn kind() -> $crate::tree::Kind {
                $crate::tree::Kind::table::<Self>()
            }

            $(fn is_missing(&self) -> bool {
                ($missing)(self)
            })?
        }
    };
}

/// A struct of [`fields!`] that is read from a table. What is asked of several keys is a function
/// after `check`, and what is read where no table stands one after `short`. The text tells what is
/// wanted where the whole table is missing.
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(: $wanted:literal)? {
            $(
                $(#[doc = $doc:literal])*
                pub $key:ident $(as $word:literal)?:
                    $kind:ty $(| $said:literal)? $(= $default:expr)? $(=> $bound:expr)?
            ),* $(,)?
        }
        $(short $short:expr;)?
        $(check $check:expr)?
    ) => {
        $crate::tree::fields! {
            $(#[$meta])*
            pub struct $name {
                $(
                    $(#[doc = $doc])*
                    pub $key $(as $word)?: $kind $(| $said)? $(= $default)? $(=> $bound)?
                ),*
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
                $(if !matches!(at.node.value, $crate::tree::Value::Table(_)) {
                    return ($short)(at);
                })?
                let keys = $crate::tree::Keys::new(at, &<Self as $crate::tree::Known>::known())?;
                let spec = Self {
                    $($key: Self::$key().read(&keys)?,)*
                };
                $(($check)(&spec, &keys)?;)?
                Ok(spec)
            }
        }
    };
}

/// A struct of [`fields!`] whose keys all have defaults; `with` it may hold another one, whose keys
/// stand beside its own.
macro_rules! section {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                pub $key:ident: $kind:ty $(| $said:literal)? = $default:expr $(=> $bound:expr)?
            ),* $(,)?
        }
        $($(#[doc = $about_other:literal])* with $other:ident: $other_kind:ty = $other_default:expr;)?
        $(missing $missing:expr;)?
        $(check $check:expr)?
    ) => {
        $crate::tree::fields! {
            $(#[$meta])*
            pub struct $name {
                $($(#[doc = $doc])* pub $key: $kind $(| $said)? = $default $(=> $bound)?),*
            }
            $($(#[doc = $about_other])* with $other: $other_kind;)?
            $(missing $missing;)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($key: $default,)*
                    $($other: $other_default,)?
                }
            }
        }

        impl $crate::tree::Section for $name {
            fn keyed(
                keys: &$crate::tree::Keys,
                default: Self,
            ) -> Result<Self, $crate::error::SceneError> {
                let spec = Self {
                    $($key: Self::$key().or(keys, default.$key)?,)*
                    $($other: <$other_kind>::keyed(keys, default.$other)?,)?
                };
                $(($check)(&spec, keys)?;)?
                Ok(spec)
            }
        }
    };
}

pub(crate) use {default_of, fields, first, keys, section, table};
