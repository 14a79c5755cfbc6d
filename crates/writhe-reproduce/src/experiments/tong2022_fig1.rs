//! T22 Fig. 1: bundling of 2, 3, 5 and 10 flagella in pictures.

use super::Experiment;
use super::plans::{Case, approach, contact_distance, whole};
use super::tong2022_table1::end;
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{bundle, radius, rods};
use crate::picture::{Strip, sheet};
use crate::rows::Rows;
use crate::table::number;

/// T22 Fig. 1.
#[derive(Debug)]
pub struct Fig1;

fn cases(span: Span) -> Vec<Case> {
    let counts: &[usize] = span.choose(&[2, 3, 5, 10], &[2]);
    counts.iter().map(|count| Case::new(*count)).collect()
}

fn name(case: &Case) -> String {
    format!("m{}", case.count)
}

impl Experiment for Fig1 {
    fn name(&self) -> &'static str {
        "tong2022-fig1"
    }

    fn about(&self) -> &'static str {
        "bundling of 2, 3, 5 and 10 flagella over 250 s, as a contact sheet (T22 Fig. 1)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("flagella", "M"),
            ("first_contact_s", "first contact s"),
            ("end_s", "end s"),
            ("contact_from_clamp_mm", "contact from mm"),
            ("contact_to_mm", "to mm"),
            ("turns_first_two", "turns of first two"),
            ("mean_distance_radii", "mean dist/h"),
            ("end", "end"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<String> {
        cases(span).iter().map(name).collect()
    }

    fn measure(&self, row: &str, bench: &mut Bench) -> Result<Vec<String>> {
        let cases = cases(bench.span);
        let Some(case) = cases.iter().find(|case| name(case) == row) else {
            return Ok(Vec::new());
        };
        let (reader, summary) = bench.frames(&whole(case, bench.span))?;
        let h = radius(&reader);
        let last = rods(&reader, reader.frames().saturating_sub(1))?;
        let last = bundle(&last, contact_distance(h));
        Ok(vec![
            case.count.to_string(),
            number(summary.first_contact_s, 4),
            number(summary.simulated_s, 5),
            number(last.contact.map(|(from, _)| 1e3 * from), 4),
            number(last.contact.map(|(_, to)| 1e3 * to), 4),
            number(last.turns, 3),
            number(last.mean_distance / h, 4),
            end(&summary),
        ])
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "Rods hang from their turning clamps, as in the paper. Numbers are of the last state: contacts nearest to and farthest from the\n\
         clamps, turns by which the first two rods wind about each other, mean distance of the first rod from the nearest other.\n"
            .to_owned()
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let times = bench.span.choose(
            vec![0.0, 25.0, 50.0, 100.0, 150.0, 200.0, 250.0],
            vec![0.0, 15.0, 30.0],
        );
        let cases = cases(bench.span);
        let done = cases.iter().filter(|case| rows.has(&name(case)));
        let strips = done.filter_map(|case| strip(case, &format!("M = {}", case.count), bench));
        draw(strips.collect(), &times, "tong2022-fig1", bench)
    }
}

/// The whole run of a case with its approach, if it is complete.
pub(super) fn strip(case: &Case, label: &str, bench: &Bench) -> Option<Strip> {
    Some(Strip {
        label: label.to_owned(),
        runs: vec![
            bench.look_at(&approach(case.count))?.0,
            bench.look_at(&whole(case, bench.span))?.0,
        ],
    })
}

/// Draws the strips to `NAME.png`.
pub(super) fn draw(
    strips: Vec<Strip>,
    times: &[f64],
    name: &str,
    bench: &Bench,
) -> Result<Vec<String>> {
    if strips.is_empty() {
        return Ok(Vec::new());
    }
    let file = format!("{name}{}.png", bench.span.suffix());
    bench.write(&file, &sheet(&strips, times)?)?;
    Ok(vec![format!("Picture: {file}")])
}
