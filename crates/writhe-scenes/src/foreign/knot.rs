//! Option files of the knot program (Choi et al. 2021), in the forms that it has had: with the
//! smoothed contact energy of that paper (`ce_k`, `col`), and with the one of Tong et al. 2022
//! (`delta`, `nu`).
//!
//! Facts about it: nodes 0, 1 and the last two are held with the end angles; ends move along -y and
//! +y at `pullSpeed`, after `waitTime`, for `pullTime`, and back for `releaseTime`; the rest shape
//! is straight with edges of RodLength / (numVertices - 1); steps are backward Euler's; lengths are
//! metres, except that `col` is in radii where the scale `S` is given; friction is off while it
//! waits.

use glam::DVec3;

use super::options::Options;
use super::{ImportError, Imported, quoted, shape};

/// Iterations: more than this are as good as any number.
const MOST: f64 = 1e6;

pub(super) fn scene(
    options: &mut Options,
    find: impl Fn(&str) -> Result<String, ImportError>,
) -> Result<Imported, ImportError> {
    let length = options.positive("RodLength")?;
    let radius = options.positive("rodRadius")?;
    let young = options.positive("youngM")?;
    let poisson = options.required("Poisson")?;
    let density = options.positive("density")?;
    let viscosity = options.not_negative("viscosity")?;
    let gravity = options.numbers::<3>("gVector")?.unwrap_or_default();
    let step = options.positive("deltaTime")?;
    let wait = options.not_negative("waitTime")?;
    let pull = options.not_negative("pullTime")?;
    let release = options.not_negative("releaseTime")?;
    let speed = options.required("pullSpeed")?;
    let duration = wait + pull + release;
    if duration <= 0.0 {
        return Err(options.wrong(
            "pullTime",
            &pull.to_string(),
            "greater than zero if there is no `waitTime` and no `releaseTime`",
        ));
    }
    let config = options.word("knotConfig")?;
    let nodes = nodes(options, &config, &find(&config)?)?;
    let edges = nodes.len() - 1;

    let mut rows = vec![(0.0, 0.0)];
    for (lasts, v) in [(wait, 0.0), (pull, speed), (release, -speed)] {
        let (time, way) = rows[rows.len() - 1];
        if lasts > 0.0 {
            rows.push((time + lasts, way + v * lasts));
        }
    }
    let clamps = shape::clamp("first", -DVec3::Y, &rows) + &shape::clamp("last", DVec3::Y, &rows);
    let contact = contact(options, radius)?;
    let output = match options.number("dataResolution")? {
        Some(every) if every > 0.0 => format!("every = {every:?}\n"),
        _ => String::new(),
    };
    tell_what_is_left(options);
    let toml = format!(
        "title = {title}
bending = \"averaged\"           # as there

[gravity]
acceleration = {gravity:?}

[damping]
viscosity = {viscosity:?}

{contact}
[time]
duration = {duration:?}
step = {step:?}
scheme = \"backward-euler\"
settle = false                 # that program starts from the shape as it is

[output]
certify = true
{output}
[[rods]]
name = \"knot\"
section = {{ circle = {{ radius = {radius:?} }} }}
material = {{ young = {young:?}, poisson = {poisson:?}, density = {density:?} }}
rest = {{ straight = {{ to = [{length:?}, 0, 0], edges = {edges} }} }}

{clamps}{nodes}",
        title = quoted(&format!("Knot {config}")),
        nodes = shape::toml(&nodes),
    );
    Ok(Imported {
        toml,
        notes: Vec::new(),
    })
}

/// As many nodes of the shape as the file asks for.
fn nodes(options: &mut Options, config: &str, text: &str) -> Result<Vec<DVec3>, ImportError> {
    let mut nodes = shape::read(text, config)?;
    let Some(wanted) = options.number("numVertices")? else {
        return Ok(nodes);
    };
    let found = nodes.len();
    if wanted.fract() != 0.0 || wanted < 3.0 || wanted > found as f64 {
        let need = format!("a whole number from 3 to {found}, the number of rows of `{config}`");
        return Err(options.wrong("numVertices", &wanted.to_string(), &need));
    }
    if (wanted as usize) < found {
        nodes.truncate(wanted as usize);
        options.note(format!(
            "of the {found} rows of `{config}` the first {wanted} are taken, as `numVertices` says"
        ));
    }
    Ok(nodes)
}

/// The section about contact.
fn contact(options: &mut Options, radius: f64) -> Result<String, ImportError> {
    let on = options.number("friction")?;
    let mu = match options.number("mu_k")? {
        Some(mu) => Some(mu),
        None => options.number("mu")?,
    };
    let friction = match (on, mu.unwrap_or(0.0)) {
        (Some(0.0), mu) if mu != 0.0 => {
            options.note(format!(
                "`friction 0` turns the friction coefficient {mu} off"
            ));
            0.0
        }
        (_, mu) => mu,
    };
    if friction < 0.0 {
        let key = if options.has("mu_k") { "mu_k" } else { "mu" };
        return Err(options.wrong(key, &friction.to_string(), "zero or greater"));
    }
    if friction > 0.0 {
        options.note("friction acts from the start; in that program not before `waitTime` is over");
    }
    if options.has("delta") {
        return of_2022(options, radius, friction);
    }
    if options.has("ce_k") || options.has("col") {
        return of_2021(options, radius, friction);
    }
    options.note("neither `delta` nor `col` is there: contact begins at a gap of 0.01 radii");
    Ok(format!(
        "[contact]\nmodel = \"imc\"\nfriction = {friction:?}\nfriction_on_twist = false\n"
    ))
}

/// Tong et al. 2022.
pub(super) fn of_2022(
    options: &mut Options,
    radius: f64,
    friction: f64,
) -> Result<String, ImportError> {
    let delta = options.positive("delta")?;
    let slip = match options.has("nu") {
        true => format!("slip_tolerance = {:?}\n", options.positive("nu")?),
        false => String::new(),
    };
    Ok(format!(
        "[contact]
model = \"imc\"
tolerance = {:?}               # delta = {delta:?} m, over the radius
friction = {friction:?}
friction_on_twist = false      # friction of the axes, as there
{slip}",
        delta / radius
    ))
}

/// Choi et al. 2021.
fn of_2021(options: &mut Options, radius: f64, friction: f64) -> Result<String, ImportError> {
    let sharpness = options.positive("ce_k")?;
    let scale = options.number("S")?;
    if let Some(scale) = scale.filter(|s| (s * radius - 1.0).abs() > 1e-6) {
        options.note(format!(
            "`S {scale}` is not 1 / rodRadius = {}: the smoothed energy is that of lengths over the radius here",
            1.0 / radius
        ));
    }
    let tolerance = match (options.has("col"), scale) {
        (false, _) => 0.15,
        (true, Some(_)) => options.positive("col")?,
        (true, None) => options.positive("col")? / radius,
    };
    let iterations = options.number("maxIter")?.unwrap_or(500.0).clamp(1.0, MOST);
    let jacobian = match (options.number("contactMode")?, options.number("limit")?) {
        (None | Some(1.0), _) => "\"full\"".to_owned(),
        (Some(0.0), _) => format!("{{ hybrid = {} }}", iterations as usize),
        (Some(2.0), limit) => format!(
            "{{ hybrid = {} }}",
            limit.unwrap_or(20.0).clamp(0.0, MOST) as usize
        ),
        (Some(mode), _) => {
            return Err(options.wrong("contactMode", &mode.to_string(), "0, 1 or 2"));
        }
    };
    options.unused("con", "the contact stiffness is chosen automatically");
    options.unused(
        "velTol",
        "friction is that of Choi et al. 2021, with `slip_limit` and `slip_sharpness`",
    );
    Ok(format!(
        "[contact]
model = \"imc-smooth\"           # Choi et al. 2021
tolerance = {tolerance:?}
friction = {friction:?}
energy_sharpness = {sharpness:?}
jacobian = {jacobian}
"
    ))
}

/// Keys that have no counterpart, whether of knots or of flagella.
pub(super) fn tell_what_is_left(options: &mut Options) {
    for (key, why) in [
        (
            "helixradius",
            "the knot program reads it and does not use it",
        ),
        (
            "helixpitch",
            "the knot program reads it and does not use it",
        ),
        (
            "floorZ",
            "there is no floor in it; add one with [[obstacles]]",
        ),
        ("colLimit", "pairs that may touch are found without a limit"),
        (
            "kScaler",
            "the contact stiffness is chosen automatically; `contact.stiffness = { largest_force = .. }` is that rule",
        ),
        (
            "tol",
            "iterations end by `time.tolerance` and `time.residual_tolerance`, which are stricter",
        ),
        (
            "stol",
            "iterations end by `time.tolerance` and `time.residual_tolerance`, which are stricter",
        ),
        (
            "maxIter",
            "steps that do not converge are tried again, smaller",
        ),
        (
            "lineSearch",
            "the line search is chosen by the forces; see `time.line_search`",
        ),
        ("nu", "this contact model has another rule for slip"),
        ("limit", "it belongs to `contactMode 2`"),
        ("render", "pictures are made afterwards, by `writhe render`"),
        ("saveData", "runs are always written; see `output.every`"),
        ("recordNodes", "runs are always written; see `output.every`"),
        (
            "recordNodesStart",
            "runs are always written; see `output.every`",
        ),
        (
            "recordNodesEnd",
            "runs are always written; see `output.every`",
        ),
    ] {
        options.unused(key, why);
    }
}
