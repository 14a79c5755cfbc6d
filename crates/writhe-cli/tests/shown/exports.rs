//! `writhe export` of runs with bodies, obstacles, joints, clamps and contacts.

use crate::common;
use std::fs;

use common::Place;
use serde_json::Value;

/// A string over half a drum that turns, for a tenth of a second.
const DRUM: &[&str] = &["--set", "time.duration=0.1", "--set", "output.every=0.02"];

fn with_run(scene: &str, sets: &[&str]) -> Place {
    let place = Place::with_scene(scene);
    let args = [&["run", "my.toml", "--out", "r"], sets].concat();
    place.succeeds(&args);
    place
}

/// The JSON of a glTF file.
fn gltf(place: &Place, name: &str) -> Value {
    let bytes = fs::read(place.path(name)).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

fn names(gltf: &Value) -> Vec<String> {
    let nodes = gltf["nodes"].as_array().unwrap().iter();
    let names = nodes.map(|node| node["name"].as_str().unwrap().to_owned());
    names.filter(|name| !name.contains("_node")).collect()
}

/// Files as well as folders, and pictures.
#[test]
fn folders_that_are_missing_are_made() {
    let place = with_run("cantilever", &["--set", "time.duration=0.05"]);
    for to in ["npz", "gltf", "usd", "csv"] {
        let out = format!("new/{to}/run.{to}");
        place.succeeds(&["export", "r", "--to", to, "--out", &out]);
        assert!(place.path(&out).exists(), "{to}");
    }
    place.succeeds(&["render", "r", "--out", "pictures/last.png"]);
    assert!(place.path("pictures/last.png").exists());
}

/// What is in the way is told, and nothing of checkpoints.
#[test]
fn places_that_cannot_be_written_are_told() {
    let place = with_run("cantilever", &["--set", "time.duration=0.05"]);
    fs::create_dir(place.path("folder")).unwrap();
    place.write("file", "");
    let folder = "cannot be written: it is a folder, and a file is to be written; name a file";
    let file = "cannot be written: a file stands where a folder is needed; choose another place";
    for to in ["npz", "gltf", "usd"] {
        let told = place.fails(2, &["export", "r", "--to", to, "--out", "folder"]);
        assert!(told.contains(&format!("`folder` {folder}")), "{told}");
        let told = place.fails(2, &["export", "r", "--to", to, "--out", "file/a"]);
        assert!(told.contains(file), "{told}");
    }
    for to in ["csv", "vtk", "obj"] {
        let told = place.fails(2, &["export", "r", "--to", to, "--out", "file"]);
        assert!(told.contains(&format!("`file` {file}")), "{told}");
    }
    for command in ["render", "plot"] {
        let told = place.fails(2, &[command, "r", "--out", "file/a.png"]);
        assert!(told.contains(&format!("`file/a.png` {file}")), "{told}");
    }
}

/// A pipe stays a pipe, and a link a link.
#[cfg(unix)]
#[test]
fn results_go_through_pipes_and_links() {
    let place = with_run("cantilever", &["--set", "time.duration=0.05"]);
    place.succeeds(&["export", "r", "--to", "npz", "--out", "plain.npz"]);
    place.succeeds(&["plot", "r", "--out", "plain.svg"]);
    let pipe = place.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let commands: [(&[&str], &str); 2] = [
        (&["export", "r", "--to", "npz"], "plain.npz"),
        (&["plot", "r", "--format", "svg"], "plain.svg"),
    ];
    for (command, plain) in commands {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        place.succeeds(&[command, &["--out", "pipe"]].concat());
        let plain = fs::read(place.path(plain)).unwrap();
        assert!(reader.join().unwrap() == plain, "{command:?}");
        std::os::unix::fs::symlink("real", place.path("link")).unwrap();
        place.write("real", "old");
        place.succeeds(&[command, &["--out", "link"]].concat());
        assert!(place.path("link").is_symlink(), "{command:?}");
        assert!(
            fs::read(place.path("real")).unwrap() == plain,
            "{command:?}"
        );
        fs::remove_file(place.path("link")).unwrap();
    }
}

/// Runs and sweeps are no place for results, nor is a folder with later frames.
#[cfg(unix)]
#[test]
fn results_replace_no_run_and_mix_with_no_other() {
    let place = with_run("cantilever", &["--set", "time.duration=0.05"]);
    let run = [
        "run",
        "my.toml",
        "--set",
        "time.duration=0.1",
        "--out",
        "longer",
    ];
    place.succeeds(&run);
    for to in ["csv", "vtk", "obj"] {
        let told = place.fails(2, &["export", "r", "--to", to, "--out", "longer"]);
        assert!(
            told.contains("`longer` is a run, which a result would replace"),
            "{told}"
        );
    }
    for (at, link) in [("r/summary.json", "l.svg"), ("my.toml", "m.svg")] {
        let before = fs::read(place.path(at)).unwrap();
        std::os::unix::fs::symlink(at, place.path(link)).unwrap();
        let told = place.fails(2, &["plot", "r", "--out", link]);
        assert!(told.contains("which a result would replace"), "{told}");
        assert_eq!(fs::read(place.path(at)).unwrap(), before);
    }
    let chunk = "r/trajectory.zarr/zarr.json";
    let told = place.fails(2, &["plot", "r", "--out", chunk, "--format", "svg"]);
    assert!(
        told.contains("is a file of a run") || told.contains("would replace"),
        "{told}"
    );
    let told = place.fails(2, &["render", "r", "--movie", "longer"]);
    assert!(told.contains("`longer` is a run"), "{told}");
    fs::create_dir(place.path("sweep")).unwrap();
    place.write("sweep/sweep.json", "{}");
    let told = place.fails(
        2,
        &["plot", "r", "--out", "sweep/results.csv", "--format", "svg"],
    );
    assert!(told.contains("is a file of a sweep"), "{told}");
    for to in ["vtk", "obj"] {
        place.succeeds(&["export", "longer", "--to", to, "--out", to]);
        place.succeeds(&["export", "longer", "--to", to, "--out", to]);
        let told = place.fails(2, &["export", "r", "--to", to, "--out", to]);
        assert!(
            told.contains("holds frame 4 of another export, and 3 frames are to be written"),
            "{told}"
        );
    }
}

#[test]
fn an_export_holds_what_is_around_the_rods() {
    let place = with_run("drum", DRUM);
    place.succeeds(&["export", "r", "--to", "gltf"]);
    let file = gltf(&place, "r/run.glb");
    let names = names(&file);
    let contacts = names
        .iter()
        .filter(|name| name.starts_with("contact"))
        .count();
    assert_eq!(
        names[..4],
        ["run", "rod0", "obstacle0_drum", "clamp0_pin"],
        "{names:?}"
    );
    // Half of the 32 edges lie on the drum; the frame with the most of them has so many arrows.
    let mut counts = std::collections::BTreeMap::new();
    for row in place.read("r/contacts.csv").lines().skip(1) {
        *counts
            .entry(row.split(',').next().unwrap().to_owned())
            .or_insert(0) += 1;
    }
    assert_eq!(contacts, *counts.values().max().unwrap(), "{names:?}");
    assert_eq!(names.len(), 4 + contacts);
    // The drum turns, and so has a track for that alone.
    let drum = file["nodes"].as_array().unwrap();
    let drum = drum
        .iter()
        .position(|node| node["name"] == "obstacle0_drum")
        .unwrap();
    let channels = file["animations"][0]["channels"].as_array().unwrap().iter();
    let of_drum: Vec<&str> = channels
        .filter(|channel| channel["target"]["node"] == drum)
        .map(|channel| channel["target"]["path"].as_str().unwrap())
        .collect();
    assert_eq!(of_drum, ["rotation"]);
}

#[test]
fn a_bob_hangs_on_its_spring() {
    let sets = [
        "--set",
        "scene.edges=60",
        "--set",
        "scene.turns=3",
        "--set",
        "time.duration=0.1",
    ];
    let place = with_run("wilberforce", &sets);
    place.succeeds(&["export", "r", "--to", "gltf"]);
    let names = names(&gltf(&place, "r/run.glb"));
    assert!(
        names.iter().any(|name| name.starts_with("body0")),
        "{names:?}"
    );
    assert!(names.iter().any(|name| name == "clamp0"), "{names:?}");
    place.succeeds(&["export", "r", "--to", "vtk"]);
    for file in [
        "bodies_000001.vtp",
        "body_centres_000001.vtp",
        "clamps_still.vtp",
    ] {
        assert!(place.path(&format!("r/vtk/{file}")).is_file(), "{file}");
    }
}

#[test]
fn options_that_mean_nothing_are_refused_with_a_remedy() {
    let place = with_run("drum", DRUM);
    for (args, told) in [
        (
            &["gltf", "--colour", "tension"][..],
            "choose one of curvature, twist, stretch, speed, contact_force",
        ),
        (
            &["gltf", "--colour", "twist", "--at", "7"],
            "frames go from 0 to 0.1 s; choose `--at` in this range",
        ),
        (&["csv", "--colour", "twist"], "leave `--colour` out"),
        (&["npz", "--smooth"], "leave `--smooth` out"),
        (
            &["usd", "--colour", "twist", "--at", "0"],
            "or export with `--to` gltf",
        ),
    ] {
        let args = [&["export", "r", "--to"], args].concat();
        let errors = place.fails(2, &args);
        let line = errors.replace("\n    │", "").replace("\n  │", "");
        let plain: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(told), "{args:?}: {errors}");
    }
    // Nothing was written.
    assert!(!place.path("r/run.glb").exists() && !place.path("r/csv").exists());
    let told = place.fails(2, &["export", "r", "--to", "gltf", "--at", "0"]);
    assert!(told.contains("--colour"), "{told}");
}

#[test]
fn colours_are_those_of_the_time_asked_for() {
    let place = with_run("drum", DRUM);
    for colour in ["--colour", "--color"] {
        place.succeeds(&[
            "export", "r", "--to", "gltf", colour, "force", "--at", "0.051",
        ]);
        let file = gltf(&place, "r/run.glb");
        let told = file["scenes"][0]["extras"]["colour"].as_str().unwrap();
        assert!(told.starts_with("contact_force [N], from 0 to"), "{told}");
        assert!(told.ends_with("at t = 0.06 s"), "{told}");
        let attributes = &file["meshes"][0]["primitives"][0]["attributes"];
        assert!(attributes["COLOR_0"].is_u64());
    }
}

#[test]
fn a_time_of_colours_needs_colours() {
    let place = with_run("drum", DRUM);
    let told = place.fails(2, &["export", "r", "--to", "gltf", "--at", "0.05"]);
    assert!(
        told.contains("nothing is coloured") && told.contains("help: say what the colours show"),
        "{told}"
    );
}

/// A run whose duration is no multiple of the time between outputs: USD has its last frame where it was.
#[test]
fn usd_frames_are_at_their_times() {
    let sets = ["--set", "time.duration=0.13", "--set", "output.every=0.1"];
    let place = with_run("cantilever", &sets);
    place.succeeds(&["export", "r", "--to", "usd"]);
    let file = place.read("r/run.usda");
    for told in [
        "startTimeCode = 0\n",
        "endTimeCode = 1.3\n",
        "timeCodesPerSecond = 10.0\n",
        "\n            1.3: [(",
    ] {
        assert!(file.contains(told), "{told}");
    }
}
