//! `writhe render`: pictures of a run.

use std::path::Path;

use glam::DVec3;
use writhe_render::{
    Bounds, Camera, CellSize, ContactSheet, Image, RenderOptions, Scene, SheetOptions, SheetRow,
    render,
};

use crate::args::{PictureSize, RenderArgs};
use crate::console;
use crate::format::number;
use crate::picture::Pictures;
use crate::report::{Failure, Result};

/// Pixels in a still of the default size.
const STILL_PIXELS: f64 = 700.0 * 700.0;
/// Narrowest and widest shape (width over height) of a still of the default size.
const STILL_ASPECT: (f64, f64) = (0.4, 2.5);
/// Part of a still that stays empty on each side.
const MARGIN: f64 = 0.05;

/// Draws a contact sheet and the last still, or what was asked for.
///
/// # Errors
/// When a directory is no run, no run reaches a time, or a picture cannot be written.
pub fn run(args: &RenderArgs) -> Result<()> {
    let directories = std::iter::once(&args.directory).chain(&args.sheet);
    let runs = directories
        .map(|directory| Pictures::open(directory))
        .collect::<Result<Vec<_>>>()?;
    let times = times(args, &runs)?;
    let view = View {
        up: args.up.map_or_else(|| runs[0].up(), |up| up.0),
        direction: args.view.map(|view| -view.0),
    };
    if parallel(view) {
        return Err(
            Failure::bad_input("`--view` and the up direction are the same line")
                .help("choose what is up with `--up X,Y,Z`"),
        );
    }
    let rows = runs
        .iter()
        .map(|run| Row::read(run, &times, runs.len() > 1))
        .collect::<Result<Vec<_>>>()?;
    let written = match (&args.out, times.len() * runs.len()) {
        (Some(out), 1) => vec![still(&rows, view, args.size, out)?],
        (Some(out), _) => vec![sheet(&rows, view, args.size, out)?],
        (None, 1) => vec![still(
            &rows,
            view,
            args.size,
            &args.directory.join("still.png"),
        )?],
        (None, _) => vec![
            sheet(&rows, view, args.size, &args.directory.join("sheet.png"))?,
            still(&rows[..1], view, None, &args.directory.join("last.png"))?,
        ],
    };
    console::print(&format!("{}\n", written.join("\n")))
}

/// How to look at the rods.
#[derive(Debug, Clone, Copy)]
struct View {
    up: DVec3,
    direction: Option<DVec3>,
}

fn parallel(view: View) -> bool {
    view.direction
        .is_some_and(|direction| direction.normalize().cross(view.up.normalize()).length() < 1e-6)
}

/// The times to show, s, in order.
fn times(args: &RenderArgs, runs: &[Pictures]) -> Result<Vec<f64>> {
    if args.times.is_empty() {
        let end = runs.iter().map(Pictures::end).fold(f64::INFINITY, f64::min);
        let intervals = f64::from(args.count).max(2.0) - 1.0;
        let all = (0..args.count).map(|i| end * f64::from(i) / intervals);
        // One picture shows the end; a run without duration has one only.
        return Ok(if args.count == 1 || end == 0.0 {
            vec![end]
        } else {
            all.collect()
        });
    }
    let mut times = args.times.clone();
    times.sort_by(f64::total_cmp);
    match times
        .iter()
        .find(|time| runs.iter().all(|run| run.nearest(**time).is_none()))
    {
        None => Ok(times),
        Some(time) => {
            let end = runs.iter().map(Pictures::end).fold(0.0, f64::max);
            Err(Failure::bad_input(format!(
                "there is no frame at t = {time} s: frames go from 0 to {} s",
                number(end, 6)
            ))
            .help("choose `--times` in this range, or leave it out"))
        }
    }
}

/// The frames of one run.
#[derive(Debug)]
struct Row {
    name: String,
    labels: Vec<String>,
    scenes: Vec<Scene>,
}

impl Row {
    fn read(run: &Pictures, times: &[f64], named: bool) -> Result<Self> {
        let frames: Vec<usize> = times.iter().map_while(|time| run.nearest(*time)).collect();
        Ok(Self {
            name: if named {
                run.name.clone()
            } else {
                String::new()
            },
            labels: frames.iter().map(|frame| run.label(*frame)).collect(),
            scenes: frames
                .iter()
                .map(|frame| run.scene(*frame))
                .collect::<Result<_>>()?,
        })
    }
}

/// Writes a contact sheet; says so.
fn sheet(rows: &[Row], view: View, size: Option<PictureSize>, out: &Path) -> Result<String> {
    let mut options = SheetOptions {
        direction: view.direction,
        up: view.up,
        ..SheetOptions::default()
    };
    if let Some(PictureSize { width, height }) = size {
        options.cell = CellSize::Fixed(width, height);
    }
    let labels = rows.iter().map(|row| &row.labels).max_by_key(|l| l.len());
    let image = ContactSheet {
        title: String::new(),
        column_labels: labels.cloned().unwrap_or_default(),
        rows: rows
            .iter()
            .map(|row| SheetRow::new(row.name.clone(), row.scenes.clone()))
            .collect(),
        options,
    }
    .render()?;
    write(&image, out)?;
    let columns = rows.iter().map(|row| row.labels.len()).max().unwrap_or(0);
    Ok(format!("Drew {columns} times to {}", out.display()))
}

/// Writes the last frame of the first row, framed as that row; says so.
fn still(rows: &[Row], view: View, size: Option<PictureSize>, out: &Path) -> Result<String> {
    let row = &rows[0];
    let (Some(scene), Some(label)) = (row.scenes.last(), row.labels.last()) else {
        return Err(Failure::bad_input("there is no frame to draw"));
    };
    let mut bounds = Bounds::default();
    row.scenes.iter().for_each(|scene| bounds.add_scene(scene));
    let direction = view
        .direction
        .unwrap_or_else(|| Camera::good_direction(&bounds, view.up));
    let (width, height) = match size {
        Some(PictureSize { width, height }) => (width, height),
        None => fitting_size(Camera::extent(&bounds, direction, view.up)?),
    };
    let aspect = f64::from(width) / f64::from(height);
    let camera = Camera::fit(&bounds, direction, view.up, aspect, MARGIN)?;
    let image = render(scene, &camera, &RenderOptions::sized(width, height))?;
    write(&image, out)?;
    Ok(format!("Drew {label} to {}", out.display()))
}

/// Pixels that suit something of this extent.
fn fitting_size((width, height): (f64, f64)) -> (u32, u32) {
    let aspect = (width / height).clamp(STILL_ASPECT.0, STILL_ASPECT.1);
    let aspect = if aspect.is_finite() { aspect } else { 1.0 };
    let pixels = |part: f64| (STILL_PIXELS * part).sqrt().round() as u32;
    (pixels(aspect), pixels(1.0 / aspect))
}

fn write(image: &Image, out: &Path) -> Result<()> {
    let mut png = Vec::new();
    image.write_png(&mut png)?;
    std::fs::write(out, png).map_err(|error| {
        Failure::failed(format!(
            "writing the picture `{}` failed: {error}",
            out.display()
        ))
        .help("choose another place with `--out FILE.png`")
    })
}

#[cfg(test)]
mod tests {
    use super::fitting_size;

    #[test]
    fn stills_keep_their_area() {
        assert_eq!(fitting_size((1.0, 1.0)), (700, 700));
        let (width, height) = fitting_size((0.0, 1.0));
        assert!(width < height && (width * height).abs_diff(490_000) < 2000);
        assert_eq!(fitting_size((0.0, 0.0)), (700, 700));
    }
}
