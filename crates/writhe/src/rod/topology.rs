//! How the rods of a scene lie in flat arrays.
//!
//! Unknowns of a rod are interleaved, `[x0, th0, x1, th1, ..]`: node `i` starts at `4 i`, edge
//! angle `i` is at `4 i + 3`. An open rod of N nodes has `4 N - 1` unknowns and N - 1 edges, a
//! closed one `4 N` and N edges. Rods follow each other; after them come six unknowns for each
//! rigid body, its centre of mass and the Cayley vector of its turn since the start of the step.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::kinematics::position;

/// Where one rod lies in the flat arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RodLayout {
    /// First node.
    pub first_node: usize,
    /// Number of nodes N.
    pub nodes: usize,
    /// First edge.
    pub first_edge: usize,
    /// Number of edges: N - 1, or N for a closed rod.
    pub edges: usize,
    /// First vertex (joint of two edges).
    pub first_vertex: usize,
    /// Number of vertices: N - 2, or N for a closed rod.
    pub vertices: usize,
    /// First unknown.
    pub first_dof: usize,
    /// Number of unknowns.
    pub dofs: usize,
    /// Whether the last node is joined to the first.
    pub closed: bool,
}

/// Flat connectivity of all rods.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topology {
    /// One per rod.
    pub rods: Vec<RodLayout>,
    /// Nodes of each edge, `(edges)`.
    pub edge_nodes: Vec<[usize; 2]>,
    /// Rod of each edge, `(edges)`.
    pub edge_rod: Vec<usize>,
    /// Unknown of each edge angle, `(edges)`.
    pub edge_dof: Vec<usize>,
    /// First unknown of each node, `(nodes)`.
    pub node_dof: Vec<usize>,
    /// Rod of each node, `(nodes)`.
    pub node_rod: Vec<usize>,
    /// Edges before and after each vertex, `(vertices)`.
    pub vertex_edges: Vec<[usize; 2]>,
    /// The three nodes of each vertex, `(vertices)`.
    pub vertex_nodes: Vec<[usize; 3]>,
    /// Whether each unknown is an angle, of an edge or of a body, `(dofs)`.
    pub angle: Vec<bool>,
    /// First unknown of each rigid body: its centre of mass, then its turn, `(bodies)`.
    pub body_dof: Vec<usize>,
    /// First unknown of each joint between bodies, `(joints)`.
    pub joint_dof: Vec<usize>,
    /// Number of unknowns.
    pub dofs: usize,
}

impl Topology {
    /// Whether two edges belong to different rods.
    pub(crate) fn between_rods(&self, [a, b]: [usize; 2]) -> bool {
        self.edge_rod[a] != self.edge_rod[b]
    }

    /// Rod of an edge, and the edge within the rod.
    pub(crate) fn edge_in_rod(&self, edge: usize) -> [usize; 2] {
        let rod = self.edge_rod[edge];
        [rod, edge - self.rods[rod].first_edge]
    }

    /// Rod of a node, and the node within the rod.
    pub fn node_in_rod(&self, node: usize) -> [usize; 2] {
        let rod = self.node_rod[node];
        [rod, node - self.rods[rod].first_node]
    }

    /// Appends a rod of `nodes` nodes.
    pub fn push(&mut self, nodes: usize, closed: bool) {
        let edges = if closed { nodes } else { nodes - 1 };
        let vertices = if closed {
            nodes
        } else {
            nodes.saturating_sub(2)
        };
        let rod = RodLayout {
            first_node: self.node_dof.len(),
            nodes,
            first_edge: self.edge_nodes.len(),
            edges,
            first_vertex: self.vertex_edges.len(),
            vertices,
            first_dof: self.dofs,
            dofs: if closed { 4 * nodes } else { 4 * nodes - 1 },
            closed,
        };
        let index = self.rods.len();
        // A closed rod's last edge and last two vertices go on at its first nodes.
        let node = |i: usize| rod.first_node + i % nodes;
        for i in 0..nodes {
            self.node_dof.push(rod.first_dof + 4 * i);
            self.node_rod.push(index);
        }
        for i in 0..edges {
            self.edge_nodes.push([node(i), node(i + 1)]);
            self.edge_rod.push(index);
            self.edge_dof.push(rod.first_dof + 4 * i + 3);
        }
        for i in 0..vertices {
            self.vertex_edges
                .push([rod.first_edge + i, rod.first_edge + (i + 1) % edges]);
            self.vertex_nodes.push([node(i), node(i + 1), node(i + 2)]);
        }
        // Every fourth unknown of a rod is the angle of an edge.
        self.angle.extend((0..rod.dofs).map(|dof| dof % 4 == 3));
        self.dofs += rod.dofs;
        self.rods.push(rod);
    }

    /// Appends a rigid body; after all rods.
    pub(crate) fn push_body(&mut self) {
        self.body_dof.push(self.dofs);
        // Centre of mass, then the Cayley vector.
        self.angle.extend([false, false, false, true, true, true]);
        self.dofs += 6;
    }

    /// Appends a joint with so many unknowns; after all bodies.
    pub(crate) fn push_joint(&mut self, unknowns: usize) {
        self.joint_dof.push(self.dofs);
        self.angle.resize(self.dofs + unknowns, false);
        self.dofs += unknowns;
    }

    /// Number of nodes of all rods.
    pub fn nodes(&self) -> usize {
        self.node_dof.len()
    }

    /// Number of edges of all rods.
    pub fn edges(&self) -> usize {
        self.edge_nodes.len()
    }

    /// Number of vertices (pairs of consecutive edges) of all rods.
    pub fn vertices(&self) -> usize {
        self.vertex_edges.len()
    }

    /// Whether any rod is closed, which couples its ends in the matrix.
    pub(crate) fn any_closed(&self) -> bool {
        self.rods.iter().any(|r| r.closed)
    }

    /// What belongs to the first and to the second node of an edge of `values`, `(dofs)`, which are
    /// positions, velocities or changes of these.
    #[inline]
    pub(crate) fn at_ends(&self, values: &[f64], edge: usize) -> [DVec3; 2] {
        // Written out: a `map` over the nodes is a call.
        let [a, b] = self.edge_nodes[edge];
        [
            position(values, self.node_dof[a]),
            position(values, self.node_dof[b]),
        ]
    }

    /// The 11 unknowns of a vertex stencil: `x0 (3), th-, x1 (3), th+, x2 (3)`.
    pub(crate) fn vertex_dofs(&self, vertex: usize) -> [usize; 11] {
        let [a, b, c] = self.vertex_nodes[vertex].map(|n| self.node_dof[n]);
        let [minus, plus] = self.vertex_edges[vertex].map(|e| self.edge_dof[e]);
        [
            a,
            a + 1,
            a + 2,
            minus,
            b,
            b + 1,
            b + 2,
            plus,
            c,
            c + 1,
            c + 2,
        ]
    }

    /// The 6 position unknowns of an edge.
    pub(crate) fn edge_position_dofs(&self, edge: usize) -> [usize; 6] {
        let [a, b] = self.edge_nodes[edge].map(|n| self.node_dof[n]);
        [a, a + 1, a + 2, b, b + 1, b + 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_and_closed_rods_lie_one_after_the_other() {
        let mut t = Topology::default();
        t.push(4, false);
        t.push(3, true);
        assert_eq!(
            (t.dofs, t.nodes(), t.edges(), t.vertices()),
            (15 + 12, 7, 6, 5)
        );
        assert_eq!(t.vertex_dofs(1), [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
        // The ring's second vertex runs over the seam.
        assert_eq!(t.vertex_edges[4], [5, 3]);
        assert_eq!(t.vertex_nodes[4], [6, 4, 5]);
    }
}
