//! Rigid helices of Rodenborn et al. 2013 beyond the case `rotating-helix`: reciprocity, and
//! resistive force theory.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::fluid::stokeslet_segments::segments::EndWeights;
use writhe::loads::resistive_force::{DragCoefficients, edge_drag};
use writhe_validate::setup::stokes::rodenborn::{
    EXPERIMENT, LENGTH, PITCHES, RADIUS, ROD_RADIUS, coefficients, helix,
};
use writhe_validate::setup::stokes::{forces, open_rods, resultant};

fn relative(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

fn rotation(x: DVec3) -> DVec3 {
    DVec3::X.cross(x)
}

fn translation(_: DVec3) -> DVec3 {
    DVec3::X
}

/// Lorentz reciprocity is lost only to the discretisation, with order 1; full end weights break it.
#[test]
fn thrust_by_rotation_equals_torque_by_translation() {
    let (pitch, n_edges) = PITCHES[1];
    let gap = |n_edges, weights| {
        let x = helix(pitch, n_edges);
        let model = open_rods(&[x.len()], 1.6487 * ROD_RADIUS, 1.0, weights).unwrap();
        let forces = forces(&model, &x, &[&rotation, &translation]).unwrap();
        let (found, reciprocal) =
            coefficients(resultant(&x, &forces[0]), resultant(&x, &forces[1]));
        relative(reciprocal, found[0])
    };
    let coarse = gap(n_edges, EndWeights::Voronoi);
    let fine = gap(2 * n_edges, EndWeights::Voronoi);
    assert!(coarse < 1e-3 && fine < 0.55 * coarse, "{coarse} {fine}");
    assert!(gap(n_edges, EndWeights::Full) > 1e-2);
}

/// Closed formulas for both sets of coefficients, evaluated elsewhere, against the sum of
/// [`edge_drag`] over fine edges.
#[test]
fn resistive_force_theory() {
    let gray_hancock = [
        [18.851, 109.999, 156.530],
        [12.2465, 49.9907, 49.1257],
        [6.09414, 39.4658, 27.1957],
    ];
    let lighthill = [
        [29.4416, 142.194, 214.867],
        [20.3096, 76.4532, 75.0187],
        [9.88075, 60.3738, 40.4797],
    ];
    for (row, (pitch, _)) in PITCHES.into_iter().enumerate() {
        let wavelength = pitch * RADIUS;
        let gh = DragCoefficients::gray_hancock(1.0, ROD_RADIUS, wavelength);
        let lh = DragCoefficients::lighthill(1.0, ROD_RADIUS, wavelength, RADIUS);
        for (drag, expected) in [(gh, gray_hancock[row]), (lh, lighthill[row])] {
            let (found, reciprocal) = resistive(drag, pitch, 20_000);
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    relative(*found, expected) < 1e-5,
                    "{pitch} {found} {expected}"
                );
            }
            assert!(relative(reciprocal, found[0]) < 1e-12);
        }
        // The point of the other model: small pitches are out of reach of a local one.
        if row == 0 {
            let (found, _) = resistive(gh, pitch, 20_000);
            assert!(found[0] / EXPERIMENT[0][0] > 2.9 && found[2] / EXPERIMENT[0][2] > 2.9);
        }
    }
}

fn resistive(drag: DragCoefficients, pitch: f64, n_edges: usize) -> ([f64; 3], f64) {
    let x = helix(pitch, n_edges);
    let total = |velocity: fn(DVec3) -> DVec3| {
        let mut forces = vec![DVec3::ZERO; x.len()];
        for (i, ends) in x.windows(2).enumerate() {
            let [a, b] = edge_drag(
                [ends[0], ends[1]],
                [velocity(ends[0]), velocity(ends[1])],
                drag,
            )
            .force;
            forces[i] -= a;
            forces[i + 1] -= b;
        }
        resultant(&x, &forces)
    };
    coefficients(total(rotation), total(translation))
}

/// Thrust = (c_n - c_t) sin(theta) Omega R L, torque = (c_n cos^2 + c_t sin^2) Omega R^2 L / cos,
/// drag = (c_n sin^2 + c_t cos^2) U L / cos with tan theta = 2 pi R / lambda: the discrete sums
/// converge to them with order 2.
#[test]
fn resistive_force_converges_with_second_order() {
    let pitch = 6.509;
    let drag = DragCoefficients::gray_hancock(1.0, ROD_RADIUS, pitch * RADIUS);
    let (ct, cn) = (drag.tangential, drag.normal);
    let (sin, cos) = (TAU / pitch).atan().sin_cos();
    let exact = [
        (cn - ct) * sin * LENGTH / RADIUS,
        (cn * cos * cos + ct * sin * sin) * LENGTH / (RADIUS * cos),
        (cn * sin * sin + ct * cos * cos) * LENGTH / (RADIUS * cos),
    ];
    let (coarse, fine) = (resistive(drag, pitch, 100).0, resistive(drag, pitch, 200).0);
    for k in 0..3 {
        let order = (relative(coarse[k], exact[k]) / relative(fine[k], exact[k])).log2();
        assert!((order - 2.0).abs() < 0.1, "{k} {order}");
    }
}
