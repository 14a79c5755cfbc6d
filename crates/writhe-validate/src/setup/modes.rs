//! Small vibrations of a model about its first state.
#![allow(dead_code)]

use std::f64::consts::TAU;

use faer::{Mat, Side};
use glam::DVec3;
use writhe::forces::add_elastic;
use writhe::model::Model;
use writhe::rod::{Material, Rod, Section};
use writhe::state::State;

use super::{Dense, kinematics};

pub const LENGTH: f64 = 0.2;
pub const RADIUS: f64 = 2e-3;

/// E = 1e7 Pa, nu = 0.5, rho = 1000 kg/m^3, h = 2 mm: stretching waves run at 100 m/s, twisting ones at 57.7 m/s.
pub fn section() -> Section {
    Section::circle(Material::new(1e7, 0.5, 1000.0), RADIUS)
}

/// Straight rod of 0.2 m along x.
pub fn straight(edges: usize) -> Rod {
    let node = |i: usize| DVec3::X * (LENGTH * i as f64 / edges as f64);
    Rod::open((0..=edges).map(node).collect(), section()).unwrap()
}

/// Which unknowns of a straight rod along x vibrate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Stretch = 0,
    Bend = 2,
    Twist = 3,
}

/// Frequencies, rad/s, ascending, of `H v = omega^2 M v` over the free unknowns of one kind.
pub fn frequencies(model: &Model, state: &State, kind: Kind) -> Vec<f64> {
    let k = kinematics(model, &state.frames, &state.q);
    let dofs = model.topology.dofs;
    let mut hessian = Dense::new(dofs);
    add_elastic(
        model,
        &k,
        &state.q,
        &mut vec![0.0; dofs],
        Some(&mut hessian),
    );
    let fixed = model.constraints.fixed();
    let kept: Vec<usize> = (0..dofs)
        .filter(|dof| !fixed[*dof] && dof % 4 == kind as usize)
        .collect();
    for row in &kept {
        for column in 0..dofs {
            let coupled = hessian.values[row * dofs + column];
            assert!(
                column % 4 == kind as usize || coupled == 0.0,
                "kinds must not couple"
            );
        }
    }
    let scaled = Mat::from_fn(kept.len(), kept.len(), |r, c| {
        let (r, c) = (kept[r], kept[c]);
        hessian.values[r * dofs + c] / (model.mass[r] * model.mass[c]).sqrt()
    });
    let eigen = scaled.self_adjoint_eigenvalues(Side::Lower).unwrap();
    eigen.iter().map(|square| square.max(0.0).sqrt()).collect()
}

/// Component of a motion on a mode: `(position, velocity / omega)` for a shape over all unknowns.
pub fn project(
    model: &Model,
    state: &State,
    rest: &[f64],
    shape: &[f64],
    omega: f64,
) -> (f64, f64) {
    let (mut a, mut b, mut norm) = (0.0, 0.0, 0.0);
    for dof in 0..rest.len() {
        let weight = model.mass[dof] * shape[dof];
        a += weight * (state.q[dof] - rest[dof]);
        b += weight * state.velocity[dof];
        norm += weight * shape[dof];
    }
    (a / norm, b / norm / omega)
}

/// Phase from one point of the phase plane to the next, rad in [0, 2 pi), turning as `(cos, -sin)`.
pub fn phase((a, b): (f64, f64), (c, d): (f64, f64)) -> f64 {
    (b.atan2(a) - d.atan2(c)).rem_euclid(TAU)
}
