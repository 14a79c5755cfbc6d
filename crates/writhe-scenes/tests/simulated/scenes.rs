//! Overrides, free scenes, half edges, rest shapes, files.

use glam::DVec3;
use std::f64::consts::PI;
use writhe::contact::{
    ContactJacobian, ContactModel, FrictionSolve, ImcSmoothSettings, LaggedFriction, Stiffness,
};
use writhe::step::Scheme;
use writhe_scenes::{Files, Scene, template};

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test").unwrap_or_else(|e| panic!("{e}"))
}

fn rod(shape: &str, more: &str) -> String {
    format!(
        "[[rods]]\nshape = {shape}\nsection = {{ circle = {{ radius = \"1 mm\" }} }}\n\
         material = {{ young = \"3 MPa\", poisson = 0.5, density = 1000 }}\n{more}\n"
    )
}

fn positions(scene: &Scene) -> Vec<DVec3> {
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    setup.model.positions(&setup.state)
}

#[test]
fn overrides_take_numbers_words_and_units() {
    let mut s = scene(template("flagella").expect("template"));
    s.set_all(&[
        "contact.friction=0.3",
        "time.step=5 ms",
        "time.scheme=bdf2",
        "scene.count=3",
    ])
    .expect("sets");
    s.set("contact.stiffness=1e-6 N m").expect("sets");
    s.set("title=Three of them").expect("sets");
    let setup = s.build().expect("builds");
    assert_eq!((setup.step.dt, setup.step.scheme), (0.005, Scheme::Bdf2));
    assert_eq!(setup.model.topology.rods.len(), 3);
    assert_eq!(setup.title, "Three of them");
    let ContactModel::Imc(c) = setup.model.contact else {
        panic!("no contact")
    };
    assert_eq!(
        (c.friction.coefficient, c.stiffness),
        (0.3, Stiffness::Given(1e-6))
    );
    s.set("contact.stiffness={ largest_force = 1e5 }")
        .expect("sets");
    s.set("contact.stiffness=automatic").expect("sets");
    s.set("fluid.model=none").expect("sets");
    let again = scene(&s.resolved().expect("resolves"));
    assert_eq!(again.spec, s.spec);
}

#[test]
fn friction_of_ipc_is_lagged_unless_told_otherwise() {
    let mut s = scene(template("flagella").expect("template"));
    s.set("contact.model=ipc").expect("sets");
    for (set, expected) in [
        ("contact.friction=0.2", FrictionSolve::Lagged { rounds: 1 }),
        (
            "contact.friction_solve={ lagged = 3 }",
            FrictionSolve::Lagged { rounds: 3 },
        ),
        ("contact.friction_solve=implicit", FrictionSolve::Implicit),
    ] {
        s.set(set).expect("sets");
        let ContactModel::Ipc(c) = s.build().expect("builds").model.contact else {
            panic!("another model")
        };
        assert_eq!(c.friction.solved, expected);
        let again = scene(&s.resolved().expect("resolves"));
        assert_eq!(again.spec, s.spec);
    }
    s.set("contact.friction_solve={ lagged = 0 }").unwrap_err();
}

#[test]
fn contact_models_have_keys_of_their_own() {
    let mut s = scene(template("flagella").expect("template"));
    s.set("contact.model=imc-smooth").expect("sets");
    s.set("contact.tolerance=0.15").expect("sets");
    s.set("contact.jacobian={ hybrid = 7 }").expect("sets");
    s.set("contact.friction=0.2").expect("sets");
    s.set("contact.slip_limit=0.3").expect("sets");
    let ContactModel::ImcSmooth(c) = s.build().expect("builds").model.contact else {
        panic!("another model")
    };
    let expected = ImcSmoothSettings {
        jacobian: ContactJacobian::Hybrid { omega: 7 },
        friction: LaggedFriction {
            coefficient: 0.2,
            slip_limit: 0.3,
            ..LaggedFriction::default()
        },
        ..ImcSmoothSettings::default()
    };
    assert_eq!(c, expected);
    let again = scene(&s.resolved().expect("resolves"));
    assert_eq!(again.spec, s.spec);
}

#[test]
fn a_half_edge_clamp_counts_the_length_from_its_plane() {
    let shape = "{ straight = { to = [\"19 cm\", 0, 0], edges = 10 } }";
    let x = positions(&scene(&rod(
        shape,
        "clamps = [{ edge = \"first\", half_edge = true }]",
    )));
    assert!((x[0] + x[1]).length() < 1e-15 && (x[10].x - 0.19).abs() < 1e-15);
    assert!((x[1].x - 0.01).abs() < 1e-15);
    let both = "clamps = [{ edge = \"first\", half_edge = true }, { edge = 9, half_edge = true }]";
    let x = positions(&scene(&rod(shape, both)));
    assert!((0.5 * (x[9] + x[10]).x - 0.19).abs() < 1e-15 && (x[0] + x[1]).length() < 1e-15);
    let nodes = "{ nodes = [[0, 0, 0], [1, 0, 0], [2, 0, 0]] }";
    let x = positions(&scene(&rod(
        nodes,
        "clamps = [{ edge = 0, half_edge = true }]",
    )));
    assert_eq!((x[0], x[1]), (-DVec3::X, DVec3::X));
}

#[test]
fn shapes_lie_where_they_should() {
    let arc = "{ arc = { radius = 2, angle = \"90 deg\", edges = 8 } }";
    let x = positions(&scene(&rod(arc, "")));
    assert!(
        x.iter()
            .all(|p| ((*p - 2.0 * DVec3::Y).length() - 2.0).abs() < 1e-14)
    );
    assert!((x[8] - DVec3::new(2.0, 2.0, 0.0)).length() < 1e-14);
    let helix = "{ helix = { radius = \"1 cm\", pitch = \"5 cm\", turns = 2, edges = 40, left_handed = true } }";
    let x = positions(&scene(&rod(helix, "")));
    assert!((x[40] - DVec3::new(0.1, 0.01, 0.0)).length() < 1e-14);
    assert!(x[1].z < 0.0);
    let ellipse = "{ ring = { radius = 1, aspect = 0.4, edges = 60 } }";
    let x = positions(&scene(&rod(ellipse, "")));
    let edges: Vec<f64> = (0..60).map(|i| (x[(i + 1) % 60] - x[i]).length()).collect();
    let perimeter: f64 = edges.iter().sum();
    assert!((perimeter - 120.0 * (PI / 60.0).sin()).abs() < 1e-12);
    assert!(edges.iter().all(|l| (l / edges[0] - 1.0).abs() < 0.02));
    assert!((x[15].y.abs() / x[0].x - 0.4).abs() < 1e-3);
}

#[test]
fn rest_shapes_are_independent_of_the_start() {
    let arc = "{ arc = { radius = 2, angle = \"90 deg\", edges = 8 } }";
    let rest = |more: &str| {
        let model = scene(&rod(arc, more)).build().expect("builds").model;
        model
            .half_edges
            .iter()
            .map(|v| v.rest[0].hypot(v.rest[1]))
            .fold(0.0, f64::max)
    };
    // 2/3 tan(angle/2) + 4/3 sin(angle/2) for 90 degrees over 8 edges.
    let curvature = |half: f64| (2.0 * half.tan() + 4.0 * half.sin()) / 3.0;
    let expected = curvature(PI / 32.0);
    assert!((rest("") - expected).abs() < 1e-12);
    assert_eq!(rest("rest = \"straight\""), 0.0);
    let other = "rest = { arc = { radius = 1, angle = \"180 deg\", edges = 8 } }";
    assert!((rest(other) - curvature(PI / 16.0)).abs() < 1e-12);
}

#[test]
fn a_ring_is_twisted_evenly() {
    let mut s = scene(template("ring").expect("template"));
    s.set("scene.perturbation=0").expect("sets");
    let model = s.build().expect("builds").model;
    let twist: f64 = model.twisting.iter().map(|t| -t.rest).sum();
    assert!((twist - 6.0 * PI).abs() < 1e-9, "{twist}");
    assert!(model.bending.iter().all(|b| b.rest == [0.0; 2]));
    s.set("scene.rest=circle").expect("sets");
    let model = s.build().expect("builds").model;
    let expected = 2.0 * (PI / 100.0).tan();
    assert!(
        model
            .bending
            .iter()
            .all(|b| (b.rest[0].hypot(b.rest[1]) - expected).abs() < 1e-12)
    );
}

#[test]
fn sections_differ_where_they_are_told_to() {
    let shape = "{ straight = { to = [1, 0, 0], edges = 4 } }";
    let more = "overrides = [{ edges = [1, 2], section = { rectangle = { a = \"4 mm\", b = \"2 mm\" } } }]\nedge_mass = \"1 g\"";
    let setup = scene(&rod(shape, more)).build().expect("builds");
    let ea: Vec<f64> = setup.model.stretching;
    assert!((ea[1] - 24.0).abs() < 1e-9 && (ea[0] - 3.0 * PI).abs() < 1e-9);
    let middle = setup.model.mass[setup.model.topology.node_dof[2]];
    assert!((middle - 1e-3).abs() < 1e-15);
    let direct = "[[rods]]\nshape = { straight = { to = [1, 0, 0], edges = 4 } }\n\
        section = { stiffness = { ea = \"10 N\", ei1 = \"1e-6 N m^2\", gj = 1e-6, mass_per_length = \"3 g/m\", radius = 1e-3 } }";
    assert_eq!(
        scene(direct).build().expect("builds").model.stretching,
        [10.0; 4]
    );
}

#[test]
fn node_tables_are_read_by_the_caller() {
    let text = rod("{ file = \"knots/n.txt\" }", "rest = \"straight\"");
    let files = Files::new("/data", |path| {
        assert_eq!(path, std::path::Path::new("/data/knots/n.txt"));
        Ok("# x y z theta\n0 0 0 0\n0.1 0 0 0\n\n0.2,1e-2,0,0\n".into())
    });
    let s = Scene::parse_with(&text, "test", files).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(positions(&s)[2], DVec3::new(0.2, 0.01, 0.0));
    // The resolved scene needs no file.
    let again = scene(&s.resolved().expect("resolves"));
    assert_eq!(again.spec, s.spec);
    assert!(
        s.describe()
            .expect("described")
            .defaults
            .iter()
            .all(|d| !d.contains("nodes"))
    );
    let broken = Files::new("", |_| Ok("0 0 zero".into()));
    let message = Scene::parse_with(&text, "test", broken)
        .expect_err("broken")
        .to_string();
    assert!(
        message.contains("line 1 does not start with three finite numbers"),
        "{message}"
    );
}

#[test]
fn every_motion_and_load_is_understood_and_survives() {
    let shape = "{ straight = { to = [1, 0, 0], edges = 10 } }";
    let more = "
clamps = [{ edge = 0, motion = { sequence = [ { velocity = [0, 0, \"1 mm/s\"] }, { rotation = { axis = [1, 0, 0], speed = \"15 rpm\" } } ] } }]
held = [{ node = 10, axes = \"yz\", motion = { path = [[0, 0, 0, 0], [\"2 s\", 0, \"1 cm\", 0]] } },
        { node = 5, axes = \"x\", motion = { rotation = { point = [0, 0, 1], axis = [0, 1, 0], angle = { table = [[0, 0], [1, \"90 deg\"]] } } } }]
held_angles = [{ edge = \"last\", angle = { rate = \"1 turn/s\" } }, { edge = 5, angle = \"30 deg\" }]
forces = [{ node = \"last\", force = [0, 0, \"2 mN\"], amplitude = { value = 1, rate = \"0.5 1/s\" }, follows = \"last\" }]
moments = [{ edge = 3, moment = [0, 0, \"1e-4 N m\"], amplitude = 2, follows = true }]
twist = \"1 turn\"
first_director = [0, 1, 1]
name = \"all\"
";
    let s = scene(&rod(shape, more));
    s.build().unwrap_or_else(|e| panic!("{e}"));
    let again = scene(&s.resolved().expect("resolves"));
    assert_eq!(again.spec, s.spec);
    let report = s.describe().expect("described").to_string();
    for part in [
        "first edge",
        "edge 0: moves at (0, 0, 0.001) m/s, then turns at 1.571 rad/s (15 rpm)",
        "follows a path of 2 rows",
        "1 turns",
    ] {
        assert!(
            report.contains(part) || part == "first edge",
            "`{part}` is not in\n{report}"
        );
    }
}
