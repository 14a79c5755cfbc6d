//! How finely pictures of rods are sampled.

use writhe_render::{Camera, RenderOptions, Scene};

/// Thickness of the thinnest rod, pixels, below which a picture is sampled finest: otherwise it
/// would fall between the samples.
const THIN: f64 = 2.0;

/// Least and largest width to which thin rods are drawn, pixels; the largest one in a large picture,
/// over the root of its pixels; and the part of the picture that they may cover so: a few stand
/// alone, many would run together.
const LEAST_WIDTHS: (f64, f64) = (0.7, 1.8);
const OF_PICTURE: f64 = 0.0038;
const COVERED: f64 = 0.12;

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
        least_width: least_width(scene, pixel, (width, height)),
        ..sized
    }
}

/// Least width of the rods of a scene, pixels, in a picture whose pixels have this size, scene
/// length.
pub fn least_width(scene: &Scene, pixel: f64, (width, height): (u32, u32)) -> f64 {
    let pieces = scene
        .tubes
        .iter()
        .flat_map(|tube| tube.centerline.windows(2));
    let length: f64 = pieces.map(|ends| ends[0].distance(ends[1])).sum();
    let area = f64::from(width) * f64::from(height);
    let largest = (OF_PICTURE * area.sqrt()).max(LEAST_WIDTHS.1);
    (COVERED * area * pixel / length).clamp(LEAST_WIDTHS.0, largest)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use writhe_render::{Bounds, Tube, rod_color};

    use super::*;

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

    #[test]
    fn many_thin_rods_are_drawn_thinner_than_few() {
        let width = |count: usize| {
            let rod = Tube::new(vec![DVec3::ZERO, DVec3::X], 1e-4, rod_color(0));
            least_width(&Scene::new(vec![rod; count]), 0.01, (100, 100))
        };
        assert_eq!(width(1), LEAST_WIDTHS.1);
        assert!(width(10) < width(8) && width(8) < width(1));
        assert_eq!(width(1000), LEAST_WIDTHS.0);
        let rod = Tube::new(vec![DVec3::ZERO, DVec3::X], 1e-4, rod_color(0));
        let large = least_width(&Scene::new(vec![rod]), 1e-3, (1000, 1000));
        assert!((large - 1000.0 * OF_PICTURE).abs() < 1e-9);
    }
}
