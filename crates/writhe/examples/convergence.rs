//! Error of the flagella against a fine run, per scheme and step, before the first contact:
//! `convergence [shipped|literal]`.
//!
//! The error is the mean distance of corresponding nodes in radii (T22 Eq. 22). The reference is
//! fitted BDF2 with steps of a fifth and two fifths of the smallest in the table, extrapolated with
//! order 2. Steps are fixed and equations are solved to 1e-8 radii a step.

#[path = "../tests/support/flagella.rs"]
mod flagella;

use glam::DVec3;
use writhe::fluid::Coupling;
use writhe::simulation::{Simulation, SimulationError};
use writhe::step::{Scheme, StepSettings};

/// Two flagella in one fluid, and when and how to compare.
struct Case {
    name: &'static str,
    density: f64,
    viscosity: f64,
    omega: f64,
    /// Steps of the table, s.
    steps: [f64; 4],
    /// Times of comparison, s.
    times: [f64; 2],
}

const CASES: [Case; 2] = [
    Case {
        name: "shipped",
        density: 1e4,
        viscosity: 1.0,
        omega: flagella::OMEGA,
        steps: [0.04, 0.02, 0.01, 0.005],
        times: [10.0, 20.0],
    },
    Case {
        name: "literal",
        density: 1e3,
        viscosity: 0.1,
        omega: 15.0,
        steps: [0.02, 0.01, 0.005, 0.0025],
        times: [1.0, 2.0],
    },
];

type Shapes = Vec<Vec<DVec3>>;

impl Case {
    /// Node positions at the times of comparison.
    fn run(&self, scheme: Scheme, dt: f64, tolerance: f64) -> Result<Shapes, SimulationError> {
        let coupling = Coupling::Implicit;
        let (model, state) = flagella::model(2, self.density, self.viscosity, self.omega, coupling);
        let settings = StepSettings {
            dt,
            scheme,
            step_tolerance: tolerance,
            residual_tolerance: tolerance,
            adaptive: false,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let mut shapes = Vec::new();
        for time in self.times {
            simulation.run_until(time, |_, _| true)?;
            shapes.push(simulation.model.positions(&simulation.state));
        }
        eprintln!("# {scheme:?} {dt} s: {:?}", simulation.statistics);
        Ok(shapes)
    }

    fn reference(&self, scheme: Scheme) -> Result<Shapes, SimulationError> {
        let fine = self.run(scheme, 0.2 * self.steps[3], 1e-8)?;
        let wide = self.run(scheme, 0.4 * self.steps[3], 1e-8)?;
        let extrapolate = |(f, w): (&DVec3, &DVec3)| (4.0 * *f - *w) / 3.0;
        let shape = |(f, w): (&Vec<DVec3>, &Vec<DVec3>)| f.iter().zip(w).map(extrapolate).collect();
        Ok(fine.iter().zip(&wide).map(shape).collect())
    }
}

/// Mean distance of corresponding nodes in radii (T22 Eq. 22).
fn difference(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum();
    sum / (a.len() as f64 * flagella::RADIUS)
}

fn main() -> Result<(), SimulationError> {
    let wanted = std::env::args().nth(1);
    for case in CASES
        .iter()
        .filter(|c| wanted.as_deref().is_none_or(|w| w == c.name))
    {
        let fitted = Scheme::FittedBdf2 { omega: case.omega };
        let reference = case.reference(fitted)?;
        let [t0, t1] = case.times;
        println!(
            "\n{}: {} Pa s, {} kg/m^3, {:.4} rad/s",
            case.name, case.viscosity, case.density, case.omega
        );
        println!(
            "\n| scheme | step, ms | error at {t0} s | ratio | error at {t1} s | ratio |\n|---|---|---|---|---|---|"
        );
        for (name, scheme) in [
            ("fitted BDF2", fitted),
            ("BDF2", Scheme::Bdf2),
            ("backward Euler", Scheme::BackwardEuler),
        ] {
            let mut before: Option<[f64; 2]> = None;
            for dt in case.steps {
                let shapes = case.run(scheme, dt, 1e-8)?;
                let error = [0, 1].map(|i| difference(&shapes[i], &reference[i]));
                let ratio =
                    |i: usize| before.map_or("–".into(), |b| format!("{:.2}", b[i] / error[i]));
                println!(
                    "| {name} | {} | {:.2e} | {} | {:.2e} | {} |",
                    1e3 * dt,
                    error[0],
                    ratio(0),
                    error[1],
                    ratio(1)
                );
                before = Some(error);
            }
        }
        // What the tolerance of the solver leaves in the smallest error of the table.
        let [_, _, _, dt] = case.steps;
        let loose = case.run(fitted, dt, 1e-6)?;
        let tight = case.run(fitted, dt, 1e-8)?;
        let left = [0, 1].map(|i| difference(&loose[i], &tight[i]));
        println!(
            "\nSolved to 1e-6 instead of 1e-8 radii a step, fitted BDF2 moves by {:.1e} and {:.1e} radii.",
            left[0], left[1]
        );
    }
    Ok(())
}
