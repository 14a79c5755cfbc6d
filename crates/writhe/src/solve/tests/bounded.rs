use super::*;
use proptest::prelude::*;

/// `G^T G` for a `rank` x n matrix of random numbers, with unit diagonal scale.
fn gram(seed: u64, n: usize, rank: usize) -> Vec<Vec<f64>> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
    };
    let g: Vec<Vec<f64>> = (0..rank)
        .map(|_| (0..n).map(|_| next()).collect())
        .collect();
    (0..n)
        .map(|i| {
            (0..n)
                .map(|j| g.iter().map(|row| row[i] * row[j]).sum())
                .collect()
        })
        .collect()
}

fn times(a: &[Vec<f64>], x: &[f64], out: &mut [f64]) {
    for (out, row) in out.iter_mut().zip(a) {
        *out = dot(row, x);
    }
}

fn solve(a: &[Vec<f64>], b: &[f64], x: &mut [f64]) -> (BoundedReport, Vec<f64>) {
    let norm = a
        .iter()
        .map(|row| row.iter().map(|v| v.abs()).sum::<f64>())
        .fold(0.0, f64::max);
    let mut g = vec![0.0; b.len()];
    times(a, x, &mut g);
    g.iter_mut().zip(b).for_each(|(g, b)| *g -= b);
    let options = BoundedOptions {
        tolerance: 1e-10,
        max_products: 4000,
        norm,
    };
    let report = minimise(x, &mut g, &options, |p, out| {
        times(a, p, out);
        Ok(())
    })
    .unwrap();
    (report, g)
}

proptest! {
    /// x >= 0, g >= 0, x g = 0, with the gradient computed afresh; from any feasible start.
    #[test]
    fn optimality_conditions_hold(seed: u64, n in 1_usize..30, extra in 0_usize..20, start in 0.0..2.0_f64) {
        let a = gram(seed, n, n + 5 + extra);
        let b: Vec<f64> = gram(seed ^ 99, n, 1).iter().map(|row| row[0] * 5.0).collect();
        let mut x = vec![start; n];
        let (report, kept) = solve(&a, &b, &mut x);
        prop_assert!(report.converged, "{report:?}");
        let mut g = vec![0.0; n];
        times(&a, &x, &mut g);
        for i in 0..n {
            let g = g[i] - b[i];
            prop_assert!((g - kept[i]).abs() < 1e-8);
            prop_assert!(x[i] >= 0.0 && g > -1e-8 && (x[i] == 0.0 || g.abs() < 1e-8), "{i}: {} {g}", x[i]);
        }
    }
}

/// Two equal rows, as two pairs of edges that touch at a shared node: the sum is determined, not
/// the parts.
#[test]
fn redundant_rows_share() {
    let a = vec![
        vec![2.0, 2.0, 0.5],
        vec![2.0, 2.0, 0.5],
        vec![0.5, 0.5, 1.0],
    ];
    let b = [3.0, 3.0, 0.1];
    let mut x = vec![0.0; 3];
    let (report, g) = solve(&a, &b, &mut x);
    assert!(report.converged && report.products < 20, "{report:?}");
    assert!((2.0 * (x[0] + x[1]) + 0.5 * x[2] - 3.0).abs() < 1e-9);
    assert!(g.iter().all(|g| *g > -1e-9), "{g:?}");
}

#[test]
fn nothing_to_do_takes_no_product() {
    let a = vec![vec![1.0]];
    let (report, _) = solve(&a, &[-1.0], &mut [0.0]);
    assert_eq!((report.products, report.converged), (0, true));
}

/// A gradient that nothing changes: no infinite step, and no claim to have converged.
#[test]
fn a_zero_matrix_ends_without_nan() {
    let mut x = vec![0.0];
    let (report, g) = solve(&[vec![0.0]], &[1.0], &mut x);
    assert!(!report.converged && report.gradient == 1.0, "{report:?}");
    assert_eq!((x[0], g[0]), (0.0, -1.0));
}

#[test]
fn a_negative_eigenvalue_is_an_error() {
    let mut g = vec![-1.0];
    let options = BoundedOptions {
        tolerance: 1e-9,
        max_products: 10,
        norm: 1.0,
    };
    let outcome = minimise(&mut [0.0], &mut g, &options, |p, out| {
        out[0] = -p[0];
        Ok(())
    });
    assert!(outcome.is_err());
}
