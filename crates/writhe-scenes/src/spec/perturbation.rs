//! Rods that are not perfect.

use crate::error::Problem;
use crate::tree::{At, POSITIVE, table};
use crate::units::Length;

/// Perturbation over the radius that is enough to start a buckle and too small to be seen.
pub const PERTURBATION_PER_RADIUS: f64 = 0.01;

table! {
    /// Small deviation of every rod from its shape, initial and at rest.
    #[derive(Copy)]
    pub struct PerturbationSpec:
        "a length, such as \"0.01 mm\", or a table such as { amplitude = \"0.01 mm\", seed = 1 }"
    {
        /// Largest distance of a node from its place.
        pub amplitude: Length => POSITIVE,
        /// Chooses among such shapes.
        pub seed: usize = 0,
    }
    short |at: &At| {
        let amplitude = Length::read(at)?;
        match amplitude.si() > 0.0 {
            true => Ok(Self { amplitude, seed: 0 }),
            false => at.fail(Problem::Range {
                value: at.node.shown(),
                need: POSITIVE.told(),
            }),
        }
    };
}
