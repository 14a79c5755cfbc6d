//! Surroundings, dimensionless numbers, time stepping and output.

use super::facts::{Facts, RodFacts};
use super::{Line, Section, words};
use crate::spec::centreline::vector;
use crate::spec::{
    AtRestSpec, ContactKind, CouplingKind, EngineKind, FLUID_DENSITY, FluidKind, FrictionSolveSpec,
    IntegratorKind, JacobianSpec, LineSearchKind, SchemeKind, StaticFrictionSpec, StiffnessSpec,
    StopSpec,
};
use crate::units::{Number, number, show};

pub(super) fn surroundings(facts: &Facts) -> Section {
    let spec = facts.spec;
    let mut lines = Vec::new();
    let gravity = match spec.gravity.is_on() {
        true => format!("{} m/s^2", words::list(&spec.gravity.acceleration)),
        false => "none".to_owned(),
    };
    lines.push(Line::new("gravity", gravity));
    let eta = spec.damping.viscosity.si();
    let damping = if eta > 0.0 {
        format!("{} Pa s, force -eta l u", number(eta))
    } else {
        "none".into()
    };
    lines.push(Line::new("damping", damping));
    lines.extend(
        spec.wind
            .as_ref()
            .map(|w| Line::new("wind", words::wind(w))),
    );
    let field = spec.magnetic_field.as_ref();
    lines.extend(field.map(|f| Line::new("magnetic field", words::field(f))));
    lines.push(Line::new("fluid", fluid(facts)));
    lines.push(Line::new("contact", contact(facts)));
    Section {
        title: "Surroundings".to_owned(),
        lines,
    }
}

fn fluid(facts: &Facts) -> String {
    let f = facts.spec.fluid;
    let mu = f.viscosity.map_or(String::new(), |mu| {
        format!(", viscosity {}", show(mu.si(), "Pa s"))
    });
    match f.model {
        FluidKind::None => "none".to_owned(),
        FluidKind::StokesletSegments => {
            let coupling = match f.coupling {
                CouplingKind::Implicit => "implicit",
                CouplingKind::Lagged => "lagged",
            };
            let epsilon = number(f.regularisation.si());
            format!(
                "Stokes flow, regularised Stokeslet segments{mu}, epsilon {epsilon} h, {coupling} drag"
            )
        }
        FluidKind::ResistiveForce => format!("resistive-force theory{mu}"),
    }
}

/// Whether rods rub on something.
fn rubs(facts: &Facts) -> bool {
    let spec = facts.spec;
    let rough = |friction: Option<Number>| friction.is_some_and(|mu| mu.si() > 0.0);
    let obstacles =
        (spec.obstacles.iter()).any(|o| rough(o.friction) || o.friction_by_direction.is_some());
    let bodies = (spec.all_bodies().into_iter()).any(|(_, body)| rough(body.friction));
    spec.contact.friction.si() > 0.0 || facts.rods_have_friction() || obstacles || bodies
}

fn contact(facts: &Facts) -> String {
    let c = facts.spec.contact;
    let own = facts.rods_have_friction();
    let friction = match (c.friction.si(), c.own.slip_tolerance, c.own.slip_limit) {
        (0.0, ..) if !own => "frictionless".to_owned(),
        (mu, Some(tolerance), _) => format!(
            "{}friction {} of {} ({})",
            match c.own.friction_solve {
                Some(FrictionSolveSpec::Lagged(_)) => "lagged ",
                _ => "",
            },
            match own {
                true => format!("{}, or a rod's own,", number(mu)),
                false => number(mu),
            },
            if c.own.friction_on_twist == Some(true) {
                "surfaces"
            } else {
                "axes"
            },
            match (c.own.static_friction, c.own.presliding) {
                (Some(StaticFrictionSpec::Anchor), Some(slip)) =>
                    format!("sticks without creep, slides after {} h", number(slip.si())),
                _ => format!("slip tolerance {}", show(tolerance.si(), "m/s")),
            }
        ),
        (mu, None, limit) => format!(
            "friction {} in the direction of the last step's slip (half of it at {} radii/s)",
            number(mu),
            number(limit.map_or(0.0, Number::si))
        ),
    };
    let stiffness = match c.own.stiffness {
        None | Some(StiffnessSpec::Automatic) => "automatic stiffness".to_owned(),
        Some(StiffnessSpec::Given(k)) => format!("stiffness {} N m", number(k.si())),
        Some(StiffnessSpec::LargestForce(s)) => {
            format!("stiffness {} m x largest nodal force", number(s.si()))
        }
    };
    let tolerance = number(c.tolerance.si());
    let jacobian = match c.own.jacobian {
        Some(JacobianSpec::Hybrid(omega)) => format!("no contact Jacobian for {omega} iterations"),
        _ => "full Jacobian".to_owned(),
    };
    match c.model {
        ContactKind::None => "none: rods pass through each other".to_owned(),
        ContactKind::Imc => {
            format!("implicit contact model from a gap of {tolerance} h, {friction}, {stiffness}")
        }
        ContactKind::Ipc => format!(
            "incremental potential contact: a barrier from a gap of {tolerance} h that never closes, {friction}, {stiffness}"
        ),
        ContactKind::SpillmannTeschner => format!(
            "forces that end each step with rods touching (Spillmann and Teschner 2008) within {tolerance} h, {friction}"
        ),
        ContactKind::ImcSmooth => format!(
            "implicit contact by the smoothed distance (Choi 2021) from a gap of {tolerance} h, {friction}, {stiffness}, {jacobian}"
        ),
    }
}

pub(super) fn numbers(facts: &Facts) -> Section {
    let mut lines = Vec::new();
    if let Some(r) = facts.fastest() {
        lines.push(Line::new("largest driven speed v", show(r.speed, "m/s")));
        if let Some(rate) = r.rate() {
            lines.push(Line::new("rotation rate omega", words::rate(rate)));
        }
        if let Some(mu) = facts.viscosity() {
            lines.push(Line::new(
                "Reynolds number",
                format!(
                    "{} (rho v h / mu with rho = {FLUID_DENSITY} kg/m^3, water's)",
                    number(facts.reynolds().unwrap_or(0.0))
                ),
            ));
            if let Some(rate) = r.rate() {
                let ratio = mu * rate * r.free_length.powi(4) / r.bending;
                lines.push(Line::new(
                    "drag over elasticity",
                    format!("{} (mu omega L^4 / EI)", number(ratio)),
                ));
            }
        }
    }
    if let Some(r) = facts
        .rods
        .iter()
        .max_by(|a, b| a.free_length.total_cmp(&b.free_length))
    {
        let time = (r.mass_per_length * r.free_length.powi(4) / r.bending).sqrt();
        lines.push(Line::new(
            "bending time",
            format!("{} (L^2 sqrt(rho A / EI))", show(time, "s")),
        ));
        if let Some(mu) = facts.viscosity() {
            let relaxation = mu * r.free_length.powi(4) / r.bending;
            lines.push(Line::new(
                "viscous bending time",
                format!("{} (mu L^4 / EI)", show(relaxation, "s")),
            ));
        }
        if facts.spec.gravity.is_on() {
            let g = vector(&facts.spec.gravity.acceleration).length();
            let ratio = r.mass_per_length * g * r.free_length.powi(3) / r.bending;
            lines.push(Line::new(
                "weight over elasticity",
                format!("{} (w L^3 / EI)", number(ratio)),
            ));
        }
    }
    Section {
        title: "Numbers".to_owned(),
        lines,
    }
}

/// What ends the run before its time.
fn stop(spec: &StopSpec) -> String {
    let conditions = [
        spec.force
            .map(|f| format!("a support exerts more than {}", show(f.si(), "N"))),
        spec.loop_radius
            .map(|r| format!("a loop has a radius below {}", show(r.si(), "m"))),
        spec.stretch
            .map(|s| format!("a rod is stretched by more than {}", number(s.si()))),
        spec.at_rest.and_then(|rest| match rest {
            AtRestSpec::Automatic(wanted) => wanted.then(|| "all is at rest".to_owned()),
            AtRestSpec::Speed(speed) => {
                let speed = show(speed.si(), "m/s");
                Some(format!("all is at rest, slower than {speed}"))
            }
        }),
    ];
    let met: Vec<String> = conditions.into_iter().flatten().collect();
    if met.is_empty() {
        return String::new();
    }
    format!(", or until {}", met.join(", or "))
}

/// Whether the run finds out that it is in an unstable equilibrium.
fn unstable(facts: &Facts) -> String {
    let spec = facts.spec;
    let loaded = |r: &RodFacts| {
        !r.spec.moments.is_empty()
            || (r.spec.line_loads.iter()).any(|l| l.force.is_some() || !r.spec.closed)
            || r.spec.forces.iter().any(|f| f.follows.is_some())
    };
    let never = if spec.time.integrator == IntegratorKind::SymplecticProjected {
        "steps are explicit and keep lengths by projection"
    } else if !spec.all_joints().is_empty() {
        "bodies are joined"
    } else if spec.wind.is_some() {
        "wind holds the rods"
    } else if facts.rods.iter().any(loaded) {
        "a moment, or a force that follows the rod, has no potential"
    } else if spec.contact.model != ContactKind::None && rubs(facts) {
        return "looked for at outputs, but not where rods rub: friction has no potential"
            .to_owned();
    } else {
        return "looked for at outputs".to_owned();
    };
    format!("not looked for: {never}")
}

/// How steps are made, and what the line below it is about with its words.
fn integrator(facts: &Facts) -> (String, (&'static str, String)) {
    let t = facts.spec.time;
    let scheme = match t.scheme {
        SchemeKind::BackwardEuler => "backward Euler".to_owned(),
        SchemeKind::Bdf2 => "BDF2".to_owned(),
        SchemeKind::FittedBdf2 => {
            let omega = t.rate.unwrap_or_default().si();
            format!(
                "BDF2 fitted to {}, {} rad a step",
                words::rate(omega),
                number(omega * t.step.si())
            )
        }
        SchemeKind::ImplicitMidpoint => "implicit midpoint".to_owned(),
    };
    let newton = |search: &str| {
        format!(
            "step below {} h and residual below {}, at most {} iterations, {search}",
            number(t.tolerance.si()),
            number(t.residual_tolerance.si()),
            t.max_iterations
        )
    };
    let search = match t.line_search {
        LineSearchKind::Automatic => "automatic line search",
        LineSearchKind::Goldstein => "Goldstein line search",
        LineSearchKind::None => "no line search",
    };
    match t.integrator {
        IntegratorKind::Implicit => (format!("implicit, {scheme}"), ("Newton", newton(search))),
        IntegratorKind::SymplecticProjected => (
            format!(
                "symplectic Euler, angles at rest, lengths kept by projection (Bergou 2008){}",
                match t.engine {
                    EngineKind::Free => "",
                    EngineKind::Rapier => "; bodies, their joints and collisions by Rapier",
                }
            ),
            (
                "largest stable step",
                facts.stable_step.map_or_else(
                    || "not known".to_owned(),
                    |dt| format!("about {} at the start", show(dt, "s")),
                ),
            ),
        ),
    }
}

/// How often frames are written, and what they take.
fn output(facts: &Facts) -> String {
    let (t, every) = (facts.spec.time, facts.spec.output.every.si());
    let frames = (t.duration.si() / every).floor() + 1.0;
    let bodies = facts.spec.all_bodies().len();
    // Positions and velocities of nodes, the force of a flow that couples them, directors, poses of
    // bodies.
    let of_node = 2 + usize::from(facts.spec.fluid.model == FluidKind::StokesletSegments);
    let vectors = of_node * facts.nodes() + facts.edges();
    let bytes = frames * (24 * vectors + 56 * bodies) as f64;
    format!(
        "every {}: {frames} frames, about {} uncompressed",
        show(every, "s"),
        show(bytes, "B")
    )
}

fn unknowns(facts: &Facts) -> usize {
    3 * facts.nodes() + facts.edges() + 6 * facts.spec.all_bodies().len()
}

pub(super) fn time(facts: &Facts) -> Section {
    let (t, o) = (facts.spec.time, &facts.spec.output);
    let (integrator, how) = integrator(facts);
    let step = facts.spec.step_between_outputs().unwrap_or(t.step.si());
    let steps = (t.duration.si() / step).ceil();
    let adaptive = if t.adaptive {
        format!(
            "halved down to {} on failure",
            show(t.smallest_step.si(), "s")
        )
    } else {
        "fixed".to_owned()
    };
    let first = show(t.step.si(), "s");
    let size = match t.accuracy {
        Some(accuracy) => format!(
            "{first} at first, then by an accuracy of {} radii in all, {adaptive}",
            accuracy.si()
        ),
        None => format!("{first} ({steps} steps), {adaptive}"),
    };
    let start = if t.settle {
        "from static equilibrium, found before the run"
    } else {
        "from the shapes as they are"
    };
    let lagged = facts.lagged_step.is_finite().then(|| {
        let largest = show(facts.lagged_step, "s");
        Line::new(
            "largest step",
            format!("{largest} with lagged drag, as the rods are at the start"),
        )
    });
    let checkpoints = match o.checkpoint_every {
        Some(every) => format!(
            "every {}, and every 10 s of the clock",
            show(every.si(), "s")
        ),
        None => "every 10 s of the clock".to_owned(),
    };
    let mut lines = vec![
        Line::new("start", start),
        Line::new(
            "duration",
            format!("{}{}", show(t.duration.si(), "s"), stop(&facts.spec.stop)),
        ),
        Line::new("step", size),
        Line::new("integrator", integrator),
        Line::new(how.0, how.1),
        Line::new("unknowns", unknowns(facts).to_string()),
        Line::new("output", output(facts)),
        Line::new("checkpoints", checkpoints),
        Line::new("unstable equilibria", unstable(facts)),
    ];
    lines.splice(3..3, lagged);
    if let Some(perturbation) = &facts.spec.perturbation {
        let value = format!(
            "rods deviate by up to {} from their shapes, initial and at rest (seed {})",
            show(perturbation.amplitude.si(), "m"),
            perturbation.seed
        );
        lines.insert(1, Line::new("perturbation", value));
    }
    Section {
        title: "Run".to_owned(),
        lines,
    }
}
