//! How far to go along a direction.
//!
//! Every search takes a closure of the step length `alpha`. A value that is not finite counts as
//! a step that is too long, so a trial that leaves the domain of the function is simply shortened.

/// An accepted step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// Step length.
    pub alpha: f64,
    /// What the closure returned there.
    pub value: f64,
    /// Number of calls of the closure.
    pub evaluations: usize,
}

/// Why no step was accepted.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub(crate) enum LineSearchError {
    /// The merit function does not fall along the direction.
    #[error("the merit function does not fall along the search direction (slope {slope:.3e})")]
    NotADescentDirection {
        /// Derivative of the merit function at the start.
        slope: f64,
    },
    /// Steps were shortened to the limit without one being accepted.
    #[error("no step down to {smallest:.3e} was accepted ({evaluations} evaluations)")]
    StepTooSmall {
        /// Last step length that was tried.
        smallest: f64,
        /// Number of calls of the closure.
        evaluations: usize,
    },
    /// The value at the start is NaN or infinite.
    #[error("the line search starts from a value that is not finite")]
    StartNotFinite,
}

/// Settings of [`armijo`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Armijo {
    /// Step length tried first.
    pub first_step: f64,
    /// Shorter steps are not tried.
    pub smallest_step: f64,
    /// Fraction of the decrease promised by the slope that is asked for, in (0, 1/2).
    pub sufficient_decrease: f64,
    /// Factor by which a rejected step is shortened, in (0, 1).
    pub shrink: f64,
    /// Increase, in the unit of the merit, that is put down to rounding.
    pub rounding: f64,
}

impl Default for Armijo {
    fn default() -> Self {
        Self {
            first_step: 1.0,
            smallest_step: 1e-10,
            sufficient_decrease: 1e-4,
            shrink: 0.5,
            rounding: 0.0,
        }
    }
}

/// Armijo backtracking: accepts the first `alpha` with
/// `merit(alpha) <= start + c alpha slope + rounding`.
///
/// `start` is the merit at 0 and `slope` its derivative there.
///
/// # Errors
/// [`LineSearchError::NotADescentDirection`] unless `slope < 0`,
/// [`LineSearchError::StepTooSmall`], [`LineSearchError::StartNotFinite`].
pub(crate) fn armijo(
    merit: &mut impl FnMut(f64) -> f64,
    start: f64,
    slope: f64,
    settings: &Armijo,
) -> Result<Step, LineSearchError> {
    expect_descent(start, slope)?;
    backtrack(
        merit,
        settings.first_step,
        settings.smallest_step,
        settings.shrink,
        |alpha, value| {
            // merit <= start + c alpha slope, with room for rounding
            value <= start + settings.sufficient_decrease * alpha * slope + settings.rounding
        },
    )
}

/// Settings of [`natural_monotonicity`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NaturalMonotonicity {
    /// Step length tried first.
    pub first_step: f64,
    /// Shorter steps are not tried.
    pub smallest_step: f64,
    /// Factor on what is allowed to be left: above 1 the correction may grow.
    pub growth: f64,
}

impl Default for NaturalMonotonicity {
    fn default() -> Self {
        Self {
            first_step: 1.0,
            smallest_step: 1e-8,
            growth: 1.0,
        }
    }
}

/// Natural monotonicity test (P. Deuflhard, *Newton Methods for Nonlinear Problems*, 2004): the
/// step is halved until the simplified Newton correction, which applies the *old* factor to the
/// *new* residual, has shrunk: `correction(alpha) <= (1 - alpha / 4) start`, or has not grown by more
/// than the factor `growth`.
///
/// `start` is the length of the Newton correction itself. The test does not change when equations
/// are scaled or combined, which suits residuals of mixed units.
///
/// # Errors
/// [`LineSearchError::StepTooSmall`], [`LineSearchError::StartNotFinite`].
pub(crate) fn natural_monotonicity(
    correction: &mut impl FnMut(f64) -> f64,
    start: f64,
    settings: &NaturalMonotonicity,
) -> Result<Step, LineSearchError> {
    if !start.is_finite() {
        return Err(LineSearchError::StartNotFinite);
    }
    backtrack(
        correction,
        settings.first_step,
        settings.smallest_step,
        0.5,
        // Not 1 - alpha, which an exact model would give: any clear progress will do.
        |alpha, value| value <= settings.growth * (1.0 - 0.25 * alpha) * start,
    )
}

/// Settings of [`goldstein_price`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GoldsteinPrice {
    /// Step length tried first.
    pub first_step: f64,
    /// Longest step length considered.
    pub longest_step: f64,
    /// Least decrease asked for, as a fraction of what the slope promises.
    pub m1: f64,
    /// Greatest decrease allowed, as a fraction of what the slope promises: beyond it the step is
    /// held to be too short.
    pub m2: f64,
    /// Interval of step lengths below which the search ends.
    pub smallest_interval: f64,
    /// Largest number of calls of the closure.
    pub max_evaluations: usize,
}

impl Default for GoldsteinPrice {
    fn default() -> Self {
        Self {
            first_step: 1.0,
            longest_step: 1.0,
            m1: 0.1,
            m2: 0.9,
            smallest_interval: 1e-6,
            max_evaluations: 30,
        }
    }
}

/// Goldstein-Price bisection, Algorithm 2 of the preprint of Tong et al. 2022 with one sign
/// corrected.
///
/// There the update is `q - alpha dq` with `J dq = F`, the merit is `|F|^2 / 2`, and `d0` is
/// printed as `F^T J dq`. The derivative of the merit along `-dq` is `d0 = -F^T J dq`, negative
/// for a descent direction; with the printed sign the accepted range is empty. With the corrected
/// one a step is accepted when
/// `alpha m2 d0 <= merit(alpha) - start <= alpha m1 d0`, is too short when the difference lies
/// below that range, and too long when it lies above; the interval `[0, longest_step]` is bisected.
///
/// `start` is the merit at 0 and `slope` is `d0`. When the interval or the evaluations run out, the
/// best step seen is accepted if it decreased the merit by what `m1` asks; the printed algorithm
/// accepts whatever comes last.
///
/// # Errors
/// [`LineSearchError::NotADescentDirection`] unless `slope < 0`,
/// [`LineSearchError::StepTooSmall`] when no trial decreased the merit enough,
/// [`LineSearchError::StartNotFinite`].
pub(crate) fn goldstein_price(
    merit: &mut impl FnMut(f64) -> f64,
    start: f64,
    slope: f64,
    settings: &GoldsteinPrice,
) -> Result<Step, LineSearchError> {
    expect_descent(start, slope)?;
    let (mut lower, mut upper) = (0.0, settings.longest_step);
    let mut alpha = settings.first_step.min(settings.longest_step);
    let mut best: Option<Step> = None;
    let mut evaluations = 0;
    while evaluations < settings.max_evaluations.max(1) {
        let value = merit(alpha);
        evaluations += 1;
        let change = value - start;
        // merit(alpha) - start <= alpha m1 d0; what is not finite is too long a step.
        let enough = value.is_finite() && change <= alpha * settings.m1 * slope;
        if enough && best.is_none_or(|best| value < best.value) {
            best = Some(Step {
                alpha,
                value,
                evaluations,
            });
        }
        // >= alpha m2 d0: not too short either.
        if enough && change >= alpha * settings.m2 * slope {
            return Ok(Step {
                alpha,
                value,
                evaluations,
            });
        }
        if enough {
            lower = alpha;
        } else {
            upper = alpha;
        }
        if upper - lower < settings.smallest_interval {
            break;
        }
        // Bisection: what decreased enough was too short.
        alpha = 0.5 * (lower + upper);
    }
    best.map(|best| Step {
        evaluations,
        ..best
    })
    .ok_or(LineSearchError::StepTooSmall {
        smallest: alpha,
        evaluations,
    })
}

fn expect_descent(start: f64, slope: f64) -> Result<(), LineSearchError> {
    if !start.is_finite() {
        Err(LineSearchError::StartNotFinite)
    } else if slope < 0.0 {
        Ok(())
    } else {
        Err(LineSearchError::NotADescentDirection { slope })
    }
}

/// Shortens the step by `shrink` until `accept(alpha, value)`.
fn backtrack(
    function: &mut impl FnMut(f64) -> f64,
    first_step: f64,
    smallest_step: f64,
    shrink: f64,
    accept: impl Fn(f64, f64) -> bool,
) -> Result<Step, LineSearchError> {
    let mut alpha = first_step;
    let mut evaluations = 0;
    loop {
        let value = function(alpha);
        evaluations += 1;
        if value.is_finite() && accept(alpha, value) {
            return Ok(Step {
                alpha,
                value,
                evaluations,
            });
        }
        let shorter = alpha * shrink;
        // Negated, to end for a NaN and for a factor that does not shorten.
        if !(shorter >= smallest_step && shorter < alpha) {
            return Err(LineSearchError::StepTooSmall {
                smallest: alpha,
                evaluations,
            });
        }
        alpha = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residual of Rosenbrock's function as a system, `(10 (y - x^2), 1 - x)`.
    fn rosenbrock([x, y]: [f64; 2]) -> [f64; 2] {
        [10.0 * (y - x * x), 1.0 - x]
    }

    fn half_square([a, b]: [f64; 2]) -> f64 {
        0.5 * (a * a + b * b)
    }

    /// `J^-1 f` at `x`.
    fn newton_correction(x: f64, f: [f64; 2]) -> [f64; 2] {
        let dx = -f[1];
        [dx, 0.1 * f[0] + 2.0 * x * dx]
    }

    fn moved(q: [f64; 2], alpha: f64, d: [f64; 2]) -> [f64; 2] {
        [q[0] - alpha * d[0], q[1] - alpha * d[1]]
    }

    #[test]
    fn armijo_takes_the_full_newton_step_of_a_quadratic() {
        let step = armijo(&mut |a| (1.0 - a).powi(2), 1.0, -2.0, &Armijo::default()).unwrap();
        assert_eq!(
            step,
            Step {
                alpha: 1.0,
                value: 0.0,
                evaluations: 1
            }
        );
    }

    #[test]
    fn armijo_shortens_steps_that_are_too_long_or_leave_the_domain() {
        let steep = armijo(
            &mut |a| (1.0 - 10.0 * a).powi(2),
            1.0,
            -20.0,
            &Armijo::default(),
        );
        assert_eq!(steep.unwrap().alpha, 0.125);
        let barrier = |a: f64| if a > 0.3 { f64::NAN } else { -a };
        let step = armijo(&mut { barrier }, 0.0, -1.0, &Armijo::default()).unwrap();
        assert_eq!((step.alpha, step.evaluations), (0.25, 3));
    }

    #[test]
    fn armijo_failures_are_typed() {
        let settings = Armijo {
            smallest_step: 0.1,
            ..Armijo::default()
        };
        assert_eq!(
            armijo(&mut |a| a, 0.0, 1.0, &settings),
            Err(LineSearchError::NotADescentDirection { slope: 1.0 })
        );
        assert_eq!(
            armijo(&mut |a| a, 0.0, -1.0, &settings),
            Err(LineSearchError::StepTooSmall {
                smallest: 0.125,
                evaluations: 4
            })
        );
        assert_eq!(
            armijo(&mut |a| a, f64::NAN, -1.0, &settings),
            Err(LineSearchError::StartNotFinite)
        );
        let slope = f64::NAN;
        assert!(armijo(&mut |a| a, 0.0, slope, &settings).is_err());
    }

    #[test]
    fn damped_newton_solves_rosenbrock_with_each_search() {
        for search in 0..3 {
            let mut q = [-1.2, 1.0];
            let mut steps = 0;
            while half_square(rosenbrock(q)) > 1e-20 {
                let f = rosenbrock(q);
                let d = newton_correction(q[0], f);
                let start = half_square(f);
                let mut merit = |a: f64| half_square(rosenbrock(moved(q, a, d)));
                let slope = -2.0 * start;
                let step = match search {
                    0 => armijo(&mut merit, start, slope, &Armijo::default()),
                    1 => goldstein_price(&mut merit, start, slope, &GoldsteinPrice::default()),
                    _ => {
                        let x = q[0];
                        let mut correction = |a: f64| {
                            let e = newton_correction(x, rosenbrock(moved(q, a, d)));
                            e[0].hypot(e[1])
                        };
                        let settings = NaturalMonotonicity::default();
                        natural_monotonicity(&mut correction, d[0].hypot(d[1]), &settings)
                    }
                };
                q = moved(q, step.unwrap().alpha, d);
                steps += 1;
                assert!(steps < 100, "search {search}");
            }
            assert!((q[0] - 1.0).abs() < 1e-9 && (q[1] - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn natural_monotonicity_halves_until_the_correction_shrinks() {
        let mut correction = |a: f64| (1.0 - a).abs() + 4.0 * a * a;
        let step =
            natural_monotonicity(&mut correction, 1.0, &NaturalMonotonicity::default()).unwrap();
        assert_eq!((step.alpha, step.evaluations), (0.125, 4));
        // One that may double itself goes farther: 1.5 at a half, where 1.75 is allowed.
        let settings = NaturalMonotonicity {
            growth: 2.0,
            ..NaturalMonotonicity::default()
        };
        let step = natural_monotonicity(&mut correction, 1.0, &settings).unwrap();
        assert_eq!((step.alpha, step.evaluations), (0.5, 2));
        assert!(matches!(
            natural_monotonicity(&mut |_| 2.0, 1.0, &NaturalMonotonicity::default()),
            Err(LineSearchError::StepTooSmall { .. })
        ));
    }

    #[test]
    fn goldstein_price_lengthens_steps_that_are_too_short() {
        // Merit of a linear residual whose Newton step is ten times what was given.
        let mut merit = |a: f64| 0.5 * (1.0 - 0.1 * a).powi(2);
        let settings = GoldsteinPrice {
            first_step: 0.5,
            longest_step: 16.0,
            ..GoldsteinPrice::default()
        };
        let step = goldstein_price(&mut merit, 0.5, -0.1, &settings).unwrap();
        let change = step.value - 0.5;
        assert!(step.alpha > 0.5 && step.evaluations > 1);
        assert!(step.alpha * 0.9 * -0.1 <= change && change <= step.alpha * 0.1 * -0.1);
    }

    #[test]
    fn goldstein_price_accepts_the_full_newton_step_and_refuses_ascent() {
        let settings = GoldsteinPrice::default();
        let step = goldstein_price(&mut |a| 0.5 * (1.0 - a).powi(2), 0.5, -1.0, &settings);
        assert_eq!(step.unwrap().evaluations, 1);
        assert!(matches!(
            goldstein_price(&mut |a| 0.5 + a, 0.5, -1.0, &settings),
            Err(LineSearchError::StepTooSmall { .. })
        ));
        assert_eq!(
            goldstein_price(&mut |a| a, 0.5, 1.0, &settings),
            Err(LineSearchError::NotADescentDirection { slope: 1.0 })
        );
    }
}
