//! Runs of a scene with halved steps and meshes: what a quantity comes to, how far the scene is
//! from it, and the cheapest step and mesh for a wanted error.
//!
//! Runs are few: halved steps with the scene's mesh, halved edges with the scene's step, and one
//! where both are halved once. With orders p and q
//!
//! ```text
//! f(i, j) = L + A 2^(-p i) + B 2^(-q j) + M 2^(-p i - q j)        i, j: halvings of step, edges
//! ```
//!
//! the first two series have the limits L + B and L + A, and the last run tells M, so that
//! `L = (L + B) + (L + A) - f(0, 0) + M`.

pub mod cheapest;
pub mod expected;
pub mod mesh;
pub mod runs;
pub mod series;
pub mod tell;

use crate::observable::Observable;
use crate::wanted::Wanted;
use cheapest::{Choice, Law, Wish, cheapest, growth};
use runs::{Level, Run};
use series::{Expected, Trend};

/// Part of the mixed term that is doubtful.
const DOUBT: f64 = 0.25;

/// What was found of one observable.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// What.
    pub observable: Observable,
    /// Its unit.
    pub unit: String,
    /// Its values with halved steps, the scene's first.
    pub by_step: Vec<f64>,
    /// Its values with halved edges, the scene's first.
    pub by_mesh: Vec<f64>,
    /// What the first come to; `None` if steps were not halved.
    pub step: Option<Trend>,
    /// What the second come to; `None` if edges were not halved.
    pub mesh: Option<Trend>,
    /// The limit and how far it may be off; `None` where a series has no order.
    pub limit: Option<(f64, f64)>,
}

impl Found {
    /// What runs say of their observable of index `which`, judged by what is expected of halved
    /// steps and of halved edges.
    pub fn of(
        runs: &[Run],
        observable: Observable,
        unit: String,
        which: usize,
        expected: [Expected; 2],
    ) -> Self {
        let value = |level: Level| {
            let run = runs.iter().find(|run| run.level == level);
            run.map(|run| run.values[which])
        };
        let by_step: Vec<f64> = (0..)
            .map_while(|step| value(Level { step, mesh: 0 }))
            .collect();
        let by_mesh: Vec<f64> = (0..)
            .map_while(|mesh| value(Level { step: 0, mesh }))
            .collect();
        let trend = |values: &[f64], expected| {
            let halved = values.len() > 1;
            halved.then(|| Trend::of(values, expected))
        };
        let [step, mesh] = expected;
        let (step, mesh) = (trend(&by_step, step), trend(&by_mesh, mesh));
        let limit = match (&step, &mesh) {
            (Some(step), Some(mesh)) => {
                let both = value(Level { step: 1, mesh: 1 });
                limit_of_both(step, mesh, [&by_step, &by_mesh], both)
            }
            (Some(trend), None) => trend.limit(last(&by_step)),
            (None, Some(trend)) => trend.limit(last(&by_mesh)),
            (None, None) => None,
        };
        Self {
            observable,
            unit,
            by_step,
            by_mesh,
            step,
            mesh,
            limit,
        }
    }

    /// What the finest runs say, and how far the last two of each series are apart: all that is
    /// known where there is no limit. `None` where a value is no number.
    pub fn finest(&self) -> Option<(f64, f64)> {
        let first = *self.by_step.first()?;
        let value = last(&self.by_step) + last(&self.by_mesh) - first;
        let apart = |values: &[f64]| match values {
            [.., a, b] => (b - a).abs(),
            _ => 0.0,
        };
        let spread = apart(&self.by_step) + apart(&self.by_mesh);
        (value.is_finite() && spread.is_finite()).then_some((value, spread))
    }

    /// Laws of its error by step and mesh, what is not halved having none; `None` where a series
    /// has no order.
    fn wish(&self, wanted: Wanted) -> Option<Wish> {
        let none = Law {
            first: 0.0,
            order: 1.0,
        };
        let law = |trend: &Option<Trend>| match trend {
            Some(trend) => Law::of(trend),
            None => Some(none),
        };
        let (limit, _) = self.limit?;
        Some(Wish {
            step: law(&self.step)?,
            mesh: law(&self.mesh)?,
            error: wanted.of(limit),
        })
    }
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

/// The limit by step and mesh with its error, from the trends, their values and the value with both
/// halved once.
fn limit_of_both(
    step: &Trend,
    mesh: &Trend,
    [by_step, by_mesh]: [&[f64]; 2],
    both: Option<f64>,
) -> Option<(f64, f64)> {
    let (with_mesh, step_error) = step.limit(last(by_step))?;
    let (with_step, mesh_error) = mesh.limit(last(by_mesh))?;
    // What is left of an error after a halving.
    let left = |trend: &Trend| match trend {
        Trend::Clean(limit) => (-limit.order).exp2(),
        _ => 0.0,
    };
    let first = by_step[0];
    let mixed = both.map_or(0.0, |both| {
        let seen = both - by_step[1] - by_mesh[1] + first;
        seen / ((1.0 - left(step)) * (1.0 - left(mesh)))
    });
    let limit = with_mesh + with_step - first + mixed;
    let error = step_error + mesh_error + DOUBT * mixed.abs();
    limit.is_finite().then_some((limit, error))
}

/// The cheapest halvings that give all observables the wanted error; `None` where a series has no
/// order, or none within reach does.
pub fn proposal(found: &[Found], runs: &[Run], wanted: Wanted) -> Option<Choice> {
    let wishes: Option<Vec<Wish>> = found.iter().map(|found| found.wish(wanted)).collect();
    let costs = |of: fn(&Level) -> (usize, usize)| -> Vec<f64> {
        let mut series: Vec<(usize, f64)> = runs
            .iter()
            .filter(|run| of(&run.level).1 == 0)
            .map(|run| (of(&run.level).0, run.cost))
            .collect();
        series.sort_by_key(|(halvings, _)| *halvings);
        series.into_iter().map(|(_, cost)| cost).collect()
    };
    let (steps, meshes) = (costs(|l| (l.step, l.mesh)), costs(|l| (l.mesh, l.step)));
    let cost = [growth(&steps), growth(&meshes)];
    let halved = [
        steps.len().saturating_sub(1),
        meshes.len().saturating_sub(1),
    ];
    cheapest(&wishes?, cost, halved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quantity with errors of order 2 in both, and a mixed one.
    fn runs(mixed: f64) -> Vec<Run> {
        let levels = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1)];
        let of = |(step, mesh): (usize, usize)| {
            let (a, b) = (0.25_f64.powi(step as i32), 0.25_f64.powi(mesh as i32));
            Run {
                level: Level { step, mesh },
                values: vec![3.0 + 0.1 * a - 0.2 * b + mixed * a * b],
                cost: 2.0_f64.powi(step as i32) * 4.0_f64.powi(mesh as i32),
            }
        };
        levels.into_iter().map(of).collect()
    }

    fn found(runs: &[Run]) -> Found {
        let expected = Expected {
            order: 2.0,
            noise: 0.0,
            slight: 0.0,
        };
        let observable = "a".parse().unwrap();
        Found::of(runs, observable, "m".to_owned(), 0, [expected; 2])
    }

    #[test]
    fn errors_of_step_and_mesh_are_told_apart() {
        for mixed in [0.0, 0.05, -0.05] {
            let found = found(&runs(mixed));
            let (limit, error) = found.limit.unwrap();
            assert!((limit - 3.0).abs() < 1e-12 && error < 0.1, "{found:?}");
        }
    }

    #[test]
    fn the_cheapest_is_proposed() {
        let runs = runs(0.0);
        let all = [found(&runs)];
        let choice = proposal(&all, &runs, Wanted::Absolute(0.03)).unwrap();
        let error = 0.1 * 0.25_f64.powf(choice.step) + 0.2 * 0.25_f64.powf(choice.mesh);
        assert!(error <= 0.03 && error > 0.02, "{choice:?}: {error}");
        assert_eq!(proposal(&all, &runs, Wanted::Absolute(1e-9)), None);
        assert_eq!(Wanted::Relative(0.01).of(-3.0), 0.03);
    }

    #[test]
    fn without_an_order_there_is_neither_limit_nor_proposal() {
        let mut runs = runs(0.0);
        runs[2].values[0] = 7.0;
        let found = found(&runs);
        assert!(matches!(found.step, Some(Trend::Unclean(_))) && found.limit.is_none());
        let (value, spread) = found.finest().unwrap();
        let [.., a, b] = found.by_mesh[..] else {
            panic!("{found:?}");
        };
        let steps = found.by_step[1] - 7.0;
        assert!((value - (7.0 + b - found.by_mesh[0])).abs() < 1e-12);
        assert!((spread - (steps.abs() + (b - a).abs())).abs() < 1e-12);
        assert_eq!(proposal(&[found], &runs, Wanted::Relative(0.1)), None);
    }

    #[test]
    fn errors_are_parts_or_numbers() {
        assert_eq!("1%".parse(), Ok(Wanted::Relative(0.01)));
        assert_eq!("1e-5".parse(), Ok(Wanted::Absolute(1e-5)));
        for text in ["0", "-1%", "much", "%", "inf"] {
            assert!(text.parse::<Wanted>().is_err(), "{text}");
        }
    }
}
