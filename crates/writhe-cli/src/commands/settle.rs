//! `writhe settle`: the static equilibrium of a scene.

use std::fmt::Write;
use std::path::Path;

use writhe::stability::Stability;

use crate::args::SettleArgs;
use crate::console;
use crate::format::{count, duration, length, number};
use crate::interrupt;
use crate::report::Result;
use crate::scene::{self, RunnableScene};
use crate::session::{Equilibrium, equilibrium};
use crate::threads;

/// Finds the equilibrium, writes it as a run directory, and says what it is.
///
/// # Errors
/// Bad input, no equilibrium, a directory that cannot be written.
pub fn run(args: &SettleArgs) -> Result<()> {
    threads::share(args.threads)?;
    let scene = scene::read(&args.scene, None)?;
    let directory = match &args.out {
        Some(directory) => directory.clone(),
        None => Path::new("runs").join(format!("{}-settled", scene.name())),
    };
    let interrupt = interrupt::listen()?;
    let found = equilibrium(&scene, &directory, &interrupt)?;
    for warning in &found.warnings {
        console::print_error(&format!("warning: {warning}\n"));
    }
    console::print(&told(&scene, &found, &directory))
}

fn told(scene: &RunnableScene, found: &Equilibrium, directory: &Path) -> String {
    let topology = &found.simulation.model.topology;
    let mut out = format!(
        "Equilibrium of {}: {}, {}\n",
        scene.name(),
        count(topology.rods.len(), "rod"),
        count(topology.nodes(), "node"),
    );
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {name:<22}{value}");
    };
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
    let directory = directory.display();
    line("to look at", format!("writhe view {directory}"));
    line(
        "a run from there",
        format!("writhe run SCENE --from {directory}"),
    );
    line("everything", format!("{directory}"));
    out
}

fn stability(scene: &RunnableScene, found: &Equilibrium) -> String {
    match &found.stability {
        Stability::Stable => "stable".to_owned(),
        Stability::Unstable(instability) => {
            let rods = scene.surroundings().rods;
            let shape = &instability.shape;
            let rod = rods.get(shape.rod).map_or("a rod", String::as_str);
            format!(
                "UNSTABLE: {}; a perturbation at the top of the scene finds where it goes",
                shape.words(rod)
            )
        }
        Stability::Moving => {
            "not known: forces balance to rounding only, along motion that costs nothing".to_owned()
        }
        Stability::LeftOut(why) => format!("not known: {why}"),
    }
}
