//! Reference twist of several vertices at once.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::rows::{EdgeRows, EdgeWindow, Gathered, around, row};
use super::{KinematicsError, MAX_FOLD_COSINE};
use crate::lanes::{COLUMN, Column, Lanes, Pack, angle_of, dot, exact_cross};
use crate::rod::Topology;
use crate::rod::geometry::unwrap_angle;

/// Writes the reference twist of all vertices, rad, near that at the start of the step.
///
/// # Errors
/// [`KinematicsError::Folded`], of the first vertex that is.
pub(super) fn evaluate(
    topology: &Topology,
    rows: &EdgeRows,
    start: &[f64],
    out: &mut [f64],
) -> Result<(), KinematicsError> {
    let mut gathered = [Gathered::default(); 2];
    for first in (0..topology.vertices()).step_by(COLUMN) {
        let vertices = first..(first + COLUMN).min(topology.vertices());
        let mut found = Twists::default();
        Arch::new().dispatch(Evaluate {
            edges: around(rows, topology, vertices.clone(), &mut gathered),
            out: &mut found,
        });
        for (lane, vertex) in vertices.clone().enumerate() {
            out[vertex] = unwrap_angle(found.angle[lane], start[vertex]);
        }
        check(topology, vertices, &found.cos)?;
    }
    Ok(())
}

/// Refuses vertices at which edges are folded flat.
fn check(topology: &Topology, vertices: Range<usize>, cos: &Column) -> Result<(), KinematicsError> {
    match vertices.zip(cos).find(|(_, cos)| **cos < MAX_FOLD_COSINE) {
        Some((vertex, _)) => {
            let node = topology.vertex_nodes[vertex][1];
            Err(KinematicsError::Folded {
                node: topology.node_in_rod(node),
            })
        }
        None => Ok(()),
    }
}

/// Of a few vertices: reference twist, rad, in (-pi, pi], and cosine of the angle between edges.
#[derive(Default)]
struct Twists {
    angle: Column,
    cos: Column,
}

/// Compiled once per instruction set and chosen at run time.
struct Evaluate<'a> {
    edges: [EdgeWindow<'a>; 2],
    out: &'a mut Twists,
}

impl WithSimd for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for lanes in Lanes::all(simd) {
            let [angle, cos] = reference_twist(lanes, self.edges);
            lanes.store(angle, &mut self.out.angle);
            lanes.store(cos, &mut self.out.cos);
        }
    }
}

/// Angle m_ref (T22 Eq. 4), rad, from the director of the edge before, carried along by parallel
/// transport, to that of the edge after; and the cosine of the angle between the edges.
#[inline(always)]
fn reference_twist<S: Simd>(lanes: Lanes<S>, [minus, plus]: [EdgeWindow; 2]) -> [Pack<S>; 2] {
    let t0 = minus.load3(lanes, row::TANGENT);
    let t1 = plus.load3(lanes, row::TANGENT);
    let cos = dot(t0, t1);
    // d1- is normal to t-: transport takes it to d1- - (d1- . t+)/(1 + cos) (t- + t+). What of that
    // is along t+ has no part along either director of the edge after.
    let carried = minus.load3(lanes, row::DIRECTOR);
    let d1 = plus.load3(lanes, row::DIRECTOR);
    let along = dot(carried, t1) / (lanes.splat(1.0) + cos);
    let d2 = exact_cross(t1, d1);
    // Where the carried director is about t+, from d1+ on: as far as that, back, is d1+ from it.
    let x = along.mul_from(dot(t0, d1), dot(carried, d1));
    let y = along.mul_from(dot(t0, d2), dot(carried, d2));
    [angle_of(-y, x), cos]
}
