//! Every case of the catalogue, the long ones quick: all rows keep their bounds.

use std::collections::BTreeSet;

use writhe_validate::case::Context;
use writhe_validate::catalogue::{CASES, find};
use writhe_validate::row::Verdict;

/// Cases that are short even with all their parameters.
const WHOLE: &[&str] = &[
    "heavy-cantilever",
    "loaded-cantilever",
    "buckling",
    "catenary",
];

fn passes(name: &str) {
    let case = find(name).unwrap_or_else(|| panic!("no case {name}"));
    let context = Context {
        quick: !WHOLE.contains(&name),
        ..Context::for_tests()
    };
    let rows = (case.run)(&context).unwrap_or_else(|e| panic!("{name}: {e}"));
    let judged = rows.iter().filter(|row| row.verdict() != Verdict::Shown);
    assert!(judged.count() > 0, "{name} judges nothing");
    for row in &rows {
        println!("{name}: {row:?}, error {:?}", row.error());
    }
    let failed: Vec<_> = rows
        .iter()
        .filter(|row| row.verdict() == Verdict::Fail)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

macro_rules! cases {
    ($($(#[$attribute:meta])* $test:ident: $name:literal,)*) => {
        const TESTED: &[&str] = &[$($name),*];
        $(#[test] $(#[$attribute])* fn $test() { passes($name); })*
    };
}

cases! {
    heavy_cantilever: "heavy-cantilever",
    loaded_cantilever: "loaded-cantilever",
    buckling: "buckling",
    ring: "ring",
    michell: "michell",
    greenhill: "greenhill",
    catenary: "catenary",
    bend_twist: "bend-twist",
    stick_slip: "stick-slip",
    frequencies: "frequencies",
    integrators: "integrators",
    momentum: "momentum",
    imc_energy: "imc-energy",
    ipc_barrier: "ipc-barrier",
    friction_weight: "friction-weight",
    segment_distance: "segment-distance",
    crossed_rods: "crossed-rods",
    floor: "floor",
    capstan: "capstan",
    stokeslet_segments: "stokeslet-segments",
    straight_rod_drag: "straight-rod-drag",
    rotating_helix: "rotating-helix",
    single_flagellum: "single-flagellum",
    flexible_helix: "flexible-helix",
    tangles: "tangles",
    fast_tangles: "fast-tangles",
    curling: "curling",
    curved_rods: "curved-rods",
    flagella_mesh: "flagella-mesh",
    gyroscope: "gyroscope",
}

#[test]
fn every_case_has_a_test_and_a_name_of_its_own() {
    let names: BTreeSet<&str> = CASES.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), CASES.len());
    assert_eq!(names, TESTED.iter().copied().collect());
    for case in CASES {
        assert_eq!(find(case.name).map(|c| c.name), Some(case.name));
        assert!(!case.measures.is_empty() && !case.origin.is_empty());
    }
    assert!(find("no such case").is_none() && find("-").is_none());
}
