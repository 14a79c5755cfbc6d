//! Runs in processes of their own: what kills one kills no other.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;
use std::process::{self, Command, Stdio};
use std::thread::JoinHandle;

use crate::report::{Failure, Result};

/// A run in a process of its own.
pub struct Child {
    process: process::Child,
    /// What it says on standard error.
    errors: Option<JoinHandle<String>>,
    stopped: bool,
}

/// How a process ended.
pub enum End {
    /// It was told to stop, by this sweep or by whoever else.
    Stopped,
    /// By a signal: this.
    Killed(String),
    /// By itself, with this message; or well, with none.
    Failed(String),
}

impl Child {
    /// Starts `program`.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start(program: &Path, arguments: &[OsString]) -> Result<Self> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Ctrl-C goes to all of a terminal's group: children are told once, by the sweep.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command
            .spawn()
            .map_err(|error| Failure::failed(format!("a run cannot be started: {error}")))?;
        // Read as it comes: a pipe that is full would hold the run.
        let errors = process.stderr.take().map(|mut pipe| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = pipe.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        Ok(Self {
            process,
            errors,
            stopped: false,
        })
    }

    /// Asks it to save and stop.
    pub fn stop(&mut self) {
        self.stopped = true;
        #[cfg(unix)]
        {
            use nix::sys::signal::{Signal, kill};
            use nix::unistd::Pid;
            if let Ok(id) = i32::try_from(self.process.id()) {
                // It may have ended.
                let _ = kill(Pid::from_raw(id), Signal::SIGTERM);
            }
        }
        #[cfg(not(unix))]
        let _ = self.process.kill();
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn ended(&mut self) -> Result<Option<End>> {
        let status = self
            .process
            .try_wait()
            .map_err(|error| Failure::failed(format!("a run cannot be watched: {error}")))?;
        let Some(status) = status else {
            return Ok(None);
        };
        let told = self.errors.take().and_then(|errors| errors.join().ok());
        let told = told.unwrap_or_default();
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Ok(Some(End::Killed(format!("signal {signal}"))));
        }
        Ok(Some(if self.stopped || told.contains("interrupted ") {
            End::Stopped
        } else {
            let failed = format!("it ended with {status}");
            End::Failed(message(&told).unwrap_or(failed))
        }))
    }
}

/// What a command said went wrong, without its remedy.
fn message(told: &str) -> Option<String> {
    let start = told.find('×')? + '×'.len_utf8();
    let message = told[start..].split("help:").next()?;
    // An excerpt of the scene follows on a line of its own.
    let message = message.split("╭─").next()?;
    let words = message.split_whitespace().filter(|word| *word != "│");
    Some(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn a_message_is_found_among_what_a_command_says() {
        let told = "warning: slow\n  × rods overlap\n  │ at node 3\n  help: move them\n";
        assert_eq!(message(told).unwrap(), "rods overlap at node 3");
        assert_eq!(message("Stopping"), None);
    }
}
