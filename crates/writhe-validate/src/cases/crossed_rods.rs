//! Catalogue 4.5: two perpendicular rods, pressed together; one is pulled.

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "crossed-rods",
    section: "4.5",
    measures: "friction of perpendicular rods pressed by N at 3, 6 and 9 mm/s; creep below and acceleration above mu N",
    source: Source::ClosedForm,
    origin: "Coulomb's law, smoothed as in T22 Eq. 17",
    run,
};

const RADIUS: f64 = 1e-3;
const MU: f64 = 0.3;
/// Normal load, N.
const LOAD: f64 = 2e-3;
/// Slip tolerance, m/s.
const NU: f64 = 1e-4;
const NODES: usize = 6;

/// How the lower rod moves along itself.
enum Lower {
    /// With this speed, m/s.
    Moves(f64),
    /// Pulled by this force, N.
    Pulled(f64),
}

/// A rod along x, all of whose nodes move along x only, under one along y that is pressed on it by
/// `LOAD`.
fn pressed(lower: &Lower) -> Result<Simulation, CaseError> {
    let section = Section::circle(Material::new(1e8, 0.5, 1000.0), RADIUS);
    let line = |along: DVec3, height: f64| {
        let node = |i: usize| along * (0.01 * (i as f64 - 2.5)) + DVec3::Z * height;
        Rod::open((0..NODES).map(node).collect(), section)
    };
    let one = || Schedule::Constant(1.0);
    let share = 1.0 / NODES as f64;
    let mut builder = ModelBuilder::new()
        .rod(line(DVec3::X, 0.0)?)
        .rod(line(DVec3::Y, 2.005 * RADIUS)?)
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                slip_tolerance: NU,
                ..Friction::coulomb(MU)
            },
            ..ImcSettings::default()
        }));
    for node in 0..NODES {
        builder = match lower {
            Lower::Moves(speed) => {
                builder.hold_node(0, node, [true; 3], Motion::Velocity(DVec3::X * *speed))
            }
            Lower::Pulled(force) => builder
                .hold_node(0, node, [false, true, true], Motion::Still)
                .force(0, node, DVec3::X * (force * share), one()),
        };
        builder = builder.force(1, node, DVec3::NEG_Z * (LOAD * share), one());
    }
    let held = [true, true, false];
    // The upper rod must not roll on the lower one.
    for edge in 0..NODES - 1 {
        builder = builder.hold_angle(1, edge, Schedule::Constant(0.0));
    }
    let (model, state) = builder
        .hold_node(1, 0, held, Motion::Still)
        .hold_node(1, NODES - 1, held, Motion::Still)
        .build()?;
    let settings = StepSettings {
        dt: 5e-4,
        ..StepSettings::default()
    };
    Ok(Simulation::new(model, state, settings))
}

/// Friction on the upper rod along x, N: what its two held ends take up.
fn friction(simulation: &Simulation) -> Result<f64, CaseError> {
    let reactions = observe(&simulation.model, &simulation.state)?.reactions;
    // Those before are of the lower rod and of angles.
    let ends = &reactions[reactions.len() - 2..];
    Ok(-ends.iter().map(|r| r.force.x).sum::<f64>())
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let mut measured = Vec::new();
    for speed in [3e-3, 6e-3, 9e-3] {
        let mut simulation = pressed(&Lower::Moves(speed))?;
        simulation.run_until(0.5, |_, _| true)?;
        let found = friction(&simulation)? / (MU * LOAD);
        let normal = observe(&simulation.model, &simulation.state)?.contact_force / LOAD;
        rows.push(
            Row::relative(format!("contact force at {speed} m/s"), normal, 1.0, 1e-3).unit("N"),
        );
        rows.push(Row::relative(format!("friction at {speed} m/s"), found, 1.0, 0.01).unit("mu N"));
        measured.push(found);
    }
    let [low, high] = [f64::min, f64::max].map(|f| measured.iter().copied().fold(measured[0], f));
    rows.push(Row::at_most(
        "spread of friction over the speeds",
        (high - low) / low,
        0.01,
    ));
    for part in [0.5_f64, 0.9] {
        let mut simulation = pressed(&Lower::Pulled(part * MU * LOAD))?;
        simulation.run_until(1.0, |_, _| true)?;
        let creep = ((1.0 + part) / (1.0 - part)).ln() / 15.0;
        let found = simulation.state.velocity[0] / NU;
        rows.push(
            Row::relative(format!("creep, pulled by {part} mu N"), found, creep, 0.01).unit("nu"),
        );
    }
    for part in [1.1, 2.0] {
        let mut simulation = pressed(&Lower::Pulled(part * MU * LOAD))?;
        let mass: f64 = (0..NODES).map(|n| simulation.model.mass[4 * n]).sum();
        simulation.run_until(0.04, |_, _| true)?;
        let early = simulation.state.velocity[0];
        simulation.run_until(0.09, |_, _| true)?;
        let found = (simulation.state.velocity[0] - early) / 0.05;
        let wanted = (part - 1.0) * MU * LOAD / mass;
        rows.push(
            Row::relative(
                format!("acceleration, pulled by {part} mu N"),
                found,
                wanted,
                0.01,
            )
            .unit("m/s^2"),
        );
    }
    Ok(rows)
}
