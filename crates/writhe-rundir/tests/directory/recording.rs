//! A simulation recorded in a run directory: frames at the output times and where it ends, and a
//! stop that changes no byte.

use crate::common;
use std::fs;
use std::path::Path;

use common::{differences, fast_place};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use writhe::model::ModelBuilder;
use writhe::observe::{ObservableSink, Observer};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, Statistics};
use writhe::state::State;
use writhe::step::{Accuracy, Scheme, StepSettings};
use writhe::stop::{Met, Stop};
use writhe_rundir::{Outputs, Pause, Recording, RunDirError, RunDirectory, RunReader, RunSummary};

const SCENE: &str = "# a falling rod\n";

#[derive(Debug, Serialize, Deserialize)]
struct Checkpoint {
    state: State,
    statistics: Statistics,
    next: u64,
}

/// A free rod that falls, started at `start`, s.
fn falling(start: f64) -> Simulation {
    let nodes = (0..5).map(|i| DVec3::new(0.1 * f64::from(i), 0.0, 0.0));
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let rod = Rod::open(nodes.collect(), section).unwrap();
    let builder = ModelBuilder::new().rod(rod);
    let (model, mut state) = builder.gravity(-9.81 * DVec3::Z).build().unwrap();
    state.time = start;
    let settings = StepSettings {
        dt: 3e-3,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn outputs() -> Outputs {
    Outputs::new(0.01, 0.004, 0.025)
}

fn outputs_include(time: f64) -> bool {
    let all = outputs().first()..=outputs().last();
    all.into_iter().any(|index| outputs().time(index) == time)
}

fn save(run: &mut Recording<impl Observer>) {
    let checkpoint = Checkpoint {
        state: run.simulation.state.clone(),
        statistics: run.simulation.statistics,
        next: run.next(),
    };
    run.save(&checkpoint).unwrap();
}

/// An observable from outside: the height of the first node.
#[derive(Debug)]
struct Height;

impl Observer for Height {
    fn observe(&self, simulation: &Simulation, sink: &mut dyn ObservableSink) {
        sink.visit(&"height", "m", simulation.state.q[2]);
    }
}

/// Begins the run in `path`, or goes on with it, for at most `steps` steps.
fn run(path: &Path, steps: u32) -> Recording<Height> {
    let mut run = match RunDirectory::resume_if_started::<Checkpoint>(path).unwrap() {
        Some((directory, checkpoint)) => {
            let mut simulation = falling(0.004);
            simulation.state = checkpoint.state;
            simulation.statistics = checkpoint.statistics;
            Recording::resumed(directory, simulation, outputs(), checkpoint.next, Height)
        }
        None => {
            let run = Recording::create(path, SCENE, falling(0.004), outputs(), Height);
            let mut run = run.unwrap();
            run.output().unwrap();
            save(&mut run);
            run
        }
    };
    let mut left = steps;
    while !run.is_over() {
        let pause = run.advance(|_, _| {
            left -= 1;
            left > 0
        });
        match pause.unwrap() {
            Pause::Output => run.output().unwrap(),
            Pause::Save | Pause::Met => {}
            Pause::Asked => break,
        }
        if left == 0 {
            break;
        }
    }
    save(&mut run);
    run
}

fn end(run: &mut Recording<Height>) {
    run.output_end().unwrap();
    let summary = RunSummary::of(&run.simulation, "finished", "it fell");
    run.directory().finish(&summary).unwrap();
}

#[test]
fn frames_are_at_the_start_the_multiples_and_the_end() {
    let place = fast_place();
    let path = place.path().join("run");
    let mut recording = run(&path, u32::MAX);
    end(&mut recording);
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.times().unwrap(), [0.004, 0.01, 0.02, 0.025]);
    let heights = reader.observable("height").unwrap().values.clone();
    for (frame, height) in heights.iter().enumerate() {
        assert_eq!(reader.positions(frame).unwrap()[0][2], *height);
    }
    assert!(heights[3] < heights[0]);
    let summary = reader.summary().unwrap();
    assert_eq!(summary.simulated_s, 0.025);
    assert_eq!(summary.steps, recording.simulation.statistics.steps);
}

#[test]
fn stops_between_outputs_change_no_byte() {
    let place = fast_place();
    let (whole, stopped) = (place.path().join("whole"), place.path().join("stopped"));
    end(&mut run(&whole, u32::MAX));
    for steps in [3, 2] {
        // The state at the stop is a frame of its own until the run goes on.
        let mut stop = run(&stopped, steps);
        assert!(!stop.is_over());
        end(&mut stop);
        let time = stop.simulation.state.time;
        assert!(!outputs_include(time));
        drop(stop);
        let times = RunReader::open(&stopped).unwrap().times().unwrap();
        assert_eq!(times.last(), Some(&time));
    }
    end(&mut run(&stopped, u32::MAX));
    // The checkpoint before the last is of another moment.
    let previous = Path::new("checkpoint.previous.bin");
    assert_eq!(differences(&whole, &stopped), [previous]);
}

/// A cantilever that swings out, in steps that follow an accuracy and pass outputs, several at once;
/// stopped after every so many steps and begun again from its checkpoint.
fn swinging(path: &Path, outputs: Outputs, steps: u32) -> Recording {
    loop {
        let nodes = (0..9).map(|i| DVec3::new(0.02 * f64::from(i), 0.0, 0.0));
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 2e-3);
        let rod = Rod::open(nodes.collect(), section).unwrap();
        let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
        let (model, state) = builder.gravity(-9.81 * DVec3::Z).build().unwrap();
        let settings = StepSettings {
            dt: 0.4,
            scheme: Scheme::Bdf2,
            step_tolerance: 1e-5,
            accuracy: Some(Accuracy {
                error: 0.3,
                over: 0.4,
                first: 1e-3,
            }),
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let mut run = match RunDirectory::resume_if_started::<Checkpoint>(path).unwrap() {
            Some((directory, checkpoint)) => {
                simulation.state = checkpoint.state;
                simulation.statistics = checkpoint.statistics;
                Recording::resumed(directory, simulation, outputs, checkpoint.next, ())
                    .passing_outputs()
            }
            None => {
                let run = Recording::create(path, SCENE, simulation, outputs, ());
                let mut run = run.unwrap().passing_outputs();
                run.output().unwrap();
                save(&mut run);
                run
            }
        };
        let mut left = steps;
        while !run.is_over() {
            let pause = run.advance(|_, _| {
                left = left.saturating_sub(1);
                left > 0
            });
            match pause.unwrap() {
                Pause::Output => run.output().unwrap(),
                Pause::Save | Pause::Met => {}
                Pause::Asked => break,
            }
        }
        assert!(!run.is_pending());
        save(&mut run);
        if run.is_over() {
            return run;
        }
    }
}

#[test]
fn outputs_within_steps_are_at_their_times_and_bound_no_step() {
    let place = fast_place();
    let [dense, few] = ["dense", "few"].map(|name| place.path().join(name));
    let many = swinging(&dense, Outputs::new(5e-4, 0.0, 0.4), u32::MAX);
    let bare = swinging(&few, Outputs::new(0.4, 0.0, 0.4), u32::MAX);
    // The same steps, whatever is looked at, bit for bit.
    assert_eq!(many.simulation.state, bare.simulation.state);
    assert_eq!(many.simulation.statistics, bare.simulation.statistics);
    let steps = many.simulation.statistics.steps;
    assert!(steps < 400, "{steps} steps for 800 outputs");
    let reader = RunReader::open(&dense).unwrap();
    let times = reader.times().unwrap();
    assert_eq!(times.len(), 801);
    for (k, time) in times.iter().enumerate() {
        assert_eq!(*time, if k == 800 { 0.4 } else { 5e-4 * k as f64 });
    }
    // The tip moves evenly from frame to frame: no frame is that of a neighbour.
    let tip = |frame: usize| reader.positions(frame).unwrap()[8][2];
    let heights: Vec<f64> = (0..801).map(tip).collect();
    for k in 100..799 {
        let second = heights[k + 1] - 2.0 * heights[k] + heights[k - 1];
        assert!(second.abs() < 2e-5, "{k}: {second:e}");
    }
}

#[test]
fn stops_of_steps_that_pass_outputs_change_no_byte() {
    let place = fast_place();
    let [whole, stopped] = ["whole", "stopped"].map(|name| place.path().join(name));
    let outputs = Outputs::new(7e-4, 0.0, 0.1);
    drop(swinging(&whole, outputs, u32::MAX));
    drop(swinging(&stopped, outputs, 5));
    let previous = Path::new("checkpoint.previous.bin");
    assert_eq!(differences(&whole, &stopped), [previous]);
}

#[test]
fn what_a_run_leaves_before_its_first_checkpoint_is_removed() {
    let place = fast_place();
    let path = place.path().join("run");
    let resume = || RunDirectory::resume_if_started::<Checkpoint>(&path);
    assert!(resume().unwrap().is_none());
    drop(Recording::create(&path, SCENE, falling(0.0), outputs(), ()).unwrap());
    assert!(resume().unwrap().is_none());
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);

    drop(Recording::create(&path, SCENE, falling(0.0), outputs(), ()).unwrap());
    fs::write(path.join("notes.txt"), "precious").unwrap();
    assert!(matches!(
        resume().unwrap_err(),
        RunDirError::NoCheckpoint { .. }
    ));
    assert!(path.join("notes.txt").exists() && path.join("scene.toml").exists());
}

#[test]
fn a_condition_ends_a_run_where_it_is_met_and_a_killed_one_stays_there() {
    /// The rod, whose first node is held: the support carries it, 3e-4 N, from the first step on.
    fn held(stop: Stop, path: &Path, steps: u32) -> Recording {
        let mut simulation = falling(0.004);
        let nodes = (0..5).map(|i| DVec3::new(0.1 * f64::from(i), 0.0, 0.0));
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
        let rod = Rod::open(nodes.collect(), section).unwrap();
        let builder = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .gravity(-9.81 * DVec3::Z);
        let (model, mut state) = builder.build().unwrap();
        state.time = 0.004;
        state.control.dt = 1e-4;
        let settings = StepSettings {
            dt: 1e-4,
            ..simulation.settings
        };
        simulation = Simulation::new(model, state, settings);
        let found = RunDirectory::resume_if_started::<Checkpoint>(path).unwrap();
        let mut run = match found {
            Some((directory, checkpoint)) => {
                simulation.state = checkpoint.state;
                simulation.statistics = checkpoint.statistics;
                Recording::resumed(directory, simulation, outputs(), checkpoint.next, ())
            }
            None => {
                let run = Recording::create(path, SCENE, simulation, outputs(), ());
                let mut run = run.unwrap();
                run.output().unwrap();
                run
            }
        }
        .ended_by(stop);
        let mut left = steps;
        while !run.is_over() && left > 0 {
            let pause = run.advance(|_, _| {
                left -= 1;
                left > 0
            });
            if pause.unwrap() == Pause::Output {
                run.output().unwrap();
            }
        }
        save(&mut run);
        run
    }
    let stop = Stop {
        force: Some(1e-6),
        ..Stop::default()
    };
    let place = fast_place();
    let path = place.path().join("met");
    let run = held(stop, &path, u32::MAX);
    // Looked at after each step.
    assert_eq!(run.simulation.state.step, 1);
    assert!(matches!(run.met(), Some(Met::Force { constraint: 0, .. })));
    assert!(run.is_behind());
    let there = run.simulation.state.clone();
    drop(run);
    // Killed before its summary was written, it has nothing left to simulate.
    let again = held(stop, &path, u32::MAX);
    assert_eq!(again.simulation.state, there);
    assert!(again.met().is_some());
    // Without the condition it goes on.
    drop(again);
    assert_eq!(
        held(Stop::default(), &path, u32::MAX).simulation.state.time,
        0.025
    );
}
