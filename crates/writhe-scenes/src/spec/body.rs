//! Rigid bodies, and what is welded to them.

use serde::Serialize;

use super::contact::COEFFICIENT;
use super::{Axes, Direction, EndRef, MotionSpec, Point, SolidSpec, unit};
use crate::error::{Problem, SceneError};
use crate::tree::{
    At, DIRECTION, Keys, Known, PART, POSITIVE, Read, Section, described, section, table,
};
use crate::units::{Angle, AngularSpeed, Density, Inertia, Mass, Number, Speed};

section! {
    /// A rigid body, or a joint of rods, which has no mass of its own.
    pub struct BodySpec {
        /// What it is called in reports, and for joints.
        pub name: Option<String> = None,
        /// Whether it only joins rods and has no mass of its own.
        pub joint: bool = false,
        /// Mass; that of the solid unless given.
        pub mass: Option<Mass> = None => POSITIVE,
        /// Density of the solid, in place of a mass.
        pub density: Option<Density> = None => POSITIVE,
        /// Moments of inertia about its own axes through the centre of mass; those of the
        /// homogeneous solid unless given.
        pub inertia: Option<[Inertia; 3]> = None,
        /// Centre of mass.
        pub position: Point = Point::default(),
        /// Velocity of the centre of mass at the start.
        pub velocity: [Speed; 3] = [Speed::default(); 3],
        /// Angular velocity at the start, in the axes of the scene.
        pub angular_velocity: [AngularSpeed; 3] = [AngularSpeed::default(); 3],
        /// How its own axes are turned from those of the scene at the start.
        pub orientation: OrientationSpec | "not turned" = OrientationSpec::none(),
        /// Its shape.
        pub solid: Option<SolidSpec> = None,
        /// Edges that move with it.
        pub welds: Vec<WeldSpec> = Vec::new(),
        /// How it moves, if that is prescribed; excludes `guide`.
        pub motion: Option<MotionSpec> = None,
        /// Coordinates that it keeps, and axes that it does not turn about.
        pub guide: Option<GuideSpec> = None,
        /// Whether rods touch its solid.
        pub touch: bool = false,
        /// Coefficient of friction. Unless given it is, with rods, their own or that of `[contact]`, and 0
        /// with other bodies.
        pub friction: Option<Number> = None => COEFFICIENT,
        /// Whether its solid meets those of other bodies; with an engine that knows collisions.
        pub collide: bool = false,
        /// Speed after such a collision over that before.
        pub restitution: Number = Number::new(0.0) => PART,
    }
    check Self::check
}

table! {
    /// A turn about an axis.
    #[derive(Copy)]
    pub struct OrientationSpec: "a table such as { axis = [0, 1, 0], angle = \"30 deg\" }" {
        /// Axis of the turn.
        pub axis: Direction => DIRECTION,
        /// Angle of the turn about it.
        pub angle: Angle,
    }
}

table! {
    /// An edge that moves with a body.
    pub struct WeldSpec: "a table such as { rod = 0, edge = \"last\" }" {
        /// The rod, by number from 0 or by name.
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

table! {
    /// What a body does not do.
    #[derive(Copy)]
    pub struct GuideSpec:
        "a table such as { position = \"xy\", turn = \"xy\" }, the coordinates that it keeps and the axes that it does not turn about"
    {
        /// Coordinates that its centre of mass, welded edges included, keeps: letters of `"xyz"`.
        pub position: Axes | "none" = Axes([false; 3]),
        /// Axes of the scene that it does not turn about: letters of `"xyz"`.
        pub turn: Axes | "none" = Axes([false; 3]),
    }
    check Self::check
}

described! { RodRef => Either(vec![Whole, Text]); }

impl GuideSpec {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        match self.position.0 == [false; 3] && self.turn.0 == [false; 3] {
            true => keys.wrong_type(Self::wanted()),
            false => Ok(()),
        }
    }
}

impl BodySpec {
    /// Without mass, at the origin, at rest, with nothing welded to it.
    pub fn new() -> Self {
        Self::default()
    }

    /// A joint of rods.
    pub fn of_joint(position: Point, welds: Vec<WeldSpec>) -> Self {
        Self {
            joint: true,
            position,
            welds,
            ..Self::new()
        }
    }

    /// Mass without what is welded to it, kg.
    pub fn own_mass(&self) -> f64 {
        let of_solid = || Some(self.density?.si() * self.solid?.volume());
        self.mass
            .map(|m| m.si())
            .or_else(of_solid)
            .unwrap_or_default()
    }

    /// What it looks like: its solid, or a homogeneous one of its mass and inertia; `None` for a
    /// joint of rods without a solid.
    pub fn shape(&self) -> Option<SolidSpec> {
        let of_inertia =
            |j: [Inertia; 3]| SolidSpec::of_inertia(self.own_mass(), j.map(Inertia::si));
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
        if (self.touch || self.collide) && self.solid.is_none() {
            return Err(keys.missing(&Self::solid(), SolidSpec::wanted()));
        }
        self.check_mass(keys)?;
        keys.only(&[&Self::motion(), &Self::guide()]).map(|_| ())
    }

    /// Mass and inertia in exactly one way.
    fn check_mass(&self, keys: &Keys) -> Result<(), SceneError> {
        if self.joint {
            for name in [
                Self::mass().name,
                Self::density().name,
                Self::inertia().name,
            ] {
                if keys.at(name).is_some() {
                    return keys.exclude(name, &Self::joint());
                }
            }
            return self.check_joint(keys);
        }
        keys.only(&[&Self::mass(), &Self::density()])?;
        if self.solid.is_none() {
            if self.density.is_some() {
                return Err(keys.missing(&Self::solid(), SolidSpec::wanted()));
            }
            if self.mass.is_some() && self.inertia.is_none() {
                let wanted = "three moments, such as [\"1e-5 kg m^2\", \"1e-5 kg m^2\", \"2e-5 kg m^2\"], or a `solid`";
                return Err(keys.missing(&Self::inertia(), wanted.into()));
            }
        }
        if self.mass.is_none() && self.density.is_none() {
            let wanted = format!(
                "{}; or the `density` of its solid; or joint = true for what has no mass of its own",
                Mass::wanted()
            );
            return Err(keys.missing(&Self::mass(), wanted));
        }
        self.inertia
            .map_or(Ok(()), |j| check_inertia(keys, j.map(|j| j.si())))
    }

    fn check_joint(&self, keys: &Keys) -> Result<(), SceneError> {
        let count = self.welds.len();
        let need = "a list of at least one edge, since a joint has no mass of its own";
        let shown = format!("a list of {count}");
        keys.check_shown(&Self::welds(), &shown, count > 0, need)
    }
}

/// No moment of a real body is larger than the sum of the other two.
fn check_inertia(keys: &Keys, j: [f64; 3]) -> Result<(), SceneError> {
    let shown = format!("[{}, {}, {}]", j[0], j[1], j[2]);
    let positive = j.iter().all(|j| *j > 0.0);
    keys.check_shown(
        &BodySpec::inertia(),
        &shown,
        positive,
        "three moments greater than zero",
    )?;
    let sum: f64 = j.iter().sum();
    let real = j.iter().all(|j| *j <= 0.5 * sum * (1.0 + 1e-9));
    let need = "three moments of which none is larger than the sum of the other two";
    keys.check_shown(&BodySpec::inertia(), &shown, real, need)
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
