//! Catalogue 3.2: what the time schemes do to one linear mode.

use writhe::step::Scheme;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::oscillator::{phase, swing};

/// The case.
pub const CASE: Case = Case {
    name: "integrators",
    section: "3.2",
    measures: "energy and phase of one linear mode per step of x = omega dt",
    source: Source::ClosedForm,
    origin: "backward Euler: 1/(1 + x^2) and atan x; implicit midpoint: 1 and 2 atan(x/2)",
    run,
};

const STEPS: usize = 20;
const BOUND: f64 = 1e-10;

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for x in [0.1_f64, 0.5] {
        for (name, scheme, energy, turn) in [
            (
                "backward Euler",
                Scheme::BackwardEuler,
                1.0 / (1.0 + x * x),
                x.atan(),
            ),
            (
                "implicit midpoint",
                Scheme::ImplicitMidpoint,
                1.0,
                2.0 * (0.5 * x).atan(),
            ),
        ] {
            let path = swing(scheme, x, STEPS)?;
            let size = |(a, b): (f64, f64)| a * a + b * b;
            let steps = || path.windows(2);
            let energies = steps().map(|p| size(p[1]) / size(p[0]));
            let turns = steps().map(|p| phase(p[0], p[1]));
            let row = |what: &str, values: Vec<f64>, wanted: f64| {
                let farthest = values
                    .into_iter()
                    .max_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()));
                let what = format!("{what} a step, {name}, x = {x}, farthest of {STEPS}");
                Row::relative(what, farthest.unwrap_or(f64::NAN), wanted, BOUND)
            };
            rows.push(row("energy factor", energies.collect(), energy));
            rows.push(row("phase", turns.collect(), turn).unit("rad"));
        }
    }
    Ok(rows)
}
