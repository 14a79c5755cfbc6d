//! B08 Table 1: time a step of the paper's scenes, with either integrator.

use writhe::step::largest_stable_step;
use writhe_results::table::number;

use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::{ReproduceError, Result};
use crate::paper::{RODS, RodTable};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;
use crate::run::{FinishedRun, STEPPING_CPU};
use crate::scenes;

/// B08 Table 1.
#[derive(Debug)]
pub struct Table1;

const NAME: &str = "bergou2008-table1";
/// Steps of a run, implicit and explicit.
const STEPS: [f64; 2] = [200.0, 1000.0];
/// The same of a quick run.
const QUICK: [f64; 2] = [4.0, 4.0];

/// How a figure of the paper is run here.
#[derive(Debug, Clone, Copy)]
struct Problem {
    paper: &'static RodTable,
    scene: &'static str,
    /// Gives it as many vertices as in the paper.
    mesh: &'static str,
    /// The scene's step in the implicit path, s.
    step: f64,
    /// A step at which explicit steps are stable, s.
    explicit: f64,
    /// Whether rods touch.
    contact: bool,
    /// The key that says how heavy the rods are, and its value.
    mass: (&'static str, f64),
}

const fn problem(
    row: usize,
    scene: &'static str,
    mesh: &'static str,
    [step, explicit]: [f64; 2],
    contact: bool,
    mass: (&'static str, f64),
) -> Problem {
    Problem {
        paper: &RODS[row],
        scene,
        mesh,
        step,
        explicit,
        contact,
        mass,
    }
}

const PER_LENGTH: &str = "scene.mass_per_length";
const DENSITY: &str = "scene.density";

const PROBLEMS: [Problem; 9] = [
    problem(
        0,
        "twisted-knot",
        "scene.edges=59",
        [10e-3, 1e-3],
        true,
        (DENSITY, 1000.0),
    ),
    problem(
        1,
        "asymmetry-of-twist",
        "scene.edges=48",
        [60e-3, 5e-5],
        false,
        (PER_LENGTH, 1.0),
    ),
    problem(
        2,
        "torque-transducer",
        "scene.edges=199",
        [0.666e-3, 3e-7],
        false,
        (DENSITY, 1000.0),
    ),
    problem(
        3,
        "plectoneme",
        "scene.edges=274",
        [5e-3, 1e-4],
        true,
        (PER_LENGTH, 0.02),
    ),
    problem(
        4,
        "localized-buckling",
        "scene.edges=74",
        [20e-3, 2e-3],
        false,
        (PER_LENGTH, 1.0),
    ),
    problem(
        5,
        "michell-ring",
        "scene.edges=67",
        [50e-3, 2e-3],
        false,
        (PER_LENGTH, 1.0),
    ),
    problem(
        6,
        "hanging-chain",
        "scene.links=7",
        [10e-3, 1e-3],
        true,
        (PER_LENGTH, 1.0),
    ),
    problem(
        7,
        "wilberforce",
        "scene.edges=19",
        [10e-3, 8e-6],
        false,
        (DENSITY, 8.0),
    ),
    problem(
        8,
        "tree-in-wind",
        "scene.nodes=[44, 23, 16]",
        [20e-3, 4e-5],
        false,
        (DENSITY, 800.0),
    ),
];

/// How much heavier the rods are, than the bound at the start asks for, in runs with the paper's
/// step: what bends and twists later may ask for more.
const MARGIN: f64 = 1.5;
/// What the paper times, by the names of the parts of our steps.
const PARTS: [(&str, &[&str]); 4] = [
    ("forces", &["forces"]),
    ("contact", &["contact corrections"]),
    ("angles", &["quasistatic angles"]),
    ("projection", &["projection"]),
];

#[derive(Debug, Clone, Copy)]
enum Integrator {
    Implicit,
    Explicit,
    /// Explicit with the paper's step, and rods heavier by this factor.
    Heavy(f64),
}

fn plan(problem: &Problem, integrator: Integrator, span: Span) -> RunPlan {
    let [implicit, explicit] = span.choose(STEPS, QUICK);
    let mut sets = vec![problem.mesh.to_owned()];
    let mut start = Start::Rest;
    let (name, step, steps) = match integrator {
        Integrator::Implicit => ("implicit", problem.step, implicit),
        Integrator::Explicit => ("explicit", problem.explicit, explicit),
        Integrator::Heavy(factor) => {
            let (key, value) = problem.mass;
            sets.push(format!("{key}={}", factor * value));
            ("heavy", 1e-3 * problem.paper.step, explicit)
        }
    };
    if !matches!(integrator, Integrator::Implicit) {
        if problem.scene == "localized-buckling" {
            // At first the ends are farther apart than the rod is long.
            start = Start::EndOf(Box::new(buckled(problem, span)));
        }
        sets.extend(explicitly(problem));
    }
    sets.push(format!("time.step={step}"));
    RunPlan {
        name: format!("table1-{}-{name}{}", problem.paper.figure, span.suffix()),
        scene: problem.scene,
        sets,
        start,
        end: End::After(steps * step),
        every: steps * step,
    }
}

/// What makes the steps of a scene explicit.
fn explicitly(problem: &Problem) -> [String; 3] {
    let contact = match problem.contact {
        true => "spillmann-teschner",
        false => "none",
    };
    [
        "time.integrator=\"symplectic-projected\"".to_owned(),
        format!("contact.model=\"{contact}\""),
        "time.settle=false".to_owned(),
    ]
}

/// Largest step that the bound allows at the start of a scene, s.
fn stable_step(problem: &Problem) -> Result<f64> {
    let wrong = |reason: String| ReproduceError::NoStart {
        run: format!("table1-{}", problem.paper.figure),
        reason,
    };
    let mut scene = scenes::scene(problem.scene).map_err(|e| wrong(e.to_string()))?;
    let mut sets = vec![problem.mesh.to_owned()];
    sets.extend(explicitly(problem));
    scene.set_all(&sets).map_err(|e| wrong(e.to_string()))?;
    let setup = scene.build().map_err(|e| wrong(e.to_string()))?;
    largest_stable_step(&setup.model, &setup.state).map_err(|e| wrong(e.to_string()))
}

/// The rod of Fig. 7 with its ends brought together, by implicit steps.
fn buckled(problem: &Problem, span: Span) -> RunPlan {
    RunPlan {
        name: format!("table1-buckled{}", span.suffix()),
        scene: problem.scene,
        sets: vec![problem.mesh.to_owned()],
        start: Start::Rest,
        end: End::At(span.choose(45.0, 5.0)),
        every: 5.0,
    }
}

impl Experiment for Table1 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "time a step of the scenes of Bergou et al. 2008, with either integrator (B08 Table 1)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("vertices", "vertices"),
            ("paper_vertices", "paper"),
            ("implicit_step_ms", "implicit ms"),
            ("implicit_solves", "solves/step"),
            ("implicit_cost_ms", "cost ms"),
            ("implicit_s_per_cpu_s", "s/CPU s"),
            ("explicit_step_ms", "explicit ms"),
            ("explicit_cost_ms", "cost ms"),
            ("explicit_s_per_cpu_s", "s/CPU s"),
            ("paper_step_ms", "paper ms"),
            ("paper_cost_ms", "cost ms"),
            ("paper_s_per_cpu_s", "s/CPU s"),
            ("stable_ms", "stable ms"),
            ("mass_ratio", "mass ratio"),
            ("heavy_rejected", "rejected"),
            ("heavy_cost_ms", "cost ms"),
            ("heavy_s_per_cpu_s", "s/CPU s"),
            ("forces_ms", ""),
            ("contact_ms", ""),
            ("angles_ms", ""),
            ("projection_ms", ""),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        rows_of(PROBLEMS, |p| format!("fig{}", p.paper.figure), measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let [implicit, explicit] = bench.span.choose(STEPS, QUICK);
        let mut text = format!(
            "\
Processor time of the first {implicit} steps of each scene with the integrator implicit, and of {explicit} with symplectic-projected, at a step at which it is stable. The
paper's is on one thread of a 2.66 GHz Core 2 Duo. Its physical parameters are not printed but for Figs. 7, 8 and 10, so seconds of one scene are not those of the other;
time a step and vertex can be compared. Fig. 10: {} vertices a link there, seven links here. Fig. 7 explicitly: from the buckled rod on.
stable ms: the largest step that the bound of the explicit steps allows at the start. In every scene it is that of the fastest wave of bending, edges of length l that turn in
alternation, l^2/2 sqrt(m/EI) with the mass per length m of the rod: drag, gravity, twist and bodies hardly change it. mass ratio: (paper's step / stable)^2, how much
heavier the rods would have to be for the paper's step. The last columns are runs of {explicit} steps of the paper's size with rods heavier by {MARGIN} times that, if it is
more than one: their rejected steps, and their cost.\n",
            RODS[6].vertices
        );
        text += &parts_of_steps(rows);
        if bench.span == Span::Quick {
            return text;
        }
        let ratios = |ours: &'static str| {
            PROBLEMS.iter().filter_map(move |p| {
                let row = format!("fig{}", p.paper.figure);
                let of = |column: &str| rows.number(&row, column);
                let here = of(ours)? / of("vertices")?;
                Some(p.paper.total / p.paper.vertices as f64 / here)
            })
        };
        for (column, name) in [
            ("explicit_cost_ms", "explicit"),
            ("implicit_cost_ms", "implicit"),
        ] {
            let least = ratios(column).fold(f64::INFINITY, f64::min);
            let most = ratios(column).fold(0.0, f64::max);
            text += &format!(
                "  {name}: a step and vertex takes {} to {} times less time than in the paper\n",
                number(least, 2),
                number(most, 3)
            );
        }
        text
    }
}

/// A line for each row: the parts of our explicit steps, and the paper's.
fn parts_of_steps(rows: &Rows) -> String {
    let mut text = "Parts of an explicit step, ms, with the paper's in brackets:\n".to_owned();
    for problem in &PROBLEMS {
        let row = format!("fig{}", problem.paper.figure);
        let Some(total) = rows.number(&row, "explicit_cost_ms") else {
            continue;
        };
        let ours = PARTS.map(|(part, _)| rows.number(&row, &format!("{part}_ms")));
        let parts = PARTS.iter().zip(ours).zip(problem.paper.parts);
        let parts: Vec<String> = parts
            .filter(|((_, ours), paper)| ours.is_some() || !paper.is_nan())
            .map(|(((part, _), ours), paper)| {
                format!("{part} {} ({})", number(ours, 2), number(paper, 2))
            })
            .collect();
        let rest = total - ours.iter().flatten().sum::<f64>();
        text += &format!("  {row}: {}, rest {}\n", parts.join(", "), number(rest, 2));
    }
    text
}

fn measure(problem: &Problem, bench: &mut Bench) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    let mut vertices = 0;
    let mut parts = [f64::NAN; 4];
    for integrator in [Integrator::Implicit, Integrator::Explicit] {
        let run = bench.run(&plan(problem, integrator, bench.span))?;
        let cost = Cost::of(&run);
        vertices = run.reader.layout().rods.iter().map(|r| r.nodes).sum();
        cells.push(number(1e3 * cost.step, 3));
        if let Integrator::Implicit = integrator {
            let solves = run.counts.statistics.newton_iterations as f64;
            cells.push(number(solves / cost.steps, 3));
        } else {
            parts = PARTS.map(|(_, names)| 1e3 * cost.cpu * share(&run, names));
        }
        cells.push(number(1e3 * cost.cpu, 3));
        cells.push(number(cost.step / cost.cpu, 3));
    }
    let paper = problem.paper;
    let mut row = vec![vertices.to_string(), paper.vertices.to_string()];
    row.extend(cells);
    row.push(number(paper.step, 3));
    row.push(number(paper.total, 3));
    row.push(number(paper.step / paper.total, 3));
    let stable = stable_step(problem)?;
    // Waves of bending alone limit the step, and their rate falls as the root of the mass.
    let ratio = (1e-3 * paper.step / stable).powi(2);
    // As written in the table: the run is found by it again.
    let factor = number((MARGIN * ratio).max(1.0), 3).parse().unwrap_or(1.0);
    let run = bench.run(&plan(problem, Integrator::Heavy(factor), bench.span))?;
    let cost = Cost::of(&run);
    row.push(number(1e3 * stable, 3));
    row.push(number(ratio, 3));
    row.push(run.counts.statistics.rejected_steps.to_string());
    row.push(number(1e3 * cost.cpu, 3));
    row.push(number(cost.step / cost.cpu, 3));
    row.extend(parts.map(|part| number(part, 3)));
    Ok(row)
}

/// What a step of a run took.
struct Cost {
    steps: f64,
    /// Mean size of a step, s.
    step: f64,
    /// Processor time a step, s.
    cpu: f64,
}

impl Cost {
    fn of(run: &FinishedRun) -> Self {
        let counts = &run.counts;
        let steps = counts.statistics.steps as f64;
        Self {
            steps,
            step: (counts.end - counts.start) / steps,
            cpu: counts.cpu / steps,
        }
    }
}

/// The share of a run's processor time that these parts of its steps take.
fn share(run: &FinishedRun, names: &[&str]) -> f64 {
    let phases = &run.summary.phases_s;
    let taken = names.iter().filter_map(|name| phases.get(*name));
    // Runs of earlier versions have times on the clock.
    let whole = run.summary.extra.get(STEPPING_CPU);
    let whole = whole.and_then(serde_json::Value::as_f64);
    taken.sum::<f64>() / whole.unwrap_or(run.summary.wall_s)
}
