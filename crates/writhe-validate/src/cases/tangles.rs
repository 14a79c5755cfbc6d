//! Robustness: random tangles of rods thrown together.

use rayon::prelude::*;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::simulation::Statistics;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::tangle::{Outcome, tangle, throw};

/// The case.
pub const CASE: Case = Case {
    name: "tangles",
    section: "-",
    measures: "2 to 8 short rods thrown together at up to 10 m/s, steps up to 10 ms, 0.5 s: what crosses, breaks or gives up",
    source: Source::Property,
    origin: "every step swept by the coplanarity cubic, independent of the contact code",
    run,
};

/// Tangles in all, and when quick.
const COUNT: u64 = 1000;
const QUICK: u64 = 100;
/// Failed runs allowed, as a part of all.
const FAILURES: f64 = 0.01;

/// Name and contact model of the tangles of a seed: they take turns.
pub fn contact(seed: u64) -> (&'static str, ContactModel) {
    let imc = |coefficient| {
        ContactModel::Imc(ImcSettings {
            friction: Friction::coulomb(coefficient),
            ..ImcSettings::default()
        })
    };
    match seed / 7 % 2 {
        0 => ("imc, mu = 0", imc(0.0)),
        _ => ("imc, mu = 0.3", imc(0.3)),
    }
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let count = if context.quick { QUICK } else { COUNT };
    let clock = (context.processor_time)();
    let throws: Vec<(u64, Outcome, Statistics)> = (0..count)
        .into_par_iter()
        .map(|seed| {
            let (outcome, statistics) = throw(tangle(seed, contact(seed).1)?);
            if seed % 100 == 99 {
                (context.progress)(&format!("tangle {seed}"));
            }
            Ok((seed, outcome, statistics))
        })
        .collect::<Result<_, CaseError>>()?;
    let time = ((context.processor_time)() - clock) / count as f64;
    let number = |what: fn(&Outcome) -> bool| throws.iter().filter(|t| what(&t.1)).count() as f64;
    let gave_up = number(|o| matches!(o, Outcome::GaveUp { .. }));
    let total = |of: fn(&Statistics) -> u64| throws.iter().map(|t| of(&t.2)).sum::<u64>() as f64;
    let touched = throws.iter().filter(|t| t.2.contact_steps > 0).count() as f64;
    let mut rows = vec![
        Row::at_least("tangles", throws.len() as f64, count as f64),
        Row::at_most(
            "tangles with a crossing",
            number(|o| matches!(o, Outcome::Crossed { .. })),
            0.0,
        ),
        Row::at_most(
            "tangles with a state that is not finite",
            number(|o| matches!(o, Outcome::NotFinite { .. })),
            0.0,
        ),
        Row::at_most(
            "tangles that panic",
            number(|o| matches!(o, Outcome::Panicked(_))),
            0.0,
        ),
        Row::at_most(
            "tangles that give up, part of all",
            gave_up / count as f64,
            FAILURES,
        ),
        Row::at_least(
            "tangles in which rods touch, part of all",
            touched / count as f64,
            0.5,
        ),
        Row::shown("accepted steps", total(|s| s.steps)),
        Row::shown("rejected steps", total(|s| s.rejected_steps)),
        Row::shown("crossings prevented", total(|s| s.crossings_prevented)),
        Row::shown("Newton iterations", total(|s| s.newton_iterations)),
        Row::shown("processor time a tangle", time).unit("s"),
    ];
    for (seed, outcome, _) in &throws {
        let (time, what) = match outcome {
            Outcome::Finished => continue,
            Outcome::GaveUp { time, reason } => (*time, reason.clone()),
            Outcome::Crossed { time, edges } => (*time, format!("edges {edges:?} cross")),
            Outcome::NotFinite { time } => (*time, "not finite".to_owned()),
            Outcome::Panicked(message) => (f64::NAN, format!("panic: {message}")),
        };
        let what = format!("seed {seed} ({}) ended: {what}", contact(*seed).0);
        rows.push(Row::shown(what, time).unit("s"));
    }
    Ok(rows)
}
