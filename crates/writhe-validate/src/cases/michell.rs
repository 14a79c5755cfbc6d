//! Catalogue 1.5: a twisted ring leaves its plane (Michell 1889, Zajac 1962; Bergou et al. 2008,
//! Fig. 8).

use std::f64::consts::TAU;

use writhe::model::ModelBuilder;
use writhe::rod::{Rod, Section};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::polygons::regular_polygon;
use crate::setup::stability::{critical, elastic_hessian, lowest_eigenvalue};
use crate::setup::statics::section;
use crate::setup::twisted_ring::ROUNDING;

/// The case.
pub const CASE: Case = Case {
    name: "michell",
    section: "1.5",
    measures: "twist at which a ring leaves its plane, by the sign of the Hessian",
    source: Source::ClosedForm,
    origin: "Michell 1889: 2 pi sqrt(3) B/C",
    run,
};

/// EA R^2/B.
const STIFF: f64 = 1e6;

/// Whether a ring of unit radius, straight at rest, is stable with so many turns of twist. Whole
/// turns: the directors close smoothly.
fn twisted_is_stable(edges: usize, gj: f64, turns: u32) -> Result<bool, CaseError> {
    let section = Section {
        gj,
        ..section(STIFF)
    };
    let unit = regular_polygon(edges).into_iter().map(|x| x * TAU);
    let mut rod = Rod::closed(unit.collect(), section)?.straight_at_rest()?;
    rod.twist_directors(&vec![TAU * f64::from(turns) / edges as f64; edges - 1]);
    let (model, state) = ModelBuilder::new().rod(rod).build()?;
    // Its rigid motions and the turn of all sections cost nothing, to rounding of the stretching.
    Ok(lowest_eigenvalue(&elastic_hessian(&model, &state)?)? > -ROUNDING)
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for &turns in context.some(&[1_u32, 2], 1) {
        // The twist stays a whole number of turns and C varies: stable below 2 pi sqrt(3) B over
        // the twist.
        let smooth = 3.0_f64.sqrt() / f64::from(turns);
        let mut found = [0.0; 3];
        for (found, edges) in found.iter_mut().zip([25, 50, 100]) {
            *found = critical([0.8 * smooth, 1.2 * smooth], 1e-7, |gj| {
                twisted_is_stable(edges, gj, turns)
            })?;
        }
        let what = format!("critical C/B of a ring with {turns} turns of twist, 50 edges");
        rows.push(if turns == 1 {
            Row::second_order(what, found, smooth, 0.02)
        } else {
            // Two errors of second order nearly cancel here, so theirs is not the order seen: the
            // discrete ring is stiffer, by 1.3 %, and softened by half a radian of twist at each of
            // 25 vertices.
            Row::relative(what, found[1], smooth, 0.02)
        });
        let what = format!("critical twist over 2 pi sqrt(3) B/C, {turns} turns, 100 edges");
        rows.push(Row::relative(what, found[2] / smooth, 1.0, 0.01));
    }
    Ok(rows)
}
