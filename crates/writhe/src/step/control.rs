//! What is decided about a step: what to try after a failure, and how its size goes on.
//!
//! A failed step is tried again, each time changed by one [`Decision`]; which, follows from what
//! failed and what was tried. What was decided stands in the step's report.

use super::accuracy::Judgement;
use super::error::StepError;
use super::scheme::Scheme;
use super::settings::StepSettings;
use crate::kernels::friction::FrictionSolve;
use crate::state::Control;

/// Easy steps after which the size grows.
const EASY_STEPS: u32 = 5;
/// Steps that count as much as an easy one where they are not easy. Where friction takes many
/// iterations whatever the size, short steps would stay short for ever (decision 0084).
const HARD_STEPS: u32 = 3;
/// A step with at most this many Newton iterations is easy.
pub(crate) const EASY_ITERATIONS: u32 = 8;
/// Growth of the size after easy steps; two-step schemes stay stable.
const GROWTH: f64 = 1.5;
/// Excess that a size chosen by accuracy aims at, and the one beyond which a step is repeated.
const AIM: f64 = 0.5;
const TOO_MUCH: f64 = 2.0;
/// Powers of aim over excess, and of the change of the excess, by which such a size changes; of the
/// half orders at which excess grows with size (Gustafsson's PI control).
const POWERS: [f64; 2] = [0.35, 0.2];
/// Changes of size by less than this are not made: equal steps are predicted better.
const DEAD_BAND: f64 = 1.25;
/// Largest change of size from step to step; two-step rules stay stable.
const LARGEST_CHANGE: f64 = 2.0;
/// Equal steps before a size chosen by accuracy grows, unless by the largest change.
const EQUAL_STEPS: u32 = 3;
/// Times that a step is repeated for its error before it is taken for one over a jump, which begins
/// anew.
const JUMP: u32 = 3;
/// Raises of the contact stiffness within one step.
pub(crate) const MAX_RAISES: u32 = 20;
/// Raises after which one goes farther than it was asked to.
const MANY_RAISES: u32 = 2;
/// Largest power by which it goes farther.
const MOST_HASTE: u32 = 4;
/// Times that Newton's method fails within one step before friction lags in it. Where the first
/// contact of a step is, a lag of a whole step is coarse; where friction keeps Newton's method from
/// converging, shorter steps are no help for long.
const MAX_STALLS: u32 = 2;
/// How friction enters a step that failed when it was solved for.
const FALLBACK: FrictionSolve = FrictionSolve::Lagged { rounds: 2 };

/// Whether a step judged so is to be repeated with a shorter one.
pub(crate) fn is_inaccurate(judgement: &Judgement) -> bool {
    judgement.excess > TOO_MUCH
}

/// What is changed before a failed step is tried again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Decision {
    /// Contact gets this stiffness, N m: rods penetrate too deep, or a barrier is pressed too
    /// tight.
    StiffenContact(f64),
    /// Backward Euler, whose steps lose energy, in place of a scheme that made some.
    ByBackwardEuler,
    /// Friction lags: it then has a potential to descend along.
    LagFriction,
    /// Half the size; contact gets this stiffness, N m, if the end of the step was too deep.
    Halve {
        /// As in [`Decision::StiffenContact`].
        stiffness: Option<f64>,
    },
}

/// What was decided in the course of one step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Decisions {
    /// Times that the stiffness of contact was raised.
    pub stiffness_raises: u32,
    /// Whether backward Euler took the place of the scheme.
    pub by_backward_euler: bool,
    /// Whether friction lagged because solving for it had failed.
    pub friction_lagged: bool,
    /// Times that the size was halved.
    pub halvings: u32,
}

/// A step in the making.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// How it is tried.
    pub settings: StepSettings,
    /// What was decided so far.
    pub decisions: Decisions,
    /// Times that Newton's method did not converge.
    stalls: u32,
    /// Times that its error was too large.
    inaccurate: u32,
    /// Stiffness of contact that the last raise asked for, N m.
    asked: Option<f64>,
}

impl Attempt {
    /// The first try.
    pub fn new(settings: StepSettings) -> Self {
        Self {
            settings,
            decisions: Decisions::default(),
            stalls: 0,
            inaccurate: 0,
            asked: None,
        }
    }

    /// The stiffness to raise contact to where `wanted`, N m, is: from the third raise in one step on
    /// by a power of the factor, the farther the more there were, since each is the price of a solve.
    fn hastened(&mut self, wanted: f64) -> f64 {
        let before = (self.decisions.stiffness_raises + 1).saturating_sub(MANY_RAISES);
        let factor = self.asked.map_or(1.0, |asked| (wanted / asked).max(1.0));
        let stiffness = wanted * factor.powi(before.min(MOST_HASTE) as i32);
        self.asked = Some(stiffness);
        stiffness
    }

    /// What to try after the failure `cause`; `may_lag` says whether friction acts that is solved
    /// for and could lag.
    pub fn decide(&mut self, cause: &StepError, may_lag: impl Fn() -> bool) -> Decision {
        let decision = match *cause {
            // At the same size: the stiffness is part of the state, and later steps need it too.
            StepError::Penetration { stiffness, .. } | StepError::SoftBarrier { stiffness, .. }
                if self.decisions.stiffness_raises < MAX_RAISES =>
            {
                Decision::StiffenContact(self.hastened(stiffness))
            }
            StepError::MadeEnergy { .. } if self.settings.scheme != Scheme::BackwardEuler => {
                Decision::ByBackwardEuler
            }
            // Overshoot asks for a shorter step, undamped impact for a stiffer contact: both.
            StepError::EndPenetration { stiffness, .. } => Decision::Halve {
                stiffness: Some(stiffness),
            },
            StepError::NotConverged(_) => {
                self.stalls += 1;
                let lags = self.stalls == MAX_STALLS && self.settings.friction.is_none();
                match lags && may_lag() {
                    true => Decision::LagFriction,
                    false => Decision::Halve { stiffness: None },
                }
            }
            StepError::Inaccurate { .. } => {
                self.inaccurate += 1;
                if self.inaccurate == JUMP {
                    // Of what jumps no two steps go on.
                    self.settings.scheme = Scheme::BackwardEuler;
                }
                Decision::Halve { stiffness: None }
            }
            _ => Decision::Halve { stiffness: None },
        };
        self.record(decision);
        decision
    }

    fn record(&mut self, decision: Decision) {
        let decided = &mut self.decisions;
        match decision {
            Decision::StiffenContact(_) => decided.stiffness_raises += 1,
            Decision::ByBackwardEuler => {
                decided.by_backward_euler = true;
                self.settings.scheme = Scheme::BackwardEuler;
            }
            Decision::LagFriction => {
                decided.friction_lagged = true;
                self.settings.friction = Some(FALLBACK);
            }
            Decision::Halve { .. } => decided.halvings += 1,
        }
    }
}

impl Control {
    /// Goes on after a step of so many Newton iterations: the size grows after some easy ones, or
    /// three times as many that were not, to at most `largest`, s.
    pub(crate) fn after(mut self, iterations: u32, largest: f64) -> Self {
        let counts = match iterations <= EASY_ITERATIONS {
            true => HARD_STEPS,
            false => 1,
        };
        self.easy = self.easy.saturating_add(counts);
        if self.easy >= EASY_STEPS * HARD_STEPS && self.dt < largest {
            self.dt = (GROWTH * self.dt).min(largest);
            self.easy = 0;
        }
        self
    }

    /// Goes on after a step of `dt`, s, and so many Newton iterations as what it is judged by says.
    pub(crate) fn judged(
        mut self,
        judgement: &Judgement,
        (dt, iterations): (f64, u32),
        largest: f64,
    ) -> Self {
        let excess = judgement.excess.max(f64::MIN_POSITIVE);
        let before = match self.excess > 0.0 {
            true => self.excess,
            false => excess,
        };
        let factor = (AIM / excess).powf(POWERS[0]) * (before / excess).powf(POWERS[1]);
        let factor = factor.clamp(1.0 / LARGEST_CHANGE, LARGEST_CHANGE);
        self.easy = match iterations <= EASY_ITERATIONS {
            true => self.easy + 1,
            false => 0,
        };
        let next = (factor * dt).min(largest);
        // Outputs may have made the step shorter than it should be.
        let may_grow = next > self.dt && (factor == LARGEST_CHANGE || self.easy >= EQUAL_STEPS);
        if factor < 1.0 / DEAD_BAND || factor > DEAD_BAND && may_grow {
            self.dt = next;
            self.easy = 0;
        }
        self.excess = excess;
        self.fresh = judgement.fresh;
        self
    }

    /// Goes on after a failure, with steps of `shorter`, s.
    pub(crate) fn shortened(self, shorter: f64) -> Self {
        Self {
            dt: shorter,
            easy: 0,
            excess: 0.0,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stiffness_is_raised_a_limited_number_of_times_and_then_the_step_halved() {
        let mut attempt = Attempt::new(StepSettings::default());
        let deep = StepError::SoftBarrier {
            gap: 0.1,
            stiffness: 3.0,
        };
        for _ in 0..MAX_RAISES {
            let decision = attempt.decide(&deep, || false);
            assert_eq!(decision, Decision::StiffenContact(3.0));
        }
        let halved = Decision::Halve { stiffness: None };
        assert_eq!(attempt.decide(&deep, || false), halved);
        let decided = attempt.decisions;
        assert_eq!(
            (decided.stiffness_raises, decided.halvings),
            (MAX_RAISES, 1)
        );
    }

    #[test]
    fn a_scheme_that_makes_energy_gives_way_to_backward_euler_once() {
        let settings = StepSettings {
            scheme: Scheme::Bdf2,
            ..StepSettings::default()
        };
        let mut attempt = Attempt::new(settings);
        let made = StepError::MadeEnergy {
            gain: 1.0,
            part: 0.1,
        };
        assert_eq!(attempt.decide(&made, || false), Decision::ByBackwardEuler);
        assert_eq!(attempt.settings.scheme, Scheme::BackwardEuler);
        assert_eq!(
            attempt.decide(&made, || false),
            Decision::Halve { stiffness: None }
        );
    }

    fn judged(control: Control, excess: f64) -> Control {
        let judgement = Judgement {
            error: Some(excess),
            excess,
            fresh: false,
        };
        control.judged(&judgement, (1.0, 2), 100.0)
    }

    /// A size chosen by accuracy stays where its excess is near the aim, falls at once, and grows
    /// after three equal steps, or at once by much.
    #[test]
    fn a_size_chosen_by_accuracy_follows_the_excess() {
        let at = Control {
            dt: 1.0,
            ..Control::default()
        };
        assert_eq!(judged(at, AIM).dt, 1.0);
        assert_eq!(judged(at, 0.7 * AIM).dt, 1.0);
        assert!((judged(at, 4.0 * AIM).dt - 0.25_f64.powf(POWERS[0])).abs() < 1e-12);
        assert_eq!(judged(at, 1e-9).dt, 2.0);
        let (one, two) = (
            judged(at, 0.3 * AIM),
            judged(judged(at, 0.3 * AIM), 0.3 * AIM),
        );
        assert_eq!((one.dt, two.dt), (1.0, 1.0));
        assert!((judged(two, 0.3 * AIM).dt - 0.3_f64.powf(-POWERS[0])).abs() < 1e-12);
        // An excess that rises asks for less than one that stays.
        assert!(judged(Control { excess: 0.2, ..at }, 1.5).dt < judged(at, 1.5).dt);
        // A step that was shorter than it might have been makes none longer than that.
        let judgement = Judgement {
            error: None,
            excess: 1e-9,
            fresh: false,
        };
        assert_eq!(at.judged(&judgement, (0.4, 2), 100.0).dt, 1.0);
        assert_eq!(at.judged(&judgement, (1.0, 2), 1.5).dt, 1.5);
        assert!(is_inaccurate(&Judgement {
            excess: 2.1,
            ..judgement
        }));
    }

    #[test]
    fn the_size_grows_after_five_easy_steps_or_fifteen_hard_ones() {
        let grown = |iterations: u32, largest: f64| {
            let mut control = Control {
                dt: 1.0,
                ..Control::default()
            };
            let mut steps = 0;
            while control.dt == 1.0 && steps < 100 {
                control = control.after(iterations, largest);
                steps += 1;
            }
            (steps, control.dt, control.easy)
        };
        assert_eq!(grown(8, 10.0), (5, 1.5, 0));
        assert_eq!(grown(9, 10.0), (15, 1.5, 0));
        assert_eq!(grown(8, 1.2), (5, 1.2, 0));
    }
}
