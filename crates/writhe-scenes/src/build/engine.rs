//! What moves the bodies of a scene: implicit steps, free bodies, or an engine with joints and
//! collisions of its own.

use writhe::model::ModelBuilder;

use super::joint;
use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::EngineKind;

/// Adds the engine with the joints that are its own, or the joints to the model.
pub(super) fn add(scene: &Scene, builder: ModelBuilder) -> Result<ModelBuilder, SceneError> {
    match scene.spec.time.engine {
        EngineKind::Free => joint::add(scene, builder),
        EngineKind::Rapier => rapier(scene, builder),
    }
}

#[cfg(not(feature = "rapier"))]
fn rapier(scene: &Scene, _: ModelBuilder) -> Result<ModelBuilder, SceneError> {
    use crate::error::Problem;
    let problem = Problem::conflict(
        "this program was built without the engine rapier",
        "build it with `--features rapier`, or take engine = \"free\"",
    );
    Err(scene.error("time.engine", problem))
}

#[cfg(feature = "rapier")]
fn rapier(scene: &Scene, builder: ModelBuilder) -> Result<ModelBuilder, SceneError> {
    use writhe_rapier::{Collider, RapierEngine, Shape};

    use crate::spec::SolidSpec;
    use crate::spec::centreline::vector;
    use crate::units::Number;

    let mut engine = RapierEngine::new();
    for (index, (_, spec)) in scene.spec.all_bodies().iter().enumerate() {
        if let Some(solid) = spec.solid.as_ref().filter(|_| spec.collide) {
            let shape = match solid {
                SolidSpec::Sphere { radius } => Shape::Ball {
                    radius: radius.si(),
                },
                SolidSpec::Box { size } => Shape::Cuboid {
                    half: 0.5 * vector(size),
                },
                SolidSpec::Cylinder { radius, length } => Shape::Cylinder {
                    half_length: 0.5 * length.si(),
                    radius: radius.si(),
                },
            };
            let collider = Collider::new(shape)
                .with_friction(spec.friction.map_or(0.0, Number::si))
                .with_restitution(spec.restitution.si());
            engine = engine.collider(index, collider);
        }
        if let Some(guide) = &spec.guide {
            engine = engine.guide(index, guide.position.0, guide.turn.0);
        }
        if spec.motion.is_some() {
            engine = engine.prescribed(index);
        }
    }
    for joint in joint::all(scene)? {
        engine = engine.joint(joint);
    }
    Ok(builder.engine(Box::new(engine)))
}
