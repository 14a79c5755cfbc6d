use glam::DVec3;

use crate::fluid::stokeslet_segments::clusters::*;
use crate::fluid::stokeslet_segments::resistance::local_resistance_blocks;
use crate::fluid::stokeslet_segments::segments::{EndWeights, RodNodes, StokesModel};
use crate::solve::krylov::{KrylovOptions, KrylovWorkspace, fgmres};

const EPSILON: f64 = 1e-3;

/// Helices side by side, of so many nodes each, with edges of a length given in regularisations.
fn helices(nodes: &[usize], edge: f64) -> (StokesModel, Vec<DVec3>) {
    let mut rods = Vec::new();
    let mut positions = Vec::new();
    for (k, &n_nodes) in nodes.iter().enumerate() {
        rods.push(RodNodes {
            first_node: positions.len(),
            n_nodes,
            closed: false,
        });
        positions.extend((0..n_nodes).map(|i| {
            let angle = edge * EPSILON * i as f64 / 0.0128;
            let y = 0.03 * k as f64 + 0.01 * angle.cos();
            DVec3::new(0.008 * angle, y, 0.01 * angle.sin())
        }));
    }
    let edges = positions.len() - rods.len();
    let model = StokesModel::new(rods, vec![EPSILON; edges], 1.0, EndWeights::Voronoi).unwrap();
    (model, positions)
}

fn ranges(model: &StokesModel) -> Vec<Range<usize>> {
    let rods = model.rods().iter();
    rods.map(|r| r.first_node..r.first_node + r.n_nodes)
        .collect()
}

/// One rod of a cluster's nodes is inverted; of several, each as if it were alone.
#[test]
fn a_cluster_is_inverted() {
    let (model, positions) = helices(&[CLUSTER, 3], 5.0);
    let mobility = DenseMobility::new(&model, &positions).unwrap();
    let clusters = Clusters::new(&mobility, ranges(&model)).unwrap();
    let n = 3 * positions.len();
    let velocity: Vec<f64> = (0..n).map(|i| (1.7 * i as f64).sin()).collect();
    let mut force = vec![f64::NAN; n];
    clusters.force(&velocity, &mut force);
    for rod in ranges(&model) {
        let own = 3 * rod.start..3 * rod.end;
        let mut alone = vec![0.0; n];
        alone[own.clone()].copy_from_slice(&force[own.clone()]);
        let mut back = vec![0.0; n];
        mobility.apply(&alone, &mut back).unwrap();
        for i in own {
            assert!((back[i] - velocity[i]).abs() < 1e-12, "{i}");
        }
    }
}

#[test]
fn nodes_that_do_not_exist_are_refused() {
    let (model, positions) = helices(&[5], 5.0);
    let mobility = DenseMobility::new(&model, &positions).unwrap();
    let refused = Clusters::new(&mobility, std::iter::once(0..6));
    assert!(matches!(refused, Err(SolveError::WrongLength { .. })));
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

/// Clusters save iterations with any edges, and the more the shorter they are.
#[test]
fn clusters_precondition_better_than_local_resistances() {
    for (edge, with_clusters, with_resistances) in [(5.0, 23, 32), (1.0, 38, 90)] {
        let (model, positions) = helices(&[100, 60], edge);
        let mobility = DenseMobility::new(&model, &positions).unwrap();
        let clusters = Clusters::new(&mobility, ranges(&model)).unwrap();
        let found = iterations(&mobility, &positions, |u, f| clusters.force(u, f));
        assert!(found <= with_clusters, "edges of {edge}: {found}");
        let resistances = local_resistance_blocks(&model, &positions).unwrap();
        let found = iterations(&mobility, &positions, |u, f| {
            let nodes = f.chunks_exact_mut(3).zip(u.chunks_exact(3));
            for ((f, u), r) in nodes.zip(&resistances) {
                f.copy_from_slice(&(*r * DVec3::from_slice(u)).to_array());
            }
        });
        assert!(found >= with_resistances, "edges of {edge}: {found}");
    }
}
