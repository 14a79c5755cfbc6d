//! Residual and stiffness at a state: the stiffness against differences of the residual, the
//! residual against what holds the rod.

use glam::DVec3;
use writhe::bodies::Body;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::loads::{Unsteady, WindDrag};
use writhe::model::{Model, ModelBuilder};
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::statics::{Statics, StaticsError};
use writhe::step::StepSettings;

const RADIUS: f64 = 2e-3;

/// A curved rod, clamped at its start.
fn clamped() -> ModelBuilder {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let node = |i: i32| {
        let s = 0.02 * f64::from(i);
        DVec3::new(s, 0.3 * s * s, 0.05 * (7.0 * s).sin() * s)
    };
    ModelBuilder::new()
        .rod(Rod::open((0..11).map(node).collect(), section).unwrap())
        .clamp(0, 0, Motion::Still)
}

fn simulation(builder: ModelBuilder) -> Simulation {
    let (model, state) = builder.build().unwrap();
    Simulation::new(model, state, StepSettings::default())
}

/// The same configuration, moved a little everywhere, with the frames that it had.
fn shaken(model: &Model, state: &State) -> State {
    let mut shaken = state.clone();
    let free = (0..shaken.q.len()).filter(|dof| !model.constraints.fixed()[*dof]);
    for (k, dof) in free.enumerate() {
        shaken.q[dof] += 1e-4 * (1.3 * (k * k % 17) as f64).sin() / model.lever[dof].max(1e-2);
    }
    shaken
}

/// Largest entry of K, and largest difference of K from differences of g and from its transpose.
fn errors(model: &Model, state: &State) -> [f64; 3] {
    let at = |state: &State| Statics::at(model, state).unwrap();
    let statics = at(state);
    let n = statics.free.len();
    let mut stiffness = vec![0.0; n * n];
    for (row, column, value) in &statics.stiffness {
        stiffness[row * n + column] += value;
    }
    let (mut wrong, mut skew) = (0.0_f64, 0.0_f64);
    for (column, dof) in statics.free.iter().enumerate() {
        let small = 1e-7 * model.lever[*dof].recip().min(1e3);
        let moved = |by: f64| {
            let mut moved = state.clone();
            moved.q[*dof] += by;
            at(&moved).residual
        };
        let slopes = moved(small).into_iter().zip(moved(-small));
        for (row, (after, before)) in slopes.enumerate() {
            let slope = (after - before) / (2.0 * small);
            wrong = wrong.max((slope - stiffness[row * n + column]).abs());
            skew = skew.max((stiffness[row * n + column] - stiffness[column * n + row]).abs());
        }
    }
    let largest = stiffness.iter().fold(0.0_f64, |a, k| a.max(k.abs()));
    [largest, wrong, skew]
}

#[test]
fn the_stiffness_is_the_derivative_of_the_residual() {
    let floor = Obstacle::half_space(DVec3::Z * (-RADIUS - 2e-3), DVec3::Z);
    let builder = clamped()
        .gravity(-9.81 * DVec3::Z)
        .force(0, 10, DVec3::Y * 1e-3, Schedule::Constant(1.0))
        .contact(ContactModel::Imc(ImcSettings::default()))
        .obstacle(floor);
    let mut simulation = simulation(builder);
    simulation.settle().unwrap();
    let (model, state) = (&simulation.model, &simulation.state);
    let statics = Statics::at(model, state).unwrap();
    assert!(
        statics.unbalanced < 1e-6 * statics.largest_force,
        "{statics:?}"
    );
    assert!(statics.has_potential);
    let lowest = model.positions(state).into_iter().map(|x| x.z);
    assert!(lowest.fold(0.0, f64::min) < -1.5e-3, "it lies on the floor");
    let [largest, wrong, skew] = errors(model, &shaken(model, state));
    assert!(wrong < 1e-6 * largest, "{wrong} of {largest}");
    assert!(skew < 1e-13 * largest, "{skew} of {largest}");
}

#[test]
fn forces_that_follow_make_it_unsymmetric() {
    let builder = clamped().following_force(
        0,
        10,
        9,
        DVec3::new(1e-2, 0.0, -2e-2),
        Schedule::Constant(1.0),
    );
    let simulation = simulation(builder);
    let (model, state) = (&simulation.model, &simulation.state);
    assert!(!Statics::at(model, state).unwrap().has_potential);
    let [largest, wrong, skew] = errors(model, &shaken(model, state));
    assert!(wrong < 1e-6 * largest, "{wrong} of {largest}");
    assert!(skew > 1e-5 * largest, "{skew} of {largest}");
}

/// What is not balanced is the load that is not there any more.
#[test]
fn the_residual_is_what_balances() {
    let mut hanging = simulation(clamped().gravity(-9.81 * DVec3::Z));
    hanging.settle().unwrap();
    hanging.model.set_gravity(DVec3::ZERO);
    let statics = Statics::at(&hanging.model, &hanging.state).unwrap();
    let z = |dof: &usize| {
        hanging
            .model
            .topology
            .node_dof
            .iter()
            .any(|n| n + 2 == *dof)
    };
    let scale = statics.largest_force;
    for ((dof, g), mass) in statics
        .free
        .iter()
        .zip(&statics.residual)
        .zip(&statics.mass)
    {
        // g = dE/dq, which balanced m g.
        let wanted = if z(dof) { -9.81 * mass } else { 0.0 };
        assert!((g - wanted).abs() < 1e-7 * scale, "{dof}: {g} for {wanted}");
    }
    let fixed = hanging.model.constraints.fixed();
    assert!(statics.free.iter().all(|dof| !fixed[*dof]));
    assert_eq!(statics.free.len(), 11 * 4 - 1 - 7);
}

#[test]
fn what_has_no_static_problem_says_so() {
    let body = Body::cuboid(1.0, DVec3::splat(0.02), DVec3::Y);
    let air = WindDrag::Quadratic {
        density: 1.2,
        coefficient: 1.2,
    };
    let rough = ContactModel::Imc(ImcSettings {
        friction: Friction::coulomb(0.5),
        ..ImcSettings::default()
    });
    let near = Obstacle::half_space(DVec3::Z * (-RADIUS - 1e-4), DVec3::Z);
    for (builder, wanted) in [
        (clamped().body(body), StaticsError::Bodies),
        (
            clamped().wind(DVec3::X, Schedule::Constant(1.0), air),
            StaticsError::Unsteady(Unsteady {
                why: "wind blows, and holds rods where no equilibrium is",
                remedy: "a scene without wind",
            }),
        ),
        (
            clamped()
                .contact(rough)
                .obstacle(near)
                .gravity(-9.81 * DVec3::Z),
            StaticsError::Friction,
        ),
    ] {
        let mut simulation = simulation(builder);
        if wanted == StaticsError::Friction {
            simulation.run_until(0.3, |_, _| true).unwrap();
        }
        let found = Statics::at(&simulation.model, &simulation.state).unwrap_err();
        assert_eq!(found, wanted);
    }
}
