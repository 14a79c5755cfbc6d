//! Scenes from the files of other programs: option files of the programs published with Choi et al.
//! 2021 (knots) and Tong et al. 2022 (flagella), and shapes, rows `x y z theta`.
//!
//! What a file says is carried over, with its units made explicit; what has no counterpart here is
//! told, with the reason, and so is every key that neither program knows. Nothing is dropped in
//! silence.

mod flagella;
mod knot;
mod options;
mod shape;

use std::fmt::Write;

pub use shape::ShapeUse;

use options::Options;

/// A text as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A scene made from a file of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The scene, TOML.
    pub toml: String,
    /// What of the file is not in it or is different, and why.
    pub notes: Vec<String>,
}

/// A file that no scene can be made of.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ImportError {
    /// What is wrong, with file, line, key and value.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl ImportError {
    fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

/// Whether a text is an option file (words first) or a shape (numbers).
pub fn is_options(text: &str) -> bool {
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with(|c: char| c.is_alphabetic()) && !shape::names(line))
}

/// The scene of an option file. `shape` finds the text of a shape that it names.
///
/// # Errors
/// When the file is of neither program, or a value is missing or wrong.
pub fn import_options(
    text: &str,
    file: &str,
    shape: impl Fn(&str) -> Result<String, ImportError>,
) -> Result<Imported, ImportError> {
    let mut options = Options::read(text, file)?;
    let is_flagella = options.has("numFlagella") || options.has("omega");
    let is_knot = options.has("knotConfig") || options.has("pullSpeed");
    let mut imported = match (is_knot, is_flagella) {
        (true, false) => knot::scene(&mut options, shape)?,
        (false, true) => flagella::scene(&mut options)?,
        (true, true) => {
            return Err(ImportError::new(
                format!(
                    "{file} has keys of two programs: `knotConfig` or `pullSpeed`, and `numFlagella` or `omega`"
                ),
                "keep those of one: knots are pulled, flagella turn",
            ));
        }
        (false, false) => {
            return Err(ImportError::new(
                format!(
                    "{file} is no option file that is known: it names neither a knot (`knotConfig`) nor flagella (`numFlagella`)"
                ),
                "give an option file of the knot or of the flagella program, or a shape: rows of x y z",
            ));
        }
    };
    imported.notes.extend(options.left_over());
    Ok(imported.with_head(file))
}

/// The scene of a shape alone.
///
/// # Errors
/// When the text is not rows of three or more numbers.
pub fn import_shape(text: &str, file: &str, used: ShapeUse) -> Result<Imported, ImportError> {
    let nodes = shape::read(text, file)?;
    // Its name without its folders.
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    Ok(shape::scene(nodes, file, used)?.with_head(file))
}

impl Imported {
    /// With a comment that says where it is from and what is not in it.
    fn with_head(mut self, file: &str) -> Self {
        let file = file.replace('\n', "?");
        let mut head = format!("# Made by `writhe import` from {file}. Numbers are SI.\n");
        for note in &self.notes {
            let _ = writeln!(head, "# note: {note}");
        }
        // TOML has no control characters in comments.
        let head = head.replace(|c: char| c.is_control() && c != '\n', "?");
        self.toml = format!("{head}\n{}", self.toml);
        self
    }
}
