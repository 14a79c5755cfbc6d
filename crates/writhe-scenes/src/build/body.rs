//! Rigid bodies of the core, and what is welded to them.

use glam::{DMat3, DQuat, DVec3};
use writhe::bodies::Body;
use writhe::model::ModelBuilder;
use writhe::obstacle::Obstacle;
use writhe::schedule::Pose;

use super::motion::motion;
use super::part;
use crate::copies::is_copy_of;
use crate::error::{Problem, SceneError, nearest};
use crate::scene::Scene;
use crate::spec::centreline::vector;
use crate::spec::{BodySpec, ClampSpec, RodRef, RodSpec, SolidSpec};
use crate::units::Inertia;

/// Rods as they are, with their keys: what bodies are welded to.
pub(crate) type Rods<'a> = &'a [(String, RodSpec, usize)];

/// Adds all bodies with their welds, motions and guides; of `rods` the last entry is the number of
/// edges.
pub(super) fn add(
    scene: &Scene,
    rods: Rods,
    mut builder: ModelBuilder,
) -> Result<ModelBuilder, SceneError> {
    for (index, (key, spec)) in scene.spec.all_bodies().iter().enumerate() {
        builder = builder.body(body(spec));
        for (rod, edge) in welds(scene, key, spec, rods)? {
            builder = builder.weld(index, rod, edge);
        }
        if let Some(spec) = &spec.motion {
            builder = builder.move_body(index, motion(spec));
        }
        if let Some(solid) = spec.solid.as_ref().filter(|_| spec.touch) {
            builder = builder.obstacle(touched(index, spec, solid));
        }
        if let Some(guide) = &spec.guide {
            builder = builder.guide_body(index, guide.position.0, guide.turn.0);
        }
    }
    Ok(builder)
}

/// The solid of a body as an obstacle for rods.
fn touched(index: usize, spec: &BodySpec, solid: &SolidSpec) -> Obstacle {
    let body = body(spec);
    let at = Pose {
        rotation: body.orientation,
        translation: body.position,
    };
    let obstacle = match solid {
        SolidSpec::Sphere { radius } => Obstacle::sphere(body.position, radius.si()),
        SolidSpec::Box { size } => Obstacle::cuboid(0.5 * vector(size), at),
        SolidSpec::Cylinder { radius, length } => {
            let half = DVec3::Z * (0.5 * length.si());
            Obstacle::cylinder([-half, half].map(|x| at.apply(x)), radius.si())
        }
    };
    let obstacle = obstacle.on_body(index);
    match spec.friction {
        Some(coefficient) => obstacle.with_friction(coefficient.si()),
        None => obstacle,
    }
}

/// A body alone.
pub(crate) fn body(spec: &BodySpec) -> Body {
    let (mass, position) = (spec.own_mass(), vector(&spec.position));
    let homogeneous = match spec.solid.filter(|_| !spec.joint) {
        None => Body::joint(position),
        Some(SolidSpec::Sphere { radius }) => Body::sphere(mass, radius.si(), position),
        Some(SolidSpec::Box { size }) => Body::cuboid(mass, vector(&size), position),
        Some(SolidSpec::Cylinder { radius, length }) => {
            Body::cylinder(mass, radius.si(), length.si(), position)
        }
    };
    let given = |j: [Inertia; 3]| DMat3::from_diagonal(vector(&j));
    let axis = vector(&spec.orientation.axis).normalize_or(DVec3::Z);
    Body {
        mass,
        inertia: spec.inertia.map_or(homogeneous.inertia, given),
        orientation: DQuat::from_axis_angle(axis, spec.orientation.angle.si()),
        velocity: vector(&spec.velocity),
        angular_velocity: vector(&spec.angular_velocity),
        ..homogeneous
    }
}

/// Rod and edge of each weld.
pub(crate) fn welds(
    scene: &Scene,
    key: &str,
    spec: &BodySpec,
    rods: Rods,
) -> Result<Vec<(usize, usize)>, SceneError> {
    let mut found = Vec::new();
    for (i, weld) in spec.welds.iter().enumerate() {
        let key = part(key, &format!("welds[{i}]"));
        for rod in meant(scene, &key, &weld.rod, rods)? {
            let (rod_key, rod_spec, count) = &rods[rod];
            let edge = weld.edge.index(*count);
            if edge >= *count {
                let problem = Problem::NoSuch {
                    item: "edge",
                    index: edge,
                    count: *count,
                };
                return Err(scene.error(&part(&key, "edge"), problem));
            }
            if found.contains(&(rod, edge)) {
                let message = format!("edge {edge} of rod {rod} is welded twice to this body");
                return conflict(scene, &key, message, "remove one of the two");
            }
            let clamped = |c: &&ClampSpec| c.edge.index(*count) == edge;
            if rod_spec.clamps.iter().any(|c| clamped(&c)) {
                let message =
                    format!("edge {edge} of rod {rod} is clamped ({rod_key}.clamps) and welded");
                let remedy =
                    "remove the clamp, and give the body a `motion` if it shall not move freely";
                return conflict(scene, &key, message, remedy);
            }
            found.push((rod, edge));
        }
    }
    Ok(found)
}

/// The rods that are meant: all copies of a rod that is repeated, by its name.
fn meant(scene: &Scene, key: &str, rod: &RodRef, rods: Rods) -> Result<Vec<usize>, SceneError> {
    if let RodRef::Name(all) = rod {
        let called = |(_, rod, _): &(String, RodSpec, usize), is: &dyn Fn(&str) -> bool| {
            rod.name.as_deref().is_some_and(is)
        };
        if !rods.iter().any(|r| called(r, &|name| name == all)) {
            let copies = rods.iter().enumerate();
            let copies = copies.filter(|(_, r)| called(r, &|name| is_copy_of(name, all)));
            let copies: Vec<usize> = copies.map(|(index, _)| index).collect();
            if !copies.is_empty() {
                return Ok(copies);
            }
        }
    }
    self::rod(scene, key, rod, rods).map(|rod| vec![rod])
}

fn rod(scene: &Scene, key: &str, rod: &RodRef, rods: Rods) -> Result<usize, SceneError> {
    match rod {
        RodRef::Index(index) if *index < rods.len() => Ok(*index),
        RodRef::Index(index) => {
            let last = rods.len() - 1;
            let problem = Problem::Range {
                value: index.to_string(),
                need: format!("the number of a rod, 0 to {last}"),
            };
            Err(scene.error(&part(key, "rod"), problem))
        }
        RodRef::Name(name) => {
            let named = |r: &(String, RodSpec, usize)| r.1.name.as_ref() == Some(name);
            let mut all = rods.iter().enumerate().filter(|(_, r)| named(r));
            match (all.next(), all.next()) {
                (Some((rod, _)), None) => Ok(rod),
                (Some((a, _)), Some((b, _))) => {
                    let message = format!("rods {a} and {b} are both called `{name}`");
                    conflict(scene, key, message, "use the number of the rod")
                }
                (None, _) => {
                    let known = rods.iter().filter_map(|r| r.1.name.as_deref());
                    let known: Vec<&str> = known.collect();
                    let message = format!("there is no rod `{name}`");
                    let remedy = match nearest(name, &known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None if known.is_empty() => {
                            "use the number of the rod, or give it a `name`".to_owned()
                        }
                        None => format!("the rods' names are {}", known.join(", ")),
                    };
                    conflict(scene, key, message, &remedy)
                }
            }
        }
    }
}

fn conflict<T>(scene: &Scene, key: &str, message: String, remedy: &str) -> Result<T, SceneError> {
    Err(scene.error(key, Problem::conflict(message, remedy)))
}
