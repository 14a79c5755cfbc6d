//! `writhe sweep`: runs of one scene over values of its keys.

mod asked;
mod children;
mod table;

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use writhe_rundir::outcome;
use writhe_sweep::results::MISSING;
use writhe_sweep::{Parameter, Point, Results, State, Sweep};

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
        let done = results.rows.iter().filter(|row| row.outcome != MISSING);
        return Err(Failure::failed(format!(
            "interrupted: {} of {} are done, and the same command continues the others; all is saved in `{}`",
            done.count(),
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
    let failed = results.rows.iter();
    let failed = failed.filter(|row| [outcome::FAILED, MISSING].contains(&row.outcome.as_str()));
    match failed.count() {
        0 => Ok(()),
        failed => Err(Failure::failed(format!(
            "{failed} of {} did not end well",
            count(sweep.points().len(), "run")
        ))
        .help(format!(
            "see the column `reason` of {}/results.csv; the same command keeps finished runs, and tries again those that left no run",
            folder.display()
        ))),
    }
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
            if !stopping {
                self.start()?;
            }
            for line in self.ended()? {
                bar.suspend(|| console::tell(&line))?;
            }
            let done = all - self.waiting.len() - self.running.len();
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
            let idle = self.running.is_empty() && !self.waiting.is_empty();
            std::thread::sleep(if idle { WAIT } else { LOOK });
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Starts runs where there is room.
    fn start(&mut self) -> Result<()> {
        for _ in 0..self.waiting.len() {
            if self.running.len() >= self.jobs {
                return Ok(());
            }
            let Some(point) = self.waiting.pop_front() else {
                return Ok(());
            };
            let directory = self.sweep.directory(point);
            match State::of(&directory) {
                State::Over(_) => continue,
                // By a sweep that was killed and left its runs: they end by themselves.
                State::Busy => {
                    self.waiting.push_back(point);
                    continue;
                }
                State::Missing | State::Begun => {}
            }
            let changes = point.changes(self.sweep.parameters());
            if let Err(failure) = self.scene.changed(&changes) {
                self.failures
                    .insert(point.index, one_line(failure.message()));
                continue;
            }
            let child = Child::start(&self.program, &self.arguments(&changes, &directory))?;
            self.running.push((point, child));
        }
        Ok(())
    }

    fn arguments(&self, changes: &[String], directory: &Path) -> Vec<String> {
        let args = self.args;
        let mut words = vec!["run".to_owned(), args.scene.file.display().to_string()];
        let sets = args.scene.set.iter().map(ToString::to_string);
        for set in sets.chain(changes.iter().cloned()) {
            words.extend(["--set".to_owned(), set]);
        }
        if let Some(duration) = &args.duration {
            words.extend(["--duration".to_owned(), duration.clone()]);
        }
        let threads = self.threads;
        words.extend(["--threads".to_owned(), threads.to_string()]);
        words.extend(["--out".to_owned(), directory.display().to_string()]);
        words.extend(["--resume", "--quiet"].map(str::to_owned));
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
                (State::Over(summary), _) => match summary.outcome.as_str() {
                    outcome::FINISHED => summary.outcome,
                    outcome => format!("{outcome}: {}", one_line(&summary.reason)),
                },
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
            let done = self.sweep.points().len() - self.waiting.len() - self.running.len();
            let all = self.sweep.points().len();
            lines.push(format!("[{done}/{all}] {}  {told}\n", point.name));
        }
        Ok(lines)
    }
}

/// A message as a cell of a table holds it.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
