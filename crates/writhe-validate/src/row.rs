//! One line of a validation table.

use std::fmt;

/// A measured number against its reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What was measured, with its parameters.
    pub what: String,
    /// Measured value.
    pub measured: f64,
    /// What it should be; `None` for a number that is only bounded.
    pub reference: Option<f64>,
    /// Unit of both; `1` for a pure number.
    pub unit: &'static str,
    /// How it is judged.
    pub judged: Judged,
    /// Observed order of convergence, log2 of the fall of the error on each doubling of resolution,
    /// coarse pair first.
    pub order: Vec<f64>,
    /// What the order must lie within.
    pub order_within: Option<[f64; 2]>,
}

/// How a row is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judged {
    /// |measured / reference - 1| at most this.
    Relative(f64),
    /// |measured - reference| at most this, in the row's unit.
    Absolute(f64),
    /// Measured at most this.
    AtMost(f64),
    /// Measured at least this.
    AtLeast(f64),
    /// Not judged: shown only.
    Shown,
}

/// What came of a row or a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Within its bound.
    Pass,
    /// Outside.
    Fail,
    /// Not judged.
    Shown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "pass",
            Self::Fail => "FAIL",
            Self::Shown => "-",
        })
    }
}

/// Errors of second order fall by 3.5 to 4.5 on doubling.
const SECOND_ORDER: [f64; 2] = [1.807, 2.170];

impl Row {
    fn new(what: impl Into<String>, measured: f64, reference: Option<f64>, judged: Judged) -> Self {
        Self {
            what: what.into(),
            measured,
            reference,
            unit: "1",
            judged,
            order: Vec::new(),
            order_within: None,
        }
    }

    /// Judged by its relative error.
    pub fn relative(what: impl Into<String>, measured: f64, reference: f64, bound: f64) -> Self {
        Self::new(what, measured, Some(reference), Judged::Relative(bound))
    }

    /// Judged by its absolute error.
    pub fn absolute(what: impl Into<String>, measured: f64, reference: f64, bound: f64) -> Self {
        Self::new(what, measured, Some(reference), Judged::Absolute(bound))
    }

    /// Must not be larger than `bound`.
    pub fn at_most(what: impl Into<String>, measured: f64, bound: f64) -> Self {
        Self::new(what, measured, None, Judged::AtMost(bound))
    }

    /// Must not be smaller than `bound`.
    pub fn at_least(what: impl Into<String>, measured: f64, bound: f64) -> Self {
        Self::new(what, measured, None, Judged::AtLeast(bound))
    }

    /// Shown, not judged.
    pub fn shown(what: impl Into<String>, measured: f64) -> Self {
        Self::new(what, measured, None, Judged::Shown)
    }

    /// Three resolutions, each twice as fine as the one before: the middle one is judged by
    /// `bound`, and the errors must fall by 3.5 to 4.5 on each doubling.
    pub fn second_order(
        what: impl Into<String>,
        measured: [f64; 3],
        reference: f64,
        bound: f64,
    ) -> Self {
        Self::relative(what, measured[1], reference, bound).falling(measured, SECOND_ORDER)
    }

    /// As [`Row::second_order`], judged by the absolute error.
    pub fn second_order_absolute(
        what: impl Into<String>,
        measured: [f64; 3],
        reference: f64,
        bound: f64,
    ) -> Self {
        Self::absolute(what, measured[1], reference, bound).falling(measured, SECOND_ORDER)
    }

    fn falling(mut self, measured: [f64; 3], within: [f64; 2]) -> Self {
        let reference = self.reference.unwrap_or(0.0);
        let error = measured.map(|m| (m - reference).abs());
        self.order = vec![(error[0] / error[1]).log2(), (error[1] / error[2]).log2()];
        self.order_within = Some(within);
        self
    }

    /// With the unit of measured and reference.
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Measured against the reference: relative, or absolute in the row's unit, by how it is
    /// judged.
    pub fn error(&self) -> Option<f64> {
        let reference = self.reference?;
        Some(match self.judged {
            Judged::Absolute(_) => self.measured - reference,
            _ => self.measured / reference - 1.0,
        })
    }

    /// Whether the row keeps its bounds; NaN keeps none.
    pub fn verdict(&self) -> Verdict {
        let error = self.error().unwrap_or(f64::NAN).abs();
        let kept = match self.judged {
            Judged::Relative(bound) | Judged::Absolute(bound) => error <= bound,
            Judged::AtMost(bound) => self.measured <= bound,
            Judged::AtLeast(bound) => self.measured >= bound,
            Judged::Shown => return Verdict::Shown,
        };
        let in_order = self
            .order_within
            .is_none_or(|[low, high]| self.order.iter().all(|order| (low..=high).contains(order)));
        if kept && in_order {
            Verdict::Pass
        } else {
            Verdict::Fail
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_judged_by_their_bounds() {
        for (row, verdict) in [
            (Row::relative("a", 1.009, 1.0, 0.01), Verdict::Pass),
            (Row::relative("a", 0.98, 1.0, 0.01), Verdict::Fail),
            (Row::relative("a", f64::NAN, 1.0, 0.01), Verdict::Fail),
            (Row::absolute("a", 1e-3, 0.0, 0.01), Verdict::Pass),
            (Row::at_most("a", 2.0, 1.0), Verdict::Fail),
            (Row::at_most("a", f64::NAN, 1.0), Verdict::Fail),
            (Row::at_least("a", 2.0, 1.0), Verdict::Pass),
            (Row::shown("a", f64::NAN), Verdict::Shown),
            (
                Row::second_order("a", [1.04, 1.01, 1.0025], 1.0, 0.02),
                Verdict::Pass,
            ),
            (
                Row::second_order("a", [1.04, 1.02, 1.01], 1.0, 0.02),
                Verdict::Fail,
            ),
            (
                Row::second_order("a", [1.04, 1.01, 1.0025], 1.0, 0.001),
                Verdict::Fail,
            ),
        ] {
            assert_eq!(row.verdict(), verdict, "{row:?}");
        }
    }
}
