//! Rows of the mobility times a force, in f32.

use pulp::{Simd, WithSimd};

use super::{COMPONENTS, TILE};
use crate::fluid::stokeslet_segments::segments::PADDING;

/// `velocity` of some rows, with B and the sums in f32; `x` are the components of the force, over `scale`.
pub(super) struct RoughProduct<'a> {
    pub rows: &'a [f32],
    pub x: &'a [Vec<f32>; 3],
    pub scale: f64,
    pub velocity: &'a mut [f64],
}

impl WithSimd for RoughProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let slots = self.x[0].len();
        let x = S::as_simd_f32s(&self.x[0]).0;
        let y = S::as_simd_f32s(&self.x[1]).0;
        let z = S::as_simd_f32s(&self.x[2]).0;
        let vectors = PADDING / S::F32_LANES;
        let rows = self.rows.chunks_exact(COMPONENTS * slots);
        for (row, velocity) in rows.zip(self.velocity.chunks_exact_mut(3)) {
            // Nine sums of their own: additions that do not wait for each other.
            let mut sums = [simd.splat_f32s(0.0); 9];
            let tiles = row.chunks_exact(TILE);
            let force = x
                .chunks_exact(vectors)
                .zip(y.chunks_exact(vectors))
                .zip(z.chunks_exact(vectors));
            for (tile, ((x, y), z)) in tiles.zip(force) {
                let b = S::as_simd_f32s(tile).0;
                for k in 0..vectors {
                    let [xx, xy, xz, yy, yz, zz] = std::array::from_fn(|c| b[c * vectors + k]);
                    sums[0] = simd.mul_add_e_f32s(xx, x[k], sums[0]);
                    sums[1] = simd.mul_add_e_f32s(xy, y[k], sums[1]);
                    sums[2] = simd.mul_add_e_f32s(xz, z[k], sums[2]);
                    sums[3] = simd.mul_add_e_f32s(xy, x[k], sums[3]);
                    sums[4] = simd.mul_add_e_f32s(yy, y[k], sums[4]);
                    sums[5] = simd.mul_add_e_f32s(yz, z[k], sums[5]);
                    sums[6] = simd.mul_add_e_f32s(xz, x[k], sums[6]);
                    sums[7] = simd.mul_add_e_f32s(yz, y[k], sums[7]);
                    sums[8] = simd.mul_add_e_f32s(zz, z[k], sums[8]);
                }
            }
            for (velocity, [a, b, c]) in velocity.iter_mut().zip(threes(sums)) {
                let sum = simd.reduce_sum_f32s(simd.add_f32s(simd.add_f32s(a, b), c));
                *velocity = self.scale * f64::from(sum);
            }
        }
    }
}

/// Nine values as three groups of three.
fn threes<T: Copy>(v: [T; 9]) -> [[T; 3]; 3] {
    [[v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]]
}
