//! The flow at arbitrary points.

use crate::fluid::stokeslet_segments::kernel::{Densities, Look, SegmentLanes};
use crate::fluid::stokeslet_segments::segments::{Segments, StokesError, StokesModel};
use crate::lanes::{Pack, splat3};
use crate::threads;
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
    let force: Vec<f64> = forces.iter().flat_map(|f| f.to_array()).collect();
    let mut velocities = vec![DVec3::ZERO; points.len()];
    add_flow(
        &segments,
        &Densities::new(&segments, &force),
        points,
        &mut velocities,
    );
    Ok(velocities)
}

/// Adds the velocities at `points`, m/s, to `velocities`.
pub(super) fn add_flow(
    segments: &Segments,
    densities: &Densities,
    points: &[DVec3],
    velocities: &mut [DVec3],
) {
    // Without rods nothing flows.
    if segments.slots == 0 {
        return;
    }
    let arch = Arch::new();
    let grain = threads::grain(points.len().div_ceil(CHUNK), 1);
    velocities
        .par_chunks_mut(CHUNK)
        .with_min_len(grain)
        .zip(points.par_chunks(CHUNK))
        .for_each(|(velocities, points)| {
            arch.dispatch(Field {
                segments,
                densities,
                points,
                velocities,
            });
        });
}

struct Field<'a> {
    segments: &'a Segments,
    densities: &'a Densities,
    points: &'a [DVec3],
    velocities: &'a mut [DVec3],
}

impl WithSimd for Field<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let lanes = SegmentLanes::new(simd, self.segments);
        for (point, velocity) in self.points.iter().zip(self.velocities) {
            let mut sum = [Pack::splat(simd, 0.0); 3];
            let mut look = Look::new(&lanes, splat3(simd, *point));
            for group in 0..lanes.len() {
                sum = look
                    .blocks()
                    .add_flow(self.densities.lanes(simd, group), sum);
            }
            *velocity += DVec3::from_array(sum.map(|sum| sum.sum_lanes()));
        }
    }
}
