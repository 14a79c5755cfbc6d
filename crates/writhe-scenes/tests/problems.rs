//! The scenes of examples/problems that need no run: their numbers.

use std::path::Path;

use writhe::simulation::Simulation;
use writhe_scenes::Scene;

fn problem(name: &str) -> Scene {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/problems/{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() <= 25, "{name} is longer than 25 lines");
    Scene::parse(&text, name).unwrap_or_else(|e| panic!("{e}"))
}

/// A long beam on the ground sinks in by P beta/(2 k) under a load (Hetenyi 1946).
#[test]
fn a_wheel_sinks_into_the_ground() {
    let setup = problem("foundation").build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    run.settle().unwrap();
    let z = run.model.positions(&run.state)[100].z;
    let (load, k) = (50e3, 40e6);
    let ei = 210e9 * 0.067 * 0.153_f64.powi(3) / 12.0;
    let beta = (k / (4.0 * ei)).powf(0.25);
    let expected = load * beta / (2.0 * k);
    println!("{z} m, {expected} m");
    assert!((z / -expected - 1.0).abs() < 5e-3, "{z} {expected}");
}

#[test]
fn foundations_that_make_no_sense_are_refused() {
    let scene = |foundation: &str| {
        let text = format!(
            "[[rods]]\nshape = {{ straight = {{ to = [1, 0, 0], edges = 4 }} }}\nsection = {{ circle = {{ radius = 0.01 }} }}\n\
             material = {{ young = 1e6, poisson = 0.5, density = 1000 }}\nfoundation = {foundation}\n"
        );
        let scene = Scene::parse(&text, "test");
        match scene.and_then(|s| s.build().map(|_| ())) {
            Ok(()) => String::new(),
            Err(e) => e.to_string(),
        }
    };
    assert_eq!(scene("{ normal = \"1 kPa\", edges = [0, 3] }"), "");
    for (foundation, words) in [
        ("{}", "greater than zero, or `tangential` is"),
        ("{ normal = -1 }", "normal"),
        ("{ normal = 1, edges = [0, 4] }", "foundation.edges"),
        ("{ normal = 1, edges = [2, 1] }", "first not after last"),
        ("{ normal = \"1 N/m\" }", "1 N/m"),
        (
            "{ normal = 1, plane = { normal = [0, 0, 0] } }",
            "length greater than zero",
        ),
    ] {
        let message = scene(foundation);
        assert!(message.contains(words), "{foundation}: {message}");
    }
}
