use glam::DVec3;

use super::*;
use crate::fluid::{Coupling, Fluid, StokesletSegments};
use crate::model::ModelBuilder;
use crate::rod::{Material, Rod, Section};

const RADIUS: f64 = 1e-3;

/// Two helices of 40 nodes with edges of five radii, and the flow around them. `regularisation`
/// over the radius: the larger, the more the flow smears what differs from node to node.
fn helices(regularisation: f64) -> (Model, Drag) {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), RADIUS);
    let node = |i: i32, y: f64| {
        let angle = 0.4 * f64::from(i);
        DVec3::new(
            3e-3 * f64::from(i),
            y + 0.01 * angle.cos(),
            0.01 * angle.sin(),
        )
    };
    let rod = |y: f64| Rod::open((0..40).map(|i| node(i, y)).collect(), section).unwrap();
    let fluid = Fluid::new(
        StokesletSegments {
            viscosity: 1.0,
            regularisation,
        },
        Coupling::Lagged,
    );
    let (model, state) = ModelBuilder::new()
        .rod(rod(0.0))
        .rod(rod(0.03))
        .fluid(fluid.clone())
        .build()
        .unwrap();
    let mut drag = Drag::default();
    drag.assemble(&model, &fluid, &state.q).unwrap();
    (model, drag)
}

/// Velocities of helices that turn about the x axis at `rate`, 1/s, and wave a little.
fn velocity(drag: &Drag, rate: f64) -> Vec<f64> {
    let nodes = drag.positions.iter().enumerate();
    nodes
        .flat_map(|(i, x)| {
            let wave = 0.01 * (0.7 * i as f64).sin() * DVec3::ONE;
            (rate * DVec3::X.cross(*x) + rate * wave).to_array()
        })
        .collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| a - b);
    max_abs(&differences.collect::<Vec<f64>>()) / max_abs(b)
}

fn with_flow(drag: &Drag, force: Vec<f64>) -> ForceAndFlow {
    let mut flow = vec![0.0; force.len()];
    drag.velocity(&force, &mut flow).unwrap();
    ForceAndFlow {
        force,
        flow,
        changed: 0.0,
    }
}

/// The force from a guess whose flow is known.
fn solved(
    (model, drag): (&Model, &Drag),
    velocity: &[f64],
    guess: Vec<f64>,
) -> Result<LaggedForce, SolveError> {
    let krylov = &mut KrylovWorkspace::new();
    drag.lagged_force(
        model,
        velocity,
        with_flow(drag, guess),
        krylov,
        &Poll::default(),
    )
}

/// Largest `u + B F` over the largest `u`.
fn slip(drag: &Drag, velocity: &[f64], force: &[f64]) -> f64 {
    let mut flow = vec![0.0; force.len()];
    drag.velocity(force, &mut flow).unwrap();
    let sum: Vec<f64> = flow.iter().zip(velocity).map(|(a, b)| a + b).collect();
    max_abs(&sum) / max_abs(velocity)
}

#[test]
fn the_force_is_that_of_a_dense_solve() {
    let (model, drag) = helices(1.02);
    let u = velocity(&drag, 1.5);
    let b: Vec<f64> = u.iter().map(|u| -u).collect();
    let dense = drag.direct(&b, SolveError::NotFactored).unwrap();
    let cold = solved((&model, &drag), &u, vec![0.0; u.len()]).unwrap();
    assert!(cold.krylov_iterations > 0);
    assert!(largest_difference(&cold.force, &dense) < 2e-9);
    // A step of 1 ms later.
    let guess = drag
        .direct(&velocity(&drag, -1.5015), SolveError::NotFactored)
        .unwrap();
    let warm = solved((&model, &drag), &u, guess).unwrap();
    assert!(warm.krylov_iterations + 3 < cold.krylov_iterations);
    assert!(largest_difference(&warm.force, &dense) < 2e-9);
    // Drag brakes.
    let power: f64 = warm.force.iter().zip(&u).map(|(f, u)| f * u).sum();
    assert!(power < 0.0);
}

#[test]
fn rods_at_rest_feel_no_force_and_a_guess_that_is_nonsense_does_no_harm() {
    let (model, drag) = helices(1.02);
    let u = velocity(&drag, 1.5);
    let n = u.len();
    let rest = solved((&model, &drag), &vec![0.0; n], vec![1.0; n]);
    assert_eq!(rest.unwrap().force, vec![0.0; n]);
    let cold = solved((&model, &drag), &u, vec![0.0; u.len()])
        .unwrap()
        .force;
    for guess in [vec![f64::NAN; n], vec![1e9; n]] {
        let force = solved((&model, &drag), &u, guess).unwrap().force;
        assert!(force == cold);
    }
}

/// With a regularisation of five edges f32 no longer knows B well enough; then the factorisation
/// does it.
#[test]
fn what_the_iteration_does_not_solve_is_factorised() {
    let (model, drag) = helices(25.0);
    let u = velocity(&drag, 1.5);
    let b: Vec<f64> = u.iter().map(|u| -u).collect();
    let krylov = &mut KrylovWorkspace::new();
    let iterated = drag.iterate(
        &model,
        &b,
        (&mut vec![0.0; b.len()], &vec![0.0; b.len()]),
        &OPTIONS,
        krylov,
        &Poll::default(),
    );
    let iterated = iterated.unwrap();
    assert!(!iterated.converged(), "{iterated:?}");
    let found = solved((&model, &drag), &u, vec![0.0; u.len()])
        .unwrap()
        .force;
    let slip = slip(&drag, &u, &found);
    assert!(slip < 1e-9, "{slip}");
}

#[test]
fn what_nothing_solves_is_an_error() {
    let krylov = &mut KrylovWorkspace::new();
    // All nodes in one blob: they can only move as one.
    let (model, drag) = helices(1e6);
    let u = velocity(&drag, 1.5);
    let refused = solved((&model, &drag), &u, vec![0.0; u.len()]).unwrap_err();
    assert!(
        matches!(
            refused,
            SolveError::ResidualTooLarge { .. } | SolveError::NotFinite { .. }
        ),
        "{refused}"
    );
    let (model, drag) = helices(1.02);
    let refused = solved(
        (&model, &drag),
        &vec![f64::NAN; u.len()],
        vec![0.0; u.len()],
    );
    assert!(matches!(refused, Err(SolveError::NotFinite { .. })));
    let guess = with_flow(&drag, vec![0.0; u.len()]);
    let nothing = Drag::default().lagged_force(&model, &u, guess, krylov, &Poll::default());
    assert!(matches!(nothing, Err(SolveError::NotFactored)));
}
