//! Where welded nodes and angles are when a body has turned.

use glam::{DMat3, DQuat, DVec3};

use crate::bodies::Assembly;
use crate::rod::geometry::{orthonormalize, parallel_transport, signed_angle, unwrap_angle};
use crate::rod::kinematics::{EdgeGeometry, KinematicsError, position};
use crate::rod::rotation::{cayley, spin_of_change};
use crate::rod::{Frames, Topology};

/// A body at a trial stage.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turn {
    /// Cayley vector of the whole step.
    pub cayley: DVec3,
    /// Orientation at the start of the step, R0.
    pub start: DMat3,
    /// Orientation at its end, R1.
    pub end: DMat3,
    /// Spin at the end by change of the Cayley vector, T.
    pub spin: DMat3,
    /// Whether the stage is the middle of the step: half of the step's Cayley vector is the
    /// unknown, and positions are means.
    pub middle: bool,
}

impl Turn {
    /// The turn from `orientation` at the start of the step by the stage's unknown `turn`.
    pub(crate) fn new(orientation: DQuat, turn: DVec3, middle: bool) -> Self {
        // A midpoint stage has half of the step's Cayley vector as its unknown.
        let w = if middle { 2.0 * turn } else { turn };
        let start = DMat3::from_quat(orientation);
        Self {
            cayley: w,
            start,
            end: DMat3::from_quat(cayley(w)) * start,
            spin: spin_of_change(w),
            middle,
        }
    }

    /// Where a vector of the body is at the stage.
    pub(crate) fn at_stage(&self, vector: DVec3) -> DVec3 {
        if self.middle {
            0.5 * (self.start * vector + self.end * vector)
        } else {
            self.end * vector
        }
    }

    /// A welded edge at the end of the step.
    ///
    /// # Errors
    /// See [`KinematicsError`].
    pub(crate) fn edge_at_end(
        &self,
        weld: &crate::bodies::Weld,
        frames: &Frames,
        topology: &Topology,
    ) -> Result<EdgeGeometry, KinematicsError> {
        let e = weld.edge;
        let start = (frames.tangent[e], frames.director[e]);
        EdgeGeometry::at(start, self.end * weld.vector, 0.0, topology.edge_in_rod(e))
    }

    /// The angle of a welded edge at the stage; `before` is that at the start of the step.
    pub(crate) fn angle(&self, weld: &crate::bodies::Weld, frames: &Frames, before: f64) -> f64 {
        let (t0, d0) = (frames.tangent[weld.edge], frames.director[weld.edge]);
        let t = (self.end * weld.vector).normalize();
        // theta from d1 of the step's start, carried along, to m1, which turns with the body.
        let carried = parallel_transport(d0, t0, t);
        let wanted = orthonormalize(self.end * weld.director, t);
        let end = unwrap_angle(signed_angle(carried, wanted, t), before);
        if self.middle {
            0.5 * (before + end)
        } else {
            end
        }
    }
}

/// Writes the unknowns that follow a body at the stage `y`.
pub(crate) fn place(
    assembly: &Assembly,
    turn: &Turn,
    body_dof: usize,
    topology: &Topology,
    frames: &Frames,
    q_start: &[f64],
    y: &mut [f64],
) {
    let x = position(y, body_dof);
    for welded in &assembly.nodes {
        let dof = topology.node_dof[welded.node];
        // x = X + R c
        y[dof..dof + 3].copy_from_slice(&(x + turn.at_stage(welded.arm)).to_array());
    }
    for weld in &assembly.welds {
        let dof = topology.edge_dof[weld.edge];
        y[dof] = turn.angle(weld, frames, q_start[dof]);
    }
}
