//! Contact with obstacles within one step: candidates around a configuration, contacts at a trial.

use glam::DVec3;

use super::body::Feature;
use super::contact::{ObstacleContact, Part};
use super::distance::node;
use super::friction::{EdgeEnds, parts, point};
use super::memory::{Memory, record};
use super::mesh::{Mesh, triangle_distance};
use super::solid::SurfacePoint;
use super::surface::{Frame, Instants, local};
use super::sweep::{EdgeMotion, enters, max_step};
use super::weight::Weight;
use crate::contact::Sticking;
use crate::contact::candidates::Aabb;
use crate::contact::friction::{BodyFriction, SlipLaw};
use crate::loads::{Blocks, Trial, add3};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::schedule::Pose;
use crate::state::{ContactMemory, ObstacleAnchor};

/// Contact of all rods with all obstacles during one step; a workspace, rebuilt from (model, state).
#[derive(Debug, Default)]
pub struct ObstacleStep {
    frames: Vec<Frame>,
    start: Vec<Pose>,
    end: Vec<Pose>,
    /// Radius of each node, m: that of the thicker of its edges.
    radii: Vec<f64>,
    /// Edges of each node.
    ends: Vec<EdgeEnds>,
    nodes: Vec<NodeCandidate>,
    /// Triangles of node candidates, by facet.
    triangles: Vec<u32>,
    edges: Vec<EdgeCandidate>,
    active: Vec<ObstacleContact>,
    /// Whether friction acts at any of them.
    rubs: bool,
    memory: Memory,
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
    /// Prepares for a step with these instants.
    pub fn begin(&mut self, model: &Model, at: &Instants) {
        self.nodes.clear();
        self.edges.clear();
        self.active.clear();
        self.rubs = false;
        let each = |f: &mut dyn FnMut(&super::Obstacle)| model.obstacles.iter().for_each(f);
        self.frames.clear();
        self.start.clear();
        self.end.clear();
        each(&mut |o| {
            self.frames.push(Frame::at_stage(o, at));
            self.start.push(o.pose(at.start));
            self.end.push(o.pose(at.end));
        });
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

    /// Finds the candidates around `q` that hold while no node moves by more than `margin`, m.
    pub fn find(&mut self, model: &Model, q: &[f64], margin: f64) {
        self.nodes.clear();
        self.triangles.clear();
        self.edges.clear();
        for (index, obstacle) in model.obstacles.iter().enumerate() {
            let frame = &self.frames[index];
            let place = |n: usize| frame.local(position(q, model.topology.node_dof[n]));
            for n in 0..model.topology.nodes() {
                let Some(law) = model.contact.law(self.radii[n], 0.0) else {
                    return;
                };
                let (x, reach) = (place(n), self.radii[n] + law.range() + margin);
                let candidate = |first: usize, last: usize| NodeCandidate {
                    node: n as u32,
                    obstacle: index as u32,
                    first: first as u32,
                    last: last as u32,
                };
                if obstacle.body.solid.is_some_and(|s| s.distance(x) < reach) {
                    self.nodes.push(candidate(0, 0));
                }
                if let Some(mesh) = &obstacle.body.mesh {
                    let first = self.triangles.len();
                    obstacle.body.near(&Aabb::of_edge(x, x, reach), |_, f| {
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
                let radius = model.radius[edge];
                let range = model.contact.law(radius, 0.0).map_or(0.0, |l| l.range());
                let [a, b] = nodes.map(place);
                let query = Aabb::of_edge(a, b, radius + range + margin);
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
    }

    /// Evaluates all contacts at a trial and adds their forces; returns the energy, J.
    pub fn evaluate(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> f64 {
        self.collect(model, stiffness, |n| at.position(n));
        let rubs = |c: &ObstacleContact| {
            model
                .contact
                .friction_with(model.obstacles[c.obstacle].friction)
                .is_some()
        };
        self.rubs = self.active.iter().any(rubs);
        let mut energy = 0.0;
        let mut anchors = Vec::new();
        for contact in &self.active {
            energy += contact.energy();
            for (node, g) in nodes(model, contact.part)
                .into_iter()
                .zip(contact.gradient())
            {
                add3(force, model.topology.node_dof[node], -g);
            }
            let law = self.law(model, contact);
            for (edge, friction) in self.friction(model, at, contact) {
                for (dof, f) in edge_dofs(model, edge).into_iter().zip(friction.force()) {
                    force[dof] += f;
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
                self.active
                    .extend(ObstacleContact::new(&law, part, radius, radius, found));
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
                self.active
                    .extend(ObstacleContact::new(&law, part, radius, touching, found));
            }
        }
    }

    /// Adds minus the derivative of the contact forces at the trial last evaluated.
    pub fn add_stiffness(&self, model: &Model, at: &Trial, blocks: &mut dyn Blocks) {
        for contact in &self.active {
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

    /// Friction of a contact, by edge.
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

    /// The law of friction of a contact, if it acts.
    fn law(&self, model: &Model, contact: &ObstacleContact) -> Option<SlipLaw> {
        model
            .contact
            .friction_with(model.obstacles[contact.obstacle].friction)
            .map(|f| f.law(contact.radius, self.memory.span))
    }

    /// How many contacts stick and how fast they creep, over the trial last evaluated.
    pub fn sticking(&self, model: &Model, at: &Trial, sticking: &mut Sticking) {
        for contact in &self.active {
            let Some(law) = self.law(model, contact) else {
                continue;
            };
            for (_, friction) in self.friction(model, at, contact) {
                let limit = law.coefficient * friction.normal_force();
                sticking.count(friction.contact_force(), limit, friction.slip_velocity());
            }
        }
    }

    /// Whether friction acts at any contact of the last trial.
    pub fn rubs(&self) -> bool {
        self.rubs
    }

    /// Force on each obstacle, N, and its torque, N m, about the place of its own origin, at the trial last evaluated.
    pub fn loads(&self, model: &Model, at: &Trial) -> Vec<ObstacleLoad> {
        let mut loads: Vec<ObstacleLoad> = self
            .frames
            .iter()
            .map(|f| ObstacleLoad {
                force: DVec3::ZERO,
                torque: DVec3::ZERO,
                at: f.pose.translation,
            })
            .collect();
        for contact in &self.active {
            let load = &mut loads[contact.obstacle];
            let nodes = nodes(model, contact.part).map(|n| at.position(n));
            for (x, g) in nodes.into_iter().zip(contact.gradient()) {
                load.add(x, g);
            }
            let point = point(contact, nodes);
            for (_, friction) in self.friction(model, at, contact) {
                load.add(point, -friction.contact_force());
            }
        }
        loads
    }

    /// Contacts at the last trial.
    pub fn active(&self) -> &[ObstacleContact] {
        &self.active
    }

    /// Poses at the stage.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Smallest gap among the candidates at `q` with the obstacles at the end of the step, or at its stage, m.
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
            let point = match (&body.mesh, &body.solid) {
                (Some(mesh), _) if !triangles.is_empty() => nearest(mesh, triangles, place(o, n)),
                (_, solid) => solid.map(|s| s.at(place(o, n))),
            };
            point.map(|p| p.distance - self.radii[n])
        });
        let edges = self.edges.iter().filter_map(|c| {
            let (edge, o) = (c.edge as usize, c.obstacle as usize);
            let feature = model.obstacles[o].body.feature(c.feature);
            let ends = model.topology.edge_nodes[edge].map(|n| place(o, n));
            let h = model.radius[edge];
            let (distance, weight) = feature.edge(f64::INFINITY, h, ends)?;
            (weight.value > 0.5).then_some(distance.distance - feature.touching(h))
        });
        nodes.chain(edges).min_by(f64::total_cmp)
    }

    /// The first edge and obstacle of which the edge's axis may enter the obstacle on its way from `start` to `end`, `(dofs)`, while
    /// the obstacle moves from the start of the step to its end.
    pub fn entering(&self, model: &Model, start: &[f64], end: &[f64]) -> Option<(usize, usize)> {
        let pairs = (0..model.obstacles.len())
            .flat_map(|o| (0..model.topology.edges()).map(move |edge| (edge, o)));
        pairs.into_iter().find(|&(edge, o)| {
            let place = |pose: &Pose, q: &[f64]| {
                model.topology.edge_nodes[edge]
                    .map(|n| local(pose, position(q, model.topology.node_dof[n])))
            };
            let motion = EdgeMotion {
                start: place(&self.start[o], start),
                end: place(&self.end[o], end),
            };
            enters(&model.obstacles[o].body, &motion, model.radius[edge])
        })
    }

    /// Largest fraction of the correction `dq` from `q` that keeps all gaps open, at the poses of the stage.
    pub fn max_step(&self, model: &Model, q: &[f64], dq: &[f64]) -> f64 {
        self.max_step_from(model, q, dq, |o| self.frames[o].pose)
    }

    /// The same for the way from the start of the step, during which obstacles move to their poses of the stage.
    pub fn max_first_step(&self, model: &Model, q: &[f64], dq: &[f64]) -> f64 {
        self.max_step_from(model, q, dq, |o| self.start[o])
    }

    /// The way `dq` from `q` with the rods that an obstacle runs into carried along by it: a way on which their gaps stay as they are.
    pub fn carried(&self, model: &Model, q: &[f64], dq: &[f64]) -> Vec<f64> {
        let (topology, fixed) = (&model.topology, model.constraints.fixed());
        let mut way = dq.to_vec();
        for rod in &topology.rods {
            let edges = rod.first_edge..rod.first_edge + rod.edges;
            let blocked = |o: &usize| {
                let step = |edge| self.max_edge_step(model, (edge, *o), (q, dq), &self.start[*o]);
                edges.clone().any(|edge| step(edge) < 1.0)
            };
            let Some(o) = (0..model.obstacles.len()).find(blocked) else {
                continue;
            };
            for n in rod.first_node..rod.first_node + rod.nodes {
                let dof = topology.node_dof[n];
                let x = position(q, dof);
                let moved = self.frames[o].pose.apply(local(&self.start[o], x)) - x;
                for k in (0..3).filter(|k| !fixed[dof + k]) {
                    way[dof + k] = moved[k];
                }
            }
        }
        way
    }

    fn max_step_from(
        &self,
        model: &Model,
        q: &[f64],
        dq: &[f64],
        pose: impl Fn(usize) -> Pose,
    ) -> f64 {
        let mut alpha = 1.0_f64;
        for o in 0..model.obstacles.len() {
            let from = pose(o);
            for edge in 0..model.topology.edges() {
                alpha = alpha.min(self.max_edge_step(model, (edge, o), (q, dq), &from));
            }
        }
        alpha
    }

    /// The bound for one edge and one obstacle that comes from the pose `from`.
    fn max_edge_step(
        &self,
        model: &Model,
        (edge, obstacle): (usize, usize),
        (q, dq): (&[f64], &[f64]),
        from: &Pose,
    ) -> f64 {
        let nodes = model.topology.edge_nodes[edge];
        let to = &self.frames[obstacle].pose;
        let dof = |n: usize| model.topology.node_dof[n];
        let motion = EdgeMotion {
            start: nodes.map(|n| local(from, position(q, dof(n)))),
            end: nodes.map(|n| local(to, position(q, dof(n)) + position(dq, dof(n)))),
        };
        let [h0, h1] = nodes.map(|n| self.radii[n]);
        let radii = [h0, h1, model.radius[edge]];
        max_step(&model.obstacles[obstacle].body, &motion, radii)
    }

    /// Largest normal force, N.
    pub fn largest_force(&self) -> f64 {
        self.active.iter().fold(0.0, |f: f64, c| f.max(c.force()))
    }

    /// Deepest penetration over the radius; negative or 0 without.
    pub fn deepest(&self) -> f64 {
        self.active
            .iter()
            .filter(|c| c.weight.value > 0.5)
            .fold(0.0, |d: f64, c| d.max(-c.gap / c.radius))
    }
}

fn nearest(mesh: &Mesh, triangles: &[u32], x: DVec3) -> Option<SurfacePoint> {
    triangles
        .iter()
        .map(|t| triangle_distance(x, mesh.corners(*t as usize)))
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// What rods do to an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleLoad {
    /// Force, N.
    pub force: DVec3,
    /// Torque, N m, about `at`.
    pub torque: DVec3,
    /// Place of the obstacle's own origin, m.
    pub at: DVec3,
}

impl ObstacleLoad {
    fn add(&mut self, x: DVec3, f: DVec3) {
        self.force += f;
        self.torque += (x - self.at).cross(f);
    }
}

/// The unknowns of an edge: positions of its nodes, then its angle.
fn edge_dofs(model: &Model, edge: usize) -> [usize; 7] {
    let positions = model.topology.edge_position_dofs(edge);
    let angle = model.topology.edge_dof[edge];
    std::array::from_fn(|k| if k < 6 { positions[k] } else { angle })
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
