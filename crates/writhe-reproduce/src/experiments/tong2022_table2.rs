//! T22 Table 2: two flagella with friction.

use writhe_results::table::number;

use super::columns::{COUNTING, contact_mm, ending, iterations_per_contact_step};
use super::flagella::last_bundle;
use super::plans::{Case, CaseRun, Part, approach};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::radius;
use crate::paper;
use crate::rows::Rows;

/// T22 Table 2.
#[derive(Debug)]
pub struct Table2;

fn runs(span: Span) -> Vec<CaseRun> {
    let of = |friction_tenths, part, tight| CaseRun {
        case: Case {
            tight,
            ..Case::with_friction(friction_tenths)
        },
        part,
    };
    let paper_steps = [1, 4, 7];
    if span == Span::Quick {
        let quick = [of(4, Part::FirstContact, false), of(4, Part::Whole, false)];
        return quick.to_vec();
    }
    let whole = [1, 4, 7, 10, 2, 3, 5, 6, 8, 9].map(|mu| of(mu, Part::Whole, false));
    let at_1_ms = paper_steps.map(|mu| of(mu, Part::FirstContact, false));
    let tight = paper_steps.map(|mu| of(mu, Part::FirstContact, true));
    let bundles = paper_steps.map(|mu| of(mu, Part::Bundle, false));
    let all = whole.into_iter().chain(at_1_ms).chain(tight);
    all.chain(bundles).collect()
}

fn name(run: &CaseRun) -> String {
    let steps = if run.is_whole() { "" } else { "-1ms" };
    let tight = if run.case.tight { "-tight" } else { "" };
    let bundle = if run.part == Part::Bundle {
        "-bundle"
    } else {
        ""
    };
    format!("{}{steps}{tight}{bundle}", run.case.friction_name())
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

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(runs(span), name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = format!("{COUNTING}{NOTES}");
        let whole = runs(bench.span).into_iter().filter(|run| run.is_whole());
        for name in whole.map(|run| name(&run)) {
            if let Some(end) = rows.text(&name, "end") {
                text += &format!("  {name}: {end}\n");
            }
        }
        text
    }
}

fn measure(kind: &CaseRun, bench: &mut Bench) -> Result<Vec<String>> {
    let approach = bench.run(&approach(2))?.counts;
    let run = bench.run(&kind.plan(bench.span))?;
    let counts = &run.counts.statistics;
    let h = radius(&run.reader);
    let paper = paper::table_2(kind.case.friction_tenths);
    let whole = paper.filter(|_| kind.is_whole());
    let [iterations, with_check] = iterations_per_contact_step(counts);
    let last = last_bundle(&run.reader)?;
    let [from, to] = contact_mm(last.contact);
    let mut total = counts.newton_iterations;
    let mut cpu = run.counts.cpu;
    if kind.is_whole() {
        total += approach.statistics.newton_iterations;
        cpu += approach.cpu;
    }
    Ok(vec![
        number(kind.case.friction(), 1),
        format!("{:e}", kind.case.tolerance()),
        number(kind.step_ms(), 2),
        counts.steps.to_string(),
        counts.rejected_steps.to_string(),
        counts.contact_steps.to_string(),
        iterations,
        with_check,
        number(paper.map(|p| p.iterations), 4),
        total.to_string(),
        number(whole.map(|p| p.total), 3),
        number(run.counts.end, 5),
        number(whole.map(|p| p.end), 5),
        number(cpu, 4),
        from,
        to,
        number(last.turns, 3),
        number(last.mean_distance / h, 4),
        number(counts.smallest_gap.map(|gap| gap / h), 3),
        run.summary.crossings.to_string(),
        counts.crossings_prevented.to_string(),
        ending(&run.summary),
    ])
}

const NOTES: &str = "\
Friction is the paper's form: centrelines only (contact.friction_on_twist = false), slip tolerance 1e-4 m/s. Whole runs go on from the one
state before first contact, at the step that we advise (20 ms, implicit drag); their totals include the way there. Rows `-1ms` are 10 s from
first contact at 1 ms, backward Euler, lagged drag; rows `-bundle` are 2 s of these steps in the bundle of 200 s. At the end of each run: the contacts nearest to and farthest from the middle of the
clamped edges along the axis, the turns by which the rods wind about each other (Gauss linking integral), and the mean distance of the first
rod's nodes from the second rod's centreline (2 is touching). How whole runs ended:
";
