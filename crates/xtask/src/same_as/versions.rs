//! Two versions of the program, built on one machine, and their runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cases::Case;
use crate::step::{Step, run};

/// A version of the program.
pub struct Version {
    program: PathBuf,
}

/// What a version made of a case.
pub struct Made {
    /// The run directory, if there is one.
    pub folder: PathBuf,
    /// How it ended and what it printed, without times and places.
    pub told: String,
}

/// Builds `commit` in a folder of its own under `target`, and the workspace as it is.
pub fn build(root: &Path, commit: &str) -> Result<[Version; 2], String> {
    let folder = root.join("target/same-as");
    let sources = folder.join("sources");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = sources.to_string_lossy().into_owned();
    if sources.exists() {
        let checkout = ["-C", &path, "checkout", "--quiet", "--detach", commit];
        run(root, &Step::new("the other version", "git", &checkout))?;
    } else {
        let prune = ["worktree", "prune"];
        run(root, &Step::new("worktrees that are gone", "git", &prune))?;
        let add = ["worktree", "add", "--quiet", "--detach", &path, commit];
        run(root, &Step::new("the other version", "git", &add))?;
    }
    let built = folder.join("build");
    let cargo = Step::cargo("build it", "build --workspace --bin writhe --locked")
        .env("CARGO_TARGET_DIR", &built.to_string_lossy());
    run(&sources, &cargo)?;
    let cargo = Step::cargo(
        "build this version",
        "build --workspace --bin writhe --locked",
    );
    run(root, &cargo)?;
    let program = |target: &Path| Version {
        program: target
            .join("debug")
            .join(format!("writhe{}", std::env::consts::EXE_SUFFIX)),
    };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    Ok([program(&built), program(&target)])
}

impl Version {
    /// Runs a case in `place`, with a modulus that is larger by a part of 1e-12 if `planted`.
    pub fn run(&self, case: &Case, place: &Path, planted: bool) -> Result<Made, String> {
        let scene = case.scene_file();
        let mut told = String::new();
        let mut part = |extra: &[&str]| -> Result<(), String> {
            let mut command = Command::new(&self.program);
            command.arg("run").arg(&scene).arg("--out").arg(place);
            for set in case.set {
                command.args(["--set", set]);
            }
            if planted {
                command.args(["--set", &case.planted()?]);
            }
            let output = command
                .args(extra)
                .stdin(Stdio::null())
                .output()
                .map_err(|e| format!("cannot start {}: {e}", self.program.display()))?;
            told += &format!("ends with {}\n", output.status);
            for text in [&output.stdout, &output.stderr] {
                let text = timeless(&String::from_utf8_lossy(text), place);
                // A program that is not on the PATH is told with its place.
                told += &text.replace(&*self.program.to_string_lossy(), "writhe");
            }
            Ok(())
        };
        let Some(at) = case.restart else {
            part(&[])?;
            let folder = place.to_path_buf();
            return Ok(Made { folder, told });
        };
        // The run as it stood when its last checkpoint but one was written: what came after is cut
        // off and made again.
        let every = format!("output.checkpoint_every={at}");
        part(&["--set", &every])?;
        let file = |name: &str| place.join(name);
        fs::rename(file("checkpoint.previous.bin"), file("checkpoint.bin"))
            .and_then(|()| fs::remove_file(file("summary.json")))
            .map_err(|e| format!("{}: {e}", place.display()))?;
        part(&["--set", &every, "--resume"])?;
        let folder = place.to_path_buf();
        Ok(Made { folder, told })
    }
}

impl Made {
    /// Processor time of the run, s, if it got so far.
    pub fn processor_time(&self) -> Option<f64> {
        self.summary_number("cpu_s").and_then(|n| n.parse().ok())
    }

    /// A count of the summary.
    pub fn count(&self, key: &str) -> Option<u64> {
        self.summary_number(key).and_then(|n| n.parse().ok())
    }

    fn summary_number(&self, key: &str) -> Option<String> {
        let text = fs::read_to_string(self.folder.join("summary.json")).ok()?;
        let key = format!("\"{key}\":");
        let line = text.lines().find_map(|l| l.trim().strip_prefix(&key))?;
        Some(line.trim().trim_end_matches(',').to_owned())
    }
}

/// What is printed, without the times that it took, and places that differ between runs.
fn timeless(text: &str, place: &Path) -> String {
    let is_time = |line: &str| {
        let words = line.trim_start();
        // "  time                  11.9 s (9.02 s of processor)" and "    solve               0.972
        // s (8 %)".
        let whole = words.starts_with("time ") && words.contains("of processor");
        let part = line.starts_with("    ") && words.ends_with("%)");
        // "1.2 of 2 s, 3.34 s left  step 500 us ..": how far a run is, by the clock.
        let progress = line.contains(" left  step ");
        whole || part || progress
    };
    let lines = text.lines().filter(|line| !is_time(line));
    let lines = lines.map(|line| line.replace(&*place.to_string_lossy(), "RUN") + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_places_are_left_out() {
        let text = "Finished\n  time                  11.9 s (9.02 s of processor)\n    solve               0.972 s (8 %)\n  everything            runs/x\n";
        let told = timeless(text, Path::new("runs/x"));
        assert_eq!(told, "Finished\n  everything            RUN\n");
    }
}
