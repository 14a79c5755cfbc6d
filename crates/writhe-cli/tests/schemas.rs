//! Runs that were saved by each schema of checkpoints are gone on with, or refused with both
//! numbers.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Place, text};
use writhe::state::{FIRST_NAMED, SCHEMA, State};
use writhe_rundir::RunReader;

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/checkpoints")
        .join(name)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A place with the kept run as `r` and its scene.
fn place_with(name: &str) -> Place {
    let place = Place::new();
    copy(&kept(name), &place.path("r"));
    fs::copy(kept("scene.toml"), place.path("my.toml")).unwrap();
    place
}

const RESUME: [&str; 5] = ["run", "my.toml", "--out", "r", "--resume"];

#[test]
fn every_schema_with_names_is_gone_on_with() {
    for schema in FIRST_NAMED..=SCHEMA.version {
        let place = place_with(&format!("schema-{schema}"));
        let run = RunReader::open(place.path("r")).unwrap();
        let arrays = run.checkpoint_arrays().unwrap();
        assert_eq!(arrays.schema(), schema);
        let state = State::from_arrays(&arrays).unwrap();
        // Halfway, with contacts that remember.
        assert!(state.time > 0.005 && state.time < 0.0099, "{}", state.time);
        assert!(!state.contact.anchors.is_empty());
        assert!(!state.contact.obstacle_anchors.is_empty());
        assert!(state.history.is_some());

        let before = run.positions(8).unwrap();
        place.succeeds(&RESUME);
        let run = RunReader::open(place.path("r")).unwrap();
        assert_eq!(run.frames(), 11);
        assert_eq!(run.summary().unwrap().outcome, "finished");
        assert_eq!(run.positions(8).unwrap(), before);
        // Not to the bit: the kept run may be of another machine.
        let fresh = ["run", "my.toml", "--out", "fresh"];
        place.succeeds(&fresh);
        let fresh = RunReader::open(place.path("fresh")).unwrap();
        for (a, b) in run
            .positions(10)
            .unwrap()
            .iter()
            .zip(fresh.positions(10).unwrap())
        {
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-7, "{a} and {b}");
            }
        }
    }
}

#[test]
fn formats_without_names_are_refused_with_both_numbers() {
    let place = place_with("format-5");
    let all = |folder: &str| place.results(folder);
    let before = all("r");
    let told = place.fails(2, &RESUME);
    // The terminal breaks lines where it likes.
    let told = told.replace('│', " ");
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let own = SCHEMA.version;
    for part in [
        &format!("its schema is 5, this program's is {own}"),
        "checkpoint.bin",
        "without names",
        "resume with that version",
        "--out",
    ] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(all("r"), before);
    // What was computed is there all the same.
    assert_eq!(RunReader::open(place.path("r")).unwrap().frames(), 11);
}

/// Makes the folder of the present schema.
#[test]
#[ignore = "writes into the sources"]
fn keep_the_present_schema() {
    let place = Place::new();
    fs::copy(kept("scene.toml"), place.path("my.toml")).unwrap();
    let output = place.run(&["run", "my.toml", "--out", "r"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let run = place.path("r");
    for file in [".lock", "summary.json"] {
        fs::remove_file(run.join(file)).unwrap();
    }
    fs::rename(
        run.join("checkpoint.previous.bin"),
        run.join("checkpoint.bin"),
    )
    .unwrap();
    let kept = kept(&format!("schema-{}", SCHEMA.version));
    assert!(!kept.exists(), "{} is kept already", kept.display());
    copy(&run, &kept);
}
