//! Coulomb friction in the direction of the previous step's slip (C21 Eq. 18 to 20).
//!
//! With the velocities of the edges' middles at the start of the step, and the normal force N = F_n
//! n on the first edge,
//!
//! ```text
//! v   = (u_a0 + u_a1)/2 - (u_b0 + u_b1)/2,   v_T = v - (v . n) n                                  (Eq. 18)
//! f   = -mu F_n gamma v_T/|v_T|,   gamma = 1/(1 + exp(-K (|v_T|/h - c)))                          (Eq. 19)
//! ```
//!
//! half of f acts on each node of the first edge, half of -f on each of the second (Eq. 20).
//! Velocities are known, so within a step f depends on positions only through N: on F_n and,
//! through the projection, on n. Forces balance; their moments do not quite, since they act at the
//! edges' middles and not where the rods touch.

use glam::{DMat3, DVec3};

use crate::error::ModelError;
use crate::error::{POSITIVE, check, positive};
use crate::kernels::distance::{Matrix12, flatten, outer};
use crate::kernels::smooth_distance::sigmoid;

/// Friction of C21.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaggedFriction {
    /// Coefficient mu; 0 for none.
    pub coefficient: f64,
    /// c, radii per second: the slip speed at which half the friction acts.
    pub slip_limit: f64,
    /// K, seconds per radius: friction turns on within a few 1/K around c.
    pub slip_sharpness: f64,
}

impl Default for LaggedFriction {
    /// No friction; c = 0.15 and K = 50 as in C21.
    fn default() -> Self {
        Self {
            coefficient: 0.0,
            slip_limit: 0.15,
            slip_sharpness: 50.0,
        }
    }
}

impl LaggedFriction {
    /// Friction with the coefficient mu and C21's other parameters.
    pub fn coulomb(coefficient: f64) -> Self {
        Self {
            coefficient,
            ..Self::default()
        }
    }

    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let Self {
            coefficient: mu,
            slip_limit: c,
            slip_sharpness: k,
        } = *self;
        let not_negative = "finite and not negative";
        check(
            "friction coefficient",
            mu,
            mu.is_finite() && mu >= 0.0,
            not_negative,
        )?;
        check("slip limit", c, positive(c), POSITIVE)?;
        check("slip sharpness", k, positive(k), POSITIVE)
    }
}

/// Friction of a pair, ready to give its forces and Jacobian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlipForce {
    /// f, the force on the first edge, N.
    pub force: DVec3,
    /// df/dN.
    by_normal: DMat3,
}

impl SlipForce {
    /// Friction of two edges of mean radius `radius`, m, whose nodes (a0, a1, b0, b1) moved with
    /// `velocities`, m/s, and that press on each other with `normal_force`, the force on the first
    /// edge, N.
    pub(crate) fn new(
        friction: &LaggedFriction,
        radius: f64,
        normal_force: DVec3,
        velocities: &[DVec3; 4],
    ) -> Self {
        let [a0, a1, b0, b1] = *velocities;
        // v of the edges' middles and v_T = v - (v . n) n (C21 Eq. 18)
        let slip = 0.5 * (a0 + a1) - 0.5 * (b0 + b1);
        let pressing = normal_force.length();
        let n = normal_force.normalize_or_zero();
        let tangential = slip - slip.dot(n) * n;
        let speed = tangential.length();
        if pressing == 0.0 || speed == 0.0 {
            return Self {
                force: DVec3::ZERO,
                by_normal: DMat3::ZERO,
            };
        }
        // gamma = 1/(1 + exp(-K (|v_T|/h - c))) (C21 Eq. 19)
        let direction = tangential / speed;
        let sharpness = friction.slip_sharpness / radius;
        let x = sharpness * (speed - friction.slip_limit * radius);
        let gamma = sigmoid(x);
        let gamma_slope = sharpness * gamma * sigmoid(-x);
        let mu = friction.coefficient;
        // traction = gamma v_T/|v_T|.
        let along = outer(direction, direction);
        let traction_by_slip = along * gamma_slope + (DMat3::IDENTITY - along) * (gamma / speed);
        // v_T changes by -(n (v . dn) + (v . n) dn), dn = (I - n n^T) dN/F_n.
        let slip_by_normal = -(outer(n, slip) + DMat3::from_diagonal(DVec3::splat(slip.dot(n))))
            * (DMat3::IDENTITY - outer(n, n));
        Self {
            // df/dN = -mu (traction n^T + F_n d traction/dN); F_n cancels that of dn
            force: -mu * pressing * gamma * direction,
            by_normal: (outer(gamma * direction, n) + traction_by_slip * slip_by_normal) * -mu,
        }
    }

    /// Forces on the nodes (a0, a1, b0, b1), N (C21 Eq. 20).
    pub(crate) fn on_nodes(&self) -> [f64; 12] {
        flatten([0.5, 0.5, -0.5, -0.5].map(|w| w * self.force))
    }

    /// Derivative of [`SlipForce::on_nodes`] by the nodes, N/m, given that of the normal force on
    /// the first edge; not symmetric.
    pub(crate) fn jacobian(&self, normal_force_by_nodes: &[[f64; 12]; 3]) -> Matrix12 {
        let by_normal = self.by_normal.to_cols_array_2d();
        let mut jacobian = [[0.0; 12]; 12];
        for r in 0..3 {
            for j in 0..12 {
                // df = (df/dN) dN, by halves on the nodes of each edge
                let slope = (0..3)
                    .map(|c| by_normal[c][r] * normal_force_by_nodes[c][j])
                    .sum::<f64>();
                for (k, w) in [0.5, 0.5, -0.5, -0.5].into_iter().enumerate() {
                    jacobian[3 * k + r][j] = w * slope;
                }
            }
        }
        jacobian
    }
}
