//! T22a Fig. C.7: propulsive force against friction.

use writhe_results::table::number;

use super::flagella::thrust;
use super::plans::{Case, approach, whole};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::time_mean;
use crate::paper;
use crate::rows::Rows;

/// T22a Fig. C.7.
#[derive(Debug)]
pub struct C7;

impl Experiment for C7 {
    fn name(&self) -> &'static str {
        "tong2022-c7"
    }

    fn about(&self) -> &'static str {
        "propulsive force F h^2/EI against friction, averaged over 250 s and 135 s (T22a Fig. C.7)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("friction", "mu"),
            ("force_250s", "F h^2/EI over 250 s"),
            ("force_135s", "over 135 s"),
            ("over_frictionless_250s", "ratio to mu = 0, 250 s"),
            ("over_frictionless_135s", "135 s"),
            ("end_s", "end s"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let tenths = 0..=span.choose(10, 0);
        let cases = tenths.map(Case::with_friction);
        rows_of(cases, Case::friction_name, measure)
    }

    fn notes(&self, _rows: &Rows, _bench: &Bench) -> String {
        "F is the force of both clamps along the axis, its mean from t = 0 on (T22a Eq. C.1); the way to first contact is in it. A run that\n\
         ends before 250 s has no mean over 250 s. The paper's figure has no numbers in the text; it says that the mean over 250 s is nearly\n\
         the same for mu up to 0.3 and rises beyond, and that the mean over 135 s rises with mu but for an anomaly between 0.4 and 0.5.\n"
            .to_owned()
    }
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let own = means(case, bench)?;
    let without = means(&Case::new(2), bench)?;
    let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    Ok(vec![
        number(case.friction(), 1),
        number(own.long, 4),
        number(own.short, 4),
        number(ratio(own.long, without.long), 4),
        number(ratio(own.short, without.short), 4),
        number(own.end, 5),
    ])
}

struct Means {
    long: Option<f64>,
    short: Option<f64>,
    end: f64,
}

fn means(case: &Case, bench: &mut Bench) -> Result<Means> {
    let (before, _) = bench.frames(&approach(case.count))?;
    let (run, summary) = bench.frames(&whole(case, bench.span))?;
    let (mut times, mut forces) = thrust(&before)?;
    let (later, more) = thrust(&run)?;
    times.extend(later);
    forces.extend(more);
    let end = summary.simulated_s;
    let until = |time: f64| (end >= time * (1.0 - 1e-9)).then(|| time_mean(&times, &forces, time));
    let last = bench.span.choose(paper::DURATION, end);
    Ok(Means {
        long: until(last),
        short: until(bench.span.choose(paper::SHORT_AVERAGE, 0.5 * end)),
        end,
    })
}
