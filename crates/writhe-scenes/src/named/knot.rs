//! An overhand knot in an open rod, pulled, held, loosened and twisted by both ends (C21).

use glam::DVec3;
use serde::Serialize;

use super::round_rod::RoundRod;
use crate::error::{Problem, SceneError};
use crate::overhand::{Overhand, Untied};
use crate::spec::{
    AngleSpec, ClampSpec, ContactSpec, DampingSpec, Defaults, EndRef, MotionSpec, RestSpec,
    RodSpec, RotationSpec, SchemeKind, ShapeSpec, TimeSpec, read_edges, unit,
};
use crate::tree::{At, Keys, Read};
use crate::units::{
    Angle, AngularSpeed, Density, Length, Number, Pressure, Speed, Time, Viscosity,
};

/// Parameters of the knot, which is tied in a straight rod along x with its loop on the side of +y.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Knot {
    /// Unknotting number n: 1 is the trefoil, n the torus knot T(2, 2n + 1), cut open.
    pub unknotting_number: usize,
    /// Whether its braid is left-handed.
    pub left_handed: bool,
    /// Contour of the rod, m.
    pub length: Length,
    /// Distance of both ends at the start, m.
    pub end_distance: Length,
    /// Radius of the rod, m.
    pub rod_radius: Length,
    /// Number of edges.
    pub edges: usize,
    /// Young's modulus, Pa.
    pub young: Pressure,
    /// Poisson's ratio.
    pub poisson: Number,
    /// Density, kg/m^3.
    pub density: Density,
    /// What the ends do, one phase after the other; they rest after the last.
    pub schedule: Vec<PhaseSpec>,
}

/// What both ends do for a while.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PhaseSpec {
    /// How long, s.
    #[serde(rename = "for")]
    pub lasts: Time,
    /// Speed of each end away from the other, m/s; negative loosens.
    pub speed: Speed,
    /// Speed at which the last end turns about +x, rad/s; the first end does not turn.
    pub twist: AngularSpeed,
}

const KEYS: &[&str] = &[
    "name",
    "unknotting_number",
    "left_handed",
    "length",
    "end_distance",
    "rod_radius",
    "edges",
    "young",
    "poisson",
    "density",
    "schedule",
];

/// Part of the rod's length between the ends at the start.
const END_DISTANCE: f64 = 0.33;
/// Speed of each end, m/s (C21: 3, 6 and 9 mm/s).
const SPEED: f64 = 6e-3;
/// More half turns than this are rather a typing error.
const MAX_UNKNOTTING: usize = 1000;

impl Read for PhaseSpec {
    fn wanted() -> String {
        "a table such as { for = \"60 s\", speed = \"6 mm/s\" }, with `speed` and `twist` 0 unless given".into()
    }

    fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &["for", "speed", "twist"])?;
        let phase = Self {
            lasts: keys.required("for")?,
            speed: keys.or("speed", Speed::default())?,
            twist: keys.or("twist", AngularSpeed::default())?,
        };
        keys.positive("for", phase.lasts.si())?;
        Ok(phase)
    }
}

impl Knot {
    /// The silicone rod of C21 with this contour, waiting for 2 s and then pulled until the rod between the ends is straight.
    fn pulled(length: f64, end_distance: f64) -> Self {
        let phase = |lasts: f64, speed: f64| PhaseSpec {
            lasts: Time::new(lasts),
            speed: Speed::new(speed),
            twist: AngularSpeed::new(0.0),
        };
        Self {
            unknotting_number: 1,
            left_handed: false,
            length: Length::new(length),
            end_distance: Length::new(end_distance),
            rod_radius: Length::new(1.6e-3),
            edges: 300,
            young: Pressure::new(1.8e5),
            poisson: Number::new(0.5),
            density: Density::new(1180.0),
            schedule: vec![
                phase(2.0, 0.0),
                phase((length - end_distance) / (2.0 * SPEED), SPEED),
            ],
        }
    }

    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let length = keys.or("length", Length::new(1.0))?;
        keys.positive("length", length.si())?;
        let given = Length::new(END_DISTANCE * length.si());
        let end_distance = keys.or("end_distance", given)?;
        let need = format!("between 0 and the length, {} m", length.si());
        let between = end_distance.si() > 0.0 && end_distance.si() < length.si();
        keys.check("end_distance", end_distance.si(), between, &need)?;
        let d = Self::pulled(length.si(), end_distance.si());
        let spec = Self {
            unknotting_number: keys.or("unknotting_number", d.unknotting_number)?,
            left_handed: keys.or("left_handed", d.left_handed)?,
            length,
            end_distance,
            rod_radius: keys.or("rod_radius", d.rod_radius)?,
            edges: read_edges(&keys, "edges", Some(d.edges), 20)?,
            young: keys.or("young", d.young)?,
            poisson: keys.or("poisson", d.poisson)?,
            density: keys.or("density", d.density)?,
            schedule: keys.or("schedule", d.schedule)?,
        };
        let n = spec.unknotting_number;
        let good = (1..=MAX_UNKNOTTING).contains(&n);
        keys.check_shown("unknotting_number", &n.to_string(), good, "from 1 to 1000")?;
        spec.round_rod().check(&keys)?;
        spec.overhand()
            .nodes()
            .map_or_else(|untied| spec.refuse(&keys, untied), |_| Ok(()))?;
        Ok(spec)
    }

    fn refuse(&self, keys: &Keys, untied: Untied) -> Result<(), SceneError> {
        let (n, length) = (self.unknotting_number, self.length.si());
        let (key, message, remedy) = match untied {
            Untied::NoRoom => (
                "unknotting_number",
                format!(
                    "there is no room for a knot of unknotting number {n} in a rod {length} m long and {} m thick with its ends {} m apart",
                    2.0 * self.rod_radius.si(),
                    self.end_distance.si()
                ),
                "take a longer or thinner rod, or other ends (`end_distance`)".to_owned(),
            ),
            Untied::TooCoarse { edges } => (
                "edges",
                format!(
                    "{} edges are too few for the turns of a knot of unknotting number {n}",
                    self.edges
                ),
                format!("take {edges} or more"),
            ),
        };
        keys.conflict(key, Problem::Conflict { message, remedy })
    }

    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }

    fn overhand(&self) -> Overhand {
        Overhand {
            unknotting: self.unknotting_number,
            left_handed: self.left_handed,
            length: self.length.si(),
            end_distance: self.end_distance.si(),
            radius: self.rod_radius.si(),
            edges: self.edges,
        }
    }

    /// Length of the schedule, s.
    fn lasts(&self) -> f64 {
        self.schedule.iter().map(|phase| phase.lasts.si()).sum()
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: format!(
                "Overhand knot of unknotting number {}",
                self.unknotting_number
            ),
            contact: ContactSpec {
                friction: Number::new(0.1),
                ..ContactSpec::default()
            },
            damping: DampingSpec {
                viscosity: Viscosity::new(0.01),
            },
            time: TimeSpec {
                duration: Time::new(self.lasts()),
                step: Time::new(2.5e-3),
                scheme: SchemeKind::Bdf2,
                settle: true,
                ..TimeSpec::default()
            },
            ..Defaults::default()
        }
    }

    pub(super) fn rod(&self) -> RodSpec {
        let nodes = self.overhand().nodes().unwrap_or_default();
        let points = nodes.iter().map(|x| x.to_array().map(Length::new));
        let mut rod = self
            .round_rod()
            .of_shape(ShapeSpec::Nodes(points.collect()));
        rod.name = Some("knot".to_owned());
        rod.rest = RestSpec::Straight;
        rod.clamps = vec![
            self.clamp(EndRef::First, -1.0, None),
            self.clamp(EndRef::Last, 1.0, nodes.last().copied()),
        ];
        rod
    }

    /// An end that moves along x to the side `side` of 0, and turns about the line through `axis` if it is given.
    fn clamp(&self, edge: EndRef, side: f64, axis: Option<DVec3>) -> ClampSpec {
        let (mut time, mut place, mut angle) = (0.0, 0.0, 0.0);
        let (mut path, mut angles) = (vec![[0.0; 4]], vec![(Time::new(0.0), Angle::new(0.0))]);
        for phase in &self.schedule {
            time += phase.lasts.si();
            place += side * phase.speed.si() * phase.lasts.si();
            angle += phase.twist.si() * phase.lasts.si();
            path.push([time, place, 0.0, 0.0]);
            angles.push((Time::new(time), Angle::new(angle)));
        }
        let twists = self.schedule.iter().any(|p| p.twist.si() != 0.0);
        let path = MotionSpec::Path(path);
        let motion = match axis.filter(|_| twists) {
            None => path,
            Some(point) => MotionSpec::Sequence(vec![
                MotionSpec::Rotation(RotationSpec {
                    point: point.to_array().map(Length::new),
                    axis: unit(0),
                    speed: None,
                    angle: Some(AngleSpec::Table { table: angles }),
                }),
                path,
            ]),
        };
        ClampSpec {
            edge,
            motion,
            half_edge: false,
        }
    }
}
