//! Joints between bodies.

use writhe::bodies::{Joint, JointKind, Motor};
use writhe::model::ModelBuilder;
use writhe::schedule::Schedule;

use super::motion;
use crate::error::{Problem, SceneError, nearest};
use crate::scene::Scene;
use crate::spec::centreline::vector;
use crate::spec::{BodySpec, HingeSpec, RodRef};

/// Adds all joints to the model.
pub(super) fn add(scene: &Scene, builder: ModelBuilder) -> Result<ModelBuilder, SceneError> {
    Ok(all(scene)?.into_iter().fold(builder, ModelBuilder::joint))
}

/// All joints.
pub(super) fn all(scene: &Scene) -> Result<Vec<Joint>, SceneError> {
    let all = scene.spec.all_bodies();
    let mut joints = Vec::new();
    for (key, spec) in &scene.spec.all_joints() {
        let mut bodies = [None; 2];
        for (k, wanted) in spec.bodies.iter().enumerate() {
            let key = format!("{key}.bodies[{k}]");
            bodies[k] = Some(body(scene, &key, wanted, &all)?);
        }
        let kind = match &spec.hinge {
            Some(spec) => hinge(spec),
            None if spec.weld => JointKind::Weld,
            None => JointKind::Ball,
        };
        joints.push(Joint {
            bodies,
            anchor: vector(&spec.at),
            kind,
            strength: spec.strength.map(|f| f.si()),
        });
    }
    Ok(joints)
}

fn hinge(spec: &HingeSpec) -> JointKind {
    let motor = match (&spec.torque, &spec.angle) {
        (Some(torque), _) => Motor::Torque(Schedule::Product(Box::new([
            Schedule::Constant(torque.si()),
            motion::amplitude(&spec.amplitude),
        ]))),
        (None, Some(angle)) => Motor::Angle(motion::angle(angle)),
        (None, None) => Motor::Free,
    };
    JointKind::Hinge {
        axis: vector(&spec.axis),
        motor,
    }
}

fn body(
    scene: &Scene,
    key: &str,
    wanted: &RodRef,
    all: &[(String, BodySpec)],
) -> Result<usize, SceneError> {
    let found = match wanted {
        RodRef::Index(index) => (*index < all.len()).then_some(*index),
        RodRef::Name(name) => all.iter().position(|(_, b)| b.name.as_ref() == Some(name)),
    };
    found.ok_or_else(|| {
        let (message, remedy) = match wanted {
            RodRef::Index(index) => (
                format!("there is no body {index}"),
                format!("there are {} bodies, counted from 0", all.len()),
            ),
            RodRef::Name(name) => {
                let names: Vec<&str> = all.iter().filter_map(|(_, b)| b.name.as_deref()).collect();
                let remedy = match nearest(name, &names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "use the number of the body, or give it a `name`".to_owned(),
                };
                (format!("there is no body `{name}`"), remedy)
            }
        };
        scene.error(key, Problem::conflict(message, remedy))
    })
}
