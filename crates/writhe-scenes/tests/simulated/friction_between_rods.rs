//! Scenes in which friction between rods differs by direction.

use writhe::simulation::Simulation;
use writhe_scenes::Scene;

/// A rod with scales lies across two rails that have some, too.
const RAILS: &str = r#"
contact = { friction_on_twist = false }
time = { duration = "0.1 s", step = "1 ms" }
output = { every = "10 ms" }

[[rods]]
name = "rail"
repeat = { count = 2, step = [0, "8 cm", 0] }
shape = { straight = { from = ["-45 cm", "-4 cm", 0], to = ["45 cm", "-4 cm", 0], edges = 5 } }
section = { circle = { radius = "5 mm" } }
material = { young = "200 GPa", poisson = 0.3, density = "8000 kg/m^3" }
clamps = [{ edge = 0 }, { edge = 1 }, { edge = 2 }, { edge = 3 }, { edge = 4 }]
friction_by_direction = { forward = 0.2, backward = 0.4, across = 0.1 }

[[rods]]
name = "slider"
shape = { straight = { from = [0, "-20 cm", "10 mm"], to = [0, "20 cm", "10 mm"], edges = 13 } }
section = { circle = { radius = "5 mm" } }
material = { young = "200 GPa", poisson = 0.3, density = "8000 kg/m^3" }
friction_by_direction = { forward = 0.15, backward = 0.5, across = 0.3 }
"#;

fn rails(gravity: [f64; 3]) -> Scene {
    let text = format!("title = \"rails\"\ngravity = {{ acceleration = {gravity:?} }}{RAILS}");
    Scene::parse(&text, "rails").unwrap_or_else(|e| panic!("{e}"))
}

/// The rod slides down by g_x - mu g_z, mu being half the sum of what both rods have for their own
/// direction: where the slider goes along the rails, these slide under it to the other side.
#[test]
fn a_rod_slides_on_rails() {
    for (pull, mu) in [
        ([6.0, 0.0], 0.5 * (0.3 + 0.4)),
        ([-6.0, 0.0], 0.5 * (0.3 + 0.2)),
        ([0.0, 6.0], 0.5 * (0.15 + 0.1)),
        ([0.0, -6.0], 0.5 * (0.5 + 0.1)),
    ] {
        let [x, y] = pull;
        let setup = rails([x, y, -8.0]).build().unwrap();
        let mut run = Simulation::new(setup.model, setup.state, setup.step);
        let velocity = |run: &Simulation| {
            let slider = run.model.topology.rods[2];
            let along = if x == 0.0 { 1 } else { 0 };
            let nodes = slider.first_node..slider.first_node + slider.nodes;
            let sum: f64 = nodes
                .map(|n| run.state.velocity[run.model.topology.node_dof[n] + along])
                .sum();
            sum / slider.nodes as f64
        };
        run.run_until(0.03, |_, _| true).unwrap();
        let before = velocity(&run);
        run.run_until(0.1, |_, _| true).unwrap();
        let found = (velocity(&run) - before) / 0.07;
        let wanted = (x + y).signum() * (6.0 - mu * 8.0);
        println!("pulled by {pull:?}: {found} m/s^2, law {wanted}");
        assert!((found / wanted - 1.0).abs() < 1e-4, "{found} {wanted}");
    }
}

#[test]
fn it_is_built_described_and_survives() {
    let scene = rails([0.0, 0.0, -9.81]);
    let model = scene.build().unwrap().model;
    let forward = |d: &Option<writhe::contact::Directions>| d.map(|d| d.forward);
    let own: Vec<_> = model.friction_by_direction.iter().map(forward).collect();
    assert_eq!(own, [Some(0.2), Some(0.2), Some(0.15)]);
    let report = scene.describe().unwrap().to_string();
    let words = "0.15 towards a rod's last node, 0.5 towards its first, 0.3 across";
    assert!(report.contains(words), "{report}");
    let resolved = scene.resolved().unwrap();
    let again = Scene::parse(&resolved, "resolved").unwrap_or_else(|e| panic!("{e}\n{resolved}"));
    assert_eq!(again.spec, scene.spec);
}

/// What cannot be had is one message with the remedy.
#[test]
fn what_does_not_go_together_is_one_message() {
    let fault = |from: &str, to: &str| {
        let text = format!("title = \"rails\"{RAILS}").replacen(from, to, 1);
        match Scene::parse(&text, "rails").and_then(|scene| scene.build()) {
            Ok(_) => panic!("`{to}` is taken"),
            Err(e) => e.to_string(),
        }
    };
    let axes = "friction_on_twist = false";
    let remedy = "contact.friction_solve = \"implicit\"";
    for (from, to, words) in [
        (axes, "model = \"ipc\"", remedy),
        (axes, "friction_solve = { lagged = 1 }", remedy),
        (axes, "model = \"imc-smooth\"", "contact.model = \"imc\""),
        (
            axes,
            "static_friction = \"anchor\"",
            "leave contact.static_friction out",
        ),
        (", across = 0.1", "", "`across` is missing"),
        ("across = 0.1", "across = -0.1", "from 0 to 100"),
    ] {
        let message = fault(from, to);
        assert!(message.contains(words), "{to}: {message}");
    }
}
