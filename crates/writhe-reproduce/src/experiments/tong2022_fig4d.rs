//! T22 Fig. 4d: difference of the nodes' positions between IMC and IPC.

use writhe_results::table::number;
use writhe_rundir::{Comparison, Difference};

use super::plans::{Case, CaseRun, Part};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::rows::Rows;

/// T22 Fig. 4d.
#[derive(Debug)]
pub struct Fig4d;

/// Numbers of flagella, and whether the runs are whole.
fn kinds(span: Span) -> Vec<(usize, bool)> {
    let steps: &[usize] = span.choose(&[2, 3, 5, 10], &[2]);
    let wholes: &[usize] = span.choose(&[2, 3, 5], &[]);
    let of = |counts: &[usize], whole| counts.iter().map(|n| (*n, whole)).collect::<Vec<_>>();
    [of(steps, false), of(wholes, true)].concat()
}

fn name((count, whole): &(usize, bool)) -> String {
    format!("m{count}{}", if *whole { "-whole" } else { "" })
}

impl Experiment for Fig4d {
    fn name(&self) -> &'static str {
        "tong2022-fig4d"
    }

    fn about(&self) -> &'static str {
        "mean distance of nodes between IMC and IPC over time (T22 Fig. 4d, Eq. 22)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("from_s", "from s"),
            ("to_s", "to s"),
            ("difference_mean_radii", "mean"),
            ("difference_largest_radii", "largest"),
            ("difference_last_radii", "last"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(kinds(span), name, measure)
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "Differences are means over all nodes in radii (T22 Eq. 22), between runs that start from the same state before first contact: at\n\
         1 ms with lagged drag as in the paper, and whole runs at 20 ms with implicit drag. The paper's figure shows curves that stay small\n\
         against the radius. The curves: tong2022-fig4d-ROW.csv\n"
            .to_owned()
    }
}

fn measure(kind: &(usize, bool), bench: &mut Bench) -> Result<Vec<String>> {
    let (count, whole) = *kind;
    let plan = |model| {
        let case = Case {
            model,
            ..Case::new(count)
        };
        let part = if whole {
            Part::Whole
        } else {
            Part::FirstContact
        };
        CaseRun { case, part }.plan(bench.span)
    };
    let (imc, ipc) = (plan("imc"), plan("ipc"));
    let ((imc, _), (ipc, _)) = (bench.frames(&imc)?, bench.frames(&ipc)?);
    let comparison = Comparison::new(&imc, &ipc)?;
    let all = comparison.differences();
    let line = |d: &Difference| vec![number(d.time, 7), number(d.mean_radii, 5)];
    let lines: Vec<Vec<String>> = all.iter().map(line).collect();
    let header = ["t_s", "difference_radii"];
    bench.write_curve(Fig4d.name(), &name(kind), &header, &lines)?;
    Ok(vec![
        number(all.first().map(|d| d.time), 5),
        number(all.last().map(|d| d.time), 5),
        number(comparison.mean_radii(), 3),
        number(comparison.largest_mean().mean_radii, 3),
        number(all.last().map(|d| d.mean_radii), 3),
    ])
}
