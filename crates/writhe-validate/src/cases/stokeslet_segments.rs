//! Catalogue 5.1: integrals and velocities of regularised Stokeslet segments (Cortez 2018).

use glam::DVec3;
use writhe::loads::stokeslet_segments::coefficients::{coefficients, segment_blocks};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::csv;

/// The case.
pub const CASE: Case = Case {
    name: "stokeslet-segments",
    section: "5.1",
    measures: "integrals T of a segment, near, on and beyond it; velocity by a linear force density",
    source: Source::ClosedForm,
    origin: "quadrature with 30 digits and more",
    run,
};

const INTEGRALS: &str = include_str!("../data/stokeslet_segment_coefficients.csv");

const F0: DVec3 = DVec3::new(1.0, 2.0, 3.0);
const F1: DVec3 = DVec3::new(-1.0, 0.5, 2.0);

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, x) in csv::rows(INTEGRALS) {
        let point = |i: usize| DVec3::from_slice(&x[3 * i..]);
        let t = coefficients(point(0), point(1), point(2), x[9]);
        let found = [t.t0_1, t.t0_3, t.t1_1, t.t1_3, t.t2_3, t.t3_3];
        let worst = found
            .iter()
            .zip(&x[10..16])
            .fold(0.0_f64, |worst, (found, wanted)| {
                worst.max((found / wanted - 1.0).abs())
            });
        rows.push(Row::at_most(
            format!("relative error of six integrals, {name}"),
            worst,
            1e-12,
        ));
    }
    let velocity = |what: &str, place: [DVec3; 3], epsilon: f64, wanted: DVec3| {
        let [b0, b1] = segment_blocks(place[0], place[1], place[2], epsilon);
        let off = (b0 * F0 + b1 * F1 - wanted).length() / wanted.length();
        Row::at_most(
            format!("relative error of the velocity, {what}"),
            off,
            1e-13,
        )
    };
    rows.push(velocity(
        "beside the middle",
        [DVec3::new(0.3, 0.4, 0.5), DVec3::ZERO, DVec3::X],
        0.1,
        DVec3::new(-0.4528777942505196, 3.962265316985378, 6.242518827388352),
    ));
    rows.push(velocity(
        "away from a skew segment",
        [
            DVec3::new(0.012, -0.007, 0.003),
            DVec3::new(0.001, 0.002, -0.001),
            DVec3::new(0.004, 0.005, 0.0015),
        ],
        0.00102,
        DVec3::new(-0.07469978137274656, 0.5199586480409885, 0.8331781202118531),
    ));
    Ok(rows)
}
