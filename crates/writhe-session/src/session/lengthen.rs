//! A run that becomes longer than it was made for.
//!
//! A longer run has made the same steps up to the end of a shorter one, unless the end is no output
//! time of the longer: steps are equal between outputs, and those before the end are made for it.
//! Then the run goes on from a checkpoint before them, if there is one.

use std::fs;
use std::path::Path;

use writhe_rundir::{Outputs, RunDirError, RunDirectory};

use crate::checkpoint::Checkpoint;
use crate::failure::{Failure, Result};
use crate::format::number;
use crate::scene::RunnableScene;

/// A run that is made longer.
#[derive(Debug)]
pub struct Longer {
    /// Its scene: that of the run, with the new duration.
    pub scene: RunnableScene,
    /// What to know of it, a line each.
    pub notes: Vec<String>,
}

/// Prepares the run in `path` to go on by `scene`, if it is the run's but for a longer duration;
/// `None` if it differs in anything else, or in nothing.
///
/// # Errors
/// A shorter duration; a directory that cannot be used.
pub fn prepare(scene: &RunnableScene, path: &Path) -> Result<Option<Longer>> {
    // Whatever is wrong with the directory is told when it is opened.
    let Ok(of_run) = fs::read_to_string(path.join("scene.toml")) else {
        return Ok(None);
    };
    if of_run == scene.toml() {
        return Ok(None);
    }
    let Ok(shorter) = RunnableScene::of_run(&of_run) else {
        return Ok(None);
    };
    let is_same = as_long_as(scene, &shorter).is_ok_and(|same| same.toml() == of_run);
    if !is_same {
        return Ok(None);
    }
    let (before, now) = (shorter.outputs().end(), scene.outputs().end());
    if now < before {
        return Err(Failure::bad_input(format!(
            "the duration of {} s is shorter than the {} s that the run in `{}` was made for",
            number(now, 6),
            number(before, 6),
            path.display()
        ))
        .at_key("time.duration")
        .help(
            "a run can become longer, not shorter: leave the duration as it was, or choose another directory with `--out DIR`",
        ));
    }
    let longer = shorter.changed(&[format!("time.duration={now:?}")])?;
    let mut notes = Vec::new();
    if now > before {
        RunDirectory::restore_scene(path, longer.toml())?;
        let killed = fs::read_to_string(path.join("scene.toml"));
        // A kill in the middle of what follows has left the checkpoint of the longer run.
        if !killed.is_ok_and(|text| text == longer.toml()) {
            notes = change(path, (&shorter, &longer))?;
        }
    }
    Ok(Some(Longer {
        scene: longer,
        notes,
    }))
}

/// The scene with the duration of another one, and its interval of outputs unless the scene says
/// one, for that follows from the duration.
fn as_long_as(scene: &RunnableScene, other: &RunnableScene) -> Result<RunnableScene> {
    let duration = other.spec().time.duration.si();
    let mut changes = vec![format!("time.duration={duration:?}")];
    if !scene.says("output.every") {
        let every = other.spec().output.every.si();
        changes.push(format!("output.every={every:?}"));
    }
    scene.changed(&changes)
}

/// Gives the run its longer scene, from the checkpoint that is best; what to know of it.
fn change(path: &Path, (shorter, longer): (&RunnableScene, &RunnableScene)) -> Result<Vec<String>> {
    let (before, now) = (shorter.outputs(), longer.outputs());
    let checkpoints = match RunDirectory::checkpoints::<Checkpoint>(path) {
        Ok(checkpoints) => checkpoints,
        // It was killed before its first one and begins again, by the longer scene.
        Err(RunDirError::NoCheckpoint { .. }) => {
            let written = fs::write(path.join("scene.toml"), longer.toml());
            written.map_err(|error| {
                Failure::failed(format!("writing into `{}` failed: {error}", path.display()))
                    .help("free some space, or check the permissions")
            })?;
            return Ok(Vec::new());
        }
        Err(error) => return Err(error.into()),
    };
    let exact = checkpoints.iter().position(|c| is_of_longer(c, &before));
    RunDirectory::change_scene(path, longer.toml(), exact.unwrap_or(0))?;
    let [was, is] = [before, now].map(|outputs| number(outputs.end(), 6));
    let mut notes = vec![format!(
        "the run becomes longer: {was} s before, {is} s now"
    )];
    if exact.is_none() {
        notes.push(format!(
            "its last steps end at t = {was} s, which is no multiple of `output.every` ({} s): from there on its numbers differ in the last bits from those of a run of {is} s from the start",
            number(longer.spec().output.every.si(), 6)
        ));
    }
    if longer.spec().time.accuracy.is_some() {
        notes.push(format!(
            "`time.accuracy` was shared out over {was} s up to here, and is over {is} s from now on: a run of {is} s from the start would have other steps"
        ));
    }
    Ok(notes)
}

/// Whether the steps before a checkpoint are also those of a run that ends later than these
/// outputs.
fn is_of_longer(checkpoint: &Checkpoint, outputs: &Outputs) -> bool {
    let last = outputs.last();
    let next = checkpoint.next_output;
    // Just behind an output no step was made for the next one.
    let steps_made = next
        .checked_sub(1)
        .is_none_or(|index| checkpoint.state.time > outputs.time(index));
    outputs.is_regular(last) || next < last || next == last && !steps_made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_before_an_irregular_end_are_made_for_it() {
        let scene = "[scene]\nname = \"cantilever\"\nedges = 3";
        let scene =
            RunnableScene::of_text(scene, Path::new("my.toml"), Path::new("."), &[]).unwrap();
        let simulation = scene.simulation().unwrap();
        let mut checkpoint = Checkpoint::of(
            &simulation,
            0,
            crate::usage::Usage::default(),
            None,
            crate::findings::Findings::default(),
        );
        let mut of_longer = |next: u64, time: f64, end: f64| {
            checkpoint.next_output = next;
            checkpoint.state.time = time;
            is_of_longer(&checkpoint, &Outputs::new(0.1, 0.0, end))
        };
        assert!(of_longer(2, 0.15, 0.25) && of_longer(3, 0.2, 0.25));
        assert!(!of_longer(3, 0.22, 0.25) && !of_longer(4, 0.25, 0.25));
        // Multiples of .1 to the last bit, and only but for rounding.
        assert!(of_longer(3, 0.2, 0.2) && of_longer(2, 0.15, 0.2));
        assert!(!of_longer(4, 0.3, 0.3));
    }
}
