//! Forces on the nodes of a rod that a function of Python says.
//!
//! A function with a stiffness is asked at every trial of a step, which is solved for it. Without
//! one it is asked at the start of each step and holds until its end: its force is a function of
//! the state there, so that a restart computes the same.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use writhe::assembly::{Blocks, Trial};
use writhe::loads::{Load, Unsteady};
use writhe::model::Model;
use writhe::rod::Topology;
use writhe::rod::kinematics::position;
use writhe::state::State;

use crate::arrays::{numbers, shape};
use crate::errors::scene_error;
use crate::signals::Signals;

/// What such loads are called.
pub const NAME: &str = "a function of Python";

/// A force on the nodes of a rod.
pub struct Force {
    rod: usize,
    /// Flat indices of its nodes.
    nodes: Range<usize>,
    /// `(time, positions, velocities) -> forces`, s, m, m/s and N, arrays of shape (nodes, 3).
    function: Py<PyAny>,
    /// Of the same arguments: minus the derivative of the force on each node by its position, N/m,
    /// shape (nodes, 3, 3).
    stiffness: Option<Py<PyAny>>,
    /// Told of exceptions.
    signals: Signals,
    /// What holds during the step, if nothing else is asked; flat, `(3 nodes)`.
    held: Mutex<Vec<f64>>,
}

/// The same force for the model, which owns its loads, and for whoever asks the function.
#[derive(Debug, Clone)]
pub struct Shared(pub Arc<Force>);

impl Force {
    pub fn new(
        model: &Model,
        rod: usize,
        function: Py<PyAny>,
        stiffness: Option<Py<PyAny>>,
        signals: Signals,
    ) -> Self {
        let layout = &model.topology.rods[rod];
        Self {
            rod,
            nodes: layout.first_node..layout.first_node + layout.nodes,
            function,
            stiffness,
            signals,
            held: Mutex::new(vec![0.0; 3 * layout.nodes]),
        }
    }

    /// Whether it holds during a step what it was at the start.
    pub fn lags(&self) -> bool {
        self.stiffness.is_none()
    }

    /// Shows the collector of cycles what is held.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        self.stiffness.as_ref().map_or(Ok(()), |f| visit.call(f))
    }

    /// Asks the function at the start of a step. An exception there stops the work.
    pub fn look(&self, py: Python<'_>, topology: &Topology, state: &State) {
        if !self.lags() {
            return;
        }
        let arrays = [&state.q, &state.velocity];
        match self.ask(py, &self.function, topology, state.time, arrays, 3) {
            Ok(force) => *self.held() = force,
            Err(why) => self.signals.stop(why),
        }
    }

    /// What a function says, `each` numbers a node.
    fn ask(
        &self,
        py: Python<'_>,
        function: &Py<PyAny>,
        topology: &Topology,
        time: f64,
        arrays: [&Vec<f64>; 2],
        each: usize,
    ) -> PyResult<Vec<f64>> {
        let count = self.nodes.len();
        let dofs = &topology.node_dof[self.nodes.clone()];
        let [positions, velocities] = arrays.map(|values| -> PyResult<_> {
            let flat = dofs
                .iter()
                .flat_map(|dof| position(values, *dof).to_array());
            flat.collect::<Vec<f64>>()
                .into_pyarray(py)
                .reshape([count, 3])
        });
        let said = function.call1(py, (time, positions?, velocities?))?;
        let said = said.bind(py);
        let what = if each == 3 { "force" } else { "stiffness" };
        let wanted: &[usize] = if each == 3 {
            &[count, 3]
        } else {
            &[count, 3, 3]
        };
        numbers(py, said, wanted)?.map_err(|found| {
            let message = format!("the {what} on rod {} is {found}", self.rod);
            let shape = shape(wanted);
            let remedy = format!("return finite numbers in an array of shape {shape}");
            scene_error(py, &message, Some(what), Some(&remedy), None)
        })
    }

    /// The same at a trial, from within a step; zeros after an exception, which stops the step.
    fn at(&self, at: &Trial, function: &Py<PyAny>, each: usize) -> Vec<f64> {
        let velocity = at.velocity.to_vec();
        let asked = Python::try_attach(|py| {
            let arrays = [&at.q.to_vec(), &velocity];
            self.ask(py, function, at.topology, at.time, arrays, each)
        });
        match asked {
            Some(Ok(values)) => values,
            Some(Err(why)) => {
                self.signals.stop(why);
                vec![0.0; each * self.nodes.len()]
            }
            None => vec![0.0; each * self.nodes.len()],
        }
    }

    fn held(&self) -> MutexGuard<'_, Vec<f64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Load for Shared {
    fn name(&self) -> &'static str {
        NAME
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        let it = &self.0;
        let own = match it.lags() {
            true => it.held().clone(),
            false => it.at(at, &it.function, 3),
        };
        let dofs = &at.topology.node_dof[it.nodes.clone()];
        for (dof, f) in dofs.iter().zip(own.as_chunks::<3>().0) {
            for (sum, f) in force[*dof..].iter_mut().zip(f) {
                *sum += f;
            }
        }
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        let it = &self.0;
        let Some(stiffness) = &it.stiffness else {
            return;
        };
        let all = it.at(at, stiffness, 9);
        let dofs = &at.topology.node_dof[it.nodes.clone()];
        for (dof, k) in dofs.iter().zip(all.as_chunks::<9>().0) {
            blocks.general(&[*dof, dof + 1, dof + 2], k);
        }
    }

    /// Nobody knows whether it has one.
    fn potential(&self, _at: &Trial) -> Option<f64> {
        None
    }

    fn unsteady(&self) -> Option<Unsteady> {
        self.0.lags().then_some(Unsteady {
            why: "a force without a stiffness lags, and is part of no static problem",
            remedy: "giving add_force a stiffness",
        })
    }

    fn work(&self, topology: &Topology, from: &[f64], to: &[f64]) -> Option<f64> {
        let it = &self.0;
        if !it.lags() {
            return None;
        }
        // What holds during the step.
        let dofs = &topology.node_dof[it.nodes.clone()];
        let held = it.held();
        let forces = held.as_chunks::<3>().0.iter();
        let works = dofs.iter().zip(forces).map(|(dof, f)| {
            let way = position(to, *dof) - position(from, *dof);
            way.to_array()
                .iter()
                .zip(f)
                .map(|(x, f)| x * f)
                .sum::<f64>()
        });
        Some(works.sum())
    }
}

impl fmt::Debug for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Force(rod {})", self.rod)
    }
}
