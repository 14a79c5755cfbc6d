//! The cheapest step and mesh for a wanted error, by what errors and costs were seen to be.
//!
//! Errors are c h^p in the step and in the length of an edge, and add up; cost is a power of each.
//! Coarser ones than the coarsest that was run, and finer ones than a few halvings beyond the finest,
//! are not proposed.

use super::series::Trend;

/// Halvings beyond the finest run that are still proposed.
const BEYOND: f64 = 4.0;
/// Steps in which a halving is searched.
const FINE: usize = 16;

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
    let grants = |choice: &Choice| {
        wishes
            .iter()
            .all(|wish| wish.step.after(choice.step) + wish.mesh.after(choice.mesh) <= wish.error)
    };
    let price = |choice: &Choice| cost[0] * choice.step + cost[1] * choice.mesh;
    let meshes = halvings(runs[1]);
    let choices = halvings(runs[0]).into_iter().filter_map(|step| {
        let of = |mesh: &f64| Choice { step, mesh: *mesh };
        meshes.iter().map(of).find(|choice| grants(choice))
    });
    choices.min_by(|a, b| price(a).total_cmp(&price(b)))
}

/// The exponent by which cost grows with each halving, from the costs of runs, the coarsest first:
/// by the last two, as starts count least in them.
pub fn growth(costs: &[f64]) -> f64 {
    match costs {
        [.., a, b] if *a > 0.0 && *b > 0.0 => (b / a).log2().max(0.0),
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
    }
}
