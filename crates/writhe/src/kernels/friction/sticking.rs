//! How far friction holds what it should.

use glam::DVec3;

/// Fraction of mu F_n from which on a contact counts as sliding.
const SLIDING: f64 = 0.99;

/// Contacts that friction holds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sticking {
    /// How many have friction below its limit.
    pub contacts: usize,
    /// Largest speed at which one of them slips all the same, m/s.
    pub creep: f64,
}

impl Sticking {
    /// Counts a contact with the friction `force`, N, and its limit mu F_n, N, that slips with the
    /// velocity `slip`, m/s.
    pub fn count(&mut self, force: DVec3, limit: f64, slip: DVec3) {
        if force.length() < SLIDING * limit {
            self.contacts += 1;
            self.creep = self.creep.max(slip.length());
        }
    }
}
