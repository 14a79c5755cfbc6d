//! `--json` of the commands that write files: what was written, where and how much, and nothing else
//! on standard output.

use crate::common;
use common::{CANTILEVER_SHORT, Place, with};
use serde_json::{Value, json};

/// A run `r` of a cantilever, 11 frames in 0.05 s.
fn with_run() -> Place {
    let place = Place::with_scene("cantilever");
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], CANTILEVER_SHORT));
    place
}

fn told(place: &Place, args: &[&str]) -> Value {
    let text = place.succeeds(args);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

/// The file is there, as large as it is said to be.
fn assert_written(place: &Place, told: &Value, what: &str, path: &str) {
    assert_eq!(told["what"], what, "{told}");
    assert_eq!(told["path"], path, "{told}");
    assert_eq!(told["files"], 1, "{told}");
    let bytes = std::fs::metadata(place.path(path)).unwrap().len();
    assert_eq!(told["bytes"], bytes, "{told}");
}

#[test]
fn exports_tell_what_they_wrote() {
    let place = with_run();
    let npz = told(&place, &["export", "r", "--to", "npz", "--json"]);
    assert_eq!(npz["run"], "r");
    assert_eq!(npz["format"], "npz");
    assert_eq!(npz["frames"], 11);
    assert_written(&place, &npz["written"][0], "npz", "r/trajectory.npz");
    // A folder counts with all that is in it.
    let csv = told(&place, &["export", "r", "--to", "csv", "--json"]);
    let folder = std::fs::read_dir(place.path("r/csv")).unwrap();
    let sizes = folder.map(|file| file.unwrap().metadata().unwrap().len());
    let sizes: Vec<u64> = sizes.collect();
    assert_eq!(csv["written"][0]["files"], sizes.len());
    assert_eq!(csv["written"][0]["bytes"], sizes.iter().sum::<u64>());
}

#[test]
fn pictures_and_movies_tell_what_they_wrote() {
    let place = with_run();
    let drawn = told(&place, &["render", "r", "--json"]);
    assert_eq!(drawn["runs"], json!(["r"]));
    let [sheet, last] = [&drawn["written"][0], &drawn["written"][1]];
    assert_written(&place, sheet, "sheet", "r/sheet.png");
    assert_written(&place, last, "still", "r/last.png");
    let times = sheet["times_s"][0].as_array().unwrap();
    assert_eq!(times.len(), 5, "{sheet}");
    assert_eq!(last["times_s"], json!([[times[4]]]), "{last}");
    let still = ["render", "r", "--times", "0.02", "--size", "80x60", "--out"];
    let still = told(&place, &[&still[..], &["a.png", "--json"]].concat());
    assert_eq!(still["written"][0]["pixels"], json!([80, 60]));
    let movie = ["render", "r", "--size", "40x40", "--frames", "3", "--json"];
    let gif = told(&place, &[&movie[..], &["--movie", "a.gif"]].concat());
    assert_written(&place, &gif["written"][0], "movie", "a.gif");
    assert_eq!(gif["written"][0]["frames"], 3);
    assert_eq!(gif["written"][0]["frames_per_second"], 25.0);
    // Frames come with the command that joins them.
    let frames = told(&place, &[&movie[..], &["--movie", "frames"]].concat());
    assert_eq!(frames["written"][0]["files"], 3);
    let join = frames["written"][0]["join"].as_str().unwrap();
    assert!(join.starts_with("ffmpeg "), "{join}");
}

#[test]
fn curves_tell_their_units() {
    let place = with_run();
    let args = ["plot", "r", "energy_bend", "rod0_tip_z", "--json"];
    let drawn = told(&place, &args);
    assert_eq!(drawn["runs"], json!(["r"]));
    assert_eq!(drawn["against"], "t");
    let units = json!([
        { "name": "energy_bend", "unit": "J" },
        { "name": "rod0_tip_z", "unit": "m" },
    ]);
    assert_eq!(drawn["observables"], units);
    assert_written(&place, &drawn["written"][0], "figure", "r/plot.svg");
    // Those of a sweep, too.
    let sweep = ["sweep", "my.toml", "--vary", "scene.young=5MPa,6MPa", "-q"];
    place.succeeds(&with(
        &[&sweep[..], &["--out", "s"]].concat(),
        CANTILEVER_SHORT,
    ));
    let args = ["plot", "s", "energy_bend", "--against", "young", "--json"];
    let drawn = told(&place, &args);
    assert_eq!(drawn["against"], "scene.young");
    assert_eq!(drawn["runs"], json!(["s/young=5MPa", "s/young=6MPa"]));
}

#[test]
fn pages_tell_what_they_hold() {
    let place = with_run();
    let page = told(&place, &["view", "r", "--no-open", "--json"]);
    assert_eq!(page["frames"], 11);
    assert_eq!(page["recorded_frames"], 11);
    assert_eq!(page["notice"], Value::Null);
    assert_written(&place, &page["written"][0], "page", "r/view.html");
}

/// Names of files need not be text: of such a name is told what is.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_told() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt as _;

    let place = with_run();
    let word = |word: &str| match word.strip_prefix("NAME") {
        Some(rest) => OsStr::from_bytes(&[&b"r\xff"[..], rest.as_bytes()].concat()).to_owned(),
        None => OsString::from(word),
    };
    std::fs::rename(place.path("r"), place.path("").join(word("NAME"))).unwrap();
    for line in [
        "render NAME --size 60x60 --json",
        "render NAME --size 40x40 --frames 2 --movie NAME.gif --json",
        "plot NAME --json",
        "view NAME --no-open --json",
        "compare NAME NAME --json",
        "export NAME --to csv --json",
        "settle my.toml --set scene.edges=20 --out NAME-settled --json",
    ] {
        let words: Vec<OsString> = line.split(' ').map(word).collect();
        let output = place.command(&[]).args(&words).output().unwrap();
        let errors = common::text(&output.stderr);
        assert!(output.status.success(), "{line}: {errors}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(told.to_string().contains("r\u{fffd}"), "{line}: {told}");
    }
    // Also where nothing of it is JSON.
    let words = ["render", "NAME", "--size", "60x60"].map(word);
    let output = place.command(&[]).args(&words).output().unwrap();
    assert!(output.status.success(), "{}", common::text(&output.stderr));
}

#[test]
fn an_imported_scene_is_told_or_written() {
    let place = Place::new();
    let row = |i: i32| format!("{:e} 0.0 0.0\n", 0.01 * f64::from(i));
    place.write("rod", &(0..=20).map(row).collect::<String>());
    let told_of = |more: &[&str]| {
        let args = ["import", "rod", "--as", "rod", "--json"];
        told(&place, &[&args[..], more].concat())
    };
    let scene = told_of(&[]);
    assert!(scene["notes"].is_array(), "{scene}");
    place.write("a.toml", scene["scene"].as_str().unwrap());
    place.succeeds(&["check", "a.toml"]);
    let written = told_of(&["--out", "b.toml"]);
    assert_written(&place, &written["written"][0], "scene", "b.toml");
    assert_eq!(place.read("a.toml"), place.read("b.toml"));
}
