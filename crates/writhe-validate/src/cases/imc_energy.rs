//! Catalogue 4.1: the contact energy of the Implicit Contact Model (T22 Eq. 9).

use std::f64::consts::LN_2;

use writhe::contact_model::imc::energy;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "imc-energy",
    section: "4.1",
    measures: "energy of T22 Eq. 9 and its derivatives by the distance, h = 1 mm, delta = 0.01 h, unit stiffness",
    source: Source::OtherProgram,
    origin: "catalogue 4.1, evaluated in extended precision; closed form where the surfaces touch",
    run,
};

/// Radius, m.
const H: f64 = 1e-3;
/// Tolerance over the radius.
const TOLERANCE: f64 = 0.01;

/// (D - 2h)/delta, E (m^2), dE/dD (m), d2E/dD2.
const TABLE: [(f64, f64, f64, f64); 7] = [
    (-2.0, 4.0e-10, -4.0e-5, 2.0),
    (
        -0.5,
        2.500368634571717e-11,
        -9.995209048066302e-6,
        2.006077203630783,
    ),
    (
        -0.1,
        1.286580952220451e-12,
        -1.854709426047545e-6,
        1.844375556079587,
    ),
    (
        0.0,
        2.13534672852534e-13,
        -4.620981203732969e-7,
        0.8465735902799727,
    ),
    (
        0.1,
        1.802991491011444e-14,
        -4.899056365007849e-8,
        0.1266382950940134,
    ),
    (
        0.5,
        1.358814295309631e-19,
        -4.075316096827945e-13,
        1.222087945250861e-6,
    ),
    (
        0.9,
        8.353449954600944e-25,
        -2.506033268546528e-18,
        7.518092075394163e-12,
    ),
];

/// In SI units, from the scaled form of T22 Eq. B.1.
fn at(gap: f64) -> [f64; 3] {
    let (e, first, second) = energy(2.0 + gap * TOLERANCE, TOLERANCE);
    [e * H * H, first * H, second]
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (gap, e, first, second) in TABLE {
        let found = at(gap);
        // The distance itself is rounded to 2e-16 of 2h: 2e-14 of delta, and 15 times that in the
        // exponent.
        for (name, found, wanted, unit) in [
            ("E", found[0], e, "m^2"),
            ("dE/dD", found[1], first, "m"),
            ("d2E/dD2", found[2], second, "1"),
        ] {
            let what = format!("{name}, D = 2h {gap:+} delta");
            rows.push(Row::relative(what, found, wanted, 1e-12).unit(unit));
        }
    }
    // Lengths over the radius.
    let (e, first, second) = energy(2.0, TOLERANCE);
    let slope = TOLERANCE * LN_2 / 15.0;
    for (name, found, wanted) in [
        ("E / (delta ln 2/15)^2", e, slope.powi(2)),
        ("dE/dD / -(delta ln 2/15)", first, -slope),
        ("d2E/dD2 / ((1 + ln 2)/2)", second, 0.5 * (1.0 + LN_2)),
    ] {
        rows.push(Row::relative(
            format!("{name}, D = 2h"),
            found / wanted,
            1.0,
            1e-15,
        ));
    }
    Ok(rows)
}
