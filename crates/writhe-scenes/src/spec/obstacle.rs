//! Rigid obstacles.

use serde::Serialize;

use super::contact::check_friction;
use super::{Direction, MotionSpec, Point, check_direction, unit};
use crate::error::{Problem, SceneError};
use crate::import;
use crate::tree::{At, Keys, Read};
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
}

/// All points behind a plane.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HalfSpaceSpec {
    /// A point of the plane, m.
    pub point: Point,
    /// Its normal, away from the obstacle.
    pub normal: Direction,
}

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SphereSpec {
    /// Centre, m.
    pub center: Point,
    /// Radius, m.
    pub radius: Length,
}

/// Something round about an axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AxisSpec {
    /// Start of the axis, m.
    pub from: Point,
    /// Its end, m.
    pub to: Point,
    /// Radius, m.
    pub radius: Length,
}

/// A box.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BoxSpec {
    /// Centre, m.
    pub center: Point,
    /// Sides along x, y, z before it is turned, m.
    pub size: [Length; 3],
    /// Axis through the centre about which it is turned.
    pub axis: Direction,
    /// Angle of that turn, rad.
    pub angle: Angle,
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
        let keys = Keys::new(at, &["name", "shape", "motion", "friction"])?;
        let friction: Option<Number> = keys.optional("friction")?;
        check_friction(&keys, friction.unwrap_or_default())?;
        Ok(Self {
            name: keys.optional("name")?,
            shape: keys.required("shape")?,
            motion: keys.or("motion", MotionSpec::Still)?,
            friction,
        })
    }
}

const KINDS: &[&str] = &["half_space", "sphere", "capsule", "cylinder", "box", "mesh"];

impl Read for ObstacleShapeSpec {
    fn wanted() -> String {
        "a table such as { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }, or sphere, capsule, cylinder, box, mesh".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let (kind, inner) = at.kind(KINDS)?;
        Ok(match kind {
            "half_space" => Self::HalfSpace(half_space(&inner)?),
            "sphere" => Self::Sphere(sphere(&inner)?),
            "capsule" => Self::Capsule(axis(&inner)?),
            "cylinder" => Self::Cylinder(axis(&inner)?),
            "box" => Self::Box(cuboid(&inner)?),
            _ => Self::Mesh(mesh(&inner)?),
        })
    }
}

fn half_space(at: &At) -> Result<HalfSpaceSpec, SceneError> {
    let keys = Keys::new(at, &["point", "normal"])?;
    let spec = HalfSpaceSpec {
        point: keys.or("point", Point::default())?,
        normal: keys.or("normal", unit(2))?,
    };
    check_direction(&keys, "normal", &spec.normal)?;
    Ok(spec)
}

fn sphere(at: &At) -> Result<SphereSpec, SceneError> {
    let keys = Keys::new(at, &["center", "radius"])?;
    let spec = SphereSpec {
        center: keys.or("center", Point::default())?,
        radius: keys.required("radius")?,
    };
    keys.positive("radius", spec.radius.si())?;
    Ok(spec)
}

fn axis(at: &At) -> Result<AxisSpec, SceneError> {
    let keys = Keys::new(at, &["from", "to", "radius"])?;
    let spec = AxisSpec {
        from: keys.or("from", Point::default())?,
        to: keys.required("to")?,
        radius: keys.required("radius")?,
    };
    keys.positive("radius", spec.radius.si())?;
    let shown = format!("{:?}", spec.to.map(Length::si));
    keys.check_shown("to", &shown, spec.from != spec.to, "different from `from`")?;
    Ok(spec)
}

fn cuboid(at: &At) -> Result<BoxSpec, SceneError> {
    let keys = Keys::new(at, &["center", "size", "axis", "angle"])?;
    let spec = BoxSpec {
        center: keys.or("center", Point::default())?,
        size: keys.required("size")?,
        axis: keys.or("axis", unit(2))?,
        angle: keys.or("angle", Angle::default())?,
    };
    let shown = format!("{:?}", spec.size.map(Length::si));
    let positive = spec.size.iter().all(|s| s.si() > 0.0);
    keys.check_shown("size", &shown, positive, "three sides greater than zero")?;
    check_direction(&keys, "axis", &spec.axis)?;
    Ok(spec)
}

fn mesh(at: &At) -> Result<MeshSpec, SceneError> {
    let known = &[
        "file",
        "unit",
        "center",
        "axis",
        "angle",
        "vertices",
        "triangles",
    ];
    let keys = Keys::new(at, known)?;
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
