//! Lagged against implicit drag, and bundles of several flagella.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use writhe::contact::{ContactModel, ImcSettings};
use writhe::fluid::{Coupling, Fluid, StokesletSegments};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::{Scheme, StepSettings, largest_lagged_step};
use writhe_tests::flagella;

/// What the fluid and the rods are.
#[derive(Debug, Clone, Copy)]
struct Parameters {
    /// Pa s.
    viscosity: f64,
    /// kg/m^3.
    density: f64,
    /// rad/s.
    omega: f64,
}

/// The authors' program as shipped.
const SHIPPED: Parameters = Parameters {
    viscosity: 1.0,
    density: 1e4,
    omega: flagella::OMEGA,
};

/// The same with a tenth of the mass.
const LIGHT: Parameters = Parameters {
    density: 1e3,
    ..SHIPPED
};

/// The text of T22.
const LITERAL: Parameters = Parameters {
    viscosity: 0.1,
    density: 1e3,
    omega: 15.0,
};

fn simulation((model, state): (Model, State), scheme: Scheme, dt: f64) -> Simulation {
    let settings = StepSettings {
        dt,
        scheme,
        adaptive: false,
        ..StepSettings::default()
    };
    Simulation::new(model, state, settings)
}

fn pair(p: Parameters, coupling: Coupling, dt: f64) -> Simulation {
    let built = flagella::model(2, p.density, p.viscosity, p.omega, coupling);
    simulation(built, Scheme::BackwardEuler, dt)
}

fn positions(s: &Simulation) -> Vec<DVec3> {
    s.model.positions(&s.state)
}

/// Speed of the fastest node over that of a rigid helix after `steps` fixed steps; infinite when a
/// step fails. Steps with lagged drag are not refused, whatever their size.
fn fastest(p: Parameters, coupling: Coupling, dt: f64, steps: usize) -> f64 {
    let mut s = pair(p, coupling, dt);
    for _ in 0..steps {
        s.state.drag_watch.rate = f64::MIN_POSITIVE;
        s.state.drag_watch.moved = f64::NEG_INFINITY;
        s.state.drag_watch.gains = 0;
        if s.step(dt).is_err() {
            return f64::INFINITY;
        }
    }
    let dofs = s.model.topology.node_dof.iter();
    let speed = |dof: &usize| DVec3::from_slice(&s.state.velocity[*dof..]).length();
    dofs.map(speed).fold(0.0, f64::max) / (0.01 * p.omega)
}

/// Lagged drag is stable up to 5, 0.5 and 15 ms, and at twice that it is not, with backward Euler
/// for all other forces; implicit drag takes 50 ms with every parameter. Steps are allowed up to
/// nine tenths of the limit of drag alone, without the elasticity that helps.
#[test]
fn lagged_drag_limits_the_step_and_implicit_drag_does_not() {
    for (p, allowed, limit) in [
        (SHIPPED, 4.1e-3, 5e-3),
        (LIGHT, 4.1e-4, 5e-4),
        (LITERAL, 4.1e-3, 15e-3),
    ] {
        let stable = fastest(p, Coupling::Lagged, limit, 150);
        assert!(stable < 1.2, "{p:?} at {limit} s: {stable}");
        let unstable = fastest(p, Coupling::Lagged, 2.0 * limit, 150);
        assert!(unstable > 10.0, "{p:?} at twice {limit} s: {unstable}");
        let implicit = fastest(p, Coupling::Implicit, 0.05, 40);
        assert!(implicit < 1.2, "{p:?}, implicit: {implicit}");
        let s = pair(p, Coupling::Lagged, limit);
        let found = largest_lagged_step(&s.model, &s.state, Scheme::BackwardEuler).unwrap();
        assert_eq!(found, allowed, "{p:?}");
    }
}

/// The two differ by a term of first order: half as much at half the step.
#[test]
fn lagged_drag_agrees_with_implicit_drag_to_first_order() {
    let end = 0.5;
    let difference = |dt: f64| -> f64 {
        let [a, b] = [Coupling::Implicit, Coupling::Lagged].map(|coupling| {
            let mut s = pair(SHIPPED, coupling, dt);
            s.run_until(end, |_, _| true).unwrap();
            positions(&s)
        });
        let sum: f64 = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).sum();
        sum / (a.len() as f64 * flagella::RADIUS)
    };
    let [wide, fine] = [2e-3, 1e-3].map(difference);
    assert!(fine < 1e-2, "{fine} radii");
    assert!((1.7..2.3).contains(&(wide / fine)), "{wide} {fine}");
}

#[test]
fn one_three_and_five_flagella_run() {
    for count in [1, 3, 5] {
        let p = SHIPPED;
        let built = flagella::model(count, p.density, p.viscosity, p.omega, Coupling::Implicit);
        let mut s = simulation(built, Scheme::FittedBdf2 { omega: p.omega }, 0.02);
        s.run_until(0.5, |_, _| true).unwrap();
        assert_eq!(s.statistics.rejected_steps, 0);
        let x = positions(&s);
        assert_eq!(x.len(), 68 * count);
        // Hardly stretched.
        for rod in x.chunks_exact(68) {
            let edge = rod[67].distance(rod[66]);
            assert!((edge / 4.999e-3 - 1.0).abs() < 1e-3, "{edge}");
        }
    }
}

/// Three flagella, each the one before turned by a third of a turn about the axis of the bundle.
fn symmetric_bundle(p: Parameters) -> (Model, State) {
    let section = Section::circle(Material::new(3e6, 0.5, p.density), flagella::RADIUS);
    // Centres on a triangle of side 0.03 m.
    let out = DVec3::new(0.0, 0.03 / 3.0_f64.sqrt(), 0.0);
    let mut builder = ModelBuilder::new();
    for i in 0..3 {
        let turn = third(i);
        let nodes = flagella::shape().into_iter();
        let rod = Rod::open(nodes.map(|x| turn * (x + out)).collect(), section).unwrap();
        builder = builder
            .rod(rod)
            .clamp(i, 0, Motion::spin(turn * out, -DVec3::X, p.omega));
    }
    builder
        .contact(ContactModel::Imc(ImcSettings::default()))
        .fluid(Fluid::new(
            StokesletSegments {
                viscosity: p.viscosity,
                regularisation: 1.02,
            },
            Coupling::Implicit,
        ))
        .build()
        .unwrap()
}

fn third(i: usize) -> DQuat {
    DQuat::from_axis_angle(DVec3::X, TAU * i as f64 / 3.0)
}

#[test]
fn three_flagella_keep_their_symmetry() {
    for (p, dt, end) in [(SHIPPED, 0.02, 2.0), (LITERAL, 5e-3, 0.5)] {
        let mut s = simulation(
            symmetric_bundle(p),
            Scheme::FittedBdf2 { omega: p.omega },
            dt,
        );
        s.run_until(end, |_, _| true).unwrap();
        assert_eq!(s.statistics.first_contact, None);
        let x = positions(&s);
        let moved = x[67].distance(flagella::shape()[67] + DVec3::Y * (0.03 / 3.0_f64.sqrt()));
        assert!(moved > flagella::RADIUS, "{moved}");
        let mut worst = 0.0_f64;
        for rod in [1, 2] {
            for (a, b) in x[..68].iter().zip(&x[68 * rod..]) {
                worst = worst.max((third(rod) * *a).distance(*b) / flagella::RADIUS);
            }
        }
        assert!(worst < 1e-6, "{p:?}: {worst} radii");
    }
}
