//! What cannot change as long as nothing passes through anything: types of knots, linking numbers,
//! the linking number of ribbons.
//!
//! A certificate is a function of a state alone. A run makes one at its start and one at each
//! output, and reports if they ever differ: a test of contact and of the crossing check by
//! something that knows neither.
//!
//! For a closed rod the centreline and the line along its material director m1 are two closed
//! curves; their linking number is
//!
//! ```text
//! Lk = Tw + Wr                                     (Calugareanu 1959, White 1969, Fuller 1971)
//! ```
//!
//! with Tw the rod's twist in turns, summed over its vertices, and Wr the writhe of its centreline.
//! Tw and Wr are computed from different things and change all the time; their sum is an integer to
//! rounding.
//!
//! For an open rod a similar sum is that of its twist and the writhe of the rod closed up along its
//! end tangents ([`crate::knot::closure::Closure::Tangents`]). If the end tangents lie on one line,
//! that closure is plane, and the director carried along it keeps its angle to the plane: the sum changes by the
//! turns by which the ends are turned about that line, and by nothing else unless the rod passes
//! through itself (Fuller 1971; van der Heijden, Peletier, Planque 2004). With other end tangents
//! it is of no meaning by itself.

mod watch;

use std::f64::consts::TAU;
use std::fmt;

use glam::DVec3;

use crate::forces::twist;
use crate::knot::closure::{OpenType, joined_type, open_type};
use crate::knot::gauss::{open_writhe, writhe};
use crate::knot::kept::Kept;
use crate::knot::{KnotError, KnotType, knot_type};
use crate::model::Model;
use crate::observe::ObservableSink;
use crate::rod::kinematics::KinematicsError;
use crate::rod::{Kinematics, RodLayout};
use crate::state::State;

pub use watch::{Certify, Record, Seen, Watch};

/// What is topological in a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// One per rod.
    pub rods: Vec<OfRod>,
    /// Pairs of closed rods.
    pub links: Vec<Link>,
    /// Open rods whose ends are joined in turn, as the model says.
    pub joined: Vec<Joined>,
}

/// What is topological in a rod.
#[derive(Debug, Clone, PartialEq)]
pub struct OfRod {
    /// Whether it is closed.
    pub closed: bool,
    /// Sum of the twists of its vertices, turns.
    pub twist: f64,
    /// Sum of its vertices' twists at rest, turns: what elastic twist is counted from.
    pub rest_twist: f64,
    /// Writhe of its centreline; of an open rod, Gauss's integral over the rod as it is.
    pub writhe: f64,
    /// Writhe of an open rod closed up along its end tangents.
    pub closed_up_writhe: Option<f64>,
    /// Its type; that of an open rod by several closures.
    pub knot: Knot,
}

/// A rod's type.
#[derive(Debug, Clone, PartialEq)]
pub enum Knot {
    /// This type.
    Certain(KnotType),
    /// An open rod whose closures disagree: types and how many closures give them, the most
    /// frequent first.
    Uncertain(Vec<(KnotType, usize)>),
    /// A knot whose type cannot be found.
    Unknown(KnotError),
}

/// Two closed rods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The rods.
    pub rods: [usize; 2],
    /// Their linking number, if it can be told.
    pub number: Result<i64, KnotError>,
}

/// Open rods that make one closed curve when their ends are joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// The rods: the last end of each is joined to the first of the next.
    pub rods: Vec<usize>,
    /// Type of that curve.
    pub knot: Knot,
}

/// Something that cannot change, and did.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// The type of a rod's knot.
    Knot {
        /// The rod.
        rod: usize,
        /// Whether it is closed; an open one may come undone over its ends.
        closed: bool,
        /// Its type at the start.
        from: KnotType,
        /// Its type now.
        to: KnotType,
    },
    /// The linking number of a closed rod's ribbon, Tw + Wr.
    Ribbon {
        /// The rod.
        rod: usize,
        /// Its linking number at the start.
        from: i64,
        /// Its linking number now.
        to: i64,
    },
    /// The type of rods that are joined.
    Joined {
        /// The rods.
        rods: Vec<usize>,
        /// Its type at the start.
        from: KnotType,
        /// Its type now.
        to: KnotType,
    },
    /// The linking number of two closed rods.
    Link {
        /// The rods.
        rods: [usize; 2],
        /// Its linking number at the start.
        from: i64,
        /// Its linking number now.
        to: i64,
    },
}

impl Certificate {
    /// The certificate of a state.
    ///
    /// # Errors
    /// When the state has an edge without direction, which no accepted state has.
    pub fn of(model: &Model, state: &State) -> Result<Self, KinematicsError> {
        let mut kinematics = Kinematics::default();
        kinematics.update(&model.topology, &state.frames, &state.q)?;
        Ok(Self::told(model, state, &kinematics, &mut Kept::default()))
    }

    /// The certificate of a state with its kinematics; what is known of an earlier one helps.
    fn told(model: &Model, state: &State, kinematics: &Kinematics, kept: &mut Kept) -> Self {
        let positions = model.positions(state);
        let nodes = |rod: &RodLayout| &positions[rod.first_node..rod.first_node + rod.nodes];
        let rods = &model.topology.rods;
        // All pairs in one go: they share the lattice and the view.
        let closed: Vec<usize> = (0..rods.len()).filter(|i| rods[*i].closed).collect();
        let curves: Vec<&[DVec3]> = closed.iter().map(|i| nodes(&rods[*i])).collect();
        let told = kept.closed(&curves);
        let numbers = told.numbers.clone();
        let mut of_closed = told.types().collect::<Vec<_>>().into_iter();
        let knot_of = |(number, rod): (usize, &RodLayout)| {
            if rod.closed {
                let told = of_closed.next()?;
                return Some(told.map_or_else(Knot::Unknown, Knot::Certain));
            }
            Some(Knot::agreed(kept.open(number, nodes(rod))))
        };
        let knots: Vec<Knot> = rods.iter().enumerate().filter_map(knot_of).collect();
        let of_rod = |(rod, knot): (&RodLayout, Knot)| {
            let vertices = rod.first_vertex..rod.first_vertex + rod.vertices;
            let twists = vertices.clone();
            let twists = twists.map(|v| twist(model, kinematics, &state.q, v));
            let at_rest = vertices.map(|v| model.twisting[v].rest);
            let [own_writhe, closed_up] = if rod.closed {
                [writhe(nodes(rod), true), f64::NAN]
            } else {
                open_writhe(nodes(rod))
            };
            OfRod {
                closed: rod.closed,
                twist: twists.sum::<f64>() / TAU,
                rest_twist: at_rest.sum::<f64>() / TAU,
                writhe: own_writhe,
                closed_up_writhe: Some(closed_up).filter(|writhe| !writhe.is_nan()),
                knot,
            }
        };
        let links = pairs(&closed).enumerate().map(|(i, rods)| Link {
            rods,
            number: numbers.as_ref().map(|n| n[i]).map_err(|e| *e),
        });
        let joined = model.joined.iter().map(|of| {
            let curves: Vec<&[DVec3]> = of.iter().map(|i| nodes(&rods[*i])).collect();
            Joined {
                rods: of.clone(),
                knot: Knot::agreed(joined_type(&curves)),
            }
        });
        Self {
            joined: joined.collect(),
            links: links.collect(),
            rods: rods.iter().zip(knots).map(of_rod).collect(),
        }
    }

    /// Whether it says something: of a closed rod, of joined ones, or of an open one that is
    /// certainly knotted.
    pub fn is_telling(&self) -> bool {
        let knotted = |rod: &OfRod| matches!(&rod.knot, Knot::Certain(kind) if !kind.is_trivial());
        !self.joined.is_empty() || self.rods.iter().any(|rod| rod.closed || knotted(rod))
    }

    /// What differs from the certificate of an earlier state of the same rods. What is uncertain in
    /// either is not compared.
    pub fn changes_since(&self, earlier: &Self) -> Vec<Change> {
        let rods = earlier.rods.iter().zip(&self.rods).enumerate();
        let of_rods = rods.flat_map(|(rod, (was, is))| {
            // Only what is certain in both is compared.
            let knot = match (&was.knot, &is.knot) {
                (Knot::Certain(from), Knot::Certain(to)) if from != to => Some(Change::Knot {
                    rod,
                    closed: is.closed,
                    from: from.clone(),
                    to: to.clone(),
                }),
                _ => None,
            };
            // Integers to rounding.
            let ribbon = match [was.linking_number(), is.linking_number()] {
                [Some(from), Some(to)] if from.round() != to.round() => Some(Change::Ribbon {
                    rod,
                    from: from.round() as i64,
                    to: to.round() as i64,
                }),
                _ => None,
            };
            [knot, ribbon]
        });
        let links = earlier.links.iter().zip(&self.links);
        let of_links = links.map(|(was, is)| match (was.number, is.number) {
            (Ok(from), Ok(to)) if from != to => Some(Change::Link {
                rods: is.rods,
                from,
                to,
            }),
            _ => None,
        });
        let joined = earlier.joined.iter().zip(&self.joined);
        let of_joined = joined.map(|(was, is)| match (&was.knot, &is.knot) {
            (Knot::Certain(from), Knot::Certain(to)) if from != to => Some(Change::Joined {
                rods: is.rods.clone(),
                from: from.clone(),
                to: to.clone(),
            }),
            _ => None,
        });
        of_rods.chain(of_links).chain(of_joined).flatten().collect()
    }

    /// Whether every type and number is certain.
    pub fn is_certain(&self) -> bool {
        self.rods
            .iter()
            .map(|rod| &rod.knot)
            .chain(self.joined.iter().map(|joined| &joined.knot))
            .all(|knot| matches!(knot, Knot::Certain(_)))
            && self.links.iter().all(|link| link.number.is_ok())
    }

    /// One line a rod and a pair of linked rods, as
    /// `rod 0: 3_1 (determinant 3, signature -2), Tw + Wr = 7`; where a closed rod's rest twist is
    /// not 0, how far Tw + Wr is above it.
    pub fn lines(&self) -> Vec<String> {
        let of_rod = |(i, rod): (usize, &OfRod)| {
            let ribbon = rod.linking_number().map(|n| {
                // Adding zero makes -0 a plain 0.
                let shown = |x: f64| (x * 1e6).round() / 1e6 + 0.0;
                let above = match shown(n - rod.rest_twist) {
                    _ if shown(rod.rest_twist) == 0.0 => String::new(),
                    above => format!(" ({above} above the rest twist)"),
                };
                format!(", Tw + Wr = {}{above}", n.round() + 0.0)
            });
            format!("rod {i}: {}{}", rod.knot, ribbon.unwrap_or_default())
        };
        let of_link = |link: &Link| {
            let [i, j] = link.rods;
            match link.number {
                Ok(0) => None,
                Ok(n) => Some(format!("rods {i} and {j}: linking number {n}")),
                Err(error) => Some(format!("rods {i} and {j}: unknown: {error}")),
            }
        };
        let rods = self.rods.iter().enumerate().map(of_rod);
        let of_joined =
            |joined: &Joined| format!("rods {} joined: {}", list(&joined.rods), joined.knot);
        rods.chain(self.links.iter().filter_map(of_link))
            .chain(self.joined.iter().map(of_joined))
            .collect()
    }

    /// Shows `sink` every number, as columns of a run's table; what is not certain is NaN.
    pub fn visit(&self, sink: &mut dyn ObservableSink) {
        for (i, rod) in self.rods.iter().enumerate() {
            sink.visit(&format_args!("rod{i}_twist"), "1", rod.twist);
            sink.visit(&format_args!("rod{i}_writhe"), "1", rod.writhe);
            // A closed rod always has this column, an open one the other.
            if let Some(number) = rod.linking_number() {
                sink.visit(&format_args!("rod{i}_linking_number"), "1", number);
            } else {
                let number = rod.closed_up_linking().unwrap_or(f64::NAN);
                sink.visit(&format_args!("rod{i}_closed_up_linking"), "1", number);
            }
            rod.knot.visit(&format_args!("rod{i}_knot"), sink);
        }
        for link in &self.links {
            let ([i, j], number) = (link.rods, link.number.map_or(f64::NAN, |n| n as f64));
            sink.visit(&format_args!("rod{i}_rod{j}_linking_number"), "1", number);
        }
        for joined in &self.joined {
            let rods = RodNames(&joined.rods);
            joined.knot.visit(&format_args!("{rods}_joined"), sink);
        }
    }
}

/// Whether the certificate of a state says something (see [`Certificate::is_telling`]), found
/// without writhe, which takes as long as the square of the number of edges.
fn tells(model: &Model, state: &State) -> bool {
    let positions = model.positions(state);
    let rods = &model.topology.rods;
    let knotted = |rod: &RodLayout| {
        let nodes = &positions[rod.first_node..rod.first_node + rod.nodes];
        matches!(Knot::of(nodes, rod.closed), Knot::Certain(kind) if !kind.is_trivial())
    };
    !model.joined.is_empty() || rods.iter().any(|rod| rod.closed) || rods.iter().any(knotted)
}

/// Names of rods in that of a column, as `rod0_rod1`.
struct RodNames<'a>(&'a [usize]);

impl fmt::Display for RodNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, rod) in self.0.iter().enumerate() {
            write!(f, "{}rod{rod}", if k > 0 { "_" } else { "" })?;
        }
        Ok(())
    }
}

/// All pairs, in the order of [`linking_numbers`].
fn pairs(of: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    let first = of.iter().enumerate();
    first.flat_map(|(n, i)| of[n + 1..].iter().map(|j| [*i, *j]))
}

impl OfRod {
    /// Tw + Wr of a closed rod, an integer to rounding.
    pub fn linking_number(&self) -> Option<f64> {
        self.closed.then_some(self.twist + self.writhe)
    }

    /// Twist of an open rod and its writhe closed up along its end tangents; see the module.
    pub fn closed_up_linking(&self) -> Option<f64> {
        self.closed_up_writhe.map(|writhe| self.twist + writhe)
    }
}

/// Numbers of rods in words, such as `0, 1 and 2`.
fn list(rods: &[usize]) -> String {
    let words: Vec<String> = rods.iter().map(usize::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.join(""),
    }
}

impl Knot {
    fn of(points: &[DVec3], closed: bool) -> Self {
        if closed {
            return knot_type(points).map_or_else(Self::Unknown, Self::Certain);
        }
        Self::agreed(open_type(points))
    }

    /// What several closures agree on.
    fn agreed(found: Result<OpenType, KnotError>) -> Self {
        match found {
            Err(error) => Self::Unknown(error),
            Ok(open) => match (open.certain(), open.first_error()) {
                (Some(kind), _) => Self::Certain(kind.clone()),
                // No closure has a type.
                (None, Some(error)) if open.found().is_empty() => Self::Unknown(error),
                (None, _) => Self::Uncertain(open.found()),
            },
        }
    }

    /// Shows `sink` determinant and signature; NaN where they are not certain.
    fn visit(&self, name: &dyn fmt::Display, sink: &mut dyn ObservableSink) {
        let [determinant, signature] = match self {
            Self::Certain(kind) => [kind.determinant() as f64, kind.signature as f64],
            Self::Uncertain(_) | Self::Unknown(_) => [f64::NAN; 2],
        };
        sink.visit(&format_args!("{name}_determinant"), "1", determinant);
        sink.visit(&format_args!("{name}_signature"), "1", signature);
    }
}

impl fmt::Display for Knot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certain(kind) => kind.fmt(f),
            Self::Uncertain(found) => {
                let all = found
                    .iter()
                    .map(|(kind, n)| format!("{kind} in {n} closures"));
                write!(f, "uncertain: {}", all.collect::<Vec<_>>().join(", "))
            }
            Self::Unknown(error) => write!(f, "unknown: {error}"),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Knot {
                rod,
                closed,
                from,
                to,
            } => {
                let how = if *closed {
                    "it passed through itself"
                } else {
                    "it came undone over an end, or passed through itself"
                };
                write!(f, "rod {rod} was {from} and is {to}: {how}")
            }
            Self::Ribbon { rod, from, to } => write!(
                f,
                "Tw + Wr of rod {rod} was {from} and is {to}: it passed through itself, or its twist was lost count of"
            ),
            Self::Joined { rods, from, to } => write!(
                f,
                "rods {} joined were {from} and are {to}: one came undone over an end, or they passed through each other",
                list(rods)
            ),
            Self::Link { rods, from, to } => write!(
                f,
                "rods {} and {} were linked {from} times and are linked {to} times: one passed through the other",
                rods[0], rods[1]
            ),
        }
    }
}
