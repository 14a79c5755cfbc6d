//! Catalogue 1.4: a straight rod bent into a ring, and a ring that is one by nature.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::forces::{ElasticEnergy, add_elastic};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::rod::{Kinematics, Rod};
use writhe::state::State;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::extremes::largest;
use crate::setup::polygons::regular_polygon;
use crate::setup::statics::{positions, section, settle_from};

/// The case.
pub const CASE: Case = Case {
    name: "ring",
    section: "1.4",
    measures: "bending energy of a straight rod in a ring of N edges; energy and force of a naturally circular one",
    source: Source::ClosedForm,
    origin: "[(tan x + 2 sin x)/3x]^2 with x = pi/N, and [tan x/x]^2 for averaged directors, exact for the discrete rod",
    run,
};

/// Stretching stiffness of a solid circle with B = 1 and the radius of [`section`], 4 B / h^2.
const EA: f64 = 4e4;

/// Energies and the largest entry of the gradient.
fn elastic(model: &Model, state: &State) -> Result<(ElasticEnergy, f64), CaseError> {
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &state.frames, &state.q)?;
    let mut gradient = vec![0.0; state.q.len()];
    let (energy, _) = add_elastic(model, &kinematics, &state.q, &mut gradient, None);
    Ok((energy, largest(gradient.iter().map(|g| g.abs()))))
}

fn build(rod: Rod, bending: BendingModel) -> Result<(Model, State), CaseError> {
    Ok(ModelBuilder::new().rod(rod).bending(bending).build()?)
}

/// Energy over that of the smooth ring.
fn exact(bending: BendingModel, x: f64) -> f64 {
    match bending {
        BendingModel::HalfEdges => (x.tan() + 2.0 * x.sin()) / (3.0 * x),
        _ => x.tan() / x,
    }
    .powi(2)
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, bending) in [
        ("", BendingModel::HalfEdges),
        (", averaged directors", BendingModel::Averaged),
    ] {
        for n in [10, 20, 50, 100, 200] {
            let rod = Rod::closed(regular_polygon(n), section(EA))?;
            let (model, state) = build(rod.straight_at_rest()?, bending)?;
            let (energy, _) = elastic(&model, &state)?;
            let what = format!("bending energy, {n} edges{name}");
            let ratio = energy.bend / (2.0 * PI * PI);
            let exact = exact(bending, PI / n as f64);
            rows.push(Row::relative(what, ratio, exact, 1e-12).unit("2 pi^2 B/L"));
        }
    }
    // With finer rings the rounding of node positions alone turns edges by more than 1e-12 of the
    // angle at a vertex.
    for n in [10, 20, 50, 100] {
        let ring = Rod::closed(regular_polygon(n), section(EA))?;
        let bending = BendingModel::HalfEdges;
        let (model, state) = build(ring.clone().straight_at_rest()?, bending)?;
        let (bent, _) = elastic(&model, &state)?;
        // Moment over edge length: the force that a straight rod in this shape bears.
        let force = 2.0 * (PI / n as f64).tan() * (n * n) as f64;
        let (model, state) = build(naturally_circular(ring, n)?, bending)?;
        let (energy, gradient) = elastic(&model, &state)?;
        let what =
            |what| format!("{what} of a natural ring, over those of a straight rod, {n} edges");
        rows.push(Row::at_most(
            what("energy"),
            energy.total() / bent.bend,
            1e-24,
        ));
        rows.push(Row::at_most(what("force"), gradient / force, 1e-12));
        let before = model.positions(&state);
        let mut settled = settle_from(model, state)?;
        for _ in 0..10 {
            settled.step(1e-3)?;
        }
        let moved = before.iter().zip(positions(&settled));
        let moved = largest(moved.map(|(x, y)| x.distance(y)));
        let what = format!("motion of a natural ring that settles and takes 10 steps, {n} edges");
        rows.push(Row::at_most(what, moved, 1e-12).unit("L"));
    }
    Ok(rows)
}

/// With rest curvature `2 tan(pi/N)` towards the centre; the ring turns left about +z.
fn naturally_circular(ring: Rod, n: usize) -> Result<Rod, CaseError> {
    let mut rod = ring.straight_at_rest()?;
    let binormal = DVec3::Z * 2.0 * (PI / n as f64).tan();
    let edge = |e: usize| (rod.positions[(e + 1) % n] - rod.positions[e]).normalize();
    let rest = (0..n).map(|i| {
        let (a, b) = (i, (i + 1) % n);
        let m1 = 0.5 * (rod.directors[a] + rod.directors[b]);
        let m2 = 0.5 * (edge(a).cross(rod.directors[a]) + edge(b).cross(rod.directors[b]));
        [binormal.dot(m2), -binormal.dot(m1)]
    });
    rod.rest_curvature = rest.collect();
    Ok(rod)
}
