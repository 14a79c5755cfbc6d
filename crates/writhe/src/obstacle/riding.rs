//! Obstacles that are part of a rigid body: they move with it, and what rods do to them it feels.
//!
//! Forces between a rod and such an obstacle are those that a still obstacle would exert where it
//! is now. Power is lost nowhere, so the body gets their opposite: with B the map from forces on
//! the rod's unknowns to force and torque about the body's centre, `-B f`. Moving the body is, seen
//! from it, moving the rod back, which gives all derivatives by the body from those by the rod.

use glam::{DMat3, DVec3};

use crate::assembly::{Blocks, Trial, add3};
use crate::bodies::Assembly;
use crate::obstacle::Obstacle;
use crate::obstacle::surface::Frame;
use crate::rod::geometry::skew;
use crate::rod::kinematics::position;
use crate::rod::rotation::spin_of_change;
use crate::rod::{Frames, Topology};
use crate::schedule::Pose;

/// Over the radius: how far from an obstacle an edge beyond a weld is before the rod can touch the
/// body that it grows out of.
const CLEAR: f64 = 3.0;

/// How an obstacle rides on a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Riding {
    /// Index of the body.
    pub body: usize,
    /// Pose of its own frame in the body's axes about the centre of mass of all that is welded
    /// together.
    pub placement: Pose,
    /// Whether each edge never touches it, being welded to it or growing out of it, `(edges)`.
    pub apart: Vec<bool>,
}

impl Obstacle {
    /// Bound on the way of its points with its body from the unknowns `from` to those of the same
    /// step `to`, m; 0 without a body.
    pub fn way(&self, topology: &Topology, from: &[f64], to: &[f64]) -> f64 {
        let Some(riding) = &self.riding else {
            return 0.0;
        };
        let dof = topology.body_dof[riding.body];
        let extent = self.body.extent().min(f64::MAX);
        let reach = extent + riding.placement.translation.length();
        // |dX| + |w| reach: a turn by the Cayley vector w moves no arm farther than |w| times it
        position(to, dof).distance(position(from, dof)) + position(to, dof + 3).length() * reach
    }
}

impl Riding {
    /// The riding of an obstacle placed in the scene with the body at `at`.
    pub(crate) fn new(
        obstacle: &Obstacle,
        (body, assembly): (usize, &Assembly),
        at: Pose,
        (topology, frames_q): (&Topology, &[f64]),
        radius: &[f64],
    ) -> Self {
        let back = at.rotation.conjugate();
        let placement = Pose {
            rotation: back * obstacle.placement.rotation,
            translation: back * (obstacle.placement.translation - at.translation),
        };
        let local = |node: usize| {
            let x = position(frames_q, topology.node_dof[node]);
            crate::obstacle::surface::local(&obstacle.placement, x)
        };
        let mut apart = vec![false; topology.edges()];
        for weld in &assembly.welds {
            let rod = &topology.rods[topology.edge_rod[weld.edge]];
            apart[weld.edge] = true;
            // From the weld along the rod, both ways.
            for step in [1, rod.edges - 1] {
                let mut edge = weld.edge - rod.first_edge;
                for _ in 1..rod.edges {
                    edge = (edge + step) % rod.edges;
                    let wraps = edge == if step == 1 { 0 } else { rod.edges - 1 };
                    let flat = rod.first_edge + edge;
                    let nodes = topology.edge_nodes[flat];
                    let near = nodes.map(|n| obstacle.body.distance(local(n)));
                    if wraps && !rod.closed {
                        break;
                    }
                    // The first beyond the weld shares a node with it.
                    apart[flat] = true;
                    if near.iter().all(|d| *d > CLEAR * radius[flat]) {
                        break;
                    }
                }
            }
        }
        Self {
            body,
            placement,
            apart,
        }
    }

    /// Pose of the obstacle with its body's centre at `x`, m.
    pub(crate) fn pose(&self, x: DVec3, orientation: glam::DQuat) -> Pose {
        self.placement.then(&Pose {
            rotation: orientation,
            translation: x,
        })
    }

    /// Frame of the obstacle at a trial: where it is, and how its material moves.
    pub(crate) fn frame(&self, at: &Trial) -> Frame {
        let dof = at.topology.body_dof[self.body];
        let orientation = at.kinematics.orientation[self.body];
        let x = position(at.q, dof);
        let slope = skew(position(at.velocity, dof + 3));
        Frame {
            pose: self.pose(x, orientation),
            slope,
            drift: position(at.velocity, dof) - slope * x,
        }
    }

    /// Pose of the obstacle at the start of a step.
    pub(crate) fn pose_at(&self, topology: &Topology, frames: &Frames, q: &[f64]) -> Pose {
        let x = position(q, topology.body_dof[self.body]);
        self.pose(x, frames.orientation[self.body])
    }

    /// Adds to the body the opposite of forces on the unknowns `dofs` of a rod.
    pub(crate) fn react(&self, at: &Trial, dofs: &RodDofs, values: &[f64], force: &mut [f64]) {
        let body = at.topology.body_dof[self.body];
        let centre = position(at.q, body);
        let (mut sum, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for (k, dof) in dofs.nodes.iter().enumerate() {
            let f = DVec3::from_slice(&values[3 * k..]);
            sum += f;
            // B f: the sum, and moments about the centre.
            torque += (position(at.q, *dof) - centre).cross(f);
        }
        if let Some((edge, _)) = dofs.angle {
            torque += along(at, edge) * values[3 * dofs.nodes.len()];
        }
        let spin = spin_of_change(position(at.q, body + 3));
        add3(force, body, -sum);
        add3(force, body + 3, -(spin.transpose() * torque));
    }

    /// Adds the stiffness of a contact whose residual on the unknowns `dofs` of a rod is `residual`
    /// with the derivative `k` by them, `(n x n)`, for rod and body together.
    pub(crate) fn add_stiffness(
        &self,
        at: &Trial,
        dofs: &RodDofs,
        residual: &[f64],
        k: &[f64],
        blocks: &mut dyn Blocks,
    ) {
        let body = at.topology.body_dof[self.body];
        let centre = position(at.q, body);
        let n = residual.len();
        let m = n + 6;
        // B, (6 x n): force, and torque by spin.
        let mut b = vec![0.0; 6 * n];
        for (i, dof) in dofs.nodes.iter().enumerate() {
            let arm = skew(position(at.q, *dof) - centre);
            for c in 0..3 {
                b[c * n + 3 * i + c] = 1.0;
                for r in 0..3 {
                    b[(3 + r) * n + 3 * i + c] = arm.col(c)[r];
                }
            }
        }
        if let Some((edge, _)) = dofs.angle {
            let c = along(at, edge);
            (0..3).for_each(|r| b[(3 + r) * n + n - 1] = c[r]);
        }
        let force = |i: usize| DVec3::from_slice(&residual[3 * i..]);
        let mut out = vec![0.0; m * m];
        let add = |out: &mut [f64], row: usize, column: usize, v: DMat3| {
            for c in 0..3 {
                for r in 0..3 {
                    out[(row + r) * m + column + c] += v.col(c)[r];
                }
            }
        };
        for r in 0..n {
            for c in 0..n {
                out[r * m + c] = k[r * n + c];
            }
            // By the body: as if the rod moved back, and the forces turned along.
            for j in 0..6 {
                let moved: f64 = (0..n).map(|c| k[r * n + c] * b[j * n + c]).sum();
                out[r * m + n + j] = -moved;
            }
        }
        for i in 0..dofs.nodes.len() {
            add(&mut out, 3 * i, n + 3, -skew(force(i)));
        }
        // The body's rows: -B times those of the rod, and the change of B.
        for j in 0..6 {
            for c in 0..m {
                let sum: f64 = (0..n).map(|r| b[j * n + r] * out[r * m + c]).sum();
                out[(n + j) * m + c] = -sum;
            }
        }
        for i in 0..dofs.nodes.len() {
            add(&mut out, n + 3, 3 * i, skew(force(i)));
            add(&mut out, n + 3, n, -skew(force(i)));
        }
        if let Some((edge, _)) = dofs.angle {
            let e = at.kinematics.edge(edge);
            let vector = e.tangent * e.length;
            let slope = e.tangent_jacobian() + skew(e.spin) - skew(vector) * e.spin_jacobian();
            let change = slope * residual[n - 1];
            add(&mut out, n + 3, 0, change);
            add(&mut out, n + 3, 3, -change);
        }
        let spin = spin_of_change(position(at.q, body + 3));
        // From spin to the unknown w: columns times T, rows times T^T.
        turn_columns(&mut out, m, n + 3, spin);
        turn_rows(&mut out, m, n + 3, spin.transpose());
        let mut all = dofs.list();
        all.extend(body..body + 6);
        blocks.general(&all, &out);
    }
}

/// Unknowns of a rod that a contact acts on: nodes, by their first unknown, and perhaps the angle
/// of an edge.
#[derive(Clone, Debug)]
pub(crate) struct RodDofs {
    /// First unknowns of one or two nodes; of an edge's, in its order.
    pub nodes: Vec<usize>,
    /// An edge and its angle's unknown.
    pub angle: Option<(usize, usize)>,
}

impl RodDofs {
    fn list(&self) -> Vec<usize> {
        let nodes = self.nodes.iter().flat_map(|dof| *dof..dof + 3);
        nodes.chain(self.angle.map(|(_, dof)| dof)).collect()
    }
}

/// Change of an edge's angle with a rigid turn of the edge, by spin.
fn along(at: &Trial, edge: usize) -> DVec3 {
    let e = at.kinematics.edge(edge);
    e.tangent - (e.tangent * e.length).cross(e.spin)
}

fn turn_columns(out: &mut [f64], m: usize, at: usize, by: DMat3) {
    for row in out.chunks_exact_mut(m) {
        let v = by.transpose() * DVec3::from_slice(&row[at..]);
        row[at..at + 3].copy_from_slice(&v.to_array());
    }
}

fn turn_rows(out: &mut [f64], m: usize, at: usize, by: DMat3) {
    for c in 0..m {
        let column = DVec3::new(
            out[at * m + c],
            out[(at + 1) * m + c],
            out[(at + 2) * m + c],
        );
        let turned = by * column;
        (0..3).for_each(|r| out[(at + r) * m + c] = turned[r]);
    }
}
