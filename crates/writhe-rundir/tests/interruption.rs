//! A run that is stopped anywhere and resumed leaves the bytes of a run that nobody stopped.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{
    SCENE, START, State, append, copy, differences, fast_place, go_on, layout, run, summary,
};
use proptest::prelude::*;
use writhe_rundir::{RunDirError, RunDirectory, RunReader};

const SAME: [&str; 0] = [];

fn same(one: &Path, other: &Path) -> Vec<String> {
    differences(one, other)
        .iter()
        .map(|name| name.display().to_string())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The directory is copied between two operations, as a kill there would leave it; the copy is
    /// resumed.
    #[test]
    fn stopped_between_two_operations(
        frames_per_chunk in 1_usize..6,
        frames in 1_u64..25,
        period in 1_u64..8,
        stops in prop::collection::vec(0_u64..25, 1..4),
    ) {
        let place = fast_place();
        let reference = place.path().join("reference");
        run(&reference, frames_per_chunk, frames, period);

        let mut path = place.path().join("run");
        let mut run = RunDirectory::create(&path, &layout(Some(frames_per_chunk)), SCENE).unwrap();
        let mut state = START;
        for (life, stop) in stops.into_iter().enumerate() {
            while state.frame < stop.min(frames) {
                append(&mut run, &state).unwrap();
                state.step();
                if state.frame.is_multiple_of(period) {
                    run.checkpoint(&state).unwrap();
                }
            }
            let next = place.path().join(format!("copy{life}"));
            copy(&path, &next);
            path = next;
            (run, state) = match RunDirectory::resume::<State>(&path) {
                Ok(resumed) => resumed,
                Err(RunDirError::NoCheckpoint { .. }) => {
                    std::fs::remove_dir_all(&path).unwrap();
                    (RunDirectory::create(&path, &layout(Some(frames_per_chunk)), SCENE).unwrap(), START)
                }
                Err(error) => panic!("{error}"),
            };
            prop_assert_eq!(RunReader::open(&path).unwrap().frames() as u64, state.frame);
            prop_assert_eq!(run.frames() as u64, state.frame);
        }
        go_on(run, state, frames, period, || ()).unwrap();
        prop_assert_eq!(same(&path, &reference), SAME);
    }
}

#[test]
fn a_finished_run_can_be_extended() {
    let place = fast_place();
    let (path, reference) = (place.path().join("run"), place.path().join("reference"));
    run(&path, 3, 8, 4);
    run(&reference, 3, 14, 4);
    let (resumed, state) = RunDirectory::resume::<State>(&path).unwrap();
    assert!(
        RunReader::open(&path).unwrap().summary().is_none(),
        "it is in progress again"
    );
    go_on(resumed, state, 14, 4, || ()).unwrap();
    assert_eq!(same(&path, &reference), SAME);
}

#[test]
fn frames_after_the_last_checkpoint_are_cut_off() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, &layout(Some(2)), SCENE).unwrap();
    let mut state = START;
    run.checkpoint(&state).unwrap();
    for _ in 0..7 {
        append(&mut run, &state).unwrap();
        state.step();
    }
    run.finish(&summary(7)).unwrap();
    drop(run);
    assert_eq!(RunReader::open(&path).unwrap().frames(), 7);
    let (run, state) = RunDirectory::resume::<State>(&path).unwrap();
    assert_eq!((run.frames(), state), (0, START));
    assert_eq!(RunReader::open(&path).unwrap().frames(), 0);
    assert_eq!(
        std::fs::read_dir(path.join("trajectory.zarr/positions/c"))
            .unwrap()
            .count(),
        0
    );
}

const KILL_DIRECTORY: &str = "WRITHE_RUNDIR_KILL_DIRECTORY";
const KILL_FRAMES: u64 = 300;
const KILL_PERIOD: u64 = 7;

/// The process that `killed_for_real` kills.
#[test]
#[ignore = "runs in a process of its own, started by the test below"]
fn child_to_be_killed() {
    let Some(path) = std::env::var_os(KILL_DIRECTORY) else {
        return;
    };
    let path = Path::new(&path);
    let (run, state) = match RunDirectory::resume::<State>(path) {
        Ok(resumed) => resumed,
        Err(RunDirError::NoCheckpoint { .. } | RunDirError::NotARun { .. }) => {
            let _ = std::fs::remove_dir_all(path);
            (
                RunDirectory::create(path, &layout(Some(5)), SCENE).unwrap(),
                START,
            )
        }
        Err(error) => panic!("{error}"),
    };
    go_on(run, state, KILL_FRAMES, KILL_PERIOD, || {
        std::thread::sleep(Duration::from_micros(200))
    })
    .unwrap();
}

#[test]
fn killed_for_real() {
    let place = fast_place();
    let (path, reference) = (place.path().join("run"), place.path().join("reference"));
    run(&reference, 5, KILL_FRAMES, KILL_PERIOD);
    let mut kills = 0;
    loop {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_to_be_killed", "--ignored"])
            .env(KILL_DIRECTORY, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Longer each time: the run must come to its end.
        std::thread::sleep(Duration::from_millis(10 + 7 * kills));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 2);
    assert_eq!(same(&path, &reference), SAME, "after {kills} kills");
}
