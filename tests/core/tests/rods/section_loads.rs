//! Forces and moments across the sections of rods: statics, and what an arc is known to need.

use glam::DVec3;
use writhe::forces::{add_elastic, section_loads};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::rod::{Kinematics, Material, Rod, Section};
use writhe::state::State;

const MODELS: [BendingModel; 3] = [
    BendingModel::Averaged,
    BendingModel::PerEdge,
    BendingModel::HalfEdges,
];

/// A rod and a ring that are bent, twisted and stretched since they were at rest.
fn bent(bending: BendingModel) -> (Model, State) {
    let section = Section::ellipse(Material::new(1e6, 0.3, 1000.0), 0.02, 0.01);
    let wave = |i: usize| {
        let s = i as f64;
        DVec3::new(0.3 * s, 0.1 * (1.3 * s).sin(), 0.05 * s * s)
    };
    let ring = |i: usize| {
        let (s, c) = (i as f64 * std::f64::consts::TAU / 7.0).sin_cos();
        DVec3::new(c, s, 3.0 + 0.2 * (2.0 * s).cos())
    };
    let open = Rod::open((0..6).map(wave).collect(), section).unwrap();
    let closed = Rod::closed((0..7).map(ring).collect(), section).unwrap();
    let builder = ModelBuilder::new().rod(open).rod(closed).bending(bending);
    let (model, mut state) = builder.build().unwrap();
    // Away from rest, every unknown in its own way.
    for (i, q) in state.q.iter_mut().enumerate() {
        *q += 0.02 * (1.7 * i as f64).sin();
    }
    // The frames of a state are those of its configuration.
    let mut at = Kinematics::default();
    at.update(&model.topology, &state.frames, &state.q).unwrap();
    state.frames = at.frames();
    (model, state)
}

fn vector(values: &[f64], dof: usize) -> DVec3 {
    DVec3::new(values[dof], values[dof + 1], values[dof + 2])
}

/// What crosses the edges at a node balances the elastic force on it; what crosses the vertices at
/// an edge, its elastic torque, and both together the moments of forces on it.
#[test]
fn nodes_and_edges_are_in_balance() {
    for bending in MODELS {
        let (model, state) = bent(bending);
        let topology = &model.topology;
        let mut at = Kinematics::default();
        at.update(topology, &state.frames, &state.q).unwrap();
        let mut gradient = vec![0.0; topology.dofs];
        add_elastic(&model, &at, &state.q, &mut gradient, None);
        let loads = section_loads(&model, &state).unwrap();
        let scale = gradient.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        for rod in &topology.rods {
            for local in 0..rod.nodes {
                let node = rod.first_node + local;
                let after = (local < rod.edges).then(|| loads.force[rod.first_edge + local]);
                let before = match (local, rod.closed) {
                    (0, false) => None,
                    (0, true) => Some(rod.first_edge + rod.edges - 1),
                    _ => Some(rod.first_edge + local - 1),
                };
                let before = before.map(|edge| loads.force[edge]);
                let exerted = after.unwrap_or_default() - before.unwrap_or_default();
                let elastic = -vector(&gradient, topology.node_dof[node]);
                let off = (exerted - elastic).length();
                assert!(off < 1e-12 * scale, "{bending:?} node {node}: {off}");
            }
            for local in 0..rod.edges {
                let edge = rod.first_edge + local;
                let of = |side: usize| {
                    let mut all = topology.vertex_edges.iter();
                    let vertex = all.position(|edges| edges[side] == edge);
                    vertex.map_or(DVec3::ZERO, |v| loads.moment[v])
                };
                // The vertex at its end has it before itself, the one at its start after.
                let (end, start) = (of(0), of(1));
                let e = at.edge(edge);
                let torque = -gradient[topology.edge_dof[edge]];
                let arm = e.tangent * e.length;
                let balance = end - start + arm.cross(loads.force[edge]);
                let off = (balance - torque * e.tangent).length();
                assert!(off < 1e-12 * scale, "{bending:?} edge {edge}: {off}");
            }
        }
    }
}

/// A straight rod held in an arc carries EI over the radius, about the normal of its plane, and no
/// twist; a rod that is stretched carries its tension.
#[test]
fn an_arc_carries_its_bending_moment() {
    let (n, radius, h, young) = (200, 0.5, 0.01, 1e7);
    let material = Material::new(young, 0.5, 1000.0);
    let angle = |i: usize| 0.7 * i as f64 / n as f64;
    let arc = |i: usize| radius * DVec3::new(angle(i).sin(), 1.0 - angle(i).cos(), 0.0);
    let mut rod = Rod::open((0..=n).map(arc).collect(), Section::circle(material, h)).unwrap();
    rod.rest_curvature.iter_mut().for_each(|k| *k = [0.0; 2]);
    let stretch = 1e-3;
    rod.rest_lengths
        .iter_mut()
        .for_each(|l| *l /= 1.0 + stretch);
    let (model, state) = ModelBuilder::new().rod(rod).build().unwrap();
    let loads = section_loads(&model, &state).unwrap();
    let inertia = std::f64::consts::PI / 4.0 * h.powi(4);
    let wanted = DVec3::Z * (young * inertia / radius);
    for moment in &loads.moment {
        let off = (*moment - wanted).length() / wanted.length();
        assert!(off < 2.0 * stretch, "{moment} for {wanted}");
    }
    let tension = young * std::f64::consts::PI * h * h * stretch;
    let middle = loads.force[n / 2].length();
    assert!((middle / tension - 1.0).abs() < 1e-3, "{middle} {tension}");
}
