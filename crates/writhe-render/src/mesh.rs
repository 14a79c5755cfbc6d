//! Tubes as triangles.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;
use rayon::prelude::*;

use crate::color::Color;
use crate::curve::stations;
use crate::frame::{director_angle, section_axes};
use crate::piecewise::Piecewise;
use crate::solid::Solid;
use crate::tube::{Tube, TubeColor};
use crate::view::View;

/// How far a drawn outline may be inside of the round one, pixels.
const FLAT: f64 = 0.1;
/// Fewest corners of a section whose number follows its size.
const FEWEST_SIDES: usize = 6;
/// Part of its colour that the thinnest rod keeps.
const FAINTEST: f64 = 0.75;
/// Thickness of a rod, pixels, at which its stripe begins to show, and from which it shows wholly.
const STRIPED: (f64, f64) = (2.5, 5.0);

/// Surface of all tubes and solids of a scene.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mesh {
    pub vertices: Vec<Vertex>,
    /// Three indices into the vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles of what is thinner than the picture can show, drawn wider and fainter.
    pub thin: Vec<[u32; 3]>,
    /// Stripe of every tube, none of every solid.
    pub stripes: Vec<Option<MeshStripe>>,
}

/// How finely tubes are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail {
    /// Most corners of a section.
    pub sides: usize,
    /// The camera, samples a pixel in each direction, and the least width of a rod, pixels; without
    /// them all sections have as many corners as there may be.
    pub seen: Option<(View, f64, f64)>,
}

impl Detail {
    /// Pixels that a length at a point takes; infinite without a camera.
    fn pixels(&self, length: f64, at: DVec3) -> f64 {
        let Some((view, samples, _)) = self.seen else {
            return f64::INFINITY;
        };
        let depth = view.to_view(at).z.max(view.near);
        length * view.samples_per_length(depth) / samples
    }

    /// Corners of the sections of a tube that is nowhere thicker than this, pixels.
    fn sides(&self, radius: f64) -> usize {
        if !radius.is_finite() {
            return self.sides;
        }
        let half_angle = (1.0 - FLAT / radius.max(FLAT)).acos();
        let needed = (std::f64::consts::PI / half_angle).ceil() as usize;
        needed.max(FEWEST_SIDES).min(self.sides)
    }

    /// The radius to draw for this one, scene length, and how much of the colour is left.
    fn drawn(&self, radius: f64, at: DVec3) -> (f64, f64) {
        let least = self.seen.map_or(0.0, |(_, _, width)| 0.5 * width);
        let part = self.pixels(radius, at) / least;
        if part >= 1.0 {
            return (radius, 1.0);
        }
        (radius / part, part.max(FAINTEST))
    }
}

/// A point of the surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertex {
    /// Scene length.
    pub position: DVec3,
    /// Unit outward normal.
    pub normal: DVec3,
    /// Angle of the section from m1, radians, without jumps inside a triangle.
    pub angle: f64,
    pub color: Color,
    /// How much of what is behind it hides, 0 to 1.
    pub opacity: f64,
    /// Index of the tube, or the number of tubes and the index of the solid.
    pub tube: u32,
}

/// How the stripe of one tube is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshStripe {
    pub half_angle: f64,
    /// `None` chooses a contrast to the colour of the surface.
    pub color: Option<Color>,
    /// How much of it shows, 0 to 1.
    pub strength: f64,
}

/// One cross-section on the way along the tube, or a circle of latitude of a cap.
#[derive(Debug, Clone, Copy)]
struct Ring {
    center: DVec3,
    radius: f64,
    tangent: DVec3,
    axis: DVec3,
    /// Component of the outward normal along the tangent, against one in the section.
    tilt: f64,
    /// Whether the normal is the tangent (+1, -1), as on the pole of a cap; else 0.
    pole: f64,
    director_angle: f64,
    color: Color,
    opacity: f64,
}

impl Mesh {
    /// Triangles of all tubes.
    pub fn new(tubes: &[Tube], detail: Detail) -> Self {
        let parts: Vec<Self> = tubes
            .par_iter()
            .enumerate()
            .map(|(i, tube)| tube_mesh(i, tube, detail))
            .collect();
        let mut mesh = Self::default();
        for part in parts {
            let offset = mesh.vertices.len() as u32;
            mesh.vertices.extend(part.vertices);
            let moved = |t: [u32; 3]| t.map(|v| v + offset);
            mesh.triangles.extend(part.triangles.into_iter().map(moved));
            mesh.thin.extend(part.thin.into_iter().map(moved));
            mesh.stripes.extend(part.stripes);
        }
        mesh
    }

    /// Adds a solid after the tubes; of a wall what faces the viewer, which `towards_viewer` gives at
    /// a point.
    pub fn add(&mut self, solid: &Solid, towards_viewer: impl Fn(DVec3) -> DVec3) {
        let (offset, index) = (self.vertices.len() as u32, self.stripes.len() as u32);
        let points = solid.vertices.iter().zip(&solid.normals);
        self.vertices
            .extend(points.map(|(position, normal)| Vertex {
                position: *position,
                normal: *normal,
                angle: 0.0,
                color: solid.color,
                opacity: 1.0,
                tube: index,
            }));
        let faces = |t: &&[u32; 3]| {
            let corner = |v: u32| (solid.vertices[v as usize], solid.normals[v as usize]);
            let seen = |v: &u32| {
                let (place, normal) = corner(*v);
                normal.dot(towards_viewer(place))
            };
            !solid.hollow || t.iter().map(seen).sum::<f64>() > 0.0
        };
        let triangles = solid.triangles.iter().filter(faces);
        self.triangles
            .extend(triangles.map(|t| t.map(|v| v + offset)));
        self.stripes.push(None);
    }
}

fn tube_mesh(index: usize, tube: &Tube, detail: Detail) -> Mesh {
    let nodes = tube.centerline.iter();
    let pixels = nodes.map(|node| detail.pixels(tube.largest_radius(), *node));
    let radius = pixels.fold(0.0, f64::max);
    let (fades, whole) = STRIPED;
    let strength = ((2.0 * radius - fades) / (whole - fades)).clamp(0.0, 1.0);
    let striped = tube.material_directors.is_some() && strength > 0.0;
    let sides = detail.sides(radius);
    let rings = rings(tube, sides, striped, detail);
    let mut mesh = Mesh::default();
    for ring in &rings {
        // The seam is there twice, so that the angle does not jump inside a triangle.
        mesh.vertices.extend(
            (0..=sides).map(|side| ring.vertex(index as u32, TAU * side as f64 / sides as f64)),
        );
    }
    let stride = sides as u32 + 1;
    for ring in 1..rings.len() {
        let thin = rings[ring - 1].opacity.min(rings[ring].opacity) < 1.0;
        let layer = if thin {
            &mut mesh.thin
        } else {
            &mut mesh.triangles
        };
        for side in 0..sides as u32 {
            let c = ring as u32 * stride + side;
            let a = c - stride;
            layer.extend([[a, a + 1, c + 1], [a, c + 1, c]]);
        }
    }
    let stripe = MeshStripe {
        half_angle: tube.stripe.half_angle,
        color: tube.stripe.color,
        strength,
    };
    mesh.stripes.push(striped.then_some(stripe));
    mesh
}

impl Ring {
    fn vertex(&self, tube: u32, angle: f64) -> Vertex {
        let outward = self.axis * angle.cos() + self.tangent.cross(self.axis) * angle.sin();
        let normal = if self.pole == 0.0 {
            outward + self.tangent * self.tilt
        } else {
            self.tangent * self.pole
        };
        Vertex {
            position: self.center + outward * self.radius,
            normal: normal.normalize_or(outward),
            angle: angle - self.director_angle,
            color: self.color,
            opacity: self.opacity,
            tube,
        }
    }
}

/// All rings from one pole to the other, or around a closed tube.
fn rings(tube: &Tube, sides: usize, striped: bool, detail: Detail) -> Vec<Ring> {
    let nodes = tube.centerline.len();
    let stations = stations(tube, striped);
    let axes = section_axes(&stations, tube.closed);
    let angle = match &tube.material_directors {
        Some(m1) if striped => director_angle(&stations, &axes, m1, tube.closed),
        _ => Piecewise::new(0.0, vec![0.0]),
    };
    let radius = Piecewise::along(&tube.radius, nodes, tube.closed);
    let color = SurfaceColor::new(tube);
    let body: Vec<Ring> = stations
        .iter()
        .zip(&axes)
        .map(|(station, &axis)| {
            let (from, to) = tube.edge((station.param as usize).min(tube.edges() - 1));
            let (drawn, opacity) = detail.drawn(radius.at(station.param), station.position);
            Ring {
                center: station.position,
                radius: drawn,
                tangent: station.tangent,
                axis,
                tilt: -radius.slope(station.param) / (to - from).length(),
                pole: 0.0,
                director_angle: angle.at(station.param),
                color: color.at(station.param),
                opacity,
            }
        })
        .collect();
    if tube.closed {
        return body;
    }
    let steps = sides.div_ceil(4);
    let mut rings: Vec<Ring> = cap(body[0], -1.0, steps).collect();
    rings.reverse();
    rings.extend_from_slice(&body);
    rings.extend(cap(body[body.len() - 1], 1.0, steps));
    rings
}

/// Rings of a half sphere from the end of the tube to the pole; `sign` is +1 at the last station,
/// -1 at the first.
fn cap(end: Ring, sign: f64, steps: usize) -> impl Iterator<Item = Ring> {
    (0..=steps).map(move |step| {
        let latitude = FRAC_PI_2 * step as f64 / steps as f64;
        let at_pole = step == steps;
        Ring {
            center: end.center + end.tangent * (sign * end.radius * latitude.sin()),
            radius: if at_pole {
                0.0
            } else {
                end.radius * latitude.cos()
            },
            tilt: sign * latitude.tan(),
            pole: if at_pole { sign } else { 0.0 },
            ..end
        }
    })
}

/// Colour of the surface along the rod.
enum SurfaceColor<'a> {
    Uniform(Color),
    Scalar(Piecewise, &'a TubeColor),
}

impl<'a> SurfaceColor<'a> {
    fn new(tube: &'a Tube) -> Self {
        match &tube.color {
            TubeColor::Uniform(color) => Self::Uniform(*color),
            scalar @ TubeColor::Scalar { values, .. } => Self::Scalar(
                Piecewise::along(values, tube.centerline.len(), tube.closed),
                scalar,
            ),
        }
    }

    fn at(&self, param: f64) -> Color {
        match self {
            Self::Scalar(
                along,
                TubeColor::Scalar {
                    range: (low, high),
                    map,
                    ..
                },
            ) => {
                let t = (along.at(param) - low) / (high - low);
                map.color(if t.is_finite() { t } else { 0.5 })
            }
            Self::Scalar(_, TubeColor::Uniform(color)) | Self::Uniform(color) => *color,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(sides: usize) -> Detail {
        Detail { sides, seen: None }
    }

    fn volume(mesh: &Mesh) -> f64 {
        let corner = |v: u32| mesh.vertices[v as usize].position;
        mesh.triangles
            .iter()
            .map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0)
            .sum()
    }

    #[test]
    fn capped_tube_encloses_the_volume_of_cylinder_and_ball() {
        let tube = Tube::new(
            vec![DVec3::ZERO, DVec3::X, 2.0 * DVec3::X],
            0.5,
            Color::WHITE,
        );
        let exact = std::f64::consts::PI * (0.25 * 2.0 + 4.0 / 3.0 * 0.125);
        let found = volume(&Mesh::new(&[tube], all(96))).abs();
        assert!((found / exact - 1.0).abs() < 2e-3, "{found} {exact}");
    }

    #[test]
    fn normals_point_outward() {
        let tube = Tube::new(vec![DVec3::ZERO, 2.0 * DVec3::X], 0.5, Color::WHITE);
        for vertex in &Mesh::new(&[tube], all(12)).vertices {
            let nearest = DVec3::X * vertex.position.x.clamp(0.0, 2.0);
            assert!((vertex.position - nearest).normalize().dot(vertex.normal) > 0.999);
        }
    }
}
