//! A made-up simulation that fills a run directory, and the comparison of two directories.
#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use writhe_rundir::{
    Axis, Column, Contact, ExtraArray, Frame, Result, RodLayout, RunDirectory, RunLayout,
    RunSummary, Touched,
};

pub const SCENE: &str = "# a scene\nduration = \"1 s\"\n";

/// Chaotic, so that a resume from a wrong state shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub frame: u64,
    pub x: f64,
}

pub const START: State = State { frame: 0, x: 0.3 };

impl State {
    pub fn step(&mut self) {
        self.frame += 1;
        self.x = 3.99 * self.x * (1.0 - self.x);
    }
}

/// An open rod of 3 nodes and a ring of 4.
pub fn layout(frames_per_chunk: Option<usize>) -> RunLayout {
    let extra = |name: &str, axes: Vec<Axis>, unit: &str| ExtraArray {
        name: name.into(),
        axes,
        unit: unit.into(),
        description: format!("the {name}"),
    };
    RunLayout {
        rods: vec![
            RodLayout {
                nodes: 3,
                closed: false,
            },
            RodLayout {
                nodes: 4,
                closed: true,
            },
        ],
        radius: (1..=6).map(|i| 1e-3 * f64::from(i)).collect(),
        observables: vec![
            Column::new("energy_stretch", "J"),
            Column::new("linking_number", "1"),
        ],
        extra: vec![
            extra("tension", vec![Axis::Edge], "N"),
            extra(
                "body_pose",
                vec![Axis::Other {
                    name: "pose".into(),
                    length: 7,
                }],
                "1",
            ),
            extra("dt", vec![], "s"),
        ],
        contacts: true,
        frames_per_chunk,
    }
}

/// The frame of a state.
pub struct Values {
    pub time: f64,
    pub positions: Vec<[f64; 3]>,
    pub directors: Vec<[f64; 3]>,
    pub extra: Vec<Vec<f64>>,
    pub observables: Vec<f64>,
}

pub fn values(state: &State) -> Values {
    let number = |i: usize| state.x * (i as f64 + 0.1).sin();
    let vectors = |count: usize, shift: usize| {
        (0..count)
            .map(|i| {
                [
                    number(i + shift),
                    -number(2 * i + shift),
                    number(3 * i + shift),
                ]
            })
            .collect()
    };
    Values {
        time: state.frame as f64 / 30.0,
        positions: vectors(7, 0),
        directors: vectors(6, 50),
        extra: vec![
            (0..6).map(number).collect(),
            (6..13).map(number).collect(),
            vec![state.x / 7.0],
        ],
        observables: vec![state.x.exp() * 1e-9, state.frame as f64],
    }
}

/// None, one or two.
fn contacts(state: &State) -> Vec<Contact> {
    let contact = |k: u64| Contact {
        rod: 0,
        arc: state.x,
        with: match k {
            0 => Touched::Rod { rod: 1, arc: 0.5 },
            _ => Touched::Obstacle(1),
        },
        gap: -1e-6 * state.x,
        force: state.x / 3.0,
    };
    (0..state.frame % 3).map(contact).collect()
}

pub fn append(run: &mut RunDirectory, state: &State) -> Result<()> {
    let Values {
        time,
        positions,
        directors,
        extra,
        observables,
    } = values(state);
    let extra: Vec<&[f64]> = extra.iter().map(Vec::as_slice).collect();
    run.append(
        &Frame {
            time,
            positions: &positions,
            directors: &directors,
            extra: &extra,
            contacts: &contacts(state),
        },
        &observables,
    )
}

pub fn summary(frames: u64) -> RunSummary {
    RunSummary {
        outcome: "finished".into(),
        steps: frames,
        ..RunSummary::default()
    }
}

/// Runs to `frames` frames, with a checkpoint after every `period` of them; `pause` comes between
/// frames.
pub fn go_on(
    mut run: RunDirectory,
    mut state: State,
    frames: u64,
    period: u64,
    pause: impl Fn(),
) -> Result<()> {
    while state.frame < frames {
        append(&mut run, &state)?;
        state.step();
        if state.frame.is_multiple_of(period) {
            run.checkpoint(&state)?;
        }
        pause();
    }
    run.finish(&summary(frames))
}

pub fn run(path: &Path, frames_per_chunk: usize, frames: u64, period: u64) {
    let run = RunDirectory::create(path, &layout(Some(frames_per_chunk)), SCENE).unwrap();
    go_on(run, START, frames, period, || ()).unwrap();
}

/// Every file below `path` but the log and the lock.
pub fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![path.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let file = entry.unwrap().path();
            if file.is_dir() {
                directories.push(file);
            } else if !file.ends_with(".lock") && !file.ends_with("log.txt") {
                files.insert(
                    file.strip_prefix(path).unwrap().to_path_buf(),
                    fs::read(&file).unwrap(),
                );
            }
        }
    }
    files
}

/// Names of the files that are not the same in both directories.
pub fn differences(one: &Path, other: &Path) -> Vec<PathBuf> {
    let (one, other) = (contents(one), contents(other));
    let names: std::collections::BTreeSet<_> = one.keys().chain(other.keys()).collect();
    names
        .into_iter()
        .filter(|name| one.get(*name) != other.get(*name))
        .cloned()
        .collect()
}

pub fn copy(from: &Path, to: &Path) {
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

/// A temporary directory, in memory where the system has one: fsync is slow elsewhere.
pub fn fast_place() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}
