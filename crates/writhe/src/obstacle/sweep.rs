//! Does a rod pass into or through an obstacle during a motion? How far may it go?
//!
//! Everything is seen from the obstacle, where the nodes of a rod move on straight lines between
//! their places at the start and the end. Against a convex solid: the signed distance of an edge is
//! bounded from below by the plane through the nearest point of the surface, at all places, so by
//! how that plane's distance falls at the two nodes, which is linear in time; from the time at
//! which that bound is used up, go on (additive advancement as in `ccd.rs`, with a bound that lets
//! a rod slide far along a wall in one step). Against a mesh: nodes against triangles, which are
//! convex too, and edges against edges by `ccd.rs`. Thin walls have their own bounds (`hollow.rs`).

use glam::DVec3;

use crate::kernels::candidates::Aabb;
use crate::kernels::ccd;
use crate::kernels::distance::closest_points;
use crate::obstacle::body::{Body, Feature};
use crate::obstacle::mesh::triangle_distance;
use crate::obstacle::solid::{Solid, SurfacePoint};

mod hollow;

/// Part of the gap that an advance leaves.
const KEEP: f64 = 0.1;
/// Part of the gap at which the largest step may end.
const NEAR_ENOUGH: f64 = 0.12;
/// Advances after which the answer is "cannot rule it out".
const MAX_ADVANCES: usize = 10_000;
/// Axes nearer to the surface than this fraction of the radius count as inside: deeper, a normal
/// could flip, or something thin lie on the other side of the axis.
const CROSSING: f64 = 0.5;

/// Nodes of an edge, in the frame of the obstacle, at the start and at the end, m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeMotion {
    /// Its ends at the start, m.
    pub start: [DVec3; 2],
    /// Its ends at the end, m.
    pub end: [DVec3; 2],
}

impl EdgeMotion {
    fn at(&self, time: f64) -> [DVec3; 2] {
        [0, 1].map(|k| self.start[k].lerp(self.end[k], time))
    }

    /// Its node k alone.
    fn node(&self, k: usize) -> Self {
        Self {
            start: [self.start[k]; 2],
            end: [self.end[k]; 2],
        }
    }

    /// The box that it sweeps, grown by `margin`, m.
    pub(crate) fn bounds(&self, margin: f64) -> Aabb {
        let [a, b] = [self.start, self.end].map(|[p, q]| Aabb::of_edge(p, q, margin));
        a.union(&b)
    }

    fn is_finite(&self) -> bool {
        self.end.iter().all(|x| x.is_finite())
    }
}

/// Half the radius, or half the distance at the start where that is less: nearer an edge may not
/// come, m.
fn stop_at(first: f64, h: f64) -> f64 {
    CROSSING * first.min(h)
}

/// Whether an edge of radius `h`, m, may penetrate the body by more than half its radius during the
/// motion.
pub(crate) fn enters(body: &Body, motion: &EdgeMotion, h: f64) -> bool {
    if !motion.is_finite() {
        return true;
    }
    if let Some(wall) = &body.hollow {
        return hollow::enters(body, wall, motion, h);
    }
    let stop = |first: f64| stop_at(first, h);
    if let Some(solid) = &body.solid {
        let distance = |edge| edge_distance(solid, edge);
        let least = stop(distance(motion.start).distance);
        if approach(distance, motion, 0.0, least).is_some() {
            return true;
        }
    }
    let mut found = false;
    body.near(&motion.bounds(h), |_, feature| {
        found = found
            || match feature {
                // A triangle is convex, too: its distance has the same bound.
                Feature::Triangle(t) if body.mesh.is_some() => (0..2).any(|k| {
                    let distance = |edge: [DVec3; 2]| to_triangle(body, *t, edge);
                    let node = motion.node(k);
                    let least = stop(distance(node.start).distance);
                    approach(distance, &node, 0.0, least).is_some()
                }),
                Feature::Segment { ends, .. } if body.mesh.is_some() => {
                    let (start, end) = (pair(motion.start, *ends), pair(motion.end, *ends));
                    let [a, b, p, q] = start;
                    let first = closest_points(a, b, p, q).distance;
                    ccd::comes_within(&start, &end, stop(first))
                }
                _ => false,
            };
    });
    found
}

/// Largest fraction of the motion that keeps the surfaces apart, by at least a tenth of the gap
/// that they have at the start; `radii` are those of the edge's two nodes and of the edge itself,
/// m. Zero without a gap at the start.
pub(crate) fn max_step(body: &Body, motion: &EdgeMotion, [h0, h1, h]: [f64; 3]) -> f64 {
    if !motion.is_finite() {
        return 0.0;
    }
    if let Some(wall) = &body.hollow {
        return hollow::max_step(body, wall, motion, [h0, h1, h]);
    }
    let mut alpha = 1.0_f64;
    if let Some(solid) = &body.solid {
        let distance = |edge| edge_distance(solid, edge);
        // Nodes with radii of their own, and all that lies between them.
        for (part, h) in [(motion.node(0), h0), (motion.node(1), h1), (*motion, h)] {
            alpha = alpha.min(step_that_keeps_gap(distance, &part, h));
        }
    }
    body.near(
        &motion.bounds(h0.max(h1).max(h)),
        |_, feature| match feature {
            Feature::Triangle(t) => {
                for (k, h) in [h0, h1].into_iter().enumerate() {
                    let distance = |edge: [DVec3; 2]| to_triangle(body, *t, edge);
                    alpha = alpha.min(step_that_keeps_gap(distance, &motion.node(k), h));
                }
            }
            Feature::Segment { ends, .. } if body.mesh.is_some() => {
                let step = ccd::max_step(&pair(motion.start, *ends), &pair(motion.end, *ends), h);
                alpha = alpha.min(step);
            }
            _ => {}
        },
    );
    alpha
}

/// Signed distance of an edge and where it is nearest.
pub(crate) fn edge_distance(solid: &Solid, edge: [DVec3; 2]) -> Nearest {
    let at = |s: f64| {
        let x = edge[0].lerp(edge[1], s);
        let SurfacePoint {
            distance, normal, ..
        } = solid.at(x);
        Nearest {
            distance,
            normal,
            at: x,
        }
    };
    at(solid.nearest_on_edge(edge))
}

fn to_triangle(body: &Body, triangle: u32, edge: [DVec3; 2]) -> Nearest {
    let corners = body
        .mesh
        .as_ref()
        .map_or([DVec3::ZERO; 3], |m| m.corners(triangle as usize));
    let at = triangle_distance(edge[0], corners);
    Nearest {
        distance: at.distance,
        normal: at.normal,
        at: edge[0],
    }
}

/// The place of an edge nearest to a convex set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Its signed distance, m.
    pub distance: f64,
    /// The gradient of the distance there.
    pub normal: DVec3,
    /// The place, m.
    pub at: DVec3,
}

fn pair([a, b]: [DVec3; 2], [p, q]: [DVec3; 2]) -> ccd::EdgePair {
    [a, b, p, q]
}

fn step_that_keeps_gap(
    distance: impl Fn([DVec3; 2]) -> Nearest,
    motion: &EdgeMotion,
    h: f64,
) -> f64 {
    let gap = distance(motion.start).distance - h;
    // Too near already, or not a number: no way at all is safe.
    if gap.is_nan() || gap <= 0.0 {
        return 0.0;
    }
    approach(distance, motion, h + KEEP * gap, h + NEAR_ENOUGH * gap).unwrap_or(1.0)
}

/// A time before which the distance does not fall to `stop`, or `None` if it stays above; advances
/// aim at `target` < `stop`.
fn approach(
    distance: impl Fn([DVec3; 2]) -> Nearest,
    motion: &EdgeMotion,
    target: f64,
    stop: f64,
) -> Option<f64> {
    let mut time = 0.0;
    for _ in 0..MAX_ADVANCES {
        let here = distance(motion.at(time));
        // Negated, to hold for NaN too: what cannot be computed cannot be ruled out.
        let apart = here.distance > stop;
        if !apart {
            return Some(time);
        }
        // Keep a tenth of what is left, lest rounding carry the next advance across.
        let keep = target + KEEP * (here.distance - target);
        let advance = (0..2)
            .map(|k| {
                // The smaller of distance + n . (x_k - at), k = 0, 1, bounds the edge's from below.
                let rate = here.normal.dot(motion.end[k] - motion.start[k]);
                let place = motion.start[k].lerp(motion.end[k], time);
                let room = here.distance + here.normal.dot(place - here.at) - keep;
                if rate < 0.0 {
                    (room / -rate).max(0.0)
                } else {
                    f64::INFINITY
                }
            })
            .fold(f64::INFINITY, f64::min);
        if time + advance > 1.0 {
            return None;
        }
        time += advance;
    }
    // Not done after so many advances: not ruled out.
    Some(time)
}

#[cfg(test)]
mod tests;
