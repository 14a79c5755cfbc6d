//! Catalogue 1.5: a twisted ring leaves its plane (Michell 1889, Zajac 1962; Bergou et al. 2008, Fig. 8).

use std::f64::consts::TAU;

use faer::{Mat, Side};
use writhe::model::ModelBuilder;
use writhe::rod::{Rod, Section};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::polygons::regular_polygon;
use crate::setup::stability::{critical, elastic_hessian};
use crate::setup::statics::section;

/// The case.
pub const CASE: Case = Case {
    name: "michell",
    section: "1.5",
    measures: "imposed twist at which a ring leaves its plane, by the sign of the Hessian",
    source: Source::ClosedForm,
    origin: "Michell 1889: 2 pi sqrt(3) B/C; discrete thresholds of an independent program (catalogue 1.5)",
    run,
};

/// EA R^2/B.
const STIFF: f64 = 1e6;
/// Eigenvalues of rigid motions are zero up to this; those that bend the ring are of order one, B/R^3.
const ROUNDING: f64 = 1e-6;

/// Whether a ring of unit radius, straight at rest, is stable with this twist, rad.
fn twisted_is_stable(edges: usize, gj: f64, twist: f64) -> Result<bool, CaseError> {
    let section = Section {
        gj,
        ..section(STIFF)
    };
    let unit = regular_polygon(edges).into_iter().map(|x| x * TAU);
    let mut rod = Rod::closed(unit.collect(), section)?.straight_at_rest()?;
    let each = twist / edges as f64;
    rod.twist_directors(&vec![each; edges - 1]);
    // The seam starts with the twist that the others leave, up to whole turns; its rest twist makes it that of the others.
    let seam = (each - twist) - TAU * ((each - twist) / TAU).round();
    rod.rest_twist[edges - 1] = seam - each;
    let (model, state) = ModelBuilder::new().rod(rod).build()?;
    let hessian = elastic_hessian(&model, &state)?;
    let n = hessian.n;
    let h = Mat::from_fn(n, n, |r, c| {
        0.5 * (hessian.values[r * n + c] + hessian.values[c * n + r])
    });
    let eigen = h
        .self_adjoint_eigenvalues(Side::Lower)
        .map_err(|_| CaseError::NotFound("the spectrum of the ring was not found".to_owned()))?;
    // Its rigid motions and the turn of all sections cost nothing, to rounding of the stretching.
    Ok(eigen[0] > -ROUNDING)
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    // C/B, threshold with 50 edges.
    let table = [(1.0, 11.01978464), (0.5, 22.03956929)];
    let mut rows = Vec::new();
    for &(gj, coarse) in context.some(&table, 1) {
        let smooth = TAU * 3.0_f64.sqrt() / gj;
        let mut found = [0.0; 3];
        for (found, edges) in found.iter_mut().zip([25, 50, 100]) {
            *found = critical([0.97 * smooth, 1.1 * smooth], 1e-7, |twist| {
                twisted_is_stable(edges, gj, twist)
            })?;
        }
        let what = format!("critical twist, C/B = {gj}, 50 edges");
        rows.push(Row::second_order(what, found, smooth, 0.02).unit("rad"));
        let what = format!("the same against the discrete threshold, C/B = {gj}, 50 edges");
        rows.push(Row::relative(what, found[1], coarse, 1e-5).unit("rad"));
        let what = format!("threshold over the smooth one, C/B = {gj}, 100 edges");
        rows.push(Row::absolute(what, found[2] / smooth, 1.003147, 5e-6));
    }
    Ok(rows)
}
