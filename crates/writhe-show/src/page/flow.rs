//! The flow around the rods of a run, on planes.

use std::sync::Arc;

use glam::DVec3;
use writhe::fluid::{FluidError, Medium, Rods};
use writhe::model::Model;
use writhe::rod::Topology;
use writhe_rundir::RunReader;
use writhe_viewer::Plane;

use writhe_session::failure::{Failure, Result};

/// Planes at right angles to each axis.
const PLANES: usize = 5;
/// Points of the largest plane, at most.
const POINTS: f64 = 3000.0;
/// Room around the rods on each side, over the second largest side of the box around them.
const ROOM: f64 = 0.3;
/// The same over its largest side, where that is more.
const LEAST_ROOM: f64 = 0.1;
/// Frames that tell how large a run is, about.
const LOOKED_AT: usize = 60;

/// A flow to show.
#[derive(Debug)]
pub struct Flow {
    medium: Arc<dyn Medium>,
    topology: Topology,
    radius: Vec<f64>,
    points: Vec<DVec3>,
}

impl Flow {
    /// The flow of a model with a fluid that couples all nodes, and its planes; `None` without such
    /// a fluid. `shapes` are node positions, m, of some moments of the run.
    ///
    /// # Errors
    /// When the fluid or a radius is not as the core wants it.
    pub fn new(model: &Model, shapes: &[Vec<[f64; 3]>]) -> Result<Option<(Self, Vec<Plane>)>> {
        let Some(fluid) = &model.fluid else {
            return Ok(None);
        };
        let planes = planes(shapes);
        let points = planes.iter().flat_map(Plane::points).map(DVec3::from);
        let points = points.collect();
        let flow = Self {
            medium: fluid.medium.clone(),
            topology: model.topology.clone(),
            radius: model.radius.clone(),
            points,
        };
        Ok(Some((flow, planes)))
    }

    /// Pairs of a point and a node: what a frame costs.
    pub fn pairs(&self) -> usize {
        self.points.len() * self.topology.nodes()
    }

    /// Velocity at all points of the planes in frame `index`, m/s; `None` if the run does not hold
    /// the force of the fluid.
    ///
    /// # Errors
    /// When the frame cannot be read, or an edge of it has no length.
    pub fn velocities(&self, reader: &RunReader, index: usize) -> Result<Option<Vec<[f64; 3]>>> {
        let Some(forces) = reader.hydrodynamic_forces(index)? else {
            return Ok(None);
        };
        let positions = reader.positions(index)?.into_iter().map(DVec3::from);
        let positions: Vec<DVec3> = positions.collect();
        // What is recorded is the force on the nodes.
        let forces: Vec<DVec3> = forces.into_iter().map(|f| -DVec3::from(f)).collect();
        let rods = Rods {
            topology: &self.topology,
            radius: &self.radius,
        };
        let velocities = (self.medium).velocity_at(rods, &positions, &forces, &self.points);
        let velocities = velocities.map_err(|error| failure(&error))?;
        Ok(Some(velocities.iter().map(DVec3::to_array).collect()))
    }
}

/// Shapes at some moments of a run, from its first frame to its last.
///
/// # Errors
/// When a frame cannot be read.
pub fn shapes(reader: &RunReader) -> Result<Vec<Vec<[f64; 3]>>> {
    let frames = reader.frames();
    let every = (frames / LOOKED_AT).max(1);
    let read = (0..frames).step_by(every).map(|i| reader.positions(i));
    Ok(read.collect::<std::result::Result<_, _>>()?)
}

/// Planes through the box around the shapes, at right angles to each axis; on all of them the same
/// distance between points.
fn planes(shapes: &[Vec<[f64; 3]>]) -> Vec<Plane> {
    let nodes = || shapes.iter().flatten().copied().map(DVec3::from);
    let (Some(low), Some(high)) = (nodes().reduce(DVec3::min), nodes().reduce(DVec3::max)) else {
        return Vec::new();
    };
    let size = high - low;
    let mut sides = size.to_array();
    sides.sort_by(f64::total_cmp);
    let room = (ROOM * sides[1]).max(LEAST_ROOM * sides[2]);
    let (from, all) = ((low - room).to_array(), (size + 2.0 * room).to_array());
    let largest = (0..3).map(|axis| all[(axis + 1) % 3] * all[(axis + 2) % 3]);
    let spacing = (largest.fold(0.0, f64::max) / POINTS).sqrt();
    if !(spacing > 0.0 && spacing.is_finite()) {
        return Vec::new();
    }
    let plane = |normal: usize, i: usize| {
        let part = (i as f64 + 0.5) / PLANES as f64;
        let axes = [1, 2].map(|k| (normal + k) % 3);
        Plane {
            normal,
            at: low.to_array()[normal] + part * size.to_array()[normal],
            low: axes.map(|axis| from[axis]),
            spacing,
            counts: axes.map(|axis| (all[axis] / spacing).floor() as usize + 1),
        }
    };
    (0..3)
        .flat_map(|normal| (0..PLANES).map(move |i| (normal, i)))
        .map(|(normal, i)| plane(normal, i))
        .collect()
}

fn failure(error: &FluidError) -> Failure {
    Failure::failed(format!("the flow cannot be computed: {error}"))
        .help("leave it out with `--no-flow`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_cut_the_rods_and_leave_room_around_them() {
        let shapes = vec![vec![[0.0; 3], [0.2, 0.04, 0.02]], vec![[0.1, 0.0, 0.0]]];
        let all = planes(&shapes);
        assert_eq!(all.len(), 15);
        assert!(all.iter().all(|p| p.len() as f64 <= 1.2 * POINTS));
        let across_x: Vec<f64> = all[..5].iter().map(|p| p.at).collect();
        for (found, wanted) in across_x.iter().zip([0.02, 0.06, 0.1, 0.14, 0.18]) {
            assert!((found - wanted).abs() < 1e-12, "{across_x:?}");
        }
        // A tenth of the largest side is more than .3 of the second.
        let first = all[0].points().next().unwrap();
        assert!((DVec3::from(first) - DVec3::new(0.02, -0.02, -0.02)).length() < 1e-12);
        let last = DVec3::from(all[14].points().last().unwrap());
        assert!(last.x > 0.215 && last.y > 0.055, "{last}");
        assert!(planes(&[]).is_empty() && planes(&[vec![[1.0; 3]]]).is_empty());
    }
}
