//! Times of the core's parts: terms of energies, contacts, mobility, direct solves, knots, whole steps.
//!
//! One program, `cargo bench -p writhe-tests`; `-- band` measures what has that in its name.

mod contact;
mod elastic;
mod knots;
mod linear_solves;
mod mobility;
mod step;
mod support;

use std::time::Duration;

/// Short measurements: the whole of the benches takes a few minutes. Arguments say otherwise
/// (`-- --max-time 10`).
fn main() {
    divan::Divan::default()
        .min_time(Duration::from_millis(500))
        .max_time(Duration::from_millis(1500))
        .config_with_args()
        .main();
}
