//! The drag of the authors' flagella program as shipped, as a load outside the core.
//!
//! Three choices differ from the drag of this project, which solves `u + B F = 0` for the end of the step:
//!
//! - lagged: velocity and positions of the start of the step, so the force is constant during the step;
//! - the matrix A of `8 pi mu u = A f` (T22 Eq. A.8), which is 3 to 6 % non-symmetric, is factored by Cholesky from its lower triangle
//!   alone, so another system is solved;
//! - the force of an end node is its density times its whole edge length, not half of it.
#![allow(dead_code)]

use std::f64::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use glam::DVec3;
use writhe::loads::stokeslet_segments::coefficients::segment_blocks;
use writhe::loads::{Blocks, Load, Trial};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section, Topology};
use writhe::schedule::Motion;
use writhe::state::State;

use super::flagella;

/// Nodal forces, N, `(3 nodes)`, shared by the load and whoever sets them.
pub type SharedForce = Arc<Mutex<Vec<f64>>>;

/// A dead force on every node.
#[derive(Debug)]
pub struct DeadForces(pub SharedForce);

impl DeadForces {
    fn each(&self, topology: &Topology, mut visit: impl FnMut(usize, f64)) {
        let force = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (dof, f) in topology.node_dof.iter().zip(force.chunks_exact(3)) {
            for k in 0..3 {
                visit(dof + k, f[k]);
            }
        }
    }
}

impl Load for DeadForces {
    fn name(&self) -> &'static str {
        "dead forces"
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        self.each(at.topology, |dof, f| force[dof] += f);
    }

    fn add_stiffness(&self, _at: &Trial, _blocks: &mut dyn Blocks) {}

    fn potential(&self, at: &Trial) -> Option<f64> {
        let mut sum = 0.0;
        self.each(at.topology, |dof, f| sum -= f * at.q[dof]);
        Some(sum)
    }
}

/// Which matrix is inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// Cholesky of the lower triangle: the authors' program.
    LowerCholesky,
    /// LU of the whole matrix: the equation as published.
    Lu,
}

/// The authors' drag: viscosity, Pa s, regularisation, m, and how A is factored.
#[derive(Debug, Clone, Copy)]
pub struct AuthorsDrag {
    pub viscosity: f64,
    pub epsilon: f64,
    pub factor: Factor,
    /// Weight of an end node's edge in its force: 1 in the authors' program, 1/2 by the Voronoi length.
    pub end_weight: f64,
}

impl AuthorsDrag {
    /// As shipped, with regularisation 1.02 h.
    pub fn as_shipped(viscosity: f64) -> Self {
        Self {
            viscosity,
            epsilon: 1.02 * flagella::RADIUS,
            factor: Factor::LowerCholesky,
            end_weight: 1.0,
        }
    }

    /// Force of the fluid on every node of `state`, N, `(3 nodes)`.
    pub fn force(&self, model: &Model, state: &State) -> Vec<f64> {
        let topology = &model.topology;
        let positions = model.positions(state);
        let scale = -8.0 * PI * self.viscosity;
        let rhs = Mat::from_fn(3 * positions.len(), 1, |i, _| {
            scale * state.velocity[topology.node_dof[i / 3] + i % 3]
        });
        let a = self.matrix(topology, &positions);
        let density = match self.factor {
            Factor::LowerCholesky => a.llt(Side::Lower).expect("positive definite").solve(&rhs),
            Factor::Lu => a.partial_piv_lu().solve(&rhs),
        };
        let lengths = self.node_lengths(topology, &positions);
        (0..3 * positions.len())
            .map(|i| density[(i, 0)] * lengths[i / 3])
            .collect()
    }

    /// A of T22 Eq. A.8; for Cholesky only its lower triangle of blocks.
    fn matrix(&self, topology: &Topology, positions: &[DVec3]) -> Mat<f64> {
        let n = positions.len();
        let mut a = Mat::zeros(3 * n, 3 * n);
        for nodes in &topology.edge_nodes {
            let [y0, y1] = nodes.map(|i| positions[i]);
            let first_row = match self.factor {
                Factor::LowerCholesky => nodes[0],
                Factor::Lu => 0,
            };
            for i in first_row..n {
                for (j, block) in nodes
                    .iter()
                    .zip(segment_blocks(positions[i], y0, y1, self.epsilon))
                {
                    for (c, column) in block.to_cols_array_2d().iter().enumerate() {
                        for (r, value) in column.iter().enumerate() {
                            a[(3 * i + r, 3 * j + c)] += value;
                        }
                    }
                }
            }
        }
        a
    }

    fn node_lengths(&self, topology: &Topology, positions: &[DVec3]) -> Vec<f64> {
        let mut lengths = vec![0.0; positions.len()];
        for nodes in &topology.edge_nodes {
            for i in nodes {
                lengths[*i] += 0.5 * positions[nodes[0]].distance(positions[nodes[1]]);
            }
        }
        for rod in &topology.rods {
            for end in [rod.first_node, rod.first_node + rod.nodes - 1] {
                lengths[end] *= 2.0 * self.end_weight;
            }
        }
        lengths
    }
}

/// `count` flagella with the authors' masses (the contour of helix, clamped edge and lead-in shared equally by all edges), a load that
/// holds their drag, and no contact.
pub fn model(count: usize, density: f64, omega: f64) -> (Model, State, SharedForce) {
    let section = Section::circle(Material::new(3e6, 0.5, density), flagella::RADIUS);
    let mut builder = ModelBuilder::new();
    let force = SharedForce::default();
    for i in 0..count {
        let c = flagella::centre(i, count);
        let nodes: Vec<DVec3> = flagella::shape().into_iter().map(|x| x + c).collect();
        let mut rod = Rod::open(nodes, section).expect("a rod");
        let share = flagella::authors_contour() / rod.edges() as f64;
        for (section, length) in rod.sections.iter_mut().zip(&rod.rest_lengths) {
            section.mass_per_length *= share / length;
            section.inertia_per_length *= share / length;
        }
        builder = builder
            .rod(rod)
            .clamp(i, 0, Motion::spin(c, -DVec3::X, omega));
    }
    let (model, state) = builder
        .load(Box::new(DeadForces(Arc::clone(&force))))
        .build()
        .expect("a model");
    (model, state, force)
}

/// Sets the force of the coming step from the state at its start.
pub fn update(drag: &AuthorsDrag, model: &Model, state: &State, shared: &SharedForce) {
    let force = drag.force(model, state);
    *shared.lock().unwrap_or_else(PoisonError::into_inner) = force;
}
