//! What contact with obstacles knows in one step before any trial: where obstacles are, what is
//! near them, what contacts remember.

use glam::DVec3;

use crate::assembly::Trial;
use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::contact::obstacle::friction::{EdgeEnds, parts};
use crate::contact::obstacle::memory::Memory;
use crate::contact::obstacle::set::id;
use crate::contact::region::Region;
use crate::contact_model::ObstacleForce;
use crate::contact_model::hardening::{Hardened, Hardening};
use crate::contact_model::law::NormalLaw;
use crate::kernels::candidates::Aabb;
use crate::kernels::friction::SlipLaw;
use crate::kernels::friction::body::BodyFriction;
use crate::model::Model;
use crate::obstacle::body::Feature;
use crate::obstacle::distance::{SurfaceDistance, node};
use crate::obstacle::groups::{Around, Groups};
use crate::obstacle::mesh::{Mesh, triangle_distance};
use crate::obstacle::riding::RodDofs;
use crate::obstacle::solid::SurfacePoint;
use crate::obstacle::surface::{Frame, Instants, local};
use crate::obstacle::weight::Weight;
use crate::rod::kinematics::position;
use crate::schedule::Pose;
use crate::state::State;

mod bound;
mod given;
mod hardening;
mod lagged;
mod progress;
mod riding;

pub(crate) use given::Surface;
use lagged::LaggedOnObstacle;

/// When in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instant {
    /// At its start.
    Start,
    /// Where forces balance.
    Stage,
    /// At its end.
    End,
}

/// Obstacles during one step, and the parts of rods near them.
#[derive(Debug)]
pub struct ObstacleFrame {
    /// Where obstacles have come on their way to the stage, and how their material moves there.
    frames: Vec<Frame>,
    start: Vec<Pose>,
    stage: Vec<Pose>,
    end: Vec<Pose>,
    /// Time at the start of the step and at its stage, s.
    times: [f64; 2],
    /// Part of the time between them up to which obstacles have moved.
    progress: f64,
    /// Poses where candidates were found.
    found: Vec<Pose>,
    /// How far points of each obstacle may be from there while the candidates hold, m.
    allowed: Vec<f64>,
    /// Nodes and bodies that may touch, sorted.
    riders: Vec<(u32, u32)>,
    /// Radius of each node, m: that of the thicker of its edges.
    radii: Vec<f64>,
    /// The largest of them, m.
    largest_radius: f64,
    /// Edges of each node.
    ends: Vec<EdgeEnds>,
    nodes: Vec<NodeCandidate>,
    /// Triangles of node candidates, by facet.
    triangles: Vec<u32>,
    edges: Vec<EdgeCandidate>,
    /// Whether friction lags in this step.
    lags: bool,
    /// Factor on the slip tolerance of friction that is solved for.
    smoothness: f64,
    /// Friction with lagged normal forces.
    pub(in crate::contact) lagged: Vec<LaggedOnObstacle>,
    memory: Memory,
    /// Contacts whose stiffness was raised while they were compressed.
    hardening: Hardening,
    /// With Spillmann and Teschner's contact: the forces of contacts.
    forces: Vec<ObstacleForce>,
}

/// A node near a solid or a wall (no triangles) or near some triangles of one facet.
#[derive(Clone, Copy, Debug)]
struct NodeCandidate {
    node: u32,
    obstacle: u32,
    /// Range of `triangles`.
    first: u32,
    last: u32,
}

/// An edge near a feature.
#[derive(Clone, Copy, Debug)]
struct EdgeCandidate {
    edge: u32,
    obstacle: u32,
    feature: u32,
}

/// A part of a rod as it is seen from an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub obstacle: usize,
    pub part: Part,
    /// Which of the obstacle's features an edge sees, or which of its facets a node does.
    pub feature: u32,
    /// Radius of the rod, m.
    pub radius: f64,
    /// Distance at which they touch, m.
    pub touching: f64,
    pub distance: SurfaceDistance,
    pub weight: Weight,
}

/// A candidate at a trial, in range or not, with its law and its springs.
pub(in crate::contact) struct Near {
    pub contact: ObstacleContact,
    pub law: NormalLaw,
    pub hardened: Option<Hardened>,
}

impl ObstacleFrame {
    /// For a step from `state` with these instants, in which friction lags or not; candidates are
    /// found by [`ObstacleFrame::find`].
    pub(in crate::contact) fn new(model: &Model, state: &State, at: &Instants, lags: bool) -> Self {
        let riding = |o: &crate::obstacle::Obstacle| {
            let riding = o.riding.as_ref()?;
            Some(riding.pose_at(&model.topology, &state.frames, &state.q))
        };
        let obstacles = || model.obstacles.iter();
        let pose =
            |o: &crate::obstacle::Obstacle, time: f64| riding(o).unwrap_or_else(|| o.pose(time));
        let frames: Vec<Frame> = obstacles()
            .map(|o| riding(o).map_or_else(|| Frame::at_stage(o, at), Frame::still))
            .collect();
        let (radii, ends) = match model.obstacles.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => (model.node_radii(), node_ends(model)),
        };
        Self {
            start: obstacles().map(|o| pose(o, at.start)).collect(),
            stage: frames.iter().map(|f| f.pose).collect(),
            end: obstacles().map(|o| pose(o, at.end)).collect(),
            frames,
            times: [at.start, at.stage],
            progress: 1.0,
            found: Vec::new(),
            allowed: Vec::new(),
            riders: Vec::new(),
            largest_radius: radii.iter().copied().fold(0.0, f64::max),
            radii,
            ends,
            nodes: Vec::new(),
            triangles: Vec::new(),
            edges: Vec::new(),
            lags,
            smoothness: 1.0,
            lagged: Vec::new(),
            memory: Memory::new(&state.contact, at.span),
            hardening: Hardening(state.contact.hardened.clone()),
            forces: state.contact.obstacle_forces.clone(),
        }
    }

    /// Finds the candidates of a region. They hold there while obstacles that ride go with their
    /// bodies from the unknowns `from` to `to`, `(dofs)`, and others that move stay within the
    /// region's slack.
    pub(in crate::contact) fn find(
        &mut self,
        model: &Model,
        region: &Region,
        from: &[f64],
        to: &[f64],
    ) {
        self.expect(model, from, to, region.slack());
        self.nodes.clear();
        self.triangles.clear();
        self.edges.clear();
        self.found.clear();
        self.found.extend(self.frames.iter().map(|f| f.pose));
        if model.obstacles.is_empty() {
            return;
        }
        let topology = &model.topology;
        let nodes = Groups::new(topology.nodes(), |n| region.ends(n).map(|x| [x]));
        let edges = Groups::of_edges(&topology.edge_nodes, |n| region.ends(n));
        let range = |h: &f64| Some(h + model.contact.law(*h, 0.0)?.range());
        let mut ranges = self.radii.iter().chain(&model.radius).map(range);
        // Without a law nothing touches.
        let Some(largest_range) = ranges.try_fold(0.0, |a, range| Some(f64::max(a, range?))) else {
            return;
        };
        for (index, obstacle) in model.obstacles.iter().enumerate() {
            let frame = &self.frames[index];
            let margin = region.slack() + self.allowed[index];
            let apart = |edge: usize| obstacle.riding.as_ref().is_some_and(|r| r.apart[edge]);
            let around = Around {
                ball: obstacle.body.ball(),
                poses: [&frame.pose; 2],
                reach: largest_range + margin,
                keep: 0.0,
            };
            for n in nodes.near(around) {
                // A node of an edge that is welded to the body, or grows out of it.
                if self.ends[n].iter().flatten().any(|(edge, _)| apart(*edge)) {
                    continue;
                }
                let range = model
                    .contact
                    .law(self.radii[n], 0.0)
                    .map_or(0.0, |l| l.range());
                let reach = self.radii[n] + range + margin;
                let (middle, way) = region.middle(n);
                // Nowhere on its way is the node farther from the middle than half of it.
                let near = |p: SurfacePoint| p.distance < reach + 0.5 * way;
                let candidate = |first: usize, last: usize| NodeCandidate {
                    node: n as u32,
                    obstacle: index as u32,
                    first: first as u32,
                    last: last as u32,
                };
                if obstacle.body.surface(frame.local(middle)).is_some_and(near) {
                    self.nodes.push(candidate(0, 0));
                }
                if let Some(mesh) = &obstacle.body.mesh {
                    let first = self.triangles.len();
                    let [a, b] = region.ends(n).map(|x| frame.local(x));
                    obstacle.body.near(&Aabb::of_edge(a, b, reach), |_, f| {
                        if let Feature::Triangle(t) = f {
                            self.triangles.push(*t);
                        }
                    });
                    // One candidate for each facet near by: in a concave corner all walls hold.
                    let facet = |t: &u32| mesh.facet(*t as usize);
                    self.triangles[first..].sort_unstable_by_key(|t| (facet(t), *t));
                    let mut at = first;
                    for group in self.triangles[first..].chunk_by(|a, b| facet(a) == facet(b)) {
                        self.nodes.push(candidate(at, at + group.len()));
                        at += group.len();
                    }
                }
            }
            for edge in edges.near(around) {
                if apart(edge) {
                    continue;
                }
                let nodes = topology.edge_nodes[edge];
                let radius = model.radius[edge];
                let range = model.contact.law(radius, 0.0).map_or(0.0, |l| l.range());
                let [[a, c], [b, d]] = nodes.map(|n| region.ends(n).map(|x| frame.local(x)));
                let reach = radius + range + margin;
                let query = Aabb::of_edge(a, b, reach).union(&Aabb::of_edge(c, d, reach));
                let first = self.edges.len();
                obstacle.body.near(&query, |feature, f| {
                    // Edges touch what stands out; flat parts are for nodes (decision 0014).
                    if !matches!(f, Feature::Triangle(_)) {
                        self.edges.push(EdgeCandidate {
                            edge: edge as u32,
                            obstacle: index as u32,
                            feature,
                        });
                    }
                });
                self.edges[first..].sort_unstable_by_key(|c| c.feature);
            }
        }
        self.find_riders(model);
    }

    /// Replaces `found` by the contacts of the candidates with nodes at `position` and obstacles at
    /// `frames`.
    pub(super) fn contacts(
        &self,
        model: &Model,
        frames: &[Frame],
        stiffness: f64,
        position: impl Fn(usize) -> DVec3,
        found: &mut Vec<ObstacleContact>,
    ) {
        found.clear();
        self.see(model, frames, (stiffness, 0.0), position, |sight, law| {
            let part = (sight.obstacle, sight.part);
            let seen = (sight.distance, sight.weight);
            let contact = ObstacleContact::new(law, part, sight.radius, sight.touching, seen);
            found.extend(contact.map(|contact| contact.of_feature(sight.feature)));
        });
        for contact in found {
            // Raised while it was compressed: the law with its springs.
            if let Some(hardened) = self.hardening.of(id(contact)) {
                contact.response = model
                    .contact
                    .hardened(hardened, contact.radius, contact.gap);
            }
        }
    }

    /// All candidates at a trial, those far apart too.
    pub(in crate::contact) fn near(&self, model: &Model, at: &Trial, stiffness: f64) -> Vec<Near> {
        let mut found = Vec::new();
        let (place, all) = (|n: usize| at.position(n), (stiffness, f64::INFINITY));
        self.see(model, &self.frames, all, place, |sight, law| {
            let gap = sight.distance.distance - sight.touching;
            let mut contact = ObstacleContact {
                obstacle: sight.obstacle,
                part: sight.part,
                feature: sight.feature,
                radius: sight.radius,
                distance: sight.distance,
                weight: sight.weight,
                gap,
                response: law.evaluate(gap),
            };
            let hardened = self.hardening.of(id(&contact)).cloned();
            if let Some(hardened) = &hardened {
                contact.response = model.contact.hardened(hardened, contact.radius, gap);
            }
            found.push(Near {
                contact,
                law: *law,
                hardened,
            });
        });
        found
    }

    /// Tells `visit` of all candidates, with nodes at `position` and obstacles at `frames`, and the
    /// law of each at a stiffness, N m; of edges those within its range and so much, m, `beyond`.
    pub(super) fn see(
        &self,
        model: &Model,
        frames: &[Frame],
        (stiffness, beyond): (f64, f64),
        position: impl Fn(usize) -> DVec3,
        mut visit: impl FnMut(Sight, &NormalLaw),
    ) {
        for c in &self.nodes {
            let (n, obstacle) = (c.node as usize, c.obstacle as usize);
            let (body, frame) = (&model.obstacles[obstacle].body, &frames[obstacle]);
            let x = frame.local(position(n));
            let triangles = &self.triangles[c.first as usize..c.last as usize];
            // A mesh by the nearest triangle of the facet, a solid or a wall by its distance.
            let point = match &body.mesh {
                Some(mesh) if !triangles.is_empty() => nearest(mesh, triangles, x),
                _ => body.surface(x),
            };
            let radius = self.radii[n];
            let law = model.contact.law(radius, stiffness);
            if let (Some(point), Some(law)) = (point, law) {
                let distance = node(point.distance, point.normal, point.curvature);
                let feature = match (&body.mesh, triangles) {
                    (Some(mesh), [first, ..]) => mesh.facet(*first as usize),
                    _ => 0,
                };
                let sight = Sight {
                    obstacle,
                    part: Part::Node(n),
                    feature,
                    radius,
                    touching: radius,
                    distance: distance.rotated(frame.rotation()),
                    weight: Weight::ONE,
                };
                visit(sight, &law);
            }
        }
        for c in &self.edges {
            let (edge, obstacle) = (c.edge as usize, c.obstacle as usize);
            let frame = &frames[obstacle];
            let feature = model.obstacles[obstacle].body.feature(c.feature);
            let ends = model.topology.edge_nodes[edge].map(|n| frame.local(position(n)));
            let radius = model.radius[edge];
            let Some(law) = model.contact.law(radius, stiffness) else {
                continue;
            };
            // How far the axis is when surfaces meet: features may be skeletons of the obstacle.
            let touching = feature.touching(radius);
            let range = touching + law.range() + beyond;
            if let Some((distance, weight)) = feature.edge(range, radius, ends) {
                let sight = Sight {
                    obstacle,
                    part: Part::Edge(edge),
                    feature: c.feature,
                    radius,
                    touching,
                    distance: distance.rotated(frame.rotation()),
                    weight: weight.rotated(frame.rotation()),
                };
                visit(sight, &law);
            }
        }
    }

    /// Smallest gap among the candidates at `q` with the obstacles at the end of the step, or at
    /// its stage, m.
    pub fn smallest_gap(&self, model: &Model, q: &[f64], at_end: bool) -> Option<f64> {
        let pose = |o: usize| {
            if at_end {
                self.end[o]
            } else {
                self.frames[o].pose
            }
        };
        let place = |o: usize, n: usize| local(&pose(o), position(q, model.topology.node_dof[n]));
        let nodes = self.nodes.iter().filter_map(|c| {
            let (n, o) = (c.node as usize, c.obstacle as usize);
            let body = &model.obstacles[o].body;
            let triangles = &self.triangles[c.first as usize..c.last as usize];
            let point = match &body.mesh {
                Some(mesh) if !triangles.is_empty() => nearest(mesh, triangles, place(o, n)),
                _ => body.surface(place(o, n)),
            };
            point.map(|p| p.distance - self.radii[n])
        });
        let edges = self.edges.iter().filter_map(|c| {
            let (edge, o) = (c.edge as usize, c.obstacle as usize);
            let feature = model.obstacles[o].body.feature(c.feature);
            let ends = model.topology.edge_nodes[edge].map(|n| place(o, n));
            let h = model.radius[edge];
            // At any distance, but only where more than half of the contact is the edge's own.
            let (distance, weight) = feature.edge(f64::INFINITY, h, ends)?;
            (weight.value > 0.5).then_some(distance.distance - feature.touching(h))
        });
        nodes.chain(edges).min_by(f64::total_cmp)
    }

    /// Friction of a contact whose obstacle is at `frame`, by edge; none where it lags.
    pub(in crate::contact) fn friction<'a>(
        &'a self,
        model: &Model,
        at: &'a Trial,
        frame: &'a Frame,
        contact: &'a ObstacleContact,
    ) -> impl Iterator<Item = (usize, BodyFriction)> + 'a {
        let law = self.law(model, contact);
        let anchor = |edge| self.memory.of(contact, edge);
        law.into_iter()
            .flat_map(move |law| parts(law, at, frame, contact, |n| self.ends[n], anchor))
    }

    /// The law of friction of a contact, if it acts and does not lag.
    pub(in crate::contact) fn law(
        &self,
        model: &Model,
        contact: &ObstacleContact,
    ) -> Option<SlipLaw> {
        let rod = match contact.part {
            Part::Node(node) => model.topology.node_rod[node],
            Part::Edge(edge) => model.topology.edge_rod[edge],
        };
        model
            .friction_on(&model.obstacles[contact.obstacle], rod)
            // What lags is kept in `lagged`, and has a potential.
            .filter(|_| !self.lags)
            .map(|(f, directions)| SlipLaw {
                directions: [directions, None],
                ..(f.smoothed(self.smoothness)).law(contact.radius, self.memory.span)
            })
    }

    /// As `ContactFrame::smooth_friction`.
    pub(in crate::contact) fn smooth_friction(&mut self, factor: f64) {
        self.smoothness = factor;
    }

    /// Where obstacles have come.
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Where obstacles are at an instant; at the stage, where they have come on their way there.
    pub(super) fn frames_at(&self, instant: Instant) -> Vec<Frame> {
        let mut frames = self.frames.clone();
        let poses = match instant {
            Instant::Start => Some(&self.start),
            Instant::Stage => None,
            Instant::End => Some(&self.end),
        };
        for (frame, pose) in frames.iter_mut().zip(poses.into_iter().flatten()) {
            frame.pose = *pose;
        }
        frames
    }

    /// Whether an obstacle moves as prescribed during the step.
    pub(super) fn is_moved(&self, model: &Model, obstacle: usize) -> bool {
        self.start[obstacle] != self.end[obstacle] && model.obstacles[obstacle].riding.is_none()
    }

    /// Where an obstacle is at the stage.
    pub(super) fn stage_pose(&self, obstacle: usize) -> &Pose {
        &self.stage[obstacle]
    }
}

pub(super) fn nearest(mesh: &Mesh, triangles: &[u32], x: DVec3) -> Option<SurfacePoint> {
    triangles
        .iter()
        .map(|t| triangle_distance(x, mesh.corners(*t as usize)))
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// The unknowns of an edge: positions of its nodes, then its angle.
pub(in crate::contact) fn edge_dofs(model: &Model, edge: usize) -> [usize; 7] {
    let positions = model.topology.edge_position_dofs(edge);
    let angle = model.topology.edge_dof[edge];
    std::array::from_fn(|k| if k < 6 { positions[k] } else { angle })
}

/// Unknowns of an edge by kind.
pub(super) fn edge_unknowns(model: &Model, edge: usize) -> RodDofs {
    let topology = &model.topology;
    RodDofs {
        nodes: topology.edge_nodes[edge]
            .map(|n| topology.node_dof[n])
            .into(),
        angle: Some((edge, topology.edge_dof[edge])),
    }
}

/// Unknowns that the normal force of a contact acts on, and its residual there, N.
pub(super) fn normal(model: &Model, contact: &ObstacleContact) -> (RodDofs, Vec<f64>) {
    let gradient = contact.gradient();
    let nodes = match contact.part {
        Part::Node(n) => vec![n],
        Part::Edge(edge) => model.topology.edge_nodes[edge].into(),
    };
    // A node alone has one gradient; the second belongs to weight 0.
    let residual = gradient[..nodes.len()].iter().flat_map(|g| g.to_array());
    let residual = residual.collect();
    let nodes = nodes.iter().map(|n| model.topology.node_dof[*n]).collect();
    (RodDofs { nodes, angle: None }, residual)
}

fn node_ends(model: &Model) -> Vec<EdgeEnds> {
    let mut ends = vec![[None; 2]; model.topology.nodes()];
    for (edge, nodes) in model.topology.edge_nodes.iter().enumerate() {
        for (end, n) in nodes.iter().enumerate() {
            // An edge begins at its node: the other edge of that node ends there.
            ends[*n][1 - end] = Some((edge, end));
        }
    }
    ends
}

/// The nodes that a contact's weights belong to; a node alone stands for itself twice, the second
/// time with weight 0.
pub fn nodes(model: &Model, part: Part) -> [usize; 2] {
    match part {
        Part::Node(n) => [n, n],
        Part::Edge(edge) => model.topology.edge_nodes[edge],
    }
}
