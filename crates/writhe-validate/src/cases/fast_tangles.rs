//! Robustness: tangles thrown at 10 to 50 m/s, half of them among obstacles that move.

use writhe::contact::ContactModel;

use super::tangles::{Touch, causes, faults, gains, throw_all, touches, unfinished};
use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::tangle::Throws;

/// The case.
pub const CASE: Case = Case {
    name: "fast-tangles",
    section: "-",
    measures: "2 to 8 short rods thrown together at 10 to 50 m/s, half of them between a floor that rises and a ball that flies through, steps up to \
               10 ms, 0.02 s: what crosses, breaks or gives up for which cause, what energy comes from nowhere",
    source: Source::Property,
    origin: "every step swept by the coplanarity cubic, independent of the contact code; energy that the balance of the run leaves unexplained, and what changes of stiffness make",
    run,
};

/// Tangles in all, and when quick.
const COUNT: u64 = 1000;
const QUICK: u64 = 20;

/// How the rods of this seed touch: imc and ipc take turns, with friction and without.
pub fn touch(seed: u64) -> Touch {
    let all = touches();
    all[(seed / 14) as usize % all.len()]
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let count = if context.quick { QUICK } else { COUNT };
    let throws = throw_all(context, &Throws::FAST, count, touch)?;
    let of = "fast tangles";
    let mut rows = vec![Row::at_least(of, throws.len() as f64, count as f64)];
    rows.extend(faults(&throws, of));
    rows.extend(gains(&throws, of));
    let ipc = throws
        .iter()
        .filter(|t| matches!(touch(t.seed).model, ContactModel::Ipc(_)));
    let gap = ipc
        .filter_map(|t| t.statistics.smallest_gap)
        .fold(f64::INFINITY, f64::min);
    rows.push(Row::at_least("smallest gap with ipc", gap, f64::MIN_POSITIVE).unit("m"));
    rows.extend(causes(&throws, of));
    rows.extend(unfinished(&throws));
    Ok(rows)
}
