//! How far dead loads move a rod, linearly from its rest shape.

use faer::Mat;
use faer::linalg::solvers::Solve;
use glam::DVec3;
use writhe::model::{BendingModel, ModelBuilder};
use writhe::rod::{Rod, Section};
use writhe::schedule::Motion;

use crate::case::CaseError;
use crate::setup::stability::elastic_hessian;

/// Way of the last node of a rod that is stress-free through `nodes` and clamped in the middle of
/// its first edge, m, under the force `load`, N, at that node.
///
/// # Errors
/// Nodes that make no rod.
pub fn tip_displacement(
    nodes: Vec<DVec3>,
    section: Section,
    bending: BendingModel,
    load: DVec3,
) -> Result<DVec3, CaseError> {
    let last = nodes.len() - 1;
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section)?)
        .bending(bending)
        .clamp(0, 0, Motion::Still)
        .build()?;
    let hessian = elastic_hessian(&model, &state)?;
    let held = model.constraints.fixed();
    let free: Vec<usize> = (0..model.topology.dofs).filter(|dof| !held[*dof]).collect();
    let tip = model.topology.node_dof[last];
    // H u = f over what is free; the Hessian is symmetric but for rounding.
    let n = hessian.n;
    let matrix = Mat::from_fn(free.len(), free.len(), |r, c| {
        hessian.values[free[r] * n + free[c]]
    });
    let force = Mat::from_fn(free.len(), 1, |r, _| {
        let axis = free[r].wrapping_sub(tip);
        if axis < 3 { load[axis] } else { 0.0 }
    });
    let moved = matrix.partial_piv_lu().solve(&force);
    let at = |axis: usize| {
        let row = free.iter().position(|dof| *dof == tip + axis);
        row.map_or(0.0, |row| moved[(row, 0)])
    };
    Ok(DVec3::new(at(0), at(1), at(2)))
}

/// The same of a smooth rod along `curve`, which gives position and unit tangent from the clamp at
/// 0 to the tip at 1, of length `length`, m: the way along `load` times its size, by Castigliano's
/// theorem `integral of (|m x t|^2/EI + (m . t)^2/GJ + (f . t)^2/EA)` with the load f and its
/// moment m.
pub fn smooth_compliance(
    curve: impl Fn(f64) -> (DVec3, DVec3),
    length: f64,
    [ei, gj, ea]: [f64; 3],
    load: DVec3,
) -> f64 {
    /// Intervals of Simpson's rule: even, and so many that the rule is exact to rounding.
    const INTERVALS: usize = 4000;
    let tip = curve(1.0).0;
    let density = |k: usize| {
        let (x, t) = curve(k as f64 / INTERVALS as f64);
        let moment = (tip - x).cross(load);
        let twisting = moment.dot(t);
        let (twisted, pulled) = (twisting * twisting, load.dot(t).powi(2));
        (moment.length_squared() - twisted) / ei + twisted / gj + pulled / ea
    };
    let weight = |k: usize| match k {
        0 | INTERVALS => 1.0,
        k if k % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=INTERVALS).map(|k| weight(k) * density(k)).sum();
    sum * length / (3.0 * INTERVALS as f64)
}
