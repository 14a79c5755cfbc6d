//! Run directories that exist, that cannot be made, that hold something else.

use std::fs;

use crate::common;
use common::{CANTILEVER_OTHER, CANTILEVER_OTHER_KEY, CANTILEVER_SHORT as SHORT, Place, with};

fn run(place: &Place, args: &[&str]) -> String {
    place.succeeds(&[&with(&["run", "my.toml"], SHORT)[..], args].concat())
}

fn refused(place: &Place, args: &[&str]) -> String {
    place.fails(2, &[&with(&["run", "my.toml"], SHORT)[..], args].concat())
}

#[test]
fn an_existing_directory_is_left_alone() {
    let place = Place::with_scene("cantilever");
    run(&place, &["--out", "r"]);
    let before = place.results("r");
    let errors = refused(&place, &["--out", "r"]);
    assert!(
        errors.contains("`r` exists") && errors.contains("--resume") && errors.contains("--out"),
        "{errors}"
    );
    assert!(before == place.results("r"), "the results changed");
}

#[test]
fn another_folder_is_left_alone_even_by_resume() {
    let place = Place::with_scene("cantilever");
    std::fs::create_dir(place.path("photos")).unwrap();
    place.write("photos/cat.jpg", "cat");
    refused(&place, &["--out", "photos"]);
    let errors = refused(&place, &["--out", "photos", "--resume"]);
    assert!(errors.contains("not a run directory"), "{errors}");
    assert_eq!(place.read("photos/cat.jpg"), "cat");
}

#[test]
fn a_path_below_a_file_cannot_be_made() {
    let place = Place::with_scene("cantilever");
    place.write("file", "text");
    for out in ["file", "file/below", "file/far/below", "/dev/full/x"] {
        let errors = refused(&place, &["--out", out]);
        assert!(
            errors.contains("file") || errors.contains("/dev/full"),
            "{errors}"
        );
        assert!(errors.contains("--out"), "{errors}");
    }
    assert_eq!(place.read("file"), "text");
}

#[test]
fn the_default_directory_is_named_after_the_scene() {
    let place = Place::with_scene("cantilever");
    let printed = run(&place, &[]);
    assert!(printed.contains("runs/cantilever"), "{printed}");
    assert!(place.path("runs/cantilever/scene.toml").exists());
}

#[test]
fn resume_of_a_finished_run_changes_nothing() {
    let place = Place::with_scene("cantilever");
    run(&place, &["--out", "r"]);
    let (results, summary) = (place.results("r"), place.read("r/summary.json"));
    let printed = run(&place, &["--out", "r", "--resume"]);
    assert!(printed.contains("Nothing to do"), "{printed}");
    assert!(results == place.results("r"), "the results changed");
    assert_eq!(summary, place.read("r/summary.json"));
}

#[test]
fn resume_where_nothing_is_starts() {
    let place = Place::with_scene("cantilever");
    run(&place, &["--out", "new", "--resume"]);
    run(&place, &["--out", "whole"]);
    place.assert_same_results("whole", "new");
}

#[test]
fn a_scene_cannot_change_in_the_middle() {
    let place = Place::with_scene("cantilever");
    run(&place, &["--out", "r"]);
    let results = place.results("r");
    let errors = refused(
        &place,
        &["--out", "r", "--resume", "--set", CANTILEVER_OTHER],
    );
    assert!(
        errors.contains("cannot change") && errors.contains(CANTILEVER_OTHER_KEY),
        "{errors}"
    );
    assert!(errors.contains("r/scene.toml"), "{errors}");
    assert!(results == place.results("r"), "the results changed");
    // The scene of the run directory itself resumes it, without the settings that it holds already.
    place.succeeds(&["run", "r/scene.toml", "--out", "r", "--resume"]);
    // Which is what is told where the run stands in its place.
    let errors = place.fails(2, &["run", "--resume", "r"]);
    for words in [
        "`r` is a run and not a scene",
        "`writhe run r/scene.toml --out r --resume`",
    ] {
        assert!(errors.contains(words), "{errors}");
    }
    std::fs::create_dir(place.path("empty")).unwrap();
    let errors = place.fails(2, &["check", "empty"]);
    assert!(
        errors.contains("`empty` is a folder and not a scene"),
        "{errors}"
    );
}

#[test]
fn an_export_does_not_replace_the_run() {
    let place = Place::with_scene("cantilever");
    run(&place, &["--out", "r"]);
    let results = place.results("r");
    for (format, out) in [
        ("csv", "r"),
        ("csv", "./r/../r"),
        ("npz", "r/observables.csv"),
        ("npz", "r/checkpoint.bin"),
    ] {
        let errors = place.fails(2, &["export", "r", "--to", format, "--out", out]);
        assert!(errors.contains("--out"), "{errors}");
    }
    assert!(results == place.results("r"), "the results changed");
}

#[test]
fn what_is_no_run_is_named() {
    let place = Place::new();
    for args in [
        &["export", "nothing", "--to", "csv"][..],
        &["render", "nothing"],
    ] {
        let errors = place.fails(2, args);
        assert!(
            errors.contains("`nothing` is not a run directory"),
            "{errors}"
        );
        assert!(errors.contains("no such folder"), "{errors}");
    }
    // What to name in its place.
    fs::create_dir_all(place.path("sweep/first")).unwrap();
    place.write("sweep/first/scene.toml", "");
    let errors = place.fails(2, &["render", "sweep"]);
    assert!(errors.contains("such as `sweep/first`"), "{errors}");
    place.write("my.toml", "");
    let errors = place.fails(2, &["plot", "my.toml"]);
    assert!(errors.contains("`writhe run my.toml`"), "{errors}");
}
