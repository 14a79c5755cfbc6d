//! Edges, frames and the reference twist at a trial configuration.
//!
//! Reference directors are carried by parallel transport in time *from the start of the step*, so
//! that everything here is a pure function of (frames at the start, trial q).

mod batch;
mod rows;
mod twists;

use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Topology;
use super::geometry::{outer, skew};
use super::rotation::cayley;
use batch::{EdgeInput, evaluate};
use rows::EdgeRows;
pub(crate) use rows::{EdgeWindow, Gathered, row};

use crate::threads;

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

/// The axis of an edge, and how its frame turns about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeAxis {
    /// Length |e|, m.
    pub length: f64,
    /// Unit tangent t.
    pub tangent: DVec3,
    /// Unit tangent t0 at the start of the step.
    pub tangent_start: DVec3,
    /// a, as [`EdgeGeometry::spin`], 1/m.
    pub spin: DVec3,
}

/// Geometry of all edges and vertices at a trial configuration.
#[derive(Debug, Default)]
pub struct Kinematics {
    rows: EdgeRows,
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
    /// An edge where `frames` are, with the unknowns `q`, `(dofs)`.
    pub(crate) fn of_frame(frames: &Frames, topology: &Topology, q: &[f64], edge: usize) -> Self {
        let [a, b] = topology.at_ends(q, edge);
        let (tangent, director) = (frames.tangent[edge], frames.director[edge]);
        let [m1, m2] = turned(tangent, director, q[topology.edge_dof[edge]]);
        Self {
            length: (b - a).length(),
            tangent,
            director,
            m1,
            m2,
            tangent_start: tangent,
            ..Self::default()
        }
    }

    /// Geometry of the edge vector `e`, m, with angle `theta`, its frame carried from `start`
    /// (tangent, director). `edge` is the rod and the edge of the rod, for errors.
    pub(crate) fn at(
        start: (DVec3, DVec3),
        e: DVec3,
        theta: f64,
        edge: [usize; 2],
    ) -> Result<Self, KinematicsError> {
        let input = EdgeInput {
            start,
            vector: e,
            angle: theta,
        };
        let mut rows = EdgeRows::default();
        rows.resize(1);
        evaluate((0, 1), parts(&mut rows), |_| input, |_| edge)?;
        Ok(rows.edge(0))
    }
}

/// All rows at once.
fn parts(rows: &mut EdgeRows) -> [&mut [f64]; row::COUNT] {
    let mut rows = rows.rows_mut();
    std::array::from_fn(|_| rows.next().unwrap_or_default())
}

/// Material directors m1, m2 at `theta` from the reference director `d1`.
fn turned(t: DVec3, d1: DVec3, theta: f64) -> [DVec3; 2] {
    let d2 = t.cross(d1);
    let (sin, cos) = theta.sin_cos();
    [cos * d1 + sin * d2, cos * d2 - sin * d1]
}

impl EdgeGeometry {
    /// What of it is known without its directors.
    pub(crate) fn axis(&self) -> EdgeAxis {
        EdgeAxis {
            length: self.length,
            tangent: self.tangent,
            tangent_start: self.tangent_start,
            spin: self.spin,
        }
    }

    /// As [`EdgeAxis::spin_jacobian`].
    pub(crate) fn spin_jacobian(&self) -> DMat3 {
        self.axis().spin_jacobian()
    }

    /// As [`EdgeAxis::tangent_jacobian`].
    pub(crate) fn tangent_jacobian(&self) -> DMat3 {
        self.axis().tangent_jacobian()
    }
}

impl EdgeAxis {
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

impl Clone for Kinematics {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            twist: self.twist.clone(),
            orientation: self.orientation.clone(),
        }
    }

    /// Into the storage at hand.
    fn clone_from(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.twist.clone_from(&other.twist);
        self.orientation.clone_from(&other.orientation);
    }
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
        let edges = topology.edges();
        self.rows.resize(edges);
        self.twist.resize(topology.vertices(), 0.0);
        let input = |i: usize| {
            let [a, b] = topology.edge_nodes[i].map(|node| topology.node_dof[node]);
            // Along a rod the unknowns of an edge and its ends follow each other.
            let (vector, angle) = match q[a..].first_chunk() {
                Some([x, y, z, angle, u, v, w]) if b == a + 4 => {
                    (DVec3::new(u - x, v - y, w - z), *angle)
                }
                _ => (position(q, b) - position(q, a), q[topology.edge_dof[i]]),
            };
            EdgeInput {
                start: (start.tangent[i], start.director[i]),
                vector,
                angle,
            }
        };
        let name = |i| topology.edge_in_rod(i);
        // Each edge is a function of its own unknowns, so both ways give the same bits.
        if edges < PARALLEL_FROM || threads::count() == 1 {
            evaluate((0, edges), parts(&mut self.rows), input, name)?;
        } else {
            let mut chunks: Vec<_> = (self.rows.rows_mut())
                .map(|row| row.chunks_mut(CHUNK))
                .collect();
            let chunks: Vec<[&mut [f64]; row::COUNT]> = (0..edges.div_ceil(CHUNK))
                .map(|_| std::array::from_fn(|k| chunks[k].next().unwrap_or_default()))
                .collect();
            chunks
                .into_par_iter()
                .enumerate()
                .try_for_each(|(i, out)| {
                    let first = i * CHUNK;
                    evaluate((first, CHUNK.min(edges - first)), out, input, name)
                })?;
        }
        twists::evaluate(topology, &self.rows, &start.twist, &mut self.twist)?;
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
            let (tangent, director) = (self.tangent(edge), self.director(edge));
            let [m1, m2] = turned(tangent, director, q[topology.edge_dof[edge]]);
            self.rows.set_vector(row::M1, edge, m1);
            self.rows.set_vector(row::M2, edge, m2);
        }
    }

    /// Takes frames for carried along without spin: what gradients are worth then shows how much it
    /// matters (decision 0002).
    pub fn leave_out_spins(&mut self) {
        for edge in 0..self.len() {
            self.rows.set_vector(row::SPIN, edge, DVec3::ZERO);
        }
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.rows.edges()
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An edge.
    #[inline]
    pub fn edge(&self, edge: usize) -> EdgeGeometry {
        self.rows.edge(edge)
    }

    /// The axis of an edge.
    #[inline]
    pub(crate) fn axis(&self, edge: usize) -> EdgeAxis {
        self.rows.axis(edge)
    }

    /// All edges, one after the other.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeGeometry> + '_ {
        (0..self.len()).map(|edge| self.edge(edge))
    }

    /// Length of an edge, m.
    #[inline]
    pub fn length(&self, edge: usize) -> f64 {
        self.rows.number(row::LENGTH, edge)
    }

    /// Unit tangent of an edge.
    #[inline]
    pub fn tangent(&self, edge: usize) -> DVec3 {
        self.rows.vector(row::TANGENT, edge)
    }

    /// Reference director of an edge.
    #[inline]
    pub fn director(&self, edge: usize) -> DVec3 {
        self.rows.vector(row::DIRECTOR, edge)
    }

    /// Eight edges side by side, from `first` on; places beyond the last edge hold what nobody asks
    /// for.
    #[inline(always)]
    pub(crate) fn window(&self, first: usize) -> EdgeWindow<'_> {
        self.rows.window(first)
    }

    /// The edges before and after each of at most eight vertices, side by side; those that do not
    /// follow each other along a rod are copied to `gathered`.
    #[inline(always)]
    pub(crate) fn around<'a>(
        &'a self,
        topology: &Topology,
        vertices: Range<usize>,
        gathered: &'a mut [Gathered; 2],
    ) -> [EdgeWindow<'a>; 2] {
        rows::around(&self.rows, topology, vertices, gathered)
    }

    /// The frames here, from which the next step starts.
    pub fn frames(&self) -> Frames {
        Frames {
            tangent: (0..self.len()).map(|edge| self.tangent(edge)).collect(),
            director: (0..self.len()).map(|edge| self.director(edge)).collect(),
            twist: self.twist.clone(),
            orientation: self.orientation.clone(),
        }
    }
}
