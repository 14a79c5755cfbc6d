//! A vector register of f64 with operators, so that the kernel reads like its scalar reference.
//!
//! Everything here is forced inline: a function that is not would be compiled without the
//! instructions of `S`.

use glam::DVec3;
use pulp::Simd;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Several f64, and the instruction set that works on them.
pub(crate) struct Pack<S: Simd> {
    pub simd: S,
    pub lanes: S::f64s,
}

/// Three packs: a vector of space in each lane.
pub(crate) type Pack3<S> = [Pack<S>; 3];

impl<S: Simd> Copy for Pack<S> {}

impl<S: Simd> Clone for Pack<S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Simd> Pack<S> {
    #[inline(always)]
    pub(crate) fn splat(simd: S, value: f64) -> Self {
        let lanes = simd.splat_f64s(value);
        Self { simd, lanes }
    }

    /// A number in every lane, for the instruction set of `self`.
    #[inline(always)]
    pub(crate) fn constant(self, value: f64) -> Self {
        Self::splat(self.simd, value)
    }

    #[inline(always)]
    fn with(self, lanes: S::f64s) -> Self {
        Self { lanes, ..self }
    }

    /// `self * b + c`.
    #[inline(always)]
    pub(crate) fn mul_add(self, b: Self, c: Self) -> Self {
        self.with(self.simd.mul_add_e_f64s(self.lanes, b.lanes, c.lanes))
    }

    /// `c - self * b`.
    #[inline(always)]
    pub(crate) fn mul_from(self, b: Self, c: Self) -> Self {
        self.with(
            self.simd
                .negate_mul_add_e_f64s(self.lanes, b.lanes, c.lanes),
        )
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Self {
        self.with(self.simd.sqrt_f64s(self.lanes))
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        let negative = -self;
        self.with(self.simd.max_f64s(self.lanes, negative.lanes))
    }

    /// The larger number.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.with(self.simd.max_f64s(self.lanes, other.lanes))
    }

    /// The nearest number between 0 and 1.
    #[inline(always)]
    pub(crate) fn clamped_to_unit(self) -> Self {
        let [zero, one] = [0.0, 1.0].map(|v| self.constant(v).lanes);
        let simd = self.simd;
        self.with(simd.min_f64s(simd.max_f64s(self.lanes, zero), one))
    }

    #[inline(always)]
    pub(crate) fn max_lane(self) -> f64 {
        self.simd.reduce_max_f64s(self.lanes)
    }

    #[inline(always)]
    pub(crate) fn sum_lanes(self) -> f64 {
        self.simd.reduce_sum_f64s(self.lanes)
    }

    #[inline(always)]
    pub(crate) fn less_than(self, b: Self) -> S::m64s {
        self.simd.less_than_f64s(self.lanes, b.lanes)
    }

    /// `self` where the mask is set, `other` elsewhere.
    #[inline(always)]
    pub(crate) fn or_else(self, mask: S::m64s, other: Self) -> Self {
        let simd = self.simd;
        // As `select_f64s`, which is not forced inline.
        let [a, b] = [
            simd.transmute_u64s_f64s(self.lanes),
            simd.transmute_u64s_f64s(other.lanes),
        ];
        self.with(simd.transmute_f64s_u64s(simd.select_u64s(mask, a, b)))
    }

    /// The lanes moved up by one; into the lowest comes the highest of `before`. `highest` is set
    /// in the highest lane alone.
    #[inline(always)]
    pub(crate) fn moved_up(self, before: Self, highest: S::m64s) -> Self {
        let turned = before.or_else(highest, self);
        self.with(self.simd.rotate_right_f64s(turned.lanes, 1))
    }

    /// The lanes moved down by one; into the highest comes the lowest of `after`. `lowest` is set
    /// in the lowest lane alone.
    #[inline(always)]
    pub(crate) fn moved_down(self, after: Self, lowest: S::m64s) -> Self {
        let turned = after.or_else(lowest, self);
        self.with(self.simd.rotate_left_f64s(turned.lanes, 1))
    }

    /// Natural logarithm, lane by lane.
    #[inline(always)]
    pub(crate) fn ln(self) -> Self {
        self.by_lane(self, |value, _| value.ln())
    }

    /// A function of two numbers, lane by lane.
    #[inline(always)]
    pub(crate) fn by_lane(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        // Sixteen lanes are more than any instruction set has.
        let mut both = [[0.0; 16]; 2];
        let [buffer, others] = &mut both;
        let (buffer, others) = (&mut buffer[..S::F64_LANES], &mut others[..S::F64_LANES]);
        self.simd.partial_store_f64s(buffer, self.lanes);
        self.simd.partial_store_f64s(others, other.lanes);
        for (value, other) in buffer.iter_mut().zip(others) {
            *value = f(*value, *other);
        }
        self.with(self.simd.partial_load_f64s(buffer))
    }
}

impl<S: Simd> Add for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.with(self.simd.add_f64s(self.lanes, b.lanes))
    }
}

impl<S: Simd> Sub for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self.with(self.simd.sub_f64s(self.lanes, b.lanes))
    }
}

impl<S: Simd> Mul for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        self.with(self.simd.mul_f64s(self.lanes, b.lanes))
    }
}

impl<S: Simd> Div for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        self.with(self.simd.div_f64s(self.lanes, b.lanes))
    }
}

impl<S: Simd> Neg for Pack<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // `neg_f64s` is not forced inline.
        self * self.constant(-1.0)
    }
}

impl<S: Simd> AddAssign for Pack<S> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

/// A mask with nothing but lane `lane` set.
#[inline(always)]
pub(crate) fn one_lane<S: Simd>(simd: S, lane: usize) -> S::m64s {
    // Sixteen lanes are more than any instruction set has.
    let mut chosen = [0.0; 16];
    chosen[lane] = 1.0;
    let chosen = simd.partial_load_f64s(&chosen[..S::F64_LANES]);
    simd.less_than_f64s(simd.splat_f64s(0.5), chosen)
}

/// A vector of space in every lane.
#[inline(always)]
pub(crate) fn splat3<S: Simd>(simd: S, a: DVec3) -> Pack3<S> {
    [
        Pack::splat(simd, a.x),
        Pack::splat(simd, a.y),
        Pack::splat(simd, a.z),
    ]
}

/// Scalar product of the vectors of space in each lane.
#[inline(always)]
pub(crate) fn dot<S: Simd>(a: Pack3<S>, b: Pack3<S>) -> Pack<S> {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// `s a + b`.
#[inline(always)]
pub(crate) fn scale_add<S: Simd>(s: Pack<S>, a: Pack3<S>, b: Pack3<S>) -> Pack3<S> {
    [
        s.mul_add(a[0], b[0]),
        s.mul_add(a[1], b[1]),
        s.mul_add(a[2], b[2]),
    ]
}

/// `b - s a`.
#[inline(always)]
pub(crate) fn scale_from<S: Simd>(s: Pack<S>, a: Pack3<S>, b: Pack3<S>) -> Pack3<S> {
    [
        s.mul_from(a[0], b[0]),
        s.mul_from(a[1], b[1]),
        s.mul_from(a[2], b[2]),
    ]
}

/// `a x b`.
#[inline(always)]
pub(crate) fn cross<S: Simd>(a: Pack3<S>, b: Pack3<S>) -> Pack3<S> {
    [
        a[1].mul_add(b[2], -(a[2] * b[1])),
        a[2].mul_add(b[0], -(a[0] * b[2])),
        a[0].mul_add(b[1], -(a[1] * b[0])),
    ]
}

/// `a x b` without fused products: exactly zero for vectors that are the same.
#[inline(always)]
pub(crate) fn exact_cross<S: Simd>(a: Pack3<S>, b: Pack3<S>) -> Pack3<S> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// `a - b`.
#[inline(always)]
pub(crate) fn sub<S: Simd>(a: Pack3<S>, b: Pack3<S>) -> Pack3<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a + b`.
#[inline(always)]
pub(crate) fn add<S: Simd>(a: Pack3<S>, b: Pack3<S>) -> Pack3<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `s a`.
#[inline(always)]
pub(crate) fn scale<S: Simd>(s: Pack<S>, a: Pack3<S>) -> Pack3<S> {
    [s * a[0], s * a[1], s * a[2]]
}

#[cfg(test)]
mod tests {
    use pulp::WithSimd;

    use super::*;

    /// Lanes moved up and down, between neighbours of 100 and 200.
    struct Moved;

    impl WithSimd for Moved {
        type Output = [Vec<f64>; 2];

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> [Vec<f64>; 2] {
            let n = S::F64_LANES;
            let pack = |first: f64| {
                let numbers: Vec<f64> = (0..n).map(|lane| first + lane as f64).collect();
                let lanes = simd.partial_load_f64s(&numbers);
                Pack { simd, lanes }
            };
            let up = pack(0.0).moved_up(pack(100.0), one_lane(simd, n - 1));
            let down = pack(0.0).moved_down(pack(200.0), one_lane(simd, 0));
            [up, down].map(|pack| {
                let mut numbers = vec![0.0; n];
                simd.partial_store_f64s(&mut numbers, pack.lanes);
                numbers
            })
        }
    }

    fn check([up, down]: [Vec<f64>; 2]) {
        let n = up.len();
        let numbers = || (0..n - 1).map(|lane| lane as f64);
        let last = 100.0 + (n - 1) as f64;
        assert_eq!(
            up,
            std::iter::once(last).chain(numbers()).collect::<Vec<_>>()
        );
        let first = numbers().map(|number| number + 1.0);
        assert_eq!(down, first.chain([200.0]).collect::<Vec<_>>());
    }

    /// With each set of instructions that the machine has.
    #[test]
    fn lanes_move_to_their_neighbours() {
        check(pulp::Arch::new().dispatch(Moved));
        check(Moved.with_simd(pulp::Scalar::new()));
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            check(simd.vectorize(|| Moved.with_simd(simd)));
        }
    }
}
