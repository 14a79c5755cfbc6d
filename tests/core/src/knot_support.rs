//! Polygons of known knots and links.

pub mod deform;

use std::f64::consts::TAU;

use writhe::glam::{DQuat, DVec3};

/// Small deterministic generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1].
    #[allow(clippy::should_implement_trait, reason = "numbers without end")]
    pub fn next(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    /// Uniform in the unit ball.
    pub fn in_ball(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length() < 1.0 && v.length() > 1e-3 {
                return v;
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_rotation_arc(DVec3::Z, self.in_ball().normalize())
            * DQuat::from_rotation_z(TAU * self.next())
    }
}

/// Torus knot T(p, q), p times around the axis z, q times around the tube; right-handed for q > 0.
pub fn torus_knot(p: i32, q: i32, nodes: usize) -> Vec<DVec3> {
    torus_curve(p, q, 0.0, nodes)
}

/// A curve on the torus of radii 2 and 0.8, shifted along the tube by `phase`, rad.
pub fn torus_curve(p: i32, q: i32, phase: f64, nodes: usize) -> Vec<DVec3> {
    (0..nodes)
        .map(|i| {
            let s = TAU * i as f64 / nodes as f64;
            // Seen along the tube, a right-handed screw turns clockwise.
            let (around, along) = (f64::from(p) * s, phase - f64::from(q) * s);
            let r = 2.0 + 0.8 * along.cos();
            DVec3::new(r * around.cos(), r * around.sin(), 0.8 * along.sin())
        })
        .collect()
}

/// The components of the torus link T(k p, k q), p and q without common factor.
pub fn torus_link(p: i32, q: i32, components: usize, nodes: usize) -> Vec<Vec<DVec3>> {
    (0..components)
        .map(|i| {
            // Shifting along the tube by the spacing of all strands there.
            let spacing = TAU / (f64::from(p) * components as f64);
            torus_curve(p, q, spacing * i as f64, nodes)
        })
        .collect()
}

/// Figure-eight knot.
pub fn figure_eight(nodes: usize) -> Vec<DVec3> {
    (0..nodes)
        .map(|i| {
            let s = TAU * i as f64 / nodes as f64;
            let r = 2.0 + (2.0 * s).cos();
            DVec3::new(r * (3.0 * s).cos(), r * (3.0 * s).sin(), (4.0 * s).sin())
        })
        .collect()
}

/// Closed braid: letter i > 0 crosses strands i and i + 1 right-handed, -i left-handed. One polygon
/// a component.
pub fn braid(word: &[i32]) -> Vec<Vec<DVec3>> {
    let strands = word
        .iter()
        .map(|l| l.unsigned_abs() as usize + 1)
        .max()
        .unwrap_or(1);
    let top = word.len() as f64;
    let mut seen = vec![false; strands];
    let mut components = Vec::new();
    for first in 0..strands {
        if seen[first] {
            continue;
        }
        let mut points = Vec::new();
        let mut at = first;
        while !seen[at] {
            seen[at] = true;
            points.push(DVec3::new(1.0 + at as f64, 0.0, 0.0));
            for (y, letter) in word.iter().enumerate() {
                let left = letter.unsigned_abs() as usize - 1;
                let to = match at {
                    a if a == left => left + 1,
                    a if a == left + 1 => left,
                    a => a,
                };
                if to != at {
                    // The strand that goes to the right is above at a right-handed crossing.
                    let above = (to > at) == (*letter > 0);
                    let z = if above { 0.3 } else { -0.3 };
                    points.push(DVec3::new(1.0 + 0.5 * (at + to) as f64, y as f64 + 0.5, z));
                }
                at = to;
                points.push(DVec3::new(1.0 + at as f64, y as f64 + 1.0, 0.0));
            }
            let r = 1.0 + at as f64;
            points.push(DVec3::new(r, top + r, 0.0));
            points.push(DVec3::new(-r, top + r, 0.0));
            points.push(DVec3::new(-r, -r, 0.0));
            points.push(DVec3::new(r, -r, 0.0));
        }
        components.push(points);
    }
    components
}

/// Mirror image.
pub fn mirrored(points: &[DVec3]) -> Vec<DVec3> {
    points.iter().map(|x| DVec3::new(x.x, x.y, -x.z)).collect()
}

/// Connected sum: both curves are cut where they reach furthest along x and -x, and joined there.
pub fn connected_sum(first: &[DVec3], second: &[DVec3]) -> Vec<DVec3> {
    let furthest = |points: &[DVec3], sign: f64| {
        (0..points.len())
            .max_by(|i, j| (sign * points[*i].x).total_cmp(&(sign * points[*j].x)))
            .unwrap()
    };
    let (i, j) = (furthest(first, 1.0), furthest(second, -1.0));
    let shift = first[i] - second[j] + DVec3::X;
    let mut a = first.to_vec();
    a.rotate_left(i + 1);
    let mut b: Vec<DVec3> = second.iter().map(|x| *x + shift).collect();
    b.rotate_left(j + 1);
    // The last of `a` and of `b` are the two nearest nodes; each is left out, the ends are joined
    // crosswise.
    a.pop();
    b.pop();
    a.extend(b);
    a
}
