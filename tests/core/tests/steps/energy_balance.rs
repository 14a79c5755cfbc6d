//! What is left of the balance of energy after all works and all heat is the time scheme's, and
//! falls with the step at its order.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use writhe::bodies::Body;
use writhe::ledger::Ledger;
use writhe::loads::resistive_force::{DragCoefficients, DragLaw};
use writhe::loads::{Bedding, WindDrag};
use writhe::model::ModelBuilder;
use writhe::observe::{Entry, observe};
use writhe::schedule::{Motion, Pose, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{Integrator, Scheme, StepSettings};
use writhe_tests::balance::{G, SCHEMES, ledger, rod, settings};

/// Goes to and fro and turns, smoothly and from rest.
fn shaken() -> Motion {
    Motion::Custom(Arc::new(|t: f64| {
        let s = (10.0 * t).sin().powi(2);
        Pose {
            rotation: DQuat::from_axis_angle(DVec3::X, 0.8 * s),
            translation: DVec3::new(0.0, 0.02, 0.03) * s,
        }
    }))
}

/// All kinds of loads and supports, none of them sudden.
fn smooth_scene() -> ModelBuilder {
    let gently = Schedule::Custom(Arc::new(|t: f64| (12.0 * t).sin().powi(2)));
    let drag = DragLaw::Explicit(DragCoefficients {
        tangential: 0.2,
        normal: 0.4,
    });
    ModelBuilder::new()
        .rod(rod(0.4, 8, 4e5, 6e-3))
        .clamp(0, 0, shaken())
        .force(0, 4, DVec3::Y * 4e-2, gently.clone())
        .following_force(0, 8, 7, DVec3::new(0.03, 0.01, 0.0), gently.clone())
        .moment(0, 5, DVec3::new(1e-3, 0.0, 2e-3), gently.clone(), true)
        .wind(
            DVec3::Z * 3.0,
            gently,
            WindDrag::Linear { coefficient: 0.1 },
        )
        .viscous_damping(0.3)
        .resistive_drag(1.0, drag)
}

/// What the scheme leaves at the steps `dt` and `dt / 2`, over the scale, and the order by which it
/// falls.
fn order(
    builder: impl Fn() -> ModelBuilder,
    at: impl Fn(f64) -> StepSettings,
    dt: f64,
) -> [f64; 3] {
    let left = [dt, 0.5 * dt].map(|dt| {
        let ledger = ledger(builder(), at(dt), 0.25);
        println!("dt = {dt:e}: {ledger:?}");
        ledger.scheme / ledger.scale()
    });
    println!("left: {left:?}");
    [left[0], left[1], (left[0] / left[1]).log2()]
}

fn assert_order(scheme: Scheme, wanted: f64, small: f64) {
    let [coarse, _, found] = order(smooth_scene, |dt| settings(scheme, dt), 5e-4);
    assert!(coarse.abs() < small, "{scheme:?} leaves {coarse:e}");
    assert!((found - wanted).abs() < 0.2, "{scheme:?}: order {found}");
}

#[test]
fn backward_euler_leaves_first_order() {
    assert_order(Scheme::BackwardEuler, 1.0, 5e-2);
}

#[test]
fn bdf2_leaves_second_order() {
    assert_order(Scheme::Bdf2, 2.0, 2e-3);
}

/// Springs along the rod hold energy, which the balance counts: by it no more is left than without
/// them, and it falls at the same order.
#[test]
fn a_foundation_leaves_second_order() {
    let bedding = Bedding {
        normal: 20.0,
        tangential: 10.0,
        edges: None,
        plane: None,
    };
    let held = || smooth_scene().foundation(0, bedding);
    let [coarse, _, found] = order(held, |dt| settings(Scheme::Bdf2, dt), 5e-4);
    assert!(coarse.abs() < 2e-3, "BDF2 leaves {coarse:e}");
    assert!((found - 2.0).abs() < 0.2, "order {found}");
    // They hold a part of what the works brought: 3.5 %.
    let at = |builder: ModelBuilder| ledger(builder, settings(Scheme::Bdf2, 5e-4), 0.25).scale();
    let (with, without) = (at(held()), at(smooth_scene()));
    assert!((with / without - 1.0).abs() > 0.03, "{with} {without}");
}

#[test]
fn fitted_bdf2_leaves_second_order() {
    assert_order(Scheme::FittedBdf2 { omega: 20.0 }, 2.0, 2e-3);
}

#[test]
fn midpoint_leaves_second_order() {
    assert_order(Scheme::ImplicitMidpoint, 2.0, 2e-3);
}

/// What keeps lengths can do without loads that compress and without a fluid.
#[test]
fn explicit_steps_leave_first_order() {
    let scene = || {
        let gently = Schedule::Custom(Arc::new(|t: f64| (12.0 * t).sin().powi(2)));
        ModelBuilder::new()
            .rod(rod(0.4, 8, 4e5, 6e-3))
            .clamp(0, 0, shaken())
            .gravity(DVec3::new(0.0, 1.0, -2.0))
            .following_force(0, 8, 7, DVec3::new(0.03, 0.01, 0.0), gently)
            .viscous_damping(0.3)
    };
    let at = |dt| StepSettings {
        integrator: Integrator::SymplecticProjected,
        ..settings(Scheme::BackwardEuler, dt)
    };
    let [coarse, _, found] = order(scene, at, 2e-4);
    assert!(coarse.abs() < 2e-2, "explicit steps leave {coarse:e}");
    assert!((found - 1.0).abs() < 0.2, "explicit steps: order {found}");
}

/// Supports that move a body do the work on what is welded to it.
#[test]
fn moved_bodies_carry_their_rods() {
    for scheme in SCHEMES {
        let scene = || {
            let body = Body::cuboid(0.05, DVec3::new(0.01, 0.02, 0.03), DVec3::ZERO);
            ModelBuilder::new()
                .rod(rod(0.4, 8, 4e5, 6e-3))
                .body(body)
                .weld(0, 0, 0)
                .move_body(0, shaken())
                .viscous_damping(0.3)
        };
        let [coarse, _, found] = order(scene, |dt| settings(scheme, dt), 1e-3);
        let wanted = if scheme == Scheme::BackwardEuler {
            1.0
        } else {
            2.0
        };
        assert!(coarse.abs() < 5e-2, "{scheme:?} leaves {coarse:e}");
        assert!((found - wanted).abs() < 0.2, "{scheme:?}: order {found}");
    }
}

/// Columns of the balance add up to the change of the energies, whatever acts.
#[test]
fn columns_balance_to_rounding() {
    let (model, state) = smooth_scene().build().unwrap();
    let row = |s: &Simulation| {
        let mut all: Vec<Entry> = Vec::new();
        let seen = observe(&s.model, &s.state).unwrap();
        seen.visit(&s.model, &mut all);
        all
    };
    let mut simulation = Simulation::new(model, state, settings(Scheme::Bdf2, 1e-3));
    let start = row(&simulation);
    simulation.run_until(0.1, |_, _| true).unwrap();
    let end = row(&simulation);
    let change = |name: &str| {
        let of = |all: &[Entry]| all.iter().find(|e| e.name == name).unwrap().clone();
        assert_eq!(of(&end).unit, "J");
        of(&end).value - of(&start).value
    };
    let energy: f64 = ["stretch", "bend", "twist", "kinetic", "contact"]
        .map(|part| change(&format!("energy_{part}")))
        .iter()
        .sum();
    let works: f64 = ["loads", "supports", "motors", "contact"]
        .map(|part| change(&format!("work_{part}")))
        .iter()
        .sum();
    let heat: f64 = ["drag", "damping", "friction"]
        .map(|part| change(&format!("heat_{part}")))
        .iter()
        .sum();
    let left = energy - works + heat - change("scheme_gain");
    assert!(left.abs() < 1e-12 * (works.abs() + heat.abs()), "{left:e}");
}

/// The ledger is part of the state: a run that goes on from a copy of it has the same one to the
/// last bit.
#[test]
fn a_restart_keeps_the_ledger_bit_for_bit() {
    for scheme in SCHEMES {
        let (model, state) = smooth_scene().build().unwrap();
        let mut whole = Simulation::new(model, state, settings(scheme, 1e-3));
        whole.run_until(0.05, |_, _| true).unwrap();
        let (model, _) = smooth_scene().build().unwrap();
        let mut resumed = Simulation::new(model, whole.state.clone(), settings(scheme, 1e-3));
        whole.run_until(0.1, |_, _| true).unwrap();
        resumed.run_until(0.1, |_, _| true).unwrap();
        assert_eq!(whole.state.ledger, resumed.state.ledger);
        assert!(whole.state.ledger.works.supports != 0.0);
    }
}

/// Finding an equilibrium is no motion.
#[test]
fn settling_does_no_work() {
    let builder = ModelBuilder::new()
        .rod(rod(0.4, 8, 4e7, 6e-3))
        .clamp(0, 0, Motion::Still)
        .gravity(DVec3::Z * -G);
    let (model, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(model, state, settings(Scheme::Bdf2, 1e-3));
    simulation.settle().unwrap();
    assert_eq!(simulation.state.ledger, Ledger::default());
    simulation.run_until(0.1, |_, _| true).unwrap();
    let ledger = simulation.state.ledger;
    assert!(
        ledger.largest > 0.0 && ledger.scheme.abs() < 1e-6 * ledger.largest,
        "{ledger:?}"
    );
}
