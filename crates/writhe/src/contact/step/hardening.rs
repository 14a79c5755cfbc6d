//! Contacts whose stiffness was raised while they were compressed, within a step.

use super::{ContactStep, nodes, pair_contact};
use crate::assembly::Trial;
use crate::contact::hardening::{ContactId, Hardening, Touch};
use crate::contact::imc_smooth::SmoothContact;
use crate::contact::pair::PairContact;
use crate::contact::policy::NormalForces;
use crate::model::Model;

impl ContactStep {
    /// Gives contacts their springs, in place of those they had.
    pub fn harden(&mut self, hardening: Hardening) {
        self.obstacles.harden(hardening.clone());
        self.hardening = hardening;
    }

    /// The contacts with springs.
    pub fn hardening(&self) -> &Hardening {
        &self.hardening
    }

    /// Normal contact of two edges, if they are within its range; `stiffness`, N m, is that of contacts without springs.
    pub(in crate::contact) fn pair_contact(
        &self,
        model: &Model,
        at: &Trial,
        edges: [usize; 2],
        stiffness: f64,
    ) -> Option<PairContact> {
        let mut contact = pair_contact(model, at, edges, stiffness)?;
        self.set_response(model, edges, contact.gap, &mut contact.response);
        Some(contact)
    }

    /// The same by the smoothed distance.
    pub(super) fn set_response(
        &self,
        model: &Model,
        edges: [usize; 2],
        gap: f64,
        response: &mut crate::contact::law::Response,
    ) {
        if self.hardening.0.is_empty() {
            return;
        }
        let scale = 0.5 * (model.radius[edges[0]] + model.radius[edges[1]]);
        let springs = self.hardening.of(pair(edges));
        if let Some(hardened) = springs {
            *response = model.contact.hardened(hardened, scale, gap);
        }
    }

    /// The contacts at the start of a step, `at`, where `stiffness`, N m, was that of contacts without springs, sorted.
    pub fn touching_at_start(&mut self, model: &Model, at: &Trial, stiffness: f64) -> Vec<Touch> {
        let mut found = Vec::new();
        let forces = model.contact.policy().forces;
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let at_law = match &forces {
                NormalForces::OfSmoothedDistance(settings) => {
                    let law = settings.law(0.5 * touching, stiffness);
                    let positions = nodes(model, edges).map(|n| at.position(n));
                    SmoothContact::find(&law, settings.distance_sharpness, touching, positions).map(
                        |mut c| {
                            let gap = c.distance.distance - touching;
                            self.set_response(model, edges, gap, &mut c.response);
                            (gap, c.response.energy)
                        },
                    )
                }
                NormalForces::Absent | NormalForces::OfGap | NormalForces::Impulses(_) => (self
                    .pair_contact(model, at, edges, stiffness))
                .map(|c| (c.gap, c.response.energy)),
            };
            found.extend(at_law.map(|(gap, energy)| Touch {
                contact: pair(edges),
                scale: 0.5 * touching,
                weight: 1.0,
                gap,
                energy,
            }));
        }
        found.extend(self.obstacles.touching_at_start(model, at, stiffness));
        found.sort_by_key(|touch| touch.contact);
        found
    }

    /// The contacts at the trial last evaluated: which, and how deep they penetrate over the radius, with the mean radius, m, and the normal force, N.
    pub fn penetrations(&self) -> impl Iterator<Item = Penetration> + '_ {
        self.pair_penetrations()
            .chain(self.obstacles.penetrations())
    }

    /// The same of all contacts, those at obstacles too that count little: no gap of a barrier may close.
    pub fn touching(&self) -> impl Iterator<Item = Penetration> + '_ {
        self.pair_penetrations().chain(self.obstacles.touching())
    }

    fn pair_penetrations(&self) -> impl Iterator<Item = Penetration> + '_ {
        let smoothed = |k: usize, touching: f64| {
            let contact = self.smooth.get(k)?;
            Some(contact.distance.distance - touching)
        };
        let pairs = self.active.iter().enumerate();
        pairs.map(move |(k, p)| Penetration {
            contact: pair(p.edges),
            scale: 0.5 * p.touching,
            depth: p.penetration(),
            gap: smoothed(k, p.touching).unwrap_or(p.contact.gap),
            force: p.contact.response.force,
        })
    }
}

/// A contact and its depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// Which contact.
    pub contact: ContactId,
    /// Mean radius of what touches, m.
    pub scale: f64,
    /// Depth over that radius; negative where there is a gap.
    pub depth: f64,
    /// Gap that its law sees, m.
    pub gap: f64,
    /// Normal force before weights, N.
    pub force: f64,
}

/// The contact of two edges.
fn pair(edges: [usize; 2]) -> ContactId {
    ContactId::Pair(edges.map(|edge| edge as u32))
}
