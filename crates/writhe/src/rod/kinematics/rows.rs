//! Geometry of edges, a row of numbers for each quantity, so that vector registers take several
//! edges at once wherever they begin.

use std::array::from_fn;

use glam::{DMat3, DVec3};
use pulp::Simd;

use super::{EdgeAxis, EdgeGeometry};
use crate::lanes::{COLUMN, Column, Lanes, Pack, Pack3};
use crate::rod::Topology;

/// Rows; of a vector and of a matrix the first one.
pub(crate) mod row {
    pub(crate) const LENGTH: usize = 0;
    /// 1/|e|, 1/m.
    pub(crate) const INVERSE_LENGTH: usize = 1;
    pub(crate) const TANGENT: usize = 2;
    pub(crate) const DIRECTOR: usize = 5;
    pub(crate) const M1: usize = 8;
    pub(crate) const M2: usize = 11;
    pub(crate) const TANGENT_START: usize = 14;
    pub(crate) const SPIN: usize = 17;
    /// xx, xy, xz, yy, yz, zz.
    pub(crate) const SPIN_GRADIENT: usize = 20;
    /// Number of rows.
    pub(crate) const COUNT: usize = 26;
}

/// Geometry of edges.
#[derive(Debug, Default)]
pub(super) struct EdgeRows {
    edges: usize,
    /// From one row to the next: whole columns, and one more, so that a column may begin anywhere.
    stride: usize,
    /// `(row::COUNT, stride)`.
    values: Vec<f64>,
}

impl Clone for EdgeRows {
    fn clone(&self) -> Self {
        let mut rows = Self::default();
        rows.clone_from(self);
        rows
    }

    /// Into the storage at hand.
    fn clone_from(&mut self, other: &Self) {
        (self.edges, self.stride) = (other.edges, other.stride);
        self.values.clone_from(&other.values);
    }
}

impl EdgeRows {
    /// Becomes rows of so many edges.
    pub fn resize(&mut self, edges: usize) {
        if self.edges != edges || self.values.is_empty() {
            self.edges = edges;
            self.stride = edges.next_multiple_of(COLUMN) + COLUMN;
            self.values.clear();
            self.values.resize(row::COUNT * self.stride, 0.0);
        }
    }

    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Rows without the column beyond the last one.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let used = self.stride.saturating_sub(COLUMN);
        let rows = self.values.chunks_exact_mut(self.stride.max(1));
        rows.map(move |row| &mut row[..used])
    }

    /// Eight edges from `first` on.
    #[inline(always)]
    pub fn window(&self, first: usize) -> EdgeWindow<'_> {
        EdgeWindow {
            values: &self.values,
            stride: self.stride,
            first,
        }
    }

    #[inline]
    pub fn number(&self, row: usize, edge: usize) -> f64 {
        debug_assert!(edge < self.edges);
        self.values[row * self.stride + edge]
    }

    #[inline]
    pub fn vector(&self, row: usize, edge: usize) -> DVec3 {
        let [x, y, z] = [0, 1, 2].map(|k| self.number(row + k, edge));
        DVec3::new(x, y, z)
    }

    pub fn set_vector(&mut self, row: usize, edge: usize, v: DVec3) {
        for (k, value) in v.to_array().into_iter().enumerate() {
            self.values[(row + k) * self.stride + edge] = value;
        }
    }

    /// The axis of one edge.
    #[inline]
    pub fn axis(&self, edge: usize) -> EdgeAxis {
        EdgeAxis {
            length: self.number(row::LENGTH, edge),
            tangent: self.vector(row::TANGENT, edge),
            tangent_start: self.vector(row::TANGENT_START, edge),
            spin: self.vector(row::SPIN, edge),
        }
    }

    /// One edge.
    #[inline]
    pub fn edge(&self, edge: usize) -> EdgeGeometry {
        let g: [f64; 6] = from_fn(|k| self.number(row::SPIN_GRADIENT + k, edge));
        let [xx, xy, xz, yy, yz, zz] = g;
        EdgeGeometry {
            length: self.number(row::LENGTH, edge),
            tangent: self.vector(row::TANGENT, edge),
            director: self.vector(row::DIRECTOR, edge),
            m1: self.vector(row::M1, edge),
            m2: self.vector(row::M2, edge),
            tangent_start: self.vector(row::TANGENT_START, edge),
            spin: self.vector(row::SPIN, edge),
            spin_gradient: DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]),
        }
    }
}

/// Eight edges side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeWindow<'a> {
    values: &'a [f64],
    stride: usize,
    first: usize,
}

impl<'a> EdgeWindow<'a> {
    /// One number of each.
    #[inline(always)]
    pub fn column(self, row: usize) -> &'a Column {
        let from = row * self.stride + self.first;
        let (columns, _) = self.values[from..from + COLUMN].as_chunks();
        &columns[0]
    }

    /// One number of each of those in the registers.
    ///
    /// This is no closure, since the compiler may leave the call of one, for each register.
    #[inline(always)]
    pub fn load<S: Simd>(self, lanes: Lanes<S>, row: usize) -> Pack<S> {
        lanes.load(self.column(row))
    }

    /// One vector of each of those in the registers.
    #[inline(always)]
    pub fn load3<S: Simd>(self, lanes: Lanes<S>, row: usize) -> Pack3<S> {
        [
            self.load(lanes, row),
            self.load(lanes, row + 1),
            self.load(lanes, row + 2),
        ]
    }
}

/// Eight edges that do not follow each other, copied side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gathered([f64; row::COUNT * COLUMN]);

impl Default for Gathered {
    fn default() -> Self {
        Self([0.0; row::COUNT * COLUMN])
    }
}

impl Gathered {
    fn window(&self) -> EdgeWindow<'_> {
        EdgeWindow {
            values: &self.0,
            stride: COLUMN,
            first: 0,
        }
    }

    fn copy(&mut self, lane: usize, rows: &EdgeRows, edge: usize) {
        for k in 0..row::COUNT {
            self.0[k * COLUMN + lane] = rows.values[k * rows.stride + edge];
        }
    }
}

/// The edges before and after each of at most eight vertices, of which there is one at least. Most
/// often they follow each other along a rod and stay where they are; otherwise they are copied to
/// `gathered`. Places beyond the last vertex hold edges that nobody asks for.
#[inline(always)]
pub(super) fn around<'a>(
    rows: &'a EdgeRows,
    topology: &Topology,
    vertices: std::ops::Range<usize>,
    gathered: &'a mut [Gathered; 2],
) -> [EdgeWindow<'a>; 2] {
    let last = vertices.end - 1;
    let [minus, plus] = topology.vertex_edges[vertices.start];
    let [end, beyond] = topology.vertex_edges[last];
    let along = last - vertices.start;
    let follow = plus == minus + 1 && end == minus + along && beyond == plus + along;
    if follow && topology.edge_rod[minus] == topology.edge_rod[end] {
        return [rows.window(minus), rows.window(plus)];
    }
    for lane in 0..COLUMN {
        let edges = topology.vertex_edges[vertices.start + lane.min(along)];
        for (gathered, edge) in gathered.iter_mut().zip(edges) {
            gathered.copy(lane, rows, edge);
        }
    }
    [gathered[0].window(), gathered[1].window()]
}
