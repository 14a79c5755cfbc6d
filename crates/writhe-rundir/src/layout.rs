//! What a run records: its rods, its observables, and arrays beside positions and directors.

use std::collections::BTreeSet;

use crate::error::{Result, RunDirError};

/// The shape of a run, constant from its first frame to its last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunLayout {
    /// The rods, in the order of their nodes in a frame.
    pub rods: Vec<RodLayout>,
    /// Radius of each edge of all rods, m, shape (edges).
    pub radius: Vec<f64>,
    /// The columns of `observables.csv` after the time.
    pub observables: Vec<Column>,
    /// Arrays of each frame beside positions and directors, in the order of
    /// [`Frame::extra`](crate::Frame::extra).
    pub extra: Vec<ExtraArray>,
    /// Whether the contact set of each frame is recorded.
    pub contacts: bool,
    /// Frames in one chunk of the trajectory; `None`: as many as make about 1 MiB, at least 1, at
    /// most 256.
    pub frames_per_chunk: Option<usize>,
}

/// One rod of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RodLayout {
    /// Number of nodes.
    pub nodes: usize,
    /// Whether an edge joins the last node to the first.
    pub closed: bool,
}

/// A column of observables: a scalar of each output time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name: letters, digits and underscores.
    pub name: String,
    /// Unit as written in the header; `1` for a pure number.
    pub unit: String,
}

/// An array of each frame beside positions and directors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraArray {
    /// Name: letters, digits and underscores.
    pub name: String,
    /// The axes after time, outermost first; none for one scalar a frame.
    pub axes: Vec<Axis>,
    /// Unit; `1` for a pure number.
    pub unit: String,
    /// What it is, in a few words: the label on a plot.
    pub description: String,
}

/// An axis of an array after time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Axis {
    /// The nodes of all rods.
    Node,
    /// The edges of all rods.
    Edge,
    /// The rods.
    Rod,
    /// The three components of a vector.
    Xyz,
    /// Anything else: letters, digits and underscores; one name has one length in the whole run.
    Other {
        /// Name of the axis.
        name: String,
        /// Its length.
        length: usize,
    },
}

impl RodLayout {
    /// Number of edges: as many as nodes in a closed rod, one less in an open one.
    pub fn edges(&self) -> usize {
        if self.closed {
            self.nodes
        } else {
            self.nodes.saturating_sub(1)
        }
    }
}

impl Column {
    /// A column of this name and unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
        }
    }
}

impl Axis {
    /// The dimension's name in the Zarr arrays.
    pub fn name(&self) -> &str {
        match self {
            Self::Node => "node",
            Self::Edge => "edge",
            Self::Rod => "rod",
            Self::Xyz => "xyz",
            Self::Other { name, .. } => name,
        }
    }

    /// The axis of this name and length.
    pub(crate) fn from_name(name: &str, length: usize) -> Self {
        match name {
            "node" => Self::Node,
            "edge" => Self::Edge,
            "rod" => Self::Rod,
            "xyz" => Self::Xyz,
            _ => Self::Other {
                name: name.to_owned(),
                length,
            },
        }
    }
}

impl RunLayout {
    /// Number of nodes of all rods.
    pub fn nodes(&self) -> usize {
        self.rods.iter().map(|rod| rod.nodes).sum()
    }

    /// Number of edges of all rods.
    pub fn edges(&self) -> usize {
        self.rods.iter().map(RodLayout::edges).sum()
    }

    /// Index of the first node of each rod, shape (rods).
    pub fn first_nodes(&self) -> Vec<usize> {
        let ends = self.rods.iter().scan(0, |end, rod| {
            *end += rod.nodes;
            Some(*end - rod.nodes)
        });
        ends.collect()
    }

    /// Length of an axis in this run.
    pub fn length(&self, axis: &Axis) -> usize {
        match axis {
            Axis::Node => self.nodes(),
            Axis::Edge => self.edges(),
            Axis::Rod => self.rods.len(),
            Axis::Xyz => 3,
            Axis::Other { length, .. } => *length,
        }
    }

    /// Numbers in one frame of an extra array.
    pub fn extra_length(&self, array: &ExtraArray) -> usize {
        array.axes.iter().map(|axis| self.length(axis)).product()
    }

    /// Refuses a layout that contradicts itself or that the files cannot hold.
    pub(crate) fn check(&self, built_in_arrays: &[&str]) -> Result<()> {
        if self.radius.len() != self.edges() {
            let (radii, edges) = (self.radius.len(), self.edges());
            return invalid(format!("{radii} radii for {edges} edges"));
        }
        if self.frames_per_chunk == Some(0) {
            return invalid("a chunk of 0 frames".into());
        }
        self.check_names(built_in_arrays)?;
        self.check_axes()
    }

    /// Names serve as directories, CSV headers and members of an npz archive: plain, and each used
    /// once.
    fn check_names(&self, built_in_arrays: &[&str]) -> Result<()> {
        let extra = self.extra.iter().map(|array| (&array.name, &array.unit));
        let observables = self
            .observables
            .iter()
            .map(|column| (&column.name, &column.unit));
        let mut taken: BTreeSet<&str> = built_in_arrays.iter().copied().chain(["t"]).collect();
        for (name, unit) in extra.chain(observables) {
            check_name(name)?;
            if !taken.insert(name) {
                return invalid(format!("the name `{name}` is used twice, or reserved"));
            }
            if unit.is_empty()
                || unit.contains(['[', ']', ',', '"'])
                || unit.chars().any(char::is_control)
            {
                return invalid(format!(
                    "the unit `{unit}` of `{name}`; write `1` for a pure number"
                ));
            }
        }
        Ok(())
    }

    /// xarray wants one length for each name of an axis.
    fn check_axes(&self) -> Result<()> {
        let axes: Vec<&Axis> = self.extra.iter().flat_map(|array| &array.axes).collect();
        for axis in &axes {
            if let Axis::Other { name, length } = axis {
                check_name(name)?;
                let reserved = name == "time" || Axis::from_name(name, *length) != **axis;
                let same_length =
                    |other: &&Axis| other.name() != name || self.length(other) == *length;
                if reserved || !axes.iter().all(same_length) {
                    return invalid(format!("the axis `{name}` is reserved, or has two lengths"));
                }
            }
        }
        Ok(())
    }
}

fn check_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) {
        return invalid(format!(
            "the name `{name}`; use letters, digits and underscores"
        ));
    }
    Ok(())
}

fn invalid(reason: String) -> Result<()> {
    Err(RunDirError::InvalidLayout { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(name: &str) -> ExtraArray {
        ExtraArray {
            name: name.into(),
            axes: vec![],
            unit: "1".into(),
            description: String::new(),
        }
    }

    fn reason(layout: &RunLayout) -> String {
        layout
            .check(&["time"])
            .map_or_else(|error| error.to_string(), |()| "valid".into())
    }

    #[test]
    fn counts_nodes_and_edges_of_open_and_closed_rods() {
        let rods = vec![
            RodLayout {
                nodes: 3,
                closed: false,
            },
            RodLayout {
                nodes: 4,
                closed: true,
            },
        ];
        let layout = RunLayout {
            rods,
            ..RunLayout::default()
        };
        assert_eq!(
            (layout.nodes(), layout.edges(), layout.first_nodes()),
            (7, 6, vec![0, 3])
        );
    }

    #[test]
    fn refuses_contradictions() {
        let radius = RunLayout {
            radius: vec![1.0],
            ..RunLayout::default()
        };
        assert!(reason(&radius).contains("1 radii for 0 edges"));

        let reserved = RunLayout {
            extra: vec![scalar("time")],
            ..RunLayout::default()
        };
        assert!(reason(&reserved).contains("`time` is used twice"));

        let slash = RunLayout {
            extra: vec![scalar("../up")],
            ..RunLayout::default()
        };
        assert!(reason(&slash).contains("`../up`"));

        let unit = RunLayout {
            observables: vec![Column::new("lk", "")],
            ..RunLayout::default()
        };
        assert!(reason(&unit).contains("write `1`"));

        let axis = |length| Axis::Other {
            name: "link".into(),
            length,
        };
        let two = |a, b| RunLayout {
            extra: vec![
                ExtraArray {
                    axes: vec![axis(a)],
                    ..scalar("a")
                },
                ExtraArray {
                    axes: vec![axis(b)],
                    ..scalar("b")
                },
            ],
            ..RunLayout::default()
        };
        assert!(reason(&two(2, 3)).contains("two lengths"));
        assert_eq!(reason(&two(2, 2)), "valid");
    }
}
