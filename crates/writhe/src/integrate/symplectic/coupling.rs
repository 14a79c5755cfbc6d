//! Rigid bodies in the projection.
//!
//! A body with mass and inertia `M_b` moves by `(dX, dphi)`, dphi a spin in the axes of the scene, and the nodes welded to it with it:
//! `dx = dX + dphi x r`. With T the matrix of free nodes alone and the rows `u = (s g, r x s g)` of edges at welded nodes (g = dC/de, s = 1 at the
//! edge's end, -1 at its start), the multipliers of all rods are the solution of
//!
//! ```text
//! (T + U M^-1 U^T) lambda = C
//! ```
//!
//! by conjugate gradients, preconditioned with T and the diagonal of the rest, which is tridiagonal rod by rod: what is left over has the rank of
//! the edges at bodies, and so many iterations are enough. T alone will not do: it is singular where a rod lies straight between two bodies.

use glam::{DMat3, DQuat, DVec3};

use super::projection::{Configuration, RodConstraints};
use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;

/// Residual over the right-hand side at which the multipliers are found; the projection repeats them anyway.
const TOLERANCE: f64 = 1e-13;

/// A body at an edge of a rod, which is not itself welded.
#[derive(Debug)]
pub(super) struct Touch {
    /// Edge of the rod.
    edge: usize,
    body: usize,
    /// dC by the body's six.
    by: [f64; 6],
}

/// Disposable storage.
#[derive(Debug, Default)]
pub(super) struct Coupling {
    /// Body of each node and its arm in the body's axes, m; empty without bodies.
    owner: Vec<Option<(usize, DVec3)>>,
    /// `M^-1` of each body's turn, in the axes of the scene.
    turning: Vec<DMat3>,
    /// Displacement of each body, six each.
    delta: Vec<f64>,
}

impl Coupling {
    /// Prepares for a model.
    pub fn begin(&mut self, model: &Model) {
        self.owner.clear();
        if model.bodies.is_empty() {
            return;
        }
        self.owner.resize(model.topology.nodes(), None);
        for (body, assembly) in model.bodies.list.iter().enumerate() {
            for welded in &assembly.nodes {
                self.owner[welded.node] = Some((body, welded.arm));
            }
        }
    }

    /// Takes the bodies as they are now.
    pub fn update(&mut self, model: &Model, to: &Configuration) {
        let bodies = 0..model.bodies.list.len();
        let turning = |body: usize| turning(model, body, to.orientation[body]);
        self.turning.clear();
        self.turning.extend(bodies.map(turning));
    }

    /// Finds where bodies touch a rod.
    pub fn touch(
        &self,
        model: &Model,
        rod: &RodLayout,
        to: &Configuration,
        system: &mut RodConstraints,
    ) {
        let mut touches = Vec::new();
        if !self.owner.is_empty() {
            for edge in 0..rod.edges {
                let flat = rod.first_edge + edge;
                if model.bodies.follows(model.topology.edge_dof[flat]) {
                    continue;
                }
                let nodes = model.topology.edge_nodes[flat];
                for (node, sign) in nodes.into_iter().zip([-1.0, 1.0]) {
                    let Some((body, arm)) = self.owner[node] else {
                        continue;
                    };
                    let force = system.gradient(edge) * sign;
                    let torque = (to.orientation[body] * arm).cross(force);
                    let by = six(model, body, force, torque);
                    system.add(edge, dot(&by, &self.inverse(model, body, &by)));
                    touches.push(Touch { edge, body, by });
                }
            }
        }
        system.touches = touches;
    }

    /// Finds the multipliers of all rods, whose `lambda` holds C, and moves the bodies.
    pub fn solve(&mut self, model: &Model, rods: &mut [RodConstraints], to: &mut Configuration) {
        let precondition = |rods: &[RodConstraints], r: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let mut z = r.to_vec();
            for (rod, z) in rods.iter().zip(&mut z) {
                rod.solve(z);
            }
            z
        };
        if self.owner.is_empty() {
            rods.iter_mut().for_each(RodConstraints::solve_alone);
            return;
        }
        let mut residual: Vec<Vec<f64>> = rods.iter().map(|rod| rod.lambda.clone()).collect();
        let mut x: Vec<Vec<f64>> = residual.iter().map(|r| vec![0.0; r.len()]).collect();
        let mut z = precondition(rods, &residual);
        let mut direction = z.clone();
        let mut rho = dot_all(&residual, &z);
        let wanted = TOLERANCE * TOLERANCE * rho;
        let touches: usize = rods.iter().map(|rod| rod.touches.len()).sum();
        for _ in 0..2 * touches + 10 {
            // Not `>`: what is no number ends it too.
            if rho.is_nan() || rho <= wanted {
                break;
            }
            self.pull(model, rods, &direction);
            let mut product: Vec<Vec<f64>> = Vec::with_capacity(rods.len());
            for (rod, direction) in rods.iter().zip(&direction) {
                let mut y = rod.times(direction);
                for touch in &rod.touches {
                    // The diagonal of what bodies add is in the matrix of the rod already.
                    let own = dot(&touch.by, &self.inverse(model, touch.body, &touch.by));
                    y[touch.edge] -= own * direction[touch.edge];
                    y[touch.edge] -= dot(&touch.by, &self.delta[6 * touch.body..]);
                }
                product.push(y);
            }
            let alpha = rho / dot_all(&direction, &product);
            axpy(&mut x, alpha, &direction);
            axpy(&mut residual, -alpha, &product);
            z = precondition(rods, &residual);
            let next = dot_all(&residual, &z);
            for (d, z) in direction.iter_mut().flatten().zip(z.iter().flatten()) {
                *d = z + next / rho * *d;
            }
            rho = next;
        }
        self.pull(model, rods, &x);
        for (rod, x) in rods.iter_mut().zip(x) {
            rod.lambda = x;
        }
        self.move_bodies(model, to);
    }

    /// Displacements of the bodies that multipliers pull with: `-M^-1 U^T lambda`.
    fn pull(&mut self, model: &Model, rods: &[RodConstraints], lambda: &[Vec<f64>]) {
        self.delta.clear();
        self.delta.resize(6 * model.bodies.list.len(), 0.0);
        for (rod, lambda) in rods.iter().zip(lambda) {
            for touch in &rod.touches {
                let sums = self.delta[6 * touch.body..].iter_mut();
                for (sum, by) in sums.zip(&touch.by) {
                    *sum -= by * lambda[touch.edge];
                }
            }
        }
        for body in 0..model.bodies.list.len() {
            let impulse: [f64; 6] = std::array::from_fn(|k| self.delta[6 * body + k]);
            let moved = self.inverse(model, body, &impulse);
            self.delta[6 * body..6 * body + 6].copy_from_slice(&moved);
        }
    }

    /// `M^-1` of a body.
    fn inverse(&self, model: &Model, body: usize, impulse: &[f64; 6]) -> [f64; 6] {
        let mass = model.bodies.list[body].mass;
        let turn = self.turning[body] * DVec3::from_slice(&impulse[3..]);
        let [a, b, c] = turn.to_array();
        [
            impulse[0] / mass,
            impulse[1] / mass,
            impulse[2] / mass,
            a,
            b,
            c,
        ]
    }

    fn move_bodies(&self, model: &Model, to: &mut Configuration) {
        for (body, dof) in model.topology.body_dof.iter().enumerate() {
            let delta = &self.delta[6 * body..6 * body + 6];
            for (sum, d) in to.moved[*dof..].iter_mut().zip(delta) {
                *sum += d;
            }
            for (x, d) in to.q[*dof..].iter_mut().zip(&delta[..3]) {
                *x += d;
            }
            let turn = DQuat::from_scaled_axis(DVec3::from_slice(&delta[3..]));
            to.orientation[body] = (turn * to.orientation[body]).normalize();
            place_nodes(model, body, to.orientation[body], to.q);
        }
    }
}

/// Puts the nodes welded to a body where it has them.
pub(super) fn place_nodes(model: &Model, body: usize, orientation: DQuat, q: &mut [f64]) {
    let x = position(q, model.topology.body_dof[body]);
    for welded in &model.bodies.list[body].nodes {
        let dof = model.topology.node_dof[welded.node];
        q[dof..dof + 3].copy_from_slice(&(x + orientation * welded.arm).to_array());
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn dot_all(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(a, b)).sum()
}

fn axpy(y: &mut [Vec<f64>], alpha: f64, x: &[Vec<f64>]) {
    for (y, x) in y.iter_mut().flatten().zip(x.iter().flatten()) {
        *y += alpha * x;
    }
}

/// A row of six, without what is prescribed.
fn six(model: &Model, body: usize, linear: DVec3, angular: DVec3) -> [f64; 6] {
    let dof = model.topology.body_dof[body];
    let fixed = model.constraints.fixed();
    let all = [
        linear.x, linear.y, linear.z, angular.x, angular.y, angular.z,
    ];
    std::array::from_fn(|k| if fixed[dof + k] { 0.0 } else { all[k] })
}

/// Inverse of the inertia in the axes of the scene; what is prescribed is coupled with nothing.
fn turning(model: &Model, body: usize, orientation: DQuat) -> DMat3 {
    let mut inertia = model.bodies.list[body].inertia_at(orientation);
    let fixed = &model.constraints.fixed()[model.topology.body_dof[body] + 3..];
    for k in (0..3).filter(|k| fixed[*k]) {
        for other in (0..3).filter(|other| *other != k) {
            inertia.col_mut(k)[other] = 0.0;
            inertia.col_mut(other)[k] = 0.0;
        }
    }
    inertia.inverse()
}
