//! The drag of the authors' flagella program as shipped, as a load outside the core.
//!
//! Three choices differ from the drag of this project, which solves `u + B F = 0` for the end of
//! the step:
//!
//! - lagged: velocity and positions of the start of the step, so the force is constant during the
//!   step;
//! - the matrix A of `8 pi mu u = A f` (T22 Eq. A.8), which is 3 to 6 % non-symmetric, is factored
//!   by Cholesky from its lower triangle alone, so another system is solved;
//! - the unknowns are nodal forces F whose density on an edge is F over the length of that edge, f
//!   |e| in T22 Eq. A.6; where edges are equally long, every node counts with a whole edge, the
//!   ends too, and where they are not, the density jumps at the node.
#![allow(dead_code)]

use std::f64::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use glam::DVec3;
use writhe::assembly::{Blocks, Trial};
use writhe::contact::{ContactModel, ImcSettings};
use writhe::fluid::stokeslet_segments::coefficients::segment_blocks;
use writhe::loads::Load;
use writhe::model::{BendingModel, Model, ModelBuilder};
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
            for (k, f) in f.iter().enumerate() {
                visit(dof + k, *f);
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

/// The authors' drag.
#[derive(Debug, Clone, Copy)]
pub struct AuthorsDrag {
    /// Viscosity, Pa s.
    pub viscosity: f64,
    /// Regularisation, m.
    pub epsilon: f64,
    /// How A is factored.
    pub factor: Factor,
    /// Share of the force at an end node: 1 in the authors' program, 1/2 with Voronoi lengths.
    pub end_weight: f64,
}

impl AuthorsDrag {
    /// As shipped: regularisation 1.02 h, Cholesky.
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
        let force = match self.factor {
            Factor::LowerCholesky => a.llt(Side::Lower).expect("positive definite").solve(&rhs),
            Factor::Lu => a.partial_piv_lu().solve(&rhs),
        };
        let mut force: Vec<f64> = (0..3 * positions.len()).map(|i| force[(i, 0)]).collect();
        for rod in &topology.rods {
            for end in [rod.first_node, rod.first_node + rod.nodes - 1] {
                force[3 * end..3 * end + 3]
                    .iter_mut()
                    .for_each(|f| *f *= self.end_weight);
            }
        }
        force
    }

    /// A of `8 pi mu u = A F`, 1/m: T22 Eq. A.6 without the factor |e|. For Cholesky only its lower
    /// triangle of blocks.
    fn matrix(&self, topology: &Topology, positions: &[DVec3]) -> Mat<f64> {
        let n = positions.len();
        let mut a = Mat::zeros(3 * n, 3 * n);
        for nodes in &topology.edge_nodes {
            let [y0, y1] = nodes.map(|i| positions[i]);
            let inverse_length = 1.0 / y0.distance(y1);
            let first_row = match self.factor {
                Factor::LowerCholesky => nodes[0],
                Factor::Lu => 0,
            };
            for i in first_row..n {
                let blocks = segment_blocks(positions[i], y0, y1, self.epsilon);
                for (j, block) in nodes.iter().zip(blocks) {
                    for (c, column) in block.to_cols_array_2d().iter().enumerate() {
                        for (r, value) in column.iter().enumerate() {
                            a[(3 * i + r, 3 * j + c)] += value * inverse_length;
                        }
                    }
                }
            }
        }
        a
    }
}

/// `count` flagella with the authors' masses, a load that holds their drag, and our contact.
///
/// Every edge has the mass of a 67th of the contour of smooth helix (64 times the clamped edge),
/// clamped edge and lead-in.
pub fn model(count: usize, density: f64, omega: f64) -> (Model, State, SharedForce) {
    let section = Section::circle(Material::new(3e6, 0.5, density), flagella::RADIUS);
    let mut builder = ModelBuilder::new().bending(BendingModel::Averaged);
    let force = SharedForce::default();
    for i in 0..count {
        let c = flagella::centre(i, count);
        let nodes = flagella::shape().into_iter().map(|x| x + c).collect();
        let mut rod = Rod::open(nodes, section).expect("a rod");
        let l = &rod.rest_lengths;
        let share = (65.0 * l[0] + l[1] + l[2]) / rod.edges() as f64;
        for (section, length) in rod.sections.iter_mut().zip(l) {
            section.mass_per_length *= share / length;
            section.inertia_per_length *= share / length;
        }
        builder = builder
            .rod(rod)
            .clamp(i, 0, Motion::spin(c, -DVec3::X, omega));
    }
    let (model, state) = builder
        .contact(ContactModel::Imc(ImcSettings::default()))
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

/// A row of the authors' program's output.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Time, s.
    pub time: f64,
    /// Distance of the two free ends at this time, m.
    pub end_distance: f64,
    /// Reaction on nodes 0 and 1, both rods summed, mean over the 250 steps before, N.
    pub reaction: DVec3,
}

/// The output of the authors' program for M = 2.
pub fn reference_rows() -> Vec<Row> {
    let rows = numbers(include_str!("../data/flagella_authors_observables.csv"));
    let row = |v: Vec<f64>| Row {
        time: v[0],
        end_distance: v[4],
        reaction: DVec3::new(v[5], v[6], v[7]),
    };
    rows.map(row).collect()
}

/// Time of the first contact in the authors' program, s.
pub const REFERENCE_CONTACT: f64 = 25.794;

/// Node positions of the authors' program at `time`, m, rod after rod; empty but at 5 s and 20 s.
pub fn reference_nodes(time: f64) -> Vec<DVec3> {
    numbers(include_str!("../data/flagella_authors_nodes.csv"))
        .filter(|v| (v[0] - time).abs() < 1e-6)
        .map(|v| DVec3::new(v[3], v[4], v[5]))
        .collect()
}

/// Rows of numbers after a line with the source and one with the names.
fn numbers(text: &str) -> impl Iterator<Item = Vec<f64>> {
    text.lines().skip(2).map(|line| {
        let number = |v: &str| v.parse().expect("a number");
        line.split(',').map(number).collect()
    })
}

/// Mean distance of corresponding nodes in radii (T22 Eq. 22).
pub fn node_difference(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum();
    sum / (a.len() as f64 * flagella::RADIUS)
}

/// Mean reaction over some steps, each weighted by its size.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mean {
    time: f64,
    impulse: DVec3,
}

impl Mean {
    /// Adds the state after a step of size `dt`, s.
    pub fn add(&mut self, model: &Model, state: &State, dt: f64) {
        let seen = writhe::observe::observe(model, state).expect("observables");
        self.time += dt;
        self.impulse += seen.reactions.iter().map(|r| r.force).sum::<DVec3>() * dt;
    }

    /// The row at `state`.
    pub fn row(&self, model: &Model, state: &State) -> Row {
        let x = model.positions(state);
        Row {
            time: state.time,
            end_distance: x[x.len() / 2 - 1].distance(x[x.len() - 1]),
            reaction: self.impulse / self.time,
        }
    }
}
