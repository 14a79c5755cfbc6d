//! B08 Fig. 5: asymmetry of twist in bent rods with a flat section.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::rod::Kinematics;
use writhe::simulation::Simulation;
use writhe_render::Scene;
use writhe_results::table::number;

use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::{ReproduceError, Result};
use crate::picture::{gallery, shown};
use crate::rows::Rows;
use crate::scenes;

/// B08 Fig. 5.
#[derive(Debug)]
pub struct Fig5;

const NAME: &str = "bergou2008-fig5";
/// The scene's rods, by its key `rest`.
const RODS: [&str; 3] = ["v", "arc", "straight"];
/// Equilibria are found at so many turns of the end.
const STEPS: usize = 120;
/// What is moderate and what is large twist, turns.
const SHOWN: [f64; 3] = [0.0, 1.0, 6.0];

impl Experiment for Fig5 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "asymmetry of twist: a V, half a circle and a straight rod turned at one end (B08 Fig. 5)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("moderate_turns", "turns"),
            ("moderate_share", "twist in turned half"),
            ("moderate_unevenness", "uneven"),
            ("jump_turns", "jumps at turns"),
            ("jump_turned_half", "twist that jumps, turns"),
            ("large_turns", "turns"),
            ("large_share", "twist in turned half"),
            ("large_unevenness", "uneven"),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        let row = |rest: &'static str| Row::new(rest, move |bench| measure(rest, bench));
        RODS.map(row).into()
    }

    fn notes(&self, rows: &Rows, _bench: &Bench) -> String {
        let verdict = |met: bool| if met { "met" } else { "NOT met" };
        let value = |row: &str, column: &str| rows.number(row, column);
        let mut text = "Equilibria of the scene asymmetry-of-twist while its end turns: the part of the twist that is in the half at the turned\n\
             end, and the largest twist of a vertex less the smallest over their mean, at one turn and at six. A jump is the largest loss of twist\n\
             of the turned half from one equilibrium to the next, a twentieth of a turn on. straight: isotropic. Curves: "
            .to_owned();
        text += &format!("{NAME}-ROW.csv\n");
        for row in ["v", "arc"] {
            if let Some(share) = value(row, "moderate_share") {
                text += &format!(
                    "  {row}: {} % of the twist in the turned half at one turn, uneven ({})\n",
                    number(100.0 * share, 3),
                    verdict(share > 0.6)
                );
            }
        }
        if let (Some(v), Some(arc)) = (value("v", "moderate_share"), value("arc", "moderate_share"))
        {
            text += &format!(
                "  less marked in half a circle than in a V ({})\n",
                verdict(arc < v)
            );
        }
        if let Some(uneven) = value("straight", "large_unevenness") {
            text += &format!(
                "  straight: even to {} ({})\n",
                number(uneven, 2),
                verdict(uneven < 1e-9)
            );
        }
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut rows = Vec::new();
        for rest in ["v", "arc"] {
            rows.push((rest.to_owned(), follow(rest, STEPS)?.1));
        }
        let columns = SHOWN.map(|turns| format!("{turns} turns")).to_vec();
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(
            &file,
            &gallery(rows, columns, DVec3::new(0.2, 0.4, -1.0), DVec3::Y)?,
        )?;
        Ok(vec![format!("Picture: {file}")])
    }
}

/// Twist of the vertices at each turn of the end, and pictures.
type Path = (Vec<(f64, Vec<f64>)>, Vec<Scene>);

/// Equilibria while the end turns, the first `steps` of [`STEPS`].
fn follow(rest: &str, steps: usize) -> Result<Path> {
    let wrong = |source| ReproduceError::Scene {
        run: rest.to_owned(),
        source: Box::new(source),
    };
    let mut scene = scenes::scene("asymmetry-of-twist").map_err(wrong)?;
    let mut sets = vec![
        format!("scene.rest={rest}"),
        "contact.model=none".to_owned(),
    ];
    if rest == "straight" {
        sets.push("scene.bending_across=1".to_owned());
    }
    scene.set_all(&sets).map_err(wrong)?;
    let setup = scene.build().map_err(wrong)?;
    let taking = setup.duration;
    let mut simulation = Simulation::new(setup.model, setup.state, setup.step);
    let (mut path, mut scenes) = (Vec::new(), Vec::new());
    for step in 0..=steps {
        let part = step as f64 / STEPS as f64;
        simulation.state.time = taking * part;
        simulation.settle()?;
        let turns = 6.0 * part;
        path.push((turns, twists(&simulation)?));
        if SHOWN.iter().any(|shown| (shown - turns).abs() < 1e-9) {
            scenes.push(shown(&simulation.model, &simulation.state));
        }
    }
    Ok((path, scenes))
}

/// Twist of each vertex less that at rest, rad.
fn twists(simulation: &Simulation) -> Result<Vec<f64>> {
    let (model, state) = (&simulation.model, &simulation.state);
    let mut kinematics = Kinematics::default();
    kinematics
        .update(&model.topology, &state.frames, &state.q)
        .map_err(|error| ReproduceError::State {
            run: NAME.to_owned(),
            reason: error.to_string(),
        })?;
    let twist =
        |v: usize| writhe::forces::twist(model, &kinematics, &state.q, v) - model.twisting[v].rest;
    Ok((0..model.topology.vertices()).map(twist).collect())
}

/// Part of the twist in the second half.
fn share(twist: &[f64]) -> f64 {
    let total: f64 = twist.iter().sum();
    turned_half(twist) / total
}

fn turned_half(twist: &[f64]) -> f64 {
    // A vertex in the middle belongs to both halves.
    let half = twist.len() / 2;
    let middle = if twist.len() % 2 == 1 {
        0.5 * twist[half]
    } else {
        0.0
    };
    twist[twist.len() - half..].iter().sum::<f64>() + middle
}

fn unevenness(twist: &[f64]) -> f64 {
    let mean = twist.iter().sum::<f64>() / twist.len() as f64;
    let largest = twist.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = twist.iter().copied().fold(f64::INFINITY, f64::min);
    (largest - smallest) / mean.abs()
}

fn measure(rest: &str, bench: &mut Bench) -> Result<Vec<String>> {
    let (path, _) = follow(rest, STEPS)?;
    let lines: Vec<Vec<String>> = path
        .iter()
        .map(|(turns, twist)| {
            let mut line = vec![number(*turns, 4), number(turned_half(twist) / TAU, 5)];
            line.extend(twist.iter().map(|t| number(*t, 6)));
            line
        })
        .collect();
    let vertices = path.first().map_or(0, |(_, twist)| twist.len());
    let names: Vec<String> = (1..=vertices).map(|v| format!("twist{v}_rad")).collect();
    let mut header = vec!["turns", "turned_half_turns"];
    header.extend(names.iter().map(String::as_str));
    bench.write_curve(NAME, rest, &header, &lines)?;
    let at = |turns: f64| {
        let found = path.iter().find(|(t, _)| (t - turns).abs() < 1e-9);
        found.map_or(&[][..], |(_, twist)| &twist[..])
    };
    let jump = path
        .windows(2)
        .map(|pair| {
            let [before, after] = [0, 1].map(|i| turned_half(&pair[i].1) / TAU);
            (before - after, pair[1].0)
        })
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let jump = jump.filter(|(lost, _)| *lost > 0.1);
    let (moderate, large) = (at(SHOWN[1]), at(SHOWN[2]));
    Ok(vec![
        number(SHOWN[1], 2),
        number(share(moderate), 4),
        number(unevenness(moderate), 3),
        number(jump.map(|(_, turns)| turns), 3),
        number(jump.map(|(lost, _)| lost), 3),
        number(SHOWN[2], 2),
        number(share(large), 4),
        number(unevenness(large), 3),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_holds_twist_back_and_a_straight_rod_does_not() {
        let one_turn = STEPS / 6;
        let share = |rest| {
            let (path, _) = follow(rest, one_turn).unwrap();
            share(&path[one_turn].1)
        };
        assert!(share("v") > 0.95);
        assert!((0.6..0.95).contains(&share("arc")));
        let (path, _) = follow("straight", one_turn).unwrap();
        assert!(unevenness(&path[one_turn].1) < 1e-12);
    }
}
