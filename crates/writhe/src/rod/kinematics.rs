//! Edges, frames and the reference twist at a trial configuration.
//!
//! Reference directors are carried by parallel transport in time *from the start of the step*, so
//! that everything here is a pure function of (frames at the start, trial q).

mod batch;

use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Topology;
use super::geometry::{outer, skew, unwrap_angle};
use super::rotation::cayley;
use batch::{EdgeInput, evaluate};

/// Reference frames at the start of a step: part of the state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Frames {
    /// Unit tangents t0, `(edges)`.
    pub tangent: Vec<DVec3>,
    /// Reference directors d1, `(edges)`.
    pub director: Vec<DVec3>,
    /// Reference twist m_ref between the two edges of each vertex, rad, never wrapped,
    /// `(vertices)`.
    pub twist: Vec<f64>,
    /// Orientation of each rigid body: takes its axes to those of the scene, `(bodies)`.
    #[serde(default)]
    pub orientation: Vec<DQuat>,
}

/// One edge at a trial configuration.
#[derive(Debug, Clone, Copy, Default)]
pub struct EdgeGeometry {
    /// Length |e|, m.
    pub length: f64,
    /// Unit tangent t.
    pub tangent: DVec3,
    /// Reference director d1.
    pub director: DVec3,
    /// Material director m1.
    pub m1: DVec3,
    /// Material director m2.
    pub m2: DVec3,
    /// Unit tangent t0 at the start of the step.
    pub tangent_start: DVec3,
    /// Gradient of the frame's spin about t with respect to the edge vector, 1/m:
    /// `a = -(t0 x t) / (|e| (1 + t0 . t))`, zero at the start of the step.
    pub spin: DVec3,
    /// Symmetric part of the derivative of `spin`, 1/m^2.
    pub spin_gradient: DMat3,
}

/// Geometry of all edges and vertices at a trial configuration.
#[derive(Debug, Clone, Default)]
pub struct Kinematics {
    /// `(edges)`.
    pub edges: Vec<EdgeGeometry>,
    /// Reference twist, rad, `(vertices)`.
    pub twist: Vec<f64>,
    /// Orientation of each rigid body, turned from that at the start of the step by its Cayley
    /// vector in q, `(bodies)`.
    pub orientation: Vec<DQuat>,
}

/// An edge that no frame can follow.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KinematicsError {
    /// Two nodes fell together or a coordinate is not finite.
    #[error("edge {} of rod {} has no direction (length {length:e} m)", edge[1], edge[0])]
    Degenerate {
        /// Rod, and edge of the rod.
        edge: [usize; 2],
        /// Its length, m.
        length: f64,
    },
    /// The tangent turned so far in one step that transport is not defined.
    #[error("edge {} of rod {} turned by more than 160 degrees in one step", edge[1], edge[0])]
    TurnedTooFar {
        /// Rod, and edge of the rod.
        edge: [usize; 2],
    },
    /// Two consecutive edges point in opposite directions.
    #[error("rod {} is folded flat at node {}", node[0], node[1])]
    Folded {
        /// Rod, and node of the rod.
        node: [usize; 2],
    },
}

/// Cosine of the largest turn of an edge within a step (160 degrees).
const MAX_TURN_COSINE: f64 = -0.94;
/// Cosine of the largest angle between consecutive edges.
pub(super) const MAX_FOLD_COSINE: f64 = -0.999_999;
/// Below this many edges a loop is faster than the pool.
const PARALLEL_FROM: usize = 2048;
/// Edges that a thread takes at once.
const CHUNK: usize = 256;

/// Position of a node, m.
#[inline]
pub fn position(q: &[f64], dof: usize) -> DVec3 {
    DVec3::new(q[dof], q[dof + 1], q[dof + 2])
}

impl EdgeGeometry {
    /// Geometry of the edge vector `e`, m, with angle `theta`, its frame carried from `start`
    /// (tangent, director). `edge` is the rod and the edge of the rod, for errors.
    pub(crate) fn at(
        start: (DVec3, DVec3),
        e: DVec3,
        theta: f64,
        edge: [usize; 2],
    ) -> Result<Self, KinematicsError> {
        let mut found = Self::default();
        let input = EdgeInput {
            start,
            vector: e,
            angle: theta,
        };
        evaluate(0, std::slice::from_mut(&mut found), |_| input, |_| edge)?;
        Ok(found)
    }
}

/// Material directors m1, m2 at `theta` from the reference director `d1`.
fn turned(t: DVec3, d1: DVec3, theta: f64) -> [DVec3; 2] {
    let d2 = t.cross(d1);
    let (sin, cos) = theta.sin_cos();
    [cos * d1 + sin * d2, cos * d2 - sin * d1]
}

impl EdgeGeometry {
    /// Derivative of `spin` by the edge vector, 1/m^2: its symmetric part and the antisymmetric one
    /// that elastic energies do not need.
    pub(crate) fn spin_jacobian(&self) -> DMat3 {
        let (t0, t, length) = (self.tangent_start, self.tangent, self.length);
        let cos = t0.dot(t);
        // da/de = -[t0]x/D + (t0 x e) (dD/de)^T/D^2
        let denominator = length * length * (1.0 + cos);
        let slope = 2.0 * t * length + t0 * length + t * (cos * length);
        (skew(t0) * -denominator + outer(t0.cross(t) * length, slope))
            * (1.0 / (denominator * denominator))
    }

    /// Derivative of the tangent by the edge vector, 1/m: `(I - t t^T) / |e|`.
    pub(crate) fn tangent_jacobian(&self) -> DMat3 {
        (DMat3::IDENTITY - outer(self.tangent, self.tangent)) * (1.0 / self.length)
    }
}

/// Angle m_ref (T22 Eq. 4), rad, from the director of the edge before, carried along by parallel
/// transport, to that of the edge after, between edges at an angle of this cosine.
fn reference_twist(minus: &EdgeGeometry, plus: &EdgeGeometry, cos: f64) -> f64 {
    // d1- is normal to t-: transport takes it to d1- - (d1- . t+)/(1 + cos) (t- + t+). What of that
    // is along t+ has no part along either director of the edge after.
    let (carried, d1) = (minus.director, plus.director);
    let along = carried.dot(plus.tangent) / (1.0 + cos);
    let d2 = plus.tangent.cross(d1);
    // Where the carried director is about t+, from d1+ on: as far as that, back, is d1+ from it.
    let x = carried.dot(d1) - along * minus.tangent.dot(d1);
    let y = carried.dot(d2) - along * minus.tangent.dot(d2);
    (-y).atan2(x)
}

impl Kinematics {
    /// Evaluates all edges and vertices at `q`, `(dofs)`, with frames carried from `start`.
    ///
    /// # Errors
    /// See [`KinematicsError`]; the step that led here must be shortened.
    pub fn update(
        &mut self,
        topology: &Topology,
        start: &Frames,
        q: &[f64],
    ) -> Result<(), KinematicsError> {
        self.edges.resize(topology.edges(), EdgeGeometry::default());
        self.twist.resize(topology.vertices(), 0.0);
        let input = |i: usize| {
            let [a, b] = topology.at_ends(q, i);
            EdgeInput {
                start: (start.tangent[i], start.director[i]),
                vector: b - a,
                angle: q[topology.edge_dof[i]],
            }
        };
        let name = |i| topology.edge_in_rod(i);
        // Each edge is a function of its own unknowns, so both ways give the same bits.
        if self.edges.len() < PARALLEL_FROM {
            evaluate(0, &mut self.edges, input, name)?;
        } else {
            let chunks = self.edges.par_chunks_mut(CHUNK).enumerate();
            chunks.try_for_each(|(i, out)| evaluate(i * CHUNK, out, input, name))?;
        }
        for (vertex, twist) in self.twist.iter_mut().enumerate() {
            let [minus, plus] = topology.vertex_edges[vertex].map(|e| &self.edges[e]);
            let cos = minus.tangent.dot(plus.tangent);
            if cos < MAX_FOLD_COSINE {
                let node = topology.vertex_nodes[vertex][1];
                return Err(KinematicsError::Folded {
                    node: topology.node_in_rod(node),
                });
            }
            *twist = unwrap_angle(reference_twist(minus, plus, cos), start.twist[vertex]);
        }
        self.orientation.clear();
        let bodies = start.orientation.iter().zip(&topology.body_dof);
        self.orientation.extend(
            // R = cay(w) R0; six unknowns a body, X and then w.
            bodies.map(|(before, dof)| (cayley(position(q, dof + 3)) * *before).normalize()),
        );
        Ok(())
    }

    /// Turns the material frames of `edges` to the angles in `q`, `(dofs)`; nothing else depends on
    /// them.
    pub fn turn(&mut self, topology: &Topology, edges: Range<usize>, q: &[f64]) {
        for edge in edges {
            let e = &mut self.edges[edge];
            [e.m1, e.m2] = turned(e.tangent, e.director, q[topology.edge_dof[edge]]);
        }
    }

    /// The frames here, from which the next step starts.
    pub fn frames(&self) -> Frames {
        Frames {
            tangent: self.edges.iter().map(|e| e.tangent).collect(),
            director: self.edges.iter().map(|e| e.director).collect(),
            twist: self.twist.clone(),
            orientation: self.orientation.clone(),
        }
    }
}
