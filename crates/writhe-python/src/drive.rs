//! What is driven: each support, obstacle and motor follows the scene or a function of time, and
//! may be set to go on anew between steps.

use std::sync::Arc;

use glam::DVec3;
use pyo3::gc::{PyTraverseError, PyVisit};
use serde::{Deserialize, Serialize};
use writhe::bodies::Motor;
use writhe::constraints::{Constraint, DriveError};
use writhe::model::Model;
use writhe::schedule::{Motion, Onward, Pose, Schedule};

use crate::motion::Function;

/// What can be driven, by its index in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    Support(usize),
    Obstacle(usize),
    /// A joint with a motor.
    Motor(usize),
}

/// What it follows.
#[derive(Debug, Clone)]
pub enum Law {
    Motion(Motion),
    /// Of an angle or a torque.
    Number(Schedule),
}

/// How it was set to go on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Set {
    Pose(Onward),
    /// `value + rate t`, rad or N m.
    Number {
        value: f64,
        rate: f64,
    },
}

/// A target and how it was set: what a state holds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Setting {
    pub target: Target,
    pub set: Set,
}

/// Something that a function or a controller drives.
#[derive(Debug)]
pub struct Drive {
    pub target: Target,
    /// What it follows unless it is set.
    law: Law,
    pub function: Option<Arc<Function>>,
    pub set: Option<Set>,
}

/// All of them; what is not among them follows the scene.
#[derive(Debug, Default)]
pub struct Drives(pub Vec<Drive>);

impl Target {
    /// What messages call it.
    pub fn name(self) -> String {
        match self {
            Self::Support(index) => format!("support {index}"),
            Self::Obstacle(index) => format!("obstacle {index}"),
            Self::Motor(index) => format!("the motor of joint {index}"),
        }
    }

    /// What it follows in the model; `None` where nothing can drive it.
    pub fn law(self, model: &Model) -> Option<Law> {
        match self {
            Self::Support(index) => {
                let support = model.constraints.list().get(index)?;
                let motion = support.motion().map(|motion| Law::Motion(motion.clone()));
                motion.or_else(|| Some(Law::Number(support.angle()?.clone())))
            }
            Self::Obstacle(index) => {
                let obstacle = model.obstacles.get(index)?;
                let own = obstacle.on.is_none();
                own.then(|| Law::Motion(obstacle.motion.clone()))
            }
            Self::Motor(index) => match model.joints.get(index)?.axis()?.1 {
                Motor::Torque(number) | Motor::Angle(number) => Some(Law::Number(number.clone())),
                Motor::Free => None,
            },
        }
    }

    /// The point of the initial configuration that moves as is said, m.
    pub fn pivot(self, model: &Model) -> DVec3 {
        match self {
            Self::Support(index) => {
                let pivot = model.constraints.pivot(index, &model.topology);
                pivot.unwrap_or(DVec3::ZERO)
            }
            Self::Obstacle(index) => model.obstacles[index].placement.translation,
            Self::Motor(_) => DVec3::ZERO,
        }
    }

    /// Whether its number is an angle, which must not leap, and not a torque.
    pub fn is_angle(self, model: &Model) -> bool {
        match self {
            Self::Support(index) => matches!(
                model.constraints.list().get(index),
                Some(Constraint::Angle { .. })
            ),
            Self::Obstacle(_) => false,
            Self::Motor(index) => {
                let axis = model.joints.get(index).and_then(|joint| joint.axis());
                matches!(axis, Some((_, Motor::Angle(_))))
            }
        }
    }

    /// Lets it follow a law in the model.
    fn apply(self, law: Law, model: &mut Model) -> Result<(), DriveError> {
        match (self, law) {
            (Self::Support(index), Law::Motion(by)) => model.constraints.drive(index, by),
            (Self::Support(index), Law::Number(by)) => model.constraints.drive_angle(index, by),
            (Self::Obstacle(index), Law::Motion(by)) => {
                model.obstacles[index].motion = by;
                Ok(())
            }
            (Self::Motor(index), Law::Number(by)) => {
                model.joints[index].drive(by);
                Ok(())
            }
            (Self::Obstacle(_), Law::Number(_)) | (Self::Motor(_), Law::Motion(_)) => Ok(()),
        }
    }
}

impl Law {
    /// The pose at `time`, s; of a number that of nothing that has moved.
    pub fn pose(&self, time: f64) -> Pose {
        match self {
            Self::Motion(motion) => motion.pose(time),
            Self::Number(_) => Pose::IDENTITY,
        }
    }

    /// The number at `time`, s.
    pub fn number(&self, time: f64) -> f64 {
        match self {
            Self::Motion(_) => 0.0,
            Self::Number(number) => number.at(time),
        }
    }
}

impl From<Set> for Law {
    fn from(set: Set) -> Self {
        match set {
            Set::Pose(onward) => Self::Motion(Motion::Onward(onward)),
            Set::Number { value, rate } => Self::Number(Schedule::Rate { value, rate }),
        }
    }
}

impl Drives {
    /// Lets `target` follow a function from now on.
    pub fn follow(
        &mut self,
        target: Target,
        function: Arc<Function>,
        model: &mut Model,
    ) -> Result<(), DriveError> {
        let Some(now) = target.law(model) else {
            return Ok(());
        };
        let law = match &now {
            Law::Motion(_) => Law::Motion(function.motion()),
            Law::Number(_) => Law::Number(function.schedule()),
        };
        target.apply(law.clone(), model)?;
        let drive = self.at(target, now);
        drive.law = law;
        drive.function = Some(function);
        drive.set = None;
        Ok(())
    }

    /// Sets how `target` goes on; back to its law without.
    pub fn set(
        &mut self,
        target: Target,
        set: Option<Set>,
        model: &mut Model,
    ) -> Result<(), DriveError> {
        let Some(now) = target.law(model) else {
            return Ok(());
        };
        let drive = self.at(target, now);
        let law = set.map_or_else(|| drive.law.clone(), Law::from);
        target.apply(law, model)?;
        drive.set = set;
        Ok(())
    }

    /// The drive of `target`, which follows `now` if it is new.
    fn at(&mut self, target: Target, now: Law) -> &mut Drive {
        let place = self.0.iter().position(|drive| drive.target == target);
        let place = place.unwrap_or_else(|| {
            self.0.push(Drive {
                target,
                law: now,
                function: None,
                set: None,
            });
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    /// How each goes on that was set.
    pub fn settings(&self) -> Vec<Setting> {
        let setting = |drive: &Drive| {
            let (target, set) = (drive.target, drive.set?);
            Some(Setting { target, set })
        };
        self.0.iter().filter_map(setting).collect()
    }

    /// Shows the collector of cycles the functions.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let mut functions = self.0.iter().filter_map(|drive| drive.function.as_ref());
        functions.try_for_each(|function| function.visit(visit))
    }

    /// Lets go of the functions.
    pub fn clear(&mut self, model: &mut Model) {
        for drive in self.0.drain(..) {
            let none = match drive.law {
                Law::Motion(_) => Law::Motion(Motion::Still),
                Law::Number(_) => Law::Number(Schedule::Constant(0.0)),
            };
            // It is there: it was driven.
            let _ = drive.target.apply(none, model);
        }
    }
}
