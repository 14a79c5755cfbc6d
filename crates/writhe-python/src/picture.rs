//! Pictures: rods as shaded tubes, and what surrounds them.

use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use writhe_session::failure::{Failure, Result};
use writhe_session::session::snapshot;
use writhe_show::picture::field::Field;
use writhe_show::picture::look::Look;
use writhe_show::picture::{Dress, Pictures};

use crate::errors::{apart, of_failure, scene_error};
use crate::run::Run;
use crate::simulation::Simulation;

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
        size: [u32; 2],
        wanted: Wanted,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_size(py, size)?;
        let mut work = self.lock(py)?;
        let runnable = &self.scene.get().runnable;
        let place = &mut work.core;
        let drawn = apart(py, || {
            let core = std::mem::replace(place, runnable.simulation()?);
            let obstacles = core.model.obstacles.clone();
            snapshot(runnable, core, Path::new(path))?;
            let run = Pictures::open(Path::new(path))?.among(obstacles);
            png(run, 0, size, &wanted)
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
        size: [u32; 2],
        wanted: Wanted,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_size(py, size)?;
        let drawn = apart(py, || {
            let run = Pictures::open(self.path())?;
            png(run, frame, size, &wanted)
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

/// What is shown besides shapes: what colours show, and whether there are arrows at contacts and a
/// legend.
type Wanted = (Option<String>, bool, bool);

/// A frame of a run as the command line draws it when its user says nothing.
fn png(
    mut run: Pictures,
    frame: usize,
    size: [u32; 2],
    (colour, contacts, legend): &Wanted,
) -> Result<Vec<u8>> {
    let frames = [frame];
    run.share_surroundings(&frames)?;
    let field = colour.as_deref().map(Field::named).transpose()?;
    let dress = Dress {
        field,
        bar: match field {
            Some(field) => run.bar(field, &frames)?,
            None => None,
        },
        strong: match contacts {
            true => run.strong(&frames)?,
            false => None,
        },
        free: false,
    };
    let run = run.dressed(dress);
    let look = Look {
        legend: *legend,
        ..Look::of(&run)?
    };
    let scene = look.on(run.scene(frame)?);
    let told = run.legend(frame);
    let legends = std::slice::from_ref(&told);
    let size = Some((size[0], size[1]));
    let plate = look.plate(&run.sight(&frames)?.bounds, size, 0.0, legends)?;
    let mut png = Vec::new();
    let written = plate.draw(&scene, told.clone())?.write_png(&mut png);
    written.map_err(|error| Failure::failed(format!("the picture cannot be made: {error}")))?;
    Ok(png)
}
