//! The fluid of regularised Stokeslet segments (T22 appendix A) as a medium of the step.

use glam::DVec3;

use crate::error::ModelError;
use crate::fluid::stokeslet_segments::mobility::DenseMobility;
use crate::fluid::stokeslet_segments::resistance::chain_resistance;
use crate::fluid::stokeslet_segments::segments::{EndWeights, RodNodes, StokesError, StokesModel};
use crate::fluid::stokeslet_segments::velocity::velocity_at;
use crate::fluid::{FluidError, Medium, Mobility, Resistance, Rods};
use crate::rod::Topology;
use crate::solve::SolveError;
use crate::solve::dense::DenseLu;

/// Regularisation over the radius below which blocks of the mobility, which grow as its inverse square,
/// leave what single precision can tell beside each other (decision 0098).
const LEAST_REGULARISATION: f64 = 1e-6;

/// Stokes flow driven by regularised Stokeslet segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StokesletSegments {
    /// Viscosity, Pa s.
    pub viscosity: f64,
    /// Regularisation epsilon over the radius, at least 1e-6: 1.02 in T22, sqrt(e) = 1.6487 to match
    /// slender-body theory.
    pub regularisation: f64,
}

impl StokesletSegments {
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

impl Medium for StokesletSegments {
    fn check(&self) -> Result<(), ModelError> {
        for (key, value) in [
            ("viscosity", self.viscosity),
            ("regularisation", self.regularisation),
        ] {
            if !(value.is_finite() && value > 0.0) {
                let need = "finite and greater than zero";
                return Err(ModelError::Setting { key, value, need });
            }
        }
        if self.regularisation < LEAST_REGULARISATION {
            return Err(ModelError::Setting {
                key: "regularisation",
                value: self.regularisation,
                need: "at least 1e-6",
            });
        }
        Ok(())
    }

    fn mobility(&self) -> Box<dyn Mobility> {
        Box::new(Flow {
            medium: *self,
            mobility: None,
            resistance: Resistance::default(),
        })
    }

    /// The smallest regularisation length.
    fn resolution(&self, rods: Rods) -> f64 {
        let radius = rods.radius.iter().copied().fold(f64::INFINITY, f64::min);
        self.regularisation * radius
    }

    fn velocity_at(
        &self,
        rods: Rods,
        positions: &[DVec3],
        forces: &[DVec3],
        points: &[DVec3],
    ) -> Result<Vec<DVec3>, FluidError> {
        let stokes = self.stokes_model(rods.topology, rods.radius)?;
        Ok(velocity_at(&stokes, positions, forces, points)?)
    }
}

/// The flow at one configuration.
#[derive(Debug)]
struct Flow {
    medium: StokesletSegments,
    mobility: Option<DenseMobility>,
    resistance: Resistance,
}

impl Flow {
    fn assembled(&self) -> Result<&DenseMobility, SolveError> {
        self.mobility.as_ref().ok_or(SolveError::NotFactored)
    }
}

fn resistance(rods: Rods, mobility: &DenseMobility) -> Resistance {
    let rods = rods.topology.rods.iter();
    let nodes = rods.map(|r| (r.first_node..r.first_node + r.nodes, r.closed));
    chain_resistance(mobility, nodes)
}

impl Mobility for Flow {
    fn assemble(&mut self, rods: Rods, positions: &[DVec3]) -> Result<(), FluidError> {
        let stokes = self.medium.stokes_model(rods.topology, rods.radius)?;
        let mobility = self.mobility.get_or_insert_default();
        mobility.assemble(&stokes, positions)?;
        self.resistance = resistance(rods, mobility);
        Ok(())
    }

    fn assemble_with(
        &mut self,
        rods: Rods,
        positions: &[DVec3],
        force: &[f64],
        velocity: &mut [f64],
    ) -> Result<(), FluidError> {
        let stokes = self.medium.stokes_model(rods.topology, rods.radius)?;
        let mobility = self.mobility.get_or_insert_default();
        mobility.assemble_with(&stokes, positions, force, velocity)?;
        self.resistance = resistance(rods, mobility);
        Ok(())
    }

    fn apply(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), FluidError> {
        let mobility = self.mobility.as_ref().ok_or(FluidError::NotAssembled)?;
        Ok(mobility.apply(force, velocity)?)
    }

    /// The product in f32, as B is kept: about six digits.
    fn apply_roughly(&self, force: &[f64], velocity: &mut [f64]) -> Result<(), FluidError> {
        let mobility = self.mobility.as_ref().ok_or(FluidError::NotAssembled)?;
        Ok(mobility.apply_roughly(force, velocity)?)
    }

    fn resistance(&self) -> &Resistance {
        &self.resistance
    }

    /// The forces by a dense factorisation: `18 nodes^3` operations on one thread.
    fn solve(&self, velocity: &[f64]) -> Option<Result<Vec<f64>, SolveError>> {
        let solve = || {
            let mut force = velocity.to_vec();
            DenseLu::factor(self.assembled()?.dense())?.solve_unchecked(&mut force)?;
            Ok(force)
        };
        Some(solve())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fluids_that_no_rod_can_be_in_are_refused() {
        let check = |viscosity: f64, regularisation: f64| {
            let medium = StokesletSegments {
                viscosity,
                regularisation,
            };
            medium.check().map_err(|error| error.to_string())
        };
        assert_eq!(check(1.0, 1e-6), Ok(()));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(check(bad, 1.0).unwrap_err().contains("viscosity"));
            assert!(check(1.0, bad).unwrap_err().contains("regularisation"));
        }
        assert!(check(1.0, 1e-15).unwrap_err().contains("at least 1e-6"));
    }

    #[test]
    fn without_rods_nothing_flows() {
        let stokes = StokesModel::new(Vec::new(), Vec::new(), 1.0, EndWeights::Voronoi).unwrap();
        let flow = velocity_at(&stokes, &[], &[], &[DVec3::X]);
        assert_eq!(flow, Ok(vec![DVec3::ZERO]));
    }
}
