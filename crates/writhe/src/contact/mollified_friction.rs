//! Smoothed friction with a lagged normal force (Li et al. 2020, section 5): it has a potential.
//!
//! The normal force N, the contact point and the plane of contact of a pair are kept from an earlier configuration, so the slip
//! is a fixed linear map of the velocities, v_T = G (u, theta'), and the force derives from the dissipative potential
//!
//! ```text
//! Phi    = mu N f0(|v_T|),    f0(v) = -v^3/(3 e^2) + v^2/e + e/3  for v < e,    v beyond       (Li et al. 2020, Eq. 14 f.)
//! force  = -G^T mu N f1(|v_T|) v_T/|v_T|,    f1 = f0' = -(v/e)^2 + 2 v/e,    1 beyond
//! ```
//!
//! with the slip tolerance e, in m/s. Its Hessian in the velocities is positive semidefinite: mu N G^T (f1/v I + (f1/v)'/v v v^T) G.
//! Li et al. write it in the displacement of a step, e dt; for a scheme with velocities u = a y + ... the same potential of the
//! stage y is Phi/a. What slips, surfaces or axes, is the business of [`PairFriction`], whose W makes G = (I - n n^T) W.

use glam::DVec3;

use super::friction::PairFriction;
use super::friction::pair::{PairForce, PairJacobian, UNKNOWNS};
use super::step::{ContactStep, friction_dofs, pair_contact, pair_friction};
use crate::loads::{Blocks, Trial};
use crate::model::Model;

/// f0, in m/s, f1 and f1/v, in s/m, at the speed `speed` for the slip tolerance `tolerance`, both in m/s.
pub fn mollifier(speed: f64, tolerance: f64) -> (f64, f64, f64) {
    let x = speed / tolerance;
    if x >= 1.0 {
        return (speed, 1.0, 1.0 / speed);
    }
    (
        tolerance * (x * x * (1.0 - x / 3.0) + 1.0 / 3.0),
        x * (2.0 - x),
        (2.0 - x) / tolerance,
    )
}

/// v (d/dv)(f1/v), in s/m: what |v_T| changes in f1/v. It vanishes with v.
fn mollifier_slope(speed: f64, tolerance: f64) -> f64 {
    if speed >= tolerance {
        -1.0 / speed
    } else {
        -speed / (tolerance * tolerance)
    }
}

/// Friction of a pair whose normal force and slip map are kept.
#[derive(Clone, Copy, Debug)]
pub struct MollifiedFriction {
    /// Columns of G: the slip by the velocities of the unknowns (a0, a1, b0, b1, both angles), dimensionless and in m.
    pub columns: [DVec3; UNKNOWNS],
    /// mu N, in newtons.
    pub limit: f64,
    /// e, in m/s, positive.
    pub slip_tolerance: f64,
}

impl MollifiedFriction {
    /// Keeps the normal `n` and the contact point of `pair`, whose friction has the limit mu N, in newtons.
    pub fn new(pair: &PairFriction, n: DVec3, limit: f64, slip_tolerance: f64) -> Self {
        Self {
            columns: pair.columns().map(|w| w - w.dot(n) * n),
            limit,
            slip_tolerance,
        }
    }

    /// v_T, in m/s, for the velocities of the unknowns.
    pub fn slip(&self, velocities: &[f64; UNKNOWNS]) -> DVec3 {
        self.columns
            .iter()
            .zip(velocities)
            .map(|(g, u)| *u * *g)
            .sum()
    }

    /// Phi, in watts.
    pub fn potential(&self, velocities: &[f64; UNKNOWNS]) -> f64 {
        let speed = self.slip(velocities).length();
        self.limit * mollifier(speed, self.slip_tolerance).0
    }

    /// Force on the first edge at the contact point, in newtons; the second takes its negative.
    pub fn contact_force(&self, velocities: &[f64; UNKNOWNS]) -> DVec3 {
        let slip = self.slip(velocities);
        let (_, _, ratio) = mollifier(slip.length(), self.slip_tolerance);
        -self.limit * ratio * slip
    }

    /// Forces on the unknowns, in N and N m.
    pub fn force(&self, velocities: &[f64; UNKNOWNS]) -> PairForce {
        let f = self.contact_force(velocities);
        self.columns.map(|g| g.dot(f))
    }

    /// Hessian of Phi by the velocities, symmetric and positive semidefinite, in N s/m to N m s.
    pub fn hessian(&self, velocities: &[f64; UNKNOWNS]) -> PairJacobian {
        let slip = self.slip(velocities);
        let speed = slip.length();
        let (_, _, ratio) = mollifier(speed, self.slip_tolerance);
        let slope = mollifier_slope(speed, self.slip_tolerance);
        let along = slip.normalize_or_zero();
        let pushed = self
            .columns
            .map(|g| self.limit * (ratio * g + slope * along.dot(g) * along));
        std::array::from_fn(|i| std::array::from_fn(|j| self.columns[i].dot(pushed[j])))
    }
}

/// Lagged friction of a pair of edges.
#[derive(Debug, Clone)]
pub(super) struct MollifiedPair {
    /// Flat edge indices, first < second.
    pub edges: [usize; 2],
    friction: MollifiedFriction,
}

impl ContactStep {
    /// Keeps normal forces and contact points at `at`, for lagged friction; `stiffness`, N m, is the one that balanced there.
    pub fn lag_normal_forces(&mut self, model: &Model, at: &Trial, stiffness: f64) {
        self.mollified.clear();
        let Some(friction) = model.contact.friction().filter(|f| f.is_lagged()) else {
            return;
        };
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let Some(contact) = pair_contact(model, at, edges, stiffness) else {
                continue;
            };
            let normal = contact.distance.normal;
            // Only its map from velocities to slip matters.
            let law = friction.law(0.0, [0.0; 2]);
            let pair = pair_friction(model, at, &law, edges, &contact, None);
            let limit = friction.coefficient * contact.response.force;
            self.mollified.push(MollifiedPair {
                edges,
                friction: MollifiedFriction::new(&pair, normal, limit, friction.slip_tolerance),
            });
        }
    }

    /// Adds the forces of lagged friction at a trial; returns their potential of the stage, Phi/a, J.
    pub(super) fn evaluate_mollified(&self, model: &Model, at: &Trial, force: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        for pair in &self.mollified {
            let dofs = friction_dofs(model, pair.edges);
            let velocities = dofs.map(|dof| at.velocity[dof]);
            energy += pair.friction.potential(&velocities) / at.rate;
            for (dof, f) in dofs.into_iter().zip(pair.friction.force(&velocities)) {
                force[dof] += f;
            }
        }
        energy
    }

    pub(super) fn add_mollified_stiffness(
        &self,
        model: &Model,
        at: &Trial,
        blocks: &mut dyn Blocks,
    ) {
        for pair in &self.mollified {
            let dofs = friction_dofs(model, pair.edges);
            let hessian = pair.friction.hessian(&dofs.map(|dof| at.velocity[dof]));
            let damping = hessian.map(|row| row.map(|v| v * at.rate));
            blocks.symmetric(&dofs, damping.as_flattened());
        }
    }
}

#[cfg(test)]
mod tests;
