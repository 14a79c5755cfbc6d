//! Pseudo-time steps towards static equilibrium: how far they move, how they grow, and how long the
//! longest are.

use crate::model::Model;
use crate::rod::RodLayout;
use crate::state::State;
use crate::step::control::EASY_ITERATIONS;

/// Pseudo-steps before settling is given up.
pub(super) const MAX_STEPS: u32 = 2000;
/// Settled is what moves by less in a step, in radii.
pub(super) const SETTLED: f64 = 1e-8;
/// Motion that no longer falls is rounding along directions without stiffness if it is smaller than
/// this, in radii.
pub(super) const DRIFT: f64 = 1e-3;
/// Longest pseudo-step over the slowest time.
pub(super) const LARGEST: f64 = 1e3;
/// A residual of this part of what is wanted is rounding.
pub(super) const BALANCED: f64 = 1e-2;
/// Where forces balance to rounding and a pseudo-step fails, steps so many times shorter are the
/// longest: they drift 2.6e5 times less.
pub(super) const SHORTER: f64 = 512.0;
/// Steps after a failure that grow slowly.
pub(super) const WARY_STEPS: u32 = 8;

/// Largest motion between two states, in radii.
pub(super) fn motion(model: &Model, from: &State, to: &State) -> f64 {
    let h = model.length_scale();
    let moved = from.q.iter().zip(&to.q).zip(&model.topology.angle);
    moved
        // A radian moves the surface by its radius.
        .map(|((a, b), angle)| (a - b).abs() / if *angle { 1.0 } else { h })
        .fold(0.0, f64::max)
}

/// Growth of a pseudo-step after one that took so many Newton iterations: steps that nearly fail
/// should not grow.
pub(super) fn growth(iterations: u32, wary: bool) -> f64 {
    match iterations {
        0..=EASY_ITERATIONS if !wary => 4.0,
        0..=20 => 1.5,
        21..=30 => 1.0,
        _ => 0.7,
    }
}

/// Slowest elastic time of a rod, s: `L^2 sqrt(rho A / EI)`, over all rods.
pub(super) fn slowest_time(model: &Model) -> f64 {
    let of_rod = |(rod, length): (&RodLayout, &f64)| {
        // m L^3/EI = L^4 rho A/EI
        (model.rod_mass(rod) * length.powi(3) / model.softest(rod)).sqrt()
    };
    let rods = model.topology.rods.iter().zip(&model.rod_length);
    rods.map(of_rod).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::bodies::Body;
    use crate::model::ModelBuilder;
    use crate::rod::{Material, Rod, Section};
    use crate::simulation::Simulation;
    use crate::step::StepSettings;

    /// Welded as a whole, a rod has no mass of its own: pseudo-steps had no length, and no end.
    #[test]
    fn a_rod_that_is_part_of_a_body_settles() {
        let tip = DVec3::new(0.2, 0.0, 0.0);
        let section = Section::circle(Material::new(1e8, 0.5, 1e3), 1e-3);
        let rod = Rod::open(vec![DVec3::ZERO, tip], section).unwrap();
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .body(Body::sphere(0.01, 5e-3, tip))
            .weld(0, 0, 0)
            .build()
            .unwrap();
        let mut simulation = Simulation::new(model, state, StepSettings::default());
        let report = simulation.settle().unwrap();
        assert!(report.motion < 1e-8, "{report:?}");
    }
}
