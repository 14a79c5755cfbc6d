//! What fixed steps and steps that follow `time.accuracy` get wrong, and what they cost:
//! `accuracy_against_cost [SCENE ..]`, of `flagella`, `knot`, `plectoneme` and `wilberforce`; minutes
//! for all.
//!
//! The error is the largest distance of a node, in radii, from a run with far smaller steps, over ten
//! frames at equal times; where steps follow an accuracy, frames lie within them. Beside it stands
//! the mean distance at the last frame.

use std::time::Instant;

use glam::DVec3;
use writhe::simulation::{Simulation, SimulationError, Statistics};
use writhe_results::provenance;
use writhe_results::table::{Table, number};
use writhe_rundir::processor_time;
use writhe_scenes::Scene;

/// Frames that are compared.
const FRAMES: u32 = 10;

/// A scene, the time over which it runs, and the steps that are compared.
struct Case {
    name: &'static str,
    scene: &'static str,
    /// Simulated time, s.
    span: f64,
    /// Fixed steps, s, the last for what others are compared with.
    steps: &'static [f64],
    /// Accuracies, radii.
    accuracies: &'static [f64],
}

const CASES: [Case; 4] = [
    Case {
        name: "flagella",
        scene: "[scene]\nname = \"flagella\"\ncount = 2\n",
        span: 20.0,
        steps: &[40e-3, 20e-3, 10e-3, 2.5e-3],
        accuracies: &[0.3, 0.1, 0.03, 0.01],
    },
    Case {
        name: "knot",
        scene: "[scene]\nname = \"knot\"\nunknotting_number = 1\n",
        span: 8.0,
        steps: &[20e-3, 10e-3, 5e-3, 1.25e-3],
        accuracies: &[0.3, 0.1, 0.03],
    },
    Case {
        name: "plectoneme",
        scene: "[scene]\nname = \"plectoneme\"\nperturbation = \"3 mm\"\n",
        span: 6.0,
        steps: &[5e-3, 2.5e-3, 1e-3, 0.5e-3],
        accuracies: &[0.3, 0.1],
    },
    Case {
        name: "wilberforce",
        scene: "[scene]\nname = \"wilberforce\"\n[time]\nsettle = true\nscheme = \"bdf2\"\n",
        span: 1.0,
        steps: &[10e-3, 5e-3, 2e-3, 0.5e-3],
        accuracies: &[0.3, 0.1],
    },
];

/// Frames of a run, and what it took.
struct Run {
    frames: Vec<Vec<DVec3>>,
    counts: Statistics,
    /// Processor time of the steps, s.
    time: f64,
    radius: f64,
}

impl Case {
    /// A run with these keys beside those of the scene.
    fn run(&self, keys: &[String]) -> Result<Run, Box<dyn std::error::Error>> {
        let mut scene = Scene::parse(self.scene, self.name)?;
        scene.set(&format!("time.duration={:?}", self.span))?;
        scene.set_all(keys)?;
        let mut simulation = scene.build()?.begin()?;
        let began = processor_time();
        let mut frames = Vec::new();
        for frame in 1..=FRAMES {
            let time = self.span * f64::from(frame) / f64::from(FRAMES);
            frames.push(frame_at(&mut simulation, time, self.span)?);
        }
        Ok(Run {
            frames,
            counts: simulation.statistics,
            time: processor_time() - began,
            radius: simulation.model.length_scale(),
        })
    }

    /// The table of this scene.
    fn table(&self) -> Result<Table, Box<dyn std::error::Error>> {
        let header = [
            "steps",
            "largest error",
            "mean at last",
            "time, s",
            "steps",
            "its/step",
        ];
        let mut table = Table::new(&header).with_text(1);
        let fixed = |step: &f64| format!("time.step={step:?}");
        let tight = ["tolerance", "residual_tolerance"].map(|key| format!("time.{key}=1e-8"));
        let [others @ .., finest] = self.steps else {
            return Ok(table);
        };
        let truth = self.run(&[&[fixed(finest)][..], &tight].concat())?;
        for step in others {
            let run = self.run(&[fixed(step)])?;
            table.row(run.cells(format!("{} ms", number(1e3 * step, 2)), Some(&truth)));
        }
        for accuracy in self.accuracies {
            let keys = [fixed(&others[0]), format!("time.accuracy={accuracy:?}")];
            let run = self.run(&keys)?;
            table.row(run.cells(format!("accuracy {accuracy}"), Some(&truth)));
        }
        table.row(truth.cells(format!("truth: {} ms", number(1e3 * finest, 3)), None));
        Ok(table)
    }
}

impl Run {
    fn cells(&self, what: String, truth: Option<&Self>) -> Vec<String> {
        let [largest, mean] = truth.map_or([f64::NAN; 2], |truth| self.error(truth));
        let steps = self.counts.steps;
        let iterations = self.counts.newton_iterations as f64 / steps.max(1) as f64;
        vec![
            what,
            number(largest, 2),
            number(mean, 2),
            number(self.time, 3),
            steps.to_string(),
            number(iterations, 3),
        ]
    }

    /// Largest distance of a node from where it is in `truth`, and the mean at the last frame, in
    /// radii.
    fn error(&self, truth: &Self) -> [f64; 2] {
        let (mut largest, mut mean) = (0.0_f64, 0.0);
        for (frame, exact) in self.frames.iter().zip(&truth.frames) {
            let apart = frame.iter().zip(exact).map(|(a, b)| a.distance(*b));
            mean = apart.clone().sum::<f64>() / frame.len() as f64;
            largest = apart.fold(largest, f64::max);
        }
        [largest / self.radius, mean / self.radius]
    }
}

/// Positions of nodes at `time`, s, of a run that ends at `end`, s.
fn frame_at(
    simulation: &mut Simulation,
    time: f64,
    end: f64,
) -> Result<Vec<DVec3>, SimulationError> {
    while !simulation.has_reached(time) {
        match simulation.settings.accuracy {
            Some(_) => simulation.step_past(time, end)?,
            None => simulation.step_towards(time, simulation.state.control.dt)?,
        };
    }
    let within = simulation.within(time);
    Ok(simulation
        .model
        .positions(within.as_ref().unwrap_or(&simulation.state)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if let Some(name) = names
        .iter()
        .find(|name| CASES.iter().all(|case| case.name != **name))
    {
        let known = CASES.map(|case| case.name).join(", ");
        return Err(format!("there is no scene `{name}` here: {known}").into());
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    let values = provenance::values();
    let made = provenance::COLUMNS.iter().zip(&values);
    let made: Vec<String> = made
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    println!("{}; one thread\n", made.join(", "));
    let wall = Instant::now();
    for case in CASES
        .iter()
        .filter(|case| names.is_empty() || names.iter().any(|n| n == case.name))
    {
        println!("{}, {} s\n{}", case.name, case.span, case.table()?);
    }
    eprintln!("{:.0} s", wall.elapsed().as_secs_f64());
    Ok(())
}
