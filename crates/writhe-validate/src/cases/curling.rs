//! Robustness and speed: five rods curl into one another as their natural curvature grows.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::simulation::Simulation;
use writhe::step::{Scheme, StepSettings};

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::random::Random;
use crate::setup::tangle::first_crossing;

/// The case.
pub const CASE: Case = Case {
    name: "curling",
    section: "-",
    measures: "five rods of 60 nodes, L = 0.3 m, r = 5 mm, E = 3e5 Pa, whose random natural curvature grows over 10 s",
    source: Source::Property,
    origin: "every step swept by the coplanarity cubic; a peer program takes 4.7 s of processor time a simulated second",
    run,
};

const RODS: usize = 5;
const NODES: usize = 60;
const LENGTH: f64 = 0.3;
const RADIUS: f64 = 5e-3;
/// Over which the natural curvature grows, s.
const DURATION: f64 = 10.0;
const STEP: f64 = 0.01;
/// Largest mean natural curvature of a rod, turns along its length.
const TURNS: f64 = 2.0;
/// Processor time a simulated second that is asked for.
const GOAL: f64 = 1.0;

/// Random natural curvature of each vertex at the end, along m1 and m2, integrated over the vertex.
fn natural_curvature(random: &mut Random) -> Vec<[f64; 2]> {
    let vertices = NODES - 2;
    let mean = random.direction();
    let mean = [mean.x, mean.y].map(|part| TAU * TURNS * part);
    let wave = [random.vector() * 6.0, random.vector() * 6.0];
    let phase = [random.signed() * TAU, random.signed() * TAU];
    (0..vertices)
        .map(|v| {
            let s = TAU * v as f64 / vertices as f64;
            let waves = |c: usize| {
                let w = wave[c];
                w.x * (s + phase[c]).sin()
                    + w.y * (2.0 * s + phase[c]).cos()
                    + w.z * (3.0 * s).sin()
            };
            [0, 1].map(|c| (mean[c] + waves(c)) / vertices as f64)
        })
        .collect()
}

/// Straight rods side by side on a circle, slightly tilted.
fn straight(random: &mut Random, rod: usize) -> Vec<DVec3> {
    let angle = TAU * rod as f64 / RODS as f64;
    let middle = DVec3::new(0.0, angle.cos(), angle.sin()) * 0.02;
    let axis = (DVec3::X + random.vector() * 0.02).normalize();
    let node = |i: usize| middle + axis * (LENGTH * (i as f64 / (NODES - 1) as f64 - 0.5));
    (0..NODES).map(node).collect()
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut random = Random(5);
    let section = Section::circle(Material::new(3e5, 0.5, 1200.0), RADIUS);
    let mut builder = ModelBuilder::new()
        .viscous_damping(0.05)
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction::coulomb(0.2),
            ..ImcSettings::default()
        }));
    let mut grown = Vec::new();
    for rod in 0..RODS {
        builder = builder.rod(Rod::open(straight(&mut random, rod), section)?);
        grown.extend(natural_curvature(&mut random));
    }
    let (model, state) = builder.build()?;
    let settings = StepSettings {
        dt: STEP,
        scheme: Scheme::BackwardEuler,
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let end = if context.quick {
        0.5 * DURATION
    } else {
        DURATION
    };
    let clock = (context.processor_time)();
    let (mut crossings, mut sweeping) = (0_u32, 0.0);
    let mut before = simulation.model.positions(&simulation.state);
    while simulation.state.time < end {
        // The model is constant within a step; its natural curvature is that of the step's start.
        let part = (simulation.state.time / DURATION).min(1.0);
        let grow = |model: &mut Model| {
            for (vertex, [a, b]) in model.half_edges.iter_mut().zip(&grown) {
                vertex.rest = [part * a, part * b, vertex.rest[2]];
            }
        };
        simulation.change_model(grow)?;
        simulation.step(end - simulation.state.time)?;
        let now = simulation.model.positions(&simulation.state);
        let sweep = (context.processor_time)();
        crossings += u32::from(first_crossing(&simulation.model, &before, &now).is_some());
        sweeping += (context.processor_time)() - sweep;
        before = now;
    }
    let time = ((context.processor_time)() - clock - sweeping) / end;
    let s = simulation.statistics;
    let speed = "processor time a simulated second";
    Ok(vec![
        Row::at_most("steps in which edges cross", f64::from(crossings), 0.0),
        Row::at_least("steps in contact", s.contact_steps as f64, 1.0),
        Row::at_most("deepest penetration", s.deepest_penetration, 0.01).unit("radii"),
        Row::shown("smallest gap", s.smallest_gap.unwrap_or(f64::NAN) / RADIUS).unit("radii"),
        Row::shown("steps", s.steps as f64),
        Row::shown("rejected steps", s.rejected_steps as f64),
        Row::shown(
            "Newton iterations a step",
            s.newton_iterations as f64 / s.steps as f64,
        ),
        if context.quick {
            Row::shown(speed, time)
        } else {
            Row::at_most(speed, time, GOAL)
        }
        .unit("s"),
    ])
}
