//! The runs whose values are compared.

use writhe::simulation::{Simulation, SimulationError};
use writhe_rundir::processor_time;

use crate::interrupt::Interrupt;
use crate::observable::{Observable, look, same};
use crate::report::{Failure, Result};
use crate::scene::RunnableScene;

/// How often step and edges of a run are halved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Halvings of the step.
    pub step: usize,
    /// Halvings of the edges.
    pub mesh: usize,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// How it was made.
    pub level: Level,
    /// The observables, in their order.
    pub values: Vec<f64>,
    /// Processor time, s.
    pub cost: f64,
}

/// The runs to make: so many steps with the scene's mesh, so many meshes with the scene's step, and
/// one with both halved once if both are.
pub fn levels(steps: usize, meshes: usize) -> Vec<Level> {
    let by_step = (0..steps).map(|step| Level { step, mesh: 0 });
    let by_mesh = (1..meshes).map(|mesh| Level { step: 0, mesh });
    let both = (steps > 1 && meshes > 1).then_some(Level { step: 1, mesh: 1 });
    by_step.chain(by_mesh).chain(both).collect()
}

/// Runs a scene and looks at the observables.
///
/// # Errors
/// A scene that cannot be run, a run that fails, an interrupt.
pub fn run(
    scene: &RunnableScene,
    level: Level,
    observables: &[Observable],
    interrupt: &Interrupt,
) -> Result<Run> {
    let clock = processor_time();
    let mut simulation = scene.beginning(&interrupt.poll())?;
    let outputs = scene.outputs();
    let end = outputs.end();
    let outputs: Vec<f64> = (outputs.first()..=outputs.last())
        .map(|index| outputs.time(index))
        .collect();
    let mut times: Vec<f64> = observables
        .iter()
        .flat_map(|observable| observable.times(end, &outputs))
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| same(*a, *b));
    let mut seen: Vec<Vec<(f64, f64)>> = vec![Vec::new(); observables.len()];
    for time in times {
        let reached = advance(&mut simulation, time, scene)?;
        let all = look(&simulation).map_err(Failure::failed)?;
        for (observable, seen) in observables.iter().zip(&mut seen) {
            let entry = all.iter().find(|entry| entry.name == observable.name);
            let value = entry.map_or(f64::NAN, |entry| entry.value);
            seen.push((simulation.state.time, value));
        }
        if !reached {
            break;
        }
    }
    let pairs = observables.iter().zip(&seen);
    Ok(Run {
        level,
        values: pairs
            .map(|(observable, seen)| observable.value(seen))
            .collect(),
        cost: processor_time() - clock,
    })
}

/// Steps to a time, s; `false` if the scene ends the run before.
fn advance(simulation: &mut Simulation, time: f64, scene: &RunnableScene) -> Result<bool> {
    let stop = scene.stop();
    let mut met = false;
    let outcome = simulation.run_until(time, |simulation, report| {
        let Simulation { model, state, .. } = simulation;
        met = stop.met(model, state, Some(report)).is_some();
        !met
    });
    match outcome {
        Ok(_) => Ok(!met),
        Err(SimulationError::Interrupted { .. }) => Err(Failure::failed("interrupted")),
        Err(error) => {
            let names = scene.names(&simulation.model);
            let told = names.tell(&error.to_string());
            Err(Failure::failed(format!(
                "a run with halved steps or edges cannot go on: {told}"
            ))
            .help("begin with a finer scene, or look at it with `writhe run`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_two_series_and_one_of_both() {
        let of = |steps, meshes| levels(steps, meshes).len();
        assert_eq!((of(3, 3), of(3, 1), of(1, 4), of(1, 1)), (6, 3, 4, 1));
        assert_eq!(levels(2, 2).last(), Some(&Level { step: 1, mesh: 1 }));
    }
}
