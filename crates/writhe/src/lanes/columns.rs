//! Numbers in memory, and the part of them that is in registers.

use glam::DVec3;
use pulp::Simd;

use super::pack::{Pack, Pack3};

/// Numbers in a column: a multiple of the lanes of every instruction set.
pub(crate) const COLUMN: usize = 8;

/// One number of each of a few things, which are side by side.
pub(crate) type Column = [f64; COLUMN];

/// A vector of space of each.
pub(crate) type Columns3 = [Column; 3];

/// Which places of a column are in the registers.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S: Simd> {
    pub simd: S,
    group: usize,
}

impl<S: Simd> Lanes<S> {
    /// The parts of a column, one after the other.
    #[inline(always)]
    pub fn all(simd: S) -> impl Iterator<Item = Self> {
        (0..(COLUMN / S::F64_LANES).max(1)).map(move |group| Self { simd, group })
    }

    #[inline(always)]
    pub fn load(self, column: &Column) -> Pack<S> {
        Pack {
            simd: self.simd,
            lanes: S::as_simd_f64s(column).0[self.group],
        }
    }

    #[inline(always)]
    pub fn load3(self, columns: &Columns3) -> Pack3<S> {
        [
            self.load(&columns[0]),
            self.load(&columns[1]),
            self.load(&columns[2]),
        ]
    }

    #[inline(always)]
    pub fn store(self, pack: Pack<S>, column: &mut Column) {
        S::as_mut_simd_f64s(column).0[self.group] = pack.lanes;
    }

    #[inline(always)]
    pub fn splat(self, value: f64) -> Pack<S> {
        Pack::splat(self.simd, value)
    }
}

/// Puts a vector in place `lane`.
#[inline(always)]
pub(crate) fn put(columns: &mut Columns3, lane: usize, vector: DVec3) {
    columns[0][lane] = vector.x;
    columns[1][lane] = vector.y;
    columns[2][lane] = vector.z;
}

/// The vector in place `lane`.
#[inline(always)]
pub(crate) fn take(columns: &Columns3, lane: usize) -> DVec3 {
    DVec3::new(columns[0][lane], columns[1][lane], columns[2][lane])
}
