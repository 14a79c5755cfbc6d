//! When a run writes a frame.

/// Output times: 0, `every`, 2 `every`, ... and the end, each computed from its index so that a resumed run has the same bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outputs {
    every: f64,
    end: f64,
    last: u64,
}

impl Outputs {
    /// Outputs each `every` s of simulated time until `end`, s; both finite, `every` positive.
    pub fn new(every: f64, end: f64) -> Self {
        // A rest below rounding is no interval of its own.
        let last = (end / every - 1e-9).ceil().max(0.0) as u64;
        Self { every, end, last }
    }

    /// Time of an output, s.
    pub fn time(&self, index: u64) -> f64 {
        if index >= self.last {
            self.end
        } else {
            index as f64 * self.every
        }
    }

    /// Index of the output at the end.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// End of the run, s.
    pub fn end(&self) -> f64 {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(every: f64, end: f64) -> Vec<f64> {
        let outputs = Outputs::new(every, end);
        (0..=outputs.last()).map(|i| outputs.time(i)).collect()
    }

    #[test]
    fn end_is_an_output() {
        assert_eq!(times(0.4, 1.0), [0.0, 0.4, 0.8, 1.0]);
        assert_eq!(times(2.0, 1.0), [0.0, 1.0]);
        assert_eq!(times(1.0, 0.0), [0.0]);
    }

    #[test]
    fn rounding_adds_no_output() {
        assert_eq!(times(0.1, 0.3).len(), 4);
        assert_eq!(times(0.1, 250.0).len(), 2501);
        assert_eq!(times(0.7, 0.7 * 37.0).len(), 38);
    }
}
