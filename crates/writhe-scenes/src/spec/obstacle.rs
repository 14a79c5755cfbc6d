//! Rigid obstacles.

use super::contact::COEFFICIENT;
use super::numbers::TablePath;
use super::shape::different;
use super::{Direction, MotionSpec, Point, unit};
use crate::error::{Problem, SceneError};
use crate::import;
use crate::tree::{At, DIRECTION, Keys, Known, POSITIVE, Read, choice, fields, table};
use crate::units::{Angle, Length, Number};

table! {
    /// A rigid obstacle.
    pub struct ObstacleSpec:
        "a table such as { shape = { sphere = { center = [0, 0, 0], radius = \"1 cm\" } } }"
    {
        /// What it is called in reports.
        pub name: Option<String>,
        /// Coefficient of friction with rods; unless given a rod's own, or that of `[contact]`.
        pub friction: Option<Number> => COEFFICIENT,
        /// Coefficients by the direction in which a rod slides, in place of `friction`.
        pub friction_by_direction: Option<DirectionsSpec>,
        /// Its shape and place.
        pub shape: ObstacleShapeSpec,
        /// How it moves.
        pub motion: MotionSpec = MotionSpec::Still,
    }
    check Self::check
}

choice! {
    /// Shape and place of an obstacle.
    pub enum ObstacleShapeSpec:
        "a table such as { half_space = { point = [0, 0, 0], normal = [0, 0, 1] } }, or sphere, capsule, cylinder, box, mesh, tube, funnel, cavity"
    {
        /// All points behind a plane.
        HalfSpace(HalfSpaceSpec) = "half_space",
        /// A ball.
        Sphere(SphereSpec) = "sphere",
        /// A cylinder with round ends.
        Capsule(AxisSpec) = "capsule",
        /// A cylinder with flat ends.
        Cylinder(AxisSpec) = "cylinder",
        /// A box.
        Box(BoxSpec) = "box",
        /// A triangle mesh.
        Mesh(MeshSpec) = "mesh",
        /// The thin wall of a tube, open at both ends, touched from inside and outside.
        Tube(AxisSpec) = "tube",
        /// The thin wall of a funnel, open at both ends, touched from inside and outside.
        Funnel(FunnelSpec) = "funnel",
        /// A thin spherical wall, touched from inside and outside.
        Cavity(SphereSpec) = "cavity",
    }
}

table! {
    /// Friction that differs along, against and across a rod.
    #[derive(Copy)]
    pub struct DirectionsSpec {
        /// Coefficient where the rod slides towards its last node.
        pub forward: Number => COEFFICIENT,
        /// Coefficient where it slides towards its first node.
        pub backward: Number => COEFFICIENT,
        /// Coefficient where it slides across.
        pub across: Number => COEFFICIENT,
    }
}

table! {
    /// All points behind a plane.
    #[derive(Copy)]
    pub struct HalfSpaceSpec {
        /// A point of the plane.
        pub point: Point = Point::default(),
        /// Its normal, towards the rods.
        pub normal: Direction = unit(2) => DIRECTION,
    }
}

table! {
    /// A ball.
    #[derive(Copy)]
    pub struct SphereSpec {
        /// Centre.
        pub center: Point = Point::default(),
        /// Radius.
        pub radius: Length => POSITIVE,
    }
}

table! {
    /// Something round about an axis.
    #[derive(Copy)]
    pub struct AxisSpec {
        /// Start of the axis.
        pub from: Point = Point::default(),
        /// End of the axis.
        pub to: Point,
        /// Radius.
        pub radius: Length => POSITIVE,
    }
    check |spec: &Self, keys: &Keys| different(keys, &spec.from, (&Self::to(), &spec.to))
}

table! {
    /// The wall of a funnel: part of a cone.
    #[derive(Copy)]
    pub struct FunnelSpec {
        /// Start of the axis.
        pub from: Point = Point::default(),
        /// End of the axis.
        pub to: Point,
        /// Radii of the wall at start and end of the axis.
        pub radii: [Length; 2] => POSITIVE,
    }
    check |spec: &Self, keys: &Keys| different(keys, &spec.from, (&Self::to(), &spec.to))
}

table! {
    /// A box.
    #[derive(Copy)]
    pub struct BoxSpec {
        /// Centre.
        pub center: Point = Point::default(),
        /// Sides along x, y, z before it is turned.
        pub size: [Length; 3] => POSITIVE,
        /// Axis through the centre about which it is turned.
        pub axis: Direction = unit(2) => DIRECTION,
        /// Angle of that turn.
        pub angle: Angle = Angle::default(),
    }
}

fields! {
    /// A triangle mesh, from an STL or OBJ file or given here.
    pub struct MeshSpec {
        /// Where the origin of the mesh goes.
        pub center: Point = Point::default(),
        /// Axis through that point about which it is turned.
        pub axis: Direction = unit(2) => DIRECTION,
        /// Angle of that turn.
        pub angle: Angle = Angle::default(),
        /// Vertices, in place of a file.
        pub vertices: Vec<Point> | "those of the file",
        /// Three vertices each, by number from 0.
        pub triangles: Vec<[usize; 3]> | "those of the file",
    }
    also {
        /// An STL or OBJ file, relative to the folder of the scene.
        file: Option<TablePath>,
        /// Unit of the file.
        unit: Length | "1 m" = Length::new(1.0) => POSITIVE,
    }
}

impl ObstacleSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        keys.only(&[&Self::friction_by_direction(), &Self::friction()])
            .map(|_| ())
    }
}

impl Read for MeshSpec {
    fn wanted() -> String {
        "a table such as { file = \"part.stl\", unit = \"1 mm\" }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &Self::known())?;
        let unit_of_file = Self::unit().read(&keys)?;
        let (vertices, triangles) = match (
            keys.optional::<String>(&Self::file())?,
            keys.at(&Self::vertices()),
        ) {
            (Some(_), Some(_)) => return keys.exclude(&Self::file(), &Self::vertices()),
            (Some(path), None) => read_file(&keys, at, path, unit_of_file)?,
            (None, Some(_)) => (
                Self::vertices().read(&keys)?,
                Self::triangles().read(&keys)?,
            ),
            (None, None) => {
                return Err(keys.missing(&Self::file(), "the name of an STL or OBJ file".into()));
            }
        };
        Ok(Self {
            center: Self::center().read(&keys)?,
            axis: Self::axis().read(&keys)?,
            angle: Self::angle().read(&keys)?,
            vertices,
            triangles,
        })
    }
}

type Faces = (Vec<Point>, Vec<[usize; 3]>);

fn read_file(keys: &Keys, at: &At, path: String, unit: Length) -> Result<Faces, SceneError> {
    let bytes = match at.files.read_bytes(&path) {
        Ok(bytes) => bytes,
        Err(message) => return keys.conflict(&MeshSpec::file(), Problem::File { path, message }),
    };
    match import::mesh(&path, &bytes) {
        Ok((vertices, triangles)) => Ok((
            vertices
                .iter()
                .map(|v| v.to_array().map(|x| Length::new(x * unit.si())))
                .collect(),
            triangles.iter().map(|t| t.map(|v| v as usize)).collect(),
        )),
        Err(message) => keys.conflict(&MeshSpec::file(), Problem::MeshFile { path, message }),
    }
}
