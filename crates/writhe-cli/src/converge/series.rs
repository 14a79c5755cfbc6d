//! A series of values with steps, or lengths of edges, each half of the last: order and limit
//! (Richardson 1911).
//!
//! With an error c h^p the differences of successive values fall by 2^p, and what is left behind
//! the last value f is d / (2^p - 1) with the last difference d:
//!
//! ```text
//! p = log2(d_(k-1) / d_k)        limit = f + d_k / (2^p - 1),   d_k = f_k - f_(k-1)
//! ```
//!
//! Three values always have some order, and values that are too coarse a false one. So a limit is
//! told where the order is near that of the method, or where four values or more have the same
//! order twice. Elsewhere there is none, and the last difference says what is known.

/// Difference up to which an order is that of the method. A next term that is a power higher and a
/// quarter of the first in the coarsest run moves the order of three runs by .27.
const NEAR: f64 = 0.3;
/// Difference up to which two orders in a row are the same.
const STEADY: f64 = 0.25;
/// Orders below this are none: halving would gain next to nothing.
const LOWEST: f64 = 0.6;
/// Orders above this belong to no method here, but to errors that cancel.
const HIGHEST: f64 = 4.6;
/// Part of the last correction that is doubtful at least.
const DOUBT: f64 = 0.25;
/// Change of a value over its size that is rounding.
const ROUNDING: f64 = 1e-9;

/// What a series is judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Order of the method.
    pub order: f64,
    /// What tolerances leave in a value: differences below it mean nothing.
    pub noise: f64,
    /// A change that does not matter for the error that is wanted.
    pub slight: f64,
}

/// What a series comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Trend {
    /// It has a limit.
    Clean(Limit),
    /// It hardly depends on what was halved, or not at all; its largest difference.
    Still(f64),
    /// It has no order, for this reason.
    Unclean(String),
}

/// The limit of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The limit.
    pub value: f64,
    /// How far it may be off: a quarter of how far the last value is from it, and up to all of that
    /// where the order is not the method's; at least the difference to the limit by the method's
    /// order, and to the limit without the last value.
    pub error: f64,
    /// Order of convergence.
    pub order: f64,
    /// Error of the first value.
    pub first_error: f64,
}

impl Trend {
    /// The trend of `values`, three or more, the coarsest first.
    pub fn of(values: &[f64], expected: Expected) -> Self {
        let Expected {
            order: method,
            noise,
            slight,
        } = expected;
        if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
            return Self::Unclean(format!("a value is {bad}"));
        }
        let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let size = values.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let largest = differences.iter().fold(0.0_f64, |a, d| a.max(d.abs()));
        if largest <= (ROUNDING * size).max(noise).max(slight) {
            return Self::Still(largest);
        }
        let &[.., f2, f1, last] = values else {
            return Self::Unclean("there are fewer than three values".to_owned());
        };
        let (before, difference) = (f1 - f2, last - f1);
        if differences.iter().any(|d| d.abs() <= noise) {
            return Self::Unclean(format!(
                "the differences are no larger than the errors that tolerances allow ({noise:.1e})"
            ));
        }
        let ratio = before / difference;
        let order = ratio.log2();
        if order.is_nan() || order < LOWEST {
            return Self::Unclean(why(ratio));
        }
        let near = (order - method).abs() <= NEAR;
        let &[.., f3, _, _, _] = values else {
            if !near {
                return Self::Unclean(format!(
                    "three runs give {order:.2}, but the method's own is {method}"
                ));
            }
            return Self::Clean(Limit::of(values, order, method, None));
        };
        // Of four values or more each three must say something, and the same where it is not what
        // the method says.
        let earlier = ((f2 - f3) / before).log2();
        if earlier.is_nan() {
            return Self::Unclean(why(f64::NAN));
        }
        let steady = (earlier - order).abs() <= STEADY && order <= HIGHEST;
        if !(near || steady) {
            return Self::Unclean(format!(
                "it changes from {earlier:.2} to {order:.2}, but the method's own is {method}"
            ));
        }
        let before_last = f1 + before / (earlier.exp2() - 1.0);
        Self::Clean(Limit::of(values, order, method, Some(before_last)))
    }

    /// The limit, if there is one: of a series that is still, its last value, `last`.
    pub fn limit(&self, last: f64) -> Option<(f64, f64)> {
        match self {
            Self::Clean(limit) => Some((limit.value, limit.error)),
            Self::Still(largest) => Some((last, *largest)),
            Self::Unclean(_) => None,
        }
    }
}

impl Limit {
    /// The limit of `values` with this order, where the method's own is `method` and the values
    /// without the last one have the limit `before_last`.
    fn of(values: &[f64], order: f64, method: f64, before_last: Option<f64>) -> Self {
        let (first, last) = (values[0], values[values.len() - 1]);
        let difference = last - values[values.len() - 2];
        let by = |order: f64| last + difference / (order.exp2() - 1.0);
        let value = by(order);
        let part = ((order - method).abs() / NEAR).clamp(DOUBT, 1.0);
        let doubts = [
            part * (value - last).abs(),
            (by(method) - value).abs(),
            before_last.map_or(0.0, |before| (before - value).abs()),
        ];
        Self {
            value,
            error: doubts.into_iter().fold(0.0, f64::max),
            order,
            first_error: (first - value).abs(),
        }
    }
}

/// What is wrong with differences whose ratio is this, which is that of no order.
fn why(ratio: f64) -> String {
    if ratio.is_nan() || ratio < 0.0 {
        "differences change their sign".to_owned()
    } else if ratio < 1.0 {
        format!("differences grow, by a factor of {:.2}", 1.0 / ratio)
    } else {
        format!("differences hardly fall, by a factor of {ratio:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trend(values: &[f64], order: f64) -> Trend {
        let expected = Expected {
            order,
            noise: 0.0,
            slight: 0.0,
        };
        Trend::of(values, expected)
    }

    fn limit(values: &[f64], order: f64) -> Limit {
        match trend(values, order) {
            Trend::Clean(limit) => limit,
            other => panic!("{values:?}: {other:?}"),
        }
    }

    fn unclean(values: &[f64], expected: Expected) -> String {
        match Trend::of(values, expected) {
            Trend::Unclean(why) => why,
            other => panic!("{values:?}: {other:?}"),
        }
    }

    fn series(limit: f64, c: f64, order: f64, count: i32) -> Vec<f64> {
        (0..count)
            .map(|k| limit + c * (-order * f64::from(k)).exp2())
            .collect()
    }

    #[test]
    fn powers_have_their_limit() {
        for order in [1.0, 1.5, 2.0, 4.0] {
            for count in [3, 5] {
                let limit = limit(&series(3.0, -0.2, order, count), order);
                assert!((limit.value - 3.0).abs() < 1e-12 && (limit.order - order).abs() < 1e-9);
                assert!((limit.first_error - 0.2).abs() < 1e-9 && limit.error > 0.0);
            }
        }
    }

    /// A next term spoils the order; the limit stays within its error bar.
    #[test]
    fn the_error_bar_holds_a_next_term() {
        for next in [0.3, -0.2] {
            let h = |k: i32| (-f64::from(k)).exp2();
            for count in [3, 4] {
                let values: Vec<f64> = (0..count)
                    .map(|k| 1.0 + 0.1 * h(k).powi(2) * (1.0 + next * h(k)))
                    .collect();
                let limit = limit(&values, 2.0);
                assert!((limit.value - 1.0).abs() < limit.error, "{limit:?}");
            }
        }
    }

    /// Three runs have some order whatever they are: one that is not the method's is none, until a
    /// fourth run has it, too.
    #[test]
    fn another_order_than_the_methods_needs_four_runs() {
        for order in [1.0, 3.15] {
            let expected = Expected {
                order: 2.0,
                noise: 0.0,
                slight: 0.0,
            };
            let three = unclean(&series(3.0, 0.2, order, 3), expected);
            assert!(three.contains("the method's own is 2"), "{three}");
            let four = limit(&series(3.0, 0.2, order, 4), 2.0);
            assert!((four.value - 3.0).abs() < 1e-12 && four.error > 1e-4);
        }
        // The last three are the method's, the first three are not: the bar knows.
        let mut values = series(3.0, 0.2, 2.0, 4);
        values[0] += 0.2;
        let limit = limit(&values, 2.0);
        assert!(
            (limit.value - 3.0).abs() < 1e-12 && limit.error > 5e-3,
            "{limit:?}"
        );
    }

    #[test]
    fn what_has_no_order_has_no_limit() {
        let unclean = |values: &[f64], noise: f64| {
            let expected = Expected {
                order: 2.0,
                noise,
                slight: 0.0,
            };
            unclean(values, expected)
        };
        assert!(unclean(&[1.0, 1.2, 1.1], 0.0).contains("sign"));
        assert!(unclean(&[1.0, 1.1, 1.3], 0.0).contains("grow"));
        assert!(unclean(&[1.0, 1.1, 1.19], 0.0).contains("hardly fall"));
        assert!(unclean(&[1.0, 2.0, 2.001], 0.0).contains("three runs give 9.97"));
        assert!(unclean(&[1.0, f64::NAN, 2.0], 0.0).contains("NaN"));
        assert!(unclean(&[1.0, 1.001, 1.00125], 5e-4).contains("tolerances"));
        // Each three have an order, but not the same.
        assert!(unclean(&[0.0, 1.0, 1.5, 1.55], 0.0).contains("changes from 1.00 to 3.32"));
        assert!(unclean(&[1.1, 1.0, 1.2, 1.25], 0.0).contains("sign"));
    }

    #[test]
    fn what_does_not_change_is_its_own_limit() {
        let still = trend(&[2.0, 2.0 + 1e-12, 2.0 - 1e-12], 2.0);
        assert!(matches!(still, Trend::Still(_)));
        assert_eq!(still.limit(2.5).map(|(value, _)| value), Some(2.5));
        assert!(matches!(trend(&[0.0; 3], 2.0), Trend::Still(_)));
        let expected = Expected {
            order: 2.0,
            noise: 0.0,
            slight: 0.1,
        };
        let slight = Trend::of(&[1.0, 1.05, 1.0], expected);
        assert!(matches!(slight, Trend::Still(_)));
    }
}
