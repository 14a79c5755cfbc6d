//! Catalogue 1.9: a rod pressed on a floor buckles; its foot sticks until |V|/N exceeds mu (Sano,
//! Yamaguchi, Wada 2017; Romero et al. 2021).

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::statics::straight_rod;

/// The case.
pub const CASE: Case = Case {
    name: "stick-slip",
    section: "1.9",
    measures: "lowering eps L of a clamped rod at which its foot, pressed on a floor, begins to slide, by mu",
    source: Source::ClosedForm,
    origin: "clamped-pinned elastica, integrated to rounding",
    run,
};

const EDGES: u32 = 100;
const H: f64 = 1e-3;
/// Of the clamp, L/s.
const SPEED: f64 = 0.04;

/// A rod of unit length in the first mode of a rod clamped above and pinned below, with the
/// compression that holds it: it starts in equilibrium.
fn bent() -> Result<Rod, CaseError> {
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
    let edge = 1.0 / (f64::from(EDGES) - 0.5);
    let node = |i: u32| {
        let down = edge * (f64::from(i) - 0.5);
        DVec3::new(mode(down.max(0.0)), 0.0, 1.0 - down + H)
    };
    let mut nodes: Vec<DVec3> = (0..=EDGES).map(node).collect();
    nodes[1].x = 0.0;
    let mut rod = straight_rod(nodes, section)?;
    for rest in &mut rod.rest_lengths {
        *rest *= 1.0 + ROOT * ROOT / section.ea;
    }
    Ok(rod)
}

/// Lowering of the clamp over the length at which the foot begins to slide, and |V|/N of the floor
/// there.
fn onset(mu: f64) -> Result<[f64; 2], CaseError> {
    let rod = bent()?;
    // The rod behaves as clamped at the middle of its first edge.
    let length = rod.rest_lengths.iter().sum::<f64>() - 0.5 * rod.rest_lengths[0];
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                slip_tolerance: 1e-3 * SPEED,
                ..Friction::coulomb(mu)
            },
            ..ImcSettings::default()
        }))
        .obstacle(Obstacle::half_space(DVec3::ZERO, DVec3::Z))
        .viscous_damping(0.1)
        .clamp(0, 0, Motion::Velocity(DVec3::NEG_Z * SPEED))
        .build()?;
    let settings = StepSettings {
        dt: 0.02,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let foot = run.model.topology.node_dof[EDGES as usize];
    let end = 0.3 / SPEED;
    while run.state.time < end {
        run.step(end - run.state.time)?;
        // What sticks creeps a thousand times slower than the clamp; the first instants settle.
        if run.state.velocity[foot].abs() < 0.1 * SPEED || run.state.time < 0.3 {
            continue;
        }
        let load = observe(&run.model, &run.state)?.obstacles[0].force;
        let x = run.model.positions(&run.state);
        let height = 0.5 * (x[0].z + x[1].z) - x[x.len() - 1].z;
        return Ok([1.0 - height / length, load.truncate().length() / -load.z]);
    }
    Err(CaseError::NotFound(format!(
        "mu = {mu}: the foot never slides"
    )))
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (mu, expected) in [(0.1, 0.046_874), (0.2, 0.154_867), (0.3, 0.271_563)] {
        let [eps, load] = onset(mu)?;
        rows.push(Row::relative(
            format!("eps at the onset of slip, mu = {mu}, 100 edges"),
            eps,
            expected,
            0.03,
        ));
        rows.push(Row::relative(
            format!("|V|/N there, mu = {mu}"),
            load,
            mu,
            0.01,
        ));
    }
    Ok(rows)
}
