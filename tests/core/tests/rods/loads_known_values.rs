//! Loads whose effect on a rod is known in closed form, where the mesh is uneven and the frame
//! along no axis.

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::{StepSettings, Workspace, implicit_step};

fn section() -> Section {
    Section::circle(Material::new(1e7, 0.5, 1000.0), 1e-3)
}

/// Damping and mass are both in proportion to length, so a rod that moves as one slows down as one,
/// its end nodes too: `rho A u' = -eta u`, a factor of `1/(1 + eta dt / rho A)` a step of backward
/// Euler.
#[test]
fn a_damped_rod_slows_down_as_one() {
    let place = |i: u32| DVec3::new(1.0, -0.5, 2.0).normalize() * (0.01 * f64::from(i).powf(1.3));
    let rod = Rod::open((0..12).map(place).collect(), section()).unwrap();
    let (eta, dt) = (0.7, 1e-3);
    let (model, mut state) = ModelBuilder::new()
        .rod(rod)
        .viscous_damping(eta)
        .build()
        .unwrap();
    let start = DVec3::new(0.3, -0.2, 0.1);
    for dof in &model.topology.node_dof {
        state.velocity[*dof..dof + 3].copy_from_slice(&start.to_array());
    }
    let settings = StepSettings {
        step_tolerance: 1e-12,
        residual_tolerance: 1e-12,
        ..StepSettings::default()
    };
    let mut ws = Workspace::new(&model);
    let mut wanted = start;
    for _ in 0..20 {
        state = implicit_step(&model, &state, dt, &settings, &mut ws)
            .unwrap()
            .0;
        wanted /= 1.0 + eta * dt / section().mass_per_length;
        for dof in &model.topology.node_dof {
            let found = DVec3::from_slice(&state.velocity[*dof..]);
            assert!(
                (found - wanted).length() < 1e-9 * start.length(),
                "{found} {wanted}"
            );
        }
    }
}

/// A small moment M at the tip of a cantilever moves it by `M x t L^2 / 2EI`, whichever of the
/// directors it lies along.
#[test]
fn a_following_moment_bends_about_its_own_director() {
    let (edges, length) = (60, 0.2);
    let edge = length / (f64::from(edges) - 1.0);
    let axis = DVec3::new(1.0, 0.4, -0.3).normalize();
    let moment = 2e-3 * section().ei1 / length;
    for (components, follows) in [
        (DVec3::X, true),
        (DVec3::Y, true),
        (DVec3::new(0.6, -0.8, 0.0), true),
        (axis.any_orthonormal_vector(), false),
    ] {
        // Clamp and moment both act at the middle of an edge.
        let nodes = (0..=edges).map(|i| axis * ((f64::from(i) - 0.5) * edge));
        let mut rod = Rod::open(nodes.collect(), section()).unwrap();
        for director in &mut rod.directors {
            *director = *director * 0.9f64.cos() + axis.cross(*director) * 0.9f64.sin();
        }
        let [m1, m2] = [rod.directors[0], axis.cross(rod.directors[0])];
        let last = edges as usize - 1;
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .moment(
                0,
                last,
                components * moment,
                Schedule::Constant(1.0),
                follows,
            )
            .build()
            .unwrap();
        let middle = |positions: &[DVec3]| 0.5 * (positions[last] + positions[last + 1]);
        let before = middle(&model.positions(&state));
        let mut simulation = Simulation::new(model, state, StepSettings::default());
        simulation.settle().unwrap();
        let moved = middle(&simulation.model.positions(&simulation.state)) - before;
        let about = if follows {
            m1 * components.x + m2 * components.y
        } else {
            components
        };
        let wanted = about.cross(axis) * (moment * length * length / (2.0 * section().ei1));
        assert!(
            (moved - wanted).length() < 2e-3 * wanted.length(),
            "moment {components}, following: {follows}: moved by {moved:?} instead of {wanted:?}"
        );
    }
}

/// A hanging rod that is held at both ends pulls its upper support by more than its lower one; the
/// pull is the mean of both, which is the tension in the middle.
#[test]
fn the_pull_of_a_hanging_rod_is_that_in_its_middle() {
    let strain = 1e-3;
    let nodes = (0..=20).map(|i| DVec3::Z * (0.01 * f64::from(i)));
    let mut rod = Rod::open(nodes.collect(), section()).unwrap();
    rod.rest_lengths.iter_mut().for_each(|l| *l /= 1.0 + strain);
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, Motion::Still)
        .clamp(0, 19, Motion::Still)
        .gravity(DVec3::Z * -9.81)
        .build()
        .unwrap();
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    simulation.settle().unwrap();
    let seen = observe(&simulation.model, &simulation.state).unwrap();
    let tension = section().ea * strain;
    let weight: f64 = 9.81 * section().mass_per_length * 0.2 / (1.0 + strain);
    let pull = seen.ends[0].pull.unwrap();
    let [lower, upper] = [0, 1].map(|k| seen.reactions[k].force.z);
    assert!(
        (upper + lower - weight).abs() < 1e-6 * weight,
        "{upper} {lower} {weight}"
    );
    assert!(
        (pull - tension).abs() < 1e-4 * weight,
        "{pull} {tension} {weight}"
    );
    assert!((0.5 * (upper - lower) - pull).abs() < 1e-9 * tension);
}
