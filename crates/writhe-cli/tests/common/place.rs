//! A folder in which a program runs: `PROGRAM`, called `NAME`, of the module that holds this one.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::{NAME, PROGRAM};

/// A temporary folder; paths in commands are relative to it.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(args)
            .current_dir(self.0.path())
            // Cargo tells tests that it started them: commands would be told as of `cargo run`.
            .env_remove("CARGO")
            .stdin(Stdio::null());
        // As from a shell that finds it: commands would be told with its path.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut command, NAME);
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs the program, which must succeed and say nothing on standard error but how far it is; what
    /// it printed.
    pub fn succeeds(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{args:?} failed:\n{errors}");
        assert_eq!(without_progress(&errors), "", "{args:?}");
        text(&output.stdout)
    }

    /// Runs the program, which must fail with this exit code and no panic; its message.
    pub fn fails(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}:\n{errors}");
        assert!(!errors.contains("bug"), "{errors}");
        errors
    }

    /// Starts the program without waiting for it.
    pub fn spawn(&self, args: &[&str]) -> Child {
        self.command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// The lines that do not tell how far a run is: where a machine is busy, short runs take long enough
/// for some.
fn without_progress(errors: &str) -> String {
    let told = [" left  step ", " done  "];
    let is_progress = |line: &str| {
        let of_run = told.iter().any(|part| line.contains(part));
        let of_movie = line.starts_with("frame ") && line.ends_with(" left");
        line.contains(" of ") && (of_run || of_movie)
    };
    let lines = errors.lines().filter(|line| !is_progress(line));
    lines.map(|line| format!("{line}\n")).collect()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Sends the signal of this name, `-INT` say.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

/// Waits until `condition` holds or the process has ended; whether it holds.
pub fn wait_until(child: &mut Child, condition: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if condition() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return condition();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("nothing happened for 30 s");
}
