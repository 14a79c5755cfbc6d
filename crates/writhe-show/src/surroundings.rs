//! What surrounds the rods of a run, as meshes with their poses in each frame: what exports hold
//! besides the rods.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use writhe::constraints::Constraint;
use writhe::model::Model;
use writhe::obstacle::{Body, Hollow, Obstacle, Solid as Shape};
use writhe::rod::geometry::orthonormalize;
use writhe_render::{Color, Solid};
use writhe_results::bodies;
use writhe_rundir::surroundings::{Kind, Mesh, Pose, Thing};
use writhe_rundir::{Contact, Rods, RunReader, Surroundings, Touched};
use writhe_scenes::spec::BodySpec;
use writhe_session::failure::Result;
use writhe_session::scene::RunnableScene;

use crate::joints::{self, Joint};
use crate::obstacles;

/// Opacity of walls around rods.
const WALL: f64 = 0.3;
/// Half a side of the square that a plane is shown as, over the size of what the rods pass through.
const PLANE: f64 = 0.75;
/// Radii of what holds rods, over that of the rod.
const COLLAR: f64 = 2.1;
const RING: f64 = 1.7;
const PIN: f64 = 1.6;
/// Shortest and longest length of a collar, in radii of the rod, edges may be long; length of a ring
/// over that of a collar.
const SHORTEST: f64 = 3.0;
const LONGEST: f64 = 7.0;
const RING_PART: f64 = 0.35;

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
        .map(|all| {
            Ok(all?
                .into_iter()
                .map(|(x, q)| pose(DVec3::from(x), DQuat::from_array(q)))
                .collect())
        })
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
    let held = model.constraints.list().iter();
    let held = held.filter_map(|constraint| holder(model, constraint, &positions, &directors));
    things.extend(
        held.enumerate()
            .map(|(index, thing)| Thing { index, ..thing }),
    );
    let rods = Rods::new(reader.layout(), model.rest_length.clone());
    let normal = |frame: usize, contact: &Contact| {
        let (touch, _) = rods.touches(&positions[frame], contact);
        let (body, at) = match contact.with {
            Touched::Rod { .. } => return None,
            Touched::Obstacle(index) => {
                let obstacle = model.obstacles.get(index)?;
                let at = obstacle.pose(times[frame]);
                (&obstacle.body, pose(at.translation, at.rotation))
            }
            // The solid of a body is an obstacle in its own axes.
            Touched::Body(index) => {
                let obstacle = model.obstacles.iter().find(|o| o.on == Some(index))?;
                (&obstacle.body, *poses[frame].get(index)?)
            }
        };
        let local = at.rotation.conjugate() * (touch.point - at.position);
        Some(at.rotation * away(body, local))
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

/// Direction in which the distance from a body grows fastest at a point of its own frame, which is
/// not on its surface.
fn away(body: &Body, x: DVec3) -> DVec3 {
    // Central differences over a thousandth of the way to the surface.
    let step = 1e-3 * body.distance(x).abs().max(f64::MIN_POSITIVE);
    let slope = |axis: DVec3| body.distance(x + step * axis) - body.distance(x - step * axis);
    DVec3::from(DVec3::AXES.map(slope)).normalize_or_zero()
}

fn pose(position: DVec3, rotation: DQuat) -> Pose {
    Pose {
        position,
        rotation,
        ..Pose::IDENTITY
    }
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
    let standing = model
        .obstacles
        .iter()
        .enumerate()
        .filter(|(_, o)| o.on.is_none());
    let shown = standing.map(|(index, obstacle)| {
        let at = |time: &f64| {
            let at = obstacle.pose(*time);
            pose(at.translation, at.rotation)
        };
        let poses: Vec<Pose> = times.iter().map(at).collect();
        let solid = obstacles::solid(obstacle).unwrap_or_else(|| {
            let first = poses.first().copied().unwrap_or(Pose::IDENTITY);
            let local = first.rotation.conjugate() * (0.5 * (low + high) - first.position);
            plane(local.with_z(0.0), PLANE * (high - low).length())
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

/// A square with these half sides around a point of the plane z = 0.
fn plane(centre: DVec3, half: f64) -> Solid {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| centre + half * DVec3::new(x, y, 0.0));
    Solid::of_triangles(&corners, &[[0, 1, 2], [0, 2, 3]], obstacles::color())
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
    let mut solids = joints::solids(joint).into_iter();
    let mut solid = solids
        .next()
        .unwrap_or_else(|| Solid::of_triangles(&[], &[], Color::WHITE));
    for other in solids {
        let first = solid.vertices.len() as u32;
        solid.vertices.extend(other.vertices);
        solid.normals.extend(other.normals);
        solid
            .triangles
            .extend(other.triangles.iter().map(|t| t.map(|i| first + i)));
    }
    let along = DQuat::from_rotation_arc(DVec3::Z, joint.axis.normalize_or(DVec3::Z));
    let at = |(all, broken): (&Vec<Pose>, &Vec<bool>)| {
        let on = match joint.body {
            None => Pose::IDENTITY,
            Some(body) => *all.get(body)?,
        };
        joint
            .holds(broken)
            .then(|| pose(on.place(joint.at), on.rotation * along))
    };
    let poses = poses.iter().zip(broken).map(at).collect();
    let label = match joint.kind {
        joints::Kind::Rods => "rods",
        joints::Kind::Ball => "ball",
        joints::Kind::Weld => "weld",
        joints::Kind::Hinge => "hinge",
        joints::Kind::Motor => "motor",
    };
    thing(Kind::Joint, index, label, solid, poses)
}

/// What holds a rod: a collar around a clamped edge, a ring around one whose angle is held, a ball
/// around a node. Its number is 0.
fn holder(
    model: &Model,
    constraint: &Constraint,
    positions: &[Vec<[f64; 3]>],
    directors: &[Vec<[f64; 3]>],
) -> Option<Thing> {
    let steel = joints::color();
    let on_edge = |edge: usize, part: f64| {
        let [a, b] = *model.topology.edge_nodes.get(edge)?;
        let radius = model.radius.get(edge)?;
        let at = |(x, m1): (&Vec<[f64; 3]>, &Vec<[f64; 3]>)| {
            let [a, b] = [a, b].map(|node| x.get(node).copied().map(DVec3::from));
            let (a, b) = (a?, b?);
            let tangent = (b - a).try_normalize()?;
            let m1 = orthonormalize(DVec3::from(*m1.get(edge)?), tangent);
            let axes = DMat3::from_cols(m1, tangent.cross(m1), tangent);
            Some(Pose {
                position: 0.5 * (a + b),
                rotation: DQuat::from_mat3(&axes),
                length: part * (b - a).length().clamp(SHORTEST * radius, LONGEST * radius),
            })
        };
        Some(positions.iter().zip(directors).map(at).collect())
    };
    match constraint {
        Constraint::Clamp { edge, .. } => {
            let solid = prism(6, COLLAR * model.radius.get(*edge)?, steel);
            Some(thing(Kind::Clamp, 0, "", solid, on_edge(*edge, 1.0)?))
        }
        Constraint::Angle { edge, .. } => {
            let solid = prism(24, RING * model.radius.get(*edge)?, steel);
            Some(thing(
                Kind::Clamp,
                0,
                "angle",
                solid,
                on_edge(*edge, RING_PART)?,
            ))
        }
        Constraint::Node { node, .. } => {
            let at_node = |ends: &[usize; 2]| ends.contains(node);
            let edge = model.topology.edge_nodes.iter().position(at_node)?;
            let solid = Solid::capsule(PIN * model.radius.get(edge)?, 0.0, steel);
            let at = |x: &Vec<[f64; 3]>| Some(pose(DVec3::from(*x.get(*node)?), DQuat::IDENTITY));
            Some(thing(
                Kind::Clamp,
                0,
                "pin",
                solid,
                positions.iter().map(at).collect(),
            ))
        }
        // These hold bodies and no rod.
        Constraint::Body { .. } | Constraint::BodyAxes { .. } => None,
    }
}

/// A prism of length 1 along z around the origin, its corners at `radius`.
fn prism(sides: u32, radius: f64, color: Color) -> Solid {
    let corner = |side: u32, z: f64| {
        let (sin, cos) = (TAU * f64::from(side) / f64::from(sides)).sin_cos();
        DVec3::new(radius * cos, radius * sin, z)
    };
    let corners = (0..sides).flat_map(|side| [-0.5, 0.5].map(|z| corner(side, z)));
    let corners: Vec<DVec3> = corners.chain([-0.5, 0.5].map(|z| z * DVec3::Z)).collect();
    let [south, north] = [2 * sides, 2 * sides + 1];
    let triangles = (0..sides).flat_map(|side| {
        let [a, b] = [2 * side, 2 * ((side + 1) % sides)];
        [
            [a, b, b + 1],
            [a, b + 1, a + 1],
            [south, b, a],
            [north, a + 1, b + 1],
        ]
    });
    Solid::of_triangles(&corners, &triangles.collect::<Vec<_>>(), color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use writhe_scenes::Scene;

    #[test]
    fn forces_point_away_from_what_is_touched() {
        let x = DVec3::new(0.3, -0.4, 0.2);
        let sphere = Body::solid(Shape::Sphere { radius: 0.1 });
        assert!((away(&sphere, x) - x.normalize()).length() < 1e-6);
        let half = DVec3::splat(0.15);
        let cuboid = Body::solid(Shape::Box { half });
        // Beyond a corner of the box: from that.
        let expected = DVec3::new(0.15, -0.25, 0.05).normalize();
        assert!((away(&cuboid, x) - expected).length() < 1e-6);
        // Out of a thin wall, and from inside towards its middle.
        let tube = Body::hollow(Hollow::Funnel {
            radii: [0.2; 2],
            half_length: 1.0,
        });
        let out = DVec3::new(0.6, -0.8, 0.0);
        assert!((away(&tube, x) - out).length() < 1e-6);
        assert!((away(&tube, 0.3 * x) + out).length() < 1e-6);
    }

    #[test]
    fn a_collar_is_a_closed_prism_around_its_edge() {
        let solid = prism(6, 0.2, Color::WHITE);
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| solid.vertices[i as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        let volume: f64 = solid.triangles.iter().map(part).sum();
        // The area of a regular hexagon of circumradius r is 3 sqrt(3) r^2 / 2.
        let exact = 1.5 * 3.0_f64.sqrt() * 0.04;
        assert!((volume / exact - 1.0).abs() < 1e-12, "{volume} {exact}");
    }

    #[test]
    fn what_holds_a_rod_follows_it() {
        let text = r#"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = ["1 m", 0, 0], edges = 4 } }
section = { circle = { radius = "2 mm" } }
material = { young = "1 GPa", poisson = 0.3, density = "1000 kg/m^3" }
clamps = [{ edge = "first" }]
held = [{ node = "last" }]
        "#;
        let model = Scene::parse(text, "test").unwrap().build().unwrap().model;
        // The second frame stands upright and is half as long again.
        let along = |axis: DVec3, length: f64| -> Vec<[f64; 3]> {
            (0..5)
                .map(|i| (0.25 * length * f64::from(i) * axis).to_array())
                .collect()
        };
        let positions = [along(DVec3::X, 1.0), along(DVec3::Z, 1.5)];
        let directors = vec![vec![DVec3::Y.to_array(); 4]; 2];
        let held = model.constraints.list().iter();
        let held: Vec<Thing> = held
            .filter_map(|constraint| holder(&model, constraint, &positions, &directors))
            .collect();
        let of = |label: &str| held.iter().find(|thing| thing.label == label).unwrap();
        let clamp = of("").poses[1].unwrap();
        assert!((clamp.position - 0.1875 * DVec3::Z).length() < 1e-12);
        // The edge is longer than a collar gets.
        assert!((clamp.length - LONGEST * 2e-3).abs() < 1e-12);
        assert!((clamp.rotation * DVec3::Z - DVec3::Z).length() < 1e-12);
        let pin = of("pin").poses[1].unwrap();
        assert!((pin.position - 1.5 * DVec3::Z).length() < 1e-12);
        assert_eq!(held.len(), 2);
    }
}
