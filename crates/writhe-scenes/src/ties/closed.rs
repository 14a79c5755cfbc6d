//! Knots in closed rods: torus knots and links T(p, q), the figure-eight.

use std::f64::consts::TAU;

use glam::DVec3;

use super::{FINE, Untied, equal_edges, is_clear};

/// Radius of the tube over that of the ring, of the torus that torus knots lie on.
const TUBE: f64 = 0.4;
/// Edges for each turn about the ring or about the tube.
const EDGES_A_TURN: usize = 12;
/// Room between strands, over the thickness of the rod.
const ROOM: f64 = 1.1;

/// Which knot or link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// T(p, q); of gcd(p, q) rods.
    Torus([usize; 2]),
    /// 4_1.
    FigureEight,
}

/// A knot in closed rods around the axis z, or a link of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Closed {
    /// Type of the knot or link.
    pub kind: Kind,
    /// Whether its crossings are left-handed.
    pub left_handed: bool,
    /// Contour of each rod, m.
    pub length: f64,
    /// Radius of the rods, m.
    pub radius: f64,
    /// Number of edges of each rod.
    pub edges: usize,
}

impl Closed {
    /// Nodes of each rod with edges of equal length, m.
    pub fn rods(&self) -> Result<Vec<Vec<DVec3>>, Untied> {
        let turns = match self.kind {
            Kind::Torus([p, q]) => p.max(q) / gcd(p, q),
            Kind::FigureEight => 4,
        };
        let edges = EDGES_A_TURN * turns;
        if self.edges < edges {
            return Err(Untied::TooCoarse { edges });
        }
        let rods: Vec<Vec<DVec3>> = (0..self.components()).map(|i| self.rod(i)).collect();
        let shown: Vec<&[DVec3]> = rods.iter().map(Vec::as_slice).collect();
        if !is_clear(&shown, true, ROOM * self.radius) {
            return Err(Untied::NoRoom);
        }
        Ok(rods)
    }

    /// Number of rods.
    pub fn components(&self) -> usize {
        match self.kind {
            Kind::Torus([p, q]) => gcd(p, q),
            Kind::FigureEight => 1,
        }
    }

    fn rod(&self, component: usize) -> Vec<DVec3> {
        let count = FINE * self.edges;
        let curve: Vec<DVec3> = (0..=count)
            .map(|k| self.at(component, (k % count) as f64 / count as f64))
            .collect();
        let mut nodes = equal_edges(&curve, self.edges);
        nodes.pop();
        let around: f64 = (0..self.edges)
            .map(|i| nodes[i].distance(nodes[(i + 1) % self.edges]))
            .sum();
        for x in &mut nodes {
            *x *= self.length / around;
        }
        nodes
    }

    /// A point of a curve of any size at the part `u` of it.
    fn at(&self, component: usize, u: f64) -> DVec3 {
        let mirror = if self.left_handed { -1.0 } else { 1.0 };
        let (r, around, height) = match self.kind {
            Kind::Torus([p, q]) => {
                // As few turns about the ring as there can be: rods bend least.
                let (few, many) = (p.min(q), p.max(q));
                let parts = gcd(p, q);
                let around = TAU * u * (few / parts) as f64;
                // Seen along the tube, a right-handed screw turns clockwise. Components lie evenly
                // about the tube.
                let phase = TAU * component as f64 / few as f64;
                let (sin, cos) = (phase - TAU * u * (many / parts) as f64).sin_cos();
                (1.0 + TUBE * cos, around, TUBE * sin)
            }
            Kind::FigureEight => {
                let t = TAU * u;
                (2.0 + (2.0 * t).cos(), 3.0 * t, (4.0 * t).sin())
            }
        };
        let (sin, cos) = around.sin_cos();
        DVec3::new(r * cos, r * sin, mirror * height)
    }
}

/// Greatest common divisor.
pub(crate) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::contour;
    use super::*;
    use writhe::knot::{knot_type, linking_number};

    fn knot(kind: Kind, left_handed: bool) -> Closed {
        Closed {
            kind,
            left_handed,
            length: 1.0,
            radius: 1.6e-3,
            edges: 300,
        }
    }

    #[test]
    fn types_are_as_named() {
        for (kind, name, signature) in [
            (Kind::Torus([2, 3]), "3_1", -2),
            (Kind::Torus([3, 2]), "3_1", -2),
            (Kind::Torus([2, 5]), "5_1", -4),
            (Kind::Torus([3, 4]), "8_19 = T(3,4)", -6),
            (Kind::Torus([3, 5]), "10_124 = T(3,5)", -8),
            (Kind::FigureEight, "4_1", 0),
        ] {
            for left_handed in [false, true] {
                let rods = knot(kind, left_handed).rods().unwrap();
                assert_eq!(rods.len(), 1);
                let found = knot_type(&rods[0]).unwrap();
                assert!(
                    found.names().iter().any(|n| n.contains(name)),
                    "{name}: {found}"
                );
                let signature = if left_handed { -signature } else { signature };
                assert_eq!(found.signature, signature, "{name}");
            }
        }
    }

    #[test]
    fn torus_links_have_as_many_rods_as_the_divisor() {
        for (p, q) in [(2, 2), (2, 4), (3, 3), (4, 6)] {
            let rods = knot(Kind::Torus([p, q]), false).rods().unwrap();
            let parts = gcd(p, q);
            assert_eq!(rods.len(), parts);
            for i in 0..parts {
                for j in i + 1..parts {
                    let number = linking_number(&rods[i], &rods[j]).unwrap();
                    assert_eq!(number as usize, p * q / (parts * parts));
                }
            }
        }
    }

    #[test]
    fn edges_are_equal_and_the_contour_is_as_asked() {
        for kind in [Kind::Torus([2, 3]), Kind::Torus([5, 7]), Kind::FigureEight] {
            let rod = knot(kind, false).rods().unwrap().remove(0);
            let around = contour(&rod) + rod[299].distance(rod[0]);
            assert!((around - 1.0).abs() < 1e-12 && rod.len() == 300);
            for i in 0..300 {
                let edge = rod[i].distance(rod[(i + 1) % 300]) * 300.0;
                assert!((edge - 1.0).abs() < 0.02, "{kind:?}: {edge}");
            }
        }
    }

    #[test]
    fn what_cannot_be_tied_is_refused() {
        let thick = Closed {
            radius: 0.03,
            ..knot(Kind::Torus([2, 3]), false)
        };
        assert_eq!(thick.rods(), Err(Untied::NoRoom));
        let coarse = Closed {
            edges: 40,
            ..knot(Kind::Torus([3, 4]), false)
        };
        assert_eq!(coarse.rods(), Err(Untied::TooCoarse { edges: 48 }));
        let fine = Closed {
            edges: 48,
            ..coarse
        };
        assert!(fine.rods().is_ok());
    }
}
