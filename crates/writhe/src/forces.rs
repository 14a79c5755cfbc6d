//! Sums of elastic energies and loads over a model, with gradients and Hessian blocks.

mod joints;
mod section;
mod spin_inertia;

use std::ops::Range;

use crate::assembly::{Blocks, Trial, add3};
use crate::kernels::elastic::batch::{BATCH, VertexBatch, VertexDerivatives};
pub use crate::kernels::elastic::bend::ByAngles;
use crate::kernels::elastic::derivatives::differentiate;
use crate::kernels::elastic::stretch::{self, EdgeDerivatives};
use crate::lanes::Column;
use crate::loads::{Load, LoadKind};
use crate::model::{Elastic, Model};
use crate::rod::kinematics::Gathered;
use crate::rod::strain::{self, VertexGeometry};
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
    for (edge, force) in tension.iter().enumerate() {
        let [a, b] = topology.edge_nodes[edge].map(|n| topology.node_dof[n]);
        let tangent = kinematics.tangent(edge);
        // An edge pulls its first node along t, its second one back; these are minus forces.
        add3(gradient, a, tangent * -force);
        add3(gradient, b, tangent * *force);
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
    let (mut energy, mut largest) = ([0.0; BATCH], [0.0; BATCH]);
    let mut derivatives = EdgeDerivatives::default();
    let edges = rods.topology.edges();
    for first in (0..edges).step_by(BATCH) {
        let end = (first + BATCH).min(edges);
        let elasticity = (&rods.stretching[first..end], &rods.rest_length[first..end]);
        let window = kinematics.window(first);
        stretch::differentiate(window, elasticity, blocks.is_some(), &mut derivatives);
        let EdgeDerivatives {
            energy: energies,
            gradient: [x, y, z],
            hessian,
        } = &derivatives;
        for forces in [x, y, z] {
            raise(&mut largest[..end - first], forces);
        }
        for lane in 0..end - first {
            energy[lane] += energies[lane];
            let force = [x[lane], y[lane], z[lane]];
            let [a, b] = rods.topology.edge_nodes[first + lane].map(|n| rods.topology.node_dof[n]);
            for (k, force) in force.into_iter().enumerate() {
                gradient[a + k] -= force;
                gradient[b + k] += force;
            }
        }
        if let Some(blocks) = blocks.as_deref_mut() {
            for edge in first..end {
                // d2E/de2 with e = b - a.
                let [xx, xy, xz, yy, yz, zz] = hessian.each_ref().map(|h| h[edge - first]);
                let h = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
                blocks.edge(edge, &rods.topology.edge_position_dofs(edge), &h);
            }
        }
    }
    (energy.iter().sum(), largest.into_iter().fold(0.0, f64::max))
}

/// Raises the largest of some numbers by the sizes of others.
#[inline(always)]
fn raise(largest: &mut [f64], values: &[f64]) {
    for (largest, value) in largest.iter_mut().zip(values) {
        let size = value.abs();
        // Compared, since the maximum of a library makes a detour for what is no number.
        *largest = if size > *largest { size } else { *largest };
    }
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
    let topology = rods.topology;
    let (mut bend, mut twist, mut largest) = ([0.0; BATCH], [0.0; BATCH], [0.0; BATCH]);
    let mut batch = VertexBatch::default();
    let mut derivatives = VertexDerivatives::default();
    let mut gathered = [Gathered::default(); 2];
    for first in (0..topology.vertices()).step_by(BATCH) {
        let vertices = first..(first + BATCH).min(topology.vertices());
        gather(&rods, kinematics, q, vertices.clone(), &mut batch);
        let edges = kinematics.around(topology, vertices.clone(), &mut gathered);
        differentiate(&batch, edges, blocks.is_some(), &mut derivatives);
        let [before, after, twisting] = &derivatives.energy;
        // Places beyond the last vertex hold edges of others.
        for (k, forces) in derivatives.gradient.iter().enumerate() {
            if k % 4 < 3 {
                raise(&mut largest[..vertices.len()], forces);
            }
        }
        for (lane, vertex) in vertices.clone().enumerate() {
            bend[lane] += before[lane] + after[lane];
            twist[lane] += twisting[lane];
            add_at_vertex(topology, vertex, (&derivatives.by_nodes, lane), gradient);
        }
        if let Some(blocks) = blocks.as_deref_mut() {
            blocks.vertices(topology, vertices, &derivatives.blocks);
        }
    }
    let energy = ElasticEnergy {
        bend: bend.iter().sum(),
        twist: twist.iter().sum(),
        ..ElasticEnergy::default()
    };
    (energy, largest.into_iter().fold(0.0, f64::max))
}

/// Adds what one of several vertices exerts on its unknowns.
#[inline(always)]
fn add_at_vertex(
    topology: &Topology,
    vertex: usize,
    (columns, lane): (&[Column; 11], usize),
    gradient: &mut [f64],
) {
    let [a, b, c] = topology.vertex_nodes[vertex];
    let first = topology.node_dof[a];
    // Along a rod they follow each other; not over the seam of a closed one.
    if b == a + 1 && c == a + 2 {
        let unknowns = &mut gradient[first..first + columns.len()];
        for (unknown, column) in unknowns.iter_mut().zip(columns) {
            *unknown += column[lane];
        }
    } else {
        for (dof, column) in topology.vertex_dofs(vertex).iter().zip(columns) {
            gradient[*dof] += column[lane];
        }
    }
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
        let tau = strain::twist(rods.topology, kinematics, q, vertex);
        batch.set(lane, tau, &rods.elasticity(vertex));
    }
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
        let [minus, plus] = model.topology.vertex_edges[vertex].map(|e| kinematics.edge(e));
        let geometry = VertexGeometry::new(&minus, &plus);
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
    // By the kernels that make forces; these go nowhere.
    let mut unused = vec![0.0; rods.topology.dofs];
    let (energy, _) = add_elastic(rods, kinematics, q, &mut unused, None);
    ElasticEnergy {
        stretch: stretch + energy.stretch,
        bend: bend + energy.bend,
        twist: twist + energy.twist,
    }
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
