//! Contact models side by side: an overhand knot pulled tight at the parameters of Choi et al.
//! 2021, section 3.
//!
//! `contact_models [SECONDS] [STEP in ms] [MU] [MODEL or FILE ...]`, models `imc`, `imc-smooth`,
//! `hybrid`, `spillmann-teschner`. The knot is settled without friction first; then every model
//! starts from there. A FILE holds another knot with ends along y: a node a line, x y z in metres,
//! as the authors of that paper keep theirs.

#[path = "../tests/support/overhand.rs"]
mod overhand;

use std::sync::Arc;
use std::time::Instant;

use glam::DVec3;
use overhand::Overhand;
use writhe::contact::{
    ContactJacobian, ContactModel, Friction, ImcSettings, ImcSmoothSettings, LaggedFriction,
    SpillmannTeschnerSettings,
};
use writhe::model::{Model, ModelBuilder};
use writhe::observe::observe;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::{Motion, Pose};
use writhe::simulation::Simulation;
use writhe::state::State;
use writhe::step::StepSettings;

const RADIUS: f64 = 1.6e-3;
const NODES: usize = 301;
const SPEED: f64 = 6e-3;

/// Nodes of a knot whose ends lie along y.
fn shape(file: Option<&String>) -> Vec<DVec3> {
    let Some(file) = file else {
        let overhand = Overhand {
            length: 1.0,
            braid: 0.04,
            offset: 1.3 * RADIUS,
            loop_radius: 0.03,
        };
        return overhand.nodes(NODES);
    };
    let text = std::fs::read_to_string(file).expect("a file of nodes");
    let row = |line: &str| {
        let mut values = line
            .split_whitespace()
            .map(|v| v.parse().expect("a number"));
        DVec3::from_array([0; 3].map(|_| values.next().expect("x y z")))
    };
    text.lines()
        .filter(|l| !l.trim().is_empty())
        .map(row)
        .collect()
}

fn knot(nodes: &[DVec3], contact: ContactModel, speed: f64) -> (Model, State) {
    let section = Section::circle(Material::new(1.8e5, 0.5, 1180.0), RADIUS);
    let rod = Rod::open(nodes.to_vec(), section)
        .and_then(Rod::straight_at_rest)
        .expect("the curve is smooth");
    // Two periods of the first stretching wave, which is then left at rest.
    const RAMP: f64 = 0.324;
    let pull = |sign: f64| {
        Motion::Custom(Arc::new(move |t: f64| {
            let ramped = if t < RAMP {
                0.5 * t * t / RAMP
            } else {
                t - 0.5 * RAMP
            };
            Pose {
                translation: DVec3::Y * (sign * speed * ramped),
                ..Pose::IDENTITY
            }
        }))
    };
    ModelBuilder::new()
        .rod(rod)
        .clamp(0, 0, pull(-1.0))
        .clamp(0, nodes.len() - 2, pull(1.0))
        .viscous_damping(0.01)
        .contact(contact)
        .build()
        .expect("the knot does not touch itself at the start")
}

fn model(name: &str, mu: f64) -> ContactModel {
    let smooth = ImcSmoothSettings {
        friction: LaggedFriction::coulomb(mu),
        ..ImcSmoothSettings::default()
    };
    match name {
        "imc" => ContactModel::Imc(ImcSettings {
            // As the others: of axes.
            friction: Friction {
                on_twist: false,
                ..Friction::coulomb(mu)
            },
            ..ImcSettings::default()
        }),
        "imc-smooth" => ContactModel::ImcSmooth(smooth),
        "hybrid" => ContactModel::ImcSmooth(ImcSmoothSettings {
            jacobian: ContactJacobian::Hybrid { omega: 20 },
            ..smooth
        }),
        "spillmann-teschner" => ContactModel::SpillmannTeschner(SpillmannTeschnerSettings {
            friction: LaggedFriction::coulomb(mu),
            ..SpillmannTeschnerSettings::default()
        }),
        other => panic!("no model {other}"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: f64| {
        let text = arguments.get(i);
        text.map_or(default, |a| a.parse().expect("a number"))
    };
    let (time, step, mu) = (number(0, 0.5), 1e-3 * number(1, 0.5), number(2, 0.1));
    let (files, models): (Vec<String>, Vec<String>) = arguments
        .into_iter()
        .skip(3)
        .partition(|a| std::path::Path::new(a).is_file());
    let nodes = shape(files.first());
    let all = ["imc", "imc-smooth", "hybrid", "spillmann-teschner"].map(str::to_owned);
    let models = if models.is_empty() { &all[..] } else { &models };
    let parts = 5_u32.max((0.5 * time) as u32);
    let settings = StepSettings {
        dt: step,
        ..StepSettings::default()
    };

    let (settled, state) = knot(&nodes, model("imc", 0.0), 0.0);
    let mut simulation = Simulation::new(settled, state, settings);
    let report = simulation.settle().expect("an equilibrium");
    println!(
        "settled in {} steps, {} iterations",
        report.steps, report.iterations
    );
    let start = simulation.state;

    println!(
        "model                   t shorter (m) it/step krylov/step  ms/step  rejected  contacts   gap um (min, now)   force mN (N)   sum of contact mN"
    );
    for name in models {
        let (model, mut state) = knot(&nodes, model(name, mu), SPEED);
        state.q.clone_from(&start.q);
        state.frames.clone_from(&start.frames);
        let mut simulation = Simulation::new(model, state, settings);
        for part in 1..=parts {
            let before = simulation.statistics;
            let (mut lowest, mut force, mut count) = (f64::INFINITY, 0.0, 0.0);
            let clock = Instant::now();
            let outcome =
                simulation.run_until(time * f64::from(part) / f64::from(parts), |s, report| {
                    lowest = lowest.min(report.smallest_gap.unwrap_or(f64::INFINITY));
                    if s.state.step % 10 == 0 {
                        let seen = observe(&s.model, &s.state).expect("frames");
                        force += 0.5 * (seen.reactions[1].force.y - seen.reactions[0].force.y);
                        count += 1.0;
                    }
                    true
                });
            let seconds = clock.elapsed().as_secs_f64();
            let now = simulation.statistics;
            let iterations = (now.newton_iterations - before.newton_iterations) as f64;
            let solves = (now.krylov_iterations - before.krylov_iterations) as f64;
            let seen = observe(&simulation.model, &simulation.state).expect("frames");
            let x = simulation.model.positions(&simulation.state);
            let (ends, length) = ([x[0], x[x.len() - 1]], simulation.model.rod_length[0]);
            println!(
                "{name:18} {:6.3} {:8.4} {:8.2} {:8.2} {:9.3} {:7} {:9} {:10.2} {:10.2} {:12.5} {:12.3}  k {:.3e}",
                simulation.state.time,
                length - (ends[1] - ends[0]).length(),
                iterations / (now.steps - before.steps) as f64,
                solves / (now.steps - before.steps) as f64,
                1e3 * seconds / (now.steps - before.steps) as f64,
                now.rejected_steps - before.rejected_steps,
                seen.contacts,
                1e6 * lowest,
                1e6 * seen.nearest.map_or(f64::NAN, |n| n.gap),
                1e3 * force / count,
                1e3 * seen.contact_force,
                simulation.state.contact.stiffness,
            );
            if let Err(error) = outcome {
                println!("{name}: {error}");
                break;
            }
        }
    }
}
