//! Vector kernel: the end blocks of several segments seen from one point.
//!
//! Same formulas as [`super::coefficients`], several segments at a time. The logarithm is only needed where the point
//! is near a segment, a few pairs per row, and is taken lane by lane.

use super::coefficients::{ATANH_TAIL, NEAR};
use super::segments::Segments;
use pulp::Simd;

/// `iso I + m0 r r^T + m1 (r t^T + t r^T) + m2 t t^T` for the two ends of each segment in the lanes.
pub(super) struct EndBlocks<S: Simd> {
    pub iso: [S::f64s; 2],
    pub m: [[S::f64s; 3]; 2],
    pub r: [S::f64s; 3],
    pub t: [S::f64s; 3],
}

/// Vectors of f64 of all arrays of [`Segments`].
pub(super) struct SegmentLanes<'a, S: Simd> {
    middle: [&'a [S::f64s]; 3],
    tangent: [&'a [S::f64s]; 3],
    length: &'a [S::f64s],
    inv_length: &'a [S::f64s],
    eps_sq: &'a [S::f64s],
    pub scale: [&'a [S::f64s]; 2],
}

fn lanes<S: Simd>(values: &[f64]) -> &[S::f64s] {
    S::as_simd_f64s(values).0
}

impl<'a, S: Simd> SegmentLanes<'a, S> {
    #[inline(always)]
    pub fn new(segments: &'a Segments) -> Self {
        let three = |a: &'a [Vec<f64>; 3]| [lanes::<S>(&a[0]), lanes::<S>(&a[1]), lanes::<S>(&a[2])];
        Self {
            middle: three(&segments.middle),
            tangent: three(&segments.tangent),
            length: lanes::<S>(&segments.length),
            inv_length: lanes::<S>(&segments.inv_length),
            eps_sq: lanes::<S>(&segments.eps_sq),
            scale: [lanes::<S>(&segments.scale[0]), lanes::<S>(&segments.scale[1])],
        }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.length.len()
    }

    /// Blocks of the segments of vector `group` seen from `point` (each coordinate splatted).
    #[inline(always)]
    pub fn blocks(&self, simd: S, group: usize, point: [S::f64s; 3]) -> EndBlocks<S> {
        let mul = |a, b| simd.mul_f64s(a, b);
        let add = |a, b| simd.add_f64s(a, b);
        let fma = |a, b, c| simd.mul_add_e_f64s(a, b, c);
        let splat = |a| simd.splat_f64s(a);

        let t = self.tangent.map(|a| a[group]);
        let length = self.length[group];
        let inv = self.inv_length[group];
        let eps_sq = self.eps_sq[group];
        let middle = [0, 1, 2].map(|k| simd.sub_f64s(point[k], self.middle[k][group]));
        let half = mul(splat(0.5), length);

        let axial = fma(middle[0], t[0], fma(middle[1], t[1], mul(middle[2], t[2])));
        let (mut a_sq, mut b_sq) = (eps_sq, eps_sq);
        for k in 0..3 {
            let a = simd.negate_mul_add_e_f64s(half, t[k], middle[k]);
            let b = fma(half, t[k], middle[k]);
            a_sq = fma(a, a, a_sq);
            b_sq = fma(b, b, b_sq);
        }
        let r0 = simd.sqrt_f64s(a_sq);
        let r1 = simd.sqrt_f64s(b_sq);
        let sum = add(r0, r1);
        let product = mul(r0, r1);
        let u = simd.div_f64s(length, sum);

        let w = mul(u, u);
        let u3 = mul(u, w);
        let mut tail = splat(ATANH_TAIL[12]);
        for k in (0..12).rev() {
            tail = fma(tail, w, splat(ATANH_TAIL[k]));
        }
        let g = mul(u3, fma(w, tail, splat(1.0 / 3.0)));
        let two_g = add(g, g);
        let c = simd.div_f64s(splat(2.0), simd.negate_mul_add_e_f64s(product, w, product));
        let u5 = mul(u3, w);
        let bend = mul(mul(axial, axial), mul(u5, c));
        let minus_axial = simd.neg_f64s(axial);
        let q1 = [fma(splat(2.0), u, two_g), mul(minus_axial, two_g)];
        let q3 = [
            mul(u, c),
            mul(minus_axial, mul(u3, c)),
            add(two_g, bend),
            mul(minus_axial, fma(mul(splat(6.0), u5), tail, mul(w, bend))),
        ];

        // End 0 and end 1: half the even moment, less and plus the odd one over L.
        let half_one = splat(0.5);
        let ends = |even, odd| {
            let (even, odd) = (mul(half_one, even), mul(inv, odd));
            [simd.sub_f64s(even, odd), add(even, odd)]
        };
        let [m0, m1, m2] = [0, 1, 2].map(|k| ends(q3[k], q3[k + 1]));
        let i1 = ends(q1[0], q1[1]);
        let mut blocks = EndBlocks {
            iso: [fma(eps_sq, m0[0], i1[0]), fma(eps_sq, m0[1], i1[1])],
            m: [[m0[0], m1[0], m2[0]], [m0[1], m1[1], m2[1]]],
            r: middle,
            t,
        };
        if simd.reduce_max_f64s(u) > NEAR {
            let near = simd.greater_than_f64s(u, splat(NEAR));
            let view = NearView {
                axial,
                middle,
                r0,
                r1,
            };
            let foot = self.foot_blocks(simd, group, view);
            let pick = |a, b| simd.select_f64s(near, a, b);
            for e in 0..2 {
                blocks.iso[e] = pick(foot.iso[e], blocks.iso[e]);
                for k in 0..3 {
                    blocks.m[e][k] = pick(foot.m[e][k], blocks.m[e][k]);
                }
            }
            for k in 0..3 {
                blocks.r[k] = pick(foot.r[k], blocks.r[k]);
            }
        }
        blocks
    }

    /// Blocks from moments about the foot of the perpendicular, for points near the segment.
    #[inline(always)]
    fn foot_blocks(&self, simd: S, group: usize, view: NearView<S>) -> EndBlocks<S> {
        let mul = |a, b| simd.mul_f64s(a, b);
        let add = |a, b| simd.add_f64s(a, b);
        let sub = |a, b| simd.sub_f64s(a, b);
        let div = |a, b| simd.div_f64s(a, b);
        let fma = |a, b, c| simd.mul_add_e_f64s(a, b, c);
        let splat = |a| simd.splat_f64s(a);

        let NearView {
            axial,
            middle,
            r0,
            r1,
        } = view;
        let t = self.tangent.map(|a| a[group]);
        let length = self.length[group];
        let inv = self.inv_length[group];
        let eps_sq = self.eps_sq[group];
        let half = mul(splat(0.5), length);
        let r = [0, 1, 2].map(|k| simd.negate_mul_add_e_f64s(axial, t[k], middle[k]));
        let rho_sq = fma(r[0], r[0], fma(r[1], r[1], fma(r[2], r[2], eps_sq)));

        // R0 + R1 - L, from the ends nearer to and farther from the point along the axis.
        let zero = splat(0.0);
        let distance = simd.abs_f64s(axial);
        let near = sub(distance, half);
        let ahead = simd.greater_than_or_equal_f64s(axial, zero);
        let r_near = simd.select_f64s(ahead, r0, r1);
        let r_far = simd.select_f64s(ahead, r1, r0);
        let q_near = add(r_near, simd.abs_f64s(near));
        let q_far = add(r_far, add(distance, half));
        let abreast = simd.less_than_f64s(near, zero);
        let from_near = simd.select_f64s(abreast, div(rho_sq, q_near), q_near);
        let excess = add(from_near, div(rho_sq, q_far));

        let sum = add(r0, r1);
        let product = mul(r0, r1);
        let total = add(sum, length);
        let difference = div(mul(mul(splat(2.0), axial), length), sum);
        let n0 = ln(simd, div(total, excess));
        let m0 = div(mul(mul(splat(2.0), length), sum), mul(mul(product, excess), total));
        let m1 = div(difference, product);
        let q1 = [n0, difference];
        let q3 = [
            m0,
            m1,
            simd.negate_mul_add_e_f64s(rho_sq, m0, n0),
            simd.negate_mul_add_e_f64s(rho_sq, m1, difference),
        ];

        // End 0 weighs a pair of moments by (z1, -1)/L, end 1 by (-z0, 1)/L.
        let z0 = sub(axial, half);
        let z1 = add(axial, half);
        let ends = |low, high| {
            [
                mul(inv, sub(mul(z1, low), high)),
                mul(inv, simd.negate_mul_add_e_f64s(z0, low, high)),
            ]
        };
        let [m0, m1, m2] = [0, 1, 2].map(|k| ends(q3[k], q3[k + 1]));
        let i1 = ends(q1[0], q1[1]);
        EndBlocks {
            iso: [fma(eps_sq, m0[0], i1[0]), fma(eps_sq, m0[1], i1[1])],
            m: [[m0[0], m1[0], m2[0]], [m0[1], m1[1], m2[1]]],
            r,
            t,
        }
    }
}

/// What the far branch already knows about the point.
struct NearView<S: Simd> {
    axial: S::f64s,
    middle: [S::f64s; 3],
    r0: S::f64s,
    r1: S::f64s,
}

/// Natural logarithm, lane by lane.
#[inline(always)]
fn ln<S: Simd>(simd: S, values: S::f64s) -> S::f64s {
    let mut buffer = [0.0; 16];
    let buffer = &mut buffer[..S::F64_LANES];
    simd.partial_store_f64s(buffer, values);
    for value in buffer.iter_mut() {
        *value = value.ln();
    }
    simd.partial_load_f64s(buffer)
}
