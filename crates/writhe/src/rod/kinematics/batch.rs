//! Geometry of several edges at once.

use glam::{DMat3, DVec3};
use pulp::{Arch, Simd, WithSimd};

use super::{EdgeGeometry, KinematicsError, MAX_TURN_COSINE};
use crate::lanes::{
    COLUMN, Column, Columns3, Lanes, add, dot, exact_cross, put, scale, scale_add, scale_from,
    sin_cos, take,
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

/// Writes the geometry of the edges `first ..` into `out`.
///
/// # Errors
/// Of the first edge that has one; `name` is the rod and the edge of the rod.
pub(super) fn evaluate(
    first: usize,
    out: &mut [EdgeGeometry],
    input: impl Fn(usize) -> EdgeInput,
    name: impl Fn(usize) -> [usize; 2],
) -> Result<(), KinematicsError> {
    let by = Evaluate {
        first,
        out,
        input,
        name,
    };
    Arch::new().dispatch(by)
}

/// Compiled once per instruction set and chosen at run time.
struct Evaluate<'a, I, N> {
    first: usize,
    out: &'a mut [EdgeGeometry],
    input: I,
    name: N,
}

impl<I: Fn(usize) -> EdgeInput, N: Fn(usize) -> [usize; 2]> WithSimd for Evaluate<'_, I, N> {
    type Output = Result<(), KinematicsError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        let mut columns = EdgeColumns::default();
        let starts = (self.first..).step_by(COLUMN);
        for (first, out) in starts.zip(self.out.chunks_mut(COLUMN)) {
            // Places beyond the last edge keep what they had: nobody looks at it.
            for (lane, edge) in (first..first + out.len()).enumerate() {
                columns.set(lane, &(self.input)(edge));
            }
            for lanes in Lanes::all(simd) {
                columns.evaluate(lanes);
            }
            for (lane, edge) in out.iter_mut().enumerate() {
                columns.check(lane, || (self.name)(first + lane))?;
                columns.write(lane, edge);
            }
        }
        Ok(())
    }
}

/// Edges side by side: what they are made of, and their geometry as in [`EdgeGeometry`].
#[derive(Default)]
struct EdgeColumns {
    tangent_start: Columns3,
    director_start: Columns3,
    vector: Columns3,
    angle: Column,
    length: Column,
    /// t0 . t
    cos: Column,
    tangent: Columns3,
    director: Columns3,
    m1: Columns3,
    m2: Columns3,
    spin: Columns3,
    /// xx, xy, xz, yy, yz, zz.
    spin_gradient: [Column; 6],
}

impl EdgeColumns {
    #[inline(always)]
    fn set(&mut self, lane: usize, input: &EdgeInput) {
        put(&mut self.tangent_start, lane, input.start.0);
        put(&mut self.director_start, lane, input.start.1);
        put(&mut self.vector, lane, input.vector);
        self.angle[lane] = input.angle;
    }

    #[inline(always)]
    fn evaluate<S: Simd>(&mut self, lanes: Lanes<S>) {
        let (one, half) = (lanes.splat(1.0), lanes.splat(0.5));
        let t0 = lanes.load3(&self.tangent_start);
        let d0 = lanes.load3(&self.director_start);
        let e = lanes.load3(&self.vector);
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
        let [sin, cosine] = sin_cos(lanes.load(&self.angle));
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
        for ((i, j), column) in upper.into_iter().zip(&mut self.spin_gradient) {
            let both = negative_spin[i].mul_add(by[j], negative_spin[j] * by[i]);
            lanes.store(both, column);
        }
        lanes.store(length, &mut self.length);
        lanes.store(cos, &mut self.cos);
        lanes.store3(t, &mut self.tangent);
        lanes.store3(d1, &mut self.director);
        lanes.store3(scale_add(cosine, d1, scale(sin, d2)), &mut self.m1);
        lanes.store3(scale_from(sin, d1, scale(cosine, d2)), &mut self.m2);
        lanes.store3(scale(lanes.splat(-1.0), negative_spin), &mut self.spin);
    }

    /// Refuses an edge that no frame can follow.
    #[inline(always)]
    fn check(&self, lane: usize, name: impl Fn() -> [usize; 2]) -> Result<(), KinematicsError> {
        let (length, angle) = (self.length[lane], self.angle[lane]);
        if !(length.is_finite() && length > 0.0 && angle.is_finite()) {
            return Err(KinematicsError::Degenerate {
                edge: name(),
                length,
            });
        }
        if self.cos[lane] < MAX_TURN_COSINE {
            return Err(KinematicsError::TurnedTooFar { edge: name() });
        }
        Ok(())
    }

    #[inline(always)]
    fn write(&self, lane: usize, edge: &mut EdgeGeometry) {
        let [xx, xy, xz, yy, yz, zz] = self.spin_gradient.each_ref().map(|column| column[lane]);
        *edge = EdgeGeometry {
            length: self.length[lane],
            tangent: take(&self.tangent, lane),
            tangent_start: take(&self.tangent_start, lane),
            director: take(&self.director, lane),
            m1: take(&self.m1, lane),
            m2: take(&self.m2, lane),
            spin: take(&self.spin, lane),
            spin_gradient: DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
        };
    }
}
