//! The integrator symplectic-projected and bending per edge, from a scene file.

use crate::refused;
use writhe::simulation::Simulation;
use writhe::step::Integrator;
use writhe_scenes::Scene;

use refused::refused;

const SCENE: &str = r#"
bending = "per-edge"

[gravity]
acceleration = [0, 0, -9.81]

[contact]
model = "none"

[time]
duration = "0.1 s"
step = "0.5 ms"
integrator = "symplectic-projected"

[[rods]]
shape = { straight = { from = [0, 0, 0], to = [0.3, 0, 0], edges = 10 } }
section = { circle = { radius = "2 mm" } }
material = { young = "1 MPa", poisson = 0.5, density = "1000 kg/m^3" }
clamps = [{ edge = 0 }]
"#;

#[test]
fn a_scene_runs_with_explicit_steps() {
    let scene = Scene::parse(SCENE, "my.toml").unwrap();
    let setup = scene.build().unwrap();
    assert_eq!(setup.step.integrator, Integrator::SymplecticProjected);
    assert_eq!(
        setup.model.bending.len(),
        2 * setup.model.topology.vertices()
    );
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    run.run_until(0.1, |_, _| true).unwrap();
    let tip = run.model.positions(&run.state)[10];
    assert!(tip.z < -0.03, "it must fall: {tip}");
    let resolved = Scene::parse(&scene.resolved().unwrap(), "again.toml").unwrap();
    assert_eq!(resolved.spec, scene.spec);
}

#[test]
fn check_tells_the_largest_stable_step() {
    let told = Scene::parse(SCENE, "my.toml").unwrap().describe().unwrap();
    let text = told.to_string();
    assert!(text.contains("lengths kept by projection"), "{text}");
    assert!(text.contains("largest stable step"), "{text}");
    assert_eq!(told.warnings().count(), 0, "{text}");
    let large = SCENE.replace("0.5 ms", "50 ms");
    let told = Scene::parse(&large, "my.toml").unwrap().describe().unwrap();
    let warning = told.warnings().next().unwrap();
    assert_eq!(warning.key, "time.step");
    assert!(warning.message.contains("the largest stable one is"));
}

#[test]
fn what_explicit_steps_do_not_know_is_refused() {
    let contact = refused(&SCENE.replace("\"none\"", "\"imc\""));
    assert!(
        contact.contains("contact.model")
            && contact.contains("time.integrator = \"implicit\"")
            && contact.contains("\"spillmann-teschner\""),
        "{contact}"
    );
    let fluid = refused(&format!(
        "{SCENE}\n[fluid]\nmodel = \"stokeslet-segments\"\nviscosity = \"1 Pa s\""
    ));
    assert!(fluid.contains("fluid.model"), "{fluid}");
    let word = refused(&SCENE.replace("symplectic-projected", "symplectic"));
    assert!(
        word.contains("time.integrator") && word.contains("`symplectic-projected`"),
        "{word}"
    );
    let bending = refused(&SCENE.replace("per-edge", "per-node"));
    assert!(
        bending.contains("bending") && bending.contains("`per-edge`"),
        "{bending}"
    );
    let free = SCENE.replace("clamps", "held = [{ node = 0, axes = \"xyz\" }]\n# clamps");
    let spin = refused(&format!("spin_inertia = \"full\"\n{free}"));
    assert!(
        spin.contains("spin_inertia")
            && spin.contains("time.integrator = \"implicit\"")
            && spin.contains("spin_inertia = \"angles\""),
        "{spin}"
    );
    let word = refused(&format!("spin_inertia = \"all\"\n{SCENE}"));
    assert!(
        word.contains("spin_inertia") && word.contains("`full`") && word.contains("`angles`"),
        "{word}"
    );
}

/// The scene asks before there is a model, the core looks at the model: both must know the same.
#[test]
fn the_scene_refuses_of_explicit_steps_what_the_core_refuses() {
    let implicit = SCENE.replace("\"symplectic-projected\"", "\"implicit\"");
    let mut texts = vec![implicit.clone()];
    for model in ["imc", "ipc", "imc-smooth", "spillmann-teschner"] {
        texts.push(implicit.replace("\"none\"", &format!("\"{model}\"")));
    }
    for model in ["stokeslet-segments", "resistive-force"] {
        texts.push(format!(
            "{implicit}\n[fluid]\nmodel = \"{model}\"\nviscosity = \"1 Pa s\"\nwavelength = 1"
        ));
    }
    let body =
        "[[bodies]]\nmass = 1\nsolid = { sphere = { radius = 0.1 } }\nposition = [1, 1, 1]\n";
    texts.push(format!("{implicit}\n{body}"));
    texts.push(format!(
        "{implicit}\n{body}[[joints]]\nbodies = [0]\nat = [1, 1, 1]"
    ));
    // Known where an angle is held.
    let full = format!("spin_inertia = \"full\"\n{implicit}");
    texts.push(full.replace("clamps", "held = [{ node = 0, axes = \"xyz\" }]\n# clamps"));
    texts.push(full);
    let mut refused = 0;
    for text in &texts {
        let scene = |text: &str| Scene::parse(text, "my.toml").unwrap();
        let model = scene(text).build().unwrap().model;
        let explicit = scene(&text.replace("\"implicit\"", "\"symplectic-projected\"")).build();
        let supported = writhe::step::supports(&model);
        assert_eq!(explicit.is_ok(), supported.is_ok(), "{supported:?}: {text}");
        refused += usize::from(supported.is_err());
    }
    assert_eq!(refused, 5);
}

/// Rods on a floor and on a body that hangs from a joint of the core: explicit steps know all of it,
/// implicit ones not with these forces of contact, and the message has the keys.
#[test]
fn obstacles_bodies_and_joints_go_with_explicit_steps() {
    let text = r#"
        bending = "per-edge"
        [gravity]
        acceleration = [0, 0, -9.81]
        [[rods]]
        shape = { straight = { from = [0, 0, "11.5 mm"], to = ["100 mm", 0, "11.5 mm"], edges = 10 } }
        section = { circle = { radius = "1 mm" } }
        material = { young = "1 MPa", poisson = 0.5, density = 1000 }
        [[bodies]]
        mass = "20 g"
        solid = { sphere = { radius = "10 mm" } }
        position = ["52 mm", 0, 0]
        touch = true
        friction = 0.3
        [[joints]]
        bodies = [0]
        at = ["52 mm", 0, "5 mm"]
        [[obstacles]]
        shape = { half_space = { point = [0, 0, "-40 mm"], normal = [0, 0, 1] } }
        [contact]
        model = "spillmann-teschner"
        [time]
        duration = "20 ms"
        step = ".1 ms"
        integrator = "symplectic-projected"
    "#;
    let setup = Scene::parse(text, "my.toml").unwrap().build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    let mut most = 0;
    run.run_until(0.02, |_, report| {
        most = most.max(report.contacts);
        assert!(report.penetration < 1.01e-4, "{report:?}");
        true
    })
    .unwrap();
    assert!(most > 0, "it must touch");
    let implicit = |text: &str| refused(&text.replace("symplectic-projected", "implicit"));
    let error = implicit(text);
    assert!(
        error.contains("contact.model")
            && error.contains("time.integrator = \"symplectic-projected\"")
            && error.contains("contact.model = \"imc\""),
        "{error}"
    );
}

/// B08 Fig. 9 with the paper's integrator and contact: the rod winds about itself, stays as long as
/// it is, and touches itself where it is wound.
#[test]
fn a_plectoneme_winds_up_with_explicit_steps() {
    let text = r#"
        bending = "per-edge"
        [scene]
        name = "plectoneme"
        edges = 90
        turned = "10 turns"
        taking = "4 s"
        rod_radius = "6 mm"
        [contact]
        model = "spillmann-teschner"
        [time]
        duration = "6 s"
        step = "1 ms"
        integrator = "symplectic-projected"
    "#;
    let setup = Scene::parse(text, "my.toml").unwrap().build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    let (mut most, mut deepest) = (0, 0.0_f64);
    run.run_until(6.0, |s, report| {
        most = most.max(report.contacts);
        deepest = deepest.max(report.penetration);
        assert!(s.state.q.iter().all(|x| x.is_finite()));
        true
    })
    .unwrap();
    let of = run.statistics;
    println!(
        "plectoneme: {} steps, {} rejected, {:.1} iterations and {:.1} responses a step; up to {most} pairs, {deepest:.1e} radii deep",
        of.steps,
        of.rejected_steps,
        of.newton_iterations as f64 / of.steps as f64,
        of.krylov_iterations as f64 / of.steps as f64
    );
    assert!(most > 10, "it must touch itself: {most}");
    assert!(deepest < 1.01e-4, "{deepest}");
}

#[cfg(not(feature = "rapier"))]
#[test]
fn an_engine_that_is_not_built_in_is_refused() {
    let with = SCENE.replace("[time]", "[time]\nengine = \"rapier\"");
    let engine = refused(&with);
    assert!(
        engine.contains("time.engine") && engine.contains("--features rapier"),
        "{engine}"
    );
}
