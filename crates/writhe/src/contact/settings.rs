//! Which contact model, and its parameters.

use crate::model::{Model, ModelError};

/// How rods touch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ContactModel {
    /// Rods pass through each other freely. For tests and for scenes where nothing can touch.
    #[default]
    None,
    /// Implicit Contact Model (T22).
    Imc(ImcSettings),
}

/// Parameters of the Implicit Contact Model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImcSettings {
    /// Contact tolerance delta over the radius h: forces act from a gap of `delta` on (T22 Eq. 9).
    pub tolerance: f64,
    /// Penalty stiffness.
    pub stiffness: Stiffness,
    /// Coulomb friction coefficient mu.
    pub friction: f64,
    /// Slip tolerance nu, m/s: below it friction is less than mu N (T22 Eq. 17).
    pub slip_tolerance: f64,
}

/// Rule for the penalty stiffness k, N m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stiffness {
    /// Raised, and its step repeated, whenever the rods penetrate by more than 0.3 % of the radius.
    Automatic,
    /// A given value, N m.
    Given(f64),
    /// T22 Eq. B.5: `k = scale x max |nodal force without contact|` once a step; the unit of `scale` is m.
    LargestForce {
        /// Factor `s`, m; T22 has 1e5 in its own scaling.
        scale: f64,
    },
}

impl Default for ImcSettings {
    /// Frictionless, delta = 0.01 h, automatic stiffness, slip tolerance 1e-4 m/s.
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            stiffness: Stiffness::Automatic,
            friction: 0.0,
            slip_tolerance: 1e-4,
        }
    }
}

impl ContactModel {
    /// Checks that every parameter is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), ModelError> {
        let Self::Imc(s) = self else { return Ok(()) };
        let positive = "finite and greater than zero";
        let given = match s.stiffness {
            Stiffness::Automatic => 1.0,
            Stiffness::Given(k) => k,
            Stiffness::LargestForce { scale } => scale,
        };
        for (key, value, need, good) in [
            (
                "contact tolerance",
                s.tolerance,
                "between 0 and 0.5 (it is relative to the radius)",
                s.tolerance > 0.0 && s.tolerance < 0.5,
            ),
            (
                "contact stiffness",
                given,
                positive,
                given.is_finite() && given > 0.0,
            ),
            (
                "friction coefficient",
                s.friction,
                "finite and not negative",
                s.friction.is_finite() && s.friction >= 0.0,
            ),
            (
                "slip tolerance",
                s.slip_tolerance,
                positive,
                s.slip_tolerance.is_finite() && s.slip_tolerance > 0.0,
            ),
        ] {
            if !good {
                return Err(ModelError::Setting { key, value, need });
            }
        }
        Ok(())
    }

    /// Stiffness of the first step, N m: for `Automatic` one that carries a force of `1e-5 EI/h^2` at 0.3 % penetration.
    pub(crate) fn first_stiffness(&self, model: &Model) -> f64 {
        let Self::Imc(settings) = self else {
            return 0.0;
        };
        match settings.stiffness {
            Stiffness::Given(k) => k,
            _ => model
                .bending_stiffness
                .iter()
                .zip(&model.radius)
                .map(|(ei, h)| 2e-3 * ei / h)
                .fold(0.0, f64::max),
        }
    }
}
