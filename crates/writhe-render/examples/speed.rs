//! Times ten helices of 68 nodes at 800 x 600 pixels: `speed`. Run in release, with
//! RAYON_NUM_THREADS=1 for one core.

use std::f64::consts::TAU;
use std::time::Instant;

use glam::DVec3;
use writhe_render::{
    Bounds, Camera, RenderError, RenderOptions, Scene, Shadow, Tube, render, rod_color,
};

fn main() -> Result<(), RenderError> {
    let mut scene = Scene::new((0..10).map(helix).collect());
    let bounds = Bounds::of(&scene);
    let camera = Camera::fit(
        &bounds,
        Camera::good_direction(&bounds, DVec3::Z),
        DVec3::Z,
        4.0 / 3.0,
        0.05,
    )?;
    for shadow in [Shadow::Off, Shadow::SOFT] {
        scene.lighting.shadow = shadow;
        let start = Instant::now();
        render(&scene, &camera, &RenderOptions::sized(800, 600))?;
        println!("{shadow:?}: {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

fn helix(k: usize) -> Tube {
    let phase = TAU * k as f64 / 10.0;
    let nodes: Vec<DVec3> = (0..68)
        .map(|i| f64::from(i) / 67.0)
        .map(|s| {
            let a = 4.0 * TAU * s + phase;
            DVec3::new(
                0.6 * phase.cos() + 0.12 * a.cos(),
                0.6 * phase.sin() + 0.12 * a.sin(),
                -2.0 * s,
            )
        })
        .collect();
    let directors = nodes
        .windows(2)
        .map(|p| (p[1] - p[0]).any_orthonormal_vector())
        .collect();
    Tube::new(nodes, 0.035, rod_color(k)).with_directors(directors)
}
