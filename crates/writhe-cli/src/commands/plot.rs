//! `writhe plot`: observables of runs as curves.

mod branches;
mod energy;
mod sweep;

use std::path::{Path, PathBuf};

use writhe_plot::{Axis, Color, Curve, Figure, Panel};
use writhe_rundir::{Observable, RunReader};
use writhe_sweep::Sweep;

use crate::args::{PlotArgs, PlotFormat, ValueOf};
use crate::console;
use crate::differences::only_difference;
use crate::files;
use crate::format::{count, number};
use crate::report::{Failure, Result};

/// Energies that are shown unless observables are named.
const ENERGIES: [&str; 4] = [
    "energy_bend",
    "energy_twist",
    "energy_stretch",
    "energy_kinetic",
];
/// What else is shown then, where a run has it: names end with these.
const ALSO: [&str; 2] = ["pull_force", "contact_force"];

/// Draws curves and says where they are.
///
/// # Errors
/// When nothing named is a run, a name is no observable, there is nothing to draw, or the file
/// cannot be written.
pub fn run(args: &PlotArgs) -> Result<()> {
    if let [folder, names @ ..] = args.what.as_slice()
        && let Some(found) = Sweep::open(folder)?
    {
        let names: Vec<String> = names.iter().map(|n| n.display().to_string()).collect();
        let (figure, drawn) = sweep::figure(&found, &names, args)?;
        let (out, format) = target(args)?;
        write(&figure, &out, format)?;
        return console::print(&format!("Drew {drawn} to {}\n", out.display()));
    }
    if args.value != ValueOf::Final {
        let message = "`--value` takes one number of each run of a sweep, and no sweep is drawn";
        return Err(Failure::bad_input(message)
            .help("leave it out, or name the folder of a sweep first: writhe plot sweeps/mu ..."));
    }
    let (runs, names) = told_apart(&args.what)?;
    let names = if names.is_empty() {
        usual(&runs[0].reader)
    } else {
        names
    };
    let balanced = |name: &&String| *name == energy::NAME && runs.iter().all(energy::is_recorded);
    let (balance, names_of_columns): (Vec<&String>, Vec<&String>) =
        names.iter().partition(balanced);
    for name in names_of_columns.iter().copied().chain([&args.against]) {
        check(name, &runs)?;
    }
    let mut all = Vec::new();
    if !balance.is_empty() {
        all.extend(runs.iter().flat_map(|run| energy::panels(run, &runs, args)));
    }
    all.extend(panels(&runs, &names_of_columns, args));
    let figure = Figure::new(all);
    let (out, format) = target(args)?;
    for run in &runs {
        files::refuse_run_files(run.reader.path(), "--out", &out)?;
    }
    write(&figure, &out, format)?;
    console::print(&format!(
        "Drew {} of {} to {}\n",
        names.join(", "),
        count(runs.len(), "run"),
        out.display()
    ))
}

fn write(figure: &Figure, out: &Path, format: PlotFormat) -> Result<()> {
    let bytes = match format {
        PlotFormat::Svg => figure.to_svg()?.into_bytes(),
        PlotFormat::Pdf => figure.to_pdf()?,
        PlotFormat::Png => figure.to_png()?,
    };
    files::write_file(out, bytes)
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
    /// What tells it from the others.
    label: String,
    color: Color,
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
    let last = readers.len().max(2) - 1;
    let mut readers: Vec<Option<RunReader>> = readers.into_iter().map(Some).collect();
    let place = |(place, index): (usize, &usize)| {
        Some(Run {
            reader: readers[*index].take()?,
            label: labels[*index].clone(),
            color: match family {
                true => Color::of_family(place as f64 / last as f64),
                false => Color::of_few(place),
            },
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

/// What a run is shown by unless its user says it.
fn usual(run: &RunReader) -> Vec<String> {
    let names = run.observables().iter().map(|o| &o.name);
    let more = names.filter(|name| ALSO.iter().any(|end| name.ends_with(end)));
    let there = |name: &&str| run.observable(name).is_some();
    let energies = ENERGIES.iter().copied().filter(there).map(str::to_owned);
    energies.chain(more.cloned()).collect()
}

fn check(name: &str, runs: &[Run]) -> Result<()> {
    for run in runs {
        if run.reader.observable(name).is_some() {
            continue;
        }
        let known: Vec<&str> = run
            .reader
            .observables()
            .iter()
            .map(|o| o.name.as_str())
            .collect();
        let near = known.iter().max_by(|a, b| {
            let likeness = |known: &str| strsim::jaro_winkler(known, name);
            likeness(a).total_cmp(&likeness(b))
        });
        let message = format!(
            "`{name}` is neither a directory nor an observable of the run in `{}`",
            run.reader.path().display()
        );
        return Err(Failure::bad_input(message).help(format!(
            "did you mean `{}`? There are {}; runs come before observables",
            near.copied().unwrap_or_default(),
            known.join(", ")
        )));
    }
    Ok(())
}

/// A panel for each observable; of a single run, a panel for each unit.
fn panels(runs: &[Run], names: &[&String], args: &PlotArgs) -> Vec<Panel> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in names {
        let unit = runs[0]
            .reader
            .observable(name)
            .map_or("", |o| o.unit.as_str());
        let same = |(other, _): &&mut (&str, Vec<&str>)| runs.len() == 1 && *other == unit;
        match groups.iter_mut().find(same) {
            Some((_, names)) => names.push(name),
            None => groups.push((unit, vec![name])),
        }
    }
    let panel = |(unit, names): &(&str, Vec<&str>)| {
        let (x, y) = axes(of_the(&common(names), runs), unit, runs, args);
        let mut panel = Panel::new(x, y);
        for run in runs {
            for (index, name) in names.iter().enumerate() {
                let drawn = curve(run, name, [index, names.len(), runs.len()], args);
                panel.curves.extend(branches::split(&run.reader, drawn));
            }
        }
        panel
    };
    groups.iter().map(panel).collect()
}

/// The axes of a panel, that of the values named `label`.
fn axes(label: String, unit: &str, runs: &[Run], args: &PlotArgs) -> (Axis, Axis) {
    let against = runs[0].reader.observable(&args.against);
    let x_unit = against.map_or("", |o| o.unit.as_str());
    let x = Axis::new(of_the(&spoken(&args.against), runs), x_unit);
    let y = Axis::new(label, unit);
    let log = args.log.as_deref().unwrap_or_default();
    (
        if log.contains('x') {
            x.logarithmic()
        } else {
            x
        },
        if log.contains('y') {
            y.logarithmic()
        } else {
            y
        },
    )
}

/// Values of an observable; averaged where the arguments say so, unless it lies on the horizontal
/// axis.
fn observed(run: &Run, name: &str, args: &PlotArgs) -> Vec<f64> {
    let column = |name: &str| {
        run.reader
            .observable(name)
            .map_or(&[][..], |o: &Observable| &o.values)
    };
    match args.mean.filter(|_| name != args.against) {
        Some(window) => moving_mean(column("t"), column(name), window),
        None => column(name).to_vec(),
    }
}

fn curve(run: &Run, name: &str, [index, names, runs]: [usize; 3], args: &PlotArgs) -> Curve {
    let (x, y) = (
        observed(run, &args.against, args),
        observed(run, name, args),
    );
    let points = x.into_iter().zip(y).map(|(x, y)| [x, y]);
    let (label, color) = match (runs, names) {
        (1, 1) => (String::new(), Color::of_few(0)),
        (1, _) => (spoken(name), Color::of_few(index)),
        _ => (run.label.clone(), run.color),
    };
    Curve {
        color,
        ..Curve::new(label, points.collect(), 0)
    }
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

/// A name as a label: `t` is time, underscores are spaces.
fn spoken(name: &str) -> String {
    if name == "t" {
        return "Time".to_owned();
    }
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

/// Without the number of the rod, where there is but one.
fn of_the(label: &str, runs: &[Run]) -> String {
    let single = runs.iter().all(|run| run.reader.layout().rods.len() == 1);
    match label.strip_prefix("Rod0 ") {
        Some(rest) if single => spoken(rest),
        _ => label.to_owned(),
    }
}

/// What names begin with or end with alike, as a label.
fn common(names: &[&str]) -> String {
    let words = |name: &str| -> Vec<String> { name.split('_').map(str::to_owned).collect() };
    let all: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let Some(first) = all.first().filter(|_| names.len() > 1) else {
        return names.first().map_or(String::new(), |name| spoken(name));
    };
    let same = |of: &dyn Fn(&Vec<String>, usize) -> Option<String>| -> Vec<String> {
        let shared = (0..first.len()).map_while(|i| {
            of(first, i).filter(|word| all.iter().all(|w| of(w, i).as_ref() == Some(word)))
        });
        shared.collect()
    };
    let starts = same(&|words, i| words.get(i).cloned());
    let mut ends = same(&|words, i| words.iter().rev().nth(i).cloned());
    ends.reverse();
    match (starts.is_empty(), ends.is_empty()) {
        (false, _) => spoken(&starts.join("_")),
        (true, false) => spoken(&ends.join("_")),
        (true, true) => names
            .iter()
            .map(|name| spoken(name))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_words() {
        assert_eq!(spoken("rod0_pull_force"), "Rod0 pull force");
        assert_eq!(common(&["energy_bend", "energy_twist"]), "Energy");
        assert_eq!(common(&["rod0_pull_force", "contact_force"]), "Force");
        assert_eq!(common(&["hover", "penetration"]), "Hover, Penetration");
    }

    #[test]
    fn means_leave_out_what_is_not_there() {
        let mean = moving_mean(&[0.0, 1.0, 2.0, 9.0], &[1.0, 2.0, f64::NAN, 5.0], 2.0);
        assert_eq!(mean, [1.5, 1.5, 2.0, 5.0]);
    }
}
