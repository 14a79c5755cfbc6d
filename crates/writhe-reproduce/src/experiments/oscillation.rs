//! Frequencies and columns of swinging things.

use std::f64::consts::TAU;

use writhe_rundir::RunReader;

use crate::error::{ReproduceError, Result};

/// A column of observables.
///
/// # Errors
/// When the run has none of this name.
pub(super) fn column<'a>(reader: &'a RunReader, name: &str) -> Result<&'a [f64]> {
    let found = reader.observable(name).map(|o| o.values.as_slice());
    found.ok_or_else(|| ReproduceError::State {
        run: reader.path().display().to_string(),
        reason: format!("it has no column `{name}`"),
    })
}

/// Angular frequency, rad/s, of what swings about zero, from its first upward crossing to its last;
/// `None` with fewer than two.
pub(super) fn frequency(times: &[f64], values: &[f64]) -> Option<f64> {
    let pairs = times.windows(2).zip(values.windows(2));
    let crossing = |(t, v): (&[f64], &[f64])| {
        (v[0] < 0.0 && v[1] >= 0.0).then(|| t[0] - v[0] * (t[1] - t[0]) / (v[1] - v[0]))
    };
    let crossings: Vec<f64> = pairs.filter_map(crossing).collect();
    let cycles = crossings.len().checked_sub(1).filter(|n| *n > 0)?;
    Some(TAU * cycles as f64 / (crossings[cycles] - crossings[0]))
}

/// Angle about z of a quaternion (x, y, z, w), rad, in (-pi, pi].
pub(super) fn turn_about_z(z: f64, w: f64) -> f64 {
    let angle = 2.0 * z.atan2(w);
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frequency_of_a_sine() {
        let times: Vec<f64> = (0..1000).map(|i| 0.02 * f64::from(i)).collect();
        let values: Vec<f64> = times.iter().map(|t| (5.3 * t + 0.4).sin()).collect();
        let found = frequency(&times, &values).unwrap();
        assert!((found / 5.3 - 1.0).abs() < 1e-5, "{found}");
        assert_eq!(frequency(&times, &times), None);
    }

    #[test]
    fn turns_go_on_beyond_half_a_turn() {
        for angle in [0.3, -0.3, 3.0, -3.0] {
            let (sin, cos) = (0.5_f64 * angle).sin_cos();
            assert!((turn_about_z(sin, cos) - angle).abs() < 1e-12);
            assert!((turn_about_z(-sin, -cos) - angle).abs() < 1e-12);
        }
    }
}
