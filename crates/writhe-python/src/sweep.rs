//! Sweeps: points, names and results, which are those of the command line.

use std::collections::BTreeMap;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml::Value;
use writhe_session::failure::{Failure, Result};
use writhe_sweep::{Parameter, Results, State, Sweep};

use crate::errors::{apart, of_failure};
use crate::scene::Scene;
use crate::values;

#[pymethods]
impl Scene {
    /// The scene with changes, each as ``--set`` takes it.
    fn changed(&self, py: Python<'_>, changes: Vec<String>) -> PyResult<Self> {
        let runnable = apart(py, || self.runnable.changed(&changes))?;
        let runnable = runnable.map_err(|failure| of_failure(py, &failure))?;
        Ok(Self { runnable })
    }
}

/// Makes the folder that of a sweep over these lists of values, or finds it so; of each point its
/// name, its changes to the scene, and whether its run is over.
#[pyfunction]
pub fn sweep_points(
    py: Python<'_>,
    scene: &Scene,
    parameters: &Bound<'_, PyDict>,
    folder: &str,
) -> PyResult<Vec<(String, Vec<String>, bool)>> {
    let lists = values::table(parameters, "")?;
    // In the order of the dict, which the last one goes through fastest.
    let keys = parameters.keys();
    let keys = keys.iter().map(|key| key.extract::<String>());
    let keys = keys.collect::<PyResult<Vec<_>>>()?;
    let made = apart(py, || points(scene, (&keys, &lists), Path::new(folder)))?;
    made.map_err(|failure| of_failure(py, &failure))
}

fn points(
    scene: &Scene,
    (keys, lists): (&[String], &toml::Table),
    folder: &Path,
) -> Result<Vec<(String, Vec<String>, bool)>> {
    let parameter = |key: &String| match lists.get(key).and_then(Value::as_array) {
        Some(values) => Parameter::new(key, values.iter().map(text).collect()),
        None => Err(Failure::bad_input(format!("`{key}` has no list of values"))
            .at_key(key)
            .help("give a list, such as [0.1, 0.2]")),
    };
    let parameters = keys.iter().map(parameter).collect::<Result<_>>()?;
    let sweep = Sweep::new(&scene.runnable, parameters, folder)?;
    let points = sweep.points().iter().map(|point| {
        let over = State::of(&sweep.directory(point)).is_over();
        (point.name.clone(), point.changes(sweep.parameters()), over)
    });
    Ok(points.collect())
}

/// A value as ``--set`` takes it: texts without quotes, unless they would be something else then.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) if toml::from_str::<toml::Table>(&format!("x = {text}")).is_err() => {
            text.clone()
        }
        value => value.to_string(),
    }
}

/// Writes the table of results of a sweep, and returns it as JSON; ``failures`` are why points have
/// no run, by number.
#[pyfunction]
pub fn sweep_results(
    py: Python<'_>,
    folder: &str,
    failures: BTreeMap<usize, String>,
) -> PyResult<String> {
    let made = apart(py, || -> Result<String> {
        let folder = Path::new(folder);
        let sweep = Sweep::open(folder)?.ok_or_else(|| {
            Failure::bad_input(format!("`{}` holds no sweep", folder.display()))
                .help("name the folder that a sweep was made in")
        })?;
        let results = Results::of(&sweep, &failures);
        results.write(folder)?;
        Ok(results.to_json().to_string())
    })?;
    made.map_err(|failure| of_failure(py, &failure))
}
