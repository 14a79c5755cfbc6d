//! Catalogue 4.2: the barrier of Incremental Potential Contact, in the gap.

use writhe::contact_model::ipc::barrier;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "ipc-barrier",
    section: "4.2",
    measures: "barrier -(g - d)^2 ln(g/d) and its derivatives by the gap g, d = 1e-5 m, unit stiffness",
    source: Source::OtherProgram,
    origin: "catalogue 4.2, evaluated in extended precision",
    run,
};

/// Range d, m.
const RANGE: f64 = 1e-5;

/// g/d, b (m^2), b' (m), b''.
const TABLE: [(f64, f64, f64, f64); 4] = [
    (
        0.01,
        4.51352729928693e-10,
        -1.07128236968256e-3,
        10206.210340372,
    ),
    (
        0.1,
        1.86509392532518e-10,
        -1.22446531673893e-4,
        121.605170185988,
    ),
    (
        0.5,
        1.73286795139986e-11,
        -1.19314718055995e-5,
        6.38629436111989,
    ),
    (
        0.9,
        1.05360515657826e-13,
        -3.21832142426764e-7,
        0.667511154772443,
    ),
];

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (gap, b, first, second) in TABLE {
        let found = barrier(gap * RANGE, RANGE);
        // Fifteen digits are given.
        for (name, found, wanted, unit) in [
            ("b", found.0, b, "m^2"),
            ("b'", found.1, first, "m"),
            ("b''", found.2, second, "1"),
        ] {
            rows.push(
                Row::relative(format!("{name} at g = {gap} d"), found, wanted, 1e-13).unit(unit),
            );
        }
    }
    let (b, first, second) = barrier(RANGE, RANGE);
    rows.push(Row::absolute(
        "|b| + |b'| + |b''| at g = d",
        b.abs() + first.abs() + second.abs(),
        0.0,
        0.0,
    ));
    let (near, touching) = (barrier(1e-12 * RANGE, RANGE).1, barrier(0.0, RANGE).0);
    rows.push(Row::at_least("-b'/d at g = 1e-12 d", -near / RANGE, 1e12));
    rows.push(Row::at_least("b at g = 0", touching, f64::INFINITY).unit("m^2"));
    Ok(rows)
}
