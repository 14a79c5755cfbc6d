//! The quasistatic material frame: where angles come to rest, and that the force is the one of
//! Bergou et al. 2008 (B08).

use glam::{DMat3, DVec3};
use writhe::forces::{add_bending_and_twisting, twist};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::rod::{Kinematics, Rod, Section};
use writhe::schedule::Schedule;
use writhe::state::State;
use writhe::step::relax_angles;
use writhe_tests::support::{Random, kinematics, relative_error};

const NODES: usize = 9;

/// Bending stiffness along m1 and m2, and twisting stiffness.
fn section(ei1: f64, ei2: f64, gj: f64) -> Section {
    Section {
        ea: 1e3,
        ei1,
        ei2,
        gj,
        mass_per_length: 1.0,
        inertia_per_length: 1e-4,
        radius: 0.01,
    }
}

/// What holds the angles.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    Free,
    Clamped,
}

/// A random polygon, as long as at rest, its first and last angles held, or none.
fn random_rod(random: &mut Random, section: Section, curved: bool, ends: Ends) -> (Model, State) {
    let mut at = DVec3::ZERO;
    let mut nodes = vec![at];
    for _ in 1..NODES {
        at += 0.3 * (DVec3::X + 0.6 * random.vector());
        nodes.push(at);
    }
    let mut rod = Rod::open(nodes, section)
        .unwrap()
        .straight_at_rest()
        .unwrap();
    if curved {
        for k in &mut rod.rest_curvature {
            *k = [0.4 + 0.2 * random.next(), 0.3 * random.next()];
        }
    }
    let mut builder = ModelBuilder::new().rod(rod).bending(BendingModel::PerEdge);
    if ends == Ends::Clamped {
        builder = builder
            .hold_angle(0, 0, Schedule::Constant(0.0))
            .hold_angle(0, NODES - 2, Schedule::Constant(0.0));
    }
    let (model, mut state) = builder.build().unwrap();
    if ends == Ends::Clamped {
        state.q[model.topology.edge_dof[NODES - 2]] = 4.0;
    }
    let state = relax_angles(&model, &state).unwrap();
    (model, state)
}

fn gradient(model: &Model, state: &State) -> (Kinematics, Vec<f64>) {
    let k = kinematics(model, &state.frames, &state.q);
    let mut gradient = vec![0.0; state.q.len()];
    add_bending_and_twisting(model, &k, &state.q, &mut gradient, None);
    (k, gradient)
}

/// B08 Eq. 9: gradient of the holonomy of vertex `i` (counted from 1) by the position of node `p`.
fn holonomy(k: &Kinematics, i: usize, p: usize) -> DVec3 {
    let binormal = binormal(k, i) * 0.5;
    let (before, after) = (binormal / k.length(i - 1), -binormal / k.length(i));
    match (p + 1).checked_sub(i) {
        Some(0) => before,
        Some(1) => -(before + after),
        Some(2) => after,
        _ => DVec3::ZERO,
    }
}

/// B08 Eq. 10.
fn total_holonomy(k: &Kinematics, j: usize, p: usize) -> DVec3 {
    (1..=j).map(|i| holonomy(k, i, p)).sum()
}

/// B08 Eq. 1.
fn binormal(k: &Kinematics, i: usize) -> DVec3 {
    let [a, b] = [i - 1, i].map(|e| k.tangent(e) * k.length(e));
    2.0 * a.cross(b) / (a.length() * b.length() + a.dot(b))
}

/// B08 section 7.1: derivative of the binormal of vertex `i` by the position of node `p`, edges as
/// long as they are.
fn binormal_gradient(k: &Kinematics, i: usize, p: usize) -> DMat3 {
    let [a, b] = [i - 1, i].map(|e| k.tangent(e) * k.length(e));
    let (kb, d) = (binormal(k, i), a.length() * b.length() + a.dot(b));
    let cross =
        |e: DVec3| DMat3::from_cols(e.cross(DVec3::X), e.cross(DVec3::Y), e.cross(DVec3::Z));
    let outer = |x: DVec3, y: DVec3| DMat3::from_cols(x * y.x, x * y.y, x * y.z);
    let before = (2.0 * cross(b) + outer(kb, b)) * (1.0 / d);
    let after = (2.0 * cross(a) - outer(kb, a)) * (1.0 / d);
    match (p + 1).checked_sub(i) {
        Some(0) => before,
        Some(1) => -(before + after),
        Some(2) => after,
        _ => DMat3::ZERO,
    }
}

/// The force of B08 section 7.1, general case: minus `dE/dx_p` with Eq. 11, plus `dE/dtheta^n`
/// times the sum of the holonomies' gradients.
fn general_force(model: &Model, state: &State, k: &Kinematics, torque: f64, p: usize) -> DVec3 {
    let n = NODES - 2;
    let mut force = torque * total_holonomy(k, n, p);
    for i in 1..=n {
        let kb = binormal(k, i);
        let by_node = binormal_gradient(k, i, p);
        for (side, j) in [i - 1, i].into_iter().enumerate() {
            let bending = model.bending[2 * (i - 1) + side];
            let e = k.edge(j);
            let omega = [kb.dot(e.m2), -kb.dot(e.m1)];
            let turning = total_holonomy(k, j, p);
            // J turns by a quarter: J w = (-w2, w1).
            let gradient = [
                by_node.transpose() * e.m2 + omega[1] * turning,
                -(by_node.transpose() * e.m1) - omega[0] * turning,
            ];
            for c in 0..2 {
                force -= bending.stiffness[c] * (omega[c] - bending.rest[c]) * gradient[c];
            }
        }
    }
    let _ = state;
    force
}

/// Largest difference of two forces along motions that stretch no edge, over the largest force.
fn difference(model: &Model, state: &State, a: &[DVec3], b: &[DVec3]) -> f64 {
    let flat = |f: &[DVec3]| -> Vec<f64> { f.iter().flat_map(|f| f.to_array()).collect() };
    let x = model.positions(state);
    // Gram-Schmidt on the gradients of the lengths.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for edge in 0..NODES - 1 {
        let mut row = vec![DVec3::ZERO; NODES];
        row[edge] = x[edge] - x[edge + 1];
        row[edge + 1] = -row[edge];
        basis.push(orthogonal(&flat(&row), &basis));
    }
    let [a, b] = [a, b].map(|f| orthogonal_part(&flat(f), &basis));
    relative_error(&a, &b)
}

fn orthogonal_part(v: &[f64], basis: &[Vec<f64>]) -> Vec<f64> {
    let mut v = v.to_vec();
    for b in basis.iter().chain(basis) {
        let along: f64 = v.iter().zip(b).map(|(x, y)| x * y).sum();
        v.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
    }
    v
}

fn orthogonal(v: &[f64], basis: &[Vec<f64>]) -> Vec<f64> {
    let v = orthogonal_part(v, basis);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.iter().map(|x| x / length).collect()
}

fn positions(model: &Model, g: &[f64]) -> Vec<DVec3> {
    let dofs = model.topology.node_dof.iter();
    dofs.map(|dof| -DVec3::from_slice(&g[*dof..])).collect()
}

/// The partial derivative by positions, frames carried in time, is B08's total derivative: sum of
/// holonomies and all.
#[test]
fn forces_are_those_of_b08() {
    let mut random = Random(11);
    for (name, section, curved) in [
        ("isotropic", section(1.3, 1.3, 0.8), false),
        ("anisotropic", section(2.0, 0.7, 0.8), false),
        ("curved", section(1.3, 1.3, 0.8), true),
        ("curved and anisotropic", section(2.0, 0.7, 0.8), true),
    ] {
        for ends in [Ends::Free, Ends::Clamped] {
            for _ in 0..5 {
                let (model, state) = random_rod(&mut random, section, curved, ends);
                let (k, g) = gradient(&model, &state);
                // dE/dtheta of the last edge: 0 where it is free.
                let torque = g[model.topology.edge_dof[NODES - 2]];
                assert_eq!(torque.abs() > 1e-3, ends == Ends::Clamped);
                let ours = positions(&model, &g);
                let theirs: Vec<DVec3> = (0..NODES)
                    .map(|p| general_force(&model, &state, &k, torque, p))
                    .collect();
                let error = difference(&model, &state, &ours, &theirs);
                assert!(error < 1e-12, "{name}, {ends:?}: off by {error:e}");
            }
        }
    }
}

/// The special case of section 7.1:
/// `-2 alpha/l (grad kb)^T kb + beta (theta_n - theta_0)/L grad psi`.
#[test]
fn forces_of_isotropic_straight_rods_are_those_of_the_special_case() {
    let mut random = Random(12);
    let (alpha, beta) = (1.3, 0.8);
    let (model, state) = random_rod(
        &mut random,
        section(alpha, alpha, beta),
        false,
        Ends::Clamped,
    );
    let (k, g) = gradient(&model, &state);
    let l = |i: usize| model.rest_length[i - 1] + model.rest_length[i];
    let length: f64 = (1..NODES - 1).map(l).sum::<f64>() / 2.0;
    let total: f64 = (0..NODES - 2).map(|v| twist(&model, &k, &state.q, v)).sum();
    let theirs: Vec<DVec3> = (0..NODES)
        .map(|p| {
            let vertex = |i: usize| {
                let bend = binormal_gradient(&k, i, p).transpose() * binormal(&k, i);
                -2.0 * alpha / l(i) * bend + beta * total / length * holonomy(&k, i, p)
            };
            (1..NODES - 1).map(vertex).sum()
        })
        .collect();
    let error = difference(&model, &state, &positions(&model, &g), &theirs);
    assert!(error < 1e-12, "off by {error:e}");
}

/// B08 Eq. 5: pointwise twist of an isotropic straight rod is uniform, whatever its centreline; of
/// a free one there is none.
#[test]
fn twist_of_isotropic_straight_rods_is_uniform() {
    let mut random = Random(13);
    for ends in [Ends::Free, Ends::Clamped] {
        let (model, state) = random_rod(&mut random, section(1.3, 1.3, 0.8), false, ends);
        let k = kinematics(&model, &state.frames, &state.q);
        let moment = |v: usize| model.twisting[v].moment(twist(&model, &k, &state.q, v));
        for v in 0..NODES - 2 {
            assert!((moment(v) - moment(0)).abs() < 1e-14 * (1.0 + moment(0).abs()));
        }
        assert_eq!(moment(0).abs() > 0.1, ends == Ends::Clamped);
    }
}

/// Newton's method, which a curvature at rest of 1e-300 forces, finds what the closed form says:
/// open rods and rings, held or not.
#[test]
fn newton_agrees_with_the_closed_form() {
    let mut random = Random(14);
    for closed in [false, true] {
        for held in [vec![], vec![3], vec![1, 5]] {
            let nodes: Vec<DVec3> = (0..8)
                .map(|i| {
                    let a = f64::from(i) * std::f64::consts::TAU / 8.0;
                    DVec3::new(a.cos(), a.sin(), 0.0) + 0.2 * random.vector()
                })
                .collect();
            let rod = if closed {
                Rod::closed(nodes, section(1.0, 1.0, 0.5))
            } else {
                Rod::open(nodes, section(1.0, 1.0, 0.5))
            };
            let mut rod = rod.unwrap().straight_at_rest().unwrap();
            for twist in &mut rod.rest_twist {
                *twist = 0.3 * random.next();
            }
            let turned: Vec<f64> = (0..8).map(|_| random.next()).collect();
            let moments = |rod: &Rod| -> Vec<f64> {
                let mut b = ModelBuilder::new()
                    .rod(rod.clone())
                    .bending(BendingModel::PerEdge);
                for edge in &held {
                    b = b.hold_angle(0, *edge, Schedule::Constant(turned[*edge]));
                }
                let (model, mut state) = b.build().unwrap();
                for (dof, theta) in model.topology.edge_dof.iter().zip(&turned) {
                    state.q[*dof] = *theta;
                }
                let state = relax_angles(&model, &state).unwrap();
                let k = kinematics(&model, &state.frames, &state.q);
                (0..model.topology.vertices())
                    .map(|v| twist(&model, &k, &state.q, v))
                    .collect()
            };
            let closed_form = moments(&rod);
            rod.rest_curvature[0] = [1e-300, 0.0];
            let newton = moments(&rod);
            for (a, b) in closed_form.iter().zip(&newton) {
                assert!(
                    (a - b).abs() < 1e-11,
                    "closed {closed}, held {held:?}: {a} {b}"
                );
            }
        }
    }
}

/// With bending averaged, twist softens bending by the cosine of its half: Newton's method finds
/// balance there too.
#[test]
fn averaged_bending_balances_too() {
    let mut random = Random(15);
    let mut at = DVec3::ZERO;
    let mut nodes = vec![at];
    for _ in 1..NODES {
        at += 0.3 * (DVec3::X + 0.6 * random.vector());
        nodes.push(at);
    }
    let rod = Rod::open(nodes, section(2.0, 0.7, 0.8))
        .unwrap()
        .straight_at_rest()
        .unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .hold_angle(0, 0, Schedule::Constant(0.0))
        .build()
        .unwrap();
    let state = relax_angles(&model, &state).unwrap();
    let (_, g) = gradient(&model, &state);
    for dof in &model.topology.edge_dof[1..] {
        assert!(g[*dof].abs() < 1e-11, "{:e}", g[*dof]);
    }
}

/// A moment along a rod whose angles nothing holds has nothing to balance it: an error with its
/// remedy, and no endless loop.
#[test]
fn a_free_rod_under_torque_is_refused() {
    let rod = Rod::open(
        (0..5).map(|i| DVec3::X * f64::from(i)).collect(),
        section(1.0, 2.0, 1.0),
    );
    let (model, state) = ModelBuilder::new()
        .rod(rod.unwrap())
        .moment(0, 2, DVec3::X, Schedule::Constant(0.1), false)
        .build()
        .unwrap();
    let error = relax_angles(&model, &state).unwrap_err().to_string();
    assert!(
        error.contains("the angles of rod 0 did not converge"),
        "{error}"
    );
}
