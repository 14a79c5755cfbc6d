//! `writhe render`: pictures of a run.

mod look;
mod movie;

use std::path::Path;

use writhe_render::{Bounds, CellSize, ContactSheet, Image, Scene, SheetOptions, SheetRow, render};
use writhe_show::picture::Pictures;
use writhe_show::sampling::options;

use crate::args::{PictureSize, RenderArgs};
use crate::console;
use crate::files::refuse_run_files;
use crate::format::number;
use crate::report::{Failure, Result};

use look::Look;

/// Pixels in a still of the default size.
const STILL_PIXELS: f64 = 700.0 * 700.0;

/// Draws a contact sheet and the last still, or what was asked for.
///
/// # Errors
/// When a directory is no run, no run reaches a time, or a picture cannot be written.
pub fn run(args: &RenderArgs) -> Result<()> {
    if let Some(out) = &args.movie {
        return movie::make(args, out);
    }
    let directories = std::iter::once(&args.directory).chain(&args.sheet);
    let runs = directories
        .map(|directory| open(directory))
        .collect::<Result<Vec<_>>>()?;
    let times = times(args, &runs)?;
    let look = Look::new(args, &runs[0])?;
    let named = runs.len() > 1;
    let rows = runs
        .into_iter()
        .map(|run| Row::read(run, &times, look, named))
        .collect::<Result<Vec<_>>>()?;
    for name in ["still.png", "sheet.png", "last.png"] {
        let out = args
            .out
            .clone()
            .unwrap_or_else(|| args.directory.join(name));
        refuse_run_files(&args.directory, "--out", &out)?;
    }
    let written = match (&args.out, times.len() * rows.len()) {
        (Some(out), 1) => vec![still(&rows, look, args.size, out)?],
        (Some(out), _) => vec![sheet(&rows, look, args.size, out)?],
        (None, 1) => vec![still(
            &rows,
            look,
            args.size,
            &args.directory.join("still.png"),
        )?],
        (None, _) => vec![
            sheet(&rows, look, args.size, &args.directory.join("sheet.png"))?,
            still(&rows[..1], look, None, &args.directory.join("last.png"))?,
        ],
    };
    console::print(&format!("{}\n", written.join("\n")))
}

/// The run in this directory; says what of it is not shown.
fn open(directory: &Path) -> Result<Pictures> {
    let run = Pictures::open(directory)?;
    if let Some(notice) = &run.notice {
        console::print_error(&format!("note: {notice}\n"));
    }
    Ok(run)
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
    fn read(mut run: Pictures, times: &[f64], look: Look, named: bool) -> Result<Self> {
        let frames: Vec<usize> = times.iter().map_while(|time| run.nearest(*time)).collect();
        run.share_surroundings(&frames)?;
        Ok(Self {
            name: if named {
                run.name.clone()
            } else {
                String::new()
            },
            labels: frames.iter().map(|frame| run.label(*frame)).collect(),
            scenes: frames
                .iter()
                .map(|frame| Ok(look.on(run.scene(*frame)?)))
                .collect::<Result<_>>()?,
        })
    }
}

/// Writes a contact sheet; says so.
fn sheet(rows: &[Row], look: Look, size: Option<PictureSize>, out: &Path) -> Result<String> {
    let mut options = SheetOptions {
        direction: look.direction,
        up: look.up,
        zoom: look.zoom,
        background: look.background(),
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
fn still(rows: &[Row], look: Look, size: Option<PictureSize>, out: &Path) -> Result<String> {
    let row = &rows[0];
    let (Some(scene), Some(label)) = (row.scenes.last(), row.labels.last()) else {
        return Err(Failure::bad_input("there is no frame to draw"));
    };
    let mut bounds = Bounds::default();
    row.scenes.iter().for_each(|scene| bounds.add_scene(scene));
    let (camera, size) = look.frame(&bounds, size, STILL_PIXELS)?;
    let image = render(scene, &camera, &options(size, &camera, scene))?;
    write(&image, out)?;
    Ok(format!("Drew {label} to {}", out.display()))
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
