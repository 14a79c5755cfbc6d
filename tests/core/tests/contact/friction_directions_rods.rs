//! Friction that differs along, against and across a rod, between rods: what dragging takes, and
//! that equal coefficients are plain friction.

use glam::DVec3;
use writhe::contact::{
    ContactModel, Directions, Friction, FrictionSolve, ImcSettings, ImcSmoothSettings, IpcSettings,
    SpillmannTeschnerSettings, StaticFriction, Stiffness,
};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::Rod;
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;
use writhe_tests::support::crossed::{RADIUS, pressed, section};

/// Of the lower rod, which lies along x, and of the upper one, along y.
const SCALES: Directions = Directions {
    forward: 0.11,
    backward: 0.34,
    across: 0.2,
};
const BRISTLES: Directions = Directions {
    forward: 0.5,
    backward: 0.1,
    across: 0.26,
};
const PLAIN: f64 = 0.3;
/// m/s.
const SPEED: f64 = 0.02;

fn contact(stick: StaticFriction) -> ContactModel {
    ContactModel::Imc(ImcSettings {
        friction: Friction {
            stick,
            ..Friction::coulomb(PLAIN)
        },
        ..near()
    })
}

/// Acts from a gap of a tenth of a radius on.
fn near() -> ImcSettings {
    ImcSettings {
        tolerance: 0.1,
        stiffness: Stiffness::Given(1e-5),
        ..ImcSettings::default()
    }
}

/// A rod along x and one along y above it, near enough to press on each other, all nodes and angles
/// held; the lower one is dragged along `direction`.
fn dragged(contact: ContactModel, own: [Option<Directions>; 2], direction: DVec3) -> Simulation {
    let line = |along: DVec3, height: f64| {
        let node = |i: i32| along * (0.01 * (f64::from(i) - 2.5)) + DVec3::Z * height;
        Rod::open((0..6).map(node).collect(), section(1e8)).unwrap()
    };
    let builder = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0))
        .rod(line(DVec3::Y, 2.02 * RADIUS))
        .contact(contact);
    let along = Motion::Velocity(SPEED * direction);
    let builder =
        [along, Motion::Still]
            .into_iter()
            .enumerate()
            .fold(builder, |all, (rod, motion)| {
                let held = (0..6).fold(all, |b, node| {
                    b.hold_node(rod, node, [true; 3], motion.clone())
                });
                (0..5).fold(held, |b, edge| {
                    b.hold_angle(rod, edge, Schedule::Constant(0.0))
                })
            });
    start(builder, own)
}

fn start(builder: ModelBuilder, own: [Option<Directions>; 2]) -> Simulation {
    let with = |builder: ModelBuilder, (rod, own): (usize, Option<Directions>)| match own {
        Some(own) => builder.friction_by_direction(rod, own),
        None => builder,
    };
    let (model, state) = own
        .into_iter()
        .enumerate()
        .fold(builder, with)
        .build()
        .unwrap();
    let settings = StepSettings {
        dt: 5e-4,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

/// What drags the lower rod, and the normal force.
fn drag(run: &Simulation) -> (DVec3, f64) {
    let seen = observe(&run.model, &run.state).unwrap();
    let force: DVec3 = seen.reactions[..6].iter().map(|r| r.force).sum();
    assert!(seen.contact_force > 0.0);
    (DVec3::new(force.x, force.y, 0.0), seen.contact_force)
}

/// f_X(w) with the axes x and y of a rod along `tau`, as written in the book.
fn alone(own: Option<Directions>, w: DVec3, tau: DVec3) -> DVec3 {
    let Some(own) = own else { return -PLAIN * w };
    let side = DVec3::Z.cross(tau);
    let x: f64 = w.dot(tau);
    let e: f64 = 0.01;
    let psi = (x.hypot(e) - e) / (1.0_f64.hypot(e) - e);
    let along = 0.5 * (own.forward + own.backward) * x + 0.5 * (own.forward - own.backward) * psi;
    -along * tau - own.across * w.dot(side) * side
}

#[test]
fn dragging_takes_half_the_sum_of_both_rods() {
    let both = [Some(SCALES), Some(BRISTLES)];
    let cases = [
        // Straight along, against and across, by hand.
        (both, DVec3::X, 0.5 * (0.11 + 0.26)),
        (both, -DVec3::X, 0.5 * (0.34 + 0.26)),
        // The upper rod slides on the lower one towards its first node.
        (both, DVec3::Y, 0.5 * (0.2 + 0.1)),
        (both, -DVec3::Y, 0.5 * (0.2 + 0.5)),
        ([Some(SCALES), None], DVec3::X, 0.5 * (0.11 + PLAIN)),
        ([Some(SCALES), None], -DVec3::X, 0.5 * (0.34 + PLAIN)),
        ([None, Some(BRISTLES)], DVec3::Y, 0.5 * (0.1 + PLAIN)),
    ];
    for (own, direction, mu) in cases {
        let mut run = dragged(contact(StaticFriction::Creep), own, direction);
        run.run_until(0.05, |_, _| true).unwrap();
        let (force, normal) = drag(&run);
        println!("along {direction}: {:.12} of {mu}", force.length() / normal);
        assert!(
            (force - mu * normal * direction).length() < 1e-9 * normal,
            "{force}"
        );
        // All power of the drag is heat of friction.
        let heat = |run: &Simulation| {
            observe(&run.model, &run.state)
                .unwrap()
                .ledger
                .works
                .friction
        };
        let before = heat(&run);
        run.run_until(0.1, |_, _| true).unwrap();
        let (heat, wanted) = (heat(&run) - before, mu * normal * SPEED * 0.05);
        assert!(
            (heat.abs() / wanted - 1.0).abs() < 1e-6,
            "{heat:e} J, wanted {wanted:e}"
        );
    }
}

/// Askew to both rods the force is the vector of the law, which is not along the slip.
#[test]
fn askew_the_force_is_not_along_the_slip() {
    let own = [Some(SCALES), Some(BRISTLES)];
    for angle in [0.5_f64, 2.2, -0.7, -2.0] {
        let direction = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let mut run = dragged(contact(StaticFriction::Creep), own, direction);
        run.run_until(0.01, |_, _| true).unwrap();
        let (force, normal) = drag(&run);
        let on_lower =
            0.5 * (alone(own[0], direction, DVec3::X) - alone(own[1], -direction, DVec3::Y));
        println!("at {angle}: {}, law {on_lower}", -force / normal);
        assert!((force / normal + on_lower).length() < 1e-8);
        assert!(on_lower.cross(direction).length() > 0.05 * on_lower.length());
    }
}

/// A whole run with equal coefficients is that of plain friction, with penalties and barriers.
#[test]
fn equal_coefficients_make_the_same_run() {
    let same = Directions {
        forward: PLAIN,
        backward: PLAIN,
        across: PLAIN,
    };
    let ipc = ContactModel::Ipc(IpcSettings {
        friction: Friction {
            solved: FrictionSolve::Implicit,
            ..Friction::coulomb(PLAIN)
        },
        ..IpcSettings::default()
    });
    for contact in [contact(StaticFriction::Creep), ipc] {
        let end = |own| {
            // The lower one is pulled askew, the upper one bends.
            let pulled = (0..6).fold(pressed(contact), |b, node| {
                let along = Motion::Velocity(SPEED * DVec3::new(0.6, 0.8, 0.0));
                b.hold_node(0, node, [true; 3], along)
            });
            let mut run = start(pulled, own);
            run.run_until(0.05, |_, _| true).unwrap();
            run.state
        };
        let (plain, ours): (State, State) = (end([None; 2]), end([Some(same); 2]));
        assert_eq!(plain.step, ours.step);
        let apart = plain.q.iter().zip(&ours.q).map(|(a, b)| (a - b).abs());
        let apart = apart.fold(0.0, f64::max);
        println!("{apart:e} m apart after {} steps", plain.step);
        assert!(apart < 1e-7 * RADIUS, "{apart:e}");
    }
}

/// Contact without friction between plain rods has friction where one has its own, and that one
/// counts half.
#[test]
fn a_rod_with_scales_rubs_on_one_without_friction() {
    let smooth = ContactModel::Imc(near());
    let mut run = dragged(smooth, [Some(SCALES), None], DVec3::X);
    run.run_until(0.05, |_, _| true).unwrap();
    let (force, normal) = drag(&run);
    assert!((force.x / normal - 0.5 * 0.11).abs() < 1e-9, "{force}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let lagged = ContactModel::Imc(ImcSettings {
        friction: Friction::lagged(PLAIN),
        ..ImcSettings::default()
    });
    let spillmann = ContactModel::SpillmannTeschner(SpillmannTeschnerSettings::default());
    let smooth = ContactModel::ImcSmooth(ImcSmoothSettings::default());
    let negative = Directions {
        backward: -0.1,
        ..SCALES
    };
    let implicit = contact(StaticFriction::Creep);
    let refused = |builder: ModelBuilder| builder.build().map(|_| ()).unwrap_err().to_string();
    let anchored = contact(StaticFriction::Anchor { presliding: 1e-3 });
    for (contact, rod, own, words) in [
        (anchored, 0, SCALES, "leave contact.static_friction out"),
        (lagged, 0, SCALES, "contact.friction_solve = \"implicit\""),
        (spillmann, 0, SCALES, "contact.model = \"imc\""),
        (smooth, 1, SCALES, "contact.model = \"imc\""),
        (implicit, 0, negative, "by direction is -0.1"),
        (implicit, 2, SCALES, "friction by direction"),
    ] {
        let message = refused(pressed(contact).friction_by_direction(rod, own));
        assert!(message.contains(words), "{message}");
    }
}
