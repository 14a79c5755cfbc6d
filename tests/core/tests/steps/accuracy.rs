//! Steps whose size follows from a wanted accuracy: what they get wrong, and what they do at jumps,
//! at impacts and after a restart.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use writhe::contact::{ContactModel, ImcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::loads::resistive_force::DragLaw;
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Pose, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe::step::{Accuracy, Integrator, Scheme, StepSettings};

const RADIUS: f64 = 1e-3;

fn line(edges: i32) -> Rod {
    let node = |i: i32| DVec3::X * (0.1 * f64::from(i) / f64::from(edges));
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    Rod::open((0..=edges).map(node).collect(), section).unwrap()
}

fn run(builder: ModelBuilder, settings: StepSettings) -> Simulation {
    let (model, state) = builder.build().unwrap();
    Simulation::new(model, state, settings)
}

fn fixed(dt: f64) -> StepSettings {
    StepSettings {
        dt,
        scheme: Scheme::Bdf2,
        step_tolerance: 1e-8,
        ..StepSettings::default()
    }
}

fn controlled(error: f64, over: f64) -> StepSettings {
    StepSettings {
        accuracy: Some(Accuracy {
            error,
            over,
            first: 2e-3,
        }),
        step_tolerance: 1e-4,
        ..fixed(over)
    }
}

/// From 0 to 1 while `s` does, with continuous second derivatives.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)
}

/// A cantilever that swings out under a load that begins gently.
fn cantilever() -> ModelBuilder {
    // 0 to 1 with continuous slopes in .2 s.
    let load = Schedule::Custom(Arc::new(|t| smooth(t / 0.2)));
    ModelBuilder::new()
        .rod(line(10))
        .clamp(0, 0, Motion::Still)
        .force(0, 10, DVec3::Z * 2e-5, load)
}

/// A rod in Stokes flow whose clamp begins to swing.
fn swimmer() -> ModelBuilder {
    let path = Motion::Custom(Arc::new(|t| Pose {
        translation: DVec3::Z * 0.02 * smooth(t / 0.5),
        ..Pose::IDENTITY
    }));
    ModelBuilder::new()
        .rod(line(10))
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity: 0.1,
                regularisation: 1.02,
            },
            Coupling::Implicit,
        ))
        .clamp(0, 0, path)
}

/// Largest distance of a node from where it should be at `end`, in radii, and the steps.
fn error(
    scene: fn() -> ModelBuilder,
    settings: StepSettings,
    end: f64,
    truth: &State,
) -> (f64, u64) {
    let mut run = run(scene(), settings);
    run.run_until(end, |_, _| true).unwrap();
    let distances = run.state.q.iter().zip(&truth.q).map(|(a, b)| (a - b).abs());
    (distances.fold(0.0, f64::max) / RADIUS, run.statistics.steps)
}

#[test]
fn errors_are_what_is_wanted_of_waves_and_in_stokes_flow() {
    let scenes: [(fn() -> ModelBuilder, f64); 2] = [(cantilever, 0.6), (swimmer, 0.4)];
    for (scene, end) in scenes {
        let mut truth = run(scene(), fixed(end / 8000.0));
        truth.run_until(end, |_, _| true).unwrap();
        let mut last = f64::INFINITY;
        for wanted in [0.3, 0.1, 0.03] {
            let (found, steps) = error(scene, controlled(wanted, end), end, &truth.state);
            println!("{wanted}: {found} in {steps} steps");
            assert!(
                found < 2.0 * wanted && found > 0.02 * wanted,
                "{wanted}: {found}"
            );
            assert!(
                found < last && steps < 1500,
                "{wanted}: {found} in {steps} steps"
            );
            last = found;
        }
    }
}

/// A clamp that starts at once: velocities jump, and no step is short enough for a smooth motion.
#[test]
fn a_jump_begins_anew() {
    let scene = || {
        let path = Motion::Path(vec![
            (0.0, DVec3::ZERO),
            (0.1, DVec3::ZERO),
            (0.2, DVec3::Z * 0.01),
            (0.3, DVec3::Z * 0.01),
        ]);
        let wavy = DragLaw::GrayHancock { wavelength: 0.1 };
        let rod = ModelBuilder::new().rod(line(10)).clamp(0, 0, path);
        rod.resistive_drag(1.0, wavy)
    };
    let mut truth = run(scene(), fixed(2e-5));
    truth.run_until(0.4, |_, _| true).unwrap();
    for wanted in [0.1, 0.03] {
        let mut run = run(scene(), controlled(wanted, 0.4));
        run.run_until(0.4, |_, _| true).unwrap();
        let distances = run
            .state
            .q
            .iter()
            .zip(&truth.state.q)
            .map(|(a, b)| (a - b).abs());
        let found = distances.fold(0.0, f64::max) / RADIUS;
        let counts = &run.statistics;
        println!("{wanted}: {found}, {counts:?}");
        assert!(found < 2.0 * wanted, "{found}");
        assert!(
            counts.rejected_steps < 60 && counts.steps < 1000,
            "{counts:?}"
        );
    }
}

/// A rod that falls onto a floor: in contact nodes go a part of the radius a step, and at rest
/// steps are long.
#[test]
fn contact_bounds_the_way_and_rest_none() {
    let ends = 0.6;
    let scene = ModelBuilder::new()
        .rod(line(10))
        .viscous_damping(0.2)
        .gravity(DVec3::Z * -9.81)
        .obstacle(Obstacle::half_space(DVec3::Z * -0.02, DVec3::Z))
        .contact(ContactModel::Imc(ImcSettings::default()));
    let mut run = run(scene, controlled(0.1, ends));
    let (mut touched, mut farthest, mut last) = (false, 0.0_f64, 0.0);
    let mut before = run.state.q.clone();
    run.run_until(ends, |run, report| {
        let moved = run.state.q.iter().zip(&before).map(|(a, b)| (a - b).abs());
        let moved = moved.fold(0.0, f64::max) / RADIUS;
        before.clone_from(&run.state.q);
        if report.contacts > 0 {
            assert!(report.judgement.is_some_and(|j| j.error.is_none()));
            if !touched {
                assert!(run.state.history.is_none(), "an impact begins anew");
            }
            touched = true;
            farthest = farthest.max(moved);
        }
        last = report.dt;
        true
    })
    .unwrap();
    println!("{farthest} radii, {last} s at last, {:?}", run.statistics);
    // A quarter of a radius, and no step is repeated for sqrt(2) of it.
    assert!(touched && farthest < 0.36, "{farthest}");
    assert!(last > 0.02 && run.statistics.steps < 500, "{last}");
}

/// A rod whose clamp turns about a tilted axis, so that tangents and angles both move.
fn turning() -> ModelBuilder {
    let axis = DVec3::new(0.6, 0.0, 0.8);
    let path = Motion::Custom(Arc::new(move |t| Pose {
        rotation: DQuat::from_axis_angle(axis, 2.0 * smooth(t / 0.5)),
        ..Pose::IDENTITY
    }));
    ModelBuilder::new()
        .rod(line(10))
        .viscous_damping(0.1)
        .clamp(0, 0, path)
}

/// Outputs between steps: places, directors and energies there are about as near the truth as those
/// where steps end, and steps do not end at them.
#[test]
fn outputs_within_steps_err_no_more_than_steps() {
    let end = 0.6;
    for (name, scene) in [
        ("cantilever", cantilever as fn() -> _),
        ("turning", turning),
    ] {
        let wanted = 0.1;
        let [mut at_marks, mut at_ends] = [(); 2].map(|()| run(scene(), fixed(end / 6000.0)));
        let mut free = run(scene(), controlled(wanted, end));
        let [mut within, mut ends] = [Apart::default(), Apart::default()];
        let mut between = 0;
        for mark in (1..=60).map(|k| end * f64::from(k) / 60.0) {
            while !free.has_reached(mark) {
                free.step_past(mark, end).unwrap();
                at_ends.run_until(free.state.time, |_, _| true).unwrap();
                ends.add(&free.model, &free.state, &at_ends.state);
            }
            at_marks.run_until(mark, |_, _| true).unwrap();
            let state = free.within(mark).unwrap();
            assert_eq!(state.time, mark);
            between += usize::from(free.state.time > mark);
            within.add(&free.model, &state, &at_marks.state);
        }
        let steps = free.statistics.steps;
        println!("{name}: within {within:?}, at ends {ends:?}, {between} between, {steps} steps");
        assert_eq!(free.state.time, end);
        assert!(between > 30 && steps < 100, "{between}, {steps}");
        // Directors in radii of their surface.
        for [within, ends] in [
            [within.place, ends.place],
            [within.director, ends.director],
            [within.energy / within.largest, ends.energy / ends.largest],
        ] {
            assert!(
                within < 1.2 * ends + 0.1 * wanted,
                "{name}: {within} {ends}"
            );
        }
    }
}

/// Largest differences of two runs: of nodes, radii; of directors; of the elastic energy, J,
/// beside the largest of it.
#[derive(Debug, Default)]
struct Apart {
    place: f64,
    director: f64,
    energy: f64,
    largest: f64,
}

impl Apart {
    fn add(&mut self, model: &Model, found: &State, truth: &State) {
        let apart = |a: Vec<DVec3>, b: Vec<DVec3>| {
            let distances = a.iter().zip(&b).map(|(a, b)| a.distance(*b));
            distances.fold(0.0, f64::max)
        };
        let place = apart(model.positions(found), model.positions(truth)) / RADIUS;
        let director = apart(model.directors(found), model.directors(truth));
        let energy = |state: &State| observe(model, state).unwrap().elastic.total();
        let (found, truth) = (energy(found), energy(truth));
        self.place = self.place.max(place);
        self.director = self.director.max(director);
        self.largest = self.largest.max(truth);
        self.energy = self.energy.max((found - truth).abs());
    }
}

/// Where a rod touches the floor no frame lies within a step.
#[test]
fn steps_in_contact_end_at_outputs() {
    let end = 0.6;
    let scene = ModelBuilder::new()
        .rod(line(10))
        .viscous_damping(0.2)
        .gravity(DVec3::Z * -9.81)
        .obstacle(Obstacle::half_space(DVec3::Z * -0.02, DVec3::Z))
        .contact(ContactModel::Imc(ImcSettings::default()));
    let mut run = run(scene, controlled(0.1, end));
    let (mut passed, mut touching) = (0, 0);
    for mark in (1..=300).map(|k| end * f64::from(k) / 300.0) {
        while !run.has_reached(mark) {
            run.step_past(mark, end).unwrap();
        }
        if run.state.control.touching {
            assert_eq!(run.state.time, mark);
            touching += 1;
        } else {
            assert!(run.within(mark).is_some());
            passed += usize::from(run.state.time > mark);
        }
    }
    println!("{passed} passed, {touching} while touching");
    assert!(passed > 10 && touching > 100, "{passed} {touching}");
}

#[test]
fn where_no_error_is_known_it_is_refused() {
    let wanted = controlled(0.1, 0.1);
    let told = |builder: ModelBuilder, settings: StepSettings| {
        let mut run = run(builder, settings);
        run.run_until(0.1, |_, _| true).unwrap_err().to_string()
    };
    for (scheme, name) in [
        (Scheme::BackwardEuler, "backward Euler"),
        (Scheme::ImplicitMidpoint, "midpoint"),
    ] {
        let told = told(cantilever(), StepSettings { scheme, ..wanted });
        assert!(told.contains(name), "{told}");
    }
    let integrator = Integrator::SymplecticProjected;
    let told_of = told(
        cantilever(),
        StepSettings {
            integrator,
            ..wanted
        },
    );
    assert!(told_of.contains("explicit steps"), "{told_of}");
    let water = StokesletSegments {
        viscosity: 0.1,
        regularisation: 1.02,
    };
    let lags = swimmer().fluid(Fluid::new(water, Coupling::Lagged));
    let told_of = told(lags, wanted);
    assert!(told_of.contains("drag that lags"), "{told_of}");
}

#[test]
fn a_restart_makes_the_same_steps() {
    let build = || run(cantilever(), controlled(0.03, 0.6));
    let (mut plain, mut restarted) = (build(), build());
    for _ in 0..80 {
        let written = restarted.state.to_arrays().unwrap().to_bytes().unwrap();
        let mut process = build();
        process.state = State::from_arrays(&Arrays::from_bytes(&written).unwrap()).unwrap();
        restarted = process;
        let mark = plain.state.time + 0.003;
        plain.step_past(mark, 10.0).unwrap();
        restarted.step_past(mark, 10.0).unwrap();
        assert!(plain.state == restarted.state);
        let (a, b) = (plain.within(mark), restarted.within(mark));
        assert!(a == b && a.is_some() == plain.has_reached(mark));
    }
    assert!(plain.state.control.excess > 0.0);
}
