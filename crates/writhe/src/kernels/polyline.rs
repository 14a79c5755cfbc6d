//! Centrelines, and where two of them come near each other.

use glam::DVec3;

use crate::kernels::distance::closest_points;

/// Straight edges from node to node.
#[derive(Debug, Clone)]
pub struct Polyline {
    nodes: Vec<DVec3>,
    closed: bool,
    bounds: [DVec3; 2],
}

/// Two edges that are near each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// The edge of the first line and that of the second.
    pub edges: [usize; 2],
    /// Distance, m.
    pub distance: f64,
    /// Middle of the shortest connection, m.
    pub middle: DVec3,
}

impl Polyline {
    /// Through `nodes`, m; if it is `closed`, from the last one to the first.
    pub fn new(nodes: Vec<DVec3>, closed: bool) -> Self {
        let low = nodes.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = nodes.iter().copied().reduce(DVec3::max).unwrap_or_default();
        Self {
            nodes,
            closed,
            bounds: [low, high],
        }
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        match self.closed {
            true => self.nodes.len(),
            false => self.nodes.len().saturating_sub(1),
        }
    }

    /// Whether two edges are one, or neighbours.
    pub fn adjoin(&self, a: usize, b: usize) -> bool {
        let step = a.abs_diff(b);
        step <= 1 || self.closed && step == self.edges() - 1
    }

    /// Both ends of an edge, m.
    fn edge(&self, edge: usize) -> [DVec3; 2] {
        [self.nodes[edge], self.nodes[(edge + 1) % self.nodes.len()]]
    }

    /// Pairs of an edge of this line and one of `other` within `reach`, m, in the order of the edges.
    pub fn approaches<'a>(
        &'a self,
        other: &'a Self,
        reach: f64,
    ) -> impl Iterator<Item = Approach> + 'a {
        // Whether the boxes around two pairs of points are within reach.
        let near = move |x: [DVec3; 2], y: [DVec3; 2]| {
            let reach = DVec3::splat(reach);
            (x[0].min(x[1]) - reach).cmple(y[0].max(y[1])).all()
                && (y[0].min(y[1]) - reach).cmple(x[0].max(x[1])).all()
        };
        let all = match near(self.bounds, other.bounds) {
            true => self.edges(),
            false => 0,
        };
        let own = (0..all).filter(move |i| near(self.edge(*i), other.bounds));
        own.flat_map(move |i| {
            let [a, b] = self.edge(i);
            let beside = (0..other.edges()).filter(move |j| near([a, b], other.edge(*j)));
            beside.filter_map(move |j| {
                let [c, d] = other.edge(j);
                let closest = closest_points(a, b, c, d);
                (closest.distance <= reach).then(|| Approach {
                    edges: [i, j],
                    distance: closest.distance,
                    middle: a + (b - a) * closest.s - closest.delta * 0.5,
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed square and a straight line through its plane: each corner edge is found, and edges
    /// out of reach are not.
    #[test]
    fn edges_within_reach_are_found() {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        let square = corners.map(|(x, y)| DVec3::new(x, y, 0.0));
        let square = Polyline::new(square.to_vec(), true);
        let along = |k: usize| DVec3::new(-1.0 + k as f64, 0.5, 0.25);
        let line = Polyline::new((0..5).map(along).collect(), false);
        assert_eq!((square.edges(), line.edges()), (4, 4));
        assert!(square.adjoin(0, 3) && !line.adjoin(0, 3));
        let found: Vec<Approach> = square.approaches(&line, 0.3).collect();
        let edges: Vec<_> = found.iter().map(|a| a.edges).collect();
        // The line passes above the sides x = 2 and x = 0, both at a node of its own.
        assert_eq!(edges, [[1, 2], [1, 3], [3, 0], [3, 1]]);
        for approach in &found {
            assert!((approach.distance - 0.25).abs() < 1e-15);
            assert!((approach.middle.z - 0.125).abs() < 1e-15);
        }
        assert_eq!(square.approaches(&line, 0.2).count(), 0);
    }
}
