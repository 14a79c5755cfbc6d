//! Progress: a line that changes on a terminal, a line every few seconds elsewhere, in a log say;
//! nothing with `--quiet`.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use writhe::step::StepReport;

use crate::console;
use crate::format::{count, duration, length, number, short_time};

/// Steps of the bar.
const RESOLUTION: u64 = 1000;
/// Time between two updates of the line.
const UPDATE: Duration = Duration::from_millis(100);
/// Time between two lines where standard error is no terminal.
const LINES: Duration = Duration::from_secs(5);
/// Time over which the speed is averaged, s.
const MEMORY: f64 = 15.0;

/// A bar with a message beside it, drawn at most so many times a second; hidden where standard
/// error is no terminal.
pub fn bar(times_a_second: u8) -> ProgressBar {
    let target = match console::is_quiet() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr_with_hz(times_a_second),
    };
    let bar = ProgressBar::with_draw_target(Some(RESOLUTION), target);
    // The template is constant and right: the plain bar is a fallback that is never seen.
    let style = ProgressStyle::with_template("{bar:16.cyan/dim} {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━━─");
    bar.set_style(style);
    bar
}

/// Lines of progress where standard error is no terminal.
#[derive(Debug)]
pub struct Lines {
    /// When the next one is due; `None` where there are none.
    next: Option<Instant>,
}

impl Lines {
    /// From now on.
    pub fn new() -> Self {
        let wanted = !console::is_quiet() && !std::io::stderr().is_terminal();
        Self {
            next: wanted.then(|| Instant::now() + LINES),
        }
    }

    /// Writes a line if one is due.
    pub fn tell(&mut self, line: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.next.is_some_and(|next| now >= next) {
            self.next = Some(now + LINES);
            console::print_error(&format!("{}\n", line()));
        }
    }

    /// Whether a line is due.
    pub fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

/// Shows how much is done, of 1.
pub fn set_part(bar: &ProgressBar, part: f64) {
    bar.set_position((part * RESOLUTION as f64) as u64);
}

/// One line that says how far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    lines: Lines,
    end: f64,
    last: Option<Instant>,
    /// Simulated time at the last update, s.
    last_time: f64,
    /// Clock seconds for a simulated second, averaged.
    cost: Option<f64>,
    iterations: Average,
}

impl Progress {
    /// A run from `start` to `end`, s of simulated time.
    pub fn new(start: f64, end: f64) -> Self {
        Self {
            bar: bar(10),
            lines: Lines::new(),
            end,
            last: None,
            last_time: start,
            cost: None,
            iterations: Average::default(),
        }
    }

    /// Shows a step that ended at `time`, s.
    pub fn step(&mut self, time: f64, report: &StepReport) {
        self.iterations.add(f64::from(report.iterations));
        if self.bar.is_hidden() && self.last.is_some() && !self.lines.is_due() {
            return;
        }
        let now = Instant::now();
        let passed = match self.last {
            Some(last) if now - last < UPDATE => return,
            Some(last) => (now - last).as_secs_f64(),
            None => 0.0,
        };
        self.measure_speed(time, passed);
        self.last = Some(now);
        self.last_time = time;
        let part = if self.end > 0.0 { time / self.end } else { 1.0 };
        set_part(&self.bar, part);
        let line = self.line(time, report);
        self.bar.set_message(line.clone());
        self.lines.tell(|| line);
        self.iterations = Average::default();
    }

    fn measure_speed(&mut self, time: f64, passed: f64) {
        let simulated = time - self.last_time;
        if passed > 0.0 && simulated > 0.0 {
            let now = passed / simulated;
            let weight = (passed / MEMORY).min(1.0);
            let cost = self.cost.get_or_insert(now);
            *cost += weight * (now - *cost);
        }
    }

    fn line(&self, time: f64, report: &StepReport) -> String {
        let gap = report
            .smallest_gap
            .map_or(String::new(), |gap| format!("  gap {}", length(gap)));
        let iterations = match number(self.iterations.value(), 2).as_str() {
            "1" => "1 iteration".to_owned(),
            several => format!("{several} iterations"),
        };
        let left = self.cost.map_or(String::new(), |cost| {
            format!(", {} left", duration(cost * (self.end - time)))
        });
        // What matters most comes first: a narrow terminal cuts the rest.
        format!(
            "{} of {} s{left}  step {}  {iterations}  {}{gap}",
            number(time, 4),
            number(self.end, 4),
            short_time(report.dt),
            count(report.contacts, "contact"),
        )
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A mean of numbers as they come.
#[derive(Debug, Default)]
struct Average {
    sum: f64,
    count: f64,
}

impl Average {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn value(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }
}
