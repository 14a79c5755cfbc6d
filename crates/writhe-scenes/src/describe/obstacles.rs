//! The obstacles: shape, motion, friction.

use super::facts::Facts;
use super::{Line, Section, words};
use crate::build::obstacle_mesh;
use crate::spec::{MeshSpec, MotionSpec, ObstacleShapeSpec, ObstacleSpec};
use crate::units::{Length, number, show};

/// One table for each obstacle.
pub(super) fn sections(facts: &Facts) -> Vec<Section> {
    let specs = facts.spec.obstacles.iter().enumerate();
    specs
        .map(|(i, spec)| Section {
            title: words::title("Obstacle", i, &spec.name),
            lines: lines(facts, spec),
        })
        .collect()
}

fn lines(facts: &Facts, spec: &ObstacleSpec) -> Vec<Line> {
    let moves = match spec.motion {
        MotionSpec::Still => "still".to_owned(),
        ref motion => words::motion(motion),
    };
    let friction = match (spec.friction_by_direction, spec.friction) {
        (Some(by), _) => words::by_direction(by),
        (None, Some(mu)) => format!("{} with rods", number(mu.si())),
        (None, None) => {
            let and = match facts.rods_have_friction() {
                true => ", or a rod's own",
                false => "",
            };
            let mu = number(facts.spec.contact.friction.si());
            format!("{mu}, as between rods{and}")
        }
    };
    vec![
        Line::new("shape", shape(&spec.shape)),
        Line::new("motion", moves),
        Line::new("friction", friction),
    ]
}

fn shape(spec: &ObstacleShapeSpec) -> String {
    let size = |length: Length| show(length.si(), "m");
    match spec {
        ObstacleShapeSpec::HalfSpace(s) => format!(
            "half-space behind the plane through {} m with normal {}",
            words::list(&s.point),
            words::list(&s.normal)
        ),
        ObstacleShapeSpec::Sphere(s) => {
            format!(
                "sphere of radius {} around {} m",
                size(s.radius),
                words::list(&s.center)
            )
        }
        ObstacleShapeSpec::Cavity(s) => format!(
            "spherical wall of radius {} around {} m",
            size(s.radius),
            words::list(&s.center)
        ),
        ObstacleShapeSpec::Funnel(s) => format!(
            "funnel, open at both ends, of radius {} at {} m and {} at {} m",
            size(s.radii[0]),
            words::list(&s.from),
            size(s.radii[1]),
            words::list(&s.to)
        ),
        ObstacleShapeSpec::Capsule(s)
        | ObstacleShapeSpec::Cylinder(s)
        | ObstacleShapeSpec::Tube(s) => format!(
            "{} of radius {} from {} to {} m",
            match spec {
                ObstacleShapeSpec::Capsule(_) => "capsule",
                ObstacleShapeSpec::Tube(_) => "tube, open at both ends,",
                _ => "cylinder",
            },
            size(s.radius),
            words::list(&s.from),
            words::list(&s.to)
        ),
        ObstacleShapeSpec::Box(s) => {
            let [a, b, c] = s.size.map(size);
            format!("box {a} x {b} x {c} around {} m", words::list(&s.center))
        }
        ObstacleShapeSpec::Mesh(s) => mesh(s),
    }
}

fn mesh(spec: &MeshSpec) -> String {
    let Ok(mesh) = obstacle_mesh(spec) else {
        return "mesh".to_owned();
    };
    let [low, high] = mesh.bounds();
    let [a, b, c] = (high - low).to_array().map(|x| show(x, "m"));
    let kind = if mesh.is_closed() {
        "closed mesh"
    } else {
        "open mesh, touched from both sides,"
    };
    format!(
        "{kind} of {}, {a} x {b} x {c} before it is turned, its origin at {} m",
        words::count(mesh.triangles().len(), "triangle"),
        words::list(&spec.center)
    )
}
