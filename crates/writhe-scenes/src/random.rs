//! Random numbers that are the same in every run and on every machine: splitmix64.

/// A sequence of random numbers.
pub(crate) struct Random(u64);

impl Random {
    /// Of a seed and the number of a rod.
    pub fn new(seed: u64, rod: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ rod.wrapping_mul(0xd1b5_4a32_d192_ed03))
    }

    /// Of a seed, the number of a copy and one of its streams, which do not depend on each other.
    pub fn of_copy(seed: u64, copy: u64, stream: u64) -> Self {
        let Self(state) = Self::new(seed, copy);
        let mut random = Self(state ^ stream.wrapping_add(1).wrapping_mul(0x2545_f491_4f6c_dd1d));
        // Neighbouring seeds, copies and streams begin far from each other.
        let far = random.bits();
        Self(far)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In -1 to 1.
    pub fn next(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// In 0 to 1, 1 excluded.
    pub fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean 1/2 and variance 1/12, within four standard errors, over copies and over streams; copies
    /// do not follow each other.
    #[test]
    fn parts_are_spread_evenly() {
        let count = 20_000;
        let over = |pick: fn(u64) -> (u64, u64, u64)| -> Vec<f64> {
            let part = |k| {
                let (seed, copy, stream) = pick(k);
                Random::of_copy(seed, copy, stream).part()
            };
            (0..count).map(part).collect()
        };
        for values in [
            over(|k| (k, 0, 0)),
            over(|k| (0, k, 0)),
            over(|k| (3, 1, k)),
        ] {
            let n = count as f64;
            let mean = values.iter().sum::<f64>() / n;
            let spread = |v: f64| (v - 0.5).powi(2);
            let variance = values.iter().copied().map(spread).sum::<f64>() / n;
            let pairs = values.windows(2).map(|w| (w[0] - 0.5) * (w[1] - 0.5));
            let correlation = 12.0 * pairs.sum::<f64>() / n;
            assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12.0 / n).sqrt(), "{mean}");
            assert!((variance - 1.0 / 12.0).abs() < 4.0 / (180.0 * n).sqrt());
            assert!(correlation.abs() < 4.0 / n.sqrt(), "{correlation}");
            assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
        }
    }
}
