//! Catalogue 3.1: small vibrations of straight rods.

use std::f64::consts::TAU;

use writhe::model::{Model, ModelBuilder};
use writhe::schedule::{Motion, Schedule};
use writhe::state::State;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;
use crate::setup::modes::{
    Kind, LENGTH, bending_speed, frequencies, from_mid_edge, pinned_frequency, straight,
    stretch_speed, torsion_speed, wave_frequency,
};

/// The case.
pub const CASE: Case = Case {
    name: "frequencies",
    section: "3.1",
    measures: "frequencies of bending, twisting and stretching of straight rods: discrete relations, beam theory",
    source: Source::ClosedForm,
    origin: "exact relations of the discrete rod with lumped mass; Euler-Bernoulli with length from the middle of a clamped edge",
    run,
};

/// cos(x) cosh(x) = -1.
const CANTILEVER: [f64; 4] = [1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349];
/// cos(x) cosh(x) = 1.
const FREE_FREE: [f64; 3] = [4.7300407449, 7.8532046241, 10.9956078380];

fn pinned(edges: usize) -> Result<(Model, State), CaseError> {
    let builder = ModelBuilder::new().rod(straight(edges)?);
    let builder = builder.hold_node(0, 0, [true; 3], Motion::Still);
    Ok(builder
        .hold_node(0, edges, [true; 3], Motion::Still)
        .build()?)
}

/// First node and angle held: a wave meets a fixed end at the node, or at the middle of the edge.
fn held(edges: usize) -> Result<(Model, State), CaseError> {
    let builder = ModelBuilder::new().rod(straight(edges)?);
    let builder = builder.hold_node(0, 0, [true; 3], Motion::Still);
    Ok(builder.hold_angle(0, 0, Schedule::Constant(0.0)).build()?)
}

fn run(_: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = discrete(16)?;
    rows.extend(cantilever()?);
    rows.extend(free_free()?);
    Ok(rows)
}

fn discrete(edges: usize) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let mut push = |what: &str, found: &[f64], wanted: &dyn Fn(usize) -> f64| {
        for mode in [1, 2, 3] {
            let what = format!("{what} mode {mode}, {edges} edges");
            rows.push(Row::relative(what, found[mode - 1], wanted(mode), 1e-6).unit("rad/s"));
        }
    };
    let (model, state) = pinned(edges)?;
    let bend = frequencies(&model, &state, Kind::Bend)?;
    push("pinned bending", &bend, &|n| pinned_frequency(edges, n));
    let (model, state) = held(edges)?;
    let twist = frequencies(&model, &state, Kind::Twist)?;
    push("fixed-free twisting", &twist, &|n| {
        wave_frequency(torsion_speed(), edges, from_mid_edge(edges), n)
    });
    let stretch = frequencies(&model, &state, Kind::Stretch)?;
    push("fixed-free stretching", &stretch, &|n| {
        wave_frequency(stretch_speed(), edges, LENGTH, n)
    });
    Ok(rows)
}

fn cantilever() -> Result<Vec<Row>, CaseError> {
    let clamped = |edges: usize| -> Result<Vec<f64>, CaseError> {
        let builder = ModelBuilder::new().rod(straight(edges)?);
        let (model, state) = builder.clamp(0, 0, Motion::Still).build()?;
        let found = frequencies(&model, &state, Kind::Bend)?;
        let ratio = |(beta, omega): (&f64, f64)| {
            omega / ((beta / from_mid_edge(edges)).powi(2) * bending_speed())
        };
        Ok(CANTILEVER.iter().zip(found).map(ratio).collect())
    };
    let mut rows = Vec::new();
    // An independent dense computation with so many edges beside the clamped one, given to five
    // digits.
    for (free, wanted) in [(10, 0.99856), (20, 0.99962), (40, 0.99990), (80, 0.99998)] {
        let what = format!("cantilever mode 1 over theory, {free} free edges");
        rows.push(Row::absolute(what, clamped(free + 1)?[0], wanted, 6e-6));
    }
    let found = [clamped(20)?, clamped(40)?, clamped(80)?];
    let rows_of_modes = (0..CANTILEVER.len()).map(|mode| {
        let of = [0, 1, 2].map(|k: usize| found[k][mode]);
        let what = format!("cantilever mode {} over theory, 40 edges", mode + 1);
        Row::second_order(what, of, 1.0, 0.01)
    });
    rows.extend(rows_of_modes);
    Ok(rows)
}

fn free_free() -> Result<Vec<Row>, CaseError> {
    let mut found = Vec::new();
    for edges in [20, 40, 80] {
        let (model, state) = ModelBuilder::new().rod(straight(edges)?).build()?;
        // A translation and a rotation cost nothing.
        found.push(frequencies(&model, &state, Kind::Bend)?[2..5].to_vec());
    }
    let row = |(mode, beta): (usize, &f64)| {
        let of = [0, 1, 2].map(|k| found[k][mode] / TAU);
        let theory = (beta / LENGTH).powi(2) * bending_speed() / TAU;
        // Beam theory at mode 3 asks for more than 40 edges.
        let bound = if mode == 0 { 0.01 } else { 0.02 };
        Row::second_order(
            format!("free-free mode {}, 40 edges", mode + 1),
            of,
            theory,
            bound,
        )
        .unit("Hz")
    };
    Ok(FREE_FREE.iter().enumerate().map(row).collect())
}
