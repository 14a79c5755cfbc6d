//! What is read off a run of T22's flagella.

use std::f64::consts::PI;

use writhe_rundir::RunReader;

use crate::error::Result;
use crate::measure::{Bundle, bundle, radius, rods};

/// Young's modulus of the flagella, Pa.
const YOUNG: f64 = 3e6;

/// Distance of two centrelines over the radius at which contact begins: T22's 2 h + delta with
/// delta = 0.01 h.
const CONTACT_DISTANCE: f64 = 2.01;

/// How the flagella lie along one another in a frame.
pub(super) fn bundle_at(reader: &RunReader, frame: usize) -> Result<Bundle> {
    Ok(bundle(
        &rods(reader, frame)?,
        CONTACT_DISTANCE * radius(reader),
    ))
}

/// The same at the end of a run.
pub(super) fn last_bundle(reader: &RunReader) -> Result<Bundle> {
    bundle_at(reader, reader.frames().saturating_sub(1))
}

/// Force of all clamps along the axis over EI/h^2 (T22a Eq. C.1) at each frame, with the times, s.
pub(super) fn thrust(reader: &RunReader) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut sum = vec![0.0; reader.frames()];
    for clamp in 0..reader.layout().rods.len() {
        if let Some(force) = reader.observable(&format!("clamp{clamp}_force_x")) {
            sum.iter_mut().zip(&force.values).for_each(|(s, f)| *s += f);
        }
    }
    // EI/h^2 of a round section.
    let unit = YOUNG * PI / 4.0 * radius(reader).powi(2);
    sum.iter_mut().for_each(|s| *s /= unit);
    Ok((reader.times()?, sum))
}
