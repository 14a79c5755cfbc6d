//! Friction's direction as an unknown of its own, for the matrix of Newton's method only.
//!
//! The direction w = Gamma s/|s| of friction, |w| <= 1, hardly changes where a contact sticks and
//! where it slides, but as a function of the slip s it does nothing else near s = 0 and nothing at
//! all elsewhere: Newton's method overshoots from the one to the other. Its equation times
//! |s|/Gamma,
//!
//! ```text
//! psi(|s|) w = s,     psi = |s|/Gamma
//! ```
//!
//! is nearly linear in both. Linearised in w and s together (the primal-dual Newton method of Chan,
//! Golub and Mulet 1999, made for total variation) and with dw eliminated it leaves the residual as
//! it is, and replaces the slope of the traction by
//!
//! ```text
//! dt/ds = -mu/psi (1 - psi' sym(w s^T/|s|)),     dw = ((1 - psi' w s^T/|s|) ds + alpha (s - psi w))/psi
//! ```
//!
//! with alpha the part of the correction that was taken. For the exact w this is the derivative;
//! otherwise what stuck keeps stiff and what slid keeps sliding until w says otherwise. |w| <= 1
//! keeps the slope negative semidefinite.

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;
use crate::kernels::friction::law::{SlipLaw, Stick};
use crate::kernels::friction::traction::{Traction, Weight};

/// The direction of friction, and the slip it was last brought up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steering {
    slip: DVec3,
    direction: DVec3,
}

impl Steering {
    /// Exact at the slip `s`, m/s; `None` for a law with a memory.
    pub(crate) fn exact(law: &SlipLaw, s: DVec3) -> Option<Self> {
        let (weight, c) = creep(law)?;
        // w = Gamma s/|s| = (Gamma/x) s/c with x = |s|/c
        let (ratio, _) = weight.ratio(s.length() / c);
        Some(Self {
            slip: s,
            direction: ratio / c * s,
        })
    }

    /// The slip, m/s, that it was last brought up to.
    #[cfg(test)]
    pub(crate) fn slip(&self) -> DVec3 {
        self.slip
    }

    /// This direction at another slip, m/s: that of the first trial of a step.
    #[must_use]
    pub(crate) fn moved(self, s: DVec3) -> Self {
        Self { slip: s, ..self }
    }

    /// After a correction of which the part `alpha` was taken and which ended at the slip `s`, m/s.
    #[must_use]
    pub(crate) fn followed(self, law: &SlipLaw, s: DVec3, alpha: f64) -> Self {
        let Some((weight, c)) = creep(law) else {
            return self;
        };
        let Self {
            slip: old,
            direction: w,
        } = self;
        let (ratio, slope) = weight.ratio(old.length() / c);
        // 1/psi = ratio/c, and psi'/psi old/|old| = -slope/(ratio c^2) old.
        let ds = s - old;
        let turned = ratio / c * ds + w * (slope / (ratio * c * c) * old.dot(ds));
        // w + dw, dw = ((1 - psi' w s^T/|s|) ds + alpha (s - psi w))/psi at the old s
        let direction = w + turned + alpha * (ratio / c * old - w);
        Self {
            slip: s,
            // |w| <= 1 keeps the slope negative semidefinite, friction dissipative.
            direction: direction.clamp_length_max(1.0),
        }
    }

    /// The same in the plane of contact with the normal `n`, which turns as rods move: a direction out
    /// of it would resist motion along the normal as sticking does.
    #[must_use]
    pub(crate) fn in_plane(self, n: DVec3) -> Self {
        let w = self.direction;
        let flat = w - w.dot(n) * n;
        // What stands on the plane says nothing of a direction in it, and stays short.
        let scale = match flat.length() > 0.1 * w.length() {
            true => w.length() / flat.length(),
            false => 1.0,
        };
        Self {
            direction: scale * flat,
            ..self
        }
    }

    /// What stands in for the derivative of the traction by the slip, s/m.
    pub(crate) fn slope(&self, law: &SlipLaw) -> Option<DMat3> {
        self.slope_of(law, law.coefficient)
    }

    /// A traction with the coefficient 1: that of this direction, and what stands in for its slope.
    pub(crate) fn unit(&self, law: &SlipLaw) -> Option<Traction> {
        Some(Traction {
            value: -self.direction,
            slope: self.slope_of(law, 1.0)?,
        })
    }

    fn slope_of(&self, law: &SlipLaw, mu: f64) -> Option<DMat3> {
        let (weight, c) = creep(law)?;
        let (ratio, slope) = weight.ratio(self.slip.length() / c);
        // -mu/psi (1 - psi' sym(w s^T/|s|)): the part along w s^T, then that of the unit matrix
        let along = outer(
            c * self.direction / ratio,
            mu * slope / (c * c * c) * self.slip,
        );
        let across = DMat3::from_diagonal(DVec3::splat(-mu * ratio / c));
        Some(across - (along + along.transpose()) * 0.5)
    }
}

fn creep(law: &SlipLaw) -> Option<(Weight, f64)> {
    match law.stick {
        Stick::Creep { tolerance } => Some((Weight::Tanh, tolerance)),
        Stick::Anchor { .. } => None,
    }
}

#[cfg(test)]
mod tests;
