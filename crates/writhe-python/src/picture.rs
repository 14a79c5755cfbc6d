//! A simulation as a picture: its rods as shaded tubes.

use glam::DVec3;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use writhe::model::Model;
use writhe::state::State;
use writhe_render::{Bounds, Camera, RenderError, RenderOptions, Scene, Tube, render, rod_color};

use crate::errors::{apart, scene_error};
use crate::simulation::Simulation;

/// Part of the picture that stays free at its edges.
const MARGIN: f64 = 0.05;
/// Most pixels along a side.
const LARGEST: u32 = 8192;

#[pymethods]
impl Simulation {
    /// The rods as PNG, of so many pixels.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        width: u32,
        height: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let sides = 1..=LARGEST;
        if !(sides.contains(&width) && sides.contains(&height)) {
            let message = format!("a picture of {width} x {height} pixels cannot be made");
            let remedy = format!("give a width and a height from 1 to {LARGEST}");
            return Err(scene_error(py, &message, Some("size"), Some(&remedy), None));
        }
        let up = self.up();
        let work = self.lock(py)?;
        let (model, state) = (&work.core.model, &work.core.state);
        let drawn = apart(py, || drawn(model, state, up, [width, height]))?;
        match drawn {
            Ok(png) => Ok(PyBytes::new(py, &png)),
            Err(error) => {
                let message = format!("the picture cannot be made: {error}");
                Err(scene_error(py, &message, None, None, None))
            }
        }
    }
}

fn drawn(
    model: &Model,
    state: &State,
    up: DVec3,
    [width, height]: [u32; 2],
) -> Result<Vec<u8>, RenderError> {
    let (positions, directors) = (model.positions(state), model.directors(state));
    let rods = model.topology.rods.iter().enumerate();
    let tubes = rods.map(|(index, rod)| {
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        let nodes = rod.first_node..rod.first_node + rod.nodes;
        let tube = Tube::new(positions[nodes].to_vec(), 0.0, rod_color(index));
        let mut tube = tube.with_directors(directors[edges.clone()].to_vec());
        tube.radius = model.radius[edges].to_vec();
        if rod.closed { tube.closed() } else { tube }
    });
    let scene = Scene::new(tubes.collect());
    let bounds = Bounds::of(&scene);
    let direction = Camera::good_direction(&bounds, up);
    let aspect = f64::from(width) / f64::from(height);
    let camera = Camera::fit(&bounds, direction, up, aspect, MARGIN)?;
    let mut png = Vec::new();
    render(&scene, &camera, &RenderOptions::sized(width, height))?.write_png(&mut png)?;
    Ok(png)
}
