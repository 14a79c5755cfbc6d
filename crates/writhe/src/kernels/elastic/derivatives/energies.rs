//! Energies of vertices with their derivatives, made of strains, slopes and second derivatives.

use pulp::Simd;

use super::geometry::{Slope, Vertex, store_gradient};
use super::second::{Moments, Second};
use crate::kernels::elastic::batch::{VertexBatch, VertexDerivatives};
use crate::lanes::{Lanes, Pack, dot, scale, scale_add, scale_from, sin_cos};

/// Half edges in series (`half_edges.rs`).
#[inline(always)]
pub(super) fn series<S: Simd, const SECOND: bool>(
    lanes: Lanes<S>,
    v: &Vertex<S>,
    batch: &VertexBatch,
    out: &mut VertexDerivatives,
) {
    let columns = &batch.series;
    let half = lanes.splat(0.5);
    let [sin, cos] = sin_cos(half * v.twist);
    // Directors halfway: those of the edge before, turned by half of the twist.
    let [n0, n1] = v.minus.normals;
    let across = scale_add(cos, n0, scale(sin, n1));
    let along = scale_from(sin, n0, scale(cos, n1));
    let (x, y) = (dot(v.binormal, across), dot(v.binormal, along));
    // f/(2 tan(phi/2)) = 1/3 + 2/3 cos(phi/2), cos(phi/2) = sqrt(chi/2), and derivatives by chi
    let cosine = (half * v.chi).sqrt();
    let value = lanes
        .splat(2.0 / 3.0)
        .mul_add(cosine, lanes.splat(1.0 / 3.0));
    let first = lanes.splat(1.0 / 6.0) / cosine;
    let second = -(lanes.splat(0.25) * first) / (cosine * cosine);

    let e = [
        value.mul_add(x, -lanes.load(&columns.rest[0])),
        value.mul_add(y, -lanes.load(&columns.rest[1])),
        v.twist - lanes.load(&columns.rest[2]),
    ];
    let k = [
        lanes.load(&columns.stiffness[0]),
        lanes.load(&columns.stiffness[1]),
        lanes.load(&columns.stiffness[2]),
        lanes.load(&columns.stiffness[3]),
        lanes.load(&columns.stiffness[4]),
        lanes.load(&columns.stiffness[5]),
    ];
    let stiffness = [[k[0], k[1], k[2]], [k[1], k[3], k[4]], [k[2], k[4], k[5]]];
    let [m1, m2, torque] = [
        dot(stiffness[0], e),
        dot(stiffness[1], e),
        dot(stiffness[2], e),
    ];
    let twisting = half * k[5] * e[2] * e[2];
    let both = half * dot([m1, m2, torque], e);
    lanes.store(both - twisting, &mut out.energy[0]);
    lanes.store(lanes.splat(0.0), &mut out.energy[1]);
    lanes.store(twisting, &mut out.energy[2]);

    // First derivatives: of curvatures with the twist held, with it, and as strains.
    let zero = lanes.splat(0.0);
    let one = lanes.splat(1.0);
    let held = [
        v.curvature_slope(across, x, [y, zero]),
        v.curvature_slope(along, y, [-x, zero]),
    ];
    let (twist, chi) = (v.twist_slope(), v.chi_slope());
    let turned = [
        held[0].combined(one, &twist, half * y),
        held[1].combined(one, &twist, -(half * x)),
    ];
    let strain = [
        turned[0].combined(value, &chi, first * x),
        turned[1].combined(value, &chi, first * y),
    ];
    let gradient = strain[0]
        .combined(m1, &strain[1], m2)
        .combined(one, &twist, torque);
    store_gradient(lanes, &gradient, out);
    if !SECOND {
        return;
    }

    // The moment about the tangent that bending adds, and the power of both moments.
    let about = half * m1.mul_add(y, -(m2 * x));
    let power = m1.mul_add(x, m2 * y);
    let (v1, v2) = (value * m1, value * m2);
    let moments = Moments {
        w: [
            scale_add(v1, across, scale(v2, along)),
            [zero; 3], // only the edge before carries the directors
        ],
        turned: [scale_from(v2, across, scale(v1, along)), [zero; 3]],
        twist: value.mul_add(about, torque),
        chi: first * power,
    };
    let mut h = Second::of_strains(v, &moments, false, true);
    // sum K_ab (de_a)(de_b)^T, and what strains have of products: dtau with the turn of the
    // directors, dchi with the change of the curvature.
    let by_turn = held[1].combined(half * v1, &held[0], -(half * v2));
    let by_chi = turned[0].combined(first * m1, &turned[1], first * m2);
    let stress = [
        sum_of_slopes(&strain, &twist, stiffness[0]),
        sum_of_slopes(&strain, &twist, stiffness[1]),
        sum_of_slopes(&strain, &twist, stiffness[2]),
    ];
    let beside_twist = by_turn.combined(
        one,
        &stress[2].combined(one, &twist, -(lanes.splat(0.25) * value * power)),
        one,
    );
    h.add_outer(&strain[0], &stress[0]);
    h.add_outer(&strain[1], &stress[1]);
    h.add_outer(&twist, &beside_twist);
    h.add_outer(&by_turn, &twist);
    h.add_outer(&chi, &by_chi.combined(one, &chi, second * power));
    h.add_outer(&by_chi, &chi);
    h.store(lanes, out);
}

/// `k0 strain0 + k1 strain1 + k2 twist`.
#[inline(always)]
pub(super) fn sum_of_slopes<S: Simd>(
    strain: &[Slope<S>; 2],
    twist: &Slope<S>,
    k: [Pack<S>; 3],
) -> Slope<S> {
    strain[0]
        .combined(k[0], &strain[1], k[1])
        .combined(k[0].constant(1.0), twist, k[2])
}

/// Twisting, and bending in one or two parts (`twist.rs`, `bend.rs`).
#[inline(always)]
pub(super) fn apart<S: Simd, const SECOND: bool>(
    lanes: Lanes<S>,
    v: &Vertex<S>,
    batch: &VertexBatch,
    parts: usize,
    out: &mut VertexDerivatives,
) {
    let (zero, half) = (lanes.splat(0.0), lanes.splat(0.5));
    let twist = v.twist_slope();
    let k = lanes.load(&batch.twisting[0]);
    let rest = lanes.load(&batch.twisting[1]);
    let tau = v.twist - rest;
    let torque = k * tau;
    lanes.store(half * torque * tau, &mut out.energy[2]);
    lanes.store(zero, &mut out.energy[1]);
    let mut gradient = twist.combined(torque, &twist, zero);
    let mut moments = Moments {
        w: [[zero; 3]; 2],
        turned: [[zero; 3]; 2],
        twist: torque,
        chi: zero,
    };
    // (dkappa_c, EI_c/dl) of both curvatures of up to two parts
    let mut slopes = [(twist, zero); 4];
    for (part, columns) in batch.bending.iter().enumerate().take(parts) {
        let sides = [lanes.load(&columns.sides[0]), lanes.load(&columns.sides[1])];
        let mut energy = zero;
        for c in 0..2 {
            // The directors' mean, and how each edge's angle turns it: dm2/dth = -m1 and so on.
            let own = [v.minus.normals[c], v.plus.normals[c]];
            let sign = lanes.splat(if c == 0 { 1.0 } else { -1.0 });
            let rates = [
                scale(sign, v.minus.normals[1 - c]),
                scale(sign, v.plus.normals[1 - c]),
            ];
            let normal = scale_add(sides[0], own[0], scale(sides[1], own[1]));
            let kappa = dot(v.binormal, normal);
            let stiffness = lanes.load(&columns.stiffness[c]);
            let strain = kappa - lanes.load(&columns.rest[c]);
            let moment = stiffness * strain;
            energy = (half * moment).mul_add(strain, energy);
            let by_theta = [
                sides[0] * dot(v.binormal, rates[0]),
                sides[1] * dot(v.binormal, rates[1]),
            ];
            let slope = v.curvature_slope(normal, kappa, by_theta);
            gradient = gradient.combined(lanes.splat(1.0), &slope, moment);
            slopes[2 * part + c] = (slope, stiffness);
            for side in 0..2 {
                let weight = moment * sides[side];
                moments.w[side] = scale_add(weight, own[side], moments.w[side]);
                moments.turned[side] = scale_add(weight, rates[side], moments.turned[side]);
            }
        }
        lanes.store(energy, &mut out.energy[part]);
    }
    store_gradient(lanes, &gradient, out);
    if !SECOND {
        return;
    }
    let mut h = Second::of_strains(v, &moments, true, false);
    for (slope, stiffness) in slopes.iter().take(2 * parts) {
        h.add_outer(slope, &slope.combined(*stiffness, slope, zero));
    }
    h.add_outer(&twist, &twist.combined(k, &twist, zero));
    h.store(lanes, out);
}
