//! Flagella in Stokes flow: `bundle [COUNT] [STEP s] [END s] [EVERY s] [FRICTION]`.

#[path = "../tests/support/flagella.rs"]
mod flagella;

use writhe::contact::ContactModel;
use writhe::fluid::Coupling;
use writhe::observe::observe;
use writhe::simulation::Simulation;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default: f64| arguments.get(i).map_or(Ok(default), |a| a.parse());
    let (count, dt, end) = (number(1, 2.0)? as usize, number(2, 0.02)?, number(3, 10.0)?);
    let (mut model, state) = flagella::model(count, 1e4, 1.0, flagella::OMEGA, Coupling::Implicit);
    if let ContactModel::Imc(contact) = &mut model.contact {
        contact.friction.coefficient = number(5, 0.0)?;
    }
    let settings = flagella::settings(dt);
    let mut simulation = Simulation::new(model, state, settings);
    let clock = std::time::Instant::now();
    let every = number(4, 1.0)?;
    while simulation.state.time < end {
        let next = simulation.state.time + every;
        simulation.run_until(next, |_, _| true)?;
        let o = observe(&simulation.model, &simulation.state)?;
        let s = simulation.statistics;
        let force: f64 = o.reactions.iter().map(|r| r.force.x).sum();
        println!(
            "{:8.3} s  steps {:6} rejected {:4}  Newton {:.2} Krylov {:.1}  contacts {:3}  gap {:9.3e}  thrust {:.5e}  ends {:.5e}  k {:.2e} dt {:.1e} wall {:.1}",
            simulation.state.time,
            s.steps,
            s.rejected_steps,
            s.newton_iterations as f64 / s.steps as f64,
            s.krylov_iterations as f64 / s.newton_iterations as f64,
            o.contacts,
            o.nearest.map_or(f64::NAN, |n| n.gap),
            force,
            simulation.model.positions(&simulation.state)[67]
                .distance(simulation.model.positions(&simulation.state)[135.min(68 * count - 1)]),
            simulation.state.contact.stiffness,
            simulation.state.control.dt,
            clock.elapsed().as_secs_f64(),
        );
    }
    for (name, seconds) in simulation.phases().seconds() {
        println!("{name:>20} {seconds:8.2} s");
    }
    Ok(())
}
