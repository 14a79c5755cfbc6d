//! Two rods across each other, thrown or pressed, and a ring that coils: where they are, by looking
//! at all pairs of edges.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::contact::ContactModel;
use writhe::kernels::distance::closest_points;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;

use super::writhe_number::gauss;

/// Of every rod, m.
pub const RADIUS: f64 = 1e-3;
/// Penetration over the radius that automatic stiffness allows.
pub const ALLOWED: f64 = 3e-3;
/// By which rods are pressed together, N.
pub const LOAD: f64 = 2e-3;

pub fn section(young: f64) -> Section {
    Section::circle(Material::new(young, 0.5, 1000.0), RADIUS)
}

/// A rod of `nodes` nodes 1 cm apart along `along`, the middle `offset` cm from its first node over
/// the z axis at `height`, m.
fn line(nodes: i32, offset: f64, along: DVec3, height: f64, young: f64) -> Rod {
    let node = |i: i32| along * (0.01 * (f64::from(i) - offset)) + DVec3::Z * height;
    Rod::open((0..nodes).map(node).collect(), section(young)).unwrap()
}

fn edge(model: &Model, state: &State, index: usize) -> [DVec3; 2] {
    model.topology.edge_nodes[index].map(|n| {
        let dof = model.topology.node_dof[n];
        DVec3::from_slice(&state.q[dof..])
    })
}

/// Gauss integral of two rods (it jumps by one when they pass through each other) and their
/// distance, m.
pub fn apart(model: &Model, state: &State) -> (f64, f64) {
    let split = model.topology.rods[1].first_edge;
    let (mut entanglement, mut distance) = (0.0, f64::INFINITY);
    for i in 0..split {
        for j in split..model.topology.edges() {
            let ([a0, a1], [b0, b1]) = (edge(model, state, i), edge(model, state, j));
            entanglement += gauss([a0, a1], [b0, b1]);
            distance = distance.min(closest_points(a0, a1, b0, b1).distance);
        }
    }
    (entanglement, distance)
}

/// Two rods a radius apart that fly at each other with `speed`, m/s; `angle` between them, rad.
pub fn thrown(contact: ContactModel, speed: f64, angle: f64, settings: StepSettings) -> Simulation {
    let across = DVec3::new(angle.cos(), angle.sin(), 0.0);
    let (model, mut state) = ModelBuilder::new()
        .rod(line(7, 2.7, DVec3::X, 0.0, 1e6))
        .rod(line(7, 2.7, across, 3.0 * RADIUS, 1e6))
        .contact(contact)
        .build()
        .unwrap();
    for (node, dof) in model.topology.node_dof.iter().enumerate() {
        // Not quite head on, and not with the centre of mass at rest.
        state.velocity[*dof] = 0.1 * speed;
        state.velocity[dof + 2] = if node < 7 { 0.7 * speed } else { -0.3 * speed };
    }
    Simulation::new(model, state, settings)
}

/// A rod along x under one along y that is pressed on it by [`LOAD`] and can neither slide nor
/// roll: its ends have the first two reactions. What moves the lower one's six nodes is the
/// caller's.
pub fn pressed(contact: ContactModel) -> ModelBuilder {
    let mut builder = ModelBuilder::new()
        .rod(line(6, 2.5, DVec3::X, 0.0, 1e8))
        .rod(line(6, 2.5, DVec3::Y, 2.005 * RADIUS, 1e8))
        .contact(contact)
        .hold_node(1, 0, [true, true, false], Motion::Still)
        .hold_node(1, 5, [true, true, false], Motion::Still);
    for node in 0..6 {
        builder = builder.force(1, node, DVec3::Z * (-LOAD / 6.0), Schedule::Constant(1.0));
    }
    for edge in 0..5 {
        builder = builder.hold_angle(1, edge, Schedule::Constant(0.0));
    }
    builder
}

/// A ring with eight turns of twist: it coils up until it touches itself. Twist and writhe add up
/// to eight as long as no edge passes through another; one that does changes the sum by two.
pub fn twisted_ring(contact: ContactModel) -> (Model, State) {
    let (nodes, turns) = (60, 8.0);
    let node = |i: usize| {
        let a = TAU * i as f64 / nodes as f64;
        let lift = 5e-4 * (2.0 * a).sin() + 2e-4 * (3.0 * a).cos();
        DVec3::new(0.04 * a.cos(), 0.04 * a.sin(), lift)
    };
    let rod = Rod::closed((0..nodes).map(node).collect(), section(1e6)).unwrap();
    let mut rod = rod.straight_at_rest().unwrap();
    rod.twist_directors(&vec![TAU * turns / nodes as f64; nodes - 1]);
    let builder = ModelBuilder::new().rod(rod).viscous_damping(0.02);
    builder.contact(contact).build().unwrap()
}
