//! A run's watch over its certificate: made at the start, compared at every output.

use serde::{Deserialize, Serialize};

use super::{Certificate, tells};
use crate::knot::kept::Kept;
use crate::model::Model;
use crate::observe::Observed;
use crate::rod::kinematics::KinematicsError;
use crate::state::State;

/// Whether a run certifies its outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Certify {
    /// If a rod is closed or knotted at the start.
    #[default]
    Automatic,
    /// Yes.
    On,
    /// No.
    Off,
}

/// Compares the certificates of a run with that of its start.
#[derive(Debug, Clone)]
pub struct Watch {
    start: Certificate,
    /// What helps to certify the next state; it changes no certificate.
    kept: Kept,
    /// What was found so far.
    pub record: Record,
}

/// What a watch found: part of a checkpoint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Record {
    /// States that were compared.
    pub checked: u64,
    /// Number of these comparisons whose certificate was not certain in every part.
    pub uncertain: u64,
    /// Changes, in the order of time.
    pub changes: Vec<Seen>,
    /// Changes against the start that the last state showed.
    pub present: Vec<String>,
}

/// A change, and when it was seen first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Time of the state, s.
    pub time: f64,
    /// What changed, in words.
    pub what: String,
}

impl Watch {
    /// A watch over a run that starts from `state`; `None` if none is wanted.
    ///
    /// # Errors
    /// When the state has an edge without direction.
    pub fn start(
        model: &Model,
        state: &State,
        certify: Certify,
    ) -> Result<Option<Self>, KinematicsError> {
        if certify == Certify::Off {
            return Ok(None);
        }
        if certify != Certify::On && !tells(model, state) {
            return Ok(None);
        }
        Ok(Some(Self {
            start: Certificate::of(model, state)?,
            kept: Kept::default(),
            record: Record::default(),
        }))
    }

    /// The certificate at the start.
    pub fn at_start(&self) -> &Certificate {
        &self.start
    }

    /// Certifies `state`, which shows `observed`, compares, and returns its certificate with the
    /// changes that are new.
    pub fn check(
        &mut self,
        model: &Model,
        state: &State,
        observed: &Observed,
    ) -> (Certificate, Vec<Seen>) {
        let now = Certificate::told(model, state, &observed.kinematics, &mut self.kept);
        let changes = now.changes_since(&self.start);
        let present: Vec<String> = changes.iter().map(ToString::to_string).collect();
        let record = &mut self.record;
        let new: Vec<Seen> = present
            .iter()
            // What the last output showed, too, is not new; what went and came back is.
            .filter(|what| !record.present.contains(what))
            .map(|what| Seen {
                time: state.time,
                what: what.clone(),
            })
            .collect();
        record.checked += 1;
        record.uncertain += u64::from(!now.is_certain());
        record.changes.extend(new.iter().cloned());
        record.present = present;
        (now, new)
    }
}
