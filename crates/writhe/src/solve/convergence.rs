//! When a Newton iteration has converged, and when it should be given up.

/// What counts as converged. Both quantities are compared in the units that the caller measures
/// them in; scaled ones are best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConvergenceTest {
    /// Largest admissible size of the last step.
    pub step_tolerance: f64,
    /// Largest admissible residual.
    pub residual_tolerance: f64,
    /// Iterations after which the attempt is given up.
    pub max_iterations: usize,
    /// Iterations in a row that may pass without a new smallest residual before the attempt is
    /// given up.
    pub patience: usize,
}

/// State of a Newton iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Step and residual are both small enough.
    Converged,
    /// Go on.
    Continue,
    /// Give up, for this reason.
    Failed(NewtonFailure),
}

/// Why a Newton iteration is given up.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum NewtonFailure {
    /// The step or the residual is NaN or infinite.
    #[error("a NaN or an infinity appeared in Newton iteration {iteration}")]
    NotFinite {
        /// Iteration, counted from 1.
        iteration: usize,
    },
    /// The iteration limit was reached.
    #[error(
        "no convergence in {iterations} Newton iterations (step {step:.3e}, residual {residual:.3e})"
    )]
    IterationLimit {
        /// Iterations made.
        iterations: usize,
        /// Size of the last step.
        step: f64,
        /// Last residual.
        residual: f64,
    },
    /// The residual has not reached a new minimum for too long.
    #[error("the Newton residual no longer falls (smallest {smallest:.3e}, iteration {iteration})")]
    Stalled {
        /// Iteration, counted from 1.
        iteration: usize,
        /// Smallest residual seen.
        smallest: f64,
    },
}

/// Follows one Newton iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConvergenceMonitor {
    test: ConvergenceTest,
    iterations: usize,
    smallest: f64,
    since_smallest: usize,
}

impl ConvergenceMonitor {
    /// Begins an iteration.
    pub fn new(test: ConvergenceTest) -> Self {
        Self {
            test,
            iterations: 0,
            smallest: f64::INFINITY,
            since_smallest: 0,
        }
    }

    /// Iterations judged so far.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Judges a completed iteration by the size of its step and the residual after it. NaN is
    /// never converged.
    pub fn judge(&mut self, step: f64, residual: f64) -> Verdict {
        self.iterations += 1;
        let iteration = self.iterations;
        if !(step.is_finite() && residual.is_finite()) {
            return Verdict::Failed(NewtonFailure::NotFinite { iteration });
        }
        if step <= self.test.step_tolerance && residual <= self.test.residual_tolerance {
            return Verdict::Converged;
        }
        if residual < self.smallest {
            (self.smallest, self.since_smallest) = (residual, 0);
        } else {
            self.since_smallest += 1;
        }
        if self.since_smallest > self.test.patience {
            let smallest = self.smallest;
            return Verdict::Failed(NewtonFailure::Stalled {
                iteration,
                smallest,
            });
        }
        if iteration >= self.test.max_iterations {
            let iterations = iteration;
            return Verdict::Failed(NewtonFailure::IterationLimit {
                iterations,
                step,
                residual,
            });
        }
        Verdict::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: ConvergenceTest = ConvergenceTest {
        step_tolerance: 1e-6,
        residual_tolerance: 1e-8,
        max_iterations: 10,
        patience: 2,
    };

    #[test]
    fn needs_small_step_and_small_residual() {
        let mut monitor = ConvergenceMonitor::new(TEST);
        assert_eq!(monitor.judge(1e-9, 1e-3), Verdict::Continue);
        assert_eq!(monitor.judge(1e-3, 1e-9), Verdict::Continue);
        assert_eq!(monitor.judge(1e-7, 1e-9), Verdict::Converged);
        assert_eq!(monitor.iterations(), 3);
    }

    #[test]
    fn nan_is_never_converged() {
        for (step, residual) in [(f64::NAN, 0.0), (0.0, f64::NAN), (f64::INFINITY, 0.0)] {
            let verdict = ConvergenceMonitor::new(TEST).judge(step, residual);
            assert_eq!(
                verdict,
                Verdict::Failed(NewtonFailure::NotFinite { iteration: 1 })
            );
        }
    }

    #[test]
    fn gives_up_when_stalled_or_out_of_iterations() {
        let mut monitor = ConvergenceMonitor::new(TEST);
        assert_eq!(monitor.judge(1.0, 1.0), Verdict::Continue);
        assert_eq!(monitor.judge(1.0, 1.5), Verdict::Continue);
        assert_eq!(monitor.judge(1.0, 1.5), Verdict::Continue);
        let stalled = NewtonFailure::Stalled {
            iteration: 4,
            smallest: 1.0,
        };
        assert_eq!(monitor.judge(1.0, 1.5), Verdict::Failed(stalled));

        let mut monitor = ConvergenceMonitor::new(TEST);
        let last = (1..=10)
            .map(|i| monitor.judge(1.0, 1.0 / f64::from(i)))
            .last();
        let limit = NewtonFailure::IterationLimit {
            iterations: 10,
            step: 1.0,
            residual: 0.1,
        };
        assert_eq!(last, Some(Verdict::Failed(limit)));
    }
}
