//! Blocks of a heap that were hard to balance, to six or four digits: two contacts in nearly the same
//! place.

use glam::DVec2;

use super::*;
use crate::contact::site::contact::Slip;
use crate::contact_model::imc::ImcLaw;
use crate::contact_model::law::NormalLaw;

const RATE: f64 = 500.0;
const SCALE: f64 = 1e-4;

struct Hard {
    /// Gap, m, and slip, m/s, of each contact.
    contacts: [(f64, DVec2); 2],
    /// N m.
    stiffness: f64,
    /// Coefficient of friction.
    mu: f64,
    free: [f64; 6],
    before: [f64; 6],
    /// Lower rows of their compliance.
    own: [&'static [f64]; 6],
}

/// Visit after visit its friction went from one side to the other, by decision 0094 and before.
const TO_AND_FRO: Hard = Hard {
    contacts: [
        (-2.22574e-7, DVec2::new(5.9499e-5, 9.67937e-4)),
        (-9.71561e-8, DVec2::new(-8.29444e-5, -8.63774e-4)),
    ],
    stiffness: 0.00626706,
    mu: 0.3,
    free: [
        -0.00104904,
        -1.22358e-5,
        6.35797e-6,
        -0.00104904,
        -1.22715e-5,
        5.38969e-5,
    ],
    before: [
        0.00420857,
        -7.62579e-5,
        -0.00124311,
        0.00340579,
        9.883e-5,
        0.00101695,
    ],
    own: [
        &[0.138705],
        &[0.00121215, 0.115],
        &[0.00194094, -0.0027159, 0.11259],
        &[0.138731, 0.00116929, 0.00303103, 0.138773],
        &[0.00117679, 0.113175, -0.00268987, 0.00113379, 0.115092],
        &[
            -0.00464667,
            -0.00273127,
            0.111429,
            -0.00357792,
            -0.00272674,
            0.112639,
        ],
    ],
};

/// Of a heap with friction .9, in which 16 iterations with the derivative by N did not settle it.
const MUCH: Hard = Hard {
    contacts: [(4.572e-5, DVec2::ZERO), (5.929e-6, DVec2::ZERO)],
    stiffness: 0.006282,
    mu: 0.9,
    free: [-1.19e-4, 1.986e-5, 1.11e-5, -1.202e-4, -2.232e-6, -2.887e-6],
    before: [0.0, 0.0, 0.0, 1.577e-10, 0.0, 0.0],
    own: [
        &[0.1391],
        &[-0.01313, 0.121],
        &[-0.007735, -0.0008408, 0.1188],
        &[0.1375, -0.02783, -0.01461, 0.1393],
        &[0.01652, 0.1123, -0.00328, 0.001607, 0.1159],
        &[0.008817, -0.003229, 0.1129, 0.001878, -0.002252, 0.1151],
    ],
};

impl Hard {
    fn see<T>(&self, see: impl FnOnce(Balance) -> T) -> T {
        let law = NormalLaw::Imc(ImcLaw {
            scale: 1e-3,
            tolerance: 1e-5,
            stiffness: self.stiffness,
        });
        let contacts = (self.contacts).map(|(gap, slip)| {
            let slip = Slip::creeping(slip, RATE, self.mu, SCALE);
            Contact::creeping(gap, law.into(), slip)
        });
        let own: Vec<f64> = (0..36)
            .map(|k| self.own[(k / 6).max(k % 6)][(k / 6).min(k % 6)])
            .collect();
        see(Balance {
            contacts: &contacts,
            free: &self.free,
            own: &own,
        })
    }

    /// How far these forces are from those that contacts exert with them, over the largest.
    fn imbalance(&self, balance: &Balance, y: &[f64]) -> f64 {
        let value = |row: usize| -> f64 {
            let by: f64 = (0..6).map(|j| balance.own[j * 6 + row] * y[j]).sum();
            balance.free[row] + by
        };
        let mut most = 0.0_f64;
        for (k, (_, slip)) in self.contacts.iter().enumerate() {
            let [n, a, b] = [3 * k, 3 * k + 1, 3 * k + 2];
            let normal = balance.contacts[k].response(value(n)).force;
            let slip = *slip + RATE * DVec2::new(value(a), value(b));
            let size = slip.length();
            let friction = -self.mu * y[n].max(0.0) * (7.5 * size / SCALE).tanh() / size * slip;
            for (found, wanted) in [(y[n], normal), (y[a], friction.x), (y[b], friction.y)] {
                most = most.max((found - wanted).abs());
            }
        }
        most / largest(y)
    }
}

#[test]
fn contacts_in_one_place_settle_from_anywhere() {
    let stiff = Hard {
        stiffness: 6e3,
        ..MUCH
    };
    for hard in [TO_AND_FRO, MUCH, stiff] {
        hard.see(|balance| {
            for start in [hard.before, [0.0; 6], [0.1; 6]] {
                let mut y = start;
                assert!(balance.find(&mut y), "{start:?}");
                let off = hard.imbalance(&balance, &y);
                assert!(off < 2e-5, "{off:e} from {start:?}");
            }
        });
    }
}

/// Friction that waits for the normal forces of the iteration before goes to and fro.
#[test]
fn friction_follows_normal_forces() {
    let settles = |friction| {
        TO_AND_FRO
            .see(|balance| Few::<6>(&balance).settle(6, friction, &mut TO_AND_FRO.before.clone()))
    };
    assert!(settles(Friction::Follows) && !settles(Friction::Waits));
}

/// The matrix is the derivative of forces less what contacts answer, where forces are what they answer.
#[test]
fn the_matrix_is_a_derivative() {
    TO_AND_FRO.see(|balance| {
        let few = Few::<6>(&balance);
        let mut y = TO_AND_FRO.before;
        let off = |y: &Rows<6>| -> Rows<6> {
            let force = few.answer(6, &few.normals(y), y).force;
            std::array::from_fn(|i| y[i] - force[i])
        };
        assert!(balance.find(&mut y));
        let (normals, mut matrix) = (few.normals(&y), [[0.0; 6]; 6]);
        let at = few.answer(6, &normals, &y);
        few.fill(6, &at, (&normals, &y, Friction::Follows), &mut matrix);
        let step = 1e-9;
        for j in 0..6 {
            let moved = |by: f64| {
                off(&std::array::from_fn(|i| {
                    y[i] + if i == j { by } else { 0.0 }
                }))
            };
            let (up, down) = (moved(step), moved(-step));
            for i in 0..6 {
                let wanted = (up[i] - down[i]) / (2.0 * step);
                let scale = matrix[i].iter().fold(0.0_f64, |most, m| most.max(m.abs()));
                assert!(
                    (matrix[i][j] - wanted).abs() < 1e-3 * scale,
                    "{i} {j}: {} {wanted}",
                    matrix[i][j]
                );
            }
        }
    });
}
