//! What the number of a key must be.

use super::Keys;
use crate::error::SceneError;
use crate::units::{Quantity, number};

/// What a number, or each number of a list, must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// Between two numbers.
    Within {
        /// The least.
        low: f64,
        /// The largest.
        high: f64,
        /// Whether the least and the largest themselves are refused.
        open: [bool; 2],
        /// What a reader should know besides, in brackets; may be empty.
        why: &'static str,
    },
    /// The components of a direction, which are not all zero.
    Direction,
}

/// Greater than zero.
pub(crate) const POSITIVE: Bound = Bound::within(0.0, f64::INFINITY).open([true, true]);
/// Zero or greater.
pub(crate) const NOT_NEGATIVE: Bound = Bound::at_least(0.0);
/// A part of something: from 0 to 1.
pub(crate) const PART: Bound = Bound::within(0.0, 1.0);
/// A direction.
pub(crate) const DIRECTION: Bound = Bound::Direction;

impl Bound {
    /// From `low` to `high`.
    pub(crate) const fn within(low: f64, high: f64) -> Self {
        Self::Within {
            low,
            high,
            open: [false; 2],
            why: "",
        }
    }

    /// `low` or more.
    pub(crate) const fn at_least(low: f64) -> Self {
        Self::within(low, f64::INFINITY)
    }

    /// The same with the least or the largest number refused.
    pub(crate) const fn open(self, open: [bool; 2]) -> Self {
        match self {
            Self::Within { low, high, why, .. } => Self::Within {
                low,
                high,
                open,
                why,
            },
            Self::Direction => self,
        }
    }

    /// The same with something to know besides.
    pub(crate) const fn why(self, why: &'static str) -> Self {
        match self {
            Self::Within {
                low, high, open, ..
            } => Self::Within {
                low,
                high,
                open,
                why,
            },
            Self::Direction => self,
        }
    }

    /// In words: `greater than zero`, `from 0 to 1`.
    pub fn told(&self) -> String {
        let Self::Within {
            low,
            high,
            open,
            why,
        } = *self
        else {
            return "a direction of length greater than zero".to_owned();
        };
        // Whole numbers are counts, which are written out.
        let number = |x: f64| match x.fract() == 0.0 && x.abs() < 1e9 {
            true => format!("{x:.0}"),
            false => number(x),
        };
        let zero = |x: f64| match x == 0.0 {
            true => "zero".to_owned(),
            false => number(x),
        };
        let least = match (open[0], low) {
            (true, low) => format!("greater than {}", zero(low)),
            (false, 0.0) => "zero or greater".to_owned(),
            (false, low) => format!("at least {}", number(low)),
        };
        let largest = match open[1] {
            true => format!("below {}", zero(high)),
            false => format!("at most {}", zero(high)),
        };
        let told = match (low.is_finite(), high.is_finite()) {
            (true, false) => least,
            (false, _) => largest,
            (true, true) if open == [false; 2] => {
                format!("from {} to {}", number(low), number(high))
            }
            (true, true) => format!("{least} and {largest}"),
        };
        match why {
            "" => told,
            why => format!("{told} ({why})"),
        }
    }

    fn holds(&self, numbers: &[f64]) -> bool {
        match *self {
            Self::Direction => numbers.iter().any(|x| *x != 0.0),
            Self::Within {
                low, high, open, ..
            } => numbers.iter().all(|x| {
                let above = if open[0] { *x > low } else { *x >= low };
                let below = if open[1] { *x < high } else { *x <= high };
                above && (below || high.is_infinite())
            }),
        }
    }

    /// Refuses the value of `name` unless its numbers, in SI, are as they must be.
    pub(crate) fn check(self, keys: &Keys, name: &str, numbers: &[f64]) -> Result<(), SceneError> {
        if numbers.is_empty() || self.holds(numbers) {
            return Ok(());
        }
        if let [one] = *numbers {
            return keys.check(name, one, false, &self.told());
        }
        let shown: Vec<String> = numbers.iter().map(f64::to_string).collect();
        let need = match self {
            Self::Direction => self.told(),
            Self::Within { .. } => format!("{} numbers, each {}", numbers.len(), self.told()),
        };
        keys.check_shown(name, &format!("[{}]", shown.join(", ")), false, &need)
    }
}

/// What has numbers that can be out of bounds.
pub(crate) trait Measured {
    /// In SI; none where the value is missing or a word.
    fn numbers(&self) -> Vec<f64>;
}

impl<const M: i32, const KG: i32, const S: i32, const RAD: i32> Measured
    for Quantity<M, KG, S, RAD>
{
    fn numbers(&self) -> Vec<f64> {
        vec![self.si()]
    }
}

impl Measured for usize {
    fn numbers(&self) -> Vec<f64> {
        vec![*self as f64]
    }
}

impl<T: Measured> Measured for Option<T> {
    fn numbers(&self) -> Vec<f64> {
        self.as_ref().map_or_else(Vec::new, T::numbers)
    }
}

impl<T: Measured, const N: usize> Measured for [T; N] {
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(T::numbers).collect()
    }
}
