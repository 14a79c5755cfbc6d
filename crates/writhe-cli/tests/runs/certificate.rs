//! A run certifies what cannot change, says so, and says it if it did.

use crate::common;
use common::{Place, wait_until, with};

/// The template `ring` with seven turns of twist, which buckles and coils up.
const COILING: &[&str] = &[
    "scene.twist=\"7 turns\"",
    "scene.edges=60",
    "scene.perturbation=\"0.5 mm\"",
    "time.duration=0.25",
    "time.step=\"2 ms\"",
    "output.every=0.01",
    "output.checkpoint_every=0.05",
];

fn column(table: &str, name: &str) -> Option<Vec<f64>> {
    let mut lines = table.lines();
    let header = lines.next().unwrap();
    let is_name = |cell: &str| cell.split(' ').next() == Some(name);
    let at = header.split(',').position(is_name)?;
    let value = |line: &str| line.split(',').nth(at).unwrap().parse().unwrap();
    Some(lines.map(value).collect())
}

#[test]
fn a_coiling_ring_keeps_its_linking_number() {
    let place = Place::with_scene("ring");
    let check = place.succeeds(&with(&["check", "my.toml"], COILING));
    assert!(check.contains("Certified at each output"), "{check}");
    assert!(
        check.contains("unknot, Tw + Wr = 0 (7 above the rest twist)"),
        "{check}"
    );
    let said = place.succeeds(&with(&["run", "my.toml", "--out", "r"], COILING));
    assert!(
        said.contains("rod 0: unknot, Tw + Wr = 0 (7 above the rest twist)"),
        "{said}"
    );
    assert!(said.contains("unchanged in 26 outputs"), "{said}");
    let certificate = &place.summary("r")["certificate"];
    assert_eq!(certificate["checked_outputs"], 26);
    assert_eq!(certificate["uncertain_outputs"], 0);
    assert_eq!(certificate["changes"].as_array().map(Vec::len), Some(0));
    let table = place.read("r/observables.csv");
    let of = |name: &str| column(&table, name).unwrap();
    let (twist, writhe) = (of("rod0_twist"), of("rod0_writhe"));
    let largest = writhe.iter().fold(0.0_f64, |m, w| m.max(w.abs()));
    assert!(largest > 0.5, "the ring must coil: {largest}");
    for ((tw, wr), lk) in twist.iter().zip(&writhe).zip(of("rod0_linking_number")) {
        assert!((tw + wr).abs() < 1e-9 && lk.abs() < 1e-9);
    }
    assert!(of("rod0_knot_determinant").iter().all(|d| *d == 1.0));
}

#[test]
fn a_ring_that_passes_through_itself_is_reported() {
    let place = Place::with_scene("ring");
    let more = [COILING, &["contact.model=none"]].concat();
    let mut args = with(&["run", "my.toml", "--out", "r"], &more);
    let said = place.succeeds(&args);
    assert!(said.contains("CHANGED, seen at t = "), "{said}");
    assert!(said.contains("Tw + Wr of rod 0 was 0 and is "), "{said}");
    assert!(!said.contains("unchanged"), "{said}");
    let changes = place.summary("r")["certificate"]["changes"].clone();
    let first = &changes[0];
    assert!(first["time_s"].as_f64().unwrap() > 0.0, "{changes}");
    let log = place.read("r/log.txt");
    assert!(
        log.contains("changed at t = ") && log.contains("of rod 0 `ring` was 0"),
        "{log}"
    );
    // Going on with a run that is over says the same.
    args.push("--resume");
    let again = place.succeeds(&args);
    assert!(again.contains("CHANGED, seen at t = "), "{again}");
}

#[test]
fn the_scene_says_whether_to_certify() {
    let place = Place::with_scene("ring");
    let short = ["time.duration=0.02", "output.every=0.01"];
    let run = |place: &Place, out: &str, extra: &str| {
        let sets = [&short[..], &[extra]].concat();
        place.succeeds(&with(&["run", "my.toml", "--out", out], &sets));
        let table = place.read(&format!("{out}/observables.csv"));
        column(&table, "rod0_writhe").is_some()
    };
    assert!(run(&place, "a", "output.certify=automatic"));
    assert!(!run(&place, "b", "output.certify=false"));
    let straight = Place::with_scene("cantilever");
    assert!(!run(&straight, "c", "output.certify=automatic"));
    assert!(run(&straight, "d", "output.certify=true"));
    let errors = straight.fails(2, &["check", "my.toml", "--set", "output.certify=often"]);
    assert!(
        errors.contains("output.certify") && errors.contains("automatic"),
        "{errors}"
    );
}

#[test]
fn a_resumed_run_goes_on_with_its_record() {
    let place = Place::with_scene("ring");
    let args = with(&["run", "my.toml"], COILING);
    let whole = [&args[..], &["--out", "whole"]].concat();
    let halves = [&args[..], &["--out", "halves"]].concat();
    place.succeeds(&whole);
    let mut child = place.spawn(&halves);
    let second = place.path("halves/checkpoint.previous.bin");
    wait_until(&mut child, || second.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    place.succeeds(&[&halves[..], &["--resume"]].concat());
    assert_eq!(place.results("whole"), place.results("halves"));
    assert_eq!(
        place.summary("whole")["certificate"],
        place.summary("halves")["certificate"]
    );
}
