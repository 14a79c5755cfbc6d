//! Catalogue 5.1: integrals and velocities of regularised Stokeslet segments (Cortez 2018).

use glam::DVec3;
use writhe::fluid::stokeslet_segments::coefficients::{Coefficients, coefficients, segment_blocks};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::csv;
use crate::setup::extremes::largest;

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

/// Point, ends, regularisation (m), six integrals by quadrature with 30 digits, bound.
type Place = (&'static str, [DVec3; 3], f64, [f64; 6], f64);

const END: DVec3 = DVec3::new(0.005, 0.0, 0.0);
const SKEW: [DVec3; 3] = [
    DVec3::new(0.012, -0.007, 0.003),
    DVec3::new(0.001, 0.002, -0.001),
    DVec3::new(0.004, 0.005, 0.0015),
];
const BESIDE: [DVec3; 3] = [DVec3::new(0.3, 0.4, 0.5), DVec3::ZERO, DVec3::X];

const QUADRATURE: [Place; 4] = [
    (
        "beside the middle",
        BESIDE,
        0.1,
        [
            1.384_704_171_028_695_1,
            2.747_341_454_556_537_3,
            0.655_207_609_871_269_2,
            1.176_197_683_673_053,
            0.689_278_639_408_692_6,
            0.468_913_974_843_227_84,
        ],
        2e-15,
    ),
    (
        "at y0",
        [DVec3::ZERO, DVec3::ZERO, END],
        0.00102,
        [
            458.605_551_041_148_03,
            188_354_426.493_424_2,
            163.319_180_872_352_1,
            31_377_128.461_559_457,
            10_505_664.228_695_578,
            5_226_976.656_837_826,
        ],
        4e-15,
    ),
    (
        "at y1",
        [END, DVec3::ZERO, END],
        0.00102,
        [
            458.605_551_041_148_03,
            188_354_426.493_424_2,
            295.286_370_168_795_9,
            156_977_298.031_864_76,
            136_105_833.799_000_9,
            120_513_057.137_994_75,
        ],
        4e-15,
    ),
    (
        "away from a skew segment",
        SKEW,
        0.00102,
        [
            68.827_390_434_248_84,
            326_093.992_185_488_3,
            34.517_786_515_418_71,
            164_515.304_538_284_63,
            109_860.688_394_545_02,
            82_384.760_076_555_56,
        ],
        4e-15,
    ),
];

/// Largest relative error of the six integrals.
fn worst(t: Coefficients, wanted: &[f64]) -> f64 {
    let found = [t.t0_1, t.t0_3, t.t1_1, t.t1_3, t.t2_3, t.t3_3];
    largest(found.iter().zip(wanted).map(|(f, w)| (f / w - 1.0).abs()))
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let integrals = |name: &str, [x, y0, y1]: [DVec3; 3], epsilon, wanted: &[f64], bound| {
        let what = format!("relative error of six integrals, {name}");
        let off = worst(coefficients(x, y0, y1, epsilon), wanted);
        Row::at_most(what, off, bound)
    };
    for (name, place, epsilon, wanted, bound) in QUADRATURE {
        rows.push(integrals(name, place, epsilon, &wanted, bound));
    }
    let mut count = 0;
    for (name, x) in csv::rows(INTEGRALS) {
        let place = [0, 1, 2].map(|i| DVec3::from_slice(&x[3 * i..]));
        rows.push(integrals(name, place, x[9], &x[10..16], 4e-15));
        count += 1;
    }
    rows.push(Row::relative(
        "places in the table",
        f64::from(count),
        105.0,
        0.0,
    ));
    let velocity = |what: &str, place: [DVec3; 3], epsilon: f64, wanted: DVec3| {
        let [b0, b1] = segment_blocks(place[0], place[1], place[2], epsilon);
        let off = (b0 * F0 + b1 * F1 - wanted).length() / wanted.length();
        Row::at_most(
            format!("relative error of the velocity, {what}"),
            off,
            3e-15,
        )
    };
    rows.push(velocity(
        "beside the middle",
        BESIDE,
        0.1,
        DVec3::new(-0.4528777942505196, 3.962265316985378, 6.242518827388352),
    ));
    rows.push(velocity(
        "away from a skew segment",
        SKEW,
        0.00102,
        DVec3::new(-0.07469978137274656, 0.5199586480409885, 0.8331781202118531),
    ));
    Ok(rows)
}
