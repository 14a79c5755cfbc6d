//! Friction acts on surfaces, which spin: rolling, driving, and turning as one.

use glam::DVec3;
use writhe::assembly::Trial;
use writhe::contact::{Beginning, ContactFrame, ContactSet};
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::obstacle::surface::Instants;
use writhe::rod::{Kinematics, Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;

const RADIUS: f64 = 1e-3;
const MU: f64 = 0.3;
/// Normal load, N.
const LOAD: f64 = 2e-3;

fn contact(on_twist: bool) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction {
            on_twist,
            ..Friction::coulomb(MU)
        },
        ..ImcSettings::default()
    })
}

/// A stiff rod of six nodes along `along`, its axis at `height`.
fn line(along: DVec3, height: f64) -> Rod {
    let node = |i: i32| along * (0.01 * (f64::from(i) - 2.5)) + DVec3::Z * height;
    let section = Section::circle(Material::new(1e8, 0.5, 1000.0), RADIUS);
    Rod::open((0..6).map(node).collect(), section).unwrap()
}

/// A lower rod along x and, pressed on it by `LOAD`, an upper one along y, whose ends move along z
/// alone.
fn crossed(on_twist: bool) -> ModelBuilder {
    let mut builder = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0))
        .rod(line(DVec3::Y, 2.005 * RADIUS))
        .contact(contact(on_twist));
    for node in 0..6 {
        builder = builder.force(1, node, DVec3::Z * (-LOAD / 6.0), Schedule::Constant(1.0));
    }
    builder
        .hold_node(1, 0, [true, true, false], Motion::Still)
        .hold_node(1, 5, [true, true, false], Motion::Still)
}

fn run(builder: ModelBuilder, until: f64) -> Simulation {
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt: 5e-4,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    simulation.run_until(until, |_, _| true).unwrap();
    simulation
}

/// Spin of the upper rod's middle edge, rad/s.
fn spin(simulation: &Simulation) -> f64 {
    let edge = simulation.model.topology.rods[1].first_edge + 2;
    simulation.state.velocity[simulation.model.topology.edge_dof[edge]]
}

/// A free rod on a conveyor rolls: it spins up under mu N h, until its surface moves with the belt
/// and friction is nothing.
#[test]
fn a_free_rod_rolls() {
    let speed = 5e-3;
    let pushed = |until: f64| {
        let mut builder = crossed(true);
        for node in 0..6 {
            builder = builder.hold_node(0, node, [true; 3], Motion::Velocity(DVec3::X * speed));
        }
        run(builder, until)
    };
    // The rod's whole inertia about its axis, rho J L, takes mu N h.
    let inertia: f64 = {
        let (model, _) = crossed(true).build().unwrap();
        let rod = &model.topology.rods[1];
        (rod.first_edge..rod.first_edge + rod.edges)
            .map(|e| model.mass[model.topology.edge_dof[e]])
            .sum()
    };
    let time = speed / RADIUS * inertia / (MU * LOAD * RADIUS);
    let rolling = pushed(0.2);
    // Its lowest point moves along x when it turns about -y.
    let found = spin(&rolling);
    println!(
        "spins up in {time:.2e} s; spin {found:.8e}, belt over radius {:.8e}",
        speed / RADIUS
    );
    assert!(time < 0.02);
    // Lever arms end half way between the axes: penetration, at most 0.3 %, shows.
    assert!((found / (-speed / RADIUS) - 1.0).abs() < 2e-3, "{found}");
    let reactions = observe(&rolling.model, &rolling.state).unwrap().reactions;
    let held = reactions.len() - 8;
    let friction: f64 = reactions[held..held + 2].iter().map(|r| r.force.x).sum();
    assert!(friction.abs() < 1e-3 * MU * LOAD, "{friction:e}");
}

/// A rod driven to spin takes the free one under it along, which ends with the speed of the driving
/// surface. On the axes (T22) nothing happens.
#[test]
fn a_spinning_rod_drives_another() {
    let omega = 4.0;
    let driven = |on_twist: bool, until: f64| {
        let mut builder = crossed(on_twist);
        for node in 0..6 {
            builder = builder.hold_node(0, node, [false, true, true], Motion::Still);
        }
        for edge in 0..5 {
            builder = builder.hold_angle(
                1,
                edge,
                Schedule::Rate {
                    value: 0.0,
                    rate: -omega,
                },
            );
        }
        run(builder, until)
    };
    let speed = |s: &Simulation| s.state.velocity[0];
    let together = driven(true, 0.3);
    // Half the distance of the axes, which penetration shortens.
    let gap = observe(&together.model, &together.state)
        .unwrap()
        .nearest
        .unwrap()
        .gap;
    let surface = omega * (RADIUS + 0.5 * gap);
    println!(
        "runs at {:.6e} m/s, surface {surface:.6e}",
        speed(&together)
    );
    assert!((speed(&together) / surface - 1.0).abs() < 1e-4);
    assert!(speed(&driven(false, 0.1)).abs() < 1e-12);
}

/// Two touching rods side by side that turn as one about the x axis at 15 rpm (T22): axes a
/// diameter apart pass each other at 31 times the slip tolerance, surfaces do not.
#[test]
fn a_pair_that_turns_as_one_does_not_slip() {
    let omega = DVec3::X * (15.0 * std::f64::consts::TAU / 60.0);
    let forces = |on_twist: bool| {
        let (model, mut state) = ModelBuilder::new()
            .rod(line(DVec3::X, 0.0))
            .rod(line(DVec3::new(0.96, 0.28, 0.0), 1.998 * RADIUS))
            .contact(contact(on_twist))
            .build()
            .unwrap();
        for dof in &model.topology.node_dof {
            let u = omega.cross(DVec3::from_slice(&state.q[*dof..]));
            state.velocity[*dof..dof + 3].copy_from_slice(&u.to_array());
        }
        for (edge, dof) in model.topology.edge_dof.iter().enumerate() {
            state.velocity[*dof] = omega.dot(state.frames.tangent[edge]);
        }
        friction(&model, &state)
    };
    let (limit, surfaces) = forces(true);
    let (_, axes) = forces(false);
    println!(
        "friction over mu N: surfaces {:.1e}, axes {:.6}",
        surfaces / limit,
        axes / limit
    );
    assert!(surfaces < 1e-12 * limit);
    assert!((axes / limit - 1.0).abs() < 1e-9);
}

/// mu N, and the sum of the friction forces on the first rod, N.
fn friction(model: &Model, state: &State) -> (f64, f64) {
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .unwrap();
    let at = Trial {
        topology: &model.topology,
        kinematics: &kinematics,
        time: 0.0,
        q: &state.q,
        velocity: &state.velocity,
        rate: 0.0,
    };
    let mut force = vec![0.0; model.topology.dofs];
    let beginning = Beginning::new(model, state, Instants::still(state.time));
    let mut frame = ContactFrame::new(model, &beginning);
    let mut contact = ContactSet::default();
    contact.find(&mut frame, model, &at, state.contact.stiffness, &mut force);
    let normal = contact.largest_force();
    // The normal force is along z.
    let sum: DVec3 = (0..6).map(|n| DVec3::from_slice(&force[4 * n..])).sum();
    assert!(normal > 0.0);
    (MU * normal, sum.truncate().length())
}
