//! What pairs of edges remember of their slip, and how they stick.

use super::ContactStep;
use crate::assembly::Trial;
use crate::contact::friction::{Anchor, Sticking};
use crate::contact::hardening::Hardening;
use crate::model::Model;
use crate::state::{ContactMemory, PairAnchor};

impl ContactStep {
    /// Takes over what pairs remember, for a stage `span.0`, s, after the start of the step and `span.1`, s, before its end.
    pub fn recall(&mut self, memory: &ContactMemory, span: [f64; 2]) {
        self.memory.clone_from(&memory.anchors);
        self.harden(Hardening(memory.hardened.clone()));
        self.span = span;
        self.obstacles.recall(memory, span);
    }

    /// What pairs remember at the trial last evaluated, sorted.
    pub fn anchors(&self) -> Vec<PairAnchor> {
        let remembered = self.active.iter().filter_map(|pair| {
            let edges = pair.edges.map(|e| e as u32);
            pair.anchor.map(|anchor| PairAnchor { edges, anchor })
        });
        remembered.collect()
    }

    /// What a pair remembers from before the step. One that just came into contact takes over from a neighbour: the contact point
    /// moved on to the next edge.
    pub(super) fn remembered(&self, model: &Model, [i, j]: [usize; 2]) -> Option<Anchor> {
        let find = |i: usize, j: usize| {
            let edges = [i as u32, j as u32];
            let found = self.memory.binary_search_by_key(&edges, |a| a.edges);
            found.ok().map(|k| self.memory[k].anchor)
        };
        let rods = &model.topology.edge_rod;
        let neighbours = |edge: usize| {
            [edge.checked_sub(1), Some(edge + 1)]
                .into_iter()
                .flatten()
                .filter(move |other| rods.get(*other) == rods.get(edge))
        };
        find(i, j)
            .or_else(|| neighbours(j).find_map(|j| find(i, j)))
            .or_else(|| neighbours(i).find_map(|i| find(i, j)))
    }

    /// How the contacts at the trial last evaluated stick.
    pub fn sticking(&self, model: &Model, at: &Trial) -> Sticking {
        let mut sticking = Sticking::default();
        for (friction, pair) in (self.implicit_friction(model).into_iter())
            .flat_map(|friction| self.active.iter().map(move |pair| (friction, pair)))
        {
            let (law, force) = self.friction_of((pair.edges, &pair.contact), friction, model, at);
            let limit = law.coefficient * pair.contact.response.force;
            sticking.count(force.contact_force(), limit, force.slip_velocity());
        }
        self.obstacles.sticking(model, at, &mut sticking);
        sticking
    }
}
