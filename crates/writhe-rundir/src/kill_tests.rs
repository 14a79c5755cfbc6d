//! The disk fails, or the process dies, at every single operation on the disk in turn: whatever the
//! moment, the run goes on to the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{
    Axis, Column, Contact, ExtraArray, Frame, Result, RodLayout, RunDirError, RunDirectory,
    RunLayout, RunReader, Touched,
};
use crate::{RunSummary, fault};

const FRAMES: u64 = 8;
const SCENE: &str = "duration = 8\n";

fn layout() -> RunLayout {
    RunLayout {
        rods: vec![RodLayout {
            nodes: 2,
            closed: false,
        }],
        radius: vec![0.5],
        observables: vec![Column::new("energy", "J")],
        extra: vec![ExtraArray {
            name: "tension".into(),
            axes: vec![Axis::Edge],
            unit: "N".into(),
            description: "tension of the edge".into(),
        }],
        contacts: true,
        frames_per_chunk: Some(3),
    }
}

/// Contacts of a frame: none, one or two.
fn contacts(frame: u64) -> Vec<Contact> {
    let contact = |k: u64| Contact {
        rod: 0,
        arc: 0.1 * k as f64,
        with: match frame % 4 {
            1 => Touched::Obstacle(2),
            2 => Touched::Body(0),
            _ => Touched::Rod { rod: 0, arc: 0.7 },
        },
        gap: -1e-6,
        force: (frame as f64).sqrt(),
    };
    (0..frame % 3).map(contact).collect()
}

/// One operation of the run, the first being number 0: frames, with a checkpoint after every second
/// one.
fn step(run: &mut RunDirectory, frame: u64) -> Result<()> {
    if run.frames() as u64 == frame {
        let x = (frame as f64).sqrt();
        let positions = [[x, 0.0, 0.0], [x, 1.0, 0.0]];
        run.append(
            &Frame {
                time: x,
                positions: &positions,
                directors: &[[0.0, 0.0, 1.0]],
                extra: &[&[-x]],
                contacts: &contacts(frame),
            },
            &[x * x],
        )?;
    }
    if frame % 2 == 1 {
        run.checkpoint(&(frame + 1))
    } else {
        Ok(())
    }
}

fn go_on(mut run: RunDirectory, from: u64) -> Result<()> {
    for frame in from..FRAMES {
        step(&mut run, frame)?;
    }
    run.finish(&RunSummary::default())
}

fn run_from_start(path: &Path) -> Result<()> {
    go_on(RunDirectory::create(path, &layout(), SCENE)?, 0)
}

/// Every file below `path`, the lock left out.
fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn visit(root: &Path, path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(root, &path, files);
            } else if !path.ends_with(".lock") {
                files.insert(
                    path.strip_prefix(root).unwrap().to_path_buf(),
                    std::fs::read(&path).unwrap(),
                );
            }
        }
    }
    let mut files = BTreeMap::new();
    visit(path, path, &mut files);
    files
}

/// Names of the files that differ from the reference.
fn differences(path: &Path, reference: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<PathBuf> {
    let found = contents(path);
    let names = found.keys().chain(reference.keys());
    names
        .filter(|name| found.get(*name) != reference.get(*name))
        .cloned()
        .collect()
}

/// A temporary directory in memory where the system has one: these tests wait for the disk at each
/// operation.
fn fast_place() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

const SAME: Vec<PathBuf> = Vec::new();

/// Runs `action` with the disk failing after `operations` operations; says also whether it came to
/// that.
fn with_failing_disk<T>(operations: u64, action: impl FnOnce() -> T) -> (T, bool) {
    fault::fail_after(Some(operations));
    let value = action();
    let struck = fault::remaining() == Some(0);
    fault::fail_after(None);
    (value, struck)
}

/// A reader must find whole, correct frames at any moment.
fn check_reader(path: &Path) {
    match RunReader::open(path) {
        Ok(reader) => {
            let touching = reader.contacts().unwrap().unwrap();
            for (i, time) in reader.times().unwrap().into_iter().enumerate() {
                assert_eq!(time, (i as f64).sqrt());
                assert_eq!(reader.positions(i).unwrap()[1], [time, 1.0, 0.0]);
                assert_eq!(reader.array("tension", i).unwrap(), [-time]);
                assert_eq!(reader.observables()[1].values[i], time * time);
                assert_eq!(touching[i], contacts(i as u64));
            }
        }
        Err(error) => assert!(matches!(error, RunDirError::NotARun { .. }), "{error}"),
    }
}

fn reference(place: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let path = place.join("reference");
    run_from_start(&path).unwrap();
    contents(&path)
}

#[test]
fn killed_at_any_operation_a_run_resumes_to_the_same_bytes() {
    let place = fast_place();
    let reference = reference(place.path());
    for operations in 0.. {
        let path = place.path().join(operations.to_string());
        let (_, struck) = with_failing_disk(operations, || run_from_start(&path));
        check_reader_if_there(&path);
        resume_to_the_end(&path);
        assert_eq!(
            differences(&path, &reference),
            SAME,
            "killed after {operations} operations"
        );
        if !struck {
            assert!(operations > 100);
            return;
        }
    }
}

#[test]
fn killed_at_any_operation_of_the_resume_a_run_resumes_again() {
    let place = fast_place();
    let reference = reference(place.path());
    for operations in 0.. {
        let path = place.path().join(operations.to_string());
        killed_late(&path);
        let (_, struck) =
            with_failing_disk(operations, || RunDirectory::resume::<u64>(&path).map(drop));
        check_reader(&path);
        resume_to_the_end(&path);
        assert_eq!(
            differences(&path, &reference),
            SAME,
            "killed after {operations} operations of the resume"
        );
        if !struck {
            assert!(operations > 20);
            return;
        }
    }
}

/// A run whose newest checkpoint is damaged, and whose other files are ahead of the previous one by
/// two chunks.
fn killed_late(path: &Path) {
    let mut run = RunDirectory::create(path, &layout(), SCENE).unwrap();
    (0..FRAMES - 1).for_each(|frame| step(&mut run, frame).unwrap());
    run.checkpoint(&0_u64).unwrap();
    std::fs::copy(path.join("checkpoint.previous.bin"), path.join("kept")).unwrap();
    std::fs::write(path.join("checkpoint.bin"), b"WRITHECP torn").unwrap();
    std::fs::rename(path.join("kept"), path.join("checkpoint.previous.bin")).unwrap();
}

#[test]
fn after_any_failure_the_same_call_succeeds_once_the_disk_has_space() {
    let place = fast_place();
    let reference = reference(place.path());
    for operations in 0.. {
        let path = place.path().join(operations.to_string());
        let mut run = RunDirectory::create(&path, &layout(), SCENE).unwrap();
        let mut struck_at = None;
        fault::fail_after(Some(operations));
        for frame in 0..FRAMES {
            if let Err(error) = step(&mut run, frame) {
                assert!(matches!(error, RunDirError::NoSpace { .. }), "{error}");
                assert!(
                    error.to_string().contains("no space left on the disk"),
                    "{error}"
                );
                struck_at = Some(frame);
                fault::fail_after(None);
                check_reader(&path);
                step(&mut run, frame).unwrap();
            }
        }
        fault::fail_after(None);
        run.finish(&RunSummary::default()).unwrap();
        assert_eq!(
            differences(&path, &reference),
            SAME,
            "failed after {operations} operations, at frame {struck_at:?}"
        );
        if struck_at.is_none() {
            assert!(operations > 100);
            return;
        }
    }
}

fn check_reader_if_there(path: &Path) {
    if path.exists() {
        check_reader(path);
    }
}

/// Resumes and ends the run; starts it again if it had no checkpoint yet.
fn resume_to_the_end(path: &Path) {
    match RunDirectory::resume::<u64>(path) {
        Ok((run, next)) => {
            check_reader(path);
            go_on(run, next).unwrap();
        }
        Err(RunDirError::NoCheckpoint { .. } | RunDirError::NotARun { .. }) => {
            if path.exists() {
                std::fs::remove_dir_all(path).unwrap();
            }
            run_from_start(path).unwrap();
        }
        Err(error) => panic!("{error}"),
    }
}
