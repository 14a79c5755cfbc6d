//! Rods that lie in each other or in an obstacle before the first step.

use glam::DVec3;

use crate::contact_model::{ContactModel, ipc};
use crate::error::{NarrowWall, ObstacleOverlap, Overlap};
use crate::kernels::candidates::Aabb;
use crate::model::Model;
use crate::model::pairs::nearest::nearest;
use crate::obstacle::Obstacle;
use crate::obstacle::body::Feature;
use crate::obstacle::groups::{Around, Groups};
use crate::obstacle::mesh::triangle_distance;
use crate::obstacle::surface::local;
use crate::obstacle::sweep::edge_distance;
use crate::rod::kinematics::position;

/// Part of the radius that a rod may penetrate an obstacle at the start: what steps allow.
const ALLOWED: f64 = 3e-3;

/// The deepest overlap of rods in the configuration `q`, if contact is on and there is one deeper
/// than the 0.3 % of the radius that steps allow; with a barrier the smallest gap, if it is not
/// clearly positive.
pub(crate) fn first_overlap(model: &Model, q: &[f64]) -> Option<Overlap> {
    if model.contact == ContactModel::None {
        return None;
    }
    let nearest = nearest(model, q)?;
    let wanted = nearest.distance - nearest.gap;
    let gap = model.contact.starting_gap(0.5 * wanted);
    // A barrier wants a gap that is more than rounding; others allow 0.3 % of the radius, which is
    // half of the distance of touching.
    let allowed = if gap > 0.0 {
        ipc::LEAST_GAP * gap
    } else {
        -1.5e-3 * wanted
    };
    if nearest.gap > allowed {
        return None;
    }
    let topology = &model.topology;
    let rods = nearest.edges.map(|e| topology.edge_rod[e]);
    Some(Overlap {
        rods,
        edges: [0, 1].map(|k| nearest.edges[k] - topology.rods[rods[k]].first_edge),
        at: nearest.at,
        distance: nearest.distance,
        wanted,
        gap,
    })
}

/// The deepest overlap of rods with obstacles where both are at time 0, if one is deeper than the
/// 0.3 % of the radius that steps allow.
pub(crate) fn first_obstacle_overlap(model: &Model, q: &[f64]) -> Option<ObstacleOverlap> {
    let topology = &model.topology;
    let radii = model.node_radii();
    let mut worst: Option<ObstacleOverlap> = None;
    if model.obstacles.is_empty() {
        return worst;
    }
    let groups = Groups::of_edges(&topology.edge_nodes, |n| {
        [position(q, topology.node_dof[n]); 2]
    });
    let reach = |h: &f64| h + model.contact.starting_gap(*h);
    let reach = radii
        .iter()
        .chain(&model.radius)
        .map(reach)
        .fold(0.0, f64::max);
    for (index, obstacle) in model.obstacles.iter().enumerate() {
        let pose = obstacle.pose(0.0);
        let around = Around {
            ball: obstacle.body.ball(),
            poses: [&pose; 2],
            reach,
            keep: 0.0,
        };
        let apart = |edge: usize| obstacle.riding.as_ref().is_some_and(|r| r.apart[edge]);
        for edge in groups.near(around).filter(|edge| !apart(*edge)) {
            let nodes = topology.edge_nodes[edge];
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

/// A tube, funnel or cavity that a rod does not fit into: on its axis a rod would touch all around,
/// and nothing says to which side it is pushed.
pub(crate) fn first_narrow_wall(model: &Model) -> Option<NarrowWall> {
    let topology = &model.topology;
    let walls = model.obstacles.iter().enumerate();
    let walls = walls.filter_map(|(o, obstacle)| Some((o, obstacle, obstacle.body.hollow?)));
    walls.into_iter().find_map(|(index, obstacle, wall)| {
        let apart = |edge: usize| obstacle.riding.as_ref().is_some_and(|r| r.apart[edge]);
        let edges = (0..topology.edges()).filter(|edge| !apart(*edge));
        let mut narrow = edges.filter_map(|edge| {
            let radius = model.radius[edge];
            let wanted = radius + model.contact.law(radius, 0.0)?.range();
            (wanted >= wall.narrowest()).then_some((edge, radius, wanted))
        });
        narrow.next().map(|(edge, radius, wanted)| NarrowWall {
            rod: topology.edge_rod[edge],
            obstacle: index,
            radius,
            wanted,
            narrowest: wall.narrowest(),
        })
    })
}

/// Where an edge comes near: place in the obstacle's frame, distance of the axis from the surface,
/// radius.
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
    if let Some(wall) = &obstacle.body.hollow {
        found.extend([0, 1].map(|k| (ends[k], wall.at(ends[k]).distance, reach[k])));
        // Between nodes that are both clear of it.
        found.extend(wall.pierced_by(ends).map(|x| (x, 0.0, h)));
        let query = Aabb::of_edge(ends[0], ends[1], h);
        obstacle.body.near(&query, |_, feature| {
            if let Some((d, _)) = feature.edge(feature.touching(h), h, ends) {
                found.push((d.point(ends), d.distance - feature.touching(0.0), h));
            }
        });
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
        // Deep inside no facet is near: the winding number tells.
        for x in ends {
            if x.cmpge(low).all() && x.cmple(high).all() && mesh.contains(x) {
                found.push((x, mesh.signed_distance(x), h));
            }
        }
    }
    found
}
