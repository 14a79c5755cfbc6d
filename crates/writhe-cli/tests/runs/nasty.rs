//! What a user, or someone who sends a scene or a run directory, may write or put there: control
//! characters, links, pipes, devices.

#![cfg(unix)]

use crate::common;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use common::{Place, text};

/// A rod above a table, with a title and names that are no plain text.
const SCENE: &str = r#"
title = "red \u001b[31m\u0000\u007f\u0085 title"

[[rods]]
name = "ha\u001b]0;ir"
shape = { straight = { from = [0, 0, 0.0011], to = [0.05, 0, 0.0011], edges = 8 } }
section = { circle = { radius = "1 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }

[[obstacles]]
name = "ta\u001b[2Jble"
shape = { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }

[gravity]

[time]
duration = 0.004
step = 0.001

[output]
every = 0.002
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("my.toml", SCENE);
    place
}

/// Nothing that a terminal would obey.
fn assert_plain(told: &str) {
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!told.contains(obeyed), "{told:?}");
}

#[test]
fn control_characters_survive_in_files_and_do_not_reach_the_terminal() {
    let place = place();
    assert_plain(&place.succeeds(&["check", "my.toml"]));
    assert_plain(&place.succeeds(&["run", "my.toml", "--out", "run"]));
    let scene: toml::Table = toml::from_str(&place.read("run/scene.toml")).unwrap();
    let of_user: toml::Table = toml::from_str(SCENE).unwrap();
    assert_eq!(scene["title"], of_user["title"]);
    let told = place.succeeds(&["view", "run", "--no-open"]);
    assert!(!told.contains("cannot be read"), "{told}");
    let page = place.read("run/view.html");
    assert!(
        page.contains("\"obstacles\":[{"),
        "the table is not in the page"
    );
    // Keys, values and names of files in messages.
    for (name, scene) in [
        (
            "a\u{1b}[1mb.toml",
            SCENE.replace("young", "\"yo\\u001b[2Jung\""),
        ),
        ("c.toml", SCENE.replace("\"3 MPa\"", "\"3 \\u001b[5mMPa\"")),
        ("d.toml", SCENE.replace("0.0011", "0.0001")),
        ("e\u{1b}.toml", "title = \"\u{1b}[2J".to_owned()),
    ] {
        place.write(name, &scene);
        assert_plain(&place.fails(2, &["check", name]));
    }
    assert_plain(&place.fails(2, &["che\u{1b}[2Jck"]));
    assert_plain(&place.fails(2, &["view", "no\u{1b}[2Jthing"]));
    assert_plain(&place.fails(2, &["run", "my.toml", "--set", "time.st\u{1b}[2Jep=1"]));
}

#[test]
fn a_scene_that_cannot_be_read_is_told_where_it_is_not_shown() {
    let place = place();
    place.succeeds(&["run", "my.toml", "--out", "run"]);
    let scene = place.read("run/scene.toml");
    place.write("run/scene.toml", &format!("{scene}\nnew_key = 1\n"));
    let told = place.succeeds(&["view", "run", "--no-open"]);
    assert!(
        told.contains("Obstacles, bodies and supports are not shown"),
        "{told}"
    );
    assert!(told.contains("new_key"), "{told}");
    let output = place.run(&["render", "run"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("are not shown"));
    // Beside JSON, too; a page has it as a part of its own.
    let output = place.run(&["export", "run", "--to", "vtk", "--json"]);
    assert!(text(&output.stderr).contains("cannot be read"));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["written"][0]["what"], "vtk");
    let output = place.run(&["view", "run", "--no-open", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        json["notice"].as_str().unwrap().contains("new_key"),
        "{json}"
    );
}

#[test]
fn links_out_of_a_run_directory_are_followed_by_nobody() {
    let place = place();
    place.succeeds(&["run", "my.toml", "--out", "run"]);
    for name in [
        "scene.toml",
        "observables.csv",
        "contacts.csv",
        "summary.json",
        "trajectory.zarr/zarr.json",
        "trajectory.zarr/positions/c",
        "trajectory.zarr",
    ] {
        let (file, kept) = (place.path(&format!("run/{name}")), place.path("outside"));
        fs::rename(&file, &kept).unwrap();
        symlink(&kept, &file).unwrap();
        for command in [
            &["view", "run", "--no-open"][..],
            &["export", "run", "--to", "csv"],
            &["export", "run", "--to", "npz"],
            &["export", "run", "--to", "gltf"],
        ] {
            // Not every format holds contacts.
            if name != "contacts.csv" || !["npz", "gltf"].contains(command.last().unwrap()) {
                let told = place.fails(2, command);
                assert!(told.contains("symbolic link"), "{name} {command:?}: {told}");
            }
        }
        fs::remove_file(&file).unwrap();
        fs::rename(&kept, &file).unwrap();
    }
    // Nor is anything written through one.
    fs::create_dir(place.path("home")).unwrap();
    place.write("precious", "precious");
    for (link, target, command) in [
        ("view.html", "precious", &["view", "run", "--no-open"][..]),
        ("csv", "home", &["export", "run", "--to", "csv"]),
        (
            "trajectory.npz",
            "precious",
            &["export", "run", "--to", "npz"],
        ),
        ("still.png", "precious", &["render", "run", "--times", "0"]),
    ] {
        let file = place.path(&format!("run/{link}"));
        let _ = fs::remove_file(&file);
        let _ = fs::remove_dir_all(&file);
        symlink(place.path(target), &file).unwrap();
        let told = place.fails(2, command);
        assert!(
            told.contains("symbolic link") && told.contains("--out"),
            "{told}"
        );
    }
    let leftover = place.path("run/.run.glb.tmp");
    symlink(place.path("precious"), leftover).unwrap();
    place.succeeds(&["export", "run", "--to", "gltf"]);
    assert_eq!(place.read("precious"), "precious");
    assert_eq!(fs::read_dir(place.path("home")).unwrap().count(), 0);
    // A run directory behind a link is fine, and so is a link within.
    symlink(place.path("run"), place.path("alias")).unwrap();
    fs::remove_file(place.path("run/view.html")).unwrap();
    place.succeeds(&["view", "alias", "--no-open"]);
}

#[test]
fn meshes_come_from_regular_files_alone() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe.stl")).status();
    assert!(made.unwrap().success());
    symlink("/dev/zero", place.path("zero.stl")).unwrap();
    fs::create_dir(place.path("folder.stl")).unwrap();
    for file in ["pipe.stl", "zero.stl", "folder.stl"] {
        let mesh = format!("{{ mesh = {{ file = \"{file}\" }} }}");
        let half_space = "{ half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }";
        place.write("my.toml", &SCENE.replace(half_space, &mesh));
        let mut child = place.command(&["check", "my.toml"]);
        let child = child
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains(file) && told.contains("regular file"),
            "{told}"
        );
    }
    // A scene may come from a pipe, but not without end.
    let told = place.fails(2, &["check", "/dev/zero"]);
    assert!(told.contains("larger than 256 MiB"), "{told}");
}

/// Two plates that close on a rod leave no room for it: that is told, with the names that the scene
/// gives.
#[test]
fn a_crushed_rod_is_told_by_its_name_and_those_of_the_plates() {
    let place = Place::new();
    let plate = |name: &str, z: f64, normal: i32, speed: f64| {
        format!(
            "[[obstacles]]\nname = \"{name}\"\nshape = {{ half_space = {{ point = [0, 0, {z}], normal = [0, 0, {normal}] }} }}\n\
             motion = {{ velocity = [0, 0, {speed}] }}\n"
        )
    };
    let rod = "[[rods]]\nname = \"hair\"\nshape = { straight = { from = [0, 0, 0], to = [0.05, 0, 0], edges = 10 } }\n\
               section = { circle = { radius = \"1 mm\" } }\nmaterial = { young = \"3 MPa\", poisson = 0.5, density = 1000 }\n";
    let time = "[time]\nduration = 0.1\nstep = 0.001\n";
    let scene = [
        rod,
        &plate("lower", -0.0011, 1, 0.01),
        &plate("upper", 0.0011, -1, -0.01),
        time,
    ];
    place.write("my.toml", &scene.concat());
    let told = place.fails(1, &["run", "my.toml", "--out", "run"]);
    for words in [
        "rod 0 `hair` is crushed",
        "obstacle 0 `lower`",
        "obstacle 1 `upper`",
        "the rod's diameter, 2 mm",
    ] {
        assert!(told.contains(words), "`{words}` is not in\n{told}");
    }
    assert!(!told.contains("after 0 iterations"), "{told}");
}
