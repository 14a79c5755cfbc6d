//! The centreline as a dense sequence of stations.

use glam::DVec3;

use crate::tube::Tube;

/// Largest turn of the tangent between stations, radians.
const TURN_PER_STATION: f64 = 0.12;
/// Largest turn of the material director between stations, radians.
const TWIST_PER_STATION: f64 = 0.4;
/// Most stations on one edge.
const MOST_PER_EDGE: usize = 16;

/// A point of the centreline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Station {
    /// Edge index plus fraction of the edge; node `i` is at `i`, the middle of edge `i` at
    /// `i + 0.5`.
    pub param: f64,
    /// Position, scene length.
    pub position: DVec3,
    /// Unit tangent.
    pub tangent: DVec3,
}

/// Stations on all nodes, in the middle of all edges, and evenly between. The last station of a
/// closed tube repeats the first at `param = edges`. There are more where the material directors
/// turn, if the tube is `striped` along them.
pub(crate) fn stations(tube: &Tube, striped: bool) -> Vec<Station> {
    let slopes: Vec<DVec3> = (0..tube.centerline.len())
        .map(|node| node_slope(tube, node))
        .collect();
    let mut stations = Vec::new();
    for edge in 0..tube.edges() {
        let parts = parts_of_edge(tube, edge, striped);
        for part in 0..parts {
            stations.push(station(tube, &slopes, edge, part as f64 / parts as f64));
        }
    }
    stations.push(station(tube, &slopes, tube.edges() - 1, 1.0));
    if let (Some(last), Some(edges)) = (stations.last_mut(), Some(tube.edges())) {
        last.param = edges as f64;
    }
    stations
}

fn station(tube: &Tube, slopes: &[DVec3], edge: usize, t: f64) -> Station {
    let (from, to) = tube.edge(edge);
    let chord = to - from;
    let (slope_from, slope_to) = (slopes[edge], slopes[(edge + 1) % slopes.len()]);
    let param = edge as f64 + t;
    let direction = chord.normalize_or_zero();
    if !tube.smooth {
        let tangent = match t {
            0.0 => slope_from,
            1.0 => slope_to,
            _ => direction,
        };
        return Station {
            param,
            position: from + chord * t,
            tangent: tangent.normalize_or(direction),
        };
    }
    // Cubic Hermite curve with slopes in units of the chord length.
    let (m0, m1) = (slope_from * chord.length(), slope_to * chord.length());
    let (t2, t3) = (t * t, t * t * t);
    let position = from + chord * (3.0 * t2 - 2.0 * t3) + m0 * (t3 - 2.0 * t2 + t) + m1 * (t3 - t2);
    let slope =
        chord * (6.0 * t - 6.0 * t2) + m0 * (3.0 * t2 - 4.0 * t + 1.0) + m1 * (3.0 * t2 - 2.0 * t);
    // A loop of the cubic inside one edge would turn the section around; the chord is then the
    // better guess.
    let tangent = if slope.dot(chord) > 0.0 {
        slope.normalize_or(direction)
    } else {
        direction
    };
    Station {
        param,
        position,
        tangent,
    }
}

/// dx/ds at a node: the derivative of the parabola through three nodes, with chord length as
/// parameter (the non-uniform Catmull-Rom slope).
fn node_slope(tube: &Tube, node: usize) -> DVec3 {
    let (nodes, edges) = (tube.centerline.len(), tube.edges());
    let secant = |edge: usize| {
        let (from, to) = tube.edge(edge);
        let length = (to - from).length();
        ((to - from) / length, length)
    };
    let inner = |before: usize, after: usize| {
        let ((d0, h0), (d1, h1)) = (secant(before), secant(after));
        (d0 * h1 + d1 * h0) / (h0 + h1)
    };
    if tube.closed {
        inner((node + nodes - 1) % nodes, node)
    } else if edges == 1 {
        secant(0).0
    } else if node == 0 {
        secant(0).0 * 2.0 - inner(0, 1)
    } else if node == edges {
        secant(edges - 1).0 * 2.0 - inner(edges - 2, edges - 1)
    } else {
        inner(node - 1, node)
    }
}

/// Parts that an edge is cut into; even, so that the middle of the edge is a station.
fn parts_of_edge(tube: &Tube, edge: usize, striped: bool) -> usize {
    if !tube.smooth {
        return 2;
    }
    let edges = tube.edges();
    let direction = |e: usize| {
        let (from, to) = tube.edge(e);
        to - from
    };
    let mut parts: f64 = 2.0;
    for neighbour in neighbours(edge, edges, tube.closed) {
        parts = parts.max(direction(edge).angle_between(direction(neighbour)) / TURN_PER_STATION);
        if let (Some(m1), true) = (&tube.material_directors, striped) {
            parts = parts.max(m1[edge].angle_between(m1[neighbour]) / TWIST_PER_STATION);
        }
    }
    let half = (0.5 * parts).ceil() as usize;
    (2 * half).clamp(2, MOST_PER_EDGE)
}

fn neighbours(edge: usize, edges: usize, closed: bool) -> impl Iterator<Item = usize> {
    let before = if edge > 0 {
        Some(edge - 1)
    } else {
        closed.then(|| edges - 1)
    };
    let after = if edge + 1 < edges {
        Some(edge + 1)
    } else {
        closed.then_some(0)
    };
    before.into_iter().chain(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;

    fn circle(nodes: usize) -> Vec<DVec3> {
        (0..nodes)
            .map(|i| std::f64::consts::TAU * i as f64 / nodes as f64)
            .map(|a| DVec3::new(a.cos(), a.sin(), 0.0))
            .collect()
    }

    #[test]
    fn curve_through_a_coarse_circle_stays_close_to_it() {
        let tube = Tube::new(circle(12), 0.1, Color::WHITE).closed();
        for station in stations(&tube, true) {
            assert!((station.position.length() - 1.0).abs() < 3e-3);
            assert!(station.tangent.dot(station.position).abs() < 0.02);
        }
    }

    #[test]
    fn straight_edges_are_kept_when_smoothing_is_off() {
        let mut tube = Tube::new(
            vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0)],
            0.1,
            Color::WHITE,
        );
        tube.smooth = false;
        let positions: Vec<DVec3> = stations(&tube, true).iter().map(|s| s.position).collect();
        assert_eq!(positions[1], DVec3::new(0.5, 0.0, 0.0));
        assert_eq!(positions.len(), 5);
    }
}
