//! Values that are possible and hardly meant: what `check` refuses, and what it warns of.

use crate::common;
use common::{ROD, check};
use writhe_scenes::{Level, Scene, names, template};

/// Keys that are warned of.
fn warned(text: &str) -> Vec<(String, String)> {
    let scene = Scene::parse(text, "my.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let report = scene.describe().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let remarks = report.remarks.into_iter();
    let warnings = remarks.filter(|r| r.level == Level::Warning);
    warnings.map(|r| (r.key, r.message)).collect()
}

#[test]
fn what_nothing_has_is_refused() {
    for (section, key, value, need) in [
        (
            "[contact]\nfriction = 101",
            "contact.friction",
            "101",
            "from 0 to 100",
        ),
        (
            "[contact]\nfriction = -0.1",
            "contact.friction",
            "-0.1",
            "from 0 to 100",
        ),
        (
            "[time]\ntolerance = 1.5",
            "time.tolerance",
            "1.5",
            "at most 1",
        ),
        (
            "[time]\nresidual_tolerance = 2",
            "time.residual_tolerance",
            "2",
            "at most 1",
        ),
        (
            "[contact]\ntolerance = 1.5",
            "contact.tolerance",
            "1.5",
            "below 0.5",
        ),
        (
            "[[obstacles]]\nshape = { sphere = { center = [0, 0, 1], radius = 0.1 } }\nfriction = 200",
            "obstacles[0].friction",
            "200",
            "from 0 to 100",
        ),
    ] {
        check(&format!("{ROD}{section}"), key, &[need, value], value);
    }
    // What is at the limit is not.
    for section in ["[contact]\nfriction = 100", "[time]\ntolerance = 1"] {
        Scene::parse(&format!("{ROD}{section}"), "my.toml").unwrap();
    }
}

#[test]
fn what_is_hardly_meant_is_warned_of_with_its_key() {
    assert_eq!(warned(ROD), []);
    let replaced = |from: &str, to: &str| {
        assert!(ROD.contains(from), "{from}");
        ROD.replace(from, to)
    };
    let with = |section: &str| format!("{ROD}{section}");
    let held = |motion: &str| {
        with(&format!(
            "held = [{{ node = \"last\", motion = {motion} }}]"
        ))
    };
    for (text, key, part) in [
        (
            replaced("3 MPa", "900 Pa"),
            "rods[0].material.young",
            "was kPa or MPa meant",
        ),
        (
            replaced("3 MPa", "3e13 Pa"),
            "rods[0].material.young",
            "diamond",
        ),
        (
            replaced("density = 1000", "density = 0.5"),
            "rods[0].material.density",
            "no solid",
        ),
        (
            replaced("density = 1000", "density = 1e6"),
            "rods[0].material.density",
            "no solid",
        ),
        (
            with("[contact]\nfriction = 11"),
            "contact.friction",
            "coefficient of 11",
        ),
        (
            with("[contact]\ntolerance = 0.05"),
            "contact.tolerance",
            "coarse above 0.01",
        ),
        (
            with("[time]\ntolerance = 0.02"),
            "time.tolerance",
            "coarse above 0.01",
        ),
        (
            with("[time]\nresidual_tolerance = 0.5"),
            "time.residual_tolerance",
            "coarse above 0.01",
        ),
        (with("[time]\nstep = 2"), "time.step", "longer than the run"),
        (
            with("[time]\nstep = 1e-10\nsmallest_step = 1e-12"),
            "time.step",
            "check the units",
        ),
        (
            with("[output]\nevery = 9e-7"),
            "output.every",
            "more than a million",
        ),
        (
            with("[gravity]\nacceleration = [0, 0, -9810]"),
            "gravity.acceleration",
            "1000 times",
        ),
        (
            with("[wind]\nvelocity = [300, 0, 0]"),
            "wind.velocity",
            "storm",
        ),
        (
            with("[fluid]\nmodel = \"resistive-force\"\nwavelength = 0.1\nviscosity = 1e9"),
            "fluid.viscosity",
            "viscosity of no fluid",
        ),
        (
            held("{ path = [[0, 0.01, 0, 0], [1, 0.1, 0, 0]] }"),
            "rods[0].held[0].motion",
            "displaced by 10 mm already",
        ),
        (
            held("{ path = [[1, 0.01, 0, 0]] }"),
            "rods[0].held[0].motion",
            "jumps there",
        ),
        (
            held("{ rotation = { axis = [1, 0, 0], angle = { table = [[0, 1], [1, 2]] } } }"),
            "rods[0].held[0].motion",
            "turned by 1 rad already",
        ),
        (
            held("{ velocity = [100, 0, 0] }"),
            "rods[0]",
            "faster than its own waves",
        ),
        (
            with("held_angles = [{ edge = 0, angle = 0.5 }]"),
            "rods[0].held_angles[0].angle",
            "the edge jumps",
        ),
        (
            with("forces = [{ node = \"last\", force = [0, 0, 20] }]"),
            "rods[0].forces[0]",
            "would stretch the rod",
        ),
        (
            replaced(
                "shape = { straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 } }",
                "rest = \"straight\"\nshape = { nodes = [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0]] }",
            ),
            "rods[0].shape",
            "turns by 90 degrees more than at rest at node 1",
        ),
        (
            format!("perturbation = 0.002\n{ROD}"),
            "perturbation",
            "more than their radius",
        ),
    ] {
        let found = warned(&text);
        let told = |(k, message): &(String, String)| k == key && message.contains(part);
        assert!(found.iter().any(told), "{key}, {part}: {found:?}\n{text}");
    }
}

#[test]
fn a_path_may_begin_later_and_at_rest() {
    let text = format!(
        "{ROD}held = [{{ node = \"last\", motion = {{ path = [[1, 0, 0, 0], [2, 0.1, 0, 0]] }} }}]"
    );
    assert_eq!(warned(&text), []);
    let scene = Scene::parse(&text, "my.toml").unwrap();
    let report = scene.describe().unwrap().to_string();
    assert!(
        report.contains("note: rods[0].held[0].motion: the path begins at t = 1 s"),
        "{report}"
    );
}

#[test]
fn no_scene_of_ours_is_absurd() {
    for name in names() {
        let found = warned(template(name).unwrap());
        // The numbers printed in the paper have a Reynolds number of 1.5.
        let known = |(key, _): &(String, String)| *name == "flagella-literal" && key == "fluid";
        let unknown: Vec<_> = found.iter().filter(|w| !known(w)).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
}
