//! Triangle meshes: a body bounded by a closed surface, or an open one that can be touched from
//! both sides.
//!
//! What a rod can touch are the triangles (by its nodes) and those edges that stand out (by its
//! edges). Triangles in one plane form a facet, which counts once: the diagonals of a flat face are
//! nothing to bump into. Every facet within reach acts, not only the nearest, so in a concave
//! corner both walls hold a node and no force jumps from one to the other (as in Li et al. 2020).

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use crate::kernels::distance::outer;
use crate::obstacle::solid::SurfacePoint;

/// Sine of the angle between two triangles below which they lie in one plane.
const FLAT: f64 = 1e-6;
/// Height of a triangle over its longest side below which it is a line.
const THIN: f64 = 1e-9;

/// A checked triangle mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Facet of each triangle.
    facets: Vec<u32>,
    /// Edges that a rod can touch.
    edges: Vec<[u32; 2]>,
    closed: bool,
}

/// A mesh that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// Nothing to touch.
    #[error(
        "the mesh has no triangle with an area (of {triangles} triangles, {thin} are thinner than a line): is it the right file?"
    )]
    Empty {
        /// Triangles given.
        triangles: usize,
        /// Number of triangles without area.
        thin: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error(
        "triangle {triangle} names vertex {vertex}, but there are {vertices} vertices: is the file complete?"
    )]
    NoSuchVertex {
        /// Triangle, from 0.
        triangle: usize,
        /// Vertex it names, from 0.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A coordinate is not a number.
    #[error("vertex {vertex} of the mesh is not finite: export the mesh again")]
    NotFinite {
        /// Vertex, from 0.
        vertex: usize,
    },
}

/// Triangles on both sides of an edge, with the vertex opposite to it and whether they run along it
/// from low to high.
type Sides = Vec<(usize, u32, bool)>;

impl Mesh {
    /// The mesh of these vertices, m, and triangles of them. Equal vertices become one, triangles
    /// without area are dropped, a closed surface is turned so that its triangles run
    /// counter-clockwise seen from outside.
    ///
    /// # Errors
    /// See [`MeshError`].
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshError::NotFinite { vertex });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(vertex) = corners.iter().find(|v| **v as usize >= vertices.len()) {
                return Err(MeshError::NoSuchVertex {
                    triangle,
                    vertex: *vertex,
                    vertices: vertices.len(),
                });
            }
        }
        let (vertices, welded) = weld(vertices);
        let mut kept: Vec<[u32; 3]> = triangles
            .iter()
            .map(|t| t.map(|v| welded[v as usize]))
            .filter(|t| !is_thin(t.map(|v| vertices[v as usize])))
            .collect();
        if kept.is_empty() {
            return Err(MeshError::Empty {
                triangles: triangles.len(),
                thin: triangles.len(),
            });
        }
        let sides = sides(&kept);
        // Every edge has two triangles, which run along it in opposite directions.
        let closed = sides
            .values()
            .all(|s| matches!(s[..], [(_, _, a), (_, _, b)] if a != b));
        if closed && volume(&vertices, &kept) < 0.0 {
            // Inside out.
            kept.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let (facets, edges) = facets_and_edges(&vertices, &kept, &sides, closed);
        Ok(Self {
            vertices,
            triangles: kept,
            facets,
            edges,
            closed,
        })
    }

    /// Vertices, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Edges that a rod can touch.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Whether the surface encloses a body.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Plane face that a triangle belongs to.
    pub fn facet(&self, triangle: usize) -> u32 {
        self.facets[triangle]
    }

    /// Corners of a triangle, m.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Ends of an edge, m.
    pub fn ends(&self, edge: usize) -> [DVec3; 2] {
        self.edges[edge].map(|v| self.vertices[v as usize])
    }

    /// Corners of the box around it, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        let first = self.vertices[0];
        let grow = |[low, high]: [DVec3; 2], v: &DVec3| [low.min(*v), high.max(*v)];
        self.vertices.iter().fold([first, first], grow)
    }

    /// Whether `x` lies inside a closed mesh: its winding number, the sum of the solid angles of
    /// the triangles over 4 pi (van Oosterom, Strackee 1983).
    pub fn contains(&self, x: DVec3) -> bool {
        let solid_angle = |triangle: usize| {
            let [a, b, c] = self.corners(triangle).map(|v| v - x);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(denominator)
        };
        let total: f64 = (0..self.triangles.len()).map(solid_angle).sum();
        self.closed && total > 2.0 * std::f64::consts::PI
    }

    /// Distance of `x`, m, from all triangles; negative inside a closed mesh.
    pub(crate) fn signed_distance(&self, x: DVec3) -> f64 {
        let nearest = (0..self.triangles.len())
            .map(|t| triangle_distance(x, self.corners(t)).distance)
            .fold(f64::INFINITY, f64::min);
        if self.contains(x) { -nearest } else { nearest }
    }
}

/// Distance of `x` from a triangle with its derivatives; not negative, so the normal is on the side
/// of `x`.
pub(crate) fn triangle_distance(x: DVec3, [a, b, c]: [DVec3; 3]) -> SurfacePoint {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let face = ab.cross(-ca);
    // On the far side of the plane through a side, normal to the face.
    let beyond = |corner: DVec3, side: DVec3| face.cross(side).dot(x - corner) < 0.0;
    let outside = [beyond(a, ab), beyond(b, bc), beyond(c, ca)];
    if outside == [false; 3] {
        let up = face.normalize();
        let height = up.dot(x - a);
        return SurfacePoint {
            distance: height.abs(),
            normal: if height < 0.0 { -up } else { up },
            curvature: DMat3::ZERO,
        };
    }
    // Outside a side the nearest point is on the boundary, not always on that side.
    [(a, ab), (b, bc), (c, ca)]
        .map(|(from, along)| side_distance(x, from, along, face))
        .into_iter()
        .reduce(|best, other| {
            if other.distance < best.distance {
                other
            } else {
                best
            }
        })
        .unwrap_or(SurfacePoint {
            distance: f64::INFINITY,
            normal: DVec3::Z,
            curvature: DMat3::ZERO,
        })
}

fn side_distance(x: DVec3, from: DVec3, along: DVec3, face: DVec3) -> SurfacePoint {
    let free = (x - from).dot(along) / along.length_squared();
    let t = free.clamp(0.0, 1.0);
    let delta = x - from - t * along;
    let distance = delta.length();
    if distance == 0.0 {
        return SurfacePoint {
            distance,
            normal: face.normalize(),
            curvature: DMat3::ZERO,
        };
    }
    let normal = delta / distance;
    let mut across = DMat3::IDENTITY - outer(normal, normal);
    // Between its ends a side is straight along itself, at them it is a point.
    if t == free {
        across -= outer(along, along) * (1.0 / along.length_squared());
    }
    SurfacePoint {
        distance,
        normal,
        curvature: across * (1.0 / distance),
    }
}

/// Vertices without repetition, and the new index of each old one.
fn weld(vertices: &[DVec3]) -> (Vec<DVec3>, Vec<u32>) {
    let mut known = BTreeMap::new();
    let mut unique = Vec::new();
    let index = |v: &DVec3| {
        // Adding zero makes -0 and 0 one.
        let key = v.to_array().map(|c| (c + 0.0).to_bits());
        *known.entry(key).or_insert_with(|| {
            unique.push(*v);
            unique.len() as u32 - 1
        })
    };
    let indices = vertices.iter().map(index).collect();
    (unique, indices)
}

fn is_thin([a, b, c]: [DVec3; 3]) -> bool {
    let longest = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    // The product is height times longest side.
    (b - a).cross(c - a).length() <= THIN * longest
}

fn sides(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], Sides> {
    let mut sides: BTreeMap<[u32; 2], Sides> = BTreeMap::new();
    for (triangle, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b, opposite) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
            sides
                .entry([a.min(b), a.max(b)])
                .or_default()
                .push((triangle, opposite, a < b));
        }
    }
    sides
}

/// Six times the enclosed volume, by the divergence theorem.
fn volume(vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let origin = vertices[0];
    let part = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| vertices[v as usize] - origin);
        a.dot(b.cross(c))
    };
    triangles.iter().map(part).sum()
}

fn facets_and_edges(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    sides: &BTreeMap<[u32; 2], Sides>,
    closed: bool,
) -> (Vec<u32>, Vec<[u32; 2]>) {
    let normal = |t: usize| {
        let [a, b, c] = triangles[t].map(|v| vertices[v as usize]);
        (b - a).cross(c - a).normalize()
    };
    let mut parent: Vec<usize> = (0..triangles.len()).collect();
    let mut edges = Vec::new();
    for (edge, sides) in sides {
        // One triangle, or more than two: it stands out.
        let [(first, _, forward), (second, opposite, backward)] = sides[..] else {
            edges.push(*edge);
            continue;
        };
        let (n, m) = (normal(first), normal(second));
        // Seen from the first triangle: how high is the second one's far corner?
        let [a, b] = edge.map(|v| vertices[v as usize]);
        let rise = n.dot(vertices[opposite as usize] - a) / (b - a).length();
        // In one plane and not folded onto each other: one facet. Triangles that run along the edge
        // the same way have normals to opposite sides.
        if n.cross(m).length() < FLAT
            && n.dot(m) * if forward == backward { -1.0 } else { 1.0 } > 0.0
        {
            let (p, q) = (root(&parent, first), root(&parent, second));
            parent[p.max(q)] = p.min(q);
        } else if !closed || rise < 0.0 {
            // Into a concave edge no straight edge of a rod reaches before its nodes or other edges
            // touch.
            edges.push(*edge);
        }
    }
    let facets = (0..triangles.len())
        .map(|t| root(&parent, t) as u32)
        .collect();
    (facets, edges)
}

fn root(parent: &[usize], of: usize) -> usize {
    let mut at = of;
    while parent[at] != at {
        at = parent[at];
    }
    at
}

#[cfg(test)]
mod tests;
