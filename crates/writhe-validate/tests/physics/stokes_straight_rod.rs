//! Drag of straight rods beyond the case `straight-rod-drag`: how it nears slender-body theory, and
//! how it scales.

use glam::DVec3;
use writhe::loads::resistive_force::DragCoefficients;
use writhe_validate::setup::stokes::{forces, open_rod, resultant};

/// Axial and normal drag (N) at unit velocity of a straight rod from the origin along x.
fn drag(length: f64, n_edges: usize, epsilon: f64, viscosity: f64) -> [f64; 2] {
    let model = open_rod(n_edges + 1, epsilon, viscosity).unwrap();
    let edge = length / n_edges as f64;
    let x: Vec<DVec3> = (0..=n_edges).map(|i| DVec3::X * edge * i as f64).collect();
    let forces = forces(&model, &x, &[&|_| DVec3::X, &|_| DVec3::Y]).unwrap();
    [resultant(&x, &forces[0]).0.x, resultant(&x, &forces[1]).0.y]
}

fn relative(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

/// Cox 1970, Batchelor 1970, leading orders. The theory leaves out terms in 1/ln^3, and epsilon =
/// sqrt(e) b differs from it by no more than that; epsilon = 1.02 b is off by a term in 1/ln^2.
#[test]
fn regularisation_of_slender_body_theory_meets_the_cylinder() {
    // Errors of epsilon = 1.02 b and sqrt(e) b, edges of 5 b.
    let errors = |ratio: f64, k: usize| {
        let theory = DragCoefficients::slender_body(1.0, ratio, 1.0);
        let theory = [theory.tangential, theory.normal][k];
        [1.02, 0.5_f64.exp()].map(|epsilon| {
            let found = drag(ratio, (ratio / 5.0) as usize, epsilon, 1.0)[k] / ratio;
            relative(found, theory)
        })
    };
    for k in 0..2 {
        let (stout, slender) = (errors(100.0, k), errors(1000.0, k));
        assert!(
            slender[1] < 0.0125 && slender[1] < 0.2 * slender[0],
            "{slender:?}"
        );
        assert!(slender[1] / stout[1] < 0.5 && slender[0] / stout[0] > 0.7);
    }
}

#[test]
fn drag_scales_with_viscosity_and_size() {
    let [axial, normal] = drag(1.0, 20, 0.0102, 1.0);
    let viscous = drag(1.0, 20, 0.0102, 3.5);
    let large = drag(40.0, 20, 0.408, 1.0);
    for (k, reference) in [axial, normal].into_iter().enumerate() {
        assert!(relative(viscous[k], 3.5 * reference) < 1e-12);
        assert!(relative(large[k], 40.0 * reference) < 1e-12);
    }
}
