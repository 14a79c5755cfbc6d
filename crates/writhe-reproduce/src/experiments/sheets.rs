//! Contact sheets of whole runs.

use super::plans::{Case, approach, whole};
use crate::bench::Bench;
use crate::error::Result;
use crate::picture::{Strip, View, sheet};
use crate::rows::Rows;

/// Draws a strip for each case whose row is there, with its label, at these times, s, to
/// `NAME.png`; says so.
pub(super) fn draw(
    name: &str,
    cases: &[Case],
    [row, label]: [&dyn Fn(&Case) -> String; 2],
    times: &[f64],
    rows: &Rows,
    bench: &Bench,
) -> Result<Vec<String>> {
    let done = cases.iter().filter(|case| rows.has(&row(case)));
    let strips: Vec<Strip> = done
        .filter_map(|case| strip(case, label(case), bench))
        .collect();
    if strips.is_empty() {
        return Ok(Vec::new());
    }
    let file = format!("{name}{}.png", bench.span.suffix());
    bench.write(&file, &sheet(&strips, times, View::Hanging)?)?;
    Ok(vec![format!("Picture: {file}")])
}

/// The whole run of a case with its approach, if it is complete.
fn strip(case: &Case, label: String, bench: &Bench) -> Option<Strip> {
    Some(Strip {
        label,
        runs: vec![
            bench.look_at(&approach(case.count))?.0,
            bench.look_at(&whole(case, bench.span))?.0,
        ],
    })
}
