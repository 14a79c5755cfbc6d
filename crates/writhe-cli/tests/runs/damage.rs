//! Every file of a run directory is removed, cut short and garbled; `--resume` then ends with the
//! same bytes, or says what is lost.

use crate::common;
use std::fs;
use std::path::Path;

use common::{Place, text, wait_until};

/// A rod that falls on a table.
const SCENE: &str = r#"
[[rods]]
name = "hair"
shape = { straight = { from = [0, 0, 0.00101], to = [0.05, 0, 0.00101], edges = 8 } }
section = { circle = { radius = "1 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }

[[obstacles]]
name = "table"
shape = { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }

[gravity]
acceleration = [0, 0, -9.81]

[time]
duration = 0.02
step = 0.001

[output]
every = 0.002
checkpoint_every = 0.004
"#;

/// Its name, and what it does to a file.
type Damage = (&'static str, fn(&Path));

/// What is done to a file.
const DAMAGES: [Damage; 3] = [
    ("removed", |file| fs::remove_file(file).unwrap()),
    ("cut short", |file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("garbled", |file| {
        let mut bytes = fs::read(file).unwrap();
        let half = bytes.len().div_ceil(2);
        bytes[..half].iter_mut().for_each(|byte| *byte ^= 0x2A);
        fs::write(file, bytes).unwrap();
    }),
];

/// Files whose contents are nowhere else: the results themselves.
fn is_result(file: &str) -> bool {
    // What a kill left of a file that was being written.
    if file.ends_with(".tmp") {
        return false;
    }
    ["observables.csv", "contacts.csv"].contains(&file)
        || ["time", "positions", "directors", "velocities"]
            .iter()
            .any(|array| file.starts_with(&format!("trajectory.zarr/{array}/c/")))
}

fn is_only_checkpoint(file: &str, part: &str, place: &Place) -> bool {
    let names = ["checkpoint.bin", "checkpoint.previous.bin"];
    let there = |name: &&str| place.path(&format!("{part}/{name}")).exists();
    names.contains(&file) && names.iter().filter(|name| there(name)).count() == 1
}

fn files(folder: &Path, name: &str, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), all);
        } else {
            all.push(name);
        }
    }
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

/// `part` is a run that stopped or ended; resumed after each damage it must be as `whole`.
fn damage_each_file_of(part: &str, place: &Place) {
    let mut all = Vec::new();
    files(&place.path(part), "", &mut all);
    all.sort();
    assert!(all.len() > 20, "{all:?}");
    for file in &all {
        for (what, damage) in DAMAGES {
            if fs::metadata(place.path(&format!("{part}/{file}")))
                .unwrap()
                .len()
                == 0
            {
                continue;
            }
            let _ = fs::remove_dir_all(place.path("damaged"));
            copy(&place.path(part), &place.path("damaged"));
            damage(&place.path(&format!("damaged/{file}")));
            let output = place.run(&["run", "my.toml", "--out", "damaged", "--resume"]);
            let told = text(&output.stderr);
            let context = format!("{part}: {file} {what}: {told}");
            assert!(
                !told.contains("bug") && !told.contains("continues from it"),
                "{context}"
            );
            if is_only_checkpoint(file, part, place) {
                // A kill between two files of a checkpoint leaves the one before; a run without any
                // begins again.
                if output.status.success() {
                    place.assert_same_results("whole", "damaged");
                } else {
                    assert_eq!(output.status.code(), Some(2), "{context}");
                    assert!(
                        told.contains("checkpoint") && told.contains("--out"),
                        "{context}"
                    );
                }
            } else if is_result(file) && (part == "whole" || !output.status.success()) {
                // Of a run that was killed, the damage may lie behind what the checkpoint counts.
                let name = file.split("/c/").next().unwrap();
                assert_eq!(output.status.code(), Some(2), "{context}");
                assert!(
                    told.contains(name) && told.contains("cannot be resumed"),
                    "{context}"
                );
                assert!(told.contains("--out"), "{context}");
            } else {
                assert!(output.status.success(), "{context}");
                assert_eq!(text(&output.stderr), "", "{context}");
                place.assert_same_results("whole", "damaged");
                let name = "scene.toml";
                assert_eq!(
                    place.read(&format!("whole/{name}")),
                    place.read(&format!("damaged/{name}"))
                );
                assert_eq!(place.summary("damaged")["outcome"], "finished", "{context}");
            }
        }
    }
}

#[test]
fn a_damaged_run_is_resumed_to_the_same_bytes_or_says_what_is_lost() {
    let place = Place::new();
    place.write("my.toml", SCENE);
    place.succeeds(&["run", "my.toml", "--out", "whole"]);
    assert!(place.read("whole/contacts.csv").lines().count() > 10);
    damage_each_file_of("whole", &place);
    let mut child = place.spawn(&["run", "my.toml", "--out", "part"]);
    // Results are in files of which the checkpoint counts rows only after the second one.
    let second = "part/checkpoint.previous.bin";
    assert!(wait_until(&mut child, || place.path(second).exists()));
    child.kill().unwrap();
    child.wait().unwrap();
    damage_each_file_of("part", &place);
}

#[test]
fn both_checkpoints_gone_is_told_with_the_remedy() {
    let place = Place::new();
    place.write("my.toml", SCENE);
    place.succeeds(&["run", "my.toml", "--out", "run"]);
    for name in ["checkpoint.bin", "checkpoint.previous.bin"] {
        fs::write(place.path(&format!("run/{name}")), "rubbish").unwrap();
    }
    fs::remove_file(place.path("run/summary.json")).unwrap();
    let told = place.fails(2, &["run", "my.toml", "--out", "run", "--resume"]);
    assert!(
        told.contains("checkpoint.bin") && told.contains("--out"),
        "{told}"
    );
    assert!(!told.contains("continues from it"), "{told}");
}

/// Of a run that is over all frames are read, or none.
#[test]
fn a_cut_table_of_a_run_that_is_over_is_told_by_all_that_read_it() {
    let place = Place::with_scene("cantilever");
    let run = ["run", "my.toml", "--set", "time.duration=0.1", "--out", "r"];
    place.succeeds(&run);
    let whole = place.read("r/observables.csv");
    let lines: Vec<&str> = whole.lines().collect();
    let cut = [
        // The last line lacks its end, a line in the middle is gone, and all of them.
        whole.trim_end().to_owned(),
        [&lines[..2], &lines[3..]].concat().join("\n") + "\n",
        format!("{}\n", lines[0]),
    ];
    for (table, rows) in cut.iter().zip([4, 4, 0]) {
        place.write("r/observables.csv", table);
        for command in ["plot r", "render r", "view r", "export r --to csv"] {
            let words: Vec<&str> = command.split(' ').collect();
            let told = place.fails(2, &words);
            let what = format!("it has {rows} whole rows, and the run ended with 5 frames");
            assert!(told.contains(&what), "{command}: {told}");
            assert!(told.contains("put a copy of it back"), "{command}: {told}");
        }
    }
    place.write("r/observables.csv", &whole);
    place.succeeds(&["plot", "r"]);
    // What a scene says is in its run's checkpoint.
    place.write("r/scene.toml", "");
    let longer = [
        "run",
        "my.toml",
        "--set",
        "time.duration=0.2",
        "--out",
        "r",
        "--resume",
    ];
    let told = place.fails(2, &longer);
    assert!(told.contains("scene.toml` is damaged"), "{told}");
}
