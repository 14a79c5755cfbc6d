//! Values of a parameter as numbers of one unit, where they are.

use std::path::Path;

use serde::Serialize;
use writhe_session::scene::RunnableScene;

use crate::parameter::Parameter;
use crate::range::number_and_unit;

/// Values of a parameter as numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Axis {
    /// Unit in SI; `1` for a pure number.
    pub unit: String,
    /// In that unit, as many as there are values.
    pub values: Vec<f64>,
}

impl Axis {
    /// Those of the parameters of a sweep over the scene, with every default; `None` for words, lists
    /// and whole numbers.
    pub fn all(scene: &str, parameters: &[Parameter]) -> Vec<Option<Self>> {
        // A scene that names files may not be read here: then units are not known.
        let here = Path::new(".");
        let scene = RunnableScene::of_text(scene, Path::new("scene.toml"), here, &[]).ok();
        let axis = |parameter: &Parameter| {
            let values = parameter.values.iter().map(|value| number_and_unit(value));
            let values = values.map(|value| Some(value?.si));
            Some(Self {
                unit: scene.as_ref()?.unit_of(&parameter.key)?,
                values: values.collect::<Option<_>>()?,
            })
        };
        parameters.iter().map(axis).collect()
    }
}
