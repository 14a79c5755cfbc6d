//! Contact with obstacles within one step: candidates around a configuration, contacts at a trial.

use glam::DVec3;

use super::body::Feature;
use super::contact::{ObstacleContact, Part};
use super::distance::node;
use super::friction::{EdgeEnds, parts};
use super::memory::{Memory, record};
use super::mesh::{Mesh, triangle_distance};
use super::riding::RodDofs;
use super::solid::{Solid, SurfacePoint};
use super::surface::{Frame, Instants};
use super::weight::Weight;
use crate::assembly::{Blocks, Trial, add3};
use crate::contact::candidates::Aabb;
use crate::contact::friction::SlipLaw;
use crate::contact::friction::body::{BodyFriction, UNKNOWNS};
use crate::contact::hardening::Hardening;
use crate::contact::mollified_friction::LaggedContact;
use crate::contact::region::Region;
use crate::model::Model;
use crate::schedule::Pose;
use crate::state::{ContactMemory, ObstacleAnchor, State};

mod bound;
mod hardening;
mod lagged;
mod measure;
mod power;
mod progress;
mod rider;

pub use lagged::Instant;
pub use measure::ObstacleLoad;

/// Contact of all rods with all obstacles during one step; a workspace, rebuilt from (model, state).
#[derive(Debug, Default)]
pub struct ObstacleStep {
    /// Poses, and how material moves, where obstacles have come; the latter as at the stage.
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
    /// Whether each obstacle rides on a body.
    rides: Vec<bool>,
    /// Radius of each node, m: that of the thicker of its edges.
    radii: Vec<f64>,
    /// Edges of each node.
    ends: Vec<EdgeEnds>,
    nodes: Vec<NodeCandidate>,
    /// Triangles of node candidates, by facet.
    triangles: Vec<u32>,
    edges: Vec<EdgeCandidate>,
    active: Vec<ObstacleContact>,
    /// Whether friction without a potential acts at any of them.
    rubs: bool,
    /// Whether friction lags in this step.
    lags: bool,
    /// Friction with lagged normal forces.
    lagged: Vec<LaggedContact<UNKNOWNS>>,
    memory: Memory,
    /// Contacts whose stiffness was raised while they were compressed.
    hardening: Hardening,
}

/// A node near a solid (no triangles) or near some triangles of one facet.
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

impl ObstacleStep {
    /// Prepares for a step from `state` with these instants.
    pub fn begin(&mut self, model: &Model, state: &State, at: &Instants) {
        self.nodes.clear();
        self.edges.clear();
        self.riders.clear();
        self.active.clear();
        self.rubs = false;
        self.lags = false;
        self.lagged.clear();
        let each = |f: &mut dyn FnMut(&super::Obstacle)| model.obstacles.iter().for_each(f);
        self.frames.clear();
        self.start.clear();
        self.end.clear();
        self.rides.clear();
        (self.rides).extend(model.obstacles.iter().map(|o| o.riding.is_some()));
        each(&mut |o| match &o.riding {
            Some(riding) => {
                let pose = riding.pose_at(&model.topology, &state.frames, &state.q);
                self.frames.push(Frame::still(pose));
                self.start.push(pose);
                self.end.push(pose);
            }
            None => {
                self.frames.push(Frame::at_stage(o, at));
                self.start.push(o.pose(at.start));
                self.end.push(o.pose(at.end));
            }
        });
        self.stage.clear();
        self.stage.extend(self.frames.iter().map(|f| f.pose));
        self.times = [at.start, at.stage];
        self.progress = 1.0;
        if !model.obstacles.is_empty() {
            self.radii = node_radii(model);
            self.ends = node_ends(model);
        }
    }

    /// Takes over what contacts remember, as `ContactStep::recall`.
    pub fn recall(&mut self, memory: &ContactMemory, span: [f64; 2]) {
        self.memory.recall(memory, span);
    }

    /// What contacts remember at the trial last evaluated.
    pub fn anchors(&self) -> &[ObstacleAnchor] {
        &self.memory.now
    }

    /// Finds the candidates of a region, which hold there while obstacles are where they are expected ([`ObstacleStep::expect`]).
    pub(in crate::contact) fn find(&mut self, model: &Model, region: &Region) {
        self.nodes.clear();
        self.triangles.clear();
        self.edges.clear();
        self.found.clear();
        self.found.extend(self.frames.iter().map(|f| f.pose));
        for (index, obstacle) in model.obstacles.iter().enumerate() {
            let frame = &self.frames[index];
            let margin = region.slack() + self.allowed[index];
            let apart = |edge: usize| obstacle.riding.as_ref().is_some_and(|r| r.apart[edge]);
            for n in 0..model.topology.nodes() {
                if self.ends[n].iter().flatten().any(|(edge, _)| apart(*edge)) {
                    continue;
                }
                let Some(law) = model.contact.law(self.radii[n], 0.0) else {
                    return;
                };
                let reach = self.radii[n] + law.range() + margin;
                let (middle, way) = region.middle(n);
                let near = |s: Solid| s.distance(frame.local(middle)) < reach + 0.5 * way;
                let candidate = |first: usize, last: usize| NodeCandidate {
                    node: n as u32,
                    obstacle: index as u32,
                    first: first as u32,
                    last: last as u32,
                };
                if obstacle.body.solid.is_some_and(near) {
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
                    let facet = |t: &u32| mesh.facet(*t as usize);
                    self.triangles[first..].sort_unstable_by_key(|t| (facet(t), *t));
                    let mut at = first;
                    for group in self.triangles[first..].chunk_by(|a, b| facet(a) == facet(b)) {
                        self.nodes.push(candidate(at, at + group.len()));
                        at += group.len();
                    }
                }
            }
            for (edge, nodes) in model.topology.edge_nodes.iter().enumerate() {
                if apart(edge) {
                    continue;
                }
                let radius = model.radius[edge];
                let range = model.contact.law(radius, 0.0).map_or(0.0, |l| l.range());
                let [[a, c], [b, d]] = nodes.map(|n| region.ends(n).map(|x| frame.local(x)));
                let reach = radius + range + margin;
                let query = Aabb::of_edge(a, b, reach).union(&Aabb::of_edge(c, d, reach));
                let first = self.edges.len();
                obstacle.body.near(&query, |feature, f| {
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

    /// Evaluates all contacts at a trial and adds their forces; returns the energy, J.
    pub fn evaluate(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> f64 {
        self.follow(model, at);
        self.collect(model, stiffness, |n| at.position(n));
        let rubs = |c: &ObstacleContact| {
            model
                .contact
                .friction_with(model.obstacles[c.obstacle].friction)
                .is_some()
        };
        self.rubs = !self.lags && self.active.iter().any(rubs);
        let lagged = self.lagged.iter();
        let mut energy = lagged.map(|contact| contact.evaluate(at, force)).sum();
        let mut anchors = Vec::new();
        for contact in &self.active {
            energy += contact.energy();
            for (node, g) in nodes(model, contact.part)
                .into_iter()
                .zip(contact.gradient())
            {
                add3(force, model.topology.node_dof[node], -g);
            }
            let riding = model.obstacles[contact.obstacle].riding.as_deref();
            if let Some(riding) = riding {
                let (dofs, residual) = normal(model, contact);
                let forces: Vec<f64> = residual.iter().map(|r| -r).collect();
                riding.react(at, &dofs, &forces, force);
            }
            let law = self.law(model, contact);
            for (edge, friction) in self.friction(model, at, contact) {
                for (dof, f) in edge_dofs(model, edge).into_iter().zip(friction.force()) {
                    force[dof] += f;
                }
                if let Some(riding) = riding {
                    riding.react(at, &edge_unknowns(model, edge), &friction.force(), force);
                }
                let anchor = law.and_then(|law| friction.remember(&law));
                anchors.extend(anchor.map(|a| record(contact, edge, a)));
            }
        }
        self.memory.now = anchors;
        energy
    }

    fn collect(&mut self, model: &Model, stiffness: f64, position: impl Fn(usize) -> DVec3) {
        self.active.clear();
        for c in &self.nodes {
            let (n, obstacle) = (c.node as usize, c.obstacle as usize);
            let (body, frame) = (&model.obstacles[obstacle].body, &self.frames[obstacle]);
            let x = frame.local(position(n));
            let triangles = &self.triangles[c.first as usize..c.last as usize];
            let point = match (&body.mesh, &body.solid) {
                (Some(mesh), _) if !triangles.is_empty() => nearest(mesh, triangles, x),
                (_, Some(solid)) => Some(solid.at(x)),
                _ => None,
            };
            let radius = self.radii[n];
            let law = model.contact.law(radius, stiffness);
            if let (Some(point), Some(law)) = (point, law) {
                let distance = node(point.distance, point.normal, point.curvature);
                let found = (distance.rotated(frame.rotation()), Weight::ONE);
                let part = (obstacle, Part::Node(n));
                let facet = match (&body.mesh, triangles) {
                    (Some(mesh), [first, ..]) => mesh.facet(*first as usize),
                    _ => 0,
                };
                self.active.extend(
                    ObstacleContact::new(&law, part, radius, radius, found)
                        .map(|contact| contact.of_feature(facet)),
                );
            }
        }
        for c in &self.edges {
            let (edge, obstacle) = (c.edge as usize, c.obstacle as usize);
            let frame = &self.frames[obstacle];
            let feature = model.obstacles[obstacle].body.feature(c.feature);
            let ends = model.topology.edge_nodes[edge].map(|n| frame.local(position(n)));
            let radius = model.radius[edge];
            let Some(law) = model.contact.law(radius, stiffness) else {
                continue;
            };
            let touching = feature.touching(radius);
            if let Some((d, w)) = feature.edge(touching + law.range(), radius, ends) {
                let found = (d.rotated(frame.rotation()), w.rotated(frame.rotation()));
                let part = (obstacle, Part::Edge(edge));
                self.active.extend(
                    ObstacleContact::new(&law, part, radius, touching, found)
                        .map(|contact| contact.of_feature(c.feature)),
                );
            }
        }
        for contact in &mut self.active {
            if let Some(hardened) = self.hardening.of(hardening::id(contact)) {
                contact.response = model
                    .contact
                    .hardened(hardened, contact.radius, contact.gap);
            }
        }
    }

    /// Adds minus the derivative of the contact forces at the trial last evaluated.
    pub fn add_stiffness(&self, model: &Model, at: &Trial, blocks: &mut dyn Blocks) {
        for contact in &self.lagged {
            contact.add_stiffness(at, blocks);
        }
        for contact in &self.active {
            if let Some(riding) = model.obstacles[contact.obstacle].riding.as_deref() {
                self.add_riding_stiffness(model, at, contact, riding, blocks);
                continue;
            }
            let hessian = contact.hessian_matrix();
            match contact.part {
                Part::Node(n) => {
                    let dof = model.topology.node_dof[n];
                    let block: [f64; 9] = std::array::from_fn(|i| hessian[i / 3][i % 3]);
                    blocks.symmetric(&[dof, dof + 1, dof + 2], &block);
                }
                Part::Edge(edge) => {
                    let dofs = model.topology.edge_position_dofs(edge);
                    blocks.symmetric(&dofs, hessian.as_flattened());
                }
            }
            for (edge, friction) in self.friction(model, at, contact) {
                let dofs = edge_dofs(model, edge);
                let damping = friction
                    .velocity_jacobian()
                    .map(|row| row.map(|v| -v * at.rate));
                blocks.symmetric(&dofs, damping.as_flattened());
                let slope = friction.position_jacobian().map(|row| row.map(|v| -v));
                blocks.general(&dofs, slope.as_flattened());
            }
        }
    }

    /// Friction of a contact, by edge; none where it lags.
    fn friction<'a>(
        &'a self,
        model: &Model,
        at: &'a Trial,
        contact: &'a ObstacleContact,
    ) -> impl Iterator<Item = (usize, BodyFriction)> + 'a {
        let law = self.law(model, contact);
        let frame = &self.frames[contact.obstacle];
        let anchor = |edge| self.memory.of(contact, edge);
        law.into_iter()
            .flat_map(move |law| parts(law, at, frame, contact, |n| self.ends[n], anchor))
    }

    /// The law of friction of a contact, if it acts and does not lag.
    fn law(&self, model: &Model, contact: &ObstacleContact) -> Option<SlipLaw> {
        model
            .contact
            .friction_with(model.obstacles[contact.obstacle].friction)
            .filter(|_| !self.lags)
            .map(|f| f.law(contact.radius, self.memory.span))
    }

    /// Whether friction that has no potential acts at any contact of the last trial.
    pub fn rubs(&self) -> bool {
        self.rubs
    }

    /// Contacts at the last trial.
    pub fn active(&self) -> &[ObstacleContact] {
        &self.active
    }

    /// Where obstacles have come.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }
}

fn nearest(mesh: &Mesh, triangles: &[u32], x: DVec3) -> Option<SurfacePoint> {
    triangles
        .iter()
        .map(|t| triangle_distance(x, mesh.corners(*t as usize)))
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// The unknowns of an edge: positions of its nodes, then its angle.
fn edge_dofs(model: &Model, edge: usize) -> [usize; 7] {
    let positions = model.topology.edge_position_dofs(edge);
    let angle = model.topology.edge_dof[edge];
    std::array::from_fn(|k| if k < 6 { positions[k] } else { angle })
}

/// Unknowns of an edge by kind.
fn edge_unknowns(model: &Model, edge: usize) -> RodDofs {
    let topology = &model.topology;
    RodDofs {
        nodes: topology.edge_nodes[edge]
            .map(|n| topology.node_dof[n])
            .into(),
        angle: Some((edge, topology.edge_dof[edge])),
    }
}

/// Unknowns that the normal force of a contact acts on, and its residual there, N.
fn normal(model: &Model, contact: &ObstacleContact) -> (RodDofs, Vec<f64>) {
    let gradient = contact.gradient();
    let nodes = match contact.part {
        Part::Node(n) => vec![n],
        Part::Edge(edge) => model.topology.edge_nodes[edge].into(),
    };
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

/// The nodes that a contact's weights belong to; a node alone stands for itself twice, the second time with weight 0.
pub fn nodes(model: &Model, part: Part) -> [usize; 2] {
    match part {
        Part::Node(n) => [n, n],
        Part::Edge(edge) => model.topology.edge_nodes[edge],
    }
}

/// Radius of each node, m: that of the thicker of its edges.
pub fn node_radii(model: &Model) -> Vec<f64> {
    let mut radii = vec![0.0_f64; model.topology.nodes()];
    for (nodes, h) in model.topology.edge_nodes.iter().zip(&model.radius) {
        for n in nodes {
            radii[*n] = radii[*n].max(*h);
        }
    }
    radii
}
