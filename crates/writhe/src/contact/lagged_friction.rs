//! Smoothed friction with a lagged normal force (Li et al. 2020, section 5): it has a potential.
//!
//! The normal force N, the contact points and the normal n of a pair are kept from an earlier configuration, so the slip is
//! a fixed linear map of the velocities, v_T = G u, and the force derives from the dissipative potential
//!
//! ```text
//! Phi(u) = mu N f0(|v_T|),    f0(v) = -v^3/(3 e^2) + v^2/e + e/3  for v < e,    v beyond       (Li et al. 2020, Eq. 14 f.)
//! force  = -G^T mu N f1(|v_T|) v_T/|v_T|,    f1 = f0' = -(v/e)^2 + 2 v/e,    1 beyond
//! ```
//!
//! with the slip tolerance e, in m/s. Its Hessian in the velocities is positive semidefinite: mu N G^T (f1/v I + (f1/v)'/v v v^T) G.
//! Li et al. write it in the displacement of a step, e dt; for a scheme with velocities u = a y + ... the same potential of the
//! stage y is Phi/a.
//!
//! The slip is that of the centrelines (T22 Eq. 15), or of the surfaces at the contact point: there a section that turns with
//! the angular velocity w = theta' t + t x t' adds w x r, with r = -h n on the first edge and h n on the second. The force then
//! acts at these points: its moment about the centreline is a torque on theta and a couple on the nodes.

use glam::{DMat3, DVec3};

use super::distance::{Matrix12, PairDistance, outer};

/// f0, in m/s, f1 and f1/v, in s/m, at the speed `speed` for the slip tolerance `tolerance`, both in m/s.
pub fn mollifier(speed: f64, tolerance: f64) -> (f64, f64, f64) {
    let x = speed / tolerance;
    if x >= 1.0 {
        return (speed, 1.0, 1.0 / speed);
    }
    (
        tolerance * (x * x * (1.0 - x / 3.0) + 1.0 / 3.0),
        x * (2.0 - x),
        (2.0 - x) / tolerance,
    )
}

/// (d/dv)(f1/v)/v times v^2, in s/m: what |v_T| changes in f1/v. It vanishes with v.
fn mollifier_slope(speed: f64, tolerance: f64) -> f64 {
    if speed >= tolerance {
        -1.0 / speed
    } else {
        -speed / (tolerance * tolerance)
    }
}

/// How the slip of a pair follows from the velocities: v_T = sum_k nodes_k u_k + sum_e spins_e theta'_e.
#[derive(Clone, Copy, Debug)]
pub struct SlipMap {
    /// By the velocity of each node (a0, a1, b0, b1), dimensionless.
    pub nodes: [DMat3; 4],
    /// By the angular velocity of each edge, in m.
    pub spins: [DVec3; 2],
}

impl SlipMap {
    /// Slip of the centrelines' closest points, T22 Eq. 15 and 16.
    pub fn of_centrelines(distance: &PairDistance) -> Self {
        let across = complement(distance.normal);
        Self {
            nodes: distance.weights.map(|w| across * w),
            spins: [DVec3::ZERO; 2],
        }
    }

    /// Slip of the surfaces of two edges, given as vectors in m, with radii `radii`, in m, at their contact point.
    pub fn of_surfaces(distance: &PairDistance, edges: [DVec3; 2], radii: [f64; 2]) -> Self {
        let n = distance.normal;
        let across = complement(n);
        let mut map = Self::of_centrelines(distance);
        // The first edge's surface point lies at -h n, the second's at h n and counts with the other sign: -h n in both.
        for ((edge, radius), k) in edges.into_iter().zip(radii).zip([0, 2]) {
            let length = edge.length();
            let tangent = edge / length;
            let lever = -radius * n;
            map.spins[k / 2] = across * tangent.cross(lever);
            // w x r with w = t x (u1 - u0)/|e| is t' (t . r) turned round: (t x t') x r = t' (t . r) - t (t' . r).
            let turn = (complement(tangent) * tangent.dot(lever)
                - outer(tangent, complement(tangent) * lever))
                * (1.0 / length);
            let turn = across * turn;
            map.nodes[k] -= turn;
            map.nodes[k + 1] += turn;
        }
        map
    }

    /// v_T, in m/s.
    pub fn slip(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> DVec3 {
        let of_nodes: DVec3 = self
            .nodes
            .iter()
            .zip(velocities)
            .map(|(g, u)| *g * *u)
            .sum();
        of_nodes + spins[0] * self.spins[0] + spins[1] * self.spins[1]
    }
}

/// Friction of a pair whose normal force and slip map are kept.
#[derive(Clone, Copy, Debug)]
pub struct LaggedFriction {
    pub map: SlipMap,
    /// mu N, in newtons.
    pub limit: f64,
    /// e, in m/s, positive.
    pub slip_tolerance: f64,
}

/// Force of a pair on its nodes (a0, a1, b0, b1), in newtons, and edges, in N m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairForce {
    pub nodes: [DVec3; 4],
    pub spins: [f64; 2],
}

impl LaggedFriction {
    /// Phi, in watts.
    pub fn potential(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> f64 {
        let speed = self.map.slip(velocities, spins).length();
        self.limit * mollifier(speed, self.slip_tolerance).0
    }

    /// Force on the first edge at the contact point, in newtons.
    pub fn contact_force(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> DVec3 {
        let slip = self.map.slip(velocities, spins);
        let (_, _, ratio) = mollifier(slip.length(), self.slip_tolerance);
        -self.limit * ratio * slip
    }

    /// -G^T mu N f1 v_T/|v_T|.
    pub fn force(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> PairForce {
        let f = self.contact_force(velocities, spins);
        PairForce {
            nodes: self.map.nodes.map(|g| g.transpose() * f),
            spins: self.map.spins.map(|g| g.dot(f)),
        }
    }

    /// Hessian of Phi by the velocities of the four nodes, 12 x 12, symmetric and positive semidefinite, in N s/m.
    pub fn hessian(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> Matrix12 {
        let drag = self.drag(velocities, spins);
        let mut matrix = [[0.0; 12]; 12];
        for (k, left) in self.map.nodes.iter().enumerate() {
            for (l, right) in self.map.nodes.iter().enumerate() {
                let columns = (left.transpose() * drag * *right).to_cols_array_2d();
                for (c, column) in columns.iter().enumerate() {
                    for (r, value) in column.iter().enumerate() {
                        matrix[3 * k + r][3 * l + c] = *value;
                    }
                }
            }
        }
        matrix
    }

    /// The same with the two spins as coordinates 12 and 13; row-major, 14 x 14.
    pub fn hessian_with_spins(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> [[f64; 14]; 14] {
        let drag = self.drag(velocities, spins);
        // Column c of G.
        let column = |c: usize| -> DVec3 {
            if c < 12 {
                self.map.nodes[c / 3].col(c % 3)
            } else {
                self.map.spins[c - 12]
            }
        };
        let columns: [DVec3; 14] = std::array::from_fn(column);
        let pulled = columns.map(|g| drag * g);
        std::array::from_fn(|i| std::array::from_fn(|j| columns[i].dot(pulled[j])))
    }

    /// mu N (f1/v I + (f1/v)'/v v v^T), in N s/m.
    fn drag(&self, velocities: &[DVec3; 4], spins: [f64; 2]) -> DMat3 {
        let slip = self.map.slip(velocities, spins);
        let speed = slip.length();
        let (_, _, ratio) = mollifier(speed, self.slip_tolerance);
        let along = slip.normalize_or_zero();
        let slope = mollifier_slope(speed, self.slip_tolerance);
        (DMat3::from_diagonal(DVec3::splat(ratio)) + outer(along, slope * along)) * self.limit
    }
}

/// I - n n^T.
fn complement(n: DVec3) -> DMat3 {
    DMat3::IDENTITY - outer(n, n)
}

#[cfg(test)]
mod tests;
