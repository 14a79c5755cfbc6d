//! What contacts with obstacles remember of their slip.

use crate::contact::obstacle::contact::{ObstacleContact, Part};
use crate::kernels::friction::Anchor;
use crate::state::{ContactMemory, ObstacleAnchor};

/// What contacts remember from before a step.
#[derive(Debug)]
pub(crate) struct Memory {
    before: Vec<ObstacleAnchor>,
    /// From the start of the step to its stage, and from there to its end, s.
    pub span: [f64; 2],
}

impl Memory {
    /// For a step with the span from its start to its stage and from there to its end, s.
    pub(crate) fn new(memory: &ContactMemory, span: [f64; 2]) -> Self {
        Self {
            before: memory.obstacle_anchors.clone(),
            span,
        }
    }

    /// What a contact remembers through one of its edges; one that is new takes over from the same
    /// edge or a neighbour, as a contact point that moved on.
    pub(crate) fn of(&self, contact: &ObstacleContact, edge: usize) -> Option<Anchor> {
        let key = record(contact, edge, Anchor::default());
        let near =
            |a: &&ObstacleAnchor| a.obstacle == key.obstacle && a.edge.abs_diff(key.edge) <= 1;
        let mut near = self.before.iter().filter(near);
        let same = near
            .clone()
            .find(|a| a.part == key.part && a.edge == key.edge);
        same.or_else(|| near.next()).map(|a| a.anchor)
    }
}

/// What a contact remembers through an edge.
pub(crate) fn record(contact: &ObstacleContact, edge: usize, anchor: Anchor) -> ObstacleAnchor {
    ObstacleAnchor {
        obstacle: contact.obstacle as u32,
        part: match contact.part {
            Part::Node(n) => [0, n as u32],
            Part::Edge(e) => [1, e as u32],
        },
        edge: edge as u32,
        anchor,
    }
}
