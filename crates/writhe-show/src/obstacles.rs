//! Obstacles of a run as solids and a floor.

use glam::DVec3;
use writhe::obstacle::{Hollow, Obstacle, Solid as Shape};
use writhe_render::{Color, Floor, Scene, Solid};

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
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(x, y)| DVec3::new(x, y, 0.0) * size);
                let square = Solid::of_triangles(&corners, &[[0, 1, 2], [0, 2, 3]], color());
                scene.solids.push(square.placed(pose.rotation, below));
            }
        } else if let Some(solid) = solid(obstacle) {
            scene
                .solids
                .push(solid.placed(pose.rotation, pose.translation));
        }
    }
}

/// An obstacle in its own frame; `None` for a half-space.
pub fn solid(obstacle: &Obstacle) -> Option<Solid> {
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
        Shape::Sphere { radius } => Solid::capsule(radius, 0.0, color()),
        Shape::Capsule {
            radius,
            half_length,
        } => Solid::capsule(radius, half_length, color()),
        Shape::Cylinder {
            radius,
            half_length,
        } => Solid::cylinder(radius, half_length, color()),
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

/// Distance of grid lines: about a tenth of `size`, 1, 2 or 5 times a power of ten.
fn grid(size: f64) -> f64 {
    let wanted = (0.1 * size).max(f64::MIN_POSITIVE);
    let decade = 10_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * decade);
    *steps.iter().find(|s| **s >= wanted).unwrap_or(&decade)
}
