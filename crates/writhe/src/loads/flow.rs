//! What a step needs of a fluid that couples all nodes: the map from nodal forces to nodal velocities, and a local model of it.

use glam::{DMat3, DVec3};

use super::Fluid;
use super::stokeslet_segments::clusters::Clusters;
use super::stokeslet_segments::mobility::{Mobility, MobilityF32};
use super::stokeslet_segments::resistance::local_resistance_blocks;
use super::stokeslet_segments::segments::StokesError;
use crate::model::Model;
use crate::rod::Topology;
use crate::solve::SolveError;
use crate::solve::dense::DenseLu;

/// Flow at one configuration: mobility B, `u = B f` with f the force of the nodes on the fluid, and local resistances R.
#[derive(Debug, Default)]
pub struct Flow {
    mobility: Option<Mobility>,
    single: Option<MobilityF32>,
    resistance: Vec<DMat3>,
}

impl Flow {
    /// Assembles B and R at node `positions`, m.
    ///
    /// # Errors
    /// When a position is not finite, or an edge has no length.
    pub fn assemble(
        &mut self,
        model: &Model,
        fluid: &Fluid,
        positions: &[DVec3],
    ) -> Result<(), StokesError> {
        let stokes = fluid.stokes_model(&model.topology, &model.radius)?;
        match &mut self.mobility {
            Some(mobility) => mobility.assemble(&stokes, positions)?,
            none => *none = Some(Mobility::new(&stokes, positions)?),
        }
        if let Some(mobility) = &self.mobility {
            match &mut self.single {
                Some(single) => mobility.copy_to_f32(single),
                none => *none = Some(mobility.to_f32()),
            }
        }
        self.resistance = local_resistance_blocks(&stokes, positions)?;
        Ok(())
    }

    /// Velocity of every node, m/s, driven by nodal forces on the fluid, N; both `(3 nodes)`.
    ///
    /// # Errors
    /// When nothing was assembled or the sizes differ.
    pub fn velocity(&self, force: &[f64], out: &mut [f64]) -> Result<(), StokesError> {
        match &self.mobility {
            Some(mobility) => mobility.apply(force, out),
            None => Err(StokesError::Size {
                what: "nodes of the flow",
                found: 0,
                expected: force.len() / 3,
            }),
        }
    }

    /// As [`Flow::velocity`] to about six digits and twice as fast: for use inside an iterative solver whose outer residual is taken
    /// with [`Flow::velocity`].
    ///
    /// # Errors
    /// As [`Flow::velocity`].
    pub fn rough_velocity(&self, force: &[f64], out: &mut [f64]) -> Result<(), StokesError> {
        match &self.single {
            Some(single) => single.apply(force, out),
            None => self.velocity(force, out),
        }
    }

    /// Inverses of B for clusters of consecutive nodes: a preconditioner.
    ///
    /// # Errors
    /// When nothing was assembled, or the model has other nodes.
    pub fn clusters(&self, topology: &Topology) -> Result<Clusters, SolveError> {
        let mobility = self.assembled()?;
        let rods = topology.rods.iter();
        Clusters::new(mobility, rods.map(|r| r.first_node..r.first_node + r.nodes))
    }

    /// Forces on the fluid that drive the given nodal velocities, by a dense factorisation of B, not checked; both `(3 nodes)`.
    ///
    /// Cost: `18 nodes^3` operations on one thread.
    ///
    /// # Errors
    /// When nothing was assembled or the sizes differ.
    pub fn force(&self, velocity: &[f64]) -> Result<Vec<f64>, SolveError> {
        let mut force = velocity.to_vec();
        DenseLu::factor(self.assembled()?.dense())?.solve_unchecked(&mut force)?;
        Ok(force)
    }

    fn assembled(&self) -> Result<&Mobility, SolveError> {
        self.mobility.as_ref().ok_or(SolveError::NotFactored)
    }

    /// Local resistance R of each node, N s/m, symmetric and positive definite, `(nodes)`.
    pub fn resistance(&self) -> &[DMat3] {
        &self.resistance
    }
}
