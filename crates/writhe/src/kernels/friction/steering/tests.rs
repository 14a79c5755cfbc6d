use crate::kernels::friction::law::SlipOf;
use crate::kernels::friction::steering::*;

const LAW: SlipLaw = SlipLaw {
    coefficient: 0.3,
    of: SlipOf::Axes,
    directions: [None; 2],
    stick: Stick::Creep { tolerance: 1e-4 },
};

fn slips() -> [DVec3; 4] {
    [
        DVec3::ZERO,
        DVec3::new(1e-6, -3e-6, 2e-6),
        DVec3::new(1e-5, 4e-5, -2e-5),
        DVec3::new(3e-3, 1e-3, 6e-3),
    ]
}

#[test]
fn exact_direction_gives_the_derivative() {
    for s in slips() {
        let traction = LAW.traction(s);
        let steering = Steering::exact(&LAW, s).unwrap();
        let error = steering.slope(&LAW).unwrap() - traction.slope;
        let scale = traction.slope.col(0).length();
        assert!(
            error
                .to_cols_array()
                .iter()
                .all(|e| e.abs() < 1e-12 * scale),
            "{s}"
        );
        assert!((traction.value + LAW.coefficient * steering.direction).length() < 1e-15);
    }
}

/// Whatever the direction, the slope dissipates.
#[test]
fn slope_is_negative_semidefinite() {
    for s in slips() {
        for w in slips().map(|w| w.normalize_or_zero()) {
            let steering = Steering {
                slip: s,
                direction: w,
            };
            let slope = steering.slope(&LAW).unwrap();
            for k in 0..200 {
                let x = f64::from(k);
                let x = DVec3::new(x.sin(), (1.7 * x).cos(), (2.3 * x + 1.0).sin());
                assert!(x.dot(slope * x) <= 1e-9 * LAW.coefficient / 1e-4);
            }
        }
    }
}

/// A contact that two springs drag: k (x - y) + t(s) = 0 with the slip s = y/dt. Where it sticks
/// Newton's method with the derivative jumps from one way of sliding to the other; steered, it
/// arrives from anywhere.
#[test]
fn sticking_is_found_from_sliding() {
    let dt = 1e-2;
    let stiffness = DMat3::from_diagonal(DVec3::new(20.0, 50.0, 20.0));
    let pulled = DVec3::new(4e-3, -1e-3, 0.0);
    let iterations = |steers: bool| {
        let mut s = DVec3::new(-2e-3, 3e-3, 1e-3);
        let mut steering = Steering::exact(&LAW, DVec3::ZERO).unwrap().moved(s);
        for n in 0..40 {
            let traction = LAW.traction(s);
            let residual = stiffness * (pulled - dt * s) + traction.value;
            if residual.length() < 1e-12 {
                return n;
            }
            let slope = if steers {
                steering.slope(&LAW).unwrap()
            } else {
                traction.slope
            };
            s += (stiffness * dt - slope).inverse() * residual;
            steering = steering.followed(&LAW, s, 1.0);
        }
        40
    };
    assert!(iterations(true) < 12, "{}", iterations(true));
    assert_eq!(iterations(false), 40);
}

/// The plane of contact turns from step to step; a direction that did not turn with it would hold
/// the normal motion as it holds the slip.
#[test]
fn directions_stay_in_the_plane_of_contact() {
    let normal = DVec3::new(0.2, -0.1, 1.0).normalize();
    for s in &slips()[1..] {
        let s = *s - s.dot(normal) * normal;
        let steering = Steering::exact(&LAW, DVec3::new(2e-4, -1e-4, 0.0)).unwrap();
        let turned = steering.moved(s).in_plane(normal);
        assert!((turned.direction.length() - steering.direction.length()).abs() < 1e-15);
        assert!(turned.direction.dot(normal).abs() < 1e-15);
        let slope = turned.slope(&LAW).unwrap();
        // As the slope itself: what slips within the plane is answered within it.
        let out = normal.dot(slope * normal.any_orthonormal_vector());
        assert!(out.abs() < 1e-12 * slope.col(0).length(), "{out:e}");
    }
}
