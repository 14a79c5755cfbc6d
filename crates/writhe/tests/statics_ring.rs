//! Rings: a straight rod bent into a polygon, and a naturally circular one.

#[path = "support/statics.rs"]
mod statics;

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use statics::{positions, section, settle_from};
use writhe::forces::{ElasticEnergy, add_elastic};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Kinematics, Rod};
use writhe::state::State;

/// Stretching stiffness of a solid circle with B = 1 and the radius of [`section`], 4 B / h^2.
const EA: f64 = 4e4;

/// Regular polygon of `n` sides of length 1/n.
fn polygon(n: usize) -> Vec<DVec3> {
    let radius = 0.5 / (n as f64 * (PI / n as f64).sin());
    (0..n)
        .map(|i| {
            let (sin, cos) = (TAU * i as f64 / n as f64).sin_cos();
            DVec3::new(cos, sin, 0.0) * radius
        })
        .collect()
}

/// Energies and the largest entry of the gradient.
fn elastic(model: &Model, state: &State) -> (ElasticEnergy, f64) {
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .unwrap();
    let mut gradient = vec![0.0; state.q.len()];
    let (energy, _) = add_elastic(model, &kinematics, &state.q, &mut gradient, None);
    (energy, gradient.iter().fold(0.0, |a, g| a.max(g.abs())))
}

fn build(rod: Rod) -> (Model, State) {
    ModelBuilder::new().rod(rod).build().unwrap()
}

/// `E / (2 pi^2 B/L) = [tan(pi/N) / (pi/N)]^2`; the table's figures are its roundings.
#[test]
fn energy_of_a_straight_rod_bent_into_a_ring() {
    for (n, table) in [
        (10, 1.0696762),
        (20, 1.0166823),
        (50, 1.0026378),
        (100, 1.0006583),
        (200, 1.0001645),
    ] {
        let rod = Rod::closed(polygon(n), section(EA)).unwrap();
        let (model, state) = build(rod.straight_at_rest().unwrap());
        let (energy, _) = elastic(&model, &state);
        let x = PI / n as f64;
        let law = (x.tan() / x).powi(2);
        let ratio = energy.bend / (2.0 * PI * PI);
        println!("ring of {n}: {:e}", ratio / law - 1.0);
        assert!((ratio / law - 1.0).abs() < 1e-12, "{n}: {ratio} {law}");
        assert!((ratio - table).abs() < 6e-8, "{n}: {ratio} {table}");
        assert!(energy.twist < 1e-24 && energy.stretch < 1e-18, "{energy:?}");
    }
}

/// With rest curvature `2 tan(pi/N)` towards the centre the polygon is at rest: no energy, no force, and it stays.
#[test]
fn naturally_circular_ring_is_at_rest() {
    // With finer rings the rounding of node positions alone turns edges by more than 1e-12 of the angle at a vertex.
    for n in [10, 20, 50, 100] {
        let ring = Rod::closed(polygon(n), section(EA)).unwrap();
        let (model, state) = build(ring.clone().straight_at_rest().unwrap());
        let (bent, _) = elastic(&model, &state);
        // Moment over edge length: the force that a straight rod in this shape bears.
        let force = 2.0 * (PI / n as f64).tan() * (n * n) as f64;

        let mut natural = ring.straight_at_rest().unwrap();
        for (i, rest) in natural.rest_curvature.iter_mut().enumerate() {
            let (a, b) = (i, (i + 1) % n);
            let edge =
                |e: usize| (natural.positions[(e + 1) % n] - natural.positions[e]).normalize();
            let m1 = 0.5 * (natural.directors[a] + natural.directors[b]);
            let m2 =
                0.5 * (edge(a).cross(natural.directors[a]) + edge(b).cross(natural.directors[b]));
            // The ring turns left about +z; components of the curvature binormal.
            let binormal = DVec3::Z * 2.0 * (PI / n as f64).tan();
            *rest = [binormal.dot(m2), -binormal.dot(m1)];
        }
        let (model, state) = build(natural);
        let (energy, gradient) = elastic(&model, &state);
        println!(
            "natural ring of {n}: {:e} {:e}",
            energy.total() / bent.bend,
            gradient / force
        );
        assert!(energy.total() < 1e-24 * bent.bend, "{n}: {energy:?}");
        assert!(gradient < 1e-12 * force, "{n}: {gradient:e} of {force:e}");

        let before = model.positions(&state);
        let mut settled = settle_from(model, state);
        for _ in 0..10 {
            settled.step(1e-3).expect("a ring at rest steps");
        }
        let moved = before.iter().zip(positions(&settled));
        let moved = moved.fold(0.0_f64, |a, (x, y)| a.max(x.distance(y)));
        assert!(moved < 1e-12, "{n}: {moved}");
    }
}

/// A closed rod of any shape starts at rest, out of plane too.
#[test]
fn closed_rod_is_made_at_rest() {
    let nodes = polygon(200);
    let wavy =
        |(i, x): (usize, &DVec3)| *x + DVec3::Z * (0.05 * (TAU * 3.0 * i as f64 / 200.0).sin());
    let (model, state) =
        build(Rod::closed(nodes.iter().enumerate().map(wavy).collect(), section(EA)).unwrap());
    let (energy, gradient) = elastic(&model, &state);
    // Moment over edge length of a straight rod in a ring as large.
    let force = 2.0 * (PI / 200.0).tan() * 200.0 * 200.0;
    println!(
        "closed rod of 200: {:e} {:e}",
        energy.total(),
        gradient / force
    );
    assert!(
        energy.total() < 1e-24 && gradient < 1e-12 * force,
        "{energy:?} {gradient:e}"
    );
}
