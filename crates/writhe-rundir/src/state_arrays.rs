//! What a simulation records of each frame beside positions and directors: velocities, the force of
//! the fluid, bodies.
//!
//! A directory of an older version has fewer of these arrays; a run that goes on in it fills those
//! that are there.

use writhe::bodies::Link;
use writhe::model::Model;
use writhe::observe::BodyMotion;
use writhe::rod::kinematics::position;
use writhe::state::State;

use crate::layout::{Axis, Column, ExtraArray, RodLayout, RunLayout};

/// Velocity of each node, m/s, `(node, xyz)`.
pub(crate) const VELOCITIES: &str = "velocities";
/// Force of the fluid on each node, N, `(node, xyz)`.
pub(crate) const HYDRODYNAMIC_FORCES: &str = "hydrodynamic_forces";
/// Centre of mass of each body, m, `(body, xyz)`.
pub(crate) const BODY_POSITIONS: &str = "body_positions";
/// Quaternion x, y, z, w of each body, `(body, quaternion)`.
pub(crate) const BODY_ORIENTATIONS: &str = "body_orientations";

/// 1 where a joint has let go, else 0, `(joint)`; of a run whose joints can break.
pub(crate) const JOINT_BROKEN: &str = "joint_broken";

impl RunLayout {
    /// The rods of a model, the arrays of its state, and these observables.
    pub fn of(model: &Model, observables: Vec<Column>) -> Self {
        let rods = model.topology.rods.iter().map(|rod| RodLayout {
            nodes: rod.nodes,
            closed: rod.closed,
        });
        Self {
            rods: rods.collect(),
            radius: model.radius.clone(),
            observables,
            extra: arrays(model),
            contacts: model.contact.policy().acts(),
            ..Self::default()
        }
    }
}

/// The arrays of a model, in the order of a frame.
fn arrays(model: &Model) -> Vec<ExtraArray> {
    let array = |name: &str, axes: Vec<Axis>, unit: &str, description: &str| ExtraArray {
        name: name.into(),
        axes,
        unit: unit.into(),
        description: description.into(),
    };
    let axis = |name: &str, length| Axis::Other {
        name: name.into(),
        length,
    };
    let nodes = || vec![Axis::Node, Axis::Xyz];
    let mut all = vec![array(VELOCITIES, nodes(), "m/s", "velocity of the node")];
    if model.fluid.is_some() {
        let what = "force of the fluid on the node";
        all.push(array(HYDRODYNAMIC_FORCES, nodes(), "N", what));
    }
    let bodies = model.bodies.list.len();
    if bodies > 0 {
        let of_bodies = |last: Axis| vec![axis("body", bodies), last];
        all.push(array(
            BODY_POSITIONS,
            of_bodies(Axis::Xyz),
            "m",
            "centre of mass of the body",
        ));
        all.push(array(
            BODY_ORIENTATIONS,
            of_bodies(axis("quaternion", 4)),
            "1",
            "quaternion x, y, z, w that takes the body's axes to those of the scene",
        ));
    }
    if model.joints.iter().any(Link::can_break) {
        let joints = vec![axis("joint", model.joints.len())];
        all.push(array(
            JOINT_BROKEN,
            joints,
            "1",
            "1 where the joint has let go",
        ));
    }
    all
}

/// The values of an array in a state, flat, with the motion of its bodies; `None` for a name that
/// is not known.
pub(crate) fn values(
    name: &str,
    model: &Model,
    state: &State,
    bodies: &[BodyMotion],
) -> Option<Vec<f64>> {
    Some(match name {
        VELOCITIES => {
            let nodes = model.topology.node_dof.iter();
            let of = |dof: &usize| position(&state.velocity, *dof).to_array();
            nodes.flat_map(of).collect()
        }
        HYDRODYNAMIC_FORCES => state.hydrodynamic_force.clone(),
        BODY_POSITIONS => bodies.iter().flat_map(|b| b.position.to_array()).collect(),
        BODY_ORIENTATIONS => {
            let of = |b: &BodyMotion| b.orientation.to_array();
            bodies.iter().flat_map(of).collect()
        }
        JOINT_BROKEN => {
            let of = |joint: &Link| f64::from(!joint.holds(&state.broken));
            model.joints.iter().map(of).collect()
        }
        _ => return None,
    })
}
