//! What a run watches besides its results: equilibria that are unstable, and where rods are no
//! longer what they are a model of. The summary warns of it.

use std::f64::consts::FRAC_PI_4;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use writhe::limits::{Extreme, Extremes};
use writhe::model::SpinInertia;
use writhe::observe::Observed;
use writhe::simulation::Simulation;
use writhe::stability::{Episode, StabilityWatch};
use writhe_scenes::spec::{FLUID_DENSITY, LARGEST_REYNOLDS, PERTURBATION_PER_RADIUS};

use crate::format::number;

/// Strain above which no material of a rod is linear.
const LARGEST_STRAIN: f64 = 0.5;
/// Turn from edge to edge above which a bend or a twist is not resolved, rad.
const LARGEST_TURN: f64 = FRAC_PI_4;
/// Torque over those that turn a rod above which it is not to be left out.
const LARGEST_MISSING: f64 = 0.01;
/// Explicit steps are cheap: every so many of them is looked at.
const EXPLICIT_STEPS: u64 = 16;

/// What a run watches; part of a checkpoint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Over equilibria.
    pub stability: StabilityWatch,
    /// Over strains, turns and speeds.
    pub extremes: Extremes,
}

/// What the scene says of the things that are warned of.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// How each rod is called, `(rods)`.
    pub rods: Vec<String>,
    /// Viscosity of a Stokes flow, Pa s.
    pub viscosity: Option<f64>,
}

impl Findings {
    /// Sees an accepted step.
    pub fn step(&mut self, simulation: &Simulation) {
        let implicit = simulation.state.tension.is_empty();
        if implicit || simulation.state.step.is_multiple_of(EXPLICIT_STEPS) {
            self.extremes.see(&simulation.model, &simulation.state);
        }
    }

    /// Sees an output; returns an unstable equilibrium that is new.
    pub fn output(&mut self, simulation: &Simulation, observed: &Observed) -> Option<Episode> {
        let state = &simulation.state;
        // Implicit steps are all seen, and this is the last of them or lies within it.
        if state.step == 0 || !state.tension.is_empty() {
            self.extremes.see(&simulation.model, state);
        }
        self.stability.output(simulation, observed)
    }

    /// Sees the end of the run; returns an unstable equilibrium that is new.
    pub fn end(&mut self, simulation: &Simulation) -> Option<Episode> {
        self.stability.end(simulation)
    }

    /// What the summary warns of.
    pub fn warnings(&self, simulation: &Simulation, at: &Surroundings) -> Vec<String> {
        let found = &self.stability.record.found;
        let unstable = found
            .iter()
            .map(|episode| unstable(simulation, at, episode));
        let e = &self.extremes;
        let strains = [
            (e.stretch, "along itself", "edge"),
            (e.bending, "at its surface by bending", "node"),
            (e.twist, "at its surface by twist", "node"),
        ];
        let strains = strains.into_iter().filter_map(|(strain, how, item)| {
            let strain = strain.filter(|s| s.value > LARGEST_STRAIN)?;
            let value = number(strain.value, 3);
            Some(format!(
                "a strain of {value} {how} at {}: beyond {LARGEST_STRAIN} no material is linear, and the result says little",
                place(at, &strain, item)
            ))
        });
        let turns = [(e.turn, "bends"), (e.twist_turn, "is twisted")];
        let turns = turns.into_iter().filter_map(|(turn, does)| {
            let turn = turn.filter(|t| t.value > LARGEST_TURN)?;
            let degrees = number(turn.value.to_degrees(), 3);
            let cure = match does {
                "bends" => "take more edges",
                _ => "take more edges, or bending = \"half-edges\"",
            };
            Some(format!(
                "the rod {does} by {degrees} degrees more than at rest from one edge to the next at {}: beyond 45 its shape is not resolved; {cure}",
                place(at, &turn, "node")
            ))
        });
        let spins = e.spins.iter().filter_map(|s| s.cost());
        let spins = spins
            .filter(|s| s.value > LARGEST_MISSING && simulation.model.spin_inertia == SpinInertia::Angles)
            .map(|s| {
                let percent = number(100.0 * s.value, 3);
                format!(
                    "the gyroscopic torque of a spinning rod reaches {percent} % of the largest torque on it, most at {}, and is left out: write spin_inertia = \"full\" at the top of the scene",
                    place(at, &s, "edge")
                )
            });
        let all = unstable.chain(strains).chain(turns).chain(spins);
        all.chain(self.reynolds(at)).collect()
    }

    fn reynolds(&self, at: &Surroundings) -> Option<String> {
        let viscosity = at.viscosity?;
        let fastest = self.extremes.speed_radius?;
        let reynolds = FLUID_DENSITY * fastest.value / viscosity;
        (reynolds > LARGEST_REYNOLDS).then(|| {
            format!(
                "a Reynolds number of {} (rho v h / mu with {FLUID_DENSITY} kg/m^3, water's density, for a fluid that has none in scenes) at {}: \
                 Stokes flow has no inertia, which matters beyond {LARGEST_REYNOLDS}",
                number(reynolds, 3),
                place(at, &fastest, "node")
            )
        })
    }

    /// The same in numbers, for the file.
    pub fn numbers(&self) -> Value {
        let record = &self.stability.record;
        json!({
            "looks": record.looks,
            "at_rest_and_stable": record.stable,
            "at_rest_and_unstable": record.unstable,
            "left_out": record.left_out,
            "left_out_because": record.why.map(|why| why.to_string()),
            "largest_stretch": self.extremes.stretch,
            "largest_bending_strain": self.extremes.bending,
            "largest_twist_strain": self.extremes.twist,
            "largest_turn_rad": self.extremes.turn,
            "turned_spins": self.extremes.spins,
        })
    }
}

fn unstable(simulation: &Simulation, at: &Surroundings, episode: &Episode) -> String {
    let shape = &episode.shape;
    let from = number(episode.from, 4);
    let (when, stays) = if episode.present {
        let stays = "it stays only because nothing disturbs it";
        (format!("from t = {from} s to the end"), stays)
    } else {
        let stays = "rounding decided when it left";
        let until = number(episode.until, 4);
        (format!("from t = {from} s to t = {until} s"), stays)
    };
    let amplitude = number(PERTURBATION_PER_RADIUS * simulation.model.length_scale(), 2);
    format!(
        "an unstable equilibrium {when}: {}; {stays}. Real rods are not perfect: write perturbation = \"{amplitude} m\" (1 % of the radius) \
         at the top of the scene",
        shape.words(&name(at, shape.rod))
    )
}

fn name(at: &Surroundings, rod: usize) -> String {
    let known = at.rods.get(rod).cloned();
    known.unwrap_or_else(|| format!("rod {rod}"))
}

fn place(at: &Surroundings, extreme: &Extreme, item: &str) -> String {
    let (rod, time) = (name(at, extreme.rod), number(extreme.time, 4));
    format!("{item} {} of {rod} at t = {time} s", extreme.at)
}
