//! What of a simulation can be set between steps, beside what is driven: point loads and gravity;
//! and all of it as part of a state.

use std::sync::Arc;

use glam::DVec3;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use writhe::loads::{Load, PointLoad};
use writhe::model::Model;
use writhe::simulation::Simulation;
use writhe::state::SCHEMA;
use writhe::state::arrays::{Arrays, ArraysError};

use crate::drive::{Drives, Law, Set, Setting, Target, WhichFunction};
use crate::motion::Function;
use crate::points::{Followed, Place};

/// Root of the names under which a state holds what was set.
const NAME: &str = "controls";

/// A force or a moment that is set, or can be.
#[derive(Debug, Clone)]
pub struct Point {
    pub place: Place,
    /// What it was set to, N or N m.
    value: Option<DVec3>,
    /// What it is unless it is set, of those of the scene; others are nothing then.
    scene: Option<PointLoad>,
    /// All that ever said it, for states that go back to one.
    functions: Vec<Arc<Function>>,
    /// Which of them says it unless it is set, from 1; 0 for none.
    followed: usize,
    /// Where it stands among the loads of the model.
    index: usize,
}

/// All that can be set.
#[derive(Debug, Default)]
pub struct Controls {
    pub drives: Drives,
    /// Those of the scene, then those that were added.
    pub points: Vec<Point>,
    /// m/s^2; that of the scene if it was never set.
    pub gravity: Option<DVec3>,
    /// That of the scene, m/s^2.
    scene_gravity: DVec3,
}

/// What a state holds of it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Saved {
    drives: Vec<Setting>,
    followed: Vec<WhichFunction>,
    points: Vec<Option<DVec3>>,
    gravity: Option<DVec3>,
    /// Which of its functions each point load follows, from 1.
    point_functions: Vec<u64>,
    /// Forces before any of it was set since the last step, `(dofs)`.
    forces_before: Option<Vec<f64>>,
}

impl Controls {
    /// Nothing is set in the model of a scene, whose gravity is this, m/s^2.
    pub fn new(scene_gravity: DVec3, model: &Model) -> Self {
        let loads = model.loads.iter().enumerate();
        let points = loads.filter_map(|(index, load)| {
            let scene = load.at_point()?;
            let place = match &scene {
                PointLoad::Force(force) => Place::Node(force.node, force.follows),
                PointLoad::Moment(moment) => Place::Edge(moment.edge, moment.follows),
            };
            Some(Point {
                place,
                value: None,
                scene: Some(scene),
                functions: Vec::new(),
                followed: 0,
                index,
            })
        });
        Self {
            scene_gravity,
            points: points.collect(),
            ..Self::default()
        }
    }

    /// Whether a run differs from that of the scene.
    pub fn is_any(&self) -> bool {
        let set =
            |point: &Point| point.scene.is_none() || point.value.is_some() || point.followed > 0;
        self.drives.is_any() || self.points.iter().any(set) || self.gravity.is_some()
    }

    /// Adds a load of nothing; returns its number.
    pub fn add(&mut self, place: Place, model: &mut Model) -> usize {
        let index = model.loads.len();
        let load = Point {
            place,
            value: None,
            scene: None,
            functions: Vec::new(),
            followed: 0,
            index,
        };
        model.loads.push(load.load());
        self.points.push(load);
        self.points.len() - 1
    }

    /// Sets a load; to what it is by itself without a value.
    pub fn set_point(&mut self, point: usize, value: Option<DVec3>, model: &mut Model) {
        let Some(load) = self.points.get_mut(point) else {
            return;
        };
        load.value = value;
        if let Some(place) = model.loads.get_mut(load.index) {
            *place = load.load();
        }
    }

    /// Lets a function of time say a load from now on.
    pub fn follow_point(&mut self, point: usize, function: Arc<Function>, model: &mut Model) {
        let Some(load) = self.points.get_mut(point) else {
            return;
        };
        let mut known = load.functions.iter();
        let place = known.position(|known| known.is(&function));
        let place = place.unwrap_or_else(|| {
            load.functions.push(function);
            load.functions.len() - 1
        });
        load.followed = place + 1;
        self.set_point(point, None, model);
    }

    /// Sets gravity, m/s^2; to that of the scene without.
    pub fn set_gravity(&mut self, gravity: Option<DVec3>, model: &mut Model) {
        if gravity.is_some() || self.gravity.is_some() {
            model.set_gravity(gravity.unwrap_or(self.scene_gravity));
        }
        self.gravity = gravity;
    }

    /// Gravity, m/s^2.
    pub fn gravity(&self) -> DVec3 {
        self.gravity.unwrap_or(self.scene_gravity)
    }

    /// Adds what was set to a state, if anything was.
    ///
    /// # Errors
    /// None of today's parts can fail.
    pub fn save(&self, arrays: &mut Arrays, core: &Simulation) -> Result<(), ArraysError> {
        if !self.is_any() {
            return Ok(());
        }
        let saved = Saved {
            drives: self.drives.settings(),
            followed: self.drives.followed(),
            points: self.points.iter().map(|point| point.value).collect(),
            gravity: self.gravity,
            point_functions: self.points.iter().map(|p| p.followed as u64).collect(),
            forces_before: core.forces_before().map(<[f64]>::to_vec),
        };
        arrays.add(NAME, &saved)
    }

    /// Sets what a state holds, and nothing else: what was not set in it follows its function or the
    /// scene.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn restore(&mut self, arrays: &Arrays, core: &mut Simulation) -> Result<(), String> {
        let model = &mut core.model;
        let all = arrays.list().iter();
        let mut names = all.map(|array| array.name());
        let saved: Saved = if names.any(|name| name.starts_with(NAME)) {
            let read = arrays.read(NAME, &SCHEMA);
            read.map_err(|error| format!("what was set cannot be read: {error}"))?
        } else {
            Saved::default()
        };
        if saved.points.len() > self.points.len() {
            let (found, own) = (saved.points.len(), self.points.len());
            return Err(format!(
                "it has {found} point loads, and this simulation {own}"
            ));
        }
        for (index, followed) in saved.point_functions.iter().enumerate() {
            let known = (self.points.get(index)).map_or(0, |point| point.functions.len());
            if *followed as usize > known {
                return Err(format!(
                    "point load {index} follows function {followed} of its own there, and {known} are known"
                ));
            }
        }
        for Setting { target, set } in &saved.drives {
            let fits = matches!(
                (target.law(model), set),
                (Some(Law::Motion(_)), Set::Pose(_)) | (Some(Law::Number(_)), Set::Number { .. })
            );
            if !fits {
                let name = target.name(model);
                return Err(format!("it sets what {name} does not follow"));
            }
        }
        self.drives.go_back(model, &saved.followed)?;
        let driven: Vec<Target> = self.drives.0.iter().map(|drive| drive.target).collect();
        let others = driven.into_iter().map(|target| (target, None));
        let set = saved
            .drives
            .iter()
            .map(|setting| (setting.target, Some(setting.set)));
        for (target, set) in others.chain(set) {
            let done = self.drives.set(target, set, model);
            done.map_err(|error| error.to_string())?;
        }
        for point in 0..self.points.len() {
            let value = saved.points.get(point).copied().flatten();
            let followed = saved.point_functions.get(point);
            self.points[point].followed = followed.map_or(0, |place| *place as usize);
            self.set_point(point, value, model);
        }
        self.set_gravity(saved.gravity, model);
        core.set_forces_before(saved.forces_before);
        Ok(())
    }
}

impl Point {
    /// N or N m at `time`, s.
    pub fn now(&self, py: Python<'_>, time: f64) -> PyResult<DVec3> {
        Ok(match (self.value, self.function(), &self.scene) {
            (Some(value), ..) => value,
            (None, Some(function), _) => function.vector(py, time)?,
            (None, None, None) => DVec3::ZERO,
            (None, None, Some(PointLoad::Force(given))) => given.force * given.amplitude.at(time),
            (None, None, Some(PointLoad::Moment(given))) => given.moment * given.amplitude.at(time),
        })
    }

    /// Whether it is one of the scene.
    pub fn is_of_scene(&self) -> bool {
        self.scene.is_some()
    }

    /// The functions that it holds.
    pub fn functions(&self) -> impl Iterator<Item = &Arc<Function>> {
        self.functions.iter()
    }

    fn function(&self) -> Option<&Arc<Function>> {
        let place = self.followed.checked_sub(1)?;
        self.functions.get(place)
    }

    fn load(&self) -> Box<dyn Load> {
        match (self.value, self.function(), &self.scene) {
            (Some(value), ..) => self.place.load(value),
            (None, Some(function), _) => Box::new(Followed::new(self.place, Arc::clone(function))),
            (None, None, None) => self.place.load(DVec3::ZERO),
            (None, None, Some(PointLoad::Force(given))) => Box::new(given.clone()),
            (None, None, Some(PointLoad::Moment(given))) => Box::new(given.clone()),
        }
    }
}
