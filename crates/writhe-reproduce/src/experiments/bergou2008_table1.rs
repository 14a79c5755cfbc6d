//! B08 Table 1: time a step of the paper's scenes, with either integrator.

use writhe_results::table::number;

use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::paper::{RODS, RodTable};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

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
}

const fn problem(
    row: usize,
    scene: &'static str,
    mesh: &'static str,
    step: f64,
    explicit: f64,
    contact: bool,
) -> Problem {
    Problem {
        paper: &RODS[row],
        scene,
        mesh,
        step,
        explicit,
        contact,
    }
}

const PROBLEMS: [Problem; 9] = [
    problem(0, "twisted-knot", "scene.edges=59", 10e-3, 1e-3, true),
    problem(
        1,
        "asymmetry-of-twist",
        "scene.edges=48",
        60e-3,
        5e-5,
        false,
    ),
    problem(
        2,
        "torque-transducer",
        "scene.edges=199",
        0.666e-3,
        3e-7,
        false,
    ),
    problem(3, "plectoneme", "scene.edges=274", 5e-3, 1e-4, true),
    problem(
        4,
        "localized-buckling",
        "scene.edges=74",
        20e-3,
        2e-3,
        false,
    ),
    problem(5, "michell-ring", "scene.edges=67", 50e-3, 2e-3, false),
    problem(6, "hanging-chain", "scene.links=7", 10e-3, 1e-3, true),
    problem(7, "wilberforce", "scene.edges=19", 10e-3, 8e-6, false),
    problem(
        8,
        "tree-in-wind",
        "scene.nodes=[44, 23, 16]",
        20e-3,
        4e-5,
        false,
    ),
];

#[derive(Debug, Clone, Copy)]
enum Integrator {
    Implicit,
    Explicit,
}

fn plan(problem: &Problem, integrator: Integrator, span: Span) -> RunPlan {
    let [implicit, explicit] = span.choose(STEPS, QUICK);
    let mut sets = vec![problem.mesh.to_owned()];
    let mut start = Start::Rest;
    let (name, step, steps) = match integrator {
        Integrator::Implicit => ("implicit", problem.step, implicit),
        Integrator::Explicit => {
            if problem.scene == "localized-buckling" {
                // At first the ends are farther apart than the rod is long.
                start = Start::EndOf(Box::new(buckled(problem, span)));
            }
            let contact = if problem.contact {
                "spillmann-teschner"
            } else {
                "none"
            };
            sets.push("time.integrator=\"symplectic-projected\"".to_owned());
            sets.push(format!("contact.model=\"{contact}\""));
            sets.push("time.settle=false".to_owned());
            ("explicit", problem.explicit, explicit)
        }
    };
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
time a step and vertex can be compared. Fig. 10: {} vertices a link there, seven links here. Fig. 7 explicitly: from the buckled rod on.\n",
            RODS[6].vertices
        );
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

fn measure(problem: &Problem, bench: &mut Bench) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    let mut vertices = 0;
    for integrator in [Integrator::Implicit, Integrator::Explicit] {
        let run = bench.run(&plan(problem, integrator, bench.span))?;
        let counts = &run.counts;
        let steps = counts.statistics.steps as f64;
        let span = counts.end - counts.start;
        vertices = run.reader.layout().rods.iter().map(|r| r.nodes).sum();
        cells.push(number(1e3 * span / steps, 3));
        if let Integrator::Implicit = integrator {
            let solves = counts.statistics.newton_iterations as f64;
            cells.push(number(solves / steps, 3));
        }
        cells.push(number(1e3 * counts.cpu / steps, 3));
        cells.push(number(span / counts.cpu, 3));
    }
    let paper = problem.paper;
    let mut row = vec![vertices.to_string(), paper.vertices.to_string()];
    row.extend(cells);
    row.push(number(paper.step, 3));
    row.push(number(paper.total, 3));
    row.push(number(paper.step / paper.total, 3));
    Ok(row)
}
