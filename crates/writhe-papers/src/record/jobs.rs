//! Processes that measure, several at a time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use writhe_cli::format::duration;
use writhe_cli::report::{Failure, Result};

use super::results::{CASES_FOLDER, Recorded};
use crate::args::RecordArgs;

/// Time between two looks at the processes.
const LOOK: Duration = Duration::from_millis(100);

/// A process to start.
#[derive(Debug)]
pub struct Job {
    name: String,
    /// At most one of a group runs at a time.
    group: String,
    command: Command,
    /// Where its messages go.
    log: PathBuf,
}

impl Job {
    /// What measures a result.
    pub fn new(result: &Recorded, program: &Path, args: &RecordArgs) -> Self {
        let runs = args.runs.join(&result.runs);
        let mut command = Command::new(program);
        command.arg(&result.name).arg("--again");
        if result.is_case {
            command.arg("--out").arg(args.out.join(CASES_FOLDER));
        } else {
            command.arg("--out").arg(args.out.join(&result.name));
            command.arg("--runs").arg(&runs);
        }
        Self {
            name: result.name.clone(),
            group: result.group().to_owned(),
            command,
            log: args.runs.join("logs").join(format!("{}.txt", result.name)),
        }
    }

    fn start(&mut self) -> Result<Child> {
        let failed = |error: std::io::Error| {
            Failure::failed(format!("`{}` cannot be started: {error}", self.name))
        };
        if let Some(folder) = self.log.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let log = File::create(&self.log).map_err(failed)?;
        let errors = log.try_clone().map_err(failed)?;
        self.command
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors)
            .spawn()
            .map_err(failed)
    }
}

/// A process that runs.
struct Running {
    job: Job,
    child: Child,
    since: Instant,
}

/// Runs all jobs in their order, at most `most` at a time and one of each group; `say` hears of each
/// that ends. After `stop` none is started, and those that run are waited for: they were told too.
/// Returns the names of those that failed.
///
/// # Errors
/// When a process cannot be started or waited for.
pub fn run_all(
    mut jobs: Vec<Job>,
    most: usize,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<Vec<String>> {
    let mut running: Vec<Running> = Vec::new();
    let mut failed = Vec::new();
    while !running.is_empty() || !jobs.is_empty() && !stop() {
        while running.len() < most && !stop() {
            let is_free = |job: &Job| running.iter().all(|other| other.job.group != job.group);
            let Some(next) = jobs.iter().position(is_free) else {
                break;
            };
            let mut job = jobs.remove(next);
            let child = job.start()?;
            let since = Instant::now();
            running.push(Running { job, child, since });
        }
        std::thread::sleep(LOOK);
        let mut still = Vec::new();
        for mut process in running {
            let ended = process.child.try_wait().map_err(|error| {
                let name = &process.job.name;
                Failure::failed(format!("`{name}` cannot be waited for: {error}"))
            })?;
            let Some(status) = ended else {
                still.push(process);
                continue;
            };
            let Running { job, since, .. } = process;
            let time = duration(since.elapsed().as_secs_f64());
            if status.success() {
                say(&format!("{}: recorded, {time}", job.name))?;
            } else if !stop() {
                say(&format!("{}: failed, see {}", job.name, job.log.display()))?;
                failed.push(job.name);
            }
        }
        running = still;
    }
    Ok(failed)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn job(place: &Path, name: &str, group: &str, script: &str) -> Job {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).current_dir(place);
        Job {
            name: name.to_owned(),
            group: group.to_owned(),
            command,
            log: place.join(format!("logs/{name}.txt")),
        }
    }

    #[test]
    fn groups_run_one_by_one_and_failures_are_told() {
        let place = tempfile::tempdir().unwrap();
        let alone = "mkdir lock && sleep 0.3 && rmdir lock";
        let jobs = vec![
            job(place.path(), "a", "g", alone),
            job(place.path(), "b", "g", alone),
            job(place.path(), "c", "h", "echo why >&2; exit 1"),
        ];
        let mut lines = Vec::new();
        let failed = run_all(jobs, 3, &|| false, &mut |line| {
            lines.push(line.to_owned());
            Ok(())
        })
        .unwrap();
        assert_eq!(failed, ["c"]);
        assert_eq!(lines.len(), 3);
        let log = fs::read_to_string(place.path().join("logs/c.txt")).unwrap();
        assert_eq!(log, "why\n");
    }

    #[test]
    fn a_stop_starts_nothing_more() {
        let place = tempfile::tempdir().unwrap();
        let stopped = Cell::new(false);
        let jobs = ["a", "b"].map(|name| job(place.path(), name, name, "true"));
        let failed = run_all(jobs.into(), 1, &|| stopped.get(), &mut |_| {
            stopped.set(true);
            Ok(())
        });
        assert!(failed.unwrap().is_empty());
        assert!(place.path().join("logs/a.txt").exists());
        assert!(!place.path().join("logs/b.txt").exists());
    }
}
