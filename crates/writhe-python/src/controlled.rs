//! Setting what is driven, loaded and how things fall, from Python.

use glam::{DMat3, DVec3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use writhe::bodies::Motor;
use writhe::model::Model;
use writhe::schedule::Onward;
use writhe::simulation::Simulation as Core;

use crate::drive::{Law, Placed, Set, Target, edge_of, motor, node_of, placed};
use crate::errors::{scene_error, simulation_error};
use crate::motion::Function;
use crate::points::Place;
use crate::simulation::{Simulation, Work};

/// Turn within no time, rad, above which a motion leaps.
const LARGEST_TURN: f64 = 0.1;

/// Displacement and rotation.
type Shown<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

#[pymethods]
impl Simulation {
    /// What each support is and where, in the order of the model: "clamp", "held", "held_angle",
    /// "body" or "guide".
    #[getter]
    fn supports(&self, py: Python<'_>) -> PyResult<Vec<Placed>> {
        let work = self.lock(py)?;
        let model = &work.core.model;
        let list = model.constraints.list().iter();
        Ok(list.map(|support| placed(model, support)).collect())
    }

    /// Number of obstacles that stand or are driven; those on bodies are not among them.
    #[getter]
    fn obstacles(&self, py: Python<'_>) -> PyResult<usize> {
        let work = self.lock(py)?;
        let own = work.core.model.obstacles.iter();
        Ok(own.filter(|obstacle| obstacle.on.is_none()).count())
    }

    /// Joints with a motor, and whether it follows an angle; others follow a torque.
    #[getter]
    fn motors(&self, py: Python<'_>) -> PyResult<Vec<(usize, bool)>> {
        let work = self.lock(py)?;
        let model = &work.core.model;
        let joints = 0..model.joints.len().max(model.engine.joints());
        let motor = |index: usize| match motor(model, index)? {
            Motor::Free => None,
            Motor::Torque(_) => Some((index, false)),
            Motor::Angle(_) => Some((index, true)),
        };
        Ok(joints.filter_map(motor).collect())
    }

    /// Lets a function of time say a motion, an angle or a torque; `from_here` refuses one that would
    /// leap now.
    fn follow(
        &self,
        py: Python<'_>,
        kind: &str,
        index: usize,
        function: Py<PyAny>,
        from_here: bool,
    ) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let (target, law) = target(py, &work.core.model, kind, index)?;
        let Work { core, controls, .. } = &mut *work;
        let (model, time) = (&mut core.model, core.state.time);
        let pivot = target.pivot(model);
        let name = self
            .scene
            .get()
            .runnable
            .names(model)
            .tell(&target.name(model));
        let function = Function::new(function, name.clone(), pivot, self.signals.clone());
        let leap = match &law {
            _ if !from_here => None,
            Law::Motion(motion) => {
                let (before, after) = (motion.pose(time), function.pose(py, time)?);
                let way = (after.apply(pivot) - before.apply(pivot)).length();
                let turn = after.rotation.angle_between(before.rotation);
                (way > model.length_scale())
                    .then(|| format!("by {way:.3e} m"))
                    .or_else(|| (turn > LARGEST_TURN).then(|| format!("by {turn:.3} rad")))
            }
            Law::Number(number) => {
                let turn = (function.number(py, time)? - number.at(time)).abs();
                let leaps = target.is_angle(model) && turn > LARGEST_TURN;
                leaps.then(|| format!("by {turn:.3} rad"))
            }
        };
        if let Some(leap) = leap {
            let message = format!("the function would let {name} leap {leap} at t = {time} s");
            let remedy = "let it begin where that is now: `displacement` and `rotation`, or `angle`, say where";
            return Err(scene_error(
                py,
                &message,
                Some("function"),
                Some(remedy),
                None,
            ));
        }
        let drives = &mut controls.drives;
        let torque = matches!(law, Law::Number(_)) && !target.is_angle(model);
        let done = match torque && from_here {
            true => self.set_loads(py, core, |model| drives.follow(target, function, model))?,
            false => drives.follow(target, function, model),
        };
        done.map_err(|error| scene_error(py, &error.to_string(), None, None, None))
    }

    /// Lets a motion go on from where it is at a velocity, m/s, and a spin, rad/s.
    fn go_on(
        &self,
        py: Python<'_>,
        kind: &str,
        index: usize,
        velocity: [f64; 3],
        spin: [f64; 3],
    ) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let (target, law) = target(py, &work.core.model, kind, index)?;
        let Work { core, controls, .. } = &mut *work;
        let (model, time) = (&mut core.model, core.state.time);
        let rates = [velocity, spin].map(DVec3::from_array);
        let on = Onward::new(law.pose(time), time, target.pivot(model), rates);
        self.signals.take().map_or(Ok(()), Err)?;
        let done = controls.drives.set(target, Some(Set::Pose(on)), model);
        done.map_err(|error| scene_error(py, &error.to_string(), None, None, None))
    }

    /// Lets an angle go on from where it is at a rate, rad/s, or a torque, N m, be `value`.
    fn set_number(
        &self,
        py: Python<'_>,
        kind: &str,
        index: usize,
        value: Option<f64>,
        rate: f64,
    ) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let (target, law) = target(py, &work.core.model, kind, index)?;
        let Work { core, controls, .. } = &mut *work;
        let time = core.state.time;
        let now = value.unwrap_or_else(|| law.number(time));
        self.signals.take().map_or(Ok(()), Err)?;
        let set = Set::Number {
            value: now - rate * time,
            rate,
        };
        let done = match target.is_angle(&core.model) {
            true => controls.drives.set(target, Some(set), &mut core.model),
            false => {
                let drives = &mut controls.drives;
                self.set_loads(py, core, |model| drives.set(target, Some(set), model))?
            }
        };
        done.map_err(|error| scene_error(py, &error.to_string(), None, None, None))
    }

    /// Displacement of the pivot, m, shape (3,), and rotation, shape (3, 3), at the present time.
    fn pose<'py>(&self, py: Python<'py>, kind: &str, index: usize) -> PyResult<Shown<'py>> {
        let work = self.lock(py)?;
        let (target, law) = target(py, &work.core.model, kind, index)?;
        let pivot = target.pivot(&work.core.model);
        let pose = law.pose(work.core.state.time);
        self.signals.take().map_or(Ok(()), Err)?;
        let moved = (pose.apply(pivot) - pivot).to_array().to_vec();
        let rows = DMat3::from_quat(pose.rotation).transpose().to_cols_array();
        let rotation = rows.to_vec().into_pyarray(py).reshape([3, 3])?;
        Ok((moved.into_pyarray(py), rotation))
    }

    /// The angle, rad, or torque, N m, at the present time.
    fn number(&self, py: Python<'_>, kind: &str, index: usize) -> PyResult<f64> {
        let work = self.lock(py)?;
        let (_, law) = target(py, &work.core.model, kind, index)?;
        let number = law.number(work.core.state.time);
        self.signals.take().map_or(Ok(number), Err)
    }

    /// Adds a point load of nothing: on a node of a rod, along the frame of the edge `follows` if
    /// one is given. Returns its number.
    fn add_point_force(
        &self,
        py: Python<'_>,
        rod: usize,
        node: usize,
        follows: Option<usize>,
    ) -> PyResult<usize> {
        let mut work = self.lock(py)?;
        let layout = &work.core.model.topology.rods[rod];
        let (node, edge) = (layout.first_node + node, layout.first_edge);
        Ok(work.add_point(Place::Node(node, follows.map(|own| edge + own))))
    }

    /// The same of a moment on an edge, along its frame if it follows it.
    fn add_point_moment(
        &self,
        py: Python<'_>,
        rod: usize,
        edge: usize,
        follows: bool,
    ) -> PyResult<usize> {
        let mut work = self.lock(py)?;
        let edge = work.core.model.topology.rods[rod].first_edge + edge;
        Ok(work.add_point(Place::Edge(edge, follows)))
    }

    /// Point loads of the scene: their numbers, whether each is a moment, its rod, and the edge or
    /// node of the rod, in the order of the model.
    #[getter]
    fn scene_points(&self, py: Python<'_>) -> PyResult<Vec<(usize, bool, usize, usize)>> {
        let work = self.lock(py)?;
        let topology = &work.core.model.topology;
        let points = work.controls.points.iter().enumerate();
        let own = points.filter(|(_, point)| point.is_of_scene());
        let placed = own.map(|(index, point)| match point.place {
            Place::Node(node, _) => {
                let (rod, node) = node_of(topology, node);
                (index, false, rod, node)
            }
            Place::Edge(edge, _) => {
                let (rod, edge) = edge_of(topology, edge);
                (index, true, rod, edge)
            }
        });
        Ok(placed.collect())
    }

    /// A point load, N or N m.
    fn point(&self, py: Python<'_>, index: usize) -> PyResult<[f64; 3]> {
        let work = self.lock(py)?;
        let point = work.controls.points.get(index);
        let time = work.core.state.time;
        let now = point.map_or(Ok(DVec3::ZERO), |point| point.now(py, time));
        now.map(|value| value.to_array())
    }

    /// Sets it.
    fn set_point(&self, py: Python<'_>, index: usize, value: [f64; 3]) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let Work { core, controls, .. } = &mut *work;
        let value = Some(DVec3::from_array(value));
        self.set_loads(py, core, |model| controls.set_point(index, value, model))
    }

    /// Lets a function of time say it from now on; `check` asks it now.
    fn follow_point(
        &self,
        py: Python<'_>,
        index: usize,
        function: Py<PyAny>,
        check: bool,
    ) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let Work { core, controls, .. } = &mut *work;
        let what = format!("point load {index}");
        let function = Function::new(function, what, DVec3::ZERO, self.signals.clone());
        if !check {
            controls.follow_point(index, function, &mut core.model);
            return Ok(());
        }
        function.vector(py, core.state.time)?;
        self.set_loads(py, core, |model| {
            controls.follow_point(index, function, model);
        })
    }

    /// Gravity, m/s^2.
    #[getter]
    fn gravity(&self, py: Python<'_>) -> PyResult<[f64; 3]> {
        Ok(self.lock(py)?.controls.gravity().to_array())
    }

    /// Sets it.
    fn set_gravity(&self, py: Python<'_>, value: [f64; 3]) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let Work { core, controls, .. } = &mut *work;
        let value = Some(DVec3::from_array(value));
        self.set_loads(py, core, |model| controls.set_gravity(value, model))
    }
}

impl Simulation {
    /// Sets loads, which jump.
    fn set_loads<T>(
        &self,
        py: Python<'_>,
        core: &mut Core,
        set: impl FnOnce(&mut Model) -> T,
    ) -> PyResult<T> {
        let done = core.set_loads(set);
        // A function of Python may have been asked.
        self.signals.take().map_or(Ok(()), Err)?;
        done.map_err(|error| simulation_error(py, &error.to_string(), None))
    }
}

impl Work {
    fn add_point(&mut self, place: Place) -> usize {
        let point = self.controls.add(place, &mut self.core.model);
        self.core.drop_workspace();
        point
    }
}

/// A target by its kind, and what it follows.
fn target(py: Python<'_>, model: &Model, kind: &str, index: usize) -> PyResult<(Target, Law)> {
    let target = match kind {
        "support" => Target::Support(index),
        "obstacle" => Target::Obstacle(index),
        _ => Target::Motor(index),
    };
    let law = target.law(model).ok_or_else(|| {
        let name = target.name(model);
        let message = format!("{name} follows nothing that could be driven");
        scene_error(py, &message, None, None, None)
    })?;
    Ok((target, law))
}
