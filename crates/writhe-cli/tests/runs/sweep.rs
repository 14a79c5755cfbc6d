//! `writhe sweep`, with real processes: points, names, tables, kills, Ctrl-C, curves.

#![cfg(unix)]

use crate::common;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant, SystemTime};

use common::{Place, signal, text, with};

/// The template `cantilever`, coarse, over six points.
fn sweep<'a>(out: &'a str, duration: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["sweep", "my.toml", "--out", out, "--duration", duration];
    for set in [
        "scene.edges=20",
        "time.step=1 ms",
        "output.every=0.01",
        "output.checkpoint_every=0.05",
    ] {
        args.extend(["--set", set]);
    }
    args.extend([
        "--vary",
        "scene.young=5MPa:7MPa:1MPa",
        "--vary",
        "scene.rod_radius=1 mm,2 mm",
    ]);
    args.extend(more);
    args
}

const NAMES: [&str; 6] = [
    "young=5MPa,rod_radius=1mm",
    "young=5MPa,rod_radius=2mm",
    "young=6MPa,rod_radius=1mm",
    "young=6MPa,rod_radius=2mm",
    "young=7MPa,rod_radius=1mm",
    "young=7MPa,rod_radius=2mm",
];

/// Both sweeps left the same runs and tables.
fn assert_same(place: &Place, a: &str, b: &str) {
    for name in NAMES {
        place.assert_same_results(&format!("{a}/{name}"), &format!("{b}/{name}"));
    }
    for file in ["results.csv", "results.json", "sweep.json"] {
        assert_eq!(
            place.read(&format!("{a}/{file}")),
            place.read(&format!("{b}/{file}")),
            "{file}"
        );
    }
}

/// Runs that are over, and when they became so.
fn over(place: &Place, out: &str) -> BTreeMap<&'static str, SystemTime> {
    let summary = |name: &str| place.path(out).join(name).join("summary.json");
    let when =
        |name: &&'static str| Some((*name, fs::metadata(summary(name)).ok()?.modified().ok()?));
    NAMES.iter().filter_map(when).collect()
}

fn wait(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing happened"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Processes that a sweep has started.
fn children(sweep: &Child) -> Vec<u32> {
    let found = Command::new("ps")
        .args(["-o", "pid=", "--ppid", &sweep.id().to_string()])
        .output()
        .unwrap();
    let words = text(&found.stdout);
    words
        .split_whitespace()
        .filter_map(|id| id.parse().ok())
        .collect()
}

#[test]
fn all_combinations_are_run_and_told() {
    let place = Place::with_scene("cantilever");
    let said = place.succeeds(&sweep("s", "0.1", &["-j", "2"]));
    for words in [
        "Sweeping cantilever over scene.young (3 values) and scene.rod_radius (2 values): 6 runs, 2 at a time -> s",
        "[6/6]",
        "young  rod_radius  outcome   simulated [s]  steps  energy_bend [J]",
        "writhe plot s energy_bend --against scene.young",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let table = place.read("s/results.csv");
    let header = table.lines().next().unwrap();
    assert!(
        header.starts_with(
            "run,scene.young,scene.rod_radius,outcome,reason,simulated [s],steps [1],"
        ),
        "{header}"
    );
    let row = table.lines().nth(4).unwrap();
    assert!(
        row.starts_with(
            "\"young=6MPa,rod_radius=2mm\",6 MPa,2 mm,finished,the end of the simulated time,0.1,"
        ),
        "{row}"
    );
    assert_eq!(table.lines().count(), 7);
    let json: serde_json::Value = serde_json::from_str(&place.read("s/results.json")).unwrap();
    assert_eq!(json["units"]["energy_bend"], "J");
    assert_eq!(json["rows"][3]["parameters"]["scene.rod_radius"], "2 mm");
    // A point is what `run` makes of it; the value is that of its last row.
    let run = [
        "run",
        "my.toml",
        "--out",
        "r",
        "--duration",
        "0.1",
        "--set",
        "scene.edges=20",
        "--set",
        "time.step=1 ms",
        "--set",
        "output.every=0.01",
        "--set",
        "output.checkpoint_every=0.05",
        "--set",
        "scene.young=6 MPa",
        "--set",
        "scene.rod_radius=2 mm",
    ];
    place.succeeds(&run);
    place.assert_same_results("r", "s/young=6MPa,rod_radius=2mm");
    let last = place.read("r/observables.csv");
    let last: f64 = last
        .lines()
        .last()
        .unwrap()
        .split(',')
        .nth(2)
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(json["rows"][3]["values"]["energy_bend"], last);

    // Nothing is done again.
    let before = over(&place, "s");
    let said = place.succeeds(&sweep("s", "0.1", &["--show", "rod0_shortening"]));
    assert!(
        said.contains("6 of them done already") && said.contains("rod0_shortening [m]"),
        "{said}"
    );
    assert_eq!(over(&place, "s"), before);
    // With one process at a time: the same.
    place.succeeds(&sweep("one", "0.1", &["-j", "1"]));
    assert_same(&place, "s", "one");
}

#[test]
fn curves_over_what_was_swept() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&sweep("s", "0.05", &[]));
    let said = place.succeeds(&["plot", "s", "bend", "--against", "scene.young"]);
    assert_eq!(
        said,
        "Drew energy_bend over scene.young of 6 runs to s/plot.svg\n"
    );
    let final_values = place.read("s/plot.svg");
    place.succeeds(&["plot", "s", "bend", "--against", "young", "--value", "mean"]);
    assert_ne!(place.read("s/plot.svg"), final_values);
    for (args, words) in [
        (
            vec!["plot", "s", "bend"],
            "a sweep is drawn over one of its keys, and none is named",
        ),
        (
            vec!["plot", "s", "bend", "--against", "contact.friction"],
            "the sweep does not go over `contact.friction`",
        ),
        (
            vec!["plot", "s", "bend", "--against", "young", "--mean", "0.1"],
            "`--mean` has no effect on a sweep",
        ),
        (
            vec!["plot", "s", "bnd", "--against", "young"],
            "`bnd` is no observable of the runs of the sweep",
        ),
        (
            vec![
                "plot",
                "s/young=5MPa,rod_radius=1mm",
                "energy_bend",
                "--value",
                "max",
            ],
            "no sweep is drawn",
        ),
    ] {
        let error = place.fails(2, &args);
        assert!(error.contains(words) && error.contains("help:"), "{error}");
    }
}

/// The last values of a run that failed are no result.
#[test]
fn runs_that_failed_are_left_out_of_curves() {
    let place = Place::with_scene("cantilever");
    // Three iterations are too few for the fourth step.
    let vary = "time.max_iterations=3,40,50";
    let args = ["sweep", "my.toml", "--vary", vary, "--out", "s"];
    let sets = [
        "time.adaptive=false",
        "time.step=12.5 ms",
        "output.every=0.03",
    ];
    place.fails(1, &with(&args, &sets));
    let table = place.read("s/results.csv");
    assert!(
        table.lines().nth(1).unwrap().contains(",failed,"),
        "{table}"
    );
    let plot = ["plot", "s", "--against", "max_iterations"];
    let said = place.succeeds(&plot);
    assert_eq!(
        said,
        "Drew energy_bend over time.max_iterations of 2 runs to s/plot.svg\n\
         Left out: 1 run that failed (max_iterations=3)\n"
    );
    // A run that is not there is told, too.
    fs::remove_dir_all(place.path("s/max_iterations=40")).unwrap();
    let said = place.succeeds(&plot);
    assert!(said.contains("Left out: 1 run that is not over"), "{said}");
    fs::remove_dir_all(place.path("s/max_iterations=50")).unwrap();
    let error = place.fails(2, &plot);
    assert!(error.contains("ended well: 1 failed"), "{error}");
}

/// What the sweep says to type next is typed: values that are words stand at the axis as words.
#[test]
fn words_stand_at_the_axis_and_ends_of_rods_are_columns() {
    let place = Place::with_scene("cantilever");
    let args = [
        "sweep",
        "my.toml",
        "--duration",
        "0.05",
        "--set",
        "scene.edges=10",
        "--vary",
        "contact.model=imc,ipc",
        "--show",
        "rod0_tip_z",
        "--out",
        "s",
    ];
    let said = place.succeeds(&args);
    assert!(said.contains("rod0_tip_z [m]"), "{said}");
    let next = said.lines().find_map(|l| l.strip_prefix("curves: writhe "));
    let next: Vec<&str> = next.unwrap().split(' ').collect();
    assert_eq!(next[1..3], ["s", "rod0_tip_z"]);
    let said = place.succeeds(&next);
    assert!(
        said.starts_with("Drew rod0_tip_z over contact.model of 2 runs"),
        "{said}"
    );
    place.succeeds(&[&next[..], &["--out", "s/plot.pdf"]].concat());
    let error = place.fails(2, &[&next[..], &["--log", "x"]].concat());
    assert!(error.contains("no logarithm"), "{error}");
}

/// A run that is killed goes on by itself; a sweep that is killed, when it is asked for again.
#[test]
fn kills_lose_nothing() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&sweep("whole", "1", &["-j", "2"]));

    let mut child = place.spawn(&sweep("s", "1", &["-j", "2"]));
    let checkpoint = place
        .path("s")
        .join(NAMES[0])
        .join("checkpoint.previous.bin");
    wait(|| checkpoint.exists());
    let runs = children(&child);
    assert!(!runs.is_empty());
    let killed = Command::new("kill")
        .args(["-KILL", &runs[0].to_string()])
        .status();
    assert!(killed.unwrap().success());
    wait(|| over(&place, "s").len() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = over(&place, "s");
    assert!(before.len() < 6, "make the runs longer");
    let said = place.succeeds(&sweep("s", "1", &["-j", "2"]));
    assert!(said.contains("of them done already"), "{said}");
    let after = over(&place, "s");
    assert!(before.iter().all(|(name, time)| after[name] == *time));
    assert_same(&place, "whole", "s");
}

#[test]
fn a_killed_run_is_told_and_goes_on() {
    let place = Place::with_scene("cantilever");
    let child = place.spawn(&sweep("s", "1", &["-j", "1"]));
    let checkpoint = place
        .path("s")
        .join(NAMES[0])
        .join("checkpoint.previous.bin");
    wait(|| checkpoint.exists());
    let run = children(&child)[0].to_string();
    assert!(
        Command::new("kill")
            .args(["-KILL", &run])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        said.contains("killed (signal 9), goes on from its checkpoint"),
        "{said}"
    );
    assert!(
        place
            .read(&format!("s/{}/log.txt", NAMES[0]))
            .contains("resumed")
    );
    assert_eq!(over(&place, "s").len(), 6);
}

/// Runs of a sweep that was killed go on by themselves: the next one says that it waits for them.
#[test]
fn a_run_of_another_process_is_told_and_waited_for() {
    let place = Place::with_scene("cantilever");
    let vary = "scene.young=5MPa,6MPa";
    let args = ["sweep", "my.toml", "--vary", vary, "--out", "s", "-j", "1"];
    let sets = [
        "scene.edges=20",
        "time.duration=4",
        "time.step=1 ms",
        "output.every=0.01",
        "output.checkpoint_every=0.05",
    ];
    let args = with(&args, &sets);
    let mut child = place.spawn(&args);
    let checkpoint = place.path("s/young=5MPa/checkpoint.bin");
    wait(|| checkpoint.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let said = place.succeeds(&args);
    let told = "young=5MPa  another process runs it: waited for\n";
    assert_eq!(said.matches(told).count(), 1, "{said}");
    let after = said.split(told).nth(1).unwrap();
    assert!(after.contains("young=5MPa  finished\n"), "{said}");
    assert!(after.contains("young=6MPa  finished\n"), "{said}");
}

/// Results that are lost are told, never told as if they were whole, and never written over.
#[test]
fn a_damaged_run_is_a_row_without_values() {
    let place = Place::with_scene("cantilever");
    let vary = "scene.edges=4,5";
    let args = ["sweep", "my.toml", "--duration", "0.1", "--vary", vary];
    let args = [&args[..], &["--out", "s"]].concat();
    place.succeeds(&args);
    let results = place.read("s/results.csv");
    let file = "s/edges=4/observables.csv";
    let table = place.read(file);
    let lines: Vec<&str> = table.lines().collect();
    let cut = lines[..lines.len() - 2].join("\n") + "\n";
    place.write(file, &cut);
    let told = place.fails(1, &args);
    for words in [
        "the results of `edges=4` are damaged, and left out",
        "delete its folder `s/edges=4` and sweep again",
    ] {
        assert!(told.contains(words), "{told}");
    }
    assert_eq!(place.read(file), cut);
    let damaged = place.read("s/results.csv");
    let row = damaged.lines().nth(1).unwrap();
    assert!(row.starts_with("edges=4,4,damaged,"), "{row}");
    assert!(
        row.contains("observables.csv") && row.ends_with(",,,"),
        "{row}"
    );
    assert_eq!(damaged.lines().nth(2), results.lines().nth(2));
    let plot = ["plot", "s", "--against", "edges"];
    let said = place.succeeds(&plot);
    assert!(
        said.contains("Left out: 1 run with damaged results (edges=4)"),
        "{said}"
    );
    let other = place.path("s/edges=5");
    fs::rename(&other, place.path("away")).unwrap();
    let error = place.fails(2, &plot);
    assert!(
        error.contains("can be drawn: 0 failed, 1 damaged"),
        "{error}"
    );
    fs::rename(place.path("away"), &other).unwrap();
    // What can be written again, is.
    place.write(file, &table);
    place.write("s/edges=4/trajectory.zarr/zarr.json", "rubbish");
    place.succeeds(&args);
    assert_eq!(place.read("s/results.csv"), results);
    // And what is told, helps.
    place.write(file, &cut);
    fs::remove_dir_all(place.path("s/edges=4")).unwrap();
    place.succeeds(&args);
    assert_eq!(place.read("s/results.csv"), results);
}

#[cfg(target_os = "linux")]
#[test]
fn a_scene_whose_name_is_no_text_is_swept() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::with_scene("cantilever");
    let name = OsStr::from_bytes(b"s\xff.toml");
    fs::copy(place.path("my.toml"), place.path("").join(name)).unwrap();
    let mut command = place.command(&["sweep"]);
    command.arg(name).args(["--vary", "scene.edges=4,5"]);
    command.args(["--duration", "0.05", "--out", "s"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = place.read("s/results.csv");
    assert_eq!(table.matches(",finished,").count(), 2, "{table}");
}

#[test]
fn ctrl_c_ends_tidily() {
    let place = Place::with_scene("cantilever");
    let child = place.spawn(&sweep("s", "2", &["-j", "2"]));
    let checkpoint = place.path("s").join(NAMES[0]).join("checkpoint.bin");
    wait(|| checkpoint.exists());
    std::thread::sleep(Duration::from_millis(50));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("of 6 runs are done") && errors.contains("go on with the same command"),
        "{errors}"
    );
    assert_eq!(
        place.summary(&format!("s/{}", NAMES[0]))["outcome"],
        "interrupted"
    );
    assert!(place.read("s/results.csv").contains(",missing,"));
    let said = place.succeeds(&sweep("s", "2", &["-j", "2"]));
    assert!(said.contains("[6/6]"), "{said}");
    assert!(!place.read("s/results.csv").contains(",missing,"));
}

#[test]
fn what_fails_is_a_row_with_its_reason() {
    let place = Place::with_scene("cantilever");
    let args = [
        "sweep",
        "my.toml",
        "--duration",
        "0.05",
        "--vary",
        "scene.edges=1,4",
        "--out",
        "s",
    ];
    let error = place.fails(1, &args);
    assert!(
        error.contains("1 of 2 runs did not end well") && error.contains("s/results.csv"),
        "{error}"
    );
    let table = place.read("s/results.csv");
    let row = table.lines().nth(1).unwrap();
    assert!(
        row.starts_with("edges=1,1,failed,") && row.contains("from 2 to"),
        "{row}"
    );
    assert!(
        table
            .lines()
            .nth(2)
            .unwrap()
            .starts_with("edges=4,4,finished,")
    );
}

#[test]
fn bad_sweeps_are_told_before_anything_is_made() {
    let place = Place::with_scene("cantilever");
    for (vary, words) in [
        ("scene.yung=1,2", "did you mean `young`?"),
        (
            "scene.young=1:2:0",
            "`scene.young=1:2:0` never ends: its step is 0",
        ),
        (
            "scene.young=2:1:1",
            "is empty: its steps lead away from its end",
        ),
        ("scene.young=1:2", "is no range"),
        ("scene.young", "`scene.young` is not KEY=VALUES"),
        ("scene.young=", "`scene.young=` names no value"),
        ("scene.young=1..3", "`.3` behind the number is no unit"),
        ("scene.young=1,1", "`scene.young` has the value 1 twice"),
    ] {
        let error = place.fails(2, &["sweep", "my.toml", "--vary", vary, "--out", "s"]);
        assert!(
            error.contains(words) && error.contains("help:"),
            "{vary}: {error}"
        );
        assert!(!place.path("s").exists());
    }
    // One value in each run; names that no run has.
    for (more, words) in [
        (["--set", "scene.young=3"], "`--set` gives it one value"),
        (["--show", "rod0_pull"], "no run has a column `rod0_pull`"),
        (["--show", "rod9_tip_z"], "did you mean `rod0_tip_z`?"),
    ] {
        let args = [
            "sweep",
            "my.toml",
            "--vary",
            "scene.young=1e6,2e6",
            "--out",
            "s",
        ];
        let error = place.fails(2, &[&args[..], &more].concat());
        assert!(error.contains(words) && error.contains("help:"), "{error}");
        assert!(!place.path("s").exists());
    }
    let error = place.fails(
        2,
        &[
            "sweep",
            "my.toml",
            "--vary",
            "scene.young=1",
            "-j",
            "0",
            "--out",
            "s",
        ],
    );
    assert!(error.contains("-j 0"), "{error}");
    // A folder of another sweep, or of anything else.
    place.succeeds(&sweep("s", "0.05", &[]));
    let error = place.fails(2, &sweep("s", "0.06", &[]));
    assert!(
        error.contains("`s` holds another sweep")
            && error.contains("time.duration: 0.05 there, 0.06 now"),
        "{error}"
    );
    let error = place.fails(
        2,
        &[
            "sweep",
            "my.toml",
            "--vary",
            "scene.edges=4,5",
            "--out",
            "s",
        ],
    );
    assert!(error.contains("over scene.edges=4,5 now"), "{error}");
    let error = place.fails(
        2,
        &[
            "sweep",
            "my.toml",
            "--vary",
            "scene.edges=4,5",
            "--out",
            ".",
        ],
    );
    assert!(error.contains("is not empty and holds no sweep"), "{error}");
}
