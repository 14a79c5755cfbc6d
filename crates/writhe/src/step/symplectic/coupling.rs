//! Rigid bodies in the projection.
//!
//! A body with mass and inertia `M_b` moves by `(dX, dphi)`, dphi a spin in the axes of the scene,
//! and the nodes welded to it with it: `dx = dX + dphi x r`. With T the matrix of free nodes alone
//! and the rows `u = (s g, r x s g)` of edges at welded nodes (g = dC/de, s = 1 at the edge's end,
//! -1 at its start), the multipliers of all rods are the solution of
//!
//! ```text
//! (T + U M^-1 U^T) lambda = C
//! ```
//!
//! which `schur.rs` finds directly.

use glam::{DMat3, DQuat, DVec3};

use super::projection::{Configuration, RodConstraints};
use super::schur::{AtBody, Schur};
use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::solve::SolveError;

/// A body at an edge of a rod, which is not itself welded.
#[derive(Debug)]
pub(super) struct Touch {
    /// Edge of the rod.
    pub edge: usize,
    /// The body.
    pub body: usize,
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
    /// Made in the first projection of a model that needs it.
    schur: Option<Schur>,
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
                let [a, b] = nodes.map(|node| self.owner[node].map(|(body, _)| body));
                if a.is_some() && a == b {
                    // Both of its nodes move with one body: it is as long as it is.
                    continue;
                }
                for (node, sign) in nodes.into_iter().zip([-1.0, 1.0]) {
                    let Some((body, arm)) = self.owner[node] else {
                        continue;
                    };
                    // u = (s g, r x s g)
                    let force = system.gradient(edge) * sign;
                    let torque = (to.orientation[body] * arm).cross(force);
                    let by = six(model, body, force, torque);
                    touches.push(Touch { edge, body, by });
                }
            }
        }
        system.touches = touches;
    }

    /// Finds the multipliers of all rods, whose `lambda` holds C, and moves the bodies.
    pub fn solve(
        &mut self,
        model: &Model,
        rods: &mut [RodConstraints],
        to: &mut Configuration,
    ) -> Result<(), SolveError> {
        if self.owner.is_empty() {
            rods.iter_mut().for_each(RodConstraints::solve_alone);
            return Ok(());
        }
        let mut schur = match self.schur.take() {
            Some(schur) => schur,
            None => made(model, rods)?,
        };
        // U M^-1 U^T, body by body.
        let products: Vec<_> = by_body(model, rods)
            .iter()
            .enumerate()
            .map(|(body, touches)| self.products(model, body, touches))
            .collect();
        let outcome = schur.solve(rods, products.into_iter());
        self.schur = Some(schur);
        outcome?;
        self.pull(model, rods);
        self.move_bodies(model, to);
        Ok(())
    }

    /// What touches a body, and `u M^-1 u^T` of all pairs, row by row.
    fn products(&self, model: &Model, body: usize, touches: &[(usize, &Touch)]) -> AtBody {
        let edges = touches.iter().map(|(rod, touch)| (*rod, touch.edge));
        let values = touches.iter().flat_map(|(_, a)| {
            // M^-1 u^T
            let moved = self.inverse(model, body, &a.by);
            touches.iter().map(move |(_, b)| dot(&b.by, &moved))
        });
        (edges.collect(), values.collect())
    }

    /// Displacements of the bodies that multipliers pull with: `-M^-1 U^T lambda`.
    fn pull(&mut self, model: &Model, rods: &[RodConstraints]) {
        self.delta.clear();
        self.delta.resize(6 * model.bodies.list.len(), 0.0);
        for rod in rods {
            for touch in &rod.touches {
                let sums = self.delta[6 * touch.body..].iter_mut();
                for (sum, by) in sums.zip(&touch.by) {
                    // -U^T lambda
                    *sum -= by * rod.lambda[touch.edge];
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
            // dphi in the axes of the scene, after the turn so far.
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

/// What touches each body, with its rod.
fn by_body<'a>(model: &Model, rods: &'a [RodConstraints]) -> Vec<Vec<(usize, &'a Touch)>> {
    let mut all = vec![Vec::new(); model.bodies.list.len()];
    for (rod, system) in rods.iter().enumerate() {
        for touch in &system.touches {
            all[touch.body].push((rod, touch));
        }
    }
    all
}

fn made(model: &Model, rods: &[RodConstraints]) -> Result<Schur, SolveError> {
    let all = rods.iter().enumerate();
    let touches: Vec<_> = all
        .flat_map(|(rod, system)| system.touches.iter().map(move |t| (rod, t.edge, t.body)))
        .collect();
    Schur::new(model.topology.rods.len(), &touches)
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
