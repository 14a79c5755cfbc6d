//! Catalogue 4.6: strings and rods drawn over a fixed cylinder.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::contact::{ContactModel, Friction, ImcSettings};
use writhe::model::ModelBuilder;
use writhe::observe::observe;
use writhe::obstacle::Obstacle;
use writhe::rod::Section;
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;
use writhe::step::StepSettings;

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::capstan::{edges_on_surface, elastic, nodes_on_surface};
use crate::row::Row;
use crate::setup::extremes::larger;
use crate::setup::statics::straight_rod;

/// The case.
pub const CASE: Case = Case {
    name: "capstan",
    section: "4.6",
    measures: "force on a rod drawn over half a fixed cylinder, mu = 0.3, over that on its slack end",
    source: Source::ClosedForm,
    origin: "polygon through nodes, or edges, on the surface; elastic capstan of catalogue 4.6 (a derivation of its own)",
    run,
};

const MU: f64 = 0.3;
/// Force on the slack end, N.
const SLACK: f64 = 1.0;
/// Distance of the axis of the rod from that of the cylinder, m.
const R: f64 = 0.1;
/// Radius of the rod, m.
const H: f64 = 1e-3 * R;
/// Speed at which it is drawn, m/s.
const SPEED: f64 = 0.05;

/// Nodes of a rod around the upper half of the cylinder, `pieces` edges around it and tails of
/// `tail`, m; one edge touches the cylinder with its middle at each end of the wrap.
fn nodes(pieces: u32, tail: f64) -> Vec<DVec3> {
    let edge = PI * R / f64::from(pieces);
    let straight = (tail / edge).ceil() as u32;
    let turn = PI / f64::from(pieces);
    let reach = R / (0.5 * turn).cos();
    let down = |side: f64, i: u32| DVec3::new(side * reach, 0.0, -edge * f64::from(i));
    let around = |i: u32| {
        let (sin, cos) = (turn * f64::from(i)).sin_cos();
        DVec3::new(-reach * cos, 0.0, reach * sin)
    };
    let slack = (1..=straight).rev().map(|i| down(-1.0, i));
    let drawn = (1..=straight).map(|i| down(1.0, i));
    slack.chain((0..=pieces).map(around)).chain(drawn).collect()
}

/// Ratio of the forces on both ends at a steady speed, mean over one edge length, for a rod of
/// bending stiffness `b`, N m^2; and the largest part of the slack force that the balance of the
/// whole is off by.
fn ratio(b: f64, pieces: u32, tail: f64) -> Result<[f64; 2], CaseError> {
    let edge = PI * R / f64::from(pieces);
    let section = Section {
        ea: 1e4 * SLACK,
        ei1: b,
        ei2: b,
        gj: b,
        mass_per_length: 3e-3,
        inertia_per_length: 3e-3 * H * H / 2.0,
        radius: H,
    };
    let rod = straight_rod(nodes(pieces, tail), section)?;
    let last = rod.positions.len() - 1;
    let (model, state) = ModelBuilder::new()
        .rod(rod)
        .contact(ContactModel::Imc(ImcSettings {
            friction: Friction {
                slip_tolerance: 1e-3 * SPEED,
                ..Friction::coulomb(MU)
            },
            ..ImcSettings::default()
        }))
        .obstacle(Obstacle::cylinder([DVec3::Y * -0.1, DVec3::Y * 0.1], R - H))
        .force(0, 0, DVec3::NEG_Z * SLACK, Schedule::Constant(1.0))
        .hold_node(
            0,
            last,
            [false, true, true],
            Motion::Velocity(DVec3::NEG_Z * SPEED),
        )
        .build()?;
    let settings = StepSettings {
        dt: edge / SPEED / 10.0,
        ..StepSettings::default()
    };
    let mut run = Simulation::new(model, state, settings);
    let begin = tail.min(0.3 * R) / SPEED;
    run.run_until(begin, |_, _| true)?;
    let (mut sum, mut time, mut off) = (0.0, 0.0, 0.0_f64);
    let end = begin + edge / SPEED;
    while run.state.time < end {
        let report = run.step(end - run.state.time)?;
        let o = observe(&run.model, &run.state)?;
        let drawn = -o.reactions[0].force.z;
        off = larger(off, (o.obstacles[0].force.z + drawn + SLACK).abs() / SLACK);
        sum += drawn * report.dt;
        time += report.dt;
    }
    Ok([sum / time / SLACK, off])
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let mut balance = 0.0_f64;
    for pieces in [8, 32] {
        let [found, off] = ratio(1e-9, pieces, 0.05)?;
        balance = larger(balance, off);
        // Friction acts on the surface, at the arm R - h of R.
        let expected = edges_on_surface(MU, PI, pieces).powf(1.0 - H / R);
        rows.push(Row::relative(
            format!("string, {pieces} edges, edges on the surface"),
            found,
            expected,
            1e-3,
        ));
        // Both formulas are of second order around exp(mu phi): they agree to 1 % from 32 edges on.
        if pieces == 32 {
            let expected = nodes_on_surface(MU, PI, pieces);
            rows.push(Row::relative(
                "string, 32 edges, nodes on the surface",
                found,
                expected,
                0.01,
            ));
            rows.push(Row::relative(
                "string, 32 edges, exp(mu phi)",
                found,
                (MU * PI).exp(),
                0.01,
            ));
        }
    }
    for stiffness in [0.01, 0.5] {
        let [found, off] = ratio(stiffness * SLACK * R * R, 48, 3.0 * R)?;
        balance = larger(balance, off);
        let what = format!("rod with B/(F0 R^2) = {stiffness}, 48 edges");
        rows.push(Row::relative(what, found, elastic(MU, PI, stiffness), 0.03));
    }
    rows.push(Row::at_most(
        "force on the cylinder and the ends off balance, over the slack force",
        balance,
        0.05,
    ));
    Ok(rows)
}
