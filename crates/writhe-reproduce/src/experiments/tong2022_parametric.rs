//! Bundling time and thrust against number, pitch, distance, speed and friction: one at a time
//! around the paper's flagella.

use writhe_results::table::number;

use super::columns::ending;
use super::flagella::{bundle_at, last_bundle, thrust};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{radius, time_mean};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;
use crate::run::FinishedRun;

/// T22's parametric study (its supplement, appendix D, is not at hand).
#[derive(Debug)]
pub struct Parametric;

/// Simulated time, s.
const DURATION: f64 = 120.0;
/// The same of a quick run, s.
const DURATION_QUICK: f64 = 1.0;

/// Name, changed key with its value, and speed in rpm.
type Changed = (&'static str, &'static str, f64);

const GRID: [Changed; 12] = [
    ("base", "", 15.0),
    ("m3", "scene.count=3", 15.0),
    ("m5", "scene.count=5", 15.0),
    ("pitch40", "scene.pitch=40 mm", 15.0),
    ("pitch60", "scene.pitch=60 mm", 15.0),
    ("side25", "scene.side=25 mm", 15.0),
    ("side35", "scene.side=35 mm", 15.0),
    ("rpm10", "scene.speed=10 rpm", 10.0),
    ("rpm20", "scene.speed=20 rpm", 20.0),
    ("mu0.3", "contact.friction=0.3", 15.0),
    ("mu0.6", "contact.friction=0.6", 15.0),
    ("mu0.9", "contact.friction=0.9", 15.0),
];

fn plan(name: &str, set: &str, span: Span) -> RunPlan {
    let mut sets = vec![];
    if span == Span::Quick {
        sets.push("scene.edges=16".to_owned());
    }
    if !set.is_empty() {
        sets.push(set.to_owned());
    }
    RunPlan {
        name: format!("parametric-{name}{}", span.suffix()),
        scene: "flagella",
        sets,
        start: Start::Rest,
        end: End::At(span.choose(DURATION, DURATION_QUICK)),
        every: span.choose(0.5, 0.1),
    }
}

impl Experiment for Parametric {
    fn name(&self) -> &'static str {
        "tong2022-parametric"
    }

    fn about(&self) -> &'static str {
        "bundling time and thrust against number, pitch, distance, speed and friction, one at a time"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("change", "change"),
            ("first_contact_s", "first contact s"),
            ("first_contact_turns", "turns"),
            ("bundled_s", "bundled s"),
            ("bundled_turns", "turns"),
            ("thrust_per_flagellum", "F h^2/EI each"),
            ("thrust_start_per_flagellum", "at start"),
            ("turns_wound", "wound"),
            ("mean_distance_radii", "mean dist/h"),
            ("cpu_s", ""),
            ("end", ""),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let count = span.choose(GRID.len(), 5);
        rows_of(GRID.into_iter().take(count), name, measure)
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "Base: two flagella, pitch 50 mm, axes 30 mm apart, 15 rpm, no friction; each row changes one value. 120 s at 20 ms, implicit drag,\n\
         friction with twist. Bundled: from then on the nodes of the first rod are nearer to another rod than half their distance at the start,\n\
         in the mean. Turns: of the clamps until then. Thrust: force of the clamps along the axis, per flagellum, over the second half; `at\n\
         start`: over the first 10 %. Wound: turns by which the first two rods wind about each other at the end (Gauss linking integral).\n\
         The journal's appendix D, which has the paper's study, is not at hand: there are no figures of the paper here.\n"
            .to_owned()
    }
}

fn name((name, ..): &Changed) -> String {
    (*name).to_owned()
}

fn measure((name, set, rpm): &Changed, bench: &mut Bench) -> Result<Vec<String>> {
    let run = bench.run(&plan(name, set, bench.span))?;
    let turns = |seconds: f64| seconds * rpm / 60.0;
    let (times, forces) = thrust(&run.reader)?;
    let flagella = run.reader.layout().rods.len() as f64;
    let (early, late) = halves(&times, &forces);
    let first = run.counts.statistics.first_contact;
    let bundled = bundled(&run)?;
    let last = last_bundle(&run.reader)?;
    Ok(vec![
        (*set).to_owned(),
        number(first, 4),
        number(first.map(turns), 3),
        number(bundled, 4),
        number(bundled.map(turns), 3),
        number(late / flagella, 4),
        number(early / flagella, 4),
        number(last.turns, 3),
        number(last.mean_distance / radius(&run.reader), 4),
        number(run.counts.cpu, 4),
        ending(&run.summary),
    ])
}

/// Mean over the first tenth and over the second half.
fn halves(times: &[f64], values: &[f64]) -> (f64, f64) {
    let end = times.last().copied().unwrap_or(0.0);
    let middle = times.partition_point(|time| *time < 0.5 * end);
    (
        time_mean(times, values, 0.1 * end),
        time_mean(&times[middle..], &values[middle..], end),
    )
}

/// Time from which on the first rod is, in the mean, nearer to the others than half of their
/// distance at the start, s.
fn bundled(run: &FinishedRun) -> Result<Option<f64>> {
    let times = run.reader.times()?;
    let mut distances = Vec::new();
    for frame in 0..times.len() {
        distances.push(bundle_at(&run.reader, frame)?.mean_distance);
    }
    let apart = |distance: &f64| *distance >= 0.5 * distances[0];
    let since = distances.iter().rposition(apart).map_or(0, |last| last + 1);
    Ok(times.get(since).copied())
}
