//! How large a step symplectic Euler may take.
//!
//! With `x'' = -K x - D x'` it is stable while `dt^2 K + 2 dt D < 4` (K, D the largest eigenvalues
//! in the metric of the masses). Lengths are kept by the projection, so of elasticity only bending
//! and twisting count.
//!
//! A vertex with bending stiffness k, turning angle phi and twisting moment T has the energy
//! `k/2 |g . x|^2 / cos^4(phi/2)`, `g = (-1/l-, 1/l- + 1/l+, -1/l+)`, and, from the twist's second
//! derivative, at most `|T| / (4 l- l+) (|e-|^2 + |e+|^2)`. Give each vertex its part of its nodes'
//! masses (`m/c`, with c vertices at the node): no eigenvalue of the whole is larger than the
//! largest of a vertex alone (Fried 1972), which is at most its trace, the sum over its nodes of
//! `c/m (k g^2 + |T| n / (2 l- l+))` with the node's n edges. For a uniform straight rod without
//! twist that is 18 k/(m l^2), where the largest eigenvalue is 16 k/(m l^2). Nodes welded to a body
//! move as one: in place of theirs stands `c (|sum g|^2/M + |sum g r|^2/I)` of the body, I its
//! smallest moment, c the vertices at it; and twisting over I, with the arms of the body's nodes,
//! where a node of the vertex is welded, whichever of its edges is: that only lowers the step. Of
//! loads, the largest sum of a row.

use glam::DVec3;

use crate::assembly::{Blocks, Trial};
use crate::forces::{Acting, loads, twist};
use crate::model::Model;
use crate::rod::Kinematics;
use crate::rod::strain::VertexGeometry;

/// Sums of the magnitudes in each row, and which unknowns are angles.
struct Rows<'a> {
    sums: Vec<f64>,
    angle: &'a [bool],
}

impl Blocks for Rows<'_> {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        for (dof, row) in dofs.iter().zip(values.chunks_exact(dofs.len())) {
            let moved = row.iter().zip(dofs).filter(|(_, d)| !self.angle[**d]);
            self.sums[*dof] += moved.map(|(v, _)| v.abs()).sum::<f64>();
        }
    }
}

/// Largest stable step, s, at a trial; infinite where nothing pulls back. `weight` is the inverse
/// mass of every unknown, `(dofs)`.
pub(super) fn largest_step(model: &Model, at: &Trial, weight: &[f64]) -> f64 {
    let rows = |rate: f64| {
        let mut rows = Rows {
            sums: vec![0.0; model.topology.dofs],
            angle: &model.topology.angle,
        };
        for load in loads(model, Acting::All) {
            load.add_stiffness(&Trial { rate, ..*at }, &mut rows);
        }
        let nodes = rows.sums.iter().zip(weight).zip(rows.angle);
        let rates = nodes
            .filter(|(_, angle)| !**angle)
            .map(|((sum, w), _)| sum * w);
        rates.fold(0.0, f64::max)
    };
    // `add_stiffness` gives K + rate D: with rate 1 the difference is D.
    let still = rows(0.0);
    let stiffness = elastic(model, at.kinematics, at.q, weight) + still;
    let damping = (rows(1.0) - still).max(0.0);
    // The root of dt^2 K + 2 dt D = 4.
    4.0 / (damping + (damping * damping + 4.0 * stiffness).sqrt())
}

/// Bound of the largest eigenvalue of bending and twisting in the metric of the masses, 1/s^2.
fn elastic(model: &Model, kinematics: &Kinematics, q: &[f64], weight: &[f64]) -> f64 {
    let topology = &model.topology;
    let mut shares = vec![0.0_f64; topology.nodes()];
    for node in topology.vertex_nodes.iter().flatten() {
        // c: how many vertices share the mass of a node.
        shares[*node] += 1.0;
    }
    let bodies = AtBodies::new(model);
    let of_vertex = |vertex: usize| {
        let [l, r] = topology.vertex_edges[vertex].map(|e| model.rest_length[e]);
        let elasticity = model.elasticity(vertex);
        let [minus, plus] = topology.vertex_edges[vertex].map(|e| kinematics.edge(e));
        let geometry = VertexGeometry::new(&minus, &plus);
        let tau = twist(model, kinematics, q, vertex);
        let (_, [_, torque]) = elasticity.strain_and_moments(&geometry, tau);
        let [stiffness, twisting] = elasticity.largest_stiffness();
        // 1/cos^2(phi/2)
        let turned = 2.0 / geometry.chi();
        let g = [1.0 / l, -1.0 / l - 1.0 / r, 1.0 / r];
        let bent = stiffness * turned * turned;
        let twisted = torque.abs() / (2.0 * l * r);
        let node = |k: usize| {
            let node = topology.vertex_nodes[vertex][k];
            let dof = topology.node_dof[node];
            let lightest = weight[dof].max(weight[dof + 1]).max(weight[dof + 2]);
            let edges = [1.0, 2.0, 1.0][k];
            // c/m (k g^2 + |T| n / (2 l- l+))
            shares[node] * lightest * (bent * g[k] * g[k] + twisted * edges)
        };
        let of_nodes: f64 = (0..3).map(node).sum();
        let of_bodies = bodies.at(&topology.vertex_nodes[vertex]).map(|index| {
            let body = &bodies.list[index];
            let (mut sum, mut lever, mut arms) = (0.0, DVec3::ZERO, 0.0);
            for (k, node) in topology.vertex_nodes[vertex].iter().enumerate() {
                if let Some((_, arm)) = bodies.owner[*node].filter(|(b, _)| *b == index) {
                    sum += g[k];
                    lever += arm * g[k];
                    arms += 2.0 * (1.0 / body.mass + arm.length_squared() / body.moment);
                }
            }
            // c (|sum g|^2/M + |sum g r|^2/I), and twist by arms and by the turn of welded edges.
            let by_bending = sum * sum / body.mass + lever.length_squared() / body.moment;
            body.share * (bent * by_bending + twisted * arms + twisting / body.moment)
        });
        of_nodes + of_bodies.sum::<f64>()
    };
    (0..topology.vertices()).map(of_vertex).fold(0.0, f64::max)
}

/// Bodies that may move, and what is welded to them.
struct AtBodies {
    list: Vec<AtBody>,
    /// Of each node, its body in the list and its arm there, m; empty without bodies.
    owner: Vec<Option<(usize, DVec3)>>,
}

struct AtBody {
    mass: f64,
    /// A lower bound of the smallest principal moment, kg m^2.
    moment: f64,
    /// Vertices at it.
    share: f64,
}

impl AtBodies {
    fn new(model: &Model) -> Self {
        let topology = &model.topology;
        let fixed = model.constraints.fixed();
        let all = model.bodies.list.iter().zip(&topology.body_dof);
        let free = all.filter(|(_, dof)| (**dof..**dof + 6).any(|dof| !fixed[dof]));
        let mut bodies = Self {
            list: Vec::new(),
            owner: vec![None; topology.nodes()],
        };
        for (index, (assembly, _)) in free.enumerate() {
            for welded in &assembly.nodes {
                bodies.owner[welded.node] = Some((index, welded.arm));
            }
            let inverse = assembly.inertia.inverse().to_cols_array();
            bodies.list.push(AtBody {
                mass: assembly.mass,
                // 1 / tr(J^-1) is not above the smallest moment.
                moment: 1.0 / inverse.iter().step_by(4).sum::<f64>(),
                share: 0.0,
            });
        }
        for nodes in &topology.vertex_nodes {
            let at: Vec<usize> = bodies.at(nodes).collect();
            at.iter().for_each(|body| bodies.list[*body].share += 1.0);
        }
        bodies
    }

    /// The bodies that have some of the nodes of a vertex, each once.
    fn at<'a>(&'a self, nodes: &'a [usize; 3]) -> impl Iterator<Item = usize> + 'a {
        let body = |node: usize| self.owner[node].map(|(body, _)| body);
        let first = move |k: usize| (0..k).all(|j| body(nodes[j]) != body(nodes[k]));
        let new = (0..3).filter(move |k| first(*k));
        new.filter_map(move |k| body(nodes[k]))
    }
}
