//! Catalogue 4.5, and a peer's case: a rod lies on a slope, or is pushed on a floor.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::{Material, Rod, Section};
use writhe::schedule::Schedule;
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "floor",
    section: "4.5",
    measures: "a rod of 1 kg, 1 m: creep, slide and roll on a slope, mu = 0.3; pushed along itself on a floor, mu = 0.4",
    source: Source::ClosedForm,
    origin: "Coulomb's law, smoothed as in T22 Eq. 17; Newton's; a solid cylinder rolls with 3/2 of its mass",
    run,
};

const G: f64 = 9.81;
/// Slip tolerance, m/s.
const NU: f64 = 1e-4;
const NODES: usize = 26;

/// Rod of 1 kg, 1 m long, 25 mm thick, that lies along `along` on a plane with the normal `up`;
/// gravity along -z.
fn lying(up: DVec3, along: DVec3, mu: f64) -> Result<ModelBuilder, CaseError> {
    let (length, radius) = (1.0, 0.025);
    let density = 1.0 / (length * PI * radius * radius);
    let section = Section::circle(Material::new(1e5, 0.5, density), radius);
    let place =
        |i: usize| along * (length * i as f64 / (NODES - 1) as f64 - 0.5) + up * (radius * 1.001);
    Ok(ModelBuilder::new()
        .rod(Rod::open((0..NODES).map(place).collect(), section)?)
        .gravity(DVec3::NEG_Z * G)
        .obstacle(Obstacle::half_space(DVec3::ZERO, up))
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                slip_tolerance: NU,
                ..Friction::coulomb(mu)
            },
            ..ImcSettings::default()
        })))
}

/// Momentum at these two times, kg m/s.
fn momenta(builder: ModelBuilder, times: [f64; 2]) -> Result<[DVec3; 2], CaseError> {
    let (model, state) = builder.build()?;
    let settings = StepSettings {
        dt: 0.01,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let mut out = [DVec3::ZERO; 2];
    for (out, time) in out.iter_mut().zip(times) {
        run.run_until(time, |_, _| true)?;
        *out = observe(&run.model, &run.state)?.momentum;
    }
    Ok(out)
}

/// Normal of a slope of `degrees` and the direction down it.
fn slope(degrees: f64) -> [DVec3; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [DVec3::new(-sin, 0.0, cos), DVec3::new(-cos, 0.0, -sin)]
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mu = 0.3;
    // Along the slope it slides; across it would roll.
    let [normal, down] = slope(15.0);
    let after = momenta(lying(normal, down, mu)?, [0.5, 1.0])?[1].dot(down);
    let s = 15_f64.to_radians().tan() / mu;
    let creep = ((1.0 + s) / (1.0 - s)).ln() / 15.0;
    let [normal, down] = slope(20.0);
    let along = momenta(lying(normal, down, mu)?, [0.5, 1.0])?;
    let across = momenta(lying(normal, DVec3::Y, mu)?, [0.5, 1.0])?;
    let acceleration = |p: [DVec3; 2]| (p[1] - p[0]).dot(down) / 0.5;
    let sin = 20_f64.to_radians().sin();
    let mut rows = vec![
        Row::relative("creep along a slope of 15 deg", after / NU, creep, 0.01).unit("nu"),
        Row::relative(
            "acceleration along a slope of 20 deg",
            acceleration(along),
            0.589_702,
            1e-3,
        )
        .unit("m/s^2"),
        Row::relative(
            "acceleration across it, rolling",
            acceleration(across),
            G * sin / 1.5,
            0.01,
        )
        .unit("m/s^2"),
    ];
    for &push in context.some(
        &[3.0_f64, -3.0, 5.0, -11.0, -5.0, 7.0, -7.0, 9.0, -9.0, 11.0],
        4,
    ) {
        rows.extend(pushed(push, 0.4)?);
    }
    Ok(rows)
}

/// 1 s at rest, then pushed along its axis for 1 s by forces that follow the masses of the nodes:
/// (|F| - mu m g)/m x 1 s.
fn pushed(push: f64, mu: f64) -> Result<[Row; 2], CaseError> {
    let mut builder = lying(DVec3::Z, DVec3::X, mu)?;
    let amplitude = Schedule::Table(vec![(1.0, 0.0), (1.0 + 1e-9, 1.0)]);
    for node in 0..NODES {
        let end = node == 0 || node == NODES - 1;
        let share = if end { 0.5 } else { 1.0 } / (NODES - 1) as f64;
        builder = builder.force(0, node, DVec3::X * push * share, amplitude.clone());
    }
    let [rest, end] = momenta(builder, [1.0, 2.0])?;
    let expected = push.signum() * (push.abs() - mu * G).max(0.0);
    let what = format!("speed after a push of {push} N");
    Ok([
        Row::at_most(
            format!("speed before a push of {push} N"),
            rest.length(),
            1e-4,
        ),
        if expected == 0.0 {
            // It sticks: it creeps slower than the slip tolerance.
            Row::absolute(what, end.x, 0.0, NU)
        } else {
            Row::relative(what, end.x, expected, 1e-3)
        },
    ]
    .map(|row| row.unit("m/s")))
}
