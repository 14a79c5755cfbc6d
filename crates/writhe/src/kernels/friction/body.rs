//! Friction of an edge on a body whose surface moves as the body pleases.
//!
//! As between two edges, with the body's velocity V at the contact point for v_b; the body takes -f
//! at that point. The edge's surface meets the body's at the arm r, which any model of the contact
//! may place; a body that turns with the edge has no slip if V is taken at that same point.

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;
use crate::kernels::friction::anchor::{Anchor, frame, frame_gradient};
use crate::kernels::friction::directions::{Directed, Directions};
use crate::kernels::friction::law::{Slip, SlipLaw, SlipOf};
use crate::kernels::friction::pair::EdgeMotion;
use crate::kernels::friction::surface::{PointGradient, Surface};
use crate::kernels::friction::traction::Traction;

/// Unknowns of an edge: positions of both nodes, then the angle.
pub(crate) const UNKNOWNS: usize = 7;

/// Where and how an edge touches a body, with the derivatives by its two nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyContact {
    /// F_n, N, at least 0.
    pub force: f64,
    /// dF_n/dx, N/m.
    pub force_gradient: [DVec3; 2],
    /// n, from the body to the edge.
    pub normal: DVec3,
    /// dn/dx, 1/m.
    pub normal_gradient: [DMat3; 2],
    /// Position s along the edge, from 0 to 1.
    pub along: f64,
    /// ds/dx, 1/m.
    pub along_gradient: [DVec3; 2],
    /// Arm r from the axis to the contact point, m.
    pub arm: DVec3,
    /// dr/dx.
    pub arm_gradient: [DMat3; 2],
    /// V, the body's velocity at the contact point, m/s.
    pub velocity: DVec3,
    /// dV/dx, 1/s: the gradient of the body's velocity times the derivative of the contact point.
    pub velocity_gradient: [DMat3; 2],
}

/// Friction of an edge on a body, ready to give its forces and Jacobians.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFriction {
    contact: BodyContact,
    surface: Surface,
    /// v, m/s.
    relative: DVec3,
    slip: Slip,
    traction: Traction,
    /// By directions: the rod's in the plane of contact and that across, and the derivatives of the
    /// traction by both.
    directed: Option<([DVec3; 2], [DMat3; 2])>,
    directions: Option<Directions>,
}

impl BodyFriction {
    /// Friction of an edge on a body; `anchor` is what the contact remembers, if the law has a
    /// memory.
    pub(crate) fn new(
        law: &SlipLaw,
        contact: BodyContact,
        motion: EdgeMotion,
        anchor: Option<Anchor>,
    ) -> Self {
        let mut contact = contact;
        if law.of == SlipOf::Axes {
            // Of axes: without an arm, spin slips freely (decision 0012).
            contact.arm = DVec3::ZERO;
            contact.arm_gradient = [DMat3::ZERO; 2];
        }
        let surface = Surface {
            along: contact.along,
            arm: contact.arm,
            velocities: motion.velocities,
            spin: motion.spin,
            edge: motion.edge,
        };
        let n = contact.normal;
        // v = v_a - V; what slips is v_T = v - (v . n) n
        let relative = surface.velocity() - contact.velocity;
        let slip = law.slip(
            relative - relative.dot(n) * n,
            anchor,
            n,
            &[surface.edge.tangent],
        );
        let (traction, directed) = match &law.directions[0] {
            None => (law.traction(slip.value), None),
            Some(directions) => {
                let axes = frame(n, surface.edge.tangent);
                let unit = law.traction_of(1.0, slip.value);
                let Directed { traction, by_axes } = directions.traction(&unit, axes);
                (traction, Some((axes, by_axes)))
            }
        };
        Self {
            contact,
            surface,
            relative,
            slip,
            traction,
            directed,
            directions: law.directions[0],
        }
    }

    /// The largest force that friction has in the direction of the slip, N.
    pub(crate) fn limit(&self, coefficient: f64) -> f64 {
        let mu = match (&self.directions, &self.directed) {
            (Some(directions), Some((axes, _))) => {
                directions.at(self.slip.value.normalize_or(axes[0]), *axes)
            }
            _ => coefficient,
        };
        mu * self.contact.force
    }

    /// Whether [`velocity_jacobian`](Self::velocity_jacobian) is symmetric.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.directions.is_none()
    }

    /// f, the force on the edge, N; -f acts on the body at the contact point.
    pub(crate) fn contact_force(&self) -> DVec3 {
        self.contact.force * self.traction.value
    }

    /// F_n, N.
    pub(crate) fn normal_force(&self) -> f64 {
        self.contact.force
    }

    /// Columns of W, by which the unknowns move the surface, dimensionless and in m.
    pub(crate) fn columns(&self) -> [DVec3; UNKNOWNS] {
        self.surface.columns()
    }

    /// V, the body's velocity at the contact point, m/s.
    pub(crate) fn body_velocity(&self) -> DVec3 {
        self.contact.velocity
    }

    /// v_T, m/s.
    pub(crate) fn slip_velocity(&self) -> DVec3 {
        let n = self.contact.normal;
        self.relative - self.relative.dot(n) * n
    }

    /// s, m/s or m, as [`PairFriction::slip`](super::PairFriction::slip).
    pub(crate) fn slip(&self) -> DVec3 {
        self.slip.value
    }

    /// ds/dv_T: 1, or a time, s.
    pub(crate) fn slip_rate(&self) -> f64 {
        self.slip.rate
    }

    /// What the contact remembers of this at the end of the step, if the law has a memory.
    pub(crate) fn remember(&self, law: &SlipLaw) -> Option<Anchor> {
        let n = self.contact.normal;
        let tangents = &[self.surface.edge.tangent];
        law.remember(self.slip.value, self.slip_velocity(), n, tangents)
    }

    /// Forces on the unknowns, N and N m: W^T f.
    pub(crate) fn force(&self) -> [f64; UNKNOWNS] {
        let reaction = self.surface.reaction(self.contact_force());
        std::array::from_fn(|i| match i {
            6 => reaction.angle,
            _ => reaction.nodes[i / 3][i % 3],
        })
    }

    /// d force/d velocities, in N s/m to N m s: symmetric and negative semidefinite, but for friction
    /// by directions.
    pub(crate) fn velocity_jacobian(&self) -> [[f64; UNKNOWNS]; UNKNOWNS] {
        let n = self.contact.normal;
        let complement = DMat3::IDENTITY - outer(n, n);
        // F_n W^T (dt/ds)(ds/dv_T)(I - n n^T) W
        let block = self.traction.slope * complement * (self.contact.force * self.slip.rate);
        let columns = self.surface.columns();
        let mut jacobian = [[0.0; UNKNOWNS]; UNKNOWNS];
        for i in 0..UNKNOWNS {
            for j in 0..=i {
                let value = columns[i].dot(block * columns[j]);
                jacobian[i][j] = value;
                jacobian[j][i] = match self.is_symmetric() {
                    true => value,
                    false => columns[j].dot(block * columns[i]),
                };
            }
        }
        jacobian
    }

    /// d force/d positions at fixed velocities, not symmetric, in N/m and N. The angle has no part
    /// in it.
    pub(crate) fn position_jacobian(&self) -> [[f64; UNKNOWNS]; UNKNOWNS] {
        let c = &self.contact;
        let gradients = self.surface.gradients(self.contact_force());
        let mut jacobian = [[0.0; UNKNOWNS]; UNKNOWNS];
        for l in 0..2 {
            // By node l: where the contact point goes.
            let by = PointGradient {
                along: c.along_gradient[l],
                arm: c.arm_gradient[l],
                edge: if l == 0 { -1.0 } else { 1.0 },
            };
            // dv = dv_a - dV at that point
            let dv = gradients.velocity(&by) - c.velocity_gradient[l];
            let edge = &self.surface.edge;
            let dt = edge.tangent_jacobian() * by.edge;
            let ds = self.slip.gradient(
                (self.relative, dv),
                (c.normal, c.normal_gradient[l]),
                (edge.tangent, dt),
            );
            // df = t dF_n^T + F_n (dt/ds) ds
            let mut df = outer(self.traction.value, c.force_gradient[l])
                + self.traction.slope * ds * c.force;
            if let Some((_, [by_tau, by_side])) = &self.directed {
                let turn = frame_gradient(c.normal, edge.tangent, c.normal_gradient[l], dt);
                // and as the rod's direction turns
                df += turn.map_or(DMat3::ZERO, |[dtau, dside]| {
                    (*by_tau * dtau + *by_side * dside) * c.force
                });
            }
            let (nodes, angle) = gradients.reaction(df, &by);
            for (k, block) in nodes.iter().enumerate() {
                for column in 0..3 {
                    for row in 0..3 {
                        jacobian[3 * k + row][3 * l + column] = block.col(column)[row];
                    }
                }
            }
            // Rows: both nodes, then the angle, whose own column stays zero.
            jacobian[6][3 * l..3 * l + 3].copy_from_slice(&angle.to_array());
        }
        jacobian
    }
}

#[cfg(test)]
mod tests;
