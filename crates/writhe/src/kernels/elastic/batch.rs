//! A few vertices side by side: what their energies are computed from besides their edges, and what
//! comes of it, one array for each number, so that vector registers work on several vertices at
//! once.

use crate::kernels::elastic::bend::Bending;
use crate::kernels::elastic::half_edges::HalfEdges;
use crate::kernels::elastic::twist::Twisting;
use crate::kernels::elastic::vertex::Elasticity;
use crate::lanes::{COLUMN, Column};

/// Vertices in a batch.
pub(crate) const BATCH: usize = COLUMN;

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

/// What a few vertices between their edges are made of.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct VertexBatch {
    pub(super) kind: Kind,
    pub(super) twist: Column,
    pub(super) series: SeriesColumns,
    pub(super) bending: [BendingColumns; 2],
    /// Stiffness and rest.
    pub(super) twisting: [Column; 2],
}

impl VertexBatch {
    /// Puts a vertex that is twisted by `twist`, rad, in place `lane`.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, twist: f64, elasticity: &Elasticity) {
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
    #[inline(always)]
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
    /// By `x0, th-, x1, th+, x2`: N and N m.
    pub by_nodes: [Column; 11],
    /// Second derivatives by `x0, th-, x1, th+, x2` and an unknown that is none, in 4 x 4 blocks
    /// (0,0), (0,1), (0,2), (1,1), (1,2), (2,2), each column by column.
    pub blocks: [[Column; 16]; 6],
}

impl Default for VertexDerivatives {
    fn default() -> Self {
        Self {
            energy: [[0.0; BATCH]; 3],
            gradient: [[0.0; BATCH]; 8],
            by_nodes: [[0.0; BATCH]; 11],
            blocks: [[[0.0; BATCH]; 16]; 6],
        }
    }
}
