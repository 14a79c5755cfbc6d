//! An elastic foundation (Winkler 1867): springs along a rod that hold it where it began, or on a
//! plane.
//!
//! ```text
//! E = 1/2 sum_i l_i (k_n |u_n|^2 + k_t |u_t|^2)
//! ```
//!
//! with l_i the part of the rod's rest length that belongs to node i and u its displacement, split
//! by a direction that stays: along the rod as it began (tangential, k_t) and across it (normal,
//! k_n), or along a plane's normal, from the plane (k_n), and in the plane (k_t). Directions do not
//! turn with the rod, so forces are linear in the displacement and the stiffness is constant; they
//! pull as they push.

use glam::{DMat3, DVec3};

use super::Load;
use crate::assembly::{Blocks, Trial, add3};
use crate::error::{ModelError, check};
use crate::rod::geometry::outer;
use crate::rod::kinematics::position;
use crate::rod::{Rod, Topology};

/// A foundation along a rod, as it is described.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bedding {
    /// k_n, stiffness per length across, N/m^2.
    pub normal: f64,
    /// k_t, stiffness per length along, N/m^2.
    pub tangential: f64,
    /// First and last edge of the part that lies on it; all of the rod unless given.
    pub edges: Option<[usize; 2]>,
    /// A point, m, and the normal of the plane that holds the rod; where it began unless given.
    pub plane: Option<[DVec3; 2]>,
}

/// A spring on a node.
#[derive(Debug, Clone, Copy)]
struct Spring {
    node: usize,
    /// Where it is slack, m.
    place: DVec3,
    /// N/m, symmetric.
    stiffness: DMat3,
}

/// Springs that hold the nodes of rods.
#[derive(Debug, Clone, Default)]
pub struct Foundation {
    springs: Vec<Spring>,
}

impl Foundation {
    /// That of one rod, whose first node is `first` among all.
    ///
    /// # Errors
    /// [`ModelError`] that names a number out of range.
    pub fn new(rod: &Rod, first: usize, bedding: &Bedding) -> Result<Self, ModelError> {
        let need = "finite and not negative";
        let fine = |k: f64| k.is_finite() && k >= 0.0;
        let (k_n, k_t) = (bedding.normal, bedding.tangential);
        check("the normal stiffness of a foundation", k_n, fine(k_n), need)?;
        check(
            "the tangential stiffness of a foundation",
            k_t,
            fine(k_t),
            need,
        )?;
        let count = rod.edges();
        let [from, to] = bedding.edges.unwrap_or([0, count - 1]);
        let inside = from <= to && to < count;
        check(
            "the last edge of a foundation",
            to as f64,
            inside,
            "an edge of the rod, and not before the first",
        )?;
        let normal = match bedding.plane {
            None => None,
            Some([point, normal]) => {
                let unit = normal.try_normalize();
                let good = point.is_finite() && unit.is_some();
                let need = "finite, with a normal that is not zero";
                check("the plane of a foundation", normal.length(), good, need)?;
                unit.map(|n| (point, n))
            }
        };
        let nodes = rod.positions.len();
        // Half of each edge belongs to each of its nodes.
        let mut length = vec![0.0; nodes];
        let mut along = vec![DVec3::ZERO; nodes];
        for edge in from..=to {
            let ends = [edge, (edge + 1) % nodes];
            let way = rod.positions[ends[1]] - rod.positions[ends[0]];
            for node in ends {
                length[node] += 0.5 * rod.rest_lengths[edge];
                along[node] += way.normalize_or_zero();
            }
        }
        let spring = |node: usize| {
            let x = rod.positions[node];
            let (place, across, within) = match normal {
                Some((point, n)) => {
                    let across = outer(n, n);
                    (x - n * n.dot(x - point), across, DMat3::IDENTITY - across)
                }
                None => {
                    let t = along[node].normalize_or_zero();
                    let within = outer(t, t);
                    (x, DMat3::IDENTITY - within, within)
                }
            };
            Spring {
                node: first + node,
                place,
                stiffness: (across * k_n + within * k_t) * length[node],
            }
        };
        let held = (0..nodes).filter(|node| length[*node] > 0.0);
        Ok(Self {
            springs: held.map(spring).collect(),
        })
    }

    fn energy(&self, topology: &Topology, q: &[f64]) -> f64 {
        let energy = |spring: &Spring| {
            let u = position(q, topology.node_dof[spring.node]) - spring.place;
            0.5 * u.dot(spring.stiffness * u)
        };
        self.springs.iter().map(energy).sum()
    }
}

impl Load for Foundation {
    fn name(&self) -> &'static str {
        "foundation"
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        for spring in &self.springs {
            let u = at.position(spring.node) - spring.place;
            add3(
                force,
                at.topology.node_dof[spring.node],
                spring.stiffness * -u,
            );
        }
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        for spring in &self.springs {
            let dof = at.topology.node_dof[spring.node];
            blocks.symmetric(&[dof, dof + 1, dof + 2], &spring.stiffness.to_cols_array());
        }
    }

    fn potential(&self, at: &Trial) -> Option<f64> {
        Some(self.energy(at.topology, at.q))
    }

    fn work(&self, topology: &Topology, from: &[f64], to: &[f64]) -> Option<f64> {
        Some(self.energy(topology, from) - self.energy(topology, to))
    }
}
