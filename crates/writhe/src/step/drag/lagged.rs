//! Lagged drag: the force that the velocities at the start of a step cause, `B F = -u`.
//!
//! Flexible GMRES from a force extrapolated from those of the steps before (`guess.rs`). B is
//! preconditioned by the medium's resistance, which couples neighbours
//! (`fluid/stokeslet_segments/resistance.rs`), and known by a product in f32; refinement
//! around it takes residuals with the product in f64. A dense factorisation stands in where that
//! does not converge.
//!
//! How exact F must be: a residual `r = u + B F` moves a node as a stream of velocity r would. At
//! 1e-10 of the velocity of the rods, and flagella turn at 16 radii/s, that is 2e-9 radii in a
//! second, and elasticity pulls them back: measured against a dense factorisation, 1e-9 radii after
//! 10 s (`docs/accuracy.md`). Newton's method solves what F enters to 1e-6 (`step_tolerance`). The
//! relative error of F itself is at most `cond(B)` times that of the residual; `cond(B)` is 9 to 15
//! with edges of five regularisations, 280 with edges of one.
//!
//! What is left of the residual depends on (model, state) alone: nothing is kept from step to step
//! but forces, and those in the state.

use super::{Drag, ForceAndFlow, ROUGH_ERROR};
use crate::model::Model;
use crate::solve::krylov::{KrylovReport, KrylovWorkspace};
use crate::solve::mixed::{MixedOptions, refined_fgmres};
use crate::solve::refine::{REFUSE_ABOVE, max_abs};
use crate::solve::{Poll, SolveError};

/// An iteration costs a product in f32; so many of them cost less than half of a dense
/// factorisation of ten flagella.
const OPTIONS: MixedOptions = MixedOptions {
    tolerance: 1e-10,
    inner_tolerance: ROUGH_ERROR,
    restart: 60,
    max_iterations: 120,
};

/// For a rate of decay, of which two digits matter.
pub(super) const ROUGH: MixedOptions = MixedOptions {
    tolerance: 1e-4,
    ..OPTIONS
};

/// Drag that is the same during a whole step.
#[derive(Debug)]
pub(in crate::step) struct LaggedForce {
    /// Force of the fluid on every node, N, `(3 nodes)`.
    pub force: Vec<f64>,
    /// Iterations that it took.
    pub krylov_iterations: usize,
}

impl Drag {
    /// Force of nodal velocities `u`, m/s, at the positions of the last assembly; `guess` is one
    /// near it.
    ///
    /// # Errors
    /// When neither the iteration nor a factorisation of B solves the equation.
    pub fn lagged_force(
        &self,
        model: &Model,
        velocity: &[f64],
        guess: ForceAndFlow,
        krylov: &mut KrylovWorkspace,
        poll: &Poll,
    ) -> Result<LaggedForce, SolveError> {
        self.force_of(model, velocity, guess, &OPTIONS, krylov, poll)
    }

    /// The same with other demands on the iteration.
    pub(super) fn force_of(
        &self,
        model: &Model,
        velocity: &[f64],
        guess: ForceAndFlow,
        options: &MixedOptions,
        krylov: &mut KrylovWorkspace,
        poll: &Poll,
    ) -> Result<LaggedForce, SolveError> {
        // B F = -u
        let b: Vec<f64> = velocity.iter().map(|u| -u).collect();
        let ForceAndFlow {
            mut force, flow, ..
        } = guess;
        let iterated = self.iterate(model, &b, (&mut force, &flow), options, krylov, poll);
        poll.check()?;
        let krylov_iterations = iterated.as_ref().map_or(0, |report| report.iterations);
        let relative = |report: KrylovReport| SolveError::ResidualTooLarge {
            relative: report.relative_residual,
        };
        match iterated {
            Ok(report) if report.converged() => {}
            Ok(report) => force = self.direct(&b, relative(report))?,
            Err(error) => force = self.direct(&b, error)?,
        }
        Ok(LaggedForce {
            force,
            krylov_iterations,
        })
    }

    fn iterate(
        &self,
        model: &Model,
        b: &[f64],
        start: (&mut [f64], &[f64]),
        options: &MixedOptions,
        krylov: &mut KrylovWorkspace,
        poll: &Poll,
    ) -> Result<KrylovReport, SolveError> {
        let mobility = self.mobility()?;
        let (resistance, edges) = (mobility.resistance(), &model.topology.edge_nodes);
        // A product that is refused ends the iteration as one that is not finite.
        let mut exact = |f: &[f64], u: &mut [f64]| {
            if poll.stopped() || mobility.apply(f, u).is_err() {
                u.fill(f64::NAN);
            }
        };
        let mut rough = |f: &[f64], u: &mut [f64]| {
            if poll.stopped() || mobility.apply_roughly(f, u).is_err() {
                u.fill(f64::NAN);
            }
        };
        let mut preconditioner = |u: &[f64], f: &mut [f64]| resistance.force(edges, u, f);
        refined_fgmres(
            &mut exact,
            &mut rough,
            &mut preconditioner,
            b,
            start,
            options,
            krylov,
        )
    }

    /// The same by a factorisation, its residual checked; `iterated` is why iterations do not do,
    /// the error where there is no factorisation.
    fn direct(&self, b: &[f64], iterated: SolveError) -> Result<Vec<f64>, SolveError> {
        let force = self.mobility()?.solve(b).unwrap_or(Err(iterated))?;
        let mut residual = vec![0.0; b.len()];
        self.velocity(&force, &mut residual)?;
        residual.iter_mut().zip(b).for_each(|(r, b)| *r -= b);
        let relative = max_abs(&residual) / max_abs(b);
        if !relative.is_finite() {
            return Err(SolveError::NotFinite { place: "drag" });
        }
        if relative > REFUSE_ABOVE {
            return Err(SolveError::ResidualTooLarge { relative });
        }
        Ok(force)
    }
}

#[cfg(test)]
mod tests;
