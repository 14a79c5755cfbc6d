//! What is driven anew between steps does what a schedule known from the start does.

use glam::DVec3;
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::constraints::DriveError;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Onward, Pose, Schedule};
use writhe::simulation::{Simulation, SimulationError};
use writhe::state::State;
use writhe::step::{Scheme, StepSettings};

const SPEED: DVec3 = DVec3::new(0.05, 0.02, -0.1);
/// When the drive changes, and the end, s.
const TIMES: [f64; 2] = [0.1, 0.25];

fn rod() -> Rod {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 2e-3);
    let nodes = (0..11).map(|i| DVec3::X * 0.02 * f64::from(i)).collect();
    Rod::open(nodes, section).unwrap()
}

fn simulation((model, state): (Model, State), scheme: Scheme) -> Simulation {
    let settings = StepSettings {
        dt: 5e-3,
        scheme,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn run(simulation: &mut Simulation, end: f64) {
    simulation.run_until(end, |_, _| true).unwrap();
}

fn clamped(motion: Motion) -> Simulation {
    let builder = ModelBuilder::new()
        .rod(rod())
        .hold_angle(0, 9, Schedule::Constant(0.0))
        .clamp(0, 0, motion)
        .gravity(-9.81 * DVec3::Z);
    simulation(builder.build().unwrap(), Scheme::BackwardEuler)
}

fn farthest(a: &Simulation, b: &Simulation) -> f64 {
    let pairs = a.state.q.iter().zip(&b.state.q);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_clamp_goes_on_as_it_is_told() {
    let way = SPEED * (TIMES[1] - TIMES[0]);
    let rows = vec![(TIMES[0], DVec3::ZERO), (TIMES[1], way), (1.0, 6.0 * way)];
    let mut wanted = clamped(Motion::Path(rows));
    let mut told = clamped(Motion::Still);
    for simulation in [&mut wanted, &mut told] {
        run(simulation, TIMES[0]);
    }
    let (model, time) = (&mut told.model, told.state.time);
    let pivot = model.constraints.pivot(1, &model.topology).unwrap();
    assert_eq!(pivot, DVec3::X * 0.01);
    let before = model.constraints.list()[1].motion().unwrap().pose(time);
    let on = Onward::new(before, time, pivot, [SPEED, DVec3::ZERO]);
    model.constraints.drive(1, Motion::Onward(on)).unwrap();
    for simulation in [&mut wanted, &mut told] {
        // The rate of a path is not known beyond its last row.
        run(simulation, TIMES[1] - 0.02);
    }
    assert!(farthest(&wanted, &told) < 1e-12);
    assert!((told.state.q[0] - SPEED.x * 0.13).abs() < 1e-15);
}

#[test]
fn a_held_angle_and_a_motor_turn_as_they_are_told() {
    let rate = 3.0;
    let axis = DVec3::Y;
    let make = |angle: Schedule| {
        let motor = Motor::Angle(angle.clone());
        let builder = ModelBuilder::new()
            .rod(rod())
            .clamp(0, 0, Motion::Still)
            .hold_angle(0, 9, angle)
            .body(Body::cuboid(1.0, DVec3::new(0.1, 0.2, 0.3), 50.0 * axis))
            .joint(Joint::new(
                [Some(0), None],
                50.0 * axis,
                JointKind::Hinge { axis, motor },
            ));
        simulation(builder.build().unwrap(), Scheme::BackwardEuler)
    };
    let turned = rate * (1.0 - TIMES[0]);
    let mut wanted = make(Schedule::Table(vec![(TIMES[0], 0.0), (1.0, turned)]));
    let mut told = make(Schedule::Constant(0.0));
    for simulation in [&mut wanted, &mut told] {
        run(simulation, TIMES[0]);
    }
    let on = Schedule::Rate {
        value: -rate * TIMES[0],
        rate,
    };
    told.model.constraints.drive_angle(1, on.clone()).unwrap();
    assert!(told.model.joints[0].drive(on));
    for simulation in [&mut wanted, &mut told] {
        run(simulation, TIMES[1]);
    }
    assert!(farthest(&wanted, &told) < 1e-10);
    let body = told.state.frames.orientation[0];
    let angle = 2.0 * body.xyz().dot(axis).atan2(body.w);
    assert!(
        (angle - rate * (TIMES[1] - TIMES[0])).abs() < 1e-9,
        "{angle}"
    );
}

/// A free rod falls with each gravity in turn, and the books on its energy balance.
#[test]
fn gravity_can_change() {
    let (model, state) = ModelBuilder::new().rod(rod()).build().unwrap();
    let mut falling = simulation((model, state), Scheme::ImplicitMidpoint);
    let [down, aside] = [DVec3::Z * -9.81, DVec3::Y * 2.0];
    falling.model.set_gravity(down);
    run(&mut falling, TIMES[0]);
    falling.model.set_gravity(aside);
    assert_eq!(falling.model.loads.len(), 1);
    run(&mut falling, TIMES[1]);
    let (t0, t1) = (TIMES[0], TIMES[1] - TIMES[0]);
    let wanted = down * (0.5 * t0 * t0 + t0 * t1) + aside * (0.5 * t1 * t1);
    let moved = falling.model.positions(&falling.state)[0];
    assert!((moved - wanted).length() < 1e-12, "{moved} for {wanted}");
    let mass: f64 = falling.model.mass.iter().step_by(4).sum();
    let speed = down * t0 + aside * t1;
    let gained = falling.state.ledger.works.loads;
    assert!((gained / (0.5 * mass * speed.length_squared()) - 1.0).abs() < 1e-9);
}

#[test]
fn steps_end_where_they_should() {
    let mut simulation = clamped(Motion::Still);
    let report = simulation.step_towards(0.012, 5e-3).unwrap();
    assert!((report.dt - 4e-3).abs() < 1e-15);
    simulation.step_towards(0.012, 1.0).unwrap();
    assert!(
        simulation.state.time < 0.012,
        "steps are no longer than the setting"
    );
    simulation.step_towards(0.012, 5e-3).unwrap();
    assert_eq!(simulation.state.time, 0.012);
    for end in [0.012, f64::NAN, f64::INFINITY] {
        let refused = simulation.step_towards(end, 5e-3);
        assert!(matches!(refused, Err(SimulationError::EndBeforeNow { .. })));
    }
}

/// Ends that were rounded in another way than the present time, as sums of steps are.
#[test]
fn an_end_within_rounding_is_reached() {
    let (mut simulation, mut alone) = (clamped(Motion::Still), clamped(Motion::Still));
    run(&mut simulation, 0.12);
    run(&mut alone, 0.12);
    for end in [0.12_f64.next_up(), 0.12_f64.next_down(), 0.12 + 1e-12] {
        let reached = simulation.run_until(end, |_, _| panic!("a step to {end:e} s"));
        assert_eq!(reached, Ok(true));
        let refused = simulation.step_towards(end, 5e-3);
        assert!(matches!(refused, Err(SimulationError::EndBeforeNow { .. })));
        assert_eq!(simulation.state, alone.state);
        assert_eq!(simulation.statistics, alone.statistics);
    }
    let refused = simulation.run_until(0.12 - 1e-10, |_, _| true);
    assert!(matches!(refused, Err(SimulationError::EndBeforeNow { .. })));
    for simulation in [&mut simulation, &mut alone] {
        run(simulation, 0.25);
    }
    assert_eq!(simulation.state, alone.state);
    // What is short, but more than rounding, is a step.
    run(&mut simulation, 0.25 + 1e-9);
    assert_eq!(simulation.state.time, 0.25 + 1e-9);
    // Steps may be shorter than times are apart.
    let far = 1e4_f64;
    simulation.state.time = far;
    simulation.state.control.dt = 1e-7;
    assert!(simulation.has_reached(far.next_up()) && !simulation.has_reached(far + 1e-8));
}

#[test]
fn what_cannot_be_driven_is_refused() {
    let mut model = clamped(Motion::Still).model;
    let none = DriveError::NoSuch {
        what: "support",
        index: 2,
        count: 2,
    };
    let drives = &mut model.constraints;
    assert_eq!(drives.drive(2, Motion::Still), Err(none));
    assert_eq!(drives.pivot(2, &model.topology), Err(none));
    let refused = drives.drive(0, Motion::Still).unwrap_err();
    let wanted = "support 0 follows no motion: it holds an angle";
    assert_eq!(refused.to_string(), wanted);
    let refused = drives.drive_angle(1, Schedule::Constant(0.0));
    let wanted = "support 1 follows no angle: it follows a motion";
    assert_eq!(refused.unwrap_err().to_string(), wanted);
    assert_eq!(drives.list()[1].motion().unwrap().pose(3.0), Pose::IDENTITY);
    assert!(drives.list()[0].motion().is_none() && drives.list()[1].angle().is_none());
}
