//! A straight rod of unit length and bending stiffness, clamped at both ends and twisted, without
//! tension (Greenhill 1883; catalogue 1.6).

use glam::DVec3;
use writhe::model::{BendingModel, ModelBuilder};
use writhe::rod::Section;
use writhe::schedule::{Motion, Schedule};

use super::stability::{critical, stable};
use super::statics::{section, straight_rod};
use crate::case::CaseError;
use crate::reference::elastica::bisect;

/// Stretching stiffness; the axis is free, so it bears no force.
const STIFF: f64 = 1e6;

/// Whether a straight rod of unit length between the middles of its clamped end edges is stable
/// with this end rotation, rad.
///
/// # Errors
/// A rod that cannot be built.
pub fn is_stable(
    free_edges: usize,
    gj: f64,
    rotation: f64,
    bending: BendingModel,
) -> Result<bool, CaseError> {
    let edges = free_edges + 1;
    let l = 1.0 / free_edges as f64;
    let section = Section {
        gj,
        ..section(STIFF)
    };
    let nodes = (0..=edges).map(|i| DVec3::X * (l * (i as f64 - 0.5)));
    let mut rod = straight_rod(nodes.collect(), section)?;
    rod.twist_directors(&vec![rotation / free_edges as f64; free_edges]);
    let across = [false, true, true];
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .bending(bending)
        .clamp(0, 0, Motion::Still)
        .hold_node(0, edges - 1, across, Motion::Still)
        .hold_node(0, edges, across, Motion::Still)
        .hold_angle(0, edges - 1, Schedule::Constant(0.0))
        .build()?;
    stable(&model, &state)
}

/// The smooth threshold 2x C/B with tan x = x, rad.
pub fn smooth_threshold(gj: f64) -> f64 {
    2.0 * bisect(4.0, 4.6, |x| x.sin() - x * x.cos()) / gj
}

/// Rotation at which it loses its stability, rad.
///
/// # Errors
/// A rod that cannot be built.
pub fn threshold(free_edges: usize, gj: f64, bending: BendingModel) -> Result<f64, CaseError> {
    let smooth = smooth_threshold(gj);
    critical([0.85 * smooth, 1.1 * smooth], 1e-8, |rotation| {
        is_stable(free_edges, gj, rotation, bending)
    })
}
