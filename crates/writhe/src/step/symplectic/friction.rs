//! Coulomb's friction on obstacles, those that are part of bodies among them, at the end of an
//! explicit step.
//!
//! With the slip s of each contact over the step, its normal force F and how slips answer friction,
//! `ds = A df`, wanted are tangential forces f with
//!
//! ```text
//! |f| <= mu F,   and f = -mu F s/|s| where s is not zero
//! ```
//!
//! For given normal forces that is the minimum of `s.df + df.A df/2` over discs: what can stick
//! does, to rounding, and nothing is turned round. Normal forces and friction are corrected in turn
//! until both hold. What sticks at many places does not say how much of it each place holds: there
//! both may go on for long among forces that hold as well, so after some rounds less is asked of
//! the bound. Forces act at the rod's axis, as do those between rods (C21): a rod does not
//! roll.

use glam::{DVec2, DVec3};

use crate::contact::frame::{Approach, Surface};
use crate::rod::geometry::any_normal;
use crate::rod::kinematics::position;
use crate::solve::SolveError;
use crate::solve::discs::{DiscOptions, minimise, residual, within};
use crate::step::impulses::gaps::MassCompliance;

/// Part of the largest friction by which forces may be off, in the first rounds and in later ones.
const TOLERANCES: [f64; 2] = [1e-6, 1e-3];
/// The first rounds.
const FIRST_ROUNDS: u32 = 8;
/// Slip over a step that counts as none, over the radius.
const NO_SLIP: f64 = 1e-9;
/// Products with A within one correction.
const MAX_PRODUCTS: usize = 400;

/// The contacts with friction of one step.
pub(super) struct Rubbing {
    contacts: Vec<Rubs>,
    /// Friction of each in its tangents over its scale, and what it is below.
    x: Vec<DVec2>,
    radius: Vec<f64>,
    /// Slip of each in its tangents times its scale.
    slip: Vec<DVec2>,
    /// Change of `x` by a step along the slip that counts as none.
    tolerance: f64,
}

struct Rubs {
    /// Its place among the approaches.
    place: usize,
    surface: Surface,
    tangents: [DVec3; 2],
    /// Force over its unknown, and scaled slip over slip, 1/sqrt(m/N).
    scale: f64,
}

impl Rubbing {
    /// The contacts of `approaches` that have friction, or had, in a round of corrections, with
    /// unknowns that moved by `travelled` since the start of the step, `(dofs)`. `length`, m, is the
    /// radius of rods.
    pub fn new(
        approaches: &[Approach],
        masses: &MassCompliance,
        travelled: &[f64],
        (length, round): (f64, u32),
    ) -> Self {
        let mut all = Self {
            contacts: Vec::new(),
            x: Vec::new(),
            radius: Vec::new(),
            slip: Vec::new(),
            tolerance: 0.0,
        };
        let mut smallest = f64::INFINITY;
        for (place, approach) in approaches.iter().enumerate() {
            let Some(surface) = approach.surface else {
                continue;
            };
            let limit = surface.coefficient * approach.force;
            if !surface.rubs(approach.force) {
                continue;
            }
            let across = any_normal(surface.normal);
            let tangents = [across, surface.normal.cross(across)];
            let compliance = tangents.map(|axis| {
                let (dofs, mut row) = surface.row(axis);
                masses.of_row(&dofs, &mut row)
            });
            let compliance = 0.5 * (compliance[0] + compliance[1]);
            if compliance == 0.0 {
                // Held on both sides: nothing that it could hold.
                continue;
            }
            let scale = 1.0 / compliance.sqrt();
            smallest = scale.min(smallest);
            let contact = Rubs {
                place,
                surface,
                tangents,
                scale,
            };
            let [of_a, of_b] = surface.nodes;
            let slip = of_a.1 * position(travelled, of_a.0) + of_b.1 * position(travelled, of_b.0);
            all.slip.push(scale * contact.flat(slip - surface.gone));
            all.x.push(contact.flat(surface.friction) / scale);
            all.radius.push(limit / scale);
            all.contacts.push(contact);
        }
        let largest = all.radius.iter().fold(0.0, |a: f64, r| a.max(*r));
        let [first, later] = TOLERANCES;
        all.tolerance = largest * if round < FIRST_ROUNDS { first } else { later };
        if smallest.is_finite() {
            all.tolerance = all.tolerance.max(NO_SLIP * length * smallest);
        }
        all
    }

    /// Whether friction holds what it can, and no more.
    pub fn is_settled(&self) -> bool {
        residual(&self.x, &self.slip, &self.radius) <= self.tolerance
    }

    /// Corrects the friction of `approaches`; returns the change as forces, `(dofs)`, and the
    /// number of products. `respond` turns forces into displacements.
    pub fn correct(
        &mut self,
        approaches: &mut [Approach],
        dofs: usize,
        mut respond: impl FnMut(&mut [f64]) -> Result<(), SolveError>,
    ) -> Result<(Vec<f64>, usize), SolveError> {
        let contacts = &self.contacts;
        let mut moved = vec![0.0; dofs];
        // A p: forces of p, the displacements that they make, and what these change of slips.
        let mut product = |p: &[DVec2], out: &mut [DVec2]| {
            moved.fill(0.0);
            for (contact, p) in contacts.iter().zip(p) {
                contact.surface.push(contact.force(*p), &mut moved);
            }
            respond(&mut moved)?;
            for (contact, out) in contacts.iter().zip(out) {
                *out = contact.scale * contact.flat(contact.surface.moved(&moved));
            }
            Ok(())
        };
        // From the nearest friction that is allowed.
        let pairs = self.x.iter().zip(&self.radius);
        let mut x: Vec<DVec2> = pairs.map(|(x, r)| within(*x, *r)).collect();
        let change: Vec<DVec2> = x.iter().zip(&self.x).map(|(x, was)| *x - *was).collect();
        let mut products = 0;
        if change.iter().any(|d| *d != DVec2::ZERO) {
            let mut image = vec![DVec2::ZERO; x.len()];
            product(&change, &mut image)?;
            products += 1;
            self.slip.iter_mut().zip(image).for_each(|(s, d)| *s += d);
        }
        let options = DiscOptions {
            tolerance: 0.5 * self.tolerance,
            max_products: MAX_PRODUCTS,
        };
        products += minimise(&mut x, &mut self.slip, &self.radius, &options, product)?;
        let mut force = vec![0.0; dofs];
        for (contact, x) in self.contacts.iter().zip(&x) {
            let friction = contact.force(*x);
            contact
                .surface
                .push(friction - contact.surface.friction, &mut force);
            if let Some(surface) = &mut approaches[contact.place].surface {
                surface.friction = friction;
            }
        }
        Ok((force, products))
    }
}

impl Rubs {
    /// A vector in its tangents.
    fn flat(&self, v: DVec3) -> DVec2 {
        DVec2::from(self.tangents.map(|axis| axis.dot(v)))
    }

    /// Friction by its scaled unknown, N.
    fn force(&self, x: DVec2) -> DVec3 {
        self.scale * (x.x * self.tangents[0] + x.y * self.tangents[1])
    }
}
