//! The frames of a run with what is measured along its rods, and where these touch.

use std::path::Path;

use glam::DVec3;

use super::options::{Colouring, ExportOptions};
use super::surroundings::Surroundings;
use crate::contacts::Contact;
use crate::error::{Result, RunDirError};
use crate::fields::{Rods, speeds};
use crate::layout::RunLayout;
use crate::reader::RunReader;
use crate::spans::Span;

/// m or dimensionless, `(n, 3)`.
pub(super) type Vectors = Vec<[f64; 3]>;

/// A run, ready to be measured frame by frame.
#[derive(Debug)]
pub(super) struct Frames {
    reader: RunReader,
    rods: Rods,
    contacts: Option<Vec<Vec<Contact>>>,
    /// Radius at each node, m.
    radius: Vec<f64>,
    /// Time of each frame, s.
    pub times: Vec<f64>,
}

/// A frame.
#[derive(Debug)]
pub(super) struct Measured {
    /// m, `(nodes, 3)`.
    pub positions: Vectors,
    /// m1, `(edges, 3)`.
    pub directors: Vectors,
    /// The values of each field at the nodes, SI, `(nodes)`.
    pub fields: Vec<(Field, Vec<f64>)>,
}

/// Something measured along rods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub name: &'static str,
    /// Its unit; 1 where it has none.
    pub unit: &'static str,
    /// Whether it goes both ways from 0.
    pub signed: bool,
}

/// A contact in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    /// Middle between the surfaces, m.
    pub point: DVec3,
    /// Direction in which the normal force pushes the rod that is named first; 0 where it is not
    /// known.
    pub normal: DVec3,
    pub contact: Contact,
}

const fn field(name: &'static str, unit: &'static str, signed: bool) -> Field {
    Field { name, unit, signed }
}

/// What is measured in every run.
const FIELDS: [Field; 4] = [
    field("curvature", "1/m", false),
    field("twist", "rad/m", true),
    field("stretch", "1", true),
    field("speed", "m/s", false),
];
/// What is measured where contacts are recorded.
const CONTACT_FORCE: Field = field("contact_force", "N", false);

impl Frames {
    /// The run in `directory`.
    pub fn open(directory: &Path, options: &ExportOptions) -> Result<Self> {
        let reader = RunReader::open(directory)?;
        let layout = reader.layout();
        let rest = options.rest.clone();
        let rods = match rest.filter(|rest| rest.len() == layout.edges()) {
            Some(rest) => Rods::new(layout, rest),
            None if reader.frames() > 0 => Rods::at_rest_in(layout, &reader.positions(0)?),
            None => Rods::new(layout, vec![1.0; layout.edges()]),
        };
        let of_rod = |span: Span| (0..span.rod.nodes).map(move |node| (span, node));
        let nodes = Span::all(layout).into_iter().flat_map(of_rod);
        Ok(Self {
            rods,
            contacts: reader.contacts()?,
            radius: nodes
                .map(|(span, node)| span.radius(node, &layout.radius))
                .collect(),
            times: reader.times()?,
            reader,
        })
    }

    pub fn layout(&self) -> &RunLayout {
        self.reader.layout()
    }

    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// Positions and directors of a frame.
    pub fn shape(&self, index: usize) -> Result<(Vectors, Vectors)> {
        Ok((self.reader.positions(index)?, self.reader.directors(index)?))
    }

    /// The fields that this run has.
    fn fields(&self) -> impl Iterator<Item = Field> {
        let contact = self.contacts.is_some().then_some(CONTACT_FORCE);
        FIELDS.into_iter().chain(contact)
    }

    /// A frame with its fields.
    pub fn measured(&self, index: usize) -> Result<Measured> {
        let (positions, directors) = self.shape(index)?;
        let strains = self.rods.fields(&positions, &directors);
        let speed = speeds(&self.reader, &self.times, index)?;
        let mut values = vec![strains.curvature, strains.twist, strains.stretch, speed];
        if self.contacts.is_some() {
            values.push(self.rods.contact_force(&positions, self.contacts_in(index)));
        }
        Ok(Measured {
            positions,
            directors,
            fields: self.fields().zip(values).collect(),
        })
    }

    /// Arc length at rest of each node from the first one of its rod, m, `(nodes)`.
    pub fn arcs(&self) -> Vec<f64> {
        let spans = Span::all(self.layout());
        let of_rod = |span: Span| {
            let edges = span.first_edge..span.first_edge + span.rod.edges();
            let lengths = self.rods.rest_lengths()[edges].iter();
            let ends = lengths.scan(0.0, |arc, length| {
                *arc += length;
                Some(*arc)
            });
            std::iter::once(0.0).chain(ends).take(span.rod.nodes)
        };
        spans.into_iter().flat_map(of_rod).collect()
    }

    /// Whether the run records where rods touch.
    pub fn has_contacts(&self) -> bool {
        self.contacts.is_some()
    }

    /// The most contacts that a frame has.
    pub fn most_contacts(&self) -> usize {
        let counts = self.contacts.iter().flatten().map(Vec::len);
        counts.max().unwrap_or(0)
    }

    /// The largest normal force of all contacts of the run, N; 0 without.
    pub fn largest_force(&self) -> f64 {
        let all = self.contacts.iter().flatten().flatten();
        all.map(|contact| contact.force).fold(0.0, f64::max)
    }

    fn contacts_in(&self, index: usize) -> &[Contact] {
        let all = self.contacts.as_ref().and_then(|all| all.get(index));
        all.map_or(&[], Vec::as_slice)
    }

    /// The contacts of a frame, whose positions are these.
    pub fn marks(&self, index: usize, positions: &Vectors, around: &Surroundings) -> Vec<Mark> {
        let known = around.normals.get(index);
        let mark = |(k, contact): (usize, &Contact)| {
            let (touch, other) = self.rods.touches(positions, contact);
            let normal = match other {
                Some(other) => (touch.point - other.point).normalize_or_zero(),
                None => known
                    .and_then(|all| all.get(k))
                    .copied()
                    .unwrap_or_default(),
            };
            let depth = self.radius.get(touch.node).copied().unwrap_or(0.0) + 0.5 * contact.gap;
            Mark {
                point: touch.point - depth * normal,
                normal,
                contact: *contact,
            }
        };
        self.contacts_in(index)
            .iter()
            .enumerate()
            .map(mark)
            .collect()
    }

    /// Time from the first frame to the second, s; 1 for a single frame.
    pub fn interval(&self) -> f64 {
        match self.times.as_slice() {
            [first, second, ..] if second > first => second - first,
            _ => 1.0,
        }
    }

    /// When frames are, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The frame nearest to a time, s; the last one for none.
    ///
    /// # Errors
    /// When the run has no frame there: none, or only frames farther away than half a step between
    /// the last two.
    pub fn nearest(&self, time: Option<f64>) -> Result<usize> {
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return Err(RunDirError::NoSuchFrame {
                index: 0,
                frames: 0,
            });
        };
        let Some(time) = time else {
            return Ok(self.count() - 1);
        };
        let step = match self.times.as_slice() {
            [.., before, last] => last - before,
            _ => 0.0,
        };
        if !(time >= first - 0.5 * step && time <= last + 0.5 * step) {
            return Err(RunDirError::NoFrameAt {
                time,
                first: *first,
                last: *last,
            });
        }
        let away = |frame: &usize| (self.times[*frame] - time).abs();
        let nearest = (0..self.count()).min_by(|a, b| away(a).total_cmp(&away(b)));
        Ok(nearest.unwrap_or(0))
    }

    /// The field of this name; `force`, as page and pictures call it, is that of contacts.
    ///
    /// # Errors
    /// When the run has none.
    pub fn field(&self, name: &str) -> Result<Field> {
        let unknown = || RunDirError::UnknownField {
            name: name.to_owned(),
            known: self.fields().map(|field| field.name).collect(),
            no_contacts: [CONTACT_FORCE.name, "force"].contains(&name),
        };
        let name = if name == "force" {
            CONTACT_FORCE.name
        } else {
            name
        };
        self.fields()
            .find(|field| field.name == name)
            .ok_or_else(unknown)
    }

    /// The scale of colours for these frames.
    pub fn scale(
        &self,
        colouring: &Colouring,
        mut frames: impl Iterator<Item = usize>,
    ) -> Result<Scale> {
        let field = self.field(&colouring.field)?;
        let largest = frames.try_fold(0.0, |largest: f64, frame| -> Result<f64> {
            let values = self.measured(frame)?;
            Ok(values.of(field).iter().fold(largest, |a, x| a.max(x.abs())))
        })?;
        Ok(Scale {
            field,
            range: [if field.signed { -largest } else { 0.0 }, largest],
            map: if field.signed {
                colouring.diverging
            } else {
                colouring.sequential
            },
        })
    }
}

impl Measured {
    /// The values of a field at the nodes, `(nodes)`.
    pub fn of(&self, field: Field) -> &[f64] {
        let found = self.fields.iter().find(|(here, _)| *here == field);
        found.map_or(&[], |(_, values)| values.as_slice())
    }
}

/// Colours of the values of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub field: Field,
    /// The values at both ends of the map.
    pub range: [f64; 2],
    map: fn(f64) -> [f64; 3],
}

impl Scale {
    /// Colour of a value, linear light.
    pub fn colour(&self, value: f64) -> [f64; 3] {
        let [low, high] = self.range;
        // A field that is 0 everywhere has the colour of 0.
        let part = match high > low {
            true => (value - low) / (high - low),
            false if self.field.signed => 0.5,
            false => 0.0,
        };
        (self.map)(part)
    }

    /// What a file says of it: "curvature [1/m], from 0 to 35".
    pub fn told(&self) -> String {
        let Field { name, unit, .. } = self.field;
        let [low, high] = self.range;
        format!("{name} [{unit}], from {low} to {high}")
    }
}
