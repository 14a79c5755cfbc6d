//! `writhe render`: pictures of a run.

mod film;
mod look;
mod movie;

use std::iter;
use std::path::Path;

use serde_json::{Value, json};
use writhe_render::{
    Bounds, Camera, CellSize, ContactSheet, Image, Legend, Projection, Scene, SheetOptions,
    SheetRow,
};
use writhe_show::picture::Pictures;
use writhe_show::picture::look::Look;
use writhe_show::sampling;

use crate::args::{Fit, PictureSize, RenderArgs};
use crate::console;
use crate::files::{refuse_run_files, refuse_to_replace, replace_file};
use crate::format::number;
use crate::report::{Failure, Result};
use crate::written::written;

use look::Shown;

/// Pixels in a still of the default size.
const STILL_PIXELS: f64 = 800.0 * 800.0;
/// Width of a sheet and largest height of it, about, and largest width of a cell of it, pixels.
const SHEET: (f64, f64) = (1200.0, 1200.0);
const WIDEST_CELL: f64 = 800.0;
/// Narrowest and widest shape (width over height) of a cell of the default size.
const CELL_ASPECT: (f64, f64) = (0.3, 6.0);
/// Widest shape of a sheet of one run: with wider cells, rows are broken.
const WIDEST_SHEET: f64 = 5.5;
/// Cells of at least this shape stand below each other.
const WIDE_CELL: f64 = 2.6;
/// Empty part of a cell on each side.
const CELL_MARGIN: f64 = 0.04;

/// Draws a contact sheet and the last still, or what was asked for.
///
/// # Errors
/// When a directory is no run, no run reaches a time, or a picture cannot be written or would replace
/// a scene or a file of a run.
pub fn run(args: &RenderArgs) -> Result<()> {
    console::set_json(args.json);
    look::refuse_range_alone(args)?;
    movie::refuse_options_alone(args)?;
    if let Some(out) = &args.movie {
        return movie::make(args, out);
    }
    // Before anything is drawn.
    for name in ["still.png", "sheet.png", "last.png"] {
        let in_run = || args.directory.join(name);
        let out = args.out.clone().unwrap_or_else(in_run);
        refuse_run_files(&args.directory, "--out", &out)?;
        refuse_to_replace(&out)?;
    }
    if let Some(out) = &args.out {
        refuse_other_formats(out)?;
    }
    let directories = iter::once(&args.directory).chain(&args.sheet);
    let runs = directories
        .map(|directory| open(directory))
        .collect::<Result<Vec<_>>>()?;
    let times = times(args, &runs)?;
    let frames: Vec<Vec<usize>> = runs
        .iter()
        .map(|run| times.iter().map_while(|time| run.nearest(*time)).collect())
        .collect();
    let runs = look::dressed(args, runs, &frames)?;
    let look = look::look(args, &runs[0])?;
    let named = runs.len() > 1;
    let rows = runs
        .into_iter()
        .zip(frames)
        .map(|(run, frames)| Row::read(run, frames, look, args.fit, named))
        .collect::<Result<Vec<_>>>()?;
    let part = rows.iter().find(|row| row.shown.part.is_some());
    if let Some(row) = part {
        row.shown.tell_part();
    }
    let drawn = match (&args.out, times.len() * rows.len()) {
        (Some(out), 1) => vec![still(&rows, look, args, out)?],
        (Some(out), _) => vec![sheet(&rows, look, args.size, out)?],
        (None, 1) => vec![still(&rows, look, args, &args.directory.join("still.png"))?],
        (None, _) => vec![
            sheet(&rows, look, args.size, &args.directory.join("sheet.png"))?,
            still(&rows, look, args, &args.directory.join("last.png"))?,
        ],
    };
    tell(args, drawn)
}

/// Pictures are PNG: a name that ends as those of other formats would promise what is not in the file. Of
/// a name such as `mu0.3`, a number is no format.
fn refuse_other_formats(out: &Path) -> Result<()> {
    let ending = out.extension().map(|e| e.to_string_lossy().to_lowercase());
    let begins_with_letter = |ending: &&str| ending.starts_with(char::is_alphabetic);
    match ending.as_deref().filter(begins_with_letter) {
        None | Some("png") => Ok(()),
        Some(other) => Err(Failure::bad_input(format!(
            "`--out {}`: Writhe draws pictures of runs as PNG, not as {other}",
            out.display()
        ))
        .help("write `--out NAME.png`; a movie is made with `--movie NAME.mp4`, curves are drawn as SVG and PDF by `writhe plot`")),
    }
}

/// Something that was drawn, as it is told.
struct Drawn {
    text: String,
    json: Value,
}

/// Says what was drawn.
fn tell(args: &RenderArgs, drawn: Vec<Drawn>) -> Result<()> {
    if !args.json {
        let lines: Vec<String> = drawn.into_iter().map(|drawn| drawn.text).collect();
        return console::print(&format!("{}\n", lines.join("\n")));
    }
    let runs = iter::once(&args.directory).chain(&args.sheet);
    let runs: Vec<_> = runs.map(|run| run.to_string_lossy()).collect();
    let written: Vec<Value> = drawn.into_iter().map(|drawn| drawn.json).collect();
    console::print_json(&json!({ "runs": runs, "written": written }))
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
        let mut all: Vec<f64> = all.collect();
        // A run of few frames shows each of them once.
        all.dedup_by_key(|time| {
            runs.iter()
                .map(|run| run.nearest(*time))
                .collect::<Vec<_>>()
        });
        // One picture shows the end; a run without duration has one only.
        return Ok(if args.count == 1 || end == 0.0 {
            vec![end]
        } else {
            all
        });
    }
    let typed = args.times.iter().flat_map(|times| &times.0);
    let mut times: Vec<f64> = typed.copied().collect();
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
    /// Of each frame, s.
    times: Vec<f64>,
    legends: Vec<Legend>,
    scenes: Vec<Scene>,
    shown: Shown,
    /// What the camera shows of the last frame alone.
    last: Bounds,
}

impl Row {
    fn read(
        mut run: Pictures,
        frames: Vec<usize>,
        look: Look,
        fit: Fit,
        named: bool,
    ) -> Result<Self> {
        run.share_surroundings(&frames)?;
        Ok(Self {
            name: if named {
                run.name.clone()
            } else {
                String::new()
            },
            times: frames.iter().map(|frame| run.time(*frame)).collect(),
            legends: frames.iter().map(|frame| run.legend(*frame)).collect(),
            shown: Shown::of(&run, &frames, fit, look)?,
            last: match frames.last() {
                // Framed by itself, unless all of the run is to be in sight.
                Some(last) if fit != Fit::Run => {
                    let fit = if fit == Fit::Each { Fit::Shown } else { fit };
                    Shown::of(&run, &[*last], fit, look)?.bounds
                }
                Some(_) => Shown::of(&run, &frames, fit, look)?.bounds,
                None => Bounds::default(),
            },
            scenes: frames
                .iter()
                .map(|frame| Ok(look.on(run.scene(*frame)?)))
                .collect::<Result<_>>()?,
        })
    }

    fn labels(&self, look: Look) -> Vec<String> {
        match look.legend {
            true => self.legends.iter().map(|l| l.label.clone()).collect(),
            false => Vec::new(),
        }
    }
}

/// Writes a contact sheet; says so.
fn sheet(rows: &[Row], look: Look, size: Option<PictureSize>, out: &Path) -> Result<Drawn> {
    let scenes = || rows.iter().flat_map(|row| &row.scenes);
    let mut extent = (0.0_f64, 0.0_f64);
    for row in rows {
        let (width, height) = Camera::extent(&row.shown.bounds, look.direction, look.up)?;
        extent = (extent.0.max(width), extent.1.max(height));
    }
    let aspect = (extent.0 / extent.1).clamp(CELL_ASPECT.0, CELL_ASPECT.1);
    let aspect = if aspect.is_finite() { aspect } else { 1.0 };
    let longest = rows.iter().map(|row| row.scenes.len()).max().unwrap_or(0);
    // The frames of one run may take several lines; those of several runs stand below each other.
    let columns = match (rows, size) {
        ([_], Some(size)) => columns(longest, f64::from(size.width) / f64::from(size.height)),
        ([_], None) => columns(longest, aspect),
        _ => longest,
    };
    let lines = rows.len() * longest.div_ceil(columns.max(1));
    let cell = match size {
        Some(PictureSize { width, height }) => (width, height),
        None => cell(aspect, columns, lines),
    };
    let aspect = f64::from(cell.0) / f64::from(cell.1);
    let height = extent.1.max(extent.0 / aspect) / (1.0 - 2.0 * CELL_MARGIN) / look.zoom;
    let legend = rows.iter().flat_map(|row| row.legends.first()).next();
    let sample = scenes().next();
    let options = SheetOptions {
        up: look.up,
        background: look.background(),
        cell: CellSize::Fixed(cell.0, cell.1),
        // A size that is asked for is that of each picture.
        trimmed: size.is_none(),
        legend: match legend {
            Some(legend) if look.legend => Legend {
                label: String::new(),
                ..legend.clone()
            },
            _ => Legend::default(),
        },
        scale_bar: match look.legend {
            true => writhe_render::SheetScaleBar::Auto,
            false => writhe_render::SheetScaleBar::Off,
        },
        least_width: sample.map_or(1.0, |scene| {
            sampling::least_width(scene, height / f64::from(cell.1), cell)
        }),
        ..SheetOptions::default()
    };
    let mut lines = Vec::new();
    for row in rows {
        let camera = Camera::fit(&row.shown.bounds, look.direction, look.up, aspect, 0.0)?;
        let camera = Camera {
            projection: Projection::Orthographic { height },
            ..camera
        };
        let labels = row.labels(look);
        for start in (0..row.scenes.len()).step_by(columns.max(1)) {
            let range = start..(start + columns).min(row.scenes.len());
            let of_cells = |all: &[String]| all.get(range.clone()).unwrap_or_default().to_vec();
            let middles = row.shown.middles.get(range.clone()).unwrap_or_default();
            lines.push(SheetRow {
                camera: Some(camera),
                targets: middles.to_vec(),
                frame_labels: if columns < longest {
                    of_cells(&labels)
                } else {
                    Vec::new()
                },
                ..SheetRow::new(row.name.clone(), row.scenes[range.clone()].to_vec())
            });
        }
    }
    let labels = rows.iter().map(|row| row.labels(look));
    let labels = labels.max_by_key(Vec::len).unwrap_or_default();
    let image = ContactSheet {
        title: String::new(),
        column_labels: if columns < longest {
            Vec::new()
        } else {
            labels
        },
        rows: lines,
        options,
    }
    .render()?;
    write(&image, out)?;
    let times: Vec<&Vec<f64>> = rows.iter().map(|row| &row.times).collect();
    Ok(Drawn {
        text: format!("Drew {longest} times to {}", out.display()),
        json: picture("sheet", &image, &json!(times), out),
    })
}

/// Columns in which so many cells of a shape make a sheet that is not too wide.
fn columns(cells: usize, aspect: f64) -> usize {
    if aspect >= WIDE_CELL {
        return 1;
    }
    let fits = |lines: &usize| {
        let columns = cells.div_ceil(*lines) as f64;
        columns * aspect / *lines as f64 <= WIDEST_SHEET
    };
    let lines = (1..=cells.max(1)).find(fits).unwrap_or(1);
    cells.div_ceil(lines).max(1)
}

/// Size of a cell of a sheet of so many columns and lines, pixels.
fn cell(aspect: f64, columns: usize, lines: usize) -> (u32, u32) {
    let width = (SHEET.0 / columns.max(1) as f64).min(WIDEST_CELL);
    let width = width.min(SHEET.1 / lines.max(1) as f64 * aspect);
    let pixels = |side: f64| side.round().max(16.0) as u32;
    (pixels(width), pixels(width / aspect))
}

/// Writes the last frame of the first row; says so.
fn still(rows: &[Row], look: Look, args: &RenderArgs, out: &Path) -> Result<Drawn> {
    let row = &rows[0];
    let (Some(scene), Some(legend)) = (row.scenes.last(), row.legends.last()) else {
        return Err(Failure::bad_input("there is no frame to draw"));
    };
    let alone = row.scenes.len() == 1;
    let size = args.size.filter(|_| alone).map(|s| (s.width, s.height));
    let legends = std::slice::from_ref(legend);
    let plate = look.plate(&row.last, size, STILL_PIXELS, legends)?;
    let image = plate.draw(scene, legend.clone())?;
    write(&image, out)?;
    let time = row.times.last();
    Ok(Drawn {
        text: format!("Drew {} to {}", legend.label, out.display()),
        json: picture(
            "still",
            &image,
            &json!([time.into_iter().collect::<Vec<_>>()]),
            out,
        ),
    })
}

/// A picture as JSON: the file, its pixels, and the times of the frames of each run that it shows.
fn picture(what: &str, image: &Image, times: &Value, out: &Path) -> Value {
    let mut told = written(what, out);
    told["pixels"] = json!([image.width(), image.height()]);
    told["times_s"] = times.clone();
    told
}

fn write(image: &Image, out: &Path) -> Result<()> {
    let mut png = Vec::new();
    image.write_png(&mut png)?;
    replace_file(out, png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_stand_below_each_other() {
        assert_eq!(columns(5, 1.0), 5);
        assert_eq!(columns(5, 0.4), 5);
        assert_eq!(columns(5, 2.0), 3);
        assert_eq!(columns(5, 4.0), 1);
        assert_eq!(columns(20, 1.0), 10);
        assert_eq!(columns(1, 1.0), 1);
        for (aspect, columns, lines) in [(1.0, 5, 1), (4.0, 1, 5), (0.3, 5, 1), (1.0, 10, 10)] {
            let (width, height) = cell(aspect, columns, lines);
            assert!(f64::from(width) * columns as f64 <= 1.01 * SHEET.0);
            assert!(f64::from(height) * lines as f64 <= 1.01 * SHEET.1);
        }
    }
}
