//! Curvatures of a vertex as functions of its two edges, and their derivatives by the angles. All
//! derivatives are those of [`crate::kernels::elastic::derivatives`], several vertices at a time.
//!
//! Local coordinates are `[e- (3), th-, e+ (3), th+]`.

use glam::DVec3;

use crate::rod::Topology;
use crate::rod::kinematics::{EdgeGeometry, Kinematics};

/// Weights with which the directors of the edges before and after a vertex count in its material
/// curvatures.
pub(crate) type Sides = [f64; 2];

/// The mean of both edges' directors (T22 Eq. 3).
pub(crate) const AVERAGED: Sides = [0.5, 0.5];
/// The directors of one edge alone, the one before the vertex or the one after it (B08 Eq. 2).
pub(crate) const PER_EDGE: [Sides; 2] = [[1.0, 0.0], [0.0, 1.0]];

/// Quantities shared by the strains of one vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VertexGeometry<'a> {
    minus: &'a EdgeGeometry,
    plus: &'a EdgeGeometry,
    /// `1 + t- . t+`.
    chi: f64,
    /// Curvature binormal kappa_b = `2 t- x t+ / chi`, dimensionless (T22 Eq. 2).
    pub binormal: DVec3,
}

impl<'a> VertexGeometry<'a> {
    /// Geometry at the joint of two consecutive edges.
    #[inline]
    pub(crate) fn new(minus: &'a EdgeGeometry, plus: &'a EdgeGeometry) -> Self {
        // kappa_b = 2 t- x t+/(1 + t- . t+) (B08 Eq. 1, T22 Eq. 2)
        let chi = 1.0 + minus.tangent.dot(plus.tangent);
        let binormal = minus.tangent.cross(plus.tangent) * (2.0 / chi);
        Self {
            minus,
            plus,
            chi,
            binormal,
        }
    }

    /// Material curvatures `kappa_b . m2` and `-kappa_b . m1` with the directors of `sides` (T22
    /// Eq. 3 up to the sign of the second, B08 Eq. 2): the components of the curvature vector along
    /// m1 and m2, times the Voronoi length.
    #[inline]
    pub(crate) fn curvature(&self, sides: Sides) -> [f64; 2] {
        [0, 1].map(|component| self.binormal.dot(self.mean_normal(component, sides)))
    }

    /// The director that multiplies kappa_b in curvature `component`.
    #[inline]
    fn mean_normal(&self, component: usize, sides: Sides) -> DVec3 {
        Self::normal(component, self.minus) * sides[0]
            + Self::normal(component, self.plus) * sides[1]
    }

    /// The director that multiplies kappa_b in curvature `component` on one edge: m2 or -m1.
    #[inline]
    fn normal(component: usize, edge: &EdgeGeometry) -> DVec3 {
        if component == 0 { edge.m2 } else { -edge.m1 }
    }

    /// Its derivative by theta: -m1 or -m2.
    #[inline]
    fn normal_rate(component: usize, edge: &EdgeGeometry) -> DVec3 {
        if component == 0 { -edge.m1 } else { -edge.m2 }
    }

    /// `1 + t- . t+`, twice the square of the cosine of half of the turning angle.
    #[inline]
    pub(crate) fn chi(&self) -> f64 {
        self.chi
    }

    /// Derivative of curvature `component` by the angles of both edges.
    #[inline]
    pub(crate) fn curvature_by_theta(&self, component: usize, sides: Sides) -> [f64; 2] {
        // Of the edge's own director alone: dm2/dth = -m1, d(-m1)/dth = -m2
        let by = |side: usize, e| sides[side] * self.binormal.dot(Self::normal_rate(component, e));
        [by(0, self.minus), by(1, self.plus)]
    }

    /// Second derivatives of curvature `component` by each angle; it has none by both.
    #[inline]
    pub(crate) fn curvature_by_theta_twice(&self, component: usize, sides: Sides) -> [f64; 2] {
        let by = |side: usize, e| -sides[side] * self.binormal.dot(Self::normal(component, e));
        [by(0, self.minus), by(1, self.plus)]
    }
}

/// Twist tau of a vertex, rad: `th+ - th- + m_ref` (T22 Eq. 4).
pub(crate) fn twist(topology: &Topology, kinematics: &Kinematics, q: &[f64], vertex: usize) -> f64 {
    let [minus, plus] = topology.vertex_edges[vertex].map(|e| q[topology.edge_dof[e]]);
    plus - minus + kinematics.twist[vertex]
}
