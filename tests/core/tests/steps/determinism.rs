//! The same bits whatever the workspace holds, however many threads run, and through a checkpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use glam::DVec3;
use writhe::contact::{
    ContactJacobian, ContactModel, Friction, ImcSettings, ImcSmoothSettings, IpcSettings,
    LaggedFriction, SpillmannTeschnerSettings,
};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::{Simulation, SimulationError};
use writhe::solve::Poll;
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe::step::{Scheme, SharedTime, StepSettings};
use writhe_tests::flagella;
use writhe_tests::support::Random;

const RADIUS: f64 = 1e-3;
/// By then steps by one thread have been compared with others.
const LONG: Duration = Duration::from_secs(120);

/// Two crossed rods, one pressed on the other and pulled across it, in a fluid or not.
fn sliding(scheme: Scheme, fluid: Option<Fluid>) -> Simulation {
    let contact = ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(0.3),
        ..ImcSettings::default()
    });
    sliding_by(contact, scheme, fluid)
}

/// The same with a barrier.
fn sliding_ipc(scheme: Scheme) -> Simulation {
    let contact = ContactModel::Ipc(IpcSettings {
        friction: Friction::lagged(0.3),
        ..IpcSettings::default()
    });
    sliding_by(contact, scheme, None)
}

/// The same with any contact model.
fn sliding_by(contact: ContactModel, scheme: Scheme, fluid: Option<Fluid>) -> Simulation {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let line = |along: DVec3, height: f64| {
        let node = |i: i32| along * (0.01 * (f64::from(i) - 3.3)) + DVec3::Z * height;
        Rod::open((0..8).map(node).collect(), section).unwrap()
    };
    let mut builder = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0))
        .rod(line(DVec3::new(0.1, 1.0, 0.05).normalize(), 2.2e-3))
        .clamp(0, 0, Motion::Still)
        .clamp(0, 6, Motion::Still)
        .clamp(1, 0, Motion::Velocity(DVec3::new(0.05, 0.01, -0.05)))
        .force(1, 7, DVec3::Z * -2e-3, Schedule::Constant(1.0))
        .contact(contact);
    if let Some(fluid) = fluid {
        builder = builder.fluid(fluid);
    }
    let (model, state) = builder.build().unwrap();
    Simulation::new(
        model,
        state,
        StepSettings {
            dt: 2e-3,
            scheme,
            ..StepSettings::default()
        },
    )
}

/// Two flagella whose flow couples them, driven so that they may touch.
fn swimming(coupling: Coupling) -> Simulation {
    let (model, state) = flagella::model(2, 1000.0, 0.1, 15.0, coupling);
    let settings = StepSettings {
        dt: 2e-3,
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// A ring with so much twist that it coils up and touches itself.
fn ring() -> Simulation {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let node = |i: i32| {
        let a = std::f64::consts::TAU * f64::from(i) / 30.0;
        DVec3::new(0.03 * a.cos(), 0.03 * a.sin(), 1e-3 * (2.0 * a).sin())
    };
    let mut rod = Rod::closed((0..30).map(node).collect(), section).unwrap();
    rod.twist_directors(&[1.2; 29]);
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .contact(ContactModel::Imc(ImcSettings::default()))
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 5e-3,
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

type Scene = (&'static str, fn() -> Simulation, u32);

/// Viscous enough to matter.
fn oil() -> Fluid {
    let medium = StokesletSegments {
        viscosity: 0.5,
        regularisation: 1.02,
    };
    Fluid::new(medium, Coupling::Implicit)
}

/// Friction that remembers the last step's velocities.
const LAGGED: LaggedFriction = LaggedFriction {
    coefficient: 0.3,
    slip_limit: 0.15,
    slip_sharpness: 50.0,
};

fn smooth() -> ContactModel {
    ContactModel::ImcSmooth(ImcSmoothSettings {
        friction: LAGGED,
        jacobian: ContactJacobian::Hybrid { omega: 10 },
        ..ImcSmoothSettings::default()
    })
}

fn explicit() -> ContactModel {
    ContactModel::SpillmannTeschner(SpillmannTeschnerSettings {
        friction: LAGGED,
        ..SpillmannTeschnerSettings::default()
    })
}

const SCENES: [Scene; 10] = [
    (
        "sliding, Choi 2021",
        || sliding_by(smooth(), Scheme::BackwardEuler, None),
        60,
    ),
    (
        "sliding, Spillmann and Teschner",
        || sliding_by(explicit(), Scheme::Bdf2, None),
        60,
    ),
    (
        "sliding, backward Euler",
        || sliding(Scheme::BackwardEuler, None),
        120,
    ),
    ("sliding, BDF2", || sliding(Scheme::Bdf2, None), 120),
    (
        "sliding, midpoint",
        || sliding(Scheme::ImplicitMidpoint, None),
        60,
    ),
    ("swimming, implicit", || swimming(Coupling::Implicit), 12),
    ("swimming, lagged", || swimming(Coupling::Lagged), 8),
    ("sliding in oil", || sliding(Scheme::Bdf2, Some(oil())), 100),
    ("twisted ring", ring, 100),
    ("sliding, ipc", || sliding_ipc(Scheme::Bdf2), 120),
];

/// One accepted step of the size that the controller wants.
fn advance(simulation: &mut Simulation) {
    let largest = simulation.state.control.dt;
    simulation.step(largest).unwrap();
}

/// Runs in two ways; fails at the first step after which they differ.
fn compare(scene: &Scene, change: &mut dyn FnMut(&mut Simulation)) -> Simulation {
    let (name, build, steps) = scene;
    let (mut plain, mut changed) = (build(), build());
    for step in 0..*steps {
        change(&mut changed);
        advance(&mut plain);
        advance(&mut changed);
        assert!(
            plain.state == changed.state,
            "{name}: differs after step {step}"
        );
        assert_eq!(plain.statistics, changed.statistics, "{name}, step {step}");
    }
    plain
}

#[test]
fn workspace_holds_nothing_that_matters() {
    let mut random = Random(9);
    let mut dropped = 0;
    for scene in &SCENES {
        let run = compare(scene, &mut |simulation| {
            if random.next() > 0.3 {
                simulation.drop_workspace();
                dropped += 1;
            }
        });
        if scene.0.starts_with("sliding") || scene.0.starts_with("twisted") {
            let s = run.statistics;
            assert!(s.contact_steps > 5, "{}: must touch: {s:?}", scene.0);
            println!("{}: {s:?}", scene.0);
        }
    }
    assert!(dropped > 50);
}

/// A failed step leaves no trace: a step far too large is tried before every step.
#[test]
fn failed_steps_leave_no_trace() {
    use writhe::step::{Workspace, implicit_step};
    for scene in &SCENES[..3] {
        let (_, build, steps) = scene;
        let simulation = build();
        let (model, settings) = (&simulation.model, simulation.settings);
        let (mut a, mut b) = (simulation.state.clone(), simulation.state.clone());
        let (mut ws, mut used) = (Workspace::new(model), Workspace::new(model));
        let mut failed = 0;
        for _ in 0..*steps / 4 {
            failed += u32::from(implicit_step(model, &b, 0.5, &settings, &mut used).is_err());
            a = implicit_step(model, &a, 1e-4, &settings, &mut ws)
                .unwrap()
                .0;
            b = implicit_step(model, &b, 1e-4, &settings, &mut used)
                .unwrap()
                .0;
            assert!(a == b, "{}", scene.0);
        }
        assert!(failed > 0, "{}: no step failed", scene.0);
    }
}

/// A poll that says stop from its `last`-th time on, and how often it was asked.
fn counting(last: u64) -> (Poll, Arc<AtomicU64>) {
    let asked = Arc::new(AtomicU64::new(0));
    let count = asked.clone();
    let poll = Poll::new(move || count.fetch_add(1, Ordering::Relaxed) + 1 >= last);
    (poll, asked)
}

/// Every loop asks whether to go on: a step is stopped anywhere, and what follows is the same as if
/// it had not been begun.
#[test]
fn interrupted_steps_leave_no_trace() {
    let mut random = Random(12);
    for scene in &SCENES {
        let (name, build, _) = scene;
        let mut stopped = 0;
        compare(scene, &mut |simulation| {
            if random.next() < 0.5 {
                return;
            }
            let (state, statistics) = (simulation.state.clone(), simulation.statistics);
            let mut probe = build();
            probe.state = state.clone();
            let (poll, asked) = counting(u64::MAX);
            probe.ask(poll);
            advance(&mut probe);
            let asked = asked.load(Ordering::Relaxed);
            let work = probe.statistics.newton_iterations + probe.statistics.krylov_iterations;
            assert!(asked > work, "{name}: {asked} polls, {work} iterations");
            let last = 1 + (0.5 * (1.0 + random.next()) * asked as f64) as u64;
            let (poll, _) = counting(last.min(asked));
            simulation.ask(poll);
            let error = simulation.step(simulation.state.control.dt).unwrap_err();
            let interrupted = matches!(error, SimulationError::Interrupted { .. });
            assert!(interrupted, "{name}, poll {last} of {asked}: {error}");
            assert!(simulation.state == state, "{name}: poll {last} of {asked}");
            assert_eq!(simulation.statistics, statistics, "{name}");
            simulation.ask(Poll::default());
            stopped += 1;
        });
        println!("{name}: {stopped} steps stopped");
    }
}

/// A rod that sags from a clamp.
fn sagging() -> Simulation {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let nodes = (0..16).map(|i| 0.005 * f64::from(i) * DVec3::X);
    let (model, state) = ModelBuilder::new()
        .rod(Rod::open(nodes.collect(), section).unwrap())
        .clamp(0, 0, Motion::Still)
        .gravity(-9.81 * DVec3::Z)
        .build()
        .unwrap();
    Simulation::new(model, state, StepSettings::default())
}

/// So is the way to equilibrium.
#[test]
fn an_interrupted_way_to_equilibrium_leaves_no_trace() {
    let (mut whole, mut stopped) = (sagging(), sagging());
    let (poll, asked) = counting(u64::MAX);
    whole.ask(poll);
    whole.settle().unwrap();
    let asked = asked.load(Ordering::Relaxed);
    for part in 1..8 {
        let start = stopped.state.clone();
        stopped.ask(counting(asked * part / 8).0);
        let error = stopped.settle().unwrap_err();
        assert!(
            matches!(error, SimulationError::Interrupted { .. }),
            "{error}"
        );
        assert!(stopped.state == start);
    }
    stopped.ask(Poll::default());
    stopped.settle().unwrap();
    assert!(whole.state == stopped.state);
}

#[test]
fn checkpoints_continue_bit_for_bit() {
    let mut random = Random(10);
    for scene in &SCENES {
        compare(scene, &mut |simulation| {
            if random.next() > 0.6 {
                let saved = simulation.state.to_arrays().unwrap().to_bytes().unwrap();
                let state = State::from_arrays(&Arrays::from_bytes(&saved).unwrap()).unwrap();
                state.check_fit(&simulation.model).unwrap();
                assert!(state == simulation.state);
                // A new process: nothing but model, state and settings.
                simulation.state = state;
                simulation.drop_workspace();
            }
        });
    }
}

/// A rod long enough that its edges are shared between threads, hanging and falling on another.
fn long() -> (Model, State) {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let mut random = Random(4);
    let mut nodes = Vec::new();
    for i in 0..2400 {
        let s = 0.005 * f64::from(i);
        nodes.push(DVec3::new(s, 0.01 * s.sin(), 1e-4 * random.next()));
    }
    let post = (0..4)
        .map(|i| DVec3::new(6.0, 0.02 * (f64::from(i) - 1.6), -2.3e-3))
        .collect();
    ModelBuilder::new()
        .rod(Rod::open(nodes, section).unwrap())
        .rod(Rod::open(post, section).unwrap())
        .clamp(0, 0, Motion::Still)
        .clamp(1, 0, Motion::Still)
        .clamp(1, 2, Motion::Still)
        .gravity(DVec3::Z * -9.81)
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction::coulomb(0.2),
            ..ImcSettings::default()
        }))
        .build()
        .unwrap()
}

/// Five flagella whose flow couples them.
fn bundle(coupling: Coupling) -> Simulation {
    let (model, state) = flagella::model(5, 1000.0, 0.1, 15.0, coupling);
    let settings = StepSettings {
        dt: 2e-3,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

#[test]
fn number_of_threads_changes_no_bit() {
    let scenes: [Scene; 4] = [
        (
            "long",
            || {
                let (model, state) = long();
                Simulation::new(
                    model,
                    state,
                    StepSettings {
                        dt: 1e-3,
                        ..StepSettings::default()
                    },
                )
            },
            12,
        ),
        // More and fewer nodes than those from which the flow is shared between threads.
        ("five flagella", || bundle(Coupling::Implicit), 2),
        ("five flagella, lagged", || bundle(Coupling::Lagged), 4),
        SCENES[4],
    ];
    for (name, build, steps) in scenes {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut simulation = build();
                (0..steps).for_each(|_| advance(&mut simulation));
                simulation
            })
        };
        let one = run(1);
        println!("{name}: {:?}", one.statistics);
        for threads in [2, 3] {
            assert!(
                one.state == run(threads).state,
                "{name}: differs with {threads} threads"
            );
        }
    }
}

/// Steps are made with and without other threads in turn, as times on the clock are compared: which
/// ones differs from run to run.
#[test]
fn comparing_threads_with_one_changes_no_bit() {
    let on = |threads: usize, work: &(dyn Fn() -> Simulation + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(work)
    };
    let compared = on(2, &|| {
        let mut simulation = bundle(Coupling::Implicit);
        let begun = Instant::now();
        while simulation.shared_time().by_one.is_zero() {
            advance(&mut simulation);
            assert!(begun.elapsed() < LONG, "nothing was compared");
        }
        // One more, by all threads again or by one still.
        advance(&mut simulation);
        simulation
    });
    let shared = compared.shared_time();
    assert!(shared.by_one < shared.whole, "{shared:?}");
    let alone = on(1, &|| {
        let mut simulation = bundle(Coupling::Implicit);
        (0..compared.statistics.steps).for_each(|_| advance(&mut simulation));
        simulation
    });
    assert_eq!(alone.shared_time(), SharedTime::default());
    assert!(alone.state == compared.state && alone.statistics == compared.statistics);
}
