//! The first state of a model.

use crate::bodies::Body;
use crate::ledger::Ledger;
use crate::model::pairs::overlap::{first_narrow_wall, first_obstacle_overlap, first_overlap};
use crate::model::{Model, ModelError, attach};
use crate::rod::Frames;
use crate::state::{ContactMemory, Control, DragWatch, State};
use crate::viscoelastic::StrainMemory;

/// Time over which the first velocity of a prescribed motion is taken, s.
pub(in crate::model) const FIRST_INSTANT: f64 = 1e-3;

/// The state at the unknowns `q`, `(dofs)`: at rest but for what is prescribed and for `bodies`,
/// which move as described.
pub(super) fn first_state(model: &Model, bodies: &[Body], q: Vec<f64>, frames: Frames) -> State {
    let (dofs, nodes) = (model.topology.dofs, model.topology.nodes());
    let mut state = State {
        time: 0.0,
        step: 0,
        q,
        velocity: vec![0.0; dofs],
        acceleration: vec![0.0; dofs],
        history: None,
        engine: Vec::new(),
        tension: Vec::new(),
        broken: Vec::new(),
        strains: StrainMemory::default(),
        frames,
        contact: ContactMemory {
            stiffness: model.first_contact_stiffness(),
            ..ContactMemory::default()
        },
        hydrodynamic_force: match model.fluid {
            Some(_) => vec![0.0; 3 * nodes],
            None => Vec::new(),
        },
        drag_history: Vec::new(),
        drag_watch: DragWatch::default(),
        reactions: Vec::new(),
        control: Control::default(),
        ledger: Ledger::default(),
    };
    model.turn_at_start(&mut state);
    attach::first_velocities(model, bodies, &mut state);
    // Prescribed unknowns may move from the first instant.
    let (frames, q) = (&state.frames, &state.q);
    model.constraints.apply_velocity(
        &model.topology,
        frames,
        q,
        0.0,
        FIRST_INSTANT,
        &mut state.velocity,
    );
    attach::first_rates(model, &mut state);
    state
}

/// Refuses a start in which rods lie in each other or in an obstacle.
pub(in crate::model) fn check_overlaps(model: &Model, state: &State) -> Result<(), ModelError> {
    if let Some(overlap) = first_overlap(model, &state.q) {
        return Err(ModelError::Overlap(overlap));
    }
    if let Some(narrow) = first_narrow_wall(model) {
        return Err(ModelError::NarrowWall(narrow));
    }
    match first_obstacle_overlap(model, &state.q) {
        Some(overlap) => Err(ModelError::ObstacleOverlap(overlap)),
        None => Ok(()),
    }
}
