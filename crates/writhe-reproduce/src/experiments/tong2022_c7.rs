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

    fn notes(&self, rows: &Rows, _bench: &Bench) -> String {
        let mut text = "\
F is the force of both clamps along the axis, its mean from t = 0 on (T22a Eq. C.1); the way to first contact is in it. A run that
ends before 250 s has no mean over 250 s. The paper's figure has no numbers in the text. It shows the mean over 250 s for mu up to 0.6,
since its runs with 0.7 and more end before (Table 2): nearly the same up to 0.3, and rising beyond. The mean over 135 s, up to 1.0,
rises but for an anomaly between 0.4 and 0.5.
"
        .to_owned();
        let of = |tenths: usize, column: &str| {
            rows.number(&Case::with_friction(tenths).friction_name(), column)
        };
        let long = |tenths| of(tenths, "over_frictionless_250s");
        if let (Some(little), Some(more), Some(most)) = (long(3), long(4), long(PAPER_LAST)) {
            let verdict = match little - 1.0 < 0.1 && more > little && most > more {
                true => "met",
                false => "NOT met",
            };
            text += &format!(
                "  over 250 s: {} times that of mu = 0 at 0.3, {} at 0.4, {} at 0.6 ({verdict})\n",
                number(little, 4),
                number(more, 4),
                number(most, 4)
            );
        }
        text + &afterwards(rows)
    }
}

/// Friction up to which the paper has a mean over 250 s, in tenths.
const PAPER_LAST: usize = 6;

/// Means over what follows the shorter time, from both means: where force falls off beyond the
/// friction at which the paper stops.
fn afterwards(rows: &Rows) -> String {
    let (long, short) = (paper::DURATION, paper::SHORT_AVERAGE);
    let mean = |tenths: usize| {
        let name = Case::with_friction(tenths).friction_name();
        let of = |column: &str| rows.number(&name, column);
        let (whole, first) = (of("force_250s")?, of("force_135s")?);
        let later = (long * whole - short * first) / (long - short);
        Some(format!("{} at {}", number(later, 3), &name[2..]))
    };
    let means: Vec<String> = (0..=10).filter_map(mean).collect();
    match means.is_empty() {
        true => String::new(),
        false => format!("  from {short} to {long} s: {}\n", means.join(", ")),
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
