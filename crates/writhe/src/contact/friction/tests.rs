use super::super::imc::ImcLaw;
use super::super::law::NormalLaw;
use super::super::pair::PairContact;
use super::super::testing::*;
use super::*;
use proptest::prelude::*;

const TOUCHING: f64 = 0.2;
const CONTACT: ImcLaw = ImcLaw {
    scale: 0.1,
    tolerance: 0.02,
    stiffness: 3.0,
};
const FRICTION: Friction = Friction {
    coefficient: 0.3,
    slip_tolerance: 0.05,
};

fn touch(nodes: Nodes) -> PairContact {
    PairContact::find(&NormalLaw::Imc(CONTACT), TOUCHING, nodes).unwrap()
}

fn friction<'a>(law: &Friction, contact: &'a PairContact, velocities: Nodes) -> PairFriction<'a> {
    let normal = NormalContact {
        distance: &contact.distance,
        force: contact.response.force,
        stiffness: contact.response.stiffness,
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
            .all(|f| f.abs() < 1e-13 * contact.response.force)
    );
    assert!(
        rest.position_jacobian()
            .as_flattened()
            .iter()
            .all(|x| x.is_finite())
    );
    // At rest the Jacobian is the isotropic drag mu F_n K2/2 in the tangent plane.
    let still = friction(&FRICTION, &contact, [DVec3::ZERO; 4]);
    let drag = FRICTION.coefficient * contact.response.force * 7.5 / FRICTION.slip_tolerance;
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
        let limit = FRICTION.coefficient * contact.response.force;
        assert!(forces.iter().sum::<DVec3>().length() <= 1e-15 * limit);
        let f = friction.contact_force();
        assert!(f.dot(contact.distance.normal).abs() <= 1e-14 * limit);
        assert!(f.length() <= limit * (1.0 + 1e-15));
        let power: f64 = forces.iter().zip(&velocities).map(|(f, u)| f.dot(*u)).sum();
        assert!(power <= 0.0);
        assert!((power + f.length() * friction.slip_velocity().length()).abs() <= 1e-14 * limit);
    }
}

/// The paper's own order of operations: normal forces by node, beta as a ratio of forces (T22 Eq. 14 to 20).
fn as_printed(gradient: Nodes, velocities: Nodes) -> Nodes {
    let n = (gradient[0] + gradient[1]).normalize();
    let share = |first: DVec3, second: DVec3| second.length() / (first.length() + second.length());
    let (beta_i, beta_j) = (
        share(gradient[0], gradient[1]),
        share(gradient[2], gradient[3]),
    );
    let point = |beta: f64, first: DVec3, second: DVec3| (1.0 - beta) * first + beta * second;
    let v =
        point(beta_i, velocities[0], velocities[1]) - point(beta_j, velocities[2], velocities[3]);
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
        let limit = FRICTION.coefficient * touch(nodes).response.force;
        for (f, g) in here.iter().zip(there) {
            prop_assert!((q * *f - g).length() < 1e-10 * limit, "{f:?} {g:?}");
        }
    }
}
