//! What will be simulated, in words and numbers.

mod absurd;
mod bodies;
mod defaults;
mod facts;
mod fluid;
mod idle;
mod obstacles;
mod remarks;
mod rods;
mod run;
mod words;

use std::fmt;

use writhe::certificate::{Certify, Watch};

use crate::error::SceneError;
use crate::scene::Scene;

/// A description tells what is certified of scenes with at most so many edges: writhe is a sum over
/// all pairs of edges.
const MOST_CERTIFIED: usize = 5000;

/// What `check` shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Title of the scene.
    pub title: String,
    /// Tables of labels and values.
    pub sections: Vec<Section>,
    /// `key = value` of everything that the file leaves to its default, in SI.
    pub defaults: Vec<String>,
    /// Notes and warnings.
    pub remarks: Vec<Remark>,
}

/// A table of labels and values.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A label and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it is.
    pub label: String,
    /// Value with unit, or words.
    pub value: String,
}

/// How much a remark matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Good to know.
    Note,
    /// Probably not what is wanted.
    Warning,
}

/// A note or warning.
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    /// How much it matters.
    pub level: Level,
    /// Key that it is about.
    pub key: String,
    /// What, and what to do.
    pub message: String,
}

impl Scene {
    /// What will be simulated, in words and numbers, with the defaults used and warnings.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn describe(&self) -> Result<Report, SceneError> {
        // What cannot be built is not described.
        let rods = crate::build::rods(self)?;
        crate::build::check_all(self)?;
        let facts = facts::Facts::new(self, rods)?;
        let mut sections = rods::sections(&facts);
        sections.extend(bodies::sections(&facts)?);
        sections.extend(obstacles::sections(&facts));
        sections.push(run::surroundings(&facts));
        sections.push(run::numbers(&facts));
        sections.push(run::time(&facts));
        sections.extend(certificate(self));
        Ok(Report {
            title: self.spec.title.clone(),
            sections,
            defaults: defaults::used(self)?,
            remarks: remarks::all(&facts),
        })
    }

    /// The notes and warnings of the description alone.
    ///
    /// # Errors
    /// See [`SceneError`].
    pub fn remarks(&self) -> Result<Vec<Remark>, SceneError> {
        let rods = crate::build::rods(self)?;
        Ok(remarks::all(&facts::Facts::new(self, rods)?))
    }
}

/// What the run certifies at each output, as it is at the start. What keeps a scene from running is
/// told elsewhere.
fn certificate(scene: &Scene) -> Option<Section> {
    let setup = scene.build().ok()?;
    let edges = setup.model.topology.edges();
    if setup.certify != Certify::Off && edges > MOST_CERTIFIED {
        let later = format!(
            "not computed here with as many as {edges} edges: when the run begins, it finds whether a rod is knotted"
        );
        return Some(Section {
            title: "Certified at each output".to_owned(),
            lines: vec![Line::new("", later)],
        });
    }
    let watch = Watch::start(&setup.model, &setup.state, setup.certify);
    let lines = watch.ok()??.at_start().lines();
    let line = |text: String| {
        let (label, value) = text.split_once(": ").unwrap_or(("", &text));
        Line::new(label, value.to_owned())
    };
    Some(Section {
        title: "Certified at each output".to_owned(),
        lines: lines.into_iter().map(line).collect(),
    })
}

impl Report {
    /// The remarks that are warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Remark> {
        self.remarks.iter().filter(|r| r.level == Level::Warning)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        let widths = self
            .sections
            .iter()
            .flat_map(|s| s.lines.iter().map(|l| l.label.chars().count()));
        let width = widths.max().unwrap_or(0);
        for section in &self.sections {
            writeln!(f, "\n{}", section.title)?;
            for line in &section.lines {
                writeln!(f, "  {:width$}  {}", line.label, line.value)?;
            }
        }
        if !self.defaults.is_empty() {
            writeln!(f, "\nDefaults used")?;
            self.defaults
                .iter()
                .try_for_each(|d| writeln!(f, "  {d}"))?;
        }
        for remark in &self.remarks {
            let level = match remark.level {
                Level::Note => "note",
                Level::Warning => "warning",
            };
            writeln!(f, "\n{level}: {}: {}", remark.key, remark.message)?;
        }
        Ok(())
    }
}

impl Line {
    fn new(label: &str, value: impl Into<String>) -> Self {
        Self {
            label: label.to_owned(),
            value: value.into(),
        }
    }
}
