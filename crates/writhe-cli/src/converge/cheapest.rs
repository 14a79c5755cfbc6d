//! The cheapest step and mesh for a wanted error, by what errors and costs were seen to be.
//!
//! Errors are c h^p in the step and in the length of an edge, and add up; cost is a power of each.
//! Coarser ones than the coarsest that was run, and finer ones than a few halvings beyond the
//! finest, are not proposed. Of those that cost the same, the one with the smallest error is.

use super::series::Trend;

/// Halvings beyond the finest run that are still proposed.
const BEYOND: f64 = 4.0;
/// Steps in which a halving is searched.
const FINE: usize = 16;

/// Prices, as powers of two, are told apart to one over this.
const ALIKE: f64 = 1e6;
/// Exponent of the cost at least.
const LEAST_GROWTH: f64 = 0.25;

/// How the error of one observable depends on one kind of halving.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Law {
    /// Error of the coarsest run.
    pub first: f64,
    /// Order; 0 for an error that does not fall.
    pub order: f64,
}

impl Law {
    /// The law of a trend; `None` if it has no order.
    pub fn of(trend: &Trend) -> Option<Self> {
        match trend {
            Trend::Clean(limit) => Some(Self {
                first: limit.first_error,
                order: limit.order,
            }),
            Trend::Still(_) => Some(Self {
                first: 0.0,
                order: 1.0,
            }),
            Trend::Unclean(_) => None,
        }
    }

    fn after(&self, halvings: f64) -> f64 {
        self.first * (-self.order * halvings).exp2()
    }
}

/// One observable: its laws by step and by mesh, and the error that it may have.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// By halvings of the step.
    pub step: Law,
    /// By halvings of the edges.
    pub mesh: Law,
    /// Largest error.
    pub error: f64,
}

/// Halvings of step and edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Of the step.
    pub step: f64,
    /// Of the edges.
    pub mesh: f64,
}

/// The cheapest choice that grants all wishes; `None` if none does within reach. `cost` has the
/// exponents by which cost grows with a halving of step and edges; `runs` the halvings that were
/// run of each.
pub fn cheapest(wishes: &[Wish], cost: [f64; 2], runs: [usize; 2]) -> Option<Choice> {
    let halvings = |runs: usize| -> Vec<f64> {
        // What is not halved stays.
        let most = if runs == 0 { 0.0 } else { runs as f64 + BEYOND };
        let steps = (most * FINE as f64) as usize;
        (0..=steps).map(|k| k as f64 / FINE as f64).collect()
    };
    // The largest error over what it may be.
    let error = |choice: &Choice| {
        let of = |wish: &Wish| {
            let error = wish.step.after(choice.step) + wish.mesh.after(choice.mesh);
            error / wish.error
        };
        wishes.iter().map(of).fold(0.0, f64::max)
    };
    // Prices that differ by rounding are the same.
    let price = |choice: &Choice| ((cost[0] * choice.step + cost[1] * choice.mesh) * ALIKE).round();
    let meshes = halvings(runs[1]);
    let all = halvings(runs[0]).into_iter().flat_map(|step| {
        let of = move |mesh: &f64| Choice { step, mesh: *mesh };
        meshes.iter().map(of)
    });
    all.map(|choice| (choice, price(&choice), error(&choice)))
        .filter(|(_, _, error)| *error <= 1.0)
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)))
        .map(|(choice, _, _)| choice)
}

/// The exponent by which cost grows with each halving, from the costs of runs, the coarsest first:
/// by the last two, as starts count least in them. Nothing is free, even where starts are all that
/// was seen.
pub fn growth(costs: &[f64]) -> f64 {
    match costs {
        [.., a, b] if *a > 0.0 && *b > 0.0 => (b / a).log2().max(LEAST_GROWTH),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(step: f64, mesh: f64, error: f64) -> Wish {
        let law = |first, order| Law { first, order };
        Wish {
            step: law(step, 2.0),
            mesh: law(mesh, 2.0),
            error,
        }
    }

    #[test]
    fn one_kind_of_halving_goes_as_far_as_it_must() {
        let choice = cheapest(&[wish(0.16, 0.0, 0.0101)], [1.0, 1.0], [2, 0]).unwrap();
        assert_eq!(
            choice,
            Choice {
                step: 2.0,
                mesh: 0.0
            }
        );
        // Not coarser than what was run.
        let choice = cheapest(&[wish(0.16, 0.0, 1.0)], [1.0, 1.0], [2, 0]).unwrap();
        assert_eq!(choice.step, 0.0);
        assert_eq!(cheapest(&[wish(0.16, 0.0, 1e-9)], [1.0, 1.0], [2, 0]), None);
    }

    #[test]
    fn what_is_cheap_is_halved_more() {
        let both = |cost| cheapest(&[wish(0.1, 0.1, 0.01)], cost, [2, 2]).unwrap();
        let (even, steps, edges) = (both([1.0, 1.0]), both([1.0, 3.0]), both([3.0, 1.0]));
        assert!((even.step - even.mesh).abs() <= 0.2, "{even:?}");
        assert!(
            steps.step > even.step && steps.mesh < even.mesh,
            "{steps:?}"
        );
        assert!(
            edges.step < even.step && edges.mesh > even.mesh,
            "{edges:?}"
        );
        // By Lagrange: errors of step and mesh are as their exponents of cost.
        let error = |halvings: f64| 0.1 * (-2.0 * halvings).exp2();
        let ratio = error(steps.mesh) / error(steps.step);
        assert!((ratio / 3.0 - 1.0).abs() < 0.3, "{ratio}");
    }

    /// Steps and edges that count alike are halved alike: any other way to spend as much is worse.
    #[test]
    fn of_equal_prices_the_smaller_error_is_taken() {
        let even = cheapest(&[wish(0.1, 0.1, 0.0126)], [1.0, 1.0], [2, 2]).unwrap();
        assert_eq!(even.step, even.mesh, "{even:?}");
        let error = |step: f64, mesh: f64| 0.1 * ((-2.0 * step).exp2() + (-2.0 * mesh).exp2());
        let chosen = error(even.step, even.mesh);
        for k in 1..16 {
            let other = f64::from(k) / 16.0;
            assert!(chosen <= error(even.step + other, even.mesh - other));
            assert!(chosen <= error(even.step - other, even.mesh + other));
        }
    }

    #[test]
    fn all_wishes_count() {
        let wishes = [wish(0.1, 0.0, 0.01), wish(0.4, 0.0, 0.01)];
        let choice = cheapest(&wishes, [1.0, 1.0], [2, 0]).unwrap();
        assert!(0.4 * (-2.0 * choice.step).exp2() <= 0.01);
    }

    #[test]
    fn costs_grow_by_powers() {
        assert_eq!(growth(&[1.0, 2.0, 8.0]), 2.0);
        assert_eq!(growth(&[1.0]), 1.0);
        assert_eq!(growth(&[1.0, 1.0]), LEAST_GROWTH);
    }
}
