//! A kernel of fixed work, by which machines compare: four kinds of work that steps consist of,
//! three on data that stays in the first caches, and products with a matrix that does not.
//!
//! What it takes says how fast the machine is at the moment: a time over that of the kernel, both
//! measured in turn, is a time in kernels, and compares between machines as far as they do all four
//! kinds of work alike.

use std::hint::black_box;

/// Times that it is run for one look at the machine.
const TIMES: usize = 7;
/// Repetitions of what stays in the first caches.
const ROUNDS: u64 = 150;
/// Unknowns of the matrix that is factorised.
const SIZE: usize = 60;
/// Products with the large matrix.
const PRODUCTS: usize = 16;
/// Rows and columns of the large matrix, f32: 4 MiB.
const LARGE: usize = 1024;

/// Processor times of the kernel now, s, in the order of the clock.
pub fn times() -> Vec<f64> {
    let large = large();
    let once = |_| {
        let start = processor_time();
        black_box(work(black_box(1), black_box(&large)));
        processor_time() - start
    };
    (0..TIMES).map(once).collect()
}

/// The median; NaN of nothing.
pub fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    match (times.len(), times.len() / 2) {
        (0, _) => f64::NAN,
        (n, middle) if n % 2 == 1 => times[middle],
        (_, middle) => 0.5 * (times[middle - 1] + times[middle]),
    }
}

/// Processor time of this thread, s; time on the clock where the system does not tell it.
fn processor_time() -> f64 {
    #[cfg(unix)]
    {
        use nix::time::{ClockId, clock_gettime};
        clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(f64::NAN, |time| {
            time.tv_sec() as f64 + 1e-9 * time.tv_nsec() as f64
        })
    }
    #[cfg(not(unix))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static BEGINNING: OnceLock<Instant> = OnceLock::new();
        BEGINNING.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}

/// The work: a sum over all of its numbers.
fn work(seed: u64, large: &[f32]) -> f64 {
    let mut sum = streamed(large);
    for round in 0..ROUNDS {
        sum += factorised(seed + round) + turned(seed + round) + distances(seed + round);
    }
    sum
}

/// The large matrix, whose rows have the sum of one.
fn large() -> Vec<f32> {
    vec![1.0 / LARGE as f32; LARGE * LARGE]
}

/// Products with the large matrix, one after the other: it comes from behind the second cache.
fn streamed(large: &[f32]) -> f64 {
    let mut x = vec![1.0_f32; LARGE];
    for _ in 0..PRODUCTS {
        let mut product = vec![0.0_f32; LARGE];
        for (column, x) in large.chunks_exact(LARGE).zip(&x) {
            let both = product.iter_mut().zip(column);
            both.for_each(|(sum, a)| *sum += a * x);
        }
        x = product;
    }
    f64::from(x.iter().sum::<f32>()) / LARGE as f64
}

/// Numbers in [-1, 1) that look random: a linear congruential generator (Knuth's MMIX).
fn numbers(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    })
}

/// Elimination in a full matrix with a large diagonal: multiplications and additions in order.
fn factorised(seed: u64) -> f64 {
    let mut a: Vec<f64> = numbers(seed).take(SIZE * SIZE).collect();
    for k in 0..SIZE {
        a[k * SIZE + k] += 2.0 * SIZE as f64;
    }
    for k in 0..SIZE {
        let (above, below) = a.split_at_mut((k + 1) * SIZE);
        let pivot = &above[k * SIZE..];
        for row in below.chunks_exact_mut(SIZE) {
            let factor = row[k] / pivot[k];
            let both = row[k..].iter_mut().zip(&pivot[k..]);
            both.for_each(|(x, p)| *x -= factor * p);
        }
    }
    (0..SIZE).map(|k| a[k * SIZE + k]).sum()
}

/// Turns of vectors by angles: sines and cosines, one after the other.
fn turned(seed: u64) -> f64 {
    let mut v = [1.0, 0.0];
    for angle in numbers(seed).take(2000) {
        let (sin, cos) = f64::sin_cos(angle);
        v = [cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]];
    }
    v[0] + v[1]
}

/// Inverse distances of all pairs of points: square roots and divisions, independent of each other.
fn distances(seed: u64) -> f64 {
    let flat: Vec<f64> = numbers(seed).take(3 * 120).collect();
    let points: Vec<&[f64]> = flat.chunks_exact(3).collect();
    let mut sum = 0.0;
    for p in &points {
        for q in &points {
            let sq: f64 = p.iter().zip(*q).map(|(a, b)| (a - b) * (a - b)).sum();
            sum += 1.0 / (sq + 0.01).sqrt();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_fixed() {
        let large = large();
        let of = |seed| work(seed, &large);
        assert_eq!(of(1).to_bits(), of(1).to_bits());
        assert_ne!(of(1).to_bits(), of(2).to_bits());
        assert!(of(1).is_finite());
    }

    #[test]
    fn products_with_a_matrix_of_means_change_nothing() {
        assert!((streamed(&large()) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[3.0, 1.0, 2.0, 10.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn it_takes_time() {
        let times = times();
        assert!(times.len() == TIMES && times.iter().all(|time| *time > 0.0));
    }

    #[test]
    fn elimination_gives_the_pivots_of_a_known_matrix() {
        // Without its diagonal the matrix hardly matters: pivots are near the diagonal.
        let mean = factorised(3) / SIZE as f64;
        assert!((mean / (2.0 * SIZE as f64) - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn turns_keep_lengths() {
        assert!(turned(5).abs() <= 2.0_f64.sqrt() + 1e-9);
    }
}
