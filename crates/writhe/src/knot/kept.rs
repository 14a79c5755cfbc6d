//! Types and linking numbers of curves that hardly moved since they were told.
//!
//! Let nodes have moved straight between two looks. Where no part of a curve can have met another on
//! that way (`separation.rs`), it is an isotopy, and what was told holds: to see that takes a fifth of
//! what it takes to tell it anew. All else is told anew: each closure of an open curve by itself,
//! closed curves, which may be linked, together.
//!
//! What could not be told is tried again. So a curve may keep a type that could not be told from its
//! later shape alone: only if that has no clear diagram, or one of more than 60 crossings.

use glam::DVec3;

use super::closure::{Closure, OpenType, ways};
use super::error::KnotError;
use super::kind::{KnotType, knot_type};
use super::lattice::Lattice;
use super::linking::linking_numbers;
use super::separation::{self, Moved};
use super::ways::closed_types;

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
    /// Type of each.
    pub types: Vec<Result<KnotType, KnotError>>,
    /// Linking numbers of all pairs, as of [`linking_numbers`].
    pub numbers: Result<Vec<i64>, KnotError>,
}

#[derive(Debug, Clone)]
struct OpenCurve {
    points: Vec<DVec3>,
    closures: Vec<Closed>,
}

/// A closure with its way and the type that it gives.
#[derive(Debug, Clone)]
struct Closed {
    closure: Closure,
    way: Vec<DVec3>,
    told: Result<KnotType, KnotError>,
}

impl Kept {
    /// Types of closed polygons, and their linking numbers.
    pub(crate) fn closed(&mut self, curves: &[&[DVec3]]) -> &ClosedCurves {
        let told = match self.closed.take() {
            Some(mut before) if before.holds(curves) => {
                for (kept, now) in before.curves.iter_mut().zip(curves) {
                    kept.copy_from_slice(now);
                }
                before
            }
            _ => {
                self.count(curves.len());
                ClosedCurves {
                    curves: curves.iter().map(|points| points.to_vec()).collect(),
                    types: curves.iter().map(|points| knot_type(points)).collect(),
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
        let mut kept = match &before {
            Some(before) => before.kept(points, &ways),
            None => vec![None; ways.len()],
        };
        let anew: Vec<usize> = (0..ways.len()).filter(|k| kept[*k].is_none()).collect();
        self.count(anew.len());
        let wanted: Vec<&[DVec3]> = anew.iter().map(|k| &ways[*k].1[..]).collect();
        if !wanted.is_empty() {
            for (k, told) in anew.iter().zip(closed_types(points, &wanted)) {
                kept[*k] = Some(told);
            }
        }
        let closures = ways.into_iter().zip(kept.into_iter().flatten());
        let closures: Vec<Closed> = closures
            .map(|((closure, way), told)| Closed { closure, way, told })
            .collect();
        let types = closures.iter().map(|c| (c.closure, c.told.clone()));
        let told = OpenType {
            closures: types.collect(),
        };
        self.open[number] = Some(OpenCurve {
            points: points.to_vec(),
            closures,
        });
        Ok(told)
    }

    #[cfg(test)]
    fn count(&mut self, anew: usize) {
        self.told += anew;
    }

    #[cfg(not(test))]
    fn count(&self, _: usize) {}
}

impl ClosedCurves {
    /// Whether these curves were told, and went from there without passing through each other.
    fn holds(&self, curves: &[&[DVec3]]) -> bool {
        let same = self.curves.iter().zip(curves);
        let told = self.numbers.is_ok() && self.types.iter().all(Result::is_ok);
        if !told
            || self.curves.len() != curves.len()
            || same.clone().any(|(before, now)| before.len() != now.len())
        {
            return false;
        }
        let moved: Vec<Moved> = same.map(|(before, now)| Moved { now, before }).collect();
        let lattice = Lattice::around(curves.iter().copied().flatten());
        lattice.is_some_and(|lattice| separation::check(&moved, lattice.displacement()).is_ok())
    }
}

impl OpenCurve {
    /// What each of the closures now still gives, where it went from its earlier way without passing
    /// through the curve.
    fn kept(
        &self,
        points: &[DVec3],
        ways: &[(Closure, Vec<DVec3>)],
    ) -> Vec<Option<Result<KnotType, KnotError>>> {
        let mut kept = vec![None; ways.len()];
        let all = ways.iter().flat_map(|(_, way)| way).chain(points);
        let Some(lattice) = Lattice::around(all).filter(|_| points.len() == self.points.len())
        else {
            return kept;
        };
        let of = |(k, (closure, way)): (usize, &(Closure, Vec<DVec3>))| {
            let before = self
                .closures
                .iter()
                .find(|before| before.closure == *closure)?;
            (before.told.is_ok() && before.way.len() == way.len()).then_some((k, before))
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
        let apart = separation::check_ways(curve, &moved, lattice.displacement());
        for ((k, before), apart) in same.iter().zip(apart) {
            kept[*k] = apart.is_ok().then(|| before.told.clone());
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::kernels::testing::Random;
    use crate::knot::closure::open_type;

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
                assert_eq!(told.types, curves.map(knot_type), "{by}");
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
            !kept.closed(&[&knotted]).types[0]
                .as_ref()
                .unwrap()
                .is_trivial()
        );
        let told = kept.told;
        // A motion that keeps the knot, then one that turns an upper strand into a lower one.
        let higher: Vec<DVec3> = knotted.iter().map(|x| *x + 3.0 * DVec3::Z).collect();
        kept.closed(&[&higher]);
        assert_eq!(kept.told, told, "a translation passes through nothing");
        let flat: Vec<DVec3> = (higher.iter().enumerate())
            .map(|(i, x)| if i < 10 { *x - 2.2 * DVec3::Z } else { *x })
            .collect();
        let now = kept.closed(&[&flat]).types[0].clone();
        assert_eq!(now, knot_type(&flat));
        assert!(kept.told > told);
    }
}
