//! Rods of unit length and unit bending stiffness at rest.

use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Rod, RodError, Section};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;

use crate::case::CaseError;

/// Unit bending and twisting stiffness, unit mass per length; stretching stiffness `ea`.
pub fn section(ea: f64) -> Section {
    Section {
        ea,
        ei1: 1.0,
        ei2: 1.0,
        gj: 1.0,
        mass_per_length: 1.0,
        inertia_per_length: 1e-4,
        radius: 0.01,
    }
}

/// A rod of one section through `nodes`, straight at rest whatever their shape.
///
/// # Errors
/// When the nodes make no rod.
pub fn straight_rod(nodes: Vec<DVec3>, section: Section) -> Result<Rod, RodError> {
    Rod::open(nodes, section)?.straight_at_rest()
}

/// The equilibrium that the first state settles to.
///
/// # Errors
/// A model that cannot be built, no equilibrium.
pub fn settle(builder: ModelBuilder) -> Result<Simulation, CaseError> {
    let (model, state) = builder.build()?;
    settle_from(model, state)
}

/// The equilibrium that this state settles to.
///
/// # Errors
/// No equilibrium.
pub fn settle_from(model: Model, state: State) -> Result<Simulation, CaseError> {
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle()?;
    Ok(simulation)
}

/// Node positions, m.
pub fn positions(simulation: &Simulation) -> Vec<DVec3> {
    simulation.model.positions(&simulation.state)
}

/// Force of the first constraint on the rods, N.
///
/// # Errors
/// A configuration without frames.
pub fn first_reaction(simulation: &Simulation) -> Result<DVec3, CaseError> {
    Ok(observe(&simulation.model, &simulation.state)?.reactions[0].force)
}
