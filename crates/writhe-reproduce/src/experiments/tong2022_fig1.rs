//! T22 Fig. 1: bundling of 2, 3, 5 and 10 flagella in pictures.

use writhe_results::table::number;

use super::columns::{contact_mm, ending};
use super::flagella::last_bundle;
use super::plans::{Case, whole};
use super::sheets::draw;
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::radius;
use crate::rows::Rows;

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

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(cases(span), name, measure)
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
        let label = |case: &Case| format!("M = {}", case.count);
        let cases = cases(bench.span);
        draw(self.name(), &cases, [&name, &label], &times, rows, bench)
    }
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, summary) = bench.frames(&whole(case, bench.span))?;
    let last = last_bundle(&reader)?;
    let [from, to] = contact_mm(last.contact);
    Ok(vec![
        case.count.to_string(),
        number(summary.first_contact_s, 4),
        number(summary.simulated_s, 5),
        from,
        to,
        number(last.turns, 3),
        number(last.mean_distance / radius(&reader), 4),
        ending(&summary),
    ])
}
