//! `writhe settle`: the static equilibrium of a scene.

use std::path::Path;

use serde_json::{Map, Value, json};
use writhe::stability::Stability;

use crate::args::SettleArgs;
use crate::console;
use crate::files;
use crate::format::{count, duration, length, number, short_time};
use crate::interrupt;
use crate::report::Result;
use crate::scene::{self, RunnableScene};
use crate::session::{Equilibrium, equilibrium};
use crate::shell;

/// Finds the equilibrium, writes it as a run directory, and says what it is.
///
/// # Errors
/// Bad input, no equilibrium, a directory that cannot be written.
pub fn run(args: &SettleArgs) -> Result<()> {
    console::set_json(args.json);
    let scene = scene::read(&args.scene, None)?;
    let directory = match &args.out {
        Some(directory) => directory.clone(),
        None => Path::new("runs").join(format!("{}-settled", scene.name())),
    };
    let interrupt = interrupt::listen()?;
    if args.force {
        files::remove_run(&scene, &args.scene.file, &directory)?;
    }
    let found = equilibrium(&scene, &directory, &interrupt)?;
    for warning in &found.warnings {
        console::print_error(&format!("warning: {warning}\n"));
    }
    if args.json {
        return console::print_json(&numbers(&scene, &found, &directory));
    }
    console::print(&told(&scene, &found))?;
    console::tell(&next_steps(args, &found, &directory))
}

/// What was found, in SI units.
fn numbers(scene: &RunnableScene, found: &Equilibrium, directory: &Path) -> Value {
    let energies = found.energies.iter();
    let energies: Map<String, Value> = energies.map(|(n, e)| (n.clone(), json!(e))).collect();
    let (stable, eigenvalue) = match &found.stability {
        Stability::Stable => (Some(true), None),
        Stability::Unstable(found) => (Some(false), Some(found.eigenvalue)),
        Stability::Moving | Stability::LeftOut(_) => (None, None),
    };
    json!({
        "scene": scene.name(),
        "directory": directory.to_string_lossy(),
        "energies_j": energies,
        "energy_j": found.energies.iter().map(|(_, e)| e).sum::<f64>(),
        "farthest_moved_m": found.moved,
        "stable": stable,
        "lowest_eigenvalue_over_bending": eigenvalue,
        "stability": stability(scene, found),
        "pseudo_steps": found.report.steps,
        "iterations": found.report.iterations,
        "wall_s": found.usage.wall,
        "cpu_s": found.usage.cpu,
        "warnings": found.warnings,
    })
}

fn told(scene: &RunnableScene, found: &Equilibrium) -> String {
    let topology = &found.simulation.model.topology;
    let mut out = format!(
        "Equilibrium of {}: {}, {}\n",
        scene.name(),
        count(topology.rods.len(), "rod"),
        count(topology.nodes(), "node"),
    );
    let mut line = |name: &str, value: String| out += &line(name, &value);
    let mut sum = 0.0;
    for (name, value) in &found.energies {
        sum += value;
        // At rest; and most scenes lack some.
        if *value != 0.0 {
            line(
                &format!("energy, {name}"),
                format!("{} J", number(*value, 6)),
            );
        }
    }
    line("energy, all", format!("{} J", number(sum, 6)));
    line("farthest moved node", length(found.moved));
    line("stability", stability(scene, found));
    let report = &found.report;
    line(
        "found in",
        format!(
            "{} with {}, {} ({} of processor)",
            count(report.steps as usize, "pseudo-step"),
            count(report.iterations as usize, "iteration"),
            duration(found.usage.wall),
            duration(found.usage.cpu)
        ),
    );
    out
}

fn line(name: &str, value: &str) -> String {
    format!("  {name:<22}{value}\n")
}

/// What can be done with the equilibrium now, and what it leaves out: what comes later.
fn next_steps(args: &SettleArgs, found: &Equilibrium, directory: &Path) -> String {
    let (file, typed) = (shell::path(&args.scene.file), shell::path(directory));
    let sets = args.scene.set.iter();
    let sets: String = sets
        .map(|set| format!(" --set {}", shell::word(&set.to_string())))
        .collect();
    let view = format!("writhe view {typed}");
    let run = format!("writhe run {file}{sets} --from {typed}");
    let mut out = line("to look at", &view) + &line("a run from there", &run);
    let until = found.simulation.model.changes_until();
    if until > 0.0 {
        let (until, to) = match until.is_finite() {
            true => (format!(" until {}", short_time(until)), format!("{until}")),
            false => (String::new(), "TIME".to_owned()),
        };
        let note = format!("this is the equilibrium at t = 0, and loads or supports change{until}");
        let follow = format!("writhe follow {file}{sets} --vary time --to {to}");
        out += &(line("note", &note) + &line("equilibria later", &follow));
    }
    out + &line("everything", &directory.display().to_string())
}

fn stability(scene: &RunnableScene, found: &Equilibrium) -> String {
    match &found.stability {
        Stability::Stable => "stable".to_owned(),
        Stability::Unstable(instability) => {
            let rods = scene.surroundings().rods;
            let shape = &instability.shape;
            let rod = rods.get(shape.rod).map_or("a rod", String::as_str);
            format!(
                "UNSTABLE: {}; add `perturbation` at the top of the scene, and the rod leaves this equilibrium",
                shape.words(rod)
            )
        }
        Stability::Moving => {
            "not known: some motion needs no force, and along it forces balance only up to rounding"
                .to_owned()
        }
        Stability::LeftOut(why) => format!("not known: {why}"),
    }
}
