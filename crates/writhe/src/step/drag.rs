//! Drag of a fluid that couples all nodes, `u + B F = 0`, within a step; `lagged` has that of the
//! step's start.
//!
//! F is the hydrodynamic force on every node, u the velocity of every node, B the mobility
//! assembled once at the predicted positions; no inverse of B is formed. With r = -g and v = -(u +
//! B F), Newton's correction solves
//!
//! ```text
//! [ J   -P^T ] [dq]   [r]        M = [ J   -P^T  ]     L = J + a P^T R P,  R = B_loc^-1,
//! [ a P   B  ] [dF] = [v],           [ a P  B_loc ]:    L dq = r + P^T R v,  dF = R (v - a P dq).
//! ```
//!
//! M^-1 on the right leaves only `v' + (B - B_loc) dF` to a Krylov method, as long as J lies wholly
//! in L.

pub(crate) mod gain;
pub(super) mod guess;
mod lagged;
pub mod limit;
pub(super) mod prepare;

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::system::{System, right_preconditioned};
use crate::assembly::Blocks;
use crate::fluid::{Fluid, FluidError, Medium, Mobility, Rods};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::solve::SolveError;
use crate::solve::krylov::KrylovWorkspace;

pub(super) use lagged::LaggedForce;

/// Mobility at the predicted positions and the local model that preconditions it.
#[derive(Debug, Default)]
pub(super) struct Drag {
    /// That of the medium next to it, which it is used again for.
    mobility: Option<(Arc<dyn Medium>, Box<dyn Mobility>)>,
    /// Inverse of the local resistance of each node, m/(N s), `(nodes)`.
    local_mobility: Vec<DMat3>,
    positions: Vec<DVec3>,
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
        let known = self.mobility.take();
        let same = known.filter(|(medium, _)| Arc::ptr_eq(medium, &fluid.medium));
        let (medium, mut mobility) =
            same.unwrap_or_else(|| (fluid.medium.clone(), fluid.medium.mobility()));
        mobility
            .assemble(rods(model), &self.positions)
            .map_err(|error| failed(&error))?;
        // B_loc = R^-1, node by node.
        self.local_mobility.clear();
        self.local_mobility
            .extend(mobility.resistance().iter().map(DMat3::inverse));
        self.mobility = Some((medium, mobility));
        Ok(())
    }

    fn mobility(&self) -> Result<&dyn Mobility, SolveError> {
        let mobility = self.mobility.as_ref().map(|(_, mobility)| &**mobility);
        mobility.ok_or(SolveError::NotFactored)
    }

    fn resistance(&self) -> &[DMat3] {
        self.mobility
            .as_ref()
            .map_or(&[], |(_, mobility)| mobility.resistance())
    }

    /// `out = B force`, `(3 nodes)`.
    pub fn velocity(&self, force: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        let mobility = self.mobility()?;
        mobility.apply(force, out).map_err(|error| failed(&error))
    }

    /// Adds `a R` to the matrix.
    pub fn add_resistance(&self, model: &Model, rate: f64, blocks: &mut dyn Blocks) {
        for (dof, r) in model.topology.node_dof.iter().zip(self.resistance()) {
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
        let nodes = || self.resistance().iter().zip(&model.topology.node_dof);
        // L dq = r + P^T R v
        for ((r, dof), v) in nodes().zip(df.chunks_exact(3)) {
            let f = (*r * DVec3::from_slice(v)).to_array();
            for k in 0..3 {
                if !fixed[dof + k] {
                    dq[dof + k] += f[k];
                }
            }
        }
        system.solve_unchecked(dq)?;
        // dF = R (v - a P dq)
        for ((r, dof), v) in nodes().zip(df.chunks_exact_mut(3)) {
            let rest = DVec3::from_slice(v) - position(dq, *dof) * rate;
            v.copy_from_slice(&(*r * rest).to_array());
        }
        Ok(())
    }

    /// Solves the coupled system for the right-hand sides `r = -g`, `(dofs)`, and `v = -(u + B F)`,
    /// `(3 nodes)`, to a relative residual of about `accuracy`.
    ///
    /// The Krylov method acts on v alone: M solves the first row exactly, and what dF takes from r
    /// belongs to the right-hand side.
    pub fn solve(
        &self,
        model: &Model,
        system: &mut System,
        rate: f64,
        (r, v): (&[f64], &[f64]),
        accuracy: f64,
        krylov: &mut KrylovWorkspace,
    ) -> Result<Correction, SolveError> {
        let mut dq = r.to_vec();
        let mut df = vec![0.0; v.len()];
        let mut far = vec![0.0; v.len()];
        // b = v - (B - B_loc) dF of M^-1 (r, 0)
        self.precondition(model, system, rate, &mut dq, &mut df)?;
        self.far_flow(&df, &mut far)?;
        let b: Vec<f64> = v.iter().zip(&far).map(|(v, far)| v - far).collect();
        // x + (B - B_loc) dF = b, with dF of M^-1 (0, x)
        let (x, iterations) = right_preconditioned(&b, accuracy, krylov, |x, y| {
            system.poll.check()?;
            dq.fill(0.0);
            df.copy_from_slice(x);
            self.precondition(model, system, rate, &mut dq, &mut df)?;
            self.far_flow(&df, y)?;
            add(y, x);
            Ok(())
        })?;
        // (dq, dF) = M^-1 (r, x)
        dq.copy_from_slice(r);
        df.copy_from_slice(&x);
        self.precondition(model, system, rate, &mut dq, &mut df)?;
        Ok(Correction {
            dq,
            df,
            krylov_iterations: iterations,
        })
    }

    /// `out = (B - B_loc) df`: the flow of all other nodes, to the accuracy that the Krylov method
    /// needs.
    fn far_flow(&self, df: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        let mobility = self.mobility()?;
        mobility
            .apply_roughly(df, out)
            .map_err(|error| failed(&error))?;
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

fn rods(model: &Model) -> Rods<'_> {
    Rods {
        topology: &model.topology,
        radius: &model.radius,
    }
}

fn failed(error: &FluidError) -> SolveError {
    SolveError::Operator {
        what: "the flow of the fluid cannot be found",
        reason: error.to_string(),
    }
}

fn add(y: &mut [f64], x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x;
    }
}
