//! Robustness: random tangles of rods thrown together.

use rayon::prelude::*;
use writhe::contact::{ContactModel, Friction, ImcSettings, IpcSettings};
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

/// How the rods of a tangle touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Name to show.
    pub name: &'static str,
    /// The model.
    pub model: ContactModel,
}

/// The ways to touch that tangles take turns with.
pub fn touches() -> Vec<Touch> {
    let imc = |friction| {
        ContactModel::Imc(ImcSettings {
            friction,
            ..ImcSettings::default()
        })
    };
    let ipc = |coefficient| {
        let mut settings = IpcSettings::default();
        settings.friction.coefficient = coefficient;
        ContactModel::Ipc(settings)
    };
    let rough = Friction::coulomb(0.3);
    let of_axes = Friction {
        on_twist: false,
        ..rough
    };
    let named = |name, model| Touch { name, model };
    vec![
        named("imc, mu = 0", imc(Friction::default())),
        named("imc, mu = 0.3 of axes", imc(of_axes)),
        named("imc, mu = 0.3 of surfaces", imc(rough)),
        named("ipc, mu = 0", ipc(0.0)),
        named("ipc, mu = 0.3", ipc(0.3)),
    ]
}

/// How the rods of this seed touch; seeds take turns, and so do the numbers of rods.
pub fn touch(seed: u64) -> Touch {
    let all = touches();
    all[(seed / 7) as usize % all.len()]
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let count = if context.quick { QUICK } else { COUNT };
    let clock = (context.processor_time)();
    let throws: Vec<(u64, Outcome, Statistics)> = (0..count)
        .into_par_iter()
        .map(|seed| {
            let (outcome, statistics) = throw(tangle(seed, touch(seed).model)?);
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
    let ipc = throws
        .iter()
        .filter(|t| matches!(touch(t.0).model, ContactModel::Ipc(_)));
    let gap = ipc
        .filter_map(|t| t.2.smallest_gap)
        .fold(f64::INFINITY, f64::min);
    rows.push(Row::at_least("smallest gap with ipc", gap, f64::MIN_POSITIVE).unit("m"));
    for kind in touches() {
        let of_kind = || throws.iter().filter(|t| touch(t.0) == kind);
        let unfinished = of_kind().filter(|t| t.1 != Outcome::Finished).count();
        let what = format!(
            "of {} tangles with {}, not finished",
            of_kind().count(),
            kind.name
        );
        rows.push(Row::shown(what, unfinished as f64));
    }
    for (seed, outcome, _) in &throws {
        let (time, what) = match outcome {
            Outcome::Finished => continue,
            Outcome::GaveUp { time, reason } => (*time, reason.clone()),
            Outcome::Crossed { time, edges } => (*time, format!("edges {edges:?} cross")),
            Outcome::NotFinite { time } => (*time, "not finite".to_owned()),
            Outcome::Panicked(message) => (f64::NAN, format!("panic: {message}")),
        };
        let what = format!("seed {seed} ({}) ended: {what}", touch(*seed).name);
        rows.push(Row::shown(what, time).unit("s"));
    }
    Ok(rows)
}
