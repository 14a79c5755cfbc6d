//! A run directory, read as it is asked for.

use std::path::Path;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use writhe::obstacle::Obstacle;
use writhe_rundir::{RunDirError, RunReader};
use writhe_session::failure::Failure;
use writhe_show::page::{Movie, Wanted};

use crate::errors::{apart, of_failure, simulation_error};

/// The page of the run in a directory; with these obstacles in place of those of its scene, if they
/// are given.
pub fn page(
    directory: &Path,
    obstacles: Option<Vec<Obstacle>>,
    most_bytes: usize,
    flow: bool,
) -> Result<String, Failure> {
    let wanted = Wanted {
        live: false,
        flow,
        most_bytes,
    };
    let mut movie = Movie::open(directory, wanted)?;
    if let Some(obstacles) = obstacles {
        movie = movie.among(obstacles);
    }
    Ok(movie.page(most_bytes)?.html)
}

/// A run open for reading: what was whole when it was opened.
#[pyclass(frozen, module = "writhe._core")]
pub struct Run {
    reader: RunReader,
}

#[pymethods]
impl Run {
    /// The run in this directory.
    #[new]
    fn new(py: Python<'_>, path: &str) -> PyResult<Self> {
        let reader = apart(py, || RunReader::open(path))?;
        let reader = reader.map_err(|error| unreadable(py, error))?;
        Ok(Self { reader })
    }

    /// Number of frames.
    #[getter]
    fn frames(&self) -> usize {
        self.reader.frames()
    }

    /// The scene with every default, TOML.
    #[getter]
    fn scene(&self) -> &str {
        self.reader.scene_toml()
    }

    /// Nodes, edges, and whether it is closed, of each rod.
    #[getter]
    fn rods(&self) -> Vec<(usize, usize, bool)> {
        let rods = self.reader.layout().rods.iter();
        rods.map(|rod| (rod.nodes, rod.edges(), rod.closed))
            .collect()
    }

    /// Names and units of the columns of observables, the time first.
    #[getter]
    fn columns(&self) -> Vec<(&str, &str)> {
        let columns = self.reader.observables().iter();
        columns
            .map(|c| (c.name.as_str(), c.unit.as_str()))
            .collect()
    }

    /// The column of this place, `(frames)`.
    fn column<'py>(&self, py: Python<'py>, place: usize) -> Option<Bound<'py, PyArray1<f64>>> {
        let column = self.reader.observables().get(place)?;
        Some(column.values.clone().into_pyarray(py))
    }

    /// The state of the newest checkpoint, as `Simulation.restore` takes it.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut arrays = self
            .reader
            .checkpoint_arrays()
            .map_err(|e| unreadable(py, e))?;
        match arrays.take("state").to_bytes() {
            Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
            Err(error) => Err(simulation_error(py, &error.to_string(), None)),
        }
    }

    /// The page of `writhe view`, with at most about so many bytes of frames, and the flow around
    /// the rods, if it is wanted and there is one.
    fn page(&self, py: Python<'_>, most_bytes: usize, flow: bool) -> PyResult<String> {
        let made = apart(py, || page(self.path(), None, most_bytes, flow))?;
        made.map_err(|failure| of_failure(py, &failure))
    }

    /// An array of the trajectory in all frames, flat in each.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let frames = self.reader.frames();
        let read = apart(py, || {
            let mut all = Vec::new();
            for frame in 0..frames {
                all.extend(self.reader.array(name, frame)?);
            }
            Ok(all)
        })?;
        let all: Vec<f64> = read.map_err(|error| unreadable(py, error))?;
        let each = all.len().checked_div(frames).unwrap_or(0);
        all.into_pyarray(py).reshape([frames, each])
    }
}

impl Run {
    /// The run directory.
    pub fn path(&self) -> &Path {
        self.reader.path()
    }
}

fn unreadable(py: Python<'_>, error: RunDirError) -> PyErr {
    of_failure(py, &Failure::from(error))
}
