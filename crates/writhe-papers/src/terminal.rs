//! What is seen and asked while an experiment runs.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use writhe::solve::Poll;
use writhe_cli::format::number;
use writhe_cli::interrupt::Interrupt;
use writhe_cli::progress;
use writhe_reproduce::Watch;

/// Time between two updates of the line.
const UPDATE: Duration = Duration::from_millis(200);

/// One line that says what runs and how far it is; nothing where standard error is no terminal.
pub struct Terminal {
    interrupt: Interrupt,
    bar: ProgressBar,
    last: Instant,
}

impl Terminal {
    /// An empty line; `interrupt` says when to stop.
    pub fn new(interrupt: Interrupt) -> Self {
        Self {
            interrupt,
            bar: progress::bar(5),
            last: Instant::now(),
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Terminal {
    fn say(&mut self, line: &str) {
        self.bar.println(line);
    }

    fn step(&mut self, name: &str, time: f64, end: f64) {
        if self.bar.is_hidden() || self.last.elapsed() < UPDATE {
            return;
        }
        self.last = Instant::now();
        progress::set_part(&self.bar, time / end);
        let (time, end) = (number(time, 5), number(end, 4));
        self.bar.set_message(format!("{name}: {time} of {end} s"));
    }

    fn stop(&self) -> bool {
        self.interrupt.requested()
    }

    fn poll(&self) -> Poll {
        self.interrupt.poll()
    }
}
