use super::*;
use crate::kernels::testing::Random;

/// `B B^T` of random numbers, scaled to a diagonal of 1, for so many pairs: of half the rank if
/// `thin`.
fn matrix(random: &mut Random, pairs: usize, thin: bool) -> Vec<Vec<f64>> {
    let n = 2 * pairs;
    let rank = if thin { pairs } else { n + 2 };
    let b: Vec<Vec<f64>> = (0..n)
        .map(|_| (0..rank).map(|_| random.range(-1.0, 1.0)).collect())
        .collect();
    let entry = |i: usize, j: usize| b[i].iter().zip(&b[j]).map(|(a, b)| a * b).sum::<f64>();
    let size: Vec<f64> = (0..n).map(|i| entry(i, i).sqrt()).collect();
    let row = |i: usize| (0..n).map(|j| entry(i, j) / (size[i] * size[j])).collect();
    (0..n).map(row).collect()
}

fn times(a: &[Vec<f64>], x: &[DVec2]) -> Vec<DVec2> {
    let entry = |row: &Vec<f64>| -> f64 {
        let pairs = row.chunks_exact(2).zip(x);
        pairs.map(|(a, x)| a[0] * x.x + a[1] * x.y).sum()
    };
    let rows = a.chunks_exact(2);
    rows.map(|pair| DVec2::new(entry(&pair[0]), entry(&pair[1])))
        .collect()
}

#[test]
fn a_solution_is_inside_without_slope_or_at_the_rim_with_one_inwards() {
    let mut random = Random(3);
    let (mut inside, mut at_rim) = (0, 0);
    for case in 0..60 {
        let pairs = 1 + case % 7;
        let a = matrix(&mut random, pairs, case % 3 == 0);
        let pair =
            |random: &mut Random| DVec2::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        // b in the range of A, as a minimum needs where A has a kernel.
        let wanted: Vec<DVec2> = (0..pairs).map(|_| pair(&mut random)).collect();
        let b = times(&a, &wanted);
        let radius: Vec<f64> = (0..pairs).map(|_| random.range(0.0, 1.2)).collect();
        let mut x = vec![DVec2::ZERO; pairs];
        let mut g: Vec<DVec2> = b.iter().map(|b| -*b).collect();
        let options = DiscOptions {
            tolerance: 1e-9,
            max_products: 20_000,
        };
        minimise(&mut x, &mut g, &radius, &options, |p, out| {
            out.copy_from_slice(&times(&a, p));
            Ok(())
        })
        .unwrap();
        let gradient = times(&a, &x);
        for i in 0..pairs {
            let slope = gradient[i] - b[i];
            assert!((slope - g[i]).length() < 1e-9);
            assert!(x[i].length() <= radius[i] * (1.0 + 1e-12));
            if x[i].length() < radius[i] * (1.0 - 1e-6) {
                inside += 1;
                assert!(slope.length() < 1e-7, "{slope}");
            } else {
                at_rim += 1;
                // g = -c x with c >= 0
                let across = slope.perp_dot(x[i]).abs();
                assert!(
                    across < 1e-7 && slope.dot(x[i]) < 1e-7,
                    "{slope} at {}",
                    x[i]
                );
            }
        }
    }
    assert!(inside > 20 && at_rim > 20, "{inside} {at_rim}");
}
