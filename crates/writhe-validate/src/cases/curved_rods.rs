//! Rods that are curved by nature, and one with a corner, bend under a load at their tip as smooth
//! ones do, with second order of the edge length.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;
use writhe::model::BendingModel;
use writhe::rod::Section;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::compliance::{smooth_compliance, tip_displacement};
use crate::setup::statics::section;

/// The case.
pub const CASE: Case = Case {
    name: "curved-rods",
    section: "-",
    measures: "way of the tip of a quarter ring, a coil and a rod with a right angle under a small load, by mesh",
    source: Source::ClosedForm,
    origin: "Castigliano's theorem on the smooth curve, by quadrature to rounding",
    run,
};

/// Stretching stiffness: much larger would cost digits.
const STIFF: f64 = 1e5;
/// GJ over EI of a round section with nu = 1/2.
const GJ: f64 = 2.0 / 3.0;
/// A load so small that all is linear, N; the way is divided by it.
const LOAD: f64 = 1.0;

/// A curve from the clamp at 0 to the tip at 1.
struct Shape {
    name: &'static str,
    length: f64,
    /// Position and unit tangent.
    at: fn(f64) -> (DVec3, DVec3),
    /// Edges of the coarsest mesh.
    edges: usize,
    /// Bound on the error with twice as many.
    bound: f64,
}

/// A quarter of a ring of radius 1, from the x axis.
fn quarter_ring(s: f64) -> (DVec3, DVec3) {
    let (sin, cos) = (FRAC_PI_2 * s).sin_cos();
    (DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0))
}

/// Turns of the coil, and its pitch over its circumference.
const TURNS: f64 = 2.0;
const CLIMB: f64 = 0.8;

/// A coil of radius 1 about the z axis, as steep as a flagellum's.
fn coil(s: f64) -> (DVec3, DVec3) {
    let angle = TAU * TURNS * s;
    let (sin, cos) = angle.sin_cos();
    let tangent = DVec3::new(-sin, cos, CLIMB) / 1.0_f64.hypot(CLIMB);
    (DVec3::new(cos, sin, CLIMB * angle), tangent)
}

/// Two straight legs of length 1, at a right angle.
fn right_angle(s: f64) -> (DVec3, DVec3) {
    let way = 2.0 * s;
    match way < 1.0 {
        true => (DVec3::X * way, DVec3::X),
        false => (DVec3::new(1.0, way - 1.0, 0.0), DVec3::Y),
    }
}

const SHAPES: [Shape; 3] = [
    Shape {
        name: "quarter ring",
        length: FRAC_PI_2,
        at: quarter_ring,
        edges: 8,
        bound: 5e-3,
    },
    Shape {
        name: "coil",
        length: 0.0,
        at: coil,
        edges: 32,
        bound: 5e-3,
    },
    Shape {
        name: "right angle",
        length: 2.0,
        at: right_angle,
        edges: 16,
        bound: 5e-3,
    },
];

impl Shape {
    fn length(&self) -> f64 {
        match self.length > 0.0 {
            true => self.length,
            false => TAU * TURNS * 1.0_f64.hypot(CLIMB),
        }
    }

    /// Nodes of a mesh whose first edge has the clamp in its middle; a corner is a node.
    fn nodes(&self, edges: usize) -> Vec<DVec3> {
        if self.name == "right angle" {
            let leg = edges / 2;
            let first = 1.0 / (leg as f64 - 0.5);
            let along = (0..leg).map(|k| DVec3::X * (first * (k as f64 - 0.5)));
            let up = |k: usize| DVec3::new(1.0, k as f64 / leg as f64, 0.0);
            return along.chain((0..=leg).map(up)).collect();
        }
        let part = 1.0 / (edges as f64 - 0.5);
        let node = |k: usize| (self.at)(part * (k as f64 - 0.5)).0;
        (0..=edges).map(node).collect()
    }
}

fn round() -> Section {
    Section {
        gj: GJ,
        ..section(STIFF)
    }
}

/// Way of the tip along the load, over the load.
fn compliance(
    shape: &Shape,
    edges: usize,
    bending: BendingModel,
    load: DVec3,
) -> Result<f64, CaseError> {
    let moved = tip_displacement(shape.nodes(edges), round(), bending, load * LOAD)?;
    Ok(moved.dot(load) / LOAD)
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for shape in &SHAPES {
        for (way, load) in [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)] {
            let exact = smooth_compliance(shape.at, shape.length(), [1.0, GJ, STIFF], load);
            let with = |edges, bending| compliance(shape, edges, bending, load);
            let meshes = [1, 2, 4].map(|finer| shape.edges * finer);
            let mut found = [0.0; 3];
            for (found, edges) in found.iter_mut().zip(meshes) {
                *found = with(edges, BendingModel::HalfEdges)?;
            }
            let what = format!("{}, load along {way}, {} edges", shape.name, meshes[1]);
            let row = match (shape.name, way) {
                // The errors of both legs are of second order, and nearly cancel.
                ("right angle", "z") => Row::relative(&what, found[1], exact, shape.bound),
                _ => Row::second_order(&what, found, exact, shape.bound),
            };
            rows.push(row.unit("L^3/EI"));
            for (model, bending) in [
                ("averaged", BendingModel::Averaged),
                ("per-edge", BendingModel::PerEdge),
            ] {
                let over = with(meshes[1], bending)? / exact;
                rows.push(Row::shown(
                    format!("{what}, {model}, over the smooth one"),
                    over,
                ));
            }
        }
    }
    Ok(rows)
}
