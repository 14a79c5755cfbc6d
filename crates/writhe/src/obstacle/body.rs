//! What of an obstacle touches what of a rod.
//!
//! Nodes touch the solid, by its signed distance, and the facets of a mesh. Between its nodes an
//! edge touches what is curved or stands out: the axis of something round (at its radius), edges
//! and corners. A straight edge above a plane is nearest at one of its nodes, so planes need the
//! nodes alone; and where an edge lies along a straight feature its contact fades (`weight.rs`) and
//! the nodes carry. A thin wall seen from inside is farther from all of an edge than from one of its
//! nodes, so there the nodes carry too; edges touch its outside, where that is curved, and its rims.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec3};

use crate::kernels::candidates::Aabb;
use crate::obstacle::distance::{SurfaceDistance, edge_from_origin, edge_from_segment};
use crate::obstacle::hollow::Hollow;
use crate::obstacle::mesh::Mesh;
use crate::obstacle::solid::{Solid, SurfacePoint};
use crate::obstacle::tree::Tree;
use crate::obstacle::weight::Weight;

/// Straight pieces that stand for the rim of a cylinder, around it: they stand out by 0.03 % of its
/// radius at their ends.
const RIM_PIECES: u32 = 128;
/// Lines along the wall of a tube or funnel that edges touch from outside. Between two of them the
/// wall stands out by 0.03 % of its radius.
const LINES: u32 = RIM_PIECES;
/// Over the touching distance: how far from the end of a cylinder the contact of an edge with its
/// round side fades.
const FADING: f64 = 0.25;

/// Something rigid in its own frame, with what of it can be touched.
#[derive(Clone, Debug)]
pub struct Body {
    /// Nodes touch its surface.
    pub solid: Option<Solid>,
    /// Nodes touch its facets.
    pub mesh: Option<Arc<Mesh>>,
    /// Nodes touch both sides of this wall.
    pub hollow: Option<Hollow>,
    /// What edges touch, and the triangles of the mesh.
    features: Vec<Feature>,
    tree: Tree,
    /// Largest distance of its surface from its origin, m.
    extent: f64,
    /// The same of the boxes around its features, m.
    ball: f64,
}

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// Ball around a point: the caps of a capsule.
    Point {
        /// Its centre, m.
        at: DVec3,
        /// Its radius, m.
        radius: f64,
    },
    /// Segment with a radius: a capsule, or, with none, an edge.
    Segment {
        /// Its ends, m.
        ends: [DVec3; 2],
        /// Its radius, m.
        radius: f64,
    },
    /// The round side of a cylinder about the z axis.
    Side {
        /// Its radius, m.
        radius: f64,
        /// Half of its length, m.
        half_length: f64,
    },
    /// A triangle of the mesh.
    Triangle(u32),
    /// A line along the wall of a tube or funnel, touched from outside only.
    Line {
        /// Its ends, m.
        ends: [DVec3; 2],
        /// Direction in which the wall looks outwards there.
        outward: DVec3,
        /// The wall.
        wall: Hollow,
    },
    /// A spherical shell around the origin, touched from outside only.
    Shell {
        /// Its radius, m.
        radius: f64,
    },
}

impl Body {
    /// A solid.
    pub fn solid(solid: Solid) -> Self {
        let mut features = Vec::new();
        match solid {
            Solid::HalfSpace => {}
            Solid::Sphere { radius } => features.push(Feature::Point {
                at: DVec3::ZERO,
                radius,
            }),
            Solid::Capsule {
                radius,
                half_length,
            } => {
                let ends = [-half_length * DVec3::Z, half_length * DVec3::Z];
                features.push(Feature::Segment { ends, radius });
                features.extend(ends.map(|at| Feature::Point { at, radius }));
            }
            Solid::Cylinder {
                radius,
                half_length,
            } => {
                features.push(Feature::Side {
                    radius,
                    half_length,
                });
                features.extend(rims(radius, half_length));
            }
            Solid::Box { half } => features.extend(edges_of_box(half)),
        }
        Self::new((Some(solid), None, None), features)
    }

    /// A thin wall.
    pub fn hollow(wall: Hollow) -> Self {
        let features = match wall {
            Hollow::Funnel { radii, half_length } => {
                let rims = [(radii[0], -half_length), (radii[1], half_length)];
                let rims = rims.into_iter().flat_map(|(r, z)| circle(r, z));
                lines(wall, radii, half_length).chain(rims).collect()
            }
            Hollow::Cavity { radius } => vec![Feature::Shell { radius }],
        };
        Self::new((None, None, Some(wall)), features)
    }

    /// A mesh.
    pub fn mesh(mesh: Arc<Mesh>) -> Self {
        let triangles = 0..mesh.triangles().len() as u32;
        let mut features: Vec<Feature> = triangles.map(Feature::Triangle).collect();
        // Edges come behind the triangles.
        features.extend((0..mesh.edges().len()).map(|edge| Feature::Segment {
            ends: mesh.ends(edge),
            radius: 0.0,
        }));
        Self::new((None, Some(mesh), None), features)
    }

    fn new(
        (solid, mesh, hollow): (Option<Solid>, Option<Arc<Mesh>>, Option<Hollow>),
        features: Vec<Feature>,
    ) -> Self {
        let bounds = |feature: &Feature| match *feature {
            Feature::Point { at, radius } => Aabb::of_edge(at, at, radius),
            Feature::Segment {
                ends: [p, q],
                radius,
            } => Aabb::of_edge(p, q, radius),
            Feature::Line { ends: [p, q], .. } => Aabb::of_edge(p, q, 0.0),
            Feature::Shell { radius } => Aabb::of_edge(DVec3::ZERO, DVec3::ZERO, radius),
            Feature::Side {
                radius,
                half_length,
            } => {
                let corner = DVec3::new(radius, radius, half_length);
                Aabb::of_edge(-corner, corner, 0.0)
            }
            Feature::Triangle(t) => {
                let [a, b, c] = mesh
                    .as_ref()
                    .map_or([DVec3::ZERO; 3], |m| m.corners(t as usize));
                Aabb::of_edge(a, b, 0.0).union(&Aabb::of_edge(c, c, 0.0))
            }
        };
        let boxes: Vec<Aabb> = features.iter().map(bounds).collect();
        let wall = hollow.map_or(0.0, |wall| wall.extent());
        let solid_or_wall = solid.map_or(wall, |s| s.extent());
        let vertices = mesh.iter().flat_map(|m| m.vertices());
        let extent = vertices.fold(solid_or_wall, |r, x| r.max(x.length()));
        let corner = |b: &Aabb| b.min.abs().max(b.max.abs()).length();
        let ball = boxes.iter().map(corner).fold(extent, f64::max);
        Self {
            solid,
            mesh,
            hollow,
            features,
            tree: Tree::new(boxes),
            extent,
            ball,
        }
    }

    /// Signed distance of `x`, m; from an open mesh and a thin wall never negative.
    pub fn distance(&self, x: DVec3) -> f64 {
        let solid = self.surface(x).map_or(f64::INFINITY, |s| s.distance);
        self.mesh
            .as_ref()
            .map_or(solid, |m| m.signed_distance(x).min(solid))
    }

    /// Distance of `x` from the solid or the thin wall, with derivatives; `None` for a mesh.
    pub(crate) fn surface(&self, x: DVec3) -> Option<SurfacePoint> {
        let solid = self.solid.map(|s| s.at(x));
        solid.or_else(|| self.hollow.map(|wall| wall.at(x)))
    }

    /// Largest distance of its surface from its origin, m; infinite for a half-space.
    pub fn extent(&self) -> f64 {
        self.extent
    }

    /// Radius of a ball around its origin that holds it and the boxes around its features, m; infinite for
    /// a half-space.
    pub(crate) fn ball(&self) -> f64 {
        self.ball
    }

    /// A feature.
    pub fn feature(&self, index: u32) -> &Feature {
        &self.features[index as usize]
    }

    /// Calls `visit` with every feature near the box.
    pub(crate) fn near(&self, query: &Aabb, mut visit: impl FnMut(u32, &Feature)) {
        self.tree
            .overlaps(query, |i| visit(i, &self.features[i as usize]));
    }
}

impl Feature {
    /// Distance at which a rod of radius `h`, m, touches it: from the feature's skeleton to the
    /// rod's axis, m.
    pub fn touching(&self, h: f64) -> f64 {
        match self {
            Self::Point { radius, .. }
            | Self::Segment { radius, .. }
            | Self::Side { radius, .. }
            | Self::Shell { radius } => radius + h,
            Self::Triangle(_) | Self::Line { .. } => h,
        }
    }

    /// Distance of an edge of radius `h`, m, from the skeleton and the weight of this contact, if
    /// it is nearer than `range`, m. Triangles touch nodes only.
    pub(crate) fn edge(
        &self,
        range: f64,
        h: f64,
        edge: [DVec3; 2],
    ) -> Option<(SurfaceDistance, Weight)> {
        let (distance, weight) = match *self {
            Self::Point { at, .. } => {
                let found = edge_from_origin(range, DMat3::IDENTITY, edge.map(|x| x - at))?;
                (found, Weight::ONE)
            }
            Self::Segment { ends, .. } => {
                let found = edge_from_segment(range, edge, ends)?;
                let along = (ends[1] - ends[0]).normalize_or(DVec3::Z);
                (found, Weight::crossing(edge, along))
            }
            Self::Side { half_length, .. } => {
                let plane = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
                let found = edge_from_origin(range, plane, edge)?;
                // Towards its end the rim takes over, and along the axis the nodes.
                let band = (FADING * h).min(half_length);
                let inside = Weight::within(half_length, band, edge);
                (found, inside.times(&Weight::crossing(edge, DVec3::Z)))
            }
            Self::Line {
                ends,
                outward,
                wall,
            } => {
                // Inside, the nodes carry.
                if edge.iter().all(|x| wall.inside(*x).0 > 0.0) {
                    return None;
                }
                let found = edge_from_segment(range, edge, ends)?;
                if found.normal.dot(outward) <= 0.0 {
                    return None;
                }
                let along = (ends[1] - ends[0]).normalize_or(DVec3::Z);
                (found, Weight::crossing(edge, along))
            }
            Self::Shell { radius } => {
                let found = edge_from_origin(range, DMat3::IDENTITY, edge)?;
                if found.distance <= radius {
                    return None;
                }
                (found, Weight::ONE)
            }
            Self::Triangle(_) => return None,
        };
        (weight.value > 0.0).then_some((distance, weight))
    }
}

fn rims(radius: f64, half_length: f64) -> impl Iterator<Item = Feature> {
    // Tangents of the rim: a rod cannot reach the rim itself first.
    let outer = radius / (PI / f64::from(RIM_PIECES)).cos();
    let corner = move |i: u32, z: f64| {
        let (sin, cos) = (2.0 * PI * f64::from(i) / f64::from(RIM_PIECES)).sin_cos();
        DVec3::new(outer * cos, outer * sin, z)
    };
    [-half_length, half_length].into_iter().flat_map(move |z| {
        (0..RIM_PIECES).map(move |i| Feature::Segment {
            ends: [corner(i, z), corner((i + 1) % RIM_PIECES, z)],
            radius: 0.0,
        })
    })
}

/// Chords of a rim, which an edge through it touches from inside and outside.
fn circle(radius: f64, z: f64) -> impl Iterator<Item = Feature> {
    let corner = move |i: u32| {
        let (sin, cos) = (2.0 * PI * f64::from(i) / f64::from(RIM_PIECES)).sin_cos();
        DVec3::new(radius * cos, radius * sin, z)
    };
    (0..RIM_PIECES).map(move |i| Feature::Segment {
        ends: [corner(i), corner((i + 1) % RIM_PIECES)],
        radius: 0.0,
    })
}

fn lines(wall: Hollow, radii: [f64; 2], half_length: f64) -> impl Iterator<Item = Feature> {
    (0..LINES).map(move |i| {
        let (sin, cos) = (2.0 * PI * f64::from(i) / f64::from(LINES)).sin_cos();
        let out = DVec3::new(cos, sin, 0.0);
        let ends = [
            radii[0] * out - half_length * DVec3::Z,
            radii[1] * out + half_length * DVec3::Z,
        ];
        let outward = -wall.inside(0.5 * (ends[0] + ends[1])).1;
        Feature::Line {
            ends,
            outward,
            wall,
        }
    })
}

fn edges_of_box(half: DVec3) -> impl Iterator<Item = Feature> {
    // Corners by three bits; an edge raises one of them.
    let corner = move |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * DVec3::new(side(0), side(1), side(2))
    };
    let pairs = (0..8).flat_map(|i| (0..3).map(move |bit| (i, i | 1 << bit)));
    pairs
        .filter(|(i, j)| i != j)
        .map(move |(i, j)| Feature::Segment {
            ends: [corner(i), corner(j)],
            radius: 0.0,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solids_have_their_features() {
        let count = |solid| Body::solid(solid).features.len();
        let (radius, half_length) = (0.2, 0.5);
        assert_eq!(count(Solid::HalfSpace), 0);
        assert_eq!(count(Solid::Sphere { radius }), 1);
        assert_eq!(
            count(Solid::Capsule {
                radius,
                half_length
            }),
            3
        );
        assert_eq!(
            count(Solid::Cylinder {
                radius,
                half_length
            }),
            257
        );
        let half = DVec3::new(1.0, 2.0, 3.0);
        let edges = Body::solid(Solid::Box { half }).features;
        let length = |f: &Feature| match f {
            Feature::Segment { ends: [p, q], .. } => p.distance(*q),
            _ => 0.0,
        };
        assert_eq!(edges.len(), 12);
        assert_eq!(edges.iter().map(length).sum::<f64>(), 48.0);
    }

    /// Where the closest point of an edge lies inside it, its features and the solid agree on the
    /// distance.
    #[test]
    fn features_lie_on_the_surface() {
        let h = 0.05;
        let above = [DVec3::new(-1.0, 0.3, 0.1), DVec3::new(1.0, 0.3, 0.15)];
        let solids = [
            Solid::Sphere { radius: 0.2 },
            Solid::Capsule {
                radius: 0.2,
                half_length: 0.5,
            },
            Solid::Cylinder {
                radius: 0.2,
                half_length: 0.5,
            },
        ];
        for solid in solids {
            let body = Body::solid(solid);
            let s = solid.nearest_on_edge(above);
            let exact = solid.distance(above[0].lerp(above[1], s)) - h;
            let mut least = f64::INFINITY;
            for feature in &body.features {
                if let Some((at, _)) = feature.edge(9.0, h, above) {
                    least = least.min(at.distance - feature.touching(h));
                }
            }
            assert!((least - exact).abs() < 1e-10, "{solid:?}: {least} {exact}");
        }
    }
}
