//! Shared by the tests of this folder: differences by the two nodes of an edge.

use glam::{DMat3, DVec3};

use crate::kernels::testing::Random;

/// An edge through a random point along `direction`.
pub(crate) fn edge_from(random: &mut Random, direction: DVec3) -> [DVec3; 2] {
    let from = random.vector();
    [from, from + random.range(0.3, 2.0) * direction]
}

fn moved(edge: [DVec3; 2], k: usize, axis: usize, by: f64) -> [DVec3; 2] {
    let mut edge = edge;
    edge[k][axis] += by;
    edge
}

/// Fourth-order central difference by coordinate `axis` of node `k`.
fn slope<const M: usize>(
    edge: [DVec3; 2],
    (k, axis): (usize, usize),
    step: f64,
    f: &impl Fn([DVec3; 2]) -> [f64; M],
) -> [f64; M] {
    let at = |by: f64| f(moved(edge, k, axis, by * step));
    let (a, b, c, d) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
    std::array::from_fn(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * step))
}

fn compare(ours: &[f64], reference: &[f64], what: &str) {
    let scale = reference.iter().fold(1e-3_f64, |m, v| m.max(v.abs()));
    for (a, b) in ours.iter().zip(reference) {
        assert!(
            (a - b).abs() < 1e-6 * scale,
            "{what}: {ours:?}, differences {reference:?}"
        );
    }
}

/// Fails unless `gradient` is that of `f` to 1e-6.
pub(crate) fn check_gradient(
    edge: [DVec3; 2],
    step: f64,
    f: impl Fn([DVec3; 2]) -> f64,
    gradient: &[DVec3; 2],
) {
    let f = |e| [f(e)];
    let reference: Vec<f64> = (0..6)
        .map(|i| slope(edge, (i / 3, i % 3), step, &f)[0])
        .collect();
    let ours: Vec<f64> = gradient.iter().flat_map(|g| g.to_array()).collect();
    compare(&ours, &reference, "gradient");
}

/// Fails unless the blocks (k, l) are derivatives of vector k by node l to 1e-6.
pub(crate) fn check_hessian(
    edge: [DVec3; 2],
    step: f64,
    gradient: impl Fn([DVec3; 2]) -> [DVec3; 2],
    block: impl Fn(usize, usize) -> DMat3,
) {
    let flat = |e| -> [f64; 6] {
        let g = gradient(e);
        std::array::from_fn(|i| g[i / 3][i % 3])
    };
    let (mut ours, mut reference) = (Vec::new(), Vec::new());
    for column in 0..6 {
        let (l, axis) = (column / 3, column % 3);
        reference.extend(slope(edge, (l, axis), step, &flat));
        ours.extend((0..6).map(|row| block(row / 3, l).col(axis)[row % 3]));
    }
    compare(&ours, &reference, "Hessian");
}
