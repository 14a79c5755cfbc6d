//! `writhe plot`: observables of runs as curves.

mod branches;
mod choice;
mod dress;
mod energy;
mod names;
mod sweep;

use std::path::{Path, PathBuf};

use serde_json::json;
use writhe_plot::{Axis, Color, Curve, Figure, Panel, PlotError, Style};
use writhe_rundir::{Observable, RunReader};
use writhe_sweep::Sweep;

use crate::args::{PlotArgs, PlotFormat, ValueOf};
use crate::console;
use crate::differences::only_difference;
use crate::files;
use crate::format::{count, number};
use crate::report::{Failure, Result};
use crate::written::written;
use choice::Choice;
use names::Names;

/// Draws curves and says where they are.
///
/// # Errors
/// When nothing named is a run, a name is no observable, there is nothing to draw, limits do not
/// fit an axis, or the file cannot be written.
pub fn run(args: &PlotArgs) -> Result<()> {
    console::set_json(args.json);
    let (out, format) = target(args)?;
    if let [folder, names @ ..] = args.what.as_slice()
        && let Some(found) = Sweep::open(folder)?
    {
        let names: Vec<String> = names.iter().map(|n| n.display().to_string()).collect();
        let drawn = sweep::figure(&found, &names, args)?;
        return finish(drawn, args, &out, format);
    }
    if args.value != ValueOf::Final {
        let message = "`--value` is for sweeps, and no sweep is drawn";
        return Err(Failure::bad_input(message)
            .help("leave it out, or name the folder of a sweep first: writhe plot sweeps/mu ..."));
    }
    let (runs, names) = told_apart(&args.what)?;
    refuse_runs_without_frames(&runs)?;
    for run in &runs {
        files::refuse_run_files(run.reader.path(), "--out", &out)?;
    }
    let against = choice::column(&runs[0].reader, &args.against, || {
        let run = runs[0].reader.path().display();
        format!(
            "`--against {}` is no observable of the run in `{run}`",
            args.against
        )
    })?;
    for run in &runs[1..] {
        choice::column(&run.reader, &against, || {
            let run = run.reader.path().display();
            format!("`--against {against}` is no observable of the run in `{run}`")
        })?;
    }
    let drawing = Drawing {
        names: Names::of(&runs[0].reader),
        against,
        runs,
        args,
    };
    finish(drawing.drawn(&names)?, args, &out, format)
}

/// Curves that were drawn, and what is told of them.
struct Drawn {
    figure: Figure,
    /// Observables with their units.
    observables: Vec<(String, String)>,
    /// What stands on the horizontal axis.
    against: String,
    /// Folders of the runs.
    runs: Vec<PathBuf>,
    /// All that in words.
    told: String,
    /// What is to be said of the rest.
    remarks: Vec<String>,
}

/// Writes the figure; says what was drawn, where to, and what is to be said of the rest.
fn finish(drawn: Drawn, args: &PlotArgs, out: &Path, format: PlotFormat) -> Result<()> {
    let figure = dress::dressed(drawn.figure, args)?;
    let bytes = encoded(&figure, format).map_err(|error| undrawn(error, &figure))?;
    files::write_file(out, bytes)?;
    if args.json {
        let observables = drawn.observables.into_iter();
        let observables = observables.map(|(name, unit)| json!({ "name": name, "unit": unit }));
        let runs = drawn.runs.iter().map(|run| run.to_string_lossy());
        return console::print_json(&json!({
            "runs": runs.collect::<Vec<_>>(),
            "observables": observables.collect::<Vec<_>>(),
            "against": drawn.against,
            "remarks": drawn.remarks,
            "written": [written("figure", out)],
        }));
    }
    let remarks = drawn.remarks.iter().map(|remark| format!("{remark}\n"));
    let remarks: String = remarks.collect();
    console::print(&format!(
        "Drew {} to {}\n{remarks}",
        drawn.told,
        out.display()
    ))
}

/// Runs, and how they are drawn.
struct Drawing<'a> {
    runs: Vec<Run>,
    names: Names,
    /// Column on the horizontal axis.
    against: String,
    args: &'a PlotArgs,
}

impl Drawing<'_> {
    /// The curves that are asked for.
    fn drawn(&self, names: &[String]) -> Result<Drawn> {
        let balanced =
            |name: &&String| *name == energy::NAME && self.runs.iter().all(energy::is_recorded);
        let (balance, others): (Vec<&String>, Vec<&String>) = names.iter().partition(balanced);
        let others: Vec<String> = others.into_iter().cloned().collect();
        let logarithmic = self
            .args
            .log
            .as_deref()
            .is_some_and(|log| log.contains('y'));
        let choice = match names.is_empty() || !others.is_empty() {
            true => Choice::of(&self.runs, &others, self.args.curves, logarithmic)?,
            false => Choice::default(),
        };
        let mut panels = Vec::new();
        if !balance.is_empty() {
            let of_run = |run| energy::panels(run, self);
            panels.extend(self.runs.iter().flat_map(of_run));
        }
        panels.extend(self.panels(&choice));
        let drawn: Vec<String> = balance.into_iter().cloned().chain(choice.columns).collect();
        let unit = |name: &String| match name == energy::NAME {
            true => "J".to_owned(),
            false => choice::unit(&self.runs[0].reader, name).to_owned(),
        };
        let runs = self.runs.iter().map(|run| run.reader.path().to_owned());
        let (list, count) = (choice::list(&drawn), count(self.runs.len(), "run"));
        Ok(Drawn {
            figure: Figure::new(panels),
            observables: drawn
                .into_iter()
                .map(|name| (name.clone(), unit(&name)))
                .collect(),
            against: self.against.clone(),
            runs: runs.collect(),
            told: format!("{list} of {count}"),
            remarks: choice.remarks,
        })
    }

    /// A panel for each observable; of a single run, a panel for each unit.
    fn panels(&self, choice: &Choice) -> Vec<Panel> {
        let is_single = self.runs.len() == 1;
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for name in &choice.columns {
            let unit = choice::unit(&self.runs[0].reader, name);
            match groups
                .iter_mut()
                .find(|(other, _)| is_single && *other == unit)
            {
                Some((_, names)) => names.push(name),
                None => groups.push((unit, vec![name])),
            }
        }
        let panel = |(unit, names): &(&str, Vec<&str>)| {
            let (label, labels) = self.names.together(names, unit);
            let (x, y) = self.axes(label, unit);
            let mut panel = Panel::new(x, y);
            for run in &self.runs {
                for (index, (name, label)) in names.iter().zip(&labels).enumerate() {
                    let mut curve = self.curve(run, name, choice);
                    if is_single {
                        let (color, style) = told_by([index, names.len()]);
                        curve = Curve {
                            label: label.clone(),
                            color,
                            style,
                            ..curve
                        };
                    }
                    panel.curves.extend(branches::split(&run.reader, curve));
                }
            }
            panel
        };
        groups.iter().map(panel).collect()
    }

    /// The axes of a panel, that of the values named `label`.
    fn axes(&self, label: String, unit: &str) -> (Axis, Axis) {
        let x_unit = choice::unit(&self.runs[0].reader, &self.against);
        let x = Axis::new(self.names.whole(&self.against), x_unit);
        scaled(x, Axis::new(label, unit), self.args)
    }

    /// Values of an observable; averaged where the arguments say so, unless it lies on the
    /// horizontal axis.
    fn observed(&self, run: &Run, name: &str) -> Vec<f64> {
        let column = |name: &str| {
            run.reader
                .observable(name)
                .map_or(&[][..], |o: &Observable| &o.values)
        };
        match self.args.mean.filter(|_| name != self.against) {
            Some(window) => moving_mean(column("t"), column(name), window),
            None => column(name).to_vec(),
        }
    }

    fn curve(&self, run: &Run, name: &str, choice: &Choice) -> Curve {
        let x = self.observed(run, &self.against);
        let mut y = self.observed(run, name);
        if choice.zeros.iter().any(|zero| zero == name) {
            let finite = y.iter_mut().filter(|v| v.is_finite());
            finite.for_each(|v| *v = 0.0);
        }
        let points = x.into_iter().zip(y).map(|(x, y)| [x, y]);
        Curve {
            color: run.color,
            style: run.style,
            ..Curve::new(run.label.clone(), points.collect(), 0)
        }
    }
}

/// Colour and line of the `index`-th of so many curves.
fn told_by([index, count]: [usize; 2]) -> (Color, Style) {
    /// As many have a colour or a line of their own.
    const FEW: usize = 28;
    match count {
        0..=FEW => (Color::of_few(index), Style::of_few(index)),
        _ => in_family([index, count]),
    }
}

/// Colour and line of the `index`-th of so many curves that a number orders.
fn in_family([index, count]: [usize; 2]) -> (Color, Style) {
    /// More shades than these are hard to tell from the next.
    const SHADES: usize = 8;
    let color = Color::of_family(index as f64 / (count.max(2) - 1) as f64);
    match count {
        0..=SHADES => (color, Style::Solid),
        _ => (color, Style::of_many(index)),
    }
}

/// Axes that are logarithmic where the arguments say so.
fn scaled(x: Axis, y: Axis, args: &PlotArgs) -> (Axis, Axis) {
    let log = args.log.as_deref().unwrap_or_default();
    let scaled = |axis: Axis, name: char| match log.contains(name) {
        true => axis.logarithmic(),
        false => axis,
    };
    (scaled(x, 'x'), scaled(y, 'y'))
}

fn encoded(figure: &Figure, format: PlotFormat) -> std::result::Result<Vec<u8>, PlotError> {
    match format {
        PlotFormat::Svg => figure.to_svg().map(String::into_bytes),
        PlotFormat::Pdf => figure.to_pdf(),
        PlotFormat::Png => figure.to_png(),
    }
}

/// What is told of a figure that cannot be drawn.
fn undrawn(error: PlotError, figure: &Figure) -> Failure {
    match how_to_see_some(&error, figure) {
        Some(remedy) => Failure::bad_input(error.to_string()).help(remedy),
        None => error.into(),
    }
}

/// What to do where a panel has nothing to draw. An option that is not there cannot be left out; and of
/// limits it helps to know where there is something.
fn how_to_see_some(error: &PlotError, figure: &Figure) -> Option<String> {
    let PlotError::NothingToDraw {
        label, logarithmic, ..
    } = error
    else {
        return None;
    };
    let panels = figure.panels.iter().filter(|p| p.y.label == *label);
    let spans: Vec<([f64; 2], &Axis)> = panels.filter_map(|p| Some((span(p)?, &p.x))).collect();
    Some(match spans.first() {
        Some(([from, to], axis)) => {
            let unit = match axis.unit.as_str() {
                "" | "1" => String::new(),
                unit => format!(" {unit}"),
            };
            format!(
                "the horizontal axis has values from {} to {}{unit}: choose `--xlim FROM..TO` such that some lie between",
                number(*from, 6),
                number(*to, 6)
            )
        }
        None if *logarithmic => "choose other observables, or leave `--log` out".to_owned(),
        None => "choose other observables; a curve needs two values".to_owned(),
    })
}

/// Least and largest value on the horizontal axis of what a panel shows without limits.
fn span(panel: &Panel) -> Option<[f64; 2]> {
    let points = panel.curves.iter().flat_map(|curve| &curve.points);
    let shown = points.filter(|p| panel.x.shows(p[0]) && panel.y.shows(p[1]));
    let nothing = [f64::INFINITY, f64::NEG_INFINITY];
    let [least, most] = shown.fold(nothing, |[a, b], p| [a.min(p[0]), b.max(p[0])]);
    (least <= most).then_some([least, most])
}

/// Runs that have just begun, or were killed at their start, have nothing to draw.
fn refuse_runs_without_frames(runs: &[Run]) -> Result<()> {
    match runs {
        [first, ..] if runs.iter().all(|run| run.reader.frames() == 0) => {
            Err(Failure::bad_input(format!(
                "the run in `{}` has no frame yet",
                first.reader.path().display()
            ))
            .help("wait for its first checkpoint; where nothing runs any more, go on with it: `writhe run SCENE --out DIR --resume`"))
        }
        _ => Ok(()),
    }
}

/// The file to write and its format: the one asked for, or that of the file's name.
fn target(args: &PlotArgs) -> Result<(PathBuf, PlotFormat)> {
    const ENDINGS: [(&str, PlotFormat); 3] = [
        ("svg", PlotFormat::Svg),
        ("pdf", PlotFormat::Pdf),
        ("png", PlotFormat::Png),
    ];
    let Some(out) = &args.out else {
        let format = args.format.unwrap_or(PlotFormat::Svg);
        let named = ENDINGS.iter().find(|(_, of)| *of == format);
        let ending = named.map_or("svg", |(ending, _)| ending);
        return Ok((args.what[0].join(format!("plot.{ending}")), format));
    };
    let ending = out.extension().unwrap_or_default();
    let named = ENDINGS.iter().find(|(e, _)| ending.eq_ignore_ascii_case(e));
    let format = args.format.or(named.map(|(_, format)| *format));
    let format = format.ok_or_else(|| {
        let message = format!("`--out {}` does not tell a format", out.display());
        Failure::bad_input(message).help("let it end with .svg, .pdf or .png, or add `--format`")
    })?;
    Ok((out.clone(), format))
}

/// A run to draw.
#[derive(Debug)]
struct Run {
    reader: RunReader,
    /// What tells it from the others; empty where there are none.
    label: String,
    color: Color,
    style: Style,
}

/// Runs, and names of observables after them.
fn told_apart(what: &[PathBuf]) -> Result<(Vec<Run>, Vec<String>)> {
    let runs = what.iter().take_while(|path| path.is_dir()).count();
    let (directories, names) = what.split_at(runs.max(1));
    let readers = directories.iter().map(RunReader::open);
    let readers = readers.collect::<std::result::Result<Vec<_>, _>>()?;
    let names = names.iter().map(|name| name.display().to_string());
    Ok((labelled(readers), names.collect()))
}

/// Runs that differ in one number are a family in its order; others go by their directories.
fn labelled(readers: Vec<RunReader>) -> Vec<Run> {
    let scenes: Vec<&str> = readers.iter().map(RunReader::scene_toml).collect();
    let mut order: Vec<usize> = (0..readers.len()).collect();
    let mut labels: Vec<String> = readers.iter().map(|r| name(r.path())).collect();
    let mut family = false;
    if let Some((key, values)) = only_difference(&scenes) {
        labels = values
            .iter()
            .map(|value| format!("{key} = {}", short(value)))
            .collect();
        let numbers: Option<Vec<f64>> = values.iter().map(|v| v.parse().ok()).collect();
        if let Some(numbers) = numbers {
            family = readers.len() > 2;
            order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
        }
    }
    let all = readers.len();
    let mut readers: Vec<Option<RunReader>> = readers.into_iter().map(Some).collect();
    let place = |(place, index): (usize, &usize)| {
        let (color, style) = match family {
            true => in_family([place, all]),
            false => told_by([place, all]),
        };
        Some(Run {
            reader: readers[*index].take()?,
            label: labels[*index].clone(),
            color,
            style,
        })
    };
    order.iter().enumerate().filter_map(place).collect()
}

/// A value of a scene; numbers as people write them.
fn short(value: &str) -> String {
    let read = value.parse().ok();
    read.map_or_else(|| value.to_owned(), |x| number(x, 6))
}

/// Name of a directory; all of its path where it has none.
fn name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.display().to_string());
    name.unwrap_or_else(|| path.display().to_string())
}

/// Means over `window`, s, around each time; NaN counts as not there.
fn moving_mean(time: &[f64], values: &[f64], window: f64) -> Vec<f64> {
    let half = 0.5 * window * (1.0 + 1e-9);
    let mean = |t: &f64| {
        let from = time.partition_point(|other| *other < t - half);
        let to = time.partition_point(|other| *other <= t + half);
        let within = values[from..to].iter().filter(|v| v.is_finite());
        let (sum, count) = within.fold((0.0, 0.0), |(sum, count), v| (sum + v, count + 1.0));
        sum / count
    };
    time.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_curves_look_the_same() {
        for count in [5, 28, 29, 100] {
            let all: Vec<_> = (0..count).map(|i| told_by([i, count])).collect();
            for (i, a) in all.iter().enumerate() {
                assert!(all[..i].iter().all(|b| a != b), "{i} of {count}");
            }
        }
        let family: Vec<_> = (0..20).map(|i| in_family([i, 20])).collect();
        assert!(family.windows(2).all(|pair| pair[0].1 != pair[1].1));
    }

    #[test]
    fn means_leave_out_what_is_not_there() {
        let mean = moving_mean(&[0.0, 1.0, 2.0, 9.0], &[1.0, 2.0, f64::NAN, 5.0], 2.0);
        assert_eq!(mean, [1.5, 1.5, 2.0, 5.0]);
    }
}
