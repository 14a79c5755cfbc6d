//! Vector kernel: the end blocks of several segments seen from one point.
//!
//! Same formulas as [`crate::fluid::stokeslet_segments::coefficients`], several segments at a time.
//! The logarithm is only needed where the point is near a segment, a few pairs per row, and is
//! taken lane by lane.

use crate::fluid::stokeslet_segments::coefficients::{ATANH_TAIL, NEAR};
use crate::fluid::stokeslet_segments::segments::{PADDING, Segments};
use crate::lanes::{Pack, Pack3, dot, one_lane, scale_add, scale_from, sub};
use pulp::Simd;

/// `iso I + m0 r r^T + m1 (r t^T + t r^T) + m2 t t^T` for the two ends of each segment in the
/// lanes.
pub(super) struct EndBlocks<S: Simd> {
    pub iso: [Pack<S>; 2],
    pub m: [[Pack<S>; 3]; 2],
    pub r: Pack3<S>,
    pub t: Pack3<S>,
}

impl<S: Simd> EndBlocks<S> {
    /// Adds the flow that force densities over 8 pi mu at both ends make to `sum`.
    #[inline(always)]
    pub(super) fn add_flow(&self, densities: [Pack3<S>; 2], mut sum: Pack3<S>) -> Pack3<S> {
        for (end, f) in densities.into_iter().enumerate() {
            let [m0, m1, m2] = self.m[end];
            // (iso I + m0 r r^T + m1 (r t^T + t r^T) + m2 t t^T) f
            let along = dot(self.t, f);
            let across = dot(self.r, f);
            sum = scale_add(self.iso[end], f, sum);
            sum = scale_add(m0.mul_add(across, m1 * along), self.r, sum);
            sum = scale_add(m1.mul_add(across, m2 * along), self.t, sum);
        }
        sum
    }
}

/// Force densities over 8 pi mu at the ends of the segments, by component, over slots.
#[derive(Debug)]
pub(super) struct Densities([[Vec<f64>; 3]; 2]);

impl Densities {
    /// Those of nodal forces, N, `(3 nodes)`.
    pub(super) fn new(segments: &Segments, force: &[f64]) -> Self {
        let zeros = || vec![0.0; segments.slots];
        let three = || [zeros(), zeros(), zeros()];
        let mut densities = [three(), three()];
        let (force, _) = force.as_chunks::<3>();
        for (end, components) in densities.iter_mut().enumerate() {
            let mut set = |slot: usize, node: usize| {
                // f = F/dl, over 8 pi mu; zero in slots without a segment.
                let scale = segments.scale[end][slot];
                for (component, force) in components.iter_mut().zip(force[node]) {
                    component[slot] = force * scale;
                }
            };
            // The segment of a slot goes from its node to the next one.
            (end..force.len()).for_each(|node| set(node - end, node));
        }
        for closing in &segments.closing {
            for (component, force) in densities[1].iter_mut().zip(force[closing.node]) {
                component[closing.slot] = force * segments.scale[1][closing.slot];
            }
        }
        Self(densities)
    }

    /// At vector `group`, of both ends.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S, group: usize) -> [Pack3<S>; 2] {
        std::array::from_fn(|end| {
            std::array::from_fn(|k| Pack {
                simd,
                lanes: S::as_simd_f64s(&self.0[end][k]).0[group],
            })
        })
    }
}

/// Vectors of f64 of all arrays of [`Segments`].
pub(super) struct SegmentLanes<'a, S: Simd> {
    simd: S,
    first: [&'a [S::f64s]; 3],
    middle: [&'a [S::f64s]; 3],
    tangent: [&'a [S::f64s]; 3],
    length: &'a [S::f64s],
    inv_length: &'a [S::f64s],
    eps_sq: &'a [S::f64s],
    scale: [&'a [S::f64s]; 2],
    goes_on: &'a [bool],
    lowest: S::m64s,
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
    reach: Reach<S>,
}

/// How far a point is from both ends of the segments in the lanes.
#[derive(Clone, Copy)]
struct Reach<S: Simd> {
    r0: Pack<S>,
    r1: Pack<S>,
    /// `u = L/(R0 + R1)`
    u: Pack<S>,
    /// `c = 2/(R0 R1 (1 - u^2))`
    c: Pack<S>,
}

/// Three arrays as vectors.
#[inline(always)]
fn three<S: Simd>(a: &[Vec<f64>; 3]) -> [&[S::f64s]; 3] {
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
            first: three::<S>(&segments.first),
            middle: three::<S>(&segments.middle),
            tangent: three::<S>(&segments.tangent),
            length: S::as_simd_f64s(&segments.length).0,
            inv_length: S::as_simd_f64s(&segments.inv_length).0,
            eps_sq: S::as_simd_f64s(&segments.eps_sq).0,
            scale: [
                S::as_simd_f64s(&segments.scale[0]).0,
                S::as_simd_f64s(&segments.scale[1]).0,
            ],
            goes_on: &segments.goes_on,
            lowest: one_lane(simd, 0),
        }
    }

    /// Number of vectors.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length.len()
    }

    #[inline(always)]
    pub(crate) fn zero(&self) -> Pack<S> {
        Pack::splat(self.simd, 0.0)
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

    /// Regularised distances R from `point` to where the segments of vector `group` begin, with
    /// their epsilon; those of the last vector beyond it.
    #[inline(always)]
    fn distances(&self, group: usize, point: Pack3<S>) -> Pack<S> {
        let group = group.min(self.len() - 1);
        let way = sub(point, self.pack3(&self.first, group));
        (dot(way, way) + self.pack(self.eps_sq[group])).sqrt()
    }

    /// From `point` to both ends of the segments of vector `group`, whose beginnings are `r0` away
    /// and those of the next vector `next`.
    #[inline(always)]
    fn reach(&self, group: usize, point: Pack3<S>, [r0, next]: [Pack<S>; 2]) -> Reach<S> {
        let length = self.pack(self.length[group]);
        let r1 = if self.goes_on[group * S::F64_LANES / PADDING] {
            r0.moved_down(next, self.lowest)
        } else {
            // x - y1
            let (t, half) = (
                self.pack3(&self.tangent, group),
                length * length.constant(0.5),
            );
            let to_1 = scale_add(half, t, sub(point, self.pack3(&self.middle, group)));
            (dot(to_1, to_1) + self.pack(self.eps_sq[group])).sqrt()
        };
        // By one division, which takes as long as sixteen products. The sum is larger than L, and no
        // term is lost in the difference for u <= 1/2.
        let sum = r0 + r1;
        let rest = r0 * r1 * ((sum - length) * (sum + length));
        let inverse = length.constant(1.0) / (sum * rest);
        Reach {
            r0,
            r1,
            u: length * (rest * inverse),
            c: (sum + sum) * (sum * (sum * inverse)),
        }
    }

    /// Blocks of the segments of vector `group` seen from `point`.
    #[inline(always)]
    fn blocks(&self, group: usize, point: Pack3<S>, reach: Reach<S>) -> EndBlocks<S> {
        let t = self.pack3(&self.tangent, group);
        let middle = sub(point, self.pack3(&self.middle, group));
        let view = View {
            t,
            length: self.pack(self.length[group]),
            inv_length: self.pack(self.inv_length[group]),
            eps_sq: self.pack(self.eps_sq[group]),
            middle,
            axial: dot(middle, t),
            reach,
        };
        let far = centred_blocks(view);
        // Near points are few, and need a logarithm: only where a lane has one.
        let near = (reach.r0 + reach.r1) * reach.r0.constant(NEAR);
        if (view.length - near).max_lane() > 0.0 {
            pick(near.less_than(view.length), foot_blocks(view), far)
        } else {
            far
        }
    }
}

/// All segments seen from one point, vector after vector.
///
/// Roots and divisions take long, and all that follows waits for them; so they are begun one vector
/// ahead, and those of two vectors are under way at once.
pub(super) struct Look<'a, S: Simd> {
    lanes: &'a SegmentLanes<'a, S>,
    point: Pack3<S>,
    /// Of the next vector and the one after it.
    distances: [Pack<S>; 2],
    /// Of the next vector.
    reach: Reach<S>,
    next: usize,
}

impl<'a, S: Simd> Look<'a, S> {
    #[inline(always)]
    pub(super) fn new(lanes: &'a SegmentLanes<'a, S>, point: Pack3<S>) -> Self {
        let distances = [lanes.distances(0, point), lanes.distances(1, point)];
        Self {
            lanes,
            point,
            distances,
            reach: lanes.reach(0, point, distances),
            next: 0,
        }
    }

    /// Blocks of the next vector.
    #[inline(always)]
    pub(super) fn blocks(&mut self) -> EndBlocks<S> {
        let (group, reach, lanes) = (self.next, self.reach, self.lanes);
        self.next += 1;
        // Where a segment ends the next one begins: a root that is taken once.
        self.distances = [
            self.distances[1],
            lanes.distances(self.next + 1, self.point),
        ];
        if self.next < lanes.len() {
            self.reach = lanes.reach(self.next, self.point, self.distances);
        }
        lanes.blocks(group, self.point, reach)
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

/// Blocks from moments about the middle of the segment, for u <= 1/2 (any number for larger u).
#[inline(always)]
fn centred_blocks<S: Simd>(view: View<S>) -> EndBlocks<S> {
    let View { axial, reach, .. } = view;
    let Reach { u, c, .. } = reach;
    let w = u * u;
    let u3 = u * w;
    let u5 = u3 * w;
    let tail = atanh_tail(w);
    let two = u.constant(2.0);
    let two_g = two * u3 * w.mul_add(tail, u.constant(1.0 / 3.0));
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

/// E(w): neighbouring powers in pairs, pairs of these and so on, since each product waits for the
/// one before.
#[inline(always)]
fn atanh_tail<S: Simd>(w: Pack<S>) -> Pack<S> {
    let c = ATANH_TAIL.map(|c| w.constant(c));
    let w2 = w * w;
    let w4 = w2 * w2;
    let pair = |k: usize| w.mul_add(c[k + 1], c[k]);
    let four = |k: usize| w2.mul_add(pair(k + 2), pair(k));
    let low = w4.mul_add(four(4), four(0));
    let high = w4.mul_add(c[12], four(8));
    (w4 * w4).mul_add(high, low)
}

/// Blocks from moments about the foot of the perpendicular, for points near the segment.
#[inline(always)]
fn foot_blocks<S: Simd>(view: View<S>) -> EndBlocks<S> {
    let View {
        length,
        axial,
        reach: Reach { r0, r1, .. },
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
