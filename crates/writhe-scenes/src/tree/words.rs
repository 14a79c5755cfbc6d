//! Words of the scene file.

/// An enum whose variants are words of the scene file: says each once, for reading, for writing and
/// for messages.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$about:meta])* $variant:ident = $word:literal),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub enum $name {
            $($(#[$about])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// As written in a scene.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
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
