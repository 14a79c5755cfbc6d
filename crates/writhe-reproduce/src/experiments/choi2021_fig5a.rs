//! C21 Fig. 5a: the pull force does not depend on the speed (n = 2), and a trefoil tightened and
//! loosened against theory (Eq. 25, 26).

use std::f64::consts::TAU;

use writhe_plot::{Axis, Curve as Line, Style};
use writhe_results::table::number;

use super::figures::{points, titled, write};
use super::knot_columns::{COLUMNS, READING, by, measure as measure_pull};
use super::knot_curve::{Curve, MEAN_OVER};
use super::knots::{BENDING, LOW_VISCOSITY, Leg, Pull, RADIUS, VISCOSITY};
use super::{Experiment, Row};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::rods;
use crate::plan::RunPlan;
use crate::rows::Rows;

/// C21 Fig. 5a.
#[derive(Debug)]
pub struct Fig5a;

const NAME: &str = "choi2021-fig5a";
/// Our contact, and C21's own method.
const METHODS: [fn(Pull) -> Pull; 2] = [|pull| pull, Pull::by_c21];

/// Speeds of the ends, mm/s.
const SPEEDS: [usize; 3] = [6, 3, 9];
/// What is to be shown: forces equal within this part.
const EQUAL: f64 = 0.01;
/// Where forces are compared between speeds, cm.
const COMPARED: (usize, usize) = (15, 60);
/// sigma of Eq. 25 for a trefoil.
const SIGMA: f64 = 0.492;
/// eps = sqrt(h/R) at which forces of the cycle are told.
const EPSILONS: [f64; 6] = [0.13, 0.14, 0.15, 0.17, 0.2, 0.23];

/// With the viscosity that C21 pulls with: with the one that it loosens with the rod sways, and
/// forces differ by 7 % in the mean.
fn at_speed(speed_mm: usize) -> Pull {
    Pull {
        speed_mm,
        ..Pull::new(2)
    }
}

fn trefoil() -> Pull {
    Pull {
        speed_mm: 3,
        viscosity: LOW_VISCOSITY,
        ..Pull::new(1)
    }
}

fn cycle_name(pull: &Pull) -> String {
    format!("n1-cycle{}", pull.method())
}

/// Tightened to e = 0.15 m, and loosened again as far as it was.
fn cycle(pull: &Pull, span: Span) -> RunPlan {
    let [wait, ..] = pull.legs(span)[..] else {
        return pull.whole(span);
    };
    let lasts = span.choose(95.0, 1.5);
    let leg = |speed| Leg { lasts, speed };
    let legs = [wait, leg(pull.speed()), leg(-pull.speed())];
    pull.over("-cycle", &legs, span)
}

impl Experiment for Fig5a {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "pull force at 3, 6, 9 mm/s (n = 2), and a trefoil tightened and loosened against theory (C21 Fig. 5a)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        COLUMNS
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        let speeds: &[usize] = span.choose(&SPEEDS, &SPEEDS[..1]);
        let methods = METHODS.into_iter();
        methods.flat_map(|method| rows_by(method, speeds)).collect()
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = format!(
            "{READING}n = 2 with eta = {VISCOSITY} Pa s, as C21 pulls; forces of different speeds are compared without that of the drag, which follows from what it dissipates:\n\
             eta times the sum of l v^2 over all nodes, over the speed 2 u of the ends. The trefoil with {LOW_VISCOSITY} Pa s, as C21 loosens.\n"
        );
        for method in METHODS {
            text += &speeds(method, bench).unwrap_or_default();
        }
        for pull in METHODS.map(|method| method(trefoil())) {
            if rows.has(&cycle_name(&pull)) {
                text += &theory(&pull, bench).unwrap_or_default();
            }
        }
        text
    }

    fn finish(&self, _rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let x = Axis::new("ε = (h/R)^{1/2}", "");
        let y = Axis::new("F h^{2}/EI", "")
            .logarithmic()
            .between(1e-6, 1e-1);
        let loop_only = x.clone().between(0.11, 0.4);
        let mut speeds = titled("(a) n = 2, three speeds", loop_only, y.clone());
        for (index, mm) in [3, 6, 9].into_iter().enumerate() {
            if let Some(points) = over_epsilon(bench, &speed_name(&at_speed(mm))) {
                let curve = Line::new(format!("{mm} mm/s"), points, index);
                speeds.curves.push(curve);
            }
        }
        let mut cycle = titled("(b) Trefoil, tightened and loosened", x, y);
        if let Some(points) = over_epsilon(bench, &cycle_name(&trefoil())) {
            let tightest = (0..points.len()).max_by(|a, b| points[*a][0].total_cmp(&points[*b][0]));
            let (up, down) = points.split_at(tightest.unwrap_or_default());
            for (index, (label, sign, points)) in [("tightened", 1.0, up), ("loosened", -1.0, down)]
                .into_iter()
                .enumerate()
            {
                let theory = points
                    .iter()
                    .map(|p| [p[0], eq_25(p[0], trefoil().friction(), sign)]);
                let theory = Line::new(format!("{label}, Eq. 25"), theory.collect(), index);
                let ours = Line::new(label, points.to_vec(), index);
                cycle.curves.extend([ours, theory.styled(Style::Dashed)]);
            }
        }
        write(bench, NAME, vec![speeds, cycle])
    }
}

/// F h^2/EI by eps of a recorded curve.
fn over_epsilon(bench: &Bench, row: &str) -> Option<Vec<[f64; 2]>> {
    let found = points(bench, [NAME, row], ["radius_over_R", "pull_h2_over_EI"])?;
    let by_root = found.into_iter().filter(|p| p[0] > 0.0);
    Some(by_root.map(|[x, y]| [x.sqrt(), y]).collect())
}

fn speed_name(pull: &Pull) -> String {
    format!("n2-{}mms{}", pull.speed_mm, pull.method())
}

/// Pulls at these speeds, mm/s, and the cycle, by a method.
fn rows_by(method: fn(Pull) -> Pull, speeds: &[usize]) -> Vec<Row> {
    let row_of = |speed: &usize| {
        let pull = method(at_speed(*speed));
        let row = speed_name(&pull);
        Row::new(row.clone(), move |bench| {
            let plan = pull.whole(bench.span);
            let values = measure_pull(&pull, &plan, [NAME, &row], bench)?;
            write_drag(&pull, &plan, &row, bench)?;
            Ok(values)
        })
    };
    let mut rows: Vec<Row> = speeds.iter().map(row_of).collect();
    let pull = method(trefoil());
    rows.push(Row::new(cycle_name(&pull), move |bench| {
        let plan = cycle(&pull, bench.span);
        measure_pull(&pull, &plan, [NAME, &cycle_name(&pull)], bench)
    }));
    rows
}

fn curve(plan: &RunPlan, bench: &Bench) -> Option<Curve> {
    let (reader, _) = bench.look_at(plan)?;
    Curve::of(&reader).ok()
}

/// Records the part of the pull force that is drag, by shortening: power over the speed of the
/// ends.
fn write_drag(pull: &Pull, plan: &RunPlan, row: &str, bench: &mut Bench) -> Result<()> {
    let (reader, _) = bench.frames(plan)?;
    let (time, shortening) = (reader.times()?, Curve::of(&reader)?.shortening);
    let mut lines = Vec::new();
    // Velocities are differences over this many frames before and after.
    const APART: usize = 5;
    for i in APART..time.len().saturating_sub(APART) {
        let frame = |i: usize| rods(&reader, i).map(|mut all| all.swap_remove(0));
        let (before, after) = (frame(i - APART)?, frame(i + APART)?);
        let lasts = time[i + APART] - time[i - APART];
        let ways = before.iter().zip(&after);
        let square = ways.map(|(a, b)| a.distance_squared(*b)).sum::<f64>() / (lasts * lasts);
        let length = 1.0 / (before.len() - 1) as f64;
        let drag = pull.viscosity * length * square / (2.0 * pull.speed());
        lines.push(vec![number(shortening[i], 6), number(drag, 5)]);
    }
    let of = format!("{row}-drag");
    bench.write_curve(NAME, &of, &["shortening_m", "drag_N"], &lines)
}

/// How much forces differ between speeds, drag left out.
fn speeds(method: fn(Pull) -> Pull, bench: &Bench) -> Option<String> {
    let pulls = SPEEDS.map(|speed| method(at_speed(speed)));
    let curves: Option<Vec<Curve>> = pulls
        .iter()
        .map(|pull| {
            let row = speed_name(pull);
            let mut curve = Curve::recorded([NAME, &row], bench)?;
            let drag = points(
                bench,
                [NAME, &format!("{row}-drag")],
                ["shortening_m", "drag_N"],
            )?;
            let drag = Curve {
                time: vec![0.0; drag.len()],
                shortening: drag.iter().map(|p| p[0]).collect(),
                force: drag.iter().map(|p| p[1]).collect(),
            };
            for (e, force) in curve.shortening.iter().zip(&mut curve.force) {
                *force -= drag.force_at(*e).unwrap_or(f64::NAN);
            }
            Some(curve)
        })
        .collect();
    let curves = curves?;
    let grid = (COMPARED.0..=COMPARED.1).map(|cm| 1e-2 * cm as f64);
    let all: Vec<(f64, Vec<f64>)> = grid
        .filter_map(|e| {
            let forces: Option<Vec<f64>> = curves.iter().map(|c| c.force_at(e)).collect();
            Some((e, forces?))
        })
        .collect();
    let spread = |forces: &[f64]| {
        let (low, high) = forces
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(l, h), f| (l.min(*f), h.max(*f)));
        high / low - 1.0
    };
    let spreads = all.iter().map(|(e, forces)| (spread(forces), *e));
    let (largest, at) = spreads.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mean = all.iter().map(|(_, forces)| spread(forces)).sum::<f64>() / all.len() as f64;
    // Each force over the mean of all speeds there, in the mean over all shortenings.
    let relative = (0..curves.len()).map(|i| {
        let of_mean = |f: &[f64]| f[i] * f.len() as f64 / f.iter().sum::<f64>();
        all.iter().map(|(_, f)| of_mean(f)).sum::<f64>() / all.len() as f64
    });
    let between = spread(&relative.collect::<Vec<f64>>());
    Some(format!(
        "  n = 2{}: largest force over smallest at 3, 6, 9 mm/s, less 1: at most {} % (at e = {} m), mean {} %, from e = {} to {} m ({});\n    \
         of the means over all these shortenings: {} % ({})\n",
        by(&pulls[0]),
        number(100.0 * largest, 3),
        number(at, 2),
        number(100.0 * mean, 2),
        number(1e-2 * COMPARED.1 as f64, 2),
        number(1e-2 * COMPARED.0 as f64, 2),
        verdict(largest <= EQUAL),
        number(100.0 * between, 2),
        verdict(between <= EQUAL)
    ))
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "NOT met" }
}

/// Eq. 25 with the sign of tightening (+1) or loosening (-1): F h^2/EI.
fn eq_25(epsilon: f64, friction: f64, sign: f64) -> f64 {
    epsilon.powi(4) / 2.0 + sign * friction * SIGMA * epsilon.powi(3)
}

/// Ratio of the trefoil's force to Eq. 25, tightened and loosened, and where it locks.
fn theory(pull: &Pull, bench: &Bench) -> Option<String> {
    let plan = cycle(pull, bench.span);
    let whole = curve(&plan, bench)?;
    let tightened = whole.tightening();
    let turn = tightened.time.last().copied()?;
    let loosened = whole.during(turn, f64::INFINITY).smoothed(MEAN_OVER);
    let tightened = tightened.smoothed(MEAN_OVER);
    let friction = pull.friction();
    let unit = BENDING / (RADIUS * RADIUS);
    let mut text = format!(
        "  Trefoil{}, mu = 0.1, 3 mm/s: F h^2/EI over eps^4/2 +- mu sigma eps^3 (Eq. 25, sigma = 0.492) at eps = sqrt(h/R), R = e/(2 pi):\n    \
         eps    tightened  ratio   loosened  ratio\n",
        by(pull)
    );
    for epsilon in EPSILONS {
        let e = TAU * RADIUS / (epsilon * epsilon);
        let at = |curve: &Curve| curve.force_at(e).map(|f| f / unit);
        let (up, down) = (at(&tightened), at(&loosened));
        let ratio = |f: Option<f64>, sign| number(f.map(|f| f / eq_25(epsilon, friction, sign)), 4);
        text += &format!(
            "    {epsilon:<6} {:>9}  {:<6}  {:>9}  {}\n",
            number(up, 4),
            ratio(up, 1.0),
            number(down, 4),
            ratio(down, -1.0)
        );
    }
    text += &match lock(&loosened) {
        Some(epsilon) => format!(
            "  Loosened, it locks (F = 0) at eps0 = {}: mu = eps0/(2 sigma) = {} (Eq. 26; C21: 0.1285 and 0.1306; accepted 0.10 to 0.14)\n",
            number(epsilon, 4),
            number(epsilon / (2.0 * SIGMA), 4)
        ),
        None => "  Loosened, it does not lock within the run\n".to_owned(),
    };
    Some(text)
}

/// eps where the force first vanishes.
fn lock(loosened: &Curve) -> Option<f64> {
    let i = loosened.force.iter().position(|f| *f <= 0.0)?;
    let e = match i.checked_sub(1) {
        None => loosened.shortening[i],
        Some(before) => {
            let (f0, f1) = (loosened.force[before], loosened.force[i]);
            let (e0, e1) = (loosened.shortening[before], loosened.shortening[i]);
            e0 + (e1 - e0) * f0 / (f0 - f1)
        }
    };
    Some((TAU * RADIUS / e).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theory_is_as_tabulated() {
        for (epsilon, tight, loose) in [
            (0.1, 9.92e-5, 8.0e-7),
            (0.2, 1.19360e-3, 4.0640e-4),
            (0.3, 5.37840e-3, 2.72160e-3),
        ] {
            let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
            assert!(close(eq_25(epsilon, 0.1, 1.0), tight));
            assert!(
                close(eq_25(epsilon, 0.1, -1.0), loose),
                "{}",
                eq_25(epsilon, 0.1, -1.0)
            );
        }
    }

    #[test]
    fn a_knot_locks_where_its_force_vanishes() {
        // Eq. 25 itself locks at eps = 2 mu sigma.
        let epsilons: Vec<f64> = (0..400).map(|i| 0.2 - 3e-4 * f64::from(i)).collect();
        let loosened = Curve {
            time: (0..400).map(f64::from).collect(),
            shortening: epsilons.iter().map(|x| TAU * RADIUS / (x * x)).collect(),
            force: epsilons.iter().map(|x| eq_25(*x, 0.1, -1.0)).collect(),
        };
        assert!((lock(&loosened).unwrap() - 0.0984).abs() < 1e-4);
    }
}
