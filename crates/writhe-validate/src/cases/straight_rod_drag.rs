//! Catalogue 5.2: drag of a straight rod.

use glam::DVec3;
use writhe::loads::resistive_force::DragCoefficients;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::stokes::{forces, open_rod, resultant};

/// The case.
pub const CASE: Case = Case {
    name: "straight-rod-drag",
    section: "5.2",
    measures: "axial and normal drag/(mu U L) of a straight rod of length L and radius b",
    source: Source::OtherProgram,
    origin: "catalogue 5.2, an independent program; slender-body theory (Cox 1970, Batchelor 1970)",
    run,
};

/// Axial and normal drag/(mu U L).
fn drag(ratio: f64, edges: usize, epsilon: f64) -> Result<[f64; 2], CaseError> {
    let model = open_rod(edges + 1, epsilon, 1.0)?;
    let x: Vec<DVec3> = (0..=edges)
        .map(|i| DVec3::X * (ratio * i as f64 / edges as f64))
        .collect();
    let forces = forces(&model, &x, &[&|_| DVec3::X, &|_| DVec3::Y])?;
    let [axial, normal] = [0, 1].map(|k| resultant(&x, &forces[k]).0 / ratio);
    Ok([axial.x, normal.y])
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (ratio, edge, axial, normal) in [
        (100.0, 5.0, 1.527_184, 2.474_863),
        (100.0, 2.0, 1.510_051, 2.436_668),
        (50.0, 5.0, 1.861_250, 2.927_274),
        (200.0, 5.0, 1.296_321, 2.153_876),
    ] {
        let found = drag(ratio, (ratio / edge) as usize, 1.02)?;
        for (what, found, wanted) in [("axial", found[0], axial), ("normal", found[1], normal)] {
            let what = format!("{what} drag, L/b = {ratio}, edges of {edge} b, epsilon = 1.02 b");
            // The references are rounded to 5e-7.
            rows.push(Row::absolute(what, found, wanted, 6e-7));
        }
    }
    let theory = DragCoefficients::slender_body(1.0, 100.0, 1.0);
    for (what, found, printed) in [
        ("axial", theory.tangential, 1.65420),
        ("normal", theory.normal, 2.61891),
    ] {
        let what = format!("{what} drag of the slender cylinder, L/b = 100, closed form");
        rows.push(Row::relative(what, found, printed, 1e-5));
    }
    let root_e = 0.5_f64.exp();
    for (name, epsilon, bound) in [("1.02 b", 1.02, 0.10), ("sqrt(e) b", root_e, 0.05)] {
        let found = drag(100.0, 20, epsilon)?;
        for (what, found, wanted) in [
            ("axial", found[0], theory.tangential),
            ("normal", found[1], theory.normal),
        ] {
            let what =
                format!("{what} drag against the slender cylinder, L/b = 100, epsilon = {name}");
            rows.push(Row::relative(what, found, wanted, bound));
        }
    }
    // Free of any calibration: the ratio tends to 2 from below, very slowly.
    for (ratio, bound) in [(1e2, 1e-2), (1e4, 1e-3), (1e8, 1e-4)] {
        let found = drag(ratio, 40, root_e)?;
        let theory = DragCoefficients::slender_body(1.0, ratio, 1.0);
        let what = format!("normal over axial drag, L/b = {ratio:e}");
        let (measured, limit) = (found[1] / found[0], theory.normal / theory.tangential);
        rows.push(Row::relative(&*what, measured, limit, bound));
        rows.push(Row::at_most(what, measured, 2.0));
    }
    Ok(rows)
}
