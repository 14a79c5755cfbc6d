//! Options that go with every command, JSON, completions, the manual: as real processes.

use crate::common;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{CANTILEVER_SHORT, Place, signal, text, with};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

#[test]
fn threads_size_the_pool_and_none_are_refused_by_one_message() {
    let place = Place::with_scene("cantilever");
    for args in [
        &["new", "--threads", "0"][..],
        &["check", "my.toml", "--threads", "0"],
        &["--threads", "0", "run", "my.toml"],
        &["bench", "--list", "--threads", "0"],
        &["settle", "my.toml", "--threads", "0"],
    ] {
        let told = place.fails(2, args);
        assert!(
            told.contains("--threads 0: nothing works without a thread"),
            "{told}"
        );
    }
    place.succeeds(&["check", "my.toml", "--threads", "1"]);
    // The threads of the process while it runs: those of the pool, the main one, that of signals.
    let sets = with(
        &["run", "my.toml", "--threads", "3", "--quiet"],
        common::CANTILEVER_LONG,
    );
    let mut child = place.spawn(&sets);
    let tasks = format!("/proc/{}/task", child.id());
    let mut most = 0;
    let until = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() && Instant::now() < until {
        most = most.max(std::fs::read_dir(&tasks).map_or(0, Iterator::count));
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().ok();
    child.wait().unwrap();
    if cfg!(target_os = "linux") {
        assert_eq!(most, 3 + 2, "threads of the process");
    }
}

#[test]
fn quiet_commands_say_what_was_asked_alone() {
    let place = Place::with_scene("cantilever");
    let quiet = with(&["run", "my.toml", "--out", "r", "-q"], CANTILEVER_SHORT);
    assert_eq!(place.succeeds(&quiet), "");
    // Nor what may be typed next.
    let arch = include_str!("../../../../examples/problems/arch.toml");
    place.write("arch.toml", arch);
    let vary = ["sweep", "my.toml", "--vary", "scene.young=5MPa,6MPa", "-q"];
    let amplitude = "rods[0].forces[0].amplitude";
    let ends = ["--from", "0", "--to", "0.1", "-q"];
    let follow = [&["follow", "arch.toml", "--vary", amplitude][..], &ends].concat();
    for (args, answer) in [
        (
            vec!["settle", "my.toml", "--out", "rest", "-q"],
            "Equilibrium of",
        ),
        (with(&vary, CANTILEVER_SHORT), "energy_bend"),
        (follow, "branch 0:"),
        (vec!["new", "-q"], "cantilever"),
    ] {
        let told = place.succeeds(&args);
        assert!(told.contains(answer), "{told}");
        for command in ["view", "plot", "run", "new"] {
            assert!(!told.contains(&format!("writhe {command}")), "{told}");
        }
    }
    assert!(
        place
            .succeeds(&["check", "my.toml", "--quiet"])
            .contains("nodes")
    );
    assert!(
        place
            .fails(2, &["run", "no.toml", "--quiet"])
            .contains("no.toml")
    );
}

#[test]
fn json_is_all_that_goes_to_standard_output() {
    let place = Place::with_scene("cantilever");
    let sets = |args: &[&'static str]| with(args, CANTILEVER_SHORT);
    let list = json(&place.succeeds(&["new", "--json"]));
    let ring = list
        .as_array()
        .unwrap()
        .iter()
        .find(|scene| scene["name"] == "ring");
    assert!(
        ring.unwrap()["about"]
            .as_str()
            .unwrap()
            .ends_with("before its ends are joined")
    );
    let checked = json(&place.succeeds(&sets(&["check", "my.toml", "--json"])));
    assert!(checked["description"].as_array().unwrap().len() > 10);
    // What else is told goes to standard error.
    let output = place.run(&sets(&["run", "my.toml", "--out", "a", "--json"]));
    assert!(text(&output.stderr).contains("Simulating"));
    let run = json(&text(&output.stdout));
    assert_eq!(run["steps"], place.summary("a")["steps"]);
    assert_eq!(run["outcome"], "finished");
    let again = place.run(&sets(&[
        "run", "my.toml", "--out", "a", "--json", "--resume", "-q",
    ]));
    assert_eq!(json(&text(&again.stdout)), place.summary("a"));
    assert_eq!(text(&again.stderr), "");
    let settled = json(&place.succeeds(&sets(&["settle", "my.toml", "--out", "s", "--json"])));
    assert_eq!(settled["stable"], true);
    assert!(settled["energies_j"]["bend"].as_f64().unwrap() > 0.0);
    place.succeeds(
        &[
            &sets(&["run", "my.toml", "--out", "b", "-q"])[..],
            &["--set", "time.step=0.5 ms"],
        ]
        .concat(),
    );
    let far = json(&place.succeeds(&["compare", "a", "b", "--json"]));
    let all = far["differences"].as_array().unwrap();
    assert_eq!(all.len(), 11);
    assert!(all[10]["mean_m"].as_f64().unwrap() > 0.0);
    let swept = place.succeeds(
        &[
            &sets(&[
                "sweep",
                "my.toml",
                "--vary",
                "scene.young=5MPa,6MPa",
                "--json",
                "-q",
            ])[..],
            &["--set", "time.duration=0.01"],
        ]
        .concat(),
    );
    assert_eq!(json(&swept)["rows"].as_array().unwrap().len(), 2, "{swept}");
    let cases = json(&place.succeeds(&["validate", "ring", "--quick", "--json"]));
    assert_eq!(cases[0]["rows"][0]["verdict"], "pass", "{cases}");
}

#[test]
fn force_replaces_runs_and_nothing_else() {
    let place = Place::with_scene("cantilever");
    let run = with(&["run", "my.toml", "--out", "r", "-q"], CANTILEVER_SHORT);
    place.succeeds(&run);
    place.write("r/notes.txt", "mine");
    let told = place.fails(2, &run);
    assert!(told.contains("--force"), "{told}");
    // A scene that is wrong costs no result.
    let wrong = [&run[..], &["--force", "--set", "scene.edges=-3"]].concat();
    place.fails(2, &wrong);
    assert!(place.path("r/summary.json").exists());
    let own = [&run[..], &["--force", "--from", "r"]].concat();
    assert!(place.fails(2, &own).contains("where this run is to begin"));
    place.succeeds(&[&run[..], &["--force"]].concat());
    assert!(!place.path("r/notes.txt").exists());
    assert!(place.path("r/summary.json").exists());
    // The scene that is read stays, and so does the run around it.
    let scene = std::fs::read_to_string(place.path("my.toml")).unwrap();
    place.write("r/mine.toml", &scene);
    let told = place.fails(2, &["run", "r/mine.toml", "--out", "r", "--force"]);
    assert!(told.contains("--force would remove the scene"), "{told}");
    assert!(place.path("r/mine.toml").exists() && place.path("r/summary.json").exists());
    // A folder that is no run stays.
    place.write("r/../notes.txt", "mine");
    std::fs::create_dir(place.path("folder")).unwrap();
    place.write("folder/thesis.tex", "mine");
    let told = place.fails(2, &["run", "my.toml", "--out", "folder", "--force"]);
    assert!(
        told.contains("--force replaces runs, and `folder` is none"),
        "{told}"
    );
    assert!(place.path("folder/thesis.tex").exists());
    let settle = ["settle", "my.toml", "--out", "r", "--force", "-q"];
    place.succeeds(&settle);
    assert_eq!(place.summary("r")["reason"], "static equilibrium");
    // Files of import.
    place.write("shape.txt", "0 0 0\n0.1 0 0\n0.2 0.01 0\n0.3 0 0\n");
    let import = ["import", "shape.txt", "--as", "rod", "-o", "out.toml"];
    let output = place.run(&import);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(place.fails(2, &import).contains("--force"));
    let output = place.run(&[&import[..], &["--force"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn shells_and_man_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.succeeds(&["completions", shell]);
        assert!(
            script.contains("settle") && script.contains("resume"),
            "{shell}"
        );
        assert!(script.contains("contact.friction"), "{shell}");
        assert!(
            script.contains("threads") && script.contains("version"),
            "{shell}"
        );
        // What went elsewhere is not offered.
        assert!(!script.contains("reproduce"), "{shell}");
    }
    assert!(place.succeeds(&["man"]).starts_with(".ie"));
    let told = place.succeeds(&["man", "--out", "man1"]);
    assert!(told.contains("man1"), "{told}");
    let help = place.succeeds(&["--help"]);
    for command in [
        "new",
        "check",
        "run",
        "settle",
        "sweep",
        "man",
        "completions",
    ] {
        assert!(help.contains(&format!("  {command} ")), "{help}");
        let page = place.read(&format!("man1/writhe-{command}.1"));
        assert!(
            page.contains(&format!("writhe {command}"))
                || page.contains(&format!("writhe\\-{command}")),
            "{page}"
        );
        assert!(page.contains("quiet"), "{page}");
    }
}

/// Where a folder cannot be, no page is written.
#[test]
fn a_manual_is_not_written_into_a_file() {
    let place = Place::new();
    place.write("file", "mine");
    let told = place.fails(2, &["man", "--out", "file"]);
    assert!(
        told.contains("`file/writhe.1` cannot be written") && told.contains("a file stands"),
        "{told}"
    );
    assert_eq!(place.read("file"), "mine");
}

#[test]
fn help_says_how_many_runs_converge() {
    let place = Place::new();
    let help = place.succeeds(&["converge", "--help"]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(help.matches("3 to 8, or 1").count(), 2, "{help}");
}

#[test]
fn windows_of_observables_end_after_they_begin() {
    let place = Place::with_scene("cantilever");
    for (observable, words) in [
        (
            "energy_bend@0.1..0.05",
            "ends before it begins; did you mean `energy_bend@0.05..0.1`?",
        ),
        ("energy_bend@1..1 s", "has no length"),
        ("energy_bend@1 kg", "where a time (s) is wanted"),
        // Known, but too late: times have units.
        ("energy_bend@2 h", "before 7200 s"),
    ] {
        let told = place.fails(2, &["converge", "my.toml", "--observable", observable]);
        assert!(told.contains(words), "{told}");
    }
}

/// Times of equilibria are their numbers, and those of a run are seconds.
#[test]
fn equilibria_are_compared_with_their_like() {
    let place = Place::new();
    let arch = include_str!("../../../../examples/problems/arch.toml");
    place.write("arch.toml", arch);
    let follow = [
        "follow",
        "arch.toml",
        "--vary",
        "rods[0].forces[0].amplitude",
    ];
    let ends = ["--from", "0", "--to", "0.1", "-q", "--out", "f"];
    place.succeeds(&[&follow[..], &ends].concat());
    let run = ["run", "arch.toml", "--duration", "1 ms", "--out", "r", "-q"];
    let output = place.run(&run);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for runs in [["f", "r"], ["r", "f"]] {
        let told = place.fails(2, &["compare", runs[0], runs[1]]);
        for words in [
            "`f` follows equilibria over `rods[0].forces[0].amplitude`",
            "`r` is a run in time",
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
    }
    place.succeeds(&["compare", "f", "f"]);
}

/// Where standard error is no terminal, a line tells every few seconds how far a run is.
#[test]
fn a_run_in_a_pipe_tells_how_far_it_is() {
    let place = Place::with_scene("cantilever");
    let args = [
        "run",
        "my.toml",
        "--out",
        "r",
        "--duration",
        "1 h",
        "--set",
        "time.step=1 ms",
    ];
    let mut child = place.spawn(&args);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = loop {
        let line = lines.next().unwrap().unwrap();
        if line.contains(" left") {
            break line;
        }
    };
    assert!(line.contains("of 3600 s, "), "{line}");
    let time = line.find(" left").unwrap();
    assert!(time < 60, "{line}");
    signal(&child, "-INT");
    child.wait().unwrap();
}

/// What is told to be typed next works: paths with blanks are one word, and a scene has its name.
#[test]
fn next_steps_are_whole_words() {
    let place = Place::with_scene("cantilever");
    let run = with(&["run", "my.toml", "--out", "my dir"], CANTILEVER_SHORT);
    let told = place.succeeds(&run);
    assert!(told.contains("writhe view 'my dir'\n"), "{told}");
    let settle = [
        "settle",
        "my.toml",
        "--set",
        "gravity.acceleration=[0,0,-2]",
        "--out",
        "at rest",
    ];
    let told = place.succeeds(&settle);
    let wanted = "writhe run my.toml --set 'gravity.acceleration=[0,0,-2]' --from 'at rest'\n";
    assert!(told.contains(wanted), "{told}");
}

/// A name that begins as options do is told as a path.
#[test]
fn next_steps_name_no_options() {
    let place = Place::with_scene("cantilever");
    std::fs::rename(place.path("my.toml"), place.path("-dash.toml")).unwrap();
    let run = with(&["run", "./-dash.toml", "--out=-d"], CANTILEVER_SHORT);
    let told = place.succeeds(&run);
    assert!(told.contains("writhe view ./-d\n"), "{told}");
    place.succeeds(&["render", "./-d", "--size", "60x60"]);
}

/// Where cargo started the program, next steps are told as they work there.
#[test]
fn next_steps_work_as_typed() {
    let place = Place::with_scene("cantilever");
    let run = with(&["run", "my.toml", "--out", "r"], CANTILEVER_SHORT);
    let by_cargo = place
        .command(&run)
        .env("CARGO", "cargo")
        .env("CARGO_PKG_NAME", "writhe-cli")
        .output()
        .unwrap();
    let told = text(&by_cargo.stdout);
    assert!(told.contains("cargo run --release -- view r"), "{told}");
    assert!(!told.contains(" writhe view"), "{told}");
    // Where it was started by its path, by that path.
    let program = place.path("own/writhe");
    std::fs::create_dir(place.path("own")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(common::PROGRAM, &program).unwrap();
        let mut by_path = std::process::Command::new(&program);
        let by_path = by_path.arg("new").env_remove("CARGO").output().unwrap();
        let wanted = format!("`{} new NAME > my.toml`", program.display());
        let told = text(&by_path.stdout);
        assert!(told.contains(&wanted), "{told}");
    }
    let another = place
        .command(&["new"])
        .env("CARGO", "cargo")
        .env("CARGO_PKG_NAME", "another")
        .output()
        .unwrap();
    assert!(text(&another.stdout).contains("`writhe new NAME"));
    // A scene is a file: its comments are for who reads it, wherever that is.
    let template = place
        .command(&["new", "ring"])
        .env("CARGO", "cargo")
        .env("CARGO_PKG_NAME", "writhe-cli")
        .output()
        .unwrap();
    assert!(text(&template.stdout).contains("`writhe check`"));
}

/// Help is as wide as what shows it, and no wider than one reads.
#[test]
fn help_is_wrapped() {
    let place = Place::new();
    for (columns, most) in [("80", 80), ("200", 100)] {
        for name in ["run", "render", "follow"] {
            let mut command = place.command(&[name, "--help"]);
            // No terminal tells another width.
            command.env("COLUMNS", columns).stdin(Stdio::null());
            let output = command.output().unwrap();
            let help = text(&output.stdout);
            let longest = help.lines().map(|line| line.chars().count()).max();
            assert!(longest.unwrap() <= most, "{name}, {columns}: {longest:?}");
            assert!(longest.unwrap() > 60, "{name}, {columns}: {longest:?}");
        }
    }
}
