//! A run in its directory: begun, resumed after a kill, or found finished.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use glam::DVec3;
use serde::{Deserialize, Serialize};
use writhe::model::Model;
use writhe::observe::{self, observe};
use writhe::simulation::{Simulation, Statistics};
use writhe::state::State;
use writhe_rundir::{
    Column, Frame, RodLayout, RunDirError, RunDirectory, RunLayout, RunReader, RunSummary,
};
use writhe_scenes::{Scene, SceneError, template};

use crate::error::{ReproduceError, Result};
use crate::plan::{End, Grid, RunPlan, Start};
use crate::runner::Watch;
use crate::usage::process_cpu;

/// A run is saved at least this often on the clock.
const SAVE_AFTER: Duration = Duration::from_secs(20);
/// First line of a run's scene: what the run is.
const IDENTITY: &str = "# run: ";
/// Key of the counts in the summary.
const COUNTS: &str = "run";

/// What a run needs to go on bit for bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Checkpoint {
    state: State,
    counts: Counts,
    /// Index of the output that comes next.
    next: u64,
}

/// What a run counted; stands in its `summary.json`, which later versions of the program read even where they cannot go on from its state.
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
    /// Processor time, s. Enters no result of the simulation.
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
    /// Processor time, s.
    pub cpu: f64,
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

/// Runs `plan` in its directory below `runs` unless it is over; runs that it starts from come first.
pub(crate) fn complete(plan: &RunPlan, runs: &Path, watch: &mut dyn Watch) -> Result<FinishedRun> {
    let path = runs.join(&plan.name);
    if let Some(finished) = finished(plan, runs)? {
        return Ok(finished);
    }
    let before = match &plan.start {
        Start::Rest => None,
        Start::BeforeContact(before) => Some(complete(before, runs, watch)?.before_contact()?),
    };
    let mut run = begin(plan, &path, before)?;
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
    let ended = |summary: &&RunSummary| ["finished", "stopped"].contains(&summary.outcome.as_str());
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
    directory: RunDirectory,
    simulation: Simulation,
    /// Its statistics and end are filled in when it is saved.
    counts: Counts,
    next: u64,
    grid: Grid,
    end: f64,
    saved: Instant,
}

fn begin<'a>(plan: &'a RunPlan, path: &Path, before: Option<State>) -> Result<Run<'a>> {
    let (text, mut simulation) = build(plan)?;
    match RunDirectory::resume::<Checkpoint>(path) {
        Ok((directory, checkpoint)) => {
            let Checkpoint {
                state,
                counts,
                next,
            } = checkpoint;
            simulation.state = state;
            simulation.statistics = counts.statistics;
            return Ok(Run::new(plan, directory, simulation, counts, next));
        }
        // Killed before its first checkpoint: nothing is lost by starting again.
        Err(RunDirError::NoCheckpoint { .. } | RunDirError::NotARun { .. }) => {
            remove_unstarted(path)?;
        }
        Err(error) => return Err(error.into()),
    }
    if let Some(before) = before {
        // What contact remembers and the step size belong to this run's own model and scheme.
        let (contact, control) = (simulation.state.contact.clone(), simulation.state.control);
        simulation.state = State {
            contact,
            control,
            ..before
        };
    }
    let directory = RunDirectory::create(path, &layout(&simulation.model), &text)?;
    let start = simulation.state.time;
    let counts = Counts {
        statistics: Statistics::default(),
        start,
        end: start,
        first_contact: None,
        cpu: 0.0,
        cost: Vec::new(),
    };
    let next = Grid::new(plan.every, f64::INFINITY).after(start);
    let mut run = Run::new(plan, directory, simulation, counts, next);
    run.append_frame()?;
    run.save()?;
    Ok(run)
}

/// A directory that holds at most a scene and empty files is started again.
fn remove_unstarted(path: &Path) -> Result<()> {
    if path.join("scene.toml").exists() {
        fs::remove_dir_all(path).map_err(|error| ReproduceError::io("removing", path, error))?;
    }
    Ok(())
}

/// Text of the scene with every default, and the simulation at rest.
fn build(plan: &RunPlan) -> Result<(String, Simulation)> {
    let wrong = |source: SceneError| ReproduceError::Scene {
        run: plan.name.clone(),
        source: Box::new(source),
    };
    let text = template("flagella").unwrap_or_default();
    let mut scene = Scene::parse(text, "flagella.toml").map_err(wrong)?;
    scene.set_all(&plan.sets).map_err(wrong)?;
    let setup = scene.build().map_err(wrong)?;
    let resolved = scene.resolved().map_err(wrong)?;
    Ok((
        format!("{IDENTITY}{}\n{resolved}", plan.identity()),
        Simulation::new(setup.model, setup.state, setup.step),
    ))
}

fn layout(model: &Model) -> RunLayout {
    let rods = model.topology.rods.iter().map(|rod| RodLayout {
        nodes: rod.nodes,
        closed: rod.closed,
    });
    let columns = observe::columns(model).into_iter();
    RunLayout {
        rods: rods.collect(),
        radius: model.radius.clone(),
        observables: columns
            .map(|(name, unit)| Column::new(name, unit))
            .collect(),
        ..RunLayout::default()
    }
}

/// Why the simulation returned.
enum Pause {
    Output,
    Save,
    Contact,
    Interrupted,
}

impl<'a> Run<'a> {
    fn new(
        plan: &'a RunPlan,
        directory: RunDirectory,
        simulation: Simulation,
        counts: Counts,
        next: u64,
    ) -> Self {
        let end = match plan.end {
            End::At(time) | End::FirstContact { by: time } => time,
            End::After(time) => counts.start + time,
        };
        Self {
            plan,
            directory,
            simulation,
            counts,
            next,
            grid: Grid::new(plan.every, end),
            end,
            saved: Instant::now(),
        }
    }

    /// Steps to the end, writing frames and checkpoints; a step that cannot be made is an end too, with its reason.
    fn advance(&mut self, watch: &mut dyn Watch) -> Result<()> {
        loop {
            if self.simulation.state.time >= self.end {
                return self.finish("finished", "the end of the simulated time");
            }
            match self.run_to_output(watch) {
                Ok(Pause::Output) => {
                    self.append_frame()?;
                    self.next += 1;
                    if self.saved.elapsed() > SAVE_AFTER {
                        self.save()?;
                    }
                }
                Ok(Pause::Save) => self.save()?,
                Ok(Pause::Contact) => return self.finish("finished", "first contact"),
                Ok(Pause::Interrupted) => {
                    self.save()?;
                    return Err(ReproduceError::Interrupted);
                }
                Err(reason) => return self.finish("stopped", &reason),
            }
        }
    }

    fn run_to_output(&mut self, watch: &mut dyn Watch) -> std::result::Result<Pause, String> {
        let to_contact = matches!(self.plan.end, End::FirstContact { .. });
        let mut before = (self.simulation.state.clone(), self.simulation.statistics);
        let (mut touched, mut interrupted) = (None, false);
        let (name, end, saved) = (&self.plan.name, self.end, self.saved);
        let clock = process_cpu();
        let target = self.grid.time(self.next);
        let reached = self.simulation.run_until(target, |simulation, report| {
            watch.step(name, simulation.state.time, end);
            interrupted = watch.stop();
            if to_contact {
                if report.contacts > 0 {
                    touched = Some(simulation.state.time);
                    return false;
                }
                before = (simulation.state.clone(), simulation.statistics);
            }
            !interrupted && saved.elapsed() < SAVE_AFTER
        });
        self.counts.cpu += process_cpu() - clock;
        if touched.is_some() {
            (self.simulation.state, self.simulation.statistics) = before;
            self.counts.first_contact = touched;
            return Ok(Pause::Contact);
        }
        match reached {
            Ok(true) => Ok(Pause::Output),
            Ok(false) if interrupted => Ok(Pause::Interrupted),
            Ok(false) => Ok(Pause::Save),
            Err(error) => Err(error.to_string()),
        }
    }

    fn append_frame(&mut self) -> Result<()> {
        let Simulation {
            model,
            state,
            statistics,
            ..
        } = &self.simulation;
        let observables = observe(model, state).map_err(|error| ReproduceError::State {
            run: self.plan.name.clone(),
            reason: error.to_string(),
        })?;
        let arrays = |vectors: Vec<DVec3>| -> Vec<[f64; 3]> {
            vectors.iter().map(DVec3::to_array).collect()
        };
        let frame = Frame {
            time: state.time,
            positions: &arrays(model.positions(state)),
            directors: &arrays(model.directors(state)),
            extra: &[],
        };
        self.directory.append(&frame, &observables.row())?;
        self.counts.cost.push(Cost {
            time: state.time,
            steps: statistics.steps,
            iterations: statistics.newton_iterations,
            cpu: self.counts.cpu,
        });
        Ok(())
    }

    fn save(&mut self) -> Result<()> {
        self.counts.statistics = self.simulation.statistics;
        self.counts.end = self.simulation.state.time;
        self.directory.checkpoint(&Checkpoint {
            state: self.simulation.state.clone(),
            counts: self.counts.clone(),
            next: self.next,
        })?;
        self.saved = Instant::now();
        Ok(())
    }

    fn finish(&mut self, outcome: &str, reason: &str) -> Result<()> {
        let shown = self.counts.cost.last().map(|cost| cost.time);
        if shown.is_none_or(|time| time < self.simulation.state.time) {
            self.append_frame()?;
        }
        self.save()?;
        let counts = &self.simulation.statistics;
        let own = serde_json::to_value(&self.counts).unwrap_or_default();
        self.directory.finish(&RunSummary {
            outcome: outcome.to_owned(),
            reason: reason.to_owned(),
            simulated_s: self.simulation.state.time,
            steps: counts.steps,
            rejected_steps: counts.rejected_steps,
            newton_iterations: counts.newton_iterations,
            first_contact_s: self.counts.first_contact.or(counts.first_contact),
            smallest_gap_m: counts.smallest_gap,
            // A step in which rods cross is never accepted.
            crossings: 0,
            cpu_s: self.counts.cpu,
            extra: BTreeMap::from([(COUNTS.to_owned(), own)]),
            ..RunSummary::default()
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{bundle, rods};

    struct Nobody;

    impl Watch for Nobody {
        fn say(&mut self, _line: &str) {}
        fn step(&mut self, _name: &str, _time: f64, _end: f64) {}
        fn stop(&self) -> bool {
            false
        }
    }

    fn plan(name: &str, sets: &[&str], start: Start, end: End) -> RunPlan {
        let sets = sets.iter().copied().chain(["scene.edges=16"]);
        RunPlan {
            name: name.to_owned(),
            sets: sets.map(str::to_owned).collect(),
            start,
            end,
            every: 0.1,
        }
    }

    #[test]
    fn a_step_that_cannot_be_made_ends_a_run_with_a_reason() {
        let place = tempfile::tempdir().unwrap();
        let sets = ["time.max_iterations=1", "time.smallest_step=0.02"];
        let plan = plan("stuck", &sets, Start::Rest, End::At(1.0));
        let run = complete(&plan, place.path(), &mut Nobody).unwrap();
        assert_eq!(run.summary.outcome, "stopped");
        assert!(
            run.summary.reason.contains("step"),
            "{}",
            run.summary.reason
        );
        assert!(run.counts.end < 1.0);
        // It is over: asking again does not run it again.
        let again = complete(&plan, place.path(), &mut Nobody).unwrap();
        assert_eq!(again.counts, run.counts);
    }

    #[test]
    fn runs_go_on_from_the_last_state_without_contact() {
        let place = tempfile::tempdir().unwrap();
        let near = ["scene.side=4 mm"];
        let end = End::FirstContact { by: 60.0 };
        let before = plan("before", &near, Start::Rest, end);
        let start = Start::BeforeContact(Box::new(before.clone()));
        let sets = ["scene.side=4 mm", "time.step=0.002"];
        let after = plan("after", &sets, start, End::After(0.2));
        let after = complete(&after, place.path(), &mut Nobody).unwrap();
        let before = complete(&before, place.path(), &mut Nobody).unwrap();

        let last = rods(&before.reader, before.reader.frames() - 1).unwrap();
        assert_eq!(rods(&after.reader, 0).unwrap(), last);
        assert!(bundle(&last, 2.01e-3).contact.is_none());
        let contact = before.counts.first_contact.unwrap();
        assert!(contact > before.counts.end);
        assert_eq!(before.counts.statistics.contact_steps, 0);
        assert!(after.counts.statistics.contact_steps > 0);
        assert_eq!(after.counts.start, before.counts.end);
        assert!((after.counts.end - after.counts.start - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_run_without_contact_starts_none() {
        let place = tempfile::tempdir().unwrap();
        let before = plan("before", &[], Start::Rest, End::FirstContact { by: 0.2 });
        let start = Start::BeforeContact(Box::new(before));
        let after = plan("after", &[], start, End::After(0.2));
        assert!(matches!(
            complete(&after, place.path(), &mut Nobody),
            Err(ReproduceError::NoContact { .. })
        ));
    }
}
