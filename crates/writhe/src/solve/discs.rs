//! Quadratic programmes over discs, known by products: accelerated projected gradients (Nesterov
//! 1983; Beck and Teboulle 2009), begun anew where they overshoot (O'Donoghue and Candes 2015).
//!
//! ```text
//! minimise  x.A x/2 - b.x   over |x_i| <= r_i,   x_i a pair of numbers,      A symmetric, positive semidefinite
//! ```
//!
//! Steps have the length 1/L. L begins at 1, as if A were scaled to a diagonal of 1, and is doubled
//! where a step finds more curvature.

use glam::DVec2;

use super::SolveError;

/// When the iteration ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DiscOptions {
    /// Largest change of a pair by a projected gradient step of length 1 that counts as none.
    pub tolerance: f64,
    /// Products with A at most.
    pub max_products: usize,
}

/// Improves `x`, which must be feasible, given the gradient `g` = A x - b there; `g` ends as the
/// gradient at the new x. `product(p, out)` writes A p. Returns the number of products.
///
/// # Errors
/// Whatever `product` fails with.
pub(crate) fn minimise(
    x: &mut [DVec2],
    g: &mut [DVec2],
    radius: &[f64],
    options: &DiscOptions,
    mut product: impl FnMut(&[DVec2], &mut [DVec2]) -> Result<(), SolveError>,
) -> Result<usize, SolveError> {
    let (mut y, mut gy) = (x.to_vec(), g.to_vec());
    let mut change = vec![DVec2::ZERO; x.len()];
    let mut image = change.clone();
    let (mut curvature, mut momentum, mut products) = (1.0, 1.0_f64, 0);
    while residual(x, g, radius) > options.tolerance && products < options.max_products {
        // d = P(y - g/L) - y
        for (i, d) in change.iter_mut().enumerate() {
            *d = within(y[i] - gy[i] / curvature, radius[i]) - y[i];
        }
        product(&change, &mut image)?;
        products += 1;
        let size = dot(&change, &change);
        if dot(&change, &image) > (1.0 + 1e-9) * curvature * size {
            curvature *= 2.0;
            continue;
        }
        let before = (x.to_vec(), g.to_vec());
        for i in 0..x.len() {
            (x[i], g[i]) = (y[i] + change[i], gy[i] + image[i]);
        }
        // The momentum points back: begin anew from here.
        let way = x.iter().zip(&before.0).map(|(x, before)| *x - *before);
        let back: f64 = change.iter().zip(way).map(|(d, way)| d.dot(way)).sum();
        let next = match back < 0.0 {
            true => 1.0,
            false => 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()),
        };
        let ahead = if back < 0.0 {
            0.0
        } else {
            (momentum - 1.0) / next
        };
        momentum = next;
        for i in 0..x.len() {
            y[i] = x[i] + ahead * (x[i] - before.0[i]);
            gy[i] = g[i] + ahead * (g[i] - before.1[i]);
        }
    }
    Ok(products)
}

/// Largest change of a pair by a projected gradient step of length 1.
pub(crate) fn residual(x: &[DVec2], g: &[DVec2], radius: &[f64]) -> f64 {
    let pairs = x.iter().zip(g).zip(radius);
    let change = |((x, g), r): ((&DVec2, &DVec2), &f64)| (within(*x - *g, *r) - *x).length();
    pairs.map(change).fold(0.0, f64::max)
}

/// The nearest point of a disc.
pub(crate) fn within(x: DVec2, radius: f64) -> DVec2 {
    x.clamp_length_max(radius)
}

fn dot(a: &[DVec2], b: &[DVec2]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

#[cfg(test)]
#[path = "tests/discs.rs"]
mod tests;
