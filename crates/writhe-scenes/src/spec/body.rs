//! Rigid bodies, and what is welded to them.

use serde::Serialize;

use super::contact::coefficient;
use super::support::{Axes, write_axes};
use super::{Direction, EndRef, MotionSpec, Point, SolidSpec, check_direction, unit};
use crate::error::{Problem, SceneError};
use crate::tree::{At, Keys, Known, Read, Section, section, table};
use crate::units::{Angle, AngularSpeed, Density, Inertia, Mass, Number, Speed};

section! {
    /// A rigid body, or a joint of rods, which has no mass of its own.
    pub struct BodySpec {
        /// What it is called in reports.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String> = None,
        /// Whether it only joins rods and has no mass of its own.
        pub joint: bool = false,
        /// Mass, kg; that of the solid unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mass: Option<Mass> = None,
        /// Density of the solid, kg/m^3, in place of a mass.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub density: Option<Density> = None,
        /// Moments of inertia about its own axes through the centre of mass, kg m^2; those of the
        /// homogeneous solid unless given.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub inertia: Option<[Inertia; 3]> = None,
        /// Centre of mass, m.
        pub position: Point = Point::default(),
        /// Velocity of the centre of mass, m/s.
        pub velocity: [Speed; 3] = [Speed::default(); 3],
        /// Angular velocity in the axes of the scene, rad/s.
        pub angular_velocity: [AngularSpeed; 3] = [AngularSpeed::default(); 3],
        /// How its own axes are turned from those of the scene.
        pub orientation: OrientationSpec = OrientationSpec::none(),
        /// Its shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub solid: Option<SolidSpec> = None,
        /// Edges that move with it.
        pub welds: Vec<WeldSpec> = Vec::new(),
        /// How it moves, if that is prescribed.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub motion: Option<MotionSpec> = None,
        /// Along and about which axes it does not move, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub guide: Option<GuideSpec> = None,
        /// Whether rods touch its solid.
        pub touch: bool = false,
        /// Coefficient of friction on it: of rods, if not that of the contact model; of other
        /// bodies, if not 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub friction: Option<Number> = None => coefficient,
        /// Whether its solid meets those of other bodies; with an engine that knows collisions.
        pub collide: bool = false,
        /// Speed after such a collision over that before, 0 to 1.
        pub restitution: Number = Number::new(0.0),
    }
    check Self::check
}

table! {
    /// A turn about an axis.
    #[derive(Copy)]
    pub struct OrientationSpec: "a table such as { axis = [0, 1, 0], angle = \"30 deg\" }" {
        /// The axis.
        pub axis: Direction => check_direction,
        /// Angle of the turn about it, rad.
        pub angle: Angle,
    }
}

table! {
    /// An edge that moves with a body.
    pub struct WeldSpec: "a table such as { rod = 0, edge = \"last\" }" {
        /// Which rod.
        pub rod: RodRef = RodRef::Index(0),
        /// Which edge of it.
        pub edge: EndRef,
    }
}

/// A rod by number, from 0, or by its name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RodRef {
    /// By number.
    Index(usize),
    /// By name.
    Name(String),
}

/// What a body does not do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GuideSpec {
    /// Coordinates that its centre of mass, welded edges included, keeps, written as in "xy"; empty
    /// for none.
    #[serde(serialize_with = "write_axes", skip_serializing_if = "none")]
    pub position: [bool; 3],
    /// Axes of the scene that it does not turn about.
    #[serde(serialize_with = "write_axes", skip_serializing_if = "none")]
    pub turn: [bool; 3],
}

fn none(axes: &[bool; 3]) -> bool {
    *axes == [false; 3]
}

impl BodySpec {
    /// Without mass, at the origin, at rest, with nothing welded to it.
    pub fn new() -> Self {
        Self::default()
    }

    /// A joint of rods.
    pub fn joint(position: Point, welds: Vec<WeldSpec>) -> Self {
        Self {
            joint: true,
            position,
            welds,
            ..Self::new()
        }
    }

    /// Mass without what is welded to it, kg.
    pub fn mass(&self) -> f64 {
        let of_solid = || Some(self.density?.si() * self.solid?.volume());
        self.mass
            .map(|m| m.si())
            .or_else(of_solid)
            .unwrap_or_default()
    }

    /// What it looks like: its solid, or a homogeneous one of its mass and inertia; `None` for a
    /// joint of rods without a solid.
    pub fn shape(&self) -> Option<SolidSpec> {
        let of_inertia = |j: [Inertia; 3]| SolidSpec::of_inertia(self.mass(), j.map(Inertia::si));
        self.solid.or_else(|| self.inertia.map(of_inertia))
    }
}

impl Read for BodySpec {
    fn wanted() -> String {
        "a [[bodies]] section such as { solid = { sphere = { radius = \"1 cm\" } }, mass = \"10 g\", welds = [{ rod = 0, edge = \"last\" }] }".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        Self::keyed(&Keys::new(at, &Self::known())?, Self::default())
    }
}

impl WeldSpec {
    /// Of an edge of the rod of this number.
    pub(crate) fn new(rod: usize, edge: EndRef) -> Self {
        let rod = RodRef::Index(rod);
        Self { rod, edge }
    }
}

impl OrientationSpec {
    /// Not turned.
    fn none() -> Self {
        Self {
            axis: unit(2),
            angle: Angle::default(),
        }
    }
}

impl BodySpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let restitution = self.restitution.si();
        let real = (0.0..=1.0).contains(&restitution);
        keys.check("restitution", restitution, real, "from 0 to 1")?;
        if (self.touch || self.collide) && self.solid.is_none() {
            return Err(keys.missing("solid", SolidSpec::wanted()));
        }
        self.check_mass(keys)?;
        match (&self.motion, &self.guide) {
            (Some(_), Some(_)) => keys.exclude("motion", "guide"),
            _ => Ok(()),
        }
    }

    /// Mass and inertia in exactly one way.
    fn check_mass(&self, keys: &Keys) -> Result<(), SceneError> {
        if self.joint {
            let given = ["mass", "density", "inertia"];
            if let Some(name) = given.into_iter().find(|name| keys.at(name).is_some()) {
                return keys.exclude(name, "joint");
            }
            return self.check_joint(keys);
        }
        if self.mass.is_some() && self.density.is_some() {
            return keys.exclude("mass", "density");
        }
        if self.solid.is_none() {
            if self.density.is_some() {
                return Err(keys.missing("solid", SolidSpec::wanted()));
            }
            if self.mass.is_some() && self.inertia.is_none() {
                let wanted = "three moments, such as [\"1e-5 kg m^2\", \"1e-5 kg m^2\", \"2e-5 kg m^2\"], or a `solid`";
                return Err(keys.missing("inertia", wanted.into()));
            }
        }
        if self.mass.is_none() && self.density.is_none() {
            let wanted = format!(
                "{}; or the `density` of its solid; or joint = true for what has no mass of its own",
                Mass::wanted()
            );
            return Err(keys.missing("mass", wanted));
        }
        keys.positive("mass", self.mass.map_or(1.0, |m| m.si()))?;
        keys.positive("density", self.density.map_or(1.0, |d| d.si()))?;
        self.inertia
            .map_or(Ok(()), |j| check_inertia(keys, j.map(|j| j.si())))
    }

    fn check_joint(&self, keys: &Keys) -> Result<(), SceneError> {
        let count = self.welds.len();
        let need = "a list of at least one edge, since a joint has no mass of its own";
        keys.check_shown("welds", &format!("a list of {count}"), count > 0, need)
    }
}

/// No moment of a real body is larger than the sum of the other two.
fn check_inertia(keys: &Keys, j: [f64; 3]) -> Result<(), SceneError> {
    let shown = format!("[{}, {}, {}]", j[0], j[1], j[2]);
    let positive = j.iter().all(|j| *j > 0.0);
    keys.check_shown(
        "inertia",
        &shown,
        positive,
        "three moments greater than zero",
    )?;
    let sum: f64 = j.iter().sum();
    let real = j.iter().all(|j| *j <= 0.5 * sum * (1.0 + 1e-9));
    let need = "three moments of which none is larger than the sum of the other two";
    keys.check_shown("inertia", &shown, real, need)
}

impl Read for RodRef {
    fn wanted() -> String {
        "a number from 0, or a name".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        match at.text() {
            Some(name) => Ok(Self::Name(name.to_owned())),
            None => usize::read(at)
                .map(Self::Index)
                .or_else(|e| match *e.problem {
                    Problem::WrongType { .. } => at.wrong_type(Self::wanted()),
                    _ => Err(e),
                }),
        }
    }
}

pub(crate) const GUIDE: &[&str] = &["position", "turn"];

impl Read for GuideSpec {
    fn wanted() -> String {
        "a table such as { position = \"xy\", turn = \"xy\" }, the coordinates that it keeps and the axes that it does not turn about".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, GUIDE)?;
        let spec = Self {
            position: keys.or("position", Axes([false; 3]))?.0,
            turn: keys.or("turn", Axes([false; 3]))?.0,
        };
        if none(&spec.position) && none(&spec.turn) {
            return at.wrong_type(Self::wanted());
        }
        Ok(spec)
    }
}
