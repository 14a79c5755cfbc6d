//! Rigid bodies of a scene in a picture.

use glam::{DQuat, DVec3};
use writhe_render::{Color, Scene, Solid};
use writhe_scenes::spec::{BodySpec, SolidSpec};
use writhe_scenes::units::Length;

/// Adds the rigid bodies that have a shape, at `poses`: centre of mass, m, and quaternion x, y, z,
/// w.
pub fn add(scene: &mut Scene, bodies: &[BodySpec], poses: &[([f64; 3], [f64; 4])]) {
    for (body, (position, turn)) in bodies.iter().zip(poses) {
        let solid = body.shape().map(|shape| solid(&shape));
        let placed = |s: Solid| s.placed(DQuat::from_array(*turn), DVec3::from_array(*position));
        scene.solids.extend(solid.map(placed));
    }
}

/// A body in its own axes.
pub fn solid(spec: &SolidSpec) -> Solid {
    let color = color();
    match *spec {
        SolidSpec::Sphere { radius } => Solid::ball(radius.si(), color),
        SolidSpec::Box { size } => {
            Solid::cuboid(0.5 * DVec3::from_array(size.map(Length::si)), color)
        }
        SolidSpec::Cylinder { radius, length } => Solid::bob(radius.si(), 0.5 * length.si(), color),
    }
}

/// The pin through a body that is round, which shows how it turns; a part of [`solid`] there.
pub fn pin(spec: &SolidSpec) -> Option<Solid> {
    match *spec {
        SolidSpec::Sphere { radius } => Some(Solid::pin(radius.si(), None, color())),
        SolidSpec::Box { .. } => None,
        SolidSpec::Cylinder { radius, length } => {
            Some(Solid::pin(radius.si(), Some(0.5 * length.si()), color()))
        }
    }
}

fn color() -> Color {
    Color::srgb(205, 164, 92)
}
