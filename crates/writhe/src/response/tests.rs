//! Moments and tensions of a step against their definition, and their derivative against
//! differences.

use super::*;
use crate::assembly::Blocks;
use crate::forces::add_elastic;
use crate::kernels::testing::Random;
use crate::model::ModelBuilder;
use crate::rest_shape::{RestLaw, RestStrain, RestWave};
use crate::rod::{Material, Rod, Section};
use crate::state::History;
use crate::viscoelastic::Relaxation;

struct Dense(Vec<f64>, usize);

impl Blocks for Dense {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (r, row) in dofs.iter().enumerate() {
            for (c, column) in dofs.iter().enumerate() {
                self.0[row * self.1 + column] += values[r * dofs.len() + c];
            }
        }
    }
}

const LAW: Viscoelasticity = Viscoelasticity {
    retardation: [0.3, 0.5, 0.2],
    relaxation: Some(Relaxation {
        time: 0.7,
        shares: [0.4, 1.0, 0.6],
    }),
};

/// A rod of which all is driven and viscous, one that is not, a ring that is driven; moved since the
/// step before.
fn model() -> (Model, State) {
    let mut random = Random(8);
    let section = Section::rectangle(Material::new(1e5, 0.3, 1000.0), 0.03, 0.02);
    let mut rod = |closed: bool, y: f64| {
        let node = |i: i32| {
            let (s, a) = (f64::from(i), f64::from(i) * 1.05);
            let base = match closed {
                true => DVec3::new(a.cos(), a.sin() + y, 0.0),
                false => DVec3::new(0.5 * s, 0.05 * s * s + y, 0.0),
            };
            base + random.vector() * 0.05
        };
        let nodes = (0..6).map(node).collect();
        let mut rod = match closed {
            true => Rod::closed(nodes, section),
            false => Rod::open(nodes, section),
        }
        .unwrap();
        for k in &mut rod.rest_curvature {
            *k = [k[0] + 0.2, k[1] - 0.1];
        }
        rod
    };
    let rods = [rod(false, 0.0), rod(false, 3.0), rod(true, 6.0)];
    let mut builder = ModelBuilder::new().viscoelastic(0, LAW);
    for rod in rods {
        builder = builder.rod(rod);
    }
    for (strain, amplitude) in [
        (RestStrain::Curvature1, 0.4),
        (RestStrain::Curvature2, 0.3),
        (RestStrain::Twist, 0.5),
        (RestStrain::Stretch, 0.1),
    ] {
        for rod in [0, 2] {
            let law = RestLaw::Wave(RestWave {
                amplitude,
                wavenumber: 3.0,
                rate: 5.0,
                phase: amplitude,
                envelope: Vec::new(),
                ramp: 0.0,
            });
            builder = builder.drive_rest(rod, strain, law);
        }
    }
    let (model, mut state) = builder.build().unwrap();
    let mut random = Random(9);
    let near = |q: &[f64], random: &mut Random| -> Vec<f64> {
        q.iter().map(|x| x + random.range(-0.03, 0.03)).collect()
    };
    state.time = 0.4;
    state.history = Some(History {
        dt: 0.1,
        q: near(&state.q, &mut random),
        velocity: state.velocity.clone(),
    });
    let topology = &model.topology;
    for strains in [&mut state.strains.before, &mut state.strains.dashpot] {
        *strains = Strains::zeros(topology);
        for v in &mut strains.vertices {
            *v = [(); 3].map(|()| random.range(-0.2, 0.2));
        }
        for e in &mut strains.edges {
            *e = random.range(-0.05, 0.05);
        }
    }
    (model, state)
}

const INTERVAL: Interval = Interval {
    rule: [15.0, -20.0, 5.0],
    stage: 0.5,
    span: 0.1,
    dt: 0.1,
    midpoint: false,
};

fn place(model: &Model, state: &State, q: &[f64]) -> Kinematics {
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, q)
        .unwrap();
    kinematics
}

fn gradient(model: &Model, state: &State, step: &StepResponse, q: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; q.len()];
    let rods = step.response.elastic(model);
    add_elastic(rods, &place(model, state, q), q, &mut gradient, None);
    gradient
}

fn error(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let worst = a
        .iter()
        .zip(b)
        .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    worst / scale
}

#[test]
fn forces_are_those_of_springs_and_dashpots() {
    let (model, state) = model();
    let step = StepResponse::new(&model, &state, INTERVAL)
        .unwrap()
        .unwrap();
    let mut random = Random(3);
    let q: Vec<f64> = state
        .q
        .iter()
        .map(|x| x + random.range(-0.03, 0.03))
        .collect();
    let strains_at = |q: &[f64], time: f64| {
        let driven = model.driven_strains(time);
        strains(&model, &place(&model, &state, q), q, &driven)
    };
    let (start, now) = (strains_at(&state.q, 0.4), strains_at(&q, 0.5));
    let [a, b, c] = INTERVAL.rule;
    let relaxation = LAW.relaxation.unwrap();
    // The dashpot in series by small steps along the straight line from one strain to the other.
    let dashpot = |v0: f64, e0: f64, e1: f64| {
        let n = 20_000;
        let h = INTERVAL.dt / f64::from(n);
        (0..n).fold(v0, |v, i| {
            let e = |s: f64| e0 + (e1 - e0) * s / f64::from(n);
            let i = f64::from(i);
            let slope = |v: f64, s: f64| (e(s) - v) / relaxation.time;
            v + h * slope(v + 0.5 * h * slope(v, i), i + 0.5)
        })
    };
    // m of each vertex, and N l of each edge.
    let mut moments = vec![[0.0; 3]; model.topology.vertices()];
    let mut tensions = vec![0.0; model.topology.edges()];
    let memory = &state.strains;
    for (v, moment) in moments.iter_mut().enumerate() {
        let k = model.half_edges[v].stiffness;
        let first = v < 4;
        for i in 0..3 {
            for j in 0..3 {
                moment[i] += k[i][j] * now.vertices[v][j];
                if !first {
                    continue;
                }
                let at = |i: usize| usize::from(i == 2);
                let by = |x: [f64; 3]| k[i][j] * (x[at(i)] * x[at(j)]).sqrt();
                let rate = a * now.vertices[v][j]
                    + b * start.vertices[v][j]
                    + c * memory.before.vertices[v][j];
                let given = dashpot(
                    memory.dashpot.vertices[v][j],
                    start.vertices[v][j],
                    now.vertices[v][j],
                );
                moment[i] += by(LAW.retardation) * rate - by(relaxation.shares) * given;
            }
        }
    }
    for (e, tension) in tensions.iter_mut().enumerate() {
        let stiffness = model.stretching[e] * model.rest_length[e];
        let mut strain = now.edges[e];
        if e < 5 {
            let (e0, e1) = (start.edges[e], now.edges[e]);
            let rate = a * e1 + b * e0 + c * memory.before.edges[e];
            strain += LAW.retardation[2] * rate
                - relaxation.shares[2] * dashpot(memory.dashpot.edges[e], e0, e1);
        }
        *tension = stiffness * strain;
    }
    let expected: Vec<f64> = (0..q.len())
        .map(|dof| {
            let h = 1e-5;
            let at = |by: f64| {
                let mut q = q.clone();
                q[dof] += by;
                strains_at(&q, 0.5)
            };
            let (high, low) = (at(h), at(-h));
            let vertices = moments.iter().enumerate().map(|(v, m)| {
                let slope = |i: usize| (high.vertices[v][i] - low.vertices[v][i]) / (2.0 * h);
                (0..3).map(|i| m[i] * slope(i)).sum::<f64>()
            });
            let edges = tensions.iter().enumerate();
            let edges = edges.map(|(e, n)| n * (high.edges[e] - low.edges[e]) / (2.0 * h));
            vertices.sum::<f64>() + edges.sum::<f64>()
        })
        .collect();
    let found = gradient(&model, &state, &step, &q);
    let off = error(&found, &expected);
    assert!(off < 1e-7, "{off:e}");
}

#[test]
fn the_derivative_is_that_of_the_forces() {
    let (model, state) = model();
    let step = StepResponse::new(&model, &state, INTERVAL)
        .unwrap()
        .unwrap();
    let mut random = Random(4);
    let q: Vec<f64> = state
        .q
        .iter()
        .map(|x| x + random.range(-0.03, 0.03))
        .collect();
    let n = q.len();
    let mut dense = Dense(vec![0.0; n * n], n);
    let (rods, k) = (step.response.elastic(&model), place(&model, &state, &q));
    add_elastic(rods, &k, &q, &mut vec![0.0; n], Some(&mut dense));
    let mut expected = vec![0.0; n * n];
    for column in 0..n {
        let at = |by: f64| {
            let mut q = q.clone();
            q[column] += by;
            gradient(&model, &state, &step, &q)
        };
        let slope = |h: f64| -> Vec<f64> {
            let (high, low) = (at(h), at(-h));
            high.iter()
                .zip(&low)
                .map(|(a, b)| (a - b) / (2.0 * h))
                .collect()
        };
        let (wide, near) = (slope(1e-3), slope(5e-4));
        for row in 0..n {
            expected[row * n + column] = (4.0 * near[row] - wide[row]) / 3.0;
        }
    }
    let off = error(&dense.0, &expected);
    assert!(off < 1e-8, "{off:e}");
}
