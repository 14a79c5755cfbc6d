//! Forces per length that follow the rod: pressure in a plane, and forces that turn with the material
//! frame.

use glam::{DMat3, DVec3};

use super::Load;
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::geometry::{outer, skew};
use crate::rod::kinematics::EdgeGeometry;
use crate::schedule::Schedule;

/// What a force per length follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FollowerLoad {
    /// `p n x t`: a pressure, N per length, to the left of the rod in the plane whose unit normal n
    /// points to whoever looks. It presses a ring that is walked counterclockwise together.
    Pressure {
        /// Pressure p, N/m.
        pressure: f64,
        /// Unit normal n of the plane.
        normal: DVec3,
    },
    /// `f1 m1 + f2 m2 + f3 t`.
    Frame(DVec3),
}

/// A force per length on the edges of a rod. It acts on their present length, half on each node.
#[derive(Debug, Clone)]
pub struct DistributedForce {
    /// Flat edge indices.
    pub edges: std::ops::Range<usize>,
    /// The force, N/m.
    pub force: FollowerLoad,
    /// Factor in time.
    pub amplitude: Schedule,
    /// Whether the edges are all those of a closed rod.
    pub closed: bool,
}

impl DistributedForce {
    /// Force on an edge, N, with its derivatives by the edge vector and the angle.
    fn on_edge(&self, e: &EdgeGeometry, factor: f64) -> (DVec3, DMat3, DVec3) {
        match self.force {
            FollowerLoad::Pressure { pressure, normal } => {
                let by_edge = skew(normal) * (pressure * factor);
                (by_edge * (e.tangent * e.length), by_edge, DVec3::ZERO)
            }
            FollowerLoad::Frame(f) => {
                let f = f * factor;
                let across = e.m1 * f.x + e.m2 * f.y;
                let turned = (e.m2 * f.x - e.m1 * f.y) * e.length;
                // d(|e| m) = m (t . de) - t (m . de) + |e| (t x m)(dth + a . de), and d(|e| t) = de.
                let by_edge = outer(across, e.tangent) - outer(e.tangent, across)
                    + outer(turned, e.spin)
                    + DMat3::from_diagonal(DVec3::splat(f.z));
                ((across + e.tangent * f.z) * e.length, by_edge, turned)
            }
        }
    }
}

impl Load for DistributedForce {
    fn name(&self) -> &'static str {
        match self.force {
            FollowerLoad::Pressure { .. } => "pressure",
            FollowerLoad::Frame(_) => "force per length that follows",
        }
    }

    fn changes_until(&self) -> f64 {
        self.amplitude.changes_until()
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        let factor = self.amplitude.at(at.time);
        for edge in self.edges.clone() {
            let (f, ..) = self.on_edge(&at.kinematics.edge(edge), factor);
            for node in at.topology.edge_nodes[edge] {
                add3(force, at.topology.node_dof[node], f * 0.5);
            }
        }
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        let factor = self.amplitude.at(at.time);
        for edge in self.edges.clone() {
            let (_, by_edge, by_angle) = self.on_edge(&at.kinematics.edge(edge), factor);
            let [a, b] = at.topology.edge_nodes[edge].map(|n| at.topology.node_dof[n]);
            let dofs = [a, a + 1, a + 2, b, b + 1, b + 2, at.topology.edge_dof[edge]];
            let mut values = [0.0; 49];
            for row in 0..6 {
                for column in 0..3 {
                    // Minus half of the slope by e = x1 - x0.
                    let slope = 0.5 * by_edge.col(column)[row % 3];
                    values[row * 7 + column] = slope;
                    values[row * 7 + column + 3] = -slope;
                }
                values[row * 7 + 6] = -0.5 * by_angle[row % 3];
            }
            blocks.general(&dofs, &values);
        }
    }

    /// That of a pressure on a closed rod: the pressure times the area that its shadow along n has.
    fn potential(&self, at: &Trial) -> Option<f64> {
        let FollowerLoad::Pressure { pressure, normal } = self.force else {
            return None;
        };
        if !self.closed {
            return None;
        }
        let factor = pressure * self.amplitude.at(at.time);
        let area = self.edges.clone().map(|edge| {
            let [a, b] = at.topology.edge_nodes[edge].map(|node| at.position(node));
            0.5 * a.cross(b).dot(normal)
        });
        Some(factor * area.sum::<f64>())
    }
}
