//! One exactly linear mode, and single steps with tight tolerances.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings, Workspace, implicit_step};

use super::modes::section;
use crate::case::CaseError;

/// The free angle.
const THETA: usize = 7;
/// Edge length, m.
const EDGE: f64 = 0.01;

/// Settings that solve each step to rounding.
pub fn tight(scheme: Scheme) -> StepSettings {
    StepSettings {
        scheme,
        step_tolerance: 1e-13,
        residual_tolerance: 1e-11,
        ..StepSettings::default()
    }
}

/// Two edges on held nodes, one angle free: `I th'' = -(GJ/l) th` for any amplitude; and its rate,
/// rad/s.
///
/// # Errors
/// Never with these values.
pub fn oscillator() -> Result<(Model, State, f64), CaseError> {
    let nodes = (0..3).map(|i| DVec3::X * (EDGE * f64::from(i)));
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes.collect(), section())?)
        .clamp(0, 0, Motion::Still)
        .hold_node(0, 2, [true; 3], Motion::Still)
        .build()?;
    let omega = (section().gj / section().inertia_per_length).sqrt() / EDGE;
    Ok((model, state, omega))
}

/// Angle and angular velocity over omega at the start, (1, 0), and after each of `steps` steps of
/// `x` radians.
///
/// # Errors
/// A step that fails.
pub fn swing(scheme: Scheme, x: f64, steps: usize) -> Result<Vec<(f64, f64)>, CaseError> {
    let (model, mut state, omega) = oscillator()?;
    state.q[THETA] = 1.0;
    let mut workspace = Workspace::new(&model);
    let mut path = vec![(1.0, 0.0)];
    for _ in 0..steps {
        state = implicit_step(&model, &state, x / omega, &tight(scheme), &mut workspace)?.0;
        path.push((state.q[THETA], state.velocity[THETA] / omega));
    }
    Ok(path)
}

/// Phase from one point of the phase plane to the next, rad in [0, 2 pi), turning as `(cos, -sin)`.
pub fn phase((a, b): (f64, f64), (c, d): (f64, f64)) -> f64 {
    (b.atan2(a) - d.atan2(c)).rem_euclid(TAU)
}
