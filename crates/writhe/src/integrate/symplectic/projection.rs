//! Fast manifold projection (Goldenthal et al. 2007; B08 section 8): moves nodes until no edge is stretched.
//!
//! With `C_j = e_j . e_j / l_j^2 - 1` and the inverse masses W (0 where a coordinate is prescribed), each iteration solves
//!
//! ```text
//! (J W J^T) lambda = C,    x <- x - W J^T lambda,    J = dC/dx at the latest x
//! ```
//!
//! until `|C| < 1e-8`: the shortest way to where lengths are right, in the metric of the masses. Edges that follow each other share a node,
//! so the matrix of a rod is tridiagonal, of a ring with a corner.

use glam::DVec3;

use crate::integrate::StepError;
use crate::model::Model;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::solve::tridiagonal::{Tridiagonal, TridiagonalFactor};

/// Largest `|C|` of an edge after a projection.
pub const TOLERANCE: f64 = 1e-8;
/// Iterations before lengths are given up: 3 to 5 are usual, more where a rod is taut between held ends.
const MAX_ITERATIONS: u32 = 60;
/// Shift of the matrix over its diagonal: where a rod is taut between held ends, edges are one constraint too many.
const SHIFT: f64 = 1e-13;

/// Disposable storage.
#[derive(Debug, Default)]
pub(in crate::integrate) struct Projection {
    matrix: Tridiagonal,
    factor: TridiagonalFactor,
    lambda: Vec<f64>,
    gradient: Vec<DVec3>,
    /// Sum over the iterations of `lambda |dC/dx|`, kg m, `(edges)`.
    pull: Vec<f64>,
}

/// `C` of an edge: the square of its length over that at rest, less 1.
pub(super) fn stretch(model: &Model, q: &[f64], edge: usize) -> f64 {
    let rest = model.rest_length[edge];
    edge_vector(model, q, edge).length_squared() / (rest * rest) - 1.0
}

/// The edge that is stretched most, with its `|C|`.
pub(super) fn worst(model: &Model, q: &[f64]) -> (usize, f64) {
    let mut worst = (0, 0.0);
    for edge in 0..model.topology.edges() {
        let c = stretch(model, q, edge).abs();
        // Not `>`: what is no number is worst.
        if !(c <= worst.1) {
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
    /// Moves the nodes in `q` until no edge is stretched and adds their displacements to `moved`; `weight` is the inverse mass of every
    /// unknown, 0 if it is prescribed; all `(dofs)`. Returns the number of iterations.
    pub fn project(
        &mut self,
        model: &Model,
        weight: &[f64],
        q: &mut [f64],
        moved: &mut [f64],
    ) -> Result<u32, StepError> {
        self.pull.clear();
        self.pull.resize(model.topology.edges(), 0.0);
        for iteration in 0..=MAX_ITERATIONS {
            let (edge, stretch) = worst(model, q);
            if stretch < TOLERANCE {
                return Ok(iteration);
            }
            if iteration == MAX_ITERATIONS || !stretch.is_finite() {
                let rod = model.topology.edge_rod[edge];
                return Err(StepError::StretchRemains {
                    rod,
                    edge: edge - model.topology.rods[rod].first_edge,
                    stretch,
                    iterations: iteration,
                });
            }
            for rod in &model.topology.rods {
                self.correct(model, rod, weight, [&mut *q, &mut *moved]);
            }
        }
        unreachable!("the last iteration returns")
    }

    /// Force along each edge that the last projection amounts to over a step of `dt`, s, N, `(edges)`.
    pub fn tension(&self, dt: f64) -> Vec<f64> {
        self.pull.iter().map(|pull| pull / (dt * dt)).collect()
    }

    fn correct(
        &mut self,
        model: &Model,
        rod: &RodLayout,
        weight: &[f64],
        [q, moved]: [&mut [f64]; 2],
    ) {
        let topology = &model.topology;
        let node =
            |edge: usize| topology.edge_nodes[rod.first_edge + edge].map(|n| topology.node_dof[n]);
        let w = |dof: usize| position(weight, dof);
        self.gradient.clear();
        self.lambda.clear();
        for edge in rod.first_edge..rod.first_edge + rod.edges {
            let rest = model.rest_length[edge];
            self.gradient
                .push(edge_vector(model, q, edge) * (2.0 / (rest * rest)));
            self.lambda.push(stretch(model, q, edge));
        }
        let g = &self.gradient;
        self.matrix.reset(rod.edges, rod.closed);
        for i in 0..rod.edges {
            let [a, b] = node(i);
            self.matrix.diagonal[i] = g[i].dot((w(a) + w(b)) * g[i]) * (1.0 + SHIFT);
            if i + 1 < rod.edges || rod.closed {
                let next = (i + 1) % rod.edges;
                *self.matrix.next(i) = -g[i].dot(w(b) * g[next]);
            }
        }
        for i in 0..rod.edges {
            // Both ends are held: how long it is, is not for this step to say.
            if self.matrix.diagonal[i] == 0.0 {
                self.matrix.fix(i);
                self.lambda[i] = 0.0;
            }
        }
        let mut shift = 0.0;
        let largest = self.matrix.diagonal.iter().fold(0.0, |a: f64, d| a.max(*d));
        while !self.matrix.factor(shift, &mut self.factor) {
            shift = if shift == 0.0 {
                SHIFT * largest
            } else {
                10.0 * shift
            };
            if !(shift < largest) {
                // Not finite: the caller sees it.
                return;
            }
        }
        self.factor.solve(&mut self.lambda);
        for i in 0..rod.edges {
            let pull = self.gradient[i] * self.lambda[i];
            self.pull[rod.first_edge + i] += self.gradient[i].length() * self.lambda[i];
            for (dof, sign) in node(i).into_iter().zip([1.0, -1.0]) {
                let by = (w(dof) * pull * sign).to_array();
                for k in 0..3 {
                    q[dof + k] += by[k];
                    moved[dof + k] += by[k];
                }
            }
        }
    }
}
