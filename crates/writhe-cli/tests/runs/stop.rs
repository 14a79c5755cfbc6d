//! A run that a condition of its scene ends: it is finished, and says why.

use crate::common;
use common::{Place, with};

/// The template `knot`, coarse and pulled fast.
const COARSE: &[&str] = &[
    "scene.edges=80",
    "scene.rod_radius=0.004",
    "scene.end_distance=0.6",
    "scene.schedule=[{ for = 4.0, speed = 0.1 }]",
    "time.step=0.01",
    "output.every=0.1",
];

/// Last value of a column.
fn last(table: &str, name: &str) -> f64 {
    let mut lines = table.lines();
    let header = lines.next().unwrap();
    let is_name = |cell: &str| cell.split(' ').next() == Some(name);
    let at = header.split(',').position(is_name).unwrap();
    let row = lines.next_back().unwrap();
    row.split(',').nth(at).unwrap().parse().unwrap()
}

#[test]
fn a_small_loop_a_force_or_a_strain_ends_a_run() {
    let place = Place::with_scene("knot");
    for (set, out, why) in [
        ("stop.loop_radius=\"15 mm\"", "loop", "`stop.loop_radius`"),
        ("stop.force=\"0.3 N\"", "force", "`stop.force`"),
        ("stop.stretch=0.02", "stretch", "`stop.stretch`"),
    ] {
        let said = place.succeeds(&with(
            &["run", "my.toml", "--out", out],
            &[COARSE, &[set]].concat(),
        ));
        assert!(
            said.contains("Finished at t = ") && said.contains(why),
            "{said}"
        );
        let summary = place.summary(out);
        assert_eq!(summary["outcome"], "finished");
        assert!(summary["reason"].as_str().unwrap().contains(why));
        let end = summary["simulated_s"].as_f64().unwrap();
        assert!(end < 3.0, "{end}");
        let table = place.read(&format!("{out}/observables.csv"));
        assert_eq!(last(&table, "t"), end);
        match out {
            "loop" => assert!((0.013..0.015).contains(&last(&table, "rod0_loop_radius"))),
            "stretch" => assert!(last(&table, "rod0_pull_force") > 0.1),
            _ => assert!((0.3..0.6).contains(&last(&table, "rod0_pull_force"))),
        }
        let again = [COARSE, &[set]].concat();
        let again = place.succeeds(&with(&["run", "my.toml", "--out", out, "--resume"], &again));
        assert!(
            again.contains("Nothing to do") && again.contains(why),
            "{again}"
        );
    }
}

#[test]
fn a_knot_is_pulled_to_the_very_end_and_beyond() {
    let place = Place::with_scene("knot");
    let far = ["scene.schedule=[{ for = 2.3, speed = 0.1 }]"];
    let sets = [COARSE, &far].concat();
    let said = place.succeeds(&with(&["run", "my.toml", "--out", "r"], &sets));
    assert!(said.contains("Finished: 2.3 s simulated"), "{said}");
    assert!(
        said.contains("3_1") && said.contains("unchanged in"),
        "{said}"
    );
    let table = place.read("r/observables.csv");
    // The ends are further apart than the rod is long.
    assert!((last(&table, "rod0_shortening") + 0.06).abs() < 1e-9);
    assert!(last(&table, "rod0_loop_radius") < 0.012);
    assert!(last(&table, "rod0_pull_force") > 0.1);
    // .3 % of the radius, and a twentieth of that for each raise of contacts that are compressed
    // already (decision 0041): .339 % here.
    assert!(last(&table, "penetration") < 1.2 * 3e-3 * 0.004);
    // The contact set of the last frame.
    let contacts = place.read("r/contacts.csv");
    let touching = |row: &&str| row.split(',').nth(1).unwrap().parse() == Ok(last(&table, "t"));
    let rows = contacts.lines().skip(1).filter(touching).count();
    assert_eq!(rows as f64, last(&table, "contacts"));
}

#[test]
fn conditions_are_told_and_checked() {
    let place = Place::with_scene("knot");
    let said = place.succeeds(&["check", "my.toml", "--set", "stop.force=\"2 mN\""]);
    assert!(
        said.contains("or until a support exerts more than 2 mN"),
        "{said}"
    );
    for (set, words) in [
        ("stop.force=-1", "stop.force"),
        ("stop.loop_radius=\"4 s\"", "stop.loop_radius"),
        ("stop.strech=0.1", "did you mean `stretch`?"),
    ] {
        let error = place.fails(2, &["check", "my.toml", "--set", set]);
        assert!(error.contains(words), "{error}");
    }
}

/// A force that begins later is waited for.
#[test]
fn rest_waits_for_a_load_that_begins_later() {
    let place = Place::with_scene("cantilever");
    let late = "wind={ velocity = [0, 0, 2], drag = { linear = { coefficient = \"1 mPa s\" } }, \
                amplitude = { ramp = { to = 1, start = \"1 s\", duration = \"0.1 s\" } } }";
    let sets = [
        "scene.edges=10",
        "gravity.acceleration=[0, 0, 0]",
        "stop.at_rest=\"1 mm/s\"",
        "time.duration=50",
        late,
    ];
    let said = place.succeeds(&with(&["run", "my.toml", "--out", "r"], &sets));
    assert!(said.contains("all is at rest"), "{said}");
    let end = place.summary("r")["simulated_s"].as_f64().unwrap();
    assert!((1.1..50.0).contains(&end), "{end}");
    // The wind has bent the rod.
    let table = place.read("r/observables.csv");
    assert!(last(&table, "energy_bend") > 0.0);
}

#[test]
fn a_run_ends_at_rest() {
    let place = Place::with_scene("cantilever");
    let sets = ["scene.edges=20", "stop.at_rest=true", "time.duration=100"];
    let said = place.succeeds(&with(&["run", "my.toml", "--out", "r"], &sets));
    assert!(
        said.contains("all is at rest: nothing moves, or would swing, faster than"),
        "{said}"
    );
    let end = place.summary("r")["simulated_s"].as_f64().unwrap();
    assert!((1.0..50.0).contains(&end), "{end}");
    place.succeeds(&with(&["settle", "my.toml", "--out", "s"], &sets[..1]));
    let bend = |run: &str| {
        last(
            &place.read(&format!("{run}/observables.csv")),
            "energy_bend",
        )
    };
    assert!((bend("r") / bend("s") - 1.0).abs() < 1e-4);
    // A speed instead: the larger, the sooner.
    let sets = [
        "scene.edges=20",
        "stop.at_rest=\"1 mm/s\"",
        "time.duration=100",
    ];
    place.succeeds(&with(&["run", "my.toml", "--out", "sooner"], &sets));
    assert!(place.summary("sooner")["simulated_s"].as_f64().unwrap() < end);

    let said = place.succeeds(&["check", "my.toml", "--set", "stop.at_rest=true"]);
    assert!(said.contains("or until all is at rest"), "{said}");
    for (set, words) in [
        ("stop.at_rest=\"1 s\"", "where a speed (m/s) is wanted"),
        ("stop.at_rest=0", "greater than zero"),
        (
            "stop.at_rest=[1]",
            "true, false or a speed, such as \"1 um/s\"",
        ),
    ] {
        let error = place.fails(2, &["check", "my.toml", "--set", set]);
        assert!(error.contains(words), "{error}");
    }
}
