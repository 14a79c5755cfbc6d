//! The contacts at one trial: what touches there, and what it exerts.

mod coupling;
mod given;
mod measure;
mod power;
mod smooth;
mod stiffness;

pub use given::add_friction_of_forces;
pub use measure::Penetration;
pub use power::ContactPower;
use stiffness::PairStiffness;

use glam::DVec3;

use crate::assembly::{Blocks, Trial, add3};
use crate::contact::ContactFrame;
use crate::contact::obstacle::set::ObstacleSet;
use crate::contact::pair::{HessianPart, PairContact};
use crate::contact_model::imc_smooth::SmoothContact;
use crate::contact_model::policy::NormalForces;
use crate::kernels::friction::{
    Anchor, EdgeMotion, FrictionSolve, NormalContact, PairFriction, SlipLaw,
};
use crate::model::Model;
use crate::model::pairs::unknowns::{friction_dofs, nodes};

/// The contacts of all rods at one trial of a step, the one that [`ContactSet::find`] was last
/// given.
#[derive(Debug, Clone, Default)]
pub struct ContactSet {
    pairs: Vec<EdgeContact>,
    /// Where friction is solved for: that of each pair. Apart, since it is large.
    frictions: Vec<PairFriction>,
    /// With C21's contact: of each pair, its contact by the smoothed distance.
    smooth: Vec<SmoothContact>,
    obstacles: ObstacleSet,
    potential: Option<f64>,
    /// Candidates that are near, of the last trial.
    near: Vec<(u32, u32)>,
}

/// A pair of edges in contact.
#[derive(Debug, Clone)]
pub struct EdgeContact {
    /// Flat edge indices, first < second.
    pub edges: [usize; 2],
    /// Which end of their overlap it is, if their contact is spread over it; else 0.
    pub(super) end: u8,
    /// Their normal contact.
    pub contact: PairContact,
    /// Sum of the radii, m.
    pub touching: f64,
    /// What it remembers at the end of the step.
    pub anchor: Option<Anchor>,
    /// Its slip, m/s or m as the law of friction has it; zero without friction.
    pub(super) slip: DVec3,
}

impl EdgeContact {
    /// Depth of penetration over the mean radius; negative when there is a gap.
    pub fn penetration(&self) -> f64 {
        -2.0 * self.contact.gap / self.touching
    }
}

impl ContactSet {
    /// Becomes the contacts at a trial of the step that `frame` is for, and adds their forces;
    /// `stiffness`, N m, is that of contacts without springs.
    pub fn find(
        &mut self,
        frame: &mut ContactFrame,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) {
        let policy = model.contact.policy();
        self.pairs.clear();
        self.frictions.clear();
        self.smooth.clear();
        self.obstacles.clear();
        self.potential = Some(0.0);
        if !policy.acts() {
            return;
        }
        #[cfg(test)]
        assert_gaps(model, at.q);
        // Candidates and obstacles that ride are those of this trial.
        frame.follow(model, at);
        let mut energy = match &policy.forces {
            NormalForces::OfSmoothedDistance(s) => {
                self.find_smooth(frame, s, model, at, stiffness, force)
            }
            NormalForces::Impulses(s) => {
                self.find_given(frame, s, model, at, force);
                (self.obstacles).find_given(frame.obstacles(), model, at, force);
                // Given forces do not derive from a potential that a step would lower.
                self.potential = frame.candidates().is_empty().then_some(0.0);
                return;
            }
            NormalForces::Absent | NormalForces::OfGap => {
                let lagged = frame.lagged().iter();
                lagged.map(|p| p.contact.evaluate(at, force)).sum::<f64>()
                    + self.find_pairs(frame, model, at, stiffness, force)
            }
        };
        energy += (self.obstacles).find(frame.obstacles(), model, at, stiffness, force);
        // Friction that is solved for has no potential; where it lags, it has.
        let solved = model.rods_rub() && frame.friction_solve() == FrictionSolve::Implicit;
        let solved = solved && !self.pairs.is_empty() || self.obstacles.has_solved_friction();
        self.potential = (!solved).then_some(energy);
    }

    /// Potential of all contacts, friction that lags included, J; `None` if forces without a
    /// potential act.
    pub fn potential(&self) -> Option<f64> {
        self.potential
    }

    /// Pairs of edges whose energy is one of their distance; returns it, J.
    fn find_pairs(
        &mut self,
        frame: &mut ContactFrame,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> f64 {
        let friction = frame.solved_friction(model);
        let (mut energy, mut tightest) = (0.0, None::<f64>);
        let mut near = std::mem::take(&mut self.near);
        frame.near(model, at, &mut near);
        for &(i, j) in &near {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            frame.each_pair_contact(model, at, edges, stiffness, |end, contact| {
                tightest = Some(tightest.map_or(contact.gap, |t| t.min(contact.gap)));
                // -dE/dx on the four nodes
                energy += contact.response.energy;
                add(model, edges, &contact.gradient().map(|g| -g), force);
                let (mut anchor, mut slip) = (None, DVec3::ZERO);
                if let Some(friction) = friction {
                    let law = frame.slip_law(edges, friction, model);
                    let friction = frame.friction_by(&law, (edges, contact), model, at);
                    // By the transpose of W on 12 positions and 2 angles (decision 0012).
                    for (dof, f) in friction_dofs(model, edges)
                        .into_iter()
                        .zip(friction.force())
                    {
                        force[dof] += f;
                    }
                    (anchor, slip) = (friction.remember(&law), friction.slip());
                    self.frictions.push(friction);
                }
                self.pairs.push(EdgeContact {
                    edges,
                    end,
                    contact: *contact,
                    touching,
                    anchor,
                    slip,
                });
            });
        }
        if let Some(gap) = tightest {
            frame.note_gap(gap);
        }
        self.near = near;
        energy
    }

    /// Adds minus the derivative of the contact forces at the trial, `at`; `part` says how much of
    /// the normal Hessians of pairs to keep.
    pub fn add_stiffness(
        &self,
        frame: &ContactFrame,
        model: &Model,
        at: &Trial,
        part: HessianPart,
        blocks: &mut dyn Blocks,
    ) {
        match &model.contact.policy().forces {
            NormalForces::OfSmoothedDistance(s) => {
                self.add_smooth_stiffness(frame, s, model, blocks)
            }
            NormalForces::Impulses(_) => {}
            NormalForces::Absent | NormalForces::OfGap => {
                for pair in frame.lagged() {
                    pair.contact.add_stiffness(at, blocks);
                }
                pulp::Arch::new().dispatch(PairStiffness {
                    pairs: &self.pairs,
                    frictions: &self.frictions,
                    frame,
                    model,
                    at,
                    part,
                    blocks,
                });
            }
        }
        self.obstacles
            .add_stiffness(frame.obstacles(), model, at, blocks);
    }

    /// Pairs of edges in contact.
    pub fn pairs(&self) -> &[EdgeContact] {
        &self.pairs
    }

    /// Contacts with obstacles.
    pub fn obstacles(&self) -> &ObstacleSet {
        &self.obstacles
    }
}

/// With a barrier no pair of edges, candidate or not, may touch at any trial.
#[cfg(test)]
fn assert_gaps(model: &Model, q: &[f64]) {
    if !model.contact.policy().barrier {
        return;
    }
    let edges = model.topology.edges();
    let pairs = (0..edges).flat_map(|i| (i + 1..edges).map(move |j| (i, j)));
    for (i, j) in pairs.filter(|&(i, j)| crate::model::pairs::exclusion::may_touch(model, i, j)) {
        let gap = crate::model::pairs::nearest::Nearest::of_pair(model, q, [i, j]).gap;
        assert!(gap > 0.0, "edges {i} and {j}: gap {gap:e} at a trial");
    }
}

#[inline]
pub(super) fn pair_friction(
    model: &Model,
    at: &Trial,
    law: &SlipLaw,
    edges: [usize; 2],
    contact: &PairContact,
    anchor: Option<Anchor>,
) -> PairFriction {
    let normal = NormalContact {
        distance: contact.distance,
        force: contact.response.force,
        stiffness: contact.response.stiffness,
    };
    let motion = |e: usize| {
        let [first, second] = model.topology.edge_nodes[e];
        EdgeMotion {
            radius: model.radius[e],
            velocities: [at.velocity(first), at.velocity(second)],
            spin: at.velocity[model.topology.edge_dof[e]],
            edge: at.kinematics.axis(e),
        }
    };
    let motion = [motion(edges[0]), motion(edges[1])];
    PairFriction::new(law, normal, motion, anchor)
}

fn add(model: &Model, edges: [usize; 2], values: &[f64; 12], force: &mut [f64]) {
    for (k, node) in nodes(model, edges).into_iter().enumerate() {
        let f = DVec3::from_slice(&values[3 * k..]);
        add3(force, model.topology.node_dof[node], f);
    }
}
