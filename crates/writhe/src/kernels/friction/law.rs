//! The law of friction during one step: of which slip, and how it is made smooth.

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;
use crate::kernels::friction::anchor::Anchor;
use crate::kernels::friction::directions::Directions;
use crate::kernels::friction::traction::{Traction, Weight};

/// What slips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlipOf {
    /// Surfaces, which turn with their sections.
    Surfaces,
    /// Axes (T22): spin slips without friction, and a pair that turns as one slips.
    Axes,
}

/// How stick is made smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stick {
    /// Sticking by the speed: what sticks creeps (T22 Eq. 17).
    Creep {
        /// Slip tolerance nu, m/s.
        tolerance: f64,
    },
    /// Sticking by the displacement since the contact began to stick: it does not creep.
    Anchor {
        /// Displacement at which it slides, m.
        length: f64,
        /// Time from the start of the step to where forces balance, s.
        dt: f64,
        /// Time from the stage to the end of the step, s.
        rest: f64,
    },
}

/// Friction during one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlipLaw {
    /// mu, dimensionless.
    pub coefficient: f64,
    /// What slips.
    pub of: SlipOf,
    /// How stick is made smooth.
    pub stick: Stick,
    /// Coefficients by direction in place of mu of each carrier; a contact with a body has one.
    pub directions: [Option<Directions>; 2],
}

/// The slip s of a contact, with what its derivatives need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slip {
    /// s: v_T, m/s, or xi + dt v_T, m.
    pub value: DVec3,
    /// ds/dv_T: 1, or dt, s.
    pub rate: f64,
    /// Where xi comes from.
    pub anchor: Option<Anchor>,
}

impl Slip {
    /// ds/dx, given the relative velocity v with its derivative, and those of the normal n and of
    /// the carrier's tangent t.
    #[inline(always)]
    pub(crate) fn gradient(
        &self,
        (v, dv): (DVec3, DMat3),
        (n, dn): (DVec3, DMat3),
        (t, dt): (DVec3, DMat3),
    ) -> DMat3 {
        // v_T = v - (v . n) n.
        let normal_part = outer(n, v) + DMat3::from_diagonal(DVec3::splat(v.dot(n)));
        // dv_T = (I - n n^T) dv - (n v^T + (v . n) I) dn
        let dv_t = dv - outer(n, dv.transpose() * n) - normal_part * dn;
        match self.anchor {
            // ds = (ds/dv_T) dv_T + dxi
            Some(anchor) => dv_t * self.rate + anchor.gradient(n, t, dn, dt),
            None => dv_t * self.rate,
        }
    }
}

impl SlipLaw {
    /// Whether any carrier has coefficients by direction.
    pub(crate) fn is_directed(&self) -> bool {
        self.directions.iter().any(Option::is_some)
    }

    /// The slip at the tangential velocity `v`, m/s, of a contact with normal `n` between edges
    /// with these tangents.
    pub(crate) fn slip(
        &self,
        v: DVec3,
        anchor: Option<Anchor>,
        n: DVec3,
        tangents: &[DVec3],
    ) -> Slip {
        match self.stick {
            Stick::Creep { .. } => Slip {
                value: v,
                rate: 1.0,
                anchor: None,
            },
            // s = xi + dt v_T
            Stick::Anchor { dt, .. } => Slip {
                value: dt * v + anchor.map_or(DVec3::ZERO, |a| a.slip(n, a.tangent(tangents))),
                rate: dt,
                anchor,
            },
        }
    }

    /// Force over normal force at the slip s.
    pub(crate) fn traction(&self, s: DVec3) -> Traction {
        self.traction_of(self.coefficient, s)
    }

    /// The same with another coefficient.
    pub(crate) fn traction_of(&self, mu: f64, s: DVec3) -> Traction {
        let (weight, scale) = match self.stick {
            Stick::Creep { tolerance } => (Weight::Tanh, tolerance),
            Stick::Anchor { length, .. } => (Weight::Cubic, length),
        };
        Traction::new(weight, mu, s, scale)
    }

    /// What a contact remembers of the slip s and the tangential velocity `v`, m/s, if anything.
    pub(crate) fn remember(
        &self,
        s: DVec3,
        v: DVec3,
        n: DVec3,
        tangents: &[DVec3],
    ) -> Option<Anchor> {
        match self.stick {
            Stick::Creep { .. } => None,
            Stick::Anchor { length, rest, .. } => {
                // The velocity of the stage lasts to the end of the step.
                Some(Anchor::remember(s + rest * v, length, n, tangents))
            }
        }
    }
}
