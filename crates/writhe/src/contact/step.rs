//! Contact within one step: candidates around the start, active pairs at a trial.

mod coupling;
mod explicit;
mod hardening;
mod memory;
mod near;
mod power;
mod smooth;
mod steering;

pub(super) use coupling::friction_dofs;
pub use coupling::{coupled_dofs, nodes, position_dofs};
pub use explicit::Approach;
pub use hardening::Penetration;
pub use near::largest_motion;
pub use power::ContactPower;

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use super::candidates::{Aabb, Broadphase};
use super::friction::{Anchor, EdgeMotion, NormalContact, PairFriction, SlipLaw, Steering};
use super::friction::{Friction, FrictionSolve};
use super::hardening::Hardening;
use super::imc_smooth::SmoothContact;
use super::mollified_friction::MollifiedPair;
use super::nearest;
use super::obstacle::step::ObstacleStep;
use super::obstacle::surface::Instants;
use super::pair::{HessianPart, PairContact};
use super::policy::NormalForces;
use super::region::Region;
use super::spillmann_teschner::PairForces;
use crate::assembly::{Blocks, Trial, add3};
use crate::model::Model;
use crate::state::{PairAnchor, State};

/// Contact of all rods during one step; a workspace, rebuilt from (model, state).
#[derive(Debug, Default)]
pub struct ContactStep {
    pub(super) broadphase: Broadphase,
    pub(super) boxes: Vec<Aabb>,
    pub(super) candidates: Vec<(u32, u32)>,
    /// Where the candidates hold.
    region: Region,
    active: Vec<Active>,
    /// Contacts whose stiffness was raised while they were compressed.
    hardening: Hardening,
    /// What pairs remember from before the step.
    memory: Vec<PairAnchor>,
    /// From the start of the step to its stage, and from there to its end, s.
    span: [f64; 2],
    /// How friction between rods, and with obstacles, enters this step.
    pub(super) solved: FrictionSolve,
    /// Directions of friction that its slope is made with, by pair.
    steering: HashMap<(u32, u32), Steering>,
    /// Friction with lagged normal forces.
    pub(super) mollified: Vec<MollifiedPair>,
    /// Smallest gap of a pair in contact at any trial of this step, m.
    tightest: Option<f64>,
    /// With C21's contact: of each active pair, its contact by the smoothed distance.
    smooth: Vec<SmoothContact>,
    /// With Spillmann and Teschner's contact: the forces of pairs.
    given: PairForces,
    /// Velocities at the start of the step, for friction that lags, `(dofs)`.
    lagged_velocity: Vec<f64>,
    pub(super) obstacles: ObstacleStep,
}

/// A pair of edges in contact at the last trial.
#[derive(Debug, Clone)]
pub struct Active {
    /// Flat edge indices, first < second.
    pub edges: [usize; 2],
    /// Their normal contact.
    pub contact: PairContact,
    /// Sum of the radii, m.
    pub touching: f64,
    /// What it remembers at the end of the step.
    pub anchor: Option<Anchor>,
    /// Its slip, m/s or m as the law of friction has it; zero without friction.
    pub(super) slip: DVec3,
}

impl Active {
    /// Depth of penetration over the mean radius; negative when there is a gap.
    pub fn penetration(&self) -> f64 {
        -2.0 * self.contact.gap / self.touching
    }
}

impl ContactStep {
    /// Prepares for a step from `state` with the instants `at` that is expected to end at the unknowns `predicted`, `(dofs)`: finds
    /// the candidates between the two.
    pub fn begin(&mut self, model: &Model, state: &State, predicted: &[f64], at: &Instants) {
        self.obstacles.begin(model, state, at);
        self.solve_friction(model.contact.policy().friction_solve());
        self.active.clear();
        self.candidates.clear();
        self.mollified.clear();
        self.steering.clear();
        self.tightest = None;
        self.find_between(model, &state.q, predicted);
    }

    /// Lets friction enter this step in another way than the model says; friction with a memory cannot lag.
    pub fn solve_friction(&mut self, solve: FrictionSolve) {
        self.solved = solve;
        self.obstacles.lag(solve != FrictionSolve::Implicit);
    }

    /// How friction enters this step.
    pub fn friction_solve(&self) -> FrictionSolve {
        self.solved
    }

    /// Friction between rods, if it acts and is solved for in this step.
    pub(super) fn implicit_friction(&self, model: &Model) -> Option<Friction> {
        let solved = self.solved == FrictionSolve::Implicit;
        model.contact.friction().filter(|_| solved)
    }

    /// Velocities, `(dofs)`, that lagged friction takes its direction from: those at the start of the step.
    pub fn lag(&mut self, velocity: &[f64]) {
        self.lagged_velocity.clear();
        self.lagged_velocity.extend_from_slice(velocity);
    }

    /// Evaluates all pairs at a trial and adds their forces; returns the potential, J, or `None` if friction without one acts.
    pub fn evaluate(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> Option<f64> {
        let policy = model.contact.policy();
        if !policy.acts() {
            return Some(0.0);
        }
        #[cfg(test)]
        self.assert_gaps(model, at.q);
        self.obstacles.follow(model, at);
        self.keep(model, at.q);
        self.active.clear();
        let mut energy = match &policy.forces {
            NormalForces::OfSmoothedDistance(s) => {
                self.evaluate_smooth(s, model, at, stiffness, force)
            }
            NormalForces::Impulses(s) => {
                self.evaluate_given(s, model, at, force);
                // Given forces do not derive from a potential that a step would lower.
                return self.candidates.is_empty().then_some(0.0);
            }
            NormalForces::Absent | NormalForces::OfGap => {
                let lagged = self.mollified.iter();
                lagged.map(|p| p.contact.evaluate(at, force)).sum::<f64>()
                    + self.evaluate_pairs(model, at, stiffness, force)
            }
        };
        energy += self.obstacles.evaluate(model, at, stiffness, force);
        // Lagged, friction has a potential.
        let rubs = policy.has_friction() && self.solved == FrictionSolve::Implicit;
        let rubs = rubs && !self.active.is_empty() || self.obstacles.rubs();
        (!rubs).then_some(energy)
    }

    /// Pairs of edges whose energy is one of their distance; returns it, J.
    fn evaluate_pairs(
        &mut self,
        model: &Model,
        at: &Trial,
        stiffness: f64,
        force: &mut [f64],
    ) -> f64 {
        let friction = self.implicit_friction(model);
        let mut energy = 0.0;
        for &(i, j) in &self.candidates {
            let edges = [i as usize, j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let Some(contact) = self.pair_contact(model, at, edges, stiffness) else {
                continue;
            };
            self.tightest = Some(self.tightest.map_or(contact.gap, |t| t.min(contact.gap)));
            energy += contact.response.energy;
            add(model, edges, &contact.gradient().map(|g| -g), force);
            let mut pair = Active {
                edges,
                contact,
                touching,
                anchor: None,
                slip: DVec3::ZERO,
            };
            if let Some(friction) = friction {
                let (law, friction) = self.friction_of((edges, &pair.contact), friction, model, at);
                for (dof, f) in friction_dofs(model, edges)
                    .into_iter()
                    .zip(friction.force())
                {
                    force[dof] += f;
                }
                pair.anchor = friction.remember(&law);
                pair.slip = friction.slip();
            }
            self.active.push(pair);
        }
        energy
    }

    /// The slip law of a pair, and its friction at a trial.
    fn friction_of<'a>(
        &self,
        (edges, contact): ([usize; 2], &'a PairContact),
        friction: Friction,
        model: &Model,
        at: &Trial,
    ) -> (SlipLaw, PairFriction<'a>) {
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        let law = friction.law(0.5 * touching, self.span);
        let anchor = self.remembered(model, edges);
        let friction = pair_friction(model, at, &law, edges, contact, anchor);
        (law, friction)
    }

    /// Adds minus the derivative of the contact forces at the trial last evaluated; `part` says how much of the normal Hessians of
    /// pairs to keep.
    pub fn add_stiffness(
        &self,
        model: &Model,
        at: &Trial,
        part: HessianPart,
        blocks: &mut dyn Blocks,
    ) {
        match &model.contact.policy().forces {
            NormalForces::OfSmoothedDistance(s) => self.add_smooth_stiffness(s, model, blocks),
            NormalForces::Impulses(_) => {}
            NormalForces::Absent | NormalForces::OfGap => {
                for pair in &self.mollified {
                    pair.contact.add_stiffness(at, blocks);
                }
                self.add_pair_stiffness(model, at, part, blocks);
            }
        }
        self.obstacles.add_stiffness(model, at, blocks);
    }

    fn add_pair_stiffness(
        &self,
        model: &Model,
        at: &Trial,
        part: HessianPart,
        blocks: &mut dyn Blocks,
    ) {
        let friction = self.implicit_friction(model);
        for pair in &self.active {
            let dofs = position_dofs(model, pair.edges);
            blocks.symmetric(&dofs, pair.contact.hessian(part).as_flattened());
            if let Some(friction) = friction {
                let dofs = friction_dofs(model, pair.edges);
                let (law, mut friction) =
                    self.friction_of((pair.edges, &pair.contact), friction, model, at);
                let key = (pair.edges[0] as u32, pair.edges[1] as u32);
                if let Some(steering) = self.steering.get(&key) {
                    friction.steer(steering.slope(&law));
                }
                let damping = friction
                    .velocity_jacobian()
                    .map(|row| row.map(|v| -v * at.rate));
                blocks.symmetric(&dofs, damping.as_flattened());
                let slope = friction.position_jacobian().map(|row| row.map(|v| -v));
                blocks.general(&dofs, slope.as_flattened());
            }
        }
    }

    /// With a barrier no pair of edges, candidate or not, may touch at any trial.
    #[cfg(test)]
    fn assert_gaps(&self, model: &Model, q: &[f64]) {
        if !model.contact.policy().barrier {
            return;
        }
        let edges = model.topology.edges();
        let pairs = (0..edges).flat_map(|i| (i + 1..edges).map(move |j| (i, j)));
        for (i, j) in pairs.filter(|&(i, j)| super::exclusion::may_touch(model, i, j)) {
            let gap = nearest::Nearest::of_pair(model, q, [i, j]).gap;
            assert!(gap > 0.0, "edges {i} and {j}: gap {gap:e} at a trial");
        }
    }

    /// Whether forces of contact couple any edges at the last trial.
    pub fn couples(&self) -> bool {
        !self.active.is_empty() || !self.mollified.is_empty()
    }

    /// Candidate pairs of flat edge indices, sorted.
    pub fn candidates(&self) -> &[(u32, u32)] {
        &self.candidates
    }

    /// Pairs in contact at the last trial.
    pub fn active(&self) -> &[Active] {
        &self.active
    }

    /// Contact with obstacles.
    pub fn obstacles(&self) -> &ObstacleStep {
        &self.obstacles
    }

    /// Moves obstacles to where they are after a part of the time from the start of the step to its stage.
    pub fn move_obstacles(&mut self, model: &Model, progress: f64) {
        self.obstacles.advance(model, progress);
    }

    /// Tells obstacles that ride where the bodies are at the end of the step.
    pub fn arrive(&mut self, model: &Model, q: &[f64], orientation: &[DQuat]) {
        self.obstacles.arrive(model, q, orientation);
    }

    /// Smallest gap of a pair in contact at any trial since `begin`, m.
    pub fn tightest(&self) -> Option<f64> {
        self.tightest
    }

    /// Pairs of edges, and points at obstacles, in contact at the last trial.
    pub fn contacts(&self) -> usize {
        self.active.len() + self.obstacles.active().len()
    }

    /// Largest normal force, N.
    pub fn largest_force(&self) -> f64 {
        let pairs = self.active.iter();
        pairs.fold(self.obstacles.largest_force(), |f: f64, p| {
            f.max(p.contact.response.force)
        })
    }

    /// Smallest gap of the candidates at `q`, m, neighbours along a rod left out; `None` without any. Obstacles are where they are at
    /// the end of the step, or at its stage.
    pub fn smallest_gap(&self, model: &Model, q: &[f64], at_end: bool) -> Option<f64> {
        nearest::smallest_gap(model, q, &self.candidates)
            .into_iter()
            .chain(self.obstacles.smallest_gap(model, q, at_end))
            .min_by(f64::total_cmp)
    }

    /// Deepest penetration over the radius; negative or 0 without.
    pub fn deepest(&self) -> f64 {
        let pairs = self.active.iter();
        pairs.fold(self.obstacles.deepest(), |d: f64, p| d.max(p.penetration()))
    }
}

/// Normal contact of two edges, if they are within its range.
fn pair_contact(
    model: &Model,
    at: &Trial,
    edges: [usize; 2],
    stiffness: f64,
) -> Option<PairContact> {
    let touching = model.radius[edges[0]] + model.radius[edges[1]];
    let positions = nodes(model, edges).map(|n| at.position(n));
    let law = model.contact.law(0.5 * touching, stiffness)?;
    PairContact::find(&law, touching, positions)
}

pub(super) fn pair_friction<'a>(
    model: &Model,
    at: &Trial,
    law: &SlipLaw,
    edges: [usize; 2],
    contact: &'a PairContact,
    anchor: Option<Anchor>,
) -> PairFriction<'a> {
    let normal = NormalContact {
        distance: &contact.distance,
        force: contact.response.force,
        stiffness: contact.response.stiffness,
    };
    let motion = edges.map(|e| EdgeMotion {
        radius: model.radius[e],
        velocities: model.topology.edge_nodes[e].map(|n| at.velocity(n)),
        spin: at.velocity[model.topology.edge_dof[e]],
        edge: at.kinematics.edges[e],
    });
    PairFriction::new(law, normal, motion, anchor)
}

fn add(model: &Model, edges: [usize; 2], values: &[f64; 12], force: &mut [f64]) {
    for (k, node) in nodes(model, edges).into_iter().enumerate() {
        let f = DVec3::from_slice(&values[3 * k..]);
        add3(force, model.topology.node_dof[node], f);
    }
}
