//! What is driven: each support, obstacle and motor follows the scene or a function of time, and
//! may be set to go on anew between steps.

use std::sync::Arc;

use glam::DVec3;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use writhe::bodies::Motor;
use writhe::constraints::{Constraint, DriveError};
use writhe::model::Model;
use writhe::rod::Topology;
use writhe::schedule::{Motion, Onward, Pose, Schedule};

use crate::motion::Function;

/// Kind, rod or body, and edge or node of the rod.
pub type Placed = (&'static str, usize, usize);

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

/// A target and which of its functions it followed: what a state holds.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct WhichFunction {
    pub target: Target,
    /// Place among its functions, from 1.
    pub function: u64,
}

/// Something that a function or a controller drives.
#[derive(Debug)]
pub struct Drive {
    pub target: Target,
    /// What it followed before any function: the scene.
    scene: Law,
    /// All that it ever followed, for states that go back to one.
    functions: Vec<Arc<Function>>,
    /// Which of them it follows unless it is set, from 1; 0 for the scene.
    followed: usize,
    pub set: Option<Set>,
}

/// All of them; what is not among them follows the scene.
#[derive(Debug, Default)]
pub struct Drives(pub Vec<Drive>);

impl Target {
    /// What messages call it.
    pub fn name(self, model: &Model) -> String {
        let support = match self {
            Self::Support(index) => model.constraints.list().get(index),
            Self::Obstacle(index) => return format!("obstacle {index}"),
            Self::Motor(index) => return format!("the motor of joint {index}"),
        };
        let Some((kind, of, place)) = support.map(|support| placed(model, support)) else {
            return "a support that is not there".to_owned();
        };
        match kind {
            "clamp" => format!("the clamp on edge {place} of rod {of}"),
            "held" => format!("the held node {place} of rod {of}"),
            "held_angle" => format!("the held angle of edge {place} of rod {of}"),
            _ => format!("body {of}"),
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
            Self::Motor(index) => match motor(model, index)? {
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
            Self::Motor(index) => matches!(motor(model, index), Some(Motor::Angle(_))),
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
                // Joints are those of the core, or of an engine of its own.
                match model.joints.get_mut(index) {
                    Some(joint) => joint.drive(by),
                    None => model.engine.drive(index, by),
                };
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

impl Drive {
    /// What it follows unless it is set.
    fn law(&self) -> Law {
        match (self.function(), &self.scene) {
            (None, scene) => scene.clone(),
            (Some(function), Law::Motion(_)) => Law::Motion(function.motion()),
            (Some(function), Law::Number(_)) => Law::Number(function.schedule()),
        }
    }

    /// The function that it follows unless it is set.
    fn function(&self) -> Option<&Arc<Function>> {
        let place = self.followed.checked_sub(1)?;
        self.functions.get(place)
    }

    /// Angle by which it turns in a step from `time`, s, of `dt`, s, rad; 0 where turns of any size
    /// are told apart.
    fn turn(&self, py: Python<'_>, model: &Model, [time, dt]: [f64; 2]) -> PyResult<f64> {
        let hinge = matches!(self.target, Target::Motor(_)) && self.target.is_angle(model);
        Ok(match (self.set, self.function(), &self.scene) {
            (Some(Set::Pose(on)), ..) => on.spin.length() * dt,
            (Some(Set::Number { rate, .. }), ..) if hinge => (rate * dt).abs(),
            (None, Some(function), Law::Number(_)) if hinge => {
                (function.number(py, time + dt)? - function.number(py, time)?).abs()
            }
            (None, Some(function), Law::Motion(_)) => {
                // By the middle: a turn by more than half of one is told apart there.
                let [a, b, c] = [0.0, 0.5, 1.0].map(|part| function.pose(py, time + part * dt));
                let (a, b, c) = (a?.rotation, b?.rotation, c?.rotation);
                a.angle_between(b) + b.angle_between(c)
            }
            _ => 0.0,
        })
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
        let drive = self.at(target, now);
        let mut known = drive.functions.iter();
        // A function that was followed before has its place.
        let place = known.position(|known| known.is(&function));
        let place = place.unwrap_or_else(|| {
            drive.functions.push(function);
            drive.functions.len() - 1
        });
        drive.followed = place + 1;
        drive.set = None;
        target.apply(drive.law(), model)
    }

    /// Sets how `target` goes on; back to what it follows without.
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
        let law = set.map_or_else(|| drive.law(), Law::from);
        target.apply(law, model)?;
        drive.set = set;
        Ok(())
    }

    /// Lets all follow what they followed in a state.
    ///
    /// # Errors
    /// Why they cannot.
    pub fn go_back(&mut self, model: &mut Model, followed: &[WhichFunction]) -> Result<(), String> {
        let place = |target: Target| {
            let own = followed.iter().find(|one| one.target == target);
            own.map_or(0, |one| one.function as usize)
        };
        for one in followed {
            let drive = self.0.iter().find(|drive| drive.target == one.target);
            let known = drive.map_or(0, |drive| drive.functions.len());
            if one.function as usize > known {
                let (name, function) = (one.target.name(model), one.function);
                return Err(format!(
                    "{name} follows function {function} of its own there, and {known} are known"
                ));
            }
        }
        for drive in &mut self.0 {
            drive.followed = place(drive.target);
        }
        Ok(())
    }

    /// The drive of `target`, which follows `now` if it is new.
    fn at(&mut self, target: Target, now: Law) -> &mut Drive {
        let place = self.0.iter().position(|drive| drive.target == target);
        let place = place.unwrap_or_else(|| {
            self.0.push(Drive {
                target,
                scene: now,
                functions: Vec::new(),
                followed: 0,
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

    /// Whether anything is driven.
    pub fn is_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Which function each follows that follows one.
    pub fn followed(&self) -> Vec<WhichFunction> {
        let all = self.0.iter().filter(|drive| drive.followed > 0);
        let followed = all.map(|drive| WhichFunction {
            target: drive.target,
            function: drive.followed as u64,
        });
        followed.collect()
    }

    /// What turns farthest in a step from `time`, s, of `dt`, s: it, and by how many rad.
    pub fn farthest_turn(
        &self,
        py: Python<'_>,
        model: &Model,
        step: [f64; 2],
    ) -> PyResult<Option<(Target, f64)>> {
        let mut farthest = None;
        for drive in &self.0 {
            let turn = drive.turn(py, model, step)?;
            if farthest.is_none_or(|(_, most)| turn > most) {
                farthest = Some((drive.target, turn));
            }
        }
        Ok(farthest)
    }

    /// Shows the collector of cycles the functions.
    pub fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let mut functions = self.0.iter().flat_map(|drive| &drive.functions);
        functions.try_for_each(|function| function.visit(visit))
    }

    /// Lets go of the functions.
    pub fn clear(&mut self, model: &mut Model) {
        for drive in self.0.drain(..) {
            let none = match drive.scene {
                Law::Motion(_) => Law::Motion(Motion::Still),
                Law::Number(_) => Law::Number(Schedule::Constant(0.0)),
            };
            // It is there: it was driven.
            let _ = drive.target.apply(none, model);
        }
    }
}

/// What a support is: its kind, rod or body, and edge or node of the rod.
pub fn placed(model: &Model, support: &Constraint) -> Placed {
    let topology = &model.topology;
    let (kind, (first, second)) = match support {
        Constraint::Clamp { edge, .. } => ("clamp", edge_of(topology, *edge)),
        Constraint::Node { node, .. } => ("held", node_of(topology, *node)),
        Constraint::Angle { edge, .. } => ("held_angle", edge_of(topology, *edge)),
        Constraint::Body { body, .. } => ("body", (*body, 0)),
        Constraint::BodyAxes { body, .. } => ("guide", (*body, 0)),
    };
    (kind, first, second)
}

/// What turns the hinge of a joint: one of the core, or of an engine that has joints of its own.
pub fn motor(model: &Model, joint: usize) -> Option<&Motor> {
    match model.joints.get(joint) {
        Some(joint) => Some(joint.axis()?.1),
        None => model.engine.motor(joint),
    }
}

/// Rod of a flat edge, and its place there.
pub fn edge_of(topology: &Topology, edge: usize) -> (usize, usize) {
    let mut rods = topology.rods.iter().enumerate();
    let own = rods.find(|(_, rod)| (rod.first_edge..rod.first_edge + rod.edges).contains(&edge));
    own.map_or((0, 0), |(index, rod)| (index, edge - rod.first_edge))
}

/// Rod of a flat node, and its place there.
pub fn node_of(topology: &Topology, node: usize) -> (usize, usize) {
    let mut rods = topology.rods.iter().enumerate();
    let own = rods.find(|(_, rod)| (rod.first_node..rod.first_node + rod.nodes).contains(&node));
    own.map_or((0, 0), |(index, rod)| (index, node - rod.first_node))
}
