//! Friction of a rod on an obstacle, through the surfaces of its edges.
//!
//! The contact point lies on the rod's surface, at -h n from its axis; there the obstacle's
//! material moves as it does, so what rides on an obstacle does not slip, and force and reaction
//! act at one point. At a node the section is that of neither edge: half of the normal force acts
//! through each of its edges, at their common end.

use glam::{DMat3, DVec3};

use crate::assembly::Trial;
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::kernels::distance::outer;
use crate::kernels::friction::{Anchor, BodyContact, BodyFriction, EdgeMotion, SlipLaw};
use crate::obstacle::surface::Frame;

/// An edge, and which of its ends a node is.
pub(crate) type EdgeEnd = (usize, usize);

/// The edges of a node, at most two.
pub(crate) type EdgeEnds = [Option<EdgeEnd>; 2];

/// Friction of a contact: one part for an edge, one for each edge of a node. `anchor` is what it
/// remembers, by edge.
pub(crate) fn parts(
    law: SlipLaw,
    at: &Trial,
    frame: &Frame,
    contact: &ObstacleContact,
    ends: impl Fn(usize) -> EdgeEnds,
    anchor: impl Fn(usize) -> Option<Anchor>,
) -> impl Iterator<Item = (usize, BodyFriction)> {
    let places = match contact.part {
        Part::Edge(edge) => [Some((edge, None)), None],
        Part::Node(n) => ends(n).map(|e| e.map(|(edge, end)| (edge, Some(end)))),
    };
    // Half through each edge of a node, all of it at the end of a rod.
    let share = 1.0 / places.iter().flatten().count() as f64;
    places.into_iter().flatten().map(move |(edge, end)| {
        let contact = place(at, frame, contact, share, edge, end);
        let motion = EdgeMotion {
            radius: 0.0,
            velocities: at.topology.edge_nodes[edge].map(|n| at.velocity(n)),
            spin: at.velocity[at.topology.edge_dof[edge]],
            edge: at.kinematics.axis(edge),
        };
        (edge, BodyFriction::new(&law, contact, motion, anchor(edge)))
    })
}

/// The contact as seen by an edge: at its point, or at the end `end` where it is a node's.
fn place(
    at: &Trial,
    frame: &Frame,
    contact: &ObstacleContact,
    share: f64,
    edge: usize,
    end: Option<usize>,
) -> BodyContact {
    let distance = &contact.distance;
    let nodes = at.topology.edge_nodes[edge].map(|n| at.position(n));
    // By node of the edge; of a node's contact all derivatives are by that node.
    let by = |of_contact: [DVec3; 2]| match end {
        None => of_contact,
        Some(end) => [0, 1].map(|l| if l == end { of_contact[0] } else { DVec3::ZERO }),
    };
    let by_matrix = |of_contact: [DMat3; 2]| match end {
        None => of_contact,
        Some(end) => [0, 1].map(|l| if l == end { of_contact[0] } else { DMat3::ZERO }),
    };
    // x = (1 - s) x0 + s x1 - h n, s being 0 or 1 at a node.
    let along = end.map_or(distance.weights[1], |end| end as f64);
    let weights = [1.0 - along, along];
    let along_gradient = by(distance.parameter);
    let normal_gradient = by_matrix(distance.turn);
    let arm = -contact.radius * distance.normal;
    let arm_gradient = normal_gradient.map(|m| m * -contact.radius);
    let point = nodes[0].lerp(nodes[1], along) + arm;
    let u = nodes[1] - nodes[0];
    let point_gradient = |l: usize| {
        // dx/dx_l = w_l + (x1 - x0) (ds/dx_l)^T - h dn/dx_l
        DMat3::from_diagonal(DVec3::splat(weights[l]))
            + outer(u, along_gradient[l])
            + arm_gradient[l]
    };
    BodyContact {
        force: share * contact.force(),
        force_gradient: by([0, 1].map(|k| share * contact.force_gradient(k))),
        normal: distance.normal,
        normal_gradient,
        along,
        along_gradient,
        arm,
        arm_gradient,
        velocity: frame.velocity(point),
        velocity_gradient: [0, 1].map(|l| frame.slope * point_gradient(l)),
    }
}

/// Where the friction of a contact acts, m: at the point of the rod's surface.
pub(crate) fn point(contact: &ObstacleContact, nodes: [DVec3; 2]) -> DVec3 {
    contact.distance.point(nodes) - contact.radius * contact.distance.normal
}
