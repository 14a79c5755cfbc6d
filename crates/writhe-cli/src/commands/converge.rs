//! `writhe converge`: what a quantity comes to when steps and edges are halved.

use writhe::observe::Entry;

use crate::args::{Assignment, ConvergeArgs, SceneArgs};
use crate::console;
use crate::converge::expected;
use crate::converge::mesh;
use crate::converge::runs::{Level, Run, levels, run as run_level};
use crate::converge::series::Expected;
use crate::converge::tell::{self, Base, Proposal};
use crate::converge::{Found, proposal};
use crate::format::short_time;
use crate::interrupt;
use crate::observable::{Observable, When, look};
use crate::report::{Failure, Result};
use crate::scene::{self, RunnableScene};

/// Runs of a series at least: fewer have no order.
const FEWEST: usize = 3;
/// Runs of a series at most: the last takes a hundred times as long as the first, or thousands.
const MOST: usize = 8;
/// Part of a tolerance that Newton's method leaves.
const LEFT: f64 = 0.1;
/// Part of the wanted error that is nothing.
const NOTHING: f64 = 0.01;

/// Makes the runs and tells what they come to.
///
/// # Errors
/// Bad input, a run that fails, an interrupt.
pub fn run(args: &ConvergeArgs) -> Result<()> {
    check_counts(args)?;
    let scene = scene::read(&args.scene, args.duration.as_deref())?;
    check_steps(args, &scene)?;
    let first = scene.simulation()?;
    let all = look(&first).map_err(Failure::failed)?;
    let observables = wanted(args, &all, scene.outputs().end())?;
    let base = Base {
        step: scene.step(),
        edges: first.model.topology.edges(),
    };
    if let Some(shorter) = scene.spec().step_between_outputs() {
        console::tell(&format!(
            "note: `writhe run` makes steps of {} here, since outputs end them;\nthose compared below are as long as time.step\n",
            short_time(shorter)
        ))?;
    }
    let interrupt = interrupt::listen()?;
    let levels = levels(args.steps, args.meshes);
    let mut runs: Vec<Run> = Vec::new();
    for (k, level) in levels.iter().enumerate() {
        let (step, edges) = (
            base.step * 0.5_f64.powi(level.step as i32),
            base.edges << level.mesh,
        );
        console::print_progress(&format!(
            "  run {} of {}: steps of {}, {edges} edges\n",
            k + 1,
            levels.len(),
            short_time(step),
        ));
        let finer = finer(args, &scene, *level)?;
        runs.push(run_level(&finer, *level, &observables, &interrupt)?);
    }
    let found: Vec<Found> = observables
        .into_iter()
        .enumerate()
        .map(|(which, observable)| {
            let entry = all.iter().find(|entry| entry.name == observable.name);
            let unit = entry.map_or(String::new(), |entry| entry.unit.clone());
            let expected = expected_of(args, &scene, runs[0].values[which]);
            Found::of(&runs, observable, unit, which, expected)
        })
        .collect();
    let wish = args.error.map(|wanted| {
        let choice = proposal(&found, &runs, wanted);
        Proposal {
            wanted,
            choice,
            sets: choice.map_or(Vec::new(), |choice| {
                tell::sets(base, choice, mesh::finer(scene.toml(), choice.mesh))
            }),
        }
    });
    console::print(&if args.json {
        format!("{:#}\n", tell::json(base, &found, wish.as_ref()))
    } else {
        tell::text(base, &found, wish.as_ref())
    })
}

/// What is expected of halved steps and edges, for a quantity of this size.
fn expected_of(args: &ConvergeArgs, scene: &RunnableScene, size: f64) -> [Expected; 2] {
    let spec = scene.spec();
    let of = |order| Expected {
        order,
        // Forces balance to this part of the largest, and mostly far better.
        noise: LEFT * spec.time.residual_tolerance.si() * size.abs(),
        slight: args.error.map_or(0.0, |wanted| NOTHING * wanted.of(size)),
    };
    [of(expected::of_steps(spec)), of(expected::OF_MESH)]
}

/// Refuses to halve a step that says only where the run begins.
fn check_steps(args: &ConvergeArgs, scene: &RunnableScene) -> Result<()> {
    if args.steps == 1 || scene.spec().time.accuracy.is_none() {
        return Ok(());
    }
    Err(Failure::bad_input(
        "with time.accuracy steps choose their own size, so halving time.step changes only the first one",
    )
    .help("leave time.accuracy out of the scene, or take --steps 1 to halve the edges only"))
}

fn check_counts(args: &ConvergeArgs) -> Result<()> {
    for (flag, count) in [("--steps", args.steps), ("--meshes", args.meshes)] {
        if count != 1 && !(FEWEST..=MOST).contains(&count) {
            return Err(Failure::bad_input(format!(
                "{flag} {count}: an order needs {FEWEST} runs or more, and {MOST} are the most"
            ))
            .help(format!("take {FEWEST}, or 1 to halve only the other")));
        }
    }
    if args.steps == 1 && args.meshes == 1 {
        return Err(
            Failure::bad_input("--steps 1 and --meshes 1: nothing would be halved")
                .help("take 3 of one of them"),
        );
    }
    Ok(())
}

/// The observables, which must be there; without any named the elastic energy.
fn wanted(args: &ConvergeArgs, all: &[Entry], end: f64) -> Result<Vec<Observable>> {
    let mut observables = args.observable.clone();
    if observables.is_empty() {
        observables.push(Observable {
            name: "energy_bend".to_owned(),
            when: When::End,
        });
    }
    for observable in &observables {
        if !all.iter().any(|entry| entry.name == observable.name) {
            return Err(unknown(&observable.name, all));
        }
        if let Some(time) = observable.latest().filter(|time| *time > end) {
            return Err(Failure::bad_input(format!(
                "{observable}: the run ends at {end} s, before {time} s"
            ))
            .help("take an earlier time, or a longer `--duration`"));
        }
    }
    Ok(observables)
}

fn unknown(name: &str, all: &[Entry]) -> Failure {
    let near = |entry: &&Entry| strsim::jaro_winkler(name, &entry.name);
    let nearest = all.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
    let guess = nearest.map_or(String::new(), |entry| {
        format!("did you mean `{}`? ", entry.name)
    });
    Failure::bad_input(format!("this scene has no observable `{name}`")).help(format!(
        "{guess}There are the columns of observables.csv, such as energy_bend and rod0_tip_z"
    ))
}

/// The scene with step and edges halved.
fn finer(args: &ConvergeArgs, scene: &RunnableScene, level: Level) -> Result<RunnableScene> {
    let mut sets = args.scene.set.clone();
    let mut set = |key: &str, value: String| {
        sets.push(Assignment {
            key: key.to_owned(),
            value,
        });
    };
    if level.step > 0 {
        let step = scene.step() * 0.5_f64.powi(level.step as i32);
        set("time.step", format!("{step:e}"));
    }
    if level.mesh > 0 {
        let edges = mesh::finer(scene.toml(), level.mesh as f64).map_err(|why| {
            Failure::bad_input(format!("a finer mesh cannot be made of this scene: {why}"))
                .help("halve only the steps with `--meshes 1`; places `\"first\"` and `\"last\"` are the same in any mesh")
        })?;
        for (key, edges) in edges {
            set(&key, edges.to_string());
        }
    }
    let finer = SceneArgs {
        file: args.scene.file.clone(),
        set: sets,
    };
    scene::read(&finer, args.duration.as_deref())
}
