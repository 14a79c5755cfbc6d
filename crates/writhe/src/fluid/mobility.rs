//! What a step asks of a fluid, whoever computes its flow.

use std::fmt::Debug;

use glam::DVec3;

use crate::error::ModelError;
use crate::fluid::Resistance;
use crate::fluid::stokeslet_segments::segments::StokesError;
use crate::rod::Topology;
use crate::solve::SolveError;

/// The rods as a fluid sees them.
#[derive(Debug, Clone, Copy)]
pub struct Rods<'a> {
    /// Which nodes and edges they have.
    pub topology: &'a Topology,
    /// Radius, m, `(edges)`.
    pub radius: &'a [f64],
}

/// A fluid, constant during a run.
pub trait Medium: Debug + Send + Sync {
    /// Checks that every parameter is in range.
    ///
    /// # Errors
    /// [`ModelError`] with the name of the first parameter out of range.
    fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// A mobility that is not assembled yet. It is used again for other positions as long as the
    /// model has this medium.
    fn mobility(&self) -> Box<dyn Mobility>;

    /// The distance over which the flow around a rod changes, m: drag is looked at anew once nodes
    /// have moved by a part of it.
    fn resolution(&self, rods: Rods) -> f64;

    /// Velocity of the fluid at `points`, m/s, where the nodes at `positions`, m, push it by
    /// `forces`, N: for pictures.
    ///
    /// # Errors
    /// By default [`FluidError::NoFlowField`].
    fn velocity_at(
        &self,
        _rods: Rods,
        _positions: &[DVec3],
        _forces: &[DVec3],
        _points: &[DVec3],
    ) -> Result<Vec<DVec3>, FluidError> {
        Err(FluidError::NoFlowField)
    }
}

/// The mobility B of all nodes at some positions, `u = B F`, F being the forces of the nodes on the
/// fluid, N, and u the velocities of the nodes, m/s; both `(3 nodes)`.
///
/// The step solves with B by a Krylov method: it multiplies with B, roughly inside and exactly for
/// residuals, and begins from [`Mobility::resistance`]. All must depend on the positions alone.
pub trait Mobility: Debug + Send + Sync {
    /// Assembles it at node `positions`, m.
    ///
    /// # Errors
    /// When a position is not finite, or an edge has no length.
    fn assemble(&mut self, rods: Rods, positions: &[DVec3]) -> Result<(), FluidError>;

    /// Assembles it, and sets `velocity = B force`: for where that is faster than one after the
    /// other.
    ///
    /// # Errors
    /// As [`Mobility::assemble`] and [`Mobility::apply`].
    fn assemble_with(
        &mut self,
        rods: Rods,
        positions: &[DVec3],
        force: &[f64],
        velocity: &mut [f64],
    ) -> Result<(), FluidError> {
        self.assemble(rods, positions)?;
        self.apply(force, velocity)
    }

    /// `velocity = B force`.
    ///
    /// # Errors
    /// When nothing was assembled or the sizes differ.
    fn apply(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), FluidError>;

    /// The product of [`Mobility::apply`] to about six digits, where that is faster. The step takes
    /// most of its products by it.
    ///
    /// # Errors
    /// As [`Mobility::apply`].
    fn apply_roughly(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), FluidError> {
        self.apply(force, velocity)
    }

    /// An approximate inverse of B: what enters Newton's matrix in its place, and where the Krylov
    /// method begins.
    fn resistance(&self) -> &Resistance;

    /// Forces that drive the given velocities, by a factorisation of B, not checked, for where
    /// iterations do not converge; `None` without one.
    ///
    /// # Errors
    /// When nothing was assembled or the sizes differ.
    fn solve(&self, _velocity: &[f64]) -> Option<Result<Vec<f64>, SolveError>> {
        None
    }
}

/// Why a flow cannot be found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FluidError {
    /// The segments cannot be those of rods in a fluid.
    #[error(transparent)]
    Segments(#[from] StokesError),
    /// The mobility was not assembled.
    #[error("the mobility is used before it is assembled")]
    NotAssembled,
    /// The medium knows its flow at nodes only.
    #[error("this fluid does not know its flow beside the rods")]
    NoFlowField,
    /// What another implementation has to say.
    #[error("{0}")]
    Other(String),
}
