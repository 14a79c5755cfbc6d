//! The scene `flagella` as it is, and what a finer mesh changes: thrust and first contact.

use writhe::observe::observe;
use writhe::simulation::Simulation;
use writhe_scenes::Scene;

use crate::case::{Case, CaseError, Context, Source};
use crate::row::Row;

/// The case.
pub const CASE: Case = Case {
    name: "flagella-mesh",
    section: "-",
    measures: "thrust at 5 s and first contact of two flagella, default mesh against finer ones, Stokeslets and local drag",
    source: Source::Property,
    origin: "the limit of fine meshes; goals 1.5 % and .3 s",
    run,
};

/// Edges of the finest mesh.
const FINE: usize = 128;
/// When the thrust is taken, s.
const TIME: f64 = 5.0;
/// First contact must come before, s.
const LATEST: f64 = 34.0;

/// How thrust depends on the mesh with this drag: what the scene says of its fluid.
const FLUIDS: [(&str, &str); 2] = [
    ("Stokeslets", ""),
    (
        "local drag",
        "[fluid]\nmodel = \"resistive-force\"\nwavelength = \"50 mm\"\n",
    ),
];

/// The scene with so many edges a helix, so many times as stiff, in this fluid.
fn simulation(edges: usize, stiffer: f64, fluid: &str) -> Result<Simulation, CaseError> {
    let young = 3e6 * stiffer;
    let text = format!("[scene]\nname = \"flagella\"\nedges = {edges}\nyoung = {young:?}\n{fluid}");
    let wrong = |e: writhe_scenes::SceneError| CaseError::NotFound(e.to_string());
    let scene = Scene::parse(&text, "flagella").map_err(wrong)?;
    let setup = scene.build().map_err(wrong)?;
    Ok(Simulation::new(setup.model, setup.state, setup.step))
}

/// Thrust at [`TIME`], mN: the force of all clamps along the axis.
fn thrust(edges: usize, stiffer: f64, fluid: &str) -> Result<f64, CaseError> {
    let mut run = simulation(edges, stiffer, fluid)?;
    run.run_until(TIME, |_, _| true)?;
    let shown = observe(&run.model, &run.state)?;
    Ok(shown.reactions.iter().map(|r| r.force.x * 1e3).sum())
}

/// Time of the first step in which anything touches, s.
fn first_contact(edges: usize) -> Result<f64, CaseError> {
    let mut run = simulation(edges, 1.0, "")?;
    run.run_until(LATEST, |_, report| report.contacts == 0)?;
    Ok(run.state.time)
}

fn run(context: &Context) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, fluid) in FLUIDS {
        (context.progress)(&format!("thrust, {name}"));
        // Of a helix so stiff that it keeps its shape: what the polygon does to the drag.
        let [fine, rigid] = [1.0, 1e3].map(|stiffer| thrust(FINE, stiffer, fluid));
        let (fine, rigid) = (fine?, rigid?);
        for (edges, bound) in [(32, 5e-2), (64, 1.5e-2)] {
            let measured = thrust(edges, 1.0, fluid)?;
            let what = format!("thrust at 5 s, {name}, {edges} edges");
            rows.push(Row::shown(&what, measured).unit("mN"));
            let what = format!("{what}, over that of a stiff helix, against {FINE} edges");
            let stiff = thrust(edges, 1e3, fluid)?;
            rows.push(Row::relative(what, measured / stiff, fine / rigid, bound));
            if fluid.is_empty() {
                let what = format!("thrust at 5 s, {name}, {edges} edges, against {FINE}");
                rows.push(Row::relative(what, measured, fine, bound).unit("mN"));
            }
        }
    }
    if !context.quick {
        (context.progress)("first contact");
        let what = format!("first contact, 64 edges, against {FINE}");
        let row = Row::absolute(what, first_contact(64)?, first_contact(FINE)?, 0.3);
        rows.push(row.unit("s"));
    }
    Ok(rows)
}
