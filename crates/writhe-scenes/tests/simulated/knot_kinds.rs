//! The scene `knot`, all kinds: clear at the start, of the type that they are named after, in
//! equilibrium, and what is refused.

use writhe::certificate::{Certificate, Knot};
use writhe::glam::DVec3;
use writhe::observe::Entry;
use writhe::simulation::Simulation;
use writhe_scenes::Scene;

fn scene(sets: &[&str]) -> Scene {
    let mut scene = Scene::parse("[scene]\nname = \"knot\"", "knot.toml").unwrap();
    scene
        .set_all(sets)
        .unwrap_or_else(|e| panic!("{sets:?}: {e}"));
    scene
}

/// Every kind with what its rods are called when each is closed up alone, and how often pairs of
/// them are linked.
const KINDS: &[(&[&str], &[&str], i64)] = &[
    (&["scene.kind=overhand"], &["3_1"], 0),
    (&["scene.kind=slip"], &["unknot"], 0),
    (&["scene.kind=trefoil"], &["3_1"], 0),
    (&["scene.kind=figure-eight"], &["4_1"], 0),
    (
        &["scene.kind=torus", "scene.p=3", "scene.q=4"],
        &["8_19 = T(3,4)"],
        0,
    ),
    (
        &["scene.kind=torus", "scene.p=2", "scene.q=4"],
        &["unknot", "unknot"],
        2,
    ),
    (&["scene.kind=square"], &["unknot", "unknot"], 0),
    (&["scene.kind=granny"], &["unknot", "unknot"], 0),
];

fn certificate(run: &Simulation) -> Certificate {
    Certificate::of(&run.model, &run.state).unwrap()
}

fn elastic(run: &Simulation) -> f64 {
    let o = writhe::observe::observe(&run.model, &run.state).unwrap();
    o.elastic.total()
}

#[test]
fn all_kinds_are_what_they_are_called_and_settle_as_such() {
    for (sets, names, linked) in KINDS {
        let sets = [*sets, &["scene.edges=120", "time.settle=true"]].concat();
        let setup = scene(&sets)
            .build()
            .unwrap_or_else(|e| panic!("{sets:?}: {e}"));
        let start = Simulation::new(setup.model, setup.state, setup.step);
        let tied = certificate(&start);
        assert!(tied.is_certain(), "{sets:?}: {:?}", tied.lines());
        for (rod, name) in tied.rods.iter().zip(*names) {
            let Knot::Certain(kind) = &rod.knot else {
                panic!("{sets:?}: {}", rod.knot);
            };
            assert_eq!(kind.names()[0], *name, "{sets:?}");
        }
        assert_eq!(tied.rods.len(), names.len());
        assert!(tied.links.iter().all(|link| link.number == Ok(*linked)));

        let mut run = scene(&sets)
            .build()
            .unwrap()
            .begin()
            .unwrap_or_else(|e| panic!("{sets:?}: {e}"));
        println!(
            "{sets:?}: {:.3e} J -> {:.3e} J",
            elastic(&start),
            elastic(&run)
        );
        assert!(elastic(&run) < 0.95 * elastic(&start), "{sets:?}");
        assert_eq!(certificate(&run).changes_since(&tied), [], "{sets:?}");
        let settled = run.model.positions(&run.state);
        run.run_until(0.02, |_, _| true).unwrap();
        let moved = run.model.positions(&run.state);
        let far = |(a, b): (&DVec3, &DVec3)| a.distance(*b);
        let most = settled.iter().zip(&moved).map(far).fold(0.0, f64::max);
        assert!(most < 1e-3 * 1.6e-3, "{sets:?}: moved by {most:e} m");
    }
}

/// A closed rod drifts at no cost of energy as rounding takes it: what moves in the last pseudo-step
/// is less than 1e-8 radii all the same.
#[test]
fn three_strands_side_by_side_settle() {
    let sets = [
        "scene.kind=torus",
        "scene.p=3",
        "scene.q=4",
        "scene.edges=120",
    ];
    let setup = scene(&sets).build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    let report = run.settle().unwrap();
    assert!(report.motion < 1e-8 && report.steps < 200, "{report:?}");
    // It stays where it is.
    let energy = elastic(&run);
    run.settle().unwrap();
    assert!((elastic(&run) / energy - 1.0).abs() < 1e-9);
}

/// C21's rule changes the stiffness from step to step in time; an equilibrium has one stiffness.
#[test]
fn c21s_contact_settles() {
    let sets = ["contact.model=imc-smooth", "scene.edges=120"];
    let setup = scene(&sets).build().unwrap();
    let mut run = Simulation::new(setup.model, setup.state, setup.step);
    let report = run.settle().unwrap();
    assert!(report.steps < 200, "{report:?}");
    let energy = elastic(&run);
    run.settle().unwrap();
    assert!((elastic(&run) / energy - 1.0).abs() < 1e-6);
}

/// Square and granny knot differ when their ends are joined above and below, and only then.
#[test]
fn rods_tied_together_are_one_knot_when_joined() {
    for (sets, name, signature) in [
        (&["scene.kind=square"][..], "square knot 3_1#m3_1", 0.0),
        (&["scene.kind=granny"], "granny knot 3_1#3_1", -4.0),
        (
            &["scene.kind=granny", "scene.left_handed=true"],
            "granny knot 3_1#3_1",
            4.0,
        ),
    ] {
        let setup = scene(sets).build().unwrap();
        let found = Certificate::of(&setup.model, &setup.state).unwrap();
        let Knot::Certain(kind) = &found.joined[0].knot else {
            panic!("{}", found.joined[0].knot);
        };
        assert!(kind.names().iter().any(|n| n == name), "{kind}");
        let mut all: Vec<Entry> = Vec::new();
        found.visit(&mut all);
        let value = |name: &str| all.iter().find(|e| e.name == name).unwrap().value;
        assert_eq!(value("rod0_rod1_joined_determinant"), 9.0);
        assert_eq!(value("rod0_rod1_joined_signature"), signature);
        assert!(
            found
                .lines()
                .iter()
                .any(|line| line.starts_with("rods 0 and 1 joined: "))
        );

        // Each rod with its own ends joined is a ring.
        let alone = scene(sets).spec.output.joined;
        assert_eq!(alone, [[0, 1]]);
        assert!(
            found
                .rods
                .iter()
                .all(|rod| matches!(&rod.knot, Knot::Certain(k) if k.is_trivial()))
        );
    }
    // One in place of the other would be seen.
    let of = |kind: &str| {
        let setup = scene(&[kind]).build().unwrap();
        Certificate::of(&setup.model, &setup.state).unwrap()
    };
    let [square, granny] = ["scene.kind=square", "scene.kind=granny"].map(of);
    let changes = granny.changes_since(&square);
    let words: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(words.len(), 1, "{words:?}");
    assert!(
        words[0].starts_with("rods 0 and 1 joined were square knot")
            && words[0].contains("and are granny knot"),
        "{words:?}"
    );

    let apart = Scene::parse(
        "output = { joined = [[0, 3]] }\n[scene]\nname = \"knot\"\nkind = \"square\"",
        "knot.toml",
    );
    let text = apart.unwrap().build().unwrap_err().to_string();
    assert!(
        text.contains("output.joined") && text.contains("no rod 3"),
        "{text}"
    );
}

#[test]
fn ends_of_two_rods_part() {
    for kind in ["scene.kind=square", "scene.kind=granny"] {
        let schedule = "scene.schedule=[{ for = 0.2, speed = 0.02 }]";
        let setup = scene(&[kind, schedule, "scene.edges=80", "time.step=0.01"])
            .build()
            .unwrap();
        let mut run = Simulation::new(setup.model, setup.state, setup.step);
        let before = run.model.positions(&run.state);
        run.run_until(0.2, |_, _| true).unwrap();
        let after = run.model.positions(&run.state);
        for (node, side) in [(0, -1.0), (80, -1.0), (81, 1.0), (161, 1.0)] {
            let moved = after[node] - before[node];
            assert!(
                moved.distance(side * 0.004 * DVec3::X) < 1e-12,
                "{kind}, node {node}: {moved}"
            );
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (sets, words) in [
        (
            &["scene.kind=trefoil", "scene.schedule=[{ for = 1.0 }]"][..],
            "has no ends to be pulled",
        ),
        (&["scene.kind=torus", "scene.p=3"], "`q` is missing"),
        (
            &["scene.kind=torus", "scene.p=1", "scene.q=3"],
            "from 2 to 100",
        ),
        (
            &["scene.kind=torus", "scene.p=9", "scene.q=80"],
            "too few for the turns of the torus knot T(9, 80)",
        ),
        (
            &[
                "scene.kind=torus",
                "scene.p=12",
                "scene.q=13",
                "scene.rod_radius=\"4 mm\"",
            ],
            "no room for the torus knot",
        ),
        (
            &["scene.schedule=[{ for = 1.0, tip = 1.0 }]"],
            "only a slip knot",
        ),
        (&["scene.p=3"], "only torus knots"),
        (
            &["scene.kind=square", "scene.left_handed=true"],
            "its own mirror image",
        ),
        (
            &["scene.kind=granny", "scene.unknotting_number=2"],
            "only overhand knots",
        ),
        (
            &[
                "scene.kind=granny",
                "scene.schedule=[{ for = 1.0, twist = 1.0 }]",
            ],
            "remove `twist`",
        ),
        (
            &["scene.kind=granny", "scene.end_distance=\"20 cm\""],
            "no room for a granny knot",
        ),
        (
            &["scene.kind=slip", "scene.end_distance=\"10 cm\""],
            "no room for a slip knot",
        ),
        (&["scene.kind=bowline"], "not one of the choices"),
    ] {
        let text = Scene::parse("[scene]\nname = \"knot\"", "knot.toml")
            .unwrap()
            .set_all(sets)
            .unwrap_err();
        let text = format!("{text}");
        assert!(text.contains(words), "{sets:?}: {text}");
    }
}
