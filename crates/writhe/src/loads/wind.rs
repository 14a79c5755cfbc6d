//! Wind on rods: drag of air that moves past them.
//!
//! Half of an edge moves with each of its nodes. With `w = U(t) - u_i` the wind as the node sees
//! it, t the tangent and l the length of the edge, the quadratic law takes the part of the wind
//! across the rod (the independence principle of Hoerner 1965, Fluid-Dynamic Drag, 3-11; Taylor
//! 1952, Proc. R. Soc. A 214, 158), `w_n = P w` with `P = I - t t^T`:
//!
//! `F_i = (l/2) k |w_n| w_n`, k = rho C d / 2 with the density of air rho, the drag coefficient C
//! of a cylinder and its diameter d.
//!
//! The linear law is `F_i = (l/2) c w`. As other drag, wind is left out of equilibria.

use glam::{DMat3, DVec3};

use super::{Load, LoadKind, Unsteady};
use crate::assembly::{Blocks, Trial, add3};
use crate::rod::geometry::outer;
use crate::schedule::Schedule;

/// How the drag of wind follows from its speed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WindDrag {
    /// Drag by the square of the speed across the rod.
    Quadratic {
        /// Density of air, kg/m^3.
        density: f64,
        /// Drag coefficient of a cylinder across the wind, about 1.2 for Reynolds numbers of 1e2 to
        /// 1e5.
        coefficient: f64,
    },
    /// Drag in proportion to the speed.
    Linear {
        /// Force per length and speed, Pa s.
        coefficient: f64,
    },
}

/// Wind that blows everywhere with the same velocity, on edges; rigid bodies feel none.
#[derive(Debug, Clone)]
pub struct Wind {
    /// Velocity, m/s.
    pub velocity: DVec3,
    /// Factor in time.
    pub amplitude: Schedule,
    /// Whether drag is quadratic.
    pub quadratic: bool,
    /// k, kg/m^2, or c, Pa s, of each edge, `(edges)`.
    pub coefficient: Vec<f64>,
}

/// Force on a node by half an edge, and its derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Half {
    /// N.
    force: DVec3,
    /// Derivative of the force by the wind w, N s/m; symmetric.
    grad_w: DMat3,
    /// Derivative of the force by the edge vector, N/m.
    grad_e: DMat3,
}

impl Wind {
    /// Wind with `drag` on edges of these radii, m.
    pub fn new(velocity: DVec3, amplitude: Schedule, drag: WindDrag, radius: &[f64]) -> Self {
        let of_edge = |radius: &f64| match drag {
            WindDrag::Quadratic {
                density,
                coefficient,
                // k = rho C d/2 with the diameter d = 2 h
            } => density * coefficient * radius,
            WindDrag::Linear { coefficient } => coefficient,
        };
        Self {
            velocity,
            amplitude,
            quadratic: matches!(drag, WindDrag::Quadratic { .. }),
            coefficient: radius.iter().map(of_edge).collect(),
        }
    }

    /// Both halves of an edge.
    fn halves(&self, at: &Trial, edge: usize) -> [Half; 2] {
        let nodes = at.topology.edge_nodes[edge];
        let vector = at.position(nodes[1]) - at.position(nodes[0]);
        let wind = self.velocity * self.amplitude.at(at.time);
        let law = if self.quadratic { quadratic } else { linear };
        // w = U(t) - u_i
        nodes.map(|n| law(vector, wind - at.velocity(n), self.coefficient[edge]))
    }
}

/// `F = (l/2) k s w_n`, s = |w_n|. With `dt = P de/l`: `dw_n = P dw - ((t.w) P + t w_n^T) de/l` and
/// `s ds = w_n.dw - (t.w) w_n.de/l`, so `dF/dw = (l/2) k (s P + w_n w_n^T/s)` and `dF/de = (k/2) (s
/// w_n t^T - s ((t.w) P + t w_n^T) - (t.w) w_n w_n^T/s)`.
fn quadratic(edge: DVec3, w: DVec3, k: f64) -> Half {
    let l = edge.length();
    let t = edge / l;
    let along = t.dot(w);
    let across = w - t * along;
    let s = across.length();
    // |w_n| w_n has no slope at rest.
    if s == 0.0 {
        return Half {
            force: DVec3::ZERO,
            grad_w: DMat3::ZERO,
            grad_e: DMat3::ZERO,
        };
    }
    let p = DMat3::IDENTITY - outer(t, t);
    let stretch = outer(across, across) * (1.0 / s);
    Half {
        force: across * (0.5 * l * k * s),
        grad_w: (p * s + stretch) * (0.5 * l * k),
        grad_e: (outer(across, t) * s - (p * along + outer(t, across)) * s - stretch * along)
            * (0.5 * k),
    }
}

/// `F = (l/2) c w`.
fn linear(edge: DVec3, w: DVec3, c: f64) -> Half {
    let l = edge.length();
    Half {
        force: w * (0.5 * l * c),
        grad_w: DMat3::IDENTITY * (0.5 * l * c),
        grad_e: outer(w, edge) * (0.5 * c / l),
    }
}

impl Load for Wind {
    fn name(&self) -> &'static str {
        "wind"
    }

    fn changes_until(&self) -> f64 {
        self.amplitude.changes_until()
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for (edge, nodes) in at.topology.edge_nodes.iter().enumerate() {
            for (node, half) in nodes.iter().zip(self.halves(at, edge)) {
                add3(force, at.topology.node_dof[*node], half.force);
            }
        }
    }

    /// The velocity's part is symmetric; the geometric part, by the edge's length and direction, is
    /// not.
    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        for (edge, nodes) in at.topology.edge_nodes.iter().enumerate() {
            let halves = self.halves(at, edge);
            for (node, half) in nodes.iter().zip(&halves) {
                let dof = at.topology.node_dof[*node];
                let values = (half.grad_w * at.rate).to_cols_array();
                blocks.symmetric(&[dof, dof + 1, dof + 2], &values);
            }
            // F depends on e = x1 - x0; the blocks hold minus its derivative, row-major.
            let values: [f64; 36] = std::array::from_fn(|k| {
                let (row, column) = (k / 6, k % 6);
                let by_e = halves[row / 3].grad_e.col(column % 3)[row % 3];
                if column < 3 { by_e } else { -by_e }
            });
            blocks.general(&at.topology.edge_position_dofs(edge), &values);
        }
    }

    fn potential(&self, _at: &Trial) -> Option<f64> {
        None
    }

    /// Forces times the velocity of the air.
    fn supply(&self, at: &Trial) -> f64 {
        let edges = 0..at.topology.edges();
        let force = edges
            .flat_map(|edge| self.halves(at, edge))
            .map(|half| half.force);
        force.sum::<DVec3>().dot(self.velocity) * self.amplitude.at(at.time)
    }

    /// Still air damps, and without a potential equilibria are not found to rounding.
    fn unsteady(&self) -> Option<Unsteady> {
        Some(Unsteady {
            why: "wind blows, and holds rods where no equilibrium is",
            remedy: "a scene without wind",
        })
    }

    fn kind(&self) -> LoadKind {
        LoadKind::Drag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Along the rod, or still, air has neither a force nor a derivative; the limit of little wind
    /// is the same.
    #[test]
    fn no_wind_across_a_rod_has_no_derivative() {
        let edge = DVec3::new(0.0, 0.0, 0.1);
        for w in [DVec3::ZERO, DVec3::Z * 5.0] {
            let still = quadratic(edge, w, 2.0);
            let little = quadratic(edge, w + DVec3::X * 1e-9, 2.0);
            assert_eq!(still.force, DVec3::ZERO);
            for (a, b) in [(still.grad_w, little.grad_w), (still.grad_e, little.grad_e)] {
                assert_eq!(a, DMat3::ZERO);
                assert!((b - a).abs_diff_eq(DMat3::ZERO, 1e-6), "{b}");
            }
        }
    }
}
