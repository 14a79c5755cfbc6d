//! T22's flagella as its authors ran them: geometry, clamps, fluid.
#![allow(dead_code)]

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::{BendingModel, Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

pub const RADIUS: f64 = 1e-3;
pub const OMEGA: f64 = 15.0 * TAU / 60.0;
const HELIX_RADIUS: f64 = 0.01;
const PITCH: f64 = 0.05;
const AXIAL: f64 = 0.2;
const EDGES: usize = 64;

/// Node positions of one flagellum about the x axis, m: clamped edge, lead-in of two edges, four
/// turns.
pub fn shape() -> Vec<DVec3> {
    shape_of(EDGES)
}

/// The same with so many edges in the helix; clamped edge and lead-in as with 64.
fn shape_of(edges: usize) -> Vec<DVec3> {
    let (a, b) = (HELIX_RADIUS, PITCH / TAU);
    let end = AXIAL / b;
    let dl = end * a.hypot(b) / EDGES as f64;
    let mut nodes = vec![DVec3::new(-dl - a, 0.0, 0.0), DVec3::new(-a, 0.0, 0.0)];
    nodes.push(DVec3::new(-0.5 * a, 0.5 * a, 0.0));
    for i in 0..=edges {
        let s = end * i as f64 / edges as f64;
        nodes.push(DVec3::new(b * s, a * s.cos(), a * s.sin()));
    }
    nodes
}

/// Centre of flagellum `i` of `count`, m, on a polygon of side 0.03 m.
pub fn centre(i: usize, count: usize) -> DVec3 {
    let m = count as f64;
    let r = if count == 1 {
        0.0
    } else {
        0.015 / ((m - 2.0) * PI / (2.0 * m)).cos()
    };
    let angle = TAU * i as f64 / m;
    DVec3::new(0.0, r - r * angle.cos(), r * angle.sin())
}

/// Steps of `dt`, s, with the scheme fitted to the turning clamps.
pub fn settings(dt: f64) -> StepSettings {
    StepSettings {
        dt,
        scheme: Scheme::FittedBdf2 { omega: OMEGA },
        ..StepSettings::default()
    }
}

/// `count` flagella in a fluid.
pub fn model(
    count: usize,
    density: f64,
    viscosity: f64,
    omega: f64,
    coupling: Coupling,
) -> (Model, State) {
    let bending = BendingModel::Averaged;
    model_of((EDGES, bending), count, density, viscosity, omega, coupling)
}

/// The same with so many edges in each helix, and this law of bending.
pub fn model_of(
    (edges, bending): (usize, BendingModel),
    count: usize,
    density: f64,
    viscosity: f64,
    omega: f64,
    coupling: Coupling,
) -> (Model, State) {
    let section = Section::circle(Material::new(3e6, 0.5, density), RADIUS);
    let mut builder = ModelBuilder::new().bending(bending);
    for i in 0..count {
        let c = centre(i, count);
        let nodes = shape_of(edges).into_iter().map(|x| x + c).collect();
        let rod = Rod::open(nodes, section).unwrap();
        builder = builder
            .rod(rod)
            .clamp(i, 0, Motion::spin(c, -DVec3::X, omega));
    }
    builder
        .contact(ContactModel::Imc(ImcSettings::default()))
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity,
                regularisation: 1.02,
            },
            coupling,
        ))
        .build()
        .unwrap()
}
