//! A scene: parsed, checked, changed.

pub(crate) mod spec;

use crate::copies::{self, Source};
use crate::error::{Problem, SceneError};
use crate::files::Files;
use crate::spec::tables;
use crate::tree::{At, Keys, Known, Node, Table, error_at};
use crate::units::{Dimension, QuantityError};

pub use spec::SceneSpec;

/// A scene, checked, with every default filled in.
#[derive(Debug, Clone)]
pub struct Scene {
    /// What it says.
    pub spec: SceneSpec,
    root: Node,
    /// Where its rods come from, if some are repeated.
    sources: Vec<Source>,
    file: String,
    files: Files,
}

impl Scene {
    /// Reads a scene that names no files. `file_name` is used in messages only.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SceneError> {
        Self::parse_with(text, file_name, Files::none())
    }

    /// Reads a scene and the files that it names.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn parse_with(text: &str, file_name: &str, files: Files) -> Result<Self, SceneError> {
        let root = Node::parse(text, file_name)?;
        let (spec, sources) = read(&root, file_name, &files)?;
        Ok(Self {
            spec,
            root,
            sources,
            file: file_name.to_owned(),
            files,
        })
    }

    /// Changes one value: `contact.friction=0.3`, `time.step=5 ms`, `rods[0].closed=true`. A value
    /// that is not TOML is a text.
    ///
    /// # Errors
    /// See [`SceneError`]; the scene is then as before.
    pub fn set(&mut self, assignment: &str) -> Result<(), SceneError> {
        self.set_all(&[assignment])
    }

    /// Changes several values, which need to make sense only together.
    ///
    /// # Errors
    /// See [`SceneError`]; the scene is then as before.
    pub fn set_all<S: AsRef<str>>(&mut self, assignments: &[S]) -> Result<(), SceneError> {
        let mut root = self.root.clone();
        for assignment in assignments {
            root.set(assignment.as_ref())?;
        }
        (self.spec, self.sources) = read(&root, &self.file, &self.files)?;
        self.root = root;
        Ok(())
    }

    /// The scene as TOML with every default, all numbers in SI; reads back to the same scene.
    ///
    /// # Errors
    /// None that a scene which was read can cause.
    pub fn resolved(&self) -> Result<String, SceneError> {
        match toml::to_string(&self.spec) {
            Ok(text) => Ok(format!(
                "# {}: every value, in SI (m, kg, s, rad)\n{text}",
                one_line(&self.spec.title)
            )),
            Err(e) => Err(self.error(
                "",
                Problem::Syntax {
                    message: e.to_string(),
                },
            )),
        }
    }

    /// What the number at a key measures; `None` where there is no number that is not whole.
    pub fn dimension_of(&self, key: &str) -> Option<Dimension> {
        // Nothing is measured so: the reader says what belongs there.
        let error = self.clone().set(&format!("{key}=\"1 m^9\"")).err()?;
        match error.problem.of_each_copy() {
            Problem::Quantity(QuantityError::Dimension { wanted, .. }) if error.key == key => {
                Some(*wanted)
            }
            _ => None,
        }
    }

    /// Name of the file as given.
    pub fn file_name(&self) -> &str {
        &self.file
    }

    pub(crate) fn error(&self, key: &str, problem: Problem) -> SceneError {
        let (key, copy) = self.written(key);
        let error = error_at(self.root.nearest_at(&key).0, &self.file, &key, problem);
        match copy {
            Some(copy) => copies::of_copy(error, copy),
            None => error,
        }
    }

    /// Whether the file (or an override) holds this key.
    pub fn has(&self, key: &str) -> bool {
        self.nearest_at(key).1
    }

    /// What the file holds under a key, or under the nearest one around it, and which of both.
    pub(crate) fn nearest_at(&self, key: &str) -> (&Node, bool) {
        self.root.nearest_at(&self.written(key).0)
    }

    /// The key under which the file has what belongs to `key`, whose rods are counted with their
    /// copies, and the copy that is meant.
    pub(crate) fn written(&self, key: &str) -> (String, Option<usize>) {
        let of_rod = |key: &str| {
            let (number, rest) = key.strip_prefix("rods[")?.split_once(']')?;
            let source = self.sources.get(number.parse::<usize>().ok()?)?;
            Some((format!("rods[{}]{rest}", source.section), source.copy))
        };
        // Joints at crossings come after the bodies of the file.
        let of_crossing = |key: &str| {
            let (number, _) = key.strip_prefix("bodies[")?.split_once(']')?;
            let crossings = self.root.get(&SceneSpec::weld_crossings()).is_some();
            let bodies = self.root.get(&SceneSpec::bodies());
            let missing = bodies.is_none_or(|b| b.element(number.parse().unwrap_or(0)).is_none());
            (crossings && missing).then(|| "weld_crossings".to_owned())
        };
        let crossing = of_crossing(key).map(|key| (key, None));
        of_rod(key)
            .or(crossing)
            .unwrap_or_else(|| (key.to_owned(), None))
    }
}

fn read(root: &Node, file: &str, files: &Files) -> Result<(SceneSpec, Vec<Source>), SceneError> {
    let at = At {
        node: root,
        path: String::new(),
        file,
        files,
        copy: None,
        spot: None,
    };
    let spec = SceneSpec::read(&at).map_err(key_of_others)?;
    let rods = Keys::unchecked(&at).unknown(&SceneSpec::rods());
    Ok((spec, copies::sources(rods)))
}

/// Says which parts of a scene know a key that has no meaning where it stands, if few do.
fn key_of_others(mut error: SceneError) -> SceneError {
    const FEW: usize = 3;
    if let Problem::UnknownKey {
        found, elsewhere, ..
    } = &mut *error.problem
    {
        let has = |table: &Table| table.keys.iter().any(|key| key.name == found);
        let tables = tables().into_iter().filter(has);
        let names: Vec<String> = tables.map(|table| table.name).collect();
        if SceneSpec::known().contains(&found.as_str()) {
            *elsewhere = vec![String::new()];
        } else if names.len() <= FEW {
            *elsewhere = names;
        }
    }
    error
}

/// `text` as a comment takes it: TOML allows no control character there, and strings escape theirs.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_what_they_measure() {
        let rod = "[[rods]]\nrepeat = { count = 2, step = [0, 1, 0] }\nshape = { straight = { to = [1, 0, 0], edges = 4 } }\n\
                   section = { circle = { radius = 1e-3 } }\nmaterial = { young = 1e6, poisson = 0.5, density = 1000 }\n\
                   [gravity]\nacceleration = [0, 0, -9.81]\n";
        let scene = Scene::parse(rod, "my.toml").unwrap();
        for (key, unit) in [
            ("rods[0].material.young", Some("Pa")),
            ("gravity.acceleration[2]", Some("m/s^2")),
            ("contact.friction", Some("1")),
            ("time.duration", Some("s")),
            ("rods[0].shape.straight.edges", Some("1")),
            ("contact.model", None),
            ("rods[0].yung", None),
        ] {
            let found = scene.dimension_of(key).map(|d| d.to_string());
            assert_eq!(found.as_deref(), unit, "{key}");
        }
    }

    #[test]
    fn any_text_survives_being_resolved() {
        let all: String = (0_u32..0x2100).filter_map(char::from_u32).collect();
        let scene = Scene::parse("[scene]\nname = \"ring\"", "my.toml").unwrap();
        for text in [
            all.as_str(),
            "\u{1b}[31m",
            "a\r\nb\u{0}",
            "'\"\"\"\\",
            "\u{7f}",
        ] {
            let mut scene = scene.clone();
            scene.spec.title = text.to_owned();
            let resolved = scene.resolved().unwrap();
            let again = Scene::parse(&resolved, "resolved").unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(again.spec, scene.spec, "{text:?}");
        }
    }
}
