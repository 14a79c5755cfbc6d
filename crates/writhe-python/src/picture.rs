//! Pictures: rods as shaded tubes, and what surrounds them.

use std::path::Path;

use glam::DVec3;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use writhe_render::{Bounds, Camera, RenderError, Scene, render};
use writhe_session::failure::Failure;
use writhe_session::session::snapshot;
use writhe_show::picture::Pictures;
use writhe_show::sampling::options;

use crate::errors::{apart, of_failure, scene_error};
use crate::run::Run;
use crate::simulation::Simulation;

/// Part of the picture that stays free at its edges.
const MARGIN: f64 = 0.05;
/// Most pixels along a side.
const LARGEST: u32 = 8192;

#[pymethods]
impl Simulation {
    /// The present state as PNG, of so many pixels, by way of a run directory with one frame. What
    /// is driven is drawn where it is, whatever the scene says. The simulation is used up: give a
    /// copy.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        width: u32,
        height: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_size(py, [width, height])?;
        let mut work = self.lock(py)?;
        let runnable = &self.scene.get().runnable;
        let place = &mut work.core;
        let drawn = apart(py, || {
            let core = std::mem::replace(place, runnable.simulation()?);
            let obstacles = core.model.obstacles.clone();
            snapshot(runnable, core, Path::new(path))?;
            let run = Pictures::open(Path::new(path))?.among(obstacles);
            let scene = run.scene(0)?;
            png(&scene, run.up(), [width, height]).map_err(|error| not_drawn(&error))
        })?;
        let drawn = drawn.map_err(|failure| of_failure(py, &failure))?;
        Ok(PyBytes::new(py, &drawn))
    }
}

#[pymethods]
impl Run {
    /// A frame as PNG, of so many pixels.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        frame: usize,
        width: u32,
        height: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_size(py, [width, height])?;
        let drawn = apart(py, || {
            let run = Pictures::open(self.path())?;
            let scene = run.scene(frame)?;
            png(&scene, run.up(), [width, height]).map_err(|error| not_drawn(&error))
        })?;
        let drawn = drawn.map_err(|failure| of_failure(py, &failure))?;
        Ok(PyBytes::new(py, &drawn))
    }
}

fn check_size(py: Python<'_>, [width, height]: [u32; 2]) -> PyResult<()> {
    let sides = 1..=LARGEST;
    if sides.contains(&width) && sides.contains(&height) {
        return Ok(());
    }
    let message = format!("a picture of {width} x {height} pixels cannot be made");
    let remedy = format!("give a width and a height from 1 to {LARGEST}");
    Err(scene_error(py, &message, Some("size"), Some(&remedy), None))
}

fn not_drawn(error: &RenderError) -> Failure {
    Failure::bad_input(format!("the picture cannot be made: {error}"))
}

/// All of a scene, from where most of it is seen.
fn png(scene: &Scene, up: DVec3, [width, height]: [u32; 2]) -> Result<Vec<u8>, RenderError> {
    let bounds = Bounds::of(scene);
    let direction = Camera::good_direction(&bounds, up);
    let aspect = f64::from(width) / f64::from(height);
    let camera = Camera::fit(&bounds, direction, up, aspect, MARGIN)?;
    let mut png = Vec::new();
    render(scene, &camera, &options((width, height), &camera, scene))?.write_png(&mut png)?;
    Ok(png)
}
