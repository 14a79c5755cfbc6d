//! In these tests every trial of Newton's method is checked for gaps over all pairs
//! (`ContactSet::find`).

use glam::DVec3;

use crate::contact::{Beginning, ContactFrame};
use crate::contact_model::{ContactModel, ImcSettings, IpcSettings};
use crate::forces::Acting;
use crate::kernels::friction::{Friction, FrictionSolve};
use crate::model::pairs::nearest::nearest;
use crate::model::{Model, ModelBuilder, ModelError};
use crate::obstacle::Obstacle;
use crate::obstacle::surface::Instants;
use crate::response::StepMaterial;
use crate::rod::{Material, Rod, Section};
use crate::schedule::{Motion, Schedule};
use crate::simulation::{Simulation, SimulationError};
use crate::state::State;
use crate::step::problem::{Evaluation, Problem};
use crate::step::scheme::Stage;
use crate::step::{Scheme, StepError, StepSettings};

const RADIUS: f64 = 1e-3;

fn section() -> Section {
    Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS)
}

fn ipc(friction: f64) -> ContactModel {
    ContactModel::Ipc(IpcSettings {
        friction: Friction::lagged(friction),
        ..IpcSettings::default()
    })
}

fn settings(dt: f64, scheme: Scheme) -> StepSettings {
    StepSettings {
        dt,
        scheme,
        ..StepSettings::default()
    }
}

/// A straight rod of `count` nodes, 1 cm apart, through `middle`.
fn line(middle: DVec3, along: DVec3, count: usize) -> Rod {
    let node = |i: usize| middle + along * (0.01 * (i as f64 - 0.5 * (count - 1) as f64));
    Rod::open((0..count).map(node).collect(), section()).unwrap()
}

fn gap(model: &Model, state: &State) -> f64 {
    nearest(model, &state.q).map_or(f64::INFINITY, |n| n.gap)
}

/// SplitMix64, in [-1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn unit(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.next(), self.next(), self.next());
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }
}

/// Two to four rods thrown at each other at 5 to 10 m/s; `None` if they overlap from the start.
fn throw(seed: u64, friction: f64) -> Option<Simulation> {
    let mut random = Random(seed * 7919 + 13);
    let mut builder = ModelBuilder::new().contact(ipc(friction));
    let mut velocities = Vec::new();
    for _ in 0..2 + seed % 3 {
        let middle = 0.02 * random.unit();
        let speed = 7.5 + 2.5 * random.next();
        velocities.push(-speed * middle.normalize());
        builder = builder.rod(line(middle, random.unit(), 7));
    }
    let (model, mut state) = builder.build().ok()?;
    for (node, dof) in model.topology.node_dof.iter().enumerate() {
        state.velocity[*dof..dof + 3].copy_from_slice(&velocities[node / 7].to_array());
    }
    Some(Simulation::new(
        model,
        state,
        settings(0.01, Scheme::BackwardEuler),
    ))
}

#[test]
fn rods_thrown_together_never_touch() {
    let (mut thrown, mut pressed) = (0, 0);
    for seed in 0..12 {
        let friction = [0.0, 0.3][(seed / 3 % 2) as usize];
        let Some(mut simulation) = throw(seed, friction) else {
            continue;
        };
        thrown += 1;
        let mut contacts = 0;
        let outcome = simulation.run_until(0.02, |s, report| {
            let gap = gap(&s.model, &s.state);
            assert!(gap > 0.0, "seed {seed}: gap {gap:e} at {} s", s.state.time);
            contacts += report.contacts;
            true
        });
        assert!(outcome.is_ok(), "seed {seed}: {outcome:?}");
        pressed += u32::from(contacts > 0);
    }
    assert!(
        thrown >= 6 && 2 * pressed > thrown,
        "{pressed} of {thrown} touched"
    );
}

/// A rod that is moved as a whole, many gaps a step, drives a free one before it: there is no start
/// inside the bound with the prescribed nodes at their end.
#[test]
fn prescribed_motion_pushes_a_free_rod() {
    let speed = DVec3::new(0.0, 0.0, 1.0);
    let mut builder = ModelBuilder::new()
        .rod(line(DVec3::ZERO, DVec3::X, 3))
        .rod(line(DVec3::Z * 2.5 * RADIUS, DVec3::Y, 5))
        .contact(ipc(0.2));
    for node in 0..3 {
        builder = builder.hold_node(0, node, [true; 3], Motion::Velocity(speed));
    }
    let (model, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(model, state, settings(5e-3, Scheme::Bdf2));
    simulation
        .run_until(0.1, |s, _| {
            assert!(gap(&s.model, &s.state) > 0.0);
            true
        })
        .unwrap();
    let (model, state) = (&simulation.model, &simulation.state);
    // The pusher is where it was told to be, and what it pushed is ahead of it.
    assert!((state.q[2] - 0.1).abs() < 1e-12, "{}", state.q[2]);
    let middle = model.topology.node_dof[5];
    assert!(state.q[middle + 2] > 0.1 + 2.0 * RADIUS);
    // Twenty steps of 5 mm, and some shorter ones for the first hit.
    let steps = simulation.statistics.steps;
    assert!(steps < 40, "{:?}", simulation.statistics);
}

/// What is not in the way does not shorten a step, however near it passes: rods that fly side by
/// side.
#[test]
fn full_steps_where_nothing_is_in_the_way() {
    let (model, mut state) = ModelBuilder::new()
        .rod(line(DVec3::ZERO, DVec3::X, 6))
        .rod(line(DVec3::Z * 2.02 * RADIUS, DVec3::X, 6))
        .contact(ipc(0.0))
        .build()
        .unwrap();
    for dof in &model.topology.node_dof {
        state.velocity[dof + 1] = 5.0;
    }
    let mut simulation = Simulation::new(model, state, settings(0.01, Scheme::Bdf2));
    simulation
        .run_until(0.1, |_, report| {
            assert_eq!((report.shortened, report.contacts), (0, 0));
            assert!(report.iterations <= 2);
            true
        })
        .unwrap();
    assert_eq!(simulation.statistics.rejected_steps, 0);
}

/// Two crossed rods, pressed together by a force: at rest the barrier carries it, within its range.
#[test]
fn a_pressed_pair_rests_within_the_range() {
    for force in [1e-6, 1e-3, 0.3] {
        let (model, state) = ModelBuilder::new()
            .rod(line(DVec3::ZERO, DVec3::X, 3))
            .rod(line(DVec3::Z * 2.5 * RADIUS, DVec3::Y, 3))
            .clamp(0, 0, Motion::Still)
            .clamp(0, 1, Motion::Still)
            .force(1, 1, DVec3::Z * -force, Schedule::Constant(1.0))
            .hold_node(1, 0, [true, true, false], Motion::Still)
            .hold_node(1, 2, [true, true, false], Motion::Still)
            .contact(ipc(0.0))
            .build()
            .unwrap();
        let mut simulation = Simulation::new(model, state, settings(5e-3, Scheme::BackwardEuler));
        simulation.settle().unwrap();
        let observed = crate::observe::observe(&simulation.model, &simulation.state).unwrap();
        assert!(
            (observed.contact_force - force).abs() < 1e-4 * force,
            "{force}: carries {}",
            observed.contact_force
        );
        let gap = gap(&simulation.model, &simulation.state);
        assert!((0.0..0.01 * RADIUS).contains(&gap), "{force}: gap {gap:e}");
    }
}

/// The same with a force that grows from 1 uN to 100 mN while the rods touch: the barrier is made
/// stiffer where it becomes tight, in few iterations, and its springs never close.
#[test]
fn a_growing_load_keeps_its_gap() {
    let (end, ratio) = (2.0_f64, 1e5_f64);
    let table = (0..=200).map(|i| f64::from(i) / 200.0);
    let table = table.map(|x| (end * x, ratio.powf(x))).collect();
    let (model, state) = ModelBuilder::new()
        .rod(line(DVec3::ZERO, DVec3::X, 3))
        .rod(line(DVec3::Z * 2.01 * RADIUS, DVec3::Y, 3))
        .clamp(0, 0, Motion::Still)
        .clamp(0, 1, Motion::Still)
        .force(1, 1, DVec3::Z * -1e-6, Schedule::Table(table))
        .hold_node(1, 0, [true, true, false], Motion::Still)
        .hold_node(1, 2, [true, true, false], Motion::Still)
        .viscous_damping(1.0)
        .contact(ipc(0.0))
        .build()
        .unwrap();
    let mut simulation = Simulation::new(model, state, settings(1e-2, Scheme::BackwardEuler));
    let mut tightest = 1.0_f64;
    simulation
        .run_until(end, |s, _| {
            tightest = tightest.min(gap(&s.model, &s.state) / (0.01 * RADIUS));
            true
        })
        .unwrap();
    let s = simulation.statistics;
    assert_eq!((s.steps, s.rejected_steps), (200, 0));
    assert!(s.newton_iterations < 2 * s.steps, "{s:?}");
    assert!(tightest > 1e-3, "{tightest}");
    let springs = simulation.state.contact.hardened.iter();
    let most = springs.map(|h| h.springs.len()).max();
    assert!((1..4).contains(&most.unwrap_or(0)), "{most:?} springs");
}

#[test]
fn starts_that_touch_are_refused() {
    let at = |height: f64| {
        let built = ModelBuilder::new()
            .rod(line(DVec3::ZERO, DVec3::X, 3))
            .rod(line(DVec3::Z * height, DVec3::Y, 3))
            .contact(ipc(0.0))
            .build();
        built.map(|_| ())
    };
    assert!(at(2.001 * RADIUS).is_ok());
    for height in [2.0 * RADIUS, 1.9 * RADIUS, 2.0 * RADIUS * (1.0 + 1e-15)] {
        let Err(error) = at(height) else {
            panic!("{height} was accepted");
        };
        assert!(matches!(error, ModelError::Overlap(_)));
        let message = error.to_string();
        assert!(
            message.contains("ipc needs a gap") && message.contains("move them apart by"),
            "{message}"
        );
    }
}

/// A rod thrown onto a floor, and a floor that comes up to a rod: gaps to obstacles stay open too.
#[test]
fn obstacles_are_never_touched() {
    for moving in [false, true] {
        let speed = DVec3::new(0.5, 0.0, if moving { 2.0 } else { -2.0 });
        let mut floor = Obstacle::half_space(DVec3::ZERO, DVec3::Z);
        if moving {
            floor = floor.moving(Motion::Velocity(speed));
        }
        let tilted = DVec3::new(1.0, 0.0, 0.1).normalize();
        let (model, mut state) = ModelBuilder::new()
            .rod(line(DVec3::Z * 6.0 * RADIUS, tilted, 6))
            .obstacle(floor)
            .contact(ipc(0.2))
            .build()
            .unwrap();
        if !moving {
            for dof in &model.topology.node_dof {
                state.velocity[*dof..dof + 3].copy_from_slice(&speed.to_array());
            }
        }
        let mut simulation = Simulation::new(model, state, settings(5e-3, Scheme::BackwardEuler));
        let mut contacts = 0;
        simulation
            .run_until(0.05, |s, report| {
                let floor = if moving { speed.z * s.state.time } else { 0.0 };
                let lowest = s
                    .model
                    .positions(&s.state)
                    .iter()
                    .fold(f64::INFINITY, |z, x| z.min(x.z));
                assert!(
                    lowest - floor > RADIUS,
                    "{} at {} s",
                    lowest - floor - RADIUS,
                    s.state.time
                );
                contacts += report.contacts;
                true
            })
            .unwrap();
        assert!(contacts > 0, "moving {moving}: never near");
        assert!(
            simulation.statistics.rejected_steps <= 2,
            "{:?}",
            simulation.statistics
        );
    }
}

/// A state that another model made, with rods that penetrate, is no start for a barrier.
#[test]
fn states_in_contact_are_refused() {
    let (model, mut state) = ModelBuilder::new()
        .rod(line(DVec3::ZERO, DVec3::X, 3))
        .rod(line(DVec3::Z * 2.5 * RADIUS, DVec3::Y, 3))
        .contact(ipc(0.0))
        .build()
        .unwrap();
    for node in 3..6 {
        state.q[model.topology.node_dof[node] + 2] = 1.999 * RADIUS;
    }
    let fixed = StepSettings {
        adaptive: false,
        ..settings(1e-3, Scheme::Bdf2)
    };
    let error = Simulation::new(model, state, fixed).step(1e-3).unwrap_err();
    assert!(
        matches!(&error, SimulationError::FixedStep { cause: StepError::StartsInContact { gap }, .. } if *gap < 0.0),
        "{error}"
    );
}

/// A rod on two others, pulled along them: with lagged normal forces it sticks and slides as
/// Coulomb says, in one solve a step or three.
#[test]
fn lagged_friction_sticks_and_slides() {
    let (load, mu) = (1e-2, 0.3);
    let pulled = |pull: f64, rounds: u32| {
        let friction = Friction {
            solved: FrictionSolve::Lagged { rounds },
            ..Friction::coulomb(mu)
        };
        let contact = ContactModel::Ipc(IpcSettings {
            friction,
            ..IpcSettings::default()
        });
        let mut builder = ModelBuilder::new().contact(contact);
        // Rails along x, 10 cm long, 4 cm apart.
        for (rod, y) in [-0.02, 0.02].into_iter().enumerate() {
            builder = builder.rod(line(DVec3::Y * y, DVec3::X, 11));
            for node in 0..11 {
                builder = builder.hold_node(rod, node, [true; 3], Motion::Still);
            }
        }
        // Stiff: its own vibration is no slip.
        let mut rod = line(DVec3::new(0.003, 0.0, 2.004 * RADIUS), DVec3::Y, 7);
        rod.sections = vec![Section::circle(Material::new(1e10, 0.5, 1000.0), RADIUS); 6];
        builder = builder.rod(rod);
        for node in 0..7 {
            let share = DVec3::new(pull, 0.0, -load) / 7.0;
            builder = builder.force(2, node, share, Schedule::Constant(1.0));
        }
        // No rolling.
        for edge in 0..6 {
            builder = builder.hold_angle(2, edge, Schedule::Constant(0.0));
        }
        let (model, state) = builder.build().unwrap();
        let mut simulation = Simulation::new(model, state, settings(1e-3, Scheme::BackwardEuler));
        // Mean velocity of the slider along the rails after the first bounces, and 0.03 s later.
        [0.02, 0.05].map(|until| {
            simulation.run_until(until, |_, _| true).unwrap();
            let (model, state) = (&simulation.model, &simulation.state);
            let (mut momentum, mut mass) = (0.0, 0.0);
            for node in 22..29 {
                let dof = model.topology.node_dof[node];
                momentum += model.mass[dof] * state.velocity[dof];
                mass += model.mass[dof];
            }
            momentum / mass
        })
    };
    // Below the limit: the creep of f1 = 0.7, at x = 1 - sqrt(0.3) of the slip tolerance.
    let [_, stuck] = pulled(0.7 * mu * load, 1);
    let creep = 1e-4 * (1.0 - 0.3_f64.sqrt());
    assert!((stuck - creep).abs() < 0.01 * creep, "{stuck} {creep}");
    let mass = 1000.0 * std::f64::consts::PI * RADIUS * RADIUS * 0.06;
    let expected = mu * load / mass * 0.03;
    for rounds in [1, 3] {
        let [before, after] = pulled(2.0 * mu * load, rounds);
        let gained = after - before;
        assert!(
            (gained - expected).abs() < 1e-3 * expected,
            "{gained} {expected}"
        );
    }
}

#[test]
fn midpoint_is_refused() {
    let mut simulation = throw(0, 0.0).unwrap();
    simulation.settings.scheme = Scheme::ImplicitMidpoint;
    let error = simulation.step(1e-3).unwrap_err();
    assert!(
        matches!(
            &error,
            SimulationError::StepTooSmall {
                cause: StepError::ExtrapolatedEnd,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(simulation.state.step, 0);
}

/// What obstacles have still to go changes the residual by what is added to the right-hand side for
/// it, turns and all.
#[test]
fn obstacles_on_their_way_push_as_differences_say() {
    // About the rod and along it: what turns stays as far away.
    let motion = Motion::Sequence(vec![
        Motion::spin(DVec3::ZERO, DVec3::X, 2.0),
        Motion::Velocity(DVec3::X * 0.05),
    ]);
    let end = motion.pose(0.05);
    let at_end = |at: DVec3| end.rotation.inverse() * (at - end.translation);
    let contact = ContactModel::Imc(ImcSettings {
        tolerance: 0.4,
        ..ImcSettings::default()
    });
    let (model, state) = ModelBuilder::new()
        .rod(line(DVec3::ZERO, DVec3::X, 5))
        .obstacle(
            Obstacle::sphere(at_end(DVec3::new(0.003, 0.001, -0.0212)), 0.02)
                .moving(motion.clone()),
        )
        .obstacle(
            Obstacle::half_space(
                at_end(DVec3::Y * 1.2 * RADIUS),
                at_end(DVec3::NEG_Y) - at_end(DVec3::ZERO),
            )
            .moving(motion),
        )
        .contact(contact)
        .build()
        .unwrap();
    let stage = Stage::new(Scheme::BackwardEuler, &state, 0.05);
    let problem = Problem {
        model: &model,
        start: &state,
        stage: &stage,
        end_time: 0.05,
        length: model.length_scale(),
        contact_stiffness: 1e-3,
        target: &state.q,
        acting: Acting::All,
        material: &StepMaterial::Own,
    };
    let instants = Instants::ending(0.05, 0.05);
    let mut contact = ContactFrame::new(&model, &Beginning::new(&model, &state, instants));
    let mut at = Evaluation::default();
    let mut evaluate = |progress: f64| {
        contact.move_obstacles(&model, progress);
        problem
            .evaluate(&state.q, None, &mut contact, &mut at)
            .unwrap();
        let mut push = vec![0.0; model.topology.dofs];
        let trial = at.trial(&model, &stage, &state.q);
        let touching = at.contact.obstacles();
        touching.push(contact.obstacles(), &model, &trial, &mut push);
        let touching = |o: usize| touching.contacts().iter().any(|c| c.obstacle == o);
        assert!(touching(0) && touching(1));
        (at.residual.clone(), push)
    };
    let (before, push) = evaluate(1.0 - 1e-5);
    let (after, none) = evaluate(1.0);
    assert!(none.iter().all(|p| *p == 0.0));
    let largest = push.iter().fold(0.0_f64, |a, p| a.max(p.abs()));
    for ((a, b), p) in after.iter().zip(&before).zip(&push) {
        let change = a - b;
        assert!((change + p).abs() < 1e-3 * largest, "{change:e} {p:e}");
    }
}
