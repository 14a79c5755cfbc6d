//! A simulation that fails says where and why, and saves its last good state.

use crate::common;
use common::{Place, with};

/// Too few iterations for the fourth step, which lies between two outputs.
const FAILING: &[&str] = &[
    "time.max_iterations=3",
    "time.adaptive=false",
    "time.step=12.5 ms",
    "output.every=0.03",
];

#[test]
fn a_failed_run_saves_its_last_good_state() {
    let place = Place::with_scene("cantilever");
    let args = with(&["run", "my.toml", "--out", "r"], FAILING);
    let errors = place.fails(1, &args);
    for words in [
        "step ",
        "at t = ",
        "residual",
        " N",
        "node ",
        "of rod 0",
        "help: try ",
        "last good state",
        "writhe render r",
    ] {
        assert!(errors.contains(words), "`{words}` is not in {errors}");
    }

    let summary = place.summary("r");
    assert_eq!(summary["outcome"], "failed");
    assert!(
        summary["reason"].as_str().unwrap().contains("residual"),
        "{summary}"
    );
    let reached = summary["simulated_s"].as_f64().unwrap();
    assert!(reached > 0.0, "{summary}");
    // The step that failed is the one after those that are counted, wherever it is told.
    let failed = format!("step {} at t = ", summary["steps"].as_u64().unwrap() + 1);
    let log = place.read("r/log.txt");
    for told in [&errors, summary["reason"].as_str().unwrap(), &log] {
        assert!(told.contains(&failed), "`{failed}` is not in {told}");
    }
    let table = place.read("r/observables.csv");
    let last = table.lines().last().unwrap().split(',').next().unwrap();
    assert_eq!(
        last.parse::<f64>().unwrap(),
        reached,
        "the last frame is the last good state"
    );
    assert!(place.path("r/checkpoint.bin").exists());
    place.succeeds(&["render", "r"]);

    // Going on meets the same failure and adds no frame.
    place.fails(1, &[&args[..], &["--resume"]].concat());
    let again = place.read("r/observables.csv");
    assert_eq!(again.lines().count(), table.lines().count());
    assert_eq!(place.summary("r")["simulated_s"], reached);
}
