//! Whether a state that was read is one of a model: what is indexed by edges, nodes and bodies has
//! as many numbers as there are.

use crate::contact_model::hardening::ContactId;
use crate::model::Model;
use crate::state::{ContactMemory, PairAnchor, State};

/// A part of a state that is not of the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its array `{part}` does not fit the scene: {found} for {expected}")]
pub struct Misfit {
    /// The part, as its array is called.
    pub part: &'static str,
    /// Its length, or an index in it that leads to nothing.
    pub found: usize,
    /// The length that the model gives it, or what indices are below.
    pub expected: usize,
}

impl State {
    /// Fails unless the state has the sizes that the model gives it.
    ///
    /// # Errors
    /// [`Misfit`], the first part of another size.
    pub fn check_fit(&self, model: &Model) -> Result<(), Misfit> {
        let (topology, bodies) = (&model.topology, model.bodies.list.len());
        let (dofs, edges, forces) = (model.mass.len(), topology.edges(), 3 * topology.nodes());
        let frames = &self.frames;
        same("state.q", self.q.len(), dofs)?;
        same("state.velocity", self.velocity.len(), dofs)?;
        same("state.acceleration", self.acceleration.len(), dofs)?;
        if let Some(history) = &self.history {
            same("state.history.q", history.q.len(), dofs)?;
            same("state.history.velocity", history.velocity.len(), dofs)?;
        }
        same("state.frames.tangent", frames.tangent.len(), edges)?;
        same("state.frames.director", frames.director.len(), edges)?;
        let vertices = topology.vertices();
        same("state.frames.twist", frames.twist.len(), vertices)?;
        let orientations = frames.orientation.len();
        same("state.frames.orientation", orientations, bodies)?;
        for (part, strains) in [
            ("state.strains.before", &self.strains.before),
            ("state.strains.rate", &self.strains.rate),
            ("state.strains.dashpot", &self.strains.dashpot),
        ] {
            same_or_none(part, strains.vertices.len(), vertices)?;
            same_or_none(part, strains.edges.len(), edges)?;
        }
        same_or_none("state.tension", self.tension.len(), edges)?;
        same_or_none("state.broken", self.broken.len(), model.joints.len())?;
        let force = self.hydrodynamic_force.len();
        // Without such a fluid no force is kept.
        let expected = if model.fluid.is_some() { forces } else { 0 };
        same("state.hydrodynamic_force", force, expected)?;
        for past in &self.drag_history {
            same("state.drag_history.force", past.force.len(), forces)?;
        }
        let parts = [edges, topology.nodes(), model.obstacles.len()];
        self.contact.check_fit(parts)
    }
}

impl ContactMemory {
    fn check_fit(&self, [edges, nodes, obstacles]: [usize; 3]) -> Result<(), Misfit> {
        for force in &self.forces {
            let (first, second) = force.edges;
            below("state.contact.forces.edges", first.max(second), edges)?;
        }
        for force in &self.obstacle_forces {
            let part = "state.contact.obstacle_forces.obstacle";
            below(part, force.obstacle, obstacles)?;
            let [kind, index] = force.part;
            let end = if kind == 0 { nodes } else { edges };
            below("state.contact.obstacle_forces.part", index, end)?;
        }
        for contact in self.hardened.iter().map(|hardened| hardened.contact) {
            match contact {
                ContactId::Pair([first, second]) => {
                    let edge = first.max(second);
                    below("state.contact.hardened.contact.Pair", edge, edges)?;
                }
                ContactId::Obstacle { obstacle, .. } => {
                    let part = "state.contact.hardened.contact.Obstacle.obstacle";
                    below(part, obstacle, obstacles)?;
                }
            }
        }
        for PairAnchor { edges: pair, .. } in &self.anchors {
            let edge = pair[0].max(pair[1]);
            below("state.contact.anchors.edges", edge, edges)?;
        }
        for anchor in &self.obstacle_anchors {
            let part = "state.contact.obstacle_anchors.obstacle";
            below(part, anchor.obstacle, obstacles)?;
            below("state.contact.obstacle_anchors.edge", anchor.edge, edges)?;
        }
        Ok(())
    }
}

fn same(part: &'static str, found: usize, expected: usize) -> Result<(), Misfit> {
    fits(found == expected, part, found, expected)
}

fn same_or_none(part: &'static str, found: usize, expected: usize) -> Result<(), Misfit> {
    fits(found == expected || found == 0, part, found, expected)
}

fn below(part: &'static str, index: u32, end: usize) -> Result<(), Misfit> {
    fits((index as usize) < end, part, index as usize, end)
}

fn fits(fits: bool, part: &'static str, found: usize, expected: usize) -> Result<(), Misfit> {
    let misfit = Misfit {
        part,
        found,
        expected,
    };
    fits.then_some(()).ok_or(misfit)
}
