//! What surrounds the rods of a run, as meshes with their poses in each frame: what exports hold
//! besides the rods.

use glam::DVec3;
use writhe::model::Model;
use writhe::obstacle::{Hollow, Obstacle, Solid as Shape};
use writhe_render::Solid;
use writhe_results::bodies;
use writhe_rundir::surroundings::{Kind, Mesh, Pose, Thing};
use writhe_rundir::{Contact, Rods, RunReader, Surroundings};
use writhe_scenes::spec::BodySpec;
use writhe_session::failure::Result;
use writhe_session::scene::RunnableScene;

use crate::fixtures::{self, Fixture};
use crate::joints::{self, Joint};
use crate::{obstacles, pose};

/// Opacity of walls around rods.
const WALL: f64 = 0.3;
/// Half a side of the square that a plane is shown as, over the size of what the rods pass through.
const PLANE: f64 = 0.75;

/// What surrounds the rods of the run that `reader` has open, a run of `scene` with this `model`.
///
/// Bodies that the run does not hold are left out.
///
/// # Errors
/// When a frame of the run cannot be read.
pub fn of_run(reader: &RunReader, scene: &RunnableScene, model: &Model) -> Result<Surroundings> {
    let times = reader.times()?;
    let frames = 0..reader.frames();
    let positions = frames.clone().map(|index| reader.positions(index));
    let positions = positions.collect::<std::result::Result<Vec<_>, _>>()?;
    let poses = frames.clone().map(|index| reader.bodies(index));
    let poses: Vec<Vec<Pose>> = poses
        .map(|all| Ok(all?.iter().map(pose::of_body).collect()))
        .collect::<Result<_>>()?;
    let mut things = around(scene, model, &times, &positions);
    let specs = scene.bodies();
    let recorded = poses.first().map_or(0, Vec::len);
    let specs = if recorded == specs.len() {
        specs
    } else {
        Vec::new()
    };
    things.extend(rigid(&specs, &poses));
    let broken = frames.map(|index| reader.broken_joints(index));
    let broken = broken.collect::<std::result::Result<Vec<_>, _>>()?;
    let joints = joints::all(model, &specs);
    things.extend(
        joints
            .iter()
            .enumerate()
            .map(|(index, joint)| joined(index, joint, &broken, &poses)),
    );
    let directors = (0..reader.frames()).map(|index| reader.directors(index));
    let directors = directors.collect::<std::result::Result<Vec<_>, _>>()?;
    let held = fixtures::Rods {
        edge_nodes: &model.topology.edge_nodes,
        radius: &model.radius,
        least: 0.0,
    };
    let fixtures = fixtures::all(model).into_iter().enumerate();
    things.extend(fixtures.filter_map(|(index, fixture)| {
        let frames = positions.iter().zip(&directors);
        let poses = frames.map(|(x, m1)| held.pose(fixture, x, m1));
        let label = match fixture {
            Fixture::Clamp(_) => "",
            Fixture::Angle(_) => "angle",
            Fixture::Pin(_) => "pin",
        };
        let solid = held.solid(fixture)?;
        Some(thing(Kind::Clamp, index, label, solid, poses.collect()))
    }));
    let rods = Rods::new(reader.layout(), model.rest_length.clone());
    let normal = |frame: usize, contact: &Contact| {
        let (touch, _) = rods.touches(&positions[frame], contact);
        let around = (model.obstacles.as_slice(), times[frame]);
        obstacles::normal(contact.with, touch.point, around, &poses[frame])
    };
    let contacts = reader.contacts()?.unwrap_or_default();
    let normals = contacts.iter().enumerate().map(|(frame, all)| {
        all.iter()
            .map(|contact| normal(frame, contact).unwrap_or_default())
            .collect()
    });
    Ok(Surroundings {
        things,
        normals: normals.collect(),
    })
}

fn thing(kind: Kind, index: usize, label: &str, solid: Solid, poses: Vec<Option<Pose>>) -> Thing {
    Thing {
        kind,
        index,
        label: label.to_owned(),
        colour: solid.color.rgb,
        opacity: if solid.hollow { WALL } else { 1.0 },
        mesh: Mesh {
            vertices: solid.vertices,
            normals: solid.normals,
            triangles: solid.triangles,
        },
        poses,
    }
}

/// Obstacles but for those on bodies, which are drawn where the bodies are.
fn around(
    scene: &RunnableScene,
    model: &Model,
    times: &[f64],
    positions: &[Vec<[f64; 3]>],
) -> Vec<Thing> {
    let nodes = || positions.iter().flatten().copied().map(DVec3::from);
    let low = nodes().reduce(DVec3::min).unwrap_or_default();
    let high = nodes().reduce(DVec3::max).unwrap_or_default();
    let sides = Solid::sides_among(model.obstacles.len());
    let standing = model
        .obstacles
        .iter()
        .enumerate()
        .filter(|(_, o)| o.on.is_none());
    let shown = standing.map(|(index, obstacle)| {
        let poses = times.iter().map(|time| obstacles::pose(obstacle, *time));
        let poses: Vec<Pose> = poses.collect();
        let solid = obstacles::solid(obstacle, sides).unwrap_or_else(|| {
            let first = poses.first().copied().unwrap_or(Pose::IDENTITY);
            let local = first.rotation.conjugate() * (0.5 * (low + high) - first.position);
            obstacles::square(local.with_z(0.0), PLANE * (high - low).length())
        });
        let spec = scene.spec().obstacles.get(index);
        let name = spec.and_then(|spec| spec.name.as_deref());
        let label = name.unwrap_or(shape(obstacle));
        thing(
            Kind::Obstacle,
            index,
            label,
            solid,
            poses.into_iter().map(Some).collect(),
        )
    });
    shown.collect()
}

/// What an obstacle without a name is called by.
fn shape(obstacle: &Obstacle) -> &'static str {
    match (obstacle.body.solid, obstacle.body.hollow) {
        (Some(Shape::HalfSpace), _) => "plane",
        (Some(Shape::Sphere { .. }), _) => "sphere",
        (Some(Shape::Capsule { .. }), _) => "capsule",
        (Some(Shape::Cylinder { .. }), _) => "cylinder",
        (Some(Shape::Box { .. }), _) => "box",
        (None, Some(Hollow::Funnel { radii: [a, b], .. })) if a == b => "tube",
        (None, Some(Hollow::Funnel { .. })) => "funnel",
        (None, Some(Hollow::Cavity { .. })) => "cavity",
        (None, None) => "mesh",
    }
}

/// Bodies that have a shape.
fn rigid(specs: &[BodySpec], poses: &[Vec<Pose>]) -> Vec<Thing> {
    let shown = specs.iter().enumerate().filter_map(|(index, spec)| {
        let solid = bodies::solid(&spec.shape()?);
        let poses = poses.iter().map(|all| all.get(index).copied()).collect();
        let label = spec.name.as_deref().unwrap_or_default();
        Some(thing(Kind::Body, index, label, solid, poses))
    });
    shown.collect()
}

/// The mark of a joint, which is not there once it has let go.
fn joined(index: usize, joint: &Joint, broken: &[Vec<bool>], poses: &[Vec<Pose>]) -> Thing {
    let frames = poses.iter().zip(broken);
    let poses = frames
        .map(|(all, broken)| joint.pose(broken, all))
        .collect();
    let label = match joint.kind {
        joints::Kind::Rods => "rods",
        joints::Kind::Ball => "ball",
        joints::Kind::Weld => "weld",
        joints::Kind::Hinge => "hinge",
        joints::Kind::Motor => "motor",
    };
    thing(Kind::Joint, index, label, joints::solid(joint), poses)
}
