//! Where a copy stands: a rotation and a translation of the rod as it is described.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use writhe::schedule::Pose;

use crate::expression::RodCopy;
use crate::random::Random;
use crate::spec::centreline::{nodes, vector};
use crate::spec::{RandomPlace, RandomTurn, RepeatTable, RodSpec};
use crate::units::Length;

/// Streams of random numbers that are not those of expressions.
const STREAMS: u64 = 1 << 32;

/// Numbers of each kind that a place asks for, so that other tries have others.
const TRIES: u64 = 8;

/// Where a copy is put at its first, second, .. `attempt`. First it is turned about its own middle, then around the ring, then displaced.
pub(super) fn of_copy(repeat: &RepeatTable, copy: &RodCopy, rod: &RodSpec, attempt: u64) -> Pose {
    let streams = STREAMS + TRIES * attempt;
    let mut place = Pose::IDENTITY;
    let mut shift = DVec3::ZERO;
    if let Some(random) = &repeat.random {
        place = about(middle(rod), turn(random, copy, streams));
        let part =
            |axis: u64| Random::of_copy(copy.seed, copy.number as u64, streams + axis).part();
        let parts = DVec3::new(part(0), part(1), part(2)) - DVec3::splat(0.5);
        shift += vector(&random.size) * parts;
    }
    let number = copy.number as f64;
    if let Some(ring) = &repeat.ring {
        let full = TAU / copy.count as f64;
        let angle = number * ring.angle.map_or(full, |angle| angle.si());
        let axis = vector(&ring.axis).normalize_or(DVec3::Z);
        let around = about(vector(&ring.center), DQuat::from_axis_angle(axis, angle));
        place = place.then(&around);
    }
    if let Some(step) = &repeat.step {
        shift += vector(step) * number;
    }
    if let Some(spacing) = &repeat.spacing {
        let along = |k: usize| {
            let distance = spacing.get(k).copied().map_or(0.0, Length::si);
            distance * copy.index[k] as f64
        };
        shift += DVec3::new(along(0), along(1), along(2));
    }
    place.translation += shift;
    place
}

/// A rotation about a point.
fn about(point: DVec3, rotation: DQuat) -> Pose {
    Pose {
        rotation,
        translation: if rotation == DQuat::IDENTITY {
            DVec3::ZERO
        } else {
            point - rotation * point
        },
    }
}

/// Mean of the nodes of a rod, m.
fn middle(rod: &RodSpec) -> DVec3 {
    let nodes = nodes(&rod.shape, [false; 2]);
    nodes.iter().sum::<DVec3>() / nodes.len().max(1) as f64
}

fn turn(random: &RandomPlace, copy: &RodCopy, streams: u64) -> DQuat {
    let mut numbers = Random::of_copy(copy.seed, copy.number as u64, streams + 3);
    match &random.turn {
        None => DQuat::IDENTITY,
        Some(RandomTurn::About(axis)) => {
            let axis = vector(axis).normalize_or(DVec3::Z);
            DQuat::from_axis_angle(axis, TAU * numbers.part())
        }
        // Uniform over all rotations (Shoemake 1992).
        Some(RandomTurn::Any) => {
            let [u, a, b] = [0; 3].map(|_| numbers.part());
            let (near, far) = ((1.0 - u).sqrt(), u.sqrt());
            let ((sin_a, cos_a), (sin_b, cos_b)) = ((TAU * a).sin_cos(), (TAU * b).sin_cos());
            DQuat::from_xyzw(near * sin_a, near * cos_a, far * sin_b, far * cos_b).normalize()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a turned axis every direction is alike probable: means are 0 and squares 1/3, within four
    /// standard errors.
    #[test]
    fn any_turn_prefers_no_direction() {
        let random = RandomPlace {
            size: Default::default(),
            turn: Some(RandomTurn::Any),
        };
        let count = 20_000;
        let turned = |number| {
            let copy = RodCopy {
                number,
                index: [number, 0, 0],
                count,
                seed: 5,
            };
            turn(&random, &copy, STREAMS) * DVec3::Z
        };
        let all: Vec<DVec3> = (0..count).map(turned).collect();
        let n = count as f64;
        let mean = all.iter().sum::<DVec3>() / n;
        let square = all.iter().map(|d| *d * *d).sum::<DVec3>() / n;
        let error = (1.0 / 3.0 / n).sqrt();
        assert!(mean.abs().max_element() < 4.0 * error, "{mean}");
        // The variance of a squared component is 1/5 - 1/9.
        let error = (4.0 / 45.0 / n).sqrt();
        let off = (square - DVec3::splat(1.0 / 3.0)).abs().max_element();
        assert!(off < 4.0 * error, "{square}");
    }
}
