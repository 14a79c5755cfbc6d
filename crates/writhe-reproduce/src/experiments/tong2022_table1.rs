//! T22 Table 1: iterations and time a step, IMC and IPC.

use writhe_results::table::number;
use writhe_rundir::Comparison;

use super::columns::{COUNTING, ending, iterations_per_contact_step};
use super::plans::{Case, CaseRun, Part, approach};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::radius;
use crate::paper;
use crate::plan::{End, RunPlan};
use crate::rows::Rows;
use crate::run::FinishedRun;

/// T22 Table 1.
#[derive(Debug)]
pub struct Table1;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
struct Measured {
    run: CaseRun,
    way: Way,
}

/// What of a run differs from the others of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Nothing.
    Ours,
    /// Line search and stiffness are those of T22 (Algorithm 2, Eq. B.5).
    Published,
    /// In the paper's steps it goes on to the end.
    ToTheEnd,
}

impl Measured {
    fn plan(&self, span: Span) -> RunPlan {
        let mut plan = self.run.plan(span);
        match self.way {
            Way::Ours => {}
            Way::Published => {
                plan.name += "-published";
                plan.sets.extend(PUBLISHED.map(str::to_owned));
            }
            Way::ToTheEnd => {
                plan.name += "-to-the-end";
                plan.end = End::At(paper::DURATION);
                plan.every = 0.5;
            }
        }
        plan
    }

    /// Whether it takes the step that we advise, and not the paper's.
    fn is_advised(&self) -> bool {
        self.run.is_whole()
    }
}

/// T22's line search, and its rule for the stiffness of contact with s = 1e5.
const PUBLISHED: [&str; 2] = [
    "time.line_search=goldstein",
    "contact.stiffness={ largest_force = 1e5 }",
];

fn runs(span: Span) -> Vec<Measured> {
    let of = |count, model, tight, part, way| {
        let case = Case {
            model,
            tight,
            ..Case::new(count)
        };
        let run = CaseRun { case, part };
        Measured { run, way }
    };
    let window = |count, model, tight| of(count, model, tight, Part::FirstContact, Way::Ours);
    let published = |count| of(count, "imc", false, Part::FirstContact, Way::Published);
    if span == Span::Quick {
        return vec![
            window(2, "imc", false),
            window(2, "ipc", false),
            window(2, "imc", true),
            published(2),
        ];
    }
    let mut runs = Vec::new();
    for model in ["imc", "ipc"] {
        runs.extend([2, 3, 5].map(|count| window(count, model, false)));
    }
    runs.extend([2, 3, 5].map(|count| of(count, "imc", false, Part::Whole, Way::Ours)));
    for model in ["imc", "ipc"] {
        runs.extend([2, 3].map(|count| window(count, model, true)));
    }
    runs.extend(["imc", "ipc"].map(|model| window(10, model, false)));
    for count in [5, 10] {
        runs.extend(["imc", "ipc"].map(|model| window(count, model, true)));
    }
    runs.extend([2, 3, 5].map(published));
    for count in [2, 3, 5] {
        let all = |model| of(count, model, false, Part::FirstContact, Way::ToTheEnd);
        runs.extend(["imc", "ipc"].map(all));
    }
    runs
}

fn name(row: &Measured) -> String {
    let Case {
        count,
        model,
        tight,
        ..
    } = row.run.case;
    let whole = if row.is_advised() { "-whole" } else { "" };
    let tight = if tight { "-tight" } else { "" };
    let way = match row.way {
        Way::Ours => "",
        Way::Published => "-published",
        Way::ToTheEnd => "-1ms-whole",
    };
    format!("m{count}-{model}{whole}{tight}{way}")
}

impl Experiment for Table1 {
    fn name(&self) -> &'static str {
        "tong2022-table1"
    }

    fn about(&self) -> &'static str {
        "iterations and time a step in contact, IMC and IPC (T22 Table 1: 250 s, no friction)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("flagella", ""),
            ("model", ""),
            ("tolerance", "tolerance"),
            ("step_ms", "step ms"),
            ("drag", ""),
            ("simulated_s", ""),
            ("first_contact_s", ""),
            ("steps", ""),
            ("rejected_steps", ""),
            ("contact_steps", "contact steps"),
            ("iterations_per_contact_step", "iterations"),
            ("iterations_counted_as_in_paper", "+ check"),
            ("iterations_paper", "paper"),
            ("cpu_ms_per_step", "ms/step"),
            ("cpu_ms_per_step_paper", "paper"),
            ("cpu_h_250s", "h/250 s"),
            ("cpu_h_250s_paper", "paper"),
            ("smallest_gap_radii", "smallest gap/h"),
            ("crossings", "crossings"),
            ("crossings_prevented", ""),
            ("difference_imc_ipc_mean_radii", ""),
            ("difference_imc_ipc_largest_radii", "Eq. 22 max"),
            ("end", ""),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(runs(span), name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = format!("{COUNTING}{NOTES}");
        for line in claims(rows, bench.span) {
            text += &format!("  {line}\n");
        }
        text
    }
}

fn measure(kind: &Measured, bench: &mut Bench) -> Result<Vec<String>> {
    let approach_cpu = if kind.is_advised() {
        bench.run(&approach(kind.run.case.count))?.counts.cpu
    } else {
        0.0
    };
    let run = bench.run(&kind.plan(bench.span))?;
    let difference = difference(kind, &run, bench)?;
    Ok(values(kind, &run, approach_cpu, difference))
}

/// T22 Eq. 22 between the IPC run and that with IMC: mean and largest over time, in radii.
fn difference(kind: &Measured, run: &FinishedRun, bench: &mut Bench) -> Result<Option<(f64, f64)>> {
    if kind.is_advised() || kind.run.case.model != "ipc" {
        return Ok(None);
    }
    let mut imc = *kind;
    imc.run.case.model = "imc";
    let (imc, _) = bench.frames(&imc.plan(bench.span))?;
    let comparison = Comparison::new(&imc, &run.reader)?;
    let largest = comparison.largest_mean().mean_radii;
    Ok(Some((comparison.mean_radii(), largest)))
}

fn values(
    kind: &Measured,
    run: &FinishedRun,
    approach_cpu: f64,
    difference: Option<(f64, f64)>,
) -> Vec<String> {
    let counts = &run.counts.statistics;
    let case = kind.run.case;
    let paper = paper::table_1(case.count, case.model);
    let [iterations, with_check] = iterations_per_contact_step(counts);
    let cpu = run.counts.cpu;
    let cpu_step = cpu / counts.steps as f64;
    let hours = if kind.is_advised() {
        (cpu + approach_cpu) / 3600.0
    } else {
        cpu_step * (paper::DURATION / paper::STEP) / 3600.0
    };
    let h = radius(&run.reader);
    // A whole run takes other steps than the paper's: only its time compares.
    let same_steps = paper.filter(|_| !kind.is_advised());
    vec![
        case.count.to_string(),
        case.model.to_owned(),
        format!("{:e}", case.tolerance()),
        number(kind.run.step_ms(), 2),
        if kind.is_advised() {
            "implicit"
        } else {
            "lagged"
        }
        .to_owned(),
        number(run.counts.end - run.counts.start, 6),
        number(counts.first_contact, 6),
        counts.steps.to_string(),
        counts.rejected_steps.to_string(),
        counts.contact_steps.to_string(),
        iterations,
        with_check,
        number(same_steps.map(|p| p.iterations), 3),
        number(1e3 * cpu_step, 4),
        number(same_steps.map(|p| p.milliseconds), 4),
        number(hours, 3),
        number(paper.map(|p| p.hours), 3),
        number(counts.smallest_gap.map(|gap| gap / h), 3),
        run.summary.crossings.to_string(),
        counts.crossings_prevented.to_string(),
        number(difference.map(|(mean, _)| mean), 3),
        number(difference.map(|(_, largest)| largest), 3),
        ending(&run.summary),
    ]
}

const NOTES: &str = "\
Rows named `tight` are the same table at a tolerance 100 times smaller. The first steps in contact are reached at 20 ms with implicit drag;
then 10 s at 1 ms, backward Euler, lagged drag, as in the paper. Times are processor times of one thread; h/250 s is that of 250,000 steps.
Rows named `whole` are all 250 s, the approach included, at the step that we advise: 20 ms, implicit drag. Rows named `1ms-whole` go on
from first contact to 250 s at 1 ms. Rows named `published` have T22's line search (Algorithm 2, with the sign of d0 corrected) and its
stiffness, 1e5 times the largest force on a node, in place of ours. Eq. 22 max: largest mean distance, in radii, from the IMC run of the same
row.
";

/// What the table is expected to show, and whether its rows do.
fn claims(rows: &Rows, span: Span) -> Vec<String> {
    let mut lines = Vec::new();
    let mut at_most = |row: &str, what: &str, column: &str, bound: f64| {
        if let Some(value) = rows.number(row, column) {
            let verdict = if value <= bound { "met" } else { "NOT met" };
            lines.push(format!("{row}: {what}: {} ({verdict})", number(value, 4)));
        }
    };
    for kind in runs(span) {
        if kind.is_advised() || kind.run.case.tight {
            continue;
        }
        let name = name(&kind);
        let most = if kind.run.case.model == "imc" {
            3.1
        } else {
            4.0
        };
        let what = format!("iterations with the check at most {most}");
        at_most(&name, &what, "iterations_counted_as_in_paper", most);
        let what = "difference IMC - IPC at most 0.05 radii";
        at_most(&name, what, "difference_imc_ipc_largest_radii", 0.05);
    }
    lines
}
