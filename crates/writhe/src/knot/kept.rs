//! Types and linking numbers of curves that hardly moved since they were told.
//!
//! Let nodes have moved straight between two looks. Where no part of a curve can have met another on
//! that way (`separation.rs`), it is an isotopy, and what was told holds: to see that takes a fifth of
//! what it takes to tell it anew. All else is told anew: each closure of an open curve by itself,
//! closed curves, which may be linked, together; open curves that are joined always.
//!
//! A certificate must be that of the state alone, or a run that is resumed would differ from one that
//! was not. So only what would surely be told anew is kept: of curves whose parts are far apart beside
//! the lattice's width and whose diagram had few crossings, until they have gone some part of their own
//! size.

use glam::DVec3;

use super::closure::{Closure, OpenType, ways};
use super::error::KnotError;
use super::kind::{KnotType, Told, tell};
use super::lattice::Lattice;
use super::linking::linking_numbers;
use super::separation::{self, Moved};
use super::ways::closed_types;

/// Crossings of diagrams up to which a type is kept; it could be told of three times as many.
const CROSSINGS: usize = 20;
/// Distance of parts over what the lattice moves nodes by, from which on a type is kept.
const APART: f64 = 1e3;
/// Way over the size of a curve after which it is told anew.
const WAY: f64 = 0.1;

/// What was told of curves, with where they were.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    closed: Option<ClosedCurves>,
    open: Vec<Option<OpenCurve>>,
    /// How many curves and closures were told anew.
    #[cfg(test)]
    told: usize,
}

/// All closed curves, with what was told of them.
#[derive(Debug, Clone)]
pub(crate) struct ClosedCurves {
    curves: Vec<Vec<DVec3>>,
    /// Way that nodes went at most since they were told, m.
    went: f64,
    types: Vec<Result<Told, KnotError>>,
    /// Linking numbers of all pairs, as of [`linking_numbers`].
    pub numbers: Result<Vec<i64>, KnotError>,
}

#[derive(Debug, Clone)]
struct OpenCurve {
    points: Vec<DVec3>,
    /// Way that nodes went at most since it was told, m.
    went: f64,
    closures: Vec<Closed>,
}

/// A closure with its way and the type that it gives.
#[derive(Debug, Clone)]
struct Closed {
    closure: Closure,
    way: Vec<DVec3>,
    told: Result<Told, KnotError>,
}

impl Kept {
    /// Types of closed polygons, and their linking numbers.
    pub(crate) fn closed(&mut self, curves: &[&[DVec3]]) -> &ClosedCurves {
        let told = match self.closed.take() {
            Some(before) if before.holds(curves) => ClosedCurves {
                went: before.went_to(curves),
                curves: curves.iter().map(|points| points.to_vec()).collect(),
                ..before
            },
            _ => {
                #[cfg(test)]
                (self.told += curves.len());
                ClosedCurves {
                    went: 0.0,
                    curves: curves.iter().map(|points| points.to_vec()).collect(),
                    types: curves.iter().map(|points| tell(points)).collect(),
                    numbers: linking_numbers(curves),
                }
            }
        };
        self.closed.insert(told)
    }

    /// Types of the open polygon of a number by several closures.
    ///
    /// # Errors
    /// As [`open_type`](super::closure::open_type).
    pub(crate) fn open(&mut self, number: usize, points: &[DVec3]) -> Result<OpenType, KnotError> {
        if self.open.len() <= number {
            self.open.resize_with(number + 1, || None);
        }
        let before = self.open[number].take();
        let ways = ways(points)?;
        let (mut kept, went) = match &before {
            Some(before) => before.kept(points, &ways),
            None => (vec![None; ways.len()], 0.0),
        };
        if kept.contains(&None) {
            #[cfg(test)]
            (self.told += kept.iter().filter(|told| told.is_none()).count());
            let all: Vec<&[DVec3]> = ways.iter().map(|(_, way)| &way[..]).collect();
            let told = closed_types(points, &all, |k| kept[k].is_none());
            for (kept, told) in kept.iter_mut().zip(told) {
                *kept = kept.take().or(told);
            }
        }
        let closures = ways.into_iter().zip(kept.into_iter().flatten());
        let closures: Vec<Closed> = closures
            .map(|((closure, way), told)| Closed { closure, way, told })
            .collect();
        let kind = |told: &Result<Told, KnotError>| told.clone().map(|told| told.kind);
        let types = closures.iter().map(|c| (c.closure, kind(&c.told)));
        let told = OpenType {
            closures: types.collect(),
        };
        self.open[number] = Some(OpenCurve {
            points: points.to_vec(),
            went,
            closures,
        });
        Ok(told)
    }
}

impl ClosedCurves {
    /// Type of each.
    pub(crate) fn types(&self) -> impl Iterator<Item = Result<KnotType, KnotError>> {
        let types = self.types.iter();
        types.map(|told| told.clone().map(|told| told.kind))
    }

    /// Whether these curves were told, and went from there without passing through each other.
    fn holds(&self, curves: &[&[DVec3]]) -> bool {
        let same = self.curves.iter().zip(curves);
        if self.numbers.is_err()
            || !self.types.iter().all(is_plain)
            || self.curves.len() != curves.len()
            || same.clone().any(|(before, now)| before.len() != now.len())
        {
            return false;
        }
        let smallest = curves.iter().map(|points| size(points));
        if self.went_to(curves) > WAY * smallest.fold(f64::INFINITY, f64::min) {
            return false;
        }
        let moved: Vec<Moved> = same.map(|(before, now)| Moved { now, before }).collect();
        let lattice = Lattice::around(curves.iter().copied().flatten());
        lattice.is_some_and(|lattice| {
            separation::check(&moved, APART * lattice.displacement()).is_ok()
        })
    }

    /// Way that nodes went at most since the curves were told, m.
    fn went_to(&self, curves: &[&[DVec3]]) -> f64 {
        let each = self.curves.iter().zip(curves);
        let motions = each.map(|(before, now)| motion(before, now));
        self.went + motions.fold(0.0, f64::max)
    }
}

impl OpenCurve {
    /// What each of the closures now still gives, where it went from its earlier way without passing
    /// through the curve; and how far nodes went since the curve was told, m.
    fn kept(
        &self,
        points: &[DVec3],
        ways: &[(Closure, Vec<DVec3>)],
    ) -> (Vec<Option<Result<Told, KnotError>>>, f64) {
        let mut kept = vec![None; ways.len()];
        let went = self.went + motion(&self.points, points);
        let all = ways.iter().flat_map(|(_, way)| way).chain(points);
        let near = points.len() == self.points.len() && went <= WAY * size(points);
        let Some(lattice) = Lattice::around(all).filter(|_| near) else {
            return (kept, 0.0);
        };
        let of = |(k, (closure, way)): (usize, &(Closure, Vec<DVec3>))| {
            let before = self
                .closures
                .iter()
                .find(|before| before.closure == *closure)?;
            let same = is_plain(&before.told) && before.way.len() == way.len();
            same.then_some((k, before))
        };
        let same: Vec<(usize, &Closed)> = ways.iter().enumerate().filter_map(of).collect();
        let moved: Vec<Moved> = (same.iter())
            .map(|(k, before)| Moved {
                now: &ways[*k].1,
                before: &before.way,
            })
            .collect();
        let curve = Moved {
            now: points,
            before: &self.points,
        };
        let apart = separation::check_ways(curve, &moved, APART * lattice.displacement());
        for ((k, before), apart) in same.iter().zip(apart) {
            kept[*k] = apart.is_ok().then(|| before.told.clone());
        }
        (kept, went)
    }
}

/// Whether a type was told of a diagram with few crossings.
fn is_plain(told: &Result<Told, KnotError>) -> bool {
    told.as_ref().is_ok_and(|told| told.crossings <= CROSSINGS)
}

/// Way of the node that went farthest, m.
fn motion(before: &[DVec3], now: &[DVec3]) -> f64 {
    let each = before.iter().zip(now);
    each.map(|(before, now)| before.distance_squared(*now))
        .fold(0.0, f64::max)
        .sqrt()
}

/// Distance of the node that is farthest from the first, m.
fn size(points: &[DVec3]) -> f64 {
    let from = points.first().copied().unwrap_or_default();
    let squares = points.iter().map(|x| x.distance_squared(from));
    squares.fold(0.0, f64::max).sqrt()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::kernels::testing::Random;
    use crate::knot::closure::open_type;
    use crate::knot::knot_type;

    fn trefoil(nodes: usize) -> Vec<DVec3> {
        let node = |i: usize| {
            let s = TAU * i as f64 / nodes as f64;
            let r = 2.0 + (3.0 * s).cos();
            DVec3::new(r * (2.0 * s).cos(), r * (2.0 * s).sin(), (3.0 * s).sin())
        };
        (0..nodes).map(node).collect()
    }

    /// Nodes that go to and fro, with all in one direction.
    fn wander(random: &mut Random, points: &mut [DVec3], by: f64) {
        let all = 10.0 * by * random.vector();
        for x in points {
            *x += by * random.vector() + all;
        }
    }

    /// Motions from far less than the curve is apart to far more: what is kept is what is told anew.
    #[test]
    fn what_is_kept_is_what_is_told_anew() {
        let mut random = Random(8);
        let (mut changed, mut all, mut anew) = (0, 0, 0);
        for by in [1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3] {
            let mut kept = Kept::default();
            let mut open: Vec<DVec3> = trefoil(60)[..50].to_vec();
            let mut closed = [trefoil(60), trefoil(40)];
            closed[1].iter_mut().for_each(|x| *x += DVec3::X);
            let mut before = None;
            for _ in 0..30 {
                wander(&mut random, &mut open, by);
                let told = open_type(&open);
                assert_eq!(kept.open(0, &open), told, "{by}");
                changed += usize::from(before.replace(told.clone()) != Some(told));
                for curve in &mut closed {
                    wander(&mut random, curve, by);
                }
                let curves = [&closed[0][..], &closed[1]];
                let told = kept.closed(&curves);
                let types: Vec<_> = told.types().collect();
                assert_eq!(types, curves.map(knot_type), "{by}");
                assert_eq!(told.numbers, linking_numbers(&curves), "{by}");
                all += 2 + 13;
            }
            anew += kept.told;
        }
        // Both happen often.
        assert!(
            changed > 30 && anew > all / 5 && anew < 4 * all / 5,
            "{changed}, {anew} of {all}"
        );
    }

    /// A strand that passed through another between two looks.
    #[test]
    fn what_passed_through_is_told_anew() {
        let mut kept = Kept::default();
        let knotted = trefoil(60);
        assert!(
            kept.closed(&[&knotted])
                .types()
                .all(|kind| !kind.unwrap().is_trivial())
        );
        let told = kept.told;
        // A motion that passes through nothing, then one that turns an upper strand into a lower one.
        let higher: Vec<DVec3> = knotted.iter().map(|x| *x + 0.3 * DVec3::Z).collect();
        kept.closed(&[&higher]);
        assert_eq!(kept.told, told, "a translation passes through nothing");
        let flat: Vec<DVec3> = (higher.iter().enumerate())
            .map(|(i, x)| if i < 10 { *x - 2.2 * DVec3::Z } else { *x })
            .collect();
        let now: Vec<_> = kept.closed(&[&flat]).types().collect();
        assert_eq!(now, [knot_type(&flat)]);
        assert!(kept.told > told);
    }

    /// Of a state alone it might not be told again.
    #[test]
    fn what_has_many_crossings_or_went_far_is_told_anew() {
        let torus: Vec<DVec3> = (0..700)
            .map(|i| {
                let s = TAU * f64::from(i) / 700.0;
                let r = 2.0 + 0.5 * (23.0 * s).cos();
                let (sin, cos) = (2.0 * s).sin_cos();
                DVec3::new(r * cos, r * sin, 0.5 * (23.0 * s).sin())
            })
            .collect();
        let mut kept = Kept::default();
        for k in 0..3 {
            let moved: Vec<DVec3> = torus
                .iter()
                .map(|x| *x + 1e-3 * f64::from(k) * DVec3::X)
                .collect();
            let kinds: Vec<_> = kept.closed(&[&moved]).types().collect();
            assert_eq!(kinds[0].as_ref().unwrap().determinant(), 23);
            assert_eq!(kept.told, 1 + k as usize);
        }
        let (knotted, mut kept) = (trefoil(60), Kept::default());
        for k in 0..40 {
            let moved: Vec<DVec3> = knotted
                .iter()
                .map(|x| *x + 0.1 * f64::from(k) * DVec3::X)
                .collect();
            kept.closed(&[&moved]);
        }
        // The curve is six wide.
        assert!((5..12).contains(&kept.told), "{}", kept.told);
    }
}
