//! What of a simulation can be set between steps, beside what is driven: point loads and gravity;
//! and all of it as part of a state.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use writhe::loads::{PointForce, PointMoment};
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

/// A force or a moment that is set.
#[derive(Debug, Clone, Copy)]
pub struct PointLoad {
    pub place: Place,
    /// N or N m.
    pub value: DVec3,
    /// Where it stands among the loads of the model.
    index: usize,
}

/// All that can be set.
#[derive(Debug, Default)]
pub struct Controls {
    pub drives: Drives,
    pub points: Vec<PointLoad>,
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
    points: Vec<DVec3>,
    gravity: Option<DVec3>,
    /// Forces before any of it was set since the last step, `(dofs)`.
    forces_before: Option<Vec<f64>>,
}

impl Controls {
    /// Nothing is set; gravity is that of the scene, m/s^2.
    pub fn new(scene_gravity: DVec3) -> Self {
        Self {
            scene_gravity,
            ..Self::default()
        }
    }

    /// Whether a run differs from that of the scene.
    pub fn is_any(&self) -> bool {
        self.drives.is_any() || !self.points.is_empty() || self.gravity.is_some()
    }

    /// Adds a load of nothing; returns its number.
    pub fn add(&mut self, place: Place, model: &mut Model) -> usize {
        let index = model.loads.len();
        let load = PointLoad {
            place,
            value: DVec3::ZERO,
            index,
        };
        model.loads.push(load.load());
        self.points.push(load);
        self.points.len() - 1
    }

    /// Sets a load.
    pub fn set_point(&mut self, point: usize, value: DVec3, model: &mut Model) {
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
            let value = saved.points.get(point).copied().unwrap_or(DVec3::ZERO);
            self.set_point(point, value, model);
        }
        self.set_gravity(saved.gravity, model);
        core.set_forces_before(saved.forces_before);
        Ok(())
    }
}

impl PointLoad {
    fn load(&self) -> Box<dyn writhe::loads::Load> {
        let amplitude = Schedule::Constant(1.0);
        match self.place {
            Place::Node(node, follows) => Box::new(PointForce {
                node,
                force: self.value,
                amplitude,
                follows,
            }),
            Place::Edge(edge, follows) => Box::new(PointMoment {
                edge,
                moment: self.value,
                amplitude,
                follows,
            }),
        }
    }
}
