//! Notes and warnings.

use std::f64::consts::PI;

use writhe::stop::Stop;

use super::facts::{Facts, RodFacts, range};
use super::{Level, Remark, absurd, fluid, idle, words};
use crate::build::part;
use crate::named::NamedScene;
use crate::spec::{
    ContactKind, EngineKind, FLUID_DENSITY, FluidKind, LARGEST_REYNOLDS,
    SLENDER_BODY_REGULARISATION, SchemeKind,
};
use crate::tree::Value;
use crate::units::{number, show};

pub(super) fn all(facts: &Facts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    remarks.extend(parameters(facts));
    remarks.extend(rotation_unit(facts));
    remarks.extend(reynolds(facts));
    remarks.extend(step(facts));
    remarks.extend(stable_step(facts));
    remarks.extend(one_rate(facts));
    remarks.extend(regularisation(facts));
    remarks.extend(fluid::remarks(facts));
    remarks.extend(contact(facts));
    remarks.extend(facts.rods.iter().filter_map(slender));
    remarks.extend(facts.rods.iter().find_map(|rod| clamp(facts, rod)));
    remarks.extend(never_at_rest(facts));
    remarks.extend(rings_on(facts));
    remarks.extend(few_frames(facts));
    remarks.extend(without_parts(facts));
    remarks.extend(absurd::all(facts));
    remarks.extend(idle::all(facts));
    together(facts, remarks)
}

/// Rest is waited for with a scheme that lets what the step does not resolve ring on.
fn rings_on(facts: &Facts) -> Option<Remark> {
    Stop::from(facts.spec.stop).at_rest?;
    let midpoint = facts.spec.time.scheme == SchemeKind::ImplicitMidpoint;
    midpoint.then(|| {
        let told = "with the scheme implicit-midpoint waves that the step does not resolve ring on, and there may be no rest: take bdf2";
        warning("stop.at_rest", told.to_owned())
    })
}

/// Rest is waited for, and something still changes when the run ends.
fn never_at_rest(facts: &Facts) -> Option<Remark> {
    Stop::from(facts.spec.stop).at_rest?;
    let until = facts.scene.build().ok()?.model.changes_until();
    let when = match until {
        f64::INFINITY => "for ever".to_owned(),
        late => format!("until t = {}", show(late, "s")),
    };
    let told = format!("loads, motions or strains change {when}: there is no rest before the end");
    (until >= facts.spec.time.duration.si()).then(|| warning("stop.at_rest", told))
}

/// Frames follow from a duration that is only how long rest is waited for.
fn few_frames(facts: &Facts) -> Option<Remark> {
    Stop::from(facts.spec.stop).at_rest?;
    let every = facts.spec.output.every.si();
    let told = format!(
        "frames are {} apart, which follows from the duration: a run that is at rest long before has few of them; write how often",
        show(every, "s")
    );
    (!facts.scene.has("output.every")).then(|| note("output.every", told))
}

/// Materials that are named and do nothing.
fn without_parts(facts: &Facts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (index, rod) in facts.spec.rods.iter().enumerate() {
        if let Some(v) = &rod.viscous
            && [v.bending, v.twisting, v.stretching]
                .iter()
                .all(|time| time.si() == 0.0)
        {
            let told = "all its times are 0, so nothing is viscous: name `bending`, `twisting` or `stretching`";
            remarks.push(note(format!("rods[{index}].viscous"), told.to_owned()));
        }
        if let Some(r) = &rod.relaxing
            && [r.bending, r.twisting, r.stretching]
                .iter()
                .all(|part| part.si() == 0.0)
        {
            let told = "all its parts are 0, so nothing relaxes: name `bending`, `twisting` or `stretching`";
            remarks.push(note(format!("rods[{index}].relaxing"), told.to_owned()));
        }
    }
    remarks
}

/// Remarks that differ in their numbers alone are told together beyond this number.
const APART: usize = 3;

/// Tells once what is alike: of the copies of a rod, and of many rods. Keys become those of the
/// file.
fn together(facts: &Facts, remarks: Vec<Remark>) -> Vec<Remark> {
    let kind = |text: &str| -> String {
        let digit = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
        text.chars().filter(|c| !digit(*c)).collect()
    };
    let mut groups: Vec<(Remark, bool, Vec<Remark>)> = Vec::new();
    for mut remark in remarks {
        let (key, copy) = facts.scene.written(&remark.key);
        remark.key = key;
        let alike = |(first, copies, _): &&mut (Remark, bool, Vec<Remark>)| {
            let rods = *copies && copy.is_some() && first.key == remark.key;
            let keys = rods || kind(&first.key) == kind(&remark.key) && !remark.key.is_empty();
            first.level == remark.level && keys && kind(&first.message) == kind(&remark.message)
        };
        match groups.iter_mut().find(alike) {
            Some((.., more)) => more.push(remark),
            None => groups.push((remark, copy.is_some(), Vec::new())),
        }
    }
    let mut told = Vec::new();
    for (mut first, copies, more) in groups {
        if more.len() < APART && !copies {
            told.push(first);
            told.extend(more);
            continue;
        }
        if !more.is_empty() {
            first.message = format!("{} (and {} more like it)", first.message, more.len());
        }
        told.push(first);
    }
    told
}

pub(super) fn note(key: impl Into<String>, message: String) -> Remark {
    Remark {
        level: Level::Note,
        key: key.into(),
        message,
    }
}

pub(super) fn warning(key: impl Into<String>, message: String) -> Remark {
    Remark {
        level: Level::Warning,
        key: key.into(),
        message,
    }
}

/// Explicit steps beyond the limit of stability are refused and halved.
fn stable_step(facts: &Facts) -> Option<Remark> {
    let (largest, step) = (facts.stable_step?, facts.spec.time.step.si());
    (step > largest).then(|| {
        let message = format!(
            "a step of {} is not stable: the largest stable one is about {}; take a smaller step, or longer edges{}",
            show(step, "s"),
            show(largest, "s"),
            // What an engine moves knows no implicit steps.
            match facts.spec.time.engine {
                EngineKind::Free => ", or the integrator implicit",
                EngineKind::Rapier => "",
            }
        );
        warning("time.step", message)
    })
}

/// Which of the two sets of numbers of the flagella is in use, and where one flagellum stands.
fn parameters(facts: &Facts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let count = match facts.spec.named {
        Some(NamedScene::Flagella(f)) => {
            let message = "numbers as the authors ran their program: 15 rpm, 1.0 Pa s, 1e4 kg/m^3; their paper prints 15 rad/s, \
                           0.1 Pa s, 1000 kg/m^3 (scene \"flagella-literal\"), which is dynamically different";
            remarks.push(note("scene.name", message.to_owned()));
            f.count
        }
        Some(NamedScene::FlagellaLiteral(f)) => {
            let message = "numbers as printed in the paper: 15 rad/s, 0.1 Pa s, 1000 kg/m^3; its results were made with 15 rpm, \
                           1.0 Pa s, 1e4 kg/m^3 (scene \"flagella\")";
            remarks.push(note("scene.name", message.to_owned()));
            f.count
        }
        _ => return remarks,
    };
    if count == 1 {
        let message =
            "one flagellum has no polygon: it stands on the x axis and `side` has no meaning";
        remarks.push(note("scene.count", message.to_owned()));
    }
    remarks
}

/// A bare round number as a rotation speed was perhaps meant in rpm.
fn rotation_unit(facts: &Facts) -> Vec<Remark> {
    let mut keys = vec!["scene.speed".to_owned()];
    for (i, rod) in facts.spec.rods.iter().enumerate() {
        keys.extend(
            (0..rod.clamps.len()).map(|k| format!("rods[{i}].clamps[{k}].motion.rotation.speed")),
        );
        keys.extend(
            (0..rod.held.len()).map(|k| format!("rods[{i}].held[{k}].motion.rotation.speed")),
        );
    }
    let bare = |key: String| {
        let (node, there) = facts.scene.nearest_at(&key);
        let value = match node.value {
            Value::Integer(n) if there => n as f64,
            Value::Float(x) if there => x,
            _ => return None,
        };
        let round = value.abs() >= 2.0 && (value * 10.0).fract() == 0.0;
        round.then(|| {
            let message = format!("{value} is a bare number, so it is {}; write \"{value} rpm\" if that is meant, or \"{value} rad/s\"", words::rate(value));
            warning(key, message)
        })
    };
    keys.into_iter().filter_map(bare).collect()
}

fn reynolds(facts: &Facts) -> Option<Remark> {
    let re = facts.reynolds()?;
    (re > LARGEST_REYNOLDS).then(|| {
        let message = format!(
            "Reynolds number {} (rho v h / mu, rho = {FLUID_DENSITY} kg/m^3 as of water): Stokes flow has no inertia, which matters beyond {LARGEST_REYNOLDS}; check speed (rpm or rad/s?) and viscosity",
            number(re)
        );
        warning("fluid", message)
    })
}

fn step(facts: &Facts) -> Vec<Remark> {
    let time = facts.spec.time;
    let step = time.step.si();
    let mut remarks = Vec::new();
    let phi = time.rate.unwrap_or_default().si() * step;
    if time.scheme == SchemeKind::FittedBdf2 && phi > 0.5 {
        let message = format!(
            "the scene turns by {} rad in a step, but above 0.5 rad the fitted scheme is no better than BDF2: take a step below {}",
            number(phi),
            show(0.5 * step / phi, "s")
        );
        remarks.push(warning("time.step", message));
    } else if phi > 1.0 {
        let message = format!(
            "the scene turns by {} rad a step, which no scheme resolves",
            number(phi)
        );
        remarks.push(warning("time.step", message));
    }
    if facts.spec.output.every.si() > time.duration.si() {
        remarks.push(warning(
            "output.every",
            "the time between outputs is longer than the run: only its start and its end are written".to_owned(),
        ));
    }
    if let Some(shorter) = facts.spec.step_between_outputs() {
        let message = format!(
            "outputs end steps, so that these are {} long and not {}: write outputs less often, or mean the shorter step",
            show(shorter, "s"),
            show(step, "s"),
        );
        remarks.push(note("time.step", message));
    }
    remarks
}

/// The fitted scheme is exact for one rate and wrong for steady drift.
fn one_rate(facts: &Facts) -> Option<Remark> {
    let rate = facts
        .spec
        .time
        .rate
        .filter(|_| facts.spec.time.scheme == SchemeKind::FittedBdf2)?
        .si();
    let other = |r: &&RodFacts| match r.rate() {
        Some(own) => (own - rate).abs() > 1e-6 * rate,
        None => r.speed > 0.0,
    };
    facts.rods.iter().find(other).map(|r| {
        let message = format!(
            "the scheme is fitted to {}, but {} is driven at another rate: take scheme = \"bdf2\" for a scene with several rates or with drift",
            words::rate(rate),
            r.spec.name.as_deref().unwrap_or(&r.key)
        );
        warning("time.scheme", message)
    })
}

fn regularisation(facts: &Facts) -> Option<Remark> {
    let fluid = facts.spec.fluid;
    let epsilon = fluid.regularisation.si();
    let differs = (epsilon - SLENDER_BODY_REGULARISATION).abs() > 0.05;
    (fluid.model == FluidKind::StokesletSegments && differs).then(|| {
        let message = format!(
            "epsilon = {} h; slender-body theory wants sqrt(e) h = 1.6487 h. 1.02 h, as in T22, gives 12 to 19 % less torque than experiments with helices",
            number(epsilon)
        );
        note("fluid.regularisation", message)
    })
}

fn contact(facts: &Facts) -> Vec<Remark> {
    if facts.spec.contact.model == ContactKind::None {
        let message = "rods pass through each other and themselves".to_owned();
        let several = facts.rods.len() > 1;
        // A named scene chooses so for rods that are joined: there edges overlap.
        let joined = facts.spec.named.is_some() && !facts.spec.all_bodies().is_empty();
        let remark = if joined { note } else { warning };
        return several
            .then(|| remark("contact.model", message))
            .into_iter()
            .collect();
    }
    let mut remarks: Vec<Remark> = cut(facts).into_iter().collect();
    let coarse = |r: &RodFacts| range(r.edges.iter().copied())[1] > PI * r.radius[0];
    let Some(rod) = facts.rods.iter().find(|r| coarse(r)) else {
        return remarks;
    };
    let longest = range(rod.edges.iter().copied())[1];
    let message = format!(
        "edges of up to {} are longer than pi h = {}, half a turn of the tightest loop: contact of a rod with itself in loops of one or two edges is not detected",
        show(longest, "m"),
        show(PI * rod.radius[0], "m")
    );
    remarks.push(note(part(&rod.key, "shape"), message));
    remarks
}

/// C21's energy does not end by itself.
fn cut(facts: &Facts) -> Option<Remark> {
    let contact = &facts.spec.contact;
    let sharpness = contact.own.energy_sharpness?.si();
    let tolerance = contact.tolerance.si();
    let left = 2.0 / (1.0 + (sharpness * tolerance).exp());
    // C21's own numbers leave 0.1 %.
    (left > 0.01).then(|| {
        let message = format!(
            "at this gap the contact force is still {} % of that at touching, and is cut off there; energy_sharpness times tolerance should be at least 5.3 (Choi 2021 has 7.5)",
            number(100.0 * left)
        );
        warning("contact.tolerance", message)
    })
}

fn slender(rod: &RodFacts) -> Option<Remark> {
    let slenderness = rod.length / rod.radius[1];
    (slenderness < 20.0).then(|| {
        let message = format!("length over radius is {}: rod theory wants more than about 20; check the units of length and radius", number(slenderness));
        warning(part(&rod.key, "section"), message)
    })
}

/// Where a clamp acts.
fn clamp(facts: &Facts, rod: &RodFacts) -> Option<Remark> {
    let (i, clamp) = rod
        .spec
        .clamps
        .iter()
        .enumerate()
        .find(|(_, c)| !c.half_edge)?;
    let edge = clamp.edge.index(rod.rod.edges());
    let half = 0.5 * rod.edges.get(edge)?;
    let cure = if matches!(
        facts.spec.named,
        Some(NamedScene::Flagella(_) | NamedScene::FlagellaLiteral(_))
    ) {
        ""
    } else {
        ", or set half_edge = true"
    };
    let message = format!(
        "a clamp acts at the middle of its edge: the free length of the rod begins {} inside edge {edge}; count the length from there{cure}",
        show(half, "m")
    );
    Some(note(part(&rod.key, &format!("clamps[{i}]")), message))
}
