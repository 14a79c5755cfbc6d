//! Geometry of several edges at once.

use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

use super::rows::row;
use super::{KinematicsError, MAX_TURN_COSINE};
use crate::lanes::{
    COLUMN, Column, Columns3, Lanes, Pack, Pack3, add, dot, exact_cross, put, scale, scale_add,
    scale_from, sin_cos, take,
};

/// What the geometry of an edge is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeInput {
    /// Unit tangent t0 and reference director d0 at the start of the step.
    pub start: (DVec3, DVec3),
    /// Vector from the first node to the second, m.
    pub vector: DVec3,
    /// Angle of the material frame, rad.
    pub angle: f64,
}

/// Writes the geometry of the edges `first ..`, so many, into the rows `out`, each of whole
/// columns.
///
/// # Errors
/// Of the first edge that has one; `name` is the rod and the edge of the rod.
pub(super) fn evaluate(
    (first, count): (usize, usize),
    out: [&mut [f64]; row::COUNT],
    input: impl Fn(usize) -> EdgeInput,
    name: impl Fn(usize) -> [usize; 2],
) -> Result<(), KinematicsError> {
    let by = Evaluate {
        first,
        count,
        out,
        input,
        name,
    };
    Arch::new().dispatch(by)
}

/// Compiled once per instruction set and chosen at run time.
struct Evaluate<'a, I, N> {
    first: usize,
    count: usize,
    out: [&'a mut [f64]; row::COUNT],
    input: I,
    name: N,
}

impl<I: Fn(usize) -> EdgeInput, N: Fn(usize) -> [usize; 2]> WithSimd for Evaluate<'_, I, N> {
    type Output = Result<(), KinematicsError>;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> Self::Output {
        let mut columns = InputColumns::default();
        for from in (0..self.count).step_by(COLUMN) {
            let edges = (self.count - from).min(COLUMN);
            let first = self.first + from;
            for lane in 0..COLUMN {
                // Places beyond the last edge hold it again.
                columns.set(lane, &(self.input)(first + lane.min(edges - 1)));
            }
            let mut sound = true;
            for lanes in Lanes::all(simd) {
                let mut out = Out {
                    lanes,
                    rows: &mut self.out,
                    from,
                };
                sound &= columns.evaluate(lanes, &mut out);
            }
            if !sound {
                let length = self.out[row::LENGTH][from..].iter();
                for (lane, length) in length.enumerate().take(edges) {
                    columns.check(lane, *length, || (self.name)(first + lane))?;
                }
            }
        }
        Ok(())
    }
}

/// Where the numbers of a few edges go.
struct Out<'a, 'b, S: Simd> {
    lanes: Lanes<S>,
    rows: &'a mut [&'b mut [f64]; row::COUNT],
    from: usize,
}

impl<S: Simd> Out<'_, '_, S> {
    #[inline(always)]
    fn store(&mut self, pack: Pack<S>, row: usize) {
        let (columns, _) = self.rows[row][self.from..self.from + COLUMN].as_chunks_mut();
        self.lanes.store(pack, &mut columns[0]);
    }

    #[inline(always)]
    fn store3(&mut self, pack: Pack3<S>, row: usize) {
        self.store(pack[0], row);
        self.store(pack[1], row + 1);
        self.store(pack[2], row + 2);
    }
}

/// What a few edges are made of, side by side.
#[derive(Default)]
struct InputColumns {
    tangent_start: Columns3,
    director_start: Columns3,
    vector: Columns3,
    angle: Column,
}

impl InputColumns {
    #[inline(always)]
    fn set(&mut self, lane: usize, input: &EdgeInput) {
        put(&mut self.tangent_start, lane, input.start.0);
        put(&mut self.director_start, lane, input.start.1);
        put(&mut self.vector, lane, input.vector);
        self.angle[lane] = input.angle;
    }

    /// Writes the rows of the edges in these lanes; whether frames can follow them all.
    #[inline(always)]
    fn evaluate<S: Simd>(&self, lanes: Lanes<S>, out: &mut Out<S>) -> bool {
        let (one, half) = (lanes.splat(1.0), lanes.splat(0.5));
        let t0 = lanes.load3(&self.tangent_start);
        let d0 = lanes.load3(&self.director_start);
        let e = lanes.load3(&self.vector);
        let angle = lanes.load(&self.angle);
        let length = dot(e, e).sqrt();
        let t = [e[0] / length, e[1] / length, e[2] / length];
        let cos = dot(t0, t);
        // Parallel transport of a director, which is normal to t0: the shortest rotation takes it to
        // d0 - (d0 . t)/(1 + cos) (t0 + t).
        let inverse = one / (one + cos);
        let carried = scale_from(dot(d0, t) * inverse, add(t0, t), d0);
        // It stays normal to t only to rounding, which would add up over steps.
        let normal = scale_from(dot(t, carried), t, carried);
        let d1 = scale(one / dot(normal, normal).sqrt(), normal);
        let d2 = exact_cross(t, d1);
        let [sin, cosine] = sin_cos(angle);
        // a = -(t0 x t)/(|e| (1 + cos)), which is -(t0 x e)/D with D = |e|^2 + (t0.e)|e|; its
        // derivative's antisymmetric part is the curvature of the connection, which cancels against
        // the vertex terms, so only the symmetric part is kept.
        let over = inverse / length;
        let negative_spin = scale(over, exact_cross(t0, t));
        // sym(da/de) = sym((t0 x e) (dD/de)^T)/D^2 with dD/de = (2 t + t0 + t cos)|e|; the rest of
        // it, -[t0]x/D, is antisymmetric.
        let slope = scale_add(lanes.splat(2.0) + cos, t, t0);
        let by = scale(half * over, slope);
        let upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        for (k, (i, j)) in upper.into_iter().enumerate() {
            let both = negative_spin[i].mul_add(by[j], negative_spin[j] * by[i]);
            out.store(both, row::SPIN_GRADIENT + k);
        }
        out.store(length, row::LENGTH);
        out.store(one / length, row::INVERSE_LENGTH);
        out.store3(t, row::TANGENT);
        out.store3(d1, row::DIRECTOR);
        out.store3(scale_add(cosine, d1, scale(sin, d2)), row::M1);
        out.store3(scale_from(sin, d1, scale(cosine, d2)), row::M2);
        out.store3(t0, row::TANGENT_START);
        out.store3(scale(lanes.splat(-1.0), negative_spin), row::SPIN);
        // Sums and products of zero and of what is not finite are NaN, which is less than nothing.
        let zero = lanes.splat(0.0);
        let finite = (length + angle) * zero;
        let sound = one.or_else(zero.less_than(length + finite), zero);
        let turned = one.or_else(cos.less_than(lanes.splat(MAX_TURN_COSINE)), zero);
        (one - sound + turned).max_lane() == 0.0
    }

    /// Refuses an edge of this length, m, that no frame can follow.
    #[cold]
    fn check(
        &self,
        lane: usize,
        length: f64,
        name: impl Fn() -> [usize; 2],
    ) -> Result<(), KinematicsError> {
        let angle = self.angle[lane];
        if !(length.is_finite() && length > 0.0 && angle.is_finite()) {
            return Err(KinematicsError::Degenerate {
                edge: name(),
                length,
            });
        }
        let t0 = take(&self.tangent_start, lane);
        if t0.dot(take(&self.vector, lane)) < MAX_TURN_COSINE * length {
            return Err(KinematicsError::TurnedTooFar { edge: name() });
        }
        Ok(())
    }
}
