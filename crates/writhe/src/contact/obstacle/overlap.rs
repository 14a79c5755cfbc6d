//! Rods that lie in an obstacle before the first step.

use std::fmt;

use glam::DVec3;

use super::Obstacle;
use super::body::Feature;
use super::frame::node_radii;
use super::mesh::triangle_distance;
use super::surface::local;
use super::sweep::edge_distance;
use crate::contact::candidates::Aabb;
use crate::contact::ipc;
use crate::model::Model;
use crate::rod::kinematics::position;

/// Part of the radius that a rod may penetrate at the start: what steps allow.
const ALLOWED: f64 = 3e-3;

/// A rod in an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleOverlap {
    /// Index of the rod.
    pub rod: usize,
    /// Index of the edge within the rod.
    pub edge: usize,
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Where, m.
    pub at: DVec3,
    /// Distance of the rod's axis from the obstacle's surface, m; negative inside.
    pub distance: f64,
    /// Radius of the rod there, m.
    pub wanted: f64,
    /// With a barrier, the gap to start from, m; otherwise 0.
    pub gap: f64,
}

impl fmt::Display for ObstacleOverlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rod,
            edge,
            obstacle,
            distance,
            wanted,
            gap,
            ..
        } = self;
        let DVec3 { x, y, z } = self.at;
        let (verb, remedy) = if *gap > 0.0 {
            let gap = "; the model ipc needs a gap to start from";
            ("touch or overlap", gap)
        } else {
            ("overlap", "")
        };
        write!(
            f,
            "rod {rod} (edge {edge}) and obstacle {obstacle} {verb} at the start near ({x:.4e}, {y:.4e}, {z:.4e}) m: the rod's axis is \
             {distance:.4e} m from the surface, but its radius needs {wanted:.4e} m; move them apart by {:.2e} m or make the rod thinner{remedy}",
            wanted + gap - distance
        )
    }
}

/// The deepest overlap of rods with obstacles where both are at time 0, if one is deeper than the 0.3 % of the radius that steps allow.
pub fn first_overlap(model: &Model, q: &[f64]) -> Option<ObstacleOverlap> {
    let topology = &model.topology;
    let radii = node_radii(model);
    let mut worst: Option<ObstacleOverlap> = None;
    for (index, obstacle) in model.obstacles.iter().enumerate() {
        let pose = obstacle.pose(0.0);
        let apart = |edge: usize| obstacle.riding.as_ref().is_some_and(|r| r.apart[edge]);
        for (edge, nodes) in topology.edge_nodes.iter().enumerate() {
            if apart(edge) {
                continue;
            }
            let ends = nodes.map(|n| local(&pose, position(q, topology.node_dof[n])));
            let reach = nodes.map(|n| radii[n]);
            for (x, distance, wanted) in approaches(obstacle, ends, reach, model.radius[edge]) {
                let depth = wanted - distance;
                let deeper = worst.is_none_or(|w| depth > w.wanted - w.distance);
                let gap = model.contact.starting_gap(wanted);
                let allowed = if gap > 0.0 {
                    -ipc::LEAST_GAP * gap
                } else {
                    ALLOWED * wanted
                };
                if depth > allowed && deeper {
                    let rod = topology.edge_rod[edge];
                    worst = Some(ObstacleOverlap {
                        rod,
                        edge: edge - topology.rods[rod].first_edge,
                        obstacle: index,
                        at: pose.apply(x),
                        distance,
                        wanted,
                        gap,
                    });
                }
            }
        }
    }
    worst
}

/// Where an edge comes near: place in the obstacle's frame, distance of the axis from the surface, radius.
fn approaches(
    obstacle: &Obstacle,
    ends: [DVec3; 2],
    reach: [f64; 2],
    h: f64,
) -> Vec<(DVec3, f64, f64)> {
    let mut found = Vec::new();
    if let Some(solid) = &obstacle.body.solid {
        let nearest = edge_distance(solid, ends);
        found.push((nearest.at, nearest.distance, h));
        found.extend([0, 1].map(|k| (ends[k], solid.distance(ends[k]), reach[k])));
    }
    if let Some(mesh) = &obstacle.body.mesh {
        let query = Aabb::of_edge(ends[0], ends[1], h.max(reach[0]).max(reach[1]));
        obstacle.body.near(&query, |_, feature| match feature {
            Feature::Triangle(t) => found.extend([0, 1].map(|k| {
                let distance = triangle_distance(ends[k], mesh.corners(*t as usize)).distance;
                (ends[k], distance, reach[k])
            })),
            edge => {
                if let Some((d, _)) = edge.edge(h, h, ends) {
                    found.push((d.point(ends), d.distance, h));
                }
            }
        });
        let [low, high] = mesh.bounds();
        for x in ends {
            if x.cmpge(low).all() && x.cmple(high).all() && mesh.contains(x) {
                found.push((x, mesh.signed_distance(x), h));
            }
        }
    }
    found
}
