//! Drag of a fluid that couples all nodes, `u + B F = 0`, within a step.
//!
//! F is the hydrodynamic force on every node, u the velocity of every node, B the mobility assembled once at the predicted
//! positions; no inverse of B is formed. With r = -g and v = -(u + B F), Newton's correction solves
//!
//! ```text
//! [ J   -P^T ] [dq]   [r]        M = [ J   -P^T  ]     L = J + a P^T R P,  R = B_loc^-1,
//! [ a P   B  ] [dF] = [v],           [ a P  B_loc ]:    L dq = r + P^T R v,  dF = R (v - a P dq).
//! ```
//!
//! M^-1 on the right leaves only `v' + (B - B_loc) dF` to a Krylov method, as long as J lies wholly in L.

use glam::{DMat3, DVec3};

use super::system::System;
use crate::loads::{Blocks, Flow, Fluid};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::solve::SolveError;
use crate::solve::krylov::{KrylovOptions, KrylovWorkspace, fgmres};

/// Relative residual of the Krylov method: an inexact Newton step that does not slow the outer iteration.
const FORCING: f64 = 1e-3;
const RESTART: usize = 60;
const MAX_KRYLOV: usize = 240;

/// Mobility at the predicted positions and the local model that preconditions it.
#[derive(Debug, Default)]
pub(super) struct Drag {
    flow: Flow,
    /// Inverse of the local resistance of each node, m/(N s), `(nodes)`.
    local_mobility: Vec<DMat3>,
    krylov: KrylovWorkspace,
    positions: Vec<DVec3>,
    correction: Vec<f64>,
    product: Vec<f64>,
}

/// Result of a linear solve.
pub(super) struct Correction {
    pub dq: Vec<f64>,
    /// Change of the hydrodynamic force, `(3 nodes)`.
    pub df: Vec<f64>,
    pub krylov_iterations: usize,
}

impl Drag {
    /// Assembles the mobility at `q`.
    pub fn assemble(&mut self, model: &Model, fluid: &Fluid, q: &[f64]) -> Result<(), SolveError> {
        let topology = &model.topology;
        self.positions.clear();
        self.positions
            .extend(topology.node_dof.iter().map(|dof| position(q, *dof)));
        self.flow
            .assemble(model, fluid, &self.positions)
            .map_err(|_| SolveError::NotFinite { place: "mobility" })?;
        self.local_mobility.clear();
        self.local_mobility
            .extend(self.flow.resistance().iter().map(DMat3::inverse));
        Ok(())
    }

    /// `out = B force`, `(3 nodes)`.
    pub fn velocity(&self, force: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        self.flow
            .velocity(force, out)
            .map_err(|_| SolveError::NotFinite { place: "flow" })
    }

    /// Force of the nodes' velocities by a dense solve of `B F = -u`, for lagged drag.
    pub fn force_of(&self, velocity: &[f64]) -> Result<Vec<f64>, SolveError> {
        let on_fluid = self
            .flow
            .force(velocity)
            .ok_or(SolveError::NotFinite { place: "drag" })?;
        Ok(on_fluid.iter().map(|f| -f).collect())
    }

    /// Adds `a R` to the matrix.
    pub fn add_resistance(&self, model: &Model, rate: f64, blocks: &mut dyn Blocks) {
        for (dof, r) in model.topology.node_dof.iter().zip(self.flow.resistance()) {
            let values = (*r * rate).to_cols_array();
            blocks.symmetric(&[*dof, dof + 1, dof + 2], &values);
        }
    }

    /// `M^-1 (r, v)`: writes dq into `dq` (which holds r) and dF into `df` (which holds v).
    pub fn precondition(
        &self,
        model: &Model,
        system: &mut System,
        rate: f64,
        dq: &mut [f64],
        df: &mut [f64],
    ) -> Result<(), SolveError> {
        let fixed = model.constraints.fixed();
        let nodes = || self.flow.resistance().iter().zip(&model.topology.node_dof);
        for ((r, dof), v) in nodes().zip(df.chunks_exact(3)) {
            let f = (*r * DVec3::from_slice(v)).to_array();
            for k in 0..3 {
                if !fixed[dof + k] {
                    dq[dof + k] += f[k];
                }
            }
        }
        system.solve_unchecked(dq)?;
        for ((r, dof), v) in nodes().zip(df.chunks_exact_mut(3)) {
            let rest = DVec3::from_slice(v) - position(dq, *dof) * rate;
            v.copy_from_slice(&(*r * rest).to_array());
        }
        Ok(())
    }

    /// Solves the coupled system for the right-hand sides `r = -g`, `(dofs)`, and `v = -(u + B F)`, `(3 nodes)`.
    pub fn solve(
        &mut self,
        model: &Model,
        system: &mut System,
        rate: f64,
        r: &[f64],
        v: &[f64],
    ) -> Result<Correction, SolveError> {
        let mut krylov = std::mem::take(&mut self.krylov);
        let mut product = std::mem::take(&mut self.product);
        let mut correction = std::mem::take(&mut self.correction);
        let outcome = if system.has_general() {
            self.solve_both(model, system, rate, r, v, &mut krylov)
        } else {
            self.solve_velocity(
                model,
                system,
                rate,
                r,
                v,
                (&mut krylov, &mut product, &mut correction),
            )
        };
        self.krylov = krylov;
        self.product = product;
        self.correction = correction;
        outcome
    }

    /// Krylov method on v alone: J lies wholly in L, so the first row is solved exactly.
    fn solve_velocity(
        &self,
        model: &Model,
        system: &mut System,
        rate: f64,
        r: &[f64],
        v: &[f64],
        (krylov, product, dq): (&mut KrylovWorkspace, &mut Vec<f64>, &mut Vec<f64>),
    ) -> Result<Correction, SolveError> {
        product.resize(v.len(), 0.0);
        // The part of dF that comes from r.
        let mut from_r = vec![0.0; v.len()];
        dq.clear();
        dq.extend_from_slice(r);
        self.precondition(model, system, rate, dq, &mut from_r)?;
        let mut b = v.to_vec();
        self.far_flow(&from_r, product)?;
        for (b, p) in b.iter_mut().zip(&*product) {
            *b -= p;
        }
        let mut failed = None;
        let mut df = vec![0.0; v.len()];
        let mut operator = |x: &[f64], y: &mut [f64]| {
            df.copy_from_slice(x);
            dq.clear();
            dq.resize(r.len(), 0.0);
            let outcome = self
                .precondition(model, system, rate, dq, &mut df)
                .and_then(|()| self.far_flow(&df, y));
            if let Err(error) = outcome {
                failed = Some(error);
            }
            for (y, x) in y.iter_mut().zip(x) {
                *y += x;
            }
        };
        let mut x = b.clone();
        let report = fgmres(
            &mut operator,
            &mut |x: &[f64], y: &mut [f64]| y.copy_from_slice(x),
            &b,
            &mut x,
            &options(),
            krylov,
        )?;
        if let Some(error) = failed {
            return Err(error);
        }
        let mut out = Correction {
            dq: r.to_vec(),
            df: x,
            krylov_iterations: report.iterations,
        };
        self.precondition(model, system, rate, &mut out.dq, &mut out.df)?;
        Ok(out)
    }

    /// Krylov method on (r, v): blocks outside L act on dq.
    fn solve_both(
        &self,
        model: &Model,
        system: &mut System,
        rate: f64,
        r: &[f64],
        v: &[f64],
        krylov: &mut KrylovWorkspace,
    ) -> Result<Correction, SolveError> {
        let n = r.len();
        // Velocities count as the forces that they cause.
        let weight = self
            .flow
            .resistance()
            .iter()
            .map(|m| m.x_axis.x + m.y_axis.y + m.z_axis.z)
            .sum::<f64>()
            / (3 * self.flow.resistance().len()) as f64;
        let b: Vec<f64> = r
            .iter()
            .copied()
            .chain(v.iter().map(|v| v * weight))
            .collect();
        let mut failed = None;
        let mut operator = |x: &[f64], y: &mut [f64]| {
            let (mut dq, mut df) = split(x, n, weight);
            let (yr, yv) = y.split_at_mut(n);
            let outcome = self
                .precondition(model, system, rate, &mut dq, &mut df)
                .and_then(|()| self.far_flow(&df, yv))
                .and_then(|()| {
                    yr.copy_from_slice(&x[..n]);
                    system.general_mul_add(&dq, yr)
                });
            if let Err(error) = outcome {
                failed = Some(error);
            }
            for (y, x) in yv.iter_mut().zip(&x[n..]) {
                *y = *y * weight + x;
            }
        };
        let mut x = b.clone();
        let report = fgmres(
            &mut operator,
            &mut |x: &[f64], y: &mut [f64]| y.copy_from_slice(x),
            &b,
            &mut x,
            &options(),
            krylov,
        )?;
        if let Some(error) = failed {
            return Err(error);
        }
        let (mut dq, mut df) = split(&x, n, weight);
        self.precondition(model, system, rate, &mut dq, &mut df)?;
        Ok(Correction {
            dq,
            df,
            krylov_iterations: report.iterations,
        })
    }

    /// Solves without a fluid where blocks outside the factorised part act: `(L + G) dq = r`; returns dq and the iterations.
    pub fn solve_general(
        &mut self,
        system: &mut System,
        r: &[f64],
    ) -> Result<(Vec<f64>, usize), SolveError> {
        let mut krylov = std::mem::take(&mut self.krylov);
        let mut failed = None;
        let mut scratch = vec![0.0; r.len()];
        let mut operator = |x: &[f64], y: &mut [f64]| {
            scratch.copy_from_slice(x);
            y.copy_from_slice(x);
            let outcome = system
                .solve_unchecked(&mut scratch)
                .and_then(|()| system.general_mul_add(&scratch, y));
            if let Err(error) = outcome {
                failed = Some(error);
            }
        };
        let mut x = r.to_vec();
        let mut identity = |x: &[f64], y: &mut [f64]| y.copy_from_slice(x);
        let outcome = fgmres(
            &mut operator,
            &mut identity,
            r,
            &mut x,
            &options(),
            &mut krylov,
        );
        self.krylov = krylov;
        let report = outcome?;
        if let Some(error) = failed {
            return Err(error);
        }
        system.solve_unchecked(&mut x)?;
        Ok((x, report.iterations))
    }

    /// `out = (B - B_loc) df`: the flow of all other nodes.
    fn far_flow(&self, df: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        self.velocity(df, out)?;
        for ((m, f), u) in self
            .local_mobility
            .iter()
            .zip(df.chunks_exact(3))
            .zip(out.chunks_exact_mut(3))
        {
            let near = (*m * DVec3::from_slice(f)).to_array();
            for k in 0..3 {
                u[k] -= near[k];
            }
        }
        Ok(())
    }
}

fn split(x: &[f64], n: usize, weight: f64) -> (Vec<f64>, Vec<f64>) {
    (x[..n].to_vec(), x[n..].iter().map(|v| v / weight).collect())
}

fn options() -> KrylovOptions {
    KrylovOptions {
        tolerance: FORCING,
        restart: RESTART,
        max_iterations: MAX_KRYLOV,
    }
}
