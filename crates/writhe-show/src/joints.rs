//! Joints of a run as marks: where bodies join rods, and where they are joined to each other.

use glam::{DQuat, DVec3};
use writhe::bodies::Motor;
use writhe::model::Model;
use writhe_render::{Color, Scene, Solid};
use writhe_rundir::surroundings::Pose;
use writhe_scenes::spec::{BodySpec, SolidSpec};
use writhe_scenes::units::Length;

use crate::pose;

/// Radius of a mark over that of the thickest rod at it.
const OVER_ROD: f64 = 1.2;
/// Radius of a joint's mark over the size of the smaller body, where that is more.
const OVER_BODY: f64 = 0.2;
/// By how much the pin of a hinge stands out on both sides of the body, over the radius of its
/// mark.
const PIN_OUT: f64 = 2.6;
/// Radius of the pin over that of the mark.
const PIN_THIN: f64 = 0.42;
/// Half length and radius of a motor's drums over the radius of its mark.
const DRUM: [f64; 2] = [0.55, 1.35];

/// What a mark stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Rods on a body without mass.
    Rods,
    /// A ball joint.
    Ball,
    /// Bodies that do not move against each other.
    Weld,
    /// A hinge.
    Hinge,
    /// A hinge that is driven.
    Motor,
}

/// A joint to draw.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// What it is.
    pub kind: Kind,
    /// The body that it moves with; `None` for the scene.
    pub body: Option<usize>,
    /// Its place from the body's own centre of mass, in the body's axes, m.
    pub at: DVec3,
    /// Direction of its axis in the body's axes, unit; zero for one without.
    pub axis: DVec3,
    /// Radius of its mark, m.
    pub radius: f64,
    /// Half length of the pin along its axis, m.
    pub half_length: f64,
    /// Its number among the joints of the model; `None` for one of rods.
    pub number: Option<usize>,
}

impl Joint {
    /// Whether it holds where these joints have let go, `(joints)`; empty for none.
    pub fn holds(&self, broken: &[bool]) -> bool {
        self.number.and_then(|number| broken.get(number)) != Some(&true)
    }

    /// Where its mark is among bodies that are at `bodies`, unless it has let go.
    pub fn pose(&self, broken: &[bool], bodies: &[Pose]) -> Option<Pose> {
        let on = match self.body {
            None => Pose::IDENTITY,
            Some(body) => *bodies.get(body)?,
        };
        let here = || pose::at(on.place(self.at), on.rotation * self.turn());
        self.holds(broken).then(here)
    }

    /// Rotation of its mark, whose axis lies along z, in the body's axes.
    pub fn turn(&self) -> DQuat {
        DQuat::from_rotation_arc(DVec3::Z, self.axis.normalize_or(DVec3::Z))
    }
}

/// All joints of a model with these bodies.
pub fn all(model: &Model, bodies: &[BodySpec]) -> Vec<Joint> {
    let list = &model.bodies.list;
    let thickest = |body: usize| {
        let edges = list[body].welds.iter().map(|w| model.radius[w.edge]);
        edges.fold(0.0, f64::max)
    };
    let of_rods = bodies.iter().enumerate().take(list.len());
    let of_rods = of_rods.filter(|(_, spec)| spec.joint && spec.shape().is_none());
    let of_rods = of_rods.map(|(body, _)| Joint {
        kind: Kind::Rods,
        body: Some(body),
        at: DVec3::ZERO,
        axis: DVec3::ZERO,
        radius: OVER_ROD * thickest(body),
        half_length: 0.0,
        number: None,
    });
    let between = model.joints.iter().enumerate().map(|(number, link)| {
        let [a, b] = link.bodies;
        // The axis is given in the first body's axes; a joint without a first body stands in the
        // scene.
        let arm = link.arms()[0] - a.map_or(DVec3::ZERO, |a| list[a].origin);
        let of = || [a, b].into_iter().flatten();
        let size = of().map(|body| list[body].size()).reduce(f64::min);
        let rod = of().map(thickest).fold(0.0, f64::max);
        let radius = (OVER_ROD * rod).max(OVER_BODY * size.unwrap_or(0.0));
        let axis = link.axis();
        let direction = axis.map_or(DVec3::ZERO, |(axis, _)| axis);
        let shape = a.and_then(|a| bodies.get(a)?.shape());
        let out = shape.map_or(0.0, |shape| reach(&shape, arm, direction));
        Joint {
            kind: match axis {
                None if link.unknowns() > 3 => Kind::Weld,
                None => Kind::Ball,
                Some((_, Motor::Free)) => Kind::Hinge,
                Some(_) => Kind::Motor,
            },
            body: a,
            at: arm,
            axis: direction,
            radius,
            half_length: out + PIN_OUT * radius,
            number: Some(number),
        }
    });
    of_rods.chain(between).collect()
}

/// How far a body reaches along both ways of the unit `axis` through a point of it, m; 0 where the
/// point is outside of it.
fn reach(shape: &SolidSpec, from: DVec3, axis: DVec3) -> f64 {
    let (along, size) = match *shape {
        SolidSpec::Sphere { radius } => (radius.si(), radius.si()),
        SolidSpec::Cylinder { radius, length } => {
            let (r, half) = (radius.si(), 0.5 * length.si());
            let across = (1.0 - axis.z * axis.z).max(0.0).sqrt();
            (r * across + half * axis.z.abs(), r.hypot(half))
        }
        SolidSpec::Box { size } => {
            let half = 0.5 * DVec3::from_array(size.map(Length::si));
            (half.dot(axis.abs()), half.length())
        }
    };
    if from.length() > size {
        return 0.0;
    }
    along + from.dot(axis).abs()
}

/// Adds the marks of joints that hold, where those `broken` do not, of bodies at `poses`: centre of
/// mass, m, and quaternion x, y, z, w.
pub fn add(scene: &mut Scene, joints: &[Joint], broken: &[bool], poses: &[([f64; 3], [f64; 4])]) {
    let poses: Vec<Pose> = poses.iter().map(pose::of_body).collect();
    let marks = joints.iter().filter_map(|joint| {
        let pose = joint.pose(broken, &poses)?;
        Some(pose::placed(solid(joint), &pose))
    });
    scene.solids.extend(marks);
}

/// Colour of joints and of what holds rods.
pub fn color() -> Color {
    Color::srgb(84, 93, 106)
}

/// A mark whose axis lies along z.
pub fn solid(joint: &Joint) -> Solid {
    let steel = color();
    let r = joint.radius;
    let ball = || Solid::knob(r, steel);
    let pin = || Solid::cylinder(PIN_THIN * r, joint.half_length, steel);
    let drum = |side: f64| {
        let [half, radius] = DRUM.map(|part| part * r);
        let end = DVec3::Z * (side * (joint.half_length - half));
        Solid::cylinder(radius, half, steel).placed(DQuat::IDENTITY, end)
    };
    match joint.kind {
        Kind::Rods | Kind::Ball => ball(),
        Kind::Weld => Solid::cuboid(DVec3::splat(0.9 * r), steel),
        Kind::Hinge => pin().with(ball()),
        Kind::Motor => pin().with(drum(-1.0)).with(drum(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use writhe_scenes::Scene as SceneFile;

    #[test]
    fn a_pin_stands_out_of_its_body() {
        let l = Length::new;
        let cylinder = SolidSpec::Cylinder {
            radius: l(0.03),
            length: l(0.08),
        };
        let at = DVec3::new(0.01, 0.0, 0.02);
        assert!((reach(&cylinder, at, DVec3::Z) - 0.06).abs() < 1e-15);
        assert!((reach(&cylinder, at, DVec3::X) - 0.04).abs() < 1e-15);
        assert_eq!(reach(&cylinder, DVec3::Z, DVec3::Z), 0.0);
        let size = [0.2, 0.4, 0.6].map(l);
        let diagonal = DVec3::ONE.normalize();
        let found = reach(&SolidSpec::Box { size }, DVec3::ZERO, diagonal);
        assert!((found - 0.6 / 3.0_f64.sqrt()).abs() < 1e-15);
    }

    const JOINED: &str = r#"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = ["1 m", 0, 0], edges = 10 } }
section = { circle = { radius = "2 mm" } }
material = { young = "1 GPa", poisson = 0.3, density = "1000 kg/m^3" }
[[bodies]]
name = "rotor"
mass = "50 g"
inertia = ["1e-5 kg m^2", "1e-5 kg m^2", "1e-5 kg m^2"]
position = ["1 m", 0, 0]
orientation = { axis = [0, 0, 1], angle = "90 deg" }
welds = [{ rod = 0, edge = "last" }]
[[bodies]]
joint = true
position = [0, 0, 0]
welds = [{ rod = 0, edge = "first" }]
[[joints]]
bodies = ["rotor"]
at = ["1 m", "3 cm", 0]
hinge = { axis = [1, 0, 0], torque = "1 mN m" }
"#;

    #[test]
    fn joints_stand_where_the_scene_puts_them() {
        let file = SceneFile::parse(JOINED, "test").unwrap();
        let setup = file.build().unwrap();
        let bodies: Vec<BodySpec> = file.spec.all_bodies().into_iter().map(|b| b.1).collect();
        let joints = all(&setup.model, &bodies);
        let [rods, motor] = joints.as_slice() else {
            panic!("{joints:?}");
        };
        assert_eq!((rods.kind, rods.body), (Kind::Rods, Some(1)));
        assert!((rods.radius - 2.4e-3).abs() < 1e-12);
        assert_eq!((motor.kind, motor.body), (Kind::Motor, Some(0)));
        // In the axes of the body, which is turned by a right angle.
        assert!((motor.at - DVec3::new(0.03, 0.0, 0.0)).length() < 1e-12);
        assert!((motor.axis - DVec3::new(0.0, -1.0, 0.0)).length() < 1e-12);

        let poses = writhe::observe::observe(&setup.model, &setup.state)
            .unwrap()
            .bodies;
        let poses: Vec<_> = poses
            .iter()
            .map(|b| (b.position.to_array(), b.orientation.to_array()))
            .collect();
        let mut scene = Scene::new(Vec::new());
        add(&mut scene, &joints, &[], &poses);
        // A ball; a pin along x around the point in common, with two drums.
        assert_eq!(scene.solids.len(), 2);
        let pin = scene.solids[1].vertices.iter();
        let mean = pin.clone().sum::<DVec3>() / pin.len() as f64;
        assert!(
            (mean - DVec3::new(1.0, 0.03, 0.0)).length() < 1e-9,
            "{mean}"
        );
        let reach = pin.map(|v| (v.x - 1.0).abs()).fold(0.0, f64::max);
        assert!((reach - motor.half_length).abs() < 1e-9);
        // The point lies outside of the ball that the rotor is drawn as.
        assert!((motor.half_length - PIN_OUT * motor.radius).abs() < 1e-12);
        add(&mut scene, &joints, &[], &[]);
        assert_eq!(scene.solids.len(), 2, "bodies that a run does not hold");
        // Of the two the motor has let go: the ball of the rods is there once more.
        add(&mut scene, &joints, &[true], &poses);
        assert_eq!(scene.solids.len(), 3);
    }
}
