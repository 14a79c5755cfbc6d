//! Obstacles of a run as solids and a floor.

use glam::DVec3;
use writhe::obstacle::{Body, Hollow, Obstacle, Solid as Shape};
use writhe_render::{Color, Floor, Scene, Solid};
use writhe_rundir::Touched;
use writhe_rundir::surroundings::Pose;

use crate::pose;

/// Obstacles but for those on bodies, which are drawn where the bodies are.
pub fn standing(mut obstacles: Vec<Obstacle>) -> Vec<Obstacle> {
    obstacles.retain(|obstacle| obstacle.on.is_none());
    obstacles
}

/// Colour of obstacles.
pub fn color() -> Color {
    Color::srgb(176, 182, 190)
}

/// Adds the obstacles where they are at `time`, s: the first half-space as the floor, the others as
/// large squares.
///
/// What has no end is shown around `region`, the corners of a box; around the rods of the scene if
/// there is none.
pub fn add(scene: &mut Scene, obstacles: &[Obstacle], time: f64, region: Option<(DVec3, DVec3)>) {
    let nodes = || scene.tubes.iter().flat_map(|t| &t.centerline).copied();
    let own = || Some((nodes().reduce(DVec3::min)?, nodes().reduce(DVec3::max)?));
    let Some((low, high)) = region.or_else(own) else {
        return;
    };
    let (middle, size) = (0.5 * (low + high), (high - low).length());
    let sides = Solid::sides_among(obstacles.len());
    for obstacle in obstacles {
        let pose = obstacle.pose(time);
        if obstacle.body.solid == Some(Shape::HalfSpace) {
            let normal = pose.rotation * DVec3::Z;
            let below = middle - normal * normal.dot(middle - pose.translation);
            if scene.floor.is_none() {
                scene.floor = Some(Floor {
                    center: below,
                    normal,
                    color: Some(color()),
                    fade_radius: 1.5 * size,
                    grid: Some(grid(size)),
                });
            } else {
                let square = square(DVec3::ZERO, size);
                scene.solids.push(square.placed(pose.rotation, below));
            }
        } else if let Some(solid) = solid(obstacle, sides) {
            scene
                .solids
                .push(solid.placed(pose.rotation, pose.translation));
        }
    }
}

/// An obstacle in its own frame, with so many `sides` if it is round; `None` for a half-space.
pub fn solid(obstacle: &Obstacle, sides: u32) -> Option<Solid> {
    if let Some(mesh) = &obstacle.body.mesh {
        return Some(Solid::of_triangles(
            mesh.vertices(),
            mesh.triangles(),
            color(),
        ));
    }
    if let Some(wall) = obstacle.body.hollow {
        return Some(self::wall(wall));
    }
    Some(match obstacle.body.solid? {
        Shape::HalfSpace => return None,
        Shape::Sphere { radius } => Solid::capsule_with(radius, 0.0, sides, color()),
        Shape::Capsule {
            radius,
            half_length,
        } => Solid::capsule_with(radius, half_length, sides, color()),
        Shape::Cylinder {
            radius,
            half_length,
        } => Solid::cylinder_with(radius, half_length, sides, color()),
        Shape::Box { half } => Solid::cuboid(half, color()),
    })
}

/// A thin wall in its own frame, drawn so that one sees into it.
pub fn wall(wall: Hollow) -> Solid {
    match wall {
        Hollow::Funnel { radii, half_length } => Solid::funnel(radii, half_length, color()),
        Hollow::Cavity { radius } => Solid::capsule(radius, 0.0, color()).hollow(),
    }
}

/// Part of a plane: a square with these half sides around a point of the plane z = 0, m.
pub fn square(centre: DVec3, half: f64) -> Solid {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| centre + half * DVec3::new(x, y, 0.0));
    Solid::of_triangles(&corners, &[[0, 1, 2], [0, 2, 3]], color())
}

/// Where an obstacle stands at a time, s.
pub fn pose(obstacle: &Obstacle, time: f64) -> Pose {
    let at = obstacle.pose(time);
    pose::at(at.translation, at.rotation)
}

/// The unit vector along which an obstacle, of all of a scene at this time, s, or a body pushes what
/// touches it at a point, m: in which the distance from it grows fastest. `None` for a rod, and for
/// what is not there.
pub fn normal(
    touched: Touched,
    point: DVec3,
    (obstacles, time): (&[Obstacle], f64),
    bodies: &[Pose],
) -> Option<DVec3> {
    let (obstacle, at) = match touched {
        Touched::Rod { .. } => return None,
        Touched::Obstacle(index) => {
            let obstacle = obstacles.get(index)?;
            (obstacle, pose(obstacle, time))
        }
        // The solid of a body is an obstacle in its own axes.
        Touched::Body(index) => {
            let obstacle = obstacles.iter().find(|o| o.on == Some(index))?;
            (obstacle, *bodies.get(index)?)
        }
    };
    let local = at.rotation.conjugate() * (point - at.position);
    Some(at.rotation * away(&obstacle.body, local))
}

/// Direction in which the distance from a body grows fastest at a point of its own frame, which is
/// not on its surface.
fn away(body: &Body, x: DVec3) -> DVec3 {
    // Central differences over a thousandth of the way to the surface.
    let step = 1e-3 * body.distance(x).abs().max(f64::MIN_POSITIVE);
    let slope = |axis: DVec3| body.distance(x + step * axis) - body.distance(x - step * axis);
    DVec3::from(DVec3::AXES.map(slope)).normalize_or_zero()
}

/// Distance of grid lines: about a tenth of `size`, 1, 2 or 5 times a power of ten.
fn grid(size: f64) -> f64 {
    let wanted = (0.1 * size).max(f64::MIN_POSITIVE);
    let decade = 10_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * decade);
    *steps.iter().find(|s| **s >= wanted).unwrap_or(&decade)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
