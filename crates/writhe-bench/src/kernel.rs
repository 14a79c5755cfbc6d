//! A kernel of fixed work, by which machines compare: three kinds of work that steps consist of, on
//! data that stays in the first caches.

use std::hint::black_box;

use writhe_rundir::processor_time;

/// Processor time of the kernel on the machine that the figures of other programs are from, s.
pub const REFERENCE: f64 = 0.0200;

/// Times that it is run for one figure, of which the fastest counts.
const TIMES: usize = 5;
/// Repetitions within one time.
const ROUNDS: u64 = 240;
/// Unknowns of the matrix that is factorised.
const SIZE: usize = 60;

/// Processor time of the kernel now, s.
pub fn time() -> f64 {
    let once = |_| {
        let start = processor_time();
        black_box(work(black_box(1)));
        processor_time() - start
    };
    (0..TIMES).map(once).fold(f64::INFINITY, f64::min)
}

/// The work: a sum over all of its numbers.
fn work(seed: u64) -> f64 {
    let mut sum = 0.0;
    for round in 0..ROUNDS {
        sum += factorised(seed + round) + turned(seed + round) + distances(seed + round);
    }
    sum
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
        assert_eq!(work(1).to_bits(), work(1).to_bits());
        assert_ne!(work(1).to_bits(), work(2).to_bits());
        assert!(work(1).is_finite());
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
