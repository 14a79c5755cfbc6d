//! The single flagellum of Tong et al. 2022, as their program builds it: rigid rotation and spectra.

mod stokes_support;

use faer::Mat;
use faer::linalg::solvers::Solve;
use glam::DVec3;
use std::f64::consts::PI;
use stokes_support::{bundle, flagellum, forces, open_rods, relative, resultant};
use writhe::loads::stokeslet_segments::mobility::Mobility;
use writhe::loads::stokeslet_segments::resistance::local_resistance_blocks;
use writhe::loads::stokeslet_segments::segments::{EndWeights, RodNodes, StokesModel};

const EPSILON: f64 = 1.02e-3;
const VISCOSITY: f64 = 0.1;

fn model(weights: EndWeights) -> StokesModel {
    open_rods(&[68], EPSILON, VISCOSITY, weights)
}

fn singular_values(a: &Mat<f64>) -> Vec<f64> {
    a.singular_values().unwrap()
}

/// Real parts of the eigenvalues, smallest and largest, and the largest imaginary part.
fn eigenvalues(a: &Mat<f64>) -> [f64; 3] {
    let values = a.eigenvalues().unwrap();
    let extreme = |pick: fn(f64, f64) -> f64, start| values.iter().map(|z| z.re).fold(start, pick);
    let imaginary = values.iter().fold(0.0_f64, |max, z| max.max(z.im.abs()));
    [
        extreme(f64::min, f64::INFINITY),
        extreme(f64::max, 0.0),
        imaginary,
    ]
}

#[test]
fn geometry() {
    let x = flagellum(DVec3::ZERO);
    let edges: Vec<f64> = x.windows(2).map(|x| x[0].distance(x[1])).collect();
    assert_eq!(x.len(), 68);
    assert!(relative(edges.iter().sum(), 0.339_095_0) < 1e-6);
    assert!(relative(edges[0], 5.018_653e-3) < 1e-6);
}

/// Axial force 1.49445e-3 N at 15 rad/s and 1.56498e-4 N at 15 rpm, from an independent program with the half weight
/// at the ends, and the torque. Without the half weight (the authors' program) the force is 0.6 % smaller.
#[test]
fn force_and_torque_of_rigid_rotation() {
    let x = flagellum(DVec3::ZERO);
    let turn = |omega: f64| {
        let forces = forces(
            &model(EndWeights::Voronoi),
            &x,
            &[&|x: DVec3| omega * DVec3::X.cross(x)],
        );
        resultant(&x, &forces[0])
    };
    for (omega, force, torque) in [
        (15.0, 1.49445e-3, 1.25999e-4),
        (PI / 2.0, 1.56498e-4, 1.31947e-5),
    ] {
        let (f, m) = turn(omega);
        assert!(relative(-f.x, force) < 4e-6, "{f}");
        assert!(relative(m.x, torque) < 7e-6, "{m}");
    }
    let full = forces(
        &model(EndWeights::Full),
        &x,
        &[&|x: DVec3| 15.0 * DVec3::X.cross(x)],
    );
    let ratio = resultant(&x, &full[0]).0.x / turn(15.0).0.x;
    assert!((ratio - 0.9937).abs() < 1e-4, "{ratio}");
}

/// Densities to velocities, A = 8 pi mu B diag(dl): condition 12.18, asymmetry 4.58 % (Frobenius norm), real
/// eigenvalues from 1.789 to 21.70. A Cholesky factorisation of it solves another problem.
#[test]
fn spectrum() {
    let x = flagellum(DVec3::ZERO);
    let model = model(EndWeights::Voronoi);
    let b = Mobility::new(&model, &x).unwrap().dense();
    let lengths = model.node_lengths(&x).unwrap();
    let scale = 8.0 * PI * VISCOSITY;
    let a = Mat::from_fn(204, 204, |i, j| scale * lengths[j / 3] * b[(i, j)]);
    let singular = singular_values(&a);
    assert!((singular[0] / singular[203] - 12.18).abs() < 0.005);
    assert!(((&a - a.transpose()).norm_l2() / a.norm_l2() - 0.0458).abs() < 5e-5);
    let [smallest, largest, imaginary] = eigenvalues(&a);
    assert!((smallest - 1.789).abs() < 5e-4 && (largest - 21.70).abs() < 5e-3 && imaginary == 0.0);
}

/// Largest rate of drag alone, the largest eigenvalue of (B M)^-1 for masses rho pi h^2 dl: 447 /s with viscosity
/// 0.1 and density 1000, so that forward Euler needs steps below 4.47 ms.
#[test]
fn largest_drag_rate() {
    let x = flagellum(DVec3::ZERO);
    let model = model(EndWeights::Voronoi);
    let b = Mobility::new(&model, &x).unwrap().dense();
    let lengths = model.node_lengths(&x).unwrap();
    let line_density = 1000.0 * PI * 1e-6;
    let bm = Mat::from_fn(204, 204, |i, j| line_density * lengths[j / 3] * b[(i, j)]);
    let rate = 1.0 / eigenvalues(&bm)[0];
    assert!((rate - 447.0).abs() < 0.5, "{rate}");
}

/// Local blocks times the mobility have a spectrum bounded from both sides, also for a bundle of two.
#[test]
fn local_resistance_preconditions_the_mobility() {
    for (n, x) in [(1, flagellum(DVec3::ZERO)), (2, bundle(2))] {
        let model = open_rods(&vec![68; n], EPSILON, VISCOSITY, EndWeights::Voronoi);
        let mobility = Mobility::new(&model, &x).unwrap();
        let blocks = local_resistance_blocks(&model, &x).unwrap();
        let b = mobility.dense();
        let rb = Mat::from_fn(3 * x.len(), 3 * x.len(), |i, j| {
            let column = DVec3::from_array([0, 1, 2].map(|k| b[(i / 3 * 3 + k, j)]));
            blocks[i / 3].row(i % 3).dot(column)
        });
        let [smallest, largest, _] = eigenvalues(&rb);
        assert!(
            smallest > 0.05 && largest < 2.0,
            "{n}: {smallest} {largest}"
        );
    }
}

/// A closed rod: a ring feels the same drag in every direction of its plane, wherever its nodes start, and 16, 32 and
/// 64 edges converge with at least second order.
#[test]
fn ring() {
    let drag = |n: usize, phase: f64, u: DVec3| {
        let x: Vec<DVec3> = (0..n)
            .map(|i| {
                let angle = phase + 2.0 * PI * i as f64 / n as f64;
                DVec3::new(angle.cos(), angle.sin(), 0.0)
            })
            .collect();
        let rod = RodNodes {
            first_node: 0,
            n_nodes: n,
            closed: true,
        };
        let model = StokesModel::new(vec![rod], vec![0.1; n], 1.0, EndWeights::Voronoi).unwrap();
        let forces = forces(&model, &x, &[&|_| u]);
        resultant(&x, &forces[0]).0
    };
    let reference = drag(16, 0.0, DVec3::X);
    assert!((drag(16, 0.3, DVec3::X) - reference).length() < 1e-12 * reference.length());
    assert!(relative(drag(16, 0.3, DVec3::Y).y, reference.x) < 1e-12);
    let f = [16, 32, 64].map(|n| drag(n, 0.0, DVec3::Z).z);
    let order = ((f[1] - f[0]) / (f[2] - f[1])).log2();
    assert!(order > 1.8, "{order}");
    assert!(f[2] > reference.x);
}

/// In-place LU of the dense matrix and the product undo each other.
#[test]
fn product_undoes_the_solution() {
    let x = flagellum(DVec3::ZERO);
    let mobility = Mobility::new(&model(EndWeights::Voronoi), &x).unwrap();
    let velocity = Mat::from_fn(204, 1, |i, _| (i as f64).sin());
    let force = mobility.dense().partial_piv_lu().solve(&velocity);
    let force: Vec<f64> = (0..204).map(|i| force[(i, 0)]).collect();
    let mut found = vec![0.0; 204];
    mobility.apply(&force, &mut found).unwrap();
    for (i, found) in found.iter().enumerate() {
        assert!((found - velocity[(i, 0)]).abs() < 1e-13);
    }
}
