//! Vertices that yield as their two half edges do, one after the other: stiffness at a corner
//! against the compliances of its halves, energy of bent straight rods, independence of twist.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};
use writhe::forces::add_elastic;
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Rod, Section};
use writhe::state::State;
use writhe_tests::support::{Dense, Random, kinematics};

fn section(random: &mut Random) -> Section {
    let mut positive = || 1.5 + random.next();
    Section {
        // Edges keep their lengths in what follows: stretching has no part in it.
        ea: 1.0,
        ei1: positive(),
        ei2: positive(),
        gj: positive(),
        mass_per_length: 1.0,
        inertia_per_length: 1.0,
        radius: 0.01,
    }
}

/// Two edges of any lengths, sections and directors, that meet at this angle, rad, and are at rest.
fn corner(random: &mut Random, angle: f64) -> (Rod, Model, State) {
    let axis = random.vector().normalize();
    let t = axis.any_orthonormal_vector();
    let u = DMat3::from_axis_angle(axis, angle) * t;
    let nodes = [-t * (1.0 + 0.5 * random.next()), DVec3::ZERO, u];
    let sections = [section(random), section(random)];
    let mut rod = Rod::open(nodes.to_vec(), sections[0]).unwrap();
    rod.sections = sections.to_vec();
    rod.twist_directors(&[2.0 * random.next()]);
    let rest = {
        let (model, state) = ModelBuilder::new().rod(rod.clone()).build().unwrap();
        let k = kinematics(&model, &state.frames, &state.q);
        writhe::forces::twist(&model, &k, &state.q, 0)
    };
    // At rest as it stands: its twist, and the mean of both edges' curvatures.
    rod.rest_twist[0] = rest;
    let (m, p) = (frame(&rod, 0), frame(&rod, 1));
    let binormal = m.z_axis.cross(p.z_axis) * (2.0 / (1.0 + m.z_axis.dot(p.z_axis)));
    rod.rest_curvature[0] = [
        0.5 * binormal.dot(m.y_axis + p.y_axis),
        -0.5 * binormal.dot(m.x_axis + p.x_axis),
    ];
    let (model, state) = ModelBuilder::new().rod(rod.clone()).build().unwrap();
    (rod, model, state)
}

/// m1, m2 and t of an edge.
fn frame(rod: &Rod, edge: usize) -> DMat3 {
    let t = (rod.positions[edge + 1] - rod.positions[edge]).normalize();
    let m1 = rod.directors[edge];
    DMat3::from_cols(m1, t.cross(m1), t)
}

/// Turning one edge against the other by a small w takes `w S^-1 w/2`, S the sum of what both
/// halves yield to a moment: `l/2 (m1 m1^T/EI2 + m2 m2^T/EI1 + t t^T/GJ)` each.
#[test]
fn a_vertex_is_as_compliant_as_its_halves() {
    let mut random = Random(7);
    for angle in [0.0, 0.3, 1.1, 2.2] {
        for _ in 0..5 {
            let (rod, model, state) = corner(&mut random, angle);
            let k = kinematics(&model, &state.frames, &state.q);
            let mut gradient = vec![0.0; state.q.len()];
            let mut hessian = Dense::new(state.q.len());
            let (energy, _) = add_elastic(&model, &k, &state.q, &mut gradient, Some(&mut hessian));
            assert!(energy.total() < 1e-24, "not at rest: {energy:?}");
            let compliance = [0, 1].map(|edge| {
                let s = rod.sections[edge];
                let yields = DVec3::new(1.0 / s.ei2, 1.0 / s.ei1, 1.0 / s.gj);
                let f = frame(&rod, edge);
                f * DMat3::from_diagonal(yields * (0.5 * rod.rest_lengths[edge])) * f.transpose()
            });
            let stiffness = (compliance[0] + compliance[1]).inverse();
            for _ in 0..3 {
                let w = random.vector();
                // The second edge turns by w about the corner, with its directors.
                let mut way = vec![0.0; state.q.len()];
                let moved = w.cross(rod.positions[2] - rod.positions[1]);
                let dof = model.topology.node_dof[2];
                way[dof..dof + 3].copy_from_slice(&moved.to_array());
                way[model.topology.edge_dof[1]] = w.dot(frame(&rod, 1).z_axis);
                let n = way.len();
                let twice: f64 = (0..n)
                    .map(|r| {
                        way[r]
                            * (0..n)
                                .map(|c| hessian.values[r * n + c] * way[c])
                                .sum::<f64>()
                    })
                    .sum();
                let wanted = w.dot(stiffness * w);
                let error = twice / wanted - 1.0;
                assert!(error.abs() < 1e-9, "angle {angle}: {twice} for {wanted}");
            }
        }
    }
}

fn round() -> Section {
    Section {
        ea: 1e3,
        ei1: 1.0,
        ei2: 1.0,
        gj: 0.7,
        mass_per_length: 1.0,
        inertia_per_length: 1e-4,
        radius: 0.01,
    }
}

fn polygon(edges: usize) -> Vec<DVec3> {
    let size = 0.5 / (edges as f64 * (PI / edges as f64).sin());
    let node = |i: usize| {
        let (sin, cos) = (TAU * i as f64 / edges as f64).sin_cos();
        DVec3::new(cos, sin, 0.0) * size
    };
    (0..edges).map(node).collect()
}

/// The energy of a straight rod in a ring is that of the smooth ring but for the fourth power of
/// the angle at a vertex; averaged directors are off by its square.
#[test]
fn a_straight_rod_bent_into_a_ring_has_the_energy_of_a_smooth_one() {
    let error = |edges: usize, bending| {
        let ring = Rod::closed(polygon(edges), round()).unwrap();
        let builder = ModelBuilder::new()
            .rod(ring.straight_at_rest().unwrap())
            .bending(bending);
        let (model, state) = builder.build().unwrap();
        observe(&model, &state).unwrap().elastic.bend / (2.0 * PI * PI) - 1.0
    };
    for edges in [8, 16, 32] {
        let phi = TAU / edges as f64;
        let found = error(edges, BendingModel::HalfEdges);
        assert!(
            (found / (phi.powi(4) / 160.0) - 1.0).abs() < 0.1,
            "{edges}: {found:e}"
        );
        let averaged = error(edges, BendingModel::Averaged);
        assert!(averaged > 0.16 * phi * phi, "{edges}: {averaged:e}");
    }
}

/// However much a round straight rod is twisted from edge to edge, it bends the same.
#[test]
fn twist_does_not_soften_a_round_rod() {
    let nodes: Vec<DVec3> = (0..6)
        .map(|i| DVec3::new(0.1 * f64::from(i), 0.01 * f64::from(i * i), 0.0))
        .collect();
    let rod = Rod::open(nodes, round()).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod.straight_at_rest().unwrap())
        .build()
        .unwrap();
    let bent = |twist: f64| {
        let mut q = state.q.clone();
        for (edge, dof) in model.topology.edge_dof.iter().enumerate() {
            q[*dof] = twist * edge as f64;
        }
        let k = kinematics(&model, &state.frames, &q);
        let mut gradient = vec![0.0; q.len()];
        let energy = add_elastic(&model, &k, &q, &mut gradient, None).0;
        energy.bend
    };
    for twist in [0.5, PI, 4.3, 20.0] {
        assert!((bent(twist) / bent(0.0) - 1.0).abs() < 1e-12, "{twist}");
    }
}
