//! Distance of a rod, at a node or along an edge, from something that does not deform.
//!
//! An edge [x0, x1] touches at its point c = w_0 x0 + w_1 x1, w = (1-s, s); a node is the case w =
//! (1, 0). With n = grad D at c, the envelope theorem gives grad_k D = w_k n, and from there
//! Hess_kl D = w_k dn/dx_l + n (dw_k/dx_l)^T.

use glam::{DMat3, DQuat, DVec3};

use crate::kernels::distance::{PairDistance, outer, pair_distance_within};

/// Signed distance of one point of a rod, with all that forces and their derivatives need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceDistance {
    /// D, m; negative inside a solid.
    pub distance: f64,
    /// Unit vector from the obstacle to the rod.
    pub normal: DVec3,
    /// Weights of the two nodes.
    pub weights: [f64; 2],
    /// ds/dx_k, 1/m; zero where the point is held at a node.
    pub parameter: [DVec3; 2],
    /// dn/dx_k, 1/m.
    pub turn: [DMat3; 2],
}

impl SurfaceDistance {
    /// The point of the rod.
    pub(crate) fn point(&self, nodes: [DVec3; 2]) -> DVec3 {
        self.weights[0] * nodes[0] + self.weights[1] * nodes[1]
    }

    /// dw_k/dx_l, 1/m.
    pub(crate) fn weight_gradient(&self, k: usize, l: usize) -> DVec3 {
        if k == 0 {
            -self.parameter[l]
        } else {
            self.parameter[l]
        }
    }

    /// Block (k, l) of the Hessian of D, 1/m.
    pub(crate) fn hessian(&self, k: usize, l: usize) -> DMat3 {
        self.turn[l] * self.weights[k] + outer(self.normal, self.weight_gradient(k, l))
    }

    /// This distance seen from a frame in which this one is rotated.
    pub(crate) fn rotated(&self, rotation: DQuat) -> Self {
        let r = DMat3::from_quat(rotation);
        Self {
            distance: self.distance,
            normal: r * self.normal,
            weights: self.weights,
            parameter: self.parameter.map(|v| r * v),
            turn: self.turn.map(|m| r * m * r.transpose()),
        }
    }
}

/// A node at the distance `distance` along the unit normal `n`, where the distance has the Hessian
/// `curvature`.
pub(crate) fn node(distance: f64, normal: DVec3, curvature: DMat3) -> SurfaceDistance {
    SurfaceDistance {
        distance,
        normal,
        weights: [1.0, 0.0],
        parameter: [DVec3::ZERO; 2],
        turn: [curvature, DMat3::ZERO],
    }
}

/// Edge from the origin, in the space that `projector` (a symmetric projection) keeps: all of it
/// for a point, a plane for the line normal to it. `None` at `range` or farther.
pub(crate) fn edge_from_origin(
    range: f64,
    projector: DMat3,
    [x0, x1]: [DVec3; 2],
) -> Option<SurfaceDistance> {
    let (a, u) = (projector * x0, projector * (x1 - x0));
    let uu = u.length_squared();
    let free = if uu > 0.0 { -a.dot(u) / uu } else { 0.0 };
    let s = free.clamp(0.0, 1.0);
    let delta = a + s * u;
    let distance = delta.length();
    if distance.is_nan() || distance >= range || distance == 0.0 {
        return None;
    }
    let weights = [1.0 - s, s];
    // From s u.u + a.u = 0; held at a node, s follows nothing.
    let parameter = if uu > 0.0 && free > 0.0 && free < 1.0 {
        [(delta - u * weights[0]) / uu, (-delta - u * s) / uu]
    } else {
        [DVec3::ZERO; 2]
    };
    let normal = delta / distance;
    let across = (DMat3::IDENTITY - outer(normal, normal)) * (1.0 / distance);
    // dn/dx_l = (I - n n^T)/D (P w_l + u (ds/dx_l)^T)
    let turn = [0, 1].map(|l| across * (projector * weights[l] + outer(u, parameter[l])));
    Some(SurfaceDistance {
        distance,
        normal,
        weights,
        parameter,
        turn,
    })
}

/// Edge from the segment [p, q]. `None` at `range` or farther.
pub(crate) fn edge_from_segment(
    range: f64,
    [x0, x1]: [DVec3; 2],
    [p, q]: [DVec3; 2],
) -> Option<SurfaceDistance> {
    let pair: PairDistance = pair_distance_within(range, x0, x1, p, q)?;
    let [s, _] = pair.parameter_gradients();
    Some(SurfaceDistance {
        distance: pair.closest.distance,
        normal: pair.normal,
        weights: [pair.weights[0], pair.weights[1]],
        parameter: [s[0], s[1]],
        turn: [pair.normal_derivative(0), pair.normal_derivative(1)],
    })
}

#[cfg(test)]
mod tests;
