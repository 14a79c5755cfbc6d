//! A series of values with steps, or lengths of edges, each half of the last: order and limit
//! (Richardson 1911).
//!
//! With an error c h^p the differences of successive values fall by 2^p, and what is left behind the
//! last value f is d / (2^p - 1) with the last difference d:
//!
//! ```text
//! p = log2(d_(k-1) / d_k)        limit = f + d_k / (2^p - 1),   d_k = f_k - f_(k-1)
//! ```
//!
//! A limit is told only where the order is clean: differences of one sign whose factor belongs to an
//! order from [`LOWEST`] to [`HIGHEST`], and with four values or more the same to [`STEADY`].

/// Orders below this are none: halving would gain next to nothing.
const LOWEST: f64 = 0.6;
/// Orders above this belong to no scheme here, but to errors that cancel.
const HIGHEST: f64 = 4.6;
/// Difference up to which two orders in a row are the same.
const STEADY: f64 = 0.35;
/// Part of the last correction that is doubtful at least.
const DOUBT: f64 = 0.25;
/// Change of a value over its size that is nothing: what equations are solved to leaves more.
const NOTHING: f64 = 1e-9;

/// What a series comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Trend {
    /// It has a limit.
    Clean(Limit),
    /// It does not depend on what was halved, to rounding and tolerances; its largest difference.
    Still(f64),
    /// It has no order, for this reason.
    Unclean(String),
}

/// The limit of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The limit.
    pub value: f64,
    /// How far it may be off: the difference to the limit by the nearest whole order, or a quarter
    /// of how far the last value is from it, whichever is larger.
    pub error: f64,
    /// Order of convergence.
    pub order: f64,
    /// Error of the first value.
    pub first_error: f64,
}

impl Trend {
    /// The trend of `values`, three or more, the coarsest first. `noise` is a change that means
    /// nothing.
    pub fn of(values: &[f64], noise: f64) -> Self {
        let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if let Some(bad) = values.iter().find(|value| !value.is_finite()) {
            return Self::Unclean(format!("a value is {bad}"));
        }
        let size = values.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let largest = differences.iter().fold(0.0_f64, |a, d| a.max(d.abs()));
        if largest <= (NOTHING * size).max(noise) {
            return Self::Still(largest);
        }
        let ratios: Vec<f64> = differences.windows(2).map(|d| d[0] / d[1]).collect();
        let (Some(ratio), Some(last), Some(difference)) =
            (ratios.last(), values.last(), differences.last())
        else {
            return Self::Unclean("there are fewer than three values".to_owned());
        };
        // What is left after the last halving is what `noise` can hide.
        if differences.iter().any(|d| d.abs() <= noise) {
            return Self::Unclean(format!(
                "differences fall to what tolerances leave ({noise:.1e})"
            ));
        }
        let order = ratio.log2();
        if !(LOWEST..=HIGHEST).contains(&order) {
            return Self::Unclean(why(*ratio));
        }
        // Of four values or more each three must say the same.
        let earlier = ratios.iter().rev().nth(1).map(|ratio| ratio.log2());
        if let Some(earlier) = earlier.filter(|e| e.is_nan() || (e - order).abs() > STEADY) {
            return Self::Unclean(if earlier.is_nan() {
                "differences change their sign".to_owned()
            } else {
                format!("the order changes from {earlier:.2} to {order:.2}")
            });
        }
        let limit = |order: f64| last + difference / (order.exp2() - 1.0);
        let value = limit(order);
        let whole = order.round().max(1.0);
        let doubt = (limit(whole) - value).abs();
        Self::Clean(Limit {
            value,
            error: doubt.max(DOUBT * (value - last).abs()),
            order,
            first_error: (values[0] - value).abs(),
        })
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

/// What is wrong with differences whose ratio is this.
fn why(ratio: f64) -> String {
    if ratio.is_nan() || ratio < 0.0 {
        "differences change their sign".to_owned()
    } else if ratio < 1.0 {
        format!("differences grow, by a factor of {:.2}", 1.0 / ratio)
    } else {
        format!("differences fall by a factor of {ratio:.2}, which is no order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(limit: f64, c: f64, order: f64, count: i32) -> Vec<f64> {
        (0..count)
            .map(|k| limit + c * (-order * f64::from(k)).exp2())
            .collect()
    }

    #[test]
    fn powers_have_their_limit() {
        for order in [1.0, 1.5, 2.0, 4.0] {
            for count in [3, 5] {
                let Trend::Clean(limit) = Trend::of(&series(3.0, -0.2, order, count), 0.0) else {
                    panic!("order {order}");
                };
                assert!((limit.value - 3.0).abs() < 1e-12 && (limit.order - order).abs() < 1e-9);
                assert!((limit.first_error - 0.2).abs() < 1e-9 && limit.error > 0.0);
            }
        }
    }

    /// A next term spoils the order; the limit stays within its error bar.
    #[test]
    fn the_error_bar_holds_a_next_term() {
        for next in [0.3, -0.3] {
            let h = |k: i32| (-f64::from(k)).exp2();
            let values: Vec<f64> = (0..3)
                .map(|k| 1.0 + 0.1 * h(k).powi(2) * (1.0 + next * h(k)))
                .collect();
            let Trend::Clean(limit) = Trend::of(&values, 0.0) else {
                panic!("{values:?}");
            };
            assert!((limit.value - 1.0).abs() < limit.error, "{limit:?}");
        }
    }

    #[test]
    fn what_has_no_order_has_no_limit() {
        let unclean = |values: &[f64], noise: f64| match Trend::of(values, noise) {
            Trend::Unclean(why) => why,
            other => panic!("{other:?}"),
        };
        assert!(unclean(&[1.0, 1.2, 1.1], 0.0).contains("sign"));
        assert!(unclean(&[1.0, 1.1, 1.3], 0.0).contains("grow"));
        assert!(unclean(&[1.0, 2.0, 2.001], 0.0).contains("no order"));
        assert!(unclean(&[1.0, f64::NAN, 2.0], 0.0).contains("NaN"));
        assert!(unclean(&[1.0, 1.001, 1.00125], 1e-3).contains("tolerances"));
        // Each three have an order, but not the same.
        assert!(unclean(&[0.0, 1.0, 1.5, 1.55], 0.0).contains("changes from 1.00"));
    }

    #[test]
    fn what_does_not_change_is_its_own_limit() {
        let trend = Trend::of(&[2.0, 2.0 + 1e-12, 2.0 - 1e-12], 0.0);
        assert!(matches!(trend, Trend::Still(_)));
        assert_eq!(trend.limit(2.5).map(|(value, _)| value), Some(2.5));
        assert!(matches!(Trend::of(&[0.0; 3], 0.0), Trend::Still(_)));
    }
}
