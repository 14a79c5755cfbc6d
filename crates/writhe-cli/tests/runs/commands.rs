//! Each command on tiny scenes, as a user types it.

use crate::common;
use std::process::Stdio;

use common::{
    CANTILEVER_EVERY, CANTILEVER_SHORT as SHORT, FLAGELLA_SHORT as FLAGELLA, Place, text, with,
};

const SCENES: [&str; 3] = ["cantilever", "flagella", "ring"];

fn with_run(scene: &str, sets: &[&str]) -> Place {
    let place = Place::with_scene(scene);
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], sets));
    place
}

#[test]
fn new_lists_and_prints_scenes_that_check_accepts() {
    let place = Place::new();
    let list = place.succeeds(&["new"]);
    for scene in SCENES {
        assert!(list.contains(scene), "{list}");
        let template = place.succeeds(&["new", scene]);
        assert!(template.starts_with('#'), "{template}");
        place.write("new.toml", &template);
        let described = place.succeeds(&["check", "new.toml"]);
        assert!(
            described.contains("Rod") && described.contains("nodes"),
            "{described}"
        );
    }
    let errors = place.fails(2, &["new", "flagela"]);
    assert!(
        errors.contains("flagela") && errors.contains("`flagella`"),
        "{errors}"
    );
}

#[test]
fn check_writes_no_file() {
    let place = Place::with_scene("flagella");
    place.succeeds(&["check", "my.toml"]);
    assert_eq!(std::fs::read_dir(place.path("")).unwrap().count(), 1);
}

#[test]
fn run_leaves_a_complete_directory() {
    let place = Place::with_scene("cantilever");
    let printed = place.succeeds(&with(&["run", "my.toml", "--out", "r"], SHORT));
    for words in [
        "Simulating cantilever: 1 rod",
        "-> r",
        "Finished",
        "iterations per step",
        "writhe render r",
        "writhe export r",
    ] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    for file in [
        "scene.toml",
        "trajectory.zarr",
        "observables.csv",
        "summary.json",
        "checkpoint.bin",
        "log.txt",
    ] {
        assert!(place.path("r").join(file).exists(), "{file}");
    }
    let header = place.read("r/observables.csv");
    let header = header.lines().next().unwrap();
    assert!(
        header
            .split(',')
            .all(|title| title.ends_with(']') && title.contains(" [")),
        "{header}"
    );
}

#[test]
fn summary_has_the_documented_fields() {
    let place = with_run("flagella", FLAGELLA);
    let summary = place.summary("r");
    let number = |name: &str| {
        summary[name]
            .as_f64()
            .unwrap_or_else(|| panic!("{name} in {summary}"))
    };
    assert_eq!(summary["outcome"], "finished");
    assert!(summary["reason"].is_string());
    assert_eq!(summary["first_contact_s"], serde_json::Value::Null);
    assert_eq!(number("simulated_s"), 0.1);
    assert_eq!(number("crossings"), 0.0);
    assert_eq!(number("crossings_prevented"), 0.0);
    for name in ["steps", "newton_iterations", "cpu_s", "wall_s"] {
        assert!(number(name) > 0.0, "{name}");
    }
    assert!(number("rejected_steps") >= 0.0);
    assert!(summary["smallest_gap_m"].is_null() || summary["smallest_gap_m"].is_f64());
    for part in ["solve", "outputs", "checkpoints"] {
        assert!(summary["phases_s"][part].as_f64().unwrap() > 0.0, "{part}");
    }
}

#[test]
fn outputs_are_at_exact_multiples() {
    let place = with_run("cantilever", SHORT);
    let table = place.read("r/observables.csv");
    let times: Vec<f64> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    let expected: Vec<f64> = (0..=10).map(|i| f64::from(i) * CANTILEVER_EVERY).collect();
    assert_eq!(times.len(), expected.len());
    assert_eq!(times[..10], expected[..10]);
}

#[test]
fn duration_is_short_for_a_set() {
    let place = Place::with_scene("cantilever");
    let sets = with(
        &["run", "my.toml"],
        &["scene.edges=20", "time.step=1 ms", "output.every=0.005"],
    );
    place.succeeds(&[&sets[..], &["--out", "a", "--duration", "0.02"]].concat());
    assert_eq!(place.summary("a")["simulated_s"], 0.02);
    place.succeeds(&[&sets[..], &["--out", "b", "--duration", "20 ms"]].concat());
    place.assert_same_results("a", "b");
}

#[test]
fn export_writes_tables_and_arrays() {
    let place = with_run("cantilever", SHORT);
    let printed = place.succeeds(&["export", "r", "--to", "csv"]);
    assert!(
        printed.contains("11 frames") && printed.contains("nodes.csv"),
        "{printed}"
    );
    let nodes = place.read("r/csv/nodes.csv");
    assert!(nodes.starts_with("t [s],rod,node,x [m],y [m],z [m]\n"));
    assert_eq!(nodes.lines().count() % 11, 1);
    place.succeeds(&["export", "r", "--to", "npz", "--out", "a.npz"]);
    assert!(
        std::fs::read(place.path("a.npz"))
            .unwrap()
            .starts_with(b"PK")
    );
    // Again: derived files may be replaced.
    place.succeeds(&["export", "r", "--to", "npz", "--out", "a.npz"]);
}

#[test]
fn render_draws_sheets_and_stills() {
    let place = with_run("flagella", FLAGELLA);
    place.succeeds(&["render", "r"]);
    place.succeeds(&[
        "render",
        "r",
        "--times",
        "0.05",
        "--size",
        "120x200",
        "--out",
        "still.png",
    ]);
    place.succeeds(&[
        "render",
        "r",
        "--sheet",
        "r",
        "--count",
        "3",
        "--size",
        "60x90",
        "--view",
        "0,-1,0.2",
        "--out",
        "sheet.png",
    ]);
    for file in ["r/sheet.png", "r/last.png", "still.png", "sheet.png"] {
        assert!(
            std::fs::read(place.path(file))
                .unwrap()
                .starts_with(b"\x89PNG"),
            "{file}"
        );
    }
    assert_eq!(png_size(&place, "still.png"), (120, 200));
    let (width, height) = png_size(&place, "r/last.png");
    assert!(height > width, "flagella hang: {width} x {height}");
    let (width, height) = png_size(&place, "sheet.png");
    assert!(width > 180 && height > 180, "{width} x {height}");

    let errors = place.fails(2, &["render", "r", "--times", "0,7"]);
    assert!(errors.contains("t = 7 s"), "{errors}");
    let errors = place.fails(2, &["render", "r", "--view", "1,0,0", "--up", "1,0,0"]);
    assert!(errors.contains("--up"), "{errors}");
    let errors = place.fails(
        2,
        &["render", "r", "--count", "1", "--out", "my.toml/last.png"],
    );
    assert!(errors.contains("my.toml/last.png"), "{errors}");
}

#[test]
fn pictures_and_exports_replace_no_scene_and_no_file_of_a_run() {
    let place = with_run("cantilever", SHORT);
    place.succeeds(&with(&["run", "my.toml", "--out", "other"], SHORT));
    let (scene, before) = (place.read("my.toml"), place.results("other"));
    let render: [&[&str]; 2] = [&["render", "r"], &["render", "r", "--count", "1"]];
    let export: [&[&str]; 2] = [
        &["export", "r", "--to", "npz"],
        &["export", "r", "--to", "gltf"],
    ];
    for command in render.into_iter().chain(export) {
        for (out, told) in [
            ("my.toml", "`my.toml` is a scene"),
            (
                "other/observables.csv",
                "`other/observables.csv` is a file of a run",
            ),
            ("r/summary.json", "would replace files of the run in `r`"),
        ] {
            let errors = place.fails(2, &[command, &["--out", out]].concat());
            assert!(
                errors.contains(told) && errors.contains("choose another"),
                "{errors}"
            );
        }
    }
    assert!(place.read("my.toml") == scene && place.results("other") == before);
    // What is neither is replaced.
    place.write("other/mine.png", "old");
    place.succeeds(&["render", "r", "--count", "1", "--out", "other/mine.png"]);
    assert!(png_size(&place, "other/mine.png").0 > 0);
}

fn png_size(place: &Place, file: &str) -> (u32, u32) {
    let bytes = std::fs::read(place.path(file)).unwrap();
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn help_has_an_example_for_each_command() {
    let place = Place::new();
    let help = place.succeeds(&["--help"]);
    for command in ["new", "check", "run", "export", "render"] {
        assert!(help.contains(&format!("  {command} ")), "{help}");
        let help = place.succeeds(&[command, "--help"]);
        assert!(
            help.contains("Example") && help.contains(&format!("writhe {command}")),
            "{help}"
        );
    }
    assert!(place.succeeds(&["--version"]).starts_with("writhe "));
}

#[test]
fn wrong_arguments_exit_with_2() {
    let place = Place::new();
    for args in [
        &["rum"][..],
        &["run"],
        &["run", "a.toml", "--set", "friction"],
        &["export", "r", "--to", "xyz"],
        &["render", "r", "--size", "big"],
        &["render", "r", "--view", "0,0,0"],
        &["render", "r", "--count", "0"],
    ] {
        place.fails(2, args);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::with_scene("flagella");
    let mut child = place
        .command(&["check", "my.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn compare_says_where_runs_differ() {
    let place = with_run("cantilever", SHORT);
    place.succeeds(&with(&["run", "my.toml", "--out", "same"], SHORT));
    let printed = place.succeeds(&["compare", "r", "same"]);
    assert!(printed.contains("11 of 11 and 11 frames"), "{printed}");
    assert!(printed.contains("Largest mean: 0 m = 0 radii"), "{printed}");

    let other = with(&["run", "my.toml", "--out", "other"], SHORT);
    let other = with(&other, &[common::CANTILEVER_OTHER, "output.every=0.01"]);
    place.succeeds(&other);
    let printed = place.succeeds(&["compare", "r", "other", "--csv", "d/c.csv"]);
    assert!(printed.contains("6 of 11 and 6 frames"), "{printed}");
    assert!(printed.contains("rod 0, node 20, at t = "), "{printed}");
    let table = place.read("d/c.csv");
    assert!(table.starts_with("t [s],mean [m],mean [radii],"), "{table}");
    assert_eq!(table.lines().count(), 7);

    let errors = place.fails(2, &["compare", "r", "r2"]);
    assert!(errors.contains("r2"), "{errors}");
    // A scene is not replaced by a result, a table is.
    place.write("scene.toml", "title = \"mine\"");
    let errors = place.fails(2, &["compare", "r", "other", "--csv", "scene.toml"]);
    assert!(errors.contains("`scene.toml` is a scene"), "{errors}");
    assert_eq!(place.read("scene.toml"), "title = \"mine\"");
    place.write("d/c.csv", "old");
    place.succeeds(&["compare", "r", "other", "--csv", "d/c.csv"]);
    assert_ne!(place.read("d/c.csv"), "old");
    let errors = place.fails(2, &["compare", "r", "other", "--csv", "r/observables.csv"]);
    assert!(
        errors.contains("would replace files of the run"),
        "{errors}"
    );
    let finer = with(&["run", "my.toml", "--out", "finer"], SHORT);
    place.succeeds(&with(&finer, &["scene.edges=25"]));
    let errors = place.fails(2, &["compare", "r", "finer"]);
    assert!(
        errors.contains("rod 0 has 21 nodes in one, 26 in the other"),
        "{errors}"
    );
}

#[test]
fn validate_prints_and_records_its_rows() {
    let place = Place::new();
    let list = place.succeeds(&["validate", "--list"]);
    assert!(
        list.contains("heavy-cantilever ") && list.contains(" 1.1 "),
        "{list}"
    );
    let printed = place.succeeds(&["validate", "1.4", "--csv", "v.csv", "--record", "rec"]);
    assert!(printed.contains("bending energy, 10 edges"), "{printed}");
    assert!(printed.contains("All pass: 1 case"), "{printed}");
    let table = place.read("v.csv");
    assert!(table.starts_with("case,section,what,"), "{table}");
    assert!(
        table.contains("ring,1.4,\"bending energy, 10 edges, averaged directors\",1.0696"),
        "{table}"
    );
    for file in ["rec/ring.txt", "rec/ring.csv"] {
        let recorded = place.read(file);
        let header: Vec<&str> = recorded.lines().take(2).collect();
        assert_eq!(header[0], "# writhe validate ring");
        assert!(
            header[1].contains(", commit ") && header[1].contains(", cores "),
            "{header:?}"
        );
    }
    let errors = place.fails(2, &["validate", "rinng"]);
    assert!(errors.contains("did you mean `ring`"), "{errors}");
}
