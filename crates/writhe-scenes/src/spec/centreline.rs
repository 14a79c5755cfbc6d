//! Node positions of shapes.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::spec::{ArcSpec, Direction, HelixSpec, Point, RingSpec, ShapeSpec, StraightSpec};
use crate::units::{Length, Quantity};

/// The components of a vector, in SI.
pub(crate) fn vector<const M: i32, const KG: i32, const S: i32, const RAD: i32>(
    v: &[Quantity<M, KG, S, RAD>; 3],
) -> DVec3 {
    DVec3::from_array(v.map(Quantity::si))
}

/// A point as a scene has it.
pub(crate) fn place(x: DVec3) -> Point {
    x.to_array().map(Length::new)
}

/// A rod through these points, m.
pub(crate) fn through(nodes: &[DVec3]) -> ShapeSpec {
    ShapeSpec::Nodes(nodes.iter().copied().map(place).collect())
}

/// Nodes of a shape, m. `behind` says at which ends half an edge lies outside the shape, so that a
/// clamp of that edge acts at the shape's end: curves are cut into edges of
/// `length / (edges - 1/2)`, lists of nodes have their end node reflected.
pub(crate) fn nodes(shape: &ShapeSpec, behind: [bool; 2]) -> Vec<DVec3> {
    match shape {
        ShapeSpec::Straight(s) => cut(s.edges, behind, |u| straight(s, u)),
        ShapeSpec::Arc(s) => cut(s.edges, behind, |u| arc(s, u)),
        ShapeSpec::Helix(s) => cut(s.edges, behind, |u| helix(s, u)),
        ShapeSpec::Ring(s) => ring(s),
        ShapeSpec::Nodes(nodes) => reflected(nodes.iter().map(vector).collect(), behind),
    }
}

/// Nodes at equal steps of the curve's parameter, which is 0 at its start and 1 at its end.
fn cut(edges: usize, behind: [bool; 2], at: impl Fn(f64) -> DVec3) -> Vec<DVec3> {
    let [start, end] = behind.map(|b| if b { 0.5 } else { 0.0 });
    let within = edges as f64 - start - end;
    (0..=edges)
        .map(|k| at((k as f64 - start) / within))
        .collect()
}

fn reflected(mut nodes: Vec<DVec3>, behind: [bool; 2]) -> Vec<DVec3> {
    let n = nodes.len();
    if n >= 2 {
        let (first, last) = (2.0 * nodes[0] - nodes[1], 2.0 * nodes[n - 1] - nodes[n - 2]);
        if behind[0] {
            nodes[0] = first;
        }
        if behind[1] {
            nodes[n - 1] = last;
        }
    }
    nodes
}

fn straight(s: &StraightSpec, u: f64) -> DVec3 {
    let (from, to) = (vector(&s.from), vector(&s.to));
    from * (1.0 - u) + to * u
}

/// Part of `d` normal to the unit vector `axis`, of length 1.
fn across(d: &Direction, axis: DVec3) -> DVec3 {
    let d = vector(d).normalize();
    (d - axis * axis.dot(d)).normalize()
}

fn arc(s: &ArcSpec, u: f64) -> DVec3 {
    let tangent = vector(&s.tangent).normalize();
    let towards = across(&s.towards, tangent);
    let (sin, cos) = (s.angle.si() * u).sin_cos();
    vector(&s.from) + s.radius.si() * (tangent * sin + towards * (1.0 - cos))
}

fn helix(s: &HelixSpec, u: f64) -> DVec3 {
    let axis = vector(&s.axis).normalize();
    let start = across(&s.start, axis);
    let side = axis.cross(start) * if s.left_handed { -1.0 } else { 1.0 };
    let turns = s.turns.si() * u;
    let (sin, cos) = (TAU * turns).sin_cos();
    vector(&s.center) + axis * (s.pitch.si() * turns) + s.radius.si() * (start * cos + side * sin)
}

/// Nodes of a ring with edges of equal length.
pub(crate) fn ring(s: &RingSpec) -> Vec<DVec3> {
    let axis = vector(&s.axis).normalize();
    let start = across(&s.start, axis);
    let side = axis.cross(start);
    let place = |[x, y]: [f64; 2]| vector(&s.center) + start * x + side * y;
    let plane = if s.aspect.si() == 1.0 {
        let on_circle = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / s.edges as f64).sin_cos();
            [s.radius.si() * cos, s.radius.si() * sin]
        };
        (0..s.edges).map(on_circle).collect()
    } else {
        ellipse(s)
    };
    plane.into_iter().map(place).collect()
}

/// Points of an ellipse at equal arcs, scaled to the perimeter of the circle's polygon.
fn ellipse(s: &RingSpec) -> Vec<[f64; 2]> {
    let n = s.edges;
    let fine = (4_000_000 / n).clamp(4, 64);
    let at = |t: f64| [t.cos(), s.aspect.si() * t.sin()];
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let parameter = |k: usize| TAU * k as f64 / (fine * n) as f64;
    let mut arc = vec![0.0];
    for k in 0..fine * n {
        let step = distance(at(parameter(k)), at(parameter(k + 1)));
        arc.push(arc[k] + step);
    }
    let whole = arc[fine * n];
    let points: Vec<[f64; 2]> = (0..n)
        .map(|i| {
            let wanted = whole * i as f64 / n as f64;
            let k = arc.partition_point(|a| *a <= wanted).clamp(1, fine * n);
            let part = (wanted - arc[k - 1]) / (arc[k] - arc[k - 1]);
            at(parameter(k - 1) + part * (parameter(k) - parameter(k - 1)))
        })
        .collect();
    let perimeter: f64 = (0..n)
        .map(|i| distance(points[i], points[(i + 1) % n]))
        .sum();
    let scale = 2.0 * n as f64 * s.radius.si() * (PI / n as f64).sin() / perimeter;
    points
        .into_iter()
        .map(|[x, y]| [x * scale, y * scale])
        .collect()
}
