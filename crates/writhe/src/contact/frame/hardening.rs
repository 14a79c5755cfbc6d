//! Contacts whose stiffness was raised while they were compressed, within a step.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::frame::ContactFrame;
use crate::contact::obstacle::frame::Instant;
use crate::contact::pair::PairContact;
use crate::contact_model::hardening::{ContactId, Hardening, Touch};
use crate::contact_model::imc_smooth::SmoothContact;
use crate::contact_model::law::Response;
use crate::contact_model::policy::NormalForces;
use crate::model::Model;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

impl ContactFrame {
    /// Gives contacts their springs, in place of those they had.
    pub(crate) fn harden(&mut self, hardening: Hardening) {
        self.obstacles.harden(hardening.clone());
        self.hardening = hardening;
    }

    /// The contacts with springs.
    pub(crate) fn hardening(&self) -> &Hardening {
        &self.hardening
    }

    /// Normal contact of two edges, if they are within its range; `stiffness`, N m, is that of
    /// contacts without springs.
    #[inline]
    pub(in crate::contact) fn pair_contact(
        &self,
        model: &Model,
        at: &Trial,
        edges: [usize; 2],
        stiffness: f64,
    ) -> Option<PairContact> {
        let positions = nodes(model, edges).map(|n| at.position(n));
        self.pair_contact_at(model, positions, edges, stiffness)
    }

    /// The same of edges whose nodes are at `positions`, m.
    #[inline]
    pub(in crate::contact) fn pair_contact_at(
        &self,
        model: &Model,
        positions: [DVec3; 4],
        edges: [usize; 2],
        stiffness: f64,
    ) -> Option<PairContact> {
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        let law = model.contact.law(0.5 * touching, stiffness)?;
        let mut contact = PairContact::find(&law, touching, positions)?;
        self.set_response(model, edges, contact.gap, &mut contact.response);
        Some(contact)
    }

    /// The same by the smoothed distance.
    pub(in crate::contact) fn set_response(
        &self,
        model: &Model,
        edges: [usize; 2],
        gap: f64,
        response: &mut Response,
    ) {
        if self.hardening.0.is_empty() {
            return;
        }
        let scale = 0.5 * (model.radius[edges[0]] + model.radius[edges[1]]);
        // Law and springs in place of the law alone.
        if let Some(hardened) = self.hardening.of(pair(edges)) {
            *response = model.contact.hardened(hardened, scale, gap);
        }
    }

    /// The contacts at the start of a step, `at`, where `stiffness`, N m, was that of contacts
    /// without springs, sorted.
    pub(crate) fn touching_at_start(
        &self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
    ) -> Vec<Touch> {
        let mut found = Vec::new();
        let forces = model.contact.policy().forces;
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            // The gap that the law sees, which with C21 is that of the smoothed distance.
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

    /// Number of contacts but for those of a rod with itself, at the unknowns `q`, `(dofs)`, by an
    /// energy of the gap, with obstacles where they are at the stage.
    pub(crate) fn count_between_at(&self, model: &Model, q: &[f64], stiffness: f64) -> usize {
        let touches = |&&(i, j): &&(u32, u32)| {
            let edges = [i as usize, j as usize];
            if !model.topology.between_rods(edges) {
                return false;
            }
            let positions = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
            (self.pair_contact_at(model, positions, edges, stiffness)).is_some()
        };
        let pairs = self.candidates.iter().filter(touches).count();
        pairs + self.obstacles.count_at(model, q, stiffness)
    }

    /// Energy stored in contact at the unknowns `q` with the stiffness `stiffness`, N m, and
    /// obstacles where they are at `instant`, J.
    pub(crate) fn energy_at(
        &self,
        model: &Model,
        q: &[f64],
        stiffness: f64,
        instant: Instant,
    ) -> f64 {
        let forces = model.contact.policy().forces;
        // Given forces store nothing.
        if matches!(forces, NormalForces::Absent | NormalForces::Impulses(_)) {
            return 0.0;
        }
        let pair = |&(i, j): &(u32, u32)| -> Option<f64> {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let law = model.contact.law(0.5 * touching, stiffness)?;
            let positions = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
            let (gap, mut response) = match &forces {
                NormalForces::OfSmoothedDistance(settings) => {
                    let sharpness = settings.distance_sharpness;
                    let contact = SmoothContact::find(&law, sharpness, touching, positions)?;
                    (contact.distance.distance - touching, contact.response)
                }
                NormalForces::Absent | NormalForces::Impulses(_) => return None,
                NormalForces::OfGap => {
                    let contact = PairContact::find(&law, touching, positions)?;
                    (contact.gap, contact.response)
                }
            };
            self.set_response(model, edges, gap, &mut response);
            Some(response.energy)
        };
        let pairs = self.candidates.iter().filter_map(pair);
        let pairs = pairs.fold(0.0, |sum, e| sum + e);
        pairs + self.obstacles.energy_at(model, q, stiffness, instant)
    }
}

/// The contact of two edges.
pub(in crate::contact) fn pair(edges: [usize; 2]) -> ContactId {
    ContactId::Pair(edges.map(|edge| edge as u32))
}
