//! Steps with lagged drag: what is refused, when, and that a run whose drag gives energy fails.

use glam::DVec3;
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;
use writhe::step::{Scheme, StepError, StepSettings, largest_lagged_step};

const RADIUS: f64 = 6e-3;

/// A rod of 28 mm in six edges, shorter than the regularisation, that a force pulls.
fn short_and_thick(coupling: Coupling) -> (Model, State) {
    let node = |i: i32| DVec3::X * (-0.03 + 0.028 / 6.0 * f64::from(i));
    let section = Section::circle(Material::new(3e6, 0.5, 1000.0), RADIUS);
    ModelBuilder::new()
        .rod(Rod::open((0..=6).map(node).collect(), section).unwrap())
        .force(0, 3, DVec3::new(1e-4, 1e-4, 0.0), Schedule::Constant(1.0))
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity: 1.0,
                regularisation: 1.648_721_270_700_128_2,
            },
            coupling,
        ))
        .build()
        .unwrap()
}

fn simulation(
    (model, state): (Model, State),
    scheme: Scheme,
    dt: f64,
    adaptive: bool,
) -> Simulation {
    let settings = StepSettings {
        dt,
        scheme,
        adaptive,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn kinetic(s: &Simulation) -> f64 {
    let parts = s.model.mass.iter().zip(&s.state.velocity);
    parts.map(|(m, u)| 0.5 * m * u * u).sum()
}

#[test]
fn a_first_step_beyond_the_limit_is_refused_with_the_limit() {
    for (scheme, wanted) in [
        (Scheme::BackwardEuler, 2.6e-5),
        (Scheme::Bdf2, 5.2e-5),
        (Scheme::ImplicitMidpoint, 2.6e-5),
    ] {
        for dt in [4e-4, 1e-4] {
            let mut s = simulation(short_and_thick(Coupling::Lagged), scheme, dt, true);
            match s.step(dt) {
                Err(SimulationError::LaggedDrag {
                    cause:
                        StepError::LaggedDrag {
                            largest, solvable, ..
                        },
                    remedy,
                }) => {
                    assert_eq!(largest, wanted, "{scheme:?}");
                    assert!(solvable && remedy.contains("implicit"), "{remedy}");
                }
                other => panic!("{scheme:?}: {other:?}"),
            }
        }
        let (model, state) = short_and_thick(Coupling::Lagged);
        assert_eq!(largest_lagged_step(&model, &state, scheme).unwrap(), wanted);
        // What is allowed ends where solving for drag does.
        let mut s = simulation((model, state), scheme, wanted, false);
        s.run_until(0.02, |_, _| true).unwrap();
        let mut implicit = simulation(short_and_thick(Coupling::Implicit), scheme, 4e-4, false);
        implicit.run_until(0.02, |_, _| true).unwrap();
        let (a, b) = (kinetic(&s), kinetic(&implicit));
        assert!((a / b - 1.0).abs() < 0.02, "{scheme:?}: {a} {b}");
    }
    let (model, state) = short_and_thick(Coupling::Implicit);
    assert_eq!(
        largest_lagged_step(&model, &state, Scheme::Bdf2).unwrap(),
        f64::INFINITY
    );
}

/// A limit that is taken for infinite: what the guard of the energy is for.
#[test]
fn a_run_whose_drag_gives_energy_fails() {
    for (scheme, dt) in [
        (Scheme::BackwardEuler, 5e-5),
        (Scheme::Bdf2, 7e-5),
        (Scheme::ImplicitMidpoint, 3.2e-5),
    ] {
        let mut s = simulation(short_and_thick(Coupling::Lagged), scheme, dt, false);
        s.state.drag_watch.rate = f64::MIN_POSITIVE;
        s.state.drag_watch.moved = f64::NEG_INFINITY;
        let error = s.run_until(0.5, |_, _| true).unwrap_err();
        let SimulationError::DragGivesEnergy { gains, gained, .. } = &error else {
            panic!("{scheme:?}: {error}");
        };
        assert!(*gains == 30 && *gained > 0.0, "{error}");
        assert!(kinetic(&s) < 1e-3, "{scheme:?}: {error}");
    }
}

/// A rod that is carried towards another one, which stands still.
fn approaching() -> (Model, State) {
    let section = Section::circle(Material::new(1e8, 0.5, 1000.0), 1e-3);
    let line = |y: f64| {
        (0..=10)
            .map(|i| DVec3::new(4e-3 * f64::from(i), y, 0.0))
            .collect()
    };
    let mut builder = ModelBuilder::new();
    for y in [0.0, 0.02] {
        builder = builder.rod(Rod::open(line(y), section).unwrap());
    }
    for node in [0, 10] {
        builder = builder
            .hold_node(0, node, [true; 3], Motion::Still)
            .hold_node(1, node, [true; 3], Motion::Velocity(DVec3::NEG_Y * 0.05));
    }
    let fluid = Fluid::new(
        StokesletSegments {
            viscosity: 1.0,
            regularisation: 1.02,
        },
        Coupling::Lagged,
    );
    builder.fluid(fluid).build().unwrap()
}

/// The limit falls by a third as they meet; the step that was allowed at the start is then refused.
#[test]
fn rods_that_come_near_each_other_lower_the_limit() {
    let scheme = Scheme::BackwardEuler;
    let (model, state) = approaching();
    let first = largest_lagged_step(&model, &state, scheme).unwrap();
    let mut fixed = simulation(approaching(), scheme, first, false);
    let error = fixed.run_until(0.355, |_, _| true).unwrap_err();
    let SimulationError::FixedStep {
        cause: StepError::LaggedDrag { largest, .. },
        time,
        ..
    } = error
    else {
        panic!("{error}");
    };
    assert!(largest < first && time > 0.1, "{largest} {first} {time}");

    let mut halved = simulation(approaching(), scheme, first, true);
    halved.run_until(0.355, |_, _| true).unwrap();
    let last = largest_lagged_step(&halved.model, &halved.state, scheme).unwrap();
    assert!(last < 0.8 * first, "{last} {first}");
    assert!(halved.statistics.rejected_steps > 0);
    assert_eq!(halved.state.drag_watch.gains, 0);
}

/// The rate is found when the state says so, and not when a run is resumed.
#[test]
fn a_restart_goes_on_bit_for_bit() {
    let (model, state) = approaching();
    let dt = 0.5 * largest_lagged_step(&model, &state, Scheme::Bdf2).unwrap();
    let steps = |s: &mut Simulation, n: usize| {
        (0..n).for_each(|_| {
            s.step(dt).unwrap();
        })
    };
    let mut whole = simulation((model, state), Scheme::Bdf2, dt, true);
    steps(&mut whole, 20);
    let (model, _) = approaching();
    let mut resumed = simulation((model, whole.state.clone()), Scheme::Bdf2, dt, true);
    steps(&mut whole, 60);
    steps(&mut resumed, 60);
    assert!(whole.state.drag_watch.rate > 0.0 && whole.state.drag_watch.moved < 0.51e-3);
    assert_eq!(whole.state, resumed.state);
}
