//! Rods that are not perfect.

use serde::Serialize;

use crate::error::SceneError;
use crate::tree::{At, Keys, Read, Value};
use crate::units::Length;

/// Perturbation over the radius that is enough to start a buckle and too small to be seen.
pub const PERTURBATION_PER_RADIUS: f64 = 0.01;

/// Small deviation of every rod from its shape, initial and at rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PerturbationSpec {
    /// Largest distance of a node from its place, m.
    pub amplitude: Length,
    /// Which of all deviations of this size.
    pub seed: usize,
}

pub(crate) const KEYS: &[&str] = &["amplitude", "seed"];

impl Read for PerturbationSpec {
    fn wanted() -> String {
        "a length, such as \"0.01 mm\", or a table such as { amplitude = \"0.01 mm\", seed = 1 }"
            .into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        if !matches!(at.node.value, Value::Table(_)) {
            let amplitude = Length::read(at)?;
            if amplitude.si() > 0.0 {
                return Ok(Self { amplitude, seed: 0 });
            }
            return at.fail(crate::error::Problem::Range {
                value: at.node.shown(),
                need: "greater than zero".into(),
            });
        }
        let keys = Keys::new(at, KEYS)?;
        let amplitude: Length = keys.required("amplitude")?;
        keys.positive("amplitude", amplitude.si())?;
        Ok(Self {
            amplitude,
            seed: keys.or("seed", 0)?,
        })
    }
}
