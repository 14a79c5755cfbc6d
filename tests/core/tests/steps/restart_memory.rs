//! What contact, joints and two-step schemes remember survives a restart: a run that goes on from
//! its written state makes the same bits.

use glam::{DQuat, DVec3};
use writhe::bodies::{Body, Joint, JointKind};
use writhe::contact::{
    ContactModel, Directions, Friction, ImcSettings, IpcSettings, StaticFriction,
};
use writhe::model::ModelBuilder;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::state::arrays::Arrays;
use writhe::step::{Scheme, StepSettings};

fn section() -> Section {
    Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3)
}

fn line(along: DVec3, middle: DVec3) -> Rod {
    let node = |i: i32| middle + along * (0.01 * (f64::from(i) - 3.5));
    Rod::open((0..8).map(node).collect(), section()).unwrap()
}

fn start(builder: ModelBuilder, dt: f64) -> Simulation {
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt,
        scheme: Scheme::Bdf2,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// Rods one over the other on a slope, held by friction that remembers.
fn anchored() -> Simulation {
    let (builder, contact) = on_a_slope();
    start(builder.contact(contact), 1e-3)
}

/// The same, the upper one with scales: it creeps or slides on the lower one.
fn scaled() -> Simulation {
    let (builder, _) = on_a_slope();
    let contact = ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(0.5),
        ..ImcSettings::default()
    });
    let scales = Directions {
        forward: 0.02,
        backward: 0.3,
        across: 0.05,
    };
    let builder = builder.friction_by_direction(1, scales);
    start(builder.contact(contact), 1e-3)
}

fn on_a_slope() -> (ModelBuilder, ContactModel) {
    let tilt = DQuat::from_rotation_y(0.2);
    let contact = ContactModel::Imc(ImcSettings {
        friction: Friction {
            stick: StaticFriction::Anchor { presliding: 1e-3 },
            ..Friction::coulomb(0.5)
        },
        ..ImcSettings::default()
    });
    let builder = ModelBuilder::new()
        .rod(line(DVec3::X, DVec3::Z * 1.001e-3))
        .rod(line(DVec3::Y, DVec3::Z * 3.004e-3))
        .gravity(tilt * DVec3::Z * -9.81)
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z));
    (builder, contact)
}

/// A rod pressed on a moving plate, with a barrier or a penalty whose stiffness follows the load.
fn pressed(contact: ContactModel) -> Simulation {
    let builder = ModelBuilder::new()
        .rod(line(DVec3::X, DVec3::Z * 1.02e-3))
        .rod(line(DVec3::Y, DVec3::Z * 3.05e-3))
        .clamp(1, 0, Motion::Velocity(DVec3::Z * -0.01))
        .force(
            1,
            7,
            DVec3::Z * -2e-2,
            Schedule::Rate {
                value: 0.0,
                rate: 10.0,
            },
        )
        .obstacle(
            Obstacle::half_space(DVec3::ZERO, DVec3::Z)
                .moving(Motion::Velocity(DVec3::new(0.02, 0.0, 1e-3))),
        )
        .contact(contact);
    start(builder, 2e-3)
}

/// A row of two bodies on a joint that breaks after a while.
fn breaking() -> Simulation {
    let block = |x: f64| Body::cuboid(0.02, DVec3::new(0.02, 0.03, 0.04), DVec3::X * x);
    let mut joint = Joint::new([Some(1), Some(0)], DVec3::X * 0.05, JointKind::Ball);
    joint.strength = Some(0.5);
    let rod = line(DVec3::Z, DVec3::Z * 0.035);
    let builder = ModelBuilder::new()
        .rod(rod)
        .body(block(0.0))
        .body(block(0.1))
        .weld(0, 0, 0)
        .joint(joint)
        .move_body(0, Motion::spin(DVec3::ZERO, DVec3::Y, 10.0))
        .gravity(DVec3::Z * -9.81);
    start(builder, 2e-3)
}

/// Something that a state remembers.
type Remembers = fn(&State) -> bool;

/// Its name, how it begins, and what its states must have remembered.
type Scene<'a> = (&'a str, &'a dyn Fn() -> Simulation, &'a [Remembers]);

#[test]
fn a_written_state_goes_on_with_the_same_bits() {
    let ipc = || {
        pressed(ContactModel::Ipc(IpcSettings {
            friction: Friction::lagged(0.3),
            ..IpcSettings::default()
        }))
    };
    let imc = || pressed(ContactModel::Imc(ImcSettings::default()));
    let scenes: [Scene; 5] = [
        (
            "anchored",
            &anchored,
            &[
                |s| !s.contact.anchors.is_empty(),
                |s| !s.contact.obstacle_anchors.is_empty(),
            ],
        ),
        ("scaled", &scaled, &[|s| s.contact.stiffness > 0.0]),
        ("barrier", &ipc, &[|s| s.contact.next_stiffness > 0.0]),
        ("penalty", &imc, &[|s| s.contact.stiffness > 0.0]),
        ("breaking", &breaking, &[|s| s.broken.contains(&true)]),
    ];
    for (name, build, remembered) in scenes {
        let (mut plain, mut restarted) = (build(), build());
        let mut times = vec![0; remembered.len()];
        for step in 0..80 {
            let saved = restarted.state.to_arrays().unwrap().to_bytes().unwrap();
            let read = State::from_arrays(&Arrays::from_bytes(&saved).unwrap()).unwrap();
            read.check_fit(&restarted.model).unwrap();
            for (times, remembers) in times.iter_mut().zip(remembered) {
                *times += u32::from(remembers(&read));
            }
            // A new process has the model and its settings, and what was written.
            let mut process = build();
            process.state = read;
            process.statistics = restarted.statistics;
            restarted = process;
            let largest = plain.state.control.dt;
            plain.step(largest).unwrap();
            restarted.step(largest).unwrap();
            assert!(
                plain.state == restarted.state,
                "{name}: differs after step {step}"
            );
        }
        println!("{name}: {times:?}");
        assert!(
            times.iter().all(|times| *times > 0),
            "{name}: never remembered anything: {times:?}"
        );
    }
}
