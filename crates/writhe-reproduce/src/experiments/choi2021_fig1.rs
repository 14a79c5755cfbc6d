//! C21 Fig. 1: knots n = 1 to 4 pulled tight, in pictures.

use super::knot_columns::{self, COLUMNS, READING, by};
use super::knots::Pull;
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::picture::{Strip, knots};
use crate::rows::Rows;

/// C21 Fig. 1.
#[derive(Debug)]
pub struct Fig1;

const NAME: &str = "choi2021-fig1";

/// With our contact and with C21's.
fn pulls(span: Span) -> Vec<Pull> {
    let all: &[usize] = span.choose(&[1, 2, 3, 4], &[1]);
    let ours = all.iter().map(|n| Pull::new(*n));
    ours.clone().chain(ours.map(Pull::by_c21)).collect()
}

fn name(pull: &Pull) -> String {
    format!("n{}{}", pull.n, pull.method())
}

impl Experiment for Fig1 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "knots n = 1 to 4 pulled tight, as a contact sheet (C21 Fig. 1)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        COLUMNS
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        knot_columns::rows(NAME, pulls(span), name)
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        READING.to_owned()
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let times = bench
            .span
            .choose(vec![0.0, 22.0, 37.0, 46.0, 55.0, 62.0], vec![0.0, 3.0]);
        let mut strips = Vec::new();
        for pull in pulls(bench.span)
            .iter()
            .filter(|pull| rows.has(&name(pull)))
        {
            let found = bench.look_at(&pull.whole(bench.span));
            strips.extend(found.map(|(reader, _)| Strip {
                label: format!("n = {}{}", pull.n, by(pull)),
                runs: vec![reader],
            }));
        }
        if strips.is_empty() {
            return Ok(Vec::new());
        }
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(&file, &knots(&strips, &times)?)?;
        Ok(vec![format!(
            "Picture, each row in a scale of its own: {file}"
        )])
    }
}
