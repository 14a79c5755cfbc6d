//! Scenes and settings shared by the benches. Sizes are nodes over all rods.

use glam::DVec3;
use writhe::assembly::Blocks;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::fluid::Coupling;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;
use writhe::solve::rods::RodMatrix;
use writhe::state::State;
use writhe::step::StepSettings;
use writhe_tests::flagella;

/// Nodes of the scenes without a fluid: one flagellum of T22, and two finer ones.
pub const NODES: [usize; 3] = [68, 300, 1000];
/// Flagella of the scenes with a fluid, 68 nodes each.
pub const FLAGELLA: [usize; 2] = [2, 10];

fn rubber() -> Section {
    Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3)
}

/// A cantilever of `nodes` nodes and edges of 5 mm under its own weight.
pub fn cantilever(nodes: usize) -> (Model, State) {
    let positions = (0..nodes).map(|i| DVec3::X * (5e-3 * i as f64)).collect();
    ModelBuilder::new()
        .rod(Rod::open(positions, rubber()).expect("a rod"))
        .clamp(0, 0, Motion::Still)
        .gravity(DVec3::Z * -9.81)
        .build()
        .expect("a model")
}

/// Two rods of `nodes` nodes together, wound around each other and pulled by 0.5 % at their clamped
/// ends: they touch all along.
pub fn double_helix(nodes: usize, friction: f64) -> (Model, State) {
    const TURN: f64 = 0.15;
    let section = rubber();
    // Middles of edges lie inside the circle of the nodes; there the gap is 0.2 % of the radius.
    let radius = 1.001 * section.radius / f64::cos(0.5 * TURN);
    let each = nodes / 2;
    let mut builder = ModelBuilder::new();
    for rod in 0..2 {
        let phase = std::f64::consts::PI * rod as f64;
        let positions = (0..each)
            .map(|i| {
                let angle = TURN * i as f64 + phase;
                DVec3::new(
                    2.5e-3 * i as f64,
                    radius * angle.cos(),
                    radius * angle.sin(),
                )
            })
            .collect();
        let mut shape = Rod::open(positions, section).expect("a rod");
        shape.rest_lengths.iter_mut().for_each(|l| *l /= 1.005);
        builder =
            builder
                .rod(shape)
                .clamp(rod, 0, Motion::Still)
                .clamp(rod, each - 2, Motion::Still);
    }
    let settings = ImcSettings {
        friction: Friction::coulomb(friction),
        ..ImcSettings::default()
    };
    builder
        .contact(ContactModel::Imc(settings))
        .build()
        .expect("a model")
}

/// Flagella as T22's authors ran them, in motion for five steps of 20 ms.
pub fn swimming(count: usize) -> Simulation {
    let (model, state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Implicit);
    let settings = flagella::settings(0.02);
    warmed_up(Simulation::new(model, state, settings))
}

/// The same with lagged drag, as in T22: backward Euler of 1 ms.
pub fn swimming_lagged(count: usize) -> Simulation {
    let (model, state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Lagged);
    let settings = StepSettings {
        dt: 1e-3,
        ..StepSettings::default()
    };
    warmed_up(Simulation::new(model, state, settings))
}

/// Five steps on, so that two-step schemes have their history.
pub fn warmed_up(mut simulation: Simulation) -> Simulation {
    for _ in 0..5 {
        simulation.step(simulation.settings.dt).expect("a step");
    }
    simulation
}

/// Collects blocks in the matrix of a rod.
pub struct Rods(pub RodMatrix, Vec<u32>);

impl Rods {
    pub fn new(model: &Model) -> Self {
        Self(RodMatrix::new(model.topology.dofs), Vec::new())
    }
}

impl Blocks for Rods {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        self.1.clear();
        self.1.extend(dofs.iter().map(|d| *d as u32));
        self.0.add_block(&self.1, values).expect("along the rod");
    }
}

/// Counts blocks and adds up one entry of each, so that none is optimised away.
#[derive(Default)]
pub struct Sum(pub f64);

impl Blocks for Sum {
    fn general(&mut self, _dofs: &[usize], values: &[f64]) {
        self.0 += values[0];
    }
}
