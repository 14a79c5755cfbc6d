//! The flagellum of Tong et al. 2022 beyond the case `single-flagellum`: end weights, the
//! preconditioner, closed rods, products.

use std::f64::consts::PI;

use faer::Mat;
use faer::linalg::solvers::Solve;
use glam::DVec3;
use writhe::fluid::stokeslet_segments::mobility::DenseMobility;
use writhe::fluid::stokeslet_segments::resistance::chain_resistance;
use writhe::fluid::stokeslet_segments::segments::{EndWeights, RodNodes, StokesModel};
use writhe_validate::setup::stokes::tong::flagellum;
use writhe_validate::setup::stokes::{forces, open_rods, resultant};

const EPSILON: f64 = 1.02e-3;
const VISCOSITY: f64 = 0.1;

fn model(weights: EndWeights) -> StokesModel {
    open_rods(&[68], EPSILON, VISCOSITY, weights).unwrap()
}

fn relative(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

/// Without the half weight at the ends (the authors' program) the axial force of rigid rotation is
/// 0.6 % smaller.
#[test]
fn full_weights_at_the_ends_lose_force() {
    let x = flagellum();
    let force = |weights| {
        let turning = |x: DVec3| 15.0 * DVec3::X.cross(x);
        let forces = forces(&model(weights), &x, &[&turning]).unwrap();
        resultant(&x, &forces[0]).0.x
    };
    let ratio = force(EndWeights::Full) / force(EndWeights::Voronoi);
    assert!((ratio - 0.9937).abs() < 1e-4, "{ratio}");
}

/// The resistance by neighbours times the mobility has a narrow spectrum, also for a bundle of two:
/// only smooth forces move more than their neighbours tell.
#[test]
fn neighbours_precondition_the_mobility() {
    let one = flagellum();
    let beside = one.iter().map(|x| *x + 0.03 * DVec3::Y);
    let two = one.iter().copied().chain(beside).collect();
    for (n, x) in [(1, one), (2, two)] {
        let model = open_rods(&vec![68; n], EPSILON, VISCOSITY, EndWeights::Voronoi).unwrap();
        let mobility = DenseMobility::new(&model, &x).unwrap();
        let rods = (0..n).map(|k| (68 * k..68 * (k + 1), false));
        let resistance = chain_resistance(&mobility, rods);
        let ends: Vec<[usize; 2]> = model.edges().map(|(_, ends)| ends).collect();
        let b = mobility.dense();
        let mut rb = Mat::zeros(b.nrows(), b.ncols());
        for j in 0..b.ncols() {
            let column: Vec<f64> = (0..b.nrows()).map(|i| b[(i, j)]).collect();
            let mut product = vec![0.0; column.len()];
            resistance.force(&ends, &column, &mut product);
            for (i, value) in product.into_iter().enumerate() {
                rb[(i, j)] = value;
            }
        }
        let eigen = rb.eigenvalues().unwrap();
        assert!(eigen.iter().all(|z| z.re.is_finite()));
        let smallest = eigen.iter().fold(f64::INFINITY, |m, z| m.min(z.re));
        let largest = eigen.iter().fold(0.0_f64, |m, z| m.max(z.re));
        assert!(
            smallest > 0.65 && largest < 3.2,
            "{n}: {smallest} {largest}"
        );
    }
}

/// A closed rod: a ring feels the same drag in every direction of its plane, wherever its nodes
/// start, and 16, 32 and 64 edges converge with at least second order.
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
        let forces = forces(&model, &x, &[&|_| u]).unwrap();
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
    let x = flagellum();
    let mobility = DenseMobility::new(&model(EndWeights::Voronoi), &x).unwrap();
    let velocity = Mat::from_fn(204, 1, |i, _| (i as f64).sin());
    let force = mobility.dense().partial_piv_lu().solve(&velocity);
    let force: Vec<f64> = (0..204).map(|i| force[(i, 0)]).collect();
    let mut found = vec![0.0; 204];
    mobility.apply(&force, &mut found).unwrap();
    for (i, found) in found.iter().enumerate() {
        assert!((found - velocity[(i, 0)]).abs() < 1e-13);
    }
}
