//! Small vibrations of a straight rod along x.

use std::f64::consts::PI;

use faer::{Mat, Side};
use glam::DVec3;
use writhe::model::Model;
use writhe::rod::{Material, Rod, RodError, Section};
use writhe::state::State;

use super::stability::elastic_hessian;
use crate::case::CaseError;

/// Length of the rod, m.
pub const LENGTH: f64 = 0.2;
/// Its radius, m.
pub const RADIUS: f64 = 2e-3;

/// E = 1e7 Pa, nu = 0.5, rho = 1000 kg/m^3, h = 2 mm: stretching waves run at 100 m/s, twisting
/// ones at 57.7 m/s.
pub fn section() -> Section {
    Section::circle(Material::new(1e7, 0.5, 1000.0), RADIUS)
}

/// Straight rod of 0.2 m along x.
///
/// # Errors
/// Without edges.
pub fn straight(edges: usize) -> Result<Rod, RodError> {
    let node = |i: usize| DVec3::X * (LENGTH * i as f64 / edges as f64);
    Rod::open((0..=edges).map(node).collect(), section())
}

/// Which unknowns of a straight rod along x vibrate; the value is their place among the four of a
/// node and its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// x of the nodes.
    Stretch = 0,
    /// z of the nodes.
    Bend = 2,
    /// Angles of the edges.
    Twist = 3,
}

/// Frequencies, rad/s, ascending, of `H v = omega^2 M v` over the free unknowns of one kind.
///
/// # Errors
/// A configuration without frames, unknowns of other kinds that take part, or no spectrum.
pub fn frequencies(model: &Model, state: &State, kind: Kind) -> Result<Vec<f64>, CaseError> {
    let hessian = elastic_hessian(model, state)?;
    let of_kind = |dof: usize| dof % 4 == kind as usize;
    let fixed = model.constraints.fixed();
    let kept: Vec<usize> = (0..hessian.n)
        .filter(|d| !fixed[*d] && of_kind(*d))
        .collect();
    for row in &kept {
        for column in (0..hessian.n).filter(|c| !of_kind(*c)) {
            if hessian.values[row * hessian.n + column] != 0.0 {
                let what = format!("unknowns {row} and {column} of unlike kinds are coupled");
                return Err(CaseError::NotFound(what));
            }
        }
    }
    let scaled = Mat::from_fn(kept.len(), kept.len(), |r, c| {
        let (r, c) = (kept[r], kept[c]);
        hessian.values[r * hessian.n + c] / (model.mass[r] * model.mass[c]).sqrt()
    });
    let squares = scaled
        .self_adjoint_eigenvalues(Side::Lower)
        .map_err(|e| CaseError::NotFound(format!("the spectrum was not found: {e:?}")))?;
    Ok(squares.iter().map(|s| s.max(0.0).sqrt()).collect())
}

/// `sqrt(EI / rho A)`, m^2/s.
pub fn bending_speed() -> f64 {
    (section().ei1 / section().mass_per_length).sqrt()
}

/// Speed of twisting waves, m/s.
pub fn torsion_speed() -> f64 {
    (section().gj / section().inertia_per_length).sqrt()
}

/// Speed of stretching waves, m/s.
pub fn stretch_speed() -> f64 {
    (section().ea / section().mass_per_length).sqrt()
}

/// Pinned-pinned bending, lumped mass: `omega_n = (4/l^2) sqrt(EI / rho A) sin^2(n pi / 2N)`,
/// rad/s.
pub fn pinned_frequency(edges: usize, n: usize) -> f64 {
    let l = LENGTH / edges as f64;
    4.0 / (l * l) * bending_speed() * (n as f64 * PI / (2 * edges) as f64).sin().powi(2)
}

/// `omega = (2c/l) sin(k l/2)`, rad/s, with k of the n-th fixed-free mode (n from 1) of a rod
/// `length` long, m.
pub fn wave_frequency(speed: f64, edges: usize, length: f64, n: usize) -> f64 {
    let l = LENGTH / edges as f64;
    let k = (n as f64 - 0.5) * PI / length;
    2.0 * speed / l * (0.5 * k * l).sin()
}

/// Effective length, m, of a rod held at the middle of its first edge.
pub fn from_mid_edge(edges: usize) -> f64 {
    LENGTH * (1.0 - 0.5 / edges as f64)
}
