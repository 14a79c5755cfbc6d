//! Resistive-force drag on every edge: the cheap, local alternative to a [`super::Fluid`].

use glam::DMat3;

use super::resistive_force::{DragCoefficients, DragLaw, EdgeDrag, edge_drag};
use super::{Load, LoadKind};
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::Rod;

/// `F_i = -(l/2) (c_t t t^T + c_n (I - t t^T)) u_i` on both nodes of every edge.
///
/// There is no rotational drag: an edge may spin about its tangent freely.
#[derive(Debug, Clone, PartialEq)]
pub struct ResistiveDrag {
    /// Drag per length and velocity, Pa s, `(edges)`.
    pub coefficients: Vec<DragCoefficients>,
}

impl ResistiveDrag {
    /// Drag by one `law` for all edges of `rods`, in their order, in a fluid of `viscosity`, Pa s.
    pub fn new(rods: &[Rod], viscosity: f64, law: DragLaw) -> Self {
        let sections = rods.iter().flat_map(|rod| &rod.sections);
        Self {
            coefficients: sections
                .map(|section| law.coefficients(viscosity, section.radius))
                .collect(),
        }
    }

    fn edge(&self, at: &Trial, edge: usize) -> EdgeDrag {
        let nodes = at.topology.edge_nodes[edge];
        let (x, u) = (nodes.map(|n| at.position(n)), nodes.map(|n| at.velocity(n)));
        edge_drag(x, u, self.coefficients[edge])
    }
}

impl Load for ResistiveDrag {
    fn name(&self) -> &'static str {
        "resistive-force drag"
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (edge, nodes) in at.topology.edge_nodes.iter().enumerate() {
            let drag = self.edge(at, edge);
            for (node, f) in nodes.iter().zip(drag.force) {
                add3(force, at.topology.node_dof[*node], f);
            }
        }
    }

    /// The velocity's part is symmetric; the geometric part, by the edge's length and direction, is
    /// not.
    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        for (edge, nodes) in at.topology.edge_nodes.iter().enumerate() {
            let drag = self.edge(at, edge);
            for (node, grad) in nodes.iter().zip(drag.grad_f_u) {
                let dof = at.topology.node_dof[*node];
                blocks.symmetric(&[dof, dof + 1, dof + 2], &(grad * -at.rate).to_cols_array());
            }
            let dofs = at.topology.edge_position_dofs(edge);
            blocks.general(&dofs, &minus_row_major(&drag.grad_f_x));
        }
    }

    fn potential(&self, _at: &Trial) -> Option<f64> {
        None
    }

    fn kind(&self) -> LoadKind {
        LoadKind::Drag
    }
}

/// Minus two by two blocks of three by three, row-major.
fn minus_row_major(blocks: &[[DMat3; 2]; 2]) -> [f64; 36] {
    std::array::from_fn(|k| {
        let (row, column) = (k / 6, k % 6);
        -blocks[row / 3][column / 3].col(column % 3)[row % 3]
    })
}
