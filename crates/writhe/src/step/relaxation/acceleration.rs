//! Fewer sweeps: Anderson's acceleration.
//!
//! Of a map F whose fixed point is wanted, here two sweeps, the last few points x and what they lead
//! to are known. The combination of them, with a sum of one, whose residual F(x) - x would be the
//! least if F were linear, is a better point than F(x) (Anderson 1965; Walker and Ni 2011, type II,
//! with differences):
//!
//! ```text
//! x' = F_k - sum gamma_j (F_(j+1) - F_j),   |r_k - sum gamma_j (r_(j+1) - r_j)| least.
//! ```
//!
//! The points lie in pieces, which threads share: each finds its part of the products, and its part
//! of a combination. Pieces do not depend on the number of threads, and products are summed in
//! their order.

use std::collections::VecDeque;
use std::iter::Sum;

use faer::Mat;

use crate::solve::dense::DenseLu;

/// Differences that are kept.
const KEPT: usize = 8;
/// Longest time without combinations after one that was worse.
const LONGEST_PAUSE: usize = 8;
/// Part of the largest diagonal entry that is added to all, in the equations for gamma.
const REGULAR: f64 = 1e-10;

/// What two sweeps come to, from a point that they change by `residual`; or the difference of two.
#[derive(Default)]
struct Point {
    residual: Vec<f64>,
    forces: Vec<f64>,
    /// Of rows with these forces.
    values: Vec<f64>,
}

/// Some of the rows: what is known of the map there.
#[derive(Default)]
pub(super) struct Piece {
    /// Of squares in the size of a residual.
    weights: Vec<f64>,
    /// Where the last two sweeps started from.
    start: Vec<f64>,
    last: Option<Point>,
    /// The one before that.
    before: Option<Point>,
    /// Differences, oldest first.
    past: VecDeque<Point>,
}

/// Weighted products of residuals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Products {
    /// Of the last one with itself.
    size: f64,
    /// Differences that are known.
    count: usize,
    /// Of the newest difference with each, oldest first.
    newest: [f64; KEPT],
    /// Of the last residual with each.
    last: [f64; KEPT],
}

/// What comes after two sweeps.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// What they lead to is gone on from.
    GoOn,
    /// What those before led to: they leave more than these did.
    Back,
    /// The combination with these factors of the differences.
    Combine(Vec<f64>),
}

/// What is known of the map as a whole.
pub(super) struct Acceleration {
    /// Weighted square of the last residual.
    last: Option<f64>,
    /// Products of the residual of each difference with those of the older ones, oldest first, and
    /// with itself.
    past: VecDeque<VecDeque<f64>>,
    /// Whether the point that the last sweeps started from was a combination.
    combined: bool,
    /// Calls until combinations are tried again, and how many these were the last time.
    pause: [usize; 2],
}

impl Piece {
    /// Residuals count by their squares times these weights.
    pub fn new(weights: Vec<f64>) -> Self {
        Self {
            weights,
            ..Self::default()
        }
    }

    /// The point that the next two sweeps start from.
    pub fn begin(&mut self, forces: Vec<f64>) {
        self.start = forces;
    }

    /// Takes down what two sweeps lead to, and what rows come to there.
    pub fn note(&mut self, forces: Vec<f64>, values: Vec<f64>) -> Products {
        let now = Point {
            residual: less(&forces, &self.start),
            forces,
            values,
        };
        if let Some(last) = &self.last {
            if self.past.len() == KEPT {
                self.past.pop_front();
            }
            self.past.push_back(Point {
                residual: less(&now.residual, &last.residual),
                forces: less(&now.forces, &last.forces),
                values: less(&now.values, &last.values),
            });
        }
        let mut products = Products {
            size: self.product(&now.residual, &now.residual),
            count: self.past.len(),
            ..Products::default()
        };
        if let Some(newest) = self.past.back() {
            let both = products.newest.iter_mut().zip(&mut products.last);
            for ((by_newest, by_last), past) in both.zip(&self.past) {
                *by_newest = self.product(&newest.residual, &past.residual);
                *by_last = self.product(&past.residual, &now.residual);
            }
        }
        self.before = self.last.replace(now);
        products
    }

    /// Forgets all, and returns what the sweeps before the last two led to.
    pub fn back(&mut self) -> (Vec<f64>, Vec<f64>) {
        self.past.clear();
        self.last = None;
        let Point { forces, values, .. } = self.before.take().unwrap_or_default();
        (forces, values)
    }

    /// The combination with these factors.
    pub fn combine(&self, gamma: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let Some(last) = &self.last else {
            return Default::default();
        };
        let (mut forces, mut values) = (last.forces.clone(), last.values.clone());
        for (gamma, past) in gamma.iter().zip(&self.past) {
            subtract(&mut forces, *gamma, &past.forces);
            subtract(&mut values, *gamma, &past.values);
        }
        (forces, values)
    }

    /// Weighted, in eight partial sums.
    fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut sums = [0.0; 8];
        let ([a, b, w], rest) = chunks([a, b, &self.weights]);
        for ((a, b), w) in a.iter().zip(b).zip(w) {
            for lane in 0..8 {
                sums[lane] += w[lane] * a[lane] * b[lane];
            }
        }
        let [a, b, w] = rest;
        for (sum, ((a, b), w)) in sums.iter_mut().zip(a.iter().zip(b).zip(w)) {
            *sum += w * a * b;
        }
        sums.iter().sum()
    }
}

impl Sum for Products {
    /// Over pieces, which know the same differences.
    fn sum<I: Iterator<Item = Self>>(pieces: I) -> Self {
        pieces.fold(Self::default(), |mut sum, piece| {
            sum.size += piece.size;
            sum.count = piece.count;
            let newest = sum.newest.iter_mut().zip(piece.newest);
            for (sum, piece) in newest.chain(sum.last.iter_mut().zip(piece.last)) {
                *sum += piece;
            }
            sum
        })
    }
}

impl Acceleration {
    /// Nothing is known.
    pub fn new() -> Self {
        Self {
            last: None,
            past: VecDeque::new(),
            combined: false,
            pause: [0, 1],
        }
    }

    /// Where to go on from, by the products of all pieces.
    ///
    /// Contacts that turn from sticking to slipping make the map a different one. A combination from
    /// which two sweeps leave more than before is taken back, and none is made for a while.
    pub fn next(&mut self, products: &Products) -> Next {
        let combined = std::mem::take(&mut self.combined);
        let last = self.last.replace(products.size);
        if let Some(last) = last {
            if combined && products.size > last {
                // Worse: from where the combination was made, without one for a while.
                self.last = None;
                self.past.clear();
                self.pause = [self.pause[1], (2 * self.pause[1]).min(LONGEST_PAUSE)];
                return Next::Back;
            }
            if self.past.len() == KEPT {
                self.past.pop_front();
                for past in &mut self.past {
                    past.pop_front();
                }
            }
            let newest = &products.newest[..products.count];
            self.past.push_back(newest.iter().copied().collect());
        }
        if self.pause[0] > 0 {
            self.pause[0] -= 1;
            return Next::GoOn;
        }
        let factors = self.factors(&products.last[..products.count]);
        self.combined = factors.is_some();
        factors.map_or(Next::GoOn, Next::Combine)
    }

    /// Factors of the differences, by their products with the last residual, if there are any.
    fn factors(&self, with_last: &[f64]) -> Option<Vec<f64>> {
        let count = self.past.len();
        if count == 0 {
            return None;
        }
        let mut matrix = Mat::from_fn(count, count, |i, j| self.past[i.max(j)][i.min(j)]);
        let most = (0..count).map(|i| matrix[(i, i)]).fold(0.0, f64::max);
        for i in 0..count {
            matrix[(i, i)] += REGULAR * most;
        }
        let mut gamma = with_last.to_vec();
        DenseLu::factor(matrix)
            .and_then(|lu| lu.solve_unchecked(&mut gamma))
            .ok()?;
        gamma.iter().all(|g| g.is_finite()).then_some(gamma)
    }
}

/// Each by eight, and what is left of each.
fn chunks<const N: usize>(all: [&[f64]; N]) -> ([&[[f64; 8]]; N], [&[f64]; N]) {
    let both = all.map(<[f64]>::as_chunks::<8>);
    (both.map(|(chunks, _)| chunks), both.map(|(_, rest)| rest))
}

fn less(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn subtract(from: &mut [f64], factor: f64, what: &[f64]) {
    for (from, what) in from.iter_mut().zip(what) {
        *from -= factor * what;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 30;

    /// All rows, in pieces.
    struct All {
        acceleration: Acceleration,
        pieces: Vec<Piece>,
        /// Rows of a piece.
        rows: usize,
    }

    impl All {
        fn new(rows: usize, all: usize) -> Self {
            let pieces = (0..all).step_by(rows);
            Self {
                acceleration: Acceleration::new(),
                pieces: pieces.map(|_| Piece::new(vec![1.0; rows])).collect(),
                rows,
            }
        }

        fn begin(&mut self, forces: &[f64]) {
            for (piece, part) in self.pieces.iter_mut().zip(forces.chunks(self.rows)) {
                piece.begin(part.to_vec());
            }
        }

        /// The point that is gone on from, with values that are the double of forces, unless it is
        /// that of the sweeps.
        fn next(&mut self, found: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
            let parts = self.pieces.iter_mut().zip(found.chunks(self.rows));
            let products = parts.map(|(piece, part)| piece.note(part.to_vec(), doubled(part)));
            let next = self.acceleration.next(&products.sum());
            let points = self.pieces.iter_mut().map(|piece| match &next {
                Next::GoOn => None,
                Next::Back => Some(piece.back()),
                Next::Combine(gamma) => Some(piece.combine(gamma)),
            });
            let points: Vec<_> = points.collect::<Option<_>>()?;
            let (forces, values): (Vec<_>, Vec<_>) = points.into_iter().unzip();
            Some((forces.concat(), values.concat()))
        }
    }

    fn doubled(forces: &[f64]) -> Vec<f64> {
        forces.iter().map(|f| 2.0 * f).collect()
    }

    /// A linear map whose changes die down by .99, .98, .. a call, slow ones and fast ones mixed,
    /// with the fixed point 1.
    fn call(x: &[f64]) -> Vec<f64> {
        let mut moved: Vec<f64> = x.iter().map(|x| x - 1.0).collect();
        for pass in [false, true] {
            // Turns of neighbours in pairs, there and back.
            for i in (0..N - 1).step_by(2) {
                let (a, b) = (moved[i], moved[i + 1]);
                let s = if pass { -0.6 } else { 0.6 };
                (moved[i], moved[i + 1]) = (0.8 * a - s * b, s * a + 0.8 * b);
            }
            if !pass {
                for (i, m) in moved.iter_mut().enumerate() {
                    *m *= 0.99 - 0.03 * i as f64;
                }
            }
        }
        moved.iter().map(|m| m + 1.0).collect()
    }

    fn off(x: &[f64]) -> f64 {
        x.iter().fold(0.0, |most, x| most.max((x - 1.0).abs()))
    }

    #[test]
    fn slow_maps_come_to_their_fixed_point_soon() {
        for rows in [N, 7] {
            let (mut x, mut plain) = (vec![0.0; N], vec![0.0; N]);
            let mut all = All::new(rows, N);
            for _ in 0..40 {
                plain = call(&plain);
                all.begin(&x);
                let found = call(&x);
                x = match all.next(&found) {
                    Some((better, values)) => {
                        let mut both = better.iter().zip(&values);
                        assert!(both.all(|(f, v)| (2.0 * f - v).abs() < 1e-9 * v.abs().max(1.0)));
                        better
                    }
                    None => found,
                };
            }
            assert!(off(&plain) > 0.2, "{}", off(&plain));
            assert!(off(&x) < 1e-3, "{}", off(&x));
        }
    }

    #[test]
    fn combinations_that_are_worse_are_taken_back() {
        let mut all = All::new(1, 1);
        let mut next = |from: f64, to: f64| {
            all.begin(&[from]);
            all.next(&[to]).map(|(forces, _)| forces[0])
        };
        assert_eq!(next(0.0, 0.5), None);
        // A residual of .4 after .5: the line through both ends at 2.5.
        let best = next(0.5, 0.9).unwrap();
        assert!((best - 2.5).abs() < 1e-6, "{best}");
        // From there the map leads away: back to .9, and without a combination for a while.
        assert_eq!(next(best, 9.0), Some(0.9));
        assert_eq!(next(0.9, 1.2), None);
        assert!(next(1.2, 1.4).is_some());
    }
}
