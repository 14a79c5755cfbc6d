//! The loads of a model: those of points with flat indices, those of a medium with what they need
//! of the rods.

use crate::loads::{
    DistributedForce, Foundation, Gravity, Load, ResistiveDrag, ViscousDamping, Wind,
};
use crate::model::ModelError;
use crate::model::builder::ModelBuilder;
use crate::model::builder::flat::flat;
use crate::model::lumping::voronoi_lengths;
use crate::rod::Topology;

impl ModelBuilder {
    /// All loads, those from outside first; `mass` is that of the unknowns, `(dofs)`.
    pub(super) fn flat_loads(
        &mut self,
        topology: &Topology,
        mass: &[f64],
    ) -> Result<Vec<Box<dyn Load>>, ModelError> {
        let mut loads = std::mem::take(&mut self.loads);
        for (rod, mut force) in std::mem::take(&mut self.forces) {
            force.node = flat("a point force", rod, "node", force.node, topology)?;
            if let Some(edge) = force.follows {
                force.follows = Some(flat("a following force", rod, "edge", edge, topology)?);
            }
            loads.push(Box::new(force));
        }
        for (rod, mut moment) in std::mem::take(&mut self.moments) {
            moment.edge = flat("a point moment", rod, "edge", moment.edge, topology)?;
            loads.push(Box::new(moment));
        }
        for (rod, bedding) in std::mem::take(&mut self.foundations) {
            let last = self.rods.len().saturating_sub(1);
            let what = "a foundation";
            let Some(of) = self.rods.get(rod) else {
                return Err(ModelError::NoSuchRod { what, rod, last });
            };
            let first = topology.rods[rod].first_node;
            loads.push(Box::new(Foundation::new(of, first, &bedding)?));
        }
        for (rod, force, amplitude) in std::mem::take(&mut self.distributed) {
            let layout = &topology.rods[rod];
            loads.push(Box::new(DistributedForce {
                edges: layout.first_edge..layout.first_edge + layout.edges,
                force,
                amplitude,
                closed: layout.closed,
            }));
        }
        if let Some(magnetism) = self.flat_magnets(topology) {
            loads.push(Box::new(magnetism));
        }
        if let Some(acceleration) = self.gravity {
            loads.push(Box::new(Gravity::new(acceleration, mass, topology)));
        }
        if let Some(eta) = self.viscosity {
            let lengths = voronoi_lengths(&self.rods, topology);
            let coefficient = lengths.iter().map(|l| eta * l).collect();
            loads.push(Box::new(ViscousDamping { coefficient }));
        }
        if let Some((viscosity, law)) = self.resistive {
            loads.push(Box::new(ResistiveDrag::new(&self.rods, viscosity, law)));
        }
        if let Some((velocity, amplitude, drag)) = self.wind.take() {
            let sections = self.rods.iter().flat_map(|r| &r.sections);
            let radius: Vec<f64> = sections.map(|s| s.radius).collect();
            loads.push(Box::new(Wind::new(velocity, amplitude, drag, &radius)));
        }
        Ok(loads)
    }
}
