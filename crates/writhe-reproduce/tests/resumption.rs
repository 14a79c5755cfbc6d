//! An experiment that is stopped in the middle of its runs goes on from their checkpoints and comes
//! to the same bits.

use std::fs;
use std::path::{Path, PathBuf};

use writhe_reproduce::bench::Span;
use writhe_reproduce::{Options, ReproduceError, Watch, find, reproduce};

/// Stops after a number of steps.
struct Patience(u32);

impl Watch for Patience {
    fn say(&mut self, _line: &str) {}

    fn step(&mut self, _name: &str, _time: f64, _end: f64) {
        self.0 = self.0.saturating_sub(1);
    }

    fn stop(&self) -> bool {
        self.0 == 0
    }
}

fn options(place: &Path) -> Options {
    Options {
        span: Span::Quick,
        out: place.join("out"),
        runs: place.join("runs"),
        only: vec!["base".into()],
        sources: Vec::new(),
        again: false,
    }
}

/// The files of the run's trajectory and observables, by name.
fn results(place: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let run = place.join("runs/parametric-base-quick");
    let mut files = Vec::new();
    let mut folders = vec![run.join("trajectory.zarr")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.push(run.join("observables.csv"));
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(place).unwrap().to_path_buf();
            (name, fs::read(file).unwrap())
        })
        .collect()
}

#[test]
fn stops_in_the_middle_change_no_bit() {
    let experiment = find("tong2022-parametric").unwrap();
    let place = tempfile::tempdir().unwrap();
    let whole = place.path().join("whole");
    let outcome = reproduce(experiment, &options(&whole), &mut Patience(u32::MAX)).unwrap();
    assert!(outcome.failed.is_empty());

    let stopped = place.path().join("stopped");
    let mut stops = 0;
    loop {
        match reproduce(experiment, &options(&stopped), &mut Patience(17)) {
            Ok(_) => break,
            Err(ReproduceError::Interrupted) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(stops >= 2, "{stops}");
    assert!(results(&whole).len() > 10);
    assert_eq!(results(&whole), results(&stopped));
}

#[test]
fn another_run_in_the_directory_is_refused() {
    let experiment = find("tong2022-parametric").unwrap();
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("runs/parametric-base-quick");
    fs::create_dir_all(&run).unwrap();
    fs::write(run.join("scene.toml"), "# run: something else\n").unwrap();
    let outcome = reproduce(experiment, &options(place.path()), &mut Patience(u32::MAX)).unwrap();
    assert!(matches!(
        outcome.failed.as_slice(),
        [(row, ReproduceError::OtherRun { .. })] if row == "base"
    ));
    assert_eq!(
        fs::read_to_string(run.join("scene.toml")).unwrap(),
        "# run: something else\n"
    );
}
