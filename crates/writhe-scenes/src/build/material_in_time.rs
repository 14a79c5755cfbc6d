//! Driven rest shapes, viscous rods, magnets and forces per length of the core.

use std::f64::consts::{PI, TAU};

use writhe::glam::{DMat3, DVec3};
use writhe::loads::{FollowerLoad, MagneticField};
use writhe::model::ModelBuilder;
use writhe::rest_shape::{RestLaw, RestStrain, RestTable, RestWave};
use writhe::rod::Rod;
use writhe::viscoelastic::{Relaxation, Viscoelasticity};

use super::{motion, part};
use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::centreline::vector;
use crate::spec::{
    BendingSpec, DrivenSpec, IntegratorKind, LineLoadSpec, MagneticFieldSpec, Places, RodSpec,
    SchemeKind, SectionSpec, StrainKind,
};
use crate::units::{Angle, Length, Number, Time};

/// Adds what of a rod changes in time by itself, its magnets and its forces per length.
pub(super) fn add(
    scene: &Scene,
    (key, index): (&str, usize),
    spec: &RodSpec,
    rod: &Rod,
    mut builder: ModelBuilder,
) -> Result<ModelBuilder, SceneError> {
    let viscous = spec.viscous.is_some() || spec.relaxing.is_some();
    for (there, name, what) in [
        (
            !spec.driven.is_empty(),
            "driven",
            "strains at rest that are driven",
        ),
        (spec.viscous.is_some(), "viscous", "viscous rods"),
        (
            spec.relaxing.is_some(),
            "relaxing",
            "rods whose stiffness relaxes",
        ),
    ] {
        if there {
            known(scene, &part(key, name), what)?;
        }
    }
    let beside = spec
        .viscous
        .filter(|v| [v.bending, v.twisting, v.stretching] != [Time::default(); 3]);
    if beside.is_some() && scene.spec.time.scheme == SchemeKind::ImplicitMidpoint {
        let problem = Problem::conflict(
            "the scheme implicit-midpoint cannot be used with `viscous` rods: it would compute the rates of their strains to first order only",
            "choose the scheme bdf2 or backward-euler",
        );
        return Err(scene.error(&part(key, "viscous"), problem));
    }
    let between = between(spec, rod);
    let mut shortened = 0.0;
    for (i, driven) in spec.driven.iter().enumerate() {
        let law = law(driven);
        if driven.strain == StrainKind::Stretch {
            shortened += largest(&law);
            if shortened > 0.9 {
                let message = format!(
                    "the driven stretches sum to {shortened}, and edges would lose their length"
                );
                let problem = Problem::conflict(message, "let them sum to at most 0.9");
                return Err(scene.error(&part(key, &format!("driven[{i}]")), problem));
            }
        }
        builder = builder.drive_rest_between(index, strain(driven.strain), law, between);
    }
    if viscous {
        let retardation = spec.viscous.map_or([0.0; 3], |v| {
            [v.bending, v.twisting, v.stretching].map(Time::si)
        });
        let relaxation = spec.relaxing.map(|r| Relaxation {
            time: r.time.si(),
            shares: [r.bending, r.twisting, r.stretching].map(Number::si),
        });
        let law = Viscoelasticity {
            retardation,
            relaxation,
        };
        builder = builder.viscoelastic(index, law);
    }
    for load in &spec.line_loads {
        let (force, amplitude) = line_load(load);
        builder = builder.distributed(index, force, amplitude);
    }
    if let Some(rows) = &spec.magnetisation {
        let key = part(key, "magnetisation");
        if rows.is_empty() {
            let problem = Problem::conflict(
                "`magnetisation` has no row",
                "give [[along m1, along m2, along the tangent]], A/m",
            );
            return Err(scene.error(&key, problem));
        }
        if scene.spec.magnetic_field.is_none() {
            let problem = Problem::conflict(
                "a magnetised rod feels nothing without a field",
                "add [magnetic_field], or leave out the magnetisation",
            );
            return Err(scene.error(&key, problem));
        }
        let across = |row: &[Number; 3]| row[0].si() != 0.0 || row[1].si() != 0.0;
        let explicit = scene.spec.time.integrator == IntegratorKind::SymplecticProjected;
        if explicit && rows.iter().any(across) {
            let problem = Problem::conflict(
                "the integrator symplectic-projected cannot compute rods that are magnetised across themselves (along m1 or m2)",
                "set time.integrator = \"implicit\"",
            );
            return Err(scene.error(&key, problem));
        }
        builder = builder.magnetised(index, moments(spec, rod, rows));
    }
    Ok(builder)
}

/// Where a rod begins and ends, m from its first node, if half an edge lies behind a clamp.
fn between(spec: &RodSpec, rod: &Rod) -> Option<[f64; 2]> {
    let Places { edges, whole, .. } = Places::of(&spec.shape, spec.closed, &spec.clamps);
    let near = 1e-9 * whole;
    let behind = [*edges.first()? < near, *edges.last()? > whole - near];
    let half = |there: bool, length: Option<&f64>| match there {
        true => 0.5 * length.copied().unwrap_or_default(),
        false => 0.0,
    };
    let lengths = &rod.rest_lengths;
    let start = half(behind[0], lengths.first());
    let end = lengths.iter().sum::<f64>() - half(behind[1], lengths.last());
    behind.contains(&true).then_some([start, end])
}

/// The magnetic field of the scene.
pub(super) fn field(scene: &Scene, builder: ModelBuilder) -> Result<ModelBuilder, SceneError> {
    let Some(spec) = &scene.spec.magnetic_field else {
        return Ok(builder);
    };
    let rods = scene.spec.all_rods();
    if rods.iter().all(|(_, rod)| rod.magnetisation.is_none()) {
        let problem = Problem::conflict(
            "no rod is magnetised, so none feels the field",
            "give a rod its `magnetisation`, or remove [magnetic_field]",
        );
        return Err(scene.error("magnetic_field", problem));
    }
    let MagneticFieldSpec {
        field,
        gradient,
        amplitude,
        axis,
        speed,
    } = spec;
    // Symmetric: rows are columns.
    let gradient = gradient.unwrap_or_default();
    let gradient = DMat3::from_cols_array_2d(&gradient.map(|row| row.map(Number::si)));
    Ok(builder.magnetic_field(MagneticField {
        uniform: vector(field),
        gradient,
        amplitude: motion::amplitude(amplitude),
        axis: vector(axis),
        rate: speed.si(),
    }))
}

/// Refuses what only implicit steps with half edges know.
fn known(scene: &Scene, key: &str, what: &str) -> Result<(), SceneError> {
    let refuse =
        |message: String, remedy: &str| Err(scene.error(key, Problem::conflict(message, remedy)));
    if scene.spec.time.integrator == IntegratorKind::SymplecticProjected {
        let message = format!("the integrator symplectic-projected cannot compute {what}");
        return refuse(message, "set time.integrator = \"implicit\"");
    }
    if scene.spec.bending != BendingSpec::HalfEdges {
        let word = scene.spec.bending.word();
        let message = format!("bending \"{word}\" cannot be used with {what}");
        return refuse(message, "leave out `bending`, or set it to \"half-edges\"");
    }
    Ok(())
}

fn strain(kind: StrainKind) -> RestStrain {
    match kind {
        StrainKind::Curvature1 => RestStrain::Curvature1,
        StrainKind::Curvature2 => RestStrain::Curvature2,
        StrainKind::Twist => RestStrain::Twist,
        StrainKind::Stretch => RestStrain::Stretch,
    }
}

fn law(spec: &DrivenSpec) -> RestLaw {
    if let Some(rows) = &spec.table {
        let plain = |row: &Vec<Number>| row[1..].iter().map(|v| v.si()).collect();
        return RestLaw::Table(RestTable {
            times: rows[1..].iter().map(|row| row[0].si()).collect(),
            places: plain(&rows[0]),
            values: rows[1..].iter().map(plain).collect(),
        });
    }
    let envelope = spec.envelope.iter().flatten();
    // Without a wavelength and a period it is even and constant: then its crest is what is meant.
    let still = spec.wavelength.is_none() && spec.period.is_none() && spec.phase.is_none();
    RestLaw::Wave(RestWave {
        amplitude: spec.amplitude.unwrap_or_default().si(),
        wavenumber: spec.wavelength.map_or(0.0, |l| TAU / Length::si(l)),
        rate: spec.period.map_or(0.0, |t| TAU / Time::si(t)),
        phase: if still {
            TAU / 4.0
        } else {
            spec.phase.map_or(0.0, Angle::si)
        },
        envelope: envelope.map(|v| v.si()).collect(),
        ramp: spec.ramp.map_or(0.0, Time::si),
    })
}

fn largest(law: &RestLaw) -> f64 {
    match law {
        RestLaw::Wave(wave) => {
            let factor = wave.envelope.iter().map(|e| e.abs()).reduce(f64::max);
            wave.amplitude.abs() * factor.unwrap_or(1.0)
        }
        RestLaw::Table(table) => {
            let values = table.values.iter().flatten();
            values.fold(0.0, |a: f64, v| a.max(v.abs()))
        }
    }
}

fn line_load(spec: &LineLoadSpec) -> (FollowerLoad, writhe::schedule::Schedule) {
    let force = match &spec.force {
        Some(force) => FollowerLoad::Frame(vector(force)),
        None => FollowerLoad::Pressure {
            pressure: spec.pressure.unwrap_or_default().si(),
            normal: (spec.normal.as_ref()).map_or(DVec3::Z, |n| vector(n).normalize_or(DVec3::Z)),
        },
    };
    (force, motion::amplitude(&spec.amplitude))
}

/// Magnetic moments of the edges: the magnetisation of as many equal parts of the rod as there are
/// rows, times the volume.
fn moments(spec: &RodSpec, rod: &Rod, rows: &[[Number; 3]]) -> Vec<DVec3> {
    let whole: f64 = rod.rest_lengths.iter().sum();
    let mut before = 0.0;
    let edges = rod.rest_lengths.iter().enumerate();
    edges
        .map(|(edge, length)| {
            let middle = (before + 0.5 * length) / whole;
            before += length;
            let row = ((middle * rows.len() as f64) as usize).min(rows.len() - 1);
            let own = (spec.overrides.iter().rev())
                .filter(|o| (o.edges[0]..=o.edges[1]).contains(&edge))
                .find_map(|o| o.section.as_ref());
            let section = own.unwrap_or(&spec.section);
            vector(&rows[row]) * (area(section) * length)
        })
        .collect()
}

/// Area of a section, m^2; of one given by its stiffness, that of a circle of its radius.
fn area(section: &SectionSpec) -> f64 {
    match section {
        SectionSpec::Circle { radius } | SectionSpec::Stiffness { radius, .. } => {
            PI * radius.si().powi(2)
        }
        SectionSpec::Ellipse { a, b } => PI * a.si() * b.si(),
        SectionSpec::Rectangle { a, b } => a.si() * b.si(),
    }
}
