//! Bad input is one clear message with file, key and remedy, exit code 2, and no file is written.

use crate::common;
use common::Place;

/// A straight rod; `REST` is replaced by each case.
const ROD: &str = r#"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = [0.1, 0, 0], edges = 10 } }
section = { circle = { radius = "1 mm" } }
material = { young = "3 MPa", poisson = 0.5, density = 1000 }
"#;

/// The scene must be refused with a message that holds all of `words`.
fn refused(scene: &str, words: &[&str]) {
    let place = Place::new();
    place.write("my.toml", scene);
    for command in [&["check", "my.toml"][..], &["run", "my.toml", "--out", "r"]] {
        let errors = place.fails(2, command);
        for word in words.iter().chain(&["my.toml", "help:"]) {
            assert!(
                errors.contains(word),
                "`{word}` is not in\n{errors}\nfor\n{scene}"
            );
        }
        assert!(errors.lines().count() < 12, "{errors}");
    }
    assert!(!place.path("r").exists());
}

/// [`ROD`] with a part replaced.
fn rod_with(part: &str, other: &str) -> String {
    assert!(ROD.contains(part));
    ROD.replace(part, other)
}

#[test]
fn the_rod_itself_is_good() {
    let place = Place::new();
    place.write("my.toml", ROD);
    place.succeeds(&["check", "my.toml"]);
}

#[test]
fn a_command_that_went_elsewhere_says_where() {
    let place = Place::new();
    for words in [
        &["reproduce"][..],
        &["reproduce", "--help"],
        &["reproduce", "-h"],
        &[
            "reproduce",
            "tong2022-table1",
            "--only",
            "m2-imc",
            "--quick",
        ],
        &["reproduce", "--no-such-option", "--", "x"],
    ] {
        let errors = place.fails(2, words);
        let command = format!("writhe-papers {}", words[1..].join(" "));
        for part in [
            command.trim_end(),
            "cargo run --release -p writhe-papers",
            "cargo install --path crates/writhe-papers",
        ] {
            assert!(errors.contains(part), "`{part}` is not in\n{errors}");
        }
    }
    let help = place.succeeds(&["--help"]);
    assert!(
        help.contains("writhe-papers") && !help.contains("reproduce"),
        "{help}"
    );
}

#[test]
fn text_that_is_no_scene() {
    refused("this is no toml", &["TOML", "1:"]);
    refused("", &["rods"]);
    refused(
        "[scene]\nname = \"flagela\"\n",
        &["scene.name", "`flagela`", "did you mean `flagella`?", "2:8"],
    );
}

#[test]
fn unknown_keys_and_wrong_types() {
    refused(
        "[scene]\nname = \"flagella\"\n[contact]\nfrction = 0.3\n",
        &[
            "contact.frction",
            "did you mean `friction`?",
            "4 │ frction = 0.3",
        ],
    );
    refused(
        &format!("{ROD}\n[tme]\nstep = 1"),
        &["tme", "did you mean `time`?"],
    );
    refused(
        &format!("{ROD}\n[time]\nstep = true"),
        &["time.step", "true", "\"20 ms\""],
    );
    refused(
        &format!("{ROD}\n[time]\nscheme = \"euler\""),
        &["time.scheme", "`backward-euler`"],
    );
}

#[test]
fn wrong_units() {
    refused(
        &rod_with("\"1 mm\"", "\"1 MPa\""),
        &["radius", "1 MPa", "length"],
    );
    refused(
        &rod_with("\"3 MPa\"", "\"3 GPascal\""),
        &["young", "3 GPascal"],
    );
    refused(
        "[scene]\nname = \"flagella\"\nspeed = \"15 mm/s\"\n",
        &["scene.speed", "15 mm/s", "rpm"],
    );
}

#[test]
fn numbers_out_of_range() {
    for radius in ["0", "-1e-3"] {
        refused(
            &rod_with("\"1 mm\"", radius),
            &["radius", radius, "greater than zero"],
        );
    }
    for (key, value) in [("young", "\"3 MPa\""), ("density", "1000")] {
        for bad in ["0", "-5"] {
            let line = rod_with(&format!("{key} = {value}"), &format!("{key} = {bad}"));
            refused(&line, &[key, bad, "greater than zero"]);
        }
    }
    for key in ["step", "duration", "tolerance"] {
        for bad in ["0", "-1"] {
            let scene = format!("{ROD}\n[time]\n{key} = {bad}\n");
            refused(&scene, &[&format!("time.{key}"), bad, "greater than zero"]);
        }
    }
    refused(
        &format!("{ROD}\n[contact]\nfriction = -0.1\n"),
        &["contact.friction", "-0.1"],
    );
}

#[test]
fn not_a_number_anywhere() {
    refused(&rod_with("[0, 0, 0]", "[0, nan, 0]"), &["shape", "finite"]);
    refused(
        &rod_with("poisson = 0.5", "poisson = nan"),
        &["poisson", "finite"],
    );
    refused(
        &format!("{ROD}\n[time]\nstep = inf\n"),
        &["time.step", "finite"],
    );
    refused(
        &format!("{ROD}\n[gravity]\nacceleration = [0, 0, nan]\n"),
        &["gravity.acceleration[2]", "finite"],
    );
}

#[test]
fn impossible_rods() {
    let nodes = |list: &str| {
        rod_with(
            "{ straight = { from = [0, 0, 0], to = [0.1, 0, 0], edges = 10 } }",
            &format!("{{ nodes = {list} }}"),
        )
    };
    refused(&nodes("[[0, 0, 0]]"), &["rods[0].shape", "2"]);
    refused(
        &nodes("[[0, 0, 0], [0.1, 0, 0], [0.1, 0, 0]]"),
        &["rods[0].shape", "node"],
    );
    refused(&rod_with("edges = 10", "edges = 0"), &["edges"]);
}

#[test]
fn supports_that_do_not_exist() {
    refused(
        &format!("{ROD}\n[[rods.clamps]]\nedge = 10\n"),
        &["rods[0].clamps[0].edge", "edge 10", "0 to 9"],
    );
    refused(
        &format!("{ROD}\n[[rods.held]]\nnode = 11\n"),
        &["rods[0].held[0].node", "node 11", "0 to 10"],
    );
}

#[test]
fn rods_that_overlap() {
    let other = ROD
        .replace("[0, 0, 0]", "[0.05, -0.05, 0.0015]")
        .replace("[0.1, 0, 0]", "[0.05, 0.05, 0.0015]");
    refused(
        &format!("{ROD}{other}"),
        &["rod 0", "rod 1", "overlap", "apart by", "5.00e-4"],
    );
}

#[test]
fn changes_on_the_command_line() {
    let place = Place::new();
    place.write("my.toml", ROD);
    for (set, words) in [
        (
            "time.stp=1",
            &["--set time.stp=1", "did you mean `step`?"][..],
        ),
        (
            "time.step=-1",
            &["--set time.step=-1", "time.step", "greater than zero"],
        ),
        ("time.step=1 m", &["time.step", "1 m", "time"]),
        ("rods[7].closed=true", &["rods[7]"]),
    ] {
        let errors = place.fails(2, &["check", "my.toml", "--set", set]);
        for word in words {
            assert!(errors.contains(word), "{word} is not in {errors}");
        }
    }
    let errors = place.fails(2, &["run", "my.toml", "--duration", "long"]);
    assert!(errors.contains("time.duration"), "{errors}");
}

#[test]
fn files_that_cannot_be_read() {
    let place = Place::new();
    let errors = place.fails(2, &["run", "missing.toml"]);
    assert!(
        errors.contains("`missing.toml`") && errors.contains("writhe new"),
        "{errors}"
    );
    place.fails(2, &["run", "."]);
    std::fs::write(place.path("bytes.toml"), [0xFF, 0xFE, 0x00]).unwrap();
    let errors = place.fails(2, &["check", "bytes.toml"]);
    assert!(errors.contains("not a text"), "{errors}");
}

/// Nothing that `run` refuses before its first step passes `check`, and both say the same.
#[test]
fn check_says_what_run_says_before_its_first_step() {
    let stretched = rod_with(
        "section",
        "rest = { straight = { from = [0, 0, 0], to = [0.07, 0, 0], edges = 10 } }\nsection",
    );
    let explicit = "[time]\nintegrator = \"symplectic-projected\"\n[contact]\nmodel = \"none\"\n";
    for (scene, code, words) in [
        (
            format!("{ROD}\n[contact]\nmodel = \"spillmann-teschner\"\n[time]\nsettle = true\n"),
            1,
            &[
                "spillmann-teschner",
                "settle with the contact model imc",
                "time.settle=false",
            ][..],
        ),
        (
            format!("{stretched}{explicit}"),
            2,
            &["of rod 0 `wire` starts stretched", "implicit"],
        ),
    ] {
        let place = Place::new();
        place.write(
            "my.toml",
            &scene.replace("[[rods]]", "[[rods]]\nname = \"wire\""),
        );
        let checked = place.fails(code, &["check", "my.toml"]);
        let run = place.fails(code, &["run", "my.toml", "--out", "r"]);
        assert_eq!(checked, run);
        assert!(words.iter().all(|word| run.contains(word)), "{run}");
        assert!(!place.path("r").exists());
    }
}

/// A step that follows from other keys has a smallest step below it: nobody is told of a key that
/// was never set.
#[test]
fn derived_steps_are_never_below_the_smallest_one() {
    let place = Place::new();
    for (scene, sets) in [
        (
            "[scene]\nname = \"torque-transducer\"\nrod_radius = \"3 m\"\n",
            &[][..],
        ),
        (
            "[scene]\nname = \"torque-transducer\"\ndisc_radius = \"3 m\"\n",
            &[],
        ),
        (ROD, &["time.step=1e-12"]),
    ] {
        place.write("my.toml", scene);
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", *set]).collect();
        place.succeeds(&[&["check", "my.toml"][..], &sets].concat());
        let duration = ["--set", "time.duration=1e-9", "--set", "output.every=1e-9"];
        place.succeeds(&[&["check", "my.toml"][..], &sets, &duration].concat());
    }
    place.write("my.toml", ROD);
    let told = place.fails(2, &["check", "my.toml", "--set", "time.smallest_step=1"]);
    assert!(
        told.contains("time.smallest_step") && told.contains("at most the step"),
        "{told}"
    );
}
