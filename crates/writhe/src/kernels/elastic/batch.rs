//! A few vertices side by side: what their energies are computed from, and what comes of it, one
//! array for each number, so that vector registers work on several vertices at once.

use crate::kernels::elastic::bend::Bending;
use crate::kernels::elastic::half_edges::HalfEdges;
use crate::kernels::elastic::twist::Twisting;
use crate::kernels::elastic::vertex::Elasticity;
use crate::lanes::{COLUMN, Column, Columns3, put};
use crate::rod::kinematics::EdgeGeometry;

/// Vertices in a batch.
pub(crate) const BATCH: usize = COLUMN;

/// An edge of each vertex.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EdgeColumns {
    pub tangent: Columns3,
    pub m1: Columns3,
    pub m2: Columns3,
    /// 1/|e|, 1/m.
    pub inverse_length: Column,
    pub spin: Columns3,
    /// xx, xy, xz, yy, yz, zz.
    pub spin_gradient: [Column; 6],
}

impl EdgeColumns {
    #[inline]
    fn set(&mut self, lane: usize, edge: &EdgeGeometry) {
        put(&mut self.tangent, lane, edge.tangent);
        put(&mut self.m1, lane, edge.m1);
        put(&mut self.m2, lane, edge.m2);
        put(&mut self.spin, lane, edge.spin);
        self.inverse_length[lane] = 1.0 / edge.length;
        let g = &edge.spin_gradient;
        let upper = [
            g.x_axis.x, g.y_axis.x, g.z_axis.x, g.y_axis.y, g.z_axis.y, g.z_axis.z,
        ];
        for (column, value) in self.spin_gradient.iter_mut().zip(upper) {
            column[lane] = value;
        }
    }
}

/// Half edges in series, of each vertex.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SeriesColumns {
    /// 11, 12, 13, 22, 23, 33.
    pub stiffness: [Column; 6],
    pub rest: [Column; 3],
}

/// A part of the energy of bending, of each vertex.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BendingColumns {
    pub sides: [Column; 2],
    pub stiffness: [Column; 2],
    pub rest: [Column; 2],
}

/// How the vertices of a batch bend and twist: all in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// Half edges in series.
    #[default]
    Series,
    /// Twisting, and bending in so many parts.
    Apart(usize),
}

/// A few vertices.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct VertexBatch {
    pub(super) kind: Kind,
    pub(super) minus: EdgeColumns,
    pub(super) plus: EdgeColumns,
    pub(super) twist: Column,
    pub(super) series: SeriesColumns,
    pub(super) bending: [BendingColumns; 2],
    /// Stiffness and rest.
    pub(super) twisting: [Column; 2],
}

impl VertexBatch {
    /// Puts the vertex between two edges, twisted by `twist`, rad, in place `lane`.
    #[inline]
    pub fn set(
        &mut self,
        lane: usize,
        [minus, plus]: [&EdgeGeometry; 2],
        twist: f64,
        elasticity: &Elasticity,
    ) {
        self.minus.set(lane, minus);
        self.plus.set(lane, plus);
        self.twist[lane] = twist;
        match elasticity {
            Elasticity::Series(halves) => {
                self.kind = Kind::Series;
                self.series.set(lane, halves);
            }
            Elasticity::Apart(bending, twisting) => {
                self.kind = Kind::Apart(bending.len());
                let Twisting { stiffness, rest } = twisting;
                (self.twisting[0][lane], self.twisting[1][lane]) = (*stiffness, *rest);
                for (columns, part) in self.bending.iter_mut().zip(*bending) {
                    columns.set(lane, part);
                }
            }
        }
    }
}

impl SeriesColumns {
    #[inline]
    fn set(&mut self, lane: usize, halves: &HalfEdges) {
        let [[a, b, c], [_, d, e], [_, _, f]] = halves.stiffness;
        for (column, value) in self.stiffness.iter_mut().zip([a, b, c, d, e, f]) {
            column[lane] = value;
        }
        for (column, value) in self.rest.iter_mut().zip(halves.rest) {
            column[lane] = value;
        }
    }
}

impl BendingColumns {
    #[inline]
    fn set(&mut self, lane: usize, part: &Bending) {
        for k in 0..2 {
            self.sides[k][lane] = part.sides[k];
            self.stiffness[k][lane] = part.stiffness[k];
            self.rest[k][lane] = part.rest[k];
        }
    }
}

/// Energies of a few vertices with their derivatives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VertexDerivatives {
    /// Of bending in up to two parts, and of twisting, J.
    pub energy: [Column; 3],
    /// By the edge before, its angle, the edge after and its angle: N and N m.
    pub gradient: [Column; 8],
    /// Second derivatives by `x0, th-, x1, th+, x2` and an unknown that is none, in 4 x 4 blocks
    /// (0,0), (0,1), (0,2), (1,1), (1,2), (2,2), each column by column.
    pub blocks: [[Column; 16]; 6],
}

impl Default for VertexDerivatives {
    fn default() -> Self {
        Self {
            energy: [[0.0; BATCH]; 3],
            gradient: [[0.0; BATCH]; 8],
            blocks: [[[0.0; BATCH]; 16]; 6],
        }
    }
}
