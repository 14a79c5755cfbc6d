//! C21 Table 1: iterations and time, the Implicit Contact Model of C21 and the contact of Spillmann
//! and Teschner, and how smooth their forces are.

use writhe::simulation::Statistics;
use writhe_results::table::number;
use writhe_rundir::{RunReader, outcome};

use super::columns::ending;
use super::knot_curve::{Curve, certified, largest};
use super::knots::{Leg, Pull, RADIUS, motion};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::paper::{self, KnotTable};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;
use crate::run::FinishedRun;

/// C21 Table 1.
#[derive(Debug)]
pub struct Table1;

/// C21's step, s.
const STEP: f64 = 5e-4;
/// Simulated time of each knot n = 1 ... 4, s: the paper's total iterations over its iterations a
/// step, in steps of 0.5 ms.
const DURATIONS: [f64; 4] = [55.0, 46.0, 43.0, 37.0];
/// Parts of a whole run end here, over its duration: loose, middle, tight.
const PARTS: [f64; 3] = [0.25, 0.6, 1.0];
/// Duration of a quick run, s.
const QUICK: f64 = 0.25;
/// Wait before the pull, s.
const WAIT: f64 = 2.0;
/// Simulated time in which every step is a frame, after each part, s.
const WATCHED: f64 = 0.5;
/// The same of a quick run, s.
const WATCHED_QUICK: f64 = 0.1;
/// Length of the windows of a row that has some, s.
const WINDOW: f64 = 2.0;
/// Moving average that jitter is counted from, s.
const AVERAGE: f64 = 0.05;

/// What a row measures.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Case {
    pull: Pull,
    /// Whether only the ends of the parts are run in the paper's steps, from states that our
    /// contact came to in larger ones.
    windows: bool,
}

fn cases(span: Span) -> Vec<Case> {
    let case = |n, model, windows| Case {
        pull: Pull {
            model,
            ..Pull::new(n)
        },
        windows,
    };
    if span == Span::Quick {
        return vec![
            case(1, "imc-smooth", false),
            case(1, "spillmann-teschner", false),
            case(1, "imc-smooth", true),
        ];
    }
    let both = ["imc-smooth", "spillmann-teschner"];
    let mut all = Vec::new();
    for windows in [true, false] {
        for n in 1..=4 {
            all.extend(both.map(|model| case(n, model, windows)));
        }
    }
    for model in ["imc-smooth-hybrid", "imc"] {
        all.extend((1..=4).map(|n| case(n, model, false)));
    }
    for n in 1..=4 {
        let hybrid = ["imc-smooth-hybrid", "imc-smooth-hybrid-rough"];
        all.extend(hybrid.map(|model| case(n, model, true)));
    }
    all
}

fn name(case: &Case) -> String {
    let windows = if case.windows { "-windows" } else { "" };
    format!("{}{windows}", pull_name(&case.pull))
}

fn pull_name(pull: &Pull) -> String {
    format!("n{}-{}", pull.n, pull.model)
}

fn paper(pull: &Pull) -> Option<&'static KnotTable> {
    let table = match pull.model {
        "imc-smooth" | "imc-smooth-hybrid" | "imc-smooth-hybrid-rough" => &paper::KNOTS_IMC,
        "spillmann-teschner" => &paper::KNOTS_SPT,
        _ => return None,
    };
    table.iter().find(|row| row.n == pull.n)
}

/// Ends of the parts of a run, s.
fn ends(pull: &Pull, span: Span) -> Vec<f64> {
    let whole = DURATIONS[pull.n - 1];
    span.choose(
        PARTS.map(|part| (part * whole).round()).to_vec(),
        vec![QUICK],
    )
}

fn pulled(pull: &Pull) -> Vec<String> {
    let leg = |lasts, speed| Leg { lasts, speed };
    let legs = [leg(WAIT, 0.0), leg(60.0, pull.speed())];
    let mut sets = pull.sets();
    sets.extend(motion(&legs));
    sets
}

fn in_the_papers_steps(pull: &Pull) -> Vec<String> {
    let mut sets = pulled(pull);
    sets.extend([
        format!("time.step={STEP}"),
        "time.scheme=backward-euler".to_owned(),
    ]);
    sets
}

/// A part of a run: up to the `index`-th of its ends.
fn part(pull: &Pull, index: usize, span: Span) -> RunPlan {
    let start = match index.checked_sub(1) {
        None => Start::EndOf(Box::new(pull.settled())),
        Some(before) => Start::GoingOn(Box::new(part(pull, before, span))),
    };
    RunPlan {
        name: format!("table1-{}-part{index}{}", pull_name(pull), span.suffix()),
        scene: "choi2021",
        sets: in_the_papers_steps(pull),
        start,
        end: End::At(ends(pull, span)[index]),
        every: 0.25,
    }
}

/// With our contact and step, up to where the `index`-th window begins.
fn approach(n: usize, index: usize, span: Span) -> RunPlan {
    let pull = Pull::new(n);
    let start = match index.checked_sub(1) {
        None => Start::EndOf(Box::new(pull.settled())),
        Some(before) => Start::GoingOn(Box::new(approach(n, before, span))),
    };
    let mut sets = pulled(&pull);
    sets.push(format!("time.step={}", pull.step()));
    RunPlan {
        name: format!("table1-n{n}-approach{index}{}", span.suffix()),
        scene: "choi2021",
        sets,
        start,
        end: End::At(ends(&pull, span)[index] - window(span)),
        every: 0.25,
    }
}

/// Length of a window, s.
fn window(span: Span) -> f64 {
    span.choose(WINDOW, 0.5 * QUICK)
}

/// The runs of a row, which are counted.
fn counted(case: &Case, index: usize, span: Span) -> RunPlan {
    if !case.windows {
        return part(&case.pull, index, span);
    }
    let suffix = span.suffix();
    RunPlan {
        name: format!("table1-{}-window{index}{suffix}", pull_name(&case.pull)),
        start: Start::EndOf(Box::new(approach(case.pull.n, index, span))),
        ..part(&case.pull, index, span)
    }
}

/// What follows one of them, with a frame each step.
fn watched(case: &Case, index: usize, span: Span) -> RunPlan {
    RunPlan {
        name: format!("table1-{}-watched{index}{}", name(case), span.suffix()),
        start: Start::GoingOn(Box::new(counted(case, index, span))),
        end: End::After(span.choose(WATCHED, WATCHED_QUICK)),
        every: STEP,
        ..part(&case.pull, index, span)
    }
}

impl Experiment for Table1 {
    fn name(&self) -> &'static str {
        "choi2021-table1"
    }

    fn about(&self) -> &'static str {
        "iterations, time and force jitter of knots, C21's contact and Spillmann and Teschner's (C21 Table 1)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("unknotting_number", "n"),
            ("model", ""),
            ("simulated_s", "simulated s"),
            ("steps", "steps"),
            ("rejected_steps", "rejected"),
            ("iterations_per_step", "iterations"),
            ("iterations_counted_as_in_paper", "+ check"),
            ("iterations_per_step_paper", "paper"),
            ("cpu_ms_per_iteration", "ms/iteration"),
            ("ms_per_iteration_paper", "paper"),
            ("iterations", "total"),
            ("iterations_paper", "paper"),
            ("cpu_s", "CPU s"),
            ("s_paper", "paper"),
            ("jitter_loose_percent", "jitter %: loose"),
            ("jitter_middle_percent", "middle"),
            ("jitter_tight_percent", "tight"),
            ("pull_loose_mN", ""),
            ("pull_middle_mN", ""),
            ("pull_tight_mN", ""),
            ("hover_um", "hover um"),
            ("largest_smallest_gap_um", "as C21"),
            ("penetration_um", "penetr. um"),
            ("knot", "knot"),
            ("end", "end"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(cases(span), name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = NOTES.to_owned();
        if bench.span == Span::Full {
            for line in claims(rows) {
                text += &format!("  {line}\n");
            }
        }
        text
    }
}

const NOTES: &str = "\
Settled knots, 2 s of waiting, then 6 mm/s at each end; mu = 0.1, eta = 0.01 Pa s, backward Euler, steps of 0.5 ms, for as long as the paper's totals
say. An iteration is one linear solve; the paper counts its last check as one more: `+ check`. Newton stops when the last correction moved no
node by more than 1e-6 radii, or the next one is foreseen to be below a twentieth of that, and the residual is below 1e-6 of the largest force (decision
0009); the paper does not give its tolerance. imc-smooth is C21's contact with its parameters and the full Jacobian from the first iteration;
`hybrid` leaves it out for 20 iterations as C21 does: without it each iteration gains a factor, and how many there are depends on the tolerance. Rows `rough` stop
at 1e-3 in place of 1e-6, about where the authors' program does (option file: a thousandth of the imbalance at its first guess, the start of the step). Times are processor times of one thread (the paper: Core i7-9700K).
Jitter: root mean square of the difference of the pull force from its moving average over 50 ms, of the mean force, over 0.5 s in which every
step is looked at, after 0.25, 0.6 and all of the run. Hover: largest gap of a contact that bears at least 1 % of the largest contact force;
`as C21`: largest of the smallest gaps of all frames. Penetration is over all steps.
Rows `windows` are the last 2 s of these three parts only, from states that our contact came to in steps of 10 ms: iterations a step and times an
iteration compare with the paper's, totals do not.
";

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let pull = &case.pull;
    let mut parts: Vec<FinishedRun> = Vec::new();
    let mut jitter = vec![(f64::NAN, f64::NAN); PARTS.len()];
    let count = ends(pull, bench.span).len();
    for (index, jitter) in jitter.iter_mut().enumerate().take(count) {
        let run = bench.run(&counted(case, index, bench.span))?;
        let whole = run.summary.outcome == outcome::FINISHED;
        parts.push(run);
        if !whole {
            break;
        }
        let (reader, _) = bench.frames(&watched(case, index, bench.span))?;
        let curve = Curve::of(&reader)?;
        *jitter = (curve.jitter(AVERAGE) / curve.mean(), curve.mean());
    }
    let readers: Vec<&RunReader> = parts.iter().map(|run| &run.reader).collect();
    let curve: Result<Vec<Curve>> = readers.iter().map(|reader| Curve::of(reader)).collect();
    write_curve(&Curve::joined(curve?), case, bench)?;
    values(pull, &parts, &jitter, &certified(&readers, 2)?)
}

fn write_curve(curve: &Curve, case: &Case, bench: &Bench) -> Result<()> {
    let line = |i: usize| {
        let values = [curve.time[i], curve.shortening[i], curve.force[i]];
        values.map(|v| number(v, 6)).to_vec()
    };
    let lines: Vec<Vec<String>> = (0..curve.time.len()).map(line).collect();
    let header = ["t_s", "shortening_m", "pull_N"];
    bench.write_curve(Table1.name(), &name(case), &header, &lines)
}

fn values(
    pull: &Pull,
    parts: &[FinishedRun],
    jitter: &[(f64, f64)],
    knot: &str,
) -> Result<Vec<String>> {
    let counts: Vec<&Statistics> = parts.iter().map(|run| &run.counts.statistics).collect();
    let sum = |of: fn(&Statistics) -> u64| counts.iter().map(|c| of(c)).sum::<u64>();
    let (steps, iterations) = (sum(|c| c.steps), sum(|c| c.newton_iterations));
    let cpu: f64 = parts.iter().map(|run| run.counts.cpu).sum();
    let mean = iterations as f64 / steps as f64;
    let paper = paper(pull);
    let over = |column: &str| {
        let all = parts.iter().filter_map(|run| largest(&run.reader, column));
        all.reduce(f64::max).map(|m| 1e6 * m)
    };
    let deepest = counts.iter().map(|c| c.deepest_penetration);
    let mut values = vec![
        pull.n.to_string(),
        pull.model.to_owned(),
        number(
            parts
                .iter()
                .map(|run| run.counts.end - run.counts.start)
                .sum::<f64>(),
            4,
        ),
        steps.to_string(),
        sum(|c| c.rejected_steps).to_string(),
        number(mean, 3),
        number(mean + 1.0, 3),
        number(paper.map(|p| p.iterations), 3),
        number(1e3 * cpu / iterations as f64, 3),
        number(paper.map(|p| p.milliseconds), 3),
        iterations.to_string(),
        number(paper.map(|p| p.total), 6),
        number(cpu, 4),
        number(paper.map(|p| p.seconds), 4),
    ];
    values.extend(jitter.iter().map(|(part, _)| number(100.0 * part, 3)));
    values.extend(jitter.iter().map(|(_, mean)| number(1e3 * mean, 4)));
    values.extend([
        number(over("hover"), 3),
        number(over("smallest_gap").map(|gap| gap.max(0.0)), 3),
        number(1e6 * RADIUS * deepest.fold(0.0, f64::max), 3),
        knot.to_owned(),
        parts
            .last()
            .map_or(String::new(), |run| ending(&run.summary)),
    ]);
    Ok(values)
}

/// What the table is expected to show, and whether its rows do.
fn claims(rows: &Rows) -> Vec<String> {
    let mut lines = Vec::new();
    let verdict = |met: bool| if met { "met" } else { "NOT met" };
    for n in 1..=4 {
        // The whole run if it is there, its windows otherwise.
        let of = |model: &str, column: &str| {
            let row = format!("n{n}-{model}");
            let windows = || rows.number(&format!("{row}-windows"), column);
            rows.number(&row, column).or_else(windows)
        };
        let counted = "iterations_counted_as_in_paper";
        if let (Some(ours), Some(theirs)) = (
            of("imc-smooth", counted),
            of("imc-smooth", "iterations_per_step_paper"),
        ) {
            lines.push(format!(
                "n = {n}: C21's contact takes {} iterations a step as the paper counts, at most the paper's {} ({})",
                number(ours, 3),
                number(theirs, 3),
                verdict(ours <= theirs)
            ));
        }
        for stage in ["middle", "tight"] {
            let column = format!("jitter_{stage}_percent");
            if let (Some(smooth), Some(explicit)) =
                (of("imc-smooth", &column), of("spillmann-teschner", &column))
            {
                lines.push(format!(
                    "n = {n}, {stage}: force jitter {} % with C21's contact, less than {} % with Spillmann and Teschner's ({})",
                    number(smooth, 2),
                    number(explicit, 2),
                    verdict(smooth < explicit)
                ));
            }
        }
        for model in ["imc-smooth", "imc"] {
            if let (Some(hover), Some(deep)) = (
                of(model, "largest_smallest_gap_um"),
                of(model, "penetration_um"),
            ) {
                lines.push(format!(
                    "n = {n}, {model}: hover as C21 means it {} um, at most 20, penetration {} um, at most 5 ({})",
                    number(hover, 3),
                    number(deep, 3),
                    verdict(hover <= 20.0 && deep <= 5.0)
                ));
            }
        }
    }
    lines
}
