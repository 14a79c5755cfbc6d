//! Fast manifold projection (Goldenthal et al. 2007; B08 section 8): moves nodes and bodies until
//! no edge is stretched.
//!
//! With `C_j = e_j . e_j / l_j^2 - 1` and the inverse of the generalised mass W (0 where a
//! coordinate is prescribed), each iteration solves
//!
//! ```text
//! (J W J^T) lambda = C,    x <- x - W J^T lambda,    J = dC/dx at the latest x
//! ```
//!
//! until `|C| < 1e-8`: the shortest way to where lengths are right, in the metric of the masses.
//! Edges that follow each other share a node, so the matrix of a rod is tridiagonal, of a ring with
//! a corner. What is welded to a body follows it; `coupling.rs` has the bodies, `joints.rs` what
//! joins them.

use glam::{DMat3, DQuat, DVec3};

use super::coupling::{Coupling, Touch};
use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::solve::tridiagonal::{Tridiagonal, TridiagonalFactor};
use crate::solve::{Poll, SolveError};
use crate::step::StepError;
use crate::step::impulses::gaps::MassCompliance;

/// Largest `|C|` of an edge after a projection.
pub const TOLERANCE: f64 = 1e-8;
/// Iterations before lengths are given up: 3 to 5 are usual, more where a rod is taut between held
/// ends.
const MAX_ITERATIONS: u32 = 60;
/// Shift of the matrix over its diagonal: where a rod is taut between held ends, edges are one
/// constraint too many.
const SHIFT: f64 = 1e-13;

/// What the projection moves.
pub(super) struct Configuration<'a> {
    /// Unknowns, `(dofs)`; the turns of bodies in it are not read.
    pub q: &'a mut [f64],
    /// Orientation of each body.
    pub orientation: &'a mut [DQuat],
    /// Displacements are added here, `(dofs)`; of a body's turn the spin.
    pub moved: &'a mut [f64],
}

/// Disposable storage.
#[derive(Debug, Default)]
pub(in crate::step) struct Projection {
    rods: Vec<RodConstraints>,
    coupling: Coupling,
    /// Sum over the iterations of a step of `lambda |dC/dx|`, kg m, `(edges)`.
    pull: Vec<f64>,
    /// Asked by what can take long.
    pub poll: Poll,
}

/// The constraints of one rod in one iteration.
#[derive(Debug, Default)]
pub(super) struct RodConstraints {
    matrix: Tridiagonal,
    factor: TridiagonalFactor,
    /// C, then the multipliers, `(edges)`.
    pub lambda: Vec<f64>,
    /// dC by the edge vector, 1/m, `(edges)`.
    gradient: Vec<DVec3>,
    /// Where bodies touch it.
    pub touches: Vec<Touch>,
}

/// `C` of an edge: the square of its length over that at rest, less 1.
pub(super) fn stretch(model: &Model, q: &[f64], edge: usize) -> f64 {
    let rest = model.rest_length[edge];
    edge_vector(model, q, edge).length_squared() / (rest * rest) - 1.0
}

/// The edge that is stretched most, with its `|C|`; edges welded to a body, or held at both ends,
/// are as long as they are.
pub(super) fn worst(model: &Model, q: &[f64]) -> (usize, f64) {
    let fixed = model.constraints.fixed();
    let mut worst = (0, 0.0);
    for edge in 0..model.topology.edges() {
        let held = |node: usize| {
            let dof = model.topology.node_dof[node];
            fixed[dof..dof + 3].iter().all(|fixed| *fixed)
        };
        // Nodes that follow a body count as held, but the body may move.
        let nodes = model.topology.edge_nodes[edge];
        let clamped = nodes
            .iter()
            .all(|n| held(*n) && !model.bodies.follows(model.topology.node_dof[*n]));
        if clamped || model.bodies.follows(model.topology.edge_dof[edge]) {
            continue;
        }
        let c = stretch(model, q, edge).abs();
        // What is no number is worst.
        if c.is_nan() || c > worst.1 {
            worst = (edge, c);
        }
    }
    worst
}

fn edge_vector(model: &Model, q: &[f64], edge: usize) -> DVec3 {
    let [a, b] = model.topology.edge_nodes[edge].map(|n| position(q, model.topology.node_dof[n]));
    b - a
}

impl Projection {
    /// Prepares for a step: nothing has been pulled. At `time`, s, joints hold but for those that
    /// have let go, `(joints)`.
    pub(super) fn begin(&mut self, model: &Model, time: f64, broken: &[bool]) {
        self.pull.clear();
        self.pull.resize(model.topology.edges(), 0.0);
        self.rods
            .resize_with(model.topology.rods.len(), RodConstraints::default);
        self.coupling.begin(model, time, broken);
    }

    /// Moves nodes and bodies until no edge is stretched and joints hold; `weight` is the inverse mass of every
    /// position of a node, `(dofs)`, 0 if it is prescribed or welded. Returns the number of
    /// iterations.
    pub(super) fn project(
        &mut self,
        model: &Model,
        weight: &[f64],
        to: &mut Configuration,
    ) -> Result<u32, StepError> {
        let mut iteration = 0;
        loop {
            let (edge, stretch) = worst(model, to.q);
            let (_, apart) = self.coupling.joints.worst(model, to.q, to.orientation);
            if stretch < TOLERANCE && apart < TOLERANCE {
                return Ok(iteration);
            }
            if iteration == MAX_ITERATIONS || !stretch.is_finite() || !apart.is_finite() {
                if stretch < TOLERANCE {
                    let joints = &self.coupling.joints;
                    joints.check(model, to.q, to.orientation, iteration)?;
                }
                let rod = model.topology.edge_rod[edge];
                return Err(StepError::StretchRemains {
                    rod,
                    edge: edge - model.topology.rods[rod].first_edge,
                    stretch,
                    iterations: iteration,
                });
            }
            self.poll.check()?;
            self.correct(model, weight, to)?;
            iteration += 1;
        }
    }

    /// Takes the constraints as they are, for [`Projection::respond`].
    pub(super) fn linearise(
        &mut self,
        model: &Model,
        weight: &[f64],
        to: &Configuration,
    ) -> Result<(), SolveError> {
        self.coupling.update(model, to);
        for (system, rod) in self.rods.iter_mut().zip(&model.topology.rods) {
            system.assemble(model, rod, weight, to.q);
            self.coupling.touch(model, rod, to, system);
            system.factorise();
        }
        self.coupling.factor(model, &mut self.rods)
    }

    /// Takes the bodies as they are, for [`Projection::respond_freely`].
    pub(super) fn take_bodies(&mut self, model: &Model, to: &Configuration) {
        self.coupling.update(model, to);
    }

    /// How unknowns answer forces over a step of `dt`, s, by masses alone.
    pub(super) fn mass_compliance(
        &self,
        model: &Model,
        (weight, dt): (&[f64], f64),
    ) -> MassCompliance {
        MassCompliance {
            own: weight.iter().map(|w| dt * dt * w).collect(),
            carried: self.coupling.carried(model, dt),
        }
    }

    /// Turns forces, N, and torques on bodies by spin, N m, into the displacements over a step of
    /// `dt`, s, that stretch no edge and part no joint, m: `x <- dt^2 (W - W J^T (J W J^T)^-1 J W)
    /// x`. Angles do not move. What edges and joints pull at is counted if `pulls`.
    pub(super) fn respond(
        &mut self,
        model: &Model,
        (weight, dt): (&[f64], f64),
        pulls: bool,
        x: &mut [f64],
    ) -> Result<(), SolveError> {
        self.respond_freely(model, (weight, dt), x);
        for (system, rod) in self.rods.iter_mut().zip(&model.topology.rods) {
            for (i, lambda) in system.lambda.iter_mut().enumerate() {
                let nodes = model.topology.edge_nodes[rod.first_edge + i];
                let [a, b] = nodes.map(|n| position(x, model.topology.node_dof[n]));
                // lambda = (J W J^T)^-1 J x
                *lambda = system.gradient[i].dot(b - a);
            }
        }
        self.coupling.joints.differentiate(model, x);
        self.coupling.solve(&mut self.rods)?;
        // x <- x - W J^T lambda
        for (system, rod) in self.rods.iter().zip(&model.topology.rods) {
            system.push_nodes(model, rod, weight, |dof, by| x[dof] += by);
            if pulls {
                system.count(&mut self.pull[rod.first_edge..]);
            }
        }
        if !model.bodies.is_empty() {
            self.coupling.pull(model, &self.rods);
            self.coupling.add_pulled(model, x);
            self.coupling.carry(x);
            if pulls {
                self.coupling.joints.count();
            }
        }
        Ok(())
    }

    /// The same without edges and joints: `x <- dt^2 W x`.
    pub(super) fn respond_freely(&self, model: &Model, (weight, dt): (&[f64], f64), x: &mut [f64]) {
        self.coupling.respond(model, x);
        let rods = model.topology.body_dof.first();
        let (rods, bodies) = x.split_at_mut(rods.map_or(model.topology.dofs, |dof| *dof));
        for (x, weight) in rods.iter_mut().zip(weight) {
            // x <- dt^2 W f
            *x *= dt * dt * weight;
        }
        bodies.iter_mut().for_each(|x| *x *= dt * dt);
        self.coupling.carry(x);
    }

    /// Writes the multipliers of joints over a step of `dt`, s, among the unknowns, `(dofs)`;
    /// returns which joints have let go, `(joints)`, empty where none has.
    pub fn finish_joints(&self, model: &Model, dt: f64, q: &mut [f64]) -> Vec<bool> {
        self.coupling.joints.finish(model, dt, q)
    }

    /// Force along each edge that the projections since the step began amount to over a step of
    /// `dt`, s, N, `(edges)`.
    pub fn tension(&self, dt: f64) -> Vec<f64> {
        self.pull.iter().map(|pull| pull / (dt * dt)).collect()
    }

    fn correct(
        &mut self,
        model: &Model,
        weight: &[f64],
        to: &mut Configuration,
    ) -> Result<(), StepError> {
        // (J W J^T) lambda = C, then x <- x - W J^T lambda.
        self.linearise(model, weight, to)?;
        self.coupling.solve(&mut self.rods)?;
        if !model.bodies.is_empty() {
            self.coupling.pull(model, &self.rods);
            self.coupling.move_pulled(model, to);
            self.coupling.joints.count();
        }
        for (system, rod) in self.rods.iter().zip(&model.topology.rods) {
            system.push_nodes(model, rod, weight, |dof, by| {
                to.q[dof] += by;
                to.moved[dof] += by;
            });
            system.count(&mut self.pull[rod.first_edge..]);
        }
        Ok(())
    }
}

impl RodConstraints {
    fn assemble(&mut self, model: &Model, rod: &RodLayout, weight: &[f64], q: &[f64]) {
        let topology = &model.topology;
        let w = |edge: usize| {
            let nodes = topology.edge_nodes[rod.first_edge + edge];
            nodes.map(|n| DMat3::from_diagonal(position(weight, topology.node_dof[n])))
        };
        self.gradient.clear();
        self.lambda.clear();
        for edge in rod.first_edge..rod.first_edge + rod.edges {
            let rest = model.rest_length[edge];
            // dC/de = 2 e / l^2
            self.gradient
                .push(edge_vector(model, q, edge) * (2.0 / (rest * rest)));
            self.lambda.push(stretch(model, q, edge));
        }
        let g = &self.gradient;
        self.matrix.reset(rod.edges, rod.closed);
        for i in 0..rod.edges {
            let [a, b] = w(i);
            // g_i . (W_a + W_b) g_i on the diagonal; beside it -g_i . W_b g_{i+1},
            // for the node b that both share ends one edge and begins the other.
            self.matrix.diagonal[i] = g[i].dot((a + b) * g[i]) * (1.0 + SHIFT);
            if i + 1 < rod.edges || rod.closed {
                let next = (i + 1) % rod.edges;
                *self.matrix.next(i) = -g[i].dot(b * g[next]);
            }
        }
    }

    /// Factorises the matrix of a rod that no body touches; those of others are `schur.rs`'s to
    /// factorise.
    fn factorise(&mut self) {
        for i in 0..self.lambda.len() {
            let touched = self.touches.binary_search_by_key(&i, |touch| touch.edge);
            // Both ends are held or welded: how long it is, is not for this rod to say.
            if self.matrix.diagonal[i] == 0.0 && touched.is_err() {
                self.matrix.fix(i);
                self.lambda[i] = 0.0;
            }
        }
        if self.touches.is_empty() {
            factorise(&self.matrix, &mut self.factor);
        }
    }

    /// With a matrix and C of its own.
    #[cfg(test)]
    pub fn given(matrix: Tridiagonal, lambda: Vec<f64>) -> Self {
        let mut rod = Self {
            matrix,
            lambda,
            ..Self::default()
        };
        factorise(&rod.matrix, &mut rod.factor);
        rod
    }

    /// `J W J^T` of the rod's own nodes.
    pub fn matrix(&self) -> &Tridiagonal {
        &self.matrix
    }

    /// The multipliers of a rod without bodies.
    pub fn solve_alone(&mut self) {
        self.factor.solve(&mut self.lambda);
    }

    /// dC of an edge by the edge vector, 1/m.
    pub fn gradient(&self, edge: usize) -> DVec3 {
        self.gradient[edge]
    }

    /// Displacements of the nodes by the multipliers, `- W J^T lambda`.
    fn push_nodes(
        &self,
        model: &Model,
        rod: &RodLayout,
        weight: &[f64],
        mut push: impl FnMut(usize, f64),
    ) {
        let topology = &model.topology;
        for (i, (gradient, lambda)) in self.gradient.iter().zip(&self.lambda).enumerate() {
            let nodes = topology.edge_nodes[rod.first_edge + i];
            for (node, sign) in nodes.into_iter().zip([1.0, -1.0]) {
                let dof = topology.node_dof[node];
                let by = (position(weight, dof) * *gradient * (*lambda * sign)).to_array();
                for (k, by) in by.into_iter().enumerate() {
                    push(dof + k, by);
                }
            }
        }
    }

    /// Adds what the multipliers pull with, kg m, from the rod's first edge on.
    fn count(&self, pull: &mut [f64]) {
        for ((pull, gradient), lambda) in pull.iter_mut().zip(&self.gradient).zip(&self.lambda) {
            *pull += gradient.length() * lambda;
        }
    }
}

/// Factorises a matrix that is at most singular by rounding.
pub(super) fn factorise(matrix: &Tridiagonal, factor: &mut TridiagonalFactor) {
    let largest = matrix.diagonal.iter().fold(0.0, |a: f64, d| a.max(*d));
    let mut shift = 0.0;
    // What is not finite has no factor; the caller sees it in what remains stretched.
    while !matrix.factor(shift, factor) && shift <= largest {
        shift = if shift == 0.0 {
            SHIFT * largest
        } else {
            10.0 * shift
        };
    }
}
