//! Twist and writhe of closed polygons, whose sum is conserved as long as no edge passes through
//! another.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::forces::twist;
use writhe::model::Model;
use writhe::state::State;

use super::kinematics;

/// Signed area of a spherical triangle (Van Oosterom and Strackee 1983).
fn triangle(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    2.0 * a
        .dot(b.cross(c))
        .atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}

/// Gauss integral `1/(4 pi) int int (t1 x t2) . r12 / |r12|^3` of two segments (Klenin and
/// Langowski 2000): the area of directions in which one is seen to cross the other. Jumps by one
/// when they pass through each other.
pub fn gauss(p: [DVec3; 2], q: [DVec3; 2]) -> f64 {
    let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(i, j)| (q[j] - p[i]).normalize());
    -(triangle(a, b, c) + triangle(a, c, d)) / (4.0 * PI)
}

/// Writhe of a closed polygon.
pub fn writhe_number(nodes: &[DVec3]) -> f64 {
    let n = nodes.len();
    let segment = |i: usize| [nodes[i], nodes[(i + 1) % n]];
    let mut sum = 0.0;
    for i in 0..n {
        for j in i + 2..n {
            if (j + 1) % n != i {
                sum += 2.0 * gauss(segment(i), segment(j));
            }
        }
    }
    sum
}

/// Sum of the twists of all vertices, in turns.
pub fn total_twist(model: &Model, state: &State) -> f64 {
    let k = kinematics(model, &state.frames, &state.q);
    let vertices = 0..model.topology.vertices();
    vertices.map(|v| twist(model, &k, &state.q, v)).sum::<f64>() / (2.0 * PI)
}

/// Linking number of the only rod, a ring.
pub fn linking_number(model: &Model, state: &State) -> f64 {
    total_twist(model, state) + writhe_number(&model.positions(state))
}
