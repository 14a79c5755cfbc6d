//! Values that are possible and hardly meant: mostly a wrong unit.

use writhe::schedule::Motion;

use super::Remark;
use super::facts::{Facts, RodFacts};
use super::remarks::{note, warning};
use crate::build::{motion, part};
use crate::spec::centreline::vector;
use crate::spec::{
    AngleSpec, ContactKind, DirectionsSpec, FluidKind, MotionSpec, PERTURBATION_PER_RADIUS,
};
use crate::units::{Number, number, show};

/// Young's modulus below which a rod flows rather than bends, Pa.
const SOFTEST: f64 = 1e3;
/// Above that of diamond, Pa.
const STIFFEST: f64 = 2e12;
/// Densities of solids: above aerogel, below osmium, kg/m^3.
const DENSITIES: [f64; 2] = [1.0, 2.5e4];
/// Viscosities of fluids: above gases, below pitch, Pa s.
const VISCOSITIES: [f64; 2] = [5e-6, 1e6];
/// Friction coefficient above any of two dry surfaces.
const ROUGHEST: f64 = 10.0;
/// Tolerance above which a result is hardly one.
const LOOSEST: f64 = 1e-2;
/// A hundred times the gravity of the earth, m/s^2.
const HEAVIEST: f64 = 1e3;
/// A hurricane, m/s.
const STORM: f64 = 100.0;
/// Outputs and steps that take long.
const MOST_OUTPUTS: f64 = 1e6;
const MOST_STEPS: f64 = 1e9;
/// Strain that no material bears linearly.
const STRAIN: f64 = 0.5;

pub(super) fn all(facts: &Facts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    remarks.extend(facts.rods.iter().flat_map(|rod| material(facts, rod)));
    remarks.extend(facts.rods.iter().flat_map(strains));
    remarks.extend(frictions(facts));
    remarks.extend(tolerances(facts));
    remarks.extend(surroundings(facts));
    remarks.extend(time(facts));
    remarks.extend(beginnings(facts));
    remarks.extend(perturbation(facts));
    // Rods that are alike are remarked once.
    let mut seen = Vec::new();
    remarks.retain(|remark| {
        let new = !seen.contains(remark);
        seen.push(remark.clone());
        new
    });
    remarks
}

fn material(facts: &Facts, rod: &RodFacts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let material_key = part(&rod.key, "material");
    let inside = |name: &str| {
        if rod.key == "scene" {
            material_key.clone()
        } else {
            format!("{material_key}.{name}")
        }
    };
    if let Some(material) = rod.spec.material {
        let moduli = [("young", Some(material.young)), ("shear", material.shear)];
        for (name, modulus) in moduli {
            let Some(modulus) = modulus.map(|m| m.si()) else {
                continue;
            };
            let message = if modulus < SOFTEST {
                "softer than any gel that keeps its shape: was kPa or MPa meant?"
            } else if modulus > STIFFEST {
                "stiffer than diamond: check the unit"
            } else {
                continue;
            };
            let value = show(modulus, "Pa");
            remarks.push(warning(inside(name), format!("{value} is {message}")));
        }
        let density = material.density.si();
        if !(DENSITIES[0]..=DENSITIES[1]).contains(&density) {
            let message = format!(
                "{} kg/m^3 is the density of no solid: was g/cm^3 (1000 kg/m^3) meant?",
                number(density)
            );
            remarks.push(warning(inside("density"), message));
        }
        let sound = (material.young.si() / density).sqrt();
        if rod.speed > sound {
            let message = format!(
                "it is driven at {}, faster than its own waves ({}): check the unit of the motion, or of the material",
                show(rod.speed, "m/s"),
                show(sound, "m/s")
            );
            remarks.push(warning(rod.key.clone(), message));
        }
    }
    let stiffness = rod.rod.sections.iter().map(|s| s.ea);
    let stiffness = stiffness.fold(f64::INFINITY, f64::min);
    let g = vector(&facts.spec.gravity.acceleration);
    let sag = rod.mass * g.length() / stiffness;
    if sag > STRAIN {
        let message = format!(
            "its weight, hanging, would stretch it by {} of its length: check material, section and gravity",
            number(sag)
        );
        remarks.push(warning(rod.key.clone(), message));
    }
    for (i, force) in rod.spec.forces.iter().enumerate() {
        let size = vector(&force.force).length();
        if size > STRAIN * stiffness {
            let message = format!(
                "{} would stretch the rod by {} of its length: check the unit",
                show(size, "N"),
                number(size / stiffness)
            );
            remarks.push(warning(part(&rod.key, &format!("forces[{i}]")), message));
        }
    }
    remarks
}

/// What is absurd of the shape at the start.
fn strains(rod: &RodFacts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let strain = |(edge, rest): (&f64, &f64)| edge / rest - 1.0;
    let edges = rod.edges.iter().zip(&rod.rod.rest_lengths);
    let largest = edges
        .map(strain)
        .fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a });
    if largest.abs() > STRAIN {
        let message = format!(
            "an edge starts with a strain of {}: give the rest shape the length that the rod has at rest",
            number(largest)
        );
        remarks.push(warning(part(&rod.key, "rest"), message));
    }
    remarks.extend(corner(rod));
    remarks
}

/// The sharpest turn from edge to edge at the start, where the rest shape does not have it too.
fn corner(rod: &RodFacts) -> Option<Remark> {
    let n = rod.rod.positions.len();
    let edge = |i: usize| rod.rod.positions[(i + 1) % n] - rod.rod.positions[i % n];
    let turns = rod.rod.rest_curvature.iter().enumerate().map(|(v, rest)| {
        let turn = edge(v).angle_between(edge(v + 1));
        let at_rest = 2.0 * (0.5 * rest[0].hypot(rest[1])).atan();
        ((turn - at_rest).to_degrees(), (v + 1) % n)
    });
    let (turn, node) = turns.fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
    (turn > 45.0 + 1e-9).then(|| {
        let message = format!(
            "the rod turns by {} degrees more than at rest at node {node}: beyond 45 from one edge to the next its shape is not resolved; take more edges",
            number(turn)
        );
        warning(part(&rod.key, "shape"), message)
    })
}

fn frictions(facts: &Facts) -> Vec<Remark> {
    let spec = facts.spec;
    let own = ("contact.friction".to_owned(), Some(spec.contact.friction));
    let obstacles = spec.obstacles.iter().enumerate();
    let obstacles = obstacles.map(|(i, o)| (format!("obstacles[{i}].friction"), o.friction));
    let bodies = spec.all_bodies().into_iter();
    let bodies = bodies.map(|(key, body)| (part(&key, "friction"), body.friction));
    let plain = std::iter::once(own).chain(obstacles).chain(bodies);
    let plain = plain.map(|(key, friction)| (key, friction.map(Number::si)));
    let largest = |by: Option<DirectionsSpec>| {
        let all = by.map(|by| [by.forward, by.backward, by.across].map(Number::si));
        all.map(|all| all.into_iter().fold(0.0, f64::max))
    };
    let rods = facts.rods.iter().map(|rod| {
        let key = part(&rod.key, "friction_by_direction");
        (key, largest(rod.spec.friction_by_direction))
    });
    let obstacles = spec.obstacles.iter().enumerate().map(|(i, o)| {
        let key = format!("obstacles[{i}].friction_by_direction");
        (key, largest(o.friction_by_direction))
    });
    let all = plain.chain(rods).chain(obstacles);
    all.filter_map(|(key, friction)| {
        let mu = friction.filter(|mu| *mu > ROUGHEST)?;
        let message = format!(
            "a friction coefficient of {}: dry surfaces have .1 to 2; rods that shall not slip at all are better welded or clamped",
            number(mu)
        );
        Some(warning(key, message))
    })
    .collect()
}

fn tolerances(facts: &Facts) -> Vec<Remark> {
    let (time, contact) = (&facts.spec.time, &facts.spec.contact);
    let gap = match contact.model {
        // Its energy is smooth over a wide gap, which has a remark of its own.
        ContactKind::None | ContactKind::ImcSmooth => 0.0,
        _ => contact.tolerance.si(),
    };
    let all = [
        (
            "time.tolerance",
            time.tolerance.si(),
            "the error of a node after each step, in radii",
        ),
        (
            "time.residual_tolerance",
            time.residual_tolerance.si(),
            "the part of the largest force that may stay unbalanced",
        ),
        (
            "contact.tolerance",
            gap,
            "the gap at which rods begin to push, in radii",
        ),
    ];
    let loose = all.into_iter().filter(|(_, value, _)| *value > LOOSEST);
    loose
        .map(|(key, value, what)| {
            let message = format!(
                "{} is large for {what}: results are coarse above {LOOSEST}",
                number(value)
            );
            warning(key, message)
        })
        .collect()
}

fn surroundings(facts: &Facts) -> Vec<Remark> {
    let spec = facts.spec;
    let mut remarks = Vec::new();
    let g = vector(&spec.gravity.acceleration).length();
    if g > HEAVIEST {
        let message = format!(
            "gravity is {} times that of the earth: check the unit",
            number(g / 9.81)
        );
        remarks.push(warning("gravity.acceleration", message));
    }
    let speed = spec.wind.as_ref().map(|w| vector(&w.velocity).length());
    if let Some(speed) = speed.filter(|speed| *speed > STORM) {
        let message = format!(
            "{} is more than any storm: check the unit",
            show(speed, "m/s")
        );
        remarks.push(warning("wind.velocity", message));
    }
    let of_fluid = spec
        .fluid
        .viscosity
        .filter(|_| spec.fluid.model != FluidKind::None);
    if let Some(mu) = of_fluid.map(|mu| mu.si())
        && !(VISCOSITIES[0]..=VISCOSITIES[1]).contains(&mu)
    {
        let message = format!(
            "{} is the viscosity of no fluid (air 1.8e-5, water 1e-3, honey 10, pitch 1e8 Pa s): check the unit",
            show(mu, "Pa s")
        );
        remarks.push(warning("fluid.viscosity", message));
    }
    remarks
}

fn time(facts: &Facts) -> Vec<Remark> {
    let (time, output) = (&facts.spec.time, &facts.spec.output);
    let (duration, step) = (time.duration.si(), time.step.si());
    let mut remarks = Vec::new();
    let outputs = duration / output.every.si();
    if outputs > MOST_OUTPUTS {
        let message = format!(
            "{} outputs: more than a million fill the disk and slow the run; a few hundred make a film",
            number(outputs.round())
        );
        remarks.push(warning("output.every", message));
    }
    if duration / step > MOST_STEPS {
        let message = format!(
            "{} steps: check the units of step and duration",
            number(duration / step)
        );
        remarks.push(warning("time.step", message));
    }
    if step > duration {
        let message = format!(
            "the step is longer than the run of {}: its steps end with its outputs",
            show(duration, "s")
        );
        remarks.push(warning("time.step", message));
    }
    remarks
}

/// Motions that do not begin where things are jump there in the first step.
fn beginnings(facts: &Facts) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for rod in &facts.rods {
        let clamps = rod.spec.clamps.iter().map(|c| &c.motion).enumerate();
        let clamps = clamps.map(|(i, m)| (format!("clamps[{i}].motion"), m));
        let held = rod.spec.held.iter().map(|h| &h.motion).enumerate();
        let held = held.map(|(i, m)| (format!("held[{i}].motion"), m));
        for (key, spec) in clamps.chain(held) {
            remarks.extend(beginning(part(&rod.key, &key), spec));
        }
        for (i, held) in rod.spec.held_angles.iter().enumerate() {
            let key = part(&rod.key, &format!("held_angles[{i}].angle"));
            remarks.extend(first_angle(&key, &held.angle, "the edge"));
        }
    }
    for (key, joint) in facts.spec.all_joints() {
        if let Some(angle) = joint.hinge.as_ref().and_then(|hinge| hinge.angle.as_ref()) {
            let key = part(&key, "hinge.angle");
            remarks.extend(first_angle(&key, angle, "the motor"));
        }
    }
    for (i, obstacle) in facts.spec.obstacles.iter().enumerate() {
        let key = format!("obstacles[{i}].motion");
        remarks.extend(beginning(key, &obstacle.motion));
    }
    for (key, body) in facts.spec.all_bodies() {
        let of_body = body.motion.iter();
        remarks.extend(of_body.flat_map(|spec| beginning(part(&key, "motion"), spec)));
    }
    remarks
}

/// Displacement that is rounding, m.
const ROUNDING: f64 = 1e-13;

/// Largest angle with which a rotation of a motion begins, rad.
fn turned_at_start(motion: &Motion) -> f64 {
    match motion {
        Motion::Rotation { angle, .. } => angle.at(0.0).abs(),
        Motion::Sequence(motions) => motions.iter().map(turned_at_start).fold(0.0, f64::max),
        _ => 0.0,
    }
}

fn beginning(key: String, spec: &MotionSpec) -> Vec<Remark> {
    let motion = motion(spec);
    let moved = motion.pose(0.0).translation.length();
    let turned = turned_at_start(&motion);
    let mut remarks = Vec::new();
    if turned > 1e-9 {
        let what = match key.starts_with("obstacles") {
            true => "it jumps there in the first step; begin with an angle of 0",
            false => {
                "rods that it holds begin with all of that at their ends; begin with an angle of 0, or spread it by `time.settle` or the rod's `twist`"
            }
        };
        let message = format!(
            "at t = 0 it is turned by {} already: {what}",
            show(turned, "rad")
        );
        remarks.push(warning(key, message));
    } else if moved > ROUNDING {
        let message = format!(
            "at t = 0 it is displaced by {} already: it jumps there in the first step; begin the path with [0, 0, 0, 0], displacements count \
             from the initial shape",
            show(moved, "m")
        );
        remarks.push(warning(key, message));
    } else if let Some(first) = first_time(spec).filter(|t| *t != 0.0) {
        let message = if first > 0.0 {
            format!(
                "the path begins at t = {}: until then it stands still",
                show(first, "s")
            )
        } else {
            format!(
                "the path begins at t = {}: what is before 0 has no effect",
                show(first, "s")
            )
        };
        remarks.push(note(key, message));
    }
    remarks
}

/// Time of the first row of a path, s.
fn first_time(spec: &MotionSpec) -> Option<f64> {
    match spec {
        MotionSpec::Path(rows) => rows.first().map(|row| row[0]),
        MotionSpec::Sequence(parts) => parts.iter().find_map(first_time),
        _ => None,
    }
}

fn first_angle(key: &str, spec: &AngleSpec, what: &str) -> Option<Remark> {
    let first = crate::build::angle(spec).at(0.0);
    (first.abs() > 1e-9).then(|| {
        let message = format!(
            "at t = 0 it is {} already: {what} jumps there in the first step; begin with 0",
            show(first, "rad")
        );
        warning(key, message)
    })
}

fn perturbation(facts: &Facts) -> Option<Remark> {
    let amplitude = facts.spec.perturbation?.amplitude.si();
    let thinnest = facts.rods.iter().map(|rod| rod.radius[0]);
    let thinnest = thinnest.fold(f64::INFINITY, f64::min);
    (amplitude > thinnest).then(|| {
        let message = format!(
            "rods deviate by {}, more than their radius: {} radii are enough to start a buckle",
            show(amplitude, "m"),
            PERTURBATION_PER_RADIUS
        );
        warning("perturbation", message)
    })
}
