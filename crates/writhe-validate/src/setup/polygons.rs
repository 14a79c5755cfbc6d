//! Nodes of equal edges on simple curves.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::reference::elastica::bisect;

/// Edge length of a rod of unit length with `clamps` clamped ends. A clamped edge acts as a clamp
/// at its middle, so half of it lies behind the clamp plane.
pub fn edge_length(edges: usize, clamps: usize) -> f64 {
    1.0 / (edges as f64 - 0.5 * clamps as f64)
}

/// Nodes along x of a rod whose first edge is to be clamped: the clamp plane is x = 0, the tip x =
/// 1.
pub fn clamped_nodes(edges: usize) -> Vec<DVec3> {
    let l = edge_length(edges, 1);
    (0..=edges)
        .map(|i| DVec3::X * (l * (i as f64 - 0.5)))
        .collect()
}

/// Nodes of equal edges and total length 1 on a circular arc from the origin to `(span, 0, 0)`,
/// above the x axis.
pub fn arc_nodes(edges: usize, span: f64) -> Vec<DVec3> {
    let n = edges as f64;
    let l = 1.0 / n;
    // A polygon that turns by t at each vertex spans l sin(n t / 2) / sin(t / 2).
    let chord = |t: f64| l * (0.5 * n * t).sin() / (0.5 * t).sin();
    let turn = bisect(1e-9, TAU / n, |t| chord(t) - span);
    let mut x = DVec3::ZERO;
    let mut nodes = vec![x];
    for i in 0..edges {
        let (sin, cos) = (turn * (0.5 * (n - 1.0) - i as f64)).sin_cos();
        x += DVec3::new(cos, sin, 0.0) * l;
        nodes.push(x);
    }
    nodes
}

/// Regular polygon of `n` sides of length 1/n.
pub fn regular_polygon(n: usize) -> Vec<DVec3> {
    let radius = 0.5 / (n as f64 * (PI / n as f64).sin());
    (0..n)
        .map(|i| {
            let (sin, cos) = (TAU * i as f64 / n as f64).sin_cos();
            DVec3::new(cos, sin, 0.0) * radius
        })
        .collect()
}
