use faer::Mat;
use faer::linalg::solvers::DenseSolveCore;
use glam::DVec3;

use crate::fluid::stokeslet_segments::resistance::*;
use crate::fluid::stokeslet_segments::segments::{EndWeights, RodNodes, StokesModel};
use crate::solve::krylov::{KrylovOptions, KrylovWorkspace, fgmres};

const EPSILON: f64 = 1e-3;

/// Helices side by side, of so many nodes each, with edges of a length given in regularisations.
fn helices(nodes: &[usize], edge: f64, closed: bool) -> (StokesModel, Vec<DVec3>) {
    let mut rods = Vec::new();
    let mut positions = Vec::new();
    for (k, &n_nodes) in nodes.iter().enumerate() {
        rods.push(RodNodes {
            first_node: positions.len(),
            n_nodes,
            closed,
        });
        positions.extend((0..n_nodes).map(|i| {
            let angle = edge * EPSILON * i as f64 / 0.0128;
            let y = 0.03 * k as f64 + 0.01 * angle.cos();
            DVec3::new(0.008 * angle, y, 0.01 * angle.sin())
        }));
    }
    let edges = rods.iter().map(RodNodes::n_edges).sum();
    let model = StokesModel::new(rods, vec![EPSILON; edges], 1.0, EndWeights::Voronoi).unwrap();
    (model, positions)
}

fn chain(model: &StokesModel, positions: &[DVec3]) -> (DenseMobility, Resistance) {
    let mobility = DenseMobility::new(model, positions).unwrap();
    let rods = model.rods().iter();
    let rods = rods.map(|r| (r.first_node..r.first_node + r.n_nodes, r.closed));
    let chain = chain_resistance(&mobility, rods);
    (mobility, chain)
}

/// Ends of all edges.
fn ends(model: &StokesModel) -> Vec<[usize; 2]> {
    model.edges().map(|(_, ends)| ends).collect()
}

/// R, column by column.
fn dense(resistance: &Resistance, ends: &[[usize; 2]]) -> Mat<f64> {
    let n = 3 * resistance.nodes.len();
    let mut matrix = Mat::zeros(n, n);
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        let mut column = vec![f64::NAN; n];
        resistance.force(ends, &unit, &mut column);
        for (i, value) in column.into_iter().enumerate() {
            matrix[(i, j)] = value;
        }
    }
    matrix
}

/// Of itself and of its neighbours the inverse of R has what B has, as it is kept.
#[test]
fn the_inverse_agrees_with_the_mobility_on_neighbours() {
    let (model, positions) = helices(&[9, 5], 2.0, false);
    let (mobility, chain) = chain(&model, &positions);
    let matrix = dense(&chain, &ends(&model));
    let inverse = matrix.partial_piv_lu().inverse();
    let block = |i, j| mobility.rough_block(i, j).unwrap();
    let scale = block(0, 0).x_axis.x;
    for rod in model.rods() {
        for i in rod.first_node..rod.first_node + rod.n_nodes {
            for j in i..(i + 2).min(rod.first_node + rod.n_nodes) {
                let mean = 0.5 * (block(i, j) + block(j, i));
                for (p, q) in (0..3).flat_map(|p| (0..3).map(move |q| (p, q))) {
                    let difference = inverse[(3 * i + p, 3 * j + q)] - mean.col(q)[p];
                    assert!(difference.abs() < 1e-12 * scale, "{i} {j}, {p} {q}");
                }
            }
        }
    }
}

/// However short edges are beside the regularisation, and where nodes meet.
#[test]
fn it_is_symmetric_and_positive_definite() {
    for (edge, closed) in [(5.0, false), (0.5, false), (0.02, false), (1.0, true)] {
        let (model, mut positions) = helices(&[40, 7], edge, closed);
        positions[20] = positions[21] + 1e-9 * DVec3::X;
        let (_, chain) = chain(&model, &positions);
        assert_eq!(chain.edges.len(), model.edges().count());
        let matrix = dense(&chain, &ends(&model));
        for i in 0..matrix.nrows() {
            for j in 0..i {
                let (a, b) = (matrix[(i, j)], matrix[(j, i)]);
                let scale = (matrix[(i, i)] * matrix[(j, j)]).sqrt();
                assert!((a - b).abs() < 1e-9 * scale, "{edge} {i} {j}");
            }
        }
        let eigen = matrix.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
        assert!(eigen.iter().all(|value| *value > 0.0), "{edge} {closed}");
    }
}

/// Iterations of GMRES to 1e-10 for the flow of turning helices.
fn iterations(
    mobility: &DenseMobility,
    positions: &[DVec3],
    mut preconditioner: impl FnMut(&[f64], &mut [f64]),
) -> usize {
    let turning = |x: &DVec3| DVec3::X.cross(*x).to_array();
    let velocity: Vec<f64> = positions.iter().flat_map(turning).collect();
    let options = KrylovOptions {
        tolerance: 1e-10,
        restart: 200,
        max_iterations: 200,
        confirm: true,
    };
    let report = fgmres(
        &mut |f: &[f64], u: &mut [f64]| mobility.apply(f, u).unwrap(),
        &mut preconditioner,
        &velocity,
        &mut vec![0.0; velocity.len()],
        &options,
        &mut KrylovWorkspace::new(),
    );
    report.unwrap().iterations
}

/// With any edges, and the more the shorter they are.
#[test]
fn neighbours_save_iterations() {
    for (edge, with, without) in [(5.0, 22, 26), (1.0, 30, 60)] {
        let (model, positions) = helices(&[100, 60], edge, false);
        let (mobility, chain) = chain(&model, &positions);
        let ends = ends(&model);
        let found = iterations(&mobility, &positions, |u, f| chain.force(&ends, u, f));
        assert!(found <= with, "edges of {edge}: {found}");
        let nodes = 0..positions.len();
        let alone = nodes.map(|i| mobility.rough_block(i, i).unwrap().inverse());
        let local = Resistance::local(alone.collect());
        let found = iterations(&mobility, &positions, |u, f| local.force(&ends, u, f));
        assert!(found >= without, "edges of {edge}: {found}");
    }
}
