//! `writhe sweep`: runs of one scene over values of its keys.

mod asked;
mod children;
mod table;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use writhe_rundir::{RunSummary, outcome};
use writhe_sweep::results::{DAMAGED, MISSING};
use writhe_sweep::{Parameter, Point, Results, Row, State, Sweep};

use crate::args::{GeneralArgs, SweepArgs};
use crate::console;
use crate::format::count;
use crate::interrupt::{self, Interrupt};
use crate::progress;
use crate::report::{Failure, Result};
use crate::scene::{self, RunnableScene};

use children::{Child, End};

/// Time between two looks at the children.
const LOOK: Duration = Duration::from_millis(20);
/// Time between two looks at runs that another process writes.
const WAIT: Duration = Duration::from_secs(1);
/// Time between two tables while runs go on.
const TABLE: Duration = Duration::from_secs(2);
/// A run that is killed so often is given up until the next sweep.
const KILLS: u32 = 3;

/// Runs all points that are not done, and tells what all of them came to.
///
/// # Errors
/// Bad input, a folder that cannot be used, an interrupt by the user, runs that failed.
pub fn run(args: &SweepArgs, general: &GeneralArgs) -> Result<()> {
    console::set_json(args.json);
    let scene = scene::read(&args.scene, args.duration.as_deref())?;
    let parameters = args.vary.iter().map(|text| Parameter::parse(text));
    let parameters = parameters.collect::<std::result::Result<Vec<_>, _>>()?;
    asked::once(args, &parameters)?;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => Path::new("sweeps").join(scene.name()),
    };
    let jobs = jobs(args.jobs)?;
    let interrupt = interrupt::listen()?;
    let sweep = Sweep::planned(&scene, parameters, &folder)?;
    asked::shown(&args.show, &scene, &sweep)?;
    sweep.keep()?;
    console::tell(&start_line(&scene, &sweep, jobs))?;
    let mut work = Work::new((args, general), &scene, &sweep, jobs)?;
    work.all(&interrupt)?;
    let results = Results::of(&sweep, &work.failures);
    results.write(&folder)?;
    if interrupt.requested() {
        let left = rows_of(&results, &[MISSING, DAMAGED]).len();
        return Err(Failure::failed(format!(
            "interrupted: {} of {} are done, and the same command continues the others; all is saved in `{}`",
            results.rows.len() - left,
            count(sweep.points().len(), "run"),
            folder.display()
        ))
        .help("go on with the same command"));
    }
    let text = table::text(&results, &args.show)?;
    match args.json {
        true => console::print_json(&results.to_json())?,
        false => {
            console::print(&text)?;
            console::tell(&table::next_steps(&results, &args.show, &folder)?)?;
        }
    }
    judge(&results, &sweep)
}

/// Fails where a run did not end well, or can no longer be read.
fn judge(results: &Results, sweep: &Sweep) -> Result<()> {
    let folder = sweep.folder().display();
    let all = count(sweep.points().len(), "run");
    let damaged = rows_of(results, &[DAMAGED]);
    let failed = rows_of(results, &[outcome::FAILED, MISSING]).len();
    let why = format!("see the column `reason` of {folder}/results.csv");
    if !damaged.is_empty() {
        let list = |prefix: &str| {
            let names = damaged.iter().map(|row| &row.point.name);
            let names = names.map(|name| format!("`{prefix}{name}`"));
            names.collect::<Vec<_>>().join(", ")
        };
        let others = match failed {
            0 => String::new(),
            failed => format!("; {failed} of {all} did not end well"),
        };
        let folders = match damaged.len() {
            1 => "its folder",
            _ => "their folders",
        };
        let message = format!(
            "the results of {} are damaged, and left out{others}",
            list("")
        );
        let prefix = format!("{folder}/");
        return Err(Failure::failed(message).help(format!(
            "{why}; delete {folders} {} and sweep again with the same command, which keeps the other runs",
            list(&prefix)
        )));
    }
    match failed {
        0 => Ok(()),
        failed => Err(Failure::failed(format!("{failed} of {all} did not end well")).help(format!(
            "{why}; the same command keeps finished runs, and tries again those that left no run"
        ))),
    }
}

/// Rows that ended in one of these ways.
fn rows_of<'a>(results: &'a Results, outcomes: &[&str]) -> Vec<&'a Row> {
    let rows = results.rows.iter();
    rows.filter(|row| outcomes.contains(&row.outcome.as_str()))
        .collect()
}

/// Runs at a time.
fn jobs(wanted: Option<usize>) -> Result<usize> {
    match wanted {
        Some(0) => Err(Failure::bad_input("-j 0: nothing runs without a process")
            .help("take 1 or more; one for each core unless given")),
        Some(jobs) => Ok(jobs),
        None => Ok(cores()),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn start_line(scene: &RunnableScene, sweep: &Sweep, jobs: usize) -> String {
    let over = sweep.parameters().iter();
    let over = over.map(|p| format!("{} ({})", p.key, count(p.values.len(), "value")));
    let points = sweep.points();
    let done = points
        .iter()
        .filter(|p| State::of(&sweep.directory(p)).is_over());
    let done = match done.count() {
        0 => String::new(),
        done => format!(", {done} of them done already"),
    };
    format!(
        "Sweeping {} over {}: {}{done}, {jobs} at a time -> {}\n",
        scene.name(),
        over.collect::<Vec<_>>().join(" and "),
        count(points.len(), "run"),
        sweep.folder().display()
    )
}

/// The runs of a sweep in progress.
struct Work<'a> {
    args: &'a SweepArgs,
    scene: &'a RunnableScene,
    sweep: &'a Sweep,
    program: PathBuf,
    jobs: usize,
    /// Of each run.
    threads: usize,
    waiting: VecDeque<&'a Point>,
    running: Vec<(&'a Point, Child)>,
    /// Points that another process runs, by index: it was told.
    of_others: BTreeSet<usize>,
    /// Why points have no run, by index.
    failures: BTreeMap<usize, String>,
    kills: BTreeMap<usize, u32>,
    told: Instant,
}

impl<'a> Work<'a> {
    fn new(
        (args, general): (&'a SweepArgs, &GeneralArgs),
        scene: &'a RunnableScene,
        sweep: &'a Sweep,
        jobs: usize,
    ) -> Result<Self> {
        let over = |point: &&Point| State::of(&sweep.directory(point)).is_over();
        let waiting = sweep.points().iter().filter(|point| !over(point));
        let program = std::env::current_exe().map_err(|error| {
            Failure::failed(format!("cannot find this program to run it: {error}"))
        })?;
        Ok(Self {
            args,
            scene,
            sweep,
            program,
            jobs,
            threads: general.threads.unwrap_or((cores() / jobs).max(1)),
            waiting: waiting.collect(),
            running: Vec::new(),
            of_others: BTreeSet::new(),
            failures: BTreeMap::new(),
            kills: BTreeMap::new(),
            told: Instant::now(),
        })
    }

    /// Runs until nothing is left, or the user asks to stop.
    fn all(&mut self, interrupt: &Interrupt) -> Result<()> {
        let bar = progress::bar(4);
        let mut lines = progress::Lines::new();
        let all = self.sweep.points().len();
        let mut stopping = false;
        while !self.running.is_empty() || !stopping && !self.waiting.is_empty() {
            if interrupt.requested() && !stopping {
                stopping = true;
                self.running.iter_mut().for_each(|(_, child)| child.stop());
            }
            let mut news = match stopping {
                true => Vec::new(),
                false => self.start()?,
            };
            let running = self.running.len();
            news.extend(self.ended()?);
            let pause = pause([running, self.running.len()], self.waiting.len());
            for line in news {
                bar.suspend(|| console::tell(&line))?;
            }
            let done = self.done();
            progress::set_part(&bar, done as f64 / all as f64);
            let names = self.running.iter().map(|(point, _)| point.name.as_str());
            let names = names.collect::<Vec<_>>().join("  ");
            let line = format!("{done} of {all} done  {names}");
            lines.tell(|| line.clone());
            bar.set_message(line);
            if self.told.elapsed() >= TABLE {
                self.told = Instant::now();
                Results::of(self.sweep, &self.failures).write(self.sweep.folder())?;
            }
            std::thread::sleep(pause);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Points that are neither waiting nor running.
    fn done(&self) -> usize {
        self.sweep.points().len() - self.waiting.len() - self.running.len()
    }

    /// What is told of a point, as a line.
    fn line(&self, point: &Point, told: &str) -> String {
        let all = self.sweep.points().len();
        format!("[{}/{all}] {}  {told}\n", self.done(), point.name)
    }

    /// Starts runs where there is room; a line for each that another process has, and that it has
    /// ended.
    fn start(&mut self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for _ in 0..self.waiting.len() {
            if self.running.len() >= self.jobs {
                break;
            }
            let Some(point) = self.waiting.pop_front() else {
                break;
            };
            let directory = self.sweep.directory(point);
            match State::of(&directory) {
                State::Over(summary) => {
                    if self.of_others.remove(&point.index) {
                        lines.push(self.line(point, &how_ended(&summary)));
                    }
                    continue;
                }
                // By a sweep that was killed and left its runs: they end by themselves.
                State::Busy => {
                    self.waiting.push_back(point);
                    if self.of_others.insert(point.index) {
                        lines.push(self.line(point, "another process runs it: waited for"));
                    }
                    continue;
                }
                // What of a damaged one can be written again, the run itself knows.
                State::Missing | State::Begun | State::Damaged(_) => {}
            }
            self.of_others.remove(&point.index);
            let changes = point.changes(self.sweep.parameters());
            if let Err(failure) = self.scene.changed(&changes) {
                self.failures
                    .insert(point.index, one_line(failure.message()));
                continue;
            }
            let child = Child::start(&self.program, &self.arguments(&changes, &directory))?;
            self.running.push((point, child));
        }
        Ok(lines)
    }

    /// What the program is called with. Names of files need not be text.
    fn arguments(&self, changes: &[String], directory: &Path) -> Vec<OsString> {
        let args = self.args;
        let mut words = vec![word("run"), args.scene.file.clone().into_os_string()];
        let sets = args.scene.set.iter().map(ToString::to_string);
        for set in sets.chain(changes.iter().cloned()) {
            words.extend([word("--set"), OsString::from(set)]);
        }
        if let Some(duration) = &args.duration {
            words.extend([word("--duration"), word(duration)]);
        }
        words.extend([word("--threads"), word(&self.threads.to_string())]);
        words.extend([word("--out"), directory.as_os_str().to_owned()]);
        words.extend(["--resume", "--quiet"].map(word));
        words
    }

    /// Takes up what has ended; a line for each run that is over.
    fn ended(&mut self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        let mut index = 0;
        while index < self.running.len() {
            let Some(end) = self.running[index].1.ended()? else {
                index += 1;
                continue;
            };
            let (point, _) = self.running.swap_remove(index);
            let told = match (State::of(&self.sweep.directory(point)), end) {
                (State::Over(summary), _) => how_ended(&summary),
                (State::Damaged(why), End::Failed(_)) => format!("{DAMAGED}: {}", one_line(&why)),
                // Told to stop: it goes on next time.
                (_, End::Stopped) => continue,
                (_, End::Killed(by)) => {
                    let kills = self.kills.entry(point.index).or_default();
                    *kills += 1;
                    if *kills < KILLS {
                        self.waiting.push_front(point);
                        format!("killed ({by}), goes on from its checkpoint")
                    } else {
                        let reason = format!("killed {KILLS} times ({by}): out of memory?");
                        self.failures.insert(point.index, reason.clone());
                        reason
                    }
                }
                (_, End::Failed(told)) if told.contains("is being written by another process") => {
                    self.waiting.push_back(point);
                    continue;
                }
                (_, End::Failed(told)) => {
                    let reason = one_line(&told);
                    self.failures.insert(point.index, reason.clone());
                    format!("failed: {reason}")
                }
            };
            lines.push(self.line(point, &told));
        }
        Ok(lines)
    }
}

/// Time until the next look, where so many ran before this one and so many go on: none where there is
/// room for one of those that wait; long where all that is left is of other processes.
fn pause([ran, go_on]: [usize; 2], wait: usize) -> Duration {
    match ran {
        0 if wait > 0 => WAIT,
        ran if go_on < ran => Duration::ZERO,
        _ => LOOK,
    }
}

/// An argument.
fn word(text: &str) -> OsString {
    text.into()
}

/// How a run ended, as a line says it.
fn how_ended(summary: &RunSummary) -> String {
    match summary.outcome.as_str() {
        outcome::FINISHED => summary.outcome.clone(),
        outcome => format!("{outcome}: {}", one_line(&summary.reason)),
    }
}

/// A message as a cell of a table holds it.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sweep of runs of .1 s once took a second for each.
    #[test]
    fn the_next_run_begins_when_one_has_ended() {
        assert_eq!(pause([1, 0], 5), Duration::ZERO);
        assert_eq!(pause([2, 1], 0), Duration::ZERO);
        assert_eq!(pause([2, 2], 5), LOOK);
        assert_eq!(pause([0, 0], 5), WAIT);
        assert_eq!(pause([0, 0], 0), LOOK);
    }
}
