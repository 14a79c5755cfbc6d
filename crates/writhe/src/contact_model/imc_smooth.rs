//! Contact of C21: its energy of the smoothed distance, in the scaled form of Eq. 21.
//!
//! With the mean radius h of two rods, the smoothed distance D of their edges and the gap g = D - 2
//! h, the energy of a pair is
//!
//! ```text
//! k_c E(D/h),   E(d) = (1/ce) log(1 + exp(ce (2 - d))),     D < (2 + delta) h                   (C21 Eq. 21, 22)
//! ```
//!
//! The paper drops pairs beyond delta, where they still push with e^(-ce delta) = 5.5e-4 of the
//! full force; here the tangent at delta is taken off, so energy and force reach zero there and
//! Newton's method never meets the jump (decision 0016).

use glam::DVec3;

use crate::contact_model::lagged_friction::{LaggedFriction, SlipForce};
use crate::contact_model::law::{NormalLaw, Response};
use crate::contact_model::settings::Stiffness;
use crate::error::ModelError;
use crate::error::{POSITIVE, check, positive};
use crate::kernels::distance::{Matrix12, closest_points};
use crate::kernels::smooth_distance::{SmoothDistance, sigmoid, smooth_distance, softplus};

/// Parameters of C21's contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImcSmoothSettings {
    /// delta over the radius h: pairs push from this gap on (C21 Eq. 22, 0.15 there).
    pub tolerance: f64,
    /// ce: how sharply the energy turns on, over the radius (Eq. 21, 50 there).
    pub energy_sharpness: f64,
    /// k: how sharply the closest points are clamped to their edges (Eq. 13 and 14, 50 there).
    pub distance_sharpness: f64,
    /// k_c, J. [`Stiffness::Automatic`] is C21's rule, once a step, and raised further, its step
    /// repeated, where rods penetrate by more than 0.3 % of the radius.
    pub stiffness: Stiffness,
    /// When Newton's matrix holds the contact's Hessian and the friction's Jacobian.
    pub jacobian: ContactJacobian,
    /// Friction (Eq. 18 to 20).
    pub friction: LaggedFriction,
}

/// When Newton's matrix holds the derivatives of contact forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContactJacobian {
    /// Derivatives of contact forces from the first iteration, with the line search of the
    /// settings.
    Full,
    /// C21's hybrid: none for the first `omega` iterations, so that the matrix stays banded, with
    /// full steps that are halved every other iteration; then as [`ContactJacobian::Full`].
    Hybrid {
        /// Iterations without (20 in C21).
        omega: u32,
    },
}

impl Default for ImcSmoothSettings {
    /// Frictionless; delta = 0.15 h, ce = k = 50 as in C21, automatic stiffness, full Jacobian.
    fn default() -> Self {
        Self {
            tolerance: 0.15,
            energy_sharpness: 50.0,
            distance_sharpness: 50.0,
            stiffness: Stiffness::Automatic,
            jacobian: ContactJacobian::Full,
            friction: LaggedFriction::default(),
        }
    }
}

impl ImcSmoothSettings {
    /// Energy over k_c of two edges whose centrelines are `distance` radii apart, dimensionless.
    pub fn energy(&self, distance: f64) -> f64 {
        self.law(1.0, 1.0).evaluate(distance - 2.0).energy
    }

    /// The law between surfaces of mean radius `radius`, m, with this step's stiffness, J.
    pub(crate) fn law(&self, radius: f64, stiffness: f64) -> NormalLaw {
        NormalLaw::ImcSmooth(SmoothLaw {
            scale: radius,
            tolerance: self.tolerance * radius,
            sharpness: self.energy_sharpness,
            stiffness,
        })
    }

    pub(crate) fn check(&self) -> Result<(), ModelError> {
        check(
            "contact tolerance",
            self.tolerance,
            self.tolerance > 0.0 && self.tolerance <= 0.5,
            "between 0 and 0.5 (it is relative to the radius)",
        )?;
        let sharp = "finite and at least 5 (C21 has 50)";
        for (key, value) in [
            ("contact energy sharpness", self.energy_sharpness),
            ("contact distance sharpness", self.distance_sharpness),
        ] {
            check(key, value, value.is_finite() && value >= 5.0, sharp)?;
        }
        match self.stiffness {
            Stiffness::Automatic => Ok(()),
            Stiffness::Given(k) => check("contact stiffness", k, positive(k), POSITIVE),
            Stiffness::LargestForce { .. } => Err(ModelError::Pairing {
                first: "the stiffness rule of the largest force (Tong 2022)",
                second: "the contact model imc-smooth",
                remedy: "let the stiffness be automatic or give it",
            }),
        }?;
        self.friction.check()
    }

    /// Stiffness of the next step, J: C21's rule from the smallest distance over h now and one step
    /// before.
    pub(crate) fn adapted(&self, stiffness: f64, now: Option<f64>, before: Option<f64>) -> f64 {
        match (self.stiffness, now, before) {
            (Stiffness::Automatic, Some(now), Some(before)) => stiffness * adaptation(now, before),
            _ => stiffness,
        }
    }
}

/// Smallest scaled distance beyond which pairs hover: 20 micrometres at C21's radius, the most that
/// the paper reports.
const HOVERING: f64 = 2.0125;

/// Factor on k_c by the smallest scaled distance `now` and one step `before` (C21 section 2.5).
///
/// The paper lowers k_c by a thousandth a step, and only while the distance grows; a stiffness
/// raised at an impact would last for thousands of steps. Beyond [`HOVERING`] it falls by a
/// hundredth unless rods approach (decision 0016).
fn adaptation(now: f64, before: f64) -> f64 {
    if now >= before && now > HOVERING {
        0.99
    } else if now > before && now > 2.005 {
        0.999
    } else if now < before {
        // C21's paces: the deeper the nearest pair, the faster.
        match now {
            ..1.996 => 1.010,
            ..1.998 => 1.005,
            ..1.999 => 1.003,
            ..2.000 => 1.001,
            _ => 1.0,
        }
    } else {
        1.0
    }
}

/// Scaled energy and its first two derivatives by the scaled distance d (C21 Eq. 21),
/// dimensionless.
pub(crate) fn energy(distance: f64, sharpness: f64) -> [f64; 3] {
    let x = sharpness * (2.0 - distance);
    // E = log(1 + e^x)/ce, E' = -sigma(x), E'' = ce sigma(x) sigma(-x) with x = ce (2 - d)
    let (force, rest) = (sigmoid(x), sigmoid(-x));
    [softplus(x) / sharpness, -force, sharpness * force * rest]
}

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothLaw {
    /// h, m.
    pub scale: f64,
    /// delta h: gap from which on there is no force, m.
    pub tolerance: f64,
    /// ce.
    pub sharpness: f64,
    /// k_c, J.
    pub stiffness: f64,
}

impl SmoothLaw {
    /// Energy, force and stiffness at `gap`, m.
    pub(crate) fn evaluate(&self, gap: f64) -> Response {
        if gap >= self.tolerance {
            return Response::default();
        }
        let Self {
            scale: h,
            tolerance,
            sharpness,
            stiffness: k,
        } = *self;
        // k_c E at d = 2 + g/h, less its tangent at delta (decision 0016)
        let [value, slope, curvature] = energy(2.0 + gap / h, sharpness);
        let [end_value, end_slope, _] = energy(2.0 + tolerance / h, sharpness);
        Response {
            energy: k * (value - end_value - end_slope * (gap - tolerance) / h),
            force: k * (end_slope - slope) / h,
            stiffness: k * curvature / (h * h),
        }
    }

    /// Factor by which k_c has to grow so that the force at `depth`, over h, acts at `wanted`.
    pub(crate) fn raise(&self, depth: f64, wanted: f64) -> f64 {
        let force = |depth: f64| self.evaluate(-depth * self.scale).force;
        force(depth) / force(wanted)
    }
}

/// A pair in contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmoothContact {
    /// Smoothed distance of the centrelines.
    pub distance: SmoothDistance,
    /// What the law makes of it.
    pub response: Response,
}

impl SmoothContact {
    /// Contact of the edges (a0, a1) and (b0, b1), m, whose surfaces meet at the distance
    /// `touching`, m; `None` beyond the range of forces. `sharpness` is k of C21 Eq. 13 and 14.
    pub(crate) fn find(
        law: &NormalLaw,
        sharpness: f64,
        touching: f64,
        [a0, a1, b0, b1]: [DVec3; 4],
    ) -> Option<Self> {
        let reach = touching + law.range();
        // The sharp distance is never larger, and ten times cheaper.
        if closest_points(a0, a1, b0, b1).distance >= reach {
            return None;
        }
        let distance = smooth_distance(sharpness, a0, a1, b0, b1);
        (distance.distance < reach).then(|| Self {
            distance,
            response: law.evaluate(distance.distance - touching),
        })
    }

    /// Gradient of the energy by the nodes (a0, a1, b0, b1), N; the contact force is its negative.
    pub(crate) fn gradient(&self) -> [f64; 12] {
        self.distance
            .flat_gradient()
            .map(|g| -self.response.force * g)
    }

    /// Hessian of the energy, 12 x 12, symmetric, N/m.
    pub(crate) fn hessian(&self) -> Matrix12 {
        self.distance
            .chain_hessian(-self.response.force, self.response.stiffness)
    }

    /// Normal force on the first edge, N: the sum over its nodes (C21 section 2.4).
    pub(crate) fn force_on_first(&self) -> DVec3 {
        let [a0, a1, ..] = self.distance.gradient;
        self.response.force * (a0 + a1)
    }

    /// Its derivative by the nodes, N/m, from [`SmoothContact::hessian`].
    pub(crate) fn force_by_nodes(hessian: &Matrix12) -> [[f64; 12]; 3] {
        // The force on the first edge is minus the sum of the gradients by a0 and a1.
        std::array::from_fn(|r| std::array::from_fn(|j| -(hessian[r][j] + hessian[3 + r][j])))
    }

    /// Friction of the pair.
    pub(crate) fn friction(
        &self,
        friction: &LaggedFriction,
        radius: f64,
        velocities: &[DVec3; 4],
    ) -> SlipForce {
        SlipForce::new(friction, radius, self.force_on_first(), velocities)
    }
}

#[cfg(test)]
mod tests;
