//! Quadratic programmes with x >= 0, known by products: modified proportioning with reduced
//! gradient projections (MPRGP; Dostal, Optimal Quadratic Programming Algorithms, Springer 2009,
//! section 5.8).
//!
//! ```text
//! minimise  x.A x/2 - b.x   over x >= 0,      A symmetric, positive semidefinite
//! ```
//!
//! With the gradient g = A x - b, the free gradient phi is g where x > 0 and the chopped gradient
//! beta is min(g, 0) where x = 0; both vanish at the solution. Conjugate gradients run on the free
//! variables; where they meet a bound a projected gradient step adds bounds, and where beta
//! outweighs phi a step along beta releases some.

use super::SolveError;

/// When and how the iteration ends, and the length of its projected steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundedOptions {
    /// Largest entry of the projected gradient that counts as zero.
    pub tolerance: f64,
    /// Products with A at most.
    pub max_products: usize,
    /// Upper bound of the largest eigenvalue of A.
    pub norm: f64,
}

/// What the iteration did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoundedReport {
    /// Products with A.
    pub products: usize,
    /// Largest entry of the projected gradient at the end.
    pub gradient: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
}

/// Improves `x`, which must be feasible, given the gradient `g` = A x - b there; `g` ends as the
/// gradient at the new x. `product(p, out)` writes A p.
///
/// # Errors
/// [`SolveError::NotFactored`] when A shows a negative eigenvalue; whatever `product` fails with.
pub(crate) fn minimise(
    x: &mut [f64],
    g: &mut [f64],
    options: &BoundedOptions,
    mut product: impl FnMut(&[f64], &mut [f64]) -> Result<(), SolveError>,
) -> Result<BoundedReport, SolveError> {
    let n = x.len();
    let mut ap = vec![0.0; n];
    let mut p = free(x, g);
    let mut products = 0;
    loop {
        let (phi, beta) = (free(x, g), chopped(x, g));
        let gradient = largest(&phi).max(largest(&beta));
        let converged = gradient <= options.tolerance;
        if converged || products >= options.max_products {
            return Ok(BoundedReport {
                products,
                gradient,
                converged,
            });
        }
        // Proportioning: bounds are released where the chopped gradient outweighs the free one.
        let release = dot(&beta, &beta) > dot(&phi, &reduced(x, &phi, options.norm));
        if release {
            p.copy_from_slice(&beta);
        } else if p.iter().zip(&phi).all(|(p, f)| *p == 0.0 || *f == 0.0) {
            p.copy_from_slice(&phi);
        }
        product(&p, &mut ap)?;
        products += 1;
        // The minimum along x - a p is at a = g.p/p.A p.
        let curvature = dot(&p, &ap);
        let slope = dot(g, &p);
        // Below zero by more than rounding: A is not semidefinite.
        if !curvature.is_finite() || curvature < -1e-9 * options.norm * dot(&p, &p) {
            return Err(SolveError::NotFactored);
        }
        let best = if curvature > 0.0 {
            slope / curvature
        } else {
            f64::INFINITY
        };
        let longest = feasible(x, &p);
        if best.is_finite() && best <= longest {
            step(x, g, &p, &ap, best);
            let phi = free(x, g);
            // Conjugate gradient step: the next direction is A-conjugate, or begins anew.
            let conjugate = dot(&phi, &ap) / curvature;
            for ((p, phi), x) in p.iter_mut().zip(&phi).zip(x.iter()) {
                *p = if release || *x == 0.0 {
                    *phi
                } else {
                    phi - conjugate * *p
                };
            }
        } else if longest.is_finite() {
            step(x, g, &p, &ap, longest);
            // The projected step changes x off the line: its gradient needs a product.
            let phi = free(x, g);
            let moved: Vec<f64> = x
                .iter()
                .zip(&phi)
                .map(|(x, f)| (x - f / options.norm).max(0.0) - x)
                .collect();
            product(&moved, &mut ap)?;
            products += 1;
            step(x, g, &moved, &ap, -1.0);
            p = free(x, g);
        } else {
            // Unbounded below along p: the gradient there is rounding.
            return Ok(BoundedReport {
                products,
                gradient,
                converged,
            });
        }
    }
}

/// `x -= a p` and `g -= a A p`; x stays feasible to the last bit.
fn step(x: &mut [f64], g: &mut [f64], p: &[f64], ap: &[f64], a: f64) {
    for (x, p) in x.iter_mut().zip(p) {
        *x = (*x - a * p).max(0.0);
    }
    for (g, ap) in g.iter_mut().zip(ap) {
        *g -= a * ap;
    }
}

/// g where x > 0.
fn free(x: &[f64], g: &[f64]) -> Vec<f64> {
    let entry = |(x, g): (&f64, &f64)| if *x > 0.0 { *g } else { 0.0 };
    x.iter().zip(g).map(entry).collect()
}

/// min(g, 0) where x = 0.
fn chopped(x: &[f64], g: &[f64]) -> Vec<f64> {
    let entry = |(x, g): (&f64, &f64)| if *x > 0.0 { 0.0 } else { g.min(0.0) };
    x.iter().zip(g).map(entry).collect()
}

/// The free gradient limited to what a projected step can use.
fn reduced(x: &[f64], phi: &[f64], norm: f64) -> Vec<f64> {
    let entry = |(x, f): (&f64, &f64)| f.min(norm * x);
    x.iter().zip(phi).map(entry).collect()
}

/// Largest a with x - a p >= 0.
fn feasible(x: &[f64], p: &[f64]) -> f64 {
    let falling = x.iter().zip(p).filter(|(_, p)| **p > 0.0);
    falling.fold(f64::INFINITY, |a, (x, p)| a.min(x / p))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn largest(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |m, v| m.max(v.abs()))
}

#[cfg(test)]
#[path = "tests/bounded.rs"]
mod tests;
