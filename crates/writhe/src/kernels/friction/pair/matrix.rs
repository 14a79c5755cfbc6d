//! Matrices of three rows and columns in lanes. All of it is forced inline, and maps over arrays are
//! written out: a closure that is not inlined would be compiled without the instructions of `S`.

use pulp::Simd;

use crate::lanes::{Pack, Pack3, dot, scale, scale_add};

/// A matrix in each lane, column by column.
pub(super) type Matrix<S> = [Pack3<S>; 3];

/// a b^T.
#[inline(always)]
pub(super) fn outer<S: Simd>(a: Pack3<S>, b: Pack3<S>) -> Matrix<S> {
    [scale(b[0], a), scale(b[1], a), scale(b[2], a)]
}

/// `m + a b^T`.
#[inline(always)]
pub(super) fn add_outer<S: Simd>(m: Matrix<S>, a: Pack3<S>, b: Pack3<S>) -> Matrix<S> {
    [
        scale_add(b[0], a, m[0]),
        scale_add(b[1], a, m[1]),
        scale_add(b[2], a, m[2]),
    ]
}

/// `s a + b`.
#[inline(always)]
pub(super) fn add_scaled<S: Simd>(s: Pack<S>, a: Matrix<S>, b: Matrix<S>) -> Matrix<S> {
    [
        scale_add(s, a[0], b[0]),
        scale_add(s, a[1], b[1]),
        scale_add(s, a[2], b[2]),
    ]
}

/// `s m`.
#[inline(always)]
pub(super) fn scaled<S: Simd>(s: Pack<S>, m: Matrix<S>) -> Matrix<S> {
    [scale(s, m[0]), scale(s, m[1]), scale(s, m[2])]
}

/// `m + s 1`.
#[inline(always)]
pub(super) fn add_identity<S: Simd>(s: Pack<S>, mut m: Matrix<S>) -> Matrix<S> {
    for (k, column) in m.iter_mut().enumerate() {
        column[k] += s;
    }
    m
}

/// `m + s [v]x`.
#[inline(always)]
pub(super) fn add_cross<S: Simd>(s: Pack<S>, v: Pack3<S>, m: Matrix<S>) -> Matrix<S> {
    let [x, y, z] = scale(s, v);
    [
        [m[0][0], m[0][1] + z, m[0][2] - y],
        [m[1][0] - z, m[1][1], m[1][2] + x],
        [m[2][0] + y, m[2][1] - x, m[2][2]],
    ]
}

/// `m v`.
#[inline(always)]
pub(super) fn times<S: Simd>(m: &Matrix<S>, v: Pack3<S>) -> Pack3<S> {
    scale_add(v[0], m[0], scale_add(v[1], m[1], scale(v[2], m[2])))
}

/// `m^T v`.
#[inline(always)]
pub(super) fn transposed_times<S: Simd>(m: &Matrix<S>, v: Pack3<S>) -> Pack3<S> {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

/// `a b`.
#[inline(always)]
pub(super) fn product<S: Simd>(a: &Matrix<S>, b: &Matrix<S>) -> Matrix<S> {
    [times(a, b[0]), times(a, b[1]), times(a, b[2])]
}

/// `a^T b`.
#[inline(always)]
pub(super) fn transposed_product<S: Simd>(a: &Matrix<S>, b: &Matrix<S>) -> Matrix<S> {
    [
        transposed_times(a, b[0]),
        transposed_times(a, b[1]),
        transposed_times(a, b[2]),
    ]
}
