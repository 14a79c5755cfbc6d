//! B08 Fig. 6: a heavy and a light body joined by a rod that stores the energy of their turning.

use std::f64::consts::TAU;

use writhe_plot::{Axis, Curve, Panel, Style};
use writhe_results::table::number;
use writhe_scenes::TorqueTransducer;
use writhe_scenes::units::Mass;

use super::figures::{self, points, titled};
use super::oscillation::{column, frequency};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 6.
#[derive(Debug)]
pub struct Fig6;

const NAME: &str = "bergou2008-fig6";
/// What is to be shown: energy kept over ten periods.
const DRIFT: f64 = 1e-3;
/// What is to be shown: frequency and ratio of energies.
const WITHIN: f64 = 5e-3;
const PERIODS: f64 = 10.0;
const FRAMES: f64 = 100.0;

/// A pair of bodies.
#[derive(Debug, Clone, Copy)]
struct Case {
    name: &'static str,
    /// Mass of the heavy body, kg.
    heavy: f64,
    guided: bool,
    /// Steps of a period.
    steps: f64,
    integrator: &'static str,
}

const CASES: [Case; 5] = [
    Case {
        name: "guided",
        heavy: 1.6,
        guided: true,
        steps: 400.0,
        integrator: "implicit",
    },
    Case {
        name: "free",
        heavy: 1.6,
        guided: false,
        steps: 400.0,
        integrator: "implicit",
    },
    Case {
        name: "free-large-steps",
        heavy: 1.6,
        guided: false,
        steps: 100.0,
        integrator: "implicit",
    },
    Case {
        name: "heavy-as-a-wall",
        heavy: 1600.0,
        guided: false,
        steps: 400.0,
        integrator: "implicit",
    },
    Case {
        name: "projected",
        heavy: 1.6,
        guided: false,
        steps: 10_000.0,
        integrator: "symplectic-projected",
    },
];

impl Case {
    fn scene(&self) -> TorqueTransducer {
        TorqueTransducer {
            heavy: Mass::new(self.heavy),
            guided: self.guided,
            ..TorqueTransducer::default()
        }
    }

    fn plan(&self, span: Span) -> RunPlan {
        let period = TAU / self.scene().omega();
        // A little more, so that the tenth period is whole.
        let periods = span.choose(PERIODS + 0.5, 2.5);
        RunPlan {
            name: format!("transducer-{}{}", self.name, span.suffix()),
            scene: "torque-transducer",
            sets: vec![
                format!("scene.heavy={}", self.heavy),
                format!("scene.guided={}", self.guided),
                format!("time.step={}", period / self.steps),
                format!("time.integrator=\"{}\"", self.integrator),
            ],
            start: Start::Rest,
            end: End::At(periods * period),
            every: period / FRAMES,
        }
    }
}

impl Experiment for Fig6 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "two bodies joined by a rod: their energies and the rod's (B08 Fig. 6)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("omega_rad_per_s", "omega rad/s"),
            ("omega_theory_rad_per_s", "theory rad/s"),
            ("omega_error", "error"),
            ("energy_ratio", "KE1/KE2"),
            ("inertia_ratio", "I2/I1"),
            ("largest_drift", "drift of E"),
            ("change_of_mean", "mean of E"),
            ("stored_part", "most in rod"),
            ("momentum_change", ""),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        rows_of(CASES, |case| case.name.to_owned(), measure)
    }

    fn notes(&self, rows: &Rows, _bench: &Bench) -> String {
        let mut text = "\
Implicit midpoint, 400 steps a period (100 in `free-large-steps`), ten periods; `projected`: symplectic Euler and projection, 10,000 steps a
period. Theory: omega^2 = C/L (1/I1 + 1/I2), the rod's inertia left out; in the frame without angular momentum KE1/KE2 = I2/I1. The drift is that of rod and bodies together, the largest of all frames over the first value.
`mean of E` is the change of its mean over a period from the first to the tenth: what is lost for good.
`stored_part` is the largest part of the energy that the rod holds. Curves: bergou2008-fig6-ROW.csv; the figure
shows them as the paper does, and what becomes of their sum.\n"
            .to_owned();
        for case in &CASES {
            let value = |column: &str| rows.number(case.name, column);
            let (Some(error), Some(ratio), Some(wanted), Some(drift)) = (
                value("omega_error"),
                value("energy_ratio"),
                value("inertia_ratio"),
                value("largest_drift"),
            ) else {
                continue;
            };
            let verdict = |met: bool| if met { "met" } else { "NOT met" };
            text += &format!(
                "  {}: frequency within .5 % ({}), energies as the inertias within .5 % ({}), drift below 1e-3 ({})\n",
                case.name,
                verdict(error.abs() < WITHIN),
                verdict((ratio / wanted - 1.0).abs() < WITHIN),
                verdict(drift < DRIFT)
            );
        }
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut panels: Vec<Panel> = DRAWN.iter().map(|of| energies(bench, of)).collect();
        panels.push(changes(bench));
        figures::write(bench, NAME, panels)
    }
}

/// Rows whose energies are drawn, with the titles of their panels.
const DRAWN: [(&str, &str); 3] = [
    ("free", "Heavy body of 8 times the inertia"),
    ("heavy-as-a-wall", "of 8000 times the inertia"),
    ("projected", "8 times, symplectic Euler with projection"),
];
/// Time that these panels show, periods.
const SHOWN: f64 = 2.0;

/// The energies of bodies and rod over time, as the paper plots them.
fn energies(bench: &Bench, (row, title): &(&str, &str)) -> Panel {
    let case = CASES.iter().find(|case| case.name == *row);
    let period = case.map_or(1.0, |case| TAU / case.scene().omega());
    let x = Axis::new("Time", "s").between(0.0, SHOWN * period);
    let mut panel = titled(title, x, Axis::new("Energy", "J"));
    let parts = [
        ("rod", "rod_J"),
        ("light body", "light_J"),
        ("heavy body", "heavy_J"),
        ("total", "total_J"),
    ];
    for (index, (label, column)) in parts.into_iter().enumerate() {
        figures::add(
            &mut panel,
            bench,
            [NAME, row],
            ["t_s", column],
            (label, index),
        );
    }
    panel
}

/// What becomes of the total energy in each row.
fn changes(bench: &Bench) -> Panel {
    let y = Axis::new("|E(t)/E(0) - 1|", "")
        .logarithmic()
        .between(1e-10, 1e-2);
    let mut panel = titled("Change of the total energy", Axis::new("Time", "s"), y);
    for (index, case) in CASES.iter().enumerate() {
        let Some(found) = points(bench, [NAME, case.name], ["t_s", "total_J"]) else {
            continue;
        };
        let start = found.first().map_or(1.0, |p| p[1]);
        let change = found.iter().map(|[t, e]| [*t, (e / start - 1.0).abs()]);
        let curve = Curve::new(case.name, change.collect(), index);
        panel.curves.push(curve.styled(Style::Solid));
    }
    panel
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, _) = bench.frames(&case.plan(bench.span))?;
    let times = column(&reader, "t")?;
    let [heavy, light] = [0, 1].map(|b| column(&reader, &format!("body{b}_kinetic")));
    let (heavy, light) = (heavy?, light?);
    let [stretch, bend, twist] =
        ["stretch", "bend", "twist"].map(|e| column(&reader, &format!("energy_{e}")));
    let (stretch, bend, twist) = (stretch?, bend?, twist?);
    let kinetic = column(&reader, "energy_kinetic")?;
    let momentum = column(&reader, "angular_momentum_x")?;
    let spin = column(&reader, "body1_spin_x")?;
    let rod = |i: usize| stretch[i] + bend[i] + twist[i];
    let total = |i: usize| rod(i) + kinetic[i];
    let frames = times.len();
    let drift = (0..frames).map(|i| (total(i) / total(0) - 1.0).abs());
    let drift = drift.fold(0.0, f64::max);
    // The last frames are of half a period more.
    let whole = (frames as f64 / (PERIODS + 0.5)).round() as usize;
    let mean = |from: usize| {
        let all = from..(from + whole).min(frames);
        let count = all.len().max(1) as f64;
        all.map(total).sum::<f64>() / count
    };
    let lost = mean(frames.saturating_sub(whole)) / mean(0) - 1.0;
    let stored = (0..frames).map(|i| rod(i) / total(0)).fold(0.0, f64::max);
    let most = light.iter().copied().fold(0.0, f64::max);
    // Where the light body hardly turns, the ratio says nothing.
    let told = (0..frames).filter(|i| light[*i] > 0.5 * most);
    let ratios: Vec<f64> = told.map(|i| heavy[i] / light[i]).collect();
    let ratio = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    let scene = case.scene();
    let [i1, i2] = scene.inertias();
    let omega = frequency(times, spin).unwrap_or(f64::NAN);
    let theory = scene.omega();
    let changed = momentum.iter().map(|l| (l - momentum[0]).abs());
    let changed = changed.fold(0.0, f64::max) / (i2 * scene.spin.si());
    let line = |i: usize| {
        [times[i], heavy[i], light[i], rod(i), total(i)]
            .map(|v| format!("{v:.9e}"))
            .to_vec()
    };
    let lines: Vec<Vec<String>> = (0..frames).map(line).collect();
    let header = ["t_s", "heavy_J", "light_J", "rod_J", "total_J"];
    bench.write_curve(NAME, case.name, &header, &lines)?;
    Ok(vec![
        number(omega, 7),
        number(theory, 7),
        number(omega / theory - 1.0, 3),
        number(ratio, 5),
        number(i2 / i1, 5),
        number(drift, 3),
        number(lost, 2),
        number(stored, 4),
        number(changed, 3),
    ])
}
