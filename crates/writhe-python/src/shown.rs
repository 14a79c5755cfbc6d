//! What a state shows, as arrays that are copies: of rods, contacts, bodies, energies.

use glam::DVec3;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use writhe::forces::{section_loads, twist};
use writhe::model::Model;
use writhe::observe::{Entry, Observables, observe};
use writhe::rod::RodLayout;
use writhe::rod::kinematics::{Kinematics, KinematicsError, position};
use writhe::state::State;

use crate::errors::{scene_error, simulation_error};
use crate::simulation::Simulation;

#[pymethods]
impl Simulation {
    /// Nodes, edges, and whether it is closed, of each rod.
    #[getter]
    fn rods(&self, py: Python<'_>) -> PyResult<Vec<(usize, usize, bool)>> {
        let work = self.lock(py)?;
        let rods = work.core.model.topology.rods.iter();
        Ok(rods.map(|rod| (rod.nodes, rod.edges, rod.closed)).collect())
    }

    /// A quantity of a rod, by name.
    fn of_rod<'py>(&self, py: Python<'py>, rod: usize, what: &str) -> PyResult<Bound<'py, PyAny>> {
        let work = self.lock(py)?;
        let (model, state) = (&work.core.model, &work.core.state);
        let Some(layout) = model.topology.rods.get(rod) else {
            let message = format!("there is no rod {rod}");
            return Err(scene_error(py, &message, None, None, None));
        };
        let shown = match what {
            "positions" => Ok(nodes(model, layout, &state.q)),
            "velocities" => Ok(nodes(model, layout, &state.velocity)),
            "directors" => Ok(directors(model, state, layout)),
            "radius" => Ok(Shown::Numbers(model.radius[edges(layout)].to_vec())),
            "rest_lengths" => Ok(Shown::Numbers(model.rest_length[edges(layout)].to_vec())),
            "angular_velocities" => {
                let dofs = &model.topology.edge_dof[edges(layout)];
                Ok(Shown::Numbers(
                    dofs.iter().map(|dof| state.velocity[*dof]).collect(),
                ))
            }
            "strain" => Ok(strain(model, state, layout)),
            "curvature" => Ok(curvature(model, state, layout)),
            "twist" => twisted(model, state, layout),
            "internal_force" => section_loads(model, state)
                .map(|loads| Shown::Vectors(loads.force[edges(layout)].to_vec())),
            "internal_moment" => section_loads(model, state).map(|loads| {
                Shown::Vectors(at_nodes(
                    layout,
                    &loads.moment[vertices(layout)],
                    DVec3::ZERO,
                ))
            }),
            "fluid_forces" => Ok(fluid_forces(state, layout)),
            _ => {
                let message = format!("rods have no `{what}`");
                return Err(scene_error(py, &message, None, None, None));
            }
        };
        match shown {
            Ok(shown) => shown.into_array(py),
            Err(error) => Err(not_shown(py, &error)),
        }
    }

    /// Every observable: name, unit, value, as in the table of a run.
    fn observables(&self, py: Python<'_>) -> PyResult<Vec<(String, String, f64)>> {
        let work = self.lock(py)?;
        let shown = self.observed(py, &work.core.model, &work.core.state)?;
        let mut all: Vec<Entry> = Vec::new();
        shown.visit(&work.core.model, &mut all);
        Ok(all.into_iter().map(|e| (e.name, e.unit, e.value)).collect())
    }

    /// Contacts between rods, then those with obstacles: arrays by name.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyDict>; 2]> {
        let work = self.lock(py)?;
        let shown = self.observed(py, &work.core.model, &work.core.state)?;
        let (pairs, points) = (&shown.contact_points, &shown.obstacle_points);
        let (between, at) = (PyDict::new(py), PyDict::new(py));
        let rods = pairs.iter().flat_map(|c| c.rods.map(|rod| rod as i64));
        between.set_item(
            "rods",
            integers(py, rods.collect()).reshape([pairs.len(), 2])?,
        )?;
        let arcs: Vec<f64> = pairs.iter().flat_map(|c| c.arcs).collect();
        between.set_item("arcs", arcs.into_pyarray(py).reshape([pairs.len(), 2])?)?;
        between.set_item("gap", numbers(py, pairs.iter().map(|c| c.gap)))?;
        between.set_item("force", numbers(py, pairs.iter().map(|c| c.force)))?;
        between.set_item("at", vectors(py, pairs.iter().map(|c| c.at))?)?;
        between.set_item("normal", vectors(py, pairs.iter().map(|c| c.normal))?)?;
        let obstacles = points.iter().map(|c| c.obstacle as i64).collect();
        at.set_item("obstacle", integers(py, obstacles))?;
        at.set_item(
            "rod",
            integers(py, points.iter().map(|c| c.rod as i64).collect()),
        )?;
        at.set_item("arc", numbers(py, points.iter().map(|c| c.arc)))?;
        at.set_item("gap", numbers(py, points.iter().map(|c| c.gap)))?;
        at.set_item("force", numbers(py, points.iter().map(|c| c.force)))?;
        at.set_item("normal", vectors(py, points.iter().map(|c| c.normal))?)?;
        Ok([between, at])
    }

    /// Energies and their balance, J, by name.
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let work = self.lock(py)?;
        let shown = self.observed(py, &work.core.model, &work.core.state)?;
        let (ledger, all) = (&shown.ledger, PyDict::new(py));
        for (name, value) in [
            ("stretch", shown.elastic.stretch),
            ("bend", shown.elastic.bend),
            ("twist", shown.elastic.twist),
            ("kinetic", shown.kinetic),
            ("loads", shown.load_potential),
            ("contact", shown.contact_energy),
            ("work_loads", ledger.works.loads),
            ("work_supports", ledger.works.supports),
            ("work_motors", ledger.works.motors),
            ("work_contact", ledger.works.contact),
            ("heat_drag", ledger.works.drag),
            ("heat_damping", ledger.works.damping),
            ("heat_friction", ledger.works.friction),
            ("scheme_gain", ledger.scheme),
        ] {
            all.set_item(name, value)?;
        }
        Ok(all)
    }

    /// Rigid bodies: arrays by name.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let work = self.lock(py)?;
        let bodies = self
            .observed(py, &work.core.model, &work.core.state)?
            .bodies;
        let all = PyDict::new(py);
        all.set_item("positions", vectors(py, bodies.iter().map(|b| b.position))?)?;
        all.set_item(
            "velocities",
            vectors(py, bodies.iter().map(|b| b.velocity))?,
        )?;
        all.set_item("spins", vectors(py, bodies.iter().map(|b| b.spin))?)?;
        let turns: Vec<f64> = bodies
            .iter()
            .flat_map(|b| b.orientation.to_array())
            .collect();
        let turns = turns.into_pyarray(py).reshape([bodies.len(), 4])?;
        all.set_item("orientations", turns)?;
        all.set_item("kinetic", numbers(py, bodies.iter().map(|b| b.kinetic)))?;
        Ok(all)
    }
}

impl Simulation {
    fn observed(&self, py: Python<'_>, model: &Model, state: &State) -> PyResult<Observables> {
        let seen = observe(model, state).map_err(|error| not_shown(py, &error));
        // A motion that a function says is asked here, too.
        self.signals.take().map_or(seen, Err)
    }
}

/// Numbers or vectors of a rod.
enum Shown {
    Numbers(Vec<f64>),
    Vectors(Vec<DVec3>),
}

impl Shown {
    fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Numbers(values) => values.into_pyarray(py).into_any(),
            Self::Vectors(values) => vectors(py, values.into_iter())?,
        })
    }
}

fn not_shown(py: Python<'_>, error: &KinematicsError) -> PyErr {
    simulation_error(py, &format!("the state cannot be shown: {error}"), None)
}

fn numbers(py: Python<'_>, values: impl Iterator<Item = f64>) -> Bound<'_, PyArray1<f64>> {
    values.collect::<Vec<_>>().into_pyarray(py)
}

fn integers(py: Python<'_>, values: Vec<i64>) -> Bound<'_, PyArray1<i64>> {
    values.into_pyarray(py)
}

fn vectors(py: Python<'_>, values: impl Iterator<Item = DVec3>) -> PyResult<Bound<'_, PyAny>> {
    let flat: Vec<f64> = values.flat_map(|v| v.to_array()).collect();
    let count = flat.len() / 3;
    Ok(flat.into_pyarray(py).reshape([count, 3])?.into_any())
}

fn edges(rod: &RodLayout) -> std::ops::Range<usize> {
    rod.first_edge..rod.first_edge + rod.edges
}

fn vertices(rod: &RodLayout) -> std::ops::Range<usize> {
    rod.first_vertex..rod.first_vertex + rod.vertices
}

/// Positions or velocities of the nodes of a rod.
fn nodes(model: &Model, rod: &RodLayout, values: &[f64]) -> Shown {
    let dofs = &model.topology.node_dof[rod.first_node..rod.first_node + rod.nodes];
    Shown::Vectors(dofs.iter().map(|dof| position(values, *dof)).collect())
}

/// Material directors m1 of the edges of a rod.
fn directors(model: &Model, state: &State, rod: &RodLayout) -> Shown {
    Shown::Vectors(model.directors(state)[edges(rod)].to_vec())
}

/// Edge vectors of a rod, m.
fn edge_vectors(model: &Model, state: &State, rod: &RodLayout) -> Vec<DVec3> {
    let topology = &model.topology;
    let vector = |nodes: &[usize; 2]| {
        let [a, b] = nodes.map(|node| position(&state.q, topology.node_dof[node]));
        b - a
    };
    topology.edge_nodes[edges(rod)].iter().map(vector).collect()
}

fn strain(model: &Model, state: &State, rod: &RodLayout) -> Shown {
    let rest = &model.rest_length[edges(rod)];
    let vectors = edge_vectors(model, state, rod);
    let strains = vectors.iter().zip(rest).map(|(e, l)| e.length() / l - 1.0);
    Shown::Numbers(strains.collect())
}

/// Values of the vertices of a rod at its nodes; of open rods the ends have none.
fn at_nodes<T: Copy>(rod: &RodLayout, of_vertices: &[T], none: T) -> Vec<T> {
    let mut all = vec![none; rod.nodes];
    // Vertices begin at the second node.
    for (i, value) in of_vertices.iter().enumerate() {
        all[(i + 1) % rod.nodes] = *value;
    }
    all
}

/// Half the rest lengths of both edges of a vertex, m.
fn voronoi(model: &Model, vertex: usize) -> f64 {
    let lengths = model.topology.vertex_edges[vertex].map(|edge| model.rest_length[edge]);
    0.5 * (lengths[0] + lengths[1])
}

/// Curvature binormal over the Voronoi length, 1/m, of the nodes of a rod.
fn curvature(model: &Model, state: &State, rod: &RodLayout) -> Shown {
    let vectors = edge_vectors(model, state, rod);
    let of = |vertex: usize| {
        let [m, p] = model.topology.vertex_edges[vertex]
            .map(|edge| vectors[edge - rod.first_edge].normalize_or_zero());
        2.0 * m.cross(p) / ((1.0 + m.dot(p)) * voronoi(model, vertex))
    };
    let own: Vec<DVec3> = vertices(rod).map(of).collect();
    Shown::Vectors(at_nodes(rod, &own, DVec3::ZERO))
}

/// Twist over the Voronoi length, rad/m, of the nodes of a rod.
fn twisted(model: &Model, state: &State, rod: &RodLayout) -> Result<Shown, KinematicsError> {
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &state.frames, &state.q)?;
    let of = |vertex| twist(model, &kinematics, &state.q, vertex) / voronoi(model, vertex);
    let own: Vec<f64> = vertices(rod).map(of).collect();
    Ok(Shown::Numbers(at_nodes(rod, &own, 0.0)))
}

/// Force of the fluid on the nodes of a rod, N; none without a fluid whose flow couples all nodes.
fn fluid_forces(state: &State, rod: &RodLayout) -> Shown {
    let forces = state.hydrodynamic_force.as_chunks().0.iter();
    let own = forces.skip(rod.first_node).take(rod.nodes);
    let own: Vec<DVec3> = own.map(|f: &[f64; 3]| DVec3::from_array(*f)).collect();
    Shown::Vectors(if own.is_empty() {
        vec![DVec3::ZERO; rod.nodes]
    } else {
        own
    })
}
