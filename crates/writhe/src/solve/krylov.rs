//! Flexible GMRES: a matrix known by its product, a preconditioner that may change as it goes.
//!
//! Y. Saad, *A flexible inner-outer preconditioned GMRES algorithm*, SIAM J. Sci. Comput. 14
//! (1993). With `v_j` the orthonormal basis and `z_j = M^-1 v_j`, the iteration keeps
//! `A Z_m = V_{m+1} H_m` and takes the `x = x_0 + Z_m y` that minimises `|b - A x|_2`.

use super::error::{SolveError, expect_length};

/// A new basis vector that lost more than this factor of its length in orthogonalisation is
/// orthogonalised again.
const REORTHOGONALISE_BELOW: f64 = 0.7;

/// A new basis vector shorter than this, relative to the product it came from, is rounding.
const BREAKDOWN_BELOW: f64 = 1e-14;

/// When to stop and how much to keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KrylovOptions {
    /// Wanted `|b - A x|_2 / |b|_2`.
    pub tolerance: f64,
    /// Basis vectors kept before the iteration starts again from its current solution.
    pub restart: usize,
    /// Largest number of iterations over all restarts.
    pub max_iterations: usize,
    /// Whether the end is judged by the residual's definition, for one more product; else by the
    /// recurrence, to which rounding adds up over the iterations.
    pub confirm: bool,
}

impl Default for KrylovOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            restart: 40,
            max_iterations: 200,
            confirm: true,
        }
    }
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KrylovOutcome {
    /// The true residual meets the tolerance.
    Converged,
    /// The permitted iterations were used up.
    IterationLimit,
    /// A whole cycle, or an exhausted Krylov space, brought no progress: the matrix or the
    /// preconditioner is singular, or the tolerance is below what rounding allows.
    Stagnated,
}

/// What an iteration achieved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KrylovReport {
    /// Whether it converged, and if not why.
    pub outcome: KrylovOutcome,
    /// Number of applications of the preconditioner.
    pub iterations: usize,
    /// Number of products with the matrix, those of the residuals included.
    pub products: usize,
    /// `|b - A x|_2 / |b|_2`, computed from its definition at the end.
    pub relative_residual: f64,
}

impl KrylovReport {
    /// Whether the tolerance was met.
    pub(crate) fn converged(&self) -> bool {
        self.outcome == KrylovOutcome::Converged
    }
}

/// Storage of an iteration, reusable; grows to the largest system it has seen.
///
/// Memory: `(2 m + 2) n` numbers for restart `m`.
#[derive(Debug, Clone, Default)]
pub(crate) struct KrylovWorkspace {
    /// Orthonormal basis, `m + 1` vectors of `n`.
    basis: Vec<f64>,
    /// Preconditioned basis, `m` vectors of `n`.
    preconditioned: Vec<f64>,
    residual: Vec<f64>,
    /// Upper triangular factor of the Hessenberg matrix, by columns of `m + 1`.
    triangle: Vec<f64>,
    /// Rotations `(cosine, sine)` that made it triangular.
    rotations: Vec<(f64, f64)>,
    /// Rotated right-hand side of the least-squares problem, shape `(m + 1)`.
    projected: Vec<f64>,
}

impl KrylovWorkspace {
    /// An empty workspace.
    #[cfg(test)]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    fn prepare(&mut self, n: usize, restart: usize) {
        self.basis.resize((restart + 1) * n, 0.0);
        self.preconditioned.resize(restart * n, 0.0);
        self.residual.resize(n, 0.0);
        self.triangle.resize(restart * (restart + 1), 0.0);
        self.rotations.resize(restart, (1.0, 0.0));
        self.projected.resize(restart + 1, 0.0);
    }

    /// The residual `b - A x` of the last solve.
    pub(crate) fn residual(&self) -> &[f64] {
        &self.residual
    }

    /// Sets the residual to what the recurrence says after a cycle of so many columns:
    /// `r = V_{m+1} Q^T (0, .., 0, g_{m+1})`, Q being the product of the rotations.
    fn leave_residual(&mut self, columns: usize, left: f64) {
        let (mut above, mut weights) = (left, vec![0.0; columns + 1]);
        for (j, (cosine, sine)) in self.rotations[..columns].iter().enumerate().rev() {
            weights[j + 1] = cosine * above;
            above *= -sine;
        }
        weights[0] = above;
        combine(&self.basis, &weights, &mut self.residual);
    }
}

/// Solves `A x = b` by restarted flexible GMRES with a right preconditioner, starting from `x`.
///
/// `operator(v, y)` sets `y = A v`; `preconditioner(v, z)` sets `z` near `A^-1 v` and may differ
/// from call to call. Orthogonalisation is modified Gram-Schmidt, repeated where cancellation was
/// strong. Cost of an iteration: one call of each, and `4 j n` operations for the `j`-th of a
/// cycle. Sums are taken in a fixed order, so results are reproducible bit for bit.
///
/// An iteration that does not converge is not an error: `x` then holds the best iterate and the
/// report says why. A zero right-hand side gives zero at once.
///
/// # Errors
/// [`SolveError::WrongLength`] when `x` and `b` differ in length, [`SolveError::NotFinite`] when
/// the right-hand side, a product or a preconditioned vector is not finite; `x` then holds the
/// iterate of the last completed cycle.
pub(crate) fn fgmres(
    operator: &mut impl FnMut(&[f64], &mut [f64]),
    preconditioner: &mut impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    x: &mut [f64],
    options: &KrylovOptions,
    workspace: &mut KrylovWorkspace,
) -> Result<KrylovReport, SolveError> {
    let n = b.len();
    let (norm_b, mut report) = begin(b, x)?;
    if norm_b == 0.0 {
        workspace.residual.clear();
        workspace.residual.resize(n, 0.0);
        return Ok(report);
    }
    // A Krylov space has at most n dimensions.
    let restart = options.restart.clamp(1, n.max(1));
    workspace.prepare(n, restart);
    // A start of zero needs no product: its residual is b.
    let mut norm_r = if x.iter().all(|&value| value == 0.0) {
        workspace.residual.copy_from_slice(b);
        norm_b
    } else {
        report.products += 1;
        residual(operator, b, x, &mut workspace.residual)?
    };
    loop {
        report.relative_residual = norm_r / norm_b;
        if report.relative_residual <= options.tolerance {
            report.outcome = KrylovOutcome::Converged;
            return Ok(report);
        }
        let left = options.max_iterations.saturating_sub(report.iterations);
        if left == 0 {
            report.outcome = KrylovOutcome::IterationLimit;
            return Ok(report);
        }
        let target = options.tolerance * norm_b;
        let steps = restart.min(left);
        let used = cycle(
            operator,
            preconditioner,
            norm_r,
            target,
            steps,
            restart,
            workspace,
        )?;
        report.iterations += used.iterations;
        report.products += used.iterations;
        let left = used.left.filter(|_| !options.confirm);
        let foreseen = left.filter(|left| left.abs() <= target);
        if let Some(left) = foreseen {
            workspace.leave_residual(used.columns, left);
        }
        // x <- x + Z y; the basis is used up, and its first vector free for Z y.
        let correction = &mut workspace.basis[..n];
        combine(
            &workspace.preconditioned,
            &workspace.projected[..used.columns],
            correction,
        );
        x.iter_mut().zip(&*correction).for_each(|(x, d)| *x += d);
        if let Some(left) = foreseen {
            report.relative_residual = left.abs() / norm_b;
            report.outcome = KrylovOutcome::Converged;
            return Ok(report);
        }
        let before = norm_r;
        report.products += 1;
        norm_r = residual(operator, b, x, &mut workspace.residual)?;
        let improved = norm_r < before;
        if !improved || (used.exhausted && norm_r > target) {
            if !improved {
                // Rounding made it worse: go back.
                x.iter_mut()
                    .zip(&workspace.basis[..n])
                    .for_each(|(x, d)| *x -= d);
                report.products += 1;
                norm_r = residual(operator, b, x, &mut workspace.residual)?;
            }
            report.relative_residual = norm_r / norm_b;
            report.outcome = KrylovOutcome::Stagnated;
            return Ok(report);
        }
    }
}

/// What a cycle used; the coefficients are left at the start of `projected`.
struct Cycle {
    iterations: usize,
    columns: usize,
    /// The Krylov space cannot grow any more.
    exhausted: bool,
    /// The last entry of the rotated right-hand side, as long as the residual that the least
    /// squares leave; `None` where the space is exhausted.
    left: Option<f64>,
}

/// One Arnoldi process of at most `steps` vectors from the residual, and its least squares.
fn cycle(
    operator: &mut impl FnMut(&[f64], &mut [f64]),
    preconditioner: &mut impl FnMut(&[f64], &mut [f64]),
    norm_r: f64,
    target: f64,
    steps: usize,
    restart: usize,
    workspace: &mut KrylovWorkspace,
) -> Result<Cycle, SolveError> {
    let KrylovWorkspace {
        basis,
        preconditioned,
        residual,
        triangle,
        rotations,
        projected,
    } = workspace;
    let n = residual.len();
    // v_0 = r/|r|, and the least-squares problem |r| e_1 - H y
    basis[..n]
        .iter_mut()
        .zip(&*residual)
        .for_each(|(v, r)| *v = r / norm_r);
    projected.fill(0.0);
    projected[0] = norm_r;
    let (mut done, mut exhausted) = (0, false);
    while done < steps {
        let j = done;
        let (known, next) = basis.split_at_mut((j + 1) * n);
        let (v, w) = (&known[j * n..], &mut next[..n]);
        let z = &mut preconditioned[j * n..(j + 1) * n];
        // z_j = M^-1 v_j, w = A z_j
        preconditioner(v, z);
        operator(z, w);
        let column = &mut triangle[j * (restart + 1)..(j + 1) * (restart + 1)];
        let length = norm(w);
        if !length.is_finite() {
            return Err(SolveError::NotFinite {
                place: "Krylov vector",
            });
        }
        // Column j of H: coefficients by the known vectors, below them the new one's length.
        let rest = orthogonalise(known, w, length, &mut column[..j + 1]);
        // A z_j lies in the space so far, to rounding: it cannot grow any more.
        exhausted = rest <= BREAKDOWN_BELOW * length;
        let rest = if exhausted { 0.0 } else { rest };
        if !exhausted {
            w.iter_mut().for_each(|w| *w /= rest);
        }
        // Earlier rotations on the new column, then one of its own that makes it triangular.
        for (i, &(cosine, sine)) in rotations[..j].iter().enumerate() {
            let (upper, lower) = (column[i], column[i + 1]);
            column[i] = cosine * upper + sine * lower;
            column[i + 1] = cosine * lower - sine * upper;
        }
        let pivot = column[j].hypot(rest);
        done += 1;
        if pivot <= BREAKDOWN_BELOW * length {
            // The image of z_j adds nothing: leave the column out.
            return Ok(finish(triangle, projected, restart, done, done - 1, true));
        }
        let (cosine, sine) = (column[j] / pivot, rest / pivot);
        column[j] = pivot;
        rotations[j] = (cosine, sine);
        // The last entry is what the least squares leave: the residual's length.
        projected[j + 1] = -sine * projected[j];
        projected[j] *= cosine;
        if exhausted || projected[j + 1].abs() <= target {
            break;
        }
    }
    Ok(finish(triangle, projected, restart, done, done, exhausted))
}

/// Solves the triangular system of `columns` unknowns in place of its right-hand side.
fn finish(
    triangle: &[f64],
    projected: &mut [f64],
    restart: usize,
    iterations: usize,
    columns: usize,
    exhausted: bool,
) -> Cycle {
    // Back substitution, column by column: R y = Q^T |r| e_1
    for j in (0..columns).rev() {
        let column = &triangle[j * (restart + 1)..];
        projected[j] /= column[j];
        let solved = projected[j];
        for (entry, upper) in projected[..j].iter_mut().zip(column) {
            *entry -= upper * solved;
        }
    }
    Cycle {
        iterations,
        columns,
        exhausted,
        left: (!exhausted).then(|| projected[columns]),
    }
}

/// Removes from `w`, of the given length, its components along the known vectors; returns the
/// length of what is left and sets the coefficients.
fn orthogonalise(known: &[f64], w: &mut [f64], length: f64, coefficients: &mut [f64]) -> f64 {
    coefficients.fill(0.0);
    if length == 0.0 {
        return 0.0;
    }
    let mut before = length;
    let mut after = length;
    // Modified Gram-Schmidt, and once more where most of the length was lost: twice is enough.
    for _ in 0..2 {
        for (v, coefficient) in known.chunks_exact(w.len()).zip(&mut *coefficients) {
            let along = dot(v, w);
            *coefficient += along;
            w.iter_mut().zip(v).for_each(|(w, v)| *w -= along * v);
        }
        after = norm(w);
        if after > REORTHOGONALISE_BELOW * before {
            break;
        }
        before = after;
    }
    after
}

/// `sum = Z y`.
fn combine(vectors: &[f64], coefficients: &[f64], sum: &mut [f64]) {
    sum.fill(0.0);
    for (vector, coefficient) in vectors.chunks_exact(sum.len().max(1)).zip(coefficients) {
        sum.iter_mut()
            .zip(vector)
            .for_each(|(sum, value)| *sum += coefficient * value);
    }
}

/// Norm of the right-hand side `b`, and the report of a solve that has done nothing; a zero one is
/// solved by `x = 0`, at once.
pub(super) fn begin(b: &[f64], x: &mut [f64]) -> Result<(f64, KrylovReport), SolveError> {
    expect_length(b.len(), x.len())?;
    let norm_b = norm(b);
    if !norm_b.is_finite() {
        return Err(SolveError::NotFinite {
            place: "right-hand side",
        });
    }
    if norm_b == 0.0 {
        x.fill(0.0);
    }
    let report = KrylovReport {
        outcome: KrylovOutcome::Converged,
        iterations: 0,
        products: 0,
        relative_residual: 0.0,
    };
    Ok((norm_b, report))
}

/// Sets `r = b - A x` and returns its length.
pub(super) fn residual(
    operator: &mut impl FnMut(&[f64], &mut [f64]),
    b: &[f64],
    x: &[f64],
    r: &mut [f64],
) -> Result<f64, SolveError> {
    operator(x, r);
    r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    let length = norm(r);
    if length.is_finite() {
        Ok(length)
    } else {
        Err(SolveError::NotFinite { place: "residual" })
    }
}

/// Scalar product in eight interleaved partial sums.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_chunks, a_rest) = a.as_chunks::<8>();
    let (b_chunks, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *sum += a * b;
    }
    sums.iter().sum()
}

/// Euclidean length.
pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
