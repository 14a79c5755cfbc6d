//! When a run writes a frame, and what its row of observables has.

/// Output times: the start, the multiples of an interval between start and end, and the end. Each
/// comes from its index, so that a resumed run has the same bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outputs {
    every: f64,
    start: f64,
    end: f64,
    supports: Option<bool>,
}

/// Supports of which a row has what they exert, unless more are asked for: six columns each.
pub const MOST_SUPPORTS: usize = 12;

/// Part of an interval below which two times are the same: a rest below rounding is no interval of
/// its own.
const SAME: f64 = 1e-9;

impl Outputs {
    /// Outputs at multiples of `every`, s, from `start` to `end`, s; all finite, `every` positive.
    pub fn new(every: f64, start: f64, end: f64) -> Self {
        Self {
            every,
            start,
            end,
            supports: None,
        }
    }

    /// The same, with what each support exerts in every row, or without; unless this is said, with
    /// it where there are at most twelve.
    #[must_use]
    pub fn with_supports(self, wanted: bool) -> Self {
        Self {
            supports: Some(wanted),
            ..self
        }
    }

    /// Whether a row has what each of so many supports exerts.
    pub fn shows_supports(&self, count: usize) -> bool {
        self.supports.unwrap_or(count <= MOST_SUPPORTS)
    }

    /// Index of the output at the start.
    pub fn first(&self) -> u64 {
        (self.start / self.every + SAME).floor().max(0.0) as u64
    }

    /// Index of the output at the end; the first if the end does not lie behind the start.
    pub fn last(&self) -> u64 {
        let last = (self.end / self.every - SAME).ceil().max(0.0) as u64;
        last.max(self.first())
    }

    /// Time of an output, s; indices beyond first and last mean these.
    pub fn time(&self, index: u64) -> f64 {
        if index <= self.first() {
            self.start
        } else if index >= self.last() {
            self.end
        } else {
            index as f64 * self.every
        }
    }

    /// Index of the first output behind `time`, s, but for rounding; one beyond the last where there
    /// is none.
    pub fn after(&self, time: f64) -> u64 {
        let reached = time + SAME * self.every;
        if reached >= self.end {
            self.last() + 1
        } else if reached < self.start {
            self.first()
        } else {
            ((reached / self.every).floor() as u64 + 1).max(self.first() + 1)
        }
    }

    /// Whether the output of this index is where a run that ends later has it, to the last bit: an
    /// end that is no multiple of the interval, or only but for rounding, is not.
    pub fn is_regular(&self, index: u64) -> bool {
        index < self.last() || self.end.to_bits() == (index as f64 * self.every).to_bits()
    }

    /// End of the run, s.
    pub fn end(&self) -> f64 {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(every: f64, start: f64, end: f64) -> Vec<f64> {
        let outputs = Outputs::new(every, start, end);
        let all = outputs.first()..=outputs.last();
        all.map(|i| outputs.time(i)).collect()
    }

    #[test]
    fn end_is_an_output() {
        assert_eq!(times(0.4, 0.0, 1.0), [0.0, 0.4, 0.8, 1.0]);
        assert_eq!(times(2.0, 0.0, 1.0), [0.0, 1.0]);
        assert_eq!(times(1.0, 0.0, 0.0), [0.0]);
    }

    #[test]
    fn a_run_may_start_between_two_multiples() {
        assert_eq!(
            times(0.1, 0.43, 0.75),
            [0.43, 0.5, 6.0 * 0.1, 7.0 * 0.1, 0.75]
        );
        assert_eq!(times(0.1, 3.0 * 0.1, 0.5), [3.0 * 0.1, 0.4, 0.5]);
        let nothing_to_do = Outputs::new(0.1, 0.43, 0.3);
        assert_eq!(nothing_to_do.time(nothing_to_do.last()), 0.43);
    }

    #[test]
    fn the_next_output_lies_behind() {
        let outputs = Outputs::new(0.1, 0.0, 0.75);
        let after = |time: f64| outputs.time(outputs.after(time));
        assert_eq!(after(0.0), 0.1);
        assert_eq!(after(0.15), 0.2);
        assert_eq!(after(0.1 + 0.2), 0.4);
        assert_eq!(after(0.3), 0.4);
        assert_eq!(after(0.71), 0.75);
        assert_eq!(outputs.after(0.75), outputs.last() + 1);
        let late = Outputs::new(0.1, 0.43, 0.75);
        assert_eq!(late.time(late.after(0.2)), 0.43);
        assert_eq!(late.time(late.after(0.43)), 0.5);
    }

    #[test]
    fn ends_that_a_longer_run_has_not() {
        let regular = |every: f64, end: f64| {
            let outputs = Outputs::new(every, 0.0, end);
            outputs.is_regular(outputs.last())
        };
        assert!(regular(0.005, 0.05) && regular(1.0, 3.0));
        // 3 * .1 is not .3.
        assert!(!regular(0.1, 0.3) && !regular(0.1, 0.25));
        assert!(Outputs::new(0.1, 0.0, 0.25).is_regular(2));
    }

    #[test]
    fn rounding_adds_no_output() {
        assert_eq!(times(0.1, 0.0, 0.3), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(times(0.1, 0.0, 250.0).len(), 2501);
        assert_eq!(times(0.7, 0.0, 0.7 * 37.0).len(), 38);
    }
}
