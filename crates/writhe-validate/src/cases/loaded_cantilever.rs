//! Catalogue 1.2: a cantilever under a dead transverse force at its tip, and one under an end
//! moment.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::schedule::{Motion, Schedule};

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::elastica::{Tip, end_loaded_cantilever};
use crate::row::Row;
use crate::setup::cantilever::{cantilever, tip};
use crate::setup::extremes::larger;
use crate::setup::statics::{positions, section, settle, straight_rod};

/// The case.
pub const CASE: Case = Case {
    name: "loaded-cantilever",
    section: "1.2",
    measures: "tip of a cantilever under an end force, P L^2/B; closure of the circle that an end moment makes",
    source: Source::ClosedForm,
    origin: "planar elastica integrated to rounding, agrees with Bisshopp and Drucker 1945; discrete law of the polygon",
    run,
};

const FORCES: [f64; 5] = [1.0, 10.0, 0.25, 0.5, 5.0];

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for &force in context.some(&FORCES, 2) {
        let exact = end_loaded_cantilever(force);
        let mut found = Vec::new();
        for edges in [25, 50, 100] {
            let load = DVec3::NEG_Y * force;
            let builder = cantilever(edges)?.force(0, edges, load, Schedule::Constant(1.0));
            found.push(tip(&settle(builder)?));
        }
        type Part = fn(&Tip) -> f64;
        let parts: [(&str, Part); 3] = [
            ("reach", |t| t.x),
            ("drop", |t| t.drop),
            ("tip angle", |t| t.angle),
        ];
        for (name, part) in parts {
            let of = [part(&found[0]), part(&found[1]), part(&found[2])];
            let what = format!("{name}, P L^2/B = {force}, 50 edges");
            rows.push(Row::second_order_absolute(what, of, part(&exact), 5e-3));
        }
    }
    let gap = circle_gap(51)?;
    rows.push(
        Row::at_most(
            "gap of the circle closed by an end moment, 51 edges",
            gap,
            1e-9,
        )
        .unit("L"),
    );
    Ok(rows)
}

/// Distance between the ends of a rod, clamped at the middle of its first edge, that the moment of
/// the discrete law, `f df/dturn = M l/B` with `f = 2/3 tan(turn/2) + 4/3 sin(turn/2)`, bends into a
/// closed polygon.
fn circle_gap(edges: usize) -> Result<f64, CaseError> {
    let sides = (edges - 1) as f64;
    let nodes = (0..=edges).map(|i| DVec3::X * (i as f64 / sides)).collect();
    // No edge bears tension: the stretching stiffness does not matter.
    let rod = straight_rod(nodes, section(1e5))?;
    let half = PI / sides;
    let strain = (2.0 * half.tan() + 4.0 * half.sin()) / 3.0;
    let slope = (1.0 / half.cos().powi(2) + 2.0 * half.cos()) / 3.0;
    let moment = DVec3::Z * (sides * strain * slope);
    let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
    let x = positions(&settle(builder.moment(
        0,
        edges - 1,
        moment,
        Schedule::Constant(1.0),
        false,
    ))?);
    Ok(larger(x[0].distance(x[edges - 1]), x[1].distance(x[edges])))
}
