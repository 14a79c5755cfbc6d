//! Welds wherever rods cross.

use crate::common;
use common::check;
use writhe_scenes::Scene;

/// A net of 4 by 3 rods, 30 mm apart, of these numbers of edges; the rods along y lie 0.5 mm higher.
fn net(edges: [usize; 2], weld: &str) -> String {
    let rod = |name: &str, count: usize, step: &str, from: &str, to: &str, edges: usize| {
        format!(
            "[[rods]]\nname = \"{name}\"\nrepeat = {{ count = {count}, step = {step} }}\n\
             shape = {{ straight = {{ from = {from}, to = {to}, edges = {edges} }} }}\n\
             section = {{ circle = {{ radius = \"1 mm\" }} }}\nmaterial = {{ young = \"1 GPa\", poisson = 0.5, density = 1000 }}\n"
        )
    };
    let warp = rod(
        "warp",
        4,
        "[0, 0.03, 0]",
        "[-0.03, 0, 0]",
        "[0.09, 0, 0]",
        edges[0],
    );
    let weft = rod(
        "weft",
        3,
        "[0.03, 0, 0]",
        "[0, -0.03, 0.0005]",
        "[0, 0.12, 0.0005]",
        edges[1],
    );
    format!("{weld}\n{warp}{weft}")
}

fn scene(text: &str) -> Scene {
    Scene::parse(text, "my.toml").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_net_has_a_joint_at_each_crossing() {
    let scene = scene(&net([20, 25], "weld_crossings = true"));
    assert_eq!(scene.spec.bodies.len(), 12);
    for (k, body) in scene.spec.bodies.iter().enumerate() {
        assert!(body.joint && body.welds.len() == 2);
        let place = body.position.map(|x| x.si());
        let wanted = [0.03 * (k % 3) as f64, 0.03 * (k / 3) as f64, 2.5e-4];
        for (x, w) in place.iter().zip(wanted) {
            assert!((x - w).abs() < 1e-12, "{k}: {place:?}");
        }
    }
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(setup.model.bodies.list.len(), 12);
    let again = Scene::parse(&scene.resolved().unwrap(), "again").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.spec, scene.spec);
    let report = scene.describe().unwrap().to_string();
    assert!(report.contains("4 more joints"), "{report}");
    assert!(
        report.lines().count() < 100 && !report.contains("bodies["),
        "{report}"
    );
}

#[test]
fn rods_are_chosen_by_name_and_by_distance() {
    let joints = |weld: &str| {
        let scene = Scene::parse(&net([20, 25], weld), "my.toml");
        scene
            .map(|s| s.spec.bodies.len())
            .map_err(|e| e.to_string())
    };
    assert_eq!(joints("weld_crossings = false"), Ok(0));
    assert_eq!(
        joints("weld_crossings = { rods = [\"warp\", \"weft[1]\"] }"),
        Ok(4)
    );
    assert_eq!(joints("weld_crossings = { rods = [0, 4, 5] }"), Ok(2));
    assert_eq!(joints("weld_crossings = { within = \"0.6 mm\" }"), Ok(12));
    let told = joints("weld_crossings = { within = \"0.4 mm\" }").unwrap_err();
    assert!(told.contains("no two rods come near enough"), "{told}");
}

/// Three rods that cross in one point are one joint.
#[test]
fn three_rods_in_a_point_are_one_joint() {
    let rod = "[[rods]]\nrepeat = { count = 3, ring = { axis = [0, 0, 1], angle = \"60 deg\" } }\n\
        shape = { straight = { from = [-0.05, 0, 0], to = [0.05, 0, 0], edges = 11 } }\n\
        section = { circle = { radius = \"1 mm\" } }\nmaterial = { young = \"1 GPa\", poisson = 0.5, density = 1000 }\n";
    let scene = scene(&format!("weld_crossings = true\n{rod}"));
    assert_eq!(scene.spec.bodies.len(), 1);
    assert_eq!(scene.spec.bodies[0].welds.len(), 3);
    scene.build().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn what_is_wrong_with_crossings_says_so() {
    let text = |weld: &str| net([20, 25], weld);
    for (text, parts, marked) in [
        (
            net([4, 25], "weld_crossings = true"),
            &["rod 0 crosses others at edges", "more edges"][..],
            "true",
        ),
        (
            text("weld_crossings = { rods = [\"wrap\"] }"),
            &["there is no rod `wrap`"],
            "{ rods",
        ),
        (
            text("weld_crossings = { rods = [9] }"),
            &["there is no rod 9", "0 to 6"],
            "{ rods",
        ),
        (
            text("weld_crossings = 3"),
            &["3 is not true, or a table"],
            "3",
        ),
    ] {
        check(&text, "weld_crossings", parts, marked);
    }
    let clamped = text("weld_crossings = true").replace(
        "name = \"weft\"",
        "name = \"weft\"\nclamps = [{ edge = 4 }]",
    );
    check(
        &clamped,
        "weld_crossings",
        &["clamped", "remove the clamp"],
        "true",
    );
}
