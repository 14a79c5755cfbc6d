//! A heavy rod in a horizontal tube under compression.
//!
//! On the bottom of the tube its weight w holds it sideways as springs w/r would, r being the room
//! of its axis, so it buckles into a sine wave at F = 2 sqrt(EI w/r) (Dawson and Paslay 1984).

use glam::DVec3;
use writhe::contact::{ContactModel, ImcSettings, Stiffness};
use writhe::model::ModelBuilder;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;
use writhe_tests::support::critical::unstable_modes;

const RADIUS: f64 = 1e-3;
const ROOM: f64 = 9e-3;

/// Load of the first unstable mode over sqrt(EI w/r), of a rod of `waves` half waves between hinges.
fn onset(waves: u32, edges: usize) -> f64 {
    let section = Section::circle(Material::new(200e9, 0.5, 7850.0), RADIUS);
    let weight = section.mass_per_length * 9.81;
    let scale = (section.ei1 * weight / ROOM).sqrt();
    let wave = (section.ei1 * ROOM / weight).powf(0.25);
    let length = f64::from(waves) * std::f64::consts::PI * wave;
    let unstable = |load: f64| {
        let strain = load / section.ea;
        let place = |i: usize| DVec3::new(length * i as f64 / edges as f64, 0.0, -ROOM);
        let mut rod = Rod::open((0..=edges).map(place).collect(), section).unwrap();
        rod.positions.iter_mut().for_each(|x| x.x *= 1.0 - strain);
        let ends = [-1.0, length + 1.0].map(|x| x * DVec3::X);
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .gravity(DVec3::NEG_Z * 9.81)
            .contact(ContactModel::Imc(ImcSettings {
                stiffness: Stiffness::Given(1.0),
                ..ImcSettings::default()
            }))
            .obstacle(Obstacle::tube(ends, ROOM + RADIUS))
            .hold_node(0, 0, [true, true, false], Motion::Still)
            .hold_node(0, edges, [true, true, false], Motion::Still)
            .hold_angle(0, 0, Schedule::Constant(0.0))
            .build()
            .unwrap();
        let mut run = Simulation::new(model, state, StepSettings::default());
        run.settle().unwrap();
        unstable_modes(&run.model, &run.state) > 0
    };
    let (mut low, mut high) = (1.0, 3.0);
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if unstable(middle * scale) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

#[test]
fn sine_waves_begin_at_dawson_and_paslay_s_load() {
    let found = [24, 48, 96].map(|edges| onset(4, edges) / 2.0 - 1.0);
    println!("F/(2 sqrt(EI w/r)) - 1: {found:?}");
    // What is left is the depth at which contact carries the weight, a part of the room.
    assert!(found.iter().all(|e| e.abs() < 1e-3), "{found:?}");
}
