//! Catalogue 5.3: rigid helices that turn, or are pulled along their axis (Rodenborn et al. 2013).

use glam::DVec3;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::stokes::rodenborn::{EXPERIMENT, PITCHES, ROD_RADIUS, coefficients, helix};
use crate::setup::stokes::{forces, open_rod, resultant};

/// The case.
pub const CASE: Case = Case {
    name: "rotating-helix",
    section: "5.3",
    measures: "thrust/(mu Om R^2), torque/(mu Om R^3), drag/(mu U R) of rigid helices",
    source: Source::Published,
    origin: "experiment of Rodenborn et al. 2013, Fig. 2, digitised (catalogue 5.3); regression numbers of an independent program",
    run,
};

/// An independent program with epsilon = sqrt(e) a.
const MATCHED: [[f64; 3]; 3] = [
    [6.0556, 133.82, 52.37],
    [10.4808, 76.98, 38.67],
    [7.0090, 61.69, 30.28],
];
/// The same with epsilon = 1.02 a.
const TONG: [[f64; 3]; 3] = [
    [6.1832, 116.12, 50.51],
    [10.0970, 67.56, 36.11],
    [6.6521, 55.34, 27.75],
];
const NAMES: [&str; 3] = ["thrust", "torque", "drag"];

/// Thrust, torque and drag, and the thrust coefficient from translation (torque by drag),
/// dimensionless.
fn swim(pitch: f64, edges: usize, epsilon: f64) -> Result<([f64; 3], f64), CaseError> {
    let x = helix(pitch, edges);
    let model = open_rod(x.len(), epsilon * ROD_RADIUS, 1.0)?;
    let forces = forces(&model, &x, &[&|x| DVec3::X.cross(x), &|_| DVec3::X])?;
    Ok(coefficients(
        resultant(&x, &forces[0]),
        resultant(&x, &forces[1]),
    ))
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let root_e = 0.5_f64.exp();
    for (i, (pitch, edges)) in PITCHES.into_iter().enumerate() {
        let (matched, reciprocal) = swim(pitch, edges, root_e)?;
        let (tong, _) = swim(pitch, edges, 1.02)?;
        for (k, name) in NAMES.into_iter().enumerate() {
            let at = format!("{name}, pitch {pitch} R");
            rows.push(Row::relative(
                format!("{at}, against the experiment"),
                matched[k],
                EXPERIMENT[i][k],
                0.12,
            ));
            // Four decimals of the thrust are given, two of the others: half a unit of the last.
            let rounding = [5.1e-5, 5.1e-3, 5.1e-3][k];
            rows.push(Row::absolute(
                format!("{at}, epsilon = sqrt(e) a"),
                matched[k],
                MATCHED[i][k],
                rounding,
            ));
            rows.push(Row::absolute(
                format!("{at}, epsilon = 1.02 a"),
                tong[k],
                TONG[i][k],
                rounding,
            ));
        }
        let what = format!("torque by translation over thrust by rotation, pitch {pitch} R");
        rows.push(Row::relative(what, reciprocal / matched[0], 1.0, 5e-3));
    }
    let thrust = |pitch| swim(pitch, 120, root_e).map(|found| found.0[0]);
    let best = thrust(6.5)?;
    rows.push(Row::at_most(
        "thrust at pitch 4.5 R over that at 6.5 R",
        thrust(4.5)? / best,
        1.0,
    ));
    rows.push(Row::at_most(
        "thrust at pitch 9.5 R over that at 6.5 R",
        thrust(9.5)? / best,
        1.0,
    ));
    Ok(rows)
}
