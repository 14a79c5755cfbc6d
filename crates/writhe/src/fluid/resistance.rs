//! An approximate inverse of a mobility that is as narrow as a rod.

use glam::{DMat3, DVec3};

/// An approximate inverse R of a mobility, N s/m: the force of node i on the fluid is about
/// `sum_j R_ij u_j` over itself and the nodes next to it. Symmetric and positive definite.
///
/// It enters Newton's matrix, where what edges couple has a place already.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resistance {
    /// Blocks R_ii, `(nodes)`.
    pub nodes: Vec<DMat3>,
    /// Blocks R_ij of the two ends i, j of each edge, in their order in the topology, `(edges)`;
    /// R_ji is the transpose. Empty where each node has a resistance of its own.
    pub edges: Vec<DMat3>,
}

impl Resistance {
    /// Each node as if it were alone; blocks are symmetric and positive definite.
    #[must_use]
    pub fn local(nodes: Vec<DMat3>) -> Self {
        Self {
            nodes,
            edges: Vec::new(),
        }
    }

    /// `force = R velocity`, both `(3 nodes)`, N and m/s; `edge_nodes` are the ends of edges.
    pub fn force(&self, edge_nodes: &[[usize; 2]], velocity: &[f64], force: &mut [f64]) {
        let (u, _) = velocity.as_chunks::<3>();
        let (f, _) = force.as_chunks_mut::<3>();
        for ((r, u), f) in self.nodes.iter().zip(u).zip(&mut *f) {
            *f = (*r * DVec3::from_array(*u)).to_array();
        }
        for (r, [i, j]) in self.edges.iter().zip(edge_nodes) {
            let [before, after] = [u[*i], u[*j]].map(DVec3::from_array);
            add(&mut f[*i], *r * after);
            // R_ji = R_ij^T
            let columns = [r.x_axis, r.y_axis, r.z_axis];
            add(
                &mut f[*j],
                DVec3::from_array(columns.map(|c| c.dot(before))),
            );
        }
    }
}

fn add(force: &mut [f64; 3], f: DVec3) {
    for (force, f) in force.iter_mut().zip(f.to_array()) {
        *force += f;
    }
}
