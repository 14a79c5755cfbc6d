//! Bodies that Rapier moves, from a scene file.

#[path = "common/refused.rs"]
mod refused;

use writhe::observe::observe;
use writhe_scenes::Scene;

use refused::refused;

/// A pendulum of two boxes on a hinge and a ball joint, with a rod from the second to a ball that
/// falls on a table.
const SCENE: &str = r#"
bending = "per-edge"
[gravity]
acceleration = [0, 0, -9.81]
[contact]
model = "none"
[damping]
viscosity = "20 mPa s"
[time]
duration = "0.6 s"
step = "0.25 ms"
integrator = "symplectic-projected"
engine = "rapier"
[[rods]]
name = "cord"
shape = { straight = { from = ["20 cm", 0, 0], to = ["40 cm", 0, 0], edges = 10 } }
section = { circle = { radius = "1 mm" } }
material = { young = "1 MPa", poisson = 0.5, density = "1000 kg/m^3" }
[[bodies]]
name = "upper"
solid = { box = { size = ["10 cm", "2 cm", "2 cm"] } }
mass = "100 g"
position = ["5 cm", 0, 0]
[[bodies]]
name = "lower"
solid = { box = { size = ["10 cm", "2 cm", "2 cm"] } }
mass = "100 g"
position = ["15 cm", 0, 0]
welds = [{ rod = "cord", edge = 0 }]
[[bodies]]
name = "ball"
solid = { sphere = { radius = "1 cm" } }
mass = "20 g"
position = ["40 cm", 0, 0]
welds = [{ rod = "cord", edge = "last" }]
collide = true
friction = 0.5
restitution = 0.2
[[bodies]]
name = "table"
solid = { box = { size = ["2 m", "2 m", "2 cm"] } }
mass = "1 kg"
position = [0, 0, "-21 cm"]
motion = "still"
collide = true
friction = 0.5
[[joints]]
bodies = ["upper"]
at = [0, 0, 0]
hinge = { axis = [0, 1, 0] }
[[joints]]
bodies = ["lower", "upper"]
at = ["10 cm", 0, 0]
"#;

#[test]
fn a_scene_runs_with_joints_and_collisions_of_the_engine() {
    let scene = Scene::parse(SCENE, "my.toml").unwrap();
    let told = scene.describe().unwrap().to_string();
    for words in [
        "their joints and collisions by Rapier",
        "bodies meet it with friction 0.5 and restitution 0.2",
        "upper to the scene at (0, 0, 0) m, a hinge about (0, 1, 0)",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    let resolved = Scene::parse(&scene.resolved().unwrap(), "again.toml").unwrap();
    assert_eq!(resolved.spec, scene.spec);
    let mut run = scene.build().unwrap().begin().unwrap();
    let mut lowest = f64::INFINITY;
    run.run_until(0.6, |s, _| {
        let bodies = observe(&s.model, &s.state).unwrap().bodies;
        let edge = |k: usize, x: f64| {
            bodies[k].position + bodies[k].orientation * writhe::glam::DVec3::X * x
        };
        // Joints hold: the hinge at the origin, the ball between the boxes.
        assert!(edge(0, -0.05).length() < 2e-4, "{}", edge(0, -0.05));
        assert!((edge(0, 0.05) - edge(1, -0.05)).length() < 2e-3);
        lowest = lowest.min(bodies[2].position.z);
        true
    })
    .unwrap();
    println!("the ball went down to {lowest:.5} m; the table is at -.2 m");
    assert!((lowest + 0.19).abs() < 5e-4, "{lowest}");
}

#[test]
fn what_needs_the_engine_is_refused_without_it() {
    let free = SCENE.replace("engine = \"rapier\"\n", "");
    let collide = refused(&free);
    assert!(
        collide.contains("bodies[2].collide") && collide.contains("time.engine = \"rapier\""),
        "{collide}"
    );
    let implicit = refused(&SCENE.replace("symplectic-projected", "implicit"));
    assert!(
        implicit.contains("time.engine") && implicit.contains("symplectic-projected"),
        "{implicit}"
    );
    let weak = refused(&SCENE.replace(
        "hinge = {",
        "strength = 1
hinge = {",
    ));
    assert!(weak.contains("joints[0].strength"), "{weak}");
    let settle = refused(&SCENE.replace("engine =", "settle = true\nengine ="));
    assert!(settle.contains("time.settle"), "{settle}");
    let word = refused(&SCENE.replace("\"rapier\"", "\"rappier\""));
    assert!(word.contains("`rapier`"), "{word}");
    let bouncy = refused(&SCENE.replace("restitution = 0.2", "restitution = 2"));
    assert!(bouncy.contains("bodies[2].restitution"), "{bouncy}");
}

/// Joints need no engine: the core keeps them together in explicit steps too.
#[test]
fn joints_hold_without_the_engine() {
    let free = SCENE
        .replace("engine = \"rapier\"\n", "")
        .replace("collide = true\n", "");
    let scene = Scene::parse(&free, "my.toml").unwrap();
    let mut run = scene.build().unwrap().begin().unwrap();
    run.run_until(0.05, |s, _| {
        let bodies = observe(&s.model, &s.state).unwrap().bodies;
        let edge = |k: usize, x: f64| {
            bodies[k].position + bodies[k].orientation * writhe::glam::DVec3::X * x
        };
        assert!(edge(0, -0.05).length() < 1e-9, "{}", edge(0, -0.05));
        let apart = (edge(0, 0.05) - edge(1, -0.05)).length();
        assert!(apart < 1e-9, "{apart} m");
        true
    })
    .unwrap();
}
