//! Tables of the scene file with exactly one key, which says what they describe.

use super::Key;

/// What is read from such a table.
pub(crate) trait Choice {
    /// Its keys.
    fn choices() -> Vec<Key>;

    /// The keys of those tables within that have no type of their own.
    fn inner() -> Vec<(&'static str, Vec<Key>)> {
        Vec::new()
    }
}

/// An enum whose variants are keys of a table, of which one is there. A variant holds what is read
/// from its key, `by` a function where that is not its type's; or it has fields, which are keys of
/// the table there. Keys that are read into a variant of another name are `also` there; a variant
/// without value is a `word` in place of the table.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident: $wanted:literal {
            $($(#[doc = $doc:literal])* $variant:ident($kind:ty) = $word:literal $(by $by:expr)?),* $(,)?
        }
        $(also { $($(#[doc = $also_doc:literal])* $also:literal: $also_kind:expr => $also_read:expr),* $(,)? })?
        $($(#[doc = $unit_doc:literal])* word $unit:ident = $unit_word:literal;)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        pub enum $name {
            $($(#[doc = $unit_doc])* #[serde(rename = $unit_word)] $unit,)?
            $($(#[doc = $doc])* #[serde(rename = $word)] $variant($kind),)*
        }

        impl $crate::tree::Choice for $name {
            fn choices() -> Vec<$crate::tree::Key> {
                use $crate::tree::Key;
                vec![
                    $(Key::new::<$kind>($word, &[$($doc),*], None, None),)*
                    $($(Key { kind: $also_kind, ..Key::new::<bool>($also, &[$($also_doc),*], None, None) },)*)?
                ]
            }
        }

        impl $crate::tree::Described for $name {
            fn kind() -> $crate::tree::Kind {
                use $crate::tree::Kind;
                $(return Kind::Either(vec![
                    Kind::Words(vec![($unit_word, concat!($($unit_doc),*))]),
                    Kind::table::<Self>(),
                ]);)?
                #[allow(unreachable_code)]
                Kind::table::<Self>()
            }
        }

        impl $crate::tree::Read for $name {
            fn wanted() -> String {
                $wanted.to_owned()
            }

            fn read(at: &$crate::tree::At) -> Result<Self, $crate::error::SceneError> {
                $(if let Some(_) = at.text() {
                    return at.word(&[($unit_word, ())]).map(|()| Self::$unit);
                })?
                let Some((kind, inner)) = at.kind(&[$($word,)* $($($also),*)?])? else {
                    return at.wrong_type(Self::wanted());
                };
                match kind {
                    $($word => $crate::tree::first!([$($by)?] [$crate::tree::Read::read])(&inner)
                        .map(Self::$variant),)*
                    $($($also => ($also_read)(&inner),)*)?
                    _ => at.wrong_type(Self::wanted()),
                }
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub enum $name:ident: $wanted:literal {
            $($(#[doc = $doc:literal])* $variant:ident = $word:literal {
                $(
                    $(#[doc = $key_doc:literal])*
                    $key:ident: $kind:ty $(| $said:literal)? $(= $default:expr)? $(=> $bound:expr)?
                ),* $(,)?
            }),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
        pub enum $name {
            $($(#[doc = $doc])* #[serde(rename = $word)] $variant {
                $($(#[doc = $key_doc])* $key: $kind,)*
            },)*
        }

        impl $crate::tree::Choice for $name {
            fn choices() -> Vec<$crate::tree::Key> {
                use $crate::tree::{Key, Kind};
                vec![$(Key { kind: Kind::Inner, ..Key::new::<bool>($word, &[$($doc),*], None, None) }),*]
            }

            fn inner() -> Vec<(&'static str, Vec<$crate::tree::Key>)> {
                vec![$(($word, vec![$($crate::tree::Key::new::<$kind>(
                    stringify!($key),
                    &[$($key_doc),*],
                    $crate::tree::default_of!($kind, [$($said)?] [$($default)?]),
                    $crate::tree::first!([$(Some($bound))?] [None]),
                )),*])),*]
            }
        }

        $crate::tree::described! { $name => Table(std::any::type_name::<Self>()); }

        impl $crate::tree::Read for $name {
            fn wanted() -> String {
                $wanted.to_owned()
            }

            fn read(at: &$crate::tree::At) -> Result<Self, $crate::error::SceneError> {
                let Some((kind, inner)) = at.kind(&[$($word),*])? else {
                    return at.wrong_type(Self::wanted());
                };
                match kind {
                    $($word => {
                        let keys = $crate::tree::Keys::new(&inner, &[$(stringify!($key)),*])?;
                        $(let $key: $kind = $crate::tree::Entry::entry(
                            &keys,
                            stringify!($key),
                            None $(.or(Some($default)))?,
                        )?;)*
                        $($($bound.check(&keys, stringify!($key), &$crate::tree::Measured::numbers(&$key))?;)?)*
                        Ok(Self::$variant { $($key),* })
                    })*
                    _ => at.wrong_type(Self::wanted()),
                }
            }
        }
    };
}

pub(crate) use choice;
