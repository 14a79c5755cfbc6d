//! Many simulations at once, one to a thread.

use std::sync::{Mutex, PoisonError};

use super::{Simulation, SimulationError};
use crate::step::StepReport;

/// Runs each simulation to `end`, s, side by side on as many threads as the pool has from which
/// this is called; returns what [`Simulation::run_until`] of each returns, in order.
///
/// A simulation stays on its thread, which works on nothing else meanwhile, so that small ones keep
/// all processors busy; each ends with the bits that it has alone. Those that take longest should
/// come first; [`Simulation::phases`] of each counts what all did. `after_step` sees the index of the simulation with each of its accepted steps, and
/// ends that one by returning `false`.
///
/// ```
/// use writhe::model::ModelBuilder;
/// use writhe::rod::{Material, Rod, Section};
/// use writhe::simulation::{Simulation, run_side_by_side};
/// use writhe::{glam::DVec3, step::StepSettings};
///
/// let falling = |young: f64| {
///     let section = Section::circle(Material::new(young, 0.5, 1000.0), 1e-3);
///     let nodes = (0..=10).map(|i| DVec3::X * (0.01 * f64::from(i))).collect();
///     let rod = Rod::open(nodes, section).unwrap();
///     let scene = ModelBuilder::new().rod(rod).gravity(DVec3::Z * -9.81);
///     let (model, state) = scene.build().unwrap();
///     Simulation::new(model, state, StepSettings::default())
/// };
/// let mut all: Vec<Simulation> = [1e6, 2e6, 3e6].map(falling).into();
/// let ends = run_side_by_side(&mut all, 0.01, |_, _, _| true);
/// assert!(ends.iter().all(|end| matches!(end, Ok(true))));
/// ```
pub fn run_side_by_side(
    simulations: &mut [Simulation],
    end: f64,
    after_step: impl Fn(usize, &Simulation, &StepReport) -> bool + Sync,
) -> Vec<Result<bool, SimulationError>> {
    let threads = rayon::current_num_threads().min(simulations.len());
    let count = simulations.len();
    let waiting = Mutex::new(simulations.iter_mut().enumerate());
    let ended = Mutex::new(Vec::with_capacity(count));
    let run = || {
        loop {
            let next = lock(&waiting).next();
            let Some((index, simulation)) = next else {
                return;
            };
            let result = simulation.run_until(end, |s, report| after_step(index, s, report));
            lock(&ended).push((index, result));
        }
    };
    if threads <= 1 {
        run();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| on_this_thread(&run));
            }
        });
    }
    let mut ended = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
    ended.sort_by_key(|(index, _)| *index);
    ended.into_iter().map(|(_, result)| result).collect()
}

/// What a mutex guards; a panic on another thread ends the scope with all of it.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work in a pool of one thread, which shares none of it with others.
fn on_this_thread(work: &(impl Fn() + Sync)) {
    // Without a pool of its own the thread asks the common one for help, which is slower.
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
