//! Catalogue 1.7: rods whose bending stiffness is negligible hang between level ends, or from one.

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::Section;
use writhe::schedule::{Motion, Schedule};

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::elastica::catenary;
use crate::row::Row;
use crate::setup::polygons::arc_nodes;
use crate::setup::statics::{first_reaction, positions, section, settle, straight_rod};

/// The case.
pub const CASE: Case = Case {
    name: "catenary",
    section: "1.7",
    measures: "end force and sag of chains, inextensible and elastic; stretch of a hanging rod",
    source: Source::ClosedForm,
    origin: "catenary; elastic catenary (Irvine, Cable Structures, 1981)",
    run,
};

/// Weight per length and length 1; `B/(w L^3) = 1e-10` changes what is looked at by less than 1e-7.
fn chain(ea: f64) -> Section {
    Section {
        ei1: 1e-10,
        ei2: 1e-10,
        gj: 1e-10,
        ..section(ea)
    }
}

/// EA/(w L) and span/L.
const CHAINS: [(f64, f64); 6] = [
    (f64::INFINITY, 0.8),
    (10.0, 0.8),
    (f64::INFINITY, 0.5),
    (f64::INFINITY, 0.95),
    (100.0, 0.8),
    (1000.0, 0.8),
];

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for &(ea, span) in context.some(&CHAINS, 2) {
        let exact = catenary(span, ea);
        let mut found = [[0.0; 3]; 3];
        for (k, edges) in [26, 52, 104].into_iter().enumerate() {
            let hanging = arc_nodes(edges, span)
                .into_iter()
                .map(|x| DVec3::new(x.x, -x.y, 0.0));
            let rod = straight_rod(hanging.collect(), chain(ea.min(1e7)))?;
            let simulation = settle(
                ModelBuilder::new()
                    .rod(rod)
                    .gravity(DVec3::NEG_Y)
                    .hold_node(0, 0, [true; 3], Motion::Still)
                    .hold_node(0, edges, [true; 3], Motion::Still)
                    .hold_angle(0, 0, Schedule::Constant(0.0)),
            )?;
            let end = first_reaction(&simulation)?;
            found[0][k] = -end.x;
            found[1][k] = -positions(&simulation)[edges / 2].y;
            found[2][k] = end.length();
        }
        let name = |what| format!("{what}, span {span}, EA/(w L) = {ea}, 52 edges");
        for (what, found, exact, unit) in [
            ("horizontal force", found[0], exact.horizontal, "w L"),
            ("sag", found[1], exact.sag, "L"),
            ("end tension", found[2], exact.end_tension, "w L"),
        ] {
            rows.push(Row::second_order(name(what), found, exact, 1e-3).unit(unit));
        }
    }
    for (ea, edges) in [(10.0, 7), (1e3, 50), (1e6, 50)] {
        let l = 1.0 / edges as f64;
        let nodes = (0..=edges).map(|i| DVec3::NEG_Y * (l * i as f64));
        let simulation = settle(
            ModelBuilder::new()
                .rod(straight_rod(nodes.collect(), section(ea))?)
                .gravity(DVec3::NEG_Y)
                .hold_node(0, 0, [true; 3], Motion::Still)
                .hold_angle(0, 0, Schedule::Constant(0.0)),
        )?;
        let stretch = -positions(&simulation)[edges].y - 1.0;
        let what = format!("stretch of a hanging rod, EA/(w L) = {ea:e}");
        // Exact for lumped weight.
        rows.push(Row::relative(what, stretch, 0.5 / ea, 1e-8).unit("L"));
    }
    Ok(rows)
}
