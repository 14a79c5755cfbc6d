//! The authors' flagella program as shipped against its parts:
//! `authors_run [shipped|lu|half-ends|lagged|implicit|default] [END] [EDGES]`.
//!
//! - `shipped`: their drag, their masses, backward Euler of 1 ms
//! - `lu`: the same with A factored by LU instead of Cholesky of its lower triangle
//! - `half-ends`: the same with half the force on end nodes, as their Voronoi length has it
//! - `lagged`: lagged drag and masses of this project
//! - `implicit`: this project's implicit drag, fitted BDF2 of 20 ms
//! - `default`: the same with today's law of bending in place of theirs
//!
//! The last two take other meshes than 64 edges a helix. Contact is this project's. Prints means
//! over 250 ms beside those of the authors' program, means over turns of the clamps (4 s), the mean
//! node difference at 5 s and 20 s, and the first contact.

#[path = "../tests/support/authors_drag.rs"]
mod authors_drag;
#[path = "../tests/support/flagella.rs"]
mod flagella;

use authors_drag::{AuthorsDrag, Factor, Mean, SharedForce};
use writhe::fluid::Coupling;
use writhe::model::BendingModel;
use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

const PERIOD: f64 = 0.25;
/// Time that the clamps take for a turn, s.
const TURN: f64 = 4.0;
/// Gap at which the authors' program counts a pair as touching, m.
const TOUCHING: f64 = 1e-5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    faer::set_global_parallelism(faer::Par::Seq);
    let arguments: Vec<String> = std::env::args().collect();
    let mode = arguments.get(1).map_or("shipped", String::as_str);
    let end: f64 = arguments.get(2).map_or(Ok(20.0), |a| a.parse())?;
    let edges: usize = arguments.get(3).map_or(Ok(64), |a| a.parse())?;
    let (mut simulation, drag) = run_of(mode, edges)?;
    let mut touched = false;
    // Sums over a turn, ours and theirs.
    let mut turn = [0.0; 2];
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
        turn[0] += ours.reaction.x;
        turn[1] += row.reaction.x;
        if ((time / TURN).round() * TURN - time).abs() < 0.5 * PERIOD {
            let off = 100.0 * (turn[0] / turn[1] - 1.0);
            let ours = turn[0] * PERIOD / TURN;
            println!("{time:7.3} s  thrust over this turn {ours:.4e} ({off:+.2} %)");
            turn = [0.0; 2];
        }
        let nodes = authors_drag::reference_nodes(time);
        let x = simulation.model.positions(&simulation.state);
        if nodes.len() == x.len() {
            let difference = authors_drag::node_difference(&x, &nodes);
            println!("{time:7.3} s  mean node difference {difference:.3e} radii");
        }
    }
    Ok(())
}

type Run = (Simulation, Option<(AuthorsDrag, SharedForce)>);

fn run_of(mode: &str, edges: usize) -> Result<Run, String> {
    let meshed = |bending| {
        let mesh = (edges, bending);
        let coupling = Coupling::Implicit;
        let (model, state) = flagella::model_of(mesh, 2, 1e4, 1.0, flagella::OMEGA, coupling);
        let settings = flagella::settings(0.02);
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
        "lagged" => {
            let coupling = Coupling::Lagged;
            let (model, state) = flagella::model(2, 1e4, 1.0, flagella::OMEGA, coupling);
            let settings = StepSettings::default();
            (Simulation::new(model, state, settings), None)
        }
        "implicit" => meshed(BendingModel::Averaged),
        "default" => meshed(BendingModel::HalfEdges),
        other => {
            return Err(format!(
                "no mode {other}: shipped, lu, half-ends, lagged, implicit or default"
            ));
        }
    })
}
