//! Catalogue 1.1: a rod clamped horizontally bends under its own weight (Romero et al. 2021,
//! "Cantilever").

use glam::DVec3;

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::elastica::{Tip, heavy_cantilever};
use crate::row::Row;
use crate::setup::cantilever::{cantilever, tip};
use crate::setup::statics::settle;

/// The case.
pub const CASE: Case = Case {
    name: "heavy-cantilever",
    section: "1.1",
    measures: "drop over reach and tip angle of a cantilever under its weight, by Gamma = w L^3/B",
    source: Source::ClosedForm,
    origin: "planar elastica integrated to rounding; parameters of Romero et al. 2021",
    run,
};

const GAMMA: [f64; 8] = [1.0, 100.0, 0.01, 0.1, 5.0, 10.0, 50.0, 1000.0];

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for &gamma in context.some(&GAMMA, 2) {
        let exact = heavy_cantilever(gamma);
        // The largest load bends the rod within 2.5 of 50 edges.
        let edges = if gamma > 100.0 { 200 } else { 50 };
        let mut found = Vec::new();
        for n in [edges / 2, edges, 2 * edges] {
            let builder = cantilever(n)?.gravity(DVec3::NEG_Y * gamma);
            found.push(tip(&settle(builder)?));
        }
        let of = |part: fn(&Tip) -> f64| [part(&found[0]), part(&found[1]), part(&found[2])];
        let name = |what| format!("{what}, Gamma = {gamma}, {edges} edges");
        rows.push(Row::second_order(
            name("drop/reach"),
            of(Tip::aspect),
            exact.aspect(),
            0.01,
        ));
        let angle = of(|t| t.angle);
        rows.push(
            if gamma > 100.0 {
                // It hangs: the angle differs from a right one by 4e-7.
                Row::relative(name("tip angle"), angle[1], exact.angle, 1e-6)
            } else {
                Row::second_order(name("tip angle"), angle, exact.angle, 0.01)
            }
            .unit("rad"),
        );
    }
    Ok(rows)
}
