//! What is up in a picture when the user does not say.

use glam::DVec3;
use writhe::constraints::Constraint;
use writhe::model::Model;
use writhe::state::State;

/// Up against `gravity`; without it, such that rods hang from their clamps; without a common
/// direction of these, z.
pub fn up(model: &Model, start: &State, gravity: Option<DVec3>) -> DVec3 {
    gravity
        .and_then(|g| (-g).try_normalize())
        .or_else(|| hanging(model, start))
        .unwrap_or(DVec3::Z)
}

/// Against the mean direction in which rods leave their clamped ends, if most agree on it.
fn hanging(model: &Model, start: &State) -> Option<DVec3> {
    let directions: Vec<DVec3> = model
        .constraints
        .list()
        .iter()
        .filter_map(|constraint| match constraint {
            Constraint::Clamp { edge, .. } => leaving(model, start, *edge),
            _ => None,
        })
        .collect();
    let mean = directions.iter().sum::<DVec3>() / directions.len().max(1) as f64;
    (mean.length() > 0.5).then(|| snapped(-mean.normalize()))
}

/// Direction along the rod away from its end, for the first or last edge of an open rod.
fn leaving(model: &Model, start: &State, edge: usize) -> Option<DVec3> {
    let rod = model
        .topology
        .rods
        .get(*model.topology.edge_rod.get(edge)?)?;
    let tangent = start.frames.tangent.get(edge)?;
    match edge - rod.first_edge {
        _ if rod.closed => None,
        0 => Some(*tangent),
        last if last + 1 == rod.edges => Some(-*tangent),
        _ => None,
    }
}

/// The axis itself for a direction that is nearly one.
fn snapped(direction: DVec3) -> DVec3 {
    DVec3::AXES
        .into_iter()
        .flat_map(|axis| [axis, -axis])
        .find(|axis| axis.dot(direction) > 0.999)
        .unwrap_or(direction)
}
