//! The present state of a simulation as a run directory, for whoever shows runs.

use std::path::Path;

use writhe::simulation::Simulation;
use writhe_rundir::Recording;

use crate::checkpoint::Checkpoint;
use crate::failure::Result;
use crate::findings::Findings;
use crate::scene::RunnableScene;
use crate::usage::Usage;

/// Writes the state of a `simulation` of `scene` as a run with one frame, in a new directory.
///
/// # Errors
/// When the state cannot be shown, or the directory is not empty or cannot be written.
pub fn snapshot(scene: &RunnableScene, simulation: Simulation, path: &Path) -> Result<()> {
    let outputs = scene.outputs();
    let next = outputs.first() + 1;
    let checkpoint = Checkpoint::of(
        &simulation,
        next,
        Usage::default(),
        None,
        Findings::default(),
    );
    let mut recording = Recording::create(path, scene.toml(), simulation, outputs, ())?;
    recording.output()?;
    Ok(recording.save(&checkpoint)?)
}
