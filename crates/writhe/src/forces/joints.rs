//! What the joints of a state exert.

use glam::DVec3;

use crate::bodies::JointLoad;
use crate::bodies::joint::At;
use crate::bodies::placement::Turn;
use crate::model::Model;
use crate::state::State;

/// What each joint exerts on its first body, `(joints)`.
pub(crate) fn joint_loads(model: &Model, state: &State) -> Vec<JointLoad> {
    let orientation = state.frames.orientation.iter();
    let turns: Vec<Turn> = orientation
        // Nothing has turned since the state.
        .map(|r| Turn::new(*r, DVec3::ZERO, false))
        .collect();
    let at = At {
        topology: &model.topology,
        start: &state.q,
        broken: &state.broken,
        turns: &turns,
        y: &state.q,
        times: [state.time; 2],
    };
    model.joints.iter().map(|link| link.load(&at)).collect()
}
