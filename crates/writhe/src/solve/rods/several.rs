//! Several right-hand sides at once, side by side in lanes.

use pulp::Arch;

use super::lu::{RodLu, Step};
use super::middle::MOST;
use super::{GROUP, REACH};
use crate::solve::error::SolveError;

/// Right-hand sides that are solved at once.
pub(crate) const LANES: usize = 8;
/// One number of each.
pub(crate) type Lanes = [f64; LANES];
/// Those of a group.
type Group = [Lanes; GROUP];

impl RodLu {
    /// As [`RodLu::solve_unchecked`] for [`LANES`] right-hand sides, `(n)`, which are zero before row
    /// `first`.
    ///
    /// # Errors
    /// [`SolveError::NotFactored`] and [`SolveError::WrongLength`].
    pub(crate) fn solve_lanes(&self, first: usize, x: &mut [Lanes]) -> Result<(), SolveError> {
        self.expect_ready(x.len())?;
        match &self.exchanging {
            Some(lu) => {
                let mut single = vec![0.0; x.len()];
                for lane in 0..LANES {
                    single.iter_mut().zip(&*x).for_each(|(v, x)| *v = x[lane]);
                    lu.substitute(&mut single);
                    x.iter_mut().zip(&single).for_each(|(x, v)| x[lane] = *v);
                }
            }
            None => Arch::new().dispatch(SubstituteLanes { lu: self, first, x }),
        }
        Ok(())
    }
}

/// `value -= factor * by`.
#[inline(always)]
fn subtract(value: &mut Lanes, factor: f64, by: &Lanes) {
    for (value, by) in value.iter_mut().zip(by) {
        *value = (-factor).mul_add(*by, *value);
    }
}

/// The forward and the backward substitution.
struct SubstituteLanes<'a> {
    lu: &'a RodLu,
    first: usize,
    x: &'a mut [Lanes],
}

impl SubstituteLanes<'_> {
    /// Values of a group, zero for unknowns that a last group does not have.
    #[inline(always)]
    fn group(&self, group: usize) -> Group {
        let own = self.x.get(GROUP * group..).unwrap_or_default();
        match own.first_chunk() {
            Some(whole) => *whole,
            None => {
                let mut values = Group::default();
                for (value, own) in values.iter_mut().zip(own) {
                    *value = *own;
                }
                values
            }
        }
    }

    #[inline(always)]
    fn set_group(&mut self, group: usize, values: &Group) {
        for (own, value) in self.x[GROUP * group..].iter_mut().zip(values) {
            *own = *value;
        }
    }

    /// The group that is `k`-th from the front or, with `half` not 0, from the back.
    #[inline(always)]
    fn place(&self, half: usize, k: usize) -> usize {
        match half {
            0 => k,
            _ => self.lu.groups() - 1 - k,
        }
    }

    /// Eliminates from one end; adds to the middle, from that end on, what is subtracted from it.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Several arrays go together.
    fn forward(&mut self, half: usize, from: usize) -> [Group; REACH] {
        let steps = self.lu.steps.len();
        let incoming = |own: &Self, k: usize| match k < steps {
            true => own.group(own.place(half, k)),
            false => Group::default(),
        };
        let mut window = [incoming(self, from), incoming(self, from + 1)];
        for (k, steps) in self.lu.steps.iter().enumerate().skip(from) {
            let step = &steps[half];
            let [mut value, mut w1] = window;
            let mut w2 = incoming(self, k + REACH);
            for c in 0..GROUP {
                let by = value[c];
                for r in c + 1..GROUP {
                    subtract(&mut value[r], step.inner[c][r], &by);
                }
                for r in 0..GROUP {
                    subtract(&mut w1[r], step.below[c][0][r], &by);
                    subtract(&mut w2[r], step.below[c][1][r], &by);
                }
            }
            for r in 0..GROUP {
                value[r] = value[r].map(|v| v * step.reciprocals[r]);
            }
            self.set_group(self.place(half, k), &value);
            window = [w1, w2];
        }
        window
    }

    /// The same way back, from the two groups on that follow.
    #[inline(always)]
    fn backward(&mut self, half: usize, [mut x1, mut x2]: [Group; REACH]) {
        let lu = self.lu;
        for (k, steps) in lu.steps.iter().enumerate().rev() {
            let step = &steps[half];
            let place = self.place(half, k);
            let mut value = self.group(place);
            solve_back(step, &mut value, [&x1, &x2]);
            self.set_group(place, &value);
            (x2, x1) = (x1, value);
        }
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // Several arrays go together.
fn solve_back(step: &Step, value: &mut Group, following: [&Group; REACH]) {
    for (right, x) in step.right.iter().zip(following) {
        for c in 0..GROUP {
            for r in 0..GROUP {
                subtract(&mut value[r], right[c][r], &x[c]);
            }
        }
    }
    for c in (1..GROUP).rev() {
        let by = value[c];
        for r in 0..c {
            subtract(&mut value[r], step.upper[c - 1][r], &by);
        }
    }
}

impl pulp::WithSimd for SubstituteLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) {
        let lu = self.lu;
        let steps = lu.steps.len();
        let left = lu.groups() - 2 * steps;
        // Nothing is before the first row, seen from the front.
        let from = (self.first / GROUP).min(steps);
        let subtracted = [self.forward(0, from), self.forward(1, 0)];
        let mut middle = [[0.0; MOST * GROUP]; LANES];
        for i in 0..left {
            let own = self.group(steps + i);
            for (r, values) in own.iter().enumerate() {
                for (middle, value) in middle.iter_mut().zip(values) {
                    middle[GROUP * i + r] = *value;
                }
            }
        }
        for (half, groups) in subtracted.iter().enumerate() {
            for (i, group) in groups.iter().enumerate().take(left) {
                let place = if half == 0 { i } else { left - 1 - i };
                for (r, values) in group.iter().enumerate() {
                    for (middle, value) in middle.iter_mut().zip(values) {
                        middle[GROUP * place + r] += value;
                    }
                }
            }
        }
        for lane in &mut middle {
            lu.middle.solve(lane);
        }
        let mut found = [Group::default(); MOST];
        for (i, group) in found.iter_mut().enumerate() {
            for (r, values) in group.iter_mut().enumerate() {
                for (value, middle) in values.iter_mut().zip(&middle) {
                    *value = middle[GROUP * i + r];
                }
            }
        }
        for (i, group) in found.iter().enumerate().take(left) {
            self.set_group(steps + i, group);
        }
        let of = |i: usize| match i < left {
            true => found[i],
            false => Group::default(),
        };
        self.backward(0, [of(0), of(1)]);
        let back = |i: usize| match i < left {
            true => found[left - 1 - i],
            false => Group::default(),
        };
        self.backward(1, [back(0), back(1)]);
    }
}
