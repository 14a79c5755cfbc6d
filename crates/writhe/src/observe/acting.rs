//! Contacts at the end of a step with the friction that acted there.

use crate::assembly::Trial;
use crate::contact::obstacle::frame::Instant;
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::kernels::friction::FrictionSolve;
use crate::model::Model;
use crate::obstacle::surface::Instants;
use crate::rod::Kinematics;
use crate::rod::kinematics::KinematicsError;
use crate::state::{History, State};

/// Contacts, and the velocities that their friction is of.
pub(super) struct ActingContacts {
    pub frame: ContactFrame,
    pub contact: ContactSet,
    /// Unlike those of the state, with all of the spin of edges, `(dofs)`.
    pub velocity: Vec<f64>,
}

impl ActingContacts {
    /// The contacts at the end of the last step, whose forces are added.
    pub(super) fn find(
        model: &Model,
        state: &State,
        kinematics: &Kinematics,
        force: &mut [f64],
    ) -> Result<Self, KinematicsError> {
        let last = state.history.as_ref();
        let instants = last.map_or(Instants::still(state.time), |h| Instants {
            span: [0.0; 2],
            // Obstacles move as the scheme of the step takes velocities.
            rate: if is_difference(model, state, h) {
                1.0
            } else {
                TWO_STEPS
            } / h.dt,
            ..Instants::ending(state.time, h.dt)
        });
        let beginning = Beginning {
            // Friction that lags took its direction from the velocities at the start of the last step.
            velocity: last.map_or(&state.velocity, |h| &h.velocity),
            ..Beginning::new(model, state, instants)
        };
        let mut frame = ContactFrame::new(model, &beginning);
        let mut velocity = state.velocity.clone();
        let rubs = model.rods_rub() || model.obstacles.iter().any(|o| model.is_rough(o));
        match frame.friction_solve() {
            FrictionSolve::Implicit if !rubs => {}
            FrictionSolve::Implicit => add_spin_of_frames(model, state, kinematics, &mut velocity)?,
            FrictionSolve::Lagged { rounds } => lag(model, state, kinematics, rounds, &mut frame)?,
        }
        let at = Trial {
            velocity: &velocity,
            ..state.trial(&model.topology, kinematics)
        };
        let mut contact = ContactSet::default();
        contact.find(&mut frame, model, &at, state.contact.stiffness, force);
        Ok(Self {
            frame,
            contact,
            velocity,
        })
    }
}

/// Of a scheme with two steps the derivative of velocities by positions, times the step: any but 1 says
/// that velocities are no differences over the step.
const TWO_STEPS: f64 = 1.5;
/// Part of the largest motion of a coordinate by which velocities may miss such a difference.
const MISSED: f64 = 1e-9;

/// Whether velocities are differences over the last step, as those of backward Euler.
fn is_difference(model: &Model, state: &State, last: &History) -> bool {
    let coordinates = || {
        let nodes = model.topology.node_dof.iter();
        nodes.flat_map(|dof| *dof..dof + 3)
    };
    let moved = |dof: usize| state.q[dof] - last.q[dof];
    let largest = coordinates()
        .map(|dof| moved(dof).abs())
        .fold(0.0, f64::max);
    let missed = |dof: usize| (state.velocity[dof] * last.dt - moved(dof)).abs();
    coordinates().all(|dof| missed(dof) <= MISSED * largest)
}

/// Adds to the rate of each angle what its frame spins by. Angles are counted from frames that were
/// carried from where the step began to where it ended; there the motion of a two-step scheme is not
/// along that way, so a frame that is carried on with it spins (decision 0012).
fn add_spin_of_frames(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    velocity: &mut [f64],
) -> Result<(), KinematicsError> {
    let Some(last) = &state.history else {
        return Ok(());
    };
    let topology = &model.topology;
    let mut start = Kinematics::default();
    start.update(topology, &state.frames, &last.q)?;
    for (edge, dof) in topology.edge_dof.iter().enumerate() {
        let [first, second] = topology.at_ends(&state.velocity, edge);
        let axis = kinematics.axis(edge);
        // a . e', a = -(t0 x t) / (|e| (1 + t0 . t))
        let (from, to) = (start.tangent(edge), axis.tangent);
        let spin = -from.cross(to) / (axis.length * (1.0 + from.dot(to)));
        velocity[*dof] += spin.dot(second - first);
    }
    Ok(())
}

/// Keeps the normal forces that friction lagged by in the last step: those of its start, or with more
/// rounds nearly those of its end.
fn lag(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    rounds: u32,
    frame: &mut ContactFrame,
) -> Result<(), KinematicsError> {
    let (topology, stiffness) = (&model.topology, state.contact.stiffness);
    match &state.history {
        Some(last) if rounds == 1 => {
            let mut start = Kinematics::default();
            start.update(topology, &state.frames, &last.q)?;
            start.leave_out_spins();
            let at = Trial {
                q: &last.q,
                velocity: &last.velocity,
                ..state.trial(topology, &start)
            };
            frame.lag_normal_forces(model, &at, stiffness, Instant::Start);
        }
        _ => {
            let at = state.trial(topology, kinematics);
            frame.lag_normal_forces(model, &at, stiffness, Instant::End);
        }
    }
    Ok(())
}
