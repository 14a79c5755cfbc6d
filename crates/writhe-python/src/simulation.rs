//! A simulation: what is simulated, its state, its forces, and who may use it.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use glam::DVec3;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use writhe::simulation::Simulation as Core;
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe_session::failure::Failure;
use writhe_session::origin::{Origin, Start};
use writhe_session::session::{LedRun, start_of};

use crate::controls::{Controls, Point};
use crate::errors::{apart, of_failure, scene_error, simulation_error};
use crate::force::{Force, NAME, Shared};
use crate::scene::Scene;
use crate::signals::Signals;

/// A model with its state.
#[pyclass(frozen, module = "writhe._core")]
pub struct Simulation {
    pub scene: Py<Scene>,
    pub signals: Signals,
    /// Where it began, if it began where another run stood.
    pub start: Option<(Origin, Start)>,
    work: Mutex<Work>,
}

/// What one thread at a time uses.
pub struct Work {
    pub core: Core,
    /// Forces that functions of Python say, which are among the loads of the model, too.
    pub forces: Vec<Arc<Force>>,
    /// What was driven and set.
    pub controls: Controls,
    /// The directory in which a run that functions of Python lead is recorded.
    pub led: Option<LedRun>,
    /// Whether nothing has happened since the start of the run.
    pub at_start: bool,
}

#[pymethods]
impl Simulation {
    /// The simulation of a scene where its run begins, settled if the scene asks for it; or where
    /// another run stood, `DIR` or `DIR@TIME`.
    #[new]
    #[pyo3(signature = (scene, origin = None))]
    fn new(py: Python<'_>, scene: Py<Scene>, origin: Option<&str>) -> PyResult<Self> {
        let signals = Signals::default();
        signals.reset();
        let (runnable, poll) = (&scene.get().runnable, signals.poll());
        let made = apart(py, || -> Result<_, Failure> {
            let start = origin.map(|text| -> Result<_, Failure> {
                let origin = Origin::parse(text)?;
                let start = start_of(&origin, runnable)?;
                Ok((origin, start))
            });
            let start = start.transpose()?;
            let place = start.as_ref().map(|(_, start)| &start.place);
            Ok((runnable.beginning_at(place, &poll)?, start))
        })?;
        let (core, start) =
            made.map_err(|failure| signals.take().unwrap_or_else(|| of_failure(py, &failure)))?;
        Ok(Self {
            start,
            ..Self::of(scene, signals, core, true)
        })
    }

    /// What is to be known of a beginning where another run stood, a line each.
    #[getter]
    fn start_notes(&self) -> Vec<String> {
        let start = self.start.as_ref();
        start.map_or_else(Vec::new, |(_, start)| start.notes.clone())
    }

    /// The same scene in the same state, apart from this one, without what Python added and set.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let (state, statistics, at_start) = {
            let work = self.lock(py)?;
            let core = &work.core;
            (core.state.clone(), core.statistics, work.at_start)
        };
        let mut made = Self::bare(py, self.scene.clone_ref(py))?;
        made.start.clone_from(&self.start);
        {
            let mut work = made.lock(py)?;
            if let Some((_, start)) = &self.start {
                let runnable = &self.scene.get().runnable;
                let put = runnable.place(&mut work.core, &start.place);
                put.map_err(|failure| of_failure(py, &failure))?;
            }
            work.core.state = state;
            work.core.statistics = statistics;
            work.at_start = at_start;
        }
        Ok(made)
    }

    /// The simulation of a scene in no state of a run yet: `restore` gives it one.
    #[staticmethod]
    fn bare(py: Python<'_>, scene: Py<Scene>) -> PyResult<Self> {
        let (runnable, signals) = (&scene.get().runnable, Signals::default());
        let mut core =
            apart(py, || runnable.simulation())?.map_err(|failure| of_failure(py, &failure))?;
        core.ask(signals.poll());
        Ok(Self::of(scene, signals, core, false))
    }

    /// Lets a function of Python say the force on the nodes of a rod; with a stiffness it is solved
    /// for, without it lags.
    fn add_force(
        &self,
        py: Python<'_>,
        rod: usize,
        function: Py<PyAny>,
        stiffness: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let Work { core, forces, .. } = &mut *work;
        let force = Force::new(&core.model, rod, function, stiffness, self.signals.clone());
        let force = Arc::new(force);
        core.model.loads.push(Box::new(Shared(Arc::clone(&force))));
        core.drop_workspace();
        forces.push(force);
        Ok(())
    }

    /// Functions may hold the simulation that holds them.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Whoever is at work is alive.
        let work = self.work.try_lock();
        work.map_or(Ok(()), |work| {
            work.controls.drives.visit(&visit)?;
            let mut points = work.controls.points.iter().flat_map(Point::functions);
            points.try_for_each(|function| function.visit(&visit))?;
            work.forces.iter().try_for_each(|f| f.visit(&visit))
        })
    }

    /// Lets go of them, once nobody has the simulation any more.
    fn __clear__(&self) {
        if let Ok(mut work) = self.work.try_lock() {
            let Work { core, controls, .. } = &mut *work;
            controls.drives.clear(&mut core.model);
            controls.points.clear();
            work.forces.clear();
            work.core.model.loads.retain(|load| load.name() != NAME);
        }
    }

    /// All that a restart needs, what was set included, as named arrays in bytes.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let work = self.lock(py)?;
        let bytes = work.core.state.to_arrays().and_then(|mut arrays| {
            work.controls.save(&mut arrays, &work.core)?;
            arrays.to_bytes()
        });
        match bytes {
            Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
            Err(error) => Err(simulation_error(py, &error.to_string(), None)),
        }
    }

    /// Goes back, or on, to a state of this scene.
    fn restore(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let refused = |why: String| {
            let remedy = "give the state of a simulation of the same scene";
            scene_error(py, &why, Some("state"), Some(remedy), None)
        };
        let arrays =
            Arrays::from_bytes(bytes).and_then(|arrays| Ok((State::from_arrays(&arrays)?, arrays)));
        let (state, arrays) =
            arrays.map_err(|error| refused(format!("these bytes are no state: {error}")))?;
        let fits = state.check_fit(&work.core.model);
        fits.map_err(|misfit| refused(format!("this state is of another scene: {misfit}")))?;
        let Work { core, controls, .. } = &mut *work;
        let set = controls.restore(&arrays, core);
        set.map_err(|why| refused(format!("this state is of another simulation: {why}")))?;
        work.core.state = state;
        work.at_start = false;
        Ok(())
    }

    /// Sets what was set in a state, and nothing else.
    fn restore_controls(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let mut work = self.lock(py)?;
        let Work { core, controls, .. } = &mut *work;
        let arrays = Arrays::from_bytes(bytes).map_err(|error| error.to_string());
        let set = arrays.and_then(|arrays| controls.restore(&arrays, core));
        set.map_err(|why| scene_error(py, &why, Some("state"), None, None))
    }

    /// Simulated time, s.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.core.state.time)
    }

    /// Times that differ by no more than this, s, are the same.
    #[getter]
    fn same_time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.core.same_time())
    }

    /// End of the run that the scene describes, s.
    #[getter]
    fn end(&self) -> f64 {
        self.scene.get().runnable.outputs().end()
    }

    /// Counts so far, by name.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.lock(py)?.core.statistics;
        let all = PyDict::new(py);
        all.set_item("steps", counts.steps)?;
        all.set_item("rejected_steps", counts.rejected_steps)?;
        all.set_item("newton_iterations", counts.newton_iterations)?;
        all.set_item("contact_steps", counts.contact_steps)?;
        all.set_item("first_contact", counts.first_contact)?;
        all.set_item("smallest_gap", counts.smallest_gap)?;
        all.set_item("deepest_penetration", counts.deepest_penetration)?;
        all.set_item("crossings_prevented", counts.crossings_prevented)?;
        Ok(all)
    }
}

impl Simulation {
    fn of(scene: Py<Scene>, signals: Signals, core: Core, at_start: bool) -> Self {
        let gravity = scene.get().runnable.gravity().unwrap_or(DVec3::ZERO);
        let controls = Controls::new(gravity, &core.model);
        let work = Mutex::new(Work {
            core,
            forces: Vec::new(),
            controls,
            led: None,
            at_start,
        });
        Self {
            scene,
            signals,
            start: None,
            work,
        }
    }

    /// The simulation, unless another thread is at work with it: nobody waits with the interpreter's
    /// lock in hand.
    pub fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Work>> {
        match self.work.try_lock() {
            Ok(work) => Ok(work),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(simulation_error(
                py,
                "this simulation is in the middle of its work, in another thread or in a function that it calls",
                Some("waiting for it, or a simulation of its own: sim.copy()"),
            )),
        }
    }
}
