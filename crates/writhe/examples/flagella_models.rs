//! IMC beside IPC on flagella:
//! `flagella_models [COUNT] [SECONDS] [STEP s] [FRICTION] [imc|ipc ...]`.
//!
//! First contact is reached with implicit drag and large steps; from there each model goes on alone
//! with lagged drag. Prints linear solves a step in contact, CPU time, gaps, and the mean distance
//! of nodes from the first model (T22 Eq. 22).

#[path = "../tests/support/flagella.rs"]
mod flagella;

use std::time::Instant;

use writhe::contact::{ContactModel, Friction, ImcSettings, IpcSettings};
use writhe::fluid::Coupling;
use writhe::model::Model;
use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

/// Gap at which the approach ends, m: ten times the range of contact.
const APPROACHED: f64 = 1e-4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default: f64| arguments.get(i).map_or(Ok(default), |a| a.parse());
    let (count, seconds, dt) = (number(1, 2.0)? as usize, number(2, 3.0)?, number(3, 1e-3)?);
    let friction = Friction::lagged(number(4, 0.0)?);
    let models = match arguments.get(5..) {
        Some(names) if !names.is_empty() => names.to_vec(),
        _ => ["imc", "ipc"].map(String::from).to_vec(),
    };
    let (model, state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Implicit);
    let settings = flagella::settings(0.02);
    let mut approach = Simulation::new(model, state, settings);
    approach.run_until(300.0, |s, _| {
        let apart = observe(&s.model, &s.state).ok().and_then(|o| o.nearest);
        apart.is_none_or(|n| n.gap > APPROACHED)
    })?;
    println!("near contact at {:.3} s", approach.state.time);
    let mut first: Vec<Vec<f64>> = Vec::new();
    for name in &models {
        let (mut model, _) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Lagged);
        model.contact = if name == "ipc" {
            ContactModel::Ipc(IpcSettings {
                friction,
                ..IpcSettings::default()
            })
        } else {
            ContactModel::Imc(ImcSettings {
                friction,
                ..ImcSettings::default()
            })
        };
        let mut state = approach.state.clone();
        state.history = None;
        state.control.dt = dt;
        if name == "ipc" {
            state.contact.stiffness = 0.0;
        }
        let settings = StepSettings {
            dt,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let (mut tightest, mut shortened) = (f64::INFINITY, 0);
        let clock = Instant::now();
        for row in 1..=seconds.ceil() as usize {
            let until = approach.state.time + (row as f64).min(seconds);
            simulation.run_until(until, |_, report| {
                tightest = tightest.min(report.smallest_trial_gap.unwrap_or(f64::INFINITY));
                shortened += report.shortened;
                true
            })?;
            let s = simulation.statistics;
            let q = simulation.state.q.clone();
            if first.len() < row {
                first.push(q.clone());
            }
            println!(
                "{name} {:7.3} s  in contact {:6} of {:6} steps, {:.3} its/step  rejected {:3} raised {:3} shortened {:4}  gap {:.3e} trial {:.3e}  k {:.2e}  pairs {:3}  e {:.5} h  {:.2} s",
                simulation.state.time,
                s.contact_steps,
                s.steps,
                s.contact_newton_iterations as f64 / s.contact_steps.max(1) as f64,
                s.rejected_steps,
                s.stiffness_raises,
                shortened,
                s.smallest_gap.unwrap_or(f64::NAN),
                tightest,
                simulation.state.contact.stiffness,
                observe(&simulation.model, &simulation.state)?.contacts,
                mean_difference(&simulation.model, &first[row - 1], &q),
                clock.elapsed().as_secs_f64(),
            );
        }
        for (name, seconds) in simulation.phases().seconds() {
            println!("{name:>20} {seconds:8.2} s");
        }
    }
    Ok(())
}

/// T22 Eq. 22, in radii.
fn mean_difference(model: &Model, a: &[f64], b: &[f64]) -> f64 {
    let nodes = &model.topology.node_dof;
    let distance = |dof: &usize| {
        let squares = (0..3).map(|k| (a[dof + k] - b[dof + k]).powi(2));
        squares.sum::<f64>().sqrt()
    };
    nodes.iter().map(distance).sum::<f64>() / (nodes.len() as f64 * flagella::RADIUS)
}
