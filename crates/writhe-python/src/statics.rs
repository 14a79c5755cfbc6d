//! Residual, stiffness and masses of the static problem, as arrays.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use writhe::model::Model;
use writhe::statics::{Statics, StaticsError};

use crate::errors::{apart, simulation_error};
use crate::simulation::{Simulation, Work};

/// Stands where there is none.
const NONE: i64 = -1;

#[pymethods]
impl Simulation {
    /// The static problem at the present state: arrays by name. What comes to no rest is refused, or
    /// held as it is.
    fn statics<'py>(&self, py: Python<'py>, refuse: bool) -> PyResult<Bound<'py, PyDict>> {
        let work = self.begin(py)?;
        let Work { core, .. } = &*work;
        let found = apart(py, || match refuse {
            true => Statics::at(&core.model, &core.state),
            false => Statics::held(&core.model, &core.state),
        })?;
        // A function of Python may have been asked.
        self.signals.take().map_or(Ok(()), Err)?;
        let statics = found.map_err(|error| {
            let message = format!("there is no static problem at this state: {error}");
            simulation_error(py, &message, remedy(&error))
        })?;
        let all = PyDict::new(py);
        let [rod, node, edge, component] = places(&core.model, &statics.free);
        for (name, values) in [
            ("rod", rod),
            ("node", node),
            ("edge", edge),
            ("component", component),
        ] {
            all.set_item(name, values.into_pyarray(py))?;
        }
        let entries = || statics.stiffness.iter();
        let rows: Vec<i64> = entries().map(|(row, ..)| *row as i64).collect();
        let columns: Vec<i64> = entries().map(|(_, column, _)| *column as i64).collect();
        let values: Vec<f64> = entries().map(|(.., value)| *value).collect();
        all.set_item("rows", rows.into_pyarray(py))?;
        all.set_item("columns", columns.into_pyarray(py))?;
        all.set_item("values", values.into_pyarray(py))?;
        all.set_item("residual", statics.residual.into_pyarray(py))?;
        all.set_item("mass", statics.mass.into_pyarray(py))?;
        all.set_item("unbalanced", statics.unbalanced)?;
        all.set_item("largest_force", statics.largest_force)?;
        all.set_item("has_potential", statics.has_potential)?;
        all.set_item("has_fluid", core.model.fluid.is_some())?;
        Ok(all)
    }
}

fn remedy(error: &StaticsError) -> Option<&'static str> {
    match error {
        StaticsError::Explicit | StaticsError::GivenContact => {
            Some("a scene with Time(integrator=\"implicit\") and Contact(model=\"imc\")")
        }
        StaticsError::Bodies => {
            Some("a scene without bodies: clamps and held nodes in their place")
        }
        StaticsError::Unsteady(unsteady) => Some(unsteady.remedy),
        StaticsError::Flows(_) => Some("shares of `relaxing` below 1"),
        StaticsError::Friction => Some("a scene without friction"),
        _ => None,
    }
}

/// Rod, node, edge and component of each unknown; what it has not is -1.
fn places(model: &Model, free: &[usize]) -> [Vec<i64>; 4] {
    let topology = &model.topology;
    // Of each unknown: node or edge, flat, and component.
    let mut of = vec![[NONE; 4]; topology.dofs];
    for (index, rod) in topology.rods.iter().enumerate() {
        for node in 0..rod.nodes {
            let dof = topology.node_dof[rod.first_node + node];
            for component in 0..3 {
                of[dof + component] = [index as i64, node as i64, NONE, component as i64];
            }
        }
        for edge in 0..rod.edges {
            let dof = topology.edge_dof[rod.first_edge + edge];
            of[dof] = [index as i64, NONE, edge as i64, NONE];
        }
    }
    [0, 1, 2, 3].map(|k| free.iter().map(|dof| of[*dof][k]).collect())
}
