//! Sums of elastic energies and loads over a model, with gradients and Hessian blocks.

mod joints;
mod section;
mod spin_inertia;

use std::ops::Range;

use crate::assembly::{Blocks, Trial, VertexBlocks, add3};
use crate::kernels::elastic::batch::{BATCH, VertexBatch, VertexDerivatives};
pub use crate::kernels::elastic::bend::ByAngles;
use crate::kernels::elastic::derivatives::differentiate;
use crate::kernels::elastic::stretch;
use crate::loads::{Load, LoadKind};
use crate::model::{Elastic, Model};
use crate::rod::strain::{self, Gradient, VertexGeometry, gradient_to_nodes};
use crate::rod::{Kinematics, Topology};
pub(crate) use joints::joint_loads;
pub use section::{SectionLoads, section_loads};
pub(crate) use spin_inertia::{add_spin_inertia, add_spin_inertia_stiffness};

/// Elastic energies by kind, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ElasticEnergy {
    /// Stretching.
    pub stretch: f64,
    /// Bending.
    pub bend: f64,
    /// Twisting.
    pub twist: f64,
}

impl ElasticEnergy {
    /// Adds those of a vertex: bending in two parts, twisting.
    fn add(&mut self, ([before, after], twist): ([f64; 2], f64)) {
        self.bend = self.bend + before + after;
        self.twist += twist;
    }

    /// All three, J.
    pub fn total(&self) -> f64 {
        self.stretch + self.bend + self.twist
    }
}

/// Twist tau of a vertex, rad: `th+ - th- + m_ref` (T22 Eq. 4).
pub fn twist(model: &Model, kinematics: &Kinematics, q: &[f64], vertex: usize) -> f64 {
    strain::twist(&model.topology, kinematics, q, vertex)
}

/// Adds the gradient of the elastic energy, `(dofs)`, and, if asked, its Hessian; returns the
/// energies and the largest internal force, N: what balances when a rod is at rest under tension or
/// twist.
///
/// The rods are those of a model, or what stands for them at an instant.
pub fn add_elastic<'a>(
    rods: impl Into<Elastic<'a>>,
    kinematics: &Kinematics,
    q: &[f64],
    gradient: &mut [f64],
    mut blocks: Option<&mut dyn Blocks>,
) -> (ElasticEnergy, f64) {
    let rods = rods.into();
    let (stretch, tension) = add_stretching(&rods, kinematics, gradient, blocks.as_deref_mut());
    let (energy, largest) = add_bending_and_twisting(rods, kinematics, q, gradient, blocks);
    (ElasticEnergy { stretch, ..energy }, largest.max(tension))
}

/// Adds elastic forces as [`add_elastic`] does without a Hessian, with the given force along each
/// edge, N, in place of stretching; empty if edges stretch.
pub(crate) fn add_elastic_or_tension(
    rods: &Elastic,
    kinematics: &Kinematics,
    q: &[f64],
    tension: &[f64],
    gradient: &mut [f64],
) -> ElasticEnergy {
    if tension.is_empty() {
        return add_elastic(*rods, kinematics, q, gradient, None).0;
    }
    add_tension(rods.topology, kinematics, tension, gradient);
    add_bending_and_twisting(*rods, kinematics, q, gradient, None).0
}

/// Adds minus the forces on nodes, N, `(dofs)`, of the given force along each edge, N.
pub(crate) fn add_tension(
    topology: &Topology,
    kinematics: &Kinematics,
    tension: &[f64],
    gradient: &mut [f64],
) {
    for (edge, (e, force)) in kinematics.edges.iter().zip(tension).enumerate() {
        let [a, b] = topology.edge_nodes[edge].map(|n| topology.node_dof[n]);
        // An edge pulls its first node along t, its second one back; these are minus forces.
        add3(gradient, a, e.tangent * -force);
        add3(gradient, b, e.tangent * *force);
    }
}

/// Adds the forces of [`add_elastic`] that stretching makes; returns its energy, J, and the largest
/// force, N.
fn add_stretching(
    rods: &Elastic,
    kinematics: &Kinematics,
    gradient: &mut [f64],
    mut blocks: Option<&mut (dyn Blocks + '_)>,
) -> (f64, f64) {
    let (mut energy, mut largest) = (0.0, 0.0_f64);
    for (edge, e) in kinematics.edges.iter().enumerate() {
        let (ea, rest) = (rods.stretching[edge], rods.rest_length[edge]);
        energy += stretch::energy(ea, rest, e.length);
        let force = stretch::gradient(ea, rest, e.length, e.tangent).to_array();
        largest = force.iter().fold(largest, |f, x| f.max(x.abs()));
        let dofs = rods.topology.edge_position_dofs(edge);
        for k in 0..3 {
            gradient[dofs[k]] -= force[k];
            gradient[dofs[k + 3]] += force[k];
        }
        if let Some(blocks) = blocks.as_deref_mut() {
            // d2E/de2 with e = b - a.
            let h = stretch::hessian(ea, rest, e.length, e.tangent);
            blocks.edge(edge, &dofs, &h.to_cols_array_2d());
        }
    }
    (energy, largest)
}

/// Adds the forces of [`add_elastic`] without stretching: the forces in a rod whose length is kept
/// by a constraint.
pub fn add_bending_and_twisting<'a>(
    rods: impl Into<Elastic<'a>>,
    kinematics: &Kinematics,
    q: &[f64],
    gradient: &mut [f64],
    mut blocks: Option<&mut dyn Blocks>,
) -> (ElasticEnergy, f64) {
    let rods = rods.into();
    let mut energy = ElasticEnergy::default();
    let mut largest = 0.0_f64;
    let mut batch = VertexBatch::default();
    let mut derivatives = VertexDerivatives::default();
    for first in (0..rods.topology.vertices()).step_by(BATCH) {
        let vertices = first..(first + BATCH).min(rods.topology.vertices());
        gather(&rods, kinematics, q, vertices.clone(), &mut batch);
        differentiate(&batch, blocks.is_some(), &mut derivatives);
        for (lane, vertex) in vertices.enumerate() {
            let [before, after, twisting] = derivatives.energy.map(|column| column[lane]);
            energy.add(([before, after], twisting));
            // By the vertex's two edges and angles; then by nodes, with e- = x1 - x0 and
            // e+ = x2 - x1.
            let g: Gradient = derivatives.gradient.map(|column| column[lane]);
            largest = (g[0..3].iter().chain(&g[4..7])).fold(largest, |f, x| f.max(x.abs()));
            let dofs = rods.topology.vertex_dofs(vertex);
            for (dof, value) in dofs.iter().zip(gradient_to_nodes(&g)) {
                gradient[*dof] += value;
            }
            if let Some(blocks) = blocks.as_deref_mut() {
                blocks.vertex(vertex, &dofs, &blocks_of(&derivatives, lane));
            }
        }
    }
    (energy, largest)
}

/// Puts some vertices, at most a batch of them, side by side.
fn gather(
    rods: &Elastic,
    kinematics: &Kinematics,
    q: &[f64],
    vertices: Range<usize>,
    batch: &mut VertexBatch,
) {
    let count = vertices.len();
    // Places beyond the last vertex hold it again: what comes of them is not looked at.
    for lane in 0..BATCH {
        let vertex = vertices.start + lane.min(count - 1);
        let edges = rods.topology.vertex_edges[vertex].map(|e| &kinematics.edges[e]);
        let tau = strain::twist(rods.topology, kinematics, q, vertex);
        batch.set(lane, edges, tau, &rods.elasticity(vertex));
    }
}

/// Second derivatives of one of a batch's vertices.
fn blocks_of(derivatives: &VertexDerivatives, lane: usize) -> VertexBlocks {
    let mut blocks = [[0.0; 16]; 9];
    let upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    for ((i, j), columns) in upper.into_iter().zip(&derivatives.blocks) {
        for (at, column) in columns.iter().enumerate() {
            let (value, mirror) = (column[lane], 4 * (at % 4) + at / 4);
            blocks[3 * i + j][at] = value;
            blocks[3 * j + i][mirror] = value;
        }
    }
    VertexBlocks { blocks }
}

/// Energy of bending and twisting of some vertices, J, with its first and second derivatives by the
/// angles of both edges of each.
pub fn by_angles(
    model: &Model,
    kinematics: &Kinematics,
    q: &[f64],
    vertices: Range<usize>,
    out: &mut Vec<ByAngles>,
) -> f64 {
    out.clear();
    let mut energy = 0.0;
    for vertex in vertices {
        let [minus, plus] = model.topology.vertex_edges[vertex].map(|e| &kinematics.edges[e]);
        let geometry = VertexGeometry::new(minus, plus);
        let tau = twist(model, kinematics, q, vertex);
        let elasticity = model.elasticity(vertex);
        let ([before, after], twist) = elasticity.energy(&geometry, tau);
        energy = energy + twist + before + after;
        out.push(elasticity.by_angles(&geometry, tau));
    }
    energy
}

/// Which loads act: equilibria know no dissipation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acting {
    /// All loads.
    All,
    /// Loads that do not dissipate.
    Conservative,
}

/// The loads that act.
pub fn loads(model: &Model, acting: Acting) -> impl Iterator<Item = &dyn Load> {
    let all = model.loads.iter().map(Box::as_ref);
    all.filter(move |load| acting == Acting::All || !load.dissipative())
}

/// Adds the forces of the loads that act, `(dofs)`.
pub fn add_loads(model: &Model, acting: Acting, at: &Trial, force: &mut [f64]) {
    for load in loads(model, acting) {
        load.add_force(at, force);
    }
}

/// Elastic energies alone, J.
pub(crate) fn elastic_energy<'a>(
    rods: impl Into<Elastic<'a>>,
    kinematics: &Kinematics,
    q: &[f64],
) -> ElasticEnergy {
    let rods = rods.into();
    let [stretch, bend, twist] = rods.besides;
    let mut energy = ElasticEnergy {
        stretch,
        bend,
        twist,
    };
    for (edge, e) in kinematics.edges.iter().enumerate() {
        energy.stretch += stretch::energy(rods.stretching[edge], rods.rest_length[edge], e.length);
    }
    for (vertex, edges) in rods.topology.vertex_edges.iter().enumerate() {
        let [minus, plus] = edges.map(|e| &kinematics.edges[e]);
        let geometry = VertexGeometry::new(minus, plus);
        let tau = strain::twist(rods.topology, kinematics, q, vertex);
        energy.add(rods.elasticity(vertex).energy(&geometry, tau));
    }
    energy
}

/// Energy of the loads in their potentials, J: of all that do not dissipate and have one.
pub(crate) fn load_energy(model: &Model, at: &Trial) -> f64 {
    // A fold from 0: the sum of nothing is -0.
    loads(model, Acting::Conservative)
        .filter_map(|load| load.potential(at))
        .fold(0.0, |sum, v| sum + v)
}

/// Power of loads at a trial, W.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct LoadPowers {
    /// Power of loads that do work, without those that know it from the configurations alone, and
    /// by air that moves.
    pub applied: f64,
    /// Heat by damping.
    pub damping: f64,
    /// Heat by drag that is local.
    pub drag: f64,
}

/// Power of all loads at a trial.
pub(crate) fn load_powers(model: &Model, at: &Trial) -> LoadPowers {
    let mut powers = LoadPowers::default();
    let mut force = Vec::new();
    for load in loads(model, Acting::All) {
        // Its work is taken from the configurations, not from powers.
        if load.work(at.topology, at.q, at.q).is_some() {
            continue;
        }
        force.clear();
        force.resize(at.topology.dofs, 0.0);
        load.add_force(at, &mut force);
        let power: f64 = force.iter().zip(at.velocity).map(|(f, u)| f * u).sum();
        let supply = load.supply(at);
        // Forces times the velocity of the air are work; the rest of the drag is heat.
        powers.applied += supply;
        match load.kind() {
            LoadKind::Applied => powers.applied += power,
            LoadKind::Damping => powers.damping += supply - power,
            LoadKind::Drag => powers.drag += supply - power,
        }
    }
    powers
}

/// Sum of the loads' potentials, J; `None` if one has none.
pub(crate) fn load_potential(model: &Model, acting: Acting, at: &Trial) -> Option<f64> {
    // A fold from 0: the sum of nothing is -0.
    loads(model, acting).try_fold(0.0, |sum, load| Some(sum + load.potential(at)?))
}
