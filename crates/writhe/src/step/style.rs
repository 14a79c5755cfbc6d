//! How Newton's method treats an iteration: with or without the derivatives of contact, searching
//! along the correction or damped.

use super::control::EASY_ITERATIONS;
use super::search::SHORTEST;
use super::settings::LineSearch;
use crate::model::Model;

/// Chosen once a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewtonStyle {
    /// Iterations without the derivatives of contact, damped by rule.
    omega: u32,
    line_search: LineSearch,
    /// Whether corrections with the same matrix may follow one with its own.
    simplified: bool,
}

/// How one iteration is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Iteration {
    /// Whether the matrix holds the derivatives of contact.
    pub contact: bool,
    /// How the correction is shortened.
    pub line_search: LineSearch,
    /// Largest part of the correction that is taken.
    pub damping: f64,
    /// Smallest part of that to look at.
    pub shortest: f64,
    /// Whether the method takes so long that corrections below the tolerance are searched along,
    /// too.
    pub slow: bool,
    /// Whether corrections with the same matrix may follow.
    pub simplified: bool,
}

impl NewtonStyle {
    /// The style that the contact model asks for.
    pub fn choose(model: &Model, line_search: LineSearch) -> Self {
        let omega = model.contact.policy().iterations_without;
        // Other line searches, and C21's hybrid, are methods as published. The spins of bodies are
        // kept to rounding, since Newton's method ends far nearer than its tolerance.
        let as_published = omega > 0 || line_search != LineSearch::Automatic;
        Self {
            omega,
            line_search,
            simplified: !as_published && model.bodies.is_empty(),
        }
    }

    /// How iteration `n`, from 0, is made.
    pub fn iteration(&self, n: u32) -> Iteration {
        let slow = n >= self.omega + EASY_ITERATIONS;
        if n < self.omega {
            Iteration {
                contact: false,
                line_search: LineSearch::None,
                // C21 Algorithm 2: alpha starts at 1 and halves every other iteration.
                damping: 0.5_f64.powi(n as i32 / 2),
                shortest: SHORTEST,
                slow,
                simplified: false,
            }
        } else {
            Iteration {
                contact: true,
                line_search: self.line_search,
                damping: 1.0,
                shortest: SHORTEST,
                slow,
                simplified: self.simplified,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hybrid_halves_every_other_iteration_and_then_searches() {
        let style = NewtonStyle {
            omega: 5,
            line_search: LineSearch::Automatic,
            simplified: false,
        };
        let damping: Vec<f64> = (0..7).map(|n| style.iteration(n).damping).collect();
        assert_eq!(damping, [1.0, 1.0, 0.5, 0.5, 0.25, 1.0, 1.0]);
        let contact: Vec<bool> = (0..7).map(|n| style.iteration(n).contact).collect();
        assert_eq!(contact, [false, false, false, false, false, true, true]);
        assert_eq!(style.iteration(4).line_search, LineSearch::None);
        assert_eq!(style.iteration(5).line_search, LineSearch::Automatic);
    }
}
