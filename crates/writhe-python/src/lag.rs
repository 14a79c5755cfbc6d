//! What the stable step of a force that lags depends on, besides the force.

use glam::DVec3;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use writhe::rod::Kinematics;
use writhe::step::{Integrator, Scheme};

use crate::errors::simulation_error;
use crate::simulation::Simulation;

/// Change of velocities over which the change of drag is taken, m/s.
const SMALL: f64 = 1e-6;

#[pymethods]
impl Simulation {
    /// The time scheme and the size of the next step, s; `None` where steps are explicit, or a
    /// fluid resists whose flow couples all nodes.
    fn stepping(&self, py: Python<'_>) -> PyResult<Option<(&'static str, f64)>> {
        let work = self.lock(py)?;
        let core = &work.core;
        if core.settings.integrator != Integrator::Implicit || core.model.fluid.is_some() {
            return Ok(None);
        }
        let scheme = match core.settings.scheme {
            Scheme::BackwardEuler => "backward-euler",
            Scheme::ImplicitMidpoint => "implicit-midpoint",
            // Where it is fitted too.
            _ => "bdf2",
        };
        Ok(Some((scheme, core.state.control.dt)))
    }

    /// Lumped masses of the nodes of a rod, kg, shape (nodes, 3), zero where they are held.
    fn free_mass<'py>(&self, py: Python<'py>, rod: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let work = self.lock(py)?;
        let model = &work.core.model;
        let fixed = model.constraints.fixed();
        let layout = &model.topology.rods[rod];
        let nodes = layout.first_node..layout.first_node + layout.nodes;
        let dofs = model.topology.node_dof[nodes].iter();
        let mass = dofs.flat_map(|dof| *dof..dof + 3);
        let mass = mass.map(|dof| if fixed[dof] { 0.0 } else { model.mass[dof] });
        let mass: Vec<f64> = mass.collect();
        mass.into_pyarray(py).reshape([layout.nodes, 3])
    }

    /// Force by which damping and drag resist a small change of the velocities of the nodes of a
    /// rod, over that change: N s/m times the direction, both of shape (nodes, 3).
    fn resistance<'py>(
        &self,
        py: Python<'py>,
        rod: usize,
        direction: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let work = self.lock(py)?;
        let (model, state) = (&work.core.model, &work.core.state);
        let topology = &model.topology;
        let mut kinematics = Kinematics::default();
        let updated = kinematics.update(topology, &state.frames, &state.q);
        updated.map_err(|error| simulation_error(py, &error.to_string(), None))?;
        let layout = &topology.rods[rod];
        let nodes = layout.first_node..layout.first_node + layout.nodes;
        let dofs = &topology.node_dof[nodes];
        let direction = direction.as_array();
        let of = |by: f64| {
            let mut moved = state.velocity.clone();
            for (dof, row) in dofs.iter().zip(direction.rows()) {
                for (v, d) in moved[*dof..dof + 3].iter_mut().zip(row) {
                    *v += by * d;
                }
            }
            let mut at = state.trial(topology, &kinematics);
            at.velocity = &moved;
            let mut force = vec![0.0; topology.dofs];
            let dampers = model.loads.iter().filter(|load| load.dissipative());
            for load in dampers {
                load.add_force(&at, &mut force);
            }
            force
        };
        let (after, before) = (of(SMALL), of(-SMALL));
        let slope = |dof: &usize| {
            let at = |force: &[f64]| DVec3::from_slice(&force[*dof..]);
            ((at(&before) - at(&after)) / (2.0 * SMALL)).to_array()
        };
        let all: Vec<f64> = dofs.iter().flat_map(slope).collect();
        all.into_pyarray(py).reshape([layout.nodes, 3])
    }
}
