//! Catalogue 4.4: the distance of two segments.

use glam::DVec3;
use writhe::kernels::distance::{Feature, closest_points, distance_gradient};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::csv;
use crate::setup::extremes::larger;

/// The case.
pub const CASE: Case = Case {
    name: "segment-distance",
    section: "4.4",
    measures: "distance, parameters and gradient of 12 special and 250 random pairs of segments",
    source: Source::OtherProgram,
    origin: "catalogue 4.4 (segment_distance_cases.csv), by an independent program",
    run,
};

const PAIRS: &str = include_str!("../data/segment_distance_cases.csv");

/// What of the two edges of a named pair is nearest.
const FEATURES: [(&str, Feature); 6] = [
    ("cross", Feature::EdgeEdge),
    ("parallel_overlap", Feature::EdgePoint),
    ("parallel_disjoint", Feature::PointPoint),
    ("nearly_parallel_1e-5", Feature::EdgePoint),
    ("endpoint_endpoint", Feature::PointPoint),
    ("tee", Feature::EdgePoint),
];

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let (mut distance, mut parameters, mut force, mut torque) =
        (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let (mut named, mut count, mut features) = (0, 0, 0);
    for (name, numbers) in csv::rows(PAIRS) {
        let node = |i: usize| DVec3::from_slice(&numbers[3 * i..]);
        let nodes = [0, 1, 2, 3].map(node);
        let [a0, a1, b0, b1] = nodes;
        let found = closest_points(a0, a1, b0, b1);
        let [wanted, s, t] = [numbers[12], numbers[13], numbers[14]];
        if !name.starts_with("random") {
            // Touching centrelines have no relative error: theirs must be exact.
            let what = format!("distance, {name}");
            rows.push(Row::absolute(what, found.distance, wanted, 1e-12 * wanted).unit("m"));
            named += 1;
            features += u32::from(FEATURES.contains(&(name, found.feature)));
            continue;
        }
        count += 1;
        distance = larger(distance, (found.distance / wanted - 1.0).abs());
        let off = larger((found.s - s).abs(), (found.t - t).abs());
        parameters = larger(parameters, off);
        let gradient = distance_gradient(a0, a1, b0, b1);
        force = larger(force, gradient.iter().sum::<DVec3>().length());
        let turning: DVec3 = nodes.iter().zip(gradient).map(|(x, g)| x.cross(g)).sum();
        torque = larger(torque, turning.length());
    }
    let what = |what| format!("{what}, largest of {count} random pairs");
    rows.push(Row::at_most(
        what("relative error of the distance"),
        distance,
        1e-12,
    ));
    rows.push(Row::at_most(
        what("error of the parameters"),
        parameters,
        1e-11,
    ));
    rows.push(Row::at_most(what("sum of the gradient"), force, 1e-14));
    rows.push(Row::at_most(what("torque of the gradient"), torque, 1e-13).unit("m"));
    for (what, found, wanted) in [
        ("named pairs", named, 12),
        ("random pairs", count, 250),
        ("named pairs whose nearest features are right", features, 6),
    ] {
        rows.push(Row::relative(
            what,
            f64::from(found),
            f64::from(wanted),
            0.0,
        ));
    }
    Ok(rows)
}
