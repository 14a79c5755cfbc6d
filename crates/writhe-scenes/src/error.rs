//! What can be wrong with a scene, where, and what to do about it.

use std::fmt;
use std::ops::Range;

use writhe::error::Overlap;
use writhe::model::ModelError;
use writhe::rod::RodError;

use crate::files::NO_TEXT;
use crate::units::{Dimension, QuantityError};

/// A scene that cannot be used: where (file, key, bytes), what, and the remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneError {
    /// Name of the file as given to [`crate::Scene::parse`], or the override that holds the value.
    pub file: String,
    /// Dotted path of the key, such as `rods[0].clamps[1].edge`; empty for the whole file.
    pub key: String,
    /// Bytes of the file that hold the value or key; `None` for missing keys' parents and
    /// overrides.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub problem: Box<Problem>,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    /// Not TOML.
    #[error("this is not TOML: {message}")]
    Syntax {
        /// From the TOML reader.
        message: String,
    },
    /// A key that has no meaning here.
    #[error("there is no key `{found}` here")]
    UnknownKey {
        /// As written.
        found: String,
        /// The known key that is spelt most like it.
        nearest: Option<&'static str>,
        /// All known keys.
        known: Vec<&'static str>,
        /// Other tables that have this key; the empty name is the scene itself.
        elsewhere: Vec<String>,
    },
    /// A word that has no meaning here.
    #[error("`{found}` is not one of the choices")]
    UnknownWord {
        /// As written.
        found: String,
        /// The known word that is spelt most like it.
        nearest: Option<&'static str>,
        /// All known words.
        known: Vec<&'static str>,
    },
    /// A key without default is missing.
    #[error("`{name}` is missing")]
    Missing {
        /// Last part of the key.
        name: String,
        /// What it must be, with an example.
        wanted: String,
    },
    /// A string where a number belongs, and the like.
    #[error("{found} is not {wanted}")]
    WrongType {
        /// As written, shortened.
        found: String,
        /// What it must be, with an example.
        wanted: String,
    },
    /// A wrong unit or a text that is no quantity.
    #[error(transparent)]
    Quantity(QuantityError),
    /// NaN or infinity.
    #[error("the value is {value}: every number must be finite")]
    NotFinite {
        /// The value.
        value: f64,
    },
    /// A value out of its range.
    #[error("the value is {value}: it must be {need}")]
    Range {
        /// The value in SI, or as a word.
        value: String,
        /// What it must be.
        need: String,
    },
    /// Index of a node or edge beyond the end of the rod.
    #[error("{item} {index} does not exist: this rod has {count} {item}s, 0 to {}", count.saturating_sub(1))]
    NoSuch {
        /// "node" or "edge".
        item: &'static str,
        /// Index asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Keys that contradict each other.
    #[error("{message}")]
    Conflict {
        /// What contradicts what.
        message: String,
        /// What to do.
        remedy: String,
    },
    /// What is wrong with a copy of a rod that is repeated.
    #[error("in copy {copy}: {problem}")]
    Copy {
        /// Which copy, from 0.
        copy: usize,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// A file that cannot be read.
    #[error("cannot read `{path}`: {message}")]
    File {
        /// As written.
        path: String,
        /// Why.
        message: String,
    },
    /// A table of numbers that cannot be used.
    #[error("the table `{path}`{}: {message}", line.map_or(String::new(), |line| format!(", line {line}")))]
    Table {
        /// As written.
        path: String,
        /// Line of the file, from 1, where it is one.
        line: Option<usize>,
        /// Why.
        message: String,
        /// What to do.
        remedy: String,
    },
    /// A mesh that cannot be used.
    #[error("the mesh `{path}` cannot be used: {message}")]
    MeshFile {
        /// As written.
        path: String,
        /// Why.
        message: String,
    },
    /// The geometry or section of a rod.
    #[error("{0}")]
    Rod(RodError),
    /// Rods overlap at the start.
    #[error("{}", overlap(.0))]
    Overlap(Overlap),
    /// The same near the joint of two rods, in which they may.
    #[error("{}", overlap(.0))]
    OverlapBesideJoint(Overlap),
    /// Something else that the core refuses.
    #[error("{}", refused(.0))]
    Model(ModelError),
}

impl Problem {
    /// What contradicts what, and what to do.
    pub(crate) fn conflict(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Conflict {
            message: message.into(),
            remedy: remedy.into(),
        }
    }

    /// Two keys of which a table has both.
    pub(crate) fn exclude(a: &str, b: &str) -> Self {
        let message = format!("`{a}` and `{b}` exclude each other");
        Self::conflict(message, "keep one of them")
    }

    /// What is wrong, whichever copy it is wrong with.
    pub(crate) fn of_each_copy(&self) -> &Self {
        match self {
            Self::Copy { problem, .. } => problem.of_each_copy(),
            problem => problem,
        }
    }

    /// What the user can do.
    pub fn remedy(&self) -> String {
        match self {
            Self::Syntax { .. } => {
                "correct the TOML; texts need quotes, also those with units: step = \"20 ms\""
                    .into()
            }
            Self::UnknownKey {
                found,
                nearest,
                known,
                elsewhere,
            } => {
                let here = suggestion("keys", *nearest, known);
                match elsewhere.as_slice() {
                    [] => here,
                    // Where TOML has begun a section, what follows is of it.
                    [root] if root.is_empty() => format!(
                        "`{found}` is a key of the scene itself: write it above the first [section] of the file"
                    ),
                    some => format!("`{found}` is a key of {}; {here}", quoted(some)),
                }
            }
            Self::UnknownWord { nearest, known, .. } => suggestion("choices", *nearest, known),
            Self::Missing { name, wanted } => format!("add `{name}`: {wanted}"),
            Self::WrongType { wanted, .. } => format!("write {wanted}"),
            Self::Quantity(
                QuantityError::Unit { wanted, .. } | QuantityError::Dimension { wanted, .. },
            ) => quantity_remedy(*wanted),
            Self::NotFinite { .. } => "write a finite number".into(),
            Self::Range { need, .. } => format!("choose a value that is {need}"),
            Self::NoSuch { item, count, .. } => {
                let words = if *item == "edge" {
                    ", or \"first\" or \"last\""
                } else {
                    ""
                };
                format!("use 0 to {}{words}", count.saturating_sub(1))
            }
            Self::Conflict { remedy, .. } | Self::Table { remedy, .. } => remedy.clone(),
            Self::Copy { problem, .. } => match &**problem {
                Self::Overlap(o) => format!(
                    "give `repeat` a step, spacing, ring or random that puts copies at least {:.2e} m farther apart, or make them thinner",
                    o.wanted + o.gap - o.distance
                ),
                problem => problem.remedy(),
            },
            Self::File { message, .. } if message == NO_TEXT => "save it as text in UTF-8".into(),
            Self::File { .. } => {
                "check the path; it is relative to the folder of the scene file".into()
            }
            Self::MeshFile { .. } => "export it again as STL or OBJ, or choose another file".into(),
            Self::Rod(source) => rod_remedy(source).into(),
            Self::Overlap(o) => format!(
                "move the rods apart by {:.2e} m or make them thinner{}",
                o.wanted + o.gap - o.distance,
                if o.gap > 0.0 {
                    "; the contact model imc lets rods touch from the start"
                } else {
                    ""
                }
            ),
            Self::OverlapBesideJoint(_) => {
                "around their joint rods may overlap for 6 diameters: let them cross at a larger angle and in the middle of edges (as with one edge more), or make them thinner".into()
            }
            Self::Model(ModelError::ObstacleOverlap(_)) => "move the rod or the obstacle".into(),
            Self::Model(ModelError::WeldedAndHeld { .. }) => {
                "leave out the weld, or the clamp or hold there".into()
            }
            Self::Model(ModelError::NarrowWall(_)) => {
                "make the obstacle wider or the rod thinner, or lower `contact.tolerance`".into()
            }
            Self::Model(ModelError::ObstaclesWithoutContact(_)) => {
                "write model = \"imc\", or remove the obstacles".into()
            }
            Self::Model(
                ModelError::Pairing { remedy, .. } | ModelError::Directions { remedy, .. },
            ) => (*remedy).into(),
            Self::Model(_) => "change the value".into(),
        }
    }
}

/// What the core refuses, without the remedy.
fn refused(error: &ModelError) -> String {
    let text = error.to_string();
    match error {
        ModelError::Pairing { remedy, .. } | ModelError::Directions { remedy, .. } => {
            let what = text.strip_suffix(remedy).unwrap_or(&text);
            what.trim_end_matches(": ").to_owned()
        }
        _ => text,
    }
}

/// Where two rods overlap, without the remedy.
fn overlap(o: &Overlap) -> String {
    let ([a, b], [i, j], [x, y, z]) = (o.rods, o.edges, o.at.to_array());
    let apart = match o.distance {
        0.0 => "0".to_owned(),
        distance => format!("{distance:.4e}"),
    };
    format!(
        "rod {a} (edge {i}) and rod {b} (edge {j}) {} at the start near ({x:.4e}, {y:.4e}, {z:.4e}) m: their centrelines \
         are {apart} m apart, but their radii need {:.4e} m{}",
        if o.gap > 0.0 {
            "touch or overlap"
        } else {
            "overlap"
        },
        o.wanted,
        if o.gap > 0.0 {
            " and the model ipc a gap between them"
        } else {
            ""
        },
    )
}

fn quantity_remedy(wanted: Dimension) -> String {
    let si = if wanted == Dimension::NONE {
        String::new()
    } else {
        format!(", or a bare number in {wanted}")
    };
    format!(
        "write {}, such as {}{si}",
        wanted.name().unwrap_or("a number"),
        wanted.example()
    )
}

fn rod_remedy(source: &RodError) -> &'static str {
    match source {
        RodError::TooFewNodes { .. } => "give the rod more nodes or edges",
        RodError::NotFinite { .. } => "write finite coordinates",
        RodError::Coincident { .. } => "neighbouring nodes must have different places",
        RodError::Folded { .. } => {
            "put more nodes around the bend, so that no edge turns back on the one before it; a straight rod cannot be closed"
        }
        RodError::Section { .. } => "choose a size, modulus and density greater than zero",
        RodError::Length { .. } => "give the rest shape as many edges as the rod has",
        RodError::EdgeValue { .. } => "choose another direction or length",
        RodError::RestTwist { .. } => "give it less rest twist, or set bending = \"averaged\"",
    }
}

fn suggestion(what: &str, nearest: Option<&str>, known: &[&str]) -> String {
    let known = format!("the {what} here are {}", quoted(known));
    match nearest {
        Some(name) => format!("did you mean `{name}`? ({known})"),
        None => known,
    }
}

fn quoted(words: &[impl std::fmt::Display]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

impl SceneError {
    /// What is wrong, in one sentence, with the value.
    pub fn message(&self) -> String {
        self.problem.to_string()
    }

    /// What the user can do.
    pub fn remedy(&self) -> String {
        self.problem.remedy()
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}; {}", self.problem, self.problem.remedy())
    }
}

impl std::error::Error for SceneError {}

/// The known name that is spelt most like `found`, if any is near.
pub(crate) fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let begins = |k: &str| found.len() >= 3 && (k.starts_with(found) || found.starts_with(k));
    // Of names that are equally near, one that begins alike.
    let distance = |k: &&&str| {
        let distance = strsim::damerau_levenshtein(&found.to_lowercase(), k);
        (distance, !begins(k))
    };
    let best = known.iter().min_by_key(distance)?;
    let (near, _) = distance(&best);
    let begins = begins(best);
    (near <= found.len().max(best.len()) / 3 + 1 || begins).then_some(*best)
}
