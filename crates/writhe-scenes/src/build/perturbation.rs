//! Rods that are not perfect: a smooth deviation across the rod, of the initial shape and of the
//! rest shape alike, so that it stresses nothing.
//!
//! An open rod deviates by `sin^2(pi s) sum_k a_k cos(k pi s)`, k = 0 to 7, with s from 0 to 1 and
//! random vectors a_k: its ends stay where they are, in place and direction. A closed rod deviates
//! by `sum_k a_k cos(2 pi k s) + b_k sin(2 pi k s)`, k = 1 to 8. What is along the rod is taken
//! out. The waves do not depend on the number of edges.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::rod::Rod;

use super::twist::InitialTwist;
use crate::random::Random;
use crate::spec::PerturbationSpec;

/// Waves that add up.
const WAVES: usize = 8;

/// Where the nodes of the rod of this index are, m.
pub(super) fn displaced(
    nodes: &[DVec3],
    closed: bool,
    spec: &PerturbationSpec,
    rod: usize,
) -> Vec<DVec3> {
    let count = nodes.len();
    let mut random = Random::new(spec.seed as u64, rod as u64);
    let waves: [[DVec3; 2]; WAVES] =
        std::array::from_fn(|_| [vector(&mut random), vector(&mut random)]);
    let arcs = arcs(nodes, closed);
    let deviation = |(i, s): (usize, &f64)| {
        let sum = waves.iter().enumerate().map(|(k, [a, b])| {
            if closed {
                let (sin, cos) = (TAU * (k + 1) as f64 * s).sin_cos();
                *a * cos + *b * sin
            } else {
                *a * (PI * k as f64 * s).cos() * (PI * s).sin().powi(2)
            }
        });
        let before = if closed || i > 0 {
            (i + count - 1) % count
        } else {
            i
        };
        let after = if closed || i + 1 < count {
            (i + 1) % count
        } else {
            i
        };
        let along = (nodes[after] - nodes[before]).normalize_or_zero();
        let sum: DVec3 = sum.sum();
        sum - along * along.dot(sum)
    };
    let deviations: Vec<DVec3> = arcs.iter().enumerate().map(deviation).collect();
    let largest = deviations.iter().map(|d| d.length()).fold(0.0, f64::max);
    let scale = if largest > 0.0 {
        spec.amplitude.si() / largest
    } else {
        0.0
    };
    let moved = nodes.iter().zip(&deviations).map(|(x, d)| *x + *d * scale);
    moved.collect()
}

/// Adds to the rest shape of `rod`, which will be twisted by `twist`, by how much the shape `crooked`
/// differs from `perfect`, each at rest.
pub(super) fn bend_at_rest(rod: &mut Rod, twist: &InitialTwist, [perfect, crooked]: [&Rod; 2]) {
    let differences = |rest: &mut [f64], from: &[f64], to: &[f64]| {
        for ((rest, from), to) in rest.iter_mut().zip(from).zip(to) {
            *rest += to - from;
        }
    };
    differences(
        &mut rod.rest_lengths,
        &perfect.rest_lengths,
        &crooked.rest_lengths,
    );
    differences(
        &mut rod.rest_twist,
        &perfect.rest_twist,
        &crooked.rest_twist,
    );
    let curvatures = perfect.rest_curvature.iter().zip(&crooked.rest_curvature);
    let rest = rod.rest_curvature.iter_mut().enumerate();
    for ((vertex, rest), (from, to)) in rest.zip(curvatures) {
        let by = twist.seen_turned(vertex, [to[0] - from[0], to[1] - from[1]]);
        *rest = [rest[0] + by[0], rest[1] + by[1]];
    }
    rod.positions.clone_from(&crooked.positions);
    rod.directors.clone_from(&crooked.directors);
}

/// Arc length of each node over the whole, a closed rod's from its first node round to it again.
fn arcs(nodes: &[DVec3], closed: bool) -> Vec<f64> {
    let mut arcs = vec![0.0];
    for pair in nodes.windows(2) {
        arcs.push(arcs[arcs.len() - 1] + pair[0].distance(pair[1]));
    }
    let seam = match (nodes.first(), nodes.last()) {
        (Some(first), Some(last)) if closed => first.distance(*last),
        _ => 0.0,
    };
    let whole = arcs[arcs.len() - 1] + seam;
    arcs.iter()
        .map(|arc| arc / whole.max(f64::MIN_POSITIVE))
        .collect()
}

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.next(), random.next(), random.next())
}
