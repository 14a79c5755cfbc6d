//! A viscous fluid whose flow couples all nodes: any map from the forces on nodes to their
//! velocities, behind the trait [`Mobility`].

mod mobility;
mod resistance;
pub mod stokeslet_segments;

use std::sync::Arc;

pub use mobility::{FluidError, Medium, Mobility, Rods};
pub use resistance::Resistance;
pub use stokeslet_segments::StokesletSegments;

use crate::error::ModelError;

/// A fluid without inertia around the rods.
#[derive(Debug, Clone)]
pub struct Fluid {
    /// How forces move it.
    pub medium: Arc<dyn Medium>,
    /// How the drag enters the step.
    pub coupling: Coupling,
}

/// How drag enters the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coupling {
    /// Drag of the velocity at the end of the step, solved for together with the positions.
    Implicit,
    /// Drag of the velocity and geometry at the start of the step, as in T22; limits the step.
    Lagged,
}

impl Fluid {
    /// A fluid that moves as `medium` says.
    pub fn new(medium: impl Medium + 'static, coupling: Coupling) -> Self {
        Self {
            medium: Arc::new(medium),
            coupling,
        }
    }

    /// Checks that every parameter is in range.
    ///
    /// # Errors
    /// [`ModelError`] with the name of the first parameter out of range.
    pub fn check(&self) -> Result<(), ModelError> {
        self.medium.check()
    }
}
