//! What the renderer can do, in one picture: `gallery gallery.png`.

use std::f64::consts::TAU;
use std::fs::File;
use std::io::BufWriter;

use glam::DVec3;
use writhe_render::{
    Anchor, Background, Bounds, Camera, ColorMap, Floor, Image, RenderError, RenderOptions, Scene,
    Shadow, TextStyle, Tube, TubeColor, render, rod_color,
};

const SIZE: (u32, u32) = (480, 420);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: gallery FILE.png")?;
    let (width, height) = (i64::from(SIZE.0), i64::from(SIZE.1));
    let mut image = Image::new(
        2 * SIZE.0,
        2 * SIZE.1,
        Some(Background::White.color().ok_or("no background")?),
    )?;
    image.paste(&picture(&knot(), "trefoil knot, twist as a stripe")?, 0, 0);
    image.paste(
        &picture(&cantilever(), "cantilevers, curvature as colour")?,
        width,
        0,
    );
    image.paste(&picture(&rings(), "linked rings, perspective")?, 0, height);
    image.paste(
        &picture(&coil(), "coarse coil with a floor, κ₀ = 12 m⁻¹, θ ≤ 45°")?,
        width,
        height,
    );
    image.write_png(BufWriter::new(File::create(path)?))?;
    Ok(())
}

fn picture(scene: &Scene, label: &str) -> Result<Image, RenderError> {
    let bounds = Bounds::of(scene);
    let direction = Camera::good_direction(&bounds, DVec3::Z);
    let aspect = f64::from(SIZE.0) / f64::from(SIZE.1);
    let camera = Camera::fit_perspective(&bounds, direction, DVec3::Z, 0.5, aspect, 0.12)?;
    let mut image = render(scene, &camera, &RenderOptions::sized(SIZE.0, SIZE.1))?;
    let style = TextStyle {
        size: 17.0,
        color: scene.background.ink(),
        bold: false,
    };
    image.draw_text(label, 16.0, f64::from(SIZE.1) - 16.0, Anchor::Left, style);
    Ok(image)
}

/// Directors that turn `turns` times against the direction nearest to `normal`.
fn twisted(nodes: &[DVec3], normal: DVec3, turns: f64) -> Vec<DVec3> {
    let edges = nodes.len();
    (0..edges)
        .map(|edge| {
            let tangent = (nodes[(edge + 1) % edges] - nodes[edge]).normalize();
            let u = (normal - tangent * tangent.dot(normal)).normalize();
            let angle = TAU * turns * edge as f64 / edges as f64;
            u * angle.cos() + tangent.cross(u) * angle.sin()
        })
        .collect()
}

fn knot() -> Scene {
    let nodes: Vec<DVec3> = (0..90)
        .map(|i| TAU * f64::from(i) / 90.0)
        .map(|a| {
            DVec3::new(
                a.sin() + 2.0 * (2.0 * a).sin(),
                -(3.0 * a).sin(),
                a.cos() - 2.0 * (2.0 * a).cos(),
            )
        })
        .collect();
    let directors = twisted(&nodes, DVec3::Y, 5.0);
    let mut scene = Scene::new(vec![
        Tube::new(nodes, 0.42, rod_color(0))
            .closed()
            .with_directors(directors),
    ]);
    scene.lighting.shadow = Shadow::SOFT;
    scene
}

fn cantilever() -> Scene {
    let rod = |load: f64, y: f64| {
        let angle = |s: f64| -load * (2.0 * s - s * s);
        let mut nodes = vec![DVec3::new(0.0, y, 0.0)];
        for i in 0..40 {
            let a = angle((f64::from(i) + 0.5) / 40.0);
            nodes.push(nodes[nodes.len() - 1] + DVec3::new(a.cos(), 0.0, a.sin()) / 40.0);
        }
        let values = (0..=40)
            .map(|i| 2.0 * load * (1.0 - f64::from(i) / 40.0))
            .collect();
        let mut tube = Tube::new(nodes, 0.02, rod_color(0));
        tube.color = TubeColor::Scalar {
            values,
            range: (0.0, 3.0),
            map: ColorMap::Sequential,
        };
        tube
    };
    let mut scene = Scene::new(
        (0..7)
            .map(|k| rod(0.25 * f64::from(k), 0.13 * f64::from(k)))
            .collect(),
    );
    scene.background = Background::Dark;
    scene
}

fn rings() -> Scene {
    let ring = |center: DVec3, u: DVec3, v: DVec3, color: usize| {
        let nodes: Vec<DVec3> = (0..24)
            .map(|i| TAU * f64::from(i) / 24.0)
            .map(|a| center + u * a.cos() + v * a.sin())
            .collect();
        Tube::new(nodes, 0.14, rod_color(color)).closed()
    };
    let mut scene = Scene::new(vec![
        ring(DVec3::ZERO, DVec3::X, DVec3::new(0.0, 0.8, 0.6), 2),
        ring(DVec3::X * 1.1, DVec3::X, DVec3::new(0.0, -0.6, 0.8), 3),
        ring(DVec3::X * 2.2, DVec3::X, DVec3::new(0.0, 0.8, 0.6), 4),
    ]);
    scene.background = Background::Transparent;
    scene.lighting.shadow = Shadow::SOFT;
    scene
}

fn coil() -> Scene {
    let nodes: Vec<DVec3> = (0..44)
        .map(|i| 0.55 * f64::from(i))
        .map(|a| DVec3::new(a.cos(), a.sin(), 0.14 + 0.055 * a))
        .collect();
    let mut directors = twisted(&nodes, DVec3::Z, 0.0);
    directors.pop();
    let mut scene = Scene::new(vec![
        Tube::new(nodes, 0.12, rod_color(1)).with_directors(directors),
    ]);
    scene.floor = Some(Floor {
        center: DVec3::ZERO,
        normal: DVec3::Z,
        color: None,
        fade_radius: 4.0,
        grid: None,
    });
    scene.lighting.shadow = Shadow::SOFT;
    scene
}
