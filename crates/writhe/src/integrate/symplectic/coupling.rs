//! Rigid bodies in the projection: a Schur complement on their six unknowns each.
//!
//! A body with mass and inertia `M_b` moves by `delta = (dX, dphi)`, dphi a spin in the axes of the scene, and the nodes welded to it with it:
//! `dx = dX + dphi x r`. With T the matrix of free nodes alone and the rows `u = (s g, r x s g)` of edges at welded nodes (g = dC/de, s = 1 at the edge's
//! end, -1 at its start)
//!
//! ```text
//! T lambda = C + U delta,    M delta = -U^T lambda
//! (M + U^T T^-1 U) delta = -U^T T^-1 C
//! ```
//!
//! T is solved rod by rod. The second line couples bodies on one rod; its sparse elimination fills nothing in where rods and
//! bodies form a tree.

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};

use super::projection::{Configuration, RodConstraints};
use crate::integrate::StepError;
use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::solve::blocks::{BlockLu, BlockMatrix, BlockPattern};

/// A body at an edge of a rod, which is not itself welded.
#[derive(Debug)]
pub(super) struct Touch {
    /// Edge of the rod.
    edge: usize,
    body: usize,
    /// dC by the body's six.
    by: [f64; 6],
    /// `T^-1` times the unit vector of the edge.
    column: Vec<f64>,
}

/// Disposable storage.
#[derive(Debug, Default)]
pub(super) struct Coupling {
    /// Body of each node and its arm in the body's axes, m; empty without bodies.
    owner: Vec<Option<(usize, DVec3)>>,
    system: Option<(BlockMatrix, BlockLu)>,
    delta: Vec<f64>,
}

impl Coupling {
    /// Prepares for a model.
    pub fn begin(&mut self, model: &Model) -> Result<(), StepError> {
        self.owner.clear();
        if model.bodies.is_empty() {
            return Ok(());
        }
        self.owner.resize(model.topology.nodes(), None);
        for (body, assembly) in model.bodies.list.iter().enumerate() {
            for welded in &assembly.nodes {
                self.owner[welded.node] = Some((body, welded.arm));
            }
        }
        if self.system.is_none() {
            let pattern = Arc::new(self.pattern(model)?);
            self.system = Some((
                BlockMatrix::new(Arc::clone(&pattern)),
                BlockLu::new(pattern),
            ));
        }
        Ok(())
    }

    /// Two groups of three unknowns a body, coupled with those of all bodies on the same rod.
    fn pattern(&self, model: &Model) -> Result<BlockPattern, StepError> {
        let bodies = model.bodies.list.len() as u32;
        let groups: Vec<u32> = (0..6 * bodies).map(|i| i / 3).collect();
        let mut couplings: Vec<Vec<u32>> = (0..bodies).map(|b| vec![2 * b, 2 * b + 1]).collect();
        for rod in &model.topology.rods {
            let nodes = rod.first_node..rod.first_node + rod.nodes;
            let mut on: Vec<u32> = nodes
                .filter_map(|n| self.owner[n].map(|(b, _)| b as u32))
                .collect();
            on.dedup();
            on.sort_unstable();
            on.dedup();
            couplings.push(on.into_iter().flat_map(|b| [2 * b, 2 * b + 1]).collect());
        }
        Ok(BlockPattern::new(&groups, couplings)?)
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
                    touches.push(Touch {
                        edge,
                        body,
                        by: six(
                            model,
                            body,
                            force,
                            (to.orientation[body] * arm).cross(force),
                        ),
                        column: system.column(edge),
                    });
                }
            }
        }
        system.touches = touches;
    }

    /// Moves the bodies and completes the multipliers of all rods.
    pub fn solve(
        &mut self,
        model: &Model,
        rods: &mut [RodConstraints],
        to: &mut Configuration,
    ) -> Result<(), StepError> {
        let Some((matrix, factor)) = self.system.as_mut().filter(|_| !self.owner.is_empty()) else {
            return Ok(());
        };
        matrix.set_zero();
        self.delta.clear();
        self.delta.resize(6 * model.bodies.list.len(), 0.0);
        for body in 0..model.bodies.list.len() {
            let mass = mass(model, body, to.orientation[body]);
            matrix.add_block(&unknowns(body), mass.as_flattened())?;
        }
        for rod in rods.iter() {
            for (i, a) in rod.touches.iter().enumerate() {
                for (slot, by) in a.by.iter().enumerate() {
                    self.delta[6 * a.body + slot] -= by * rod.lambda[a.edge];
                }
                for b in &rod.touches[..=i] {
                    add_pair(matrix, (a, b), i, rod)?;
                }
            }
        }
        factor.factor(matrix)?;
        factor.solve(&mut self.delta)?;
        for rod in rods.iter_mut() {
            for touch in &rod.touches {
                let along: f64 = (touch.by.iter().zip(&self.delta[6 * touch.body..]))
                    .map(|(u, d)| u * d)
                    .sum();
                for (lambda, z) in rod.lambda.iter_mut().zip(&touch.column) {
                    *lambda += z * along;
                }
            }
        }
        self.balance(model, rods, to);
        self.move_bodies(model, to);
        Ok(())
    }

    /// The displacements of bodies anew, from what the multipliers pull with: so that momentum is kept to rounding, and not to the
    /// residual of the solve.
    fn balance(&mut self, model: &Model, rods: &[RodConstraints], to: &Configuration) {
        self.delta.fill(0.0);
        for rod in rods {
            for touch in &rod.touches {
                for (slot, by) in touch.by.iter().enumerate() {
                    self.delta[6 * touch.body + slot] -= by * rod.lambda[touch.edge];
                }
            }
        }
        for (body, delta) in self.delta.chunks_exact_mut(6).enumerate() {
            let mass = mass(model, body, to.orientation[body]);
            let row = |r: usize| DVec3::from_slice(&mass[3 + r][3..]);
            let inertia = DMat3::from_cols(row(0), row(1), row(2));
            let turn = inertia.inverse() * DVec3::from_slice(&delta[3..]);
            delta[3..].copy_from_slice(&turn.to_array());
            (0..3).for_each(|k| delta[k] /= mass[k][k]);
        }
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

/// Adds what two touches of a rod couple; `i` is the index of the first, which the second does not follow.
fn add_pair(
    matrix: &mut BlockMatrix,
    (a, b): (&Touch, &Touch),
    i: usize,
    rod: &RodConstraints,
) -> Result<(), StepError> {
    let between = rod.touches[i].column[b.edge];
    let same = std::ptr::eq(a, b);
    let outer = |u: &[f64; 6], v: &[f64; 6]| u.map(|x| v.map(|y| between * x * y));
    let (ab, ba) = (outer(&a.by, &b.by), outer(&b.by, &a.by));
    if a.body == b.body {
        let both: [[f64; 6]; 6] = std::array::from_fn(|r| {
            std::array::from_fn(|c| ab[r][c] + if same { 0.0 } else { ba[r][c] })
        });
        matrix.add_block(&unknowns(a.body), both.as_flattened())?;
    } else {
        let mut values = [[0.0; 12]; 12];
        for (row, ab) in values.iter_mut().zip(&ab) {
            row[6..].copy_from_slice(ab);
        }
        for (row, ba) in values[6..].iter_mut().zip(&ba) {
            row[..6].copy_from_slice(ba);
        }
        let both = [unknowns(a.body), unknowns(b.body)];
        matrix.add_block(both.as_flattened(), values.as_flattened())?;
    }
    Ok(())
}

fn unknowns(body: usize) -> [u32; 6] {
    std::array::from_fn(|k| (6 * body + k) as u32)
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

/// Mass and inertia in the axes of the scene; what is prescribed is coupled with nothing.
fn mass(model: &Model, body: usize, orientation: DQuat) -> [[f64; 6]; 6] {
    let assembly = &model.bodies.list[body];
    let inertia: DMat3 = assembly.inertia_at(orientation);
    let fixed = &model.constraints.fixed()[model.topology.body_dof[body]..];
    let mut out = [[0.0; 6]; 6];
    for r in 0..3 {
        out[r][r] = assembly.mass;
        for c in 0..3 {
            out[3 + r][3 + c] = inertia.col(c)[r];
        }
    }
    for k in (0..6).filter(|k| fixed[*k]) {
        for other in (0..6).filter(|other| *other != k) {
            out[k][other] = 0.0;
            out[other][k] = 0.0;
        }
    }
    out
}
