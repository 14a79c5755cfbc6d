//! Rods that grow out of one body touch each other where they are clear of it, and nowhere else.

use glam::DVec3;
use writhe::bodies::Body;
use writhe::contact::{ContactModel, ImcSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;

const RADIUS: f64 = 5e-3;
const EDGES: usize = 20;
const LENGTH: f64 = 0.3;

fn branch(from: DVec3, along: DVec3) -> Rod {
    let node = |i: usize| from + along.normalize() * (LENGTH * i as f64 / EDGES as f64);
    let section = Section::circle(Material::new(1e6, 0.4, 1000.0), RADIUS);
    Rod::open((0..=EDGES).map(node).collect(), section).unwrap()
}

/// Two rods that leave one body upwards, each so much from the vertical, rad, and are pushed
/// together at their tips by a force, N.
fn fork(angle: f64, push: f64, contact: ContactModel) -> (Model, State) {
    let along = |side: f64| DVec3::new(side * angle.sin(), 0.0, angle.cos());
    ModelBuilder::new()
        .rod(branch(DVec3::ZERO, along(-1.0)))
        .rod(branch(DVec3::ZERO, along(1.0)))
        .body(Body::joint(DVec3::ZERO))
        .weld(0, 0, 0)
        .weld(0, 1, 0)
        .move_body(0, Motion::Still)
        .force(0, EDGES, DVec3::X * push, Schedule::Constant(1.0))
        .force(1, EDGES, DVec3::X * -push, Schedule::Constant(1.0))
        .viscous_damping(0.1)
        .contact(contact)
        .build()
        .unwrap()
}

#[test]
fn pairs_are_left_out_only_around_the_junction() {
    for angle in [0.15_f64, 0.4, 1.2] {
        let (model, _) = fork(angle, 0.0, ContactModel::Imc(ImcSettings::default()));
        let edge = LENGTH / EDGES as f64;
        // Middles of the i-th edges are so far apart.
        let apart = |i: usize| 2.0 * (i as f64 + 0.5) * edge * angle.sin();
        let mut left_out = (0..EDGES).filter(|i| model.junctions.part(*i, EDGES + *i));
        let last = left_out.next_back().unwrap();
        // As far as they overlap, and no farther than where the surfaces are a radius apart or the
        // way is half a circle.
        let overlap = (0..EDGES).rfind(|i| apart(*i) < 2.0 * RADIUS).unwrap_or(0);
        let clear = (0..EDGES)
            .find(|i| apart(*i) > 3.0 * RADIUS + edge)
            .unwrap();
        println!("{angle}: {last} between {overlap} and {clear}");
        assert!(
            overlap <= last && last <= clear.max(2),
            "{angle}: {last}, {overlap} to {clear}"
        );
        // Neighbours along one rod are no matter of the junction.
        assert!(!model.junctions.part(3, 9));
    }
}

#[test]
fn branches_pushed_together_touch_and_do_not_pass() {
    let contact = ContactModel::Imc(ImcSettings::default());
    let (model, state) = fork(0.4, 0.012, contact);
    let settings = StepSettings {
        dt: 1e-2,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    run.run_until(1.0, |_, _| true).unwrap();
    let o = observe(&run.model, &run.state).unwrap();
    assert!(o.contacts > 0 && o.contact_force > 0.0);
    assert!(o.clearance.penetration < 3e-3 * RADIUS);
    let x = run.model.positions(&run.state);
    // Mirror images of each other, on their own sides.
    for i in 0..=EDGES {
        let (a, b) = (x[i], x[EDGES + 1 + i]);
        assert!((a + b - 2.0 * a.z * DVec3::Z).length() < 1e-6);
        assert!(a.x < 1e-9, "{a}");
    }
    // The tips are a diameter apart, as they would not be without contact.
    let tips = x[2 * EDGES + 1].x - x[EDGES].x;
    assert!((tips / (2.0 * RADIUS) - 1.0).abs() < 0.3, "{tips}");
    // Without contact they pass.
    let (model, state) = fork(0.4, 0.012, ContactModel::None);
    let mut free = Simulation::new(model, state, settings);
    free.run_until(1.0, |_, _| true).unwrap();
    let x = free.model.positions(&free.state);
    assert!(x[EDGES].x > RADIUS, "{}", x[EDGES]);
}
