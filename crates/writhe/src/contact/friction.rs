//! Coulomb friction between two edges, smoothed at zero velocity (T22 Eq. 14 to 21).
//!
//! One force f acts on the first edge at its contact point, -f on the second one's:
//!
//! ```text
//! v   = sum_k w_k u_k                     relative velocity of the contact points    (T22 Eq. 15)
//! v_T = v - (v . n) n                     its tangential part                        (T22 Eq. 16)
//! f   = -mu F_n gamma(|v_T|) v_T/|v_T|                                               (T22 Eq. 17, 18)
//! ```
//!
//! and node k receives w_k f, with w = (1-s, s, -(1-t), -t) and the node velocities u_k. Algebraically this is T22's
//! Eq. 18: there node k carries the normal force |F_k| = |w_k| F_n by Eq. 19, the direction n_i of Eq. 14 is the
//! normal, and the relative velocity changes sign with the edge. Weights come from the distance instead of ratios of
//! forces (Eq. 20), so nothing is divided by the contact force. The velocities are those of the centrelines: neither
//! T22 nor this file includes the spin of a rod about its own axis.

use super::distance::{Matrix12, PairDistance, flatten, outer};
use super::settings::Friction;
use glam::{DMat3, DVec3};

/// K2 times the slip tolerance (T22 Eq. 17).
const SHARPNESS: f64 = 15.0;

/// The normal contact that friction acts through: any contact model provides it.
#[derive(Clone, Copy, Debug)]
pub struct NormalContact<'a> {
    pub distance: &'a PairDistance,
    /// F_n, in newtons, at least 0.
    pub force: f64,
    /// -dF_n/dD, in N/m. Zero where the normal force is lagged.
    pub stiffness: f64,
}

/// Friction of a pair, ready to give its forces and Jacobians.
#[derive(Clone, Copy, Debug)]
pub struct PairFriction<'a> {
    contact: NormalContact<'a>,
    /// v, in m/s.
    relative: DVec3,
    /// u_a1 - u_a0 and u_b1 - u_b0: how v changes along the edges, in m/s.
    shear: [DVec3; 2],
    /// v_T, in m/s.
    tangential: DVec3,
    /// Force on the first edge over the normal force.
    traction: DVec3,
    /// d traction / d v_T, symmetric, in s/m.
    drag: DMat3,
}

/// Stick-slip weight gamma = 2/(1 + exp(-K2 v)) - 1 and its derivative by the speed v (T22 Eq. 17), K2 = 15/nu.
pub fn stick_slip_weight(speed: f64, slip_tolerance: f64) -> (f64, f64) {
    let half = 0.5 * SHARPNESS / slip_tolerance;
    let gamma = (half * speed).tanh();
    (gamma, half * (1.0 - gamma * gamma))
}

/// gamma/v and (d/dv)(gamma/v)/v, both regular at rest: K2/2 and -K2^3/12.
fn regular_weight(speed: f64, slip_tolerance: f64) -> (f64, f64) {
    let half = 0.5 * SHARPNESS / slip_tolerance;
    let (ratio, slope) = tanh_ratio(half * speed);
    (half * ratio, half * half * half * slope)
}

/// tanh(z)/z and (d/dz)(tanh(z)/z)/z.
fn tanh_ratio(z: f64) -> (f64, f64) {
    // Below this the difference in the second loses more than the series leaves out (1e-14).
    const SMALL: f64 = 0.05;
    let z_sq = z * z;
    if z < SMALL {
        let ratio = 1.0
            - z_sq
                * (1.0 / 3.0
                    - z_sq * (2.0 / 15.0 - z_sq * (17.0 / 315.0 - z_sq * (62.0 / 2835.0))));
        let slope = -2.0 / 3.0
            + z_sq
                * (8.0 / 15.0
                    - z_sq * (34.0 / 105.0 - z_sq * (496.0 / 2835.0 - z_sq * (2764.0 / 31185.0))));
        return (ratio, slope);
    }
    let tanh = z.tanh();
    let ratio = tanh / z;
    (ratio, (1.0 - tanh * tanh - ratio) / z_sq)
}

impl<'a> PairFriction<'a> {
    /// Friction of a pair in contact whose nodes (a0, a1, b0, b1) move with `velocities`, in m/s.
    pub fn new(law: &Friction, contact: NormalContact<'a>, velocities: &[DVec3; 4]) -> Self {
        let w = contact.distance.weights;
        let n = contact.distance.normal;
        let relative: DVec3 = velocities.iter().zip(w).map(|(u, w)| w * *u).sum();
        let tangential = relative - relative.dot(n) * n;
        let (weight, weight_slope) = regular_weight(tangential.length(), law.slip_tolerance);
        let drag = DMat3::from_diagonal(DVec3::splat(weight))
            + outer(tangential, weight_slope * tangential);
        Self {
            contact,
            relative,
            shear: [velocities[1] - velocities[0], velocities[3] - velocities[2]],
            tangential,
            traction: -law.coefficient * weight * tangential,
            drag: drag * -law.coefficient,
        }
    }

    /// f, the force on the first edge at its contact point, in newtons; -f acts on the second.
    pub fn contact_force(&self) -> DVec3 {
        self.contact.force * self.traction
    }

    /// v_T, in m/s (T22 Eq. 16).
    pub fn slip_velocity(&self) -> DVec3 {
        self.tangential
    }

    /// Friction forces w_k f on the nodes (a0, a1, b0, b1), in newtons (T22 Eq. 18). They sum to zero.
    pub fn force(&self) -> [f64; 12] {
        let f = self.contact_force();
        flatten(self.contact.distance.weights.map(|w| w * f))
    }

    /// d force / d velocities, 12 x 12, symmetric and negative semidefinite, in N s/m:
    /// w_k w_l F_n (d traction/d v_T) (I - n n^T).
    pub fn velocity_jacobian(&self) -> Matrix12 {
        let w = self.contact.distance.weights;
        let block = (self.drag * self.normal_complement()) * self.contact.force;
        blocks(|k, l| block * (w[k] * w[l]))
    }

    /// d force / d positions at fixed velocities, 12 x 12, not symmetric, in N/m: through the normal force, the normal
    /// and the contact points (T22 Eq. 21, complete).
    pub fn position_jacobian(&self) -> Matrix12 {
        let distance = self.contact.distance;
        let w = distance.weights;
        let f = self.contact_force();
        let [grad_s, grad_t] = distance.parameter_gradients();
        let by_node: [DMat3; 4] =
            std::array::from_fn(|l| self.contact_force_derivative(l, grad_s[l], grad_t[l]));
        blocks(|k, l| {
            let grad_weight = match k {
                0 => -grad_s[l],
                1 => grad_s[l],
                2 => grad_t[l],
                _ => -grad_t[l],
            };
            by_node[l] * w[k] + outer(f, grad_weight)
        })
    }

    /// df/dx_l, given ds/dx_l and dt/dx_l.
    fn contact_force_derivative(&self, l: usize, grad_s: DVec3, grad_t: DVec3) -> DMat3 {
        let distance = self.contact.distance;
        let n = distance.normal;
        let relative_derivative = outer(self.shear[0], grad_s) - outer(self.shear[1], grad_t);
        // v_T = v - (v . n) n.
        let tangential_derivative = self.normal_complement() * relative_derivative
            - (outer(n, self.relative) + DMat3::from_diagonal(DVec3::splat(self.relative.dot(n))))
                * distance.normal_derivative(l);
        let normal_force_derivative = -self.contact.stiffness * distance.weights[l] * n;
        outer(self.traction, normal_force_derivative)
            + self.drag * tangential_derivative * self.contact.force
    }

    /// I - n n^T.
    fn normal_complement(&self) -> DMat3 {
        let n = self.contact.distance.normal;
        DMat3::IDENTITY - outer(n, n)
    }
}

/// Assembles a 12 x 12 matrix from its blocks (k, l).
fn blocks(block: impl Fn(usize, usize) -> DMat3) -> Matrix12 {
    let mut matrix = [[0.0; 12]; 12];
    for k in 0..4 {
        for l in 0..4 {
            let columns = block(k, l).to_cols_array_2d();
            for (c, column) in columns.iter().enumerate() {
                for (r, value) in column.iter().enumerate() {
                    matrix[3 * k + r][3 * l + c] = *value;
                }
            }
        }
    }
    matrix
}

#[cfg(test)]
mod tests;
