//! A rod clamped at one end.

use writhe::model::ModelBuilder;
use writhe::schedule::Motion;
use writhe::simulation::Simulation;

use super::polygons::clamped_nodes;
use super::statics::{positions, section, straight_rod};
use crate::case::CaseError;
use crate::reference::elastica::Tip;

/// Stretching stiffness that changes no digit looked at.
pub const STIFF: f64 = 1e8;

/// A rod of unit length clamped at x = 0.
///
/// # Errors
/// A rod that cannot be.
pub fn cantilever(edges: usize) -> Result<ModelBuilder, CaseError> {
    let rod = straight_rod(clamped_nodes(edges), section(STIFF))?;
    Ok(ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still))
}

/// Tip seen from the clamp plane; its angle is that of the last edge.
pub fn tip(simulation: &Simulation) -> Tip {
    let x = positions(simulation);
    let n = x.len();
    let clamp = 0.5 * (x[0] + x[1]);
    let (end, last) = (x[n - 1] - clamp, x[n - 1] - x[n - 2]);
    Tip {
        x: end.x,
        drop: -end.y,
        angle: f64::atan2(-last.y, last.x),
    }
}
