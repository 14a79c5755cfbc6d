//! T22 Fig. 4d: difference of the nodes' positions between IMC and IPC.

use super::Experiment;
use super::plans::{Case, paper_steps, whole};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::differences;
use crate::plan::RunPlan;
use crate::rows::Rows;
use crate::table::number;

/// T22 Fig. 4d.
#[derive(Debug)]
pub struct Fig4d;

/// Name of each row with the plans of its two runs.
fn pairs(span: Span) -> Vec<(String, [RunPlan; 2])> {
    let both = |count: usize, plan: fn(&Case, Span) -> RunPlan| {
        ["imc", "ipc"].map(|model| {
            let case = Case {
                model,
                ..Case::new(count)
            };
            plan(&case, span)
        })
    };
    let counts: &[usize] = span.choose(&[2, 3, 5, 10], &[2]);
    let wholes: &[usize] = span.choose(&[2, 3, 5], &[]);
    let steps = counts
        .iter()
        .map(|count| (format!("m{count}"), both(*count, paper_steps)));
    let wholes = wholes
        .iter()
        .map(|count| (format!("m{count}-whole"), both(*count, whole)));
    steps.chain(wholes).collect()
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

    fn rows(&self, span: Span) -> Vec<String> {
        pairs(span).into_iter().map(|(name, _)| name).collect()
    }

    fn measure(&self, row: &str, bench: &mut Bench) -> Result<Vec<String>> {
        let pairs = pairs(bench.span);
        let Some((_, [imc, ipc])) = pairs.iter().find(|(name, _)| name == row) else {
            return Ok(Vec::new());
        };
        let ((imc, _), (ipc, _)) = (bench.frames(imc)?, bench.frames(ipc)?);
        let all = differences(&imc, &ipc)?;
        let series: Vec<Vec<String>> = all
            .iter()
            .map(|(t, e)| vec![number(*t, 7), number(*e, 5)])
            .collect();
        let file = format!("tong2022-fig4d-{row}{}.csv", bench.span.suffix());
        bench.write_csv(&file, &["t_s", "difference_radii"], &series)?;
        let mean = all.iter().map(|(_, e)| e).sum::<f64>() / all.len() as f64;
        Ok(vec![
            number(all.first().map(|(t, _)| *t), 5),
            number(all.last().map(|(t, _)| *t), 5),
            number(mean, 3),
            number(all.iter().map(|(_, e)| *e).fold(0.0, f64::max), 3),
            number(all.last().map(|(_, e)| *e), 3),
        ])
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "Differences are means over all nodes in radii (T22 Eq. 22), between runs that start from the same state before first contact: at\n\
         1 ms with lagged drag as in the paper, and whole runs at 20 ms with implicit drag. The paper's figure shows curves that stay small\n\
         against the radius. The curves: tong2022-fig4d-ROW.csv\n"
            .to_owned()
    }
}
