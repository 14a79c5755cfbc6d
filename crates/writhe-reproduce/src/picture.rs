//! Contact sheets of runs.

use glam::DVec3;
use writhe::model::Model;
use writhe::state::State;
use writhe_render::{
    Bounds, Camera, CellSize, ContactSheet, Scene, SheetOptions, SheetRow, SheetScaleBar, Tube,
    rod_color,
};
use writhe_results::bodies;
use writhe_rundir::RunReader;
use writhe_scenes::spec::BodySpec;

use crate::error::Result;
use crate::measure::rods;

/// A row of a sheet: runs that continue one another.
#[derive(Debug)]
pub struct Strip {
    /// To the left of the row.
    pub label: String,
    /// The runs, in the order of time.
    pub runs: Vec<RunReader>,
}

/// What is up in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Flagella hang from their clamps: the axis +x points down.
    Hanging,
    /// C21's knots lie along y.
    Knot,
    /// +z.
    Upright,
    /// Rods between ends along x: z is up.
    Standing,
}

/// A sheet with a row for each strip and a column for each time, s, as PNG.
///
/// A time that a strip does not reach shows its last frame.
///
/// # Errors
/// When a frame cannot be read or drawn.
pub fn sheet(strips: &[Strip], times: &[f64], view: View) -> Result<Vec<u8>> {
    let row = |strip: &Strip| {
        let frames = times.iter().map(|time| frame(strip, *time));
        Ok(SheetRow::new(
            strip.label.clone(),
            frames.collect::<Result<_>>()?,
        ))
    };
    let image = ContactSheet {
        column_labels: times.iter().map(|time| format!("t = {time} s")).collect(),
        rows: strips.iter().map(row).collect::<Result<_>>()?,
        options: SheetOptions {
            up: match view {
                View::Hanging => DVec3::NEG_X,
                View::Knot | View::Upright | View::Standing => DVec3::Z,
            },
            direction: match view {
                View::Standing => Some(DVec3::new(0.0, -1.0, 0.3)),
                _ => None,
            },
            ..SheetOptions::default()
        },
        ..ContactSheet::default()
    }
    .render()?;
    let mut png = Vec::new();
    image.write_png(&mut png)?;
    Ok(png)
}

/// The rods of a state, with a stripe along their first material director.
pub fn shown(model: &Model, state: &State) -> Scene {
    let (nodes, directors) = (model.positions(state), model.directors(state));
    let rods = model.topology.rods.iter().enumerate();
    let tubes = rods.map(|(rod, layout)| {
        let own = nodes[layout.first_node..layout.first_node + layout.nodes].to_vec();
        let edges = layout.first_edge..layout.first_edge + layout.edges;
        let radius = model.radius[layout.first_edge];
        let tube = Tube::new(own, radius, rod_color(rod)).with_directors(directors[edges].to_vec());
        if layout.closed { tube.closed() } else { tube }
    });
    Scene::new(tubes.collect())
}

/// A sheet of states without common times, a row for each label, seen along `direction`, as PNG.
///
/// # Errors
/// When it cannot be drawn.
pub fn gallery(
    rows: Vec<(String, Vec<Scene>)>,
    columns: Vec<String>,
    direction: DVec3,
    up: DVec3,
) -> Result<Vec<u8>> {
    let rows = rows.into_iter();
    let image = ContactSheet {
        column_labels: columns,
        rows: rows
            .map(|(label, frames)| SheetRow::new(label, frames))
            .collect(),
        options: SheetOptions {
            direction: Some(direction),
            up,
            ..SheetOptions::default()
        },
        ..ContactSheet::default()
    }
    .render()?;
    let mut png = Vec::new();
    image.write_png(&mut png)?;
    Ok(png)
}

/// A sheet with a column for each strip and a row for each time, s, as PNG: knots of C21's rod,
/// which lie along y, cut off where straight tails begin. Each row is as large as its largest knot
/// lets it be; its label says how much larger than the first row that is.
///
/// # Errors
/// When a frame cannot be read or drawn.
pub fn knots(strips: &[Strip], times: &[f64]) -> Result<Vec<u8>> {
    const CELL: (u32, u32) = (360, 200);
    let aspect = f64::from(CELL.0) / f64::from(CELL.1);
    let mut rows = Vec::new();
    let mut first = None;
    for time in times {
        let scenes = strips.iter().map(|strip| frame(strip, *time));
        let scenes: Vec<Scene> = scenes
            .map(|scene| scene.map(without_tails))
            .collect::<Result<_>>()?;
        // Of one size, each in the middle of its cell.
        let mut bounds = Bounds::default();
        for scene in &scenes {
            bounds.add_scene(scene);
        }
        let camera = Camera::fit(&bounds, DVec3::NEG_X, DVec3::Z, aspect, 0.06)?;
        let height = camera.height_at_target();
        let times_larger = *first.get_or_insert(height) / height;
        rows.push(SheetRow {
            camera: Some(camera),
            ..SheetRow::new(format!("{time} s, ×{times_larger:.1}"), scenes)
        });
    }
    let image = ContactSheet {
        column_labels: strips.iter().map(|strip| strip.label.clone()).collect(),
        rows,
        options: SheetOptions {
            cell: CellSize::Fixed(CELL.0, CELL.1),
            scale_bar: SheetScaleBar::Off,
            ..SheetOptions::default()
        },
        ..ContactSheet::default()
    }
    .render()?;
    let mut png = Vec::new();
    image.write_png(&mut png)?;
    Ok(png)
}

/// A knot about the origin, without most of its straight tails.
fn without_tails(mut scene: Scene) -> Scene {
    /// Cosine of the angle to the axis from which an edge is of the knot.
    const TURNED: f64 = 0.98;
    /// Part of the tails that stays, of the knot's extent along y.
    const TAIL: f64 = 0.15;
    for tube in &mut scene.tubes {
        let nodes = &tube.centerline;
        let turned = |pair: &[DVec3]| (pair[1] - pair[0]).normalize_or_zero().y < TURNED;
        let from = nodes.windows(2).position(turned).unwrap_or_default();
        let to = nodes
            .windows(2)
            .rposition(turned)
            .map_or(nodes.len(), |i| i + 2);
        let knot = &nodes[from..to];
        let (least, most) = knot
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
                (a.min(x.y), b.max(x.y))
            });
        let room = TAIL * (most - least);
        let near = |x: &DVec3| (least - room..=most + room).contains(&x.y);
        let first = nodes.iter().position(near).unwrap_or_default();
        let last = nodes.iter().rposition(near).unwrap_or(nodes.len() - 1);
        let middle = 0.5 * (least + most) * DVec3::Y;
        let edges = nodes.len() - 1;
        let kept = nodes[first..=last].iter().map(|x| *x - middle).collect();
        // One radius for all, or one for each edge.
        if tube.radius.len() == edges {
            tube.radius = tube.radius[first..last].to_vec();
        }
        tube.centerline = kept;
    }
    scene
}

/// The frame of a strip nearest to `time`, s.
fn frame(strip: &Strip, time: f64) -> Result<Scene> {
    let mut best: Option<(f64, &RunReader, usize)> = None;
    for run in &strip.runs {
        for (index, t) in run.times()?.iter().enumerate() {
            let distance = (t - time).abs();
            if best.is_none_or(|(least, ..)| distance <= least) {
                best = Some((distance, run, index));
            }
        }
    }
    let Some((_, run, index)) = best else {
        return Ok(Scene::new(Vec::new()));
    };
    let mut radius = run.layout().radius.as_slice();
    let mut tubes = Vec::new();
    for (rod, nodes) in rods(run, index)?.into_iter().enumerate() {
        let edges = run.layout().rods[rod].edges();
        let (own, others) = radius.split_at(edges.min(radius.len()));
        let mut tube = Tube::new(nodes, 0.0, rod_color(rod));
        tube.radius = own.to_vec();
        tubes.push(tube);
        radius = others;
    }
    let mut scene = Scene::new(tubes);
    // A scene of another version that cannot be read is no reason not to draw it.
    if let Ok(spec) = writhe_scenes::Scene::parse(run.scene_toml(), "scene.toml") {
        let of_scene: Vec<BodySpec> = spec.spec.all_bodies().into_iter().map(|b| b.1).collect();
        bodies::add(&mut scene, &of_scene, &run.bodies(index)?);
    }
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_cut_off_with_their_radii() {
        let node = |i: usize| {
            let y = i as f64;
            let z = if (40..60).contains(&i) {
                3.0 * (y - 50.0).cos()
            } else {
                0.0
            };
            DVec3::new(0.0, y, z)
        };
        let mut tube = Tube::new((0..100).map(node).collect(), 0.1, rod_color(0));
        tube.radius = (0..99).map(|i| 0.1 + 1e-3 * f64::from(i)).collect();
        let scene = without_tails(Scene::new(vec![tube]));
        let cut = &scene.tubes[0];
        assert!(
            (22..40).contains(&cut.centerline.len()),
            "{}",
            cut.centerline.len()
        );
        assert_eq!(cut.radius.len() + 1, cut.centerline.len());
        let middle =
            cut.centerline.iter().fold(0.0, |sum, x| sum + x.y) / cut.centerline.len() as f64;
        assert!(middle.abs() < 1.0);
    }
}
