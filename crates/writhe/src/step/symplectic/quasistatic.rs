//! The quasistatic material frame (B08 section 5): angles that nothing prescribes are where the
//! energy is least.
//!
//! Twist waves are much faster than bending waves, so the inertia of angles is left out:
//! `dE/dtheta_j = T_j` (B08 Eq. 4, with the torque T of loads). Newton's method on the tridiagonal
//! Hessian with a line search; of isotropic straight rods, whose bending does not see the angles,
//! the closed form: one twisting moment between held angles (B08 Eq. 5), none beyond the last.
//!
//! There `dE/dx` at constant angles is the total derivative of B08 section 7.1. With frames carried
//! in time an angle that is held is not changed by the motion of the centreline, and no other does
//! work; B08, with frames carried along the rod, subtracts from theta_n the sum of holonomies,
//! which is the same (`tests/core/tests/statics/quasistatic.rs`).

use crate::forces::{ByAngles, by_angles};
use crate::model::Model;
use crate::rod::{Kinematics, RodLayout};
use crate::solve::Poll;
use crate::solve::tridiagonal::{Tridiagonal, TridiagonalFactor};
use crate::step::StepError;

/// Residual torque over the stiffness, rad, at which angles are found, besides rounding.
const TOLERANCE: f64 = 1e-13;
/// Newton iterations before they are given up.
const MAX_ITERATIONS: u32 = 100;
/// Decrease of the energy over what its slope foretells that the line search asks for.
const ARMIJO: f64 = 1e-4;
/// Smallest part of a correction that is tried.
const SHORTEST: f64 = 1e-10;

/// Disposable storage.
#[derive(Debug, Default)]
pub(in crate::step) struct Quasistatic {
    parts: Vec<ByAngles>,
    gradient: Vec<f64>,
    hessian: Tridiagonal,
    factor: TridiagonalFactor,
    /// Asked by what can take long.
    pub poll: Poll,
}

/// What angles balance at.
pub(super) struct Angles<'a> {
    pub model: &'a Model,
    /// Which unknowns are prescribed, `(dofs)`.
    pub held: &'a [bool],
    /// Torque of loads on each angle, N m, among `(dofs)`.
    pub torque: &'a [f64],
}

impl Quasistatic {
    /// Moves the free angles in `q` to balance and turns the material frames of `kinematics` with
    /// them.
    pub(super) fn relax(
        &mut self,
        angles: &Angles,
        kinematics: &mut Kinematics,
        q: &mut [f64],
    ) -> Result<(), StepError> {
        let topology = &angles.model.topology;
        for (index, rod) in topology.rods.iter().enumerate() {
            let edges = rod.first_edge..rod.first_edge + rod.edges;
            if angles.uniform(rod) {
                angles.set_uniform_twist(rod, kinematics, q);
                kinematics.turn(topology, edges, q);
            } else {
                self.newton(angles, (index, rod), kinematics, q)?;
            }
        }
        Ok(())
    }

    fn newton(
        &mut self,
        angles: &Angles,
        (index, rod): (usize, &RodLayout),
        kinematics: &mut Kinematics,
        q: &mut [f64],
    ) -> Result<(), StepError> {
        let topology = &angles.model.topology;
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        let mut residual = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.poll.check()?;
            let energy = self.evaluate(angles, rod, kinematics, q);
            let scale = self
                .hessian
                .diagonal
                .iter()
                .fold(0.0, |a: f64, d| a.max(d.abs()));
            residual = self.gradient.iter().fold(0.0, |a: f64, g| a.max(g.abs()));
            let reach = edges
                .clone()
                .fold(0.0, |a: f64, e| a.max(q[topology.edge_dof[e]].abs()));
            // Torque over stiffness, but not below the rounding of the angles.
            if residual <= scale * (TOLERANCE + 8.0 * f64::EPSILON * reach) {
                return Ok(());
            }
            let Some(correction) = self.correction(angles, rod, scale) else {
                break;
            };
            // d energy/d alpha
            let slope: f64 = correction
                .iter()
                .zip(&self.gradient)
                .map(|(d, g)| d * g)
                .sum();
            let before: Vec<f64> = edges.clone().map(|e| q[topology.edge_dof[e]]).collect();
            // What rounding can do to the energy.
            let noise = 1e-14 * energy.abs() + f64::EPSILON * scale * reach;
            let mut alpha = 1.0;
            loop {
                for (i, edge) in edges.clone().enumerate() {
                    q[topology.edge_dof[edge]] = before[i] + alpha * correction[i];
                }
                kinematics.turn(topology, edges.clone(), q);
                // Armijo, up to rounding.
                let wanted = energy + ARMIJO * alpha * slope + noise;
                if self.evaluate(angles, rod, kinematics, q) <= wanted || alpha < SHORTEST {
                    break;
                }
                alpha *= 0.5;
            }
        }
        Err(StepError::UnbalancedAngles {
            rod: index,
            residual,
        })
    }

    /// Potential of the angles of a rod, J, with its gradient and Hessian.
    fn evaluate(
        &mut self,
        angles: &Angles,
        rod: &RodLayout,
        kinematics: &Kinematics,
        q: &[f64],
    ) -> f64 {
        let model = angles.model;
        let vertices = rod.first_vertex..rod.first_vertex + rod.vertices;
        let mut energy = by_angles(model, kinematics, q, vertices, &mut self.parts);
        self.gradient.clear();
        self.gradient.resize(rod.edges, 0.0);
        self.hessian.reset(rod.edges, rod.closed);
        for (i, part) in self.parts.iter().enumerate() {
            // Vertex i joins the edges i and i + 1, round the seam of a ring.
            let ends = [i, (i + 1) % rod.edges];
            for (side, end) in ends.into_iter().enumerate() {
                self.gradient[end] += part.gradient[side];
                self.hessian.diagonal[end] += part.diagonal[side];
            }
            *self.hessian.next(i) += part.mixed;
        }
        for i in 0..rod.edges {
            let dof = model.topology.edge_dof[rod.first_edge + i];
            if angles.held[dof] {
                self.gradient[i] = 0.0;
            } else {
                // E - sum T_j theta_j, with the gradient dE/dtheta - T at free angles.
                self.gradient[i] -= angles.torque[dof];
                energy -= angles.torque[dof] * q[dof];
            }
        }
        energy
    }

    /// Newton's correction, with the Hessian shifted until it is positive definite: angles of a
    /// free rod, say, may all turn.
    fn correction(&mut self, angles: &Angles, rod: &RodLayout, scale: f64) -> Option<Vec<f64>> {
        for i in 0..rod.edges {
            if angles.held[angles.model.topology.edge_dof[rod.first_edge + i]] {
                // A held angle stands alone, with a pivot of the size of the others.
                self.hessian.fix(i);
                self.hessian.diagonal[i] = scale;
            }
        }
        let mut shift = 0.0;
        while !self.hessian.factor(shift, &mut self.factor) {
            shift = if shift == 0.0 {
                1e-9 * scale
            } else {
                10.0 * shift
            };
            if shift.is_nan() || shift >= 1e3 * scale {
                return None;
            }
        }
        let mut correction: Vec<f64> = self.gradient.iter().map(|g| -g).collect();
        self.factor.solve(&mut correction);
        Some(correction)
    }
}

impl Angles<'_> {
    /// Largest residual torque on a free angle over the largest stiffness of a vertex, rad, of the
    /// gradient of the elastic energy.
    pub fn residual(&self, gradient: &[f64]) -> f64 {
        let dofs = self.model.topology.edge_dof.iter();
        let free = dofs.filter(|dof| !self.held[**dof]);
        let stiffest = self
            .model
            .twisting
            .iter()
            .fold(0.0, |a: f64, t| a.max(t.stiffness));
        let torque = free.fold(0.0, |a: f64, dof| {
            a.max((gradient[*dof] - self.torque[*dof]).abs())
        });
        if torque > 0.0 { torque / stiffest } else { 0.0 }
    }

    /// Whether twist is uniform between held angles: nothing but twisting and what holds them acts
    /// on the angles of this rod.
    fn uniform(&self, rod: &RodLayout) -> bool {
        let model = self.model;
        let mut vertices = rod.first_vertex..rod.first_vertex + rod.vertices;
        let mut edges = rod.first_edge..rod.first_edge + rod.edges;
        vertices.all(|v| model.elasticity(v).ignores_angles())
            && edges.all(|e| {
                let dof = model.topology.edge_dof[e];
                self.held[dof] || self.torque[dof] == 0.0
            })
    }

    fn set_uniform_twist(&self, rod: &RodLayout, kinematics: &Kinematics, q: &mut [f64]) {
        let dof = |edge: usize| self.model.topology.edge_dof[rod.first_edge + edge % rod.edges];
        let held: Vec<usize> = (0..rod.edges).filter(|e| self.held[dof(*e)]).collect();
        let [first, last] = match (held.first(), held.last()) {
            (Some(first), Some(last)) => [*first, *last],
            // A free rod keeps the angle of its first edge, and so does a ring.
            _ => [0, 0],
        };
        // One moment between two held angles, none beyond the last (B08 Eq. 5).
        for ends in held.windows(2) {
            self.twist_between(rod, kinematics, [ends[0], ends[1]], q);
        }
        if rod.closed {
            // Round a ring the last held angle is followed by the first again.
            self.twist_between(rod, kinematics, [last, first + rod.edges], q);
        } else {
            for edge in last + 1..rod.edges {
                q[dof(edge)] = q[dof(edge - 1)] + self.untwisted(rod, kinematics, edge - 1);
            }
            for edge in (0..first).rev() {
                q[dof(edge)] = q[dof(edge + 1)] - self.untwisted(rod, kinematics, edge);
            }
        }
    }

    /// Difference of the angles at a vertex without twisting moment, rad.
    fn untwisted(&self, rod: &RodLayout, kinematics: &Kinematics, vertex: usize) -> f64 {
        let vertex = rod.first_vertex + vertex % rod.vertices.max(1);
        self.model.twisting[vertex].rest - kinematics.twist[vertex]
    }

    /// Angles between two edges, the second of which may lie behind the seam of a ring: one moment,
    /// `M = sum (tau - rest) / sum 1/k`.
    fn twist_between(
        &self,
        rod: &RodLayout,
        kinematics: &Kinematics,
        [from, to]: [usize; 2],
        q: &mut [f64],
    ) {
        let dof = |edge: usize| self.model.topology.edge_dof[rod.first_edge + edge % rod.edges];
        let compliance = |vertex: usize| {
            1.0 / self.model.twisting[rod.first_vertex + vertex % rod.vertices].stiffness
        };
        let free: f64 = (from..to).map(|v| self.untwisted(rod, kinematics, v)).sum();
        let total: f64 = (from..to).map(compliance).sum();
        // M = sum (tau - rest) / sum 1/k
        let moment = (q[dof(to)] - q[dof(from)] - free) / total;
        for edge in from + 1..to {
            let vertex = edge - 1;
            // tau - rest = M/k at each vertex.
            let step = self.untwisted(rod, kinematics, vertex) + moment * compliance(vertex);
            q[dof(edge)] = q[dof(edge - 1)] + step;
        }
    }
}
