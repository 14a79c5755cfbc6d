use crate::kernels::friction::body::*;
use crate::kernels::friction::law::Stick;
use crate::kernels::testing::*;
use crate::rod::kinematics::Kinematics;
use crate::rod::{Frames, Topology};

const MU: f64 = 0.4;
const RADIUS: f64 = 0.1;
const LAWS: [SlipLaw; 4] = [
    SlipLaw {
        coefficient: MU,
        of: SlipOf::Surfaces,
        directions: [None; 2],
        stick: Stick::Creep { tolerance: 0.05 },
    },
    SlipLaw {
        coefficient: MU,
        of: SlipOf::Surfaces,
        directions: [None; 2],
        stick: Stick::Anchor {
            length: 0.01,
            dt: 0.2,
            rest: 0.0,
        },
    },
    SlipLaw {
        coefficient: MU,
        of: SlipOf::Surfaces,
        directions: [Some(SCALES), None],
        stick: Stick::Creep { tolerance: 0.05 },
    },
    SlipLaw {
        coefficient: MU,
        of: SlipOf::Surfaces,
        directions: [Some(SCALES), None],
        stick: Stick::Anchor {
            length: 0.01,
            dt: 0.2,
            rest: 0.0,
        },
    },
];
const SCALES: Directions = Directions {
    forward: 0.2,
    backward: 0.5,
    across: 0.35,
};

/// An edge inside a hollow sphere about the origin that turns and drifts: the point at `ALONG` of
/// the edge touches it.
#[derive(Clone)]
struct Case {
    start: DVec3,
    nodes: [DVec3; 2],
    velocities: [DVec3; 2],
    spin: f64,
    drift: DVec3,
    omega: DVec3,
}

const ALONG: f64 = 0.3;
const HOLLOW: f64 = 1.0;
const ANCHOR: Anchor = Anchor {
    slip: [0.003, -0.005],
    carrier: 0,
};

/// The contact of a point held on the edge: c = (1-s) x0 + s x1, n = -c/|c|, at the sphere's
/// surface.
fn contact(case: &Case) -> BodyContact {
    let c = case.nodes[0].lerp(case.nodes[1], ALONG);
    let size = c.length();
    let n = -c / size;
    let dn_dc = (DMat3::IDENTITY - outer(n, n)) * (-1.0 / size);
    // Arm to the sphere: r = -(HOLLOW - |c|) n.
    let arm = -(HOLLOW - size) * n;
    let darm_dc = outer(n, -n) - dn_dc * (HOLLOW - size);
    let depth = size + 1.5 * RADIUS - HOLLOW;
    let point = c + arm;
    let weights = [1.0 - ALONG, ALONG];
    BodyContact {
        force: 30.0 * depth * depth,
        force_gradient: weights.map(|w| -60.0 * depth * w * n),
        normal: n,
        normal_gradient: weights.map(|w| dn_dc * w),
        along: ALONG,
        along_gradient: [DVec3::ZERO; 2],
        arm,
        arm_gradient: weights.map(|w| darm_dc * w),
        velocity: case.drift + case.omega.cross(point),
        velocity_gradient: weights
            .map(|w| crate::rod::geometry::skew(case.omega) * (DMat3::IDENTITY + darm_dc) * w),
    }
}

fn friction(case: &Case, law: &SlipLaw) -> BodyFriction {
    let mut topology = Topology::default();
    topology.push(2, false);
    let mut q = case.nodes[0].to_array().to_vec();
    q.push(0.0);
    q.extend(case.nodes[1].to_array());
    let frames = Frames {
        tangent: vec![case.start],
        director: vec![case.start.any_orthonormal_vector()],
        twist: Vec::new(),
        orientation: Vec::new(),
    };
    let mut kinematics = Kinematics::default();
    kinematics.update(&topology, &frames, &q).unwrap();
    let motion = EdgeMotion {
        radius: RADIUS,
        velocities: case.velocities,
        spin: case.spin,
        edge: kinematics.axis(0),
    };
    BodyFriction::new(law, contact(case), motion, Some(ANCHOR))
}

fn samples() -> Vec<Case> {
    let mut random = Random(4);
    let mut sample = |speed: f64| {
        let n = random.unit();
        let along = (random.vector() - 0.3 * n).normalize();
        let centre = 0.93 * n;
        let nodes = [centre - 0.2 * along, centre + 0.5 * along];
        Case {
            start: (along + 0.6 * random.vector()).normalize(),
            nodes,
            velocities: [0, 1].map(|_| speed * random.vector()),
            spin: 5.0 * speed,
            drift: speed * random.vector(),
            omega: speed * random.vector(),
        }
    };
    [1e-3, 0.02, 0.02, 0.3, 0.3].map(&mut sample).to_vec()
}

fn difference(case: &Case, law: &SlipLaw, change: impl Fn(&mut Case, f64)) -> [f64; UNKNOWNS] {
    let step = 1e-5;
    let at = |m: f64| {
        let mut moved = case.clone();
        change(&mut moved, m * step);
        friction(&moved, law).force()
    };
    let [far_minus, minus, plus, far_plus] = [-2.0, -1.0, 1.0, 2.0].map(at);
    std::array::from_fn(|i| {
        (8.0 * (plus[i] - minus[i]) - (far_plus[i] - far_minus[i])) / (12.0 * step)
    })
}

#[test]
fn jacobians_match_differences() {
    for case in samples() {
        for law in LAWS {
            let here = friction(&case, &law);
            let by_velocity: [[f64; UNKNOWNS]; UNKNOWNS] = std::array::from_fn(|j| match j {
                6 => difference(&case, &law, |c, h| c.spin += h),
                _ => difference(&case, &law, |c, h| {
                    c.velocities[j / 3] += h * DVec3::AXES[j % 3];
                }),
            });
            let by_position: [[f64; UNKNOWNS]; UNKNOWNS] = std::array::from_fn(|j| match j {
                6 => [0.0; UNKNOWNS],
                _ => difference(&case, &law, |c, h| c.nodes[j / 3] += h * DVec3::AXES[j % 3]),
            });
            for (ours, columns) in [
                (here.velocity_jacobian(), by_velocity),
                (here.position_jacobian(), by_position),
            ] {
                let rows: [[f64; UNKNOWNS]; UNKNOWNS] =
                    std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
                let error = relative_error(ours.as_flattened(), rows.as_flattened());
                assert!(error < 1e-6, "{law:?} {error:e}");
            }
        }
    }
}

/// Edge and body turn as one: no slip, wherever the surfaces are.
#[test]
fn rigid_motion_has_no_slip() {
    for mut case in samples() {
        case.velocities = case.nodes.map(|x| case.drift + case.omega.cross(x));
        case.start = (case.nodes[1] - case.nodes[0]).normalize();
        case.spin = case.omega.dot(case.start);
        let slip = friction(&case, &LAWS[0]).slip_velocity().length();
        assert!(slip < 4e-15 * case.omega.length(), "{slip:e}");
    }
}

/// The edge feels the force at the contact point: sum and moment.
#[test]
fn reaction_is_the_force_at_the_contact_point() {
    for mut case in samples() {
        // With frames of here the moment on theta is that about the tangent.
        case.start = (case.nodes[1] - case.nodes[0]).normalize();
        let here = friction(&case, &LAWS[0]);
        let (f, all, c) = (here.contact_force(), here.force(), contact(&case));
        let nodes = [DVec3::from_slice(&all[..3]), DVec3::from_slice(&all[3..])];
        let point = case.nodes[0].lerp(case.nodes[1], ALONG) + c.arm;
        let moment =
            case.nodes[0].cross(nodes[0]) + case.nodes[1].cross(nodes[1]) + all[6] * case.start;
        assert!((nodes[0] + nodes[1] - f).length() < 1e-14 * f.length());
        assert!((moment - point.cross(f)).length() < 1e-14 * f.length());
        assert!(f.dot(here.slip_velocity()) < 0.0 && f.dot(c.normal).abs() < 1e-14 * f.length());
    }
}
