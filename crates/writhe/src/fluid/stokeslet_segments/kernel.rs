//! Vector kernel: the end blocks of several segments seen from one point.
//!
//! Same formulas as [`crate::fluid::stokeslet_segments::coefficients`], several segments at a time.
//! The logarithm is only needed where the point is near a segment, a few pairs per row, and is
//! taken lane by lane.

use crate::fluid::stokeslet_segments::coefficients::{ATANH_TAIL, NEAR};
use crate::fluid::stokeslet_segments::segments::Segments;
use crate::lanes::{Pack, Pack3, dot, scale_add, scale_from};
use pulp::Simd;

/// `iso I + m0 r r^T + m1 (r t^T + t r^T) + m2 t t^T` for the two ends of each segment in the
/// lanes.
pub(super) struct EndBlocks<S: Simd> {
    pub iso: [Pack<S>; 2],
    pub m: [[Pack<S>; 3]; 2],
    pub r: Pack3<S>,
    pub t: Pack3<S>,
}

/// Vectors of f64 of all arrays of [`Segments`].
pub(super) struct SegmentLanes<'a, S: Simd> {
    simd: S,
    middle: [&'a [S::f64s]; 3],
    tangent: [&'a [S::f64s]; 3],
    length: &'a [S::f64s],
    inv_length: &'a [S::f64s],
    eps_sq: &'a [S::f64s],
    scale: [&'a [S::f64s]; 2],
}

/// The segments in the lanes and what both branches know about the point.
#[derive(Clone, Copy)]
struct View<S: Simd> {
    t: Pack3<S>,
    length: Pack<S>,
    inv_length: Pack<S>,
    eps_sq: Pack<S>,
    middle: Pack3<S>,
    axial: Pack<S>,
    r0: Pack<S>,
    r1: Pack<S>,
}

/// Three arrays as vectors.
#[inline(always)]
pub(super) fn three<S: Simd>(a: &[Vec<f64>; 3]) -> [&[S::f64s]; 3] {
    [
        S::as_simd_f64s(&a[0]).0,
        S::as_simd_f64s(&a[1]).0,
        S::as_simd_f64s(&a[2]).0,
    ]
}

impl<'a, S: Simd> SegmentLanes<'a, S> {
    #[inline(always)]
    pub(crate) fn new(simd: S, segments: &'a Segments) -> Self {
        Self {
            simd,
            middle: three::<S>(&segments.middle),
            tangent: three::<S>(&segments.tangent),
            length: S::as_simd_f64s(&segments.length).0,
            inv_length: S::as_simd_f64s(&segments.inv_length).0,
            eps_sq: S::as_simd_f64s(&segments.eps_sq).0,
            scale: [
                S::as_simd_f64s(&segments.scale[0]).0,
                S::as_simd_f64s(&segments.scale[1]).0,
            ],
        }
    }

    /// Number of vectors.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length.len()
    }

    /// 1/(8 pi mu dl) of the nodes at end `end`.
    #[inline(always)]
    pub(crate) fn scale(&self, end: usize, group: usize) -> Pack<S> {
        self.pack(self.scale[end][group])
    }

    #[inline(always)]
    fn pack(&self, lanes: S::f64s) -> Pack<S> {
        Pack {
            simd: self.simd,
            lanes,
        }
    }

    #[inline(always)]
    fn pack3(&self, arrays: &[&[S::f64s]; 3], group: usize) -> Pack3<S> {
        [
            self.pack(arrays[0][group]),
            self.pack(arrays[1][group]),
            self.pack(arrays[2][group]),
        ]
    }

    /// Blocks of the segments of vector `group` seen from `point`.
    #[inline(always)]
    pub(crate) fn blocks(&self, group: usize, point: Pack3<S>) -> EndBlocks<S> {
        let t = self.pack3(&self.tangent, group);
        let length = self.pack(self.length[group]);
        let eps_sq = self.pack(self.eps_sq[group]);
        let y = self.pack3(&self.middle, group);
        let middle = [point[0] - y[0], point[1] - y[1], point[2] - y[2]];
        let half = length * length.constant(0.5);
        // x - y0 and x - y1
        let to_0 = scale_from(half, t, middle);
        let to_1 = scale_add(half, t, middle);
        let view = View {
            t,
            length,
            inv_length: self.pack(self.inv_length[group]),
            eps_sq,
            middle,
            axial: dot(middle, t),
            r0: (dot(to_0, to_0) + eps_sq).sqrt(),
            r1: (dot(to_1, to_1) + eps_sq).sqrt(),
        };
        let u = length / (view.r0 + view.r1);
        let far = centred_blocks(view, u);
        // Near points are few, and need a logarithm: only where a lane has one.
        if u.max_lane() > NEAR {
            let near = u.constant(NEAR).less_than(u);
            pick(near, foot_blocks(view), far)
        } else {
            far
        }
    }
}

/// `a` in the lanes of the mask, `b` in the others.
#[inline(always)]
fn pick<S: Simd>(mask: S::m64s, a: EndBlocks<S>, b: EndBlocks<S>) -> EndBlocks<S> {
    let mut out = b;
    for e in 0..2 {
        out.iso[e] = a.iso[e].or_else(mask, out.iso[e]);
        for k in 0..3 {
            out.m[e][k] = a.m[e][k].or_else(mask, out.m[e][k]);
        }
    }
    for k in 0..3 {
        out.r[k] = a.r[k].or_else(mask, out.r[k]);
    }
    out
}

/// Blocks from moments about the middle of the segment, for u <= 1/2 (any finite number for larger
/// u).
#[inline(always)]
fn centred_blocks<S: Simd>(view: View<S>, u: Pack<S>) -> EndBlocks<S> {
    let View { axial, .. } = view;
    let product = view.r0 * view.r1;
    let w = u * u;
    let u3 = u * w;
    let u5 = u3 * w;
    // E(u^2) by Horner's rule
    let mut tail = u.constant(ATANH_TAIL[12]);
    for k in 0..12 {
        tail = tail.mul_add(w, u.constant(ATANH_TAIL[11 - k]));
    }
    let two = u.constant(2.0);
    let two_g = two * u3 * w.mul_add(tail, u.constant(1.0 / 3.0));
    let c = two / product.mul_from(w, product);
    // z_c^2 u^5 c
    let bend = axial * axial * (u5 * c);
    // K0,-1 and K1,-1; then K0,-3 to K3,-3
    let q1 = [two.mul_add(u, two_g), -axial * two_g];
    let q3 = [
        u * c,
        -axial * (u3 * c),
        two_g + bend,
        -axial * (u.constant(6.0) * u5).mul_add(tail, w * bend),
    ];
    // End 0 and end 1: half the even moment, less and plus the odd one over L.
    let half = u.constant(0.5);
    let plus = view.inv_length;
    combine(view, view.middle, (q1, q3), [[half, -plus], [half, plus]])
}

/// Blocks from moments about the foot of the perpendicular, for points near the segment.
#[inline(always)]
fn foot_blocks<S: Simd>(view: View<S>) -> EndBlocks<S> {
    let View {
        length,
        axial,
        r0,
        r1,
        ..
    } = view;
    let zero = length.constant(0.0);
    let two = length.constant(2.0);
    let half = length * length.constant(0.5);
    // From the foot of the perpendicular to the point; rho^2 = |radius|^2 + eps^2
    let radius = scale_from(axial, view.t, view.middle);
    let rho_sq = dot(radius, radius) + view.eps_sq;

    // R0 + R1 - L, from the ends nearer to and farther from the point along the axis.
    let near = axial.abs() - half;
    let behind = axial.less_than(zero);
    let q_near = r1.or_else(behind, r0) + near.abs();
    let q_far = r0.or_else(behind, r1) + (axial.abs() + half);
    let from_near = (rho_sq / q_near).or_else(near.less_than(zero), q_near);
    let excess = from_near + rho_sq / q_far;

    let sum = r0 + r1;
    let product = r0 * r1;
    // n1 = R1 - R0 = 2 z_c u
    let difference = two * axial * length / sum;
    let n0 = ((sum + length) / excess).ln();
    // N0 = u c, N1 = n1/P, N2 = n0 - rho^2 N0, N3 = n1 - rho^2 N1
    let m0 = two * length * sum / (product * excess * (sum + length));
    let m1 = difference / product;
    let q1 = [n0, difference];
    let q3 = [
        m0,
        m1,
        rho_sq.mul_from(m0, n0),
        rho_sq.mul_from(m1, difference),
    ];

    let inv = view.inv_length;
    // Weights of the densities at both ends: 1 - alpha and alpha, alpha = (z - z0)/L
    let z0 = axial - half;
    let z1 = axial + half;
    combine(view, radius, (q1, q3), [[z1 * inv, -inv], [-z0 * inv, inv]])
}

/// End blocks from moments; `weigh[e]` gives the force density of end e as weights of consecutive
/// moments.
#[inline(always)]
fn combine<S: Simd>(
    view: View<S>,
    r: Pack3<S>,
    (q1, q3): ([Pack<S>; 2], [Pack<S>; 4]),
    weigh: [[Pack<S>; 2]; 2],
) -> EndBlocks<S> {
    let [[a0, b0], [a1, b1]] = weigh;
    let m = [
        [
            a0.mul_add(q3[0], b0 * q3[1]),
            a0.mul_add(q3[1], b0 * q3[2]),
            a0.mul_add(q3[2], b0 * q3[3]),
        ],
        [
            a1.mul_add(q3[0], b1 * q3[1]),
            a1.mul_add(q3[1], b1 * q3[2]),
            a1.mul_add(q3[2], b1 * q3[3]),
        ],
    ];
    EndBlocks {
        // int f (1/R + eps^2/R^3)
        iso: [
            view.eps_sq.mul_add(m[0][0], a0.mul_add(q1[0], b0 * q1[1])),
            view.eps_sq.mul_add(m[1][0], a1.mul_add(q1[0], b1 * q1[1])),
        ],
        m,
        r,
        t: view.t,
    }
}
