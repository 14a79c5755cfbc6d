//! A run in its directory: begun, resumed after a kill, or found finished.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Deserializer, Serialize};
use writhe::simulation::{Simulation, SimulationError, Statistics};
use writhe::state::State;
use writhe_rundir::{
    Pause, Recording, RunDirectory, RunReader, RunSummary, outcome, processor_time,
};
use writhe_scenes::{SceneError, Setup};

use crate::error::{ReproduceError, Result};
use crate::plan::{End, RunPlan, Start};
use crate::scenes;
use crate::watch::Watch;

/// First line of a run's scene: what the run is.
const IDENTITY: &str = "# run: ";
/// Key of the counts in the summary.
const COUNTS: &str = "run";
/// Where the summary has the processor time of the steps of this process, of which parts are told.
pub(crate) const STEPPING_CPU: &str = "stepping_cpu_s";

/// What a run needs to go on bit for bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Checkpoint {
    state: State,
    counts: Counts,
    /// Index of the output that comes next.
    next: u64,
}

/// What a run counted; stands in its `summary.json`, which later versions of the program read even
/// where they cannot go on from its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Counts of the simulation since this run's own start.
    pub statistics: Statistics,
    /// Time at its start, s.
    pub start: f64,
    /// Time reached, s.
    pub end: f64,
    /// End of the first step with contact, s, of a run that ends there.
    pub first_contact: Option<f64>,
    /// Processor time, s; NaN where the system does not tell. Enters no result of the simulation.
    #[serde(deserialize_with = "null_is_nan")]
    pub cpu: f64,
    /// Cost up to each frame.
    pub cost: Vec<Cost>,
}

/// Counts since the start of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Simulated time, s.
    pub time: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Linear solves of accepted steps.
    pub iterations: u64,
    /// Processor time, s; NaN where the system does not tell.
    #[serde(deserialize_with = "null_is_nan")]
    pub cpu: f64,
}

/// JSON has no NaN and writes `null` for it; checkpoints have.
fn null_is_nan<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<f64, D::Error> {
    if deserializer.is_human_readable() {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    } else {
        f64::deserialize(deserializer)
    }
}

/// A run that is over.
#[derive(Debug)]
pub struct FinishedRun {
    /// Name of its directory.
    pub name: String,
    /// Frames and observables.
    pub reader: RunReader,
    /// What it counted.
    pub counts: Counts,
    /// How it ended: `finished`, or `stopped` with a reason.
    pub summary: RunSummary,
}

/// Runs `plan` in its directory below `runs` unless it is over; runs that it starts from come
/// first.
pub(crate) fn complete(plan: &RunPlan, runs: &Path, watch: &mut dyn Watch) -> Result<FinishedRun> {
    let path = runs.join(&plan.name);
    if let Some(finished) = finished(plan, runs)? {
        return Ok(finished);
    }
    let before = match &plan.start {
        Start::Rest => None,
        Start::EndOf(before) | Start::GoingOn(before) => {
            Some(complete(before, runs, watch)?.last_state()?)
        }
        Start::BeforeContact(before) => Some(complete(before, runs, watch)?.before_contact()?),
    };
    let mut run = begin(plan, &path, before, watch)?;
    run.advance(watch)?;
    drop(run);
    finished(plan, runs)?.ok_or(ReproduceError::OtherRun { path })
}

impl FinishedRun {
    fn before_contact(self) -> Result<State> {
        if self.counts.first_contact.is_none() {
            return Err(ReproduceError::NoContact {
                run: self.name,
                by: self.counts.end,
            });
        }
        self.last_state()
    }

    fn last_state(self) -> Result<State> {
        Ok(self.reader.checkpoint::<Checkpoint>()?.state)
    }
}

/// The frames of a run if it is over, whichever version of the program made them, with its summary.
pub(crate) fn frames(plan: &RunPlan, runs: &Path) -> Result<Option<(RunReader, RunSummary)>> {
    let path = runs.join(&plan.name);
    check_identity(plan, &path)?;
    let Ok(reader) = RunReader::open(&path) else {
        return Ok(None);
    };
    let ended = |summary: &&RunSummary| {
        [outcome::FINISHED, outcome::STOPPED].contains(&summary.outcome.as_str())
    };
    let summary = reader.summary().filter(ended).cloned();
    Ok(summary.map(|summary| (reader, summary)))
}

/// The run if it is over.
fn finished(plan: &RunPlan, runs: &Path) -> Result<Option<FinishedRun>> {
    let Some((reader, summary)) = frames(plan, runs)? else {
        return Ok(None);
    };
    let counts = summary.extra.get(COUNTS).cloned().unwrap_or_default();
    match serde_json::from_value(counts) {
        Ok(counts) => Ok(Some(FinishedRun {
            name: plan.name.clone(),
            counts,
            reader,
            summary,
        })),
        Err(_) => Err(ReproduceError::OtherRun {
            path: runs.join(&plan.name),
        }),
    }
}

fn check_identity(plan: &RunPlan, path: &Path) -> Result<()> {
    let Ok(scene) = fs::read_to_string(path.join("scene.toml")) else {
        return Ok(());
    };
    match scene.lines().next() {
        Some(line) if line.strip_prefix(IDENTITY) == Some(plan.identity().as_str()) => Ok(()),
        _ => Err(ReproduceError::OtherRun {
            path: path.to_path_buf(),
        }),
    }
}

/// A run between two steps.
struct Run<'a> {
    plan: &'a RunPlan,
    recording: Recording,
    /// Its statistics and end are filled in when it is saved.
    counts: Counts,
    /// Wall time of the steps of this process.
    stepping: Duration,
    /// Their processor time, s.
    stepping_cpu: f64,
}

fn begin<'a>(
    plan: &'a RunPlan,
    path: &Path,
    before: Option<State>,
    watch: &dyn Watch,
) -> Result<Run<'a>> {
    let poll = watch.poll();
    let (text, setup) = build(plan)?;
    let stop = setup.stop;
    if let Some((directory, checkpoint)) = RunDirectory::resume_if_started::<Checkpoint>(path)? {
        let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
        let Checkpoint {
            state,
            counts,
            next,
        } = checkpoint;
        directory.check_fit(&state, &simulation.model)?;
        simulation.state = state;
        simulation.statistics = counts.statistics;
        simulation.ask(poll);
        let outputs = plan.outputs(counts.start);
        return Ok(Run {
            plan,
            recording: Recording::resumed(directory, simulation, outputs, next, ()).ended_by(stop),
            counts,
            stepping: Duration::ZERO,
            stepping_cpu: 0.0,
        });
    }
    let mut simulation = match before {
        Some(_) => Simulation::new(setup.model, setup.state, setup.step),
        None => setup.begin_asking(&poll).map_err(|source| match source {
            SimulationError::Interrupted { .. } => ReproduceError::Interrupted,
            source => ReproduceError::NoStart {
                run: plan.name.clone(),
                reason: source.to_string(),
            },
        })?,
    };
    simulation.ask(poll);
    match (before, &plan.start) {
        (None, _) => {}
        (Some(before), Start::GoingOn(_)) => simulation.state = before,
        // What contact remembers and the step size belong to this run's own model and scheme.
        (Some(before), _) => {
            let (contact, control) = (simulation.state.contact.clone(), simulation.state.control);
            simulation.state = State {
                contact,
                control,
                ..before
            };
        }
    }
    let start = simulation.state.time;
    let mut run = Run {
        plan,
        recording: Recording::create(path, &text, simulation, plan.outputs(start), ())?
            .ended_by(stop),
        counts: Counts {
            statistics: Statistics::default(),
            start,
            end: start,
            first_contact: None,
            cpu: 0.0,
            cost: Vec::new(),
        },
        stepping: Duration::ZERO,
        stepping_cpu: 0.0,
    };
    run.output()?;
    run.save()?;
    Ok(run)
}

/// Text of the scene with every default, and what it is built into.
fn build(plan: &RunPlan) -> Result<(String, Setup)> {
    let wrong = |source: SceneError| ReproduceError::Scene {
        run: plan.name.clone(),
        source: Box::new(source),
    };
    let mut scene = scenes::scene(plan.scene).map_err(wrong)?;
    scene.set_all(&plan.sets).map_err(wrong)?;
    let setup = scene.build().map_err(wrong)?;
    let resolved = scene.resolved().map_err(wrong)?;
    Ok((format!("{IDENTITY}{}\n{resolved}", plan.identity()), setup))
}

impl Run<'_> {
    /// Steps to the end, writing frames and checkpoints; a step that cannot be made is an end too,
    /// with its reason.
    fn advance(&mut self, watch: &mut dyn Watch) -> Result<()> {
        while !self.recording.is_over() {
            match self.advance_to_output(watch) {
                Ok(_) if self.counts.first_contact.is_some() => {
                    return self.finish(outcome::FINISHED, "first contact");
                }
                Ok(Pause::Output) => {
                    self.output()?;
                    if self.recording.is_save_due() {
                        self.save()?;
                    }
                }
                Ok(Pause::Save | Pause::Met) => self.save()?,
                Ok(Pause::Asked) => {
                    self.save()?;
                    return Err(ReproduceError::Interrupted);
                }
                Err(error) => return self.finish(outcome::STOPPED, &error.to_string()),
            }
        }
        let met = self.recording.met();
        let reason = met.map_or("the end of the simulated time".to_owned(), |m| {
            m.to_string()
        });
        self.finish(outcome::FINISHED, &reason)
    }

    /// Steps to the next output, a checkpoint, a stop, or, where the run ends with it, back to the
    /// last state without contact.
    fn advance_to_output(
        &mut self,
        watch: &mut dyn Watch,
    ) -> std::result::Result<Pause, SimulationError> {
        let to_contact = matches!(self.plan.end, End::FirstContact { .. });
        let simulation = &self.recording.simulation;
        let mut before = (simulation.state.clone(), simulation.statistics);
        let mut touched = None;
        let (name, end) = (&self.plan.name, self.recording.outputs().end());
        let (clock, wall) = (processor_time(), Instant::now());
        let pause = self.recording.advance(|simulation, report| {
            watch.step(name, simulation.state.time, end);
            if to_contact && report.contacts > 0 {
                touched = Some(simulation.state.time);
            } else if to_contact {
                before = (simulation.state.clone(), simulation.statistics);
            }
            touched.is_none() && !watch.stop()
        });
        let cpu = processor_time() - clock;
        self.counts.cpu += cpu;
        self.stepping_cpu += cpu;
        self.stepping += wall.elapsed();
        if touched.is_some() {
            let simulation = &mut self.recording.simulation;
            (simulation.state, simulation.statistics) = before;
            self.counts.first_contact = touched;
        }
        pause
    }

    fn output(&mut self) -> Result<()> {
        self.recording.output()?;
        self.count_cost();
        Ok(())
    }

    fn count_cost(&mut self) {
        let Simulation {
            state, statistics, ..
        } = &self.recording.simulation;
        self.counts.cost.push(Cost {
            time: state.time,
            steps: statistics.steps,
            iterations: statistics.newton_iterations,
            cpu: self.counts.cpu,
        });
    }

    fn save(&mut self) -> Result<()> {
        let Simulation {
            state, statistics, ..
        } = &self.recording.simulation;
        self.counts.statistics = *statistics;
        self.counts.end = state.time;
        let checkpoint = Checkpoint {
            state: state.clone(),
            counts: self.counts.clone(),
            next: self.recording.next(),
        };
        self.recording.save(&checkpoint)?;
        Ok(())
    }

    fn finish(&mut self, outcome: &str, reason: &str) -> Result<()> {
        // The last frame is not of the checkpoint: a run killed right here would write it again.
        self.save()?;
        if self.recording.output_end()? {
            self.count_cost();
        }
        let counts = &self.counts;
        let own = serde_json::to_value(counts).unwrap_or_default();
        let summary = RunSummary::of(&self.recording.simulation, outcome, reason);
        let summary = RunSummary {
            first_contact_s: counts.first_contact.or(summary.first_contact_s),
            cpu_s: counts.cpu,
            wall_s: self.stepping.as_secs_f64(),
            phases_s: phases(&self.recording.simulation),
            extra: BTreeMap::from([
                (COUNTS.to_owned(), own),
                (STEPPING_CPU.to_owned(), self.stepping_cpu.into()),
            ]),
            ..summary
        };
        self.recording.directory().finish(&summary)?;
        Ok(())
    }
}

/// Processor time by part of the step that took any, s: of this process alone, not of earlier ones
/// that the run goes on from.
fn phases(simulation: &Simulation) -> BTreeMap<String, f64> {
    let phases = simulation.phases();
    let taken = phases.seconds().filter(|(_, seconds)| *seconds > 0.0);
    taken
        .map(|(name, seconds)| (name.to_owned(), seconds))
        .collect()
}

#[cfg(test)]
mod tests;
