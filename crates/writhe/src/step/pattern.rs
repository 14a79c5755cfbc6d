//! Which unknowns the matrix of sparse blocks couples.

use crate::model::Model;
use crate::model::pairs::unknowns::nodes;
use crate::solve::blocks::BlockPattern;
use crate::solve::{Poll, SolveError};

/// The pattern for what rods have and for what these pairs of edges and riders couple. A node and
/// the angle of the edge that begins there are one group; where there is much to eliminate, the
/// places at the unknowns `y` tell how to cut it.
pub(super) fn pattern(
    model: &Model,
    pairs: &[(u32, u32)],
    riders: &[(u32, u32)],
    y: &[f64],
    poll: &Poll,
) -> Result<BlockPattern, SolveError> {
    let topology = &model.topology;
    let groups = Groups::new(model);
    let mut couplings = Couplings::default();
    let mut couple = |dofs: &[usize]| couplings.push(|list| groups.of(dofs, list));
    // Bending and twisting, stretching, loads, contact, bodies, joints.
    for vertex in 0..topology.vertices() {
        couple(&topology.vertex_dofs(vertex));
    }
    for edge in 0..topology.edges() {
        couple(&topology.edge_position_dofs(edge));
    }
    for load in &model.loads {
        for dofs in load.couplings(topology) {
            couple(&dofs);
        }
    }
    for (i, j) in pairs {
        let nodes = nodes(model, [*i as usize, *j as usize]);
        couple(&nodes.map(|n| topology.node_dof[n]));
    }
    // All that one contact may couple: neighbours are, as edges.
    for (node, body) in riders {
        let dof = topology.body_dof[*body as usize];
        couple(&[topology.node_dof[*node as usize], dof, dof + 3]);
    }
    for dof in &topology.body_dof {
        couple(&[*dof, dof + 3]);
    }
    for link in &model.joints {
        let ends = link.bodies.iter().flatten().map(|b| topology.body_dof[*b]);
        let mut dofs: Vec<usize> = ends.flat_map(|dof| [dof, dof + 3]).collect();
        dofs.extend([link.dof, link.dof + link.unknowns() - 1]);
        couple(&dofs);
    }
    // Where the groups are; joints, which come late, may be anywhere.
    let points = topology.node_dof.iter();
    let points = points.chain(topology.body_dof.iter().flat_map(|dof| [dof, dof]));
    let mut places: Vec<[f64; 3]> = points
        .map(|dof| [y[*dof], y[dof + 1], y[dof + 2]])
        .collect();
    places.resize(groups.count as usize, [0.0; 3]);
    let late = &groups.late;
    BlockPattern::with_late(
        &groups.of_unknown,
        couplings.iter(),
        late,
        Some(&places),
        poll,
    )
}

/// The group of each unknown, and what goes with it.
struct Groups {
    /// `(dofs)`.
    of_unknown: Vec<u32>,
    /// The first group of the body that a node is welded to: what couples the node couples the
    /// body, to which its blocks are moved, `(nodes)`.
    followed: Vec<Option<u32>>,
    /// Multipliers, whose own blocks are zero: they are eliminated last.
    late: Vec<u32>,
    count: u32,
}

impl Groups {
    fn new(model: &Model) -> Self {
        let topology = &model.topology;
        let mut of_unknown = vec![0; topology.dofs];
        for (node, dof) in topology.node_dof.iter().enumerate() {
            of_unknown[*dof..dof + 3].fill(node as u32);
        }
        for (dof, [first, _]) in topology.edge_dof.iter().zip(&topology.edge_nodes) {
            of_unknown[*dof] = *first as u32;
        }
        // A body's centre is one group, its turn another.
        let mut followed = vec![None; topology.nodes()];
        for (body, dof) in topology.body_dof.iter().enumerate() {
            let first = (topology.nodes() + 2 * body) as u32;
            of_unknown[*dof..dof + 3].fill(first);
            of_unknown[dof + 3..dof + 6].fill(first + 1);
            for welded in &model.bodies.list[body].nodes {
                followed[welded.node] = Some(first);
            }
            for weld in &model.bodies.list[body].welds {
                followed[topology.edge_nodes[weld.edge][0]] = Some(first);
            }
        }
        let mut late = Vec::new();
        let mut count = (topology.nodes() + 2 * topology.body_dof.len()) as u32;
        for link in &model.joints {
            let end = link.dof + link.unknowns();
            for unknowns in [link.dof..link.dof + 3, link.dof + 3..end] {
                if !unknowns.is_empty() {
                    of_unknown[unknowns].fill(count);
                    late.push(count);
                    count += 1;
                }
            }
        }
        Self {
            of_unknown,
            followed,
            late,
            count,
        }
    }

    /// Appends the groups that a coupling of these unknowns couples, some several times.
    fn of(&self, dofs: &[usize], list: &mut Vec<u32>) {
        let mut last = None;
        for dof in dofs {
            let group = self.of_unknown[*dof];
            // Unknowns of a group stand beside each other.
            if last.replace(group) == Some(group) {
                continue;
            }
            list.push(group);
            if let Some(Some(body)) = self.followed.get(group as usize) {
                list.extend([*body, body + 1]);
            }
        }
    }
}

/// Lists of groups, one after the other.
#[derive(Default)]
struct Couplings {
    groups: Vec<u32>,
    ends: Vec<usize>,
}

impl Couplings {
    /// Adds the list that `append` puts at the end.
    fn push(&mut self, append: impl FnOnce(&mut Vec<u32>)) {
        append(&mut self.groups);
        self.ends.push(self.groups.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges.map(|(start, end)| &self.groups[start..*end])
    }
}
