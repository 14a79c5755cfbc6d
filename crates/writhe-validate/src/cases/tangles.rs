//! Robustness: random tangles of rods thrown together.

use std::collections::BTreeMap;

use rayon::prelude::*;
use writhe::contact::{ContactModel, Friction, FrictionSolve, ImcSettings, IpcSettings};
use writhe::simulation::Statistics;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::tangle::{Gains, Outcome, Throws, tangle, throw};

/// The case.
pub const CASE: Case = Case {
    name: "tangles",
    section: "-",
    measures: "2 to 8 short rods thrown together at up to 10 m/s, steps up to 10 ms, 0.5 s: what crosses, breaks or gives up; thick soft ones at 20 m/s: what energy comes from nowhere",
    source: Source::Property,
    origin: "every step swept by the coplanarity cubic, independent of the contact code; energy that the balance of the run leaves unexplained, and what changes of stiffness make",
    run,
};

/// Tangles in all, and when quick.
const COUNT: u64 = 1000;
const QUICK: u64 = 100;
/// Soft tangles in all, and when quick.
const SOFT: u64 = 300;
const QUICK_SOFT: u64 = 10;
/// Gain of an accepted step, and of any part of a run, over the largest energy of the run.
const STEP_GAIN: f64 = 1e-3;
const RUN_GAIN: f64 = 1e-2;
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

/// Imc with lagged friction, which goes through most accepted steps in an impact.
pub fn lagged() -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction {
            solved: FrictionSolve::Lagged { rounds: 2 },
            ..Friction::coulomb(0.7)
        },
        ..ImcSettings::default()
    })
}

/// A tangle that was thrown.
pub struct Thrown {
    /// Its seed.
    pub seed: u64,
    /// How its rods touch, as shown.
    pub touch: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// Counts.
    pub statistics: Statistics,
    /// What energy it gained from nowhere.
    pub gains: Gains,
}

/// Throws the tangles of the seeds 0 to `count`.
///
/// # Errors
/// When rods find no place.
pub fn throw_all(
    context: &Context,
    throws: &Throws,
    count: u64,
    touch: impl Fn(u64) -> Touch + Sync,
) -> Result<Vec<Thrown>, CaseError> {
    (0..count)
        .into_par_iter()
        .map(|seed| {
            let touch = touch(seed);
            let (outcome, statistics, gains) = throw(tangle(throws, seed, touch.model)?);
            if seed % 100 == 99 {
                (context.progress)(&format!("tangle {seed}"));
            }
            Ok(Thrown {
                seed,
                touch: touch.name,
                outcome,
                statistics,
                gains,
            })
        })
        .collect()
}

/// Of how many tangles this holds.
fn number(thrown: &[Thrown], what: impl Fn(&Outcome) -> bool) -> f64 {
    thrown.iter().filter(|t| what(&t.outcome)).count() as f64
}

/// What may happen to no tangle.
pub fn faults(thrown: &[Thrown], of: &str) -> Vec<Row> {
    let none = |what: &str, fault: fn(&Outcome) -> bool| {
        Row::at_most(format!("{of} {what}"), number(thrown, fault), 0.0)
    };
    vec![
        none("with a crossing", |o| matches!(o, Outcome::Crossed { .. })),
        none("with a state that is not finite", |o| {
            matches!(o, Outcome::NotFinite { .. })
        }),
        none("that panic", |o| matches!(o, Outcome::Panicked(_))),
    ]
}

/// What energy tangles gain from nowhere.
pub fn gains(thrown: &[Thrown], of: &str) -> Vec<Row> {
    let largest = |k: usize| {
        let parts = thrown.iter().filter(|t| t.gains.largest > 0.0);
        parts.map(|t| t.gains.parts()[k]).fold(0.0, f64::max)
    };
    let of_energy = "of the largest energy of the run";
    vec![
        Row::at_most(
            format!("{of}, largest gain of a step, {of_energy}"),
            largest(0),
            STEP_GAIN,
        ),
        Row::at_most(
            format!("{of}, largest gain of a run, {of_energy}"),
            largest(1),
            RUN_GAIN,
        ),
    ]
}

/// How many gave up for which cause.
pub fn causes(thrown: &[Thrown], of: &str) -> Vec<Row> {
    let mut classes = BTreeMap::<&str, u32>::new();
    for t in thrown {
        if let Outcome::GaveUp { class, .. } = &t.outcome {
            *classes.entry(class).or_default() += 1;
        }
    }
    let row = |(class, count): (&str, u32)| {
        Row::shown(format!("{of} that give up: {class}"), f64::from(count))
    };
    classes.into_iter().map(row).collect()
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let count = if context.quick { QUICK } else { COUNT };
    let clock = (context.processor_time)();
    let throws = throw_all(context, &Throws::GENTLE, count, touch)?;
    let time = ((context.processor_time)() - clock) / count as f64;
    let gave_up = number(&throws, |o| matches!(o, Outcome::GaveUp { .. }));
    let total =
        |of: fn(&Statistics) -> u64| throws.iter().map(|t| of(&t.statistics)).sum::<u64>() as f64;
    let touched = (throws.iter())
        .filter(|t| t.statistics.contact_steps > 0)
        .count() as f64;
    let mut rows = vec![Row::at_least("tangles", throws.len() as f64, count as f64)];
    rows.extend(faults(&throws, "tangles"));
    rows.extend([
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
        // Some go on only because friction lags where solving for it fails.
        Row::at_least(
            "steps with friction that lags",
            total(|s| s.lagged_steps),
            1.0,
        ),
        Row::shown("Newton iterations", total(|s| s.newton_iterations)),
        Row::shown("processor time a tangle", time).unit("s"),
    ]);
    let ipc = throws
        .iter()
        .filter(|t| matches!(touch(t.seed).model, ContactModel::Ipc(_)));
    let gap = ipc
        .filter_map(|t| t.statistics.smallest_gap)
        .fold(f64::INFINITY, f64::min);
    rows.push(Row::at_least("smallest gap with ipc", gap, f64::MIN_POSITIVE).unit("m"));
    for kind in touches() {
        let of_kind = || throws.iter().filter(|t| t.touch == kind.name);
        let unfinished = of_kind().filter(|t| t.outcome != Outcome::Finished).count();
        let what = format!(
            "of {} tangles with {}, not finished",
            of_kind().count(),
            kind.name
        );
        rows.push(Row::shown(what, unfinished as f64));
    }
    rows.extend(unfinished(&throws));
    rows.extend(soft(context)?);
    Ok(rows)
}

/// Thick soft rods whose contacts hold much of their energy.
fn soft(context: &Context) -> Result<Vec<Row>, CaseError> {
    let count = if context.quick { QUICK_SOFT } else { SOFT };
    let touch = |_| Touch {
        name: "imc, mu = 0.7, lagged",
        model: lagged(),
    };
    let throws = throw_all(context, &Throws::SOFT, count, touch)?;
    let of = "soft tangles";
    let mut rows = vec![Row::at_least(of, throws.len() as f64, count as f64)];
    rows.extend(faults(&throws, of));
    rows.extend(gains(&throws, of));
    rows.extend(causes(&throws, of));
    Ok(rows)
}

/// How each tangle ended that did not finish.
pub fn unfinished(throws: &[Thrown]) -> Vec<Row> {
    let row = |t: &Thrown| {
        let (time, what) = match &t.outcome {
            Outcome::Finished => return None,
            Outcome::GaveUp { time, reason, .. } => (*time, reason.clone()),
            Outcome::Crossed { time, edges } => (*time, format!("edges {edges:?} cross")),
            Outcome::NotFinite { time } => (*time, "not finite".to_owned()),
            Outcome::Panicked(message) => (f64::NAN, format!("panic: {message}")),
        };
        let what = format!("seed {} ({}) ended: {what}", t.seed, t.touch);
        Some(Row::shown(what, time).unit("s"))
    };
    throws.iter().filter_map(row).collect()
}
