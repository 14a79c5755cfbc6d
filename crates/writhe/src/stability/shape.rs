//! The shape of a mode in plain words.

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::rod::kinematics::position;
use crate::state::State;

/// Part of the largest displacement below which a node's side says nothing.
const FAINT: f64 = 0.02;

/// What a rod would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Move across itself.
    Bend,
    /// Move along itself.
    Slide,
    /// Turn about its own axis.
    Spin,
    /// Move without a change of shape.
    Rigid,
}

/// The shape of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// What the rod would do that moves most.
    pub kind: Kind,
    /// The rod.
    pub rod: usize,
    /// Its node, or edge if it turns about its axis, where the motion is largest, counted in the
    /// rod.
    pub at: usize,
    /// Where that is, over the rod's length.
    pub part: f64,
    /// How often the displacement changes sides along the rod.
    pub changes: usize,
    /// Whether the rod is closed.
    pub closed: bool,
}

impl Shape {
    /// The shape of a `mode`, `(dofs)`, which is scaled so that the node that moves most moves by
    /// 1, or, if only angles do, the surface that turns most; `is_rigid` tells whether nothing
    /// changes its shape.
    pub(super) fn of(
        model: &Model,
        state: &State,
        mode: &mut [f64],
        is_rigid: impl Fn(&[f64]) -> bool,
    ) -> Self {
        let rigid = is_rigid(mode);
        let topology = &model.topology;
        let moved = |n: usize| position(mode, topology.node_dof[n]);
        let turned = |e: usize| mode[topology.edge_dof[e]] * model.radius[e];
        let node = most(topology.nodes(), |n| moved(n).length());
        let edge = most(topology.edges(), |e| turned(e).abs());
        let (displacement, turn) = (moved(node), turned(edge));
        // Turns are measured at the surface.
        let spins = turn.abs() > displacement.length();
        let rod = if spins {
            topology.edge_rod[edge]
        } else {
            topology.node_rod[node]
        };
        let layout = &topology.rods[rod];
        let nodes = layout.first_node..layout.first_node + layout.nodes;
        let (at, count, changes) = if spins {
            let edges = layout.first_edge..layout.first_edge + layout.edges;
            let sides = edges.map(|e| turned(e) * turn.signum());
            let changes = sign_changes(sides, turn.abs(), layout.closed);
            (edge - layout.first_edge, layout.edges, changes)
        } else {
            // Along the largest displacement: to its side or to the other.
            let sides = nodes.map(|n| moved(n).dot(displacement.normalize_or_zero()));
            let changes = sign_changes(sides, displacement.length(), layout.closed);
            (node - layout.first_node, layout.nodes - 1, changes)
        };
        let kind = if rigid {
            Kind::Rigid
        } else if spins {
            Kind::Spin
        } else if along(
            state,
            layout.first_edge + at.min(layout.edges - 1),
            displacement,
        ) {
            Kind::Slide
        } else {
            Kind::Bend
        };
        let scale = turn.abs().max(displacement.length());
        mode.iter_mut().for_each(|u| *u /= scale);
        Self {
            kind,
            rod,
            at,
            part: at as f64 / count.max(1) as f64,
            changes,
            closed: layout.closed,
        }
    }

    /// The shape in words, of a rod that is called `name`.
    pub fn words(&self, name: &str) -> String {
        let waves = match (self.closed, self.changes) {
            (true, 0) => "all to one side".to_owned(),
            (true, n) => counted(n / 2, "wave", "waves") + " around",
            (false, n) => "in ".to_owned() + &counted(n + 1, "half-wave", "half-waves"),
        };
        let place = if self.closed {
            String::new()
        } else {
            format!(" ({:.0} % along)", 100.0 * self.part)
        };
        let at = self.at;
        match self.kind {
            Kind::Bend => format!("{name} would bend out {waves}, most at node {at}{place}"),
            Kind::Slide => {
                format!("{name} would slip along itself {waves}, most at node {at}{place}")
            }
            Kind::Spin => format!("{name} would turn about its axis, most at edge {at}{place}"),
            Kind::Rigid => format!("{name} would move away as it is, most at node {at}{place}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(&format!("rod {}", self.rod)))
    }
}

fn counted(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// Where the value is largest; the first of equals.
fn most(count: usize, value: impl Fn(usize) -> f64) -> usize {
    let better = |best: usize, i: usize| if value(i) > value(best) { i } else { best };
    (0..count).fold(0, better)
}

/// Whether a displacement is along the rod.
fn along(state: &State, edge: usize, displacement: DVec3) -> bool {
    let part = displacement.dot(state.frames.tangent[edge]).abs();
    part > 0.9 * displacement.length()
}

fn sign_changes(values: impl Iterator<Item = f64>, largest: f64, closed: bool) -> usize {
    let clear = values.filter(|v| v.abs() > FAINT * largest);
    let signs: Vec<bool> = clear.map(|v| v > 0.0).collect();
    let inside = signs.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // A closed rod may change sides between its last node and its first, too.
    let seam = closed && signs.first() != signs.last();
    inside + usize::from(seam)
}
