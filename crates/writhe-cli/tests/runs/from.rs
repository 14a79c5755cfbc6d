//! `writhe run --from`: a run begins where another one stood; `writhe settle`: in equilibrium.

use crate::common;
use common::{Place, with};

/// The template `cantilever`, coarse.
fn run<'a>(out: &'a str, duration: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let sets = ["scene.edges=20", "time.step=1 ms", "output.every=0.01"];
    let mut args = with(&["run", "my.toml", "--out", out], &sets);
    args.extend(["--duration", duration]);
    args.extend(more);
    args
}

/// Values of a column.
fn column(table: &str, name: &str) -> Vec<f64> {
    let mut lines = table.lines();
    let is_name = |cell: &str| cell.split(' ').next() == Some(name);
    let at = lines.next().unwrap().split(',').position(is_name).unwrap();
    let cell = |row: &str| row.split(',').nth(at).unwrap().parse().unwrap();
    lines.map(cell).collect()
}

#[test]
fn a_run_begins_where_another_one_stood() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run("first", "0.2", &[]));
    let said = place.succeeds(&run(
        "next",
        "0.1",
        &["--from", "first", "--set", "time.step=0.5 ms"],
    ));
    for words in [
        "it begins from the state of `first` at t = 0.2 s (its last checkpoint)",
        "its own time begins at 0",
        "supports hold nodes and edges where that state has them",
        "does not carry over: the step before: a two-step scheme begins with a step of backward Euler",
        "works and heat, which count from here",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // The motion goes on: as one run, but for one step of backward Euler.
    place.succeeds(&run("whole", "0.3", &[]));
    let (whole, next) = (
        place.read("whole/observables.csv"),
        place.read("next/observables.csv"),
    );
    let height = |table: &str| column(table, "energy_loads");
    let (whole, next) = (height(&whole), height(&next));
    assert_eq!(next.len(), 11);
    // The numbers of a table read back exactly: the start is that of the end.
    assert!((next[0] - whole[20]).abs() < 1e-12 * whole[20].abs());
    assert!((next[10] - whole[30]).abs() < 0.02 * (whole[30] - whole[20]).abs());
    // What it kept of its beginning is enough to go on.
    std::fs::remove_dir_all(place.path("first")).unwrap();
    place.succeeds(&run(
        "next",
        "0.15",
        &["--resume", "--set", "time.step=0.5 ms"],
    ));
    assert_eq!(column(&place.read("next/observables.csv"), "t").len(), 16);
}

#[test]
fn a_moment_is_that_of_the_nearest_frame_or_checkpoint() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run("first", "0.2", &[]));
    let said = place.succeeds(&run("a", "0.02", &["--from", "first@0.102"]));
    let words = "of `first` at t = 0.1 s (a frame, the nearest to t = 0.102 s that it keeps)";
    assert!(said.contains(words), "{said}");
    assert!(
        said.contains("the spin of edges about themselves"),
        "{said}"
    );
    let first = column(&place.read("first/observables.csv"), "energy_bend");
    let a = column(&place.read("a/observables.csv"), "energy_bend");
    assert!((a[0] - first[10]).abs() < 1e-9 * first[10]);
    let said = place.succeeds(&run("b", "0.02", &["--from", "first@200 ms"]));
    assert!(
        said.contains("of `first` at t = 0.2 s (a checkpoint)"),
        "{said}"
    );
}

/// A clamp that moved stays where it came to, and is driven on from there.
#[test]
fn supports_go_on_from_where_they_are() {
    let place = Place::new();
    let scene = |speed: &str| {
        format!(
            "[time]\nduration = 0.5\nstep = 0.005\n[output]\nevery = 0.1\n[contact]\nmodel = \"none\"\n\
             [[rods]]\nshape = {{ straight = {{ from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 }} }}\n\
             section = {{ circle = {{ radius = 0.002 }} }}\nmaterial = {{ young = 1e7, poisson = 0.5, density = 1000 }}\n\
             clamps = [{{ edge = 0 }}, {{ edge = 9, motion = {{ velocity = [\"{speed}\", 0, 0] }} }}]\n"
        )
    };
    place.write("push.toml", &scene("-5 mm/s"));
    place.write("pull.toml", &scene("5 mm/s"));
    place.succeeds(&["run", "push.toml", "--out", "push"]);
    place.succeeds(&["run", "pull.toml", "--out", "pull", "--from", "push"]);
    let ends = |run: &str| {
        column(
            &place.read(&format!("{run}/observables.csv")),
            "rod0_end_distance",
        )
    };
    let (push, pull) = (ends("push"), ends("pull"));
    assert!((push[5] - 0.1975).abs() < 1e-9, "{push:?}");
    assert!(
        (pull[0] - 0.1975).abs() < 1e-9 && (pull[5] - 0.2).abs() < 1e-9,
        "{pull:?}"
    );
}

#[test]
fn what_is_no_beginning_is_told() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run("first", "0.02", &[]));
    let refused = |more: &[&'static str], words: &[&str]| {
        let error = place.fails(2, &run("r", "0.02", more));
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
        assert!(!place.path("r").join("scene.toml").exists());
    };
    refused(
        &["--from", "first", "--set", "scene.edges=30"],
        &[
            "is open with 21 nodes in the run in `first`, and open with 31 nodes in this scene",
            "first/scene.toml",
        ],
    );
    refused(
        &["--from", "first@3"],
        &[
            "has nothing at t = 3 s: it goes from 0 to 0.02 s",
            "leave @TIME out",
        ],
    );
    refused(
        &["--from", "first@3 kg"],
        &[
            "--from `first@3 kg` names no moment of a run: behind the @, `3 kg` is a mass (kg), where a time (s) is wanted",
            "--from runs/first@2.5",
        ],
    );
    refused(&["--from", "first@"], &["behind the @", "it is empty"]);
    refused(&["--from", "@1 ms"], &["--from names no directory"]);
    refused(
        &["--from", "nowhere"],
        &[
            "`nowhere` is not a run directory",
            "there is no such folder",
            "--from runs/first",
        ],
    );
    let flagella = place.succeeds(&["new", "flagella"]);
    place.write("flagella.toml", &flagella);
    let error = place.fails(
        2,
        &["run", "flagella.toml", "--from", "first", "--out", "r"],
    );
    assert!(
        error.contains("the run in `first` has 1 rod, this scene has 2 rods"),
        "{error}"
    );
    // A run that began elsewhere.
    place.succeeds(&run("next", "0.02", &["--from", "first"]));
    let error = place.fails(2, &run("next", "0.04", &["--from", "first@0", "--resume"]));
    assert!(
        error.contains("the run in `next` began from `first`, not from `first@0`"),
        "{error}"
    );
    // Where nothing is left to do, too; and the refusal above has not made the run longer.
    let error = place.fails(2, &run("next", "0.02", &["--from", "first@0", "--resume"]));
    assert!(error.contains("not from `first@0`"), "{error}");
    let said = place.succeeds(&run("next", "0.02", &["--from", "first/", "--resume"]));
    assert!(said.contains("Nothing to do"), "{said}");
    let error = place.fails(2, &run("first", "0.02", &["--from", "next", "--resume"]));
    assert!(error.contains("began where its scene says"), "{error}");
    let error = place.fails(2, &run("first", "0.04", &["--from", "next", "--resume"]));
    assert!(
        error.contains("began where its scene says, not from `next`"),
        "{error}"
    );
}

#[test]
fn an_equilibrium_is_a_run_of_one_frame() {
    let place = Place::with_scene("cantilever");
    let sets = ["scene.edges=20"];
    let said = place.succeeds(&with(&["settle", "my.toml", "--out", "hanging"], &sets));
    for words in [
        "Equilibrium of cantilever: 1 rod, 21 nodes",
        "energy, bend",
        "stability             stable",
        "--from hanging",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let table = place.read("hanging/observables.csv");
    assert_eq!(column(&table, "t"), [0.0]);
    assert_eq!(place.summary("hanging")["reason"], "static equilibrium");
    // As the beginning of a run that settles.
    let settle = ["scene.edges=20", "time.settle=true", "time.duration=0.05"];
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], &settle));
    let run = column(&place.read("r/observables.csv"), "energy_bend");
    assert_eq!(run[0], column(&table, "energy_bend")[0]);
    // A run from there stays.
    let args = with(
        &[
            "run",
            "my.toml",
            "--from",
            "hanging",
            "--out",
            "on",
            "--duration",
            "0.1",
        ],
        &sets,
    );
    place.succeeds(&args);
    let on = column(&place.read("on/observables.csv"), "energy_bend");
    assert!(
        on.iter().all(|e| (e - on[0]).abs() < 1e-9 * on[0]),
        "{on:?}"
    );

    let error = place.fails(2, &with(&["settle", "my.toml", "--out", "hanging"], &sets));
    assert!(
        error.contains("`hanging` exists and is not empty") && !error.contains("--resume"),
        "{error}"
    );
}

#[test]
fn an_unstable_equilibrium_is_told() {
    let place = Place::new();
    place.write(
        "column.toml",
        "[gravity]\nacceleration = [0, 0, -9.81]\n[[rods]]\nshape = { straight = { from = [0, 0, 0], to = [0, 0, 0.5], edges = 20 } }\n\
         section = { circle = { radius = 0.002 } }\nmaterial = { young = 1e7, poisson = 0.5, density = 1000 }\nclamps = [{ edge = 0 }]\n",
    );
    let output = place.run(&["settle", "column.toml", "--out", "column"]);
    let said = common::text(&output.stdout);
    assert!(output.status.success(), "{}", common::text(&output.stderr));
    assert!(said.contains("UNSTABLE: "), "{said}");
}
