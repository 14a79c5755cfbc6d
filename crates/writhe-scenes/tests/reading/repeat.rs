//! Rods that are repeated: how many, where, called what; what is wrong with them.

use crate::common;
use common::check;
use glam::{DQuat, DVec3};
use writhe_scenes::Scene;

/// Curly hairs in ten lines.
const HAIRS: &str = r#"gravity = { acceleration = [0, 0, -9.81] }
[[obstacles]]
shape = { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }
[[rods]]
name = "hair"
repeat = { count = [10, 5], spacing = ["4 mm", "4 mm"], seed = 1 }
shape = { helix = { center = [0, 0, "10 mm"], axis = [0, 0, 1], start = ["cos(tau*random)", "sin(tau*random)", 0],
    radius = "1.2 + 0.3*random(1) mm", pitch = "20 mm", turns = 4, edges = 60 } }
section = { circle = { radius = "0.1 mm" } }
material = { young = "10 MPa", poisson = 0.5, density = 1300 }
"#;

fn scene(text: &str) -> Scene {
    Scene::parse(text, "my.toml").unwrap_or_else(|e| panic!("{e}"))
}

/// Nodes of each rod at the start.
fn nodes(scene: &Scene) -> Vec<Vec<DVec3>> {
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    let places = setup.model.positions(&setup.state);
    let rods = setup.model.topology.rods.iter();
    rods.map(|rod| places[rod.first_node..rod.first_node + rod.nodes].to_vec())
        .collect()
}

#[test]
fn fifty_hairs_are_ten_lines_and_few_to_read() {
    let scene = scene(HAIRS);
    assert_eq!(scene.spec.rods.len(), 50);
    let names: Vec<_> = scene.spec.rods.iter().map(|r| r.name.clone()).collect();
    assert_eq!(names[0].as_deref(), Some("hair[0]"));
    assert_eq!(names[49].as_deref(), Some("hair[49]"));
    let report = scene.describe().unwrap().to_string();
    let lines = report.lines().count();
    assert!(lines < 85, "{lines} lines:\n{report}");
    for part in [
        "Rods 0 to 49: 50 of one kind",
        "61, open, 60 edges",
        "rods[0 to 49].closed = false",
    ] {
        assert!(report.contains(part), "`{part}` is not in\n{report}");
    }
    // Turned by angles of their own, they have directions of their own, which are no defaults.
    let grid = "spacing = [\"4 mm\", \"4 mm\"]";
    assert!(HAIRS.contains(grid));
    let turned = HAIRS.replace(grid, &format!("{grid}, random = {{ turn = [0, 0, 1] }}"));
    let turned = turned.replace("start = [\"cos(tau*random)\", \"sin(tau*random)\", 0],", "");
    let report = self::scene(&turned).describe().unwrap().to_string();
    assert!(report.lines().count() < 85, "{report}");
    assert!(!report.contains("shape.helix.start"), "{report}");
    assert!(
        report.contains("rods[0 to 49].shape.helix.left_handed = false"),
        "{report}"
    );
    // Each at its place of the grid, with a radius of its own.
    let all = nodes(&scene);
    let middle = |rod: &[DVec3]| {
        // Four whole turns: the last node stands above the first.
        rod[..60].iter().sum::<DVec3>() / 60.0
    };
    for (copy, rod) in all.iter().enumerate() {
        let wanted = DVec3::new((copy % 10) as f64, (copy / 10) as f64, 0.0) * 4e-3;
        let off = (middle(rod) - wanted).truncate().length();
        assert!(off < 1e-12, "{copy}: {off}");
        let radius = (rod[0] - wanted).truncate().length();
        assert!((1.2e-3..1.5e-3).contains(&radius), "{radius}");
    }
    let radius = |copy: usize| (all[copy][0] - middle(&all[copy])).truncate().length();
    assert!((radius(0) - radius(1)).abs() > 1e-6);
}

#[test]
fn many_rods_that_are_not_repeated_are_told_together_too() {
    let rod = |k: usize| {
        format!(
            "[[rods]]\nshape = {{ straight = {{ from = [0, {y}, 0], to = [{x}, {y}, 0], edges = 10 }} }}\n\
             section = {{ circle = {{ radius = \"20 mm\" }} }}\nmaterial = {{ young = 1e6, poisson = 0.5, density = 1000 }}\n",
            y = 0.1 * k as f64,
            x = 0.2 + 1e-3 * k as f64
        )
    };
    let text: String = (0..50).map(rod).collect();
    let report = scene(&text).describe().unwrap().to_string();
    let lines = report.lines().count();
    assert!(lines < 85, "{lines} lines:\n{report}");
    for part in [
        "Rods 0 to 49: 50 of one kind",
        "200 mm to 249 mm",
        "(and 49 more like it)",
    ] {
        assert!(report.contains(part), "`{part}` is not in\n{report}");
    }
}

const TAIL: &str = "section = { rectangle = { a = \"1 mm\", b = \"0.5 mm\" } }
material = { young = \"3 MPa\", poisson = 0.5, density = 1000 }
";

#[test]
fn copies_stand_in_a_row_a_grid_and_a_ring() {
    let shape =
        "shape = { straight = { from = [\"2 cm\", 0, 0], to = [\"10 cm\", 0, 0], edges = 8 } }\n";
    let rods = |repeat: &str| {
        nodes(&scene(&format!(
            "[[rods]]\nrepeat = {repeat}\n{shape}{TAIL}"
        )))
    };
    let row = rods("{ count = 3, step = [0, 0, \"5 mm\"] }");
    assert_eq!(row.len(), 3);
    assert_eq!(row[2][0], DVec3::new(0.02, 0.0, 2.0 * 5e-3));
    let grid = rods("{ count = [2, 3, 2], spacing = [1, \"1 cm\", \"2 cm\"] }");
    assert_eq!(grid.len(), 12);
    // i first, then j, then k.
    assert_eq!(grid[1][0], DVec3::new(1.02, 0.0, 0.0));
    assert_eq!(grid[2][0], DVec3::new(0.02, 0.01, 0.0));
    assert_eq!(grid[6][0], DVec3::new(0.02, 0.0, 0.02));
    let ring = rods("{ count = 6, ring = { axis = [0, 0, 1] } }");
    for (k, rod) in ring.iter().enumerate() {
        let turn = DQuat::from_rotation_z(std::f64::consts::TAU * k as f64 / 6.0);
        for (node, x) in rod.iter().enumerate() {
            assert!((*x - turn * ring[0][node]).length() < 1e-15);
        }
    }
    // Alone a number means copies that expressions tell apart.
    let text = "[[rods]]\nrepeat = 4\nshape = { straight = { from = [0, \"1 cm*i\", 0], to = [\"10 + i cm\", \"i cm\", 0], edges = \"8 + i\" } }\n";
    let wrong = Scene::parse(&format!("{text}{TAIL}"), "my.toml").unwrap_err();
    assert!(
        wrong.to_string().contains("goes on") || wrong.to_string().contains("unit"),
        "{wrong}"
    );
    let four = nodes(&scene(&format!("{text}{TAIL}").replace("1 cm*i", "i cm")));
    assert_eq!(four[3].len(), 12);
    assert_eq!(four[3][11], DVec3::new(0.13, 0.03, 0.0));
}

/// A copy is the rod as a rigid thing: strains, supports and loads are those of the first in its own
/// place, and so are the forces of the supports, pressures, shapes that are driven and foundations.
#[test]
fn copies_are_turned_as_a_whole() {
    let text = format!(
        "[contact]\nmodel = \"none\"\n[time]\nduration = 0.02\nstep = \"2 ms\"\n[[rods]]\nname = \"arm\"\n\
         repeat = {{ count = 3, ring = {{ axis = [1, 2, 3], center = [0.5, 0, 0], angle = \"77 deg\" }}, step = [0, 0.1, 0],\
         random = {{ size = [0.1, 0.1, 0.1], turn = \"any\" }}, seed = 4 }}\n\
         shape = {{ arc = {{ radius = 0.1, angle = \"90 deg\", edges = 12 }} }}\n\
         clamps = [{{ edge = \"first\", motion = {{ sequence = [{{ velocity = [0.01, 0, 0.3] }}, {{ rotation = {{ point = [0, 0, 0.1], axis = [0, 1, 0], speed = 3 }} }}] }} }}]\n\
         held = [{{ node = \"last\", motion = {{ path = [[0, 0, 0, 0], [0.1, 0.01, 0, 0.02]] }} }}]\n\
         forces = [{{ node = 6, force = [0, 0.01, 0.02] }}, {{ node = 8, force = [0, 0, 0.01], follows = 7 }}]\n\
         moments = [{{ edge = 5, moment = [1e-4, 0, 0] }}]\n\
         line_loads = [{{ pressure = 0.5 }}, {{ force = [0.2, 0, 0.1] }}]\n\
         driven = [{{ strain = \"curvature1\", amplitude = 2, wavelength = 0.1, period = 0.05, phase = \"1 rad\" }}]\n\
         viscous = {{ bending = \"5 ms\" }}\nfoundation = {{ normal = 100, tangential = 20 }}\n{TAIL}"
    );
    let scene = scene(&text);
    let setup = scene.build().unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = setup.begin().unwrap();
    for _ in 0..10 {
        simulation.step(2e-3).unwrap();
    }
    let places = simulation.model.positions(&simulation.state);
    let shape = |rod: usize| {
        let layout = &simulation.model.topology.rods[rod];
        let nodes = &places[layout.first_node..layout.first_node + layout.nodes];
        let edges: Vec<DVec3> = nodes.windows(2).map(|w| w[1] - w[0]).collect();
        edges
            .windows(2)
            .map(|w| w[0].dot(w[1]))
            .collect::<Vec<f64>>()
    };
    let first = shape(0);
    for rod in [1, 2] {
        for (a, b) in first.iter().zip(shape(rod)) {
            assert!((a - b).abs() < 1e-9 * a.abs(), "{a} {b}");
        }
    }
    // They moved, and bent.
    let start = nodes(&scene);
    let moved = places[6] - start[0][6];
    assert!(moved.length() > 1e-3, "{moved}");
}

#[test]
fn random_places_repeat_with_their_seed() {
    let text = |seed: usize| {
        format!(
            "[contact]\nmodel = \"none\"\n[[rods]]\nrepeat = {{ count = 20, random = {{ size = [0.1, 0.2, 0], turn = [0, 0, 1] }}, seed = {seed} }}\n\
             shape = {{ straight = {{ to = [\"10 cm\", 0, 0], edges = 4 }} }}\n{TAIL}"
        )
    };
    let [a, again, b] = [1, 1, 2].map(|seed| nodes(&scene(&text(seed))));
    assert_eq!(a, again);
    assert_ne!(a, b);
    for rod in &a {
        let middle = 0.5 * (rod[0] + rod[4]) - DVec3::X * 0.05;
        assert!(middle.x.abs() <= 0.05 && middle.y.abs() <= 0.1 && middle.z == 0.0);
        assert!((rod[0].distance(rod[4]) - 0.1).abs() < 1e-15 && rod[4].z == 0.0);
    }
    let along = a.iter().map(|rod| (rod[4] - rod[0]).normalize().x);
    let [low, high] = along.fold([1.0_f64, -1.0_f64], |[l, h], x| [l.min(x), h.max(x)]);
    assert!(low < -0.5 && high > 0.5, "{low} {high}");
}

/// Sixty sticks of a tenth of the box's side each, thrown into it: those whose first place was taken
/// have another, and the others stay where they were.
#[test]
fn random_places_that_are_taken_are_drawn_again() {
    let thrown = |model: &str, seed: u64, size: f64| {
        format!(
            "[contact]\nmodel = \"{model}\"\n[[rods]]\nshape = {{ straight = {{ to = [0.1, 0, 0], edges = 4 }} }}\n\
             section = {{ circle = {{ radius = 2e-3 }} }}\nmaterial = {{ young = 1e7, poisson = 0.5, density = 1000 }}\n\
             [[rods]]\nrepeat = {{ count = 60, random = {{ size = [{size}, {size}, {size}], turn = \"any\" }}, seed = {seed} }}\n\
             shape = {{ straight = {{ to = [0.1, 0, 0], edges = 4 }} }}\n\
             section = {{ circle = {{ radius = 2e-3 }} }}\nmaterial = {{ young = 1e7, poisson = 0.5, density = 1000 }}\n"
        )
    };
    for seed in 0..3 {
        let text = thrown("imc", seed, 0.1);
        // Rods that do not touch are not looked at: their places are the first ones.
        let first = nodes(&scene(&thrown("none", seed, 0.1)));
        let placed = nodes(&scene(&text));
        assert_eq!(placed, nodes(&scene(&text)));
        let moved = (0..61).filter(|k| placed[*k] != first[*k]).count();
        assert!((10..55).contains(&moved), "{moved} moved");
        // With the model ipc rods must not even touch.
        let apart = nodes(&scene(&thrown("ipc", seed, 0.1)));
        assert_eq!(apart, placed);
    }
    let dense = Scene::parse(&thrown("imc", 0, 0.01), "my.toml").unwrap_err();
    assert_eq!(dense.key, "rods[1].repeat");
    for part in [
        "in copy",
        "in each of 500 random places it overlaps",
        "a larger `size`",
    ] {
        assert!(dense.to_string().contains(part), "{dense}");
    }
}

#[test]
fn a_body_takes_all_copies_or_one() {
    let text = |rod: &str| {
        format!(
            "[[rods]]\nname = \"bristle\"\nrepeat = {{ count = 5, step = [\"1 cm\", 0, 0] }}\n\
             shape = {{ straight = {{ to = [0, 0, \"-5 cm\"], edges = 10 }} }}\n{TAIL}\
             [[bodies]]\nmass = \"10 g\"\nsolid = {{ box = {{ size = [0.1, 0.02, 0.01] }} }}\nposition = [0.02, 0, 0.005]\n\
             welds = [{{ rod = {rod}, edge = \"first\" }}]\n"
        )
    };
    let welds = |rod: &str| {
        let setup = scene(&text(rod)).build().unwrap_or_else(|e| panic!("{e}"));
        setup.model.bodies.list[0].welds.len()
    };
    assert_eq!(welds("\"bristle\""), 5);
    assert_eq!(welds("\"bristle[3]\""), 1);
    assert_eq!(welds("4"), 1);
    let wrong = scene(&text("\"bristle[7]\""))
        .build()
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("there is no rod `bristle[7]`"), "{wrong}");
}

#[test]
fn repeated_scenes_are_changed_and_read_back() {
    let mut scene = scene(HAIRS);
    scene.set("rods[0].repeat.count=[3, 2]").unwrap();
    assert_eq!(scene.spec.rods.len(), 6);
    let resolved = scene.resolved().unwrap();
    let again = Scene::parse(&resolved, "again.toml").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.spec, scene.spec);
    assert_eq!(nodes(&again), nodes(&scene));
}

/// A scene of one rod with `repeat` and a radius.
fn one(repeat: &str, radius: &str) -> String {
    format!(
        "[[rods]]\nrepeat = {repeat}\nshape = {{ straight = {{ to = [0.2, 0, 0], edges = 10 }} }}\n\
         section = {{ circle = {{ radius = {radius} }} }}\nmaterial = {{ young = 1e6, poisson = 0.5, density = 1000 }}\n"
    )
}

#[test]
fn what_is_wrong_with_copies_names_key_copy_value_and_remedy() {
    let row = "{ count = 4, step = [0, 0.1, 0] }";
    let radius = "rods[0].section.circle.radius";
    for (repeat, value, key, parts, marked) in [
        (
            row,
            "\"1/i mm\"",
            radius,
            &["in copy 0: `1/i mm` divides by zero at i = 0", "1/(i + 1)"][..],
            "\"1/i mm\"",
        ),
        (
            row,
            "\"2*r mm\"",
            radius,
            &[
                "in copy 0: `2*r mm` has an unknown name, `r`",
                "expressions know i, j, k, n",
            ],
            "\"2*r mm\"",
        ),
        (
            row,
            "\"2 - i mm\"",
            radius,
            &["in copy 2: the value is", "greater than zero"],
            "\"2 - i mm\"",
        ),
        (
            row,
            "\"0.1*i s\"",
            radius,
            &["a time (s)", "where a length (m) is wanted"],
            "\"0.1*i s\"",
        ),
        (
            row,
            "\"1 mmm\"",
            radius,
            &["`mmm` is not a unit"],
            "\"1 mmm\"",
        ),
        (
            "0",
            "1e-3",
            "rods[0].repeat",
            &["the value is 0", "at least 1"],
            "0",
        ),
        (
            "{ count = [2, 3], spacing = [1] }",
            "1e-3",
            "rods[0].repeat.spacing",
            &["a list of 1", "a list of 2"],
            "[1]",
        ),
        (
            "{ count = [2, 3], step = [1, 0, 0] }",
            "1e-3",
            "rods[0].repeat.step",
            &["`count` is of a grid", "`spacing`"],
            "[1, 0, 0]",
        ),
        (
            "{ count = 2, steps = [1, 0, 0] }",
            "1e-3",
            "rods[0].repeat.steps",
            &["did you mean `step`?"],
            "steps",
        ),
        (
            "{ count = 2, step = [0, \"1 mm\", 0] }",
            "1e-3",
            "rods[0].shape",
            &[
                "in copy 1: ",
                "rod 0 (edge 0) and rod 1 (edge 0) overlap",
                "give `repeat` a step, spacing, ring or random",
            ],
            "{ straight",
        ),
        (
            "{ count = 2, random = { size = [-1, 0, 0] } }",
            "1e-3",
            "rods[0].repeat.random.size",
            &["zero or greater"],
            "[-1",
        ),
    ] {
        check(&one(repeat, value), key, parts, marked);
    }
    let held = one(
        "{ count = 2, ring = { axis = [0, 0, 1] }, step = [0, 0, 1] }",
        "1e-3",
    )
    .replace("section", "held = [{ node = 0, axes = \"xy\" }]\nsection");
    check(
        &held,
        "rods[0].held",
        &[
            "in copy 1: held[0] holds some of x, y and z, and the copy is turned",
            "hold \"xyz\"",
        ],
        "[{ node",
    );
    for count in ["0", "-3", "[2, -1]"] {
        let key = "rods[0].repeat";
        let key = if count == "[2, -1]" {
            "rods[0].repeat.count"
        } else {
            key
        };
        let repeat = if count == "[2, -1]" {
            "{ count = [2, -1] }"
        } else {
            count
        };
        check(
            &one(repeat, "1e-3"),
            key,
            &["at least 1 and at most"],
            count,
        );
    }
    // Without a repetition nothing counts.
    let alone = one("1", "\"0.1*i mm\"").replace("repeat = 1\n", "");
    check(
        &alone,
        radius,
        &["is an expression, and only a rod with `repeat` has them"],
        "\"0.1*i mm\"",
    );
}

/// Keys of `repeat` itself, and of what is no rod, have no expressions: that is said of one, and what
/// else is wrong with it.
#[test]
fn expressions_where_there_are_none_are_told() {
    let told = |text: &str| {
        let error = Scene::parse(text, "repeat.toml").and_then(|scene| scene.build().map(|_| ()));
        let error = error.unwrap_err();
        format!("{error}; {}", error.remedy())
    };
    let text = told(&one("{ count = 3, step = [\"1/(i-1) cm\", 0, 0] }", "1e-3"));
    for part in [
        "rods[0].repeat.step[0]: `1/(i-1) cm` is an expression, and `repeat` itself has none; besides, it divides by zero at i = 1;",
        "write the number itself, or place the copies by another key of the rod",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    // Counts are read before there are copies.
    for (repeat, key) in [
        ("\"2*i+1\"", "repeat"),
        ("{ count = \"2*i+1\", step = [1, 0, 0] }", "repeat.count"),
        (
            "{ count = [2, \"2*i+1\"], spacing = [1, 1] }",
            "repeat.count[1]",
        ),
    ] {
        let text = told(&one(repeat, "1e-3"));
        let part = format!(
            "rods[0].{key}: `2*i+1` is an expression, and `repeat` itself has none; write the number itself"
        );
        assert!(text.contains(&part), "{part} is not in: {text}");
    }
    // A number in quotes is none.
    let text = told(&one("\"10\"", "1e-3"));
    assert!(text.contains("is not a number of copies"), "{text}");
    let text = told(&format!("[time]\nstep = \"1/0 ms\"\n{}", one("2", "1e-3")));
    let part = "time.step: `1/0 ms` is an expression, and only a rod with `repeat` has them; besides, it divides by zero at i = 0;";
    assert!(text.contains(part), "{text}");
}
