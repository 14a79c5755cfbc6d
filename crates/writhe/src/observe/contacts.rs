//! The contact set: which parts of the rods touch each other or obstacles, how far apart their
//! surfaces are, and with what force.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::contact::set::EdgeContact;
use crate::model::Model;

/// Part of the largest normal force from which on a contact counts as bearing load. Contact laws
/// have tails: the lightest contacts of a state hover where the law ends, and say nothing about it.
pub(crate) const BEARING: f64 = 0.01;

/// Two parts of rods in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// The rods, which may be the same.
    pub rods: [usize; 2],
    /// Arc length at rest from the first node of each rod to its point of contact, m.
    pub arcs: [f64; 2],
    /// Distance of the surfaces, m; negative where they penetrate.
    pub gap: f64,
    /// Normal force, N.
    pub force: f64,
    /// Middle between the two centrelines, m.
    pub at: DVec3,
    /// Unit vector from the second part to the first: along it the normal force pushes the first.
    pub normal: DVec3,
}

impl ContactPoint {
    /// The point of contact of a pair of edges.
    pub(super) fn of(model: &Model, at: &Trial, pair: &EdgeContact) -> Self {
        let closest = &pair.contact.distance.closest;
        let along = [closest.s, closest.t];
        let arc = |k: usize| {
            let edge = pair.edges[k];
            // From the edge's middle, in rest lengths.
            model.edge_arc[edge] + (along[k] - 0.5) * model.rest_length[edge]
        };
        let [a, b] = model.topology.edge_nodes[pair.edges[0]].map(|n| at.position(n));
        Self {
            rods: pair.edges.map(|edge| model.topology.edge_rod[edge]),
            arcs: [arc(0), arc(1)],
            gap: pair.contact.gap,
            force: pair.contact.response.force,
            at: a.lerp(b, closest.s) - 0.5 * closest.delta,
            normal: pair.contact.distance.normal,
        }
    }
}

/// A part of a rod in contact with an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstaclePoint {
    /// The obstacle, as the model counts them.
    pub obstacle: usize,
    /// The rod.
    pub rod: usize,
    /// Arc length at rest from the rod's first node to the point of contact, m.
    pub arc: f64,
    /// Distance of the surfaces, m; negative where they penetrate.
    pub gap: f64,
    /// Normal force, N.
    pub force: f64,
    /// Unit vector from the obstacle to the rod: along it the normal force pushes the rod.
    pub normal: DVec3,
}

impl ObstaclePoint {
    /// The point of a contact.
    pub(super) fn of(model: &Model, contact: &ObstacleContact) -> Self {
        let topology = &model.topology;
        // The edge that the point lies on, and where on it, from 0 to 1.
        let (edge, along) = match contact.part {
            Part::Edge(edge) => (edge, contact.distance.weights[1]),
            Part::Node(node) => {
                let [rod, node] = topology.node_in_rod(node);
                let rod = &topology.rods[rod];
                // A node begins the edge of its number; the last one of an open rod ends an edge.
                match node < rod.edges {
                    true => (rod.first_edge + node, 0.0),
                    false => (rod.first_edge + rod.edges - 1, 1.0),
                }
            }
        };
        Self {
            obstacle: contact.obstacle,
            rod: topology.edge_rod[edge],
            arc: model.edge_arc[edge] + (along - 0.5) * model.rest_length[edge],
            gap: contact.gap,
            force: contact.force(),
            normal: contact.distance.normal,
        }
    }
}

/// The contacts that bear load: at least [`BEARING`] of the largest normal force among them.
pub(crate) fn bearing(contacts: &[ContactPoint]) -> impl Iterator<Item = &ContactPoint> {
    let largest = contacts.iter().map(|c| c.force).fold(0.0, f64::max);
    contacts
        .iter()
        .filter(move |c| c.force > 0.0 && c.force >= BEARING * largest)
}

/// Distances off touching at which contacts carry force.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clearance {
    /// Largest gap at which a contact bears load, m; 0 if all that do penetrate; `None` without
    /// contact.
    pub hover: Option<f64>,
    /// Deepest penetration of a contact, m; 0 without.
    pub penetration: f64,
}

impl Clearance {
    /// The clearance of contacts given by gap, m, and normal force, N.
    pub(super) fn of(contacts: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let largest = contacts.clone().map(|(_, force)| force).fold(0.0, f64::max);
        let bears = |force: f64| force > 0.0 && force >= BEARING * largest;
        let hovering = contacts.clone().filter(|(_, force)| bears(*force));
        Self {
            hover: hovering.map(|(gap, _)| gap.max(0.0)).reduce(f64::max),
            penetration: contacts.map(|(gap, _)| -gap).fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_contacts_say_nothing_about_hover() {
        let contacts = [(-3e-6, 2.0), (5e-6, 1.0), (2e-4, 0.001), (9e-6, 0.0)];
        let clearance = Clearance::of(contacts.into_iter());
        assert_eq!(clearance.hover, Some(5e-6));
        assert_eq!(clearance.penetration, 3e-6);
    }

    #[test]
    fn nothing_touches_nothing() {
        let none = Clearance::of(std::iter::empty());
        assert_eq!((none.hover, none.penetration), (None, 0.0));
        let deep = Clearance::of([(-1e-6, 1.0)].into_iter());
        assert_eq!((deep.hover, deep.penetration), (Some(0.0), 1e-6));
    }
}
