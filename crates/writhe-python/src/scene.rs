//! Scenes: a text in, what is simulated out.

use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use writhe_scenes::{Key, tables as all_tables};
use writhe_session::scene::RunnableScene;

use crate::errors::{apart, of_failure, scene_error};
use crate::values;

/// A scene that is checked and has every default.
#[pyclass(frozen, module = "writhe._core")]
pub struct Scene {
    pub runnable: RunnableScene,
}

#[pymethods]
impl Scene {
    /// The scene of a TOML text; messages call it `file`, and files that it names are relative to
    /// `folder`.
    #[new]
    fn new(py: Python<'_>, text: &str, file: &str, folder: &str) -> PyResult<Self> {
        let (file, folder) = (Path::new(file), Path::new(folder));
        let runnable = apart(py, || RunnableScene::of_text(text, file, folder, &[]))?;
        let runnable = runnable.map_err(|failure| of_failure(py, &failure))?;
        Ok(Self { runnable })
    }

    /// TOML with every default, in SI.
    #[getter]
    fn resolved(&self) -> &str {
        self.runnable.toml()
    }

    /// What will be simulated, in words and numbers.
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        apart(py, || self.runnable.describe())?.map_err(|failure| of_failure(py, &failure))
    }

    /// What `describe` warns of.
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        apart(py, || self.runnable.warnings())?.map_err(|failure| of_failure(py, &failure))
    }
}

/// Nested values as TOML.
#[pyfunction]
pub fn to_toml(py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<String> {
    let table = values::table(values, "")?;
    toml::to_string(&table)
        .map_err(|error| scene_error(py, &format!("no TOML says this: {error}"), None, None, None))
}

/// Tables of the scene file: name, keys, whether it holds exactly one of them.
#[pyfunction]
pub fn tables() -> Vec<(String, Vec<&'static str>, bool)> {
    let all = all_tables().into_iter();
    let names = |keys: Vec<Key>| keys.iter().map(|key| key.name).collect();
    all.map(|table| (table.name, names(table.keys), table.is_choice))
        .collect()
}

/// Names of the named scenes.
#[pyfunction]
pub fn names() -> Vec<&'static str> {
    writhe_scenes::names().to_vec()
}

/// The commented scene of this name.
#[pyfunction]
pub fn template(py: Python<'_>, name: &str) -> PyResult<String> {
    writhe_session::scene::template(name).map_err(|failure| of_failure(py, &failure))
}
