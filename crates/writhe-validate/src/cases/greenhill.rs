//! Catalogue 1.6: a straight rod, clamped at both ends and twisted, buckles without tension (Greenhill 1883).
//!
//! The curvature of a vertex is taken along the mean of the material directors of its two edges (Bergou et al. 2010), which are apart by
//! the vertex' twist: an isotropic section bends as if its stiffness were B cos^2(twist/2). The discrete thresholds of the reference
//! are those of the isotropic energy |kappa b|^2 (Bergou et al. 2008, Eq. 2), so ours are theirs times cos^2(twist/2).

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::Section;
use writhe::schedule::{Motion, Schedule};

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::elastica::bisect;
use crate::row::Row;
use crate::setup::stability::{critical, stable};
use crate::setup::statics::{section, straight_rod};

/// The case.
pub const CASE: Case = Case {
    name: "greenhill",
    section: "1.6",
    measures: "end rotation at which a straight clamped rod without tension buckles, over B/C",
    source: Source::ClosedForm,
    origin: "Greenhill 1883: 2x with tan x = x; discrete thresholds of an independent program",
    run,
};

/// Stretching stiffness; the axis is free, so it bears no force.
const STIFF: f64 = 1e6;

/// Whether a straight rod of unit length between the middles of its clamped end edges is stable with this end rotation, rad.
fn twisted_is_stable(free_edges: usize, gj: f64, rotation: f64) -> Result<bool, CaseError> {
    let edges = free_edges + 1;
    let l = 1.0 / free_edges as f64;
    let section = Section {
        gj,
        ..section(STIFF)
    };
    let nodes = (0..=edges).map(|i| DVec3::X * (l * (i as f64 - 0.5)));
    let mut rod = straight_rod(nodes.collect(), section)?;
    rod.twist_directors(&vec![rotation / free_edges as f64; free_edges]);
    let across = [false, true, true];
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .hold_node(0, edges - 1, across, Motion::Still)
        .hold_node(0, edges, across, Motion::Still)
        .hold_angle(0, edges - 1, Schedule::Constant(0.0))
        .build()?;
    stable(&model, &state)
}

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
                twisted_is_stable(edges, gj, rotation)
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
