//! `writhe follow` as a process: an arch that snaps, a column that buckles, what is refused.

use crate::common;
use std::f64::consts::PI;

use common::{Place, text};
use serde_json::Value;

const ARCH: &str = include_str!("../../../../examples/problems/arch.toml");
const COLUMN: &str = r#"
title = "A column"
contact = { model = "none" }

[[rods]]
shape = { straight = { from = [0, 0, 0], to = ["50 cm", 0, 0], edges = 20 } }
section = { rectangle = { a = "1 mm", b = "20 mm" } }
first_director = [0, 0, 1]
material = { young = "1 GPa", poisson = 0.5, density = 1000 }
clamps = [{ edge = "first", half_edge = true }]
forces = [{ node = "last", force = ["-1 N", 0, 0] }]
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

fn events(followed: &Value) -> Vec<&Value> {
    let all = followed["equilibria"].as_array().unwrap().iter();
    all.filter(|e| e["event"] != "").collect()
}

/// Between its folds the arch is unstable; what a run finds beyond the first is on the last part of
/// the branch.
#[test]
fn an_arch_turns_back_where_a_run_jumps() {
    let place = Place::new();
    place.write("arch.toml", ARCH);
    assert!(ARCH.lines().count() <= 25);
    let amplitude = "rods[0].forces[0].amplitude";
    let args = [
        "follow",
        "arch.toml",
        "--vary",
        amplitude,
        "--from",
        "0",
        "--to",
        "1",
        "-q",
    ];
    let told = place.succeeds(&[&args[..], &["--out", "arch", "--json"]].concat());
    let followed = json(&told);
    let found = events(&followed);
    let kinds: Vec<_> = found.iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["fold", "bifurcation", "bifurcation", "fold"]);
    let first = found[0]["parameter"].as_f64().unwrap();
    assert!((0.7..0.8).contains(&first), "{first}");
    let last = followed["equilibria"].as_array().unwrap().last().unwrap();
    assert_eq!(last["parameter"], 1.0);
    assert_eq!(last["negative_eigenvalues"], 0);
    // Statics of its own kind: that of settle, from where the arch is not pressed and from where it
    // is.
    let settle = |amplitude: f64, out: &str| {
        let set = format!("rods[0].forces[0].amplitude={amplitude}");
        json(&place.succeeds(&["settle", "arch.toml", "--set", &set, "--out", out, "--json"]))
    };
    let pressed = settle(1.0, "pressed")["energy_j"].as_f64().unwrap();
    let energy = last["energy_j"].as_f64().unwrap();
    assert!((pressed / energy - 1.0).abs() < 1e-6, "{pressed} {energy}");
    // A run directory as others: frames, a table, curves, pictures.
    place.succeeds(&["plot", "arch", "rod0_middle_z", "--against", "parameter"]);
    assert!(place.read("arch/plot.svg").contains("stroke-dasharray"));
    place.succeeds(&["render", "arch", "--count", "2"]);
    place.succeeds(&["export", "arch", "--to", "csv"]);
    let table = place.read("arch/observables.csv");
    let rows = followed["equilibria"].as_array().unwrap().len();
    assert_eq!(table.lines().count(), rows + 1);
    assert!(table.starts_with("t [s],") && table.contains("parameter [1],branch [1]"));
    assert_eq!(place.summary("arch")["outcome"], "finished");
    let over = &place.summary("arch")["followed"];
    assert_eq!(over["key"], "rods[0].forces[0].amplitude");
    let columns = ["--vary", "rods[0].forces[0].force[2]", "--to", "-0.5 N"];
    place.succeeds(
        &[
            &["follow", "arch.toml", "--out", "down", "-q"][..],
            &columns,
        ]
        .concat(),
    );
    assert!(
        place
            .read("down/observables.csv")
            .contains("parameter [N],")
    );
    let next = place.succeeds(&["run", "arch.toml", "--from", "down", "--duration", "1 ms"]);
    assert!(
        next.contains("from the last equilibrium of `down`"),
        "{next}"
    );
    let told = place.fails(2, &[&args[..], &["--out", "arch"]].concat());
    assert!(
        told.contains("not empty") && told.contains("--force"),
        "{told}"
    );
    let again = place.succeeds(&[&args[..], &["--out", "arch", "--force"]].concat());
    assert!(
        again.contains("fold") && again.contains("branch 0:"),
        "{again}"
    );
}

/// Hours of work end with Ctrl-C, in the middle of a chunk of frames: all of it can be looked at.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_found() {
    use common::{signal, wait_until};
    use std::time::Duration;
    let place = Place::new();
    place.write("arch.toml", ARCH);
    let amplitude = "rods[0].forces[0].amplitude";
    let args = ["follow", "arch.toml", "--vary", amplitude, "--from", "0"];
    let long = ["--to", "1", "--step", "1e-4", "--points", "100000"];
    let mut child = place.spawn(&[&args[..], &long, &["--out", "r"]].concat());
    let begun = || place.path("r/observables.csv").exists();
    assert!(wait_until(&mut child, begun));
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for words in [
        "interrupted; the equilibria found so far are saved",
        "writhe plot r energy_bend --against parameter",
        "--force",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let rows = place.read("r/observables.csv").lines().count() - 1;
    assert!(rows > 1, "{rows}");
    let summary = place.summary("r");
    assert_eq!(summary["outcome"], "interrupted");
    assert_eq!(summary["reason"], "stopped by the user");
    assert_eq!(summary["followed"]["key"], amplitude);
    place.succeeds(&["plot", "r", "energy_bend", "--against", "parameter"]);
    let said = place.succeeds(&["export", "r", "--to", "csv"]);
    assert!(said.contains(&format!("Wrote {rows} frames")), "{said}");
    place.succeeds(&["render", "r", "--count", "2"]);
    let next = ["run", "arch.toml", "--from", "r", "--duration", "1 ms"];
    let said = place.succeeds(&[&next[..], &["--out", "next"]].concat());
    assert!(said.contains("from the last equilibrium of `r`"), "{said}");
    let again = [&args[..], &["--to", "0.1", "--out", "r", "--force", "-q"]].concat();
    place.succeeds(&again);
    assert_eq!(place.summary("r")["outcome"], "finished");
}

/// Time moves what the scene moves and loads: a table of the force in time is the same parameter.
#[test]
fn time_is_a_parameter() {
    let place = Place::new();
    place.write("arch.toml", ARCH);
    let set = "rods[0].forces[0].amplitude={ rate = 0.5 }";
    let args = [
        "follow",
        "arch.toml",
        "--set",
        set,
        "--vary",
        "time",
        "--to",
        "2 s",
        "-q",
    ];
    let followed = json(&place.succeeds(&[&args[..], &["--json"]].concat()));
    let amplitude = "rods[0].forces[0].amplitude";
    let by_key = [
        "follow",
        "arch.toml",
        "--vary",
        amplitude,
        "--from",
        "0",
        "--to",
        "1",
        "-q",
    ];
    let other = json(&place.succeeds(&[&by_key[..], &["--json", "--out", "b"]].concat()));
    let of = |all: &Value| -> Vec<f64> {
        let found = events(all);
        found
            .iter()
            .map(|e| e["parameter"].as_f64().unwrap())
            .collect()
    };
    for (a, b) in of(&followed).iter().zip(of(&other)) {
        assert!((0.5 * a - b).abs() < 2e-6, "{a} {b}");
    }
}

#[test]
fn a_column_goes_both_ways() {
    let place = Place::new();
    place.write("column.toml", COLUMN);
    let force = "rods[0].forces[0].force[0]";
    let args = [
        "follow",
        "column.toml",
        "--vary",
        force,
        "--from",
        "0",
        "--to",
        "-30 mN",
    ];
    let more = ["--branch", "1", "--show", "rod0_tip_x", "-q"];
    let told = place.succeeds(&[&args[..], &more, &["--json"]].concat());
    let followed = json(&told);
    let critical = -PI * PI * 1e9 * 20e-3 * 1e-9 / 12.0 / (4.0 * 0.25);
    let found = events(&followed);
    assert_eq!(found.len(), 1);
    let load = found[0]["parameter"].as_f64().unwrap();
    assert!((load / critical - 1.0).abs() < 1e-3, "{load} {critical}");
    let branches = followed["branches"].as_array().unwrap();
    assert_eq!(branches.len(), 3);
    let tip = |branch: u64| {
        let all = followed["equilibria"].as_array().unwrap().iter();
        let end = all.rev().find(|e| e["branch"] == branch).unwrap();
        ["x", "z"].map(|axis| {
            end["observables"][format!("rod0_tip_{axis}")]
                .as_f64()
                .unwrap()
        })
    };
    let [a, b] = [tip(1), tip(2)];
    assert!(
        (a[0] - b[0]).abs() < 1e-6 && (a[1] + b[1]).abs() < 1e-6,
        "{a:?} {b:?}"
    );
    assert!(a[1].abs() > 0.2, "{a:?}");
}

/// What changes nothing where it is looked at is told, with what may be meant.
#[test]
fn what_changes_nothing_is_told() {
    let place = Place::new();
    place.write("arch.toml", ARCH);
    let amplitude = "rods[0].forces[0].amplitude";
    let ramp = format!("{amplitude}={{ ramp = {{ start = 0, duration = 1, to = 1 }} }}");
    let over = |key: &str, more: &[&str]| {
        let args = ["follow", "arch.toml", "--set", &ramp, "--vary", key, "-q"];
        let output = place.run(&[&args[..], more, &["--json", "--out", key]].concat());
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{errors}");
        (json(&text(&output.stdout)), errors)
    };
    let key = format!("{amplitude}.ramp.to");
    let (followed, errors) = over(&key, &["--from", "0.5", "--to", "1"]);
    for words in ["changes nothing at t = 0", "--vary time"] {
        assert!(errors.contains(words), "{errors}");
    }
    assert_eq!(followed["warnings"].as_array().unwrap().len(), 1);
    let (_, errors) = over("rods[0].material.young", &["--from", "1e6", "--to", "2e6"]);
    assert!(errors.contains("changes nothing"), "{errors}");
    // What does, does not; and bifurcations that are not there are missed.
    let (followed, errors) = over("time", &["--to", "0.01 s", "--branch", "3"]);
    assert!(!errors.contains("changes nothing"), "{errors}");
    assert!(errors.contains("3 bifurcations asked for"), "{errors}");
    assert_eq!(followed["warnings"].as_array().unwrap().len(), 1);
    // Settling tells that more comes.
    let settle = ["settle", "arch.toml", "--set", &ramp, "--out", "rest"];
    let told = place.succeeds(&settle);
    assert!(told.contains("equilibrium at t = 0"), "{told}");
    assert!(told.contains("--vary time --to 1\n"), "{told}");
    let told = place.succeeds(&["settle", "arch.toml", "--out", "still"]);
    assert!(!told.contains("t = 0"), "{told}");
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let place = Place::new();
    place.write("column.toml", COLUMN);
    let refused = |more: &[&str]| {
        let told = place.fails(
            2,
            &[&["follow", "column.toml", "--out", "r"], more].concat(),
        );
        assert!(
            told.contains("help:") || told.contains("write it as"),
            "{told}"
        );
        told
    };
    let told = refused(&["--vary", "rods[0].forces[0].colour", "--to", "1"]);
    assert!(told.contains("colour"), "{told}");
    let told = refused(&["--vary", "title", "--to", "x"]);
    assert!(told.contains("`title` is not a number"), "{told}");
    let told = refused(&["--vary", "title=1", "--to", "2"]);
    assert!(told.contains("--vary title --from START --to 1"), "{told}");
    let told = refused(&["--vary", "time", "--to", "soon"]);
    assert!(told.contains("`soon` is not a time"), "{told}");
    let told = refused(&["--vary", "time", "--to", "-1"]);
    assert!(told.contains("scenes begin at 0"), "{told}");
    let force = "rods[0].forces[0].force[0]";
    let told = refused(&["--vary", force, "--to", "-1"]);
    assert!(told.contains("must differ"), "{told}");
    let told = refused(&["--vary", force, "--to", "1", "--step", "0"]);
    assert!(
        told.contains("--step") && told.contains("a number above 0"),
        "{told}"
    );
    let edges = "rods[0].shape.straight.edges";
    let told = refused(&["--vary", edges, "--to", "40"]);
    assert!(told.contains(edges) || told.contains("unknowns"), "{told}");
    let body = "\n[[bodies]]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 1, 0]\nmotion = { velocity = [0, 0, 0] }\n";
    place.write("column.toml", &format!("{COLUMN}{body}"));
    let told = refused(&["--vary", force, "--to", "1"]);
    assert!(told.contains("rigid bodies"), "{told}");
    let wall =
        "\n[[obstacles]]\nshape = { half_space = { point = [0, 0, -1], normal = [0, 0, 1] } }\n";
    let rough = COLUMN.replace("model = \"none\"", "friction = 0.2");
    place.write("column.toml", &format!("{rough}{wall}"));
    let told = refused(&["--vary", force, "--to", "1"]);
    assert!(
        told.contains("without friction") && told.contains("contact.model = \"imc\""),
        "{told}"
    );
    let output = place.run(&["follow", "--help"]);
    assert!(text(&output.stdout).contains("writhe follow"));
}

/// A rod in a tube that is pushed from its end (`examples/problems/tube.toml`): a run buckles it into
/// a wave at 2 sqrt(EI w/r) = .352 N, 10.06 s. With its perturbation the branch is bent there, and
/// stays stable until it folds, between the loads at which helices are published.
#[test]
fn a_rod_in_a_tube_is_followed_along_its_wall() {
    let place = Place::new();
    let tube = include_str!("../../../../examples/problems/tube.toml");
    place.write("tube.toml", tube);
    let args = ["follow", "tube.toml", "--vary", "time", "--from", "8 s"];
    let more = [
        "--to", "15 s", "--points", "130", "--json", "-q", "--out", "r",
    ];
    let followed = json(&place.succeeds(&[&args[..], &more].concat()));
    let found = events(&followed);
    assert_eq!(found[0]["event"], "fold", "{found:?}");
    let load = 0.035 * found[0]["parameter"].as_f64().unwrap();
    println!("it folds at {load} N");
    assert!((0.498..0.644).contains(&load), "{load}");
    let wave = |e: &Value| {
        let seen = &e["observables"]["rod0_middle_y"];
        (e["parameter"].as_f64().unwrap(), seen.as_f64().unwrap())
    };
    let all = followed["equilibria"].as_array().unwrap();
    let before = all.iter().take_while(|e| e["event"] == "");
    assert!(before.clone().all(|e| e["negative_eigenvalues"] == 0));
    assert!(
        before
            .map(wave)
            .filter(|(t, _)| *t < 9.0)
            .all(|(_, y)| y.abs() < 1e-5)
    );
}
