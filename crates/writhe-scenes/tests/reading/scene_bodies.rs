//! Rigid bodies and wind in scene files: what is built, told and refused.

use glam::{DQuat, DVec3};
use writhe::constraints::Constraint;
use writhe_scenes::Scene;

const ROD: &str = "[[rods]]\nname = \"stem\"\nshape = { straight = { from = [0, 0, 0], to = [\"20 cm\", 0, 0], edges = 10 } }\n\
    section = { circle = { radius = \"1 mm\" } }\nmaterial = { young = \"3 MPa\", poisson = 0.5, density = 1000 }\n";

fn parse(bodies: &str) -> Result<Scene, String> {
    let text = format!("{ROD}[contact]\nmodel = \"none\"\n{bodies}");
    Scene::parse(&text, "test").map_err(|e| e.to_string())
}

const ALL: &str = r#"
[[bodies]]
name = "ball"
solid = { sphere = { radius = "1 cm" } }
density = "2000 kg/m^3"
position = ["21 cm", 0, 0]
velocity = [0, "1 cm/s", 0]
welds = [{ rod = "stem", edge = "last" }]
[[bodies]]
solid = { box = { size = ["1 cm", "2 cm", "3 cm"] } }
mass = "10 g"
orientation = { axis = [0, 0, 1], angle = "90 deg" }
guide = { position = "xy", turn = "z" }
[[bodies]]
mass = "10 g"
inertia = ["1e-6 kg m^2", "2e-6 kg m^2", "2.5e-6 kg m^2"]
angular_velocity = [0, 0, "60 rpm"]
[[bodies]]
solid = { cylinder = { radius = "1 cm", length = "2 cm" } }
mass = "10 g"
motion = { rotation = { axis = [0, 1, 0], speed = "10 rpm" } }
[[bodies]]
joint = true
welds = [{ edge = 0 }]
[wind]
velocity = ["5 m/s", 0, 0]
amplitude = { rate = "0.5 1/s" }
gusts = { strength = 0.4, period = "3 s" }
drag = { linear = { coefficient = "0.01 Pa s" } }
"#;

#[test]
fn every_kind_of_body_builds_is_described_and_survives() {
    let scene = parse(ALL).unwrap();
    let setup = scene.build().unwrap();
    let (model, state) = (&setup.model, &setup.state);
    assert_eq!(model.bodies.list.len(), 5);
    let ball = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
    // Rods lump mass in nodes: the last edge brings half an edge more than its own.
    let edge = 1000.0 * std::f64::consts::PI * 1e-6 * 0.02;
    let found = model.bodies.list[0].mass;
    assert!((found - ball - 1.5 * edge).abs() < 1e-12, "{found}");
    let sides = DVec3::new(0.01, 0.02, 0.03);
    let cuboid = model.bodies.list[1].inertia.col(2).z;
    assert!((cuboid - 0.01 / 12.0 * (sides.x.powi(2) + sides.y.powi(2))).abs() < 1e-15);
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    assert!(state.frames.orientation[1].dot(quarter).abs() > 1.0 - 1e-12);
    let spin = DVec3::from_slice(&state.velocity[model.topology.body_dof[2] + 3..]);
    assert!((spin - DVec3::Z * std::f64::consts::TAU).length() < 1e-12);
    let held: Vec<usize> = model
        .constraints
        .list()
        .iter()
        .filter_map(|c| match c {
            Constraint::Body { body, .. } | Constraint::BodyAxes { body, .. } => Some(*body),
            _ => None,
        })
        .collect();
    assert_eq!(held, [1, 3]);
    let resolved = scene.resolved().unwrap();
    let again = Scene::parse(&resolved, "resolved").unwrap_or_else(|e| panic!("{e}\n{resolved}"));
    assert_eq!(again.spec, scene.spec);
    let report = scene.describe().unwrap().to_string();
    for words in [
        "Body 0: ball",
        "sphere of radius 10 mm",
        "of the homogeneous solid",
        "last edge of rod 0 (stem)",
        "keeps xy, does not turn about z, free otherwise",
        "turned by 90 deg about (0, 0, 1)",
        "turns at 1.047 rad/s (10 rpm)",
        "Joints of rods, without mass of their own",
        "(5, 0, 0) m/s times 0 + 0.5 t, gusts of up to 40 % over 3 s; linear drag, 10 mPa s",
    ] {
        assert!(report.contains(words), "{words} is not in\n{report}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let one = |keys: &str| format!("[[bodies]]\n{keys}\n");
    let ball = "solid = { sphere = { radius = \"1 cm\" } }\nmass = \"10 g\"";
    for (bodies, words) in [
        (one("mas = 1"), "did you mean `mass`?"),
        (one(""), "`mass` is missing"),
        (one("mass = 1"), "`inertia` is missing"),
        (one("density = 1"), "`solid` is missing"),
        (one("mass = 0\ninertia = [1, 1, 1]"), "greater than zero"),
        (one("mass = 1\ninertia = [1, 1, 3]"), "sum of the other two"),
        (
            one("mass = 1\ninertia = [\"1 kg\", 1, 1]"),
            "a moment of inertia",
        ),
        (
            one("joint = true\nmass = 1"),
            "`mass` and `joint` exclude each other",
        ),
        (one("joint = true"), "at least one edge"),
        (one("solid = { ball = {} }\nmass = 1"), "`ball`"),
        (
            one("solid = { sphere = { radius = 0 } }\nmass = 1"),
            "greater than zero",
        ),
        (
            one(&format!("{ball}\nguide = {{ position = \"xx\" }}")),
            "letters of",
        ),
        (one(&format!("{ball}\nguide = {{}}")), "position = \"xy\""),
        (
            one(&format!(
                "{ball}\nguide = {{ turn = \"x\" }}\nmotion = \"still\""
            )),
            "exclude",
        ),
        ("[wind]\nvelocity = [1, 0]".into(), "a list of 3"),
        (
            "[wind]\ngusts = { strength = 1, period = 1 }".into(),
            "`velocity` is missing",
        ),
        (
            "[wind]\nvelocity = [1, 0, 0]\ndrag = { square = {} }".into(),
            "`square`",
        ),
    ] {
        let message = parse(&bodies).map(|_| ()).unwrap_err();
        assert!(message.contains(words), "{bodies}: {message}");
    }
    for (welds, words) in [
        ("[{ rod = \"steam\", edge = 0 }]", "did you mean `stem`?"),
        ("[{ rod = 1, edge = 0 }]", "the number of a rod, 0 to 0"),
        ("[{ edge = 10 }]", "edge 10 does not exist"),
        (
            "[{ edge = \"first\" }, { edge = 0 }]",
            "welded twice to this body",
        ),
    ] {
        let scene = parse(&one(&format!("{ball}\nwelds = {welds}"))).unwrap();
        let message = scene.build().map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(words), "{welds}: {message}");
        assert!(message.contains("bodies[0].welds"), "{message}");
    }
    let mut scene = parse(&one(&format!("{ball}\nwelds = [{{ edge = 0 }}]"))).unwrap();
    scene.set("rods[0].clamps=[{ edge = 0 }]").unwrap();
    let message = scene.build().map(|_| ()).unwrap_err().to_string();
    assert!(
        message.contains("clamped") && message.contains("motion"),
        "{message}"
    );
}

/// A bob leaves the equilibrium that it hangs in with the velocity that the scene gives it.
#[test]
fn bodies_are_pushed_from_equilibrium() {
    let scene = parse(
        "[gravity]\nacceleration = [0, 0, -1]\n[time]\nsettle = true\n[[bodies]]\nsolid = { sphere = { radius = \"1 cm\" } }\n\
         mass = \"1 g\"\nposition = [\"21 cm\", 0, 0]\nvelocity = [0, \"1 cm/s\", 0]\nwelds = [{ rod = 0, edge = \"last\" }]\n\
         [[bodies]]\njoint = true\nmotion = \"still\"\nwelds = [{ rod = 0, edge = \"first\" }]",
    )
    .unwrap();
    let run = scene.build().unwrap().begin().unwrap();
    let body = run.model.topology.body_dof[0];
    assert!(run.state.q[body + 2] < -0.05, "it hangs");
    assert_eq!(&run.state.velocity[body..body + 3], [0.0, 0.01, 0.0]);
    let node = run.model.topology.node_dof[10];
    assert_eq!(&run.state.velocity[node..node + 3], [0.0, 0.01, 0.0]);
}

const JOINED: &str = r#"
[contact]
model = "imc"
friction = 0.2
[[bodies]]
name = "frame"
mass = "1 kg"
inertia = ["1e-3 kg m^2", "1e-3 kg m^2", "1e-3 kg m^2"]
motion = "still"
[[bodies]]
name = "rotor"
solid = { cylinder = { radius = "1 cm", length = "4 cm" } }
mass = "50 g"
position = [0, "5 cm", 0]
touch = true
friction = 0.6
[[joints]]
bodies = ["rotor", "frame"]
at = [0, "5 cm", 0]
hinge = { axis = [0, 0, 1], angle = { rate = "60 rpm" } }
"#;

fn joined(edit: impl Fn(&str) -> String) -> Result<Scene, String> {
    let text = format!("{ROD}{}", edit(JOINED));
    let scene = Scene::parse(&text, "test").map_err(|e| e.to_string())?;
    scene.build().map_err(|e| e.to_string())?;
    Ok(scene)
}

#[test]
fn a_motor_turns_a_body_that_rods_touch() {
    let scene = joined(str::to_owned).unwrap();
    let said = scene.describe().unwrap().to_string();
    for line in [
        "which rods touch with friction 0.6",
        "rotor to frame",
        "a hinge about",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    let setup = scene.build().unwrap();
    assert_eq!(setup.model.obstacles.len(), 1);
    let mut run = setup.begin().unwrap();
    run.run_until(0.1, |_, _| true).unwrap();
    let turned = run.state.frames.orientation[1].to_scaled_axis();
    let wanted = DVec3::Z * (0.1 * std::f64::consts::TAU);
    assert!((turned - wanted).length() < 1e-9, "{turned}");
}

#[test]
fn joints_that_cannot_be_are_refused_by_key() {
    for (from, to, key, text) in [
        (
            "\"rotor\", \"frame\"",
            "\"roter\", \"frame\"",
            "joints[0].bodies[0]",
            "did you mean `rotor`?",
        ),
        (
            "\"rotor\", \"frame\"",
            "7",
            "joints[0].bodies[0]",
            "there is no body 7",
        ),
        (
            "\"rotor\", \"frame\"",
            "\"frame\"",
            "joints[0]",
            "free to move",
        ),
        (
            "angle = {",
            "torque = \"1 mN m\", angle = {",
            "torque",
            "exclude each other",
        ),
        (
            "hinge = {",
            "weld = true\nhinge = {",
            "weld",
            "exclude each other",
        ),
        ("hinge = {", "strength = 0\nhinge = {", "strength", "0"),
        ("touch = true", "toch = true", "toch", "touch"),
        ("model = \"imc\"", "model = \"ipc\"", "contact.model", "imc"),
    ] {
        let said = joined(|s| s.replace(from, to)).unwrap_err();
        assert!(said.contains(key) && said.contains(text), "{said}");
    }
}

/// Three links, each closed by a weld that bears a force, are pulled until one breaks.
#[test]
fn a_chain_breaks_where_a_link_bears_no_more() {
    let text = "[scene]\nname = \"hanging-chain\"\nlinks = 3\nedges = 24\nstrength = \"3 N\"\nslack = 0.1\nhanging = 1\n\
                speed = 0.1\ngravity = 0\n[damping]\nviscosity = 0.5\n[time]\nduration = 40\nstep = \"20 ms\"";
    let scene = Scene::parse(text, "test").unwrap();
    let said = scene.describe().unwrap().to_string();
    assert!(said.contains("a weld, which breaks beyond 3 N"), "{said}");
    let mut run = scene.build().unwrap().begin().unwrap();
    let mut pull = 0.0_f64;
    run.run_until(40.0, |run, _| {
        let o = writhe::observe::observe(&run.model, &run.state).unwrap();
        if o.joints_broken == 0 {
            let most = o.joints.iter().map(|j| j.force.length());
            assert!(most.fold(0.0, f64::max) <= 3.0);
            pull = o.reactions[1].force.x;
        }
        o.joints_broken == 0
    })
    .unwrap();
    assert_eq!(run.state.broken.iter().filter(|b| **b).count(), 1);
    // Half of the pull goes through each side of a link, bent somewhat by the stiff piece that
    // closes one of them.
    println!("broke at {:.2} s, pulled by {pull:.3} N", run.state.time);
    assert!((pull / 6.0 - 1.0).abs() < 0.1, "{pull}");
}

/// A small tree stands under gravity, and wind bends it the way that it blows.
#[test]
fn a_tree_stands_and_bends_with_the_wind() {
    let text = "[scene]\nname = \"tree-in-wind\"\nbranches = 2\ntwigs = 2\nnodes = [12, 10, 5]\n\
                [wind]\namplitude = 1\n[time]\nstep = \"20 ms\"";
    let scene = Scene::parse(text, "test").unwrap();
    let mut run = scene.build().unwrap().begin().unwrap();
    let top = |run: &writhe::simulation::Simulation| run.model.positions(&run.state)[11];
    let before = top(&run);
    assert!(before.z > 3.9 && before.z < 4.0, "{before}");
    run.run_until(0.5, |_, _| true).unwrap();
    let after = top(&run);
    assert!(after.x - before.x > 0.01, "{before} {after}");
}
