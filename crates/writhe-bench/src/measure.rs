//! Measuring a row: runs of two lengths, whose difference is free of what a start costs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use writhe_results::table::number;

use crate::kernel;
use crate::program::{How, Program, ProgramError, Spent};
use crate::row::{Per, Row, Source};

/// Time on the clock that a run of a window may take.
const WINDOW_LIMIT: Duration = Duration::from_secs(60);
/// Time on the clock that a whole run may take.
const WHOLE_LIMIT: Duration = Duration::from_secs(24 * 3600);
/// Times that a window is measured, of which the fastest counts.
const ROUNDS: usize = 2;
/// Of a row whose runs are so short that other programs make of them what they will ...
const MOST_ROUNDS: usize = 10;
/// ... until they have taken so long together, on the clock.
const LONG_ENOUGH: Duration = Duration::from_secs(6);
/// Steps of the run that is taken for the start.
const START: f64 = 1.0;
/// Cores that other programs may keep busy for a gain by threads to mean something.
const QUIET: f64 = 0.2;

/// How a table is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whole runs in place of windows.
    pub whole: bool,
    /// Threads of each run.
    pub threads: usize,
    /// Folder for files that are made and removed.
    pub place: PathBuf,
}

/// What was measured of a row.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// Name of the row.
    pub row: String,
    /// What was run.
    pub what: String,
    /// What the number is.
    pub per: &'static str,
    /// The number: s, or how many times as fast; `None` where no step was made in time.
    pub value: Option<f64>,
    /// The same over the time of the kernel; `None` of a ratio.
    pub kernels: Option<f64>,
    /// Of another version.
    pub against: Option<f64>,
    /// Figures of another machine, whose kernel nobody timed.
    pub elsewhere: Elsewhere,
    /// Processor time of the kernel between the runs, s: the median.
    pub kernel: f64,
    /// Steps that were measured.
    pub steps: u64,
    /// Newton iterations in them.
    pub iterations: u64,
    /// Largest memory, bytes.
    pub memory: Option<u64>,
    /// Cores that other programs kept busy meanwhile, in the mean, where the system tells.
    pub others: Option<f64>,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// Figures of the machine on which the table was set up, with one thread.
#[derive(Debug, Clone, Serialize)]
pub struct Elsewhere {
    /// That of another program, and which.
    pub other: Option<(f64, &'static str)>,
    /// What Writhe took before it was made faster.
    pub before: Option<f64>,
    /// What was aimed at.
    pub wanted: Option<f64>,
}

impl Elsewhere {
    /// Whether there is any figure.
    pub fn is_known(&self) -> bool {
        self.other.is_some() || self.before.is_some() || self.wanted.is_some()
    }
}

/// Measures a row with `program`, and in turn with `other`.
///
/// # Errors
/// When a run fails.
pub fn measure(
    row: &Row,
    program: &Program,
    other: Option<&Program>,
    settings: &Settings,
) -> Result<Measured, ProgramError> {
    let mut kernel_times = Vec::new();
    let (mut best, mut best_other): (Option<Figure>, Option<Figure>) = (None, None);
    let clock = Instant::now();
    for round in 0.. {
        if round >= rounds(row, settings, clock.elapsed()) {
            break;
        }
        // Between the runs, so that it sees the machine as they do.
        kernel_times.extend(kernel::times());
        let figure = figure(row, program, settings)?;
        let slow = !figure.finished;
        best = Some(better(best, figure, row));
        if let Some(other) = other {
            let figure = self::figure(row, other, settings)?;
            best_other = Some(better(best_other, figure, row));
        }
        kernel_times.extend(kernel::times());
        // Once more would take as long again.
        if slow {
            break;
        }
    }
    let against = best_other.and_then(|figure| figure.value);
    Ok(Measured::of(row, best, against, &kernel_times, settings))
}

/// Measures a user's scene to its end: all of it, and what a step and a Newton iteration take
/// without the start.
///
/// # Errors
/// When a run fails or is stopped.
pub fn measure_scene(
    row: &Row,
    program: &Program,
    other: Option<&Program>,
    settings: &Settings,
) -> Result<Vec<Measured>, ProgramError> {
    let mut kernel_times = Vec::new();
    let mut best: [Option<[Spent; 2]>; 2] = [None, None];
    let clock = Instant::now();
    for round in 0.. {
        if round >= rounds(row, settings, clock.elapsed()) {
            break;
        }
        kernel_times.extend(kernel::times());
        for (best, program) in best.iter_mut().zip([Some(program), other]) {
            let Some(program) = program else { continue };
            let run = |duration| {
                let how = How {
                    duration,
                    threads: settings.threads,
                    limit: WHOLE_LIMIT,
                };
                program.run(row, &how, &settings.place)
            };
            let runs = [run(row.window)?, run(START * row.step)?];
            *best = Some(best.map_or(runs, |known| faster(known, runs)));
        }
        kernel_times.extend(kernel::times());
    }
    let measured = |per| {
        let row = Row { per, ..row.clone() };
        let figure = |runs: [Spent; 2]| match per {
            Per::Run => Figure::of_whole(runs[0]),
            _ => Figure::of_difference(&row, runs),
        };
        let [own, other] = best.map(|runs| runs.map(figure));
        // Explicit steps have no iterations, and a run of one step has none beside the start.
        let spent = own.as_ref().map(|figure| figure.spent);
        let counted = spent.is_some_and(|spent| match per {
            Per::Iteration => spent.iterations > 0,
            _ => spent.steps > 0,
        });
        let against = other.and_then(|figure| figure.value);
        counted.then(|| Measured::of(&row, own, against, &kernel_times, settings))
    };
    let all = [Per::Run, Per::Step, Per::Iteration];
    Ok(all.into_iter().filter_map(measured).collect())
}

impl Measured {
    fn of(
        row: &Row,
        best: Option<Figure>,
        against: Option<f64>,
        kernel_times: &[f64],
        settings: &Settings,
    ) -> Self {
        let spent = best.as_ref().map(|figure| figure.spent);
        let value = best.as_ref().and_then(|figure| figure.value);
        let kernel = kernel::median(kernel_times);
        Self {
            row: row.name.clone(),
            what: row.what.clone(),
            per: row.per.words(),
            value,
            kernels: value
                .filter(|_| row.per.is_time())
                .map(|value| value / kernel),
            against,
            elsewhere: Elsewhere {
                other: row.other,
                before: row.before,
                wanted: row.wanted,
            },
            kernel,
            steps: spent.map_or(0, |spent| spent.steps),
            iterations: spent.map_or(0, |spent| spent.iterations),
            memory: spent.and_then(|spent| spent.memory),
            others: spent.and_then(|spent| spent.others),
            notes: best.map_or(Vec::new(), |figure| figure.notes(row, settings)),
        }
    }
}

/// Times that a row is to be measured which has taken so long already.
fn rounds(row: &Row, settings: &Settings, taken: Duration) -> usize {
    match settings.whole {
        true => 1,
        // Of many ratios the largest is one by chance.
        false if !row.per.is_time() || taken >= LONG_ENOUGH => ROUNDS,
        false => MOST_ROUNDS,
    }
}

/// The better of two figures: the shorter time, or the larger ratio. Of a difference of two runs each
/// counts by its faster time: the least difference would be that with the slowest start.
fn better(known: Option<Figure>, new: Figure, row: &Row) -> Figure {
    let Some(known) = known else {
        return new;
    };
    if let (Some(old), Some(new)) = (known.runs, new.runs) {
        return Figure::of_difference(row, faster(old, new));
    }
    let keep = match (known.value, new.value) {
        (Some(old), Some(new)) => (old <= new) == row.per.is_time(),
        (old, _) => old.is_some(),
    };
    if keep { known } else { new }
}

/// Each of two runs by its faster time.
fn faster(known: [Spent; 2], new: [Spent; 2]) -> [Spent; 2] {
    [0, 1].map(|k| match known[k].cpu <= new[k].cpu {
        true => known[k],
        false => new[k],
    })
}

/// One figure of a row.
#[derive(Debug, Clone)]
struct Figure {
    value: Option<f64>,
    /// The measured part.
    spent: Spent,
    finished: bool,
    /// The two runs whose difference it is.
    runs: Option<[Spent; 2]>,
}

impl Figure {
    /// All of one run.
    fn of_whole(all: Spent) -> Self {
        Self {
            value: all.finished.then_some(all.cpu),
            spent: all,
            finished: all.finished,
            runs: None,
        }
    }

    /// What a run says that its frames took, of which there is one at the start and one after each time
    /// step of the row. No figure of a version that does not say it.
    fn of_frames(row: &Row, all: Spent) -> Self {
        let frames = (all.simulated / row.step).round() + 1.0;
        Self {
            value: all.outputs.map(|outputs| outputs / frames),
            ..Self::of_whole(all)
        }
    }

    /// What a run takes beyond the start alone. No figure where the start took as long.
    fn of_difference(row: &Row, [all, start]: [Spent; 2]) -> Self {
        let rest = all.less(&start);
        let (count, scale) = match row.per {
            Per::Step => (rest.simulated / row.step, 1.0),
            Per::Iteration => (rest.iterations as f64, 1.0),
            Per::Run => (rest.simulated, row.whole),
            Per::Second | Per::Threads | Per::Frame => (rest.simulated, 1.0),
        };
        Self {
            value: (count > 0.0 && rest.cpu > 0.0).then(|| scale * rest.cpu / count),
            spent: rest,
            finished: all.finished,
            runs: Some([all, start]),
        }
    }

    fn notes(&self, row: &Row, settings: &Settings) -> Vec<String> {
        let mut notes = Vec::new();
        if self.value.is_none() && self.finished {
            notes.push("its start took as long as all of it: measure it again".to_owned());
        } else if self.value.is_none() {
            notes.push(format!("no step within {} s", WINDOW_LIMIT.as_secs()));
        } else if !self.finished {
            let seconds = WINDOW_LIMIT.as_secs();
            notes.push(format!("{} steps within {seconds} s", self.spent.steps));
        }
        let window = number(self.spent.simulated, 3);
        match row.per {
            _ if settings.whole || matches!(row.scene, Source::File { .. }) => {}
            Per::Run => notes.push(format!("estimate from the first {window} s")),
            Per::Second => notes.push(format!("its first {window} s")),
            _ => {}
        }
        let others = self.spent.others.filter(|others| *others > QUIET);
        if let Some(others) = others.filter(|_| row.per == Per::Threads) {
            notes.push(format!(
                "other programs kept {others:.1} cores busy, so the gain says little"
            ));
        }
        notes
    }
}

fn figure(row: &Row, program: &Program, settings: &Settings) -> Result<Figure, ProgramError> {
    let length = if settings.whole {
        row.whole
    } else {
        row.window
    };
    let how = How {
        duration: length,
        threads: settings.threads,
        limit: if settings.whole {
            WHOLE_LIMIT
        } else {
            WINDOW_LIMIT
        },
    };
    let place: &Path = &settings.place;
    let run = |how: &How| program.run(row, how, place);
    let short = How {
        duration: START * row.step,
        ..how
    };
    match row.per {
        Per::Frame => Ok(Figure::of_frames(row, run(&how)?)),
        Per::Threads => {
            let of = |threads: usize| -> Result<(Spent, Spent), ProgramError> {
                let all = run(&How { threads, ..how })?;
                Ok((all, all.less(&run(&How { threads, ..short })?)))
            };
            let ((all, one), (both, two)) = (of(1)?, of(2)?);
            let others = all.others.zip(both.others).map(|(a, b)| a.max(b));
            let known = all.finished && both.finished && two.wall > 0.0;
            Ok(Figure {
                value: known.then(|| one.wall / two.wall),
                spent: Spent { others, ..one },
                finished: known,
                runs: None,
            })
        }
        Per::Step | Per::Iteration | Per::Second | Per::Run => {
            let all = run(&how)?;
            if settings.whole && row.per == Per::Run {
                return Ok(Figure::of_whole(all));
            }
            Ok(Figure::of_difference(row, [all, run(&short)?]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows;

    fn row(name: &str) -> Row {
        let found = rows::all().into_iter().find(|row| row.name == name);
        found.unwrap()
    }

    fn spent(cpu: f64, iterations: u64) -> Spent {
        Spent {
            cpu,
            wall: 1.0,
            simulated: 1.0,
            steps: 1,
            iterations,
            memory: None,
            others: None,
            outputs: None,
            finished: true,
        }
    }

    fn ratio(value: Option<f64>) -> Figure {
        Figure {
            value,
            spent: spent(1.0, 1),
            finished: true,
            runs: None,
        }
    }

    #[test]
    fn the_larger_ratio_counts() {
        let best = |values: [Option<f64>; 2]| {
            let [a, b] = values.map(ratio);
            better(Some(a), b, &row("threads-2")).value
        };
        for values in [[1.0, 2.0], [2.0, 1.0]] {
            assert_eq!(best(values.map(Some)), Some(2.0));
        }
        assert_eq!(best([None, Some(2.0)]), Some(2.0));
        assert_eq!(best([Some(2.0), None]), Some(2.0));
    }

    /// What is over in no time is measured again, a ratio or a whole run is not.
    #[test]
    fn short_rows_are_measured_more_often() {
        let settings = |whole| Settings {
            whole,
            threads: 1,
            place: PathBuf::new(),
        };
        let short = row("newton-free");
        let rounds = |row: &Row, whole, taken| super::rounds(row, &settings(whole), taken);
        assert_eq!(rounds(&short, false, Duration::ZERO), MOST_ROUNDS);
        assert_eq!(rounds(&short, false, LONG_ENOUGH), ROUNDS);
        assert_eq!(rounds(&short, true, Duration::ZERO), 1);
        assert_eq!(rounds(&row("threads-2"), false, Duration::ZERO), ROUNDS);
    }

    /// One step has two frames, and an older version does not say what they took.
    #[test]
    fn frames_count_by_what_a_run_says_of_them() {
        let row = row("frame-4000");
        let told = |outputs| Spent {
            simulated: row.step,
            outputs,
            ..spent(1.0, 1)
        };
        let figure = |outputs| Figure::of_frames(&row, told(outputs));
        assert_eq!(figure(None).value, None);
        assert_eq!(figure(Some(4e-3)).value, Some(2e-3));
        let best = better(Some(figure(Some(6e-3))), figure(Some(4e-3)), &row);
        assert_eq!(best.value, Some(2e-3));
    }

    /// A start that was slow once makes no iteration fast.
    #[test]
    fn each_of_two_runs_counts_by_its_faster_time() {
        let row = row("newton-free");
        let figure = |all, start| Figure::of_difference(&row, [spent(all, 110), spent(start, 10)]);
        let both = better(Some(figure(3.0, 1.0)), figure(2.9, 2.5), &row);
        assert!((both.value.unwrap() - 0.019).abs() < 1e-12, "{both:?}");
        let slow = figure(2.0, 2.1);
        assert_eq!(slow.value, None);
        let notes = slow.notes(
            &row,
            &Settings {
                whole: false,
                threads: 1,
                place: PathBuf::new(),
            },
        );
        assert!(notes[0].contains("measure it again"), "{notes:?}");
    }
}
