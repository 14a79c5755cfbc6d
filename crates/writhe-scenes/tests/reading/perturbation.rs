//! `perturbation`: rods that are not perfect.

use crate::common;
use common::{ROD, check};
use writhe::glam::DVec3;
use writhe::observe::observe;
use writhe_scenes::Scene;

fn built(text: &str) -> (writhe::model::Model, writhe::state::State) {
    let scene = Scene::parse(text, "my.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}\n{text}"));
    (setup.model, setup.state)
}

fn positions(text: &str) -> Vec<DVec3> {
    let (model, state) = built(text);
    model.positions(&state)
}

/// Largest distance between two sets of points.
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
    distances.fold(0.0, f64::max)
}

#[test]
fn nodes_move_by_the_amplitude_and_nothing_is_stressed() {
    let straight = positions(ROD);
    let text = format!("perturbation = \"0.1 mm\"\n{ROD}");
    let crooked = positions(&text);
    assert!((distance(&straight, &crooked) - 1e-4).abs() < 1e-15);
    let ends = [0, 10].map(|i| crooked[i].distance(straight[i]));
    assert!(ends.iter().all(|moved| *moved < 1e-18), "{ends:?}");
    // Across the rod.
    assert!(
        crooked
            .iter()
            .zip(&straight)
            .all(|(a, b)| (a.x - b.x).abs() < 1e-15)
    );
    assert!(crooked.iter().any(|x| x.y.abs() > 1e-5) && crooked.iter().any(|x| x.z.abs() > 1e-5));
    let (model, state) = built(&text);
    let energy = observe(&model, &state).unwrap().elastic.total();
    assert!(energy < 1e-25, "{energy}");
}

#[test]
fn a_rest_shape_of_its_own_keeps_its_stresses() {
    for (shape, rest) in [
        (
            "ring = { radius = 0.05, edges = 60 }",
            "rest = \"straight\"",
        ),
        (
            "arc = { from = [0, 0, 0], tangent = [1, 0, 0], towards = [0, 1, 0], radius = 0.1, angle = 2, edges = 60 }",
            "rest = { straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 60 } }",
        ),
    ] {
        let line = ROD.lines().find(|l| l.starts_with("shape")).unwrap();
        let rod = ROD.replace(line, &format!("shape = {{ {shape} }}\n{rest}"));
        let energy = |text: &str| {
            let (model, state) = built(text);
            observe(&model, &state).unwrap().elastic
        };
        let (perfect, crooked) = (energy(&rod), energy(&format!("perturbation = 1e-5\n{rod}")));
        let change = (crooked.bend / perfect.bend - 1.0).abs();
        assert!(change < 2e-3, "{shape}: {change}");
        let more = crooked.stretch - perfect.stretch;
        assert!(more.abs() < 1e-6 * perfect.bend, "{shape}: {more}");
    }
}

#[test]
fn the_same_seed_is_the_same_shape_at_any_number_of_edges() {
    let with = |perturbation: &str, edges: usize| {
        let rod = ROD.replace("edges = 10", &format!("edges = {edges}"));
        positions(&format!("perturbation = {perturbation}\n{rod}"))
    };
    let coarse = with("1e-4", 80);
    assert_eq!(coarse, with("1e-4", 80));
    assert_eq!(coarse, with("{ amplitude = 1e-4, seed = 0 }", 80));
    let fine = with("1e-4", 160);
    let same: Vec<DVec3> = fine.iter().step_by(2).copied().collect();
    let apart = distance(&coarse, &same);
    assert!(apart < 5e-6, "{apart}");
    let other = with("{ amplitude = 1e-4, seed = 1 }", 80);
    assert!(distance(&coarse, &other) > 5e-5);
}

#[test]
fn check_tells_it_and_the_run_keeps_it() {
    let text = format!("perturbation = {{ amplitude = \"0.1 mm\", seed = 3 }}\n{ROD}");
    let scene = Scene::parse(&text, "my.toml").unwrap();
    let report = scene.describe().unwrap().to_string();
    let line = "rods deviate by up to 100 µm from their shapes, initial and at rest (seed 3)";
    assert!(report.contains(line), "{report}");
    let again = Scene::parse(&scene.resolved().unwrap(), "resolved").unwrap();
    assert_eq!(again.spec, scene.spec);
    check(
        &format!("perturbation = \"0 mm\"\n{ROD}"),
        "perturbation",
        &["greater than zero"],
        "\"0 mm\"",
    );
    check(
        &format!("perturbation = \"1 s\"\n{ROD}"),
        "perturbation",
        &["is a time"],
        "\"1 s\"",
    );
}
