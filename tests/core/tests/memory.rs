//! Newton's iterations ask for no memory, without friction and fluid: steps that take more of them
//! ask for as much. What a long run holds does not grow.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{StepReport, StepSettings, Workspace, implicit_step};
use writhe_tests::support::crossed::twisted_ring;

/// Counts what its thread asks for and holds.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
    /// Bytes that were asked for and not given back by this thread.
    static HELD: Cell<i64> = const { Cell::new(0) };
}

fn count(more: usize, less: usize) {
    // Not while a thread ends.
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + u64::from(more > 0)));
    let _ = HELD.try_with(|held| held.set(held.get() + more as i64 - less as i64));
}

// SAFETY: as the system's allocator, to which all is passed on.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's promises.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller's promises.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often a step with these tolerances, in radii and of forces, asks for memory once steps like it were made, and
/// what it did.
fn asked(
    (model, state): (&Model, &State),
    settings: StepSettings,
    tolerance: f64,
) -> (u64, StepReport) {
    let settings = StepSettings {
        step_tolerance: tolerance,
        residual_tolerance: tolerance,
        ..settings
    };
    let mut workspace = Workspace::new(model);
    let mut step = || implicit_step(model, state, settings.dt, &settings, &mut workspace).unwrap();
    step();
    step();
    let before = ASKED.get();
    let (_, report) = step();
    (ASKED.get() - before, report)
}

/// Compares a step of few iterations with one of more.
fn more_iterations_ask_for_no_more(
    of: (&Model, &State),
    settings: StepSettings,
    tolerances: [f64; 2],
) {
    let [(few, a), (many, b)] = tolerances.map(|tolerance| asked(of, settings, tolerance));
    let corrections = |report: &StepReport| report.iterations + report.simplified;
    assert!(
        corrections(&b) > corrections(&a) + 1,
        "{} and {} iterations, {} and {} more corrections: too few to compare",
        a.iterations,
        b.iterations,
        a.simplified,
        b.simplified
    );
    assert_eq!(
        few, many,
        "{} iterations ask {few} times, {} ask {many} times",
        a.iterations, b.iterations
    );
}

#[test]
fn a_free_rod() {
    let node = |i: usize| DVec3::X * (0.02 * i as f64);
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let rod = Rod::open((0..41).map(node).collect(), section).unwrap();
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .gravity(DVec3::Z * -9.81)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 2e-2,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    for _ in 0..3 {
        simulation.step(settings.dt).unwrap();
    }
    let of = (&simulation.model, &simulation.state);
    more_iterations_ask_for_no_more(of, settings, [1.0, 1e-7]);
}

#[test]
fn a_ring_that_touches_itself() {
    let (model, state) = twisted_ring(ContactModel::Imc(ImcSettings::default()));
    let settings = StepSettings {
        dt: 5e-4,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let mut contacts = 0;
    for _ in 0..4000 {
        contacts = simulation.step(settings.dt).unwrap().contacts;
        if contacts > 4 {
            break;
        }
    }
    assert!(contacts > 4, "{contacts} contacts");
    let of = (&simulation.model, &simulation.state);
    more_iterations_ask_for_no_more(of, settings, [1e-2, 1e-7]);
}

/// What this thread holds more after `many` steps than after `few`, bytes.
fn growth(mut simulation: Simulation, [few, many]: [usize; 2]) -> i64 {
    let mut steps = |number: usize| {
        for _ in 0..number {
            simulation.step(simulation.settings.dt).unwrap();
        }
        HELD.get()
    };
    let before = steps(few);
    steps(many - few) - before
}

#[test]
fn a_long_run_in_viscous_fluid_holds_no_more() {
    let nodes: Vec<DVec3> = (0..41)
        .map(|i| DVec3::new(5e-3 * i as f64, 1e-2 * (0.4 * i as f64).sin(), 0.0))
        .collect();
    let vector = (8 * 3 * nodes.len()) as i64;
    let section = Section::circle(Material::new(3e6, 0.5, 1000.0), 1e-3);
    let turning = Motion::Rotation {
        point: DVec3::ZERO,
        axis: DVec3::X,
        angle: Schedule::Table(vec![(0.0, 0.0), (10.0, 100.0)]),
    };
    let flow = StokesletSegments {
        viscosity: 1.0,
        regularisation: 1.02,
    };
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes, section).unwrap())
        .clamp(0, 0, turning)
        .fluid(Fluid::new(flow, Coupling::Implicit))
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 1e-2,
        ..StepSettings::default()
    };
    let simulation = Simulation::new(model, state, settings);
    let growth = growth(simulation, [40, 160]);
    // Less than a vector in ten steps: queues of other threads are asked for here and given back
    // there.
    assert!(
        growth < 12 * vector,
        "120 more steps hold {growth} bytes more"
    );
}
