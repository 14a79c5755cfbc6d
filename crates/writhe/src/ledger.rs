//! The balance of a run, kept step by step.
//!
//! With E the energy of rods and bodies (kinetic, elastic and stored in contact), W works and Q
//! heat since the start,
//!
//! ```text
//! E - E(start) = W_loads + W_supports + W_motors + W_contact - Q_drag - Q_damping - Q_friction + S
//! ```
//!
//! Works and heat are sums over the steps by a quadrature of the order of the time scheme. S is
//! what is left: what the scheme itself made (S > 0) or lost (S < 0, numerical dissipation).
//! Gravity is among the loads, so no term depends on where the origin is.

use std::ops::{Add, AddAssign, Mul, Sub};

use serde::{Deserialize, Serialize};

/// Works and heat, J, or their rates, W.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Works {
    /// Work of gravity, forces, moments and moving air.
    pub loads: f64,
    /// Work of what prescribes motion: clamps, held nodes and angles, moved bodies, moving
    /// obstacles.
    pub supports: f64,
    /// Work of motors of joints, of rest shapes that are driven, of a rigid-body engine on its own
    /// account, and of changes of the model between steps.
    pub motors: f64,
    /// Work of contact without the energy that it stores: changes of its stiffness, and contact
    /// forces that store none.
    pub contact: f64,
    /// Heat by drag of a fluid or of air.
    pub drag: f64,
    /// Heat by viscous damping, and inside of viscous rods.
    pub damping: f64,
    /// Heat by friction.
    pub friction: f64,
}

impl Works {
    /// Works and heat, each positive where it adds to the energy.
    pub fn gains(&self) -> [f64; 7] {
        [
            self.loads,
            self.supports,
            self.motors,
            self.contact,
            -self.drag,
            -self.damping,
            -self.friction,
        ]
    }

    /// What all of them add to the energy.
    pub fn net(&self) -> f64 {
        self.gains().iter().sum()
    }

    /// Sum of their sizes.
    pub fn size(&self) -> f64 {
        self.gains().iter().map(|w| w.abs()).sum()
    }

    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            loads: f(self.loads, other.loads),
            supports: f(self.supports, other.supports),
            motors: f(self.motors, other.motors),
            contact: f(self.contact, other.contact),
            drag: f(self.drag, other.drag),
            damping: f(self.damping, other.damping),
            friction: f(self.friction, other.friction),
        }
    }
}

impl Add for Works {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Works {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul<f64> for Works {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        self.zip(self, |a, _| factor * a)
    }
}

impl AddAssign for Works {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Energy of rods and bodies, J.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Stored {
    /// Kinetic and elastic.
    pub motion: f64,
    /// Stored in contact.
    pub contact: f64,
}

impl Stored {
    /// Their sum, J.
    pub fn total(&self) -> f64 {
        self.motion + self.contact
    }
}

/// How the powers at a step's stage become works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quadrature {
    /// Powers of the stage hold for the whole step: of first order at the step's end, of second
    /// order in its middle.
    Stage,
    /// The mean of those at both ends: of second order where the stage is the step's end.
    Ends,
}

/// What one step did to the energy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepAccount {
    /// Size of the step, s.
    pub dt: f64,
    /// Works that follow from the configurations at both ends, J.
    pub works: Works,
    /// Powers of all other works at the stage, W.
    pub powers: Works,
    /// How powers become works.
    pub quadrature: Quadrature,
    /// Energy at the start of the step.
    pub before: Stored,
    /// Energy at its end.
    pub after: Stored,
}

/// Works, heat and what the time scheme did, since the start of the run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// Works and heat, J.
    pub works: Works,
    /// S: what the scheme made, J; negative where it lost energy.
    pub scheme: f64,
    /// Energy at the end of the last step; `None` before the first one and where the motion was
    /// interrupted.
    pub energy: Option<Stored>,
    /// Largest energy so far, J.
    pub largest: f64,
    /// Largest rise of S so far, J: what the scheme made without losing it before.
    pub gain: f64,
    /// Largest fall of S so far, J.
    pub loss: f64,
    /// Least and largest S so far, J.
    range: [f64; 2],
    /// Powers at the end of the last step, W.
    powers: Option<Works>,
}

impl Ledger {
    /// The ledger after one more step.
    pub fn after(mut self, step: &StepAccount) -> Self {
        // Without a step before, the stage's power holds for all of this one (decision 0039).
        let mean = match (step.quadrature, self.powers) {
            (Quadrature::Ends, Some(before)) => (before + step.powers) * 0.5,
            _ => step.powers,
        };
        let works = step.works + mean * step.dt;
        self.works += works;
        // S is what no work explains.
        self.scheme += step.after.total() - step.before.total() - works.net();
        self.energy = Some(step.after);
        self.powers = Some(step.powers);
        for energy in [step.before, step.after] {
            self.largest = self.largest.max(energy.total());
        }
        let [least, most] = self.range;
        self.range = [least.min(self.scheme), most.max(self.scheme)];
        // Rise and fall apart: a net value would hide what was made behind what was lost.
        self.gain = self.gain.max(self.scheme - self.range[0]);
        self.loss = self.loss.max(self.range[1] - self.scheme);
        self
    }

    /// The ledger after something changed the energy of rods and bodies by `work`, J, between
    /// steps.
    pub fn moved(mut self, work: f64) -> Self {
        // Before the first step nothing was counted yet.
        if let Some(stored) = &mut self.energy {
            stored.motion += work;
            self.works.motors += work;
        }
        self
    }

    /// Between this account and `later`, of which the `part` from 0 to 1 of the time has passed:
    /// works, heat and what the scheme made run evenly.
    pub(crate) fn towards(self, later: Self, part: f64) -> Self {
        Self {
            works: self.works + (later.works - self.works) * part,
            scheme: self.scheme + (later.scheme - self.scheme) * part,
            ..later
        }
    }

    /// This account where motion goes on from another state than the last step led to.
    pub fn interrupted(mut self) -> Self {
        self.energy = None;
        self.powers = None;
        self
    }

    /// What gains and losses are compared with, J: the largest energy and the sizes of all works.
    pub fn scale(&self) -> f64 {
        self.largest + self.works.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(before: f64, after: f64, loads: f64) -> StepAccount {
        let stored = |motion| Stored {
            motion,
            contact: 0.0,
        };
        StepAccount {
            dt: 1.0,
            works: Works {
                loads,
                ..Works::default()
            },
            powers: Works::default(),
            quadrature: Quadrature::Stage,
            before: stored(before),
            after: stored(after),
        }
    }

    /// A gain that is lost again later, or was lost before, is a gain.
    #[test]
    fn gains_are_rises_and_losses_are_falls() {
        let ledger = Ledger::default()
            .after(&step(10.0, 7.0, 0.0))
            .after(&step(7.0, 9.0, 0.5))
            .after(&step(9.0, 5.0, 0.0));
        assert_eq!(ledger.scheme, -5.5);
        assert_eq!([ledger.gain, ledger.loss], [1.5, 5.5]);
        assert_eq!([ledger.largest, ledger.scale()], [10.0, 10.5]);
    }

    /// Second order needs the powers of both ends; after an interruption there are none of the
    /// start.
    #[test]
    fn powers_of_both_ends_are_averaged() {
        let of = |friction| StepAccount {
            powers: Works {
                friction,
                ..Works::default()
            },
            quadrature: Quadrature::Ends,
            ..step(1.0, 1.0, 0.0)
        };
        let ledger = Ledger::default().after(&of(4.0)).after(&of(2.0));
        assert_eq!(ledger.works.friction, 4.0 + 3.0);
        assert_eq!(ledger.interrupted().after(&of(6.0)).works.friction, 13.0);
        assert_eq!(ledger.scheme, 7.0);
    }
}
