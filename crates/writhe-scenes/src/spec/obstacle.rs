//! Rigid obstacles.

use serde::Serialize;

use super::contact::coefficient;
use super::shape::different;
use super::{Direction, MotionSpec, Point, check_direction, three_sides, unit};
use crate::error::{Problem, SceneError};
use crate::import;
use crate::tree::{At, Keys, Read, positive, table};
use crate::units::{Angle, Length, Number};

/// A rigid obstacle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObstacleSpec {
    /// What it is called in reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Friction coefficient with rods; that of `[contact]` unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number>,
    /// Coefficients by the direction in which a rod slides, in place of `friction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_by_direction: Option<DirectionsSpec>,
    /// Its shape and place.
    pub shape: ObstacleShapeSpec,
    /// How it moves.
    pub motion: MotionSpec,
}

/// Shape and place of an obstacle.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleShapeSpec {
    /// All points behind a plane.
    HalfSpace(HalfSpaceSpec),
    /// A ball.
    Sphere(SphereSpec),
    /// A cylinder with round ends.
    Capsule(AxisSpec),
    /// A cylinder with flat ends.
    Cylinder(AxisSpec),
    /// A box.
    Box(BoxSpec),
    /// A triangle mesh.
    Mesh(MeshSpec),
    /// The thin wall of a tube, open at both ends.
    Tube(AxisSpec),
    /// The thin wall of a funnel, open at both ends.
    Funnel(FunnelSpec),
    /// A thin spherical wall.
    Cavity(SphereSpec),
}

table! {
    /// Friction that differs along, against and across a rod.
    #[derive(Copy)]
    pub struct DirectionsSpec {
        /// Coefficient where the rod slides towards its last node.
        pub forward: Number => coefficient,
        /// Coefficient where it slides towards its first node.
        pub backward: Number => coefficient,
        /// Coefficient where it slides across.
        pub across: Number => coefficient,
    }
}

table! {
    /// All points behind a plane.
    #[derive(Copy)]
    pub struct HalfSpaceSpec {
        /// A point of the plane, m.
        pub point: Point = Point::default(),
        /// Its normal, away from the obstacle.
        pub normal: Direction = unit(2) => check_direction,
    }
}

table! {
    /// A ball.
    #[derive(Copy)]
    pub struct SphereSpec {
        /// Centre, m.
        pub center: Point = Point::default(),
        /// Radius, m.
        pub radius: Length => positive,
    }
}

table! {
    /// Something round about an axis.
    #[derive(Copy)]
    pub struct AxisSpec {
        /// Start of the axis, m.
        pub from: Point = Point::default(),
        /// Its end, m.
        pub to: Point,
        /// Radius, m.
        pub radius: Length => positive,
    }
    check |spec: &Self, keys: &Keys| different(keys, &spec.from, &spec.to)
}

table! {
    /// The wall of a funnel: part of a cone.
    #[derive(Copy)]
    pub struct FunnelSpec {
        /// Start of the axis, m.
        pub from: Point = Point::default(),
        /// Its end, m.
        pub to: Point,
        /// Radii there, m.
        pub radii: [Length; 2] => two_radii,
    }
    check |spec: &Self, keys: &Keys| different(keys, &spec.from, &spec.to)
}

table! {
    /// A box.
    #[derive(Copy)]
    pub struct BoxSpec {
        /// Centre, m.
        pub center: Point = Point::default(),
        /// Sides along x, y, z before it is turned, m.
        pub size: [Length; 3] => three_sides,
        /// Axis through the centre about which it is turned.
        pub axis: Direction = unit(2) => check_direction,
        /// Angle of that turn, rad.
        pub angle: Angle = Angle::default(),
    }
}

/// A triangle mesh, from an STL or OBJ file or given here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshSpec {
    /// Where the origin of the mesh goes, m.
    pub center: Point,
    /// Axis through that point about which it is turned.
    pub axis: Direction,
    /// Angle of that turn, rad.
    pub angle: Angle,
    /// Vertices, m.
    pub vertices: Vec<Point>,
    /// Three vertices each, from 0.
    pub triangles: Vec<[usize; 3]>,
}

impl Read for ObstacleSpec {
    fn wanted() -> String {
        "a table such as { shape = { sphere = { center = [0, 0, 0], radius = \"1 cm\" } } }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let friction: Option<Number> = keys.optional("friction")?;
        coefficient(&keys, "friction", &friction)?;
        let friction_by_direction = keys.optional("friction_by_direction")?;
        if friction.is_some() && friction_by_direction.is_some() {
            let message = "`friction` and `friction_by_direction` exclude each other";
            let remedy = "keep one of them";
            return keys.conflict("friction_by_direction", Problem::conflict(message, remedy));
        }
        Ok(Self {
            friction_by_direction,
            name: keys.optional("name")?,
            shape: keys.required("shape")?,
            motion: keys.or("motion", MotionSpec::Still)?,
            friction,
        })
    }
}

pub(crate) const KEYS: &[&str] = &[
    "name",
    "shape",
    "motion",
    "friction",
    "friction_by_direction",
];
pub(crate) const MESH: &[&str] = &[
    "file",
    "unit",
    "center",
    "axis",
    "angle",
    "vertices",
    "triangles",
];
pub(crate) const KINDS: &[&str] = &[
    "half_space",
    "sphere",
    "capsule",
    "cylinder",
    "box",
    "mesh",
    "tube",
    "funnel",
    "cavity",
];

impl Read for ObstacleShapeSpec {
    fn wanted() -> String {
        "a table such as { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }, or sphere, capsule, cylinder, box, mesh, tube, funnel, cavity".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let (kind, inner) = at.kind(KINDS)?;
        Ok(match kind {
            "half_space" => Self::HalfSpace(Read::read(&inner)?),
            "sphere" => Self::Sphere(Read::read(&inner)?),
            "capsule" => Self::Capsule(Read::read(&inner)?),
            "cylinder" => Self::Cylinder(Read::read(&inner)?),
            "box" => Self::Box(Read::read(&inner)?),
            "tube" => Self::Tube(Read::read(&inner)?),
            "funnel" => Self::Funnel(Read::read(&inner)?),
            "cavity" => Self::Cavity(Read::read(&inner)?),
            _ => Self::Mesh(mesh(&inner)?),
        })
    }
}

fn two_radii(keys: &Keys, name: &str, radii: &[Length; 2]) -> Result<(), SceneError> {
    let shown = format!("{:?}", radii.map(Length::si));
    let good = radii.iter().all(|r| r.si() > 0.0);
    keys.check_shown(name, &shown, good, "two radii greater than zero")
}

fn mesh(at: &At) -> Result<MeshSpec, SceneError> {
    let keys = Keys::new(at, MESH)?;
    let unit_of_file: Length = keys.or("unit", Length::new(1.0))?;
    keys.positive("unit", unit_of_file.si())?;
    let (vertices, triangles) = match (keys.optional::<String>("file")?, keys.at("vertices")) {
        (Some(_), Some(_)) => return keys.exclude("file", "vertices"),
        (Some(path), None) => read_file(&keys, at, path, unit_of_file)?,
        (None, Some(_)) => (keys.required("vertices")?, keys.required("triangles")?),
        (None, None) => return Err(keys.missing("file", "the name of an STL or OBJ file".into())),
    };
    let spec = MeshSpec {
        center: keys.or("center", Point::default())?,
        axis: keys.or("axis", unit(2))?,
        angle: keys.or("angle", Angle::default())?,
        vertices,
        triangles,
    };
    check_direction(&keys, "axis", &spec.axis)?;
    Ok(spec)
}

type Faces = (Vec<Point>, Vec<[usize; 3]>);

fn read_file(keys: &Keys, at: &At, path: String, unit: Length) -> Result<Faces, SceneError> {
    let bytes = match at.files.read_bytes(&path) {
        Ok(bytes) => bytes,
        Err(message) => return keys.conflict("file", Problem::File { path, message }),
    };
    match import::mesh(&path, &bytes) {
        Ok((vertices, triangles)) => Ok((
            vertices
                .iter()
                .map(|v| v.to_array().map(|x| Length::new(x * unit.si())))
                .collect(),
            triangles.iter().map(|t| t.map(|v| v as usize)).collect(),
        )),
        Err(message) => keys.conflict("file", Problem::MeshFile { path, message }),
    }
}
