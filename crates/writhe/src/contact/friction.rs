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
use glam::{DMat3, DVec3};

/// K2 times the slip tolerance (T22 Eq. 17).
const SHARPNESS: f64 = 15.0;

/// Coefficient and regularisation of Coulomb friction.
#[derive(Clone, Copy, Debug)]
pub struct FrictionLaw {
    /// mu, dimensionless.
    pub coefficient: f64,
    /// nu, in m/s, positive: slower sliding counts as sticking (T22 Eq. 17).
    pub slip_tolerance: f64,
}

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
    pub fn new(law: &FrictionLaw, contact: NormalContact<'a>, velocities: &[DVec3; 4]) -> Self {
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
mod tests {
    use super::super::imc::{ContactLaw, PairContact, contact};
    use super::super::testing::*;
    use super::*;
    use proptest::prelude::*;

    const CONTACT: ContactLaw = ContactLaw {
        radii: [0.09, 0.11],
        tolerance: 0.02,
        stiffness: 3.0,
    };
    const FRICTION: FrictionLaw = FrictionLaw {
        coefficient: 0.3,
        slip_tolerance: 0.05,
    };

    fn touch([a0, a1, b0, b1]: Nodes) -> PairContact {
        contact(&CONTACT, a0, a1, b0, b1).unwrap()
    }

    fn friction<'a>(
        law: &FrictionLaw,
        contact: &'a PairContact,
        velocities: Nodes,
    ) -> PairFriction<'a> {
        let normal = NormalContact {
            distance: &contact.distance,
            force: contact.normal_force,
            stiffness: contact.normal_stiffness,
        };
        PairFriction::new(law, normal, &velocities)
    }

    fn force(nodes: Nodes, velocities: Nodes) -> [f64; 12] {
        friction(&FRICTION, &touch(nodes), velocities).force()
    }

    /// Catalogue 4.3, closed form: v/nu, gamma, nu d gamma/dv.
    #[test]
    fn catalogue_table() {
        let table = [
            (0.0, 0.0, Some(7.5)),
            (0.01, 0.0748596906874991, Some(7.45797020032629)),
            (0.1, 0.6351489523872873, Some(4.474393562109986)),
            (0.2, 0.9051482536448664, Some(1.355299791927364)),
            (0.5, 0.9988944427261528, None),
            (1.0, 0.9999993881955461, None),
        ];
        let nu = 2e-3;
        for (speed, gamma, slope) in table {
            let (ours, our_slope) = stick_slip_weight(speed * nu, nu);
            assert!((ours - gamma).abs() <= 1e-14, "{speed}: {ours}");
            let expected = slope.unwrap_or(7.5 * (1.0 - gamma * gamma));
            assert!(
                (our_slope * nu - expected).abs() <= 1e-12,
                "{speed}: {our_slope}"
            );
            let (ratio, _) = regular_weight(speed * nu, nu);
            assert!(
                (ratio * speed * nu - gamma).abs() <= 1e-14,
                "{speed}: {ratio}"
            );
        }
    }

    /// Catalogue 4.3: creep speed at a fraction of the limit.
    #[test]
    fn creep_while_sticking() {
        let creep = [
            (0.5, 0.0732408192),
            (0.9, 0.1962959319),
            (0.99, 0.3528869883),
            (0.999, 0.5066934890),
        ];
        for (fraction, speed) in creep {
            let (gamma, slope) = stick_slip_weight(speed, 1.0);
            assert!(
                (gamma - fraction).abs() < 1e-10 * slope,
                "{fraction}: {gamma}"
            );
        }
    }

    /// The series and the quotient meet, and the derivative is that of the ratio, across the switch.
    #[test]
    fn regular_weight_is_smooth() {
        assert_eq!(tanh_ratio(0.0), (1.0, -2.0 / 3.0));
        let (below, above) = (tanh_ratio(0.05 - 1e-12), tanh_ratio(0.05));
        assert!((below.0 - above.0).abs() < 1e-13 && (below.1 - above.1).abs() < 1e-11);
        for z in [1e-3, 0.01, 0.03, 0.049, 0.06, 0.3, 2.0, 8.0] {
            let step = 1e-3 * z;
            let f = |x: f64| tanh_ratio(x).0;
            let reference = (8.0 * (f(z + step) - f(z - step))
                - (f(z + 2.0 * step) - f(z - 2.0 * step)))
                / (12.0 * step * z);
            let slope = tanh_ratio(z).1;
            assert!(
                (slope - reference).abs() < 1e-6 * slope.abs() + 1e-15 / (step * z),
                "{z}: {slope} {reference}"
            );
        }
    }

    /// Pairs in contact, edge against edge and against ends, and velocities from rest to fast sliding.
    fn samples() -> Vec<(Nodes, Nodes)> {
        let mut random = Random(31);
        let mut samples = Vec::new();
        for speed in [0.0, 1e-4, 4e-3, 0.02, 0.3] {
            for angle in [0.1, 0.7, 1.5] {
                for place in [
                    [0.4, 0.7],
                    [0.4, -0.05],
                    [1.06, 0.3],
                    [1.04, -0.03],
                    [0.03, 0.97],
                ] {
                    let nodes = random.crossing([1.0, 0.8], angle, place, 0.17);
                    samples.push((nodes, random.nodes().map(|u| speed * u)));
                }
            }
        }
        samples
    }

    #[test]
    fn velocity_jacobian_matches_differences() {
        for (nodes, velocities) in samples() {
            let reference = transposed(differences(velocities, 1e-5, |u| force(nodes, u)));
            let contact = touch(nodes);
            let jacobian = friction(&FRICTION, &contact, velocities).velocity_jacobian();
            let error = matrix_error(&jacobian, &reference);
            assert!(error < 1e-6, "{error:e}");
        }
    }

    #[test]
    fn position_jacobian_matches_differences() {
        for (nodes, velocities) in samples()
            .into_iter()
            .filter(|(_, u)| *u != [DVec3::ZERO; 4])
        {
            let reference = transposed(differences(nodes, 2e-5, |x| force(x, velocities)));
            let contact = touch(nodes);
            let jacobian = friction(&FRICTION, &contact, velocities).position_jacobian();
            let error = matrix_error(&jacobian, &reference);
            assert!(error < 1e-6, "{error:e} {:?}", contact.distance.closest);
        }
    }

    #[test]
    fn nothing_is_singular_at_rest() {
        let (nodes, _) = samples()[0];
        let contact = touch(nodes);
        let rest = friction(&FRICTION, &contact, [DVec3::new(1.0, -2.0, 0.5); 4]);
        assert!(
            rest.force()
                .iter()
                .all(|f| f.abs() < 1e-13 * contact.normal_force)
        );
        assert!(
            rest.position_jacobian()
                .as_flattened()
                .iter()
                .all(|x| x.is_finite())
        );
        // At rest the Jacobian is the isotropic drag mu F_n K2/2 in the tangent plane.
        let still = friction(&FRICTION, &contact, [DVec3::ZERO; 4]);
        let drag = FRICTION.coefficient * contact.normal_force * 7.5 / FRICTION.slip_tolerance;
        let w = contact.distance.weights;
        let jacobian = still.velocity_jacobian();
        let trace: f64 = (0..3).map(|c| jacobian[c][c]).sum();
        assert!(
            (trace + 2.0 * drag * w[0] * w[0]).abs() < 1e-12 * drag,
            "{trace} {drag}"
        );
    }

    #[test]
    fn balanced_tangential_and_opposed_to_slip() {
        for (nodes, velocities) in samples() {
            let contact = touch(nodes);
            let friction = friction(&FRICTION, &contact, velocities);
            let forces = unflat(friction.force());
            let limit = FRICTION.coefficient * contact.normal_force;
            assert!(forces.iter().sum::<DVec3>().length() <= 1e-15 * limit);
            let f = friction.contact_force();
            assert!(f.dot(contact.distance.normal).abs() <= 1e-14 * limit);
            assert!(f.length() <= limit * (1.0 + 1e-15));
            let power: f64 = forces.iter().zip(&velocities).map(|(f, u)| f.dot(*u)).sum();
            assert!(power <= 0.0);
            assert!(
                (power + f.length() * friction.slip_velocity().length()).abs() <= 1e-14 * limit
            );
        }
    }

    /// The paper's own order of operations: normal forces by node, beta as a ratio of forces (T22 Eq. 14 to 20).
    fn as_printed(gradient: Nodes, velocities: Nodes) -> Nodes {
        let n = (gradient[0] + gradient[1]).normalize();
        let share =
            |first: DVec3, second: DVec3| second.length() / (first.length() + second.length());
        let (beta_i, beta_j) = (
            share(gradient[0], gradient[1]),
            share(gradient[2], gradient[3]),
        );
        let point = |beta: f64, first: DVec3, second: DVec3| (1.0 - beta) * first + beta * second;
        let v = point(beta_i, velocities[0], velocities[1])
            - point(beta_j, velocities[2], velocities[3]);
        let v_t = v - v.dot(n) * n;
        let gamma = 2.0 / (1.0 + (-15.0 / FRICTION.slip_tolerance * v_t.length()).exp()) - 1.0;
        let towards = |k: usize| if k < 2 { -1.0 } else { 1.0 };
        std::array::from_fn(|k| {
            towards(k) * FRICTION.coefficient * gamma * gradient[k].length() * v_t.normalize()
        })
    }

    #[test]
    fn equals_the_printed_equations() {
        for (nodes, velocities) in samples()
            .into_iter()
            .filter(|(_, u)| *u != [DVec3::ZERO; 4])
        {
            let reference = flat(as_printed(unflat(touch(nodes).gradient()), velocities));
            let error = relative_error(&force(nodes, velocities), &reference);
            assert!(error < 1e-11, "{error:e}");
        }
    }

    proptest! {
        /// A rigid motion carries no slip of its own and turns the force with the pair.
        #[test]
        fn frame_does_not_matter(seed: u64) {
            let mut random = Random(seed);
            let nodes = random.crossing([1.0, 0.8], 0.9, [0.3, 0.6], 0.17);
            let velocities = random.nodes().map(|u| 0.05 * u);
            let (q, shift, drift) = (random.rotation(), random.vector(), 0.1 * random.vector());
            let here = unflat(force(nodes, velocities));
            let there = unflat(force(nodes.map(|x| q * x + shift), velocities.map(|u| q * u + drift)));
            let limit = FRICTION.coefficient * touch(nodes).normal_force;
            for (f, g) in here.iter().zip(there) {
                prop_assert!((q * *f - g).length() < 1e-10 * limit, "{f:?} {g:?}");
            }
        }
    }
}
