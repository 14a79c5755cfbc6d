//! A static equilibrium alone, as a run directory of one frame.

use std::path::Path;

use writhe::certificate::Watch;
use writhe::observe::{Entry, observe};
use writhe::simulation::{SettleReport, Simulation};
use writhe::stability::Stability;
use writhe_rundir::{Recording, RunDirError, outcome};

use super::OwnColumns;
use super::begin::not_created;
use crate::checkpoint::Checkpoint;
use crate::failure::{Failure, Result};
use crate::findings::Findings;
use crate::interrupt::Interrupt;
use crate::scene::RunnableScene;
use crate::summary;
use crate::usage::{Meter, Usage};

/// What the run directory of an equilibrium says of its end.
const REASON: &str = "static equilibrium";
/// What is said where wind blows.
const STILL: &str = "the wind is left out: this is the equilibrium in still air; `writhe run SCENE --set stop.at_rest=true` finds where the wind holds the rods";
/// What the columns of energies begin with.
const ENERGY: &str = "energy_";

/// A static equilibrium that was found.
#[derive(Debug)]
pub struct Equilibrium {
    /// The simulation there.
    pub simulation: Simulation,
    /// How it was found.
    pub report: SettleReport,
    /// Energies by name, `stretch` and so on, J.
    pub energies: Vec<(String, f64)>,
    /// Largest distance of a node from where the scene has it, m.
    pub moved: f64,
    /// Whether it is stable.
    pub stability: Stability,
    /// What it took.
    pub usage: Usage,
    /// Where rods are no longer what they are a model of, a line each.
    pub warnings: Vec<String>,
}

/// Looks for the static equilibrium of `scene` and writes it into a new directory: its scene is that
/// of a run which starts there.
///
/// # Errors
/// What is wrong with the scene; that there is no equilibrium; that someone asked to stop; a
/// directory that cannot be made.
pub fn equilibrium(
    scene: &RunnableScene,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<Equilibrium> {
    let scene = scene.changed(&["time.settle=true"])?;
    // Before the search, which may take long.
    if path.read_dir().is_ok_and(|mut all| all.next().is_some()) {
        return Err(Failure::bad_input(format!(
            "the run directory `{}` exists and is not empty",
            path.display()
        ))
        .help(
            "choose another directory with `--out DIR`, or replace the run in it with `--force`",
        ));
    }
    let meter = Meter::start(Usage::default());
    let start = scene.simulation()?;
    let before = start.model.positions(&start.state);
    let (simulation, report) = scene.settled(&interrupt.poll())?;
    let usage = meter.read(&simulation.phases(), &simulation.shared_time());
    let after = simulation.model.positions(&simulation.state);
    let moved = before.iter().zip(&after).map(|(a, b)| a.distance(*b));
    let moved = moved.fold(0.0, f64::max);
    let energies = energies(&simulation)?;
    let stability = simulation.stability();

    let watch = Watch::start(&simulation.model, &simulation.state, scene.certify());
    let watch = watch.map_err(|source| RunDirError::StateNotShown { time: 0.0, source })?;
    let own = OwnColumns::new(watch.as_ref(), Vec::new());
    let recording = Recording::create(path, scene.toml(), simulation, scene.outputs(), own);
    let mut recording = recording.map_err(|error| not_created(error, path))?;
    let mut findings = Findings::default();
    let observed = recording.observed()?;
    findings.output(&recording.simulation, &observed);
    findings.end(&recording.simulation);
    recording.output_of(observed.observables)?;
    let certified = watch.as_ref().map(|watch| watch.record.clone());
    let next = recording.next();
    let now = Findings::default();
    recording.save(&Checkpoint::of(
        &recording.simulation,
        next,
        usage.clone(),
        certified,
        now,
    ))?;
    let surroundings = scene.surroundings();
    let told = (&findings, &surroundings);
    let simulation = &recording.simulation;
    let summary = summary::of(
        simulation,
        usage.clone(),
        watch.as_ref(),
        told,
        outcome::FINISHED,
        REASON,
    );
    let unstable = matches!(stability, Stability::Unstable(_));
    // Whether it is stable is told by itself.
    let warnings = findings.warnings(simulation, &surroundings);
    let still = scene.spec().wind.is_some().then(|| STILL.to_owned());
    let warnings = still
        .into_iter()
        .chain(warnings.into_iter().skip(usize::from(unstable)))
        .collect();
    let directory = recording.directory();
    directory.finish(&summary)?;
    directory.log(&format!(
        "{REASON}, by writhe {}",
        env!("CARGO_PKG_VERSION")
    ))?;
    Ok(Equilibrium {
        simulation: recording.simulation,
        report,
        energies,
        moved,
        stability,
        usage,
        warnings,
    })
}

fn energies(simulation: &Simulation) -> Result<Vec<(String, f64)>> {
    let Simulation { model, state, .. } = simulation;
    let seen = observe(model, state)
        .map_err(|source| Failure::from(RunDirError::StateNotShown { time: 0.0, source }))?;
    let mut columns: Vec<Entry> = Vec::new();
    seen.visit(model, &mut columns);
    let named = |entry: Entry| Some((entry.name.strip_prefix(ENERGY)?.to_owned(), entry.value));
    Ok(columns.into_iter().filter_map(named).collect())
}
