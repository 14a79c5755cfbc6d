//! The smooth curve that a polyline stands for, and how far rods of a round section along two such
//! curves are from touching.
//!
//! The nodes of a rod lie on its centreline; its chords lie inside of it, on an arc of radius R by
//! l^2/(8 R) in the middle of an edge of length l. Contact acts between the chords. Where rods touch
//! at the inside of their bends, as they do in a knot, their centrelines are farther apart than
//! their chords.

use glam::DVec3;

/// A curve through the nodes of an open polyline, at least two: a cubic on each edge, whose slope at
/// a node is that of the parabola through the node and its neighbours. Within 3/128 l^4/R^3 of an arc
/// of radius R on edges of length l.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmoothCurve<'a> {
    /// Nodes, m.
    nodes: &'a [DVec3],
}

/// Newton's method for the closest points stops below this part of an edge.
const CLOSE: f64 = 1e-9;
/// Iterations of it.
const MOST: usize = 50;
/// Largest change of a parameter in one of them, edges.
const LONGEST: f64 = 0.25;
/// Closest points are looked for within so many edges of where the chords touch.
const AROUND: f64 = 1.5;

impl<'a> SmoothCurve<'a> {
    /// The curve through these nodes, m.
    pub(super) fn through(nodes: &'a [DVec3]) -> Self {
        Self { nodes }
    }

    /// Slope at a node, m per edge.
    fn slope(&self, node: usize) -> DVec3 {
        let before = self.nodes[node.saturating_sub(1)];
        let after = self.nodes[(node + 1).min(self.nodes.len() - 1)];
        let edges = if node == 0 || node + 1 == self.nodes.len() {
            1.0
        } else {
            2.0
        };
        (after - before) / edges
    }

    /// Point, m, slope and second derivative at `s`, counted in edges from the first node.
    pub(super) fn at(&self, s: f64) -> [DVec3; 3] {
        let edge = (s.max(0.0) as usize).min(self.nodes.len() - 2);
        let u = s - edge as f64;
        let [x0, x1] = [self.nodes[edge], self.nodes[edge + 1]];
        let [m0, m1] = [self.slope(edge), self.slope(edge + 1)];
        // p(u) = x0 + m0 u + b u^2 + c u^3 with p(1) = x1 and p'(1) = m1.
        let b = 3.0 * (x1 - x0) - 2.0 * m0 - m1;
        let c = m0 + m1 - 2.0 * (x1 - x0);
        [
            x0 + u * (m0 + u * (b + u * c)),
            m0 + u * (2.0 * b + 3.0 * u * c),
            2.0 * b + 6.0 * u * c,
        ]
    }

    /// Smallest distance of the curve from itself, m, near the parameters `from`, in edges: by
    /// Newton's method on half its square.
    pub(super) fn distance_near(&self, from: [f64; 2]) -> f64 {
        let last = (self.nodes.len() - 1) as f64;
        let within = |k: usize, s: f64| {
            let bounded = s.clamp(from[k] - AROUND, from[k] + AROUND);
            bounded.clamp(0.0, last)
        };
        let half_square = |at: [f64; 2]| {
            let [a, b] = at.map(|s| self.at(s)[0]);
            0.5 * a.distance_squared(b)
        };
        let mut at = from;
        for _ in 0..MOST {
            let [[x, xs, xss], [y, yt, ytt]] = at.map(|s| self.at(s));
            // f = |x - y|^2/2, its gradient and its second derivatives by both parameters
            let delta = x - y;
            let gradient = [delta.dot(xs), -delta.dot(yt)];
            let mut hessian = [
                xs.dot(xs) + delta.dot(xss),
                -xs.dot(yt),
                yt.dot(yt) - delta.dot(ytt),
            ];
            // Without curvature where f is not convex: the next best that leads down.
            if hessian[0] <= 0.0 || hessian[0] * hessian[2] <= hessian[1] * hessian[1] {
                hessian = [2.0 * xs.dot(xs), -xs.dot(yt), 2.0 * yt.dot(yt)];
            }
            let [ss, st, tt] = hessian;
            let determinant = ss * tt - st * st;
            let step = [
                -(tt * gradient[0] - st * gradient[1]) / determinant,
                -(ss * gradient[1] - st * gradient[0]) / determinant,
            ];
            let longest = step[0].abs().max(step[1].abs());
            if !longest.is_finite() {
                break;
            }
            let mut part = (LONGEST / longest).min(1.0);
            let now = half_square(at);
            let moved = |part: f64| [0, 1].map(|k| within(k, at[k] + part * step[k]));
            while half_square(moved(part)) > now && part * longest > CLOSE {
                part *= 0.5;
            }
            at = moved(part);
            if part * longest <= CLOSE {
                break;
            }
        }
        (2.0 * half_square(at)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use writhe::kernels::distance::closest_points;

    const R: f64 = 5e-3;
    /// Distance of the circles' centres, m: each passes through the other.
    const APART: f64 = 6.4e-3;

    /// Most of two linked circles in planes at right angles, one after the other in one polyline,
    /// and the parameters in the middle of the edges where they are nearest.
    fn linked(edges: usize) -> (Vec<DVec3>, [f64; 2]) {
        // The nearest points lie in the middle of an edge, where chords are farthest inside.
        let angle = |i: usize| {
            let turn = std::f64::consts::TAU / edges as f64;
            (i as f64 - 0.5 * (edges as f64 - 3.0)) * turn
        };
        let arc = || (0..edges - 2).map(angle);
        let first = arc().map(|a| DVec3::new(R * a.cos(), R * a.sin(), 0.0));
        let second = arc().map(|a| DVec3::new(APART - R * a.cos(), 0.0, R * a.sin()));
        let middle = 0.5 * (edges as f64 - 3.0);
        let nodes: Vec<DVec3> = first.chain(second).collect();
        (nodes, [middle, middle + (edges - 2) as f64])
    }

    #[test]
    fn chords_of_linked_circles_are_nearer_than_the_circles() {
        // The circles' nearest points, (R, 0, 0) and (d - R, 0, 0).
        let exact = 2.0 * R - APART;
        let mut errors = Vec::new();
        for edges in [16, 32, 64] {
            let (nodes, at) = linked(edges);
            let [i, j] = at.map(|s| s as usize);
            let chords = closest_points(nodes[i], nodes[i + 1], nodes[j], nodes[j + 1]).distance;
            // Both chords lie R (1 - cos(pi/edges)) inside, towards each other's circle.
            let sag = R * (1.0 - (std::f64::consts::PI / edges as f64).cos());
            assert!((chords - (exact - 2.0 * sag)).abs() < 1e-12, "{edges}");
            // From a start that is off.
            let smooth = SmoothCurve::through(&nodes).distance_near([at[0] + 0.4, at[1] - 0.3]);
            errors.push((smooth - exact).abs());
        }
        // 2 (3/128) phi^4 R, and so a sixteenth on edges half as long.
        let phi = std::f64::consts::TAU / 16.0;
        assert!((errors[0] / (R * 6.0 / 128.0 * phi.powi(4)) - 1.0).abs() < 0.1);
        for pair in errors.windows(2) {
            assert!((14.0..18.0).contains(&(pair[0] / pair[1])), "{errors:?}");
        }
    }

    #[test]
    fn the_curve_goes_through_the_nodes_with_one_slope() {
        let nodes: Vec<DVec3> = (0..6)
            .map(f64::from)
            .map(|t| DVec3::new(t, (0.9 * t).sin(), 0.3 * t * t))
            .collect();
        let curve = SmoothCurve::through(&nodes);
        for (i, node) in nodes.iter().enumerate() {
            assert!(curve.at(i as f64)[0].distance(*node) < 1e-14);
        }
        let (below, above) = (curve.at(2.0 - 1e-9)[1], curve.at(2.0 + 1e-9)[1]);
        assert!(below.distance(above) < 1e-7);
        // Slopes are the derivative of points.
        let difference = (curve.at(2.3 + 1e-6)[0] - curve.at(2.3 - 1e-6)[0]) / 2e-6;
        assert!(difference.distance(curve.at(2.3)[1]) < 1e-8);
    }
}
