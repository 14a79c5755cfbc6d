use crate::kernels::testing::Random;
use crate::obstacle::distance::*;
use crate::obstacle::testing::{check_gradient, check_hessian, edge_from};

type Edge = [DVec3; 2];

fn check(edge: Edge, distance: impl Fn(Edge) -> SurfaceDistance) {
    let at = distance(edge);
    let gradient = |e: Edge| {
        let d = distance(e);
        d.weights.map(|w| w * d.normal)
    };
    check_gradient(edge, 1e-4, |e| distance(e).distance, &gradient(edge));
    check_hessian(edge, 1e-4, gradient, |k, l| at.hessian(k, l));
    check_hessian(edge, 1e-4, |e| [distance(e).normal; 2], |_, l| at.turn[l]);
    let weights = |e: Edge| distance(e).weights.map(|w| w * DVec3::X);
    check_hessian(edge, 1e-4, weights, |k, l| {
        outer(DVec3::X, at.weight_gradient(k, l))
    });
}

#[test]
fn derivatives_agree_with_differences() {
    let mut random = Random(5);
    let plane = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
    let (mut inside, mut held) = (0, 0);
    for _ in 0..300 {
        let direction = random.unit();
        let edge = edge_from(&mut random, direction);
        for projector in [DMat3::IDENTITY, plane] {
            let at = edge_from_origin(9.0, projector, edge).unwrap();
            let u = projector * (edge[1] - edge[0]);
            let margin = at.weights[0].min(at.weights[1]);
            // Not across the change from held to free, nor where the direction turns within a step
            // of the differences.
            if u.length() < 0.3 || at.distance < 0.05 || (margin > 0.0 && margin < 0.01) {
                continue;
            }
            let free = -(projector * edge[0]).dot(u) / u.length_squared();
            if margin == 0.0 && free > -0.01 && free < 1.01 {
                continue;
            }
            if margin > 0.0 {
                inside += 1
            } else {
                held += 1
            }
            check(edge, |e| edge_from_origin(9.0, projector, e).unwrap());
        }
    }
    assert!(inside > 50 && held > 50, "{inside} inside, {held} at nodes");
}

#[test]
fn segments_agree_with_differences() {
    let mut random = Random(6);
    for _ in 0..100 {
        let edge = [DVec3::new(-0.8, 0.1, 0.4), DVec3::new(0.7, -0.2, 0.5)]
            .map(|x| x + 0.1 * random.vector());
        let segment = [DVec3::new(0.1, -0.9, 0.0), DVec3::new(-0.1, 0.8, 0.1)]
            .map(|x| x + 0.1 * random.vector());
        check(edge, |e| edge_from_segment(9.0, e, segment).unwrap());
        let rotation = random.rotation();
        let turned = |e: Edge| {
            let local = e.map(|x| rotation.inverse() * x);
            edge_from_segment(9.0, local, segment)
                .unwrap()
                .rotated(rotation)
        };
        check(edge.map(|x| rotation * x), turned);
    }
}

#[test]
fn values_are_those_of_geometry() {
    let edge = [DVec3::new(-1.0, 0.5, 0.2), DVec3::new(2.0, 0.5, 0.2)];
    let point = edge_from_origin(2.0, DMat3::IDENTITY, edge).unwrap();
    assert!((point.distance - 0.29_f64.sqrt()).abs() < 1e-15);
    assert!((point.weights[1] - 1.0 / 3.0).abs() < 1e-15);
    let plane = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
    assert!((edge_from_origin(2.0, plane, edge).unwrap().distance - 0.5).abs() < 1e-15);
    assert!(edge_from_origin(0.4, plane, edge).is_none());
}
