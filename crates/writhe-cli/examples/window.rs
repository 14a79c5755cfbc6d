//! What a stretch of simulated time costs, from where a run ended, with changes to its scene.
//!
//! ```sh
//! writhe import crates/writhe-reproduce/data/choi2021/n4.txt --as knot -o n4.toml
//! writhe run n4.toml --set time.scheme=bdf2 --set time.step=0.01 --set contact.friction_on_twist=false --duration 36 --out runs/n4
//! cargo run --release -p writhe-cli --example window -- runs/n4 0.5 time.step=0.0025
//! ```

use std::error::Error;
use std::path::PathBuf;

use writhe::simulation::{Simulation, Statistics};
use writhe_rundir::{RunReader, processor_time};
use writhe_scenes::Scene;
use writhe_session::checkpoint::Checkpoint;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(seconds)) = (arguments.next(), arguments.next()) else {
        return Err("what to measure: window RUN_DIRECTORY SECONDS [KEY=VALUE...]".into());
    };
    let seconds: f64 = seconds.parse()?;
    let sets: Vec<String> = arguments.collect();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    one.install(|| measure(&PathBuf::from(directory), seconds, &sets))
}

fn measure(
    directory: &PathBuf,
    seconds: f64,
    sets: &[String],
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let run = RunReader::open(directory)?;
    let mut scene = Scene::parse(run.scene_toml(), "scene.toml")?;
    scene.set_all(sets)?;
    let setup = scene.build()?;
    let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
    // The step size is the scene's, so that a change of it counts.
    let control = simulation.state.control;
    simulation.state = run.checkpoint::<Checkpoint>()?.state;
    simulation.state.control = control;
    simulation.statistics = Statistics::default();
    let (start, clock) = (simulation.state.time, processor_time());
    let result = simulation.run_until(start + seconds, |_, _| true);
    let (spent, counts) = (processor_time() - clock, simulation.statistics);
    let covered = simulation.state.time - start;
    println!(
        "from t = {start} s, {covered} s simulated: {} steps, {} rejected, {} Newton iterations ({:.2} a step), \
         {:.3} s of processor time ({:.3} a simulated second, {:.3} ms an iteration)",
        counts.steps,
        counts.rejected_steps,
        counts.newton_iterations,
        counts.newton_iterations as f64 / counts.steps as f64,
        spent,
        spent / covered,
        1e3 * spent / counts.newton_iterations as f64,
    );
    result?;
    Ok(())
}
