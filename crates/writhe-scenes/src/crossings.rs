//! Joints of rods wherever two of them cross: the nodes of a net.
//!
//! Two rods cross where their centrelines come nearest to each other, and near enough. An edge of
//! each is welded to the joint: those that come nearest, the first of several.

use glam::DVec3;
use writhe::kernels::polyline::{Approach, Polyline};

use crate::copies::is_copy_of;
use crate::error::{Problem, SceneError};
use crate::spec::centreline::place;
use crate::spec::{BodySpec, EndRef, RodRef, RodSpec, WeldCrossings, WeldSpec, radius};
use crate::tree::At;

/// How much farther than in touch two rods may be from each other, of their radii.
const APART: f64 = 1.1;

/// A joint for each crossing; `at` is where messages point to.
pub(crate) fn joints(
    at: &At,
    spec: &WeldCrossings,
    rods: &[RodSpec],
) -> Result<Vec<BodySpec>, SceneError> {
    let chosen = chosen(at, spec, rods)?;
    let line = |rod: &usize| (*rod, rods[*rod].centreline(), radius(&rods[*rod].section));
    let lines: Vec<(usize, Polyline, f64)> = chosen.iter().map(line).collect();
    let mut found = Vec::new();
    for (k, a) in lines.iter().enumerate() {
        for b in &lines[k + 1..] {
            let reach = spec.within.map_or(APART * (a.2 + b.2), |w| w.si());
            found.extend(crossings((a.0, &a.1), (b.0, &b.1), reach));
        }
    }
    if found.is_empty() {
        let message = "no two rods come near enough to each other to cross";
        let remedy = "say how near: weld_crossings = { within = \"1 mm\" }, or leave it out";
        return at.fail(Problem::conflict(message, remedy));
    }
    let joints = gathered(found);
    apart(at, &joints)?;
    let body = |joint: &Joint| {
        let welds = joint.edges.iter();
        let welds = welds.map(|(rod, edge)| WeldSpec::new(*rod, EndRef::Index(*edge)));
        BodySpec::of_joint(place(joint.point), welds.collect())
    };
    Ok(joints.iter().map(body).collect())
}

/// The rods that are named, or all.
fn chosen(at: &At, spec: &WeldCrossings, rods: &[RodSpec]) -> Result<Vec<usize>, SceneError> {
    let Some(named) = &spec.rods else {
        return Ok((0..rods.len()).collect());
    };
    let mut chosen = Vec::new();
    for rod in named {
        let is = |index: &usize| match rod {
            RodRef::Index(wanted) => index == wanted,
            RodRef::Name(wanted) => {
                let name = rods[*index].name.as_deref();
                name.is_some_and(|name| name == wanted || is_copy_of(name, wanted))
            }
        };
        let meant: Vec<usize> = (0..rods.len()).filter(is).collect();
        if meant.is_empty() {
            let called = match rod {
                RodRef::Index(index) => format!("there is no rod {index}"),
                RodRef::Name(name) => format!("there is no rod `{name}`"),
            };
            let remedy = format!("use names of rods, or numbers from 0 to {}", rods.len() - 1);
            return at.fail(Problem::conflict(called, remedy));
        }
        chosen.extend(meant);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

struct Crossing {
    edges: [(usize, usize); 2],
    point: DVec3,
}

/// Where two rods cross: pairs of edges within reach of each other, of which those that lie beside
/// each other are one crossing, at the nearest of them.
fn crossings(
    (rod, a): (usize, &Polyline),
    (other, b): (usize, &Polyline),
    reach: f64,
) -> Vec<Crossing> {
    let mut hits: Vec<Approach> = a.approaches(b, reach).collect();
    let beside = |p: [usize; 2], q: [usize; 2]| a.adjoin(p[0], q[0]) && b.adjoin(p[1], q[1]);
    let mut found = Vec::new();
    while let Some(first) = hits.pop() {
        let mut group = vec![first];
        let mut next = 0;
        while next < group.len() {
            let at = group[next].edges;
            let (more, others) = hits.into_iter().partition(|hit| beside(at, hit.edges));
            hits = others;
            group.extend(more);
            next += 1;
        }
        // Of pairs that are as near as each other to rounding, the first.
        let distances = group.iter().map(|hit| hit.distance);
        let least = distances.fold(f64::INFINITY, f64::min);
        let slack = 1e-9 * reach;
        let best = group
            .into_iter()
            .filter(|hit| hit.distance <= least + slack)
            .min_by_key(|hit| hit.edges);
        found.extend(best.map(|hit| Crossing {
            edges: [(rod, hit.edges[0]), (other, hit.edges[1])],
            point: hit.middle,
        }));
    }
    found.sort_by_key(|crossing| crossing.edges);
    found
}

struct Joint {
    edges: Vec<(usize, usize)>,
    point: DVec3,
}

/// Crossings with an edge in common are one joint: three rods that cross in one point.
fn gathered(found: Vec<Crossing>) -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::new();
    for crossing in found {
        let shares = |joint: &&mut Joint| crossing.edges.iter().any(|e| joint.edges.contains(e));
        match joints.iter_mut().find(shares) {
            Some(joint) => {
                let new = crossing.edges.into_iter();
                let new: Vec<_> = new.filter(|e| !joint.edges.contains(e)).collect();
                joint.edges.extend(new);
            }
            None => joints.push(Joint {
                edges: crossing.edges.to_vec(),
                point: crossing.point,
            }),
        }
    }
    joints
}

/// Refuses joints that have two edges of a rod, or neighbouring ones of it.
fn apart(at: &At, joints: &[Joint]) -> Result<(), SceneError> {
    let mut edges: Vec<((usize, usize), usize)> = Vec::new();
    for (k, joint) in joints.iter().enumerate() {
        edges.extend(joint.edges.iter().map(|edge| (*edge, k)));
    }
    edges.sort_unstable();
    let close = edges.windows(2).find(|w| {
        let [((rod, edge), _), ((next, other), _)] = [w[0], w[1]];
        rod == next && other - edge <= 1
    });
    match close {
        None => Ok(()),
        Some(w) => {
            let [((rod, edge), _), ((_, other), _)] = [w[0], w[1]];
            let message = format!(
                "rod {rod} crosses others at edges {edge} and {other}, which are one or have a node in common"
            );
            let remedy = "give the rods more edges, three at least from one crossing to the next";
            at.fail(Problem::conflict(message, remedy))
        }
    }
}
