//! An open overhand knot in closed form: two strands that turn about each other by three half
//! turns, closed by a stadium.

use glam::DVec3;

/// Shape of the knot, m.
#[derive(Debug, Clone, Copy)]
pub struct Overhand {
    /// Length of the rod.
    pub length: f64,
    /// Half the length of the braid, along y.
    pub braid: f64,
    /// Distance of each strand from the braid's axis.
    pub offset: f64,
    /// Radius of the stadium's ends.
    pub loop_radius: f64,
}

impl Overhand {
    /// Nodes of a polyline of `nodes` nodes, equal arcs of the curve apart; the ends lie on a line
    /// along y.
    pub fn nodes(&self, nodes: usize) -> Vec<DVec3> {
        let fine = self.curve(40_000);
        let arcs: Vec<f64> = std::iter::once(0.0)
            .chain(fine.windows(2).scan(0.0, |s, x| {
                *s += (x[1] - x[0]).length();
                Some(*s)
            }))
            .collect();
        let knot = arcs[arcs.len() - 1];
        let tail = 0.5 * (self.length - knot);
        assert!(tail > 0.0, "the knot alone is {knot} m long");
        (0..nodes)
            .map(|i| {
                let s = self.length * i as f64 / (nodes - 1) as f64 - tail;
                if s <= 0.0 {
                    return fine[0] + s * DVec3::Y;
                }
                let next = arcs.partition_point(|a| *a < s);
                match (fine.get(next), next) {
                    (None, _) => fine[fine.len() - 1] + (s - knot) * DVec3::Y,
                    (Some(x), 0) => *x,
                    (Some(x), _) => {
                        let (from, to) = (arcs[next - 1], arcs[next]);
                        fine[next - 1].lerp(*x, (s - from) / (to - from))
                    }
                }
            })
            .collect()
    }

    /// Braid, stadium, braid again.
    fn curve(&self, points: usize) -> Vec<DVec3> {
        use std::f64::consts::PI;
        let Self {
            braid: b,
            offset,
            loop_radius: r,
            ..
        } = *self;
        let strand = |y: f64, first: bool| {
            let x = 0.5 * (1.0 + y / b);
            // No turning at the ends: tangents match those of what follows.
            let turn = 3.0 * PI * x * x * (3.0 - 2.0 * x);
            let phase = if first { 0.5 * PI } else { 1.5 * PI } + turn;
            DVec3::new(offset * phase.cos(), y, offset * phase.sin())
        };
        let stadium = |s: f64| {
            let (half, straight) = (PI * r, 2.0 * b);
            let top = DVec3::Z * -offset;
            if s < half {
                let (sin, cos) = (s / r).sin_cos();
                top + DVec3::new(0.0, b + r * sin, r * (cos - 1.0))
            } else if s < half + straight {
                top + DVec3::new(0.0, b - (s - half), -2.0 * r)
            } else {
                let (sin, cos) = ((s - half - straight) / r).sin_cos();
                top + DVec3::new(0.0, -b - r * sin, -r * (1.0 + cos))
            }
        };
        let perimeter = 2.0 * PI * r + 2.0 * b;
        let fraction = |i: usize| i as f64 / points as f64;
        let along = |i: usize| b * (2.0 * fraction(i) - 1.0);
        let first = (0..points).map(|i| strand(along(i), true));
        let middle = (0..points).map(|i| stadium(perimeter * fraction(i)));
        let last = (0..=points).map(|i| strand(along(i), false));
        first.chain(middle).chain(last).collect()
    }
}
