//! `writhe bench` and `--threads`, as a user types them.

use crate::common;
use common::{CANTILEVER_SHORT as SHORT, PROGRAM, Place, with};

#[test]
fn rows_are_listed_by_their_first_letters() {
    let place = Place::new();
    let all = place.succeeds(&["bench", "--list"]);
    for row in [
        "flagella-10",
        "lagged-2",
        "knot-4",
        "frame-4000",
        "heap",
        "hairs",
    ] {
        assert!(all.contains(row), "{row} in {all}");
    }
    let knots = place.succeeds(&["bench", "--list", "--only", "knot", "--only", "heap"]);
    assert_eq!(knots.lines().count(), 3, "{knots}");
}

/// A row by this program and another, which is the same: the table, its JSON and what is recorded
/// have figures of both.
#[test]
fn a_row_has_its_time_and_that_of_another_version() {
    let place = Place::new();
    let row = ["bench", "--only", "cantilever-1MPa", "--against", PROGRAM];
    let text = place.succeeds(&[&row[..], &["--record", "kept", "--json"]].concat());
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(text, place.read("kept/bench.json"));
    let row = &told["rows"][0];
    assert_eq!(row["row"], "cantilever-1MPa");
    // 2 s of 5 ms, less the step that is taken for the start.
    assert_eq!(row["steps"], 399);
    let number = |key: &str| row[key].as_f64().unwrap();
    assert!(number("value") > 0.0 && number("against") > 0.0 && number("kernel") > 0.0);
    let kernels = number("value") / number("kernel");
    assert!((number("kernels") / kernels - 1.0).abs() < 1e-12);
    // Figures of another machine are kept apart.
    assert!(row["elsewhere"]["wanted"].as_f64().unwrap() > 0.0);
    assert!(!told["made"]["commit"].as_str().unwrap().is_empty());
    let table = place.read("kept/bench.txt");
    assert!(
        table.contains("cantilever-1MPa") && table.contains("commit "),
        "{table}"
    );
    assert!(table.contains("another machine"), "{table}");
    // A path may be as long as it likes.
    let mut lines = table.lines().filter(|line| !line.contains(PROGRAM));
    assert!(lines.all(|line| line.chars().count() <= 80), "{table}");
}

/// A scene of the user's, which may name files beside it: all of it, a step, an iteration.
#[test]
fn a_scene_has_its_times_and_those_of_another_version() {
    let place = Place::with_scene("cantilever");
    let cut = ["time.duration=4", "output.every=1"];
    let bench = with(&["bench", "my.toml", "--against", PROGRAM, "--json"], &cut);
    let told: serde_json::Value = serde_json::from_str(&place.succeeds(&bench)).unwrap();
    let rows = told["rows"].as_array().unwrap();
    let per: Vec<_> = rows
        .iter()
        .map(|row| row["per"].as_str().unwrap())
        .collect();
    assert_eq!(per, ["the whole run", "a step", "a Newton iteration"]);
    // 5 ms steps; the first one is the start.
    assert_eq!(
        (&rows[0]["steps"], &rows[1]["steps"]),
        (&800.into(), &799.into())
    );
    for row in rows {
        assert!(row["value"].as_f64().unwrap() > 0.0 && row["against"].as_f64().unwrap() > 0.0);
    }
    let table = place.succeeds(&with(&["bench", "my.toml"], &cut));
    assert_eq!(table.matches("my.toml to 4 s").count(), 1, "{table}");
    for arguments in [
        &["bench", "--set", "time.duration=1"][..],
        &["bench", "my.toml", "--whole"],
    ] {
        place.fails(2, arguments);
    }
    let told = place.fails(2, &["bench", "nowhere.toml"]);
    assert!(told.contains("nowhere.toml"), "{told}");
}

#[test]
fn what_cannot_be_measured_is_one_message() {
    let place = Place::new();
    for (arguments, message, remedy) in [
        (
            &["--against", "/bin/echo"][..],
            "`/bin/echo` is not writhe",
            "the path of a binary `writhe`",
        ),
        (
            &["--against", "nowhere/writhe"],
            "cannot be started",
            "the path of a binary `writhe`",
        ),
        (&["--only", "nought"], "no row `nought`", "--list"),
        (&["--threads", "0"], "--threads 0", "take 1 or more"),
        (
            &["--set", "nonsense=1", "--only", "heap"],
            "`--set nonsense=1` has no effect on rows of the table",
            "name a scene",
        ),
        (&["--set", "nonsense=1", "--list"], "has no effect", "--set"),
    ] {
        let told = place.fails(2, &[&["bench"], arguments].concat());
        assert!(told.contains(message) && told.contains(remedy), "{told}");
    }
}

/// Cases may take hours, and where their tables go is known before.
#[test]
fn places_that_cannot_be_written_are_told_before_cases_are_measured() {
    let place = Place::new();
    place.write("file", "");
    std::fs::create_dir(place.path("folder")).unwrap();
    let in_the_way = "a file stands where a folder is needed";
    for (option, path, words) in [
        ("--csv", "folder", "it is a folder, and a file is to be"),
        ("--csv", "file/v.csv", in_the_way),
        ("--record", "file", in_the_way),
        ("--record", "file/record", in_the_way),
    ] {
        let output = place.run(&["validate", "ring", "--quick", option, path]);
        let told = common::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let (is_named, is_why) = (told.contains(path), told.contains(words));
        assert!(is_named && is_why, "{option} {path}: {told}");
        assert!(output.stdout.is_empty(), "it was measured");
    }
    // Nothing is left of the trial.
    let csv = "new/folder/v.csv";
    place.succeeds(&["validate", "ring", "--quick", "--csv", csv]);
    assert!(place.read(csv).starts_with("case,section,"));
    let folder = std::fs::read_dir(place.path("new/folder")).unwrap();
    assert_eq!(folder.count(), 1);
}

/// A step that fails says why, as a run would.
#[test]
fn a_scene_that_fails_is_told_with_its_cause() {
    let place = Place::with_scene("cantilever");
    let few = [
        "time.max_iterations=3",
        "time.adaptive=false",
        "time.step=12.5 ms",
    ];
    let output = place.run(&with(&["bench", "my.toml"], &few));
    let told = common::text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("step ") && told.contains("residual"),
        "{told}"
    );
}

#[test]
fn threads_change_no_bit() {
    let place = Place::with_scene("flagella");
    for threads in ["1", "2"] {
        let run = ["run", "my.toml", "--threads", threads, "--out", threads];
        let short = ["time.duration=0.04", "output.every=0.02", "scene.edges=16"];
        place.succeeds(&with(&run, &short));
    }
    place.assert_same_results("1", "2");
    let run = ["run", "my.toml", "--threads", "0"];
    let told = place.fails(2, &with(&run, SHORT));
    assert!(
        told.contains("--threads 0") && told.contains("take 1 or more"),
        "{told}"
    );
    assert!(!place.path("runs").exists());
}
