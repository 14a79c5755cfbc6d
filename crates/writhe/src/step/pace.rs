//! How many threads make a step: all, or one.
//!
//! Beside another program that keeps a core busy, threads that wait for each other are slower than one
//! (decision 0098); on a machine with nothing else to do they are not. Results are the same bits either
//! way, so the number is free at any time. From time to time some steps are made the other way, and
//! times on the clock are compared with those of the steps before and after (decision 0101). The
//! clock enters no result, and what was chosen no state.

use std::time::{Duration, Instant};

use super::error::StepError;
use super::report::StepReport;
use crate::state::State;
use crate::threads;

/// Steps that are compared last at least so long, s: some turns of a processor that programs share,
/// 3 to 4 ms each.
const BLOCK: f64 = 0.05;
/// Blocks before the first comparison: in the first steps what they need is made for the first time, and
/// a run of a few long ones should not be spent on comparing.
const FIRST: u32 = 8;
/// Part of a time by which the other way has to be faster.
const GAIN: f64 = 0.05;
/// Part of the time that comparisons may cost.
const COST: f64 = 0.015;
/// Times on the chosen way for the time of a comparison, at least.
const REST: f64 = 20.0;
/// What a step takes besides its Newton iterations, in iterations.
const BESIDES: f64 = 2.0;

type Made = Result<(State, StepReport), StepError>;

/// Who makes the steps, and how fast they are.
#[derive(Debug, Default)]
pub(super) struct Pace {
    choice: Choice,
    shared: SharedTime,
}

/// Time on the clock of steps whose work several threads could share, for summaries only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SharedTime {
    /// All of it.
    pub whole: Duration,
    /// That of steps that one thread made, since others did not pay.
    pub by_one: Duration,
}

impl Pace {
    /// Makes a step by one thread or by all of them, whichever is faster as far as is known.
    pub fn make(&mut self, step: impl FnOnce() -> Made) -> Made {
        let alone = self.choice.alone();
        let clock = Instant::now();
        let (made, could_share) = threads::notice_sharing(|| match alone {
            true => threads::alone(step),
            false => step(),
        });
        if !could_share {
            return made;
        }
        let time = clock.elapsed();
        self.shared.whole += time;
        if alone {
            self.shared.by_one += time;
        }
        if let Ok((_, report)) = &made {
            let work = BESIDES + f64::from(report.iterations);
            self.choice.learn(work, time.as_secs_f64());
        }
        made
    }

    pub fn shared(&self) -> SharedTime {
        self.shared
    }
}

/// Which way is taken, from what steps took: a function of these alone.
#[derive(Debug, Default)]
struct Choice {
    /// Whether one thread makes the steps, where nothing is compared.
    one: bool,
    /// The steps since the last block was full.
    block: Block,
    /// Blocks of the comparison that is on its way: the chosen way, the other one, the chosen one, and
    /// again.
    compared: Vec<Block>,
    /// Time until the next one, s.
    wait: f64,
    /// Blocks so far.
    blocks: u32,
}

/// Steps that follow each other.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    work: f64,
    /// s.
    time: f64,
}

impl Choice {
    /// Whether one thread is to make the next step.
    fn alone(&self) -> bool {
        let other = self.compared.len() % 3 == 1;
        self.one != other
    }

    /// A step, of so much work, took so long, s.
    fn learn(&mut self, work: f64, time: f64) {
        self.block.work += work;
        self.block.time += time;
        if self.block.time < BLOCK {
            return;
        }
        let block = std::mem::take(&mut self.block);
        self.blocks = self.blocks.saturating_add(1);
        if !self.compared.is_empty() {
            self.compared.push(block);
            return self.compare();
        }
        self.wait -= block.time;
        if self.wait <= 0.0 && self.blocks >= FIRST {
            self.compared.push(block);
        }
    }

    /// Chooses, if what was compared is enough: the other way where it was faster twice before it was
    /// slower more often.
    fn compare(&mut self) {
        // Each block of the other way, and its cost over those of its neighbours, which are none of
        // another's: a moment of another program spoils one ratio.
        let (thirds, rest) = self.compared.as_chunks::<3>();
        let ratios = thirds.iter().map(|[before, other, after]| {
            let ratio = 2.0 * other.cost() / (before.cost() + after.cost());
            (other.time, ratio)
        });
        let found: Vec<(f64, f64)> = ratios.collect();
        let faster = found.iter().filter(|(_, r)| *r < 1.0 - GAIN).count();
        let keep = found.len() > 2 * faster;
        if !rest.is_empty() || faster < 2 && !keep {
            return;
        }
        let waits = found.into_iter().map(|(time, ratio)| {
            // The same work would have taken 1/ratio of the time.
            time * REST.max((1.0 - 1.0 / ratio) / COST)
        });
        self.wait = waits.sum();
        self.one ^= !keep;
        self.compared.clear();
    }
}

impl Block {
    /// Time for a unit of work, s.
    fn cost(&self) -> f64 {
        self.time / self.work
    }
}

#[cfg(test)]
mod tests;
