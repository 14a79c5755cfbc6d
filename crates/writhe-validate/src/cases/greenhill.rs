//! Catalogue 1.6: a straight rod, clamped at both ends and twisted, buckles without tension
//! (Greenhill 1883).
//!
//! The curvature of a vertex is taken along the mean of the material directors of its two edges
//! (Bergou et al. 2010), which are apart by the vertex' twist: an isotropic section bends as if its
//! stiffness were B cos^2(twist/2). The discrete thresholds of the reference are those of the
//! isotropic energy |kappa b|^2 (Bergou et al. 2008, Eq. 2), so ours are theirs times
//! cos^2(twist/2).

use writhe::model::BendingModel;

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::elastica::bisect;
use crate::row::Row;
use crate::setup::stability::critical;
use crate::setup::twisted_rod::is_stable;

/// The case.
pub const CASE: Case = Case {
    name: "greenhill",
    section: "1.6",
    measures: "end rotation at which a straight clamped rod without tension buckles, over B/C",
    source: Source::ClosedForm,
    origin: "Greenhill 1883: 2x with tan x = x; discrete thresholds of an independent program",
    run,
};

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let smooth = 2.0 * bisect(4.0, 4.6, |x| x.sin() - x * x.cos());
    let mut rows = Vec::new();
    for gj in [1.0, 2.0 / 3.0] {
        let mut found = [0.0; 3];
        let mut discrete = Vec::new();
        // Thresholds of an independent program over the smooth one, rounded to six decimals.
        let table = [(25, 1.011462), (50, 1.002835), (100, 1.000707)];
        for (found, (edges, ratio)) in found.iter_mut().zip(table) {
            let expected = smooth / gj;
            let threshold = critical([0.85 * expected, 1.1 * expected], 1e-10, |rotation| {
                is_stable(edges, gj, rotation, BendingModel::Averaged)
            })?;
            *found = threshold * gj;
            let softer = (0.5 * threshold / edges as f64).cos().powi(2);
            let what = format!(
                "threshold over the smooth one and cos^2(twist/2), C/B = {gj:.4}, {edges} edges"
            );
            discrete.push(Row::absolute(what, *found / smooth / softer, ratio, 2e-6));
        }
        let what = format!("critical rotation, C/B = {gj:.4}, 50 edges");
        rows.push(Row::second_order(what, found, smooth, 0.02).unit("B/C rad"));
        rows.extend(discrete);
    }
    Ok(rows)
}
