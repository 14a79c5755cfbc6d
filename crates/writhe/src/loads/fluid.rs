//! A viscous fluid whose flow couples all nodes: regularised Stokeslet segments (T22 appendix A).

use super::stokeslet_segments::segments::{EndWeights, RodNodes, StokesError, StokesModel};
use crate::model::ModelError;
use crate::rod::Topology;

/// Stokes flow around the rods.
#[derive(Debug, Clone, PartialEq)]
pub struct Fluid {
    /// Viscosity, Pa s.
    pub viscosity: f64,
    /// Regularisation epsilon over the radius: 1.02 in T22, sqrt(e) = 1.6487 to match slender-body theory.
    pub regularisation: f64,
    /// How the drag enters the step.
    pub coupling: Coupling,
}

/// How drag enters the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// Drag of the velocity at the end of the step, solved for together with the positions.
    Implicit,
    /// Drag of the velocity and geometry at the start of the step, as in T22; limits the step.
    Lagged,
}

impl Fluid {
    /// Checks that every parameter is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), ModelError> {
        for (key, value) in [
            ("viscosity", self.viscosity),
            ("regularisation", self.regularisation),
        ] {
            if !(value.is_finite() && value > 0.0) {
                let need = "finite and greater than zero";
                return Err(ModelError::Setting { key, value, need });
            }
        }
        Ok(())
    }

    /// The rods as the Stokes flow sees them; `radius` in m, `(edges)`.
    ///
    /// # Errors
    /// When a radius or the viscosity is not positive.
    pub fn stokes_model(
        &self,
        topology: &Topology,
        radius: &[f64],
    ) -> Result<StokesModel, StokesError> {
        let rods = topology.rods.iter().map(|r| RodNodes {
            first_node: r.first_node,
            n_nodes: r.nodes,
            closed: r.closed,
        });
        let epsilon = radius.iter().map(|h| h * self.regularisation).collect();
        StokesModel::new(rods.collect(), epsilon, self.viscosity, EndWeights::Voronoi)
    }
}
