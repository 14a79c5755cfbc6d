//! Drag of a fluid that couples all nodes, `u + B F = 0`, within a step; `lagged` has that of the
//! step's start.
//!
//! F is the hydrodynamic force on every node, u the velocity of every node, B the mobility
//! assembled once at the predicted positions; no inverse of B is formed. With r = -g and v = -(u +
//! B F), Newton's correction solves
//!
//! ```text
//! [ J   -P^T ] [dq]   [r]        M = [ J   -P^T  ]     L = J + a P^T R P,  w = v - a P dq:
//! [ a P   B  ] [dF] = [v],           [ a P  R^-1 ]     L dq = r + P^T R v,  dF = R w.
//! ```
//!
//! R is an approximate inverse of B that couples neighbours only, so that L is no wider than J.
//! M^-1 on the right leaves only `v' + (B - R^-1) dF = a P dq + B dF` to a Krylov method, as long
//! as J lies wholly in L.

pub(crate) mod gain;
pub(crate) mod guess;
mod lagged;
pub mod limit;
pub(super) mod prepare;

use std::sync::Arc;

use glam::{DMat3, DVec3};

use super::newton::shift;
use super::system::{System, right_preconditioned};
use crate::assembly::Blocks;
use crate::fluid::{Fluid, FluidError, Medium, Mobility, Rods};
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::solve::SolveError;
use crate::solve::krylov::KrylovWorkspace;

/// Largest and smallest relative residual that the Krylov method is asked for.
const FORCING: [f64; 2] = [0.1, 1e-5];
/// Relative error of the mobility's rough product ([`Mobility::apply_roughly`]).
const ROUGH_ERROR: f64 = 1e-6;

pub(super) use lagged::LaggedForce;

/// Mobility at the predicted positions.
#[derive(Debug, Default)]
pub(super) struct Drag {
    /// That of the medium next to it, which it is used again for.
    mobility: Option<(Arc<dyn Medium>, Box<dyn Mobility>)>,
    positions: Vec<DVec3>,
}

/// Result of a linear solve.
pub(super) struct Correction {
    pub dq: Vec<f64>,
    /// Change of the hydrodynamic force, dF, with the flow that it makes, B dF, to the digits of the
    /// rough product.
    pub drag: ForceAndFlow,
    pub krylov_iterations: usize,
}

/// A hydrodynamic force and the flow that it makes.
#[derive(Debug, Clone, Default)]
pub(super) struct ForceAndFlow {
    /// F, N, `(3 nodes)`.
    pub force: Vec<f64>,
    /// B F, m/s, `(3 nodes)`. It is known exactly of the first force of a step, and then by `B (F +
    /// dF) = B F + B dF`.
    pub flow: Vec<f64>,
    /// Lengths of the changes since the flow was known exactly, over that of the force.
    pub changed: f64,
}

impl ForceAndFlow {
    /// Becomes `from + alpha by`.
    pub fn shift(&mut self, from: &Self, alpha: f64, by: &Self) {
        shift(&mut self.force, &from.force, alpha, &by.force);
        shift(&mut self.flow, &from.flow, alpha, &by.flow);
        let [change, whole] = [by, &*self].map(|f| f.force.iter().map(|f| f * f).sum::<f64>());
        self.changed = from.changed + alpha * (change / whole).sqrt();
    }

    /// What rough products may have done to the flow since it was known exactly, over the flow. It
    /// moves nodes by a radius or so in a step, so this is in radii, too.
    pub fn error(&self) -> f64 {
        ROUGH_ERROR * self.changed
    }
}

impl Drag {
    /// Assembles the mobility at `q`.
    pub fn assemble(&mut self, model: &Model, fluid: &Fluid, q: &[f64]) -> Result<(), SolveError> {
        self.fill(model, fluid, q, |mobility, rods, positions| {
            mobility.assemble(rods, positions)
        })
    }

    /// The same with the flow that a force, N, makes there; without one it is zero.
    pub fn assemble_with(
        &mut self,
        model: &Model,
        fluid: &Fluid,
        q: &[f64],
        mut force: Vec<f64>,
    ) -> Result<ForceAndFlow, SolveError> {
        force.resize(3 * model.topology.node_dof.len(), 0.0);
        let mut flow = vec![0.0; force.len()];
        self.fill(model, fluid, q, |mobility, rods, positions| {
            mobility.assemble_with(rods, positions, &force, &mut flow)
        })?;
        Ok(ForceAndFlow {
            force,
            flow,
            changed: 0.0,
        })
    }

    fn fill(
        &mut self,
        model: &Model,
        fluid: &Fluid,
        q: &[f64],
        assemble: impl FnOnce(&mut dyn Mobility, Rods, &[DVec3]) -> Result<(), FluidError>,
    ) -> Result<(), SolveError> {
        let topology = &model.topology;
        self.positions.clear();
        self.positions
            .extend(topology.node_dof.iter().map(|dof| position(q, *dof)));
        let known = self.mobility.take();
        let same = known.filter(|(medium, _)| Arc::ptr_eq(medium, &fluid.medium));
        let (medium, mut mobility) =
            same.unwrap_or_else(|| (fluid.medium.clone(), fluid.medium.mobility()));
        assemble(&mut *mobility, rods(model), &self.positions).map_err(|error| failed(&error))?;
        self.mobility = Some((medium, mobility));
        Ok(())
    }

    fn mobility(&self) -> Result<&dyn Mobility, SolveError> {
        let mobility = self.mobility.as_ref().map(|(_, mobility)| &**mobility);
        mobility.ok_or(SolveError::NotFactored)
    }

    /// `force = R velocity`, both `(3 nodes)`.
    pub(super) fn resist(
        &self,
        model: &Model,
        velocity: &[f64],
        force: &mut [f64],
    ) -> Result<(), SolveError> {
        let edges = &model.topology.edge_nodes;
        self.mobility()?.resistance().force(edges, velocity, force);
        Ok(())
    }

    /// `out = B force`, `(3 nodes)`.
    pub fn velocity(&self, force: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        let mobility = self.mobility()?;
        mobility.apply(force, out).map_err(|error| failed(&error))
    }

    /// Adds `a R` to the matrix.
    pub fn add_resistance(&self, model: &Model, rate: f64, blocks: &mut dyn Blocks) {
        let Ok(mobility) = self.mobility() else {
            return;
        };
        let resistance = mobility.resistance();
        let topology = &model.topology;
        for (dof, r) in topology.node_dof.iter().zip(&resistance.nodes) {
            let values = (*r * rate).to_cols_array();
            blocks.symmetric(&[*dof, dof + 1, dof + 2], &values);
        }
        // An edge that couples nothing, as where a closed rod closes, needs no place.
        let edges = topology.edge_nodes.iter().zip(&resistance.edges);
        for (nodes, r) in edges.filter(|(_, r)| **r != DMat3::ZERO) {
            let [i, j] = nodes.map(|node| topology.node_dof[node]);
            let r = (*r * rate).to_cols_array_2d();
            // R_ij in the rows of i, its transpose in those of j.
            let values: [f64; 36] = std::array::from_fn(|k| match (k / 6, k % 6) {
                (row @ 0..3, column @ 3..6) => r[column - 3][row],
                (row @ 3..6, column @ 0..3) => r[row - 3][column],
                _ => 0.0,
            });
            blocks.symmetric(&[i, i + 1, i + 2, j, j + 1, j + 2], &values);
        }
    }

    /// `M^-1 (r, v)`: writes dq into `dq` (which holds r) and `w = v - a P dq`, of which dF is R w,
    /// into `w` (which holds v).
    pub fn precondition(
        &self,
        model: &Model,
        system: &mut System,
        rate: f64,
        dq: &mut [f64],
        w: &mut [f64],
    ) -> Result<(), SolveError> {
        let fixed = model.constraints.fixed();
        let dofs = &model.topology.node_dof;
        // L dq = r + P^T R v
        let mut force = vec![0.0; w.len()];
        self.resist(model, w, &mut force)?;
        for (f, dof) in force.chunks_exact(3).zip(dofs) {
            for k in 0..3 {
                if !fixed[dof + k] {
                    dq[dof + k] += f[k];
                }
            }
        }
        system.solve_unchecked(dq)?;
        for (w, dof) in w.chunks_exact_mut(3).zip(dofs) {
            for k in 0..3 {
                w[k] -= rate * dq[dof + k];
            }
        }
        Ok(())
    }

    /// Solves the coupled system for the right-hand sides `r = -g`, `(dofs)`, and `v = -(u + B F)`,
    /// `(3 nodes)`: what is left of the second is about `accuracy` of the velocity of the correction.
    ///
    /// The Krylov method acts on v alone, since M solves the first row exactly: it begins from `M^-1
    /// (r, v)`, which leaves `(0, w - B dF)`, and looks for the x that `M^-1 (0, x)` adds.
    pub fn solve(
        &self,
        model: &Model,
        system: &mut System,
        rate: f64,
        (r, v): (&[f64], &[f64]),
        accuracy: f64,
        krylov: &mut KrylovWorkspace,
    ) -> Result<Correction, SolveError> {
        system.poll.check()?;
        let (mut dq, mut near) = (r.to_vec(), v.to_vec());
        let mut df = vec![0.0; v.len()];
        self.precondition(model, system, rate, &mut dq, &mut near)?;
        self.resist(model, &near, &mut df)?;
        let mut left = vec![0.0; v.len()];
        self.flow(&df, &mut left)?;
        for (left, near) in left.iter_mut().zip(&near) {
            *left = near - *left;
        }
        // How fast the correction is, to which the accuracy is relative: a P dq = v - w
        let speed: f64 = near.iter().zip(v).map(|(w, v)| (v - w).powi(2)).sum();
        let rest: f64 = left.iter().map(|left| left * left).sum();
        let wanted = accuracy.clamp(FORCING[1], FORCING[0]) * (speed / rest).sqrt();
        // x + (B - R^-1) dF = left, with dF of M^-1 (0, x)
        let (x, iterations) = right_preconditioned(&left, wanted, krylov, |x, y| {
            system.poll.check()?;
            dq.fill(0.0);
            near.copy_from_slice(x);
            self.precondition(model, system, rate, &mut dq, &mut near)?;
            self.resist(model, &near, &mut df)?;
            self.flow(&df, y)?;
            for ((y, x), near) in y.iter_mut().zip(x).zip(&near) {
                *y += x - near;
            }
            Ok(())
        })?;
        // (dq, dF) = M^-1 (r, v + x)
        dq.copy_from_slice(r);
        for ((near, v), x) in near.iter_mut().zip(v).zip(&x) {
            *near = v + x;
        }
        self.precondition(model, system, rate, &mut dq, &mut near)?;
        self.resist(model, &near, &mut df)?;
        // B dF = w - x - what is left
        let known = near.iter().zip(&x).zip(krylov.residual());
        let flow = known.map(|((w, x), rest)| w - x - rest).collect();
        Ok(Correction {
            dq,
            drag: ForceAndFlow {
                force: df,
                flow,
                changed: 1.0,
            },
            krylov_iterations: iterations + 1,
        })
    }

    /// `out = B df`, to the accuracy that the Krylov method needs.
    fn flow(&self, df: &[f64], out: &mut [f64]) -> Result<(), SolveError> {
        let mobility = self.mobility()?;
        mobility
            .apply_roughly(df, out)
            .map_err(|error| failed(&error))
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

#[cfg(test)]
mod tests;
