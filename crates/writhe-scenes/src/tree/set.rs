//! Overrides: `contact.friction=0.3`, `rods[0].section.circle.radius=2 mm`.

use super::{Node, Origin, Step, Value};
use crate::error::{Problem, SceneError};

impl Node {
    /// Sets one value; tables on the way are made where missing.
    pub fn set(&mut self, assignment: &str) -> Result<(), SceneError> {
        let fail = |key: &str, message: String, remedy: &str| SceneError {
            file: format!("--set {assignment}"),
            key: key.to_owned(),
            span: None,
            problem: Box::new(Problem::Conflict {
                message,
                remedy: remedy.to_owned(),
            }),
        };
        let example = "write key=value, as in contact.friction=0.3 or rods[0].closed=true";
        let Some((path, text)) = assignment.split_once('=') else {
            return Err(fail("", format!("`{assignment}` sets nothing"), example));
        };
        let (path, text) = (path.trim(), text.trim());
        let Some(steps) = Step::parse(path) else {
            return Err(fail("", format!("`{path}` is not a key"), example));
        };
        let mut node = self;
        for step in &steps {
            let length = match &node.value {
                Value::Array(elements) => Some(elements.len()),
                _ => None,
            };
            let origin = Origin::Set(assignment.to_owned());
            node = match step {
                Step::Key(name) => node.child(name, origin),
                Step::Index(i) => node.element_mut(*i),
            }
            .ok_or_else(|| {
                let (message, remedy) = match (step, length) {
                    (Step::Key(name), Some(_)) => (
                        format!("`{name}` is a key of one entry of a list"),
                        "name the entry, counted from 0, as in rods[0].closed=true",
                    ),
                    (Step::Key(name), None) => (
                        format!("there is no table in which `{name}` could be set"),
                        "set the whole value, or write a table into the scene file",
                    ),
                    (Step::Index(i), length) => (
                        match length {
                            Some(length) => format!(
                                "there is no entry [{i}]: this list of the scene has {length}"
                            ),
                            None => format!("there is no list that has an entry [{i}]"),
                        },
                        "set an entry that is there, counted from 0, or add it to the scene file",
                    ),
                };
                fail(path, message, remedy)
            })?;
        }
        *node = Node {
            value: value(text),
            origin: Origin::Set(assignment.to_owned()),
        };
        mark(node, assignment);
        Ok(())
    }

    fn child(&mut self, name: &str, origin: Origin) -> Option<&mut Node> {
        let Value::Table(entries) = &mut self.value else {
            return None;
        };
        let at = entries
            .iter()
            .position(|(k, _)| k == name)
            .unwrap_or_else(|| {
                entries.push((
                    name.to_owned(),
                    Node {
                        value: Value::Table(Vec::new()),
                        origin,
                    },
                ));
                entries.len() - 1
            });
        entries.get_mut(at).map(|(_, n)| n)
    }

    fn element_mut(&mut self, index: usize) -> Option<&mut Node> {
        match &mut self.value {
            Value::Array(elements) => elements.get_mut(index),
            _ => None,
        }
    }
}

/// A TOML value, or a text where it is none (`5 ms`, `bdf2`).
fn value(text: &str) -> Value {
    let document = format!("x = {text}");
    match Node::parse(&document, "--set") {
        Ok(root) => match root.value {
            Value::Table(mut entries) if entries.len() == 1 => entries
                .pop()
                .map_or(Value::Text(text.to_owned()), |(_, n)| n.value),
            _ => Value::Text(text.to_owned()),
        },
        Err(_) => Value::Text(text.to_owned()),
    }
}

fn mark(node: &mut Node, assignment: &str) {
    node.origin = Origin::Set(assignment.to_owned());
    match &mut node.value {
        Value::Array(elements) => elements.iter_mut().for_each(|n| mark(n, assignment)),
        Value::Table(entries) => entries.iter_mut().for_each(|(_, n)| mark(n, assignment)),
        _ => {}
    }
}
