//! `writhe run --resume --duration`: a run becomes longer, and is then what it had been as a longer
//! one from its start.

use crate::common;
use common::{CANTILEVER_SHORT as SHORT, Place, with};

/// The template `cantilever` with a fixed interval of outputs and this duration.
fn run<'a>(out: &'a str, duration: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let sets = [
        "scene.edges=20",
        "time.step=1 ms",
        "output.every=0.01",
        "output.checkpoint_every=0.02",
    ];
    let mut args = with(&["run", "my.toml", "--out", out], &sets);
    args.extend(["--duration", duration]);
    args.extend(more);
    args
}

/// Also `scene.toml` is that of a run that was longer from its start.
fn assert_same(place: &Place, a: &str, b: &str) {
    place.assert_same_results(a, b);
    let scene = |run: &str| place.read(&format!("{run}/scene.toml"));
    assert_eq!(scene(a), scene(b));
    let (a, b) = (place.summary(a), place.summary(b));
    for key in [
        "outcome",
        "simulated_s",
        "steps",
        "newton_iterations",
        "watched",
    ] {
        assert_eq!(a[key], b[key], "{key}");
    }
}

#[test]
fn a_finished_run_becomes_longer_bit_for_bit() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run("whole", "0.1", &[]));
    // A multiple of the interval to the last bit, one but for rounding (3 * .01), and none.
    for (out, first) in [("even", "0.04"), ("rounded", "0.03"), ("odd", "0.043")] {
        place.succeeds(&run(out, first, &[]));
        let said = place.succeeds(&run(out, "0.1", &["--resume"]));
        let note = format!("the run becomes longer: {first} s before, 0.1 s now");
        assert!(said.contains(&note), "{said}");
        assert!(!said.contains("differ in the last bits"), "{said}");
        assert!(said.contains("Finished: 0.1 s simulated"), "{said}");
        assert_same(&place, "whole", out);
        assert!(place.read(&format!("{out}/log.txt")).contains(&note));
        // The same command once more.
        let again = place.succeeds(&run(out, "0.1", &["--resume"]));
        assert!(again.contains("Nothing to do"), "{again}");
    }
}

/// Where the scene says no interval, it is that of the run as it was.
#[test]
fn outputs_keep_their_interval() {
    let place = Place::new();
    place.write("my.toml", "[scene]\nname = \"cantilever\"\n");
    let args = |out, duration, more: &[&'static str]| {
        let sets = ["scene.edges=10", "time.step=1 ms"];
        let mut args = with(&["run", "my.toml", "--out", out], &sets);
        args.extend(["--duration", duration]);
        args.extend(more);
        args
    };
    place.succeeds(&args("r", "0.1", &[]));
    place.succeeds(&args("r", "0.2", &["--resume"]));
    place.succeeds(&args("r", "0.3", &["--resume"]));
    let again = place.succeeds(&args("r", "0.3", &["--resume"]));
    assert!(again.contains("Nothing to do"), "{again}");
    let whole = args("whole", "0.3", &["--set", "output.every=0.001"]);
    place.succeeds(&whole);
    assert_same(&place, "whole", "r");
}

#[test]
fn an_interrupted_run_becomes_longer_too() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run("whole", "0.1", &[]));
    place.succeeds(&run("r", "0.06", &[]));
    // As a kill leaves it in the middle of becoming longer: the checkpoint knows the new scene.
    let scene = place.read("r/scene.toml");
    place.succeeds(&run("r", "0.08", &["--resume"]));
    place.write("r/scene.toml", &scene);
    std::fs::remove_file(place.path("r/summary.json")).unwrap();
    place.succeeds(&run("r", "0.08", &["--resume"]));
    place.succeeds(&run("r", "0.1", &["--resume"]));
    assert_same(&place, "whole", "r");
}

/// A run that was killed before its first checkpoint begins again, as long as it is now.
#[test]
fn a_run_without_a_checkpoint_becomes_longer_too() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run("whole", "0.1", &[]));
    place.succeeds(&run("r", "0.06", &[]));
    for file in ["checkpoint.bin", "checkpoint.previous.bin", "summary.json"] {
        std::fs::remove_file(place.path("r").join(file)).unwrap();
    }
    place.succeeds(&run("r", "0.1", &["--resume"]));
    assert_same(&place, "whole", "r");
}

/// A condition that ended the run ends it again, where it did.
#[test]
fn a_run_that_a_condition_ended_stays_ended() {
    let place = Place::with_scene("cantilever");
    let stop = ["--set", "stop.force=1e-5"];
    place.succeeds(&run("whole", "0.1", &stop));
    place.succeeds(&run("r", "0.05", &stop));
    let more = [&stop[..], &["--resume"]].concat();
    let said = place.succeeds(&run("r", "0.1", &more));
    assert!(said.contains("`stop.force`"), "{said}");
    assert_same(&place, "whole", "r");
}

#[test]
fn what_is_not_exact_is_told() {
    let place = Place::with_scene("cantilever");
    let accurate = ["--set", "time.accuracy=0.01"];
    place.succeeds(&run("r", "0.04", &accurate));
    let more = [&accurate[..], &["--resume"]].concat();
    let said = place.succeeds(&run("r", "0.1", &more));
    assert!(said.contains("`time.accuracy` was shared out"), "{said}");

    place.succeeds(&run("odd", "0.043", &[]));
    std::fs::remove_file(place.path("odd/checkpoint.previous.bin")).unwrap();
    let said = place.succeeds(&run("odd", "0.1", &["--resume"]));
    let told = "its last steps end at t = 0.043 s, which is no multiple of `output.every` (0.01 s)";
    assert!(said.contains(told), "{said}");
    // No output is left out, and the end of the shorter run stays.
    let table = place.read("odd/observables.csv");
    let times = table.lines().skip(1).map(|row| row.split(',').next());
    let times: Vec<f64> = times.map(|t| t.unwrap().parse().unwrap()).collect();
    assert_eq!(times.len(), 12, "{times:?}");
    assert_eq!(times[4..7], [0.04, 0.043, 0.05]);
}

#[test]
fn a_run_becomes_no_shorter_and_nothing_else_changes() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], SHORT));
    let mut shorter = with(&["run", "my.toml", "--out", "r", "--resume"], SHORT);
    shorter.extend(["--duration", "20 ms"]);
    let error = place.fails(2, &shorter);
    assert!(
        error.contains(
            "the duration of 0.02 s is shorter than the 0.05 s that the run in `r` was made for"
        ) && error.contains("--out DIR"),
        "{error}"
    );
    let mut other = with(&["run", "my.toml", "--out", "r", "--resume"], SHORT);
    other.extend(["--duration", "1", "--set", "time.step=2 ms"]);
    let error = place.fails(2, &other);
    assert!(
        error.contains("time.step: 0.001 in the run, 0.002 now"),
        "{error}"
    );
    assert!(
        place
            .succeeds(&with(&["run", "my.toml", "--out", "r", "--resume"], SHORT))
            .contains("Nothing to do")
    );
}
