//! A contact as its forces see it: what it answers to its gap and its slips, and nothing of where
//! these come from.

use glam::DVec2;

use super::{Site, SlipSite};
use crate::contact_model::hardening::Stiffened;
use crate::contact_model::law::Response;
use crate::kernels::friction::Stick;
use crate::kernels::friction::traction::Weight;

/// A contact: its first row is its gap, then come two of each slip.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    /// Gap at the trial, m.
    gap: f64,
    /// Part of the law that counts.
    weight: f64,
    law: Stiffened,
    /// Friction: none, through one edge, or through both of a node.
    pub slips: [Option<Slip>; 2],
}

/// Friction through one edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slip {
    /// Slip at the trial, m/s or m.
    at_trial: DVec2,
    /// Change of the slip by that of a row, 1/s or 1.
    pub rate: f64,
    /// Largest friction over the normal force of the contact.
    most: f64,
    /// How stick is made smooth, and below which slip.
    weight: Weight,
    scale: f64,
}

/// Friction by its slip: `f = -B s`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drag {
    /// B.
    pub factor: f64,
    /// B'/|s|.
    pub slope: f64,
}

impl Contact {
    pub fn new(site: &Site) -> Self {
        let mut slips = site.slips.iter().map(Slip::new);
        Self {
            gap: site.gap,
            weight: site.weight,
            law: site.law.clone(),
            slips: [slips.next(), slips.next()],
        }
    }

    /// Number of its rows.
    pub fn count(&self) -> usize {
        1 + 2 * self.slips.iter().flatten().count()
    }

    /// Energy, force and stiffness if the row of the gap has changed by `moved`, m.
    pub fn response(&self, moved: f64) -> Response {
        let whole = self.law.evaluate(self.gap + moved);
        Response {
            energy: self.weight * whole.energy,
            force: self.weight * whole.force,
            stiffness: self.weight * whole.stiffness,
        }
    }
}

#[cfg(test)]
impl Contact {
    /// With one slip, and friction that sticks below it by creeping.
    pub(super) fn creeping(gap: f64, law: Stiffened, slip: Slip) -> Self {
        Self {
            gap,
            weight: 1.0,
            law,
            slips: [Some(slip), None],
        }
    }
}

#[cfg(test)]
impl Slip {
    /// Of the first row by `rate`, with the coefficient `most`, up to the speed `scale`.
    pub(super) fn creeping(at_trial: DVec2, rate: f64, most: f64, scale: f64) -> Self {
        Self {
            at_trial,
            rate,
            most,
            weight: Weight::Tanh,
            scale,
        }
    }
}

/// The forces of sites at the trial that they were made of, row by row.
pub(crate) fn forces(sites: &[Site]) -> Vec<f64> {
    let mut forces = Vec::new();
    for contact in sites.iter().map(Contact::new) {
        let normal = contact.response(0.0).force;
        forces.push(normal);
        for slip in contact.slips.iter().flatten() {
            let s = slip.at_trial;
            forces.extend((-slip.drag(normal, s).factor * s).to_array());
        }
    }
    forces
}

impl Slip {
    fn new(site: &SlipSite) -> Self {
        let (weight, scale) = match site.law.stick {
            Stick::Creep { tolerance } => (Weight::Tanh, tolerance),
            Stick::Anchor { length, .. } => (Weight::Cubic, length),
        };
        Self {
            at_trial: site.slip,
            rate: site.rate,
            most: site.law.coefficient * site.share,
            weight,
            scale,
        }
    }

    /// The slip if its rows have changed by `moved`.
    pub(super) fn value(&self, moved: [f64; 2]) -> DVec2 {
        self.at_trial + self.rate * DVec2::from_array(moved)
    }

    /// Largest friction with a normal force.
    pub(super) fn most(&self, normal: f64) -> f64 {
        self.most * normal
    }

    /// Friction at the slip `s`.
    pub(super) fn drag(&self, normal: f64, s: DVec2) -> Drag {
        // Of a contact that is open.
        if normal == 0.0 {
            return Drag::default();
        }
        let (most, c) = (self.most(normal), self.scale);
        let (ratio, slope) = self.weight.ratio(s.length() / c);
        Drag {
            factor: most * ratio / c,
            slope: most * slope / (c * c * c),
        }
    }
}
