//! Closing open curves, which have no type of their own.
//!
//! From both ends the curve goes on straight to a sphere around it, three times as large, and there
//! along a great circle from one end to the other. Outside the curve's own ball all such ways are
//! alike; what matters is where the straight parts run. An end that lies well outside the knot, as
//! those of a rod that is pulled, gives the same knot for every reasonable direction; an end inside
//! may give another for each. So a type is *certain* only if several directions agree: along the
//! end tangents, along the line through both ends, away from the middle, and tangents turned by 45
//! degrees to four sides.
//!
//! Several open curves that are tied together have a type when their ends are joined in turn: the
//! last end of each with the first of the next, the last end of the last with the first of the
//! first, each pair by a way of its own. Which ends those are is a choice: a square knot is
//! 3_1#m3_1 when ends on the same side of the knot join, and a link of two rings when each rod
//! joins its own.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use glam::DVec3;

use super::ball::Ball;
use super::error::KnotError;
use super::kind::{KnotType, knot_type};
use super::ways::closed_types;

/// Radius of the sphere over that of the curve's ball.
const SPHERE: f64 = 3.0;
/// Largest angle between two points of the way along the sphere, whose chords then stay outside the
/// curve's ball, rad.
const ARC: f64 = FRAC_PI_4;
/// Angle by which tangents are turned, rad.
const TILT: f64 = FRAC_PI_4;
/// Angle of the first side from a normal of the tangent, rad: none that would let the ends of a
/// symmetric curve meet.
const SIDE: f64 = 0.3;
/// Distance of the spheres on which several ways lie, over the radius of the first: more than
/// chords cut off.
const LAYER: f64 = 0.15;

/// Directions for both ends together.
const DIRECTIONS: usize = 12;
/// Cosine of the angle, 107 degrees, beyond which an end is turned back.
const BACK: f64 = -0.3;

/// How an open curve goes on from its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Closure {
    /// Along its end tangents.
    Tangents,
    /// Along the line through both ends, away from each other: as it is pulled.
    Axis,
    /// Away from the mean of its nodes.
    Outwards,
    /// Along its end tangents, turned by 45 degrees to one of four sides.
    Tilted(u8),
    /// Straight parts in one direction from both ends.
    Parallel(DVec3),
}

/// Closures of `points` that must agree.
fn closures(points: &[DVec3], mean: DVec3) -> Vec<Closure> {
    let tangents = directions(points, mean, Closure::Tangents);
    let tilted = (0..4).map(Closure::Tilted);
    let parallel = (0..DIRECTIONS)
        .map(|i| direction(i, DIRECTIONS))
        // No end is turned back by more than 107 degrees.
        .filter(|u| tangents.iter().all(|t| t.dot(*u) > BACK))
        .map(Closure::Parallel);
    [Closure::Tangents, Closure::Axis, Closure::Outwards]
        .into_iter()
        .chain(tilted)
        .chain(parallel)
        .collect()
}

/// Types of an open curve by several closures.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenType {
    /// What each closure gives.
    pub closures: Vec<(Closure, Result<KnotType, KnotError>)>,
}

impl OpenType {
    /// The type that all closures agree on.
    pub fn certain(&self) -> Option<&KnotType> {
        let (_, first) = self.closures.first()?;
        let agree = self.closures.iter().all(|(_, kind)| kind == first);
        first.as_ref().ok().filter(|_| agree)
    }

    /// What went wrong first, if a closure has no type.
    pub(crate) fn first_error(&self) -> Option<KnotError> {
        let errors = self
            .closures
            .iter()
            .filter_map(|(_, kind)| kind.as_ref().err());
        errors.copied().next()
    }

    /// The different types found, the most frequent first.
    pub fn found(&self) -> Vec<(KnotType, usize)> {
        count(self.closures.iter().flat_map(|(_, kind)| kind).cloned())
    }
}

/// Types of an open polygon by several closures.
///
/// # Errors
/// [`KnotError::TooFewNodes`] or [`KnotError::NoExtent`]; what goes wrong with one closure is told
/// in its place.
pub fn open_type(points: &[DVec3]) -> Result<OpenType, KnotError> {
    let (closures, ways): (Vec<_>, Vec<_>) = ways(points)?.into_iter().unzip();
    let ways: Vec<&[DVec3]> = ways.iter().map(Vec::as_slice).collect();
    let types = closed_types(points, &ways, |_| true).into_iter().flatten();
    let types = types.map(|told| told.map(|told| told.kind));
    Ok(OpenType {
        closures: closures.into_iter().zip(types).collect(),
    })
}

/// The closures that must agree, each with its way from the last node to the first.
///
/// # Errors
/// [`KnotError::TooFewNodes`] or [`KnotError::NoExtent`].
pub(super) fn ways(points: &[DVec3]) -> Result<Vec<(Closure, Vec<DVec3>)>, KnotError> {
    let around = ball_around(&[points])?;
    let mean = mean(points);
    let closures = closures(points, mean).into_iter();
    let with_way = closures.map(|closure| (closure, way(points, &around, mean, closure)));
    Ok(with_way.collect())
}

/// Types of an open polygon whose ends both go on in one direction, for `directions` directions
/// spread evenly over the sphere, and how often each is found, the most frequent first (as
/// proteins' knots are told; Sulkowska et al. 2012).
///
/// # Errors
/// See [`KnotError`].
pub fn directional_types(
    points: &[DVec3],
    directions: usize,
) -> Result<Vec<(KnotType, usize)>, KnotError> {
    let types = (0..directions).map(|i| {
        let direction = direction(i, directions);
        knot_type(&close(points, Closure::Parallel(direction))?)
    });
    Ok(count(types.collect::<Result<Vec<_>, _>>()?.into_iter()))
}

/// One of `count` directions spread evenly: a spiral of equal areas with the golden angle.
fn direction(i: usize, count: usize) -> DVec3 {
    let z = 1.0 - (2 * i + 1) as f64 / count as f64;
    let angle = i as f64 * PI * (3.0 - 5.0_f64.sqrt());
    let (sin, cos) = angle.sin_cos();
    let across = (1.0 - z * z).sqrt();
    DVec3::new(across * cos, across * sin, z)
}

fn count(types: impl Iterator<Item = KnotType>) -> Vec<(KnotType, usize)> {
    let mut counts: Vec<(KnotType, usize)> = Vec::new();
    for kind in types {
        match counts.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, n)) => *n += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.sort_by(|(_, a), (_, b)| b.cmp(a));
    counts
}

/// Types of the closed curve that several open polygons make when the last end of each is joined to
/// the first of the next, in turn.
///
/// From each end the way goes straight to a sphere around all of them and there along a great
/// circle, each pair of ends on a sphere of its own. Along the end tangents, away from the middle,
/// and halfway between; and each with the spheres in both orders, so that ways that would pass over
/// or under each other are not taken for certain.
///
/// # Errors
/// [`KnotError::TooFewNodes`] or [`KnotError::NoExtent`]; what goes wrong with one closure is told
/// in its place.
pub(crate) fn joined_type(curves: &[&[DVec3]]) -> Result<OpenType, KnotError> {
    let around = ball_around(curves)?;
    let all = curves.iter().copied().flatten();
    let mean = all.clone().sum::<DVec3>() / all.count() as f64;
    let mut closures = Vec::new();
    for (closure, tangents, outwards) in [
        (Closure::Tangents, 1.0, 0.0),
        (Closure::Outwards, 0.0, 1.0),
        (Closure::Tilted(0), 1.0, 1.0),
    ] {
        let towards = |end: DVec3, before: DVec3| {
            let [along, away] = [end - before, end - mean].map(DVec3::normalize_or_zero);
            (along * tangents + away * outwards)
                .try_normalize()
                .or_else(|| along.try_normalize())
                .unwrap_or(DVec3::X)
        };
        // Ways on spheres within each other, once in either order: it must not matter.
        for outer_last in [true, false] {
            let mut closed = Vec::new();
            for (k, curve) in curves.iter().enumerate() {
                let next = curves[(k + 1) % curves.len()];
                let layer = if outer_last { k } else { curves.len() - 1 - k };
                let sphere = SPHERE * around.radius * (1.0 + LAYER * layer as f64);
                let last = curve.len() - 1;
                let exit = |end: DVec3, before: DVec3| {
                    reach(end - around.center, towards(end, before), sphere)
                };
                let [start, end] = [exit(curve[last], curve[last - 1]), exit(next[0], next[1])];
                closed.extend_from_slice(curve);
                closed.extend(arc(start, end).map(|x| around.center + x));
            }
            closures.push((closure, knot_type(&closed)));
        }
    }
    Ok(OpenType { closures })
}

/// The closed polygon of an open one.
///
/// # Errors
/// [`KnotError::TooFewNodes`] or [`KnotError::NoExtent`].
pub fn close(points: &[DVec3], closure: Closure) -> Result<Vec<DVec3>, KnotError> {
    let around = ball_around(&[points])?;
    let way = way(points, &around, mean(points), closure);
    Ok([points, &way].concat())
}

/// From the last node to the first, over a sphere around the ball `around`.
fn way(points: &[DVec3], around: &Ball, mean: DVec3, closure: Closure) -> Vec<DVec3> {
    let center = around.center;
    let sphere = SPHERE * around.radius;
    let [first, last] = directions(points, mean, closure);
    let start = reach(points[0] - center, first, sphere);
    let end = reach(points[points.len() - 1] - center, last, sphere);
    arc(end, start).map(|x| center + x).collect()
}

fn mean(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / points.len() as f64
}

/// The ball around curves.
fn ball_around(curves: &[&[DVec3]]) -> Result<Ball, KnotError> {
    let nodes = curves.iter().map(|points| points.len()).min().unwrap_or(0);
    if nodes < 2 {
        return Err(KnotError::TooFewNodes { nodes });
    }
    let all = || curves.iter().copied().flatten().copied();
    let ball = Ball::around(all()).filter(|ball| ball.radius.is_normal());
    // A coordinate that is none is passed over by minimum and maximum.
    ball.filter(|_| all().all(DVec3::is_finite))
        .ok_or(KnotError::NoExtent)
}

/// Unit vectors in which the curve goes on from its first and from its last node.
fn directions(points: &[DVec3], mean: DVec3, closure: Closure) -> [DVec3; 2] {
    let last = points.len() - 1;
    let tangents = [points[0] - points[1], points[last] - points[last - 1]];
    let wanted = match closure {
        Closure::Tangents => tangents,
        Closure::Axis => [points[0] - points[last], points[last] - points[0]],
        Closure::Outwards => [points[0] - mean, points[last] - mean],
        Closure::Tilted(side) => tangents.map(|t| {
            let t = t.try_normalize().unwrap_or(DVec3::X);
            let (sin, cos) = (SIDE + FRAC_PI_2 * f64::from(side)).sin_cos();
            let u = t.any_orthonormal_vector();
            t * TILT.cos() + (u * cos + t.cross(u) * sin) * TILT.sin()
        }),
        Closure::Parallel(direction) => [direction; 2],
    };
    // Without a direction (ends in one place) the tangent serves.
    [0, 1].map(|end| {
        let direction = wanted[end].try_normalize();
        direction
            .or_else(|| tangents[end].try_normalize())
            .unwrap_or(DVec3::X)
    })
}

/// Where a ray from inside leaves the sphere around the origin.
fn reach(from: DVec3, direction: DVec3, sphere: f64) -> DVec3 {
    // |from + s direction| = sphere: s^2 + 2 s along - rest = 0
    let along = from.dot(direction);
    let rest = sphere * sphere - from.length_squared();
    from + direction * ((rest + along * along).sqrt() - along)
}

/// Points from one point of the sphere to another on a great circle, both included.
fn arc(from: DVec3, to: DVec3) -> impl Iterator<Item = DVec3> {
    let radius = from.length();
    let u = from / radius;
    let aside = to - u * to.dot(u);
    // Of opposite points, any circle.
    let v = if aside.length() > 1e-6 * radius {
        aside.normalize()
    } else {
        u.any_orthonormal_vector()
    };
    let angle = aside.length().atan2(to.dot(u));
    // Short chords, for a long one would cut through the curve's ball.
    let steps = (angle / ARC).ceil().max(1.0);
    let inner = (1..steps as usize).map(move |i| {
        let (sin, cos) = (angle * i as f64 / steps).sin_cos();
        (u * cos + v * sin) * radius
    });
    std::iter::once(from)
        .chain(inner)
        .chain(std::iter::once(to))
}
