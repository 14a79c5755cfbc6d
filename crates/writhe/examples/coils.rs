//! Flagella that coil up around each other with friction: `coils [key=value ..]`.
//!
//! Keys: count, mu, nu (slip tolerance, m/s), anchor (presliding over the radius), twist (0:
//! friction of the axes, T22), dt, end, every (s), lagged (1: lagged drag), euler (1: backward
//! Euler), load (a state to start from), save (where to write the last state), at (s, when to write
//! it first).

#[path = "../tests/support/flagella.rs"]
mod flagella;

use std::collections::BTreeMap;
use std::error::Error;

use writhe::contact::{ContactModel, StaticFriction};
use writhe::fluid::Coupling;
use writhe::observe::observe;
use writhe::simulation::{Simulation, Statistics};
use writhe::step::{Scheme, StepSettings};

fn main() -> Result<(), Box<dyn Error>> {
    let keys: BTreeMap<String, String> = std::env::args()
        .skip(1)
        .filter_map(|a| a.split_once('=').map(|(k, v)| (k.into(), v.into())))
        .collect();
    let number = |key: &str, default: f64| keys.get(key).map_or(Ok(default), |v| v.parse::<f64>());
    let coupling = if number("lagged", 0.0)? > 0.0 {
        Coupling::Lagged
    } else {
        Coupling::Implicit
    };
    let count = number("count", 2.0)? as usize;
    let (mut model, mut state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, coupling);
    if let ContactModel::Imc(contact) = &mut model.contact {
        contact.friction.coefficient = number("mu", 0.0)?;
        contact.friction.slip_tolerance = number("nu", 1e-4)?;
        contact.friction.on_twist = number("twist", 1.0)? > 0.0;
        if let Some(presliding) = keys.get("anchor") {
            let presliding = presliding.parse()?;
            contact.friction.stick = StaticFriction::Anchor { presliding };
        }
    }
    if let Some(path) = keys.get("load") {
        state = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    }
    let dt = number("dt", 0.02)?;
    state.control.dt = dt;
    let settings = StepSettings {
        dt,
        scheme: if number("euler", 0.0)? > 0.0 {
            Scheme::BackwardEuler
        } else {
            Scheme::FittedBdf2 {
                omega: flagella::OMEGA,
            }
        },
        ..StepSettings::default()
    };
    let mut simulation = Simulation::new(model, state, settings);
    let clock = std::time::Instant::now();
    let (end, every) = (number("end", 10.0)?, number("every", 1.0)?);
    while simulation.state.time < end - 1e-9 {
        simulation.statistics = Statistics::default();
        let next = (simulation.state.time + every).min(end);
        let outcome = simulation.run_until(next, |_, _| true);
        let save = simulation.state.time >= number("at", 0.0)? || outcome.is_err();
        if let Some(path) = keys.get("save").filter(|_| save) {
            std::fs::write(path, serde_json::to_string(&simulation.state)?)?;
        }
        line(&simulation, clock.elapsed().as_secs_f64())?;
        outcome?;
    }
    Ok(())
}

fn line(simulation: &Simulation, wall: f64) -> Result<(), Box<dyn Error>> {
    let o = observe(&simulation.model, &simulation.state)?;
    let s = simulation.statistics;
    let reactions = || o.reactions.iter();
    let force: f64 = reactions().map(|r| r.force.x).sum();
    let torque = reactions().fold(0.0_f64, |a, r| a.max(r.torque.length()));
    println!(
        "{:8.3} s  steps {:5} rejected {:3}  Newton {:.2} Krylov {:.1}  contacts {:3} {:.2e} N  gap {:9.2e}  thrust {:.3e}  torque {:.3e}  E {:.3e}  k {:.1e} dt {:.1e} wall {:.1}",
        simulation.state.time,
        s.steps,
        s.rejected_steps,
        s.newton_iterations as f64 / s.steps.max(1) as f64,
        s.krylov_iterations as f64 / s.newton_iterations.max(1) as f64,
        o.contacts,
        o.contact_force,
        o.nearest.map_or(f64::NAN, |n| n.gap),
        force,
        torque,
        o.elastic.total(),
        simulation.state.contact.stiffness,
        simulation.state.control.dt,
        wall,
    );
    Ok(())
}
