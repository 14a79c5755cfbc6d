//! The frames of a run with what is measured along its rods.

use std::path::Path;

use crate::contacts::Contact;
use crate::error::Result;
use crate::fields::{Rods, speeds};
use crate::layout::RunLayout;
use crate::reader::RunReader;

/// m or dimensionless, `(n, 3)`.
pub(super) type Vectors = Vec<[f64; 3]>;

/// A run, ready to be measured frame by frame.
#[derive(Debug)]
pub(super) struct Frames {
    reader: RunReader,
    rods: Rods,
    contacts: Option<Vec<Vec<Contact>>>,
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
    /// Names and values at the nodes, SI, `(nodes)`.
    pub fields: Vec<(&'static str, Vec<f64>)>,
}

impl Frames {
    /// The run in `directory`, with the rest lengths of its edges, m; without, those of the first
    /// frame count.
    pub fn open(directory: &Path, rest: Option<Vec<f64>>) -> Result<Self> {
        let reader = RunReader::open(directory)?;
        let layout = reader.layout();
        let rods = match rest.filter(|rest| rest.len() == layout.edges()) {
            Some(rest) => Rods::new(layout, rest),
            None if reader.frames() > 0 => Rods::at_rest_in(layout, &reader.positions(0)?),
            None => Rods::new(layout, vec![1.0; layout.edges()]),
        };
        Ok(Self {
            rods,
            contacts: reader.contacts()?,
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

    /// A frame with its fields.
    pub fn measured(&self, index: usize) -> Result<Measured> {
        let (positions, directors) = self.shape(index)?;
        let strains = self.rods.fields(&positions, &directors);
        let mut fields = vec![
            ("curvature", strains.curvature),
            ("twist", strains.twist),
            ("stretch", strains.stretch),
            ("speed", speeds(&self.reader, &self.times, index)?),
        ];
        if let Some(all) = &self.contacts {
            let here = all.get(index).map_or(&[][..], Vec::as_slice);
            fields.push(("contact_force", self.rods.contact_force(&positions, here)));
        }
        Ok(Measured {
            positions,
            directors,
            fields,
        })
    }

    /// Time between frames, s, on average; 1 for a single frame.
    pub fn interval(&self) -> f64 {
        match self.times.as_slice() {
            [first, .., last] if last > first => (last - first) / (self.count() - 1) as f64,
            _ => 1.0,
        }
    }
}
