//! The flow at arbitrary points.

use crate::fluid::stokeslet_segments::kernel::{SegmentLanes, three};
use crate::fluid::stokeslet_segments::segments::{Segments, StokesError, StokesModel};
use crate::lanes::{Pack, dot, scale_add, splat3};
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Points handled by one task.
const CHUNK: usize = 64;

/// Velocity (m/s) of the fluid at `points`, given node `positions` (m) and the force each node
/// exerts on the fluid (N). Cortez 2018, Eq. 8, summed over all segments. On a node it equals the
/// product with the mobility.
///
/// Parallel over points; the result does not depend on the number of threads.
pub(crate) fn velocity_at(
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
        // A segment's slot is that of its first node.
        let slot = nodes[0];
        for (end, node) in nodes.into_iter().enumerate() {
            // f = F/dl, over 8 pi mu
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
        let lanes = SegmentLanes::new(simd, self.segments);
        let [first, second] = self.densities;
        let densities = [three::<S>(first), three::<S>(second)];
        let zero = Pack::splat(simd, 0.0);
        for (point, velocity) in self.points.iter().zip(self.velocities) {
            let point = splat3(simd, *point);
            let mut sum = [zero; 3];
            for group in 0..lanes.len() {
                let blocks = lanes.blocks(group, point);
                for (end, [x, y, z]) in densities.iter().enumerate() {
                    let f = [x[group], y[group], z[group]];
                    let f = [with(simd, f[0]), with(simd, f[1]), with(simd, f[2])];
                    let [m0, m1, m2] = blocks.m[end];
                    // (iso I + m0 r r^T + m1 (r t^T + t r^T) + m2 t t^T) f
                    let along = dot(blocks.t, f);
                    let across = dot(blocks.r, f);
                    sum = scale_add(blocks.iso[end], f, sum);
                    sum = scale_add(m0.mul_add(across, m1 * along), blocks.r, sum);
                    sum = scale_add(m1.mul_add(across, m2 * along), blocks.t, sum);
                }
            }
            *velocity = DVec3::new(sum[0].sum_lanes(), sum[1].sum_lanes(), sum[2].sum_lanes());
        }
    }
}

#[inline(always)]
fn with<S: Simd>(simd: S, lanes: S::f64s) -> Pack<S> {
    Pack { simd, lanes }
}
