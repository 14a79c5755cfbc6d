use crate::contact_model::imc_smooth::*;
use crate::kernels::distance::flatten;
use crate::kernels::testing::*;
use proptest::prelude::*;

const RADII: f64 = 0.2;
const K: f64 = 50.0;

const LAW: SmoothLaw = SmoothLaw {
    scale: 0.1,
    tolerance: 0.015,
    sharpness: 50.0,
    stiffness: 3.0,
};

fn find(nodes: Nodes) -> Option<SmoothContact> {
    SmoothContact::find(&NormalLaw::ImcSmooth(LAW), K, RADII, nodes)
}

fn close(ours: f64, reference: f64, tolerance: f64) -> bool {
    (ours - reference).abs() <= tolerance * reference.abs()
}

/// Catalogue 4.1, C21 Eq. 21 with ce = 50: E, E', E''.
#[test]
fn catalogue_table() {
    let table = [
        (1.9, 0.10013430696978, -0.99330714907572, 0.33240283353951),
        (2.0, 0.013862943611199, -0.5, 12.5),
        (
            2.1,
            1.3430696978236e-4,
            -6.6928509242849e-3,
            0.33240283353951,
        ),
    ];
    for (distance, value, first, second) in table {
        let ours = energy(distance, 50.0);
        for (ours, reference) in ours.into_iter().zip([value, first, second]) {
            assert!(
                close(ours, reference, 1e-12),
                "{distance}: {ours:e} {reference:e}"
            );
        }
    }
    assert!(close(energy(2.15, 50.0)[0], 1.1058629507216e-5, 1e-12));
}

/// Taking the tail off costs 5.5e-4 of the slope, and energy and force end at zero.
#[test]
fn law_is_the_paper_s_energy_less_its_tail() {
    let h = LAW.scale;
    for gap in [-0.05, -0.01, -0.001, 0.0, 0.005, 0.014] {
        let [value, slope, curvature] = energy(2.0 + gap / h, 50.0);
        let ours = LAW.evaluate(gap);
        let tail = 5.6e-4 * LAW.stiffness;
        assert!((ours.energy - LAW.stiffness * value).abs() < tail * (0.15 - gap / h + 0.021));
        assert!((ours.force + LAW.stiffness * slope / h).abs() < tail / h);
        assert!(close(
            ours.stiffness,
            LAW.stiffness * curvature / (h * h),
            1e-13
        ));
    }
    let end = LAW.evaluate(LAW.tolerance * (1.0 - 1e-9));
    let touching = LAW.evaluate(0.0);
    assert!(end.energy >= 0.0 && end.energy < 1e-15 * touching.energy);
    assert!(end.force >= 0.0 && end.force < 1e-9 * touching.force);
}

proptest! {
    #[test]
    fn law_matches_differences(gap in -0.1..0.0149_f64) {
        let step = 1e-5;
        let at = |x: f64| LAW.evaluate(gap + x);
        let difference = |f: &dyn Fn(Response) -> f64| {
            (8.0 * (f(at(step)) - f(at(-step))) - (f(at(2.0 * step)) - f(at(-2.0 * step)))) / (12.0 * step)
        };
        let ours = at(0.0);
        prop_assert!((difference(&|r| r.energy) + ours.force).abs() < 1e-8 * LAW.stiffness / LAW.scale);
        prop_assert!((difference(&|r| r.force) + ours.stiffness).abs() < 1e-8 * 12.5 * LAW.stiffness / LAW.scale.powi(2));
    }
}

/// Through the range of the law; inside, near and beyond the ends of edges.
fn samples() -> Vec<Nodes> {
    let mut random = Random(77);
    let mut samples = Vec::new();
    for gap in [0.16, 0.19, 0.2, 0.205] {
        for angle in [0.2, 0.9, 1.6] {
            for at in [[0.4, 0.7], [0.02, 0.5], [0.5, 0.98], [0.99, 0.01]] {
                samples.push(random.crossing([1.0, 0.8], angle, at, gap));
            }
        }
    }
    samples.retain(|x| find(*x).is_some_and(|c| c.response.force > 0.1));
    assert!(samples.len() > 40, "{}", samples.len());
    samples
}

#[test]
fn gradient_and_hessian_match_differences() {
    for nodes in samples() {
        let contact = find(nodes).unwrap();
        let reference = differences(
            nodes,
            2e-6,
            |x| [find(x).map_or(0.0, |c| c.response.energy)],
        );
        let error = relative_error(&contact.gradient(), reference.as_flattened());
        assert!(error < 1e-6, "gradient {error:e}");
        let reference = differences(nodes, 2e-6, |x| find(x).map_or([0.0; 12], |c| c.gradient()));
        let error = matrix_error(&contact.hessian(), &reference);
        assert!(error < 1e-6, "hessian {error:e}");
    }
}

#[test]
fn friction_matches_differences() {
    let mut random = Random(5);
    for nodes in samples() {
        let velocities: [DVec3; 4] = std::array::from_fn(|_| 0.02 * random.vector());
        for mu in [0.1, 0.7] {
            let friction = LaggedFriction::coulomb(mu);
            let force = |x: Nodes| {
                find(x).map_or([0.0; 12], |c| {
                    c.friction(&friction, LAW.scale, &velocities).on_nodes()
                })
            };
            let reference = transposed(differences(nodes, 2e-6, force));
            let contact = find(nodes).unwrap();
            let by_nodes = SmoothContact::force_by_nodes(&contact.hessian());
            let ours = contact
                .friction(&friction, LAW.scale, &velocities)
                .jacobian(&by_nodes);
            let error = matrix_error(&ours, &reference);
            assert!(error < 1e-6, "{error:e}");
        }
    }
}

/// Coulomb's law above the slip limit, nothing well below it, opposite to the slip, halves that
/// balance.
#[test]
fn friction_is_coulomb_s_when_sliding() {
    let mut random = Random(6);
    let nodes = random.crossing([1.0, 1.0], 1.2, [0.5, 0.5], 0.199);
    let contact = find(nodes).unwrap();
    let friction = LaggedFriction::coulomb(0.3);
    let normal = contact.force_on_first();
    let across = normal.any_orthogonal_vector().normalize();
    let force = |speed: f64| {
        let slip = speed * across;
        contact.friction(
            &friction,
            LAW.scale,
            &[slip, slip, DVec3::ZERO, DVec3::ZERO],
        )
    };
    let sliding = force(10.0);
    assert!((sliding.force + 0.3 * normal.length() * across).length() < 1e-12 * normal.length());
    assert!(close(
        force(0.015).force.length(),
        0.15 * normal.length(),
        1e-12
    ));
    assert!(force(0.0).force == DVec3::ZERO);
    assert!(force(1e-4).force.length() < 1e-3 * 0.3 * normal.length());
    let on_nodes = unflat(sliding.on_nodes());
    assert_eq!(on_nodes.iter().sum::<DVec3>(), DVec3::ZERO);
    assert_eq!(flatten(on_nodes), sliding.on_nodes());
}
