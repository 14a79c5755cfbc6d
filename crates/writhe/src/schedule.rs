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
    /// `mean + amplitude sin(rate t + phase)`.
    Sine {
        /// What it swings about.
        mean: f64,
        /// Largest deviation from the mean.
        amplitude: f64,
        /// `2 pi` over the period, rad/s.
        rate: f64,
        /// Phase at t = 0, rad.
        phase: f64,
    },
    /// From one value to another by `10 s^3 - 15 s^4 + 6 s^5`, which has no first and second
    /// derivative at both ends; constant before and after.
    SmoothStep {
        /// Value before.
        from: f64,
        /// Value after.
        to: f64,
        /// When it begins, s.
        start: f64,
        /// How long it takes, s.
        duration: f64,
    },
    /// Piecewise linear through `(time, value)`, constant outside.
    Table(Vec<(f64, f64)>),
    /// The product of two.
    Product(Box<[Schedule; 2]>),
    /// Any function of time, s.
    Custom(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
}

impl Schedule {
    /// Value at `time`, s.
    pub fn at(&self, time: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Rate { value, rate } => value + rate * time,
            Self::Sine {
                mean,
                amplitude,
                rate,
                phase,
            } => mean + amplitude * (rate * time + phase).sin(),
            Self::SmoothStep {
                from,
                to,
                start,
                duration,
            } => from + (to - from) * smooth((time - start) / duration),
            Self::Product(factors) => factors[0].at(time) * factors[1].at(time),
            Self::Table(rows) => interpolate(rows, time, |a, b, s| a + (b - a) * s).unwrap_or(0.0),
            Self::Custom(f) => f(time),
        }
    }

    /// The time, s, after which it stays as it is: infinite for what changes for ever. Nothing is
    /// known of a function, which counts as a constant.
    pub fn changes_until(&self) -> f64 {
        match self {
            Self::Constant(_) | Self::Custom(_) => 0.0,
            Self::Rate { rate, .. } => endless(*rate != 0.0),
            Self::Sine {
                amplitude, rate, ..
            } => endless(amplitude * rate != 0.0),
            Self::SmoothStep {
                from,
                to,
                start,
                duration,
            } => match from == to {
                true => 0.0,
                false => start + duration,
            },
            Self::Table(rows) => last_change(rows),
            Self::Product(factors) => factors[0].changes_until().max(factors[1].changes_until()),
        }
    }
}

/// 0 before 0, 1 after 1, and between the polynomial that has no first and second derivative at both
/// ends.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
}

/// Until when something changes that does so for ever, or never, s.
pub(crate) fn endless(changes: bool) -> f64 {
    match changes {
        true => f64::INFINITY,
        false => 0.0,
    }
}

/// Time of the last row that differs from the one before it, s; 0 where all are alike.
pub(crate) fn last_change<T: PartialEq>(rows: &[(f64, T)]) -> f64 {
    let changes = rows.windows(2).rev().find(|w| w[0].1 != w[1].1);
    changes.map_or(0.0, |w| w[1].0)
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "Constant({value})"),
            Self::Rate { value, rate } => write!(f, "Rate {{ value: {value}, rate: {rate} }}"),
            Self::Sine {
                mean,
                amplitude,
                rate,
                phase,
            } => write!(
                f,
                "Sine {{ mean: {mean}, amplitude: {amplitude}, rate: {rate}, phase: {phase} }}"
            ),
            Self::SmoothStep {
                from,
                to,
                start,
                duration,
            } => write!(
                f,
                "SmoothStep {{ from: {from}, to: {to}, start: {start}, duration: {duration} }}"
            ),
            Self::Product(factors) => write!(f, "Product({factors:?})"),
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
    /// Translation along a vector, m, by a factor in time.
    Translation {
        /// The displacement that the factor multiplies, m.
        by: DVec3,
        /// The factor.
        amplitude: Schedule,
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
            Self::Translation { by, amplitude } => Pose {
                translation: *by * amplitude.at(time),
                ..Pose::IDENTITY
            },
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

    /// About how far, rad, and about which axis it turns between two times, s; more than half a turn
    /// counts as what it is. Of a function, which may be anything, the smallest turn between its poses.
    pub(crate) fn turn(&self, [from, to]: [f64; 2]) -> DVec3 {
        match self {
            Self::Still | Self::Velocity(_) | Self::Translation { .. } | Self::Path(_) => {
                DVec3::ZERO
            }
            Self::Rotation { axis, angle, .. } => {
                axis.normalize_or(DVec3::Z) * (angle.at(to) - angle.at(from))
            }
            Self::Sequence(motions) => motions.iter().fold(DVec3::ZERO, |turn, motion| {
                motion.pose(to).rotation * turn + motion.turn([from, to])
            }),
            Self::Onward(onward) => onward.spin * (to - from),
            Self::Custom(pose) => {
                let turn = pose(to).rotation * pose(from).rotation.conjugate();
                // Of both quaternions of a turn that of less than half a turn.
                (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
            }
        }
    }

    /// How far something along `direction` has turned about itself by a time, s, rad, one rotation after
    /// the other: its sides come round with each, however the axis is tilted. Of functions nothing is known.
    pub fn turned_about(&self, direction: DVec3, time: f64) -> f64 {
        match self {
            Self::Rotation { axis, angle, .. } => match axis.dot(direction) < 0.0 {
                true => -angle.at(time),
                false => angle.at(time),
            },
            Self::Sequence(motions) => {
                let mut along = direction;
                let turns = motions.iter().map(|motion| {
                    let turned = motion.turned_about(along, time);
                    along = motion.pose(time).rotation * along;
                    turned
                });
                turns.sum()
            }
            Self::Still
            | Self::Velocity(_)
            | Self::Translation { .. }
            | Self::Path(_)
            | Self::Onward(_)
            | Self::Custom(_) => 0.0,
        }
    }

    /// The time, s, after which it stands still: infinite for what moves for ever. Nothing is known
    /// of a function, which counts as one that stands still.
    pub fn changes_until(&self) -> f64 {
        match self {
            Self::Still | Self::Custom(_) => 0.0,
            Self::Velocity(velocity) => endless(*velocity != DVec3::ZERO),
            Self::Rotation { angle, .. } => angle.changes_until(),
            Self::Translation { amplitude, .. } => amplitude.changes_until(),
            Self::Path(rows) => last_change(rows),
            Self::Sequence(motions) => motions.iter().map(Self::changes_until).fold(0.0, f64::max),
            Self::Onward(o) => endless(o.velocity != DVec3::ZERO || o.spin != DVec3::ZERO),
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
            Self::Translation { by, amplitude } => {
                write!(f, "Translation {{ by: {by}, amplitude: {amplitude:?} }}")
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

    /// It begins and ends without speed and acceleration, and is steepest in its middle.
    #[test]
    fn steps_are_smooth() {
        let small = 1e-4;
        assert_eq!(
            [-1.0, 0.0, 0.5, 1.0, 2.0].map(smooth),
            [0.0, 0.0, 0.5, 1.0, 1.0]
        );
        let slope = |s: f64| (smooth(s + small) - smooth(s - small)) / (2.0 * small);
        let curve =
            |s: f64| (smooth(s + small) - 2.0 * smooth(s) + smooth(s - small)) / (small * small);
        for end in [0.0, 1.0] {
            assert!(slope(end).abs() < 1e-6 && curve(end).abs() < 1e-2);
        }
        assert!((slope(0.5) - 1.875).abs() < 1e-6);
    }

    /// What is said of the end of a change is true: there it changes, and after it no more.
    #[test]
    fn changes_end_when_they_are_said_to_end() {
        let step = Schedule::SmoothStep {
            from: 1.0,
            to: 3.0,
            start: 2.0,
            duration: 0.5,
        };
        let table = Schedule::Table(vec![(0.0, 1.0), (1.0, 1.0), (2.0, 4.0), (7.0, 4.0)]);
        let both = Schedule::Product(Box::new([step.clone(), table.clone()]));
        for (schedule, end) in [(&step, 2.5), (&table, 2.0), (&both, 2.5)] {
            assert_eq!(schedule.changes_until(), end);
            assert_ne!(schedule.at(end - 0.1), schedule.at(end));
            assert_eq!(schedule.at(end + 9.0), schedule.at(end));
        }
        let sine = |amplitude| Schedule::Sine {
            mean: 2.0,
            amplitude,
            rate: 3.0,
            phase: 0.1,
        };
        assert_eq!(sine(0.5).changes_until(), f64::INFINITY);
        assert_eq!(sine(0.0).changes_until(), 0.0);
        let path = Motion::Path(vec![(0.0, DVec3::ZERO), (3.0, DVec3::X), (4.0, DVec3::X)]);
        let lift = Motion::Translation {
            by: DVec3::Z,
            amplitude: step,
        };
        assert_eq!(lift.pose(9.0).translation, 3.0 * DVec3::Z);
        let both = |last| Motion::Sequence(vec![path.clone(), lift.clone(), last]);
        assert_eq!(both(Motion::Still).changes_until(), 3.0);
        let onward = both(Motion::Velocity(DVec3::X));
        assert_eq!(onward.changes_until(), f64::INFINITY);
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
