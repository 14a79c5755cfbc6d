//! Closed rods are made at rest, whatever their shape.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::forces::{ElasticEnergy, add_elastic};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Kinematics, Rod};
use writhe::state::State;
use writhe_validate::setup::polygons::regular_polygon;
use writhe_validate::setup::statics::section;

/// Stretching stiffness of a solid circle with B = 1 and the radius of [`section`], 4 B / h^2.
const EA: f64 = 4e4;

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

/// A closed rod of any shape starts at rest, out of plane too.
#[test]
fn closed_rod_is_made_at_rest() {
    let nodes = regular_polygon(200);
    let wavy =
        |(i, x): (usize, &DVec3)| *x + DVec3::Z * (0.05 * (TAU * 3.0 * i as f64 / 200.0).sin());
    let rod = Rod::closed(nodes.iter().enumerate().map(wavy).collect(), section(EA)).unwrap();
    let (model, state) = ModelBuilder::new().rod(rod).build().unwrap();
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
