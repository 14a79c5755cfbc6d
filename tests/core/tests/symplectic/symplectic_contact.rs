//! Contact in explicit steps: nothing passes through, momentum is kept, what lies rests, what
//! slides slows down.

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings, LaggedFriction, SpillmannTeschnerSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{StepReport, StepSettings};
use writhe_tests::scene::{G, explicit, restarts, stretch};
use writhe_tests::support::crossed::{RADIUS, apart, section, thrown, twisted_ring};
use writhe_tests::support::writhe_number::linking_number;

fn contact(mu: f64) -> ContactModel {
    ContactModel::SpillmannTeschner(SpillmannTeschnerSettings {
        friction: LaggedFriction::coulomb(mu),
        ..SpillmannTeschnerSettings::default()
    })
}

/// Rods thrown at each other do not pass through, whatever speed and step; each step ends with rods
/// apart, as long as they are, and with the momentum that they had.
#[test]
fn thrown_rods_never_pass_through_each_other() {
    for mu in [0.0, 0.2] {
        for (speed, dt, angle) in [
            (0.1, 1e-3, 1.3),
            (1.0, 1e-4, 0.2),
            (1.0, 2e-3, 1.3),
            (8.0, 1e-3, 0.2),
            (8.0, 2e-3, 1.3),
        ] {
            let settings = StepSettings {
                adaptive: true,
                ..explicit(dt)
            };
            let mut s = thrown(contact(mu), speed, angle, settings);
            let (before, _) = apart(&s.model, &s.state);
            let momentum = observe(&s.model, &s.state).unwrap().momentum;
            s.run_until((10.0 * RADIUS / speed).max(0.01), |s, _| {
                let (now, distance) = apart(&s.model, &s.state);
                assert!(now * before > 0.0, "passed through");
                let depth = 2.0 - distance / RADIUS;
                assert!(depth < 1.01e-4, "{speed} m/s: depth {depth}");
                assert!(stretch(&s.model, &s.state) < 1e-8);
                true
            })
            .unwrap_or_else(|e| panic!("{speed} m/s, {dt} s: {e}"));
            let pushed = (observe(&s.model, &s.state).unwrap().momentum - momentum).length();
            let of = s.statistics;
            println!(
                "mu {mu}, {speed} m/s, steps of {dt} s: {} steps, {} rejected, {:.1} iterations and {:.1} responses a step; momentum {:.1e}",
                of.steps,
                of.rejected_steps,
                of.newton_iterations as f64 / of.steps as f64,
                of.krylov_iterations as f64 / of.steps as f64,
                pushed / momentum.length()
            );
            assert!(of.contact_steps > 0, "they must hit: {of:?}");
            assert!(pushed < 1e-13 * momentum.length(), "{pushed:e}");
        }
    }
}

/// Two held rails along y and a rod across them, `gap` above, m; it moves along its own axis with
/// `speed`, m/s.
fn rails(mu: f64, gap: f64, speed: f64) -> (Model, State) {
    let line = |from: DVec3, along: DVec3, nodes: i32| {
        let node = |i: i32| from + along * (0.01 * f64::from(i));
        Rod::open((0..nodes).map(node).collect(), section(1e8)).unwrap()
    };
    let mut builder = ModelBuilder::new()
        .rod(line(DVec3::new(0.02, -0.033, 0.0), DVec3::Y, 7))
        .rod(line(DVec3::new(0.07, -0.033, 0.0), DVec3::Y, 7))
        .rod(line(DVec3::Z * (2.0 * RADIUS + gap), DVec3::X, 10))
        .gravity(DVec3::NEG_Z * G)
        .contact(contact(mu));
    for (rod, node) in (0..2).flat_map(|rod| (0..7).map(move |node| (rod, node))) {
        builder = builder.hold_node(rod, node, [true; 3], Motion::Still);
    }
    let (model, mut state) = builder.build().unwrap();
    let free = model.topology.rods[2].first_node;
    for dof in &model.topology.node_dof[free..] {
        state.velocity[*dof] = speed;
    }
    (model, state)
}

fn weight(model: &Model) -> f64 {
    let free = &model.topology.node_dof[model.topology.rods[2].first_node..];
    free.iter().map(|dof| model.mass[*dof]).sum::<f64>() * G
}

fn steps(s: &mut Simulation, count: u32) -> StepReport {
    let mut last = StepReport::default();
    for _ in 0..count {
        last = s.step(s.settings.dt).unwrap();
        assert!(last.penetration < 1.01e-4, "{last:?}");
        assert!(stretch(&s.model, &s.state) < 1e-8);
    }
    last
}

/// A rod falls on two held ones and comes to rest on them; they carry its weight.
#[test]
fn a_rod_comes_to_rest_on_held_rods() {
    let (model, state) = rails(0.3, 3e-3, 0.0);
    let weight = weight(&model);
    let mut s = Simulation::new(model, state, explicit(2e-4));
    steps(&mut s, 5000);
    // What shakes in it still averages out.
    let (mut carried, mut highest, count) = (0.0, 0.0_f64, 2000);
    for _ in 0..count {
        steps(&mut s, 1);
        let forces = &s.state.contact.forces;
        carried += forces.iter().map(|p| p.force).sum::<f64>() / f64::from(count);
        let free = s.model.topology.rods[2].first_node;
        let heights = s.model.positions(&s.state).into_iter().skip(free);
        highest = highest.max(
            heights
                .map(|x| (x.z / RADIUS - 2.0).abs())
                .fold(0.0, f64::max),
        );
    }
    println!(
        "at rest: carried {carried:.6} N of {weight:.6} N, within {highest:.2e} radii of touching"
    );
    assert!((carried / weight - 1.0).abs() < 1e-2, "{carried} {weight}");
    // It sags between its supports by less than this.
    assert!(highest < 0.05, "{highest}");
}

/// A rod that slides along itself on rails slows down at mu g.
#[test]
fn a_rod_slides_as_friction_has_it() {
    let (mu, speed, time) = (0.3, 0.3, 0.04);
    let (model, state) = rails(mu, 0.0, speed);
    let mut s = Simulation::new(model, state, explicit(1e-4));
    steps(&mut s, 400);
    let free = &s.model.topology.node_dof[s.model.topology.rods[2].first_node..];
    let mass: f64 = free.iter().map(|dof| s.model.mass[*dof]).sum();
    let momentum: f64 = free
        .iter()
        .map(|d| s.model.mass[*d] * s.state.velocity[*d])
        .sum();
    let (now, wanted) = (momentum / mass, speed - mu * G * time);
    println!("slides at {now:.5} m/s after {time} s, closed form {wanted:.5} m/s");
    assert!(
        (now - wanted).abs() < 0.01 * (speed - wanted),
        "{now} {wanted}"
    );
}

/// A ring with eight turns of twist coils up until it touches itself nearly everywhere; twist and
/// writhe still add up to eight.
#[test]
fn a_twisted_ring_coils_up_and_does_not_pass_through_itself() {
    let (model, state) = twisted_ring(contact(0.0));
    let mut s = Simulation::new(
        model,
        state,
        StepSettings {
            adaptive: true,
            ..explicit(2e-4)
        },
    );
    let mut most = 0;
    s.run_until(0.4, |s, report| {
        most = most.max(report.contacts);
        assert!((linking_number(&s.model, &s.state) - 8.0).abs() < 1e-6);
        assert!(report.penetration < 1.01e-4, "{report:?}");
        true
    })
    .unwrap();
    let of = s.statistics;
    println!(
        "ring: {} steps, {} rejected, {:.1} iterations and {:.1} responses a step, up to {most} pairs",
        of.steps,
        of.rejected_steps,
        of.newton_iterations as f64 / of.steps as f64,
        of.krylov_iterations as f64 / of.steps as f64
    );
    assert!(most > 5, "{most}");
}

#[test]
fn contact_restarts_bit_for_bit() {
    restarts(&|| rails(0.3, 1e-4, 0.1), 2e-4, 120);
}

#[test]
fn other_contact_models_are_refused() {
    let imc = ContactModel::Imc(ImcSettings::default());
    let error = thrown(imc, 1.0, 1.3, explicit(1e-4))
        .step(1e-4)
        .unwrap_err();
    assert!(error.to_string().contains("spillmann-teschner"), "{error}");
}
