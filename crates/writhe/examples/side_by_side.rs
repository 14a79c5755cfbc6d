//! What a second thread gains where many small rods swing, each on its own:
//! `side_by_side [simulations, 64 unless given]`.

use std::error::Error;
use std::time::Instant;

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, run_side_by_side};
use writhe::step::{Scheme, StepSettings};

/// Simulated time of each, s.
const END: f64 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(64), |n| n.parse())?;
    for turn in 1..=3 {
        let one = seconds(count, 1)?;
        let two = seconds(count, 2)?;
        println!(
            "{turn}: {one:.3} s by one thread, {two:.3} s by two: {:.2}",
            one / two
        );
    }
    Ok(())
}

/// Time on the wall that so many simulations take on so many threads, s.
fn seconds(count: u32, threads: usize) -> Result<f64, Box<dyn Error>> {
    let mut all = (0..count).map(swing).collect::<Result<Vec<_>, _>>()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let clock = Instant::now();
    let ends = pool.install(|| run_side_by_side(&mut all, END, |_, _, _| true));
    let seconds = clock.elapsed().as_secs_f64();
    for end in ends {
        end?;
    }
    Ok(seconds)
}

/// A cantilever of 32 edges that falls.
fn swing(number: u32) -> Result<Simulation, Box<dyn Error>> {
    let young = 1e6 * (1.0 + f64::from(number));
    let section = Section::circle(Material::new(young, 0.5, 1000.0), 1e-3);
    let nodes = (0..=32).map(|i| DVec3::X * (0.1 * f64::from(i) / 32.0));
    let rod = Rod::open(nodes.collect(), section)?;
    let builder = ModelBuilder::new().rod(rod).clamp(0, 0, Motion::Still);
    let (model, state) = builder.gravity(DVec3::Z * -9.81).build()?;
    let settings = StepSettings {
        dt: 2e-3,
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    Ok(Simulation::new(model, state, settings))
}
