//! Second variation of the elastic energy: Hessians, their sign, critical loads.

use faer::{Mat, Side};
use writhe::assembly::Blocks;
use writhe::forces::add_elastic;
use writhe::model::Model;
use writhe::rod::Kinematics;
use writhe::state::State;

use crate::case::CaseError;

/// Unknowns before one that share a stencil with it: two nodes and two angles,
/// `x0 th0 x1 th1 | x2`.
const BAND: usize = 10;

/// A dense square matrix that collects blocks, row-major.
#[derive(Debug, Clone)]
pub struct Dense {
    /// Rows.
    pub n: usize,
    /// Entries, `(n x n)`.
    pub values: Vec<f64>,
}

impl Dense {
    /// Zeros.
    pub fn new(n: usize) -> Self {
        Self {
            n,
            values: vec![0.0; n * n],
        }
    }
}

impl Blocks for Dense {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (r, row) in dofs.iter().enumerate() {
            for (c, column) in dofs.iter().enumerate() {
                self.values[row * self.n + column] += values[r * dofs.len() + c];
            }
        }
    }
}

/// Hessian of the elastic energy at a state, `(dofs x dofs)`.
///
/// # Errors
/// A configuration without frames.
pub fn elastic_hessian(model: &Model, state: &State) -> Result<Dense, CaseError> {
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &state.frames, &state.q)?;
    let mut hessian = Dense::new(model.topology.dofs);
    let mut gradient = vec![0.0; model.topology.dofs];
    add_elastic(
        model,
        &kinematics,
        &state.q,
        &mut gradient,
        Some(&mut hessian),
    );
    Ok(hessian)
}

/// Lowest eigenvalue of the symmetric part.
///
/// # Errors
/// When the spectrum is not found.
pub fn lowest_eigenvalue(hessian: &Dense) -> Result<f64, CaseError> {
    let n = hessian.n;
    let symmetric = |r: usize, c: usize| hessian.values[r * n + c] + hessian.values[c * n + r];
    let eigen = Mat::from_fn(n, n, |r, c| 0.5 * symmetric(r, c))
        .self_adjoint_eigenvalues(Side::Lower)
        .map_err(|_| CaseError::NotFound("the spectrum was not found".to_owned()))?;
    Ok(eigen[0])
}

/// Whether the Hessian is positive definite over these unknowns of one open rod, ascending: whether
/// Cholesky's factorisation exists. Dead loads add nothing to it.
pub fn positive_definite(hessian: &Dense, unknowns: &[usize]) -> bool {
    let n = unknowns.len();
    let mut factor = vec![0.0; n * n];
    for (i, row) in unknowns.iter().enumerate() {
        let first = i.saturating_sub(BAND);
        for j in first..=i {
            let known: f64 = (first..j)
                .map(|k| factor[i * n + k] * factor[j * n + k])
                .sum();
            let rest = hessian.values[row * hessian.n + unknowns[j]] - known;
            if i == j && rest <= 0.0 {
                return false;
            }
            factor[i * n + j] = if i == j {
                rest.sqrt()
            } else {
                rest / factor[j * n + j]
            };
        }
    }
    true
}

/// Whether a state is stable against all free unknowns.
///
/// # Errors
/// A configuration without frames.
pub fn stable(model: &Model, state: &State) -> Result<bool, CaseError> {
    let fixed = model.constraints.fixed();
    let free: Vec<usize> = (0..model.topology.dofs)
        .filter(|dof| !fixed[*dof])
        .collect();
    Ok(positive_definite(&elastic_hessian(model, state)?, &free))
}

/// The parameter in [low, high] at which `stable` turns false, to the relative `precision`.
///
/// # Errors
/// When `low` is not stable or `high` is, or `stable` fails.
pub fn critical(
    [mut low, mut high]: [f64; 2],
    precision: f64,
    stable: impl Fn(f64) -> Result<bool, CaseError>,
) -> Result<f64, CaseError> {
    if !stable(low)? || stable(high)? {
        return Err(CaseError::NotFound(format!(
            "stability does not end between {low} and {high}"
        )));
    }
    while high - low > precision * high.abs() {
        let middle = 0.5 * (low + high);
        if stable(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(0.5 * (low + high))
}
