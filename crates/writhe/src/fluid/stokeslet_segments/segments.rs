//! Which nodes form rods, and the segments they span at given positions.

use glam::DVec3;
use thiserror::Error;

/// Array lengths are multiples of this, the widest vector of f32 in use.
pub(super) const PADDING: usize = 16;

/// Consecutive nodes of one rod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RodNodes {
    /// Index of the first node in the flat list of all nodes.
    pub first_node: usize,
    /// Number of nodes, at least 2 (3 if closed).
    pub n_nodes: usize,
    /// A closed rod has one more edge, from its last node to its first.
    pub closed: bool,
}

impl RodNodes {
    /// Number of edges: `n_nodes`, less one if the rod is open.
    pub fn n_edges(&self) -> usize {
        self.n_nodes - usize::from(!self.closed)
    }

    /// Nodes at the two ends of edge `edge` (counted within the rod).
    pub fn edge_nodes(&self, edge: usize) -> [usize; 2] {
        let next = (edge + 1) % self.n_nodes;
        [self.first_node + edge, self.first_node + next]
    }
}

/// Length dl_i that turns the force density f_i at a node into the nodal force F_i = f_i dl_i.
///
/// The density is linear on each edge, so the total force of an edge is L (f0 + f1)/2 and `Voronoi`
/// makes the sum of nodal forces the total force on the fluid. Tong et al. 2022, Eq. A.8, speaks of
/// the Voronoi length, but the authors' program leaves the half weight at free ends out; `Full`
/// repeats that for comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndWeights {
    /// Half the length of the adjacent edges; at a free end, half the length of the only edge.
    #[default]
    Voronoi,
    /// Voronoi lengths, but the whole length of the only edge at a free end.
    Full,
}

/// Why rods cannot be given a Stokes flow.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum StokesError {
    /// Rods must list every node once, in order.
    #[error("rod {rod} starts at node {first_node}, expected node {expected}")]
    RodsNotConsecutive {
        rod: usize,
        first_node: usize,
        expected: usize,
    },
    /// An open rod needs two nodes, a closed one three.
    #[error("rod {rod} has {n_nodes} nodes, too few for a rod")]
    TooFewNodes { rod: usize, n_nodes: usize },
    /// An array does not have one entry per node, edge or component.
    #[error("{what}: {found} entries, expected {expected}")]
    Size {
        what: &'static str,
        found: usize,
        expected: usize,
    },
    /// A length or viscosity that must be positive and finite is not.
    #[error("{what} {index} is {value}, must be positive and finite")]
    NotPositive {
        what: &'static str,
        index: usize,
        value: f64,
    },
}

fn check_size(what: &'static str, found: usize, expected: usize) -> Result<(), StokesError> {
    if found == expected {
        Ok(())
    } else {
        Err(StokesError::Size {
            what,
            found,
            expected,
        })
    }
}

fn check_positive(what: &'static str, index: usize, value: f64) -> Result<(), StokesError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(StokesError::NotPositive { what, index, value })
    }
}

/// Constant description of rods in a viscous fluid.
#[derive(Clone, Debug)]
pub struct StokesModel {
    rods: Vec<RodNodes>,
    epsilon: Vec<f64>,
    viscosity: f64,
    end_weights: EndWeights,
    n_nodes: usize,
}

impl StokesModel {
    /// `rods` cover all nodes in order; `epsilon` has one regularisation length (m) per edge, rod
    /// after rod (the edge that closes a rod is its last); `viscosity` in Pa s.
    ///
    /// Tong et al. 2022 take epsilon = 1.02 times the rod radius; slender-body theory asks for
    /// sqrt(e) = 1.6487 radii.
    pub fn new(
        rods: Vec<RodNodes>,
        epsilon: Vec<f64>,
        viscosity: f64,
        end_weights: EndWeights,
    ) -> Result<Self, StokesError> {
        let mut n_nodes = 0;
        for (rod, nodes) in rods.iter().enumerate() {
            if nodes.first_node != n_nodes {
                return Err(StokesError::RodsNotConsecutive {
                    rod,
                    first_node: nodes.first_node,
                    expected: n_nodes,
                });
            }
            if nodes.n_nodes < 2 + usize::from(nodes.closed) {
                return Err(StokesError::TooFewNodes {
                    rod,
                    n_nodes: nodes.n_nodes,
                });
            }
            n_nodes += nodes.n_nodes;
        }
        let n_edges = rods.iter().map(RodNodes::n_edges).sum();
        check_size("epsilon", epsilon.len(), n_edges)?;
        for (edge, eps) in epsilon.iter().enumerate() {
            check_positive("epsilon of edge", edge, *eps)?;
        }
        check_positive("viscosity", 0, viscosity)?;
        Ok(Self {
            rods,
            epsilon,
            viscosity,
            end_weights,
            n_nodes,
        })
    }

    /// Number of nodes of all rods.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The rods, in order.
    pub fn rods(&self) -> &[RodNodes] {
        &self.rods
    }

    /// Regularisation length of each edge, m.
    pub fn epsilon(&self) -> &[f64] {
        &self.epsilon
    }

    /// Viscosity, Pa s.
    pub fn viscosity(&self) -> f64 {
        self.viscosity
    }

    /// Edges as (edge index, their two nodes), rod after rod.
    pub fn edges(&self) -> impl Iterator<Item = (usize, [usize; 2])> + '_ {
        self.rods
            .iter()
            .flat_map(|rod| (0..rod.n_edges()).map(|edge| rod.edge_nodes(edge)))
            .enumerate()
    }

    /// Length dl_i of each node, m, in the sense of [`EndWeights`].
    pub fn node_lengths(&self, positions: &[DVec3]) -> Result<Vec<f64>, StokesError> {
        check_size("positions", positions.len(), self.n_nodes)?;
        let mut lengths = vec![0.0; self.n_nodes];
        for (edge, [i, j]) in self.edges() {
            let length = positions[i].distance(positions[j]);
            check_positive("length of edge", edge, length)?;
            // dl_i: half of each edge at the node (T22 Eq. A.8)
            lengths[i] += 0.5 * length;
            lengths[j] += 0.5 * length;
        }
        if self.end_weights == EndWeights::Full {
            for rod in self.rods.iter().filter(|rod| !rod.closed) {
                lengths[rod.first_node] *= 2.0;
                lengths[rod.first_node + rod.n_nodes - 1] *= 2.0;
            }
        }
        Ok(lengths)
    }
}

/// The segment that goes from the last node of a closed rod to its first.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    /// The last node.
    pub slot: usize,
    /// The first.
    pub node: usize,
}

/// Segments at given positions as arrays over slots. Slot j holds the edge that starts at node j;
/// the slot of the last node of an open rod, and the padding at the end, hold an edge of length
/// zero that contributes nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    /// Number of slots, the number of nodes rounded up.
    pub slots: usize,
    /// First node and middle, m: x, y, z.
    pub first: [Vec<f64>; 3],
    pub middle: [Vec<f64>; 3],
    /// Unit vector along y0 - y1.
    pub tangent: [Vec<f64>; 3],
    /// Length, m, and its inverse (zero for empty slots).
    pub length: Vec<f64>,
    pub inv_length: Vec<f64>,
    /// Square of epsilon, m^2; of the last node of an open rod that of the edge before.
    pub eps_sq: Vec<f64>,
    /// Of each sixteen slots whether every segment ends where that of the next slot begins, with the
    /// same epsilon: as all do but those that close a rod, and rods whose radius changes. Empty
    /// slots do.
    pub goes_on: Vec<bool>,
    /// 1 / (8 pi mu dl) of the node at either end, 1/(Pa s m) (zero for empty slots).
    pub scale: [Vec<f64>; 2],
    /// Segments that close a rod, in order.
    pub closing: Vec<Closing>,
}

impl Segments {
    pub(crate) fn new(model: &StokesModel, positions: &[DVec3]) -> Result<Self, StokesError> {
        let lengths = model.node_lengths(positions)?;
        let slots = model.n_nodes.next_multiple_of(PADDING);
        let zeros = || vec![0.0; slots];
        let mut segments = Self {
            slots,
            first: [zeros(), zeros(), zeros()],
            middle: [zeros(), zeros(), zeros()],
            tangent: [zeros(), zeros(), zeros()],
            length: zeros(),
            inv_length: zeros(),
            // Not zero: for a node at the origin, where empty slots lie, R would be.
            eps_sq: vec![1.0; slots],
            goes_on: vec![true; slots / PADDING],
            scale: [zeros(), zeros()],
            closing: Vec::new(),
        };
        let eight_pi_mu = 8.0 * std::f64::consts::PI * model.viscosity;
        for (edge, [i, j]) in model.edges() {
            // v = y0 - y1, not the edge: T22 Eq. A.5 holds with this one (decision 0004).
            let v = positions[i] - positions[j];
            let length = v.length();
            let middle = (0.5 * (positions[i] + positions[j])).to_array();
            let tangent = (v / length).to_array();
            let [first, last] = [i, j].map(|node| positions[node].to_array());
            for k in 0..3 {
                segments.first[k][i] = first[k];
                // That of an open rod's last node has no segment that would say it.
                segments.first[k][j] = last[k];
                segments.middle[k][i] = middle[k];
                segments.tangent[k][i] = tangent[k];
            }
            segments.length[i] = length;
            segments.inv_length[i] = 1.0 / length;
            let eps_sq = model.epsilon[edge].powi(2);
            segments.eps_sq[i] = eps_sq;
            if i + 1 == j {
                segments.eps_sq[j] = eps_sq;
            }
            segments.scale[0][i] = 1.0 / (eight_pi_mu * lengths[i]);
            segments.scale[1][i] = 1.0 / (eight_pi_mu * lengths[j]);
            if i + 1 != j {
                segments.closing.push(Closing { slot: i, node: j });
            }
        }
        for (_, [i, j]) in model.edges() {
            segments.goes_on[i / PADDING] &= i + 1 == j && segments.eps_sq[i] == segments.eps_sq[j];
        }
        Ok(segments)
    }
}
