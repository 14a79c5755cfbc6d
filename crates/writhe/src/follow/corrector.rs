//! From a guess to an equilibrium: Newton's method for the unknowns and, along a branch, for the
//! parameter, which is free on the plane at right angles to the tangent (Keller 1977).
//!
//! With `a = -K^-1 g` and `b = -K^-1 dg/dlambda` the correction is `dq = a + b dlambda`, and the
//! plane `<t, dq> + tau dlambda / S^2 = -n` gives `dlambda`, where (t, tau) is the tangent, S the
//! way of the parameter and n how far the trial is off the plane.

use super::FollowError;
use super::equation::{Equation, Linear, Point, rebased};

/// Iterations after which a step is too long.
const ITERATIONS: u32 = 12;
/// Correction over the length of the rods, and over the way of the parameter, at which an equilibrium is found: the next one, the square
/// of it, is made before that is said.
const FOUND: f64 = 1e-8;
/// Correction beyond which the trial has left the neighbourhood of the branch.
const FAR: f64 = 1.0;

/// Direction of a branch: of free unknowns, and of the parameter; of length 1 in the product of
/// [`Equation`].
#[derive(Debug, Clone)]
pub(super) struct Tangent {
    pub q: Vec<f64>,
    pub parameter: f64,
}

/// An equilibrium that was found.
pub(super) struct Found {
    pub point: Point,
    /// g and K there.
    pub linear: Linear,
    pub iterations: u32,
}

/// What came of a guess.
pub(super) enum Outcome {
    Found(Box<Found>),
    /// The guess is too far away: the size of the last correction.
    Lost(f64),
}

impl Equation<'_> {
    /// The equilibrium at a distance `step` from `from` along `tangent`; with none, at the
    /// parameter of `from`, or at `parameter`.
    pub fn correct(
        &self,
        from: &Point,
        tangent: Option<(&Tangent, f64)>,
        parameter: Option<f64>,
    ) -> Result<Outcome, FollowError> {
        let free = free(from);
        let mut q = from.state.q.clone();
        let mut value = from.parameter;
        if let Some((tangent, step)) = tangent {
            for (dof, t) in free.iter().zip(&tangent.q) {
                q[*dof] += step * t;
            }
            value += step * tangent.parameter;
        }
        if let Some(parameter) = parameter {
            value = parameter;
        }
        let is_bordered = parameter.is_none() && tangent.is_some();
        let mut last = f64::INFINITY;
        for iterations in 1..=ITERATIONS {
            let trial = match self.trial(&from.state, &q, value) {
                Err(FollowError::NoModel { .. }) if iterations > 1 => break,
                trial => trial?,
            };
            let mut linear = match Linear::at(&trial) {
                Err(FollowError::Statics(_) | FollowError::Solve(_)) if is_bordered => break,
                linear => linear?,
            };
            let mut dq: Vec<f64> = linear.statics.residual.iter().map(|g| -g).collect();
            linear.solve(&mut dq)?;
            let mut change = 0.0;
            if let (true, Some((tangent, step))) = (is_bordered, tangent) {
                let mut b = self.slope(&from.state, &q, value)?;
                b.iter_mut().for_each(|b| *b = -*b);
                linear.solve(&mut b)?;
                let way: Vec<f64> = free.iter().map(|i| q[*i] - from.state.q[*i]).collect();
                let parameter = tangent.parameter / (self.way * self.way);
                let off = self.product(&free, &tangent.q, &way)
                    + parameter * (value - from.parameter)
                    - step;
                change = (-off - self.product(&free, &tangent.q, &dq))
                    / (self.product(&free, &tangent.q, &b) + parameter);
                value += change;
                for (dq, b) in dq.iter_mut().zip(&b) {
                    *dq += change * b;
                }
            }
            for (dof, dq) in free.iter().zip(&dq) {
                q[*dof] += dq;
            }
            let part = change / self.way;
            let size = self.square(&free, &dq, &dq).sqrt() / self.length;
            let size = size.hypot(part);
            if !size.is_finite() || size > FAR {
                return Ok(Outcome::Lost(size));
            }
            if last <= FOUND {
                let point = rebased(self.trial(&from.state, &q, value)?)?;
                let linear = Linear::at(&point)?;
                return Ok(Outcome::Found(Box::new(Found {
                    point,
                    linear,
                    iterations,
                })));
            }
            last = size;
        }
        Ok(Outcome::Lost(last))
    }

    /// The tangent at an equilibrium, on the side of `along`.
    pub fn tangent(&self, found: &mut Found, along: &Tangent) -> Result<Tangent, FollowError> {
        let Found { point, linear, .. } = found;
        let mut q = self.slope(&point.state, &point.state.q, point.parameter)?;
        q.iter_mut().for_each(|b| *b = -*b);
        linear.solve(&mut q)?;
        let mut tangent = Tangent { q, parameter: 1.0 };
        self.normalise(point, &mut tangent);
        if self.between(point, &tangent, along) < 0.0 {
            tangent.q.iter_mut().for_each(|t| *t = -*t);
            tangent.parameter = -tangent.parameter;
        }
        Ok(tangent)
    }

    /// Cosine between two tangents.
    pub fn between(&self, at: &Point, a: &Tangent, b: &Tangent) -> f64 {
        self.product(&free(at), &a.q, &b.q) + a.parameter * b.parameter / (self.way * self.way)
    }

    /// Makes a tangent as long as 1.
    pub fn normalise(&self, at: &Point, tangent: &mut Tangent) {
        let size = self.between(at, tangent, tangent).sqrt();
        tangent.q.iter_mut().for_each(|t| *t /= size);
        tangent.parameter /= size;
    }

    /// From one configuration to another, of length 1.
    pub fn secant(&self, from: &Point, to: &Point) -> Tangent {
        let free = free(to);
        let q = free.iter().map(|i| to.state.q[*i] - from.state.q[*i]);
        let mut secant = Tangent {
            q: q.collect(),
            parameter: to.parameter - from.parameter,
        };
        self.normalise(to, &mut secant);
        secant
    }
}

/// The unknowns that are free, ascending.
pub(super) fn free(point: &Point) -> Vec<usize> {
    let fixed = point.model.constraints.fixed().iter().enumerate();
    fixed
        .filter(|(_, fixed)| !**fixed)
        .map(|(i, _)| i)
        .collect()
}
