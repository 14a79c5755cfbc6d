//! A straight rod, clamped, twisted and shortened, in its localized helical shape (catalogue 2.1,
//! B08 Fig. 7).

use glam::DVec3;
use writhe::model::{BendingModel, ModelBuilder};
use writhe::rod::{Rod, Section};
use writhe::schedule::{Motion, Schedule};
use writhe::simulation::Simulation;

use super::statics::{positions, settle_from};
use crate::case::CaseError;
use crate::reference::localized_buckling::{Imposed, LocalizedBuckling};

/// Stretching stiffness over the tension: the strain is 1e-6.
const STIFF: f64 = 1e6;

/// Rest lengths of `edges` edges of a rod of this length between the middles of its end edges,
/// which are where their clamps act; with `graded` those of the second half are half as long.
pub fn edge_lengths(length: f64, edges: usize, graded: bool) -> Vec<f64> {
    let first = if graded { edges.div_ceil(3) } else { edges / 2 };
    let second = edges - first;
    let half = |count: usize| 0.5 * length / (count as f64 - 0.5);
    if graded {
        let mut lengths = vec![half(first); first];
        lengths.extend(vec![half(second); second]);
        lengths
    } else {
        vec![length / (edges as f64 - 1.0); edges]
    }
}

/// Equilibrium of a rod of these edges whose first end is turned, with this bending: it starts near
/// the shape of theory.
///
/// # Errors
/// No equilibrium.
pub fn equilibrium(
    imposed: &Imposed,
    lengths: &[f64],
    bending: BendingModel,
) -> Result<Simulation, CaseError> {
    let theory = imposed.shape();
    let edges = lengths.len();
    let section = Section {
        ea: STIFF * theory.tension(),
        ei1: imposed.alpha,
        ei2: imposed.alpha,
        gj: imposed.beta,
        mass_per_length: 1.0,
        inertia_per_length: 1e-4,
        radius: 0.01,
    };
    let nodes = start(imposed, &theory, lengths);
    let mut rod = Rod::at_rest(nodes, section, false, Some(DVec3::Y))?.straight_at_rest()?;
    rod.rest_lengths = lengths.to_vec();
    // Both ends lie along x. The last director becomes parallel to the first by the smallest turn,
    // the angle that the shape writhes; whole turns are added to the unknowns, which know no
    // period.
    let last = rod.directors[edges - 1];
    let writhe = last.cross(DVec3::Y).x.atan2(last.y);
    let whole = imposed.rotation;
    let per_vertex = (whole + writhe) / (edges as f64 - 1.0);
    let (model, mut state) = ModelBuilder::new()
        .rod(rod)
        .bending(bending)
        .clamp(0, 0, Motion::Still)
        .hold_node(0, edges - 1, [true; 3], Motion::Still)
        .hold_node(0, edges, [true; 3], Motion::Still)
        .hold_angle(0, edges - 1, Schedule::Constant(whole + writhe))
        .build()?;
    for (edge, dof) in model.topology.edge_dof.iter().enumerate() {
        state.q[*dof] = per_vertex * edge as f64;
    }
    settle_from(model, state)
}

/// Nodes near the shape of theory, their end edges on the axis and at the distance imposed.
fn start(imposed: &Imposed, theory: &LocalizedBuckling, lengths: &[f64]) -> Vec<DVec3> {
    let middles = middles(lengths);
    let s: Vec<f64> = middles.iter().map(|s| s - 0.5 * imposed.length).collect();
    let mut tangents = theory.tangents(&s);
    let last = tangents.len() - 1;
    tangents[0] = DVec3::X;
    tangents[last] = DVec3::X;
    let mut nodes = vec![DVec3::X * (-0.5 * lengths[0])];
    for (t, l) in tangents.iter().zip(lengths) {
        nodes.push(nodes[nodes.len() - 1] + *t * *l);
    }
    // What is missing to the end is spread over the inner edges.
    let end = DVec3::X * (imposed.length - imposed.shortening + 0.5 * lengths[last]);
    let missing = end - nodes[last + 1];
    for (i, x) in nodes.iter_mut().enumerate().skip(2) {
        *x += missing * ((i as f64 - 1.0) / (last as f64 - 1.0)).min(1.0);
    }
    nodes
}

/// Arc length of each edge's middle from that of the first, m.
fn middles(lengths: &[f64]) -> Vec<f64> {
    let mut middles = vec![0.0];
    for pair in lengths.windows(2) {
        middles.push(middles[middles.len() - 1] + 0.5 * (pair[0] + pair[1]));
    }
    middles
}

/// The envelope of a buckled rod.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// Largest angle of the tangent to the axis, rad, by a parabola through the largest three.
    pub phi0: f64,
    /// Distance of each edge's middle from the place of the largest angle, over the theory's s*,
    /// ascending.
    pub s: Vec<f64>,
    /// `(cos phi - cos phi0)/(1 - cos phi0)` of each edge.
    pub f: Vec<f64>,
}

impl Envelope {
    /// That of a rod with these rest lengths whose theory has the envelope's length `scale`, m.
    pub fn of(simulation: &Simulation, lengths: &[f64], scale: f64) -> Self {
        Self::of_nodes(&positions(simulation), lengths, scale)
    }

    /// The same of a rod through these nodes, m.
    pub fn of_nodes(nodes: &[DVec3], lengths: &[f64], scale: f64) -> Self {
        let cosines: Vec<f64> = nodes
            .windows(2)
            .map(|e| (e[1] - e[0]).normalize().x)
            .collect();
        let s = middles(lengths);
        let lowest = (1..cosines.len() - 1)
            .min_by(|a, b| cosines[*a].total_cmp(&cosines[*b]))
            .unwrap_or(1);
        let three = [lowest - 1, lowest, lowest + 1];
        let (middle, cos_phi0) = vertex_of_parabola(three.map(|i| (s[i], cosines[i])));
        Self {
            phi0: cos_phi0.acos(),
            s: s.iter().map(|s| (s - middle) / scale).collect(),
            f: cosines
                .iter()
                .map(|cos| (cos - cos_phi0) / (1.0 - cos_phi0))
                .collect(),
        }
    }

    /// Largest and root mean square distance from tanh^2 on |s/s*| <= 3.
    pub fn errors(&self) -> [f64; 2] {
        let near = self.s.iter().zip(&self.f).filter(|(s, _)| s.abs() <= 3.0);
        let off: Vec<f64> = near.map(|(s, f)| (f - s.tanh().powi(2)).abs()).collect();
        let largest = off.iter().copied().fold(0.0, f64::max);
        let squares: f64 = off.iter().map(|x| x * x).sum();
        [largest, (squares / off.len() as f64).sqrt()]
    }
}

/// Place and value of the extremum of the parabola through three points.
fn vertex_of_parabola(points: [(f64, f64); 3]) -> (f64, f64) {
    let [(a, fa), (b, fb), (c, fc)] = points;
    let first = (fb - fa) / (b - a);
    let second = ((fc - fb) / (c - b) - first) / (c - a);
    let place = 0.5 * (a + b) - 0.5 * first / second;
    (place, fa + (place - a) * (first + (place - b) * second))
}

/// Twist of all vertices together, rad: what the ends are turned less what the shape writhes.
pub fn total_twist(simulation: &Simulation) -> f64 {
    let (model, state) = (&simulation.model, &simulation.state);
    let angle = |edge: usize| state.q[model.topology.edge_dof[edge]];
    let last = model.topology.edges() - 1;
    angle(last) - angle(0) + state.frames.twist.iter().sum::<f64>()
}
