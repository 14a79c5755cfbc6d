//! Kills, Ctrl-C and full disks, with real processes: what a run leaves is complete, and `--resume`
//! ends with the same bytes.

#![cfg(unix)]

mod common;

use std::fs;
use std::process::Command;
use std::time::{Duration, SystemTime};

use common::{
    CANTILEVER_LONG as LONG, Dice, FLAGELLA_SHORT, Place, signal, text, wait_until, with,
};

fn run_args<'a>(sets: &[&'a str], out: &'a str) -> Vec<&'a str> {
    with(&["run", "my.toml", "--out", out], sets)
}

fn resume_args<'a>(sets: &[&'a str], out: &'a str) -> Vec<&'a str> {
    let mut args = run_args(sets, out);
    args.push("--resume");
    args
}

fn checkpoint_time(place: &Place, run: &str) -> Option<SystemTime> {
    fs::metadata(place.path(run).join("checkpoint.bin"))
        .and_then(|m| m.modified())
        .ok()
}

/// Kills the run a random time after each of its next checkpoints, `kills` times, then lets it
/// finish.
fn kill_and_resume(scene: &str, sets: &[&str], kills: u32, dice: &mut Dice) {
    let place = Place::with_scene(scene);
    place.succeeds(&run_args(sets, "whole"));
    let mut killed = 0;
    for _ in 0..kills {
        let before = checkpoint_time(&place, "killed");
        let mut child = place.spawn(&resume_args(sets, "killed"));
        wait_until(&mut child, || checkpoint_time(&place, "killed") > before);
        std::thread::sleep(Duration::from_micros(dice.below(40_000)));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
    }
    assert!(
        killed >= 2,
        "only {killed} kills met a running process: make the run longer"
    );
    place.succeeds(&resume_args(sets, "killed"));
    place.assert_same_results("whole", "killed");
    let (whole, killed) = (place.summary("whole"), place.summary("killed"));
    for count in [
        "outcome",
        "simulated_s",
        "steps",
        "rejected_steps",
        "newton_iterations",
    ] {
        assert_eq!(whole[count], killed[count], "{count}");
    }
}

#[test]
fn kills_after_checkpoints() {
    kill_and_resume("cantilever", LONG, 6, &mut Dice(7));
}

#[test]
fn kills_of_a_run_in_fluid() {
    kill_and_resume("flagella", FLAGELLA_SHORT, 3, &mut Dice(11));
}

#[test]
fn kills_at_any_moment_from_the_first_on() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run_args(LONG, "whole"));
    let mut dice = Dice(3);
    // Most of these meet a directory that is being made.
    for _ in 0..12 {
        let mut child = place.spawn(&resume_args(LONG, "killed"));
        std::thread::sleep(Duration::from_micros(dice.below(30_000)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    place.succeeds(&resume_args(LONG, "killed"));
    place.assert_same_results("whole", "killed");
}

#[test]
fn ctrl_c_saves_and_says_how_to_go_on() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run_args(LONG, "whole"));
    for name in ["-INT", "-TERM"] {
        let run = &name[1..];
        let mut child = place.spawn(&run_args(LONG, run));
        let first = wait_until(&mut child, || checkpoint_time(&place, run).is_some());
        assert!(first);
        std::thread::sleep(Duration::from_millis(30));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("interrupted at t ="), "{errors}");
        assert!(
            errors.contains("writhe run my.toml --set") && errors.contains("--resume"),
            "{errors}"
        );
        let summary = place.summary(run);
        assert_eq!(summary["outcome"], "interrupted");
        assert!(summary["simulated_s"].as_f64().unwrap() > 0.0);

        place.succeeds(&resume_args(LONG, run));
        place.assert_same_results("whole", run);
        assert_eq!(place.summary(run)["outcome"], "finished");
    }
}

/// Outputs after every step: the output that is due must not swallow the request.
#[test]
fn a_run_with_an_output_a_step_can_be_stopped() {
    let each = &[
        "scene.edges=20",
        "time.duration=2",
        "time.step=1 ms",
        "output.every=0.5 ms",
        "output.checkpoint_every=0.1",
    ];
    let place = Place::with_scene("cantilever");
    place.succeeds(&run_args(each, "whole"));
    let mut child = place.spawn(&run_args(each, "stopped"));
    assert!(wait_until(&mut child, || {
        checkpoint_time(&place, "stopped").is_some()
    }));
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let stopped = place.summary("stopped");
    assert_eq!(stopped["outcome"], "interrupted");
    assert!(stopped["simulated_s"].as_f64().unwrap() < 2.0);
    place.succeeds(&resume_args(each, "stopped"));
    place.assert_same_results("whole", "stopped");
}

/// A step that takes seconds is stopped in its middle, and goes on as if it had not been begun.
#[test]
fn a_long_step_can_be_stopped_in_its_middle() {
    let long = &[
        "scene.count=4",
        "scene.edges=250",
        "time.duration=20 ms",
        "time.step=10 ms",
        "output.every=10 ms",
    ];
    let place = Place::with_scene("flagella");
    place.succeeds(&run_args(long, "whole"));
    let mut child = place.spawn(&run_args(long, "stopped"));
    assert!(wait_until(&mut child, || {
        checkpoint_time(&place, "stopped").is_some()
    }));
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("at t = 0 s after 0 steps"), "{errors}");
    assert_eq!(place.summary("stopped")["rejected_steps"], 0);
    place.succeeds(&resume_args(long, "stopped"));
    place.assert_same_results("whole", "stopped");
}

/// A second request does not wait for the first one's saving; what is there then is as after a
/// kill.
#[test]
fn a_second_ctrl_c_stops_at_once() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run_args(LONG, "whole"));
    let mut child = place.spawn(&run_args(LONG, "stopped"));
    assert!(wait_until(&mut child, || {
        checkpoint_time(&place, "stopped").is_some()
    }));
    // Both are there when it wakes up.
    for name in ["-STOP", "-INT", "-TERM", "-CONT"] {
        signal(&child, name);
    }
    let output = child.wait_with_output().unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("once more stops at once"), "{errors}");
    assert!(!errors.contains("interrupted at t ="), "{errors}");
    place.succeeds(&resume_args(LONG, "stopped"));
    place.assert_same_results("whole", "stopped");
}

#[test]
fn the_command_that_ctrl_c_prints_works() {
    let place = Place::with_scene("cantilever");
    let mut child = place.spawn(&run_args(LONG, "a b"));
    wait_until(&mut child, || checkpoint_time(&place, "a b").is_some());
    signal(&child, "-INT");
    let errors = text(&child.wait_with_output().unwrap().stderr);
    let line = errors.split_once("go on with: writhe ").unwrap().1;
    let line = line.lines().next().unwrap();
    let resumed = Command::new("sh")
        .arg("-c")
        .arg(format!("'{}' {line}", common::PROGRAM))
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert!(
        resumed.status.success(),
        "{line}: {}",
        text(&resumed.stderr)
    );
    assert_eq!(place.summary("a b")["outcome"], "finished");
}

#[test]
fn a_file_that_may_not_grow_is_one_message_and_loses_nothing() {
    let place = Place::with_scene("cantilever");
    place.succeeds(&run_args(LONG, "whole"));
    let args: Vec<String> = run_args(LONG, "limited")
        .iter()
        .map(|word| format!("'{word}'"))
        .collect();
    let args = args.join(" ");
    // Blocks of 512 bytes: enough for a chunk of the trajectory, but not for the whole table.
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -f 400; exec '{}' {args}", common::PROGRAM))
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("limited/") && errors.contains("--resume"),
        "{errors}"
    );
    assert!(errors.lines().count() <= 4, "{errors}");
    assert_eq!(place.summary("limited")["outcome"], "failed");

    place.succeeds(&resume_args(LONG, "limited"));
    place.assert_same_results("whole", "limited");
}
