use glam::DVec3;

use super::*;
use crate::fluid::{Coupling, StokesletSegments};
use crate::model::ModelBuilder;
use crate::rod::{Material, Rod, Section};
use crate::schedule::Motion;
use crate::solve::refine::max_abs;

const RATE: f64 = 75.0;
/// Diagonal of J and stiffness of edges, N/m.
const OWN: f64 = 0.9;
const EDGE: f64 = 40.0;

/// An open rod that is clamped and a ring beside it.
fn rods() -> (Model, Drag) {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let straight = (0..20).map(|i| DVec3::new(4e-3 * f64::from(i), 0.0, 0.0));
    let ring = (0..15).map(|i| {
        let angle = std::f64::consts::TAU * f64::from(i) / 15.0;
        DVec3::new(0.01 * angle.cos(), 0.02, 0.01 * angle.sin())
    });
    let fluid = Fluid::new(
        StokesletSegments {
            viscosity: 1.0,
            regularisation: 1.02,
        },
        Coupling::Implicit,
    );
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(straight.collect(), section).unwrap())
        .rod(Rod::closed(ring.collect(), section).unwrap())
        .clamp(0, 0, Motion::Still)
        .fluid(fluid.clone())
        .build()
        .unwrap();
    let mut drag = Drag::default();
    drag.assemble(&model, &fluid, &state.q).unwrap();
    (model, drag)
}

/// J without what closes the ring, which the matrix of an open rod does not hold.
fn stiffness(model: &Model, blocks: &mut dyn Blocks) {
    blocks.diagonal(&vec![OWN; model.topology.dofs]);
    for (edge, nodes) in open_edges(model) {
        let [i, j] = nodes.map(|node| model.topology.node_dof[node]);
        let h = [[EDGE, 0.0, 0.0], [0.0, EDGE, 0.0], [0.0, 0.0, EDGE]];
        blocks.edge(edge, &[i, i + 1, i + 2, j, j + 1, j + 2], &h);
    }
}

fn open_edges(model: &Model) -> impl Iterator<Item = (usize, [usize; 2])> {
    let edges = model.topology.edge_nodes.iter().copied().enumerate();
    edges.filter(|(_, [i, j])| i < j)
}

fn times_stiffness(model: &Model, dq: &[f64]) -> Vec<f64> {
    let mut product: Vec<f64> = dq.iter().map(|d| OWN * d).collect();
    for (_, nodes) in open_edges(model) {
        let [i, j] = nodes.map(|node| model.topology.node_dof[node]);
        for k in 0..3 {
            let force = EDGE * (dq[j + k] - dq[i + k]);
            product[i + k] -= force;
            product[j + k] += force;
        }
    }
    product
}

/// Both rows of the coupled system, those of prescribed unknowns left out: the first exactly, the
/// second to what was asked for.
#[test]
fn the_coupled_system_is_solved() {
    let (model, drag) = rods();
    let fixed = model.constraints.fixed();
    let mut system = System::new(&model);
    stiffness(&model, &mut system.sink(fixed));
    drag.add_resistance(&model, RATE, &mut system.sink(fixed));
    system.factor(fixed).unwrap();
    let wave = |i: usize| (1.3 * i as f64).sin();
    let dofs = 0..model.topology.dofs;
    let r: Vec<f64> = dofs
        .map(|dof| if fixed[dof] { 0.0 } else { 0.01 * wave(dof) })
        .collect();
    let v: Vec<f64> = (0..3 * model.topology.nodes())
        .map(|i| wave(i + 7))
        .collect();
    let (accuracy, mut krylov) = (1e-5, KrylovWorkspace::default());
    let Correction {
        dq, drag: found, ..
    } = drag
        .solve(&model, &mut system, RATE, (&r, &v), accuracy, &mut krylov)
        .unwrap();

    let mut balance = times_stiffness(&model, &dq);
    let df = found.force;
    let mut flow = vec![0.0; df.len()];
    drag.velocity(&df, &mut flow).unwrap();
    // Known without a product of its own, to the digits of those in f32.
    let largest = max_abs(&flow);
    for (found, wanted) in found.flow.iter().zip(&flow) {
        assert!((found - wanted).abs() < 2e-6 * largest, "{found} {wanted}");
    }
    for (node, dof) in model.topology.node_dof.iter().enumerate() {
        for k in 0..3 {
            balance[dof + k] -= df[3 * node + k];
            flow[3 * node + k] += RATE * dq[dof + k];
        }
    }
    for dof in (0..dq.len()).filter(|dof| !fixed[*dof]) {
        assert!((balance[dof] - r[dof]).abs() < 1e-9, "{dof}");
    }
    assert!((0..dq.len()).all(|dof| !fixed[dof] || dq[dof] == 0.0));
    for (i, (found, wanted)) in flow.iter().zip(&v).enumerate() {
        assert!((found - wanted).abs() < 1e-3, "{i}: {found} {wanted}");
    }
}

/// After a change by a tenth flows are known to six digits less one; confirmed, to the last.
#[test]
fn a_flow_that_changed_much_is_confirmed() {
    let (_, drag) = rods();
    let exact = |force: &[f64]| {
        let mut flow = vec![0.0; force.len()];
        drag.velocity(force, &mut flow).unwrap();
        flow
    };
    let wave = |k: f64| {
        (0..105)
            .map(|i| (k * f64::from(i)).sin())
            .collect::<Vec<_>>()
    };
    let start = ForceAndFlow {
        flow: exact(&wave(0.3)),
        force: wave(0.3),
        changed: 0.0,
    };
    let mut by = ForceAndFlow {
        force: wave(1.1),
        ..ForceAndFlow::default()
    };
    by.flow = vec![0.0; by.force.len()];
    drag.flow(&by.force, &mut by.flow).unwrap();
    let mut moved = start.clone();
    moved.shift(&start, 1e-4, &by);
    assert!(moved.error() < 1e-9);
    let (before, wanted) = (moved.clone(), exact(&moved.force));
    let largest = max_abs(&wanted);
    let apart = |flow: &[f64], wanted: &[f64]| {
        let apart: Vec<f64> = flow.iter().zip(wanted).map(|(a, b)| a - b).collect();
        max_abs(&apart) / largest
    };
    assert!(apart(&moved.flow, &wanted) < 1e-9);
    moved.shift(&before, 0.1, &by);
    assert!((1e-9..1e-6).contains(&moved.error()));
    assert!(apart(&moved.flow, &exact(&moved.force)) < 1e-6);
}
