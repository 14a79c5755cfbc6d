//! Motions, angles and torques that a function of Python says.

use std::fmt;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use writhe::schedule::{Motion, Pose, Schedule};

use crate::arrays::numbers;
use crate::errors::scene_error;
use crate::signals::Signals;

/// How far a rotation may be from one.
const ROUNDING: f64 = 1e-6;

/// A function of time.
pub struct Function {
    call: Py<PyAny>,
    /// What it drives, for messages.
    what: String,
    /// Point of the initial configuration whose displacement it says, m.
    pivot: DVec3,
    /// Told of exceptions.
    signals: Signals,
}

impl Function {
    pub fn new(call: Py<PyAny>, what: String, pivot: DVec3, signals: Signals) -> Arc<Self> {
        Arc::new(Self {
            call,
            what,
            pivot,
            signals,
        })
    }

    /// Whether it is the same function.
    pub fn is(&self, other: &Self) -> bool {
        self.call.is(&other.call)
    }

    /// Shows the collector of cycles what is held.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.call)
    }

    /// As a motion. After an exception, which stops the work, nothing is moved.
    pub fn motion(self: &Arc<Self>) -> Motion {
        let own = Arc::clone(self);
        Motion::Custom(Arc::new(move |time| {
            own.within(|py| own.pose(py, time))
                .unwrap_or(Pose::IDENTITY)
        }))
    }

    /// As a number in time.
    pub fn schedule(self: &Arc<Self>) -> Schedule {
        let own = Arc::clone(self);
        Schedule::Custom(Arc::new(move |time| {
            own.within(|py| own.number(py, time)).unwrap_or(0.0)
        }))
    }

    /// Asks from within a step; an exception stops it.
    fn within<T>(&self, ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        Python::try_attach(ask)?
            .map_err(|why| self.signals.stop(why))
            .ok()
    }

    /// The pose at `time`, s: a displacement of the pivot, or that and a rotation about it.
    pub fn pose(&self, py: Python<'_>, time: f64) -> PyResult<Pose> {
        let said = self.call.call1(py, (time,))?;
        let said = said.bind(py);
        let pair = said.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let (displacement, rotation) = match pair {
            None => (said.clone(), None),
            Some(pair) => (pair.get_item(0)?, Some(pair.get_item(1)?)),
        };
        let moved = numbers(py, &displacement, &[3])?
            .map_err(|found| self.refused(py, &format!("displacement is {found}")))?;
        let rotation = match rotation {
            None => DQuat::IDENTITY,
            Some(rotation) => {
                let rows = numbers(py, &rotation, &[3, 3])?
                    .map_err(|found| self.refused(py, &format!("rotation is {found}")))?;
                let mut entries = [0.0; 9];
                entries.copy_from_slice(&rows);
                let matrix = DMat3::from_cols_array(&entries).transpose();
                let off = matrix * matrix.transpose() - DMat3::IDENTITY;
                let largest = off
                    .to_cols_array()
                    .into_iter()
                    .fold(0.0, |a: f64, b| a.max(b.abs()));
                if !(largest < ROUNDING && matrix.determinant() > 0.0) {
                    return Err(self.refused(py, "rotation is a matrix that does not only turn"));
                }
                DQuat::from_mat3(&matrix).normalize()
            }
        };
        Ok(Pose {
            rotation,
            translation: self.pivot + DVec3::from_slice(&moved) - rotation * self.pivot,
        })
    }

    /// Three components at `time`, s, from within a step. After an exception, which stops the work,
    /// zeros.
    pub fn vector_within(&self, time: f64) -> DVec3 {
        self.within(|py| self.vector(py, time))
            .unwrap_or(DVec3::ZERO)
    }

    /// Three components at `time`, s.
    pub fn vector(&self, py: Python<'_>, time: f64) -> PyResult<DVec3> {
        let said = self.call.call1(py, (time,))?;
        let components = numbers(py, said.bind(py), &[3])?.map_err(|found| {
            let message = format!("{}: the value is {found}", self.what);
            let remedy = "return three finite numbers, shape (3,)";
            scene_error(py, &message, Some("function"), Some(remedy), None)
        })?;
        Ok(DVec3::from_slice(&components))
    }

    /// The number at `time`, s.
    pub fn number(&self, py: Python<'_>, time: f64) -> PyResult<f64> {
        let said = self.call.call1(py, (time,))?;
        let number: Option<f64> = said.extract(py).ok();
        match number {
            Some(number) if number.is_finite() => Ok(number),
            Some(number) => Err(self.no_number(py, &format!("value is not finite: {number}"))),
            None => Err(self.no_number(py, "value is no number")),
        }
    }

    fn refused(&self, py: Python<'_>, found: &str) -> PyErr {
        let message = format!("{}: the {found}", self.what);
        let remedy =
            "return the displacement, m, shape (3,), or a tuple of it and a rotation, shape (3, 3)";
        scene_error(py, &message, Some("function"), Some(remedy), None)
    }

    fn no_number(&self, py: Python<'_>, found: &str) -> PyErr {
        let message = format!("{}: the {found}", self.what);
        let remedy = "return a finite number";
        scene_error(py, &message, Some("function"), Some(remedy), None)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.what)
    }
}
