//! B08 Fig. 11: the Wilberforce pendulum, in the set-up of linear theory and hanging under gravity.

use std::f64::consts::TAU;

use glam::DVec3;
use writhe::observe::observe;
use writhe::schedule::Schedule;
use writhe::simulation::Simulation;
use writhe_results::table::number;
use writhe_scenes::{Scene, Wilberforce};

use super::oscillation::{column, frequency, turn_about_z};
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::{ReproduceError, Result};
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;
use crate::scenes;

/// B08 Fig. 11.
#[derive(Debug)]
pub struct Fig11;

const NAME: &str = "bergou2008-fig11";
/// What is to be shown in the linear set-up: frequencies, beat, energy transferred.
const FREQUENCIES: f64 = 5e-3;
const BEAT: f64 = 0.05;
const TRANSFER: f64 = 0.95;
/// Accelerations and moments that compliances are measured with, m/s^2 and N m.
const TRIAL: (f64, f64) = (0.02, 1e-7);

/// A set-up.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    /// The bob moves along and about the axis alone, no gravity, small amplitude.
    Linear,
    /// The bob hangs and moves as it will.
    Stretched,
}

/// Compliances of the discrete spring where it is.
#[derive(Debug, Clone, Copy)]
struct Compliance {
    /// Displacement along z by force, m/N.
    force: f64,
    /// Turn about z by force, rad/N.
    coupling: f64,
    /// Turn about z by moment, rad/(N m).
    moment: f64,
}

impl Case {
    fn name(&self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Stretched => "stretched",
        }
    }

    fn sets(&self) -> Vec<String> {
        match self {
            Self::Linear => ["guided=true", "edges=1200", "speed=0.005"].as_slice(),
            Self::Stretched => ["guided=false", "edges=480", "speed=0.1"].as_slice(),
        }
        .iter()
        .map(|set| format!("scene.{set}"))
        .collect()
    }

    /// With the moment of inertia that tunes it, kg m^2.
    fn plan(&self, inertia: f64, span: Span) -> RunPlan {
        let mut sets = self.sets();
        sets.push(format!("scene.inertia={inertia:.8e}"));
        // Linking numbers of a long coil take longer than its steps.
        sets.push("output.certify=false".to_owned());
        RunPlan {
            name: format!("wilberforce-{}{}", self.name(), span.suffix()),
            scene: "wilberforce",
            sets,
            start: Start::Rest,
            end: End::At(match self {
                Self::Linear => span.choose(40.0, 4.0),
                Self::Stretched => span.choose(40.0, 4.0),
            }),
            every: 0.05,
        }
    }

    fn scene(&self) -> Result<Scene> {
        let wrong = |source| ReproduceError::Scene {
            run: self.name().to_owned(),
            source: Box::new(source),
        };
        let mut scene = scenes::scene("wilberforce").map_err(wrong)?;
        scene.set_all(&self.sets()).map_err(wrong)?;
        Ok(scene)
    }
}

/// Height, m, and turn about z, rad, of the bob in equilibrium with more gravity, m/s^2, and a
/// moment about z, N m.
fn equilibrium(case: Case, scene: &Scene, lift: f64, moment: f64) -> Result<[f64; 2]> {
    let wrong = |reason: String| ReproduceError::NoStart {
        run: case.name().to_owned(),
        reason,
    };
    let mut scene = scene.clone();
    let g = lift - if case == Case::Linear { 0.0 } else { 9.81 };
    let set = format!("gravity.acceleration=[0, 0, {g}]");
    scene.set(&set).map_err(|e| wrong(e.to_string()))?;
    let builder = scene.builder().map_err(|e| wrong(e.to_string()))?;
    let last = builder.rods()[0].edges() - 1;
    let builder = builder.moment(0, last, DVec3::Z * moment, Schedule::Constant(1.0), false);
    let (model, state) = builder.build().map_err(|e| wrong(e.to_string()))?;
    let mut settings = scene.build().map_err(|e| wrong(e.to_string()))?.step;
    settings.step_tolerance = 1e-9;
    settings.residual_tolerance = 1e-9;
    let mut simulation = Simulation::new(model, state, settings);
    simulation.settle().map_err(|e| wrong(e.to_string()))?;
    let seen = observe(&simulation.model, &simulation.state).map_err(|e| wrong(e.to_string()))?;
    let bob = seen.bodies[0];
    let turn = turn_about_z(bob.orientation.z, bob.orientation.w);
    Ok([bob.position.z, turn])
}

/// Central differences of equilibria.
fn compliance(case: Case, mass: f64) -> Result<Compliance> {
    let scene = case.scene()?;
    let (g, moment) = TRIAL;
    let [up, down] = [g, -g].map(|g| equilibrium(case, &scene, g, 0.0));
    let [left, right] = [moment, -moment].map(|m| equilibrium(case, &scene, 0.0, m));
    let (up, down, left, right) = (up?, down?, left?, right?);
    let force = 2.0 * g * mass;
    Ok(Compliance {
        force: (up[0] - down[0]) / force,
        coupling: (up[1] - down[1]) / force,
        moment: (left[1] - right[1]) / (2.0 * moment),
    })
}

impl Experiment for Fig11 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "Wilberforce pendulum: bouncing and turning exchange their energy (B08 Fig. 11)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("k_zz_N_per_m", "k_zz N/m"),
            ("k_zt_N", "k_zt N"),
            ("k_tt_Nm", "k_tt N m"),
            ("inertia_kg_m2", "I kg m^2"),
            ("omega1_rad_per_s", "omega1"),
            ("omega2_rad_per_s", "omega2"),
            ("beat_s", "beat s"),
            ("transfer", "transfer"),
            ("exchange_s", "exchange s"),
            ("exchanges", "exchanges"),
            ("largest_drift", "drift of E"),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        let name = |case: &Case| case.name().to_owned();
        rows_of([Case::Linear, Case::Stretched], name, measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let theory = Wilberforce::default();
        let k = theory.theory();
        let mass = theory.mass.si();
        let omega = (k.k_zz / mass).sqrt();
        // I = m k_tt/k_zz, so that sqrt(m I) omega0^2 = sqrt(k_zz k_tt).
        let split = k.k_zt.abs() / (k.k_zz * k.k_tt).sqrt();
        let [low, high] = [-1.0, 1.0].map(|sign| omega * (1.0 + sign * split).sqrt());
        let beat = TAU / (high - low);
        let mut text = format!(
            "\
BDF2, steps of 10 ms: it damps the wire's own waves, which the midpoint rule keeps until steps fail, and takes .1 % off frequencies. The compliances are those of the discrete spring, by differences of equilibria under a little more and less
weight and moment; I = m c_FF/c_TT tunes the bob. `transfer` is the largest part of the energy of both motions that the turning takes, `exchange_s` when
first, `exchanges` how often one of them takes over. Frequencies are those of sqrt(m) z -+ sqrt(I) theta, from crossings of zero.
Theory of the linear set-up (massless inextensible wire): k_zz = {} N/m, k_zt = {} N, k_tt = {} N m, I = {} kg m^2,
omega1 = {}, omega2 = {} rad/s, beat = {} s, full transfer after half of it. Curves: {NAME}-ROW.csv.\n",
            number(k.k_zz, 7),
            number(k.k_zt.abs(), 6),
            number(k.k_tt, 6),
            number(mass * k.k_tt / k.k_zz, 6),
            number(low, 6),
            number(high, 6),
            number(beat, 6),
        );
        if bench.span == Span::Quick {
            return text;
        }
        let verdict = |met: bool| if met { "met" } else { "NOT met" };
        let linear = |column: &str| rows.number("linear", column);
        if let (Some(a), Some(b), Some(t), Some(transfer)) = (
            linear("omega1_rad_per_s"),
            linear("omega2_rad_per_s"),
            linear("beat_s"),
            linear("transfer"),
        ) {
            let near = (a / low - 1.0).abs().max((b / high - 1.0).abs());
            text += &format!(
                "  linear: frequencies within {} % of theory, at most .5 ({}); beat within {} %, at most 5 ({}); transfer {} %, at least 95 ({})\n",
                number(100.0 * near, 2),
                verdict(near < FREQUENCIES),
                number(100.0 * (t / beat - 1.0).abs(), 2),
                verdict((t / beat - 1.0).abs() < BEAT),
                number(100.0 * transfer, 4),
                verdict(transfer > TRANSFER)
            );
        }
        if let Some(exchanges) = rows.number("stretched", "exchanges") {
            text += &format!(
                "  stretched: bouncing and turning take over from one another {exchanges} times in 40 s ({})\n",
                verdict(exchanges >= 2.0)
            );
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let Some(inertia) = rows.number("stretched", "inertia_kg_m2") else {
            return Ok(Vec::new());
        };
        let plan = Case::Stretched.plan(inertia, bench.span);
        let Some((reader, _)) = bench.look_at(&plan) else {
            return Ok(Vec::new());
        };
        let last = bench.span.choose(16.0, 4.0);
        let times: Vec<f64> = (0..6).map(|i| last * f64::from(i) / 5.0).collect();
        let strip = Strip {
            label: String::new(),
            runs: vec![reader],
        };
        let file = format!("{NAME}{}.png", bench.span.suffix());
        bench.write(&file, &sheet(&[strip], &times, View::Upright)?)?;
        Ok(vec![format!("Picture: {file}")])
    }
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let mass = Wilberforce::default().mass.si();
    let c = compliance(*case, mass)?;
    // As written in the table: the run is found by it again.
    let inertia = number(mass * c.force / c.moment, 8);
    let inertia: f64 = inertia.parse().unwrap_or(f64::NAN);
    let (reader, _) = bench.frames(&case.plan(inertia, bench.span))?;
    let times = column(&reader, "t")?;
    let height = column(&reader, "body0_z")?;
    let rise = column(&reader, "body0_velocity_z")?;
    let spin = column(&reader, "body0_spin_z")?;
    let (qz, qw) = (
        column(&reader, "body0_quaternion_z")?,
        column(&reader, "body0_quaternion_w")?,
    );
    let start = turn_about_z(qz[0], qw[0]);
    let turn = qz.iter().zip(qw).map(|(z, w)| turn_about_z(*z, *w) - start);
    let turn: Vec<f64> = turn.collect();
    let det = c.force * c.moment - c.coupling * c.coupling;
    // Without the coupling, both swing at this rate.
    let omega_sq = c.moment / det / mass;
    let frames = times.len();
    let share: Vec<f64> = (0..frames)
        .map(|i| {
            let z = height[i] - height[0];
            let bounce = 0.5 * mass * (rise[i] * rise[i] + omega_sq * z * z);
            let turning = 0.5 * inertia * (spin[i] * spin[i] + omega_sq * turn[i] * turn[i]);
            turning / (bounce + turning)
        })
        .collect();
    let mode = |sign: f64| -> Vec<f64> {
        let of = |i: usize| mass.sqrt() * (height[i] - height[0]) + sign * inertia.sqrt() * turn[i];
        (0..frames).map(of).collect()
    };
    let modes = [-1.0, 1.0].map(|sign| frequency(times, &mode(sign)).unwrap_or(f64::NAN));
    let (low, high) = (modes[0].min(modes[1]), modes[0].max(modes[1]));
    let (exchange, transfer) = first_top(times, &share);
    let total = energy(&reader)?;
    let drift = total.iter().map(|e| (e - total[0]).abs());
    let moving = 0.5 * mass * rise[0] * rise[0];
    let line = |i: usize| {
        [times[i], height[i] - height[0], turn[i], share[i]]
            .map(|v| format!("{v:.8e}"))
            .to_vec()
    };
    let lines: Vec<Vec<String>> = (0..frames).map(line).collect();
    let header = ["t_s", "z_m", "theta_rad", "share_of_turning"];
    bench.write_curve(NAME, case.name(), &header, &lines)?;
    Ok(vec![
        number(c.moment / det, 7),
        number((c.coupling / det).abs(), 6),
        number(c.force / det, 6),
        number(inertia, 8),
        number(low, 7),
        number(high, 7),
        number(TAU / (high - low), 5),
        number(transfer, 5),
        number(exchange, 5),
        exchanges(&share).to_string(),
        number(drift.fold(0.0, f64::max) / moving, 3),
    ])
}

/// Energy of all of it in each frame, J.
fn energy(reader: &writhe_rundir::RunReader) -> Result<Vec<f64>> {
    let parts = ["stretch", "bend", "twist", "kinetic", "loads"];
    let mut total = vec![0.0; reader.frames()];
    for part in parts {
        let values = column(reader, &format!("energy_{part}"))?;
        total.iter_mut().zip(values).for_each(|(t, v)| *t += v);
    }
    Ok(total)
}

/// When and how much the turning takes before it first gives back half of it.
fn first_top(times: &[f64], share: &[f64]) -> (f64, f64) {
    let mut top = (0.0, 0.0);
    for (t, s) in times.iter().zip(share) {
        if *s > top.1 {
            top = (*t, *s);
        } else if top.1 > 0.5 && *s < 0.5 * top.1 {
            break;
        }
    }
    top
}

/// How often one motion takes over, having more than two thirds, from the other.
fn exchanges(share: &[f64]) -> usize {
    let (mut turning, mut count) = (false, 0);
    for s in share {
        if (!turning && *s > 2.0 / 3.0) || (turning && *s < 1.0 / 3.0) {
            turning = !turning;
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogues_example() {
        let spring = Wilberforce::default();
        let k = spring.theory();
        assert!((k.k_zz / 1.423_345_04 - 1.0).abs() < 1e-6, "{k:?}");
        assert!((k.k_zt.abs() / 4.056_212_20e-4 - 1.0).abs() < 1e-6, "{k:?}");
        assert!((k.k_tt / 4.154_375_42e-4 - 1.0).abs() < 1e-6, "{k:?}");
    }

    #[test]
    fn a_beat_is_read() {
        let times: Vec<f64> = (0..2000).map(|i| 0.01 * f64::from(i)).collect();
        let share: Vec<f64> = times
            .iter()
            .map(|t| (TAU * t / 16.0).sin().powi(2))
            .collect();
        let (when, top) = first_top(&times, &share);
        assert!((when - 4.0).abs() < 0.01 && top > 0.999, "{when} {top}");
        assert_eq!(exchanges(&share), 5);
    }

    /// Compliances of a coarse spring, by a force.
    fn compliances(edges: usize) -> [f64; 2] {
        let mut scene = Case::Linear.scene().unwrap();
        scene.set(&format!("scene.edges={edges}")).unwrap();
        let force = 2.0 * TRIAL.0 * Wilberforce::default().mass.si();
        let [up, down] =
            [1.0, -1.0].map(|sign| equilibrium(Case::Linear, &scene, sign * TRIAL.0, 0.0).unwrap());
        [0, 1].map(|k| (up[k] - down[k]) / force)
    }

    /// A spring of ever more edges is as compliant as theory says, to second order.
    #[test]
    fn compliances_are_those_of_theory() {
        let k = Wilberforce::default().theory();
        let det = k.k_zz * k.k_tt - k.k_zt * k.k_zt;
        let [coarse, fine] = [240, 480].map(compliances);
        for (part, theory) in [k.k_tt / det, k.k_zt.abs() / det].into_iter().enumerate() {
            let [a, b] = [coarse, fine].map(|c| c[part].abs() / theory - 1.0);
            assert!((3.0..5.0).contains(&(a / b)), "errors {a} {b}");
            let limit = (4.0 * b - a) / 3.0;
            assert!(limit.abs() < 0.01, "extrapolated error {limit}");
        }
    }
}
