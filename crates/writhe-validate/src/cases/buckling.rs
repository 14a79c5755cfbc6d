//! Catalogue 1.3: loads at which straight rods buckle, and what a pinned rod becomes.

use std::f64::consts::PI;

use glam::DVec3;
use writhe::model::ModelBuilder;
use writhe::schedule::{Motion, Schedule};

use crate::case::{Case, CaseError, Context, Source};
use crate::reference::elastica::{euler, postbuckled};
use crate::row::Row;
use crate::setup::polygons::{arc_nodes, edge_length};
use crate::setup::stability::{critical, stable};
use crate::setup::statics::{first_reaction, positions, section, settle, straight_rod};

/// The case.
pub const CASE: Case = Case {
    name: "buckling",
    section: "1.3",
    measures: "buckling loads P L^2/B by the sign of the Hessian; load and shape of a pinned rod beyond",
    source: Source::ClosedForm,
    origin: "Euler, Greenhill; elliptic integrals",
    run,
};

/// Stretching stiffness: critical loads shift by the strain P/EA, 4e-7 at most.
const STIFF: f64 = 1e8;
/// Ends approached by 0.8 % only ask for less strain.
const STIFFER: f64 = 1e9;
const FIXED: [bool; 3] = [true; 3];
const ACROSS: [bool; 3] = [false, true, true];

/// How a rod's ends are held.
#[derive(Clone, Copy)]
enum Ends {
    ClampedFree,
    PinnedPinned,
    ClampedPinned,
    ClampedClamped,
}

impl Ends {
    fn clamps(self) -> [bool; 2] {
        match self {
            Self::PinnedPinned => [false, false],
            Self::ClampedFree | Self::ClampedPinned => [true, false],
            Self::ClampedClamped => [true, true],
        }
    }

    fn count(self) -> usize {
        self.clamps().iter().filter(|clamped| **clamped).count()
    }

    /// k L where the buckled shape is a sine: the discrete load is then Euler's times
    /// `[sin(x)/x]^2`, `x = k l/2`.
    fn wave_number(self) -> Option<f64> {
        match self {
            Self::ClampedFree => Some(0.5 * PI),
            Self::PinnedPinned => Some(PI),
            Self::ClampedClamped => Some(2.0 * PI),
            Self::ClampedPinned => None,
        }
    }

    fn hold(self, builder: ModelBuilder, edges: usize) -> ModelBuilder {
        let still = || Motion::Still;
        match self {
            Self::ClampedFree => builder.clamp(0, 0, still()),
            Self::PinnedPinned => builder
                .hold_node(0, 0, FIXED, still())
                .hold_node(0, edges, ACROSS, still())
                .hold_angle(0, 0, Schedule::Constant(0.0)),
            Self::ClampedPinned => {
                builder
                    .clamp(0, 0, still())
                    .hold_node(0, edges, ACROSS, still())
            }
            Self::ClampedClamped => builder
                .clamp(0, 0, still())
                .hold_node(0, edges - 1, ACROSS, still())
                .hold_node(0, edges, ACROSS, still()),
        }
    }
}

/// Whether a straight rod along x is stable that bears the compression `force(s)` at the arc length
/// s.
fn compressed_is_stable(
    edges: usize,
    ends: Ends,
    force: impl Fn(f64) -> f64,
) -> Result<bool, CaseError> {
    let clamps = ends.clamps();
    let l = edge_length(edges, ends.count());
    let first = if clamps[0] { -0.5 * l } else { 0.0 };
    let nodes = (0..=edges).map(|i| DVec3::X * (first + l * i as f64));
    let mut rod = straight_rod(nodes.collect(), section(STIFF))?;
    for i in 0..edges {
        let middle = first + l * (i as f64 + 0.5);
        let length = l * (1.0 - force(middle) / STIFF);
        rod.positions[i + 1] = rod.positions[i] + DVec3::X * length;
    }
    let (model, state) = ends.hold(ModelBuilder::new().rod(rod), edges).build()?;
    stable(&model, &state)
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    type Load = fn(f64, f64) -> f64;
    let constant: Load = |load, _| load;
    let weight: Load = |load, s| load * (1.0 - s);
    let mut rows = Vec::new();
    for (name, ends, expected, force) in [
        (
            "clamped-free",
            Ends::ClampedFree,
            euler::CLAMPED_FREE,
            constant,
        ),
        (
            "pinned-pinned",
            Ends::PinnedPinned,
            euler::PINNED_PINNED,
            constant,
        ),
        (
            "clamped-pinned",
            Ends::ClampedPinned,
            euler::clamped_pinned(),
            constant,
        ),
        (
            "clamped-clamped",
            Ends::ClampedClamped,
            euler::CLAMPED_CLAMPED,
            constant,
        ),
        ("own weight", Ends::ClampedFree, euler::own_weight(), weight),
    ] {
        let mut found = [0.0; 3];
        for (found, edges) in found.iter_mut().zip([25, 50, 100]) {
            *found = critical([0.9 * expected, 1.1 * expected], 1e-9, |load| {
                compressed_is_stable(edges, ends, |s| force(load, s))
            })?;
        }
        let what = format!("buckling load, {name}, 50 edges");
        rows.push(Row::second_order(what, found, expected, 0.01).unit("B/L^2"));
        if let Some(wave_number) = ends.wave_number().filter(|_| name != "own weight") {
            // The strain P/EA shifts the load by up to 4e-7.
            let x = 0.5 * wave_number * edge_length(50, ends.count());
            let law = expected * (x.sin() / x).powi(2);
            let what =
                format!("buckling load, {name}, against the law of the discrete rod, 50 edges");
            rows.push(Row::relative(what, found[1], law, 1e-6).unit("B/L^2"));
        }
    }
    for &degrees in context.some(&[60.0_f64, 10.0, 30.0, 90.0, 120.0], 1) {
        rows.extend(beyond(degrees)?);
    }
    Ok(rows)
}

/// Pinned ends at the distance that inclines them by `degrees`: load, mid height and end angle.
fn beyond(degrees: f64) -> Result<Vec<Row>, CaseError> {
    let exact = postbuckled(degrees.to_radians());
    let mut found = [[0.0; 3]; 3];
    for (k, edges) in [26, 52, 104].into_iter().enumerate() {
        let rod = straight_rod(arc_nodes(edges, exact.end_distance), section(STIFFER))?;
        let simulation = settle(
            ModelBuilder::new()
                .rod(rod)
                .hold_node(0, 0, FIXED, Motion::Still)
                .hold_node(0, edges, FIXED, Motion::Still)
                .hold_node(0, edges / 2, [false, false, true], Motion::Still)
                .hold_angle(0, 0, Schedule::Constant(0.0)),
        )?;
        let x = positions(&simulation);
        let first = x[1] - x[0];
        found[0][k] = first_reaction(&simulation)?.x / euler::PINNED_PINNED;
        found[1][k] = x[edges / 2].y.abs();
        found[2][k] = f64::atan2(first.y.abs(), first.x);
    }
    let name = |what| format!("{what}, ends inclined by {degrees} deg, 52 edges");
    Ok(vec![
        Row::second_order(name("load"), found[0], exact.load, 0.01).unit("Pc"),
        Row::second_order(name("mid height"), found[1], exact.mid_height, 0.01).unit("L"),
        Row::second_order(name("end angle"), found[2], degrees.to_radians(), 0.01).unit("rad"),
    ])
}
