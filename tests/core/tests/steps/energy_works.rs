//! Works and heat in the balance of energy have their closed forms.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::DVec3;
use writhe::bodies::{Body, Joint, JointKind, Motor};
use writhe::contact::{ContactModel, Friction, FrictionSolve, ImcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::loads::WindDrag;
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_tests::balance::{G, SCHEMES, ledger, rod, run, settings};

fn close(what: &str, found: f64, wanted: f64, part: f64) {
    let error = found / wanted - 1.0;
    println!("{what}: {found:e} for {wanted:e}, off by {error:.1e}");
    assert!(error.abs() < part, "{what}: {found:e} for {wanted:e}");
}

/// A rod that sinks in a damping medium: its weight's work is all heat once it sinks steadily.
#[test]
fn damping_turns_the_work_of_weight_into_heat_and_does_not_hide_its_potential() {
    let (length, eta) = (0.2, 5.0);
    for scheme in SCHEMES {
        let builder = ModelBuilder::new()
            .rod(rod(length, 4, 1e7, 5e-3))
            .gravity(DVec3::Z * -G)
            .viscous_damping(eta);
        let (model, state) = builder.build().unwrap();
        let mass: f64 = model
            .topology
            .node_dof
            .iter()
            .map(|dof| model.mass[*dof])
            .sum();
        let mut simulation = Simulation::new(model, state, settings(scheme, 1e-3));
        let speed = mass * G / (eta * length);
        simulation.run_until(0.4, |_, _| true).unwrap();
        let before = simulation.state.ledger.works;
        simulation.run_until(0.5, |_, _| true).unwrap();
        let done = simulation.state.ledger.works - before;
        close("weight", done.loads, mass * G * speed * 0.1, 1e-3);
        close("heat", done.damping, mass * G * speed * 0.1, 1e-3);
        let all = observe(&simulation.model, &simulation.state).unwrap();
        let height: f64 = simulation.state.q[2];
        close("potential", all.load_potential, mass * G * height, 1e-9);
    }
}

/// A force that follows the rod along its axis does the work F^2 t^2 / 2m, all of it kinetic.
#[test]
fn a_following_force_does_its_work() {
    let (push, end) = (0.5, 0.2);
    for scheme in SCHEMES {
        let builder = ModelBuilder::new()
            .rod(rod(0.2, 4, 1e8, 5e-3))
            .following_force(0, 2, 1, DVec3::Z * push, Schedule::Constant(1.0));
        let (model, state) = builder.build().unwrap();
        let mass: f64 = model
            .topology
            .node_dof
            .iter()
            .map(|dof| model.mass[*dof])
            .sum();
        let all = run(model, state, settings(scheme, 1e-4), end).state.ledger;
        close(
            "work",
            all.works.loads,
            (push * end).powi(2) / (2.0 * mass),
            2e-3,
        );
        assert!(all.scheme.abs() < 2e-3 * all.scale(), "{all:?}");
    }
}

fn floor(mu: f64, solved: FrictionSolve) -> ContactModel {
    let friction = Friction {
        coefficient: mu,
        slip_tolerance: 1e-4,
        solved,
        ..Friction::default()
    };
    ContactModel::Imc(ImcSettings {
        friction,
        ..ImcSettings::default()
    })
}

/// A rod that slides along itself down a slope leaves mu N per length as heat.
#[test]
fn friction_on_a_slope_makes_its_heat() {
    let (mu, slope, radius) = (0.3_f64, 0.6_f64, 5e-3);
    let gravity = DVec3::new(slope.sin(), 0.0, -slope.cos()) * G;
    for solved in [FrictionSolve::Implicit, FrictionSolve::Lagged { rounds: 2 }] {
        for scheme in [Scheme::BackwardEuler, Scheme::Bdf2] {
            let builder = ModelBuilder::new()
                .rod(rod(0.1, 4, 1e7, radius))
                .gravity(gravity)
                .viscous_damping(0.01)
                .contact(floor(mu, solved))
                .obstacle(Obstacle::half_space(DVec3::Z * -radius, DVec3::Z));
            let (model, state) = builder.build().unwrap();
            let mass: f64 = model
                .topology
                .node_dof
                .iter()
                .map(|dof| model.mass[*dof])
                .sum();
            let mut simulation = Simulation::new(model, state, settings(scheme, 1e-3));
            simulation.run_until(0.1, |_, _| true).unwrap();
            let (heat, x) = (
                simulation.state.ledger.works.friction,
                simulation.state.q[0],
            );
            simulation.run_until(0.5, |_, _| true).unwrap();
            let way = simulation.state.q[0] - x;
            let heat = simulation.state.ledger.works.friction - heat;
            close("friction", heat, mu * mass * G * slope.cos() * way, 5e-3);
            let ledger = simulation.state.ledger;
            assert!(ledger.gain < 1e-2 * ledger.scale(), "{ledger:?}");
        }
    }
}

/// A plate that pushes a rod through a damping medium, and one that drags it along by friction, do
/// the work of the drag.
#[test]
fn moving_obstacles_do_work() {
    let (radius, speed, eta, length) = (5e-3, 0.2, 3.0, 0.1);
    let pushing = DVec3::Z * speed;
    let dragging = DVec3::X * speed;
    for (velocity, scheme) in [
        (pushing, Scheme::BackwardEuler),
        (pushing, Scheme::Bdf2),
        (dragging, Scheme::BackwardEuler),
        (dragging, Scheme::Bdf2),
    ] {
        let plate = Obstacle::half_space(DVec3::Z * -radius, DVec3::Z);
        let builder = ModelBuilder::new()
            .rod(rod(length, 4, 1e7, radius))
            .gravity(DVec3::Z * -G)
            .viscous_damping(eta)
            .contact(floor(0.8, FrictionSolve::Implicit))
            .obstacle(plate.moving(Motion::Velocity(velocity)));
        let (model, state) = builder.build().unwrap();
        let mass: f64 = model
            .topology
            .node_dof
            .iter()
            .map(|dof| model.mass[*dof])
            .sum();
        // The plate moves at once, which is no smooth start.
        let settings = StepSettings {
            dt: 1e-3,
            scheme,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        simulation.run_until(0.3, |_, _| true).unwrap();
        let before = simulation.state.ledger.works;
        simulation.run_until(0.4, |_, _| true).unwrap();
        let done = simulation.state.ledger.works - before;
        let drag = eta * length * speed * speed * 0.1;
        close("heat", done.damping, drag, 5e-3);
        close(
            "plate",
            done.supports,
            drag + mass * G * velocity.z * 0.1,
            5e-3,
        );
    }
}

/// A body on a hinge at its centre: a motor's torque, and a motor that prescribes the angle.
#[test]
fn motors_do_work() {
    let (torque, end) = (2e-3, 0.2);
    let inertia = 0.3 * (0.01 + 0.09) / 12.0;
    let angle = |t: f64| 40.0 * t.powi(3);
    for scheme in SCHEMES {
        for (motor, work) in [
            (
                Motor::Torque(Schedule::Rate {
                    value: 0.0,
                    rate: torque / end,
                }),
                0.5 * (0.5 * torque * end).powi(2) / inertia,
            ),
            (
                Motor::Angle(Schedule::Custom(Arc::new(angle))),
                0.5 * inertia * (120.0 * end * end).powi(2),
            ),
        ] {
            let body = Body::cuboid(0.3, DVec3::new(0.1, 0.2, 0.3), DVec3::ZERO);
            let axis = DVec3::Y;
            let hinge = Joint::new(
                [Some(0), None],
                DVec3::ZERO,
                JointKind::Hinge { axis, motor },
            );
            let builder = ModelBuilder::new()
                .rod(rod(0.1, 2, 1e6, 1e-3))
                .clamp(0, 0, Motion::Still)
                .clamp(0, 1, Motion::Still)
                .body(body)
                .joint(hinge);
            let ledger = ledger(builder, settings(scheme, 5e-4), end);
            close("motor", ledger.works.motors, work, 1e-2);
            assert!(ledger.scheme.abs() < 1e-2 * ledger.scale(), "{ledger:?}");
        }
    }
}

fn flagellum(coupling: Coupling) -> ModelBuilder {
    let (radius, pitch) = (6e-3, 30e-3);
    let node = |i: usize| {
        let x = 2e-3 * i as f64;
        let angle = TAU * x / pitch;
        let ramp = (x / 1e-2).min(1.0);
        DVec3::new(x, ramp * radius * angle.cos(), ramp * radius * angle.sin())
    };
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let rod = Rod::open((0..=30).map(node).collect(), section).unwrap();
    let turning = Motion::Rotation {
        point: DVec3::ZERO,
        axis: DVec3::X,
        angle: Schedule::Custom(Arc::new(|t: f64| 3.0 * t * t / (0.2 + t))),
    };
    ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, turning)
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity: 1.0,
                regularisation: 1.02,
            },
            coupling,
        ))
}

/// The clamp's work goes into the fluid, and is torque times rate.
#[test]
fn the_work_of_a_driven_flagellum_is_drag() {
    for (coupling, dt) in [(Coupling::Implicit, 5e-3), (Coupling::Lagged, 1e-4)] {
        let (model, state) = flagellum(coupling).build().unwrap();
        let mut simulation = Simulation::new(model, state, settings(Scheme::Bdf2, dt));
        simulation.run_until(0.4, |_, _| true).unwrap();
        let before = simulation.state.ledger;
        let mut torque = 0.0;
        let mut last = None;
        simulation
            .run_until(0.5, |s, report| {
                let at = observe(&s.model, &s.state).unwrap().reactions[0];
                let about_axis = at.torque.x + at.at.cross(at.force).x;
                let t = s.state.time;
                let power = about_axis * 3.0 * (2.0 * t * (0.2 + t) - t * t) / (0.2 + t).powi(2);
                torque += report.dt * 0.5 * (power + last.unwrap_or(power));
                last = Some(power);
                true
            })
            .unwrap();
        let ledger = simulation.state.ledger;
        let done = ledger.works - before.works;
        close("clamp", done.supports, torque, 1e-2);
        assert!(done.drag > 0.5 * done.supports, "{done:?}");
        assert!(ledger.scheme.abs() < 1e-2 * ledger.scale(), "{ledger:?}");
    }
}

/// Still air takes heat; a rod that air carries along has its energy from the air.
#[test]
fn wind_supplies_work_and_heat() {
    let (speed, length, c) = (3.0, 0.2, 0.5);
    let builder = ModelBuilder::new().rod(rod(length, 4, 1e7, 5e-3)).wind(
        DVec3::Y * speed,
        Schedule::Constant(1.0),
        WindDrag::Linear { coefficient: c },
    );
    let (model, state) = builder.build().unwrap();
    let mass: f64 = model
        .topology
        .node_dof
        .iter()
        .map(|dof| model.mass[*dof])
        .sum();
    let all = run(model, state, settings(Scheme::Bdf2, 1e-3), 2.0)
        .state
        .ledger;
    // Carried along to the wind's speed U from rest: m U^2 from the air, half of it heat.
    close("wind", all.works.loads, mass * speed * speed, 1e-2);
    close("heat", all.works.drag, 0.5 * mass * speed * speed, 2e-2);
}

/// What a change of the stiffness between two steps does to the energy that contact stores is told,
/// and is never a gain.
#[test]
fn a_change_of_contact_stiffness_is_told() {
    let radius = 5e-3;
    let builder = ModelBuilder::new()
        .rod(rod(0.1, 4, 1e7, radius))
        .gravity(DVec3::Z * -G)
        .contact(floor(0.0, FrictionSolve::Implicit))
        .obstacle(Obstacle::half_space(DVec3::Z * -radius, DVec3::Z));
    let (model, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(model, state, settings(Scheme::BackwardEuler, 1e-3));
    simulation.run_until(0.2, |_, _| true).unwrap();
    let stored = observe(&simulation.model, &simulation.state)
        .unwrap()
        .contact_energy;
    let (start, stiffness) = (simulation.state.clone(), simulation.state.contact.stiffness);
    for factor in [0.5, 2.0] {
        simulation.state = start.clone();
        simulation.state.contact.next_stiffness = factor * stiffness;
        // So short that nothing moves.
        simulation.step(1e-8).unwrap();
        assert_eq!(simulation.state.contact.stiffness, factor * stiffness);
        let done = (simulation.state.ledger.works - start.ledger.works).contact;
        let after = observe(&simulation.model, &simulation.state).unwrap();
        let change = after.contact_energy - stored;
        println!("{factor}: {done:e} {change:e} of {stored:e}");
        assert!(
            (done - change).abs() <= 1e-5 * stored,
            "{factor}: {done:e} {change:e}"
        );
        assert!(done <= 1e-9 * stored, "{factor}: {done:e} of {stored:e}");
    }
}

/// Natural curvature that is given to a straight rod between two steps is work by motors, and all
/// of it is stored.
#[test]
fn a_change_of_the_model_is_work() {
    let builder = ModelBuilder::new().rod(rod(0.1, 8, 1e7, 5e-3));
    let (model, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(model, state, settings(Scheme::BackwardEuler, 1e-4));
    simulation.step(1e-4).unwrap();
    let curvature = 0.1;
    let stored = |model: &Model| -> f64 {
        let stiffness = model.half_edges.iter().map(|v| v.stiffness[0][0]);
        stiffness.map(|k| 0.5 * k * curvature * curvature).sum()
    };
    let wanted = stored(&simulation.model);
    let grow = |model: &mut Model| {
        for vertex in &mut model.half_edges {
            vertex.rest = [curvature, 0.0, 0.0];
        }
    };
    simulation.change_model(grow).unwrap();
    // So short that nothing moves.
    simulation.step(1e-9).unwrap();
    let done = simulation.state.ledger;
    close("motors", done.works.motors, wanted, 1e-9);
    close("energy", done.energy.unwrap().total(), wanted, 1e-3);
    assert!(done.scheme.abs() < 1e-3 * wanted, "{done:?}");
}
