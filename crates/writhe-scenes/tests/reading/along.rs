//! Values that vary along a rod.

use crate::common;
use std::f64::consts::PI;

use common::check;
use writhe_scenes::{Files, Scene};

/// A wire of 10 edges of 2 cm with this section, material and more.
fn wire(section: &str, material: &str, more: &str) -> String {
    format!(
        "[contact]\nmodel = \"none\"\n[[rods]]\nshape = {{ straight = {{ to = [0.2, 0, 0], edges = 10 }} }}\n\
         section = {section}\nmaterial = {material}\n{more}\n"
    )
}

const STEEL: &str = "{ young = 1e9, poisson = 0.5, density = 1000 }";
const CSV: &str = "s [mm],r [mm],rho [g/cm^3]\n0,1,1\n100,2,1\n200,4,3\n";

fn scene(text: &str) -> Scene {
    let files = Files::new("", |_: &std::path::Path| Ok(CSV.as_bytes().to_vec()));
    let scene = Scene::parse_with(text, "my.toml", files).unwrap_or_else(|e| panic!("{e}"));
    let again = Scene::parse(&scene.resolved().unwrap(), "again").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.spec, scene.spec);
    scene
}

fn radii(section: &str, more: &str) -> Vec<f64> {
    scene(&wire(section, STEEL, more))
        .build()
        .unwrap()
        .model
        .radius
}

#[test]
fn values_are_linear_between_the_rows_and_taken_in_the_middle_of_edges() {
    let wanted = |edge: usize, from: f64| {
        let s = 0.02 * edge as f64 + from;
        match s < 0.1 {
            true => 1e-3 + 1e-3 * s / 0.1,
            false => 2e-3 + 2e-3 * (s - 0.1) / 0.1,
        }
    };
    for section in [
        "{ circle = { radius = { table = [[0, \"1 mm\"], [\"10 cm\", \"2 mm\"], [0.2, \"4 mm\"]] } } }",
        "{ circle = { radius = { file = \"wire.csv\", columns = [\"s\", \"r\"] } } }",
        "{ circle = { radius = { file = \"wire.csv\", columns = [0, 1], units = [\"mm\", \"mm\"] } } }",
    ] {
        for (edge, radius) in radii(section, "").iter().enumerate() {
            assert!(
                (radius - wanted(edge, 0.01)).abs() < 1e-15,
                "{section}, {edge}: {radius}"
            );
        }
    }
    // Half an edge behind the clamp: arc length counts from the clamp plane.
    let section = "{ circle = { radius = { table = [[0, \"1 mm\"], [0.2, \"3 mm\"]] } } }";
    let clamp = "clamps = [{ edge = \"first\", half_edge = true }]";
    let edge = 0.2 / 9.5;
    for (k, radius) in radii(section, clamp).iter().enumerate() {
        let wanted = 1e-3 + 2e-3 * (edge * k as f64) / 0.2;
        assert!((radius - wanted).abs() < 1e-15, "{k}: {radius}");
    }
    // A list has one for each edge.
    let list: Vec<String> = (1..=10).map(|k| format!("\"{k} mm\"")).collect();
    let listed = radii(
        &format!("{{ circle = {{ radius = [{}] }} }}", list.join(", ")),
        "",
    );
    assert_eq!(listed[9], 0.01);
    assert_eq!(listed[2], 0.003);
}

#[test]
fn stiffness_and_density_vary_with_it() {
    let section = "{ circle = { radius = \"1 mm\" } }";
    let material = "{ young = { table = [[0, \"1 GPa\"], [0.2, \"3 GPa\"]] }, poisson = 0.5, density = { file = \"wire.csv\", columns = [\"s\", \"rho\"] } }";
    let model = scene(&wire(section, material, "")).build().unwrap().model;
    for (edge, ea) in model.stretching.iter().enumerate() {
        let young = 1e9 + 2e9 * (0.02 * edge as f64 + 0.01) / 0.2;
        let wanted = young * PI * 1e-6;
        // Energy or stiffness: as that of the first edge.
        let ratio = ea / model.stretching[0] * (1e9 + 2e9 * 0.05) * PI * 1e-6;
        assert!(
            (ratio - wanted).abs() < 1e-9 * wanted,
            "{edge}: {ratio} {wanted}"
        );
    }
    let section = "{ stiffness = { ea = 100, ei1 = { table = [[0, 1e-3], [0.2, 2e-3]] }, gj = 1e-3, mass_per_length = 0.1, radius = 1e-3 } }";
    let text = wire(section, STEEL, "");
    let report = scene(&text).describe().unwrap().to_string();
    assert!(
        report.contains("0.00105 N m^2 to 0.00195 N m^2"),
        "{report}"
    );
    assert!(!report.contains("overrides"), "{report}");
}

/// A straight wire with a curvature and a twist of its own, clamped at one end, settles into the
/// helix that has them: the distance of its ends is that of a helix, to second order in the edges.
#[test]
fn a_wire_with_curvature_and_twist_settles_into_its_helix() {
    let (kappa, tau, length) = (8.0_f64, 5.0_f64, 0.2);
    let off = |edges: usize| {
        let text = format!(
            "[contact]\nmodel = \"none\"\n[time]\nsettle = true\n[[rods]]\n\
             shape = {{ straight = {{ to = [{length}, 0, 0], edges = {edges} }} }}\nfirst_director = [0, 1, 0]\n\
             rest_curvature = {{ table = [[0, {kappa}, 0], [0.2, {kappa}, 0]] }}\nrest_twist = {{ table = [[0, {tau}], [0.2, {tau}]] }}\n\
             section = {{ circle = {{ radius = \"1 mm\" }} }}\nmaterial = {STEEL}\nclamps = [{{ edge = \"first\" }}]\n"
        );
        let simulation = scene(&text).build().unwrap().begin().unwrap();
        let x = simulation.model.positions(&simulation.state);
        x[0].distance(x[edges])
    };
    // A helix of curvature kappa and torsion tau: about its axis it turns by w = hypot(kappa, tau) a
    // length, at the radius kappa/w^2, and climbs by tau/w a length.
    let w = kappa.hypot(tau);
    let chord = 2.0 * kappa / (w * w) * (0.5 * w * length).sin();
    let wanted = chord.hypot(tau / w * length);
    let [coarse, fine] = [20, 40].map(|edges| (off(edges) - wanted).abs());
    assert!(fine < 2e-4 * wanted, "{fine} of {wanted}");
    assert!(coarse / fine > 3.5, "{coarse} {fine}");
}

/// A constant is that of each vertex.
#[test]
fn one_curvature_and_twist_may_be_for_all_vertices() {
    let of = |more: &str| scene(&wire("{ circle = { radius = \"1 mm\" } }", STEEL, more)).spec;
    for (one, all) in [
        ("rest_twist = 3", "3"),
        ("rest_twist = \"90 deg/m\"", "\"90 deg/m\""),
        ("rest_curvature = [0, \"2 1/m\"]", "[0, 2]"),
    ] {
        let name = one.split(' ').next().unwrap();
        let listed = format!("{name} = [{}]", [all; 9].join(", "));
        assert_eq!(of(one), of(&listed));
    }
}

/// A measured wire: columns beside those of its nodes have a row for each.
#[test]
fn a_column_beside_a_shape_has_a_row_for_each_node() {
    const WIRE: &str =
        "x,y,z,r,k\n0,0,0,1e-3,0\n0.1,0,0,2e-3,1\n0.1,0.2,0,4e-3,2\n0.1,0.4,0,2e-3,3\n";
    let read = |radius: &str, more: &str| {
        let text = format!(
            "[contact]\nmodel = \"none\"\n[[rods]]\nshape = {{ file = \"wire.csv\" }}\n\
             section = {{ circle = {{ radius = {radius} }} }}\nmaterial = {STEEL}\n{more}\n"
        );
        let files = Files::new("", |_: &std::path::Path| Ok(WIRE.as_bytes().to_vec()));
        Scene::parse_with(&text, "my.toml", files)
    };
    let radius = "{ file = \"wire.csv\", columns = [\"r\"] }";
    let twist = "rest_twist = { file = \"wire.csv\", columns = [\"k\"] }";
    let found = read(radius, twist).unwrap();
    let model = found.build().unwrap().model;
    for (radius, wanted) in model.radius.iter().zip([1.5e-3, 3e-3, 3e-3]) {
        assert!((radius - wanted).abs() < 1e-15, "{radius}");
    }
    let twists = found.spec.rods[0].rest_twist.clone().unwrap();
    let twists: Vec<f64> = twists.iter().map(|t| t.si()).collect();
    assert_eq!(twists, [1.0, 2.0]);
    let closed = read(radius, "closed = true")
        .unwrap()
        .build()
        .unwrap()
        .model;
    assert!(
        (closed.radius[3] - 1.5e-3).abs() < 1e-15,
        "{:?}",
        closed.radius
    );
    let other = "{ file = \"other.csv\", columns = [\"r\"] }";
    let told = read(other, "").unwrap_err().to_string();
    assert!(
        told.contains("name columns for arc length, value"),
        "{told}"
    );
}

#[test]
fn what_is_wrong_with_values_along_a_rod_says_so() {
    let radius = "rods[0].section.circle.radius";
    let circle = |radius: &str| {
        wire(
            &format!("{{ circle = {{ radius = {radius} }} }}"),
            STEEL,
            "",
        )
    };
    for (text, key, parts, marked) in [
        (
            circle("[\"1 mm\", \"2 mm\"]"),
            radius,
            &[
                "the list has 2 values, and the rod has 10",
                "edge by edge",
                "table over arc length",
            ][..],
            "[\"1 mm\"",
        ),
        (
            circle("{ table = [[0, 1e-3], [0.1, 1e-3]] }"),
            radius,
            &[
                "from 0 m to 0.1 m of arc length, and the rod from 0 to 0.2 m",
                "start to the end",
            ],
            "{ table",
        ),
        (
            circle("{ table = [[0, 1e-3], [200, 1e-3]] }"),
            radius,
            &["to 200 m of arc length", "units = [\"mm\""],
            "{ table",
        ),
        (
            circle("{ table = [[0, 1e-3], [0, 1e-3]] }"),
            radius,
            &["0 m after 0 m (row 1)", "arc lengths ascend"],
            "{ table",
        ),
        (
            circle("{ table = [[0, 1e-3], [0.2, 0]] }")
                .replace("1e-3], [0.2, 0]", "-1e-3], [0.2, 1e-3]"),
            radius,
            &[
                "the value is -0.0009 at edge 0, 0.01 m along the rod",
                "greater than zero",
            ],
            "{ table",
        ),
        (
            circle("{ tabel = [[0, 1e-3]] }"),
            "rods[0].section.circle.radius.tabel",
            &["did you mean `table`?"],
            "tabel",
        ),
        (
            circle("{ table = [[0, \"1 s\"]] }"),
            "rods[0].section.circle.radius.table[0][1]",
            &["a time (s)", "where a length (m) is wanted"],
            "\"1 s\"",
        ),
        (
            wire(
                "{ circle = { radius = 1e-3 } }",
                STEEL,
                "rest_twist = { table = [[0, 0], [0.05, 1]] }",
            ),
            "rods[0].rest_twist",
            &["the rod from 0 to 0.2 m"],
            "{ table",
        ),
        (
            wire(
                "{ circle = { radius = 1e-3 } }",
                STEEL,
                "rest_curvature = \"1 1/m\"",
            ),
            "rods[0].rest_curvature",
            &[
                "or a list with one of these for each vertex",
                "{ file = .. }",
            ],
            "\"1 1/m\"",
        ),
        (
            wire(
                "{ circle = { radius = 1e-3 } }",
                STEEL,
                "edge_mass = { table = [[0, 0], [0.2, 1]] }",
            ),
            "rods[0].edge_mass",
            &["is not a mass"],
            "{ table",
        ),
    ] {
        check(&text, key, parts, marked);
    }
}
