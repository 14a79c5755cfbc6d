//! How finely pictures of rods are sampled.

use writhe_render::{Camera, RenderOptions, Scene};

/// Thickness of the thinnest rod, pixels, below which a picture is sampled finest: otherwise it
/// would fall between the samples.
const THIN: f64 = 2.0;

/// Least width of a rod, pixels: of a few, which stand alone, and of many, side by side.
const LEAST_WIDTH: f64 = 1.5;
const LEAST_WIDTH_OF_MANY: f64 = 0.9;
/// More rods than this are many.
const MANY: usize = 12;

/// How to draw the scene in a picture of this size.
pub fn options((width, height): (u32, u32), camera: &Camera, scene: &Scene) -> RenderOptions {
    let pixel = camera.height_at_target() / f64::from(height);
    let radii = scene.tubes.iter().flat_map(|tube| &tube.radius);
    let thinnest = 2.0 * radii.copied().fold(f64::INFINITY, f64::min);
    let sized = RenderOptions::sized(width, height);
    RenderOptions {
        supersample: if thinnest < THIN * pixel {
            4
        } else {
            sized.supersample
        },
        least_width: least_width(scene),
        ..sized
    }
}

/// Least width of the rods of a scene in a picture, pixels.
pub fn least_width(scene: &Scene) -> f64 {
    match scene.tubes.len() > MANY {
        true => LEAST_WIDTH_OF_MANY,
        false => LEAST_WIDTH,
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use writhe_render::{Bounds, Camera, Scene, Tube, rod_color};

    use super::options;

    #[test]
    fn thin_rods_are_sampled_finest() {
        let supersample = |radius: f64| {
            let rod = Tube::new(vec![DVec3::ZERO, DVec3::X], radius, rod_color(0));
            let scene = Scene::new(vec![rod]);
            let bounds = Bounds::of(&scene);
            let camera = Camera::fit(&bounds, DVec3::Y, DVec3::Z, 1.0, 0.0).unwrap();
            options((100, 100), &camera, &scene).supersample
        };
        assert!(supersample(0.003) > supersample(0.05));
    }
}
