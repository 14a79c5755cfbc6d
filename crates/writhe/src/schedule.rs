//! Numbers and poses that change in time: amplitudes of loads, motions of clamps.

use std::fmt;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A factor or an angle as a function of time.
#[derive(Clone)]
#[non_exhaustive]
pub enum Schedule {
    /// One value at all times.
    Constant(f64),
    /// `value + rate * t`.
    Rate {
        /// Value at t = 0.
        value: f64,
        /// Per second.
        rate: f64,
    },
    /// Piecewise linear through `(time, value)`, constant outside.
    Table(Vec<(f64, f64)>),
    /// Any function of time, s.
    Custom(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
}

impl Schedule {
    /// Value at `time`, s.
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Rate { value, rate } => value + rate * time,
            Self::Table(rows) => interpolate(rows, time, |a, b, s| a + (b - a) * s).unwrap_or(0.0),
            Self::Custom(f) => f(time),
        }
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "Constant({value})"),
            Self::Rate { value, rate } => write!(f, "Rate {{ value: {value}, rate: {rate} }}"),
            Self::Table(rows) => write!(f, "Table({rows:?})"),
            Self::Custom(_) => write!(f, "Custom(..)"),
        }
    }
}

/// A rigid displacement `x -> rotation x + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Rotation about the origin.
    pub rotation: DQuat,
    /// Translation, m.
    pub translation: DVec3,
}

impl Pose {
    /// No displacement.
    pub const IDENTITY: Self = Self {
        rotation: DQuat::IDENTITY,
        translation: DVec3::ZERO,
    };

    /// Where the point `x`, m, goes.
    pub fn apply(&self, x: DVec3) -> DVec3 {
        self.rotation * x + self.translation
    }

    /// This pose followed by `next`.
    pub fn then(&self, next: &Pose) -> Pose {
        Pose {
            rotation: next.rotation * self.rotation,
            translation: next.apply(self.translation),
        }
    }
}

/// A rigid motion that goes on at one velocity and one spin from where it is: what a controller sets
/// anew again and again, without a leap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Onward {
    /// When it began, s.
    pub since: f64,
    /// Rotation of the pose there.
    pub rotation: DQuat,
    /// Translation of the pose there, m.
    pub translation: DVec3,
    /// The point of the initial configuration that moves at `velocity`, m.
    pub pivot: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// Angular velocity about that point, rad/s.
    pub spin: DVec3,
}

impl Onward {
    /// From the pose `start` at the time `since`, s, at `velocity`, m/s, of `pivot`, m, a point of
    /// the initial configuration, and `spin`, rad/s.
    pub fn new(start: Pose, since: f64, pivot: DVec3, [velocity, spin]: [DVec3; 2]) -> Self {
        Self {
            since,
            rotation: start.rotation,
            translation: start.translation,
            pivot,
            velocity,
            spin,
        }
    }

    /// Pose at `time`, s; before it began too.
    pub fn pose(&self, time: f64) -> Pose {
        let passed = time - self.since;
        let start = Pose {
            rotation: self.rotation,
            translation: self.translation,
        };
        let rotation = DQuat::from_scaled_axis(self.spin * passed) * self.rotation;
        // x -> c + R (x - pivot), c where the pivot is.
        let place = start.apply(self.pivot) + self.velocity * passed;
        Pose {
            rotation,
            translation: place - rotation * self.pivot,
        }
    }
}

/// How a clamp or a held node moves: its pose relative to the initial configuration as a function
/// of time.
#[derive(Clone)]
#[non_exhaustive]
pub enum Motion {
    /// Held in place.
    Still,
    /// Moves with a constant velocity, m/s.
    Velocity(DVec3),
    /// Turns about the axis through `point` along `axis` by an angle (rad) given in time.
    Rotation {
        /// A point of the axis, m.
        point: DVec3,
        /// Direction of the axis; need not be a unit vector.
        axis: DVec3,
        /// Angle, rad.
        angle: Schedule,
    },
    /// Translation along a table of `(time, displacement)`, m; linear between, constant outside.
    Path(Vec<(f64, DVec3)>),
    /// One motion after the other, in order.
    Sequence(Vec<Motion>),
    /// On from a pose.
    Onward(Onward),
    /// Any pose as a function of time, s.
    Custom(Arc<dyn Fn(f64) -> Pose + Send + Sync>),
}

impl Motion {
    /// A turn at a constant rate, rad/s, about the axis through `point`, m.
    pub fn spin(point: DVec3, axis: DVec3, rate: f64) -> Self {
        Self::Rotation {
            point,
            axis,
            angle: Schedule::Rate { value: 0.0, rate },
        }
    }

    /// Pose at `time`, s.
    pub fn pose(&self, time: f64) -> Pose {
        match self {
            Self::Still => Pose::IDENTITY,
            Self::Velocity(v) => Pose {
                translation: *v * time,
                ..Pose::IDENTITY
            },
            Self::Rotation { point, axis, angle } => {
                let rotation = DQuat::from_axis_angle(axis.normalize_or(DVec3::Z), angle.at(time));
                Pose {
                    rotation,
                    // x -> point + R (x - point)
                    translation: *point - rotation * *point,
                }
            }
            Self::Path(rows) => Pose {
                translation: interpolate(rows, time, |a, b, s| a + (b - a) * s)
                    .unwrap_or(DVec3::ZERO),
                ..Pose::IDENTITY
            },
            Self::Sequence(motions) => motions
                .iter()
                .fold(Pose::IDENTITY, |pose, motion| pose.then(&motion.pose(time))),
            Self::Onward(onward) => onward.pose(time),
            Self::Custom(f) => f(time),
        }
    }
}

impl fmt::Debug for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Still => write!(f, "Still"),
            Self::Velocity(v) => write!(f, "Velocity({v})"),
            Self::Rotation { point, axis, angle } => {
                write!(
                    f,
                    "Rotation {{ point: {point}, axis: {axis}, angle: {angle:?} }}"
                )
            }
            Self::Path(rows) => write!(f, "Path({rows:?})"),
            Self::Sequence(motions) => write!(f, "Sequence({motions:?})"),
            Self::Onward(onward) => write!(f, "{onward:?}"),
            Self::Custom(_) => write!(f, "Custom(..)"),
        }
    }
}

/// Linear interpolation in a table sorted by time, constant outside; `None` when it is empty.
fn interpolate<T: Copy>(rows: &[(f64, T)], time: f64, mix: impl Fn(T, T, f64) -> T) -> Option<T> {
    // The rows on both sides of `time`; before the first and after the last, that one.
    let after = rows.partition_point(|(t, _)| *t <= time);
    match (rows.get(after.wrapping_sub(1)), rows.get(after)) {
        (Some((t0, a)), Some((t1, b))) => Some(mix(*a, *b, (time - t0) / (t1 - t0))),
        (Some((_, a)), None) | (None, Some((_, a))) => Some(*a),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_linear_between_and_constant_outside() {
        let s = Schedule::Table(vec![(1.0, 2.0), (3.0, 6.0)]);
        assert_eq!(
            [0.0, 1.0, 2.0, 3.0, 9.0].map(|t| s.at(t)),
            [2.0, 2.0, 4.0, 6.0, 6.0]
        );
    }

    /// It begins with the pose at which the motion before it has come, and its pivot and material go
    /// as fast as they should.
    #[test]
    fn what_goes_on_does_not_leap() {
        let before = Motion::Sequence(vec![
            Motion::spin(DVec3::X, DVec3::new(0.0, 1.0, 2.0), 3.0),
            Motion::Velocity(DVec3::new(0.1, -0.2, 0.3)),
        ]);
        let (pivot, other) = (DVec3::new(0.3, 0.1, -0.2), DVec3::new(-0.4, 0.2, 0.9));
        let (velocity, spin) = (DVec3::new(1.0, 2.0, -1.0), DVec3::new(0.4, -2.0, 0.7));
        let since = 0.37;
        let on = Onward::new(before.pose(since), since, pivot, [velocity, spin]);
        let place = |x: DVec3, t: f64| Motion::Onward(on).pose(t).apply(x);
        for x in [pivot, other] {
            let leap = place(x, since) - before.pose(since).apply(x);
            assert!(leap.length() < 1e-15, "{leap}");
        }
        let (t, small) = (1.1, 1e-5);
        let slope = |x| (place(x, t + small) - place(x, t - small)) / (2.0 * small);
        assert!((slope(pivot) - velocity).length() < 1e-9);
        let wanted = velocity + spin.cross(place(other, t) - place(pivot, t));
        assert!((slope(other) - wanted).length() < 1e-8);
    }

    #[test]
    fn a_spin_leaves_its_axis_in_place() {
        let p = DVec3::new(1.0, 2.0, 3.0);
        let pose = Motion::spin(p, DVec3::Z, 0.7).pose(2.0);
        assert!((pose.apply(p) - p).length() < 1e-15);
        let x = pose.apply(p + DVec3::X) - p;
        assert!((x - DVec3::new(f64::cos(1.4), f64::sin(1.4), 0.0)).length() < 1e-15);
    }
}
