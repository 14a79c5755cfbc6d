//! The flow at arbitrary points.

use super::kernel::SegmentLanes;
use super::segments::{Segments, StokesError, StokesModel};
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Points handled by one task.
const CHUNK: usize = 64;

/// Velocity (m/s) of the fluid at `points`, given node `positions` (m) and the force each node exerts on the fluid
/// (N). Cortez 2018, Eq. 8, summed over all segments. On a node it equals the product with the mobility.
///
/// Parallel over points; the result does not depend on the number of threads.
pub fn velocity_at(
    model: &StokesModel,
    positions: &[DVec3],
    forces: &[DVec3],
    points: &[DVec3],
) -> Result<Vec<DVec3>, StokesError> {
    if forces.len() != model.n_nodes() {
        return Err(StokesError::Size {
            what: "forces",
            found: forces.len(),
            expected: model.n_nodes(),
        });
    }
    let segments = Segments::new(model, positions)?;
    let densities = end_densities(model, &segments, forces);
    let arch = Arch::new();
    let mut velocities = vec![DVec3::ZERO; points.len()];
    velocities
        .par_chunks_mut(CHUNK)
        .zip(points.par_chunks(CHUNK))
        .for_each(|(velocities, points)| {
            arch.dispatch(Field {
                segments: &segments,
                densities: &densities,
                points,
                velocities,
            });
        });
    Ok(velocities)
}

/// Force density over 8 pi mu at the two ends of each slot, by component.
fn end_densities(model: &StokesModel, segments: &Segments, forces: &[DVec3]) -> [[Vec<f64>; 3]; 2] {
    let zeros = || vec![0.0; segments.slots];
    let three = || [zeros(), zeros(), zeros()];
    let mut densities = [three(), three()];
    for (_, nodes) in model.edges() {
        let slot = nodes[0];
        for (end, node) in nodes.into_iter().enumerate() {
            let density = (forces[node] * segments.scale[end][slot]).to_array();
            for (component, value) in densities[end].iter_mut().zip(density) {
                component[slot] = value;
            }
        }
    }
    densities
}

struct Field<'a> {
    segments: &'a Segments,
    densities: &'a [[Vec<f64>; 3]; 2],
    points: &'a [DVec3],
    velocities: &'a mut [DVec3],
}

impl WithSimd for Field<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let lanes = SegmentLanes::<S>::new(self.segments);
        let densities = [0, 1].map(|e| [0, 1, 2].map(|k| S::as_simd_f64s(&self.densities[e][k]).0));
        for (point, velocity) in self.points.iter().zip(self.velocities) {
            let point = point.to_array().map(|a| simd.splat_f64s(a));
            let mut sum = [simd.splat_f64s(0.0); 3];
            for group in 0..lanes.len() {
                let blocks = lanes.blocks(simd, group, point);
                for (end, density) in densities.iter().enumerate() {
                    let f = [0, 1, 2].map(|k| density[k][group]);
                    let [m0, m1, m2] = blocks.m[end];
                    let along = dot(simd, blocks.t, f);
                    let across = dot(simd, blocks.r, f);
                    let on_r = simd.mul_add_e_f64s(m0, across, simd.mul_f64s(m1, along));
                    let on_t = simd.mul_add_e_f64s(m1, across, simd.mul_f64s(m2, along));
                    for k in 0..3 {
                        sum[k] = simd.mul_add_e_f64s(blocks.iso[end], f[k], sum[k]);
                        sum[k] = simd.mul_add_e_f64s(on_r, blocks.r[k], sum[k]);
                        sum[k] = simd.mul_add_e_f64s(on_t, blocks.t[k], sum[k]);
                    }
                }
            }
            *velocity = DVec3::from_array(sum.map(|a| simd.reduce_sum_f64s(a)));
        }
    }
}

#[inline(always)]
fn dot<S: Simd>(simd: S, a: [S::f64s; 3], b: [S::f64s; 3]) -> S::f64s {
    let z = simd.mul_f64s(a[2], b[2]);
    simd.mul_add_e_f64s(a[0], b[0], simd.mul_add_e_f64s(a[1], b[1], z))
}
