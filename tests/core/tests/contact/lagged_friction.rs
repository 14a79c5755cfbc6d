//! Steps with lagged friction: what the line search does where Newton's matrix is nearly singular,
//! and what never lags.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, FrictionSolve, ImcSettings, StaticFriction};
use writhe::model::ModelBuilder;
use writhe::obstacle::Obstacle;
use writhe::rod::{Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const EDGES: u32 = 50;
const H: f64 = 1e-3;
const LAGGED: FrictionSolve = FrictionSolve::Lagged { rounds: 2 };

/// A rod under its buckling load, clamped above and bent into the mode of a pinned foot, which a
/// floor stops while the clamp comes down: along the mode the matrix is nearly singular, and
/// without friction from the start nothing else holds the foot.
fn pressed(friction: Friction, settings: StepSettings) -> Simulation {
    const ROOT: f64 = 4.493_409_458;
    let section = Section {
        ea: 1e5,
        ei1: 1.0,
        ei2: 1.0,
        gj: 1.0,
        mass_per_length: 0.01,
        inertia_per_length: 0.01 * H * H,
        radius: H,
    };
    let mode =
        |down: f64| 0.01 * ((ROOT * down).sin() - ROOT * (ROOT * down).cos() + ROOT * (1.0 - down));
    let node = |i: u32| {
        let down = (f64::from(i) - 0.5) / (f64::from(EDGES) - 0.5);
        DVec3::new(mode(down.max(0.0)), 0.0, 1.0 - down + H)
    };
    let mut nodes: Vec<DVec3> = (0..=EDGES).map(node).collect();
    nodes[1].x = 0.0;
    let straight = Rod::open(nodes, section).unwrap().straight_at_rest();
    let mut rod = straight.unwrap();
    for rest in &mut rod.rest_lengths {
        *rest *= 1.0 + ROOT * ROOT / section.ea;
    }
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .contact(ContactModel::Imc(ImcSettings {
            friction,
            ..ImcSettings::default()
        }))
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
        .viscous_damping(0.1)
        .clamp(0, 0, Motion::Velocity(DVec3::NEG_Z * 0.04))
        .build()
        .unwrap();
    Simulation::new(model, state, settings)
}

/// Newton's correction goes far along the mode and is accepted nowhere; corrections nearer the
/// gradient are.
#[test]
fn a_nearly_singular_matrix_hardly_shortens_the_step() {
    let friction = Friction {
        slip_tolerance: 4e-5,
        solved: LAGGED,
        ..Friction::coulomb(0.3)
    };
    let settings = StepSettings {
        dt: 0.02,
        ..StepSettings::default()
    };
    let mut run = pressed(friction, settings);
    run.run_until(0.2, |_, _| true).unwrap();
    // 21; 53 where Newton's correction is the only one tried.
    assert!(run.statistics.steps < 30, "{:?}", run.statistics);
    assert!(run.statistics.first_contact.is_some());
}

/// Friction that remembers how it stuck is solved for, whatever the settings of the step say.
#[test]
fn what_remembers_does_not_lag() {
    let anchored = Friction {
        stick: StaticFriction::Anchor { presliding: 1e-3 },
        ..Friction::coulomb(0.3)
    };
    let end = |friction: Option<FrictionSolve>, of: Friction| {
        let settings = StepSettings {
            dt: 1e-3,
            friction,
            ..StepSettings::default()
        };
        let mut run = pressed(of, settings);
        run.run_until(0.02, |_, _| true).unwrap();
        (run.state.q, run.statistics.lagged_steps)
    };
    let (solved, lagged) = end(None, anchored);
    assert_eq!(lagged, 0);
    assert_eq!(end(Some(LAGGED), anchored).0, solved);
    let creeps = Friction::coulomb(0.3);
    assert_ne!(end(Some(LAGGED), creeps).0, end(None, creeps).0);
}
