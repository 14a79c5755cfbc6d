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

use std::collections::VecDeque;

use faer::Mat;

use crate::solve::dense::DenseLu;

/// Differences that are kept.
const KEPT: usize = 8;
/// Longest time without combinations after one that was worse.
const LONGEST_PAUSE: usize = 8;
/// Part of the largest diagonal entry that is added to all, in the equations for gamma.
const REGULAR: f64 = 1e-10;

/// What two sweeps come to, from a point that they change by `residual`; or the difference of two.
struct Point {
    residual: Vec<f64>,
    forces: Vec<f64>,
    /// Of the rows with these forces.
    values: Vec<f64>,
    /// Weighted square of the residual.
    size: f64,
    /// Weighted products of a difference's residual with those of the older ones, oldest first, and
    /// with itself.
    products: VecDeque<f64>,
}

/// What is known of the map.
pub(super) struct Acceleration {
    /// Of squares in the size of a residual.
    weights: Vec<f64>,
    /// Where the last two sweeps started from.
    start: Vec<f64>,
    last: Option<Point>,
    /// Differences, oldest first.
    past: VecDeque<Point>,
    /// Whether the point that the last sweeps started from was a combination.
    combined: bool,
    /// Calls until combinations are tried again, and how many these were the last time.
    pause: [usize; 2],
}

impl Acceleration {
    /// Residuals count by their squares times these weights.
    pub fn new(weights: Vec<f64>) -> Self {
        Self {
            weights,
            start: Vec::new(),
            last: None,
            past: VecDeque::new(),
            combined: false,
            pause: [0, 1],
        }
    }

    /// The point that the next two sweeps start from.
    pub fn begin(&mut self, forces: Vec<f64>) {
        self.start = forces;
    }

    /// A better point than what two sweeps lead to, and what rows come to there; `None` if what they
    /// lead to is to be gone on from.
    ///
    /// Contacts that turn from sticking to slipping make the map a different one. A combination from
    /// which two sweeps leave more than before is taken back, and none is made for a while.
    pub fn next(&mut self, forces: Vec<f64>, values: Vec<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
        let residual: Vec<f64> = forces.iter().zip(&self.start).map(|(f, x)| f - x).collect();
        let now = Point {
            size: self.product(&residual, &residual),
            residual,
            forces,
            values,
            products: VecDeque::new(),
        };
        let combined = std::mem::take(&mut self.combined);
        if let Some(last) = self.last.take() {
            if combined && now.size > last.size {
                // Worse: from where the combination was made, without one for a while.
                self.past.clear();
                self.pause = [self.pause[1], (2 * self.pause[1]).min(LONGEST_PAUSE)];
                return Some((last.forces, last.values));
            }
            let mut new = difference(&now, &last);
            if self.past.len() == KEPT {
                self.past.pop_front();
                for past in &mut self.past {
                    past.products.pop_front();
                }
            }
            let older = self.past.iter().chain([&new]);
            let products = older.map(|old| self.product(&new.residual, &old.residual));
            new.products = products.collect();
            self.past.push_back(new);
        }
        if self.pause[0] > 0 {
            self.pause[0] -= 1;
            self.last = Some(now);
            return None;
        }
        let better = self.combine(&now);
        self.combined = better.is_some();
        self.last = Some(now);
        better
    }

    /// The combination, if the past gives one.
    fn combine(&self, now: &Point) -> Option<(Vec<f64>, Vec<f64>)> {
        let count = self.past.len();
        if count == 0 {
            return None;
        }
        let mut matrix = Mat::from_fn(count, count, |i, j| self.past[i.max(j)].products[i.min(j)]);
        let most = (0..count).map(|i| matrix[(i, i)]).fold(0.0, f64::max);
        for i in 0..count {
            matrix[(i, i)] += REGULAR * most;
        }
        let with_now = |past: &Point| self.product(&past.residual, &now.residual);
        let mut gamma: Vec<f64> = self.past.iter().map(with_now).collect();
        DenseLu::factor(matrix)
            .and_then(|lu| lu.solve_unchecked(&mut gamma))
            .ok()?;
        if !gamma.iter().all(|g| g.is_finite()) {
            return None;
        }
        let (mut forces, mut values) = (now.forces.clone(), now.values.clone());
        for (gamma, past) in gamma.iter().zip(&self.past) {
            subtract(&mut forces, *gamma, &past.forces);
            subtract(&mut values, *gamma, &past.values);
        }
        Some((forces, values))
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

/// Each by eight, and what is left of each.
fn chunks<const N: usize>(all: [&[f64]; N]) -> ([&[[f64; 8]]; N], [&[f64]; N]) {
    let both = all.map(<[f64]>::as_chunks::<8>);
    (both.map(|(chunks, _)| chunks), both.map(|(_, rest)| rest))
}

fn difference(a: &Point, b: &Point) -> Point {
    let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
    Point {
        residual: less(&a.residual, &b.residual),
        forces: less(&a.forces, &b.forces),
        values: less(&a.values, &b.values),
        size: 0.0,
        products: VecDeque::new(),
    }
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

    /// A linear map whose changes die down by .99, .98, .. a call, slow ones and fast ones mixed,
    /// with the fixed point 1; values are the double of forces.
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
        let (mut x, mut plain) = (vec![0.0; N], vec![0.0; N]);
        let mut acceleration = Acceleration::new(vec![1.0; N]);
        for _ in 0..40 {
            plain = call(&plain);
            acceleration.begin(x.clone());
            let found = call(&x);
            let values = found.iter().map(|f| 2.0 * f).collect();
            x = match acceleration.next(found.clone(), values) {
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

    #[test]
    fn combinations_that_are_worse_are_taken_back() {
        let mut acceleration = Acceleration::new(vec![1.0]);
        let mut next = |from: f64, to: f64| {
            acceleration.begin(vec![from]);
            let point = acceleration.next(vec![to], vec![to]);
            point.map(|(forces, _)| forces[0])
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
