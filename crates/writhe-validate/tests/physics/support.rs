//! Equilibria for tests: what fails, panics.

use glam::DVec3;
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Rod, Section};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe_validate::setup::statics;

pub fn straight_rod(nodes: Vec<DVec3>, section: Section) -> Rod {
    statics::straight_rod(nodes, section).expect("rod")
}

pub fn settle(builder: ModelBuilder) -> Simulation {
    statics::settle(builder).expect("equilibrium")
}

pub fn settle_from(model: Model, state: State) -> Simulation {
    statics::settle_from(model, state).expect("equilibrium")
}

/// Errors with n/2, n and 2n edges: the middle one is below `bound`, and errors fall by 3.5 to 4.5
/// on each doubling.
pub fn assert_second_order(what: &str, bound: f64, error: [f64; 3]) {
    let falls = [error[0] / error[1], error[1] / error[2]];
    println!("{what}: error {:.3e}, falls by {falls:.3?}", error[1]);
    assert!(error[1].abs() < bound, "{what}: {error:?} over {bound:e}");
    assert!(
        falls.iter().all(|fall| (3.5..4.5).contains(fall)),
        "{what}: errors {error:?} fall by {falls:?}"
    );
}
