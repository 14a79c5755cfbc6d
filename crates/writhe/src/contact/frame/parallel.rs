//! Edges that touch along a stretch: their contact spread over it.
//!
//! All points of two parallel edges are about as near. Which are the nearest (T22 Eq. 10) turns
//! over with the last digits of the nodes, from one end to the other of the stretch along which the
//! edges lie beside each other, and with it the force's share of each node. As a function of the
//! tilt, the energy has a kink on which edges come to rest, and no gradient that Newton's method
//! could bring to zero. Half of the law at each end of the stretch is smooth: the shares follow
//! from the two gaps, which differ by the tilt (decision 0057).

use glam::DVec3;

use super::ContactFrame;
use crate::assembly::Trial;
use crate::contact::pair::PairContact;
use crate::contact::set::EdgeContact;
use crate::contact_model::law::Response;
use crate::contact_model::policy::NormalForces;
use crate::kernels::distance::{
    PairDistance, nearly_parallel, overlap_distances_within, pair_distance,
};
use crate::model::Model;
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// Contacts of parallel edges from which on rods lie along each other.
const MANY: usize = 100;

impl ContactFrame {
    /// Spreads the contact of those of `pairs` that are nearly parallel at a trial over their
    /// overlap, for the rest of the step; returns whether there are any new ones. Only contact by
    /// an energy of the gap is spread, and no barrier, which must know the nearest points.
    pub(crate) fn spread_parallel(
        &mut self,
        model: &Model,
        at: &Trial,
        pairs: &[EdgeContact],
    ) -> bool {
        let before = self.spread.len();
        if !may_spread(model) {
            return false;
        }
        let parallel = pairs.iter().filter(|p| is_parallel(model, at, p));
        self.spread.extend(parallel.map(|p| key(p.edges)));
        self.spread.len() > before
    }

    /// Whether rods lie along each other at a trial: many of `pairs`, and most, are nearly parallel,
    /// and may be spread.
    pub(crate) fn lie_along(&self, model: &Model, at: &Trial, pairs: &[EdgeContact]) -> bool {
        if pairs.len() < MANY || !may_spread(model) {
            return false;
        }
        let parallel = pairs.iter().filter(|p| is_parallel(model, at, p)).count();
        parallel >= MANY && 2 * parallel > pairs.len()
    }

    /// Whether the contact of two edges is spread over their overlap.
    pub(in crate::contact) fn is_spread(&self, edges: [usize; 2]) -> bool {
        !self.spread.is_empty() && self.spread.contains(&key(edges))
    }

    /// Hands on the normal contacts of two edges, those within its range: one at the nearest points,
    /// or half of one at each end of the overlap, with the number of the end. `stiffness`, N m, is that
    /// of contacts without springs.
    #[inline(always)]
    pub(in crate::contact) fn each_pair_contact(
        &self,
        model: &Model,
        at: &Trial,
        edges: [usize; 2],
        stiffness: f64,
        mut take: impl FnMut(u8, &PairContact),
    ) {
        if !self.is_spread(edges) {
            // Not copied on the way: it is large.
            if let Some(contact) = &self.pair_contact(model, at, edges, stiffness) {
                take(0, contact);
            }
            return;
        }
        let positions = nodes(model, edges).map(|n| at.position(n));
        for (end, contact) in (0..).zip(&self.halves(model, positions, edges, stiffness)) {
            if let Some(contact) = contact {
                take(end, contact);
            }
        }
    }

    /// Where a pair touches at a trial, at any distance: at the nearest points, or at both ends of the
    /// overlap; and which part of the law counts there.
    pub(in crate::contact) fn pair_distances(
        &self,
        model: &Model,
        at: &Trial,
        edges: [usize; 2],
    ) -> ([Option<PairDistance>; 2], f64) {
        let positions = nodes(model, edges).map(|n| at.position(n));
        if self.is_spread(edges) {
            return (overlap_distances_within(f64::INFINITY, positions), 0.5);
        }
        let [a0, a1, b0, b1] = positions;
        ([Some(pair_distance(a0, a1, b0, b1)), None], 1.0)
    }

    /// What spreading contacts does to their energy at the unknowns `q`, J: that of halves at both
    /// ends of overlaps less that of whole contacts at the nearest points. Not positive, since
    /// contact is stronger the nearer it is.
    pub(crate) fn energy_of_spreading(&self, model: &Model, q: &[f64], stiffness: f64) -> f64 {
        let change = |&(i, j): &(u32, u32)| {
            let edges = [i as usize, j as usize];
            let positions = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
            let halves = self.halves(model, positions, edges, stiffness);
            let halves: f64 = halves.iter().flatten().map(|c| c.response.energy).sum();
            let whole = self.pair_contact_at(model, positions, edges, stiffness);
            halves - whole.map_or(0.0, |c| c.response.energy)
        };
        self.spread.iter().map(change).sum()
    }

    /// Half of a contact at each end of the overlap of two edges.
    fn halves(
        &self,
        model: &Model,
        positions: [DVec3; 4],
        edges: [usize; 2],
        stiffness: f64,
    ) -> [Option<PairContact>; 2] {
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        let Some(law) = model.contact.law(0.5 * touching, stiffness) else {
            return [None; 2];
        };
        PairContact::at_ends_of_overlap(&law, touching, positions).map(|end| {
            let mut contact = end?;
            self.set_response(model, edges, contact.gap, &mut contact.response);
            contact.response = half(contact.response);
            Some(contact)
        })
    }
}

fn may_spread(model: &Model) -> bool {
    let policy = model.contact.policy();
    !policy.barrier && matches!(policy.forces, NormalForces::OfGap)
}

fn is_parallel(model: &Model, at: &Trial, pair: &EdgeContact) -> bool {
    nearly_parallel(nodes(model, pair.edges).map(|n| at.position(n)))
}

fn half(whole: Response) -> Response {
    Response {
        energy: 0.5 * whole.energy,
        force: 0.5 * whole.force,
        stiffness: 0.5 * whole.stiffness,
    }
}

fn key([i, j]: [usize; 2]) -> (u32, u32) {
    (i as u32, j as u32)
}
