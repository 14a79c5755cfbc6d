//! Magnetised rods in a magnetic field.
//!
//! An edge whose material keeps its magnetisation ("hard", Wang et al. 2020, J. Mech. Phys. Solids
//! 142, 104045) has a moment mu that turns with its material frame; its energy is `-mu . B(x)` with
//! the field at its middle. The torque `mu x B` acts on the edge, the force `G^T mu` with the field's
//! gradient G on its nodes.

use glam::{DMat3, DQuat, DVec3};

use super::Load;
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::geometry::{outer, skew};
use crate::rod::kinematics::EdgeGeometry;
use crate::schedule::{Schedule, endless};

/// A magnetic field: uniform, with a uniform gradient on top of it.
#[derive(Debug, Clone)]
pub struct MagneticField {
    /// B at the origin, T.
    pub uniform: DVec3,
    /// `dB_i/dx_j`, T/m: symmetric and without trace, as where no current flows.
    pub gradient: DMat3,
    /// Factor in time.
    pub amplitude: Schedule,
    /// Axis about which the field turns, its length of no matter.
    pub axis: DVec3,
    /// Rate at which it turns, rad/s.
    pub rate: f64,
}

impl MagneticField {
    /// B at the origin and its gradient at `time`, s.
    fn at(&self, time: f64) -> (DVec3, DMat3) {
        let factor = self.amplitude.at(time);
        let (mut uniform, mut gradient) = (self.uniform * factor, self.gradient * factor);
        if self.rate != 0.0 {
            let axis = self.axis.normalize_or(DVec3::Z);
            let turn = DMat3::from_quat(DQuat::from_axis_angle(axis, self.rate * time));
            uniform = turn * uniform;
            gradient = turn * gradient * turn.transpose();
        }
        (uniform, gradient)
    }
}

/// Magnetic moments of edges in a field.
#[derive(Debug, Clone)]
pub struct Magnetism {
    /// Moments, A m^2, along m1, m2 and t of each edge, `(edges)`.
    pub moment: Vec<DVec3>,
    /// The field.
    pub field: MagneticField,
}

/// An edge with a moment, in the field at its middle.
struct Magnet {
    edge: EdgeGeometry,
    moment: DVec3,
    field: DVec3,
    gradient: DMat3,
}

impl Magnetism {
    fn magnets<'a>(&'a self, at: &'a Trial) -> impl Iterator<Item = (usize, Magnet)> + 'a {
        let (uniform, gradient) = self.field.at(at.time);
        let magnetic = self.moment.iter().enumerate();
        let magnetic = magnetic.filter(|(_, moment)| **moment != DVec3::ZERO);
        magnetic.map(move |(index, moment)| {
            let edge = at.kinematics.edge(index);
            let [a, b] = at.topology.edge_nodes[index].map(|node| at.position(node));
            let magnet = Magnet {
                edge,
                moment: edge.m1 * moment.x + edge.m2 * moment.y + edge.tangent * moment.z,
                field: uniform + gradient * ((a + b) * 0.5),
                gradient,
            };
            (index, magnet)
        })
    }
}

/// Force on the edge vector, on the middle of the edge, and torque on its angle.
struct Forces {
    edge: DVec3,
    middle: DVec3,
    angle: f64,
}

/// Derivatives of [`Forces`] by the edge vector, the middle and the angle.
struct Slopes {
    edge: [DMat3; 2],
    edge_by_angle: DVec3,
    middle: DMat3,
    middle_by_angle: DVec3,
    angle: [DVec3; 2],
    angle_by_angle: f64,
}

impl Magnet {
    fn forces(&self) -> Forces {
        // A motion turns the edge by w = t x dt + t (dth + a . de) and does the work T . w.
        let e = self.edge;
        let torque = self.moment.cross(self.field);
        let axial = torque.dot(e.tangent);
        Forces {
            edge: torque.cross(e.tangent) / e.length + e.spin * axial,
            middle: self.gradient.transpose() * self.moment,
            angle: axial,
        }
    }

    fn slopes(&self) -> Slopes {
        let e = self.edge;
        let (t, length) = (e.tangent, e.length);
        let torque = self.moment.cross(self.field);
        let axial = torque.dot(t);
        let tangent = e.tangent_jacobian();
        // dT = D w with dmu = w x mu: (w x mu) x B = mu (B . w) - (mu . B) w.
        let by_turn = outer(self.moment, self.field)
            - DMat3::from_diagonal(DVec3::splat(self.moment.dot(self.field)));
        // w by the edge vector; by the angle it is t. T by the middle: mu x (G dx).
        let turn = skew(t) * tangent + outer(t, e.spin);
        let by_middle = skew(self.moment) * self.gradient;
        // Of F = (T x t)/|e| + a (T . t) by a change of T alone.
        let by_torque = skew(t) * (-1.0 / length) + outer(e.spin, t);
        let torque_by_edge = by_turn * turn;
        let couple = torque.cross(t) / length;
        let by_tangent = skew(torque) * tangent * (1.0 / length)
            - outer(couple, t) * (1.0 / length)
            + outer(e.spin, tangent * torque)
            + e.spin_jacobian() * axial;
        let torque_by_angle = by_turn * t;
        let pull = self.gradient.transpose() * skew(self.moment) * -1.0;
        Slopes {
            edge: [
                by_torque * torque_by_edge + by_tangent,
                by_torque * by_middle,
            ],
            edge_by_angle: by_torque * torque_by_angle,
            middle: pull * turn,
            middle_by_angle: pull * t,
            angle: [
                torque_by_edge.transpose() * t + tangent * torque,
                by_middle.transpose() * t,
            ],
            angle_by_angle: torque_by_angle.dot(t),
        }
    }
}

impl Load for Magnetism {
    fn name(&self) -> &'static str {
        "magnetic field"
    }

    fn curves_with_angles(&self) -> bool {
        self.moment.iter().any(|m| m.x != 0.0 || m.y != 0.0)
    }

    fn changes_until(&self) -> f64 {
        let turns = endless(self.field.rate != 0.0);
        turns.max(self.field.amplitude.changes_until())
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (index, magnet) in self.magnets(at) {
            let Forces {
                edge,
                middle,
                angle,
            } = magnet.forces();
            let [a, b] = at.topology.edge_nodes[index].map(|n| at.topology.node_dof[n]);
            add3(force, a, middle * 0.5 - edge);
            add3(force, b, middle * 0.5 + edge);
            force[at.topology.edge_dof[index]] += angle;
        }
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        for (index, magnet) in self.magnets(at) {
            let s = magnet.slopes();
            let [a, b] = at.topology.edge_nodes[index].map(|n| at.topology.node_dof[n]);
            let theta = at.topology.edge_dof[index];
            let dofs = [a, a + 1, a + 2, b, b + 1, b + 2, theta];
            let mut values = [0.0; 49];
            // Edge vector x1 - x0 and middle (x0 + x1)/2, of rows and of columns; minus the slope.
            for (row, r) in [(0, -1.0), (3, 1.0)] {
                for (column, c) in [(0, -1.0), (3, 1.0)] {
                    let slope = s.edge[0] * (r * c) + s.edge[1] * (0.5 * r) + s.middle * (0.5 * c);
                    for i in 0..3 {
                        for j in 0..3 {
                            values[(row + i) * 7 + column + j] = -slope.col(j)[i];
                        }
                    }
                }
                let by_angle = s.edge_by_angle * r + s.middle_by_angle * 0.5;
                let of_angle = s.angle[0] * r + s.angle[1] * 0.5;
                for i in 0..3 {
                    values[(row + i) * 7 + 6] = -by_angle[i];
                    values[42 + row + i] = -of_angle[i];
                }
            }
            values[48] = -s.angle_by_angle;
            blocks.general(&dofs, &values);
        }
    }

    fn potential(&self, at: &Trial) -> Option<f64> {
        let energies = self.magnets(at).map(|(_, m)| -m.moment.dot(m.field));
        Some(energies.fold(0.0, |sum, e| sum + e))
    }
}
