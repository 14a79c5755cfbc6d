//! Two helices that wind around each other, as a contact sheet: `contact_sheet sheet.png`.

use std::f64::consts::{PI, TAU};
use std::fs::File;
use std::io::BufWriter;

use glam::DVec3;
use writhe_render::{ContactSheet, RenderError, Scene, SheetOptions, SheetRow, Tube, rod_color};

/// Length of a rod and radius of its section, metres.
const LENGTH: f64 = 0.18;
const RADIUS: f64 = 0.0022;
const EDGES: usize = 68;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: contact_sheet FILE.png")?;
    sheet()?.write_png(BufWriter::new(File::create(path)?))?;
    Ok(())
}

fn sheet() -> Result<writhe_render::Image, RenderError> {
    let times = [0.0, 0.25, 0.5, 0.75, 1.0];
    let row = |rods: usize| {
        SheetRow::new(
            format!("M = {rods}"),
            times.iter().map(|&t| Scene::new(bundle(rods, t))).collect(),
        )
    };
    ContactSheet {
        title: "Bundling of helical flagella".into(),
        column_labels: times
            .iter()
            .map(|t| format!("t = {:.0} s", 40.0 * t))
            .collect(),
        rows: vec![row(2), row(3), row(5)],
        options: SheetOptions::default(),
    }
    .render()
}

/// Helices that hang side by side at `t = 0` and are wound around their common axis at `t = 1`.
fn bundle(rods: usize, t: f64) -> Vec<Tube> {
    (0..rods)
        .map(|rod| helix(TAU * rod as f64 / rods as f64, rods, t).stripe(t))
        .collect()
}

struct Helix {
    nodes: Vec<DVec3>,
    color: usize,
}

fn helix(phase: f64, rods: usize, t: f64) -> Helix {
    let base = 0.014 + 0.004 * rods as f64;
    let nodes = (0..=EDGES)
        .map(|i| i as f64 / EDGES as f64)
        .map(|s| {
            // Distance from the common axis, and angle around it: far and parallel first, close and
            // wound later.
            let close = t * (1.0 - (-6.0 * s).exp());
            let distance = base * (1.0 - close) + 0.0065 * close;
            let angle = phase + 2.2 * PI * s * t;
            let own = 4.0 * TAU * s + phase * (1.0 - t);
            let wobble = 0.0055 * (6.0 * s).min(1.0);
            DVec3::new(
                distance * angle.cos() + wobble * own.cos(),
                distance * angle.sin() + wobble * own.sin(),
                -LENGTH * s,
            )
        })
        .collect();
    Helix {
        nodes,
        color: (phase / TAU * rods as f64).round() as usize,
    }
}

impl Helix {
    /// A tube with directors that twist along it, more so with time.
    fn stripe(self, t: f64) -> Tube {
        let directors = self
            .nodes
            .windows(2)
            .enumerate()
            .map(|(edge, pair)| {
                let (u, v) = (pair[1] - pair[0]).normalize().any_orthonormal_pair();
                let angle = 6.0 * PI * t * edge as f64 / EDGES as f64;
                u * angle.cos() + v * angle.sin()
            })
            .collect();
        Tube::new(self.nodes, RADIUS, rod_color(self.color)).with_directors(directors)
    }
}
