//! Stretching energy of one edge (T22 Eq. 1 and 5).

use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

use crate::lanes::{COLUMN, Column, Columns3, Lanes};
use crate::rod::kinematics::{EdgeWindow, row};

/// Gradient with respect to the edge vector, N: the axial force times the tangent.
#[inline]
pub(crate) fn gradient(ea: f64, rest: f64, length: f64, tangent: DVec3) -> DVec3 {
    tangent * (ea * (length / rest - 1.0))
}

/// Energies of a few edges, `EA/2 (|e|/l - 1)^2 l`, with their derivatives by the edge vectors.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EdgeDerivatives {
    /// J.
    pub energy: Column,
    /// First derivatives, N.
    pub gradient: Columns3,
    /// Second ones, `EA [t t^T / l + (1/l - 1/|e|) (I - t t^T)]`: xx, xy, xz, yy, yz, zz, N/m.
    pub hessian: [Column; 6],
}

/// Energies, gradients and, if `second`, Hessians of a few edges with these stiffnesses EA, N, and
/// rest lengths, m, of which there are up to eight.
pub(crate) fn differentiate(
    edges: EdgeWindow,
    (stiffness, rest): (&[f64], &[f64]),
    second: bool,
    out: &mut EdgeDerivatives,
) {
    // Places beyond the last edge: any length but none.
    let full = |values: &[f64]| {
        let mut column = [1.0; COLUMN];
        let count = values.len().min(COLUMN);
        column[..count].copy_from_slice(&values[..count]);
        column
    };
    Arch::new().dispatch(Differentiate {
        edges,
        stiffness: full(stiffness),
        rest: full(rest),
        second,
        out,
    });
}

/// Compiled once per instruction set and chosen at run time.
struct Differentiate<'a> {
    edges: EdgeWindow<'a>,
    stiffness: Column,
    rest: Column,
    second: bool,
    out: &'a mut EdgeDerivatives,
}

impl WithSimd for Differentiate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let out = self.out;
        for lanes in Lanes::all(simd) {
            let (ea, rest) = (lanes.load(&self.stiffness), lanes.load(&self.rest));
            let t = self.edges.load3(lanes, row::TANGENT);
            let one = lanes.splat(1.0);
            // eps = |e|/l - 1 (T22 Eq. 1)
            let strain = self.edges.load(lanes, row::LENGTH) / rest - one;
            let axial = ea * strain;
            lanes.store(lanes.splat(0.5) * axial * strain * rest, &mut out.energy);
            for (t, gradient) in t.into_iter().zip(&mut out.gradient) {
                lanes.store(t * axial, gradient);
            }
            if self.second {
                let inverse = one / rest;
                let across = inverse - self.edges.load(lanes, row::INVERSE_LENGTH);
                let (along, across) = (ea * (inverse - across), ea * across);
                let upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
                for ((i, j), column) in upper.into_iter().zip(&mut out.hessian) {
                    let mut h = t[i] * t[j] * along;
                    if i == j {
                        h += across;
                    }
                    lanes.store(h, column);
                }
            }
        }
    }
}
