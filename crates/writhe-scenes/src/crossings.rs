//! Joints of rods wherever two of them cross: the nodes of a net.
//!
//! Two rods cross where their centrelines come nearest to each other, and near enough. An edge of
//! each is welded to the joint: those that come nearest, the first of several.

use glam::DVec3;

use crate::copies::is_copy_of;
use crate::error::{Problem, SceneError};
use crate::spec::centreline::place;
use crate::spec::{BodySpec, EndRef, Places, RodRef, RodSpec, WeldCrossings, WeldSpec, radius};
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
    let lines: Vec<Line> = chosen
        .iter()
        .map(|rod| Line::new(*rod, &rods[*rod]))
        .collect();
    let mut found = Vec::new();
    for (k, a) in lines.iter().enumerate() {
        for b in &lines[k + 1..] {
            let reach = spec
                .within
                .map_or(APART * (a.radius + b.radius), |w| w.si());
            found.extend(crossings(a, b, reach));
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
        BodySpec::joint(place(joint.point), welds.collect())
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

/// A centreline.
struct Line {
    rod: usize,
    nodes: Vec<DVec3>,
    closed: bool,
    radius: f64,
    bounds: [DVec3; 2],
}

impl Line {
    fn new(rod: usize, spec: &RodSpec) -> Self {
        let nodes = Places::nodes(&spec.shape, spec.closed, &spec.clamps);
        let low = nodes.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = nodes.iter().copied().reduce(DVec3::max).unwrap_or_default();
        Self {
            rod,
            nodes,
            closed: spec.closed,
            radius: radius(&spec.section),
            bounds: [low, high],
        }
    }

    fn edges(&self) -> usize {
        match self.closed {
            true => self.nodes.len(),
            false => self.nodes.len().saturating_sub(1),
        }
    }

    fn edge(&self, edge: usize) -> [DVec3; 2] {
        [self.nodes[edge], self.nodes[(edge + 1) % self.nodes.len()]]
    }
}

struct Crossing {
    edges: [(usize, usize); 2],
    point: DVec3,
}

/// Where two rods cross: pairs of edges within reach of each other, of which those that lie beside
/// each other are one crossing, at the nearest of them.
fn crossings(a: &Line, b: &Line, reach: f64) -> Vec<Crossing> {
    let near = |x: [DVec3; 2], y: [DVec3; 2]| {
        let reach = DVec3::splat(reach);
        (x[0].min(x[1]) - reach).cmple(y[0].max(y[1])).all()
            && (y[0].min(y[1]) - reach).cmple(x[0].max(x[1])).all()
    };
    if !near(a.bounds, b.bounds) {
        return Vec::new();
    }
    let mut hits: Vec<([usize; 2], f64, DVec3)> = Vec::new();
    for i in (0..a.edges()).filter(|i| near(a.edge(*i), b.bounds)) {
        for j in (0..b.edges()).filter(|j| near(a.edge(i), b.edge(*j))) {
            let [x, y] = nearest(a.edge(i), b.edge(j));
            let distance = x.distance(y);
            if distance <= reach {
                hits.push(([i, j], distance, 0.5 * (x + y)));
            }
        }
    }
    let beside = |p: [usize; 2], q: [usize; 2]| {
        let step = |p: usize, q: usize, line: &Line| {
            let step = p.abs_diff(q);
            step <= 1 || line.closed && step == line.edges() - 1
        };
        step(p[0], q[0], a) && step(p[1], q[1], b)
    };
    let mut found = Vec::new();
    while let Some(first) = hits.pop() {
        let mut group = vec![first];
        let mut next = 0;
        while next < group.len() {
            let at = group[next].0;
            let (more, others) = hits.into_iter().partition(|hit| beside(at, hit.0));
            hits = others;
            group.extend(more);
            next += 1;
        }
        // Of pairs that are as near as each other to rounding, the first.
        let least = group.iter().map(|hit| hit.1).fold(f64::INFINITY, f64::min);
        let slack = 1e-9 * reach;
        let best = group
            .into_iter()
            .filter(|hit| hit.1 <= least + slack)
            .min_by_key(|hit| hit.0);
        found.extend(best.map(|([i, j], _, point)| Crossing {
            edges: [(a.rod, i), (b.rod, j)],
            point,
        }));
    }
    found.sort_by_key(|crossing| crossing.edges);
    found
}

/// The points of two segments that are nearest to each other.
fn nearest([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let determinant = uu * vv - uv * uv;
    let mut s = match determinant > 1e-12 * uu * vv {
        true => ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0),
        false => 0.0,
    };
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    [a + u * s, c + v * t]
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
