//! A straight rod bent into a ring, its ends twisted before they are joined (Michell 1889;
//! catalogue 1.5, B08 Fig. 8). Bending stiffness 1, length 2 pi.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::rod::{Rod, Section};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

use super::polygons::regular_polygon;
use super::stability::{critical, elastic_hessian, lowest_eigenvalue};
use super::statics::section;
use crate::case::CaseError;

/// EA R^2/B.
const STIFF: f64 = 1e6;
/// Eigenvalues of rigid motions are zero up to this; those that bend the ring are of order one,
/// B/R^3.
pub const ROUNDING: f64 = 1e-6;

/// The smooth threshold 2 pi sqrt(3) B/C.
pub fn smooth_threshold(beta: f64) -> f64 {
    TAU * 3.0_f64.sqrt() / beta
}

/// A ring of twisting stiffness `beta` with this twist, rad, and a two-fold wave of this height out
/// of its plane. It is twisted by its rest shape, which needs no whole turns.
///
/// # Errors
/// A ring that cannot be built.
pub fn twisted_ring(
    edges: usize,
    beta: f64,
    twist: f64,
    wave: f64,
    viscosity: f64,
) -> Result<(Model, State), CaseError> {
    let section = Section {
        gj: beta,
        ..section(STIFF)
    };
    let corner = |(i, x): (usize, DVec3)| {
        let angle = 2.0 * TAU * i as f64 / edges as f64;
        x * TAU + DVec3::Z * (wave * angle.cos())
    };
    let nodes = regular_polygon(edges).into_iter().enumerate().map(corner);
    let mut rod = Rod::closed(nodes.collect(), section)?.straight_at_rest()?;
    rod.rest_lengths.fill(TAU / edges as f64);
    rod.rest_twist.fill(-twist / edges as f64);
    let builder = ModelBuilder::new()
        .rod(rod)
        .bending(BendingModel::PerEdge)
        .viscous_damping(viscosity);
    Ok(builder.build()?)
}

/// Whether the plane ring is stable, by the sign of its Hessian.
///
/// # Errors
/// A ring that cannot be built.
pub fn is_stable(edges: usize, beta: f64, twist: f64) -> Result<bool, CaseError> {
    let (model, state) = twisted_ring(edges, beta, twist, 0.0, 0.0)?;
    // Its rigid motions and the turn of all sections cost nothing, to rounding of the stretching.
    Ok(lowest_eigenvalue(&elastic_hessian(&model, &state)?)? > -ROUNDING)
}

/// Twist at which the plane ring loses its stability, rad.
///
/// # Errors
/// A ring that cannot be built.
pub fn threshold(edges: usize, beta: f64, precision: f64) -> Result<f64, CaseError> {
    let smooth = smooth_threshold(beta);
    critical([0.95 * smooth, 1.1 * smooth], precision, |twist| {
        is_stable(edges, beta, twist)
    })
}

/// By how much a small wave out of the plane grows in `time`, s, of damped motion, as in B08 Fig.
/// 8: its two-fold part at the end over that at the start.
///
/// # Errors
/// A run that cannot go on.
pub fn growth(edges: usize, beta: f64, twist: f64, time: f64) -> Result<f64, CaseError> {
    const WAVE: f64 = 1e-4;
    const STEPS: f64 = 60.0;
    let (model, state) = twisted_ring(edges, beta, twist, WAVE, 2.0)?;
    let settings = StepSettings {
        scheme: Scheme::BackwardEuler,
        dt: time / STEPS,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let start = two_fold(&simulation);
    // Once it is fifty times as high the answer is known, and small displacements are over.
    simulation.run_until(time, |s, _| two_fold(s) < 50.0 * start)?;
    Ok(two_fold(&simulation) / start)
}

/// Amplitude of the part of the heights with two waves around the ring, which no tilt has, m.
fn two_fold(simulation: &Simulation) -> f64 {
    let nodes = simulation.model.positions(&simulation.state);
    let n = nodes.len() as f64;
    let part = |(i, x): (usize, &DVec3)| {
        let (sin, cos) = (2.0 * TAU * i as f64 / n).sin_cos();
        glam::DVec2::new(cos, sin) * x.z
    };
    2.0 / n
        * nodes
            .iter()
            .enumerate()
            .map(part)
            .sum::<glam::DVec2>()
            .length()
}
