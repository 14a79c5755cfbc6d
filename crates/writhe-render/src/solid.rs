//! Rigid things among the rods, as triangles.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};

use crate::color::Color;
use crate::error::RenderError;

/// Corners of the section of something round.
const SIDES: u32 = 64;
/// The same of something small, and of something smaller.
const SOME_SIDES: u32 = 32;
const FEW_SIDES: u32 = 18;
/// Steps from a pole to the equator of a ball.
const LATITUDES: u32 = 16;
/// Things among which something round has all its sides, and among which it has some: where there are
/// more, each is small.
const FEW: usize = 32;
const SOME: usize = 256;
/// Coordinates beyond this are refused, so that squares and products stay finite.
const LARGEST: f64 = 1e60;

/// A surface of triangles with normals.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Positions, scene length.
    pub vertices: Vec<DVec3>,
    /// Unit normal at each vertex.
    pub normals: Vec<DVec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// Colour everywhere.
    pub color: Color,
    /// Whether it is a wall around something: only triangles whose normals point to the viewer are
    /// drawn, so that one sees in from wherever one looks.
    pub hollow: bool,
}

/// A circle of a surface of revolution about z: its radius and height, and the normal's parts along
/// radius and z.
type Circle = [f64; 4];

impl Solid {
    /// Plane triangles; a corner of all three indices of a triangle must exist.
    pub fn of_triangles(vertices: &[DVec3], triangles: &[[u32; 3]], color: Color) -> Self {
        let mut solid = Self::empty(color);
        for corners in triangles {
            let [a, b, c] =
                corners.map(|v| vertices.get(v as usize).copied().unwrap_or(DVec3::NAN));
            let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
            let first = solid.vertices.len() as u32;
            solid.vertices.extend([a, b, c]);
            solid.normals.extend([normal; 3]);
            solid.triangles.push([first, first + 1, first + 2]);
        }
        solid
    }

    /// A box of these half sides around the origin.
    pub fn cuboid(half: DVec3, color: Color) -> Self {
        let face = |axis: usize, sign: f64| {
            let normal = sign * DVec3::AXES[axis];
            let (u, v) = (
                DVec3::AXES[(axis + 1) % 3],
                sign * DVec3::AXES[(axis + 2) % 3],
            );
            [-u - v, u - v, u + v, v - u].map(|c| half * (normal + c))
        };
        let faces = (0..3).flat_map(|axis| [face(axis, -1.0), face(axis, 1.0)]);
        let corners: Vec<DVec3> = faces.flatten().collect();
        let firsts = (0..6).map(|f| 4 * f);
        let triangles: Vec<[u32; 3]> = firsts
            .flat_map(|f| [[f, f + 1, f + 2], [f, f + 2, f + 3]])
            .collect();
        Self::of_triangles(&corners, &triangles, color)
    }

    /// Corners of the section of something round among `count` things.
    pub fn sides_among(count: usize) -> u32 {
        if count <= FEW {
            SIDES
        } else if count <= SOME {
            SOME_SIDES
        } else {
            FEW_SIDES
        }
    }

    /// A cylinder about z from -`half_length` to `half_length` with flat ends.
    pub fn cylinder(radius: f64, half_length: f64, color: Color) -> Self {
        Self::cylinder_with(radius, half_length, SIDES, color)
    }

    /// The same with so many `sides`.
    pub fn cylinder_with(radius: f64, half_length: f64, sides: u32, color: Color) -> Self {
        let (r, z) = (radius, half_length);
        Self::revolved_with(
            &[
                [0.0, -z, 0.0, -1.0],
                [r, -z, 0.0, -1.0],
                [r, -z, 1.0, 0.0],
                [r, z, 1.0, 0.0],
                [r, z, 0.0, 1.0],
                [0.0, z, 0.0, 1.0],
            ],
            sides,
            color,
        )
    }

    /// A ring about z with these radii, inside and outside, from -`half_length` to `half_length`; a
    /// nut with six sides for few `sides`.
    pub fn ring(radii: [f64; 2], half_length: f64, sides: u32, color: Color) -> Self {
        let ([a, b], z) = (radii, half_length);
        let circles = [
            [a, -z, 0.0, -1.0],
            [b, -z, 0.0, -1.0],
            [b, -z, 1.0, 0.0],
            [b, z, 1.0, 0.0],
            [b, z, 0.0, 1.0],
            [a, z, 0.0, 1.0],
        ];
        let round = Self::revolved_with(&circles, sides, color);
        // The few flat faces of a nut have edges between them.
        match sides < SIDES {
            true => Self::of_triangles(&round.vertices, &round.triangles, color),
            false => round,
        }
    }

    /// An arrow from the origin along z of this length, with a shaft of radius `thin` and a head of
    /// this `head` length and radius `wide`.
    pub fn arrow(length: f64, head: f64, [thin, wide]: [f64; 2], color: Color) -> Self {
        let neck = length - head;
        let slope = wide.hypot(head);
        let (along, up) = (head / slope, wide / slope);
        let circles = [
            [0.0, 0.0, 0.0, -1.0],
            [thin, 0.0, 0.0, -1.0],
            [thin, 0.0, 1.0, 0.0],
            [thin, neck, 1.0, 0.0],
            [thin, neck, 0.0, -1.0],
            [wide, neck, 0.0, -1.0],
            [wide, neck, along, up],
            [0.0, length, along, up],
        ];
        Self::revolved_with(&circles, FEW_SIDES, color)
    }

    /// A wall about z, open at both ends, of radius `radii[0]` at -`half_length` and `radii[1]` at
    /// `half_length`, seen from inside.
    pub fn funnel(radii: [f64; 2], half_length: f64, color: Color) -> Self {
        let growth = radii[1] - radii[0];
        let length = growth.hypot(2.0 * half_length);
        let (along, up) = (2.0 * half_length / length, -growth / length);
        let circle = |part: f64| {
            let z = half_length * (2.0 * part - 1.0);
            [radii[0] + part * growth, z, along, up]
        };
        // Short pieces: what reaches behind the viewer is left out piece by piece.
        let pieces = 0..=LATITUDES;
        let circles: Vec<Circle> = pieces
            .map(|i| circle(f64::from(i) / f64::from(LATITUDES)))
            .collect();
        Self::revolved(&circles, color).hollow()
    }

    /// This surface as a wall that is seen from inside: normals are turned inwards.
    pub fn hollow(mut self) -> Self {
        self.normals.iter_mut().for_each(|n| *n = -*n);
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self.hollow = true;
        self
    }

    /// Points nearer than `radius` to the segment from -`half_length` to `half_length` on the z
    /// axis; a ball if that is zero.
    pub fn capsule(radius: f64, half_length: f64, color: Color) -> Self {
        Self::capsule_with(radius, half_length, SIDES, color)
    }

    /// The same with so many `sides`, and a quarter of it from a pole to the equator.
    pub fn capsule_with(radius: f64, half_length: f64, sides: u32, color: Color) -> Self {
        let latitudes = (sides / 4).max(1);
        let cap = |from: f64, to: f64, z: f64| {
            (0..=latitudes).map(move |i| {
                let (sin, cos) =
                    (from + (to - from) * f64::from(i) / f64::from(latitudes)).sin_cos();
                [radius * cos, z + radius * sin, cos, sin]
            })
        };
        let lower = cap(-FRAC_PI_2, 0.0, -half_length);
        let circles: Vec<Circle> = lower.chain(cap(0.0, FRAC_PI_2, half_length)).collect();
        Self::revolved_with(&circles, sides, color)
    }

    /// A small ball around the origin, of few triangles.
    pub fn bead(radius: f64, color: Color) -> Self {
        let circle = |i: u32| {
            let angle = FRAC_PI_2 * (f64::from(i) / 4.0 - 1.0);
            let (sin, cos) = angle.sin_cos();
            [radius * cos, radius * sin, cos, sin]
        };
        let circles: Vec<Circle> = (0..=8).map(circle).collect();
        Self::revolved_with(&circles, FEW_SIDES, color)
    }

    /// A ball around the origin of a joint: as round as what is small in a picture needs.
    pub fn knob(radius: f64, color: Color) -> Self {
        let circle = |i: u32| {
            let angle = FRAC_PI_2 * (f64::from(i) / 8.0 - 1.0);
            let (sin, cos) = angle.sin_cos();
            [radius * cos, radius * sin, cos, sin]
        };
        let circles: Vec<Circle> = (0..=16).map(circle).collect();
        Self::revolved_with(&circles, SOME_SIDES, color)
    }

    /// A ball around the origin with a pin through it along x, which shows how it turns.
    pub fn ball(radius: f64, color: Color) -> Self {
        Self::capsule(radius, 0.0, color).with(Self::pin(radius, None, color))
    }

    /// A cylinder about z from -`half_length` to `half_length` with a pin through it along x, which
    /// shows how it turns.
    pub fn bob(radius: f64, half_length: f64, color: Color) -> Self {
        let pin = Self::pin(radius, Some(half_length), color);
        Self::cylinder(radius, half_length, color).with(pin)
    }

    /// The pin along x through a ball, or a cylinder of this half length: it stands out on both
    /// sides, longer towards +x, and is thinner than the cylinder is long.
    pub fn pin(radius: f64, half_length: Option<f64>, color: Color) -> Self {
        let thin = 0.12 * radius;
        let thin = half_length.map_or(thin, |half| thin.min(0.4 * half));
        let (from, to) = (-1.25 * radius, 1.6 * radius);
        let pin = Self::cylinder(thin, 0.5 * (to - from), color);
        let along_x = DQuat::from_rotation_y(FRAC_PI_2);
        pin.placed(along_x, DVec3::X * (0.5 * (from + to)))
    }

    /// With another one, in the colour of this.
    pub fn with(mut self, other: Self) -> Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.normals.extend(other.normals);
        let moved = other.triangles.iter().map(|t| t.map(|v| v + first));
        self.triangles.extend(moved);
        self
    }

    /// The same, turned and then moved.
    pub fn placed(mut self, rotation: DQuat, translation: DVec3) -> Self {
        self.vertices
            .iter_mut()
            .for_each(|v| *v = rotation * *v + translation);
        self.normals.iter_mut().for_each(|n| *n = rotation * *n);
        self
    }

    fn empty(color: Color) -> Self {
        Self {
            vertices: Vec::new(),
            normals: Vec::new(),
            triangles: Vec::new(),
            color,
            hollow: false,
        }
    }

    fn revolved(circles: &[Circle], color: Color) -> Self {
        Self::revolved_with(circles, SIDES, color)
    }

    fn revolved_with(circles: &[Circle], sides: u32, color: Color) -> Self {
        let mut solid = Self::empty(color);
        for [radius, z, along, up] in circles {
            for side in 0..sides {
                let (sin, cos) = (TAU * f64::from(side) / f64::from(sides)).sin_cos();
                let outward = DVec3::new(cos, sin, 0.0);
                solid.vertices.push(outward * *radius + DVec3::Z * *z);
                solid
                    .normals
                    .push((outward * *along + DVec3::Z * *up).normalize_or(outward));
            }
        }
        for circle in 1..circles.len() as u32 {
            for side in 0..sides {
                let next = (side + 1) % sides;
                let (a, b) = ((circle - 1) * sides + side, (circle - 1) * sides + next);
                solid.triangles.push([a, b, b + sides]);
                solid.triangles.push([a, b + sides, a + sides]);
            }
        }
        solid
    }

    pub(crate) fn validate(&self) -> Result<(), RenderError> {
        let largest = self.vertices.iter().map(|v| v.abs().max_element());
        let largest = largest.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
        let vertices = self.vertices.len();
        let inside = self
            .triangles
            .iter()
            .flatten()
            .all(|v| (*v as usize) < vertices);
        for (name, value, good) in [
            ("solid.vertices", largest, largest < LARGEST),
            (
                "solid.normals",
                self.normals.len() as f64,
                self.normals.len() == vertices,
            ),
            ("solid.triangles", vertices as f64, inside),
        ] {
            if !good {
                return Err(RenderError::BadOption { name, value });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(solid: &Solid) -> f64 {
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| solid.vertices[v as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        solid.triangles.iter().map(part).sum()
    }

    #[test]
    fn round_things_among_many_have_fewer_sides() {
        let all = Solid::sides_among(32);
        assert_eq!(
            Solid::capsule_with(1.0, 0.5, all, Color::WHITE),
            Solid::capsule(1.0, 0.5, Color::WHITE)
        );
        assert_eq!(
            Solid::cylinder_with(1.0, 0.5, all, Color::WHITE),
            Solid::cylinder(1.0, 0.5, Color::WHITE)
        );
        let mut before = usize::MAX;
        for count in [32, 256, 257] {
            let ball = Solid::capsule_with(1.0, 0.0, Solid::sides_among(count), Color::WHITE);
            assert!(2 * ball.vertices.len() < before);
            before = ball.vertices.len();
            // A ball of 18 sides lacks 6 % of its volume.
            let part = volume(&ball) / (4.0 / 3.0 * std::f64::consts::PI);
            assert!(
                part > 0.93 && part < 1.0,
                "{part} of the volume among {count}"
            );
        }
    }

    /// Of a wall only the side beyond what is in it is drawn, from wherever one looks.
    #[test]
    fn walls_are_open_to_the_viewer() {
        for solid in [
            Solid::funnel([0.3, 0.5], 1.0, Color::WHITE),
            Solid::capsule(0.4, 0.0, Color::WHITE).hollow(),
        ] {
            let all = solid.triangles.len();
            for viewer in [
                DVec3::X,
                DVec3::NEG_Y,
                DVec3::new(0.6, -0.8, 0.1).normalize(),
            ] {
                let mut mesh = crate::mesh::Mesh::default();
                mesh.add(&solid, |_| viewer);
                let seen = mesh.triangles.len();
                assert!(seen > all / 3 && seen < 2 * all / 3, "{seen} of {all}");
                for t in &mesh.triangles {
                    let middle: DVec3 = t.iter().map(|v| mesh.vertices[*v as usize].position).sum();
                    let across = middle.with_z(0.0).dot(viewer.with_z(0.0)) / 3.0;
                    assert!(across < 0.1, "{middle} seen from {viewer}");
                }
            }
        }
    }

    #[test]
    fn arrows_and_rings_have_their_size() {
        let arrow = Solid::arrow(2.0, 0.5, [0.1, 0.3], Color::WHITE);
        assert!(arrow.validate().is_ok());
        // A prism and a pyramid.
        let sides = f64::from(FEW_SIDES);
        let area = |r: f64| 0.5 * sides * (TAU / sides).sin() * r * r;
        let exact = 1.5 * area(0.1) + area(0.3) * 0.5 / 3.0;
        assert!((volume(&arrow) / exact - 1.0).abs() < 1e-12);
        let far = |solid: &Solid, axis: DVec3| {
            let along = solid.vertices.iter().map(|v| v.dot(axis));
            along.fold(f64::NEG_INFINITY, f64::max)
        };
        assert_eq!(
            (far(&arrow, DVec3::Z), far(&arrow, DVec3::NEG_Z)),
            (2.0, 0.0)
        );
        assert!((far(&arrow, DVec3::X) - 0.3).abs() < 1e-12);
        let nut = Solid::ring([0.1, 0.2], 0.5, 6, Color::WHITE);
        assert!(nut.validate().is_ok());
        let inside = nut.vertices.iter().map(|v| v.truncate().length());
        assert!((inside.fold(f64::INFINITY, f64::min) - 0.1).abs() < 1e-12);
        assert!((far(&nut, DVec3::X) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_pin_shows_how_round_things_turn() {
        for solid in [
            Solid::ball(0.3, Color::WHITE),
            Solid::bob(0.3, 0.1, Color::WHITE),
        ] {
            let reach = |axis: DVec3| {
                solid
                    .vertices
                    .iter()
                    .map(|v| v.dot(axis))
                    .fold(0.0, f64::max)
            };
            assert!((reach(DVec3::X) - 0.48).abs() < 1e-12);
            assert!((reach(-DVec3::X) - 0.375).abs() < 1e-12);
            assert!(reach(DVec3::Y) < 0.31);
            assert!(solid.validate().is_ok());
        }
    }

    #[test]
    fn volumes_are_those_of_geometry_and_normals_point_out() {
        let (r, l) = (0.3, 0.5);
        let pi = std::f64::consts::PI;
        for (solid, exact) in [
            (
                Solid::cuboid(DVec3::new(0.1, 0.2, 0.3), Color::WHITE),
                8.0 * 0.006,
            ),
            (Solid::cylinder(r, l, Color::WHITE), pi * r * r * 2.0 * l),
            (
                Solid::capsule(r, l, Color::WHITE),
                pi * r * r * 2.0 * l + 4.0 / 3.0 * pi * r.powi(3),
            ),
            (
                Solid::capsule(r, 0.0, Color::WHITE),
                4.0 / 3.0 * pi * r.powi(3),
            ),
        ] {
            assert!(
                (volume(&solid) / exact - 1.0).abs() < 5e-3,
                "{} {exact}",
                volume(&solid)
            );
            assert!(
                solid
                    .vertices
                    .iter()
                    .zip(&solid.normals)
                    .all(|(v, n)| v.dot(*n) > 0.0)
            );
            assert!(solid.validate().is_ok());
            let far = solid.placed(DQuat::from_rotation_x(1.0), DVec3::X * f64::NAN);
            assert!(far.validate().is_err());
        }
    }
}
