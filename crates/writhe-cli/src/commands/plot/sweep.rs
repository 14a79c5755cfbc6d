//! Observables over the values that a sweep went through.

use writhe_plot::{Axis, Curve, Figure, Panel, Style};
use writhe_rundir::{Observable, RunReader, outcome};
use writhe_sweep::range::number_and_unit;
use writhe_sweep::{Parameter, Point, State, Sweep};

use super::names::Names;
use super::{Drawn, choice, in_family, scaled, short, told_by};
use crate::args::{PlotArgs, ValueOf};
use crate::format::count;
use crate::report::{Failure, Result};

/// A point that has run.
struct Ran<'a> {
    point: &'a Point,
    reader: RunReader,
}

/// Curves of the observables over a parameter, a curve for each value of the other ones. The last values of a run that
/// failed are no result: it is left out.
///
/// # Errors
/// A name that is none, no run that ended well.
pub fn figure(sweep: &Sweep, names: &[String], args: &PlotArgs) -> Result<Drawn> {
    refuse_what_has_no_effect(args)?;
    let Found {
        runs,
        failed,
        damaged,
        missing,
    } = Found::of(sweep)?;
    let Some(first) = runs.first() else {
        return Err(nothing_to_draw(sweep, failed.len(), damaged.len()));
    };
    let against = against(sweep.parameters(), &args.against)?;
    let parameter = &sweep.parameters()[against];
    let horizontal = Horizontal::of(parameter, sweep.axes()[against].as_ref());
    if !horizontal.axis.words.is_empty() && args.log.as_deref().is_some_and(|l| l.contains('x')) {
        return Err(Failure::bad_input(format!(
            "`--log x`: `{}` has values that are no numbers, and no logarithm",
            parameter.key
        ))
        .help("leave x out of `--log`"));
    }
    let names = match names {
        [] => vec!["energy_bend".to_owned()],
        names => names.to_vec(),
    };
    let unknown = |name: &str| format!("`{name}` is no observable of the runs of the sweep");
    let names = names
        .iter()
        .map(|name| choice::column(&first.reader, name, || unknown(name)));
    let names = names.collect::<Result<Vec<_>>>()?;
    let said = Names::of(&first.reader);
    let panels = names.iter().map(|name| {
        let unit_of_name = choice::unit(&first.reader, name);
        let label = format!("{}{}", said.whole(name), words(args.value));
        let y = Axis::new(label, unit_of_name);
        let (x, y) = scaled(horizontal.axis.clone(), y, args);
        let mut panel = Panel::new(x, y);
        panel.curves = curves(
            sweep,
            &runs,
            name,
            (against, &horizontal.places),
            args.value,
        );
        panel
    });
    let told = format!(
        "{} over {} of {}",
        names.join(", "),
        parameter.key,
        count(runs.len(), "run")
    );
    let mut remarks = Vec::new();
    if !failed.is_empty() {
        remarks.push(format!(
            "Left out: {} that failed ({})",
            count(failed.len(), "run"),
            choice::list(&failed)
        ));
    }
    if !damaged.is_empty() {
        remarks.push(format!(
            "Left out: {} with damaged results ({}); `writhe sweep` again says what is damaged",
            count(damaged.len(), "run"),
            choice::list(&damaged)
        ));
    }
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "is" } else { "are" };
        remarks.push(format!(
            "Left out: {} that {are} not over ({}); `writhe sweep` again runs what is missing, or says why it cannot run",
            count(missing.len(), "run"),
            choice::list(&missing)
        ));
    }
    let unit = |name: &String| choice::unit(&first.reader, name).to_owned();
    Ok(Drawn {
        figure: Figure::new(panels.collect()),
        observables: (names.iter().map(|name| (name.clone(), unit(name)))).collect(),
        against: parameter.key.clone(),
        runs: (runs.iter().map(|run| run.reader.path().to_owned())).collect(),
        told,
        remarks,
    })
}

/// Refuses options that a figure of a sweep knows nothing of.
fn refuse_what_has_no_effect(args: &PlotArgs) -> Result<()> {
    match args.mean {
        None => Ok(()),
        Some(_) => Err(Failure::bad_input(
            "`--mean` has no effect on a sweep, which is not drawn over time",
        )
        .help(
            "leave `--mean` out; `--value mean` draws the mean over time of each run, and single runs are drawn over time",
        )),
    }
}

/// Points by how their runs are; of those that cannot be drawn, the names.
#[derive(Default)]
struct Found<'a> {
    runs: Vec<Ran<'a>>,
    failed: Vec<String>,
    damaged: Vec<String>,
    missing: Vec<String>,
}

impl<'a> Found<'a> {
    fn of(sweep: &'a Sweep) -> Result<Self> {
        let mut found = Self::default();
        for point in sweep.points() {
            let (directory, name) = (sweep.directory(point), point.name.clone());
            match State::of(&directory) {
                State::Over(summary) if summary.outcome == outcome::FAILED => {
                    found.failed.push(name);
                }
                State::Over(_) => {
                    let reader = RunReader::open(&directory)?;
                    found.runs.push(Ran { point, reader });
                }
                State::Damaged(_) => found.damaged.push(name),
                State::Missing | State::Busy | State::Begun => found.missing.push(name),
            }
        }
        Ok(found)
    }
}

/// That no run can be drawn, of which so many failed and so many are damaged.
fn nothing_to_draw(sweep: &Sweep, failed: usize, damaged: usize) -> Failure {
    let folder = sweep.folder().display();
    let reason = format!("see the column `reason` of {folder}/results.csv");
    match (failed, damaged) {
        (0, 0) => Failure::bad_input(format!("no run of the sweep in `{folder}` is over"))
            .help("run it with `writhe sweep`, as before"),
        (_, 0) => Failure::bad_input(format!(
            "no run of the sweep in `{folder}` ended well: {failed} failed"
        ))
        .help(format!("{reason}, and sweep over values that can be run")),
        _ => Failure::bad_input(format!(
            "no run of the sweep in `{folder}` can be drawn: {failed} failed, {damaged} damaged"
        ))
        .help("`writhe sweep` again, as before, says what is damaged and what to do"),
    }
}

/// A curve for each combination of the parameters that are not on the horizontal axis.
fn curves(
    sweep: &Sweep,
    runs: &[Ran<'_>],
    name: &str,
    (against, places): (usize, &[f64]),
    of: ValueOf,
) -> Vec<Curve> {
    let parameters = sweep.parameters();
    let mut families: Vec<(String, Vec<[f64; 2]>)> = Vec::new();
    for run in runs {
        let others = parameters.iter().zip(&run.point.values).enumerate();
        let others = others.filter(|(index, _)| *index != against);
        let label = others.map(|(_, (p, value))| format!("{} = {}", p.key, short(value)));
        let label = label.collect::<Vec<_>>().join(", ");
        let value = run
            .reader
            .observable(name)
            .map(|o| taken(o, &run.reader, of));
        let own = &run.point.values[against];
        let place = parameters[against].values.iter().position(|v| v == own);
        let Some((x, y)) = place.map(|i| places[i]).zip(value) else {
            continue;
        };
        match families.iter_mut().find(|(known, _)| *known == label) {
            Some((_, points)) => points.push([x, y]),
            None => families.push((label, vec![[x, y]])),
        }
    }
    let count = families.len();
    let curve = |(index, (label, mut points)): (usize, (String, Vec<[f64; 2]>))| {
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (color, style) = match count {
            0..=2 => told_by([index, count]),
            _ => in_family([index, count]),
        };
        let line = Curve {
            color,
            style,
            ..Curve::new(label, points.clone(), 0)
        };
        // What was run is told from what lies between.
        let marks = Curve {
            color,
            style: Style::Marks,
            ..Curve::new("", points, 0)
        };
        [line, marks]
    };
    families.into_iter().enumerate().flat_map(curve).collect()
}

/// One number of a column.
fn taken(column: &Observable, run: &RunReader, of: ValueOf) -> f64 {
    let finite = column.values.iter().copied().filter(|v| v.is_finite());
    match of {
        ValueOf::Final => column.values.last().copied().unwrap_or(f64::NAN),
        ValueOf::Max => finite.fold(f64::NAN, f64::max),
        ValueOf::Min => finite.fold(f64::NAN, f64::min),
        ValueOf::Mean => {
            let times = run.observable("t").map_or(&[][..], |t| &t.values);
            mean(times, &column.values)
        }
    }
}

/// Mean over time, values between two times on a line; intervals with an end that is not there are
/// left out.
fn mean(times: &[f64], values: &[f64]) -> f64 {
    let pairs = times.windows(2).zip(values.windows(2));
    let pairs = pairs.filter(|(_, v)| v.iter().all(|v| v.is_finite()));
    let (sum, time) = pairs.fold((0.0, 0.0), |(sum, time), (t, v)| {
        let dt = t[1] - t[0];
        (sum + 0.5 * dt * (v[0] + v[1]), time + dt)
    });
    match time > 0.0 {
        true => sum / time,
        false => values.last().copied().unwrap_or(f64::NAN),
    }
}

fn words(of: ValueOf) -> &'static str {
    match of {
        ValueOf::Final => "",
        ValueOf::Max => ", largest",
        ValueOf::Min => ", smallest",
        ValueOf::Mean => ", mean over time",
    }
}

/// The parameter on the horizontal axis: the one that is named, by its key or its last word, or the
/// only one.
fn against(parameters: &[Parameter], wanted: &str) -> Result<usize> {
    if wanted == "t" && parameters.len() == 1 {
        return Ok(0);
    }
    let named = |p: &Parameter| p.key == wanted || p.short(parameters) == wanted;
    parameters.iter().position(named).ok_or_else(|| {
        let keys: Vec<&str> = parameters.iter().map(|p| p.key.as_str()).collect();
        let message = match wanted {
            "t" => "a sweep is drawn over one of its keys, and none is named".to_owned(),
            wanted => format!("the sweep does not go over `{wanted}`"),
        };
        Failure::bad_input(message).help(format!(
            "name one with `--against`: {}; single runs are drawn over time",
            keys.join(", ")
        ))
    })
}

/// The horizontal axis, and where the values of its parameter stand on it.
struct Horizontal {
    axis: Axis,
    places: Vec<f64>,
}

impl Horizontal {
    /// Numbers stand in their unit, if all have the same, or in that of the key; what is no number,
    /// a word each.
    fn of(parameter: &Parameter, known: Option<&writhe_sweep::Axis>) -> Self {
        let key = parameter.key.clone();
        let numbers = parameter.values.iter().map(|value| number_and_unit(value));
        let Some(numbers) = numbers.collect::<Option<Vec<_>>>() else {
            let words: Vec<String> = parameter.values.iter().map(|value| word(value)).collect();
            return Self {
                places: (0..words.len()).map(|index| index as f64).collect(),
                axis: Axis::of_words(key, words),
            };
        };
        let unit = numbers.first().map_or("", |n| n.unit);
        let is_said = numbers.iter().all(|n| n.unit == unit);
        match (is_said, known) {
            (_, Some(known)) if unit.is_empty() || !is_said => Self {
                axis: Axis::new(key, known.unit.clone()),
                places: known.values.clone(),
            },
            (true, _) => Self {
                axis: Axis::new(key, unit),
                places: numbers.iter().map(|n| n.number).collect(),
            },
            (false, _) => Self {
                axis: Axis::new(key, "SI"),
                places: numbers.iter().map(|n| n.si).collect(),
            },
        }
    }
}

/// A value as a word at an axis: without quotes, and cut where it is long.
fn word(value: &str) -> String {
    /// Letters of a word.
    const LONGEST: usize = 18;
    let value = value.trim().trim_matches(['"', '\'']);
    match value.chars().count() > LONGEST {
        true => value.chars().take(LONGEST - 2).collect::<String>() + "..",
        false => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_a_unit_or_as_words() {
        let of = |text: &str, known: Option<&writhe_sweep::Axis>| {
            let horizontal = Horizontal::of(&Parameter::parse(text).unwrap(), known);
            (
                horizontal.axis.unit,
                horizontal.axis.words,
                horizontal.places,
            )
        };
        let none = Vec::<String>::new;
        let known = writhe_sweep::Axis {
            unit: "Pa".to_owned(),
            values: vec![1e6, 2e6],
        };
        let said = ("MPa".to_owned(), none(), vec![1.0, 2.0]);
        assert_eq!(of("young=1 MPa,2 MPa", Some(&known)), said);
        let si = ("Pa".to_owned(), none(), vec![1e6, 2e6]);
        assert_eq!(of("young=1e6,2e6", Some(&known)), si);
        assert_eq!(of("young=1 MPa,2000 kPa", Some(&known)), si);
        assert_eq!(
            of("edges=3,4", None),
            (String::new(), none(), vec![3.0, 4.0])
        );
        let words = vec!["imc".to_owned(), "ipc".to_owned()];
        assert_eq!(
            of("model=imc,\"ipc\"", None),
            (String::new(), words, vec![0.0, 1.0])
        );
    }

    #[test]
    fn means_are_over_time() {
        assert_eq!(mean(&[0.0, 1.0, 3.0], &[0.0, 2.0, 2.0]), 5.0 / 3.0);
        assert_eq!(mean(&[0.0, 1.0, 3.0], &[0.0, f64::NAN, 2.0]), 2.0);
    }
}
