//! A program that simulates: this version of Writhe, or another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::row::{Row, Source};

/// Time between two looks at a run.
const LOOK: Duration = Duration::from_millis(20);
/// Time within which a program must say what it is.
const ANSWER: Duration = Duration::from_secs(20);
/// Time that a run has for saving when it is told to stop.
const SAVING: Duration = Duration::from_secs(20);

/// A binary of Writhe.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    /// What it says that it is.
    pub version: String,
}

/// How a run is made.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// Simulated time, s.
    pub duration: f64,
    /// Threads.
    pub threads: usize,
    /// Time on the clock after which it is told to stop.
    pub limit: Duration,
}

/// What a run took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spent {
    /// Processor time over all threads, s.
    pub cpu: f64,
    /// Time on the clock, s.
    pub wall: f64,
    /// Simulated time reached, s.
    pub simulated: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Newton iterations.
    pub iterations: u64,
    /// Largest memory, bytes, where the system tells.
    pub memory: Option<u64>,
    /// Cores that other programs kept busy meanwhile, in the mean, where the system tells.
    pub others: Option<f64>,
    /// Of the processor time what outputs took, s; older versions do not tell.
    pub outputs: Option<f64>,
    /// Whether it reached its end.
    pub finished: bool,
}

/// Why something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// Not a binary of Writhe.
    #[error("`{}` is not writhe: {found}", path.display())]
    NotWrithe {
        /// The path that was given.
        path: PathBuf,
        /// What it did when it was asked for its version.
        found: String,
    },
    /// A run that failed.
    #[error("`{}` could not run the scene of `{row}`: {said}", path.display())]
    Failed {
        /// The program.
        path: PathBuf,
        /// The row.
        row: String,
        /// The last that it said.
        said: String,
    },
    /// Files that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
}

impl Program {
    /// The binary at `path`.
    ///
    /// # Errors
    /// When it is not one of Writhe.
    pub fn new(path: &Path) -> Result<Self, ProgramError> {
        let not = |found: String| ProgramError::NotWrithe {
            path: path.to_path_buf(),
            found,
        };
        let mut command = Command::new(path);
        command.arg("--version").stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command
            .spawn()
            .map_err(|error| not(format!("it cannot be started ({error})")))?;
        if wait(&mut child, ANSWER, &mut |_| ()).is_none() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(not("it does not answer `--version`".to_owned()));
        }
        let output = child
            .wait_with_output()
            .map_err(|error| not(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let line = said.lines().next().unwrap_or_default().trim();
        match line.strip_prefix("writhe ") {
            Some(version) if output.status.success() => Ok(Self {
                path: path.to_path_buf(),
                version: version.to_owned(),
            }),
            _ => Err(not(match line {
                "" => "it says nothing to `--version`".to_owned(),
                line => format!("it answers `--version` with `{line:.80}`"),
            })),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs the scene of a row in the folder `place`, which is made and removed.
    ///
    /// # Errors
    /// When the run fails or its files cannot be read.
    pub fn run(&self, row: &Row, how: &How, place: &Path) -> Result<Spent, ProgramError> {
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |source| ProgramError::Io { path, source }
        };
        let (written, directory) = (place.join("scene.toml"), place.join("run"));
        fs::create_dir_all(place).map_err(io(place))?;
        let (scene, changes) = match &row.scene {
            Source::Text(text) => {
                fs::write(&written, text).map_err(io(&written))?;
                (&written, &[][..])
            }
            Source::File { path, changes } => (path, &changes[..]),
        };
        let spent = self.run_at(row, how, (scene, changes), &directory);
        fs::remove_dir_all(place).map_err(io(place))?;
        spent
    }

    fn run_at(
        &self,
        row: &Row,
        how: &How,
        (scene, changes): (&Path, &[String]),
        directory: &Path,
    ) -> Result<Spent, ProgramError> {
        let failed = |said: String| ProgramError::Failed {
            path: self.path.clone(),
            row: row.name.clone(),
            said,
        };
        let mut command = Command::new(&self.path);
        command.arg("run").arg(scene).arg("--out").arg(directory);
        for change in changes {
            command.args(["--set", change]);
        }
        command.args(["--duration", &format!("{:e}", how.duration)]);
        // All versions know the variable.
        command.env("RAYON_NUM_THREADS", how.threads.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let errors = directory.with_extension("errors");
        let file = fs::File::create(&errors).map_err(|source| ProgramError::Io {
            path: errors.clone(),
            source,
        })?;
        let mut child = command
            .stderr(file)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let (mut memory, mut own) = (None, 0.0);
        let mut look = |child: &Child| {
            memory = largest_memory(child.id()).or(memory);
            own = of_process(child.id()).unwrap_or(own);
        };
        let (clock, before) = (Instant::now(), of_all());
        let ended = wait(&mut child, how.limit, &mut look).or_else(|| {
            stop(&child);
            wait(&mut child, SAVING, &mut look)
        });
        if ended.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let all = of_all().zip(before).map(|(after, before)| after - before);
        let others = all.map(|all| (all - own).max(0.0) / clock.elapsed().as_secs_f64());
        let summary = fs::read_to_string(directory.join("summary.json"));
        let summary = summary
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        let summary: Option<Value> = summary;
        let spent = (summary.as_ref()).and_then(|summary| Spent::of(summary, memory, others));
        spent.ok_or_else(|| {
            // A step that failed says why there.
            let reason = summary
                .as_ref()
                .and_then(|summary| summary.get("reason")?.as_str());
            if let Some(reason) = reason {
                return failed(reason.to_owned());
            }
            let said = fs::read_to_string(&errors).unwrap_or_default();
            let lines: Vec<&str> = said.lines().map(str::trim).collect();
            // Warnings come before what went wrong.
            let mut wrong = lines.iter().filter(|line| !line.starts_with("warning"));
            let told = wrong.find(|line| !line.is_empty());
            failed(match told {
                Some(line) => (*line).to_owned(),
                None => "it ended without a summary".to_owned(),
            })
        })
    }
}

impl Spent {
    /// What a run's summary says; `None` for one that failed.
    fn of(summary: &Value, memory: Option<u64>, others: Option<f64>) -> Option<Self> {
        let outcome = summary.get("outcome")?.as_str()?;
        Some(Self {
            cpu: summary.get("cpu_s")?.as_f64()?,
            wall: summary.get("wall_s")?.as_f64()?,
            simulated: summary.get("simulated_s")?.as_f64()?,
            steps: summary.get("steps")?.as_u64()?,
            iterations: summary.get("newton_iterations")?.as_u64()?,
            memory,
            others,
            outputs: (summary.get("phases_s")).and_then(|parts| parts.get("outputs")?.as_f64()),
            finished: outcome == "finished",
        })
        .filter(|_| outcome != "failed")
    }

    /// What this took more than a shorter run, which is thereby taken for the start.
    pub fn less(&self, shorter: &Self) -> Self {
        Self {
            cpu: self.cpu - shorter.cpu,
            wall: self.wall - shorter.wall,
            simulated: self.simulated - shorter.simulated,
            steps: self.steps.saturating_sub(shorter.steps),
            iterations: self.iterations.saturating_sub(shorter.iterations),
            ..*self
        }
    }
}

/// Waits for a process, looking at it now and then; `None` if it is not over in time.
fn wait(child: &mut Child, limit: Duration, look: &mut impl FnMut(&Child)) -> Option<()> {
    let start = Instant::now();
    loop {
        // A process that cannot be asked is over.
        if !matches!(child.try_wait(), Ok(None)) {
            return Some(());
        }
        if start.elapsed() > limit {
            return None;
        }
        look(child);
        std::thread::sleep(LOOK);
    }
}

/// Tells a run to save and stop.
fn stop(child: &Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        if let Ok(id) = i32::try_from(child.id()) {
            // It may be over by now.
            let _ = kill(Pid::from_raw(id), Signal::SIGINT);
        }
    }
    #[cfg(not(unix))]
    let _ = child;
}

/// Largest memory of a process so far, bytes, where the system tells.
fn largest_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// Ticks of a second in which Linux counts processor time for other programs (`USER_HZ`).
const TICKS: f64 = 100.0;

/// Processor time of a process so far, s, where the system tells.
fn of_process(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in parentheses and may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<f64>> = ticks.map(|field| field.parse().ok()).collect();
    Some(ticks?.iter().sum::<f64>() / TICKS)
}

/// Processor time of everything so far, s, where the system tells.
fn of_all() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Option<Vec<f64>> = line
        .split_whitespace()
        .map(|field| field.parse().ok())
        .collect();
    match ticks?[..] {
        // Idle and waiting are not work; guests are counted as users.
        [user, nice, system, _, _, irq, softirq, ..] => {
            Some((user + nice + system + irq + softirq) / TICKS)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_writhe_is_told() {
        let error = Program::new(Path::new("/nowhere/writhe")).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("is not writhe: it cannot be started")
        );
        #[cfg(unix)]
        {
            let error = Program::new(Path::new("/bin/echo"))
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with("`/bin/echo` is not writhe: it answers"),
                "{error}"
            );
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn processor_times_are_read() {
        let own = of_process(std::process::id()).unwrap();
        assert!(own >= 0.0 && own <= of_all().unwrap());
    }

    #[test]
    fn a_summary_is_read() {
        let text = r#"{"outcome": "interrupted", "cpu_s": 2.5, "wall_s": 3.0, "simulated_s": 0.5,
            "steps": 10, "newton_iterations": 31}"#;
        let spent = Spent::of(&serde_json::from_str(text).unwrap(), Some(7), None).unwrap();
        assert!(!spent.finished);
        let start = Spent {
            cpu: 0.5,
            steps: 2,
            ..spent
        };
        let rest = spent.less(&start);
        assert_eq!((rest.cpu, rest.steps, rest.iterations), (2.0, 8, 0));
        let failed = text.replace("interrupted", "failed");
        assert_eq!(
            Spent::of(&serde_json::from_str(&failed).unwrap(), None, None),
            None
        );
    }
}
