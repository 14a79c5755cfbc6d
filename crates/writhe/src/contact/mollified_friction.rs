//! Smoothed friction with a lagged normal force (Li et al. 2020, section 5): it has a potential.
//!
//! The normal force N, the contact point and the plane of contact of a pair are kept from an
//! earlier configuration, so the slip is a fixed linear map of the velocities, v_T = G (u, theta'),
//! and the force derives from the dissipative potential
//!
//! ```text
//! Phi    = mu N f0(|v_T|),    f0(v) = -v^3/(3 e^2) + v^2/e + e/3  for v < e,    v beyond       (Li et al. 2020, Eq. 14 f.)
//! force  = -G^T mu N f1(|v_T|) v_T/|v_T|,    f1 = f0' = -(v/e)^2 + 2 v/e,    1 beyond
//! ```
//!
//! with the slip tolerance e, in m/s. Its Hessian in the velocities is positive semidefinite: mu N
//! G^T (f1/v I + (f1/v)'/v v v^T) G. Li et al. write it in the displacement of a step, e dt; for a
//! scheme with velocities u = a y + ... the same potential of the stage y is Phi/a. What slips,
//! surfaces or axes, is the business of `PairFriction` and `BodyFriction`, whose W makes G = (I - n
//! n^T) W.

use glam::DVec3;

use crate::assembly::{Blocks, Trial};
use crate::kernels::friction::Sticking;
use crate::kernels::friction::pair::UNKNOWNS;

/// f0, in m/s, f1 and f1/v, in s/m, at the speed `speed` for the slip tolerance `tolerance`, both
/// in m/s.
pub(crate) fn mollifier(speed: f64, tolerance: f64) -> (f64, f64, f64) {
    let x = speed / tolerance;
    // Sliding: full friction, f0 = v and f1 = 1.
    if x >= 1.0 {
        return (speed, 1.0, 1.0 / speed);
    }
    (
        // f0/e = x^2 - x^3/3 + 1/3, f1 = 2 x - x^2, f1/v = (2 - x)/e
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

/// Friction of a contact whose normal force and slip map are kept, by `N` unknowns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MollifiedFriction<const N: usize> {
    /// Columns of G: the slip by the velocities of the unknowns, dimensionless and in m.
    pub columns: [DVec3; N],
    /// Slip while the unknowns rest, m/s: an obstacle moves by itself.
    pub drift: DVec3,
    /// mu N, in newtons.
    pub limit: f64,
    /// e, in m/s, positive.
    pub slip_tolerance: f64,
}

impl<const N: usize> MollifiedFriction<N> {
    /// Keeps the map from velocities to slip, of columns `columns` and value `drift`, m/s, at rest,
    /// in the plane with normal `n`; `limit` is mu N, in newtons.
    pub(crate) fn new(
        columns: [DVec3; N],
        drift: DVec3,
        n: DVec3,
        limit: f64,
        slip_tolerance: f64,
    ) -> Self {
        let in_plane = |w: DVec3| w - w.dot(n) * n;
        Self {
            columns: columns.map(in_plane),
            drift: in_plane(drift),
            limit,
            slip_tolerance,
        }
    }

    /// v_T, in m/s, for the velocities of the unknowns.
    pub(crate) fn slip(&self, velocities: &[f64; N]) -> DVec3 {
        // v_T = G (u, theta') + drift
        let columns = self.columns.iter().zip(velocities);
        columns.fold(self.drift, |v, (g, u)| v + *u * *g)
    }

    /// Phi, in watts.
    pub(crate) fn potential(&self, velocities: &[f64; N]) -> f64 {
        let speed = self.slip(velocities).length();
        self.limit * mollifier(speed, self.slip_tolerance).0
    }

    /// Force at the contact point on what the columns are positive for, in newtons; the other side
    /// takes its negative.
    pub(crate) fn contact_force(&self, velocities: &[f64; N]) -> DVec3 {
        let slip = self.slip(velocities);
        let (_, _, ratio) = mollifier(slip.length(), self.slip_tolerance);
        // -mu N f1 v_T/|v_T|
        -self.limit * ratio * slip
    }

    /// Forces on the unknowns, in N and N m.
    pub(crate) fn force(&self, velocities: &[f64; N]) -> [f64; N] {
        let f = self.contact_force(velocities);
        self.columns.map(|g| g.dot(f))
    }

    /// Hessian of Phi by the velocities, symmetric and positive semidefinite, in N s/m to N m s.
    pub(crate) fn hessian(&self, velocities: &[f64; N]) -> [[f64; N]; N] {
        let slip = self.slip(velocities);
        let speed = slip.length();
        let (_, _, ratio) = mollifier(speed, self.slip_tolerance);
        let slope = mollifier_slope(speed, self.slip_tolerance);
        // mu N G^T (f1/v I + (f1/v)' v t t^T) G, t along v_T; without slip the last term is 0.
        let along = slip.normalize_or_zero();
        let pushed = self
            .columns
            .map(|g| self.limit * (ratio * g + slope * along.dot(g) * along));
        std::array::from_fn(|i| std::array::from_fn(|j| self.columns[i].dot(pushed[j])))
    }
}

/// Lagged friction on the unknowns `dofs`, wherever they go during the solve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaggedContact<const N: usize> {
    /// Indices of its unknowns.
    pub dofs: [usize; N],
    /// What is kept.
    pub friction: MollifiedFriction<N>,
}

impl<const N: usize> LaggedContact<N> {
    fn velocities(&self, at: &Trial) -> [f64; N] {
        self.dofs.map(|dof| at.velocity[dof])
    }

    /// As [`MollifiedFriction::contact_force`] at a trial, N.
    pub(crate) fn contact_force(&self, at: &Trial) -> DVec3 {
        self.friction.contact_force(&self.velocities(at))
    }

    /// Counts whether it holds.
    pub(crate) fn count_sticking(&self, at: &Trial, sticking: &mut Sticking) {
        let slip = self.friction.slip(&self.velocities(at));
        sticking.count(self.contact_force(at), self.friction.limit, slip);
    }

    /// Adds its forces at a trial; returns their potential of the stage, Phi/a, J.
    pub(crate) fn evaluate(&self, at: &Trial, force: &mut [f64]) -> f64 {
        let velocities = self.velocities(at);
        for (dof, f) in (self.dofs.iter()).zip(self.friction.force(&velocities)) {
            force[*dof] += f;
        }
        self.friction.potential(&velocities) / at.rate
    }

    /// Heat that it makes, W, and the power of what moves the obstacle, W.
    pub(crate) fn power(&self, at: &Trial) -> [f64; 2] {
        let velocities = self.velocities(at);
        let force = self.friction.contact_force(&velocities);
        let drive = -force.dot(self.friction.drift);
        [-force.dot(self.friction.slip(&velocities)), drive]
    }

    /// Adds minus the derivative of its forces at a trial.
    pub(crate) fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        let hessian = self.friction.hessian(&self.velocities(at));
        // d2(Phi/a)/dy2 = a d2Phi/du2
        let damping = hessian.map(|row| row.map(|v| v * at.rate));
        blocks.symmetric(&self.dofs, damping.as_flattened());
    }
}

/// Lagged friction of a pair of edges.
#[derive(Debug, Clone)]
pub(super) struct MollifiedPair {
    /// Flat edge indices, first < second.
    pub edges: [usize; 2],
    /// On their unknowns.
    pub contact: LaggedContact<UNKNOWNS>,
}

#[cfg(test)]
mod tests;
