//! Columns of pulled knots that tables share.

use writhe_results::table::number;

use super::Row;
use super::columns::ending;
use super::knot_curve::{Curve, MEAN_OVER, certified, largest};
use super::knots::{BENDING, Pull, RADIUS};
use crate::bench::Bench;
use crate::error::Result;
use crate::plan::RunPlan;

/// Shortenings at which forces are told, m.
pub(super) const AT: [f64; 7] = [0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15];

/// Columns of a pulled knot.
pub(super) const COLUMNS: &[(&str, &str)] = &[
    ("unknotting_number", "n"),
    ("friction", "mu"),
    ("speed_mm_s", "mm/s"),
    ("viscosity_Pa_s", "eta"),
    ("shortening_to_m", "down to m"),
    ("pull_mN_at_650mm", "mN at .65 m"),
    ("pull_mN_at_600mm", ".6"),
    ("pull_mN_at_500mm", ".5"),
    ("pull_mN_at_400mm", ".4"),
    ("pull_mN_at_300mm", ".3"),
    ("pull_mN_at_200mm", ".2"),
    ("pull_mN_at_150mm", ".15"),
    ("snap_shortening_m", "snap at m"),
    ("snap_drop", "drop"),
    ("hover_um", "hover um"),
    ("penetration_um", "penetr. um"),
    ("step_ms", "step ms"),
    ("steps", ""),
    ("rejected_steps", ""),
    ("iterations_per_step", "iterations"),
    ("cpu_s", "CPU s"),
    ("knot", "knot"),
    ("end", "end"),
];

/// How to read them.
pub(super) const READING: &str = "\
Knots start from the shapes that C21's authors publish, settled; ends wait for 2 s and part at the speed of the row, each; implicit contact (T22's,
friction of axes), BDF2. Rows `c21`: C21's own method (smoothed distance, friction in the direction of the last step's slip, hybrid Newton method with
omega = 20), backward Euler, from the same settled shapes. Forces are means over 0.5 s of the pull force (mean of both ends) at shortenings e = L - x. Snap: the
largest relative drop of that mean within 0.04 m, at least 10 %, once 0.1 m are pulled out. Hover: largest gap of a contact that bears at least 1 % of the largest contact force, over
all frames; penetration: over all steps. Knot: its type by Alexander polynomial and signature, in every fifth frame.
";

/// What a label ends with that tells the method of a pull.
pub(super) fn by(pull: &Pull) -> &'static str {
    if pull.is_by_c21() { ", by C21" } else { "" }
}

/// Every so many frames the knot is certified.
const CERTIFY_EVERY: usize = 5;

/// A row for each of `pulls`, which are pulled to the end.
pub(super) fn rows(
    experiment: &'static str,
    pulls: Vec<Pull>,
    name: fn(&Pull) -> String,
) -> Vec<Row> {
    let row = |pull: Pull| {
        let of = name(&pull);
        Row::new(of.clone(), move |bench| {
            let plan = pull.whole(bench.span);
            measure(&pull, &plan, [experiment, &of], bench)
        })
    };
    pulls.into_iter().map(row).collect()
}

/// Values of [`COLUMNS`] of the run `plan`, whose curve goes to `EXPERIMENT-ROW.csv`.
pub(super) fn measure(
    pull: &Pull,
    plan: &RunPlan,
    [experiment, row]: [&str; 2],
    bench: &mut Bench,
) -> Result<Vec<String>> {
    let run = bench.run(plan)?;
    let (reader, counts) = (&run.reader, &run.counts.statistics);
    let curve = Curve::of(reader)?.smoothed(MEAN_OVER);
    write_curve(&curve, [experiment, row], bench)?;
    let tightening = curve.tightening();
    let snap = tightening.snap();
    let forces = AT.map(|e| number(tightening.force_at(e).map(|f| 1e3 * f), 5));
    let mut values = vec![
        pull.n.to_string(),
        number(pull.friction(), 1),
        pull.speed_mm.to_string(),
        number(pull.viscosity, 2),
        number(curve.shortening.iter().copied().reduce(f64::min), 4),
    ];
    values.extend(forces);
    values.extend([
        number(snap.map(|s| s.shortening), 4),
        number(snap.map(|s| s.drop), 2),
        number(largest(reader, "hover").map(|m| 1e6 * m), 3),
        number(1e6 * RADIUS * counts.deepest_penetration, 3),
        number(1e3 * pull.step(), 3),
        counts.steps.to_string(),
        counts.rejected_steps.to_string(),
        number(counts.newton_iterations as f64 / counts.steps as f64, 3),
        number(run.counts.cpu, 3),
        certified(&[reader], CERTIFY_EVERY)?,
        ending(&run.summary),
    ]);
    Ok(values)
}

/// Writes a curve in the units of the paper's figures.
pub(super) fn write_curve(
    curve: &Curve,
    [experiment, row]: [&str; 2],
    bench: &Bench,
) -> Result<()> {
    let line = |i: usize| {
        let (e, force) = (curve.shortening[i], curve.force[i]);
        vec![
            number(curve.time[i], 6),
            number(e, 6),
            number(std::f64::consts::TAU * RADIUS / e, 5),
            number(force, 6),
            number(force * RADIUS * RADIUS / BENDING, 6),
        ]
    };
    let lines: Vec<Vec<String>> = (0..curve.time.len()).map(line).collect();
    let header = [
        "t_s",
        "shortening_m",
        "radius_over_R",
        "pull_N",
        "pull_h2_over_EI",
    ];
    bench.write_curve(experiment, row, &header, &lines)
}
