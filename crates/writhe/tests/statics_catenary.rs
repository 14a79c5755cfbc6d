//! Chains: rods whose bending stiffness is negligible, hanging between level ends or from one.

#[path = "support/elastica.rs"]
mod elastica;
#[path = "support/statics.rs"]
mod statics;

use elastica::catenary;
use glam::DVec3;
use statics::{arc_nodes, assert_second_order, positions, section, settle, straight_rod};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::Section;
use writhe::schedule::{Motion, Schedule};

/// Weight per length and length 1; `B/(w L^3) = 1e-10` changes what is looked at by less than 1e-7.
fn chain(ea: f64) -> Section {
    Section {
        ei1: 1e-10,
        ei2: 1e-10,
        gj: 1e-10,
        ..section(ea)
    }
}

/// EA/(w L), span/L, a = H/(w L), sag/L, end tension/(w L); the last is given for inextensible chains.
const CHAINS: [(f64, f64, f64, f64, Option<f64>); 6] = [
    (
        f64::INFINITY,
        0.5,
        0.1148201075,
        0.3981941779,
        Some(0.5130142855),
    ),
    (
        f64::INFINITY,
        0.8,
        0.3382018791,
        0.2654375091,
        Some(0.6036393882),
    ),
    (
        f64::INFINITY,
        0.95,
        0.8518621019,
        0.1358975048,
        Some(0.9877596067),
    ),
    (10.0, 0.8, 0.2997089881, 0.2957365304, None),
    (100.0, 0.8, 0.3335480862, 0.2687462764, None),
    (1000.0, 0.8, 0.3377259629, 0.2657719119, None),
];

#[test]
fn reference_agrees_with_table() {
    for (ea, span, horizontal, sag, tension) in CHAINS {
        let found = catenary(span, ea);
        assert!((found.horizontal - horizontal).abs() < 1e-9, "{ea} {span}");
        assert!((found.sag - sag).abs() < 1e-9, "{ea} {span}");
        assert!(tension.is_none_or(|t| (found.end_tension - t).abs() < 1e-9));
    }
}

#[test]
fn chain_between_level_ends() {
    for (ea, span, ..) in CHAINS {
        let exact = catenary(span, ea);
        let found = [26, 50, 100].map(|edges| {
            let hanging = arc_nodes(edges, span)
                .iter()
                .map(|x| DVec3::new(x.x, -x.y, 0.0))
                .collect();
            let simulation = settle(
                ModelBuilder::new()
                    .rod(straight_rod(hanging, chain(ea.min(1e7))))
                    .gravity(DVec3::NEG_Y)
                    .hold_node(0, 0, [true; 3], Motion::Still)
                    .hold_node(0, edges, [true; 3], Motion::Still)
                    .hold_angle(0, 0, Schedule::Constant(0.0)),
            );
            let end = observe(&simulation.model, &simulation.state)
                .unwrap()
                .reactions[0]
                .force;
            [
                -end.x / exact.horizontal - 1.0,
                -positions(&simulation)[edges / 2].y / exact.sag - 1.0,
                end.length() / exact.end_tension - 1.0,
            ]
        });
        for (k, name) in ["horizontal force", "sag", "end tension"]
            .iter()
            .enumerate()
        {
            assert_second_order(
                &format!("{name}, EA {ea}, span {span}"),
                1e-3,
                found.map(|f| f[k]),
            );
        }
    }
}

/// A rod that hangs from its first node stretches by `w L^2 / 2 EA`, exactly with lumped weight.
#[test]
fn hanging_rod_stretches() {
    for (ea, edges) in [(10.0, 7), (1e3, 50), (1e6, 50)] {
        let l = 1.0 / edges as f64;
        let nodes = (0..=edges).map(|i| DVec3::NEG_Y * (l * i as f64)).collect();
        let simulation = settle(
            ModelBuilder::new()
                .rod(straight_rod(nodes, section(ea)))
                .gravity(DVec3::NEG_Y)
                .hold_node(0, 0, [true; 3], Motion::Still)
                .hold_angle(0, 0, Schedule::Constant(0.0)),
        );
        let stretch = -positions(&simulation)[edges].y - 1.0;
        let error = stretch / (0.5 / ea) - 1.0;
        println!("stretch at EA {ea:e}: {error:e}");
        assert!(error.abs() < 1e-8, "{ea}: {error}");
    }
}
