//! Observables over the values that a sweep went through.

use writhe_plot::{Axis, Curve, Figure, Panel, Style};
use writhe_rundir::{Observable, RunReader};
use writhe_sweep::range::number_and_unit;
use writhe_sweep::{Parameter, Point, State, Sweep};

use super::names::Names;
use super::{choice, in_family, scaled, short, told_by};
use crate::args::{PlotArgs, ValueOf};
use crate::format::count;
use crate::report::{Failure, Result};

/// A point that has run.
struct Ran<'a> {
    point: &'a Point,
    reader: RunReader,
}

/// Curves of the observables over a parameter, a curve for each value of the other ones; and what
/// was drawn, in words.
///
/// # Errors
/// A name that is none, values that are no numbers, no run that is over.
pub fn figure(sweep: &Sweep, names: &[String], args: &PlotArgs) -> Result<(Figure, String)> {
    let mut runs = Vec::new();
    for point in sweep.points() {
        let directory = sweep.directory(point);
        if State::of(&directory).is_over() {
            let reader = RunReader::open(&directory)?;
            runs.push(Ran { point, reader });
        }
    }
    let Some(first) = runs.first() else {
        return Err(Failure::bad_input(format!(
            "no run of the sweep in `{}` is over",
            sweep.folder().display()
        ))
        .help("run it with `writhe sweep`, as before"));
    };
    let against = against(sweep.parameters(), &args.against)?;
    let (places, unit) = places(&sweep.parameters()[against])?;
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
        let x = Axis::new(sweep.parameters()[against].key.clone(), &unit);
        let (x, y) = scaled(x, Axis::new(label, unit_of_name), args);
        let mut panel = Panel::new(x, y);
        panel.curves = curves(sweep, &runs, name, (against, &places), args.value);
        panel
    });
    let missing = match sweep.points().len() - runs.len() {
        0 => String::new(),
        missing => format!("; {} is not over", count(missing, "run")),
    };
    let drawn = format!(
        "{} over {} of {}{missing}",
        names.join(", "),
        sweep.parameters()[against].key,
        count(runs.len(), "run")
    );
    Ok((Figure::new(panels.collect()), drawn))
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

/// Where the values stand on the axis, and in what unit: theirs, if all have the same, or SI.
fn places(parameter: &Parameter) -> Result<(Vec<f64>, String)> {
    let mut numbers = Vec::new();
    for value in &parameter.values {
        let number = number_and_unit(value).ok_or_else(|| {
            Failure::bad_input(format!(
                "`{}` has the value {value}, but the horizontal axis needs numbers",
                parameter.key
            ))
            .help("name another key with `--against`")
        })?;
        numbers.push(number);
    }
    let unit = numbers.first().map_or("", |n| n.unit);
    Ok(match numbers.iter().all(|n| n.unit == unit) {
        true => (numbers.iter().map(|n| n.number).collect(), unit.to_owned()),
        false => (numbers.iter().map(|n| n.si).collect(), "SI".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_time() {
        assert_eq!(mean(&[0.0, 1.0, 3.0], &[0.0, 2.0, 2.0]), 5.0 / 3.0);
        assert_eq!(mean(&[0.0, 1.0, 3.0], &[0.0, f64::NAN, 2.0]), 2.0);
    }
}
