//! T22a Fig. C.6: iterations and computation time grow linearly with simulated time.

use writhe_results::table::number;

use super::plans::{Case, paper_steps};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::paper;
use crate::rows::Rows;
use crate::run::Cost;

/// T22a Fig. C.6.
#[derive(Debug)]
pub struct C6;

fn cases(span: Span) -> Vec<Case> {
    let counts: &[usize] = span.choose(&[2, 3, 5, 10], &[2]);
    let both = counts.iter().flat_map(|count| {
        ["imc", "ipc"].map(|model| Case {
            model,
            ..Case::new(*count)
        })
    });
    both.collect()
}

fn name(case: &Case) -> String {
    format!("m{}-{}", case.count, case.model)
}

impl Experiment for C6 {
    fn name(&self) -> &'static str {
        "tong2022-c6"
    }

    fn about(&self) -> &'static str {
        "cumulative iterations and computation time against simulated time, IMC and IPC (T22a Fig. C.6)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("flagella", "M"),
            ("model", "model"),
            ("iterations_per_s", "iterations/s"),
            ("iterations_counted_as_in_paper_per_s", "+ check"),
            ("iterations_paper_per_s", "paper"),
            ("iterations_second_half_over_first", "2nd half/1st"),
            ("cpu_per_s", "cpu s/s"),
            ("cpu_paper_per_s", "paper"),
            ("cpu_second_half_over_first", "2nd half/1st"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(cases(span), name, measure)
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "10 s from first contact at 1 ms, the runs of tong2022-table1. An iteration is one linear solve; `+ check` counts the last check of a\n\
         step as the paper does. Paper: slopes of T22 Table 1 (iterations and time a step over 1 ms); its figure shows straight lines. A\n\
         straight line has the ratio 1 of the slope in the second half to that in the first. The curves: tong2022-c6-ROW.csv\n"
            .to_owned()
    }
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let run = bench.run(&paper_steps(case, bench.span))?;
    let cost = &run.counts.cost;
    write_curve(&name(case), cost, bench)?;
    let (first, last) = (cost[0], cost[cost.len() - 1]);
    let middle = cost[cost.len() / 2];
    let iterations =
        |from: Cost, to: Cost| (to.iterations - from.iterations) as f64 / (to.time - from.time);
    let cpu = |from: Cost, to: Cost| (to.cpu - from.cpu) / (to.time - from.time);
    let steps = (last.steps - first.steps) as f64 / (last.time - first.time);
    let paper = paper::table_1(case.count, case.model);
    Ok(vec![
        case.count.to_string(),
        case.model.to_owned(),
        number(iterations(first, last), 4),
        number(iterations(first, last) + steps, 4),
        number(paper.map(|p| p.iterations / paper::STEP), 4),
        number(iterations(middle, last) / iterations(first, middle), 3),
        number(cpu(first, last), 3),
        number(paper.map(|p| 1e-3 * p.milliseconds / paper::STEP), 3),
        number(cpu(middle, last) / cpu(first, middle), 3),
    ])
}

fn write_curve(row: &str, cost: &[Cost], bench: &Bench) -> Result<()> {
    let line = |c: &Cost| {
        vec![
            number(c.time, 7),
            c.steps.to_string(),
            c.iterations.to_string(),
            number(c.cpu, 5),
        ]
    };
    let lines: Vec<Vec<String>> = cost.iter().map(line).collect();
    let header = ["t_s", "steps", "iterations", "cpu_s"];
    bench.write_curve(C6.name(), row, &header, &lines)
}
