//! Substitution for one right-hand side, from both ends and back.

use super::lu::{Quad, RodLu, Step, product, subtracted};
use super::matrix::{group, set_group};
use super::middle::MOST;
use super::{GROUP, REACH};

/// The forward and the backward substitution.
pub(super) struct Substitute<'a> {
    pub(super) lu: &'a RodLu,
    pub(super) x: &'a mut [f64],
}

impl pulp::WithSimd for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Self { lu, x } = self;
        let (last, steps) = (lu.groups() - 1, lu.steps.len());
        // Values of both eliminations; of the middle only what is subtracted.
        let incoming = |x: &[f64], k: usize| match k < steps {
            true => [group(x, k), group(x, last - k)],
            false => [[0.0; GROUP]; 2],
        };
        let (mut w0, mut w1) = (incoming(x, 0), incoming(x, 1));
        for (k, [front, back]) in lu.steps.iter().enumerate() {
            let w2 = incoming(x, k + REACH);
            let (value, after) = forward(front, &w0[0], [w1[0], w2[0]]);
            let (other, after_other) = forward(back, &w0[1], [w1[1], w2[1]]);
            set_group(x, k, &value);
            set_group(x, last - k, &other);
            (w0, w1) = ([after[0], after_other[0]], [after[1], after_other[1]]);
        }

        let left = lu.groups() - 2 * steps;
        let mut middle = [0.0; MOST * GROUP];
        for i in 0..left {
            middle[GROUP * i..GROUP * (i + 1)].copy_from_slice(&group(x, steps + i));
        }
        for (i, [front, back]) in [w0, w1].iter().enumerate().take(left) {
            for r in 0..GROUP {
                middle[GROUP * i + r] += front[r];
                middle[GROUP * (left - 1 - i) + r] += back[r];
            }
        }
        lu.middle.solve(&mut middle);
        let of = |i: usize| group(&middle, i);
        for i in 0..left {
            set_group(x, steps + i, &of(i));
        }

        // The two groups that follow, whose values are known.
        let known = |i: usize| match i < left {
            true => [of(i), of(left - 1 - i)],
            false => [[0.0; GROUP]; 2],
        };
        let (mut x1, mut x2) = (known(0), known(1));
        for (k, [front, back]) in lu.steps.iter().enumerate().rev() {
            let value = backward(front, &group(x, k), [&x1[0], &x2[0]]);
            let other = backward(back, &group(x, last - k), [&x1[1], &x2[1]]);
            set_group(x, k, &value);
            set_group(x, last - k, &other);
            (x2, x1) = (x1, [value, other]);
        }
    }
}

/// Values of a group, over pivots, and what is left of the two that follow.
#[inline(always)]
fn forward(step: &Step, values: &Quad, [near, far]: [Quad; REACH]) -> (Quad, [Quad; REACH]) {
    let [a, b, c] = &step.inner;
    let value = subtracted(a, values[0], values);
    let value = subtracted(b, value[1], &value);
    let value = subtracted(c, value[2], &value);
    let [a, b, c, d] = &step.below;
    let after = |g: usize, rest: &Quad| {
        let rest = subtracted(&a[g], value[0], rest);
        let rest = subtracted(&b[g], value[1], &rest);
        let rest = subtracted(&c[g], value[2], &rest);
        subtracted(&d[g], value[3], &rest)
    };
    let after = [after(0, &near), after(1, &far)];
    (product(&value, &step.reciprocals), after)
}

/// Values of a group from those of the two that follow.
#[inline(always)]
fn backward(step: &Step, values: &Quad, [near, far]: [&Quad; REACH]) -> Quad {
    let without = |columns: &[Quad; GROUP], x: &Quad, values: &Quad| {
        let values = subtracted(&columns[0], x[0], values);
        let values = subtracted(&columns[1], x[1], &values);
        let values = subtracted(&columns[2], x[2], &values);
        subtracted(&columns[3], x[3], &values)
    };
    let value = without(&step.right[1], far, values);
    let value = without(&step.right[0], near, &value);
    let [a, b, c] = &step.upper;
    let value = subtracted(c, value[3], &value);
    let value = subtracted(b, value[2], &value);
    subtracted(a, value[1], &value)
}
