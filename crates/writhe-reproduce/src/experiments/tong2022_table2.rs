//! T22 Table 2: two flagella with friction.

use super::Experiment;
use super::plans::{ADVISED_STEP, Case, approach, contact_distance, paper_steps, whole};
use super::tong2022_table1::end;
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{bundle, radius, rods};
use crate::paper;
use crate::plan::RunPlan;
use crate::rows::Rows;
use crate::table::number;

/// T22 Table 2.
#[derive(Debug)]
pub struct Table2;

/// What a row of the table is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Kind {
    case: Case,
    /// Whether it is the whole run at the advised step.
    whole: bool,
}

fn kinds(span: Span) -> Vec<Kind> {
    let of = |friction_tenths, whole, tight| Kind {
        case: Case {
            friction_tenths,
            tight,
            ..Case::new(2)
        },
        whole,
    };
    let paper_steps = [1, 4, 7];
    if span == Span::Quick {
        let quick = [of(4, false, false), of(4, true, false)];
        return quick.to_vec();
    }
    let whole = [1, 4, 7, 10, 2, 3, 5, 6, 8, 9].map(|mu| of(mu, true, false));
    let at_1_ms = paper_steps.map(|mu| of(mu, false, false));
    let tight = paper_steps.map(|mu| of(mu, false, true));
    whole.into_iter().chain(at_1_ms).chain(tight).collect()
}

impl Kind {
    fn name(&self) -> String {
        let steps = if self.whole { "" } else { "-1ms" };
        let tight = if self.case.tight { "-tight" } else { "" };
        format!("mu{:.1}{steps}{tight}", self.case.friction())
    }

    fn plan(&self, span: Span) -> RunPlan {
        if self.whole {
            whole(&self.case, span)
        } else {
            paper_steps(&self.case, span)
        }
    }
}

impl Experiment for Table2 {
    fn name(&self) -> &'static str {
        "tong2022-table2"
    }

    fn about(&self) -> &'static str {
        "two flagella with friction: iterations, and how far they come (T22 Table 2: 250 s, M = 2)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("friction", "mu"),
            ("tolerance", "tolerance"),
            ("step_ms", "step ms"),
            ("steps", ""),
            ("rejected_steps", "rejected"),
            ("contact_steps", ""),
            ("iterations_per_contact_step", "iterations"),
            ("iterations_counted_as_in_paper", "+ check"),
            ("iterations_paper", "paper"),
            ("total_iterations", "total"),
            ("total_iterations_paper", "paper"),
            ("end_s", "end s"),
            ("end_paper_s", "paper"),
            ("cpu_s", "cpu s"),
            ("contact_from_clamp_mm", "contact from mm"),
            ("contact_to_mm", "to mm"),
            ("turns_wound", "turns"),
            ("mean_distance_radii", "mean dist/h"),
            ("smallest_gap_radii", "smallest gap/h"),
            ("crossings", "crossings"),
            ("crossings_prevented", ""),
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
        let approach = bench.run(&approach(2))?.counts;
        let run = bench.run(&kind.plan(bench.span))?;
        let counts = &run.counts.statistics;
        let h = radius(&run.reader);
        let paper = paper::table_2(kind.case.friction_tenths);
        let whole = paper.filter(|_| kind.whole);
        let per_step = counts.contact_newton_iterations as f64 / counts.contact_steps as f64;
        let last = bundle(
            &rods(&run.reader, run.reader.frames().saturating_sub(1))?,
            contact_distance(h),
        );
        let mut total = counts.newton_iterations;
        let mut cpu = run.counts.cpu;
        if kind.whole {
            total += approach.statistics.newton_iterations;
            cpu += approach.cpu;
        }
        let step = if kind.whole {
            ADVISED_STEP
        } else {
            paper::STEP
        };
        Ok(vec![
            number(kind.case.friction(), 1),
            format!("{:e}", kind.case.tolerance()),
            number(1e3 * step, 2),
            counts.steps.to_string(),
            counts.rejected_steps.to_string(),
            counts.contact_steps.to_string(),
            number(per_step, 4),
            number(per_step + 1.0, 4),
            number(paper.map(|p| p.iterations), 4),
            total.to_string(),
            number(whole.map(|p| p.total), 3),
            number(run.counts.end, 5),
            number(whole.map(|p| p.end), 5),
            number(cpu, 4),
            number(last.contact.map(|(from, _)| 1e3 * from), 4),
            number(last.contact.map(|(_, to)| 1e3 * to), 4),
            number(last.turns, 3),
            number(last.mean_distance / h, 4),
            number(counts.smallest_gap.map(|gap| gap / h), 3),
            run.summary.crossings.to_string(),
            counts.crossings_prevented.to_string(),
            end(&run.summary),
        ])
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = NOTES.to_owned();
        let whole = kinds(bench.span).into_iter().filter(|kind| kind.whole);
        for name in whole.map(|kind| kind.name()) {
            if let Some(end) = rows.text(&name, "end") {
                text += &format!("  {name}: {end}\n");
            }
        }
        text
    }
}

const NOTES: &str = "\
An iteration is one linear solve; averages are over accepted steps that end in contact. The paper counts its last check as one more: that
is the column `+ check`. Newton stops when the last correction moved no surface by more than `tolerance` radii, or the next one is
foreseen to be below a twentieth of that, and the residual is below `tolerance` of the largest force (decision 0009). Friction is the
paper's form: centrelines only (contact.friction_on_twist = false), slip tolerance 1e-4 m/s. Whole runs go on from the one state before
first contact, at the step that we advise (20 ms, implicit drag); their totals include the way there. Rows `-1ms` are 10 s from first
contact at 1 ms, backward Euler, lagged drag. At the end of each run: the contacts nearest to and farthest from the middle of the clamped
edges along the axis, the turns by which the rods wind about each other (Gauss linking integral), and the mean distance of the first rod's
nodes from the second rod's centreline (2 is touching). Each accepted step was swept for crossings. How whole runs ended:
";
