//! Words of the scene file.

/// An enum whose variants are words of the scene file: says each once, for reading, for writing and
/// for messages. The word that is `missing` says no more than a key that is not there.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[doc = $about:literal])* $variant:ident = $word:literal),* $(,)?
        }
        $(missing $missing:ident;)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub enum $name {
            $($(#[doc = $about])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them.
            #[allow(dead_code)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// As written in a scene.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl $crate::tree::Described for $name {
            fn kind() -> $crate::tree::Kind {
                $crate::tree::Kind::Words(vec![$(($word, concat!($($about),*))),*])
            }

            $(fn is_missing(&self) -> bool {
                *self == Self::$missing
            })?
        }

        impl $crate::tree::Read for $name {
            fn wanted() -> String {
                $crate::tree::one_of(&[$($word),*])
            }

            fn read(at: &$crate::tree::At) -> Result<Self, $crate::error::SceneError> {
                at.word(&[$(($word, Self::$variant)),*])
            }
        }
    };
}

pub(crate) use words;
