//! T22 Table 1: iterations and time a step, IMC and IPC.

use writhe_rundir::RunSummary;

use super::Experiment;
use super::plans::{ADVISED_STEP, Case, approach, paper_steps, whole};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{differences, radius};
use crate::paper;
use crate::rows::Rows;
use crate::run::FinishedRun;
use crate::table::number;

/// T22 Table 1.
#[derive(Debug)]
pub struct Table1;

/// What a row of the table is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Kind {
    case: Case,
    /// Whether it is the whole run at the advised step.
    whole: bool,
}

fn kinds(span: Span) -> Vec<Kind> {
    let of = |count, model, tight, whole| Kind {
        case: Case {
            model,
            tight,
            ..Case::new(count)
        },
        whole,
    };
    if span == Span::Quick {
        return vec![
            of(2, "imc", false, false),
            of(2, "ipc", false, false),
            of(2, "imc", false, true),
        ];
    }
    let mut kinds = Vec::new();
    for model in ["imc", "ipc"] {
        kinds.extend([2, 3, 5].map(|count| of(count, model, false, false)));
    }
    kinds.extend([2, 3, 5].map(|count| of(count, "imc", false, true)));
    for model in ["imc", "ipc"] {
        kinds.extend([2, 3].map(|count| of(count, model, true, false)));
    }
    kinds.extend(["imc", "ipc"].map(|model| of(10, model, false, false)));
    for count in [5, 10] {
        kinds.extend(["imc", "ipc"].map(|model| of(count, model, true, false)));
    }
    kinds
}

impl Kind {
    fn name(&self) -> String {
        let Case {
            count,
            model,
            tight,
            ..
        } = self.case;
        let whole = if self.whole { "-whole" } else { "" };
        let tight = if tight { "-tight" } else { "" };
        format!("m{count}-{model}{whole}{tight}")
    }
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

    fn rows(&self, span: Span) -> Vec<String> {
        kinds(span).iter().map(Kind::name).collect()
    }

    fn measure(&self, row: &str, bench: &mut Bench) -> Result<Vec<String>> {
        let kinds = kinds(bench.span);
        let Some(kind) = kinds.into_iter().find(|kind| kind.name() == row) else {
            return Ok(Vec::new());
        };
        let (run, approach_cpu) = if kind.whole {
            let cpu = bench.run(&approach(kind.case.count))?.counts.cpu;
            (bench.run(&whole(&kind.case, bench.span))?, cpu)
        } else {
            (bench.run(&paper_steps(&kind.case, bench.span))?, 0.0)
        };
        let difference = difference(&kind, &run, bench)?;
        Ok(values(&kind, &run, approach_cpu, difference))
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = COUNTING.to_owned();
        for line in claims(rows, bench.span) {
            text += &format!("  {line}\n");
        }
        text
    }
}

/// T22 Eq. 22 between the IPC run and that with IMC: mean and largest over time, in radii.
fn difference(kind: &Kind, run: &FinishedRun, bench: &mut Bench) -> Result<Option<(f64, f64)>> {
    if kind.whole || kind.case.model != "ipc" {
        return Ok(None);
    }
    let imc = Case {
        model: "imc",
        ..kind.case
    };
    let (imc, _) = bench.frames(&paper_steps(&imc, bench.span))?;
    let all = differences(&imc, &run.reader)?;
    let mean = all.iter().map(|(_, e)| e).sum::<f64>() / all.len() as f64;
    let largest = all.iter().map(|(_, e)| *e).fold(0.0, f64::max);
    Ok(Some((mean, largest)))
}

fn values(
    kind: &Kind,
    run: &FinishedRun,
    approach_cpu: f64,
    difference: Option<(f64, f64)>,
) -> Vec<String> {
    let counts = &run.counts.statistics;
    let case = kind.case;
    let paper = paper::table_1(case.count, case.model);
    let per_step = counts.contact_newton_iterations as f64 / counts.contact_steps as f64;
    let cpu = run.counts.cpu;
    let cpu_step = cpu / counts.steps as f64;
    let hours = if kind.whole {
        (cpu + approach_cpu) / 3600.0
    } else {
        cpu_step * (paper::DURATION / paper::STEP) / 3600.0
    };
    let h = radius(&run.reader);
    // A whole run takes other steps than the paper's: only its time compares.
    let same_steps = paper.filter(|_| !kind.whole);
    vec![
        case.count.to_string(),
        case.model.to_owned(),
        format!("{:e}", case.tolerance()),
        number(
            if kind.whole {
                1e3 * ADVISED_STEP
            } else {
                1e3 * paper::STEP
            },
            2,
        ),
        if kind.whole { "implicit" } else { "lagged" }.to_owned(),
        number(run.counts.end - run.counts.start, 6),
        number(counts.first_contact, 6),
        counts.steps.to_string(),
        counts.rejected_steps.to_string(),
        counts.contact_steps.to_string(),
        number(per_step, 4),
        number(per_step + 1.0, 4),
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
        end(&run.summary),
    ]
}

/// How a run ended.
pub(super) fn end(summary: &RunSummary) -> String {
    match summary.outcome.as_str() {
        "finished" => "finished".to_owned(),
        _ => format!(
            "stopped at {} s: {}",
            number(summary.simulated_s, 6),
            summary.reason
        ),
    }
}

const COUNTING: &str = "\
An iteration is one linear solve; averages are over accepted steps that end in contact (the CSV has the number of tries that were
rejected). The paper counts its last check as one more: that is the column `+ check`. Newton stops when the last correction moved no
surface by more than `tolerance` radii, or the next one is foreseen to be below a twentieth of that, and the residual is below `tolerance` of
the largest force (decision 0009). Rows named `tight` are the same table at a tolerance 100 times smaller. The first steps in contact are
reached at 20 ms with implicit drag; then 10 s at 1 ms, backward Euler, lagged drag, as in the paper. Times are processor times of one thread;
h/250 s is that of 250,000 steps. Rows named `whole` are all 250 s, the approach included, at the step that we advise: 20 ms, implicit
drag. Each accepted step was swept for crossings. Eq. 22 max: largest mean distance, in radii, from the IMC run of the same row.
";

/// What the issue and the paper claim, and whether the rows show it.
fn claims(rows: &Rows, span: Span) -> Vec<String> {
    let mut lines = Vec::new();
    let mut claim = |row: &str, what: &str, column: &str, low: f64, high: f64| {
        if let Some(value) = rows.number(row, column) {
            let verdict = if (low..=high).contains(&value) {
                "met"
            } else {
                "NOT met"
            };
            lines.push(format!("{row}: {what}: {} ({verdict})", number(value, 4)));
        }
    };
    for kind in kinds(span) {
        let name = kind.name();
        if !kind.whole && !kind.case.tight {
            let (most, column) = (
                if kind.case.model == "imc" { 3.1 } else { 4.0 },
                "iterations_counted_as_in_paper",
            );
            let what = format!("iterations with the check at most {most}");
            claim(&name, &what, column, 0.0, most);
            let what = "difference IMC - IPC below 0.05 radii";
            claim(&name, what, "difference_imc_ipc_largest_radii", 0.0, 0.05);
        }
        claim(&name, "no crossing", "crossings", 0.0, 0.0);
    }
    lines
}
