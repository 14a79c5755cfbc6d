//! Option files of the flagella program (Tong et al. 2022).
//!
//! Facts about it: `omega` is in turns per minute though its source says rad/s; a helix has as many
//! edges as whole `deltaLengthInput` fit its contour; all edges have the same mass; the flow is
//! that of the step's start; IPC has no friction; steps are backward Euler's.

use std::f64::consts::TAU;

use super::options::Options;
use super::{ImportError, Imported, knot};

pub(super) fn scene(options: &mut Options) -> Result<Imported, ImportError> {
    let count = options.positive("numFlagella")?;
    if count.fract() != 0.0 || count > 1e4 {
        return Err(options.wrong(
            "numFlagella",
            &count.to_string(),
            "a whole number up to 10000",
        ));
    }
    let radius = options.positive("rodRadius")?;
    let helix_radius = options.positive("helixRadius")?;
    let pitch = options.positive("helixPitch")?;
    let axial_length = options.positive("axisLengthInput")?;
    let edge = options.positive("deltaLengthInput")?;
    let b = pitch / TAU;
    let contour = axial_length / b * helix_radius.hypot(b);
    let edges = (contour / edge).floor();
    if !(1.0..=1e6).contains(&edges) {
        let need = format!("such that 1 to 1000000 edges fit the helix' contour, {contour} m");
        return Err(options.wrong("deltaLengthInput", &edge.to_string(), &need));
    }
    // The edge that is clamped is as long as those of the helix, and clamped in its middle.
    let clamp_plane = -helix_radius - 0.5 * contour / edges;
    let leading = (helix_radius * 2.0_f64.sqrt() / (contour / edges)).floor();
    if leading < 1.0 {
        options.note(
            "one edge leads from the axis to the helix; in that program none with these lengths"
                .to_owned(),
        );
    }
    let leading = leading.max(1.0);
    let side = options.positive("distance")?;
    let speed = options.required("omega")?;
    options.note(format!(
        "`omega {speed}` is taken for turns per minute, as that program does, though its source says rad/s"
    ));
    let young = options.positive("youngM")?;
    let poisson = options.required("Poisson")?;
    let density = options.positive("density")?;
    let (step, duration) = (
        options.positive("deltaTime")?,
        options.positive("totalTime")?,
    );
    let gravity = options.numbers::<3>("gVector")?.unwrap_or_default();
    let fluid = fluid(options, radius)?;
    let contact = contact(options, radius)?;
    knot::tell_what_is_left(options);
    let toml = format!(
        "bending = \"averaged\"           # as there

[scene]
name = \"flagella\"
count = {count}
side = {side:?}
speed = \"{speed:?} rpm\"
rod_radius = {radius:?}
helix_radius = {helix_radius:?}
pitch = {pitch:?}
axial_length = {axial_length:?}
edges = {edges}                     # of {edge:?} m at least
lead_in_edges = {leading}
clamp_plane = {clamp_plane:?}
young = {young:?}
poisson = {poisson:?}
density = {density:?}
equal_masses = true            # as there

[gravity]
acceleration = {gravity:?}

{fluid}
{contact}
[time]
duration = {duration:?}
step = {step:?}
scheme = \"backward-euler\"
"
    );
    Ok(Imported {
        toml,
        notes: Vec::new(),
    })
}

fn fluid(options: &mut Options, radius: f64) -> Result<String, ImportError> {
    let viscosity = options.not_negative("viscosity")?;
    if viscosity == 0.0 {
        options.unused("epsilon", "there is no fluid (`viscosity` is 0)");
        return Ok("[fluid]\nmodel = \"none\"\n".to_owned());
    }
    let epsilon = options.positive("epsilon")?;
    Ok(format!(
        "[fluid]
model = \"stokeslet-segments\"
viscosity = {viscosity:?}
regularisation = {:?}          # epsilon = {epsilon:?} m, over the radius
coupling = \"lagged\"            # as there; \"implicit\" allows larger steps
",
        epsilon / radius
    ))
}

fn contact(options: &mut Options, radius: f64) -> Result<String, ImportError> {
    let friction = options.not_negative("mu")?;
    let model = match options.number("ipc")? {
        None | Some(0.0) => return knot::of_2022(options, radius, friction),
        Some(1.0) => "ipc",
        Some(other) => return Err(options.wrong("ipc", &other.to_string(), "0 or 1")),
    };
    if friction > 0.0 {
        options.note(format!(
            "`mu {friction}` is off with `ipc 1`, as in that program"
        ));
    }
    options.unused("nu", "there is no friction with `ipc 1`");
    let delta = options.positive("delta")?;
    Ok(format!(
        "[contact]\nmodel = \"{model}\"\ntolerance = {:?}               # delta = {delta:?} m, over the radius\nfriction = 0.0\n",
        delta / radius
    ))
}
