//! A rod of the core from its description.

use glam::DVec3;
use writhe::rod::geometry::parallel_transport;
use writhe::rod::{Material, Rod, RodError, Section};

use super::part;
use super::perturbation::{bend_at_rest, displaced};
use super::twist::InitialTwist;
use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::centreline::{self, vector};
use crate::spec::{EndRef, MaterialSpec, RestSpec, RodSpec, SectionSpec, ShapeSpec};
use crate::tree::Read;

pub(super) fn convert(
    scene: &Scene,
    (index, key): (usize, &str),
    spec: &RodSpec,
) -> Result<Rod, SceneError> {
    let fail = |e: RodError| rod_error(scene, key, e);
    let behind = behind(scene, key, spec)?;
    let section = section(&spec.section, spec.material.as_ref());
    let director = spec.first_director.as_ref().map(vector);
    let through = |shape: &ShapeSpec, director: Option<DVec3>| -> Result<Rod, RodError> {
        let nodes = centreline::nodes(shape, behind);
        if let Some(node) = folded(&nodes, spec.closed) {
            return Err(RodError::Folded { node });
        }
        Rod::at_rest(nodes, section, spec.closed, director)
    };
    let mut rod = through(&spec.shape, director).map_err(fail)?;
    rod = match &spec.rest {
        RestSpec::Initial => rod,
        RestSpec::Straight => rod.straight_at_rest().map_err(fail)?,
        RestSpec::Shape(shape) => {
            let rest_key = part(key, "rest");
            let fail = |e: RodError| scene.error(&rest_key, Problem::Rod(e));
            // The first edge at rest is the initial one, turned no more than it has to be.
            let director = carried_to(shape, behind, &rod).or(director);
            let rest = through(shape, director).map_err(fail)?;
            rod.with_rest_shape_of(&rest).map_err(fail)?
        }
    };
    strains_at_rest(scene, key, spec, &mut rod)?;
    overrides(scene, key, spec, &mut rod)?;
    let twist = InitialTwist::of(scene, key, spec, &rod)?;
    if let Some(perturbation) = &scene.spec.perturbation {
        let at_rest = |nodes| Rod::at_rest(nodes, section, spec.closed, Some(rod.directors[0]));
        let nodes = displaced(&rod.positions, spec.closed, perturbation, index);
        let perfect = at_rest(rod.positions.clone()).map_err(fail)?;
        let crooked = at_rest(nodes).map_err(fail)?;
        bend_at_rest(&mut rod, &twist, [&perfect, &crooked]);
    }
    if let Some([_, last]) = spec.foundation.and_then(|f| f.edges) {
        let problem = Problem::NoSuch {
            item: "edge",
            index: last,
            count: rod.edges(),
        };
        if last >= rod.edges() {
            return Err(scene.error(&part(key, "foundation.edges"), problem));
        }
    }
    if let Some(mass) = spec.edge_mass {
        equal_masses(&mut rod, mass.si());
    }
    twist.apply(&mut rod);
    rod.check().map_err(fail)?;
    Ok(rod)
}

/// The first director of `rod`, carried to the first edge of its rest shape; none where that edge
/// points the other way.
fn carried_to(rest: &ShapeSpec, behind: [bool; 2], rod: &Rod) -> Option<DVec3> {
    let nodes = centreline::nodes(rest, behind);
    let to = (*nodes.get(1)? - *nodes.first()?).try_normalize()?;
    let from = (rod.positions[1] - rod.positions[0]).try_normalize()?;
    let carried = parallel_transport(*rod.directors.first()?, from, to);
    carried.is_finite().then_some(carried)
}

/// Gives vertices the curvatures and twists at rest that are given one by one.
fn strains_at_rest(
    scene: &Scene,
    key: &str,
    spec: &RodSpec,
    rod: &mut Rod,
) -> Result<(), SceneError> {
    let (vertices, edges) = (rod.vertices(), rod.edges());
    let check = |name: &str, count: usize| {
        if count == vertices {
            return Ok(());
        }
        let message = format!("`{name}` has {count} rows, and the rod has {vertices} vertices");
        let remedy =
            "give one row for each node but the ends of an open rod, from the second node on";
        Err(scene.error(&part(key, name), Problem::conflict(message, remedy)))
    };
    // Half the lengths of both edges at rest: what the strain of a vertex belongs to.
    let lengths = &rod.rest_lengths;
    let length = |vertex: usize| 0.5 * (lengths[vertex] + lengths[(vertex + 1) % edges]);
    if let Some(rows) = &spec.rest_curvature {
        check("rest_curvature", rows.len())?;
        let integrated = rows.iter().enumerate();
        rod.rest_curvature = integrated
            .map(|(vertex, row)| row.map(|curvature| curvature.si() * length(vertex)))
            .collect();
    }
    if let Some(rows) = &spec.rest_twist {
        check("rest_twist", rows.len())?;
        let integrated = rows.iter().enumerate();
        rod.rest_twist = integrated
            .map(|(vertex, twist)| twist.si() * length(vertex))
            .collect();
    }
    Ok(())
}

/// The first node at which an edge turns back on the one before it.
fn folded(nodes: &[DVec3], closed: bool) -> Option<usize> {
    let n = nodes.len();
    let inner = if closed { 0..n } else { 1..n.saturating_sub(1) };
    let edge = |i: usize| (nodes[(i + 1) % n] - nodes[i % n]).normalize_or_zero();
    inner
        .into_iter()
        .find(|i| edge(i + n - 1).dot(edge(*i)) < -1.0 + 1e-12)
}

/// At which ends half an edge lies outside the stated shape.
fn behind(scene: &Scene, key: &str, spec: &RodSpec) -> Result<[bool; 2], SceneError> {
    let mut behind = [false; 2];
    let last = centreline::nodes(&spec.shape, behind)
        .len()
        .saturating_sub(2);
    for (i, clamp) in spec.clamps.iter().enumerate().filter(|(_, c)| c.half_edge) {
        let end = match clamp.edge {
            EndRef::First | EndRef::Index(0) => Some(0),
            EndRef::Last => Some(1),
            EndRef::Index(e) => (e == last).then_some(1),
        };
        match end.filter(|_| !spec.closed && last > 0) {
            Some(end) => behind[end] = true,
            None => {
                let message = "only the first and last edge of an open rod of at least 2 edges can lie half behind \
                               the clamp plane";
                let remedy = "remove `half_edge`, or clamp edge \"first\" or \"last\"";
                let key = part(key, &format!("clamps[{i}].half_edge"));
                return Err(scene.error(&key, Problem::conflict(message, remedy)));
            }
        }
    }
    Ok(behind)
}

/// Sections of single edges: each override changes what the ones before it made of its edges.
fn overrides(scene: &Scene, key: &str, spec: &RodSpec, rod: &mut Rod) -> Result<(), SceneError> {
    let count = rod.edges();
    let mut of_edges = vec![(spec.section, spec.material); count];
    // Before those that are written come those that lists and tables of the rod itself make.
    let place = |i: usize| part(key, &format!("overrides[{i}]"));
    let all = spec.overrides.len();
    let made = all - (0..all).take_while(|i| scene.has(&place(*i))).count();
    for (i, o) in spec.overrides.iter().enumerate() {
        let key = i.checked_sub(made).map_or(key.to_owned(), place);
        if o.edges[1] >= count {
            let problem = Problem::NoSuch {
                item: "edge",
                index: o.edges[1],
                count,
            };
            return Err(scene.error(&format!("{key}.edges"), problem));
        }
        let own = o.edges[0]..=o.edges[1];
        let edges = of_edges[own.clone()].iter_mut().zip(&mut rod.sections[own]);
        for ((shape, material), made) in edges {
            *shape = o.section.unwrap_or(*shape);
            *material = o.material.or(*material);
            if material.is_none() && !matches!(shape, SectionSpec::Stiffness { .. }) {
                let name = "material".to_owned();
                let problem = Problem::Missing {
                    name,
                    wanted: MaterialSpec::wanted(),
                };
                return Err(scene.error(&format!("{key}.material"), problem));
            }
            *made = section(shape, material.as_ref());
        }
    }
    Ok(())
}

/// Gives every edge the same mass, kg, and scales its inertia alike.
fn equal_masses(rod: &mut Rod, mass: f64) {
    for (section, length) in rod.sections.iter_mut().zip(&rod.rest_lengths) {
        let factor = mass / (section.mass_per_length * length);
        section.mass_per_length *= factor;
        section.inertia_per_length *= factor;
    }
}

/// Section of the core; without a material, stiffnesses are zero and the core refuses them.
fn section(spec: &SectionSpec, material: Option<&MaterialSpec>) -> Section {
    let material = material.map_or(
        Material {
            young: 0.0,
            shear: 0.0,
            density: 0.0,
        },
        |m| Material {
            young: m.young.si(),
            shear: m.shear_modulus(),
            density: m.density.si(),
        },
    );
    match *spec {
        SectionSpec::Circle { radius } => Section::circle(material, radius.si()),
        SectionSpec::Ellipse { a, b } => Section::ellipse(material, a.si(), b.si()),
        SectionSpec::Rectangle { a, b } => Section::rectangle(material, a.si(), b.si()),
        SectionSpec::Stiffness {
            ea,
            ei1,
            ei2,
            gj,
            mass_per_length,
            inertia_per_length,
            radius,
        } => Section {
            ea: ea.si(),
            ei1: ei1.si(),
            ei2: ei2.si(),
            gj: gj.si(),
            mass_per_length: mass_per_length.si(),
            inertia_per_length: inertia_per_length.si(),
            radius: radius.si(),
        },
    }
}

/// What is wrong with a rod, under the key that causes it.
pub(super) fn rod_error(scene: &Scene, key: &str, error: RodError) -> SceneError {
    let shape = |node: usize| {
        let listed = part(key, &format!("shape.nodes[{node}]"));
        if scene.has(&listed) {
            listed
        } else {
            part(key, "shape")
        }
    };
    let at = match &error {
        RodError::TooFewNodes { .. } => part(key, "shape"),
        RodError::NotFinite { node, .. } | RodError::Folded { node } => shape(*node),
        RodError::Coincident { next, .. } => shape(*next),
        RodError::Section { .. } => part(key, "section"),
        RodError::Length { .. } => part(key, "rest"),
        RodError::EdgeValue { name, edge, .. } if name.contains("director") => {
            let message = format!("the first director lies along edge {edge}");
            let problem = Problem::conflict(message, "choose another direction, across the rod");
            return scene.error(&part(key, "first_director"), problem);
        }
        RodError::EdgeValue { .. } | RodError::RestTwist { .. } => part(key, "rest"),
    };
    scene.error(&at, Problem::Rod(error))
}

/// Distance of a point from an axis, m.
pub(crate) fn distance_from_axis(x: DVec3, point: DVec3, axis: DVec3) -> f64 {
    let axis = axis.normalize_or(DVec3::X);
    (x - point).cross(axis).length()
}
