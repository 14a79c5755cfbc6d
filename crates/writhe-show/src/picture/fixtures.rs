//! What holds rods, as solids: a nut around a clamped edge, a ring around one whose angle is held,
//! a ball at a node that is held.

use glam::{DQuat, DVec3};
use writhe::constraints::Constraint;
use writhe::model::Model;
use writhe_render::{Color, Scene, Solid};
use writhe_rundir::Rods;

/// Radii of a nut and of a ring over that of the rod.
const NUT: f64 = 2.1;
const RING: f64 = 1.7;
/// Length of a ring over that of its edge.
const RING_LENGTH: f64 = 0.35;
/// Least length of a nut over the radius of the rod.
const LEAST_LENGTH: f64 = 3.0;
/// Most of the length of a nut, over the radius of the rod: edges may be long.
const MOST_LENGTH: f64 = 7.0;
/// Radius of a ball over that of the rod.
const BALL: f64 = 1.6;

/// Something that holds a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixture {
    /// This edge is clamped.
    Clamp(usize),
    /// This node is held.
    Pin(usize),
    /// The angle of this edge is held.
    Angle(usize),
}

/// All fixtures of a model.
pub fn all(model: &Model) -> Vec<Fixture> {
    let fixture = |constraint: &Constraint| match constraint {
        Constraint::Clamp { edge, .. } => Some(Fixture::Clamp(*edge)),
        Constraint::Node { node, .. } => Some(Fixture::Pin(*node)),
        Constraint::Angle { edge, .. } => Some(Fixture::Angle(*edge)),
        // These hold bodies and no rod.
        Constraint::Body { .. } | Constraint::BodyAxes { .. } => None,
    };
    let all = model.constraints.list().iter();
    all.filter_map(fixture).collect()
}

/// Adds the fixtures of rods whose nodes are at `positions`, m, and whose edges have these radii,
/// m; those of rods that are drawn thinner than `least`, m, are as large as for that radius.
pub fn add(
    scene: &mut Scene,
    fixtures: &[Fixture],
    rods: &Rods,
    positions: &[[f64; 3]],
    radius: &[f64],
    least: f64,
) {
    let color = Color::srgb(84, 93, 106);
    let ends = |edge: usize| {
        let ends = rods.edge_nodes().get(edge)?;
        let [a, b] = ends.map(|node| positions.get(node).copied().map(DVec3::from));
        Some((a?, b?))
    };
    let collar = |edge: usize, outer: f64, length: f64, most: f64, sides: u32| {
        let (a, b) = ends(edge)?;
        let r = radius.get(edge)?.max(least);
        let half = 0.5 * (length * a.distance(b)).clamp(LEAST_LENGTH * length * r, most * r);
        let turn = DQuat::from_rotation_arc(DVec3::Z, (b - a).normalize_or(DVec3::Z));
        let ring = Solid::ring([0.9 * r, outer * r], half, sides, color);
        Some(ring.placed(turn, 0.5 * (a + b)))
    };
    let solid = |fixture: &Fixture| match *fixture {
        Fixture::Clamp(edge) => collar(edge, NUT, 1.0, MOST_LENGTH, 6),
        Fixture::Angle(edge) => collar(edge, RING, RING_LENGTH, MOST_LENGTH * RING_LENGTH, 64),
        Fixture::Pin(node) => {
            let at = DVec3::from(*positions.get(node)?);
            let edge = rods
                .edge_nodes()
                .iter()
                .position(|ends| ends.contains(&node))?;
            let r = BALL * radius.get(edge)?.max(least);
            Some(Solid::bead(r, color).placed(DQuat::IDENTITY, at))
        }
    };
    scene.solids.extend(fixtures.iter().filter_map(solid));
}
