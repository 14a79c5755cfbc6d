//! The authors' flagella program as shipped against its parts:
//! `authors_run [shipped|lu|half-ends|lagged|implicit] [END]`.
//!
//! - `shipped`: their drag, their masses, backward Euler of 1 ms; no contact
//! - `lu`: the same with A factored by LU instead of Cholesky of its lower triangle
//! - `half-ends`: the same with half the force on end nodes, as their Voronoi length has it
//! - `lagged`: lagged drag and masses of this project, with contact
//! - `implicit`: this project's implicit drag and contact, fitted BDF2 of 20 ms
//!
//! Prints means over 250 ms beside those of the authors' program, the mean node difference at 5 s
//! and 20 s, and the first contact.

#[path = "../tests/support/authors_drag.rs"]
mod authors_drag;
#[path = "../tests/support/flagella.rs"]
mod flagella;

use authors_drag::{AuthorsDrag, Factor, Mean, SharedForce};
use writhe::fluid::Coupling;
use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const PERIOD: f64 = 0.25;
/// Gap at which the authors' program counts a pair as touching, m.
const TOUCHING: f64 = 1e-5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    faer::set_global_parallelism(faer::Par::Seq);
    let arguments: Vec<String> = std::env::args().collect();
    let mode = arguments.get(1).map_or("shipped", String::as_str);
    let end: f64 = arguments.get(2).map_or(Ok(20.0), |a| a.parse())?;
    let (mut simulation, drag) = run_of(mode)?;
    let mut touched = false;
    for row in authors_drag::reference_rows() {
        if row.time > end + 1e-9 {
            break;
        }
        let mut mean = Mean::default();
        let size = simulation.settings.dt;
        let steps = (PERIOD / size - 1e-9).ceil() as usize;
        for _ in 0..steps {
            if let Some((drag, shared)) = &drag {
                authors_drag::update(drag, &simulation.model, &simulation.state, shared);
            }
            let report = simulation.step(PERIOD / steps as f64)?;
            mean.add(&simulation.model, &simulation.state, report.dt);
            let nearest = observe(&simulation.model, &simulation.state)?.nearest;
            if !touched && nearest.is_some_and(|n| n.gap < TOUCHING) {
                touched = true;
                println!("first contact at {:.3} s", simulation.state.time);
            }
        }
        let time = simulation.state.time;
        let ours = mean.row(&simulation.model, &simulation.state);
        println!(
            "{time:7.3} s  ends {:.6e} ({:+.2} %)  thrust {:.5e} ({:+.2} %)  reaction off by {:.1e}",
            ours.end_distance,
            100.0 * (ours.end_distance / row.end_distance - 1.0),
            ours.reaction.x,
            100.0 * (ours.reaction.x / row.reaction.x - 1.0),
            (ours.reaction - row.reaction).length() / row.reaction.length(),
        );
        let nodes = authors_drag::reference_nodes(time);
        if !nodes.is_empty() {
            let x = simulation.model.positions(&simulation.state);
            let difference = authors_drag::node_difference(&x, &nodes);
            println!("{time:7.3} s  mean node difference {difference:.3e} radii");
        }
    }
    Ok(())
}

type Run = (Simulation, Option<(AuthorsDrag, SharedForce)>);

fn run_of(mode: &str) -> Result<Run, String> {
    let fluid = |coupling, settings| {
        let (model, state) = flagella::model(2, 1e4, 1.0, flagella::OMEGA, coupling);
        (Simulation::new(model, state, settings), None)
    };
    let own = |factor, end_weight| {
        let (model, state, shared) = authors_drag::model(2, 1e4, flagella::OMEGA);
        let drag = AuthorsDrag {
            factor,
            end_weight,
            ..AuthorsDrag::as_shipped(1.0)
        };
        let simulation = Simulation::new(model, state, StepSettings::default());
        (simulation, Some((drag, shared)))
    };
    Ok(match mode {
        "shipped" => own(Factor::LowerCholesky, 1.0),
        "lu" => own(Factor::Lu, 1.0),
        "half-ends" => own(Factor::Lu, 0.5),
        "lagged" => fluid(Coupling::Lagged, StepSettings::default()),
        "implicit" => fluid(Coupling::Implicit, flagella::settings(0.02)),
        other => {
            return Err(format!(
                "no mode {other}: shipped, lu, half-ends, lagged or implicit"
            ));
        }
    })
}
