use crate::contact::pair::*;
use crate::contact_model::imc::ImcLaw;
use crate::kernels::testing::*;

const RADII: [f64; 2] = [0.09, 0.11];
const TOUCHING: f64 = RADII[0] + RADII[1];
const LAW: ImcLaw = ImcLaw {
    scale: 0.1,
    tolerance: 0.02,
    stiffness: 3.0,
};

fn pair_contact(law: &ImcLaw, nodes: Nodes) -> Option<PairContact> {
    PairContact::find(&NormalLaw::Imc(*law), TOUCHING, nodes)
}

fn close(ours: f64, reference: f64, tolerance: f64) -> bool {
    (ours - reference).abs() <= tolerance * reference.abs()
}

/// Pairs through the range of the law, edge against edge and against ends, away from switches.
fn samples() -> Vec<Nodes> {
    let mut random = Random(21);
    let mut samples = Vec::new();
    for gap in [0.05, 0.17, 0.185, 0.195, 0.2, 0.21, 0.217] {
        for angle in [0.1, 0.6, 1.5] {
            samples.push(random.crossing([1.0, 0.8], angle, [0.4, 0.7], gap));
            samples.push(random.crossing([1.0, 0.8], angle, [0.4, -0.05], 0.9 * gap));
            samples.push(random.crossing([1.0, 0.8], angle, [1.03, -0.03], 0.9 * gap));
        }
    }
    samples.retain(|x| {
        let d = pair_contact(&LAW, *x).map_or(0.0, |c| c.distance.closest.distance);
        d > 0.0 && (d - 0.18).abs() > 1e-3
    });
    samples
}

#[test]
fn gradient_matches_differences() {
    for nodes in samples() {
        let reference = differences(nodes, 2e-5, |x| {
            [pair_contact(&LAW, x).map_or(0.0, |c| c.response.energy)]
        });
        let gradient = pair_contact(&LAW, nodes).unwrap().gradient();
        let error = relative_error(&gradient, reference.as_flattened());
        assert!(error < 1e-6, "{error:e}");
    }
}

#[test]
fn hessian_matches_differences() {
    let samples = samples();
    assert!(samples.len() > 50, "{}", samples.len());
    for nodes in samples {
        let reference = differences(nodes, 2e-5, |x| {
            pair_contact(&LAW, x).map_or([0.0; 12], |c| c.gradient())
        });
        let hessian = pair_contact(&LAW, nodes)
            .unwrap()
            .hessian(HessianPart::Exact);
        let error = matrix_error(&hessian, &reference);
        assert!(error < 1e-6, "{error:e}");
    }
}

/// x . H x >= 0 for any x, and only the part with Hess D is missing.
#[test]
fn gauss_newton_part_is_semidefinite() {
    let mut random = Random(5);
    let mut exact_was_indefinite = false;
    for nodes in samples() {
        let contact = pair_contact(&LAW, nodes).unwrap();
        let (part, exact) = (
            contact.hessian(HessianPart::GaussNewton),
            contact.hessian(HessianPart::Exact),
        );
        let curvature = contact.distance.hessian();
        for _ in 0..20 {
            let x = flat(random.nodes());
            let form = |m: &Matrix12| {
                (0..144)
                    .map(|i| x[i / 12] * m[i / 12][i % 12] * x[i % 12])
                    .sum::<f64>()
            };
            let size = contact.response.stiffness + contact.response.force;
            assert!(form(&part) >= -1e-13 * size);
            let rest = -contact.response.force * form(&curvature);
            assert!((form(&exact) - form(&part) - rest).abs() <= 1e-12 * (size + rest.abs()));
            exact_was_indefinite |= form(&exact) < -1e-3 * size;
        }
    }
    assert!(
        exact_was_indefinite,
        "the samples should show why the part is offered"
    );
}

#[test]
fn force_is_balanced_and_repels() {
    for nodes in samples() {
        let force = unflat(pair_contact(&LAW, nodes).unwrap().gradient().map(|g| -g));
        let size = force.iter().map(|f| f.length()).sum::<f64>();
        let torque: DVec3 = nodes.iter().zip(&force).map(|(x, f)| x.cross(*f)).sum();
        assert!(force.iter().sum::<DVec3>().length() <= 1e-15 * size);
        assert!(torque.length() <= 1e-14 * size);
        assert!(
            (force[0] + force[1]).dot(pair_contact(&LAW, nodes).unwrap().distance.closest.delta)
                > 0.0
        );
    }
}

/// Only D/h and delta/h matter: gradient and Hessian scale as 1/h and 1/h^2 (T22 appendix B.1).
#[test]
fn scales_with_the_radius() {
    let nodes = samples()[0];
    let size = 1e-3;
    let small_law = ImcLaw {
        scale: size * LAW.scale,
        tolerance: size * LAW.tolerance,
        ..LAW
    };
    let large = pair_contact(&LAW, nodes).unwrap();
    let small = PairContact::find(
        &NormalLaw::Imc(small_law),
        size * TOUCHING,
        nodes.map(|x| size * x),
    )
    .unwrap();
    assert!(close(small.response.energy, large.response.energy, 1e-11));
    let scaled = small.gradient().map(|x| size * x);
    assert!(relative_error(&scaled, &large.gradient()) < 1e-11);
    let scaled = small
        .hessian(HessianPart::Exact)
        .map(|row| row.map(|x| size * size * x));
    assert!(matrix_error(&scaled, &large.hessian(HessianPart::Exact)) < 1e-10);
}

#[test]
fn nothing_beyond_the_range() {
    let mut random = Random(2);
    let apart = |gap: f64, random: &mut Random| random.crossing([1.0, 1.0], 1.0, [0.5, 0.5], gap);
    assert!(pair_contact(&LAW, apart(0.2201, &mut random)).is_none());
    assert!(pair_contact(&LAW, apart(0.2199, &mut random)).is_some());
}
