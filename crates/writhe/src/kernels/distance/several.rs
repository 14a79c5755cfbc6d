//! Distances of several pairs of edges at once, which tell those that are far apart.

use pulp::{Arch, Simd, WithSimd};

use crate::lanes::{Column, Columns3, Lanes, Pack, Pack3, cross, dot, scale_add, sub};

/// Relative error of these distances, far more than they have.
pub(crate) const ROUNDING: f64 = 1e-6;

/// Distances of the edges (a0, a1) and (b0, b1) of each lane, m, as [`super::closest_points`] finds
/// them but for their last digits; not a number where an edge has no length.
pub(crate) fn distances(nodes: &[Columns3; 4], out: &mut Column) {
    Arch::new().dispatch(Distances { nodes, out });
}

/// Compiled once per instruction set and chosen at run time.
struct Distances<'a> {
    nodes: &'a [Columns3; 4],
    out: &'a mut Column,
}

impl WithSimd for Distances<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for lanes in Lanes::all(simd) {
            let [a0, a1, b0, b1] = self.nodes;
            let (a0, a1) = (lanes.load3(a0), lanes.load3(a1));
            let (b0, b1) = (lanes.load3(b0), lanes.load3(b1));
            lanes.store(distance(sub(a1, a0), sub(b1, b0), sub(a0, b0)), self.out);
        }
    }
}

/// Of edges u and v, a0 - b0 apart: s where the lines are nearest, then t for that s, then s for
/// that t.
#[inline(always)]
fn distance<S: Simd>(u: Pack3<S>, v: Pack3<S>, base: Pack3<S>) -> Pack<S> {
    let (uu, vv) = (dot(u, u), dot(v, v));
    let normal = cross(u, v);
    // Of parallel edges whatever comes of 0/0, or rounding: the next two lines mend it.
    let guess = dot(cross(v, base), normal) / dot(normal, normal);
    let t = (dot(scale_add(guess.clamped_to_unit(), u, base), v) / vv).clamped_to_unit();
    let from_second = scale_add(-t, v, base);
    let s = (-dot(from_second, u) / uu).clamped_to_unit();
    let delta = scale_add(s, u, from_second);
    dot(delta, delta).sqrt()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::kernels::distance::closest_points;
    use crate::kernels::testing::Random;
    use crate::lanes::{COLUMN, put};

    fn check(pairs: &[[DVec3; 4]; COLUMN]) {
        let mut nodes = [Columns3::default(); 4];
        for (lane, pair) in pairs.iter().enumerate() {
            for (columns, node) in nodes.iter_mut().zip(pair) {
                put(columns, lane, *node);
            }
        }
        let mut found = Column::default();
        distances(&nodes, &mut found);
        for (found, [a0, a1, b0, b1]) in found.into_iter().zip(*pairs) {
            let known = closest_points(a0, a1, b0, b1).distance;
            assert!((found - known).abs() < 1e-12, "{found} for {known}");
        }
    }

    #[test]
    fn are_those_of_one_pair_after_the_other() {
        let mut random = Random(31);
        let mut point = || DVec3::from_array([(); 3].map(|()| random.range(-1.0, 1.0)));
        for _ in 0..500 {
            check(&[(); COLUMN].map(|()| [(); 4].map(|()| point())));
        }
    }

    /// Beside each other, one behind the other, and turned by less than rounding.
    #[test]
    fn parallel_edges_are_no_exception() {
        let edge = DVec3::new(1.0, 0.5, -0.2);
        let beside = edge.any_orthonormal_vector() * 0.1;
        let pairs: [[DVec3; 4]; COLUMN] = std::array::from_fn(|k| {
            let from = edge * (0.45 * k as f64 - 1.6) + beside;
            let tilt = beside * [0.0, 1e-16, 1e-13, 1e-7][k % 4];
            let to = from + edge * (1.0 + 0.1 * k as f64) + tilt;
            let b = if k % 2 == 0 { [from, to] } else { [to, from] };
            [DVec3::ZERO, edge, b[0], b[1]]
        });
        check(&pairs);
    }

    /// What has no length must not pass for far.
    #[test]
    fn an_edge_without_length_is_not_far() {
        let mut nodes = [Columns3::default(); 4];
        put(&mut nodes[2], 0, DVec3::X);
        put(&mut nodes[3], 0, DVec3::Y);
        let mut found = Column::default();
        distances(&nodes, &mut found);
        assert!(found[0].is_nan() || found[0] < 1.0);
    }
}
