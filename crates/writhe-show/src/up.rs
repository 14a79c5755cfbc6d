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
    let clamps = model.constraints.list().iter();
    let clamps = clamps.filter_map(|constraint| match constraint {
        Constraint::Clamp { edge, .. } => Some((
            model.topology.edge_rod.get(*edge)?,
            leaving(model, start, *edge)?,
        )),
        _ => None,
    });
    let clamps: Vec<(&usize, DVec3)> = clamps.collect();
    // A rod that both ends hold hangs from neither: an arch stands on them.
    let is_only = |rod: &usize| clamps.iter().filter(|(other, _)| *other == rod).count() == 1;
    let hanging = clamps.iter().filter(|(rod, _)| is_only(rod));
    let directions: Vec<DVec3> = hanging.map(|(_, direction)| *direction).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use writhe::model::ModelBuilder;
    use writhe::rod::{Material, Rod, Section};
    use writhe::schedule::Motion;

    fn up_of(nodes: &[DVec3], clamps: &[usize]) -> DVec3 {
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
        let rod = Rod::open(nodes.to_vec(), section).unwrap();
        let builder = ModelBuilder::new().rod(rod);
        let clamped = |builder: ModelBuilder, edge: &usize| builder.clamp(0, *edge, Motion::Still);
        let (model, state) = clamps.iter().fold(builder, clamped).build().unwrap();
        up(&model, &state, None)
    }

    #[test]
    fn rods_hang_from_one_clamp_and_stand_on_two() {
        let arch = [-1.0, -0.6, 0.6, 1.0].map(|x: f64| DVec3::new(0.1 * x, 0.0, -0.1 * x * x));
        assert_eq!(up_of(&arch, &[0, 2]), DVec3::Z);
        let line = [0.0, 1.0, 2.0, 3.0].map(|x| DVec3::new(0.0, 0.1 * x, 0.0));
        assert_eq!(up_of(&line, &[0]), -DVec3::Y);
        assert_eq!(up_of(&line, &[2]), DVec3::Y);
    }
}
