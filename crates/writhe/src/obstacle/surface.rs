//! Where an obstacle is during a step, and how its surface moves.

use glam::{DMat3, DQuat, DVec3};

use crate::obstacle::Obstacle;
use crate::schedule::Pose;

/// The instants of a step and the rule by which it takes velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instants {
    /// Start of the step, s.
    pub start: f64,
    /// Where forces balance, s.
    pub stage: f64,
    /// End of the step, s.
    pub end: f64,
    /// Derivative of velocities by positions, 1/s.
    pub rate: f64,
    /// Times from the start of the step to its stage, and from there to its end, s: what contacts
    /// remember moves on by these.
    pub span: [f64; 2],
}

impl Instants {
    /// An instant at which nothing moves: for configurations without a step.
    pub fn still(time: f64) -> Self {
        Self {
            start: time,
            stage: time,
            end: time,
            rate: 0.0,
            span: [0.0; 2],
        }
    }

    /// A backward Euler step that ended at `time`, s.
    pub fn ending(time: f64, dt: f64) -> Self {
        Self {
            start: time - dt,
            stage: time,
            end: time,
            rate: 1.0 / dt,
            span: [dt, 0.0],
        }
    }
}

/// Pose of an obstacle and the velocity of its material, `x -> slope x + drift`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Pose of its own frame in the world.
    pub pose: Pose,
    /// 1/s.
    pub slope: DMat3,
    /// m/s.
    pub drift: DVec3,
}

/// Interval over which a velocity is taken where the scheme's rule spans more than this step, in
/// steps.
const INSTANT: f64 = 1e-4;

impl Frame {
    /// The frame of an obstacle at the stage of a step. A one-step rule takes the velocity of a
    /// node from its displacement over the step; the surface's is taken likewise, so that what
    /// sticks to it does not slip, whatever happens within the step. Other schemes see the velocity
    /// at the stage.
    pub(crate) fn at_stage(obstacle: &Obstacle, at: &Instants) -> Self {
        let span = at.stage - at.start;
        // rate = 1/span: the rule is a difference over the step.
        let one_step = (at.rate * span - 1.0).abs() < 1e-6;
        let interval = if one_step { span } else { INSTANT * span };
        let pose = obstacle.pose(at.stage);
        let (mut slope, mut drift) = (DMat3::ZERO, DVec3::ZERO);
        if interval > 0.0 {
            let before = obstacle.pose(at.stage - interval);
            let back = before.rotation * pose.rotation.inverse();
            // (x - where it was an interval before)/interval, x being anywhere on it
            slope = (DMat3::IDENTITY - DMat3::from_quat(back)) * (1.0 / interval);
            drift = (back * pose.translation - before.translation) / interval;
        }
        Self { pose, slope, drift }
    }

    /// Somewhere at rest.
    pub(crate) fn still(pose: Pose) -> Self {
        Self {
            pose,
            slope: DMat3::ZERO,
            drift: DVec3::ZERO,
        }
    }

    /// Velocity of its material at `x`, m/s.
    pub(crate) fn velocity(&self, x: DVec3) -> DVec3 {
        self.slope * x + self.drift
    }

    /// A point of the world in its own frame.
    pub(crate) fn local(&self, x: DVec3) -> DVec3 {
        local(&self.pose, x)
    }

    /// Its rotation.
    pub(crate) fn rotation(&self) -> DQuat {
        self.pose.rotation
    }
}

/// A point of the world in the frame of a pose.
pub(crate) fn local(pose: &Pose, x: DVec3) -> DVec3 {
    pose.rotation.inverse() * (x - pose.translation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Motion;

    #[test]
    fn material_moves_by_the_rule_of_the_scheme() {
        let motion = Motion::Sequence(vec![
            Motion::spin(DVec3::X, DVec3::new(0.0, 1.0, 2.0), 3.0),
            Motion::Velocity(DVec3::new(0.1, -0.2, 0.3)),
        ]);
        let obstacle = Obstacle::sphere(DVec3::new(1.0, 2.0, 0.0), 0.3).moving(motion);
        let (dt, time) = (0.01, 0.7);
        let place = |t: f64| obstacle.pose(t).apply(DVec3::new(0.3, 0.1, -0.2));
        let frame = Frame::at_stage(&obstacle, &Instants::ending(time, dt));
        let secant = (place(time) - place(time - dt)) / dt;
        assert!((frame.velocity(place(time)) - secant).length() < 1e-12);
        let two_step = Instants {
            rate: 1.5 / dt,
            ..Instants::ending(time, dt)
        };
        let frame = Frame::at_stage(&obstacle, &two_step);
        let tangent = (place(time + 1e-5) - place(time - 1e-5)) / 2e-5;
        assert!((frame.velocity(place(time)) - tangent).length() < 1e-5);
        let frame = Frame::at_stage(&obstacle, &Instants::still(time));
        assert_eq!(frame.velocity(place(time)), DVec3::ZERO);
    }
}
