//! `g(q, lambda) = 0`: the static problem of a family of models, its stiffness `K = dg/dq` and its
//! slope `dg/dlambda`.

use std::rc::Rc;

use super::{Family, FollowError};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::solve::band::{BandLu, BandMatrix, narrow_order, negative_eigenvalues};
use crate::state::State;
use crate::statics::Statics;
use crate::step::StepError;

/// Part of the way of the parameter over which differences are taken.
const DIFFERENCE: f64 = 1e-6;
/// Eigenvalues count as negative below minus this part of the lowest bending eigenvalue, or below
/// what rounding can make. A thousandth of what [`stability`](crate::stability) asks for: where they
/// pass zero a bifurcation is located, and that eigenvalue is of the stiffest bending of a strip.
const NEGATIVE: f64 = 1e-9;
/// Rounding of an eigenvalue over the largest diagonal entry of K.
const ROUNDING: f64 = 32.0 * f64::EPSILON;
/// Other shifts that are tried where pivots are not trusted, over the one wanted.
const SHIFTS: [f64; 5] = [1.0, 1.4, 0.7, 2.0, 0.5];

/// A configuration, its parameter, and the model there.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub parameter: f64,
    pub model: Rc<Model>,
    /// At rest; frames are those of this configuration.
    pub state: State,
}

/// g and K at a trial.
pub(super) struct Linear {
    pub statics: Statics,
    matrix: BandMatrix,
    lu: BandLu,
    /// Where each free unknown is in the matrix.
    place: Vec<usize>,
    /// Eigenvalues between zero and minus this count as zero, 1/s^2.
    bound: f64,
}

/// The equations over the family.
pub(super) struct Equation<'a> {
    pub family: &'a dyn Family,
    /// Length of the way of the parameter.
    pub way: f64,
    /// Length of the longest rod, m.
    pub length: f64,
    /// Motion of nodes that counts as a length 1 along a branch, m.
    pub scale: f64,
    /// Weight of each unknown, m^2 or 1, `(dofs)`: the sum is the mean square of the motion of nodes
    /// and surfaces, m^2.
    weight: Vec<f64>,
    /// Unknowns of the start, `(dofs)`.
    start: Vec<f64>,
}

impl<'a> Equation<'a> {
    pub fn new(family: &'a dyn Family, model: &Model, start: &State, way: f64) -> Self {
        let nodes = model.topology.nodes() as f64;
        let weight = model.lever.iter().map(|h| h * h / nodes);
        Self {
            family,
            way,
            length: model.rod_length.iter().copied().fold(0.0, f64::max),
            scale: model.length_scale(),
            weight: weight.collect(),
            start: start.q.clone(),
        }
    }

    /// Takes as the scale of steps twice how far nodes have moved from the start, from the radius to
    /// the length of the rods: a shallow arch that snaps moves by a thousandth of what a column does
    /// that buckles.
    pub fn rescale(&mut self, here: &Point) {
        let moved = here.state.q.iter().zip(&self.start).zip(&self.weight);
        let moved = moved.map(|((a, b), weight)| weight * (a - b).powi(2));
        let moved = 2.0 * moved.sum::<f64>().sqrt();
        self.scale = moved.clamp(here.model.length_scale(), self.length);
    }

    /// The state `base` with the unknowns `q` that are free, and those that the model of
    /// `parameter` prescribes; with the frames of `base`.
    pub fn trial(&self, base: &State, q: &[f64], parameter: f64) -> Result<Point, FollowError> {
        let member = self.family.at(parameter)?;
        let (model, time) = (member.model, member.time);
        if model.topology.dofs != q.len() || model.constraints.fixed().len() != q.len() {
            return Err(FollowError::OtherUnknowns { parameter });
        }
        let mut state = base.clone();
        state.q.copy_from_slice(q);
        state.time = time;
        let constraints = &model.constraints;
        let span = [base.time, time];
        constraints.apply(&model.topology, &base.frames, &base.q, span, &mut state.q);
        Ok(Point {
            parameter,
            model,
            state,
        })
    }

    /// Forces that are out of balance there, on the free unknowns.
    fn residual(&self, base: &State, q: &[f64], parameter: f64) -> Result<Vec<f64>, FollowError> {
        let trial = self.trial(base, q, parameter)?;
        Ok(Statics::at(&trial.model, &trial.state)?.residual)
    }

    /// `dg/dlambda` by central differences of g between models, what is prescribed moved with them;
    /// by one-sided ones where the family ends.
    pub fn slope(&self, base: &State, q: &[f64], parameter: f64) -> Result<Vec<f64>, FollowError> {
        let small = DIFFERENCE * self.way;
        let at = |parameter: f64| self.residual(base, q, parameter);
        let (before, after) = (at(parameter - small), at(parameter + small));
        let (low, high, span) = match (before, after) {
            (Ok(low), Ok(high)) => (low, high, 2.0 * small),
            (Ok(low), Err(FollowError::NoModel { .. })) => (low, at(parameter)?, small),
            (Err(FollowError::NoModel { .. }), Ok(high)) => (at(parameter)?, high, small),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        Ok(low.iter().zip(&high).map(|(a, b)| (b - a) / span).collect())
    }

    /// The product `<a, b>` in which steps are measured, over free unknowns: mean motion by motion, in
    /// the scale of steps.
    pub fn product(&self, free: &[usize], a: &[f64], b: &[f64]) -> f64 {
        self.square(free, a, b) / (self.scale * self.scale)
    }

    /// The same in m^2.
    pub fn square(&self, free: &[usize], a: &[f64], b: &[f64]) -> f64 {
        let terms = free.iter().zip(a.iter().zip(b));
        terms.map(|(dof, (a, b))| self.weight[*dof] * a * b).sum()
    }
}

impl Linear {
    /// g and K at a trial.
    pub fn at(point: &Point) -> Result<Self, FollowError> {
        let Point { model, state, .. } = point;
        let statics = Statics::at(model, state)?;
        let n = statics.free.len();
        let entries = statics.stiffness.iter();
        let place = narrow_order(n, entries.map(|(row, column, _)| (*row, *column)));
        let entries = statics.stiffness.iter();
        let far = entries.map(|(row, column, _)| place[*row].abs_diff(place[*column]));
        let mut matrix = BandMatrix::new(n, far.max().unwrap_or(0).max(1));
        let mut steepest = 0.0_f64;
        for (row, column, value) in &statics.stiffness {
            matrix.add(place[*row], place[*column], *value)?;
            if row == column && statics.mass[*row] > 0.0 {
                steepest = steepest.max(value.abs() / statics.mass[*row]);
            }
        }
        let bound = (NEGATIVE * model.lowest_bending()).max(ROUNDING * steepest);
        let mut linear = Self {
            lu: BandLu::new(n, matrix.half_bandwidth()),
            statics,
            matrix,
            place,
            bound,
        };
        // Motions that cost nothing, as the spin of a round rod, stay where they are.
        linear.shift(linear.bound)?;
        linear.lu.factor(&linear.matrix)?;
        Ok(linear)
    }

    /// Adds so much of the masses, 1/s^2.
    fn shift(&mut self, by: f64) -> Result<(), FollowError> {
        for (own, place) in self.place.iter().enumerate() {
            self.matrix
                .add(*place, *place, by * self.statics.mass[own])?;
        }
        Ok(())
    }

    /// Solves `K x = b` in place, free unknowns.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), FollowError> {
        let mut sorted = vec![0.0; x.len()];
        for (value, place) in x.iter().zip(&self.place) {
            sorted[*place] = *value;
        }
        self.lu.solve_unchecked(&mut sorted)?;
        for (value, place) in x.iter_mut().zip(&self.place) {
            *value = sorted[*place];
        }
        Ok(())
    }

    /// Number of negative eigenvalues of K; `None` where a force has no potential, or where pivots
    /// are not trusted.
    pub fn negative(&mut self) -> Result<Option<usize>, FollowError> {
        if !self.statics.has_potential {
            return Ok(None);
        }
        // The bound is in already.
        let mut now = 1.0;
        for shift in SHIFTS {
            self.shift((shift - now) * self.bound)?;
            now = shift;
            if let Some(count) = negative_eigenvalues(&self.matrix) {
                self.shift((1.0 - now) * self.bound)?;
                return Ok(Some(count));
            }
        }
        self.shift((1.0 - now) * self.bound)?;
        Ok(None)
    }

    /// The motion whose eigenvalue in `K u = mu M u` is nearest to zero, and that eigenvalue.
    pub fn softest(&mut self) -> Result<(Vec<f64>, f64), FollowError> {
        const ITERATIONS: usize = 30;
        let mass = self.statics.mass.clone();
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            let terms = a.iter().zip(b).zip(&mass);
            terms.map(|((a, b), m)| a * b * m).sum()
        };
        // Without any symmetry, and the same each time.
        let start = (0..mass.len()).map(|i| 1.0 + (1.7 * i as f64).sin() + 0.3 * (i % 7) as f64);
        let mut u: Vec<f64> = start.collect();
        let mut eigenvalue = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let size = dot(&u, &u).sqrt();
            u.iter_mut().for_each(|u| *u /= size);
            let mut next: Vec<f64> = u.iter().zip(&mass).map(|(u, m)| m * u).collect();
            self.solve(&mut next)?;
            let found = dot(&u, &next) / dot(&next, &next);
            let done = (found - eigenvalue).abs() <= 1e-8 * found.abs();
            (u, eigenvalue) = (next, found);
            if done {
                break;
            }
        }
        let size = dot(&u, &u).sqrt();
        u.iter_mut().for_each(|u| *u /= size);
        Ok((u, eigenvalue - self.bound))
    }
}

/// The same configuration with frames of its own.
pub(super) fn rebased(mut point: Point) -> Result<Point, FollowError> {
    let mut kinematics = Kinematics::default();
    let State { frames, q, .. } = &point.state;
    let told = kinematics.update(&point.model.topology, frames, q);
    told.map_err(|error| FollowError::Statics(StepError::from(error).into()))?;
    point.state.frames = kinematics.frames();
    Ok(point)
}
