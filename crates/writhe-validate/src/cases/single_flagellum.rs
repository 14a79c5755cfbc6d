//! Catalogue 5.4: the flagellum of T22 in rigid rotation.

use std::f64::consts::PI;

use faer::Mat;
use glam::DVec3;
use writhe::fluid::stokeslet_segments::mobility::DenseMobility;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::extremes::largest as largest_of;
use crate::setup::stokes::{forces, open_rod, resultant, tong};

/// The case.
pub const CASE: Case = Case {
    name: "single-flagellum",
    section: "5.4",
    measures: "T22's flagellum: geometry, force and torque of rigid rotation, spectrum of the mobility",
    source: Source::OtherProgram,
    origin: "catalogue 5.4, an independent program",
    run,
};

const EPSILON: f64 = 1.02 * tong::RADIUS;
const VISCOSITY: f64 = 0.1;

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let x = tong::flagellum();
    let model = open_rod(x.len(), EPSILON, VISCOSITY)?;
    let contour: f64 = x.windows(2).map(|x| x[0].distance(x[1])).sum();
    let mut rows = vec![
        Row::relative("nodes", x.len() as f64, 68.0, 0.0),
        Row::relative("length of the polyline", contour, 0.339_095_0, 1e-6).unit("m"),
        Row::relative("length of an edge", x[0].distance(x[1]), 5.018_653e-3, 1e-6).unit("m"),
    ];
    for (name, omega, force, torque) in [
        ("15 rad/s", 15.0, 1.49445e-3, 1.25999e-4),
        ("15 rpm", PI / 2.0, 1.56498e-4, 1.31947e-5),
    ] {
        let found = forces(&model, &x, &[&|x: DVec3| omega * DVec3::X.cross(x)])?;
        let (f, m) = resultant(&x, &found[0]);
        // Six digits are given.
        rows.push(Row::relative(format!("axial force at {name}"), -f.x, force, 4e-6).unit("N"));
        rows.push(Row::relative(format!("torque at {name}"), m.x, torque, 7e-6).unit("N m"));
    }
    rows.extend(spectrum(&x)?);
    Ok(rows)
}

/// Densities to velocities, A = 8 pi mu B diag(dl).
fn spectrum(x: &[DVec3]) -> Result<Vec<Row>, CaseError> {
    let model = open_rod(x.len(), EPSILON, VISCOSITY)?;
    let b = DenseMobility::new(&model, x)?.dense();
    let lengths = model.node_lengths(x)?;
    let scale = 8.0 * PI * VISCOSITY;
    let n = 3 * x.len();
    let a = Mat::from_fn(n, n, |i, j| scale * lengths[j / 3] * b[(i, j)]);
    let none = |_| CaseError::NotFound("the spectrum of the mobility was not found".to_owned());
    let singular = a.singular_values().map_err(none)?;
    let eigen = a
        .eigenvalues()
        .map_err(|_| CaseError::NotFound("no eigenvalues".to_owned()))?;
    let smallest = eigen.iter().fold(f64::INFINITY, |m, z| m.min(z.re));
    let largest = eigen.iter().fold(0.0_f64, |m, z| m.max(z.re));
    let imaginary = largest_of(eigen.iter().map(|z| z.im.abs()));
    let asymmetry = (&a - a.transpose()).norm_l2() / a.norm_l2();
    // rho pi h^2 of 1000 kg/m^3, h = 1 mm: the largest rate of drag alone is 1/(smallest eigenvalue
    // of B M).
    let rate = scale / (smallest * 1000.0 * PI * tong::RADIUS * tong::RADIUS);
    Ok(vec![
        Row::absolute("condition of A", singular[0] / singular[n - 1], 12.18, 5e-3),
        Row::absolute("asymmetry of A", asymmetry, 0.0458, 5e-5),
        Row::absolute("smallest eigenvalue of A", smallest, 1.789, 5e-4),
        Row::absolute("largest eigenvalue of A", largest, 21.70, 5e-3),
        Row::absolute(
            "largest imaginary part of an eigenvalue of A",
            imaginary,
            0.0,
            0.0,
        ),
        Row::absolute(
            "largest rate of the drag, rho = 1000 kg/m^3",
            rate,
            447.0,
            0.5,
        )
        .unit("1/s"),
    ])
}
