//! Knots: in an open rod and of two open rods, pulled, held, loosened and twisted by their ends
//! (C21); in closed rods, let go.

mod schedule;

use std::cell::RefCell;

use glam::DVec3;

use super::Named;
use super::round_rod::RoundRod;
use crate::error::SceneError;
use crate::spec::centreline::through;
use crate::spec::{
    CertifySpec, ClampSpec, ContactSpec, DampingSpec, Defaults, EndRef, POISSON, RestSpec, RodSpec,
    SchemeKind, TimeSpec, edges,
};
use crate::ties::{Bend, Closed, ClosedKind, Overhand, Slip, Untied, tip_of_bight};
use crate::tree::{At, Bound, Keys, Known, POSITIVE, Read, Stated, fields, words};
use crate::units::{Density, Length, Number, Pressure};

pub use schedule::PhaseSpec;

fields! {
    /// Parameters of a knot. Open rods lie along x, closed ones around the axis z.
    pub struct Knot {
        /// Which knot.
        pub kind: KnotKind = KnotKind::Overhand,
        /// Unknotting number n of an overhand knot: 1 is the trefoil, n the torus knot
        /// T(2, 2n + 1), cut open.
        pub unknotting_number: Option<usize> = Some(1) => Bound::within(1.0, 1000.0),
        /// p of a torus knot T(p, q).
        pub p: Option<usize> => OF_TORUS,
        /// q of a torus knot T(p, q).
        pub q: Option<usize> => OF_TORUS,
        /// Whether the crossings are left-handed; knots that equal their mirror image have no such
        /// key.
        pub left_handed: Option<bool> = Some(false),
        /// Length of each rod.
        pub length: Length = Length::new(1.0) => POSITIVE,
        /// Distance of both ends at the start; of two rods, that of the ends of one from those of
        /// the other. Open rods only.
        pub end_distance: Option<Length> => POSITIVE,
        /// Radius of the rods.
        pub rod_radius: Length = Length::new(1.6e-3) => POSITIVE,
        /// Number of edges of each rod.
        pub edges: usize = 300 => edges(20),
        /// Young's modulus.
        pub young: Pressure = Pressure::new(1.8e5) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.5) => POISSON,
        /// Density.
        pub density: Density = Density::new(1180.0) => POSITIVE,
        /// What the ends do, one phase after the other; they rest after the last. Open rods only;
        /// waiting and pulling until the knot is tight unless given.
        pub schedule: Option<Vec<PhaseSpec>>,
    }
}

/// p and q of a torus knot.
const OF_TORUS: Bound = Bound::within(2.0, 100.0);

words! {
    /// Which knot.
    pub enum KnotKind {
        /// An overhand knot of any unknotting number in an open rod.
        Overhand = "overhand",
        /// An overhand knot tied with a bight, whose tip is held; no knot at all when it is closed
        /// up.
        Slip = "slip",
        /// Two open rods, their legs through each other's bights: a reef knot.
        Square = "square",
        /// The same with one leg on each side of the bight.
        Granny = "granny",
        /// T(2, 3), the trefoil, in a closed rod.
        Trefoil = "trefoil",
        /// The figure-eight knot, 4_1, in a closed rod.
        FigureEight = "figure-eight",
        /// The torus knot T(p, q) in a closed rod, or the torus link of gcd(p, q) closed rods.
        Torus = "torus",
    }
}

impl KnotKind {
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
                Knot::unknotting_number().name,
                "only overhand knots have an unknotting number to choose",
            ));
        }
        if self != Self::Torus {
            let why = "only torus knots T(p, q) have p and q";
            out.extend([(Knot::p().name, why), (Knot::q().name, why)]);
        }
        if matches!(self, Self::Square | Self::FigureEight) {
            out.push((
                Knot::left_handed().name,
                "this knot is its own mirror image",
            ));
        }
        if self.is_closed() {
            let why = "this knot is tied in a closed rod, which has no ends to be pulled";
            out.extend([
                (Knot::end_distance().name, why),
                (Knot::schedule().name, why),
            ]);
        }
        out
    }

    /// Part of the rod's length to which the ends are pulled apart: two rods' knot, when it is
    /// tight, takes some of each.
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

/// Length of rod in a slip knot that is tight, in radii of the rod.
const TIGHT_SLIP: f64 = 45.0;
/// How long a closed knot is watched unless the scene says so, s.
const RELAXING: f64 = 10.0;

/// Nodes of each rod, m.
type Curves = Result<Vec<Vec<DVec3>>, Untied>;

/// All that the shape of a knot depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    kind: KnotKind,
    /// Unknotting number, p and q of a torus knot, edges of a rod.
    counts: [usize; 4],
    left_handed: bool,
    /// Length, distance of the ends, radius, m, by their bits.
    measures: [u64; 3],
}

thread_local! {
    static LAST_TIED: RefCell<Option<(Asked, Curves)>> = const { RefCell::new(None) };
}

impl Asked {
    fn tie(&self) -> Curves {
        let [unknotting, p, q, edges] = self.counts;
        let [length, end_distance, radius] = self.measures.map(f64::from_bits);
        let left_handed = self.left_handed;
        let overhand = Overhand {
            unknotting,
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
        match self.kind {
            KnotKind::Overhand => overhand.nodes().map(|nodes| vec![nodes]),
            KnotKind::Slip => Slip(overhand).nodes().map(|nodes| vec![nodes]),
            KnotKind::Square | KnotKind::Granny => bend.rods().map(Vec::from),
            KnotKind::Trefoil | KnotKind::Torus => closed(ClosedKind::Torus([p, q])).rods(),
            KnotKind::FigureEight => closed(ClosedKind::FigureEight).rods(),
        }
    }
}

impl Knot {
    /// The silicone rod of C21 unless given otherwise.
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, &[vec!["name"], Self::known()].concat())?;
        let kind = Self::kind().read(&keys)?;
        for (name, why) in kind.has_no() {
            if keys.at(name).is_some() {
                let message = format!(
                    "`{name}` cannot be used with kind = \"{}\": {why}",
                    kind.word()
                );
                let remedy = format!("remove `{name}`, or choose another kind");
                return keys.refuse(name, message, remedy);
            }
        }
        let has = |name: &str| kind.has_no().iter().all(|(other, _)| *other != name);
        let length = Self::length().read(&keys)?;
        let ends = Length::new(kind.end_distance() * length.si());
        let ends = Self::end_distance().or(&keys, Some(ends))?;
        let needed =
            |key: Stated<Option<usize>>| match kind == KnotKind::Torus && keys.at(&key).is_none() {
                true => Err(keys.missing(&key, usize::wanted())),
                false => key.read(&keys),
            };
        let open = !kind.is_closed();
        let mut spec = Self {
            kind,
            unknotting_number: (Self::unknotting_number().read(&keys)?)
                .filter(|_| kind == KnotKind::Overhand),
            p: needed(Self::p())?,
            q: needed(Self::q())?,
            left_handed: (Self::left_handed().read(&keys)?).filter(|_| has(&Self::left_handed())),
            length,
            end_distance: ends.filter(|_| open),
            rod_radius: Self::rod_radius().read(&keys)?,
            edges: Self::edges().read(&keys)?,
            young: Self::young().read(&keys)?,
            poisson: Self::poisson().read(&keys)?,
            density: Self::density().read(&keys)?,
            schedule: Self::schedule()
                .or(&keys, Some(Vec::new()))?
                .filter(|_| open),
        };
        spec.check_ends(&keys)?;
        spec.check_schedule(&keys)?;
        match spec.curves() {
            Err(untied) => return spec.refuse(&keys, untied),
            Ok(curves) if keys.at(&Self::schedule()).is_none() => {
                spec.schedule = spec.default_schedule(&curves);
            }
            Ok(_) => {}
        }
        Ok(spec)
    }

    /// Refuses a knot with all its values that cannot be tied.
    pub(super) fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        self.check_ends(keys)?;
        match self.curves() {
            Err(untied) => self.refuse(keys, untied).map(|_| ()),
            Ok(_) => Ok(()),
        }
    }

    /// Refuses ends farther apart than the rod is long.
    fn check_ends(&self, keys: &Keys) -> Result<(), SceneError> {
        let length = self.length.si();
        let ends = self.end_distance.map_or(0.0, Length::si);
        let need = format!("between 0 and the length, {length} m");
        keys.check(&Self::end_distance(), ends, ends < length, &need)
    }

    /// Refuses motions that the ends of this knot do not make.
    fn check_schedule(&self, keys: &Keys) -> Result<(), SceneError> {
        let refuse = |message: &str, remedy: &str| keys.refuse(&Self::schedule(), message, remedy);
        let any = |of: fn(&PhaseSpec) -> bool| self.phases().iter().any(of);
        if self.kind.is_bend() && any(|phase| phase.twist.si() != 0.0) {
            return refuse(
                "each side of this knot has two ends, which do not turn about one axis",
                "remove `twist` from the schedule",
            );
        }
        if self.kind != KnotKind::Slip && any(|phase| phase.tip.is_some()) {
            return refuse(
                "only a slip knot has a bight whose tip is held",
                "remove `tip` from the schedule",
            );
        }
        Ok(())
    }

    /// Waiting, and pulling until the knot is tight.
    fn default_schedule(&self, curves: &[Vec<DVec3>]) -> Option<Vec<PhaseSpec>> {
        let (ends, length) = (self.end_distance?.si(), self.length.si());
        let way = match self.kind {
            KnotKind::Slip => {
                let nodes = &curves[0];
                let tip = tip_of_bight(nodes);
                let edges = nodes[..=tip].windows(2);
                let contour: f64 = edges.map(|e| e[0].distance(e[1])).sum();
                contour - TIGHT_SLIP * self.rod_radius.si() - (nodes[tip].x - nodes[0].x)
            }
            kind => kind.reach() * length - ends,
        };
        Some(schedule::pulled(way))
    }

    fn refuse(&self, keys: &Keys, untied: Untied) -> Result<Self, SceneError> {
        let (what, length) = (self.what(), self.length.si());
        let thick = 2.0 * self.rod_radius.si();
        let (key, message, remedy) = match untied {
            Untied::NoRoom => (
                match self.kind {
                    KnotKind::Overhand if keys.knows(&Self::unknotting_number()) => {
                        Self::unknotting_number().name
                    }
                    KnotKind::Torus => Self::p().name,
                    _ => Self::length().name,
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
                Self::edges().name,
                format!("{} edges are too few for the turns of {what}", self.edges),
                format!("take {edges} or more"),
            ),
        };
        keys.refuse(key, message, remedy)
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

    /// Nodes of each rod, m. Who reads, checks, describes and builds a scene asks for the same knot
    /// again, so the last one of a thread is kept.
    fn curves(&self) -> Curves {
        let asked = Asked {
            kind: self.kind,
            counts: [
                self.unknotting_number.unwrap_or(1),
                self.p.unwrap_or(2),
                self.q.unwrap_or(3),
                self.edges,
            ],
            left_handed: self.left_handed.unwrap_or(false),
            measures: [
                self.length.si(),
                self.end_distance.map_or(0.0, Length::si),
                self.rod_radius.si(),
            ]
            .map(f64::to_bits),
        };
        LAST_TIED.with_borrow_mut(|last| match last {
            Some((tied, curves)) if *tied == asked => curves.clone(),
            _ => {
                let curves = asked.tie();
                *last = Some((asked, curves.clone()));
                curves
            }
        })
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

    /// What holds the ends of a rod.
    fn clamps(&self, rod: usize, nodes: &[DVec3]) -> Vec<ClampSpec> {
        if self.kind.is_closed() {
            return Vec::new();
        }
        let phases = self.phases();
        if self.kind.is_bend() {
            // The first rod's ends go to -x, the second's to +x.
            let side = if rod == 0 { -1.0 } else { 1.0 };
            return [EndRef::First, EndRef::Last]
                .map(|end| schedule::clamp(phases, end, side, None))
                .to_vec();
        }
        vec![
            schedule::clamp(phases, EndRef::First, -1.0, None),
            schedule::clamp(phases, EndRef::Last, 1.0, nodes.last().copied()),
        ]
    }
}

impl Named for Knot {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: self.title(),
            contact: ContactSpec {
                friction: Number::new(0.1),
                ..ContactSpec::default()
            },
            damping: DampingSpec::new(0.01),
            time: TimeSpec {
                scheme: SchemeKind::Bdf2,
                // Closed rods have nothing to do but to find their equilibrium.
                settle: !self.kind.is_closed(),
                ..TimeSpec::new(self.lasts(), 1e-2)
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

    fn rods(&self) -> Vec<RodSpec> {
        let curves = self.curves().unwrap_or_default();
        let single = curves.len() == 1;
        let rods = curves.iter().enumerate();
        rods.map(|(i, nodes)| {
            let mut rod = self.round_rod().of_shape(through(nodes));
            rod.name = Some(match (single, self.kind.is_bend()) {
                (true, _) => "knot".to_owned(),
                (false, true) => ["left", "right"][i % 2].to_owned(),
                (false, false) => format!("ring {i}"),
            });
            rod.rest = RestSpec::Straight;
            rod.closed = self.kind.is_closed();
            rod.clamps = self.clamps(i, nodes);
            if self.kind == KnotKind::Slip {
                rod.held = vec![schedule::held_tip(self.phases(), tip_of_bight(nodes))];
            }
            rod
        })
        .collect()
    }
}
