//! Random numbers that are the same everywhere.

use glam::DVec3;

/// Small deterministic generator (splitmix64).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random(pub u64);

impl Random {
    /// Uniform in [-1, 1].
    pub fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform in [low, high].
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (1.0 + self.signed())
    }

    /// Uniform in the cube [-1, 1]^3.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// A direction, never zero.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.01..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }
}
