//! Static friction: what is anchored does not move, however long it is pushed, and slides when it
//! must.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings, StaticFriction};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};
use writhe_tests::support::crossed::{LOAD, RADIUS, pressed};

const MU: f64 = 0.3;
/// Over the radius.
const PRESLIDING: f64 = 1e-3;
const ANCHOR: StaticFriction = StaticFriction::Anchor {
    presliding: PRESLIDING,
};

/// The lower of two pressed rods is free to move along x, pulled by `pull`, N; with a speed, it
/// moves with it instead, m/s.
fn rubbing(
    stick: StaticFriction,
    pull: Schedule,
    speed: Option<f64>,
    scheme: Scheme,
) -> Simulation {
    let mut builder = pressed(ContactModel::Imc(ImcSettings {
        friction: Friction {
            stick,
            ..Friction::coulomb(MU)
        },
        ..ImcSettings::default()
    }));
    for node in 0..6 {
        builder = match speed {
            None => builder
                .hold_node(0, node, [false, true, true], Motion::Still)
                .force(0, node, DVec3::X / 6.0, pull.clone()),
            Some(u) => builder.hold_node(0, node, [true; 3], Motion::Velocity(DVec3::X * u)),
        };
    }
    let (model, state) = builder.build().unwrap();
    let settings = StepSettings {
        dt: 5e-4,
        scheme,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn pulled(stick: StaticFriction, part: f64) -> Simulation {
    let pull = Schedule::Constant(part * MU * LOAD);
    rubbing(stick, pull, None, Scheme::BackwardEuler)
}

fn place(simulation: &Simulation) -> f64 {
    simulation.state.q[0]
}

/// Where the smoothed law creeps on for ever, the anchor holds: the place does not change, the pull
/// is taken up.
#[test]
fn what_is_anchored_does_not_creep() {
    for part in [0.3, 0.9, 0.99] {
        let mut anchored = pulled(ANCHOR, part);
        anchored.run_until(1.0, |_, _| true).unwrap();
        let (early, slip) = (place(&anchored), place(&anchored) + 0.025);
        anchored.run_until(3.0, |_, _| true).unwrap();
        let drift = place(&anchored) - early;
        let seen = observe(&anchored.model, &anchored.state).unwrap().sticking;
        let mut creeping = pulled(StaticFriction::Creep, part);
        creeping.run_until(1.0, |_, _| true).unwrap();
        let creep = observe(&creeping.model, &creeping.state).unwrap().sticking;
        println!(
            "{part} mu N: anchored after {:.3e} m, then moves by {drift:.1e} m in 2 s, creep {:.1e} m/s; smoothed {:.3e} m/s",
            slip, seen.creep, creep.creep
        );
        // The rods bend a little, too.
        assert!(slip > 0.0 && slip < 1.0 * RADIUS);
        assert!(drift.abs() < 1e-12 && seen.creep < 1e-11);
        if part < 0.99 {
            assert_eq!(seen.contacts, 1);
            assert!((creep.creep / (1e-4 / 7.5 * f64::atanh(part)) - 1.0).abs() < 1e-2);
        }
    }
}

#[test]
fn above_the_limit_it_slides_at_mu_n() {
    let mut simulation = pulled(ANCHOR, 2.0);
    let mass: f64 = (0..6).map(|n| simulation.model.mass[4 * n]).sum();
    let velocity = |s: &Simulation| s.state.velocity[0];
    simulation.run_until(0.04, |_, _| true).unwrap();
    let early = velocity(&simulation);
    simulation.run_until(0.09, |_, _| true).unwrap();
    let found = (velocity(&simulation) - early) / 0.05;
    let wanted = MU * LOAD / mass;
    println!("accelerates by {found:.5e}, law {wanted:.5e}");
    assert!((found / wanted - 1.0).abs() < 1e-2);
}

/// The contact point passes from edge to edge, and what is remembered goes with it.
#[test]
fn sliding_friction_passes_over_the_joints_of_edges() {
    let still = Schedule::Constant(0.0);
    let mut simulation = rubbing(ANCHOR, still, Some(0.02), Scheme::BackwardEuler);
    simulation.run_until(0.2, |_, _| true).unwrap();
    // From the middle of an edge over a joint into the next one; the middle of the upper rod
    // vibrates a little.
    let mut sum = 0.0;
    for i in 1..=80 {
        simulation
            .run_until(0.2 + 5e-3 * f64::from(i), |_, _| true)
            .unwrap();
        let reactions = observe(&simulation.model, &simulation.state)
            .unwrap()
            .reactions;
        sum -= reactions[..2].iter().map(|r| r.force.x).sum::<f64>() / (MU * LOAD);
        for pair in &simulation.state.contact.anchors {
            let [a, b] = pair.anchor.slip;
            assert!((a.hypot(b) / (PRESLIDING * RADIUS) - 1.0).abs() < 1e-12);
        }
    }
    println!("mean friction over mu N {:.5}", sum / 80.0);
    assert!((sum / 80.0 - 1.0).abs() < 0.01);
}

/// A pull that comes and goes below the limit leaves the rod where it was.
#[test]
fn a_pull_that_ends_leaves_no_slip() {
    let pull = Schedule::Table(vec![
        (0.0, 0.0),
        (0.3, 0.8 * MU * LOAD),
        (0.6, -0.8 * MU * LOAD),
        (0.9, 0.0),
    ]);
    let mut simulation = rubbing(ANCHOR, pull, None, Scheme::BackwardEuler);
    simulation.run_until(2.0, |_, _| true).unwrap();
    let left = place(&simulation) + 0.025;
    println!("left {left:.2e} m");
    assert!(left.abs() < 1e-3 * PRESLIDING * RADIUS);
}

/// Anchors are part of the state: a copy goes on with the same bits.
#[test]
fn anchors_survive_a_restart() {
    let mut simulation = pulled(ANCHOR, 0.7);
    simulation.run_until(0.05, |_, _| true).unwrap();
    assert!(!simulation.state.contact.anchors.is_empty());
    let text = serde_json::to_string(&simulation.state.contact).unwrap();
    let memory: writhe::state::ContactMemory = serde_json::from_str(&text).unwrap();
    assert_eq!(memory.anchors, simulation.state.contact.anchors);
    let mut copy = Simulation::new(
        pulled(ANCHOR, 0.7).model,
        simulation.state.clone(),
        simulation.settings,
    );
    for run in [&mut simulation, &mut copy] {
        run.run_until(0.1, |_, _| true).unwrap();
    }
    assert_eq!(simulation.state, copy.state);
}

/// On a slope below the angle of friction a rod of 1 kg comes to rest and stays (catalogue 4.5: the
/// smoothed law lets it creep).
#[test]
fn a_rod_on_a_slope_rests() {
    let (mu, angle) = (0.3, 15.0_f64.to_radians());
    let up = DVec3::new(-angle.sin(), 0.0, angle.cos());
    let down = DVec3::new(-angle.cos(), 0.0, -angle.sin());
    let (length, radius) = (1.0, 0.025);
    let density = 1.0 / (length * std::f64::consts::PI * radius * radius);
    let section = Section::circle(Material::new(1e5, 0.5, density), radius);
    let node = |i: i32| down * (length * (f64::from(i) / 25.0 - 0.5)) + up * (1.001 * radius);
    let run = |stick: StaticFriction| {
        let (model, state) = ModelBuilder::new()
            .rod(Rod::open((0..26).map(node).collect(), section).unwrap())
            .gravity(DVec3::NEG_Z * 9.81)
            .contact(ContactModel::Imc(ImcSettings {
                friction: Friction {
                    stick,
                    ..Friction::coulomb(mu)
                },
                ..ImcSettings::default()
            }))
            .obstacle(Obstacle::half_space(DVec3::ZERO, up))
            .build()
            .unwrap();
        let settings = StepSettings {
            dt: 0.01,
            ..StepSettings::default()
        };
        let mut run = Simulation::new(model, state, settings);
        run.run_until(3.0, |_, _| true).unwrap();
        let middle = |s: &Simulation| s.model.positions(&s.state)[13];
        let before = middle(&run);
        run.run_until(13.0, |_, _| true).unwrap();
        let o = observe(&run.model, &run.state).unwrap();
        // Every node, through its edges; an end may be at its limit since it came to rest.
        assert!(o.sticking.contacts >= 48);
        (middle(&run).distance(before), o.sticking.creep)
    };
    let (drift, creep) = run(ANCHOR);
    let (far, slow) = run(StaticFriction::Creep);
    println!(
        "in 10 s: anchored {drift:.1e} m ({creep:.1e} m/s), smoothed {far:.3e} m ({slow:.3e} m/s)"
    );
    assert!(drift < 1e-11 && creep < 1e-12);
    assert!(far > 1e-4);
}
