//! What of a simulation can be set between steps, beside what is driven: point loads and gravity;
//! and all of it as part of a state.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use writhe::loads::{PointForce, PointLoad, PointMoment};
use writhe::model::Model;
use writhe::schedule::Schedule;
use writhe::simulation::Simulation;
use writhe::state::SCHEMA;
use writhe::state::arrays::{Arrays, ArraysError};

use crate::drive::{Drives, Followed, Law, Set, Setting, Target};

/// Root of the names under which a state holds what was set.
const NAME: &str = "controls";

/// What is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A node, flat, with a force along the frame of an edge if one is given.
    Node(usize, Option<usize>),
    /// An edge, flat, with a moment along its frame, or along the axes of the scene.
    Edge(usize, bool),
}

/// A force or a moment that is set, or can be.
#[derive(Debug, Clone)]
pub struct Point {
    pub place: Place,
    /// What it was set to, N or N m.
    value: Option<DVec3>,
    /// What it is unless it is set, of those of the scene; others are nothing then.
    scene: Option<PointLoad>,
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
    followed: Vec<Followed>,
    points: Vec<Option<DVec3>>,
    gravity: Option<DVec3>,
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
        let set = |point: &Point| point.scene.is_none() || point.value.is_some();
        self.drives.is_any() || self.points.iter().any(set) || self.gravity.is_some()
    }

    /// Adds a load of nothing; returns its number.
    pub fn add(&mut self, place: Place, model: &mut Model) -> usize {
        let index = model.loads.len();
        let load = Point {
            place,
            value: None,
            scene: None,
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
            self.set_point(point, value, model);
        }
        self.set_gravity(saved.gravity, model);
        core.set_forces_before(saved.forces_before);
        Ok(())
    }
}

impl Point {
    /// N or N m at `time`, s.
    pub fn now(&self, time: f64) -> DVec3 {
        self.value.unwrap_or_else(|| match &self.scene {
            None => DVec3::ZERO,
            Some(PointLoad::Force(given)) => given.force * given.amplitude.at(time),
            Some(PointLoad::Moment(given)) => given.moment * given.amplitude.at(time),
        })
    }

    /// Whether it is one of the scene.
    pub fn is_of_scene(&self) -> bool {
        self.scene.is_some()
    }

    fn load(&self) -> Box<dyn writhe::loads::Load> {
        match (self.value, &self.scene) {
            (None, Some(PointLoad::Force(given))) => return Box::new(given.clone()),
            (None, Some(PointLoad::Moment(given))) => return Box::new(given.clone()),
            _ => {}
        }
        let amplitude = Schedule::Constant(1.0);
        let value = self.value.unwrap_or(DVec3::ZERO);
        match self.place {
            Place::Node(node, follows) => Box::new(PointForce {
                node,
                force: value,
                amplitude,
                follows,
            }),
            Place::Edge(edge, follows) => Box::new(PointMoment {
                edge,
                moment: value,
                amplitude,
                follows,
            }),
        }
    }
}
