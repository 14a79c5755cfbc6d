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

criterion::criterion_main!(
    contact::benches,
    elastic::benches,
    knots::benches,
    linear_solves::benches,
    mobility::benches,
    step::benches,
);
