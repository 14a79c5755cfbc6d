//! A folder in which `writhe` runs, short scenes, and what a run leaves.

#![allow(dead_code, unused_imports)] // Each test file uses a part.

mod place;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub use place::{Place, signal, text, wait_until};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_writhe");
/// What it is called.
pub const NAME: &str = "writhe";

/// Settings for `--set`.
pub type Sets = &'static [&'static str];

/// The template `cantilever` with 10 outputs.
pub const CANTILEVER_SHORT: Sets = &[
    "scene.edges=20",
    "time.duration=0.05",
    "time.step=1 ms",
    "output.every=0.005",
    "output.checkpoint_every=0.01",
];
/// Time between two of those, s.
pub const CANTILEVER_EVERY: f64 = 0.005;
/// Another cantilever.
pub const CANTILEVER_OTHER: &str = "time.step=0.5 ms";
/// What is other about it.
pub const CANTILEVER_OTHER_KEY: &str = "time.step: 0.001 in the run, 0.0005 now";
/// The template `cantilever` with many outputs and checkpoints, for about a second.
pub const CANTILEVER_LONG: Sets = &[
    "scene.edges=20",
    "time.duration=4",
    "time.step=1 ms",
    "output.every=0.005",
    "output.checkpoint_every=0.1",
];
/// The template `flagella` for 0.1 s.
pub const FLAGELLA_SHORT: Sets = &[
    "time.duration=0.1",
    "time.step=1 ms",
    "output.every=0.002",
    "output.checkpoint_every=0.01",
];

impl Place {
    /// With the scene `my.toml` made by `writhe new`.
    pub fn with_scene(name: &str) -> Self {
        let place = Self::new();
        let template = place.succeeds(&["new", name]);
        place.write("my.toml", &template);
        place
    }

    /// The results of a run, byte for byte, by file.
    pub fn results(&self, run: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(
            &self.path(run).join("trajectory.zarr"),
            "trajectory.zarr",
            &mut files,
        );
        for name in ["observables.csv", "contacts.csv"] {
            if let Ok(table) = fs::read(self.path(run).join(name)) {
                files.insert(name.to_owned(), table);
            }
        }
        files
    }

    /// Both runs left the same bytes.
    pub fn assert_same_results(&self, a: &str, b: &str) {
        let (a, b) = (self.results(a), self.results(b));
        assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
        for (file, bytes) in &a {
            assert!(bytes == &b[file], "{file} differs");
        }
    }

    /// `summary.json` of a run.
    pub fn summary(&self, run: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(&format!("{run}/summary.json"))).unwrap()
    }
}

fn collect(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, files);
        } else {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// Numbers that look random and are the same in every run of the tests.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// `args` with `--set` before each assignment of `sets`.
pub fn with<'a>(args: &[&'a str], sets: &[&'a str]) -> Vec<&'a str> {
    let sets = sets.iter().flat_map(|set| ["--set", *set]);
    args.iter().copied().chain(sets).collect()
}
