//! Typed reading of the tree, with errors that name key, value and remedy.

use super::{Node, Origin, Value};
use crate::error::{Problem, SceneError, nearest};
use crate::expression::{RodCopy, evaluate, is_expression};
use crate::files::Files;
use crate::units::{Dimension, Quantity, parse_as};

/// A value, its path and what is needed to report and to follow it.
#[derive(Clone)]
pub(crate) struct At<'a> {
    pub node: &'a Node,
    pub path: String,
    pub file: &'a str,
    pub files: &'a Files,
    /// What expressions know, in a rod that is repeated.
    pub copy: Option<&'a RodCopy>,
    /// The edge whose values are read, where they may vary along a rod.
    pub spot: Option<&'a dyn AlongRod>,
}

/// What knows the values of an edge, where they vary along a rod.
pub(crate) trait AlongRod {
    /// The value of a list or a table at the edge.
    fn value(&self, at: &At, dimension: Dimension) -> Result<f64, SceneError>;

    /// Which edge that is, in words.
    fn place(&self) -> String;
}

/// Anything that can be read from a value.
pub(crate) trait Read: Sized {
    /// What it must be, with an example: `a length, such as "1 mm"`.
    fn wanted() -> String;
    fn read(at: &At) -> Result<Self, SceneError>;
}

impl<'a> At<'a> {
    pub fn fail<T>(&self, problem: Problem) -> Result<T, SceneError> {
        Err(error_at(self.node, self.file, &self.path, problem))
    }

    pub fn wrong_type<T>(&self, wanted: String) -> Result<T, SceneError> {
        self.fail(Problem::WrongType {
            found: self.node.shown(),
            wanted,
        })
    }

    fn child(&self, name: &str, node: &'a Node) -> At<'a> {
        At {
            node,
            path: self.path_of(name),
            ..self.clone()
        }
    }

    fn path_of(&self, name: &str) -> String {
        let dot = if self.path.is_empty() { "" } else { "." };
        format!("{}{dot}{name}", self.path)
    }

    /// The same for a copy of the rod that it describes.
    pub fn of_copy<'b>(&'b self, copy: &'b RodCopy) -> At<'b> {
        At {
            copy: Some(copy),
            ..self.clone()
        }
    }

    /// The same where nothing varies along a rod.
    pub fn everywhere(&self) -> At<'a> {
        At {
            spot: None,
            ..self.clone()
        }
    }

    /// A number in SI.
    pub fn number(&self, wanted: Dimension) -> Result<f64, SceneError> {
        match (&self.node.value, self.spot, self.copy) {
            (Value::Integer(i), ..) => Ok(*i as f64),
            (Value::Float(x), ..) => finite(self, *x),
            (Value::Text(t), _, copy) => match (parse_as(t, wanted), copy) {
                (Ok(value), _) => Ok(value),
                (Err(e), None) => self.fail(match is_expression(t, wanted) {
                    (true, why) => self.misplaced(t, why.as_deref()),
                    (false, _) => Problem::Quantity(e),
                }),
                (Err(_), Some(copy)) => {
                    evaluate(t, copy, wanted).or_else(|problem| self.fail(problem))
                }
            },
            (Value::Array(_) | Value::Table(_), Some(spot), _) => spot.value(self, wanted),
            _ => self.wrong_type(format!(
                "{}, such as {}",
                wanted.describe(),
                wanted.example()
            )),
        }
    }

    /// Refuses an expression where a whole number belongs, and there are none.
    pub fn no_expression(&self) -> Result<(), SceneError> {
        let text = self.text().unwrap_or_default();
        match is_expression(text, Dimension::NONE) {
            (true, why) if parse_as(text, Dimension::NONE).is_err() => {
                self.fail(self.misplaced(text, why.as_deref()))
            }
            _ => Ok(()),
        }
    }

    /// What is wrong with an expression where there are none, and perhaps with itself.
    fn misplaced(&self, text: &str, why: Option<&str>) -> Problem {
        let why = why.map_or(String::new(), |why| format!("; besides, it {why}"));
        // The number of copies, and where they stand.
        let (place, remedy) = match self.path.contains("].repeat") {
            true => (
                "`repeat` itself has none",
                "write the number itself, or place the copies by another key of the rod, as in shape = { straight = { from = [\"10*i mm\", 0, 0], .. } }",
            ),
            false => (
                "only a rod with `repeat` has them",
                "write the number itself, or make copies: repeat = 10",
            ),
        };
        Problem::conflict(
            format!("`{text}` is an expression, and {place}{why}"),
            remedy,
        )
    }

    /// All elements of an array.
    pub fn elements(&self) -> Option<Vec<At<'a>>> {
        let Value::Array(elements) = &self.node.value else {
            return None;
        };
        let at = |(i, node)| At {
            node,
            path: format!("{}[{i}]", self.path),
            ..self.clone()
        };
        Some(elements.iter().enumerate().map(at).collect())
    }

    pub fn text(&self) -> Option<&'a str> {
        match &self.node.value {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    /// One of a set of words.
    pub fn word<T: Copy>(&self, words: &[(&'static str, T)]) -> Result<T, SceneError> {
        let known = || words.iter().map(|(w, _)| *w).collect::<Vec<_>>();
        let Some(found) = self.text() else {
            return self.wrong_type(one_of(&known()));
        };
        match words.iter().find(|(w, _)| *w == found) {
            Some((_, value)) => Ok(*value),
            None => self.fail(Problem::UnknownWord {
                found: found.to_owned(),
                nearest: nearest(found, &known()),
                known: known(),
            }),
        }
    }

    /// A table with exactly one of `kinds` as its key: that key and its value; `None` where there is
    /// no table.
    pub fn kind(
        &self,
        kinds: &[&'static str],
    ) -> Result<Option<(&'static str, At<'a>)>, SceneError> {
        if !matches!(self.node.value, Value::Table(_)) {
            return Ok(None);
        }
        let keys = Keys::new(self, kinds)?;
        let present = kinds.iter().filter_map(|k| Some((*k, keys.at(k)?)));
        match present.collect::<Vec<_>>().as_slice() {
            [one] => Ok(Some(one.clone())),
            [] => self.wrong_type(format!("a table with one of {}", quoted(kinds))),
            [(a, _), (b, _), ..] => self.fail(Problem::exclude(a, b)),
        }
    }
}

/// What is wanted where one of a set of words is.
pub(crate) fn one_of(words: &[&str]) -> String {
    format!("one of {}", quoted(words))
}

/// What is wanted where a table with these keys is.
pub(crate) fn table_of(keys: &[&str]) -> String {
    format!("a table with keys {}", quoted(keys))
}

fn quoted(words: &[&str]) -> String {
    words
        .iter()
        .map(|w| format!("`{w}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// An error about a node of the tree.
pub(crate) fn error_at(node: &Node, file: &str, path: &str, problem: Problem) -> SceneError {
    let (file, span) = match &node.origin {
        Origin::File { value, .. } => (file.to_owned(), Some(value.clone())),
        Origin::Set(assignment) => (format!("--set {assignment}"), None),
    };
    SceneError {
        file,
        key: path.to_owned(),
        span,
        problem: Box::new(problem),
    }
}

/// A table whose keys are known.
pub(crate) struct Keys<'a> {
    at: At<'a>,
    known: Vec<&'static str>,
}

impl<'a> Keys<'a> {
    /// Refuses anything but a table, and unknown keys.
    pub fn new(at: &At<'a>, known: &[&'static str]) -> Result<Self, SceneError> {
        let Value::Table(entries) = &at.node.value else {
            let message = format!("{} stands where a table belongs", at.node.shown());
            let remedy = match (known, &at.node.value) {
                ([only], Value::Array(list)) => {
                    let list: Vec<String> = list.iter().map(Node::shown).collect();
                    format!("write {{ {only} = [{}] }}", list.join(", "))
                }
                ([only], _) => format!("write a table: {{ {only} = .. }}"),
                _ => format!("write {}", table_of(known)),
            };
            return at.fail(Problem::conflict(message, remedy));
        };
        if let Some((found, node)) = entries.iter().find(|(k, _)| !known.contains(&k.as_str())) {
            let problem = Problem::UnknownKey {
                found: found.clone(),
                nearest: nearest(found, known),
                known: known.to_vec(),
                elsewhere: Vec::new(),
            };
            let mut error = error_at(node, at.file, &at.child(found, node).path, problem);
            if let Origin::File { key, .. } = &node.origin {
                error.span = Some(key.clone());
            }
            return Err(error);
        }
        Ok(Self {
            at: at.clone(),
            known: known.to_vec(),
        })
    }

    /// Without looking at the keys, in order to report a missing one.
    pub fn unchecked(at: &At<'a>) -> Self {
        Self {
            at: at.clone(),
            known: Vec::new(),
        }
    }

    /// The error that the table as a whole is not what is wanted.
    pub fn wrong_type<T>(&self, wanted: String) -> Result<T, SceneError> {
        self.at.wrong_type(wanted)
    }

    /// Whether the table may have this key.
    pub fn knows(&self, name: &str) -> bool {
        self.known.contains(&name)
    }

    /// The value of a key before anything is known of the table's keys.
    pub fn unknown(&self, name: &str) -> Option<At<'a>> {
        self.at.node.get(name).map(|node| self.at.child(name, node))
    }

    /// The value of a key, if it is there.
    pub fn at(&self, name: &str) -> Option<At<'a>> {
        debug_assert!(self.knows(name), "{name} is read but not known");
        self.at.node.get(name).map(|node| self.at.child(name, node))
    }

    pub fn optional<T: Read>(&self, name: &str) -> Result<Option<T>, SceneError> {
        self.at(name).map(|at| T::read(&at)).transpose()
    }

    pub fn or<T: Read>(&self, name: &str, default: T) -> Result<T, SceneError> {
        Ok(self.optional(name)?.unwrap_or(default))
    }

    pub fn required<T: Read>(&self, name: &str) -> Result<T, SceneError> {
        match self.optional(name)? {
            Some(value) => Ok(value),
            None => Err(self.missing(name, T::wanted())),
        }
    }

    /// The error that a key is missing.
    pub fn missing(&self, name: &str, wanted: String) -> SceneError {
        let path = self.at.path_of(name);
        let problem = Problem::Missing {
            name: name.to_owned(),
            wanted,
        };
        error_at(self.at.node, self.at.file, &path, problem)
    }

    /// Refuses the value of `name` unless `good`.
    pub fn check(&self, name: &str, value: f64, good: bool, need: &str) -> Result<(), SceneError> {
        let shown = self.at(name).map_or(value.to_string(), |at| {
            match (at.copy, &at.node.value, at.spot) {
                (Some(_), Value::Text(text), _) => format!("{value} of `{text}`"),
                (_, Value::Array(_) | Value::Table(_), Some(spot)) => {
                    format!("{value} {}", spot.place())
                }
                _ => at.node.shown(),
            }
        });
        self.check_shown(name, &shown, good, need)
    }

    pub fn check_shown(
        &self,
        name: &str,
        value: &str,
        good: bool,
        need: &str,
    ) -> Result<(), SceneError> {
        if good {
            return Ok(());
        }
        let problem = Problem::Range {
            value: value.to_owned(),
            need: need.to_owned(),
        };
        self.conflict(name, problem)
    }

    /// An error about two keys of which one is too many, at the first.
    pub fn exclude<T>(&self, a: &str, b: &str) -> Result<T, SceneError> {
        self.conflict(a, Problem::exclude(a, b))
    }

    /// The one of these keys that is there, if there is one; refuses two.
    pub fn only<'n>(&self, names: &[&'n str]) -> Result<Option<&'n str>, SceneError> {
        let mut given = names.iter().filter(|name| self.at(name).is_some());
        match (given.next(), given.next()) {
            (Some(a), Some(b)) => self.exclude(a, b),
            (one, _) => Ok(one.copied()),
        }
    }

    /// An error that the value of `name` does not go with the rest.
    pub fn refuse<T>(
        &self,
        name: &str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Result<T, SceneError> {
        self.conflict(name, Problem::conflict(message, remedy))
    }

    /// An error about the value of `name`.
    pub fn conflict<T>(&self, name: &str, problem: Problem) -> Result<T, SceneError> {
        match self.at(name) {
            Some(at) => at.fail(problem),
            None => {
                let path = self.at.path_of(name);
                Err(error_at(self.at.node, self.at.file, &path, problem))
            }
        }
    }
}

fn finite(at: &At, value: f64) -> Result<f64, SceneError> {
    if value.is_finite() {
        Ok(value)
    } else {
        at.fail(Problem::NotFinite { value })
    }
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Read for Quantity<M, KG, S, RAD> {
    fn wanted() -> String {
        format!(
            "{}, such as {}",
            Self::DIMENSION.describe(),
            Self::DIMENSION.example()
        )
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        at.number(Self::DIMENSION).map(Self::new)
    }
}

impl Read for bool {
    fn wanted() -> String {
        "true or false".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.node.value {
            Value::Boolean(b) => Ok(b),
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

impl Read for usize {
    fn wanted() -> String {
        "a whole number, such as 40".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.node.value {
            Value::Integer(i) => usize::try_from(i).or_else(|_| {
                at.fail(Problem::Range {
                    value: i.to_string(),
                    need: "zero or greater".into(),
                })
            }),
            Value::Text(ref t) => match at.copy {
                None => at
                    .no_expression()
                    .and_then(|()| at.wrong_type(Self::wanted())),
                Some(copy) => match evaluate(t, copy, Dimension::NONE) {
                    Ok(x) if x >= 0.0 && x.fract() == 0.0 && x < 1e15 => Ok(x as usize),
                    Ok(x) => at.fail(Problem::Range {
                        value: format!("{x} of `{t}`"),
                        need: "a whole number, zero or greater".into(),
                    }),
                    Err(problem) => at.fail(problem),
                },
            },
            _ => at.wrong_type(Self::wanted()),
        }
    }
}

impl Read for String {
    fn wanted() -> String {
        "a text in quotes".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        at.text()
            .map_or_else(|| at.wrong_type(Self::wanted()), |t| Ok(t.to_owned()))
    }
}

impl<T: Read, const N: usize> Read for [T; N] {
    fn wanted() -> String {
        format!("a list of {N}, each {}", T::wanted())
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let elements = at.elements().unwrap_or_default();
        if elements.len() != N {
            return at.wrong_type(Self::wanted());
        }
        let values = elements
            .iter()
            .map(T::read)
            .collect::<Result<Vec<_>, _>>()?;
        values.try_into().or_else(|_| at.wrong_type(Self::wanted()))
    }
}

impl<T: Read> Read for Vec<T> {
    fn wanted() -> String {
        format!("a list, each {}", T::wanted())
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.elements() {
            Some(elements) => elements.iter().map(T::read).collect(),
            None => at.wrong_type(Self::wanted()),
        }
    }
}
