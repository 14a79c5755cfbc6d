//! Knots: in an open rod and of two open rods, pulled, held, loosened and twisted by their ends (C21); in closed rods, let go.

use glam::DVec3;
use serde::Serialize;

use super::round_rod::RoundRod;
use crate::error::{Problem, SceneError};
use crate::spec::{
    AngleSpec, CertifySpec, ClampSpec, ContactSpec, DampingSpec, Defaults, EndRef, MotionSpec,
    RestSpec, RodSpec, RotationSpec, SchemeKind, ShapeSpec, TimeSpec, read_edges, unit,
};
use crate::ties::{Bend, Closed, ClosedKind, Overhand, Slip, Untied};
use crate::tree::{At, Keys, Read};
use crate::units::{
    Angle, AngularSpeed, Density, Length, Number, Pressure, Speed, Time, Viscosity,
};

/// Parameters of a knot. Open rods lie along x, closed ones around the axis z.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Knot {
    /// Which knot.
    pub kind: KnotKind,
    /// Unknotting number n of an overhand knot: 1 is the trefoil, n the torus knot T(2, 2n + 1), cut open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknotting_number: Option<usize>,
    /// p of a torus knot T(p, q).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<usize>,
    /// q of a torus knot T(p, q).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<usize>,
    /// Whether its crossings are left-handed; knots that equal their mirror image have no such key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_handed: Option<bool>,
    /// Contour of each rod, m.
    pub length: Length,
    /// Distance of both ends at the start, m; of two rods, that of the ends of one from those of the other. Open rods only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_distance: Option<Length>,
    /// Radius of the rods, m.
    pub rod_radius: Length,
    /// Number of edges of each rod.
    pub edges: usize,
    /// Young's modulus, Pa.
    pub young: Pressure,
    /// Poisson's ratio.
    pub poisson: Number,
    /// Density, kg/m^3.
    pub density: Density,
    /// What the ends do, one phase after the other; they rest after the last. Open rods only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<PhaseSpec>>,
}

/// Which knot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnotKind {
    /// An overhand knot of any unknotting number in an open rod.
    Overhand,
    /// An overhand knot tied with a bight, which comes undone when its end is pulled.
    Slip,
    /// Two open rods, their legs through each other's bights: a reef knot.
    Square,
    /// The same with one leg on each side of the bight.
    Granny,
    /// T(2, 3), the trefoil, in a closed rod.
    Trefoil,
    /// 4_1 in a closed rod.
    FigureEight,
    /// T(p, q) in a closed rod, or the link of gcd(p, q) closed rods.
    Torus,
}

const KINDS: &[(&str, KnotKind)] = &[
    ("overhand", KnotKind::Overhand),
    ("slip", KnotKind::Slip),
    ("square", KnotKind::Square),
    ("granny", KnotKind::Granny),
    ("trefoil", KnotKind::Trefoil),
    ("figure-eight", KnotKind::FigureEight),
    ("torus", KnotKind::Torus),
];

impl KnotKind {
    fn word(self) -> &'static str {
        KINDS
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(word, _)| word)
    }

    fn is_closed(self) -> bool {
        matches!(self, Self::Trefoil | Self::FigureEight | Self::Torus)
    }

    /// Whether two rods are tied together.
    fn is_bend(self) -> bool {
        matches!(self, Self::Square | Self::Granny)
    }

    /// Keys that this kind has no use for, and why.
    fn has_no(self) -> Vec<(&'static str, &'static str)> {
        let mut out = Vec::new();
        if self != Self::Overhand {
            out.push((
                "unknotting_number",
                "only overhand knots have an unknotting number to choose",
            ));
        }
        if self != Self::Torus {
            let why = "only torus knots T(p, q) have p and q";
            out.extend([("p", why), ("q", why)]);
        }
        if matches!(self, Self::Square | Self::FigureEight) {
            out.push(("left_handed", "this knot is its own mirror image"));
        }
        if self.is_closed() {
            let why = "this knot is tied in a closed rod, which has no ends to be pulled";
            out.extend([("end_distance", why), ("schedule", why)]);
        }
        out
    }

    /// Part of the rod's length to which the ends are pulled apart: two rods' knot, when it is tight, takes some of each.
    fn reach(self) -> f64 {
        if self.is_bend() { 0.95 } else { 1.0 }
    }

    /// Part of the rod's length between the ends at the start.
    fn end_distance(self) -> f64 {
        match self {
            Self::Square | Self::Granny => 0.66,
            Self::Slip => 0.4,
            _ => 0.33,
        }
    }
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
    "kind",
    "unknotting_number",
    "p",
    "q",
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

/// Speed of each end, m/s (C21: 3, 6 and 9 mm/s).
const SPEED: f64 = 6e-3;
/// More half turns than this are rather a typing error.
const MAX_UNKNOTTING: usize = 1000;
/// Largest p and q of a torus knot.
const MAX_TORUS: usize = 100;
/// How long a closed knot is watched unless the scene says so, s.
const RELAXING: f64 = 10.0;

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

/// Waiting for 2 s, and pulling until the ends are as far apart as `reach`, m.
fn pulled(reach: f64, end_distance: f64) -> Vec<PhaseSpec> {
    let phase = |lasts: f64, speed: f64| PhaseSpec {
        lasts: Time::new(lasts),
        speed: Speed::new(speed),
        twist: AngularSpeed::new(0.0),
    };
    vec![
        phase(2.0, 0.0),
        phase((reach - end_distance).max(SPEED) / (2.0 * SPEED), SPEED),
    ]
}

impl Knot {
    /// The silicone rod of C21 unless given otherwise.
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let kind = keys
            .at("kind")
            .map_or(Ok(KnotKind::Overhand), |at| at.word(KINDS))?;
        for (name, why) in kind.has_no() {
            if keys.at(name).is_some() {
                let message = format!(
                    "`{name}` does not go with kind = \"{}\": {why}",
                    kind.word()
                );
                let remedy = format!("remove `{name}`, or choose another kind");
                return keys.conflict(name, Problem::Conflict { message, remedy });
            }
        }
        let has = |name: &str| kind.has_no().iter().all(|(other, _)| *other != name);
        let length = keys.or("length", Length::new(1.0))?;
        keys.positive("length", length.si())?;
        let end_distance = if kind.is_closed() {
            None
        } else {
            let given = Length::new(kind.end_distance() * length.si());
            let end_distance = keys.or("end_distance", given)?.si();
            let need = format!("between 0 and the length, {} m", length.si());
            let between = end_distance > 0.0 && end_distance < length.si();
            keys.check("end_distance", end_distance, between, &need)?;
            Some(end_distance)
        };
        let reach = kind.reach() * length.si();
        let schedule = end_distance.map(|ends| keys.or("schedule", pulled(reach, ends)));
        let torus = |name: &str| {
            if kind != KnotKind::Torus {
                return Ok(None);
            }
            let n: usize = keys.required(name)?;
            let good = (2..=MAX_TORUS).contains(&n);
            keys.check_shown(name, &n.to_string(), good, "from 2 to 100")?;
            Ok(Some(n))
        };
        let spec = Self {
            kind,
            unknotting_number: match kind {
                KnotKind::Overhand => Some(keys.or("unknotting_number", 1)?),
                _ => None,
            },
            p: torus("p")?,
            q: torus("q")?,
            left_handed: match has("left_handed") {
                true => Some(keys.or("left_handed", false)?),
                false => None,
            },
            length,
            end_distance: end_distance.map(Length::new),
            rod_radius: keys.or("rod_radius", Length::new(1.6e-3))?,
            edges: read_edges(&keys, "edges", Some(300), 20)?,
            young: keys.or("young", Pressure::new(1.8e5))?,
            poisson: keys.or("poisson", Number::new(0.5))?,
            density: keys.or("density", Density::new(1180.0))?,
            schedule: schedule.transpose()?,
        };
        let n = spec.unknotting_number.unwrap_or(1);
        let good = (1..=MAX_UNKNOTTING).contains(&n);
        keys.check_shown("unknotting_number", &n.to_string(), good, "from 1 to 1000")?;
        spec.round_rod().check(&keys)?;
        if kind.is_bend() && spec.phases().iter().any(|phase| phase.twist.si() != 0.0) {
            let message =
                "each side of this knot has two ends, which do not turn about one axis".to_owned();
            let remedy = "remove `twist` from the schedule".to_owned();
            return keys.conflict("schedule", Problem::Conflict { message, remedy });
        }
        spec.curves()
            .map_or_else(|untied| spec.refuse(&keys, untied), |_| Ok(()))?;
        Ok(spec)
    }

    fn refuse(&self, keys: &Keys, untied: Untied) -> Result<(), SceneError> {
        let (what, length) = (self.what(), self.length.si());
        let thick = 2.0 * self.rod_radius.si();
        let (key, message, remedy) = match untied {
            Untied::NoRoom => (
                match self.kind {
                    KnotKind::Overhand => "unknotting_number",
                    KnotKind::Torus => "p",
                    _ => "length",
                },
                match self.end_distance {
                    Some(ends) => format!(
                        "there is no room for {what} in a rod {length} m long and {thick} m thick with its ends {} m apart",
                        ends.si()
                    ),
                    None => format!(
                        "there is no room for {what} in a closed rod {length} m long and {thick} m thick"
                    ),
                },
                match self.end_distance {
                    Some(_) => "take a longer or thinner rod, or other ends (`end_distance`)",
                    None => "take a longer or thinner rod",
                }
                .to_owned(),
            ),
            Untied::TooCoarse { edges } => (
                "edges",
                format!("{} edges are too few for the turns of {what}", self.edges),
                format!("take {edges} or more"),
            ),
        };
        keys.conflict(key, Problem::Conflict { message, remedy })
    }

    /// In words.
    fn what(&self) -> String {
        match (self.kind, self.unknotting_number, self.p, self.q) {
            (KnotKind::Overhand, Some(n), ..) => format!("a knot of unknotting number {n}"),
            (KnotKind::Torus, _, Some(p), Some(q)) => format!("the torus knot T({p}, {q})"),
            (kind, ..) => format!("a {} knot", kind.word()),
        }
    }

    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }

    /// Nodes of each rod, m.
    fn curves(&self) -> Result<Vec<Vec<DVec3>>, Untied> {
        let left_handed = self.left_handed.unwrap_or(false);
        let (length, radius, edges) = (self.length.si(), self.rod_radius.si(), self.edges);
        let end_distance = self.end_distance.map_or(0.0, Length::si);
        let overhand = Overhand {
            unknotting: self.unknotting_number.unwrap_or(1),
            left_handed,
            length,
            end_distance,
            radius,
            edges,
        };
        let bend = Bend {
            granny: self.kind == KnotKind::Granny,
            left_handed,
            length,
            end_distance,
            radius,
            edges,
        };
        let closed = |kind: ClosedKind| Closed {
            kind,
            left_handed,
            length,
            radius,
            edges,
        };
        let torus = ClosedKind::Torus([self.p.unwrap_or(2), self.q.unwrap_or(3)]);
        match self.kind {
            KnotKind::Overhand => overhand.nodes().map(|nodes| vec![nodes]),
            KnotKind::Slip => Slip(overhand).nodes().map(|nodes| vec![nodes]),
            KnotKind::Square | KnotKind::Granny => bend.rods().map(Vec::from),
            KnotKind::Trefoil | KnotKind::Torus => closed(torus).rods(),
            KnotKind::FigureEight => closed(ClosedKind::FigureEight).rods(),
        }
    }

    fn phases(&self) -> &[PhaseSpec] {
        self.schedule.as_deref().unwrap_or_default()
    }

    /// Length of the schedule, s.
    fn lasts(&self) -> f64 {
        match &self.schedule {
            Some(phases) => phases.iter().map(|phase| phase.lasts.si()).sum(),
            None => RELAXING,
        }
    }

    fn title(&self) -> String {
        match (self.kind, self.unknotting_number, self.p, self.q) {
            (KnotKind::Overhand, Some(n), ..) => {
                format!("Overhand knot of unknotting number {n}")
            }
            (KnotKind::Torus, _, Some(p), Some(q)) => format!("Torus knot T({p}, {q})"),
            (KnotKind::Trefoil, ..) => "Trefoil".to_owned(),
            (KnotKind::FigureEight, ..) => "Figure-eight knot".to_owned(),
            (KnotKind::Square, ..) => "Square knot of two rods".to_owned(),
            (KnotKind::Granny, ..) => "Granny knot of two rods".to_owned(),
            _ => "Slip knot".to_owned(),
        }
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: self.title(),
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
                // Closed rods have nothing to do but to find their equilibrium.
                settle: !self.kind.is_closed(),
                ..TimeSpec::default()
            },
            certify: CertifySpec::Given(true),
            // Ends on the same side of the knot, above and below.
            joined: match self.kind.is_bend() {
                true => vec![vec![0, 1]],
                false => Vec::new(),
            },
            ..Defaults::default()
        }
    }

    pub(super) fn rods(&self) -> Vec<RodSpec> {
        let curves = self.curves().unwrap_or_default();
        let single = curves.len() == 1;
        let rods = curves.iter().enumerate();
        rods.map(|(i, nodes)| {
            let points = nodes.iter().map(|x| x.to_array().map(Length::new));
            let mut rod = self
                .round_rod()
                .of_shape(ShapeSpec::Nodes(points.collect()));
            rod.name = Some(match (single, self.kind.is_bend()) {
                (true, _) => "knot".to_owned(),
                (false, true) => ["left", "right"][i % 2].to_owned(),
                (false, false) => format!("ring {i}"),
            });
            rod.rest = RestSpec::Straight;
            rod.closed = self.kind.is_closed();
            rod.clamps = self.clamps(i, nodes);
            rod
        })
        .collect()
    }

    /// What holds the ends of a rod.
    fn clamps(&self, rod: usize, nodes: &[DVec3]) -> Vec<ClampSpec> {
        if self.kind.is_closed() {
            return Vec::new();
        }
        if self.kind.is_bend() {
            // The first rod's ends go to -x, the second's to +x.
            let side = if rod == 0 { -1.0 } else { 1.0 };
            return [EndRef::First, EndRef::Last]
                .map(|end| self.clamp(end, side, None))
                .to_vec();
        }
        vec![
            self.clamp(EndRef::First, -1.0, None),
            self.clamp(EndRef::Last, 1.0, nodes.last().copied()),
        ]
    }

    /// An end that moves along x to the side `side` of 0, and turns about the line through `axis` if it is given.
    fn clamp(&self, edge: EndRef, side: f64, axis: Option<DVec3>) -> ClampSpec {
        let (mut time, mut place, mut angle) = (0.0, 0.0, 0.0);
        let (mut path, mut angles) = (vec![[0.0; 4]], vec![(Time::new(0.0), Angle::new(0.0))]);
        for phase in self.phases() {
            time += phase.lasts.si();
            place += side * phase.speed.si() * phase.lasts.si();
            angle += phase.twist.si() * phase.lasts.si();
            path.push([time, place, 0.0, 0.0]);
            angles.push((Time::new(time), Angle::new(angle)));
        }
        let twists = self.phases().iter().any(|p| p.twist.si() != 0.0);
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
