//! Colours of what a terminal shows.

/// Whether there are colours, by the codes of terminals (ECMA-48, select graphic rendition).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// As on a terminal.
    Ansi,
    /// None, as in a file.
    None,
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self {
            Self::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
            Self::None => text.to_owned(),
        }
    }

    /// What went wrong: red.
    pub fn wrong(self, text: &str) -> String {
        self.with("31", text)
    }

    /// What to do: cyan.
    pub fn remedy(self, text: &str) -> String {
        self.with("36", text)
    }

    /// A place in a file: cyan, bold, underlined.
    pub fn link(self, text: &str) -> String {
        self.with("36;1;4", text)
    }

    /// What is meant: magenta, bold.
    pub fn marked(self, text: &str) -> String {
        self.with("35;1", text)
    }

    /// What stands beside: faint.
    pub fn dim(self, text: &str) -> String {
        self.with("2", text)
    }
}
