//! What the parts of a rod exert on each other.
//!
//! The elastic energy is a function of edge vectors e and angles theta. Across edge j the part of
//! the rod after it pulls the part before it by `n_j = dE/de_j`: then the elastic force on the node
//! between edges i-1 and i is `n_i - n_(i-1)`. Across a vertex it turns it by
//! `m = e+ x dE_v/de+ + t+ dE_v/dth+`, with the energy E_v of the vertex alone: minus what the
//! vertex does to the edge after it, a couple of forces and a torque about the tangent.

use glam::DVec3;

use super::gather;
use crate::kernels::elastic::batch::{BATCH, VertexBatch, VertexDerivatives};
use crate::kernels::elastic::derivatives::differentiate;
use crate::kernels::elastic::stretch;
use crate::model::Model;
use crate::response::{Response, rods_of};
use crate::rod::Kinematics;
use crate::rod::kinematics::{Gathered, KinematicsError};
use crate::state::State;

/// What the part of a rod after a section exerts on the part before it, in the axes of the scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SectionLoads {
    /// Force across each edge, N, tension along the tangent, `(edges)`.
    pub force: Vec<DVec3>,
    /// Moment across each vertex, N m, bending and twist together, `(vertices)`.
    pub moment: Vec<DVec3>,
}

/// The elastic force across every edge and the elastic moment across every vertex of a state.
///
/// # Errors
/// When the state has an edge without direction, which no accepted state has.
pub fn section_loads(model: &Model, state: &State) -> Result<SectionLoads, KinematicsError> {
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &state.frames, &state.q)?;
    let response = Response::of_state(model, state, true);
    let rods = rods_of(model, response.as_ref());
    let edges = kinematics.edges().enumerate();
    let axial = edges.map(|(edge, e)| match state.tension.get(edge) {
        Some(force) => e.tangent * *force,
        None => stretch::gradient(
            rods.stretching[edge],
            rods.rest_length[edge],
            e.length,
            e.tangent,
        ),
    });
    let mut loads = SectionLoads {
        force: axial.collect(),
        moment: Vec::with_capacity(model.topology.vertices()),
    };
    let mut batch = VertexBatch::default();
    let mut derivatives = VertexDerivatives::default();
    let mut gathered = [Gathered::default(); 2];
    for first in (0..model.topology.vertices()).step_by(BATCH) {
        let vertices = first..(first + BATCH).min(model.topology.vertices());
        gather(&rods, &kinematics, &state.q, vertices.clone(), &mut batch);
        let edges = kinematics.around(&model.topology, vertices.clone(), &mut gathered);
        differentiate(&batch, edges, false, &mut derivatives);
        for (lane, vertex) in vertices.enumerate() {
            let g = derivatives.gradient.map(|column| column[lane]);
            let [before, after] = [0, 4].map(|k| DVec3::new(g[k], g[k + 1], g[k + 2]));
            let [minus, plus] = model.topology.vertex_edges[vertex];
            loads.force[minus] += before;
            loads.force[plus] += after;
            let e = kinematics.edge(plus);
            let couple = (e.tangent * e.length).cross(after);
            loads.moment.push(couple + e.tangent * g[7]);
        }
    }
    Ok(loads)
}
