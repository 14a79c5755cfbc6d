//! Rods of unit length and unit bending stiffness at rest, shared by the tests of statics.
#![allow(dead_code)]

use glam::DVec3;
use writhe::integrate::StepSettings;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Rod, Section};
use writhe::simulation::Simulation;
use writhe::state::State;

/// Unit bending and twisting stiffness, unit mass per length; stretching stiffness `ea`.
pub fn section(ea: f64) -> Section {
    Section {
        ea,
        ei1: 1.0,
        ei2: 1.0,
        gj: 1.0,
        mass_per_length: 1.0,
        inertia_per_length: 1e-4,
        radius: 0.01,
    }
}

/// Edge length of a rod of unit length with `clamps` clamped ends. A clamped edge acts as a clamp at its middle, so half of it
/// lies behind the clamp plane.
pub fn edge_length(edges: usize, clamps: usize) -> f64 {
    1.0 / (edges as f64 - 0.5 * clamps as f64)
}

/// Nodes along x of a rod whose first edge is to be clamped: the clamp plane is x = 0, the tip x = 1.
pub fn clamped_nodes(edges: usize) -> Vec<DVec3> {
    let l = edge_length(edges, 1);
    (0..=edges)
        .map(|i| DVec3::X * (l * (i as f64 - 0.5)))
        .collect()
}

/// A straight rod of one section through `nodes`, whatever their shape.
pub fn straight_rod(nodes: Vec<DVec3>, section: Section) -> Rod {
    Rod::open(nodes, section)
        .and_then(Rod::straight_at_rest)
        .expect("rod")
}

/// The equilibrium that the first state settles to.
pub fn settle(builder: ModelBuilder) -> Simulation {
    let (model, state) = builder.build().expect("model");
    settle_from(model, state)
}

pub fn settle_from(model: Model, state: State) -> Simulation {
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle().expect("equilibrium");
    simulation
}

pub fn positions(simulation: &Simulation) -> Vec<DVec3> {
    simulation.model.positions(&simulation.state)
}

/// Errors with n/2, n and 2n edges: the middle one is below `bound`, and errors fall by 3.5 to 4.5 on each doubling.
pub fn assert_second_order(what: &str, bound: f64, error: [f64; 3]) {
    let falls = [error[0] / error[1], error[1] / error[2]];
    println!("{what}: error {:.3e}, falls by {falls:.3?}", error[1]);
    assert!(error[1].abs() < bound, "{what}: {error:?} over {bound:e}");
    assert!(
        falls.iter().all(|fall| (3.5..4.5).contains(fall)),
        "{what}: errors {error:?} fall by {falls:?}"
    );
}

/// Nodes of equal edges and total length 1 on a circular arc from the origin to `(span, 0, 0)`, above the x axis.
pub fn arc_nodes(edges: usize, span: f64) -> Vec<DVec3> {
    let n = edges as f64;
    let l = 1.0 / n;
    // A polygon that turns by t at each vertex spans l sin(n t / 2) / sin(t / 2).
    let chord = |t: f64| l * (0.5 * n * t).sin() / (0.5 * t).sin();
    let (mut low, mut high) = (1e-9, std::f64::consts::TAU / n);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if chord(middle) > span {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut x = DVec3::ZERO;
    let mut nodes = vec![x];
    for i in 0..edges {
        let (sin, cos) = (low * (0.5 * (n - 1.0) - i as f64)).sin_cos();
        x += DVec3::new(cos, sin, 0.0) * l;
        nodes.push(x);
    }
    nodes
}
