//! Energies of vertices with first and second derivatives, several vertices at a time.
//!
//! Local coordinates are `[e- (3), th-, e+ (3), th+]`. Derivatives with respect to an edge vector
//! are taken first with the frame carried along (no spin about the tangent; Bergou et al. 2010),
//! then the spin of the frame away from the start of the step is added: `d/de -> d/de + a d/dth`
//! with `a` the spin gradient of [`EdgeGeometry`]. Left out, gradients are wrong by several per
//! cent once an edge has turned by a few degrees in a step (`docs/decisions/0002`).
//!
//! All strains are `w . kappa_b` with vectors w that turn with the edges, the twist, and functions
//! of `chi = 1 + t- . t+`. Second derivatives are linear in w, so those of all curvatures are taken
//! at once, for the sum of the w times their moments.
//!
//! [`EdgeGeometry`]: crate::rod::kinematics::EdgeGeometry

mod energies;
mod geometry;
mod second;

use energies::{apart, series};
use geometry::Vertex;
use pulp::{Arch, Simd, WithSimd};

use super::batch::{Kind, VertexBatch, VertexDerivatives};
use crate::lanes::Lanes;
use crate::rod::kinematics::EdgeWindow;

/// Energies, gradients and, if `second`, Hessian blocks of a batch whose edges before and after
/// each vertex are `edges`.
pub(crate) fn differentiate(
    batch: &VertexBatch,
    edges: [EdgeWindow; 2],
    second: bool,
    out: &mut VertexDerivatives,
) {
    Arch::new().dispatch(Differentiate {
        batch,
        edges,
        second,
        out,
    });
}

/// Compiled once per instruction set and chosen at run time.
struct Differentiate<'a> {
    batch: &'a VertexBatch,
    edges: [EdgeWindow<'a>; 2],
    second: bool,
    out: &'a mut VertexDerivatives,
}

impl WithSimd for Differentiate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for lanes in Lanes::all(simd) {
            let vertex = Vertex::new(lanes, self.edges, &self.batch.twist);
            match (self.batch.kind, self.second) {
                (Kind::Series, false) => series::<S, false>(lanes, &vertex, self.batch, self.out),
                (Kind::Series, true) => series::<S, true>(lanes, &vertex, self.batch, self.out),
                (Kind::Apart(parts), false) => {
                    apart::<S, false>(lanes, &vertex, self.batch, parts, self.out);
                }
                (Kind::Apart(parts), true) => {
                    apart::<S, true>(lanes, &vertex, self.batch, parts, self.out);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::kernels::elastic::batch::BATCH;
    use crate::kernels::elastic::half_edges::{HalfEdge, HalfEdges};
    use crate::kernels::elastic::vertex::Elasticity;
    use crate::lanes::Column;
    use crate::rod::Topology;
    use crate::rod::geometry::any_normal;
    use crate::rod::kinematics::{Frames, Gathered, Kinematics};

    /// What comes of a vertex must not depend on its place in a batch, nor on who is beside it, or
    /// results would change with the instruction set.
    #[test]
    fn a_vertex_gives_the_same_bits_in_every_place() {
        let half = |length: f64| HalfEdge {
            length,
            stiffness: [1.0, 1.5, 0.7],
        };
        let halves = HalfEdges::new([half(0.4), half(0.5)], [0.2, -0.1], 0.3);
        let elasticity = Elasticity::Series(&halves);
        let here = [
            (DVec3::new(1.0, 0.2, 0.1), 0.4),
            (DVec3::new(0.9, -0.3, 0.2), 0.9),
        ];
        let mut first: Option<VertexDerivatives> = None;
        for place in 0..BATCH {
            // One rod of two edges for each place.
            let (mut topology, mut q) = (Topology::default(), Vec::new());
            for lane in 0..BATCH {
                topology.push(3, false);
                let other = 1.0 + 0.1 * (lane + place) as f64;
                let beside = here.map(|(e, _)| (e * other + DVec3::Y * 0.1 * other, other));
                let [(a, theta), (b, phi)] = if lane == place { here } else { beside };
                q.extend([0.0, 0.0, 0.0, theta, a.x, a.y, a.z, phi]);
                q.extend((a + b).to_array());
            }
            let start = Frames {
                tangent: vec![DVec3::X; 2 * BATCH],
                director: vec![any_normal(DVec3::X); 2 * BATCH],
                twist: vec![0.0; BATCH],
                ..Frames::default()
            };
            let mut kinematics = Kinematics::default();
            kinematics.update(&topology, &start, &q).unwrap();
            let mut gathered = [Gathered::default(); 2];
            let edges = kinematics.around(&topology, 0..BATCH, &mut gathered);
            let mut batch = VertexBatch::default();
            for lane in 0..BATCH {
                batch.set(lane, 0.5, &elasticity);
            }
            let mut out = VertexDerivatives::default();
            differentiate(&batch, edges, true, &mut out);
            let known = *first.get_or_insert(out);
            let columns = |d: &VertexDerivatives| -> Vec<Column> {
                let blocks = d.blocks.iter().flatten();
                d.energy
                    .iter()
                    .chain(&d.gradient)
                    .chain(blocks)
                    .copied()
                    .collect()
            };
            for (now, before) in columns(&out).iter().zip(columns(&known)) {
                assert_eq!(now[place].to_bits(), before[0].to_bits());
            }
        }
    }
}
