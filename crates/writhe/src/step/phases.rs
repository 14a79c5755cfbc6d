//! Processor time by part of a step.

use std::time::Duration;

/// Parts of a step that are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Forces,
    Assembly,
    Solve,
    Mobility,
    Drag,
    Candidates,
    Crossings,
    Contact,
    Projection,
    Angles,
}

/// Processor time of all threads of the process spent in each part of the steps, for summaries
/// only: it enters no result. Where the system does not tell it, it is time on the clock.
///
/// To ask for it takes a third of a microsecond, or more where a processor is shared. Where parts are
/// short, one in eight is timed and counts eight times, chosen as if at random.
#[derive(Debug, Clone, Copy, Default)]
pub struct Phases {
    times: [Duration; 10],
    /// Parts that began.
    begun: u32,
    /// Running mean of what a part takes.
    mean: Duration,
}

/// Parts shorter than this are not all timed, once there were enough.
const SHORT: Duration = Duration::from_micros(300);
/// Parts that are timed in any case.
const ENOUGH: u32 = 200;
/// Of short parts one in so many is timed.
const SAMPLED: u32 = 8;

/// A part of a step that has begun.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    clock: Option<Clock>,
    /// Parts that it stands for.
    weight: u32,
}

impl Phases {
    const NAMES: [&'static str; 10] = [
        "forces",
        "assembly",
        "solve",
        "mobility",
        "drag",
        "contact candidates",
        "crossing check",
        "contact corrections",
        "projection",
        "quasistatic angles",
    ];

    pub(super) fn start(&mut self) -> Part {
        self.begun = self.begun.wrapping_add(1);
        let short = self.begun > ENOUGH && self.mean < SHORT;
        let weight = if short { SAMPLED } else { 1 };
        // Multiplicative hashing (Knuth): no pattern of parts is in step with it.
        let chosen = self.begun.wrapping_mul(2_654_435_769) >> 16;
        let timed = chosen.is_multiple_of(weight);
        Part {
            clock: timed.then(Clock::start),
            weight,
        }
    }

    pub(super) fn stop(&mut self, phase: Phase, part: Part) {
        if let Some(clock) = part.clock {
            let time = clock.elapsed();
            self.mean = (7 * self.mean + time) / 8;
            self.add(phase, part.weight * time);
        }
    }

    pub(super) fn add(&mut self, phase: Phase, time: Duration) {
        self.times[phase as usize] += time;
    }

    /// The sum of both.
    pub(super) fn and(mut self, other: Self) -> Self {
        for (time, more) in self.times.iter_mut().zip(other.times) {
            *time += more;
        }
        self
    }

    /// Name and time of each part, s.
    pub fn seconds(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Self::NAMES
            .into_iter()
            .zip(self.times)
            .map(|(name, time)| (name, time.as_secs_f64()))
    }
}

/// Processor time of the process since a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(Duration);

impl Clock {
    pub(super) fn start() -> Self {
        Self(processor_time())
    }

    pub(super) fn elapsed(self) -> Duration {
        processor_time().saturating_sub(self.0)
    }
}

/// Processor time of this process over all its threads.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        use nix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
        time.map_or(Duration::ZERO, Duration::from)
    }
    #[cfg(not(unix))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        BEGINNING.get_or_init(Instant::now).elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of one kind at each number divisible by three, of another otherwise.
    #[test]
    fn short_parts_are_sampled_evenly() {
        let mut phases = Phases {
            begun: ENOUGH,
            ..Phases::default()
        };
        let (mut timed, mut weights) = (0, [0_u32; 2]);
        for k in 0..24_000 {
            let part = phases.start();
            if part.clock.is_some() {
                timed += 1;
                weights[usize::from(k % 3 == 0)] += part.weight;
            }
        }
        assert!((2_800..3_200).contains(&timed), "{timed}");
        let [others, thirds] = weights.map(f64::from);
        assert!((others / 16_000.0 - 1.0).abs() < 0.1 && (thirds / 8_000.0 - 1.0).abs() < 0.1);
    }

    #[test]
    #[cfg(unix)]
    fn sleep_takes_no_processor_time() {
        let (clock, wall) = (Clock::start(), std::time::Instant::now());
        std::thread::sleep(Duration::from_millis(50));
        // Other tests of this process may work meanwhile, each on its own core.
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as u32;
        assert!(clock.elapsed() <= cores * wall.elapsed());
        let busy = Clock::start();
        while busy.elapsed() < Duration::from_millis(5) {
            std::hint::black_box(0);
        }
    }
}
