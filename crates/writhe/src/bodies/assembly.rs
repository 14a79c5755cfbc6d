//! A body with the edges welded to it: one rigid thing.

use glam::{DMat3, DQuat, DVec3};

use crate::bodies::Body;
use crate::rod::Topology;
use crate::rod::geometry::outer;

/// A body with its welded edges.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// Mass of all of it, kg.
    pub mass: f64,
    /// Inertia about its centre of mass in the body's axes, kg m^2.
    pub inertia: DMat3,
    /// `E = sum m c c^T` over its points c from the centre of mass, in the body's axes, kg m^2.
    pub second_moment: DMat3,
    /// Centre of mass of the body itself, from that of the assembly in the body's axes, m.
    pub origin: DVec3,
    /// Nodes of the welded edges, each once.
    pub nodes: Vec<WeldedNode>,
    /// Welded edges.
    pub welds: Vec<Weld>,
}

/// A node that moves with a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeldedNode {
    /// Flat index.
    pub node: usize,
    /// Its place from the assembly's centre of mass in the body's axes, m.
    pub arm: DVec3,
}

/// An edge that moves with a body, its material frame too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weld {
    /// Flat index.
    pub edge: usize,
    /// The edge vector in the body's axes, m.
    pub vector: DVec3,
    /// Material director m1 in the body's axes.
    pub director: DVec3,
}

/// All assemblies of a model, and which unknowns follow them.
#[derive(Debug, Clone, Default)]
pub struct Assemblies {
    /// The assemblies, in the order of the model's bodies.
    pub list: Vec<Assembly>,
    /// Whether each unknown follows a body, `(dofs)`; empty without bodies.
    pub dependent: Vec<bool>,
}

/// What is welded, in numbers: positions (nodes), m1 (edges), masses and inertias (dofs).
pub(crate) struct Welded<'a> {
    pub topology: &'a Topology,
    pub positions: &'a [DVec3],
    pub directors: &'a [DVec3],
    pub mass: &'a [f64],
}

impl Assembly {
    /// `body` with the welded `edges`, flat; returns it with its centre of mass, m.
    pub(crate) fn new(body: &Body, edges: &[usize], rods: &Welded) -> (Self, DVec3) {
        let topology = rods.topology;
        let mut nodes: Vec<usize> = edges.iter().flat_map(|e| topology.edge_nodes[*e]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let node_mass = |node: usize| rods.mass[topology.node_dof[node]];
        let mass = body.mass + nodes.iter().map(|n| node_mass(*n)).sum::<f64>();
        let first_moment = nodes.iter().fold(body.position * body.mass, |sum, n| {
            sum + rods.positions[*n] * node_mass(*n)
        });
        // Where nothing has mass the body's own place stands for its centre.
        let centre = if mass > 0.0 {
            first_moment / mass
        } else {
            body.position
        };
        let to_body = body.orientation.conjugate();
        let arm = |x: DVec3| to_body * (x - centre);
        let origin = arm(body.position);
        // E = sum m c c^T from the common centre: the body's own E moved there, then the nodes.
        let mut second_moment = second_moment(body.inertia) + outer(origin, origin) * body.mass;
        let nodes: Vec<WeldedNode> = nodes
            .iter()
            .map(|&node| {
                let arm = arm(rods.positions[node]);
                second_moment += outer(arm, arm) * node_mass(node);
                WeldedNode { node, arm }
            })
            .collect();
        let welds = edges.iter().map(|&edge| {
            let [a, b] = topology.edge_nodes[edge].map(|n| rods.positions[n]);
            let vector = to_body * (b - a);
            let t = vector.normalize();
            // A section's polar inertia is the sum of those about its two diameters.
            let polar = rods.mass[topology.edge_dof[edge]];
            second_moment += (DMat3::IDENTITY - outer(t, t)) * (0.5 * polar);
            Weld {
                edge,
                vector,
                director: to_body * rods.directors[edge],
            }
        });
        let welds = welds.collect();
        let assembly = Self {
            mass,
            inertia: inertia(second_moment),
            second_moment,
            origin,
            nodes,
            welds,
        };
        (assembly, centre)
    }

    /// Inertia about the centre of mass in the axes of the scene, kg m^2.
    pub(crate) fn inertia_at(&self, orientation: DQuat) -> DMat3 {
        let r = DMat3::from_quat(orientation);
        r * self.inertia * r.transpose()
    }

    /// Unknowns of rods that follow it.
    pub(crate) fn dependents<'a>(
        &'a self,
        topology: &'a Topology,
    ) -> impl Iterator<Item = usize> + 'a {
        let nodes = self.nodes.iter().flat_map(|n| {
            let dof = topology.node_dof[n.node];
            dof..dof + 3
        });
        nodes.chain(self.welds.iter().map(|w| topology.edge_dof[w.edge]))
    }

    /// Largest distance of a welded node from the centre of mass, or the radius of gyration if that
    /// is larger, m.
    pub fn size(&self) -> f64 {
        // m (radius of gyration)^2 = tr(J)/3, in the mean over directions
        let gyration = (self.inertia.to_cols_array().iter().step_by(4).sum::<f64>()
            / (3.0 * self.mass))
            .sqrt();
        let arms = self.nodes.iter().map(|n| n.arm.length());
        arms.fold(gyration, f64::max)
    }
}

/// `tr(J)/2 - J`.
fn second_moment(inertia: DMat3) -> DMat3 {
    DMat3::IDENTITY * (0.5 * trace(inertia)) - inertia
}

/// `tr(E) - E`.
fn inertia(second_moment: DMat3) -> DMat3 {
    DMat3::IDENTITY * trace(second_moment) - second_moment
}

pub(super) fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

impl Assemblies {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether an unknown follows a body.
    pub fn follows(&self, dof: usize) -> bool {
        self.dependent.get(dof).copied().unwrap_or(false)
    }
}
