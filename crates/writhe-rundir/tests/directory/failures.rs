//! Each failure is of its type, names the path and the remedy, and loses nothing.

use crate::common;
use std::fs;
use std::path::Path;

use common::{SCENE, START, State, append, contents, differences, fast_place, go_on, layout, run};
use writhe_rundir::{Frame, RunDirError, RunDirectory, RunLayout, RunReader};

fn resume_error(path: &Path) -> RunDirError {
    RunDirectory::resume::<State>(path).unwrap_err()
}

#[test]
fn an_existing_run_is_not_overwritten() {
    let place = fast_place();
    let path = place.path().join("run");
    run(&path, 3, 4, 2);
    let before = contents(&path);
    let error = RunDirectory::create(&path, &layout(None), "other").unwrap_err();
    assert!(matches!(error, RunDirError::AlreadyExists { .. }));
    let message = error.to_string();
    assert!(
        message.contains(path.to_str().unwrap())
            && message.contains("--resume")
            && message.contains("--out")
    );
    assert_eq!(contents(&path), before);
}

#[test]
fn an_empty_directory_is_accepted_and_parents_are_created() {
    let place = fast_place();
    let path = place.path().join("a/b/run");
    fs::create_dir_all(&path).unwrap();
    RunDirectory::create(&path, &layout(None), SCENE).unwrap();
    RunDirectory::create(place.path().join("c/d/run"), &layout(None), SCENE).unwrap();
}

#[test]
fn a_file_in_the_way_is_named() {
    let place = fast_place();
    let file = place.path().join("file");
    fs::write(&file, "precious").unwrap();
    for path in [file.clone(), file.join("run")] {
        let error = RunDirectory::create(&path, &layout(None), SCENE).unwrap_err();
        assert!(
            matches!(error, RunDirError::NotADirectory { .. }),
            "{error:?}"
        );
        assert!(
            error.to_string().contains("file") && error.to_string().contains("--out"),
            "{error}"
        );
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
}

#[test]
fn a_second_writer_is_refused() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut first = RunDirectory::create(&path, &layout(None), SCENE).unwrap();
    first.checkpoint(&START).unwrap();
    assert!(matches!(resume_error(&path), RunDirError::Busy { .. }));
    drop(first);
    RunDirectory::resume::<State>(&path).unwrap();
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_previous_one() {
    let place = fast_place();
    let reference = place.path().join("reference");
    run(&reference, 3, 20, 5);
    let damages: [fn(&Path); 3] = [
        |file| fs::write(file, &fs::read(file).unwrap()[..30]).unwrap(),
        |file| fs::write(file, "").unwrap(),
        |file| {
            let mut bytes = fs::read(file).unwrap();
            bytes[20] ^= 1;
            fs::write(file, bytes).unwrap();
        },
    ];
    for (i, damage) in damages.into_iter().enumerate() {
        let path = place.path().join(i.to_string());
        run(&path, 3, 14, 5);
        damage(&path.join("checkpoint.bin"));
        let (resumed, state) = RunDirectory::resume::<State>(&path).unwrap();
        assert_eq!(state.frame, 5);
        go_on(resumed, state, 20, 5, || ()).unwrap();
        assert!(differences(&path, &reference).is_empty());
    }
}

#[test]
fn without_an_intact_checkpoint_nothing_changes() {
    let place = fast_place();
    let path = place.path().join("run");
    run(&path, 3, 14, 5);
    for name in ["checkpoint.bin", "checkpoint.previous.bin"] {
        fs::write(path.join(name), "rubbish").unwrap();
    }
    let before = contents(&path);
    let error = resume_error(&path);
    assert!(
        matches!(error, RunDirError::CheckpointDamaged { .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains("checkpoint.bin") && error.to_string().contains("--out"),
        "{error}"
    );
    assert_eq!(contents(&path), before);

    fs::remove_file(path.join("checkpoint.bin")).unwrap();
    fs::remove_file(path.join("checkpoint.previous.bin")).unwrap();
    assert!(matches!(
        resume_error(&path),
        RunDirError::NoCheckpoint { .. }
    ));
    assert!(matches!(
        resume_error(place.path()),
        RunDirError::NotARun { .. }
    ));
    assert!(matches!(
        RunReader::open(place.path()),
        Err(RunDirError::NotARun { .. })
    ));
}

#[test]
fn a_checkpoint_of_another_state_type_is_refused() {
    let place = fast_place();
    let path = place.path().join("run");
    run(&path, 3, 4, 2);
    let before = contents(&path);
    for error in [
        RunDirectory::resume::<(State, String)>(&path).unwrap_err(),
        RunDirectory::resume::<u8>(&path).unwrap_err(),
    ] {
        assert!(
            matches!(error, RunDirError::CheckpointIncompatible { .. }),
            "{error:?}"
        );
    }
    assert_eq!(contents(&path), before);
}

#[test]
fn a_changed_scene_is_refused() {
    let place = fast_place();
    let path = place.path().join("run");
    run(&path, 3, 4, 2);
    fs::write(path.join("scene.toml"), "duration = \"2 s\"").unwrap();
    assert!(matches!(
        resume_error(&path),
        RunDirError::SceneChanged { .. }
    ));
}

/// Ways to damage a file.
const DAMAGES: [fn(&Path); 3] = [
    |file| fs::remove_file(file).unwrap(),
    |file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    },
    |file| {
        let mut bytes = fs::read(file).unwrap();
        let first = bytes.first_mut().unwrap();
        *first ^= 0x55;
        fs::write(file, bytes).unwrap();
    },
];

#[test]
fn results_that_the_checkpoint_counts_and_that_are_gone_are_named() {
    let place = fast_place();
    for name in [
        "observables.csv",
        "contacts.csv",
        "trajectory.zarr/positions/c/1/0/0",
        "trajectory.zarr/positions/c/0/0/0",
        "trajectory.zarr/time/c/0",
    ] {
        for (i, damage) in DAMAGES.into_iter().enumerate() {
            let path = place.path().join(format!("{}{i}", name.replace('/', "-")));
            run(&path, 3, 8, 4);
            damage(&path.join(name));
            let before = contents(&path);
            let error = resume_error(&path);
            assert!(matches!(error, RunDirError::Lost { .. }), "{error:?}");
            let array = name.split("/c/").next().unwrap();
            let message = error.to_string();
            assert!(message.contains(array), "{message}");
            assert!(!message.contains("continues from it"), "{message}");
            assert_eq!(contents(&path), before);
        }
    }
}

#[test]
fn what_the_checkpoint_holds_is_written_again() {
    let place = fast_place();
    let reference = place.path().join("reference");
    run(&reference, 3, 20, 4);
    for name in [
        "trajectory.zarr/zarr.json",
        "trajectory.zarr/positions/zarr.json",
        "trajectory.zarr/radius/zarr.json",
        "trajectory.zarr/radius/c/0",
        "trajectory.zarr/rod_nodes/c/0",
        "trajectory.zarr/rod_closed/c/0",
        "summary.json",
    ] {
        for (i, damage) in DAMAGES.into_iter().enumerate() {
            let path = place.path().join(format!("{}{i}", name.replace('/', "-")));
            run(&path, 3, 8, 4);
            assert!(RunDirectory::is_intact::<State>(&path));
            damage(&path.join(name));
            assert_eq!(
                RunDirectory::is_intact::<State>(&path),
                name == "summary.json"
            );
            let (resumed, state) = RunDirectory::resume::<State>(&path).unwrap();
            go_on(resumed, state, 20, 4, || ()).unwrap();
            assert!(differences(&path, &reference).is_empty(), "{name}, {i}");
        }
    }
}

#[test]
fn a_lost_scene_is_written_again_where_it_is_known_to_be_that_of_the_run() {
    let place = fast_place();
    let path = place.path().join("run");
    run(&path, 3, 4, 2);
    let file = path.join("scene.toml");
    fs::remove_file(&file).unwrap();
    RunDirectory::restore_scene(&path, "another").unwrap();
    assert!(!file.exists());
    RunDirectory::restore_scene(&path, SCENE).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), SCENE);
    RunDirectory::resume::<State>(&path).unwrap();
}

#[test]
fn a_frame_of_the_wrong_size_is_not_appended() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut run = RunDirectory::create(&path, &layout(None), SCENE).unwrap();
    let frame = Frame {
        time: 0.0,
        positions: &[[0.0; 3]; 6],
        directors: &[[0.0; 3]; 6],
        extra: &[],
        contacts: &[],
    };
    let error = run.append(&frame, &[0.0, 0.0]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`positions` has 6 entries in this frame; the layout declares 7"),
        "{error}"
    );
    assert_eq!(run.frames(), 0);
}

#[test]
fn a_layout_that_contradicts_itself_creates_nothing() {
    let place = fast_place();
    let path = place.path().join("run");
    let wrong = RunLayout {
        radius: vec![1.0],
        ..RunLayout::default()
    };
    assert!(matches!(
        RunDirectory::create(&path, &wrong, ""),
        Err(RunDirError::InvalidLayout { .. })
    ));
    assert!(!path.exists());
}

/// `/dev/full` takes the place of a temporary file: the system itself reports that the disk is
/// full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_when_there_is_space() {
    let place = fast_place();
    let (path, reference) = (place.path().join("run"), place.path().join("reference"));
    run(&reference, 3, 12, 4);

    let mut run = RunDirectory::create(&path, &layout(Some(3)), SCENE).unwrap();
    let mut state = START;
    let steps = |run: &mut RunDirectory, state: &mut State, count: u64| {
        for _ in 0..count {
            append(run, state).unwrap();
            state.step();
        }
    };
    steps(&mut run, &mut state, 4);
    run.checkpoint(&state).unwrap();
    steps(&mut run, &mut state, 2);
    for name in [
        "trajectory.zarr/positions/c/1/0/.0.tmp",
        "trajectory.zarr/.zarr.json.tmp",
        ".checkpoint.bin.tmp",
    ] {
        std::os::unix::fs::symlink("/dev/full", path.join(name)).unwrap();
        let error = run.checkpoint(&state).unwrap_err();
        assert!(matches!(error, RunDirError::NoSpace { .. }), "{error:?}");
        assert!(
            error
                .to_string()
                .contains("no space left on the disk while writing"),
            "{error}"
        );
        assert_eq!(
            RunReader::open(&path).unwrap().frames(),
            if name.starts_with('.') { 6 } else { 4 }
        );
    }
    steps(&mut run, &mut state, 2);
    run.checkpoint(&state).unwrap();
    go_on(run, state, 12, 4, || ()).unwrap();
    assert!(differences(&path, &reference).is_empty());
}
