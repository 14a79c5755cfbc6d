//! What a second thread gains where many small rods swing, each on its own, and beside it what a
//! second process gains, which shares nothing with the first but the machine:
//! `side_by_side [simulations, 64 unless given]`.

use std::env;
use std::error::Error;
use std::process::Command;
use std::time::Instant;

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::{Simulation, run_side_by_side};
use writhe::step::{Scheme, StepSettings};

/// Simulated time of each, s.
const END: f64 = 0.5;
/// Times that everything is done, in turn; the median counts.
const TURNS: usize = 9;
/// Tells a process of this program to work alone.
const ALONE: &str = "--alone";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let count = |word: Option<&String>| word.map_or(Ok(64), |n| n.parse());
    if words.first().is_some_and(|word| word == ALONE) {
        return seconds(count(words.get(1))?, 1).map(|_| ());
    }
    let count = count(words.first())?;
    let (mut threads, mut processes) = (Vec::new(), Vec::new());
    println!("seconds by one thread, by two; by one process, by two");
    for _ in 0..TURNS {
        let [one, two] = [seconds(count, 1)?, seconds(count, 2)?];
        let [whole, halves] = [in_processes(count, 1)?, in_processes(count, 2)?];
        println!("{one:.3} {two:.3}  {whole:.3} {halves:.3}");
        threads.push(one / two);
        processes.push(whole / halves);
    }
    println!("{} as fast by two threads", spread(threads));
    println!("{} as fast by two processes", spread(processes));
    Ok(())
}

/// The median of some gains, and the least and the largest of them.
fn spread(mut gains: Vec<f64>) -> String {
    gains.sort_by(f64::total_cmp);
    let [median, least, largest] = [TURNS / 2, 0, TURNS - 1].map(|i| gains[i]);
    format!("{median:.2} ({least:.2} to {largest:.2}) times")
}

/// Time on the wall that so many simulations take in so many processes of one thread each, s.
fn in_processes(count: u32, processes: u32) -> Result<f64, Box<dyn Error>> {
    let program = env::current_exe()?;
    let share = (count / processes).to_string();
    let clock = Instant::now();
    let started = (0..processes).map(|_| Command::new(&program).args([ALONE, &share]).spawn());
    for process in started.collect::<Result<Vec<_>, _>>()? {
        let ended = process.wait_with_output()?.status;
        if !ended.success() {
            return Err(format!("a process ended with {ended}").into());
        }
    }
    Ok(clock.elapsed().as_secs_f64())
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
