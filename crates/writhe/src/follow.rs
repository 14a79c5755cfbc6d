//! Equilibria that follow a parameter: branches, folds and bifurcations.
//!
//! An equilibrium is a zero of `g(q, lambda)`, the residual of the static problem
//! ([`statics`](crate::statics)) of the model at lambda. Its branch is followed by steps of a given
//! length along it (pseudo-arc-length continuation, Keller 1977): a guess along the tangent, then
//! Newton's method for q and lambda at once, which does not mind that lambda turns back at a fold.
//! What the parameter is, a [`Family`] says: a load, a support's place, a stiffness, the time of
//! motions that are prescribed.
//!
//! At each equilibrium the negative eigenvalues of the stiffness are counted (Sylvester). A branch
//! turns back where the tangent's parameter changes sign (a *fold*, one eigenvalue more or less);
//! where the count changes otherwise, other branches cross (a *bifurcation*). Both are located along
//! the branch, by false position and by halving. At a bifurcation the branches on both sides of the
//! null motion can be followed, too.
//!
//! A length along a branch is `sqrt((d/s)^2 + (dlambda/S)^2)`: d is the root mean square of the motion
//! of nodes, s twice how far they are from the start already (from the radius to the length of the
//! rods), S the way of the parameter.
//!
//! Contact with rods and obstacles is followed where it has an energy, lets surfaces in a little and
//! has no friction (`follow/contact.rs`); with other contact a branch ends where rods come near each
//! other (see [`Ending`]), and obstacles are refused. Left out: bodies, what dissipates.

mod contact;
mod corrector;
mod equation;
mod error;
mod locate;

use std::rc::Rc;

use crate::contact::frame::rods_may_touch;
use crate::model::Model;
use crate::solve::Poll;
use crate::state::State;

use corrector::{Found, Outcome, Tangent, free};
use equation::{Equation, Point, rebased};
pub use error::FollowError;

/// Cosine between successive tangents below which a step was too long.
const BENT: f64 = 0.94;
/// Iterations up to which the next step may be longer, and from which it is shorter.
const EASY: u32 = 5;
const HARD: u32 = 8;
/// Growth of an easy step.
const GROWTH: f64 = 1.4;
/// Raises of the stiffness of contact after which a step is taken as deep as it is: what is held in an
/// obstacle stays there.
const RAISES: u32 = 8;
/// Part of the way at whose end obstacles are looked at: must they keep their shapes?
const NEXT: f64 = 1e-3;

/// The model at a value of the parameter.
#[derive(Debug, Clone)]
pub struct Member {
    /// With the same unknowns at all values, the same of them prescribed.
    pub model: Rc<Model>,
    /// Time at which loads and prescribed motions are taken, s.
    pub time: f64,
}

/// A model over a parameter.
pub trait Family {
    /// The model at a value of the parameter.
    ///
    /// # Errors
    /// [`FollowError::NoModel`] where there is none.
    fn at(&self, parameter: f64) -> Result<Member, FollowError>;
}

impl<F: Fn(f64) -> Result<Member, FollowError>> Family for F {
    fn at(&self, parameter: f64) -> Result<Member, FollowError> {
        self(parameter)
    }
}

/// One model whose parameter is the time of its loads and prescribed motions, s.
#[derive(Debug, Clone)]
pub struct InTime(pub Rc<Model>);

impl Family for InTime {
    fn at(&self, parameter: f64) -> Result<Member, FollowError> {
        Ok(Member {
            model: Rc::clone(&self.0),
            time: parameter,
        })
    }
}

/// How a parameter is followed.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it begins.
    pub from: f64,
    /// Where a branch ends; it ends at `from` too where it comes back there.
    pub to: f64,
    /// Length of the first step along a branch.
    pub first_step: f64,
    /// Of the longest one.
    pub largest_step: f64,
    /// Of the shortest one.
    pub smallest_step: f64,
    /// Equilibria of a branch after which it is left.
    pub most: usize,
    /// Bifurcations, in the order in which they are met on the first branch, at which the branches
    /// on both sides are followed; the first branch ends at the last of them. With 0 it passes all.
    pub branches: usize,
    /// Asked between corrections whether to go on.
    pub poll: Poll,
}

impl Settings {
    /// From one value to another, with steps of a hundredth to a twentieth.
    pub fn new(from: f64, to: f64) -> Self {
        Self {
            from,
            to,
            first_step: 0.01,
            largest_step: 0.05,
            smallest_step: 1e-6,
            most: 1000,
            branches: 0,
            poll: Poll::default(),
        }
    }
}

/// What is special about an equilibrium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Nothing.
    Regular,
    /// The parameter turns back.
    Fold,
    /// Other branches cross; so many eigenvalues change sign.
    Bifurcation(usize),
}

/// An equilibrium on a branch.
#[derive(Debug)]
pub struct Equilibrium {
    /// 0 for the branch of the start; those of the first bifurcation are 1 and 2, and so on.
    pub branch: usize,
    /// The parameter.
    pub parameter: f64,
    /// The model there.
    pub model: Rc<Model>,
    /// At rest, at the time of the [`Member`].
    pub state: State,
    /// Length of the branch up to here.
    pub length: f64,
    /// Number of negative eigenvalues of the stiffness: 0 where it is stable. `None` where a force
    /// has no potential, or rounding hides it.
    pub negative: Option<usize>,
    /// What is special about it.
    pub event: Event,
    /// Iterations of Newton's method.
    pub iterations: u32,
}

/// Why a branch ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// At the end of the way.
    Reached,
    /// It is left at the last bifurcation that is wanted.
    Left,
    /// It came back to where the parameter began.
    CameBack,
    /// Rods come into touch, or might on the way of the next step, and their contact is not followed.
    Near,
    /// Not even a shortest step keeps rods from passing through each other or into an obstacle.
    Passes,
    /// No equilibrium is found beyond, not even a shortest step away.
    Lost,
    /// There are as many equilibria as wanted.
    Enough,
}

/// A branch that was followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// Why it ends.
    pub ending: Ending,
    /// Number of its equilibria.
    pub count: usize,
}

/// Follows the equilibria of a family from the equilibrium near `start`, a state of its model at
/// `settings.from`. Each is shown to `sink` as it is found, events in their place; the branches come
/// back in the order of their numbers.
///
/// # Errors
/// See [`FollowError`], and whatever `sink` fails with.
pub fn follow<E: From<FollowError>>(
    family: &dyn Family,
    start: &State,
    settings: &Settings,
    sink: &mut dyn FnMut(Equilibrium) -> Result<(), E>,
) -> Result<Vec<Branch>, E> {
    let way = settings.to - settings.from;
    if !(way.is_finite() && way != 0.0) {
        let (from, to) = (settings.from, settings.to);
        return Err(FollowError::NoWay { from, to }.into());
    }
    let member = family.at(settings.from)?;
    let is_followed = contact::is_followed(&member.model);
    if !member.model.obstacles.is_empty() {
        if !is_followed {
            return Err(FollowError::Obstacles.into());
        }
        let near = family.at(settings.from + NEXT * way)?;
        if !contact::same_shapes(&member.model, &near.model) {
            return Err(FollowError::Shapes.into());
        }
    }
    let mut rest = start.clone();
    rest.velocity.fill(0.0);
    rest.acceleration.fill(0.0);
    rest.history = None;
    if is_followed {
        contact::begin(&member.model, &mut rest);
    }
    let equation = Equation::new(family, &member.model, &rest, way.abs());
    let guess = equation.trial(&rest, &start.q, settings.from)?;
    let guess = rebased(guess)?;
    let first = match equation.correct(&guess, None, Some(settings.from))? {
        Outcome::Found(found) => *found,
        Outcome::Lost(correction) => return Err(FollowError::NoStart { correction }.into()),
    };
    let along = Tangent {
        q: vec![0.0; free(&first.point).len()],
        parameter: way.signum(),
    };
    let mut walk = Walk {
        equation,
        settings,
        sink,
        is_followed,
        crossings: Vec::new(),
        branch: 0,
        count: 0,
    };
    let mut branches = vec![walk.branch(first, &along, 0.0)?];
    for crossing in std::mem::take(&mut walk.crossings) {
        for side in [1.0, -1.0] {
            walk.branch = branches.len();
            walk.count = 0;
            branches.push(walk.side(&crossing, side)?);
        }
    }
    Ok(branches)
}

/// A bifurcation.
struct Crossing {
    point: Point,
    /// Null motion.
    motion: Tangent,
}

/// On the way along branches.
struct Walk<'a, E> {
    equation: Equation<'a>,
    settings: &'a Settings,
    sink: &'a mut dyn FnMut(Equilibrium) -> Result<(), E>,
    /// Whether contact is.
    is_followed: bool,
    crossings: Vec<Crossing>,
    branch: usize,
    count: usize,
}

impl<E: From<FollowError>> Walk<'_, E> {
    fn show(
        &mut self,
        found: &Found,
        (length, negative, event): (f64, Option<usize>, Event),
    ) -> Result<(), E> {
        self.count += 1;
        (self.sink)(Equilibrium {
            branch: self.branch,
            parameter: found.point.parameter,
            model: Rc::clone(&found.point.model),
            state: found.point.state.clone(),
            length,
            negative,
            event,
            iterations: found.iterations,
        })
    }

    /// The branch on one side of a bifurcation.
    fn side(&mut self, crossing: &Crossing, side: f64) -> Result<Branch, E> {
        let mut motion = crossing.motion.clone();
        motion.q.iter_mut().for_each(|t| *t *= side);
        let mut step = self.settings.first_step;
        self.equation.rescale(&crossing.point);
        self.equation.normalise(&crossing.point, &mut motion);
        loop {
            let found = (self.equation).correct(&crossing.point, Some((&motion, step)), None)?;
            match found {
                Outcome::Found(found) => {
                    let along = self.equation.secant(&crossing.point, &found.point);
                    return self.branch(*found, &along, step);
                }
                Outcome::Lost(_) if step > self.settings.smallest_step => step *= 0.5,
                Outcome::Lost(_) => {
                    return Ok(Branch {
                        ending: Ending::Lost,
                        count: 0,
                    });
                }
            }
        }
    }

    /// The branch from an equilibrium on, on the side of `along`.
    fn branch(&mut self, first: Found, along: &Tangent, length: f64) -> Result<Branch, E> {
        let settings = self.settings;
        let mut here = first;
        let mut tangent = self.equation.tangent(&mut here, along)?;
        let mut negative = here.linear.negative()?;
        let mut length = length;
        let mut step = settings.first_step;
        let mut raises = 0;
        self.show(&here, (length, negative, Event::Regular))?;
        let ending = loop {
            if settings.poll.stopped() {
                return Err(FollowError::Interrupted.into());
            }
            if self.count >= settings.most {
                break Ending::Enough;
            }
            let shorter = step > settings.smallest_step;
            let found = (self.equation).correct(&here.point, Some((&tangent, step)), None)?;
            let Outcome::Found(found) = found else {
                if shorter {
                    step *= 0.5;
                    continue;
                }
                break Ending::Lost;
            };
            let mut next = *found;
            let new = self.equation.tangent(&mut next, &tangent)?;
            let secant = self.equation.secant(&here.point, &next.point);
            let bent = self.equation.between(&next.point, &new, &secant);
            let is_bent =
                bent < BENT || self.equation.between(&here.point, &tangent, &secant) < BENT;
            let is_past = match self.is_followed {
                true => contact::passes(&here.point, &next.point),
                false => {
                    let (here, next) = (&here.point, &next.point);
                    rods_may_touch(&next.model, &here.state.q, &next.state.q)
                }
            };
            if shorter && (is_bent || is_past) {
                step *= 0.5;
                continue;
            }
            if is_past {
                break match self.is_followed {
                    true => Ending::Passes,
                    false => Ending::Near,
                };
            }
            if self.is_followed
                && raises < RAISES
                && let Some(stiffness) = contact::stiffer(&next.point)?
            {
                // The equilibrium here with it, and the step anew.
                raises += 1;
                here.point.state.contact.stiffness = stiffness;
                let found = (self.equation).correct(&here.point, Some((&tangent, 0.0)), None)?;
                let Outcome::Found(found) = found else {
                    break Ending::Lost;
                };
                here = *found;
                tangent = self.equation.tangent(&mut here, &tangent)?;
                negative = here.linear.negative()?;
                continue;
            }
            let count = next.linear.negative()?;
            let is_fold = tangent.parameter * new.parameter < 0.0;
            let crossed = match (negative, count) {
                (Some(a), Some(b)) => a.abs_diff(b).saturating_sub(usize::from(is_fold)),
                _ => 0,
            };
            let ahead = settings.to - settings.from;
            let part = (next.point.parameter - settings.from) / ahead;
            // Events beyond the end are none; one at a time.
            let is_out = part >= 1.0 || part <= 0.0 && new.parameter * ahead < 0.0;
            if shorter && (is_fold && (crossed > 0 || is_out) || is_out && crossed > 0) {
                step *= 0.5;
                continue;
            }
            if is_fold {
                let (at, found) = self.equation.fold(&here.point, &tangent, (step, &new))?;
                self.show(&found, (length + at, negative, Event::Fold))?;
            }
            if crossed > 0 && !is_out {
                self.crossings((&here.point, &tangent, step), (negative, count), length)?;
                if self.has_all() {
                    break Ending::Left;
                }
            }
            if is_out {
                let end = if part >= 1.0 {
                    settings.to
                } else {
                    settings.from
                };
                let landed = self.equation.land(&here.point, &next.point, end)?;
                let Some(mut landed) = landed else {
                    if shorter {
                        step *= 0.5;
                        continue;
                    }
                    break Ending::Lost;
                };
                let count = landed.linear.negative()?;
                self.show(&landed, (length + step, count, Event::Regular))?;
                break if part >= 1.0 {
                    Ending::Reached
                } else {
                    Ending::CameBack
                };
            }
            length += step;
            raises = 0;
            self.show(&next, (length, count, Event::Regular))?;
            step = match next.iterations {
                0..=EASY => step * GROWTH,
                HARD.. => step * 0.6,
                _ => step,
            };
            step = step.min(settings.largest_step);
            (here, tangent, negative) = (next, new, count);
            self.equation.rescale(&here.point);
            self.equation.normalise(&here.point, &mut tangent);
        };
        Ok(Branch {
            ending,
            count: self.count,
        })
    }

    /// Whether all bifurcations are found that are wanted, on the first branch.
    fn has_all(&self) -> bool {
        let wanted = self.settings.branches;
        self.branch == 0 && wanted > 0 && self.crossings.len() >= wanted
    }

    /// Shows the bifurcations within a step, over which the count of negative eigenvalues changes,
    /// and keeps those whose branches are wanted.
    fn crossings(
        &mut self,
        (here, tangent, step): (&Point, &Tangent, f64),
        (mut before, after): (Option<usize>, Option<usize>),
        length: f64,
    ) -> Result<(), E> {
        let mut low = 0.0;
        while before != after && !self.has_all() {
            let span = (low, step);
            let found = self
                .equation
                .bifurcation((here, tangent), span, (before, after))?;
            let Some(mut crossing) = found else {
                return Ok(());
            };
            let (Some(a), Some(b)) = (before, crossing.beyond) else {
                return Ok(());
            };
            let event = Event::Bifurcation(a.abs_diff(b));
            self.show(&crossing.found, (length + crossing.at, before, event))?;
            if self.branch == 0 && self.crossings.len() < self.settings.branches {
                let (motion, _) = crossing.found.linear.softest()?;
                let mut motion = Tangent {
                    q: motion,
                    parameter: 0.0,
                };
                self.equation.normalise(&crossing.found.point, &mut motion);
                let point = crossing.found.point;
                self.crossings.push(Crossing { point, motion });
            }
            (low, before) = (crossing.beyond_at, crossing.beyond);
        }
        Ok(())
    }
}
