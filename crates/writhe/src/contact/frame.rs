//! What contact knows in one step before any trial: what is near, what contacts remember, how
//! friction enters.

mod barrier;
mod directions;
mod hardening;
mod lagged;
mod memory;
mod near;
mod parallel;

pub(super) use hardening::pair;
pub(super) use near::reach;
pub(crate) use near::rods_may_touch;
pub use near::{Approach, largest_motion};

use std::collections::{BTreeSet, HashMap};

use glam::DQuat;

use crate::assembly::Trial;
use crate::contact::mollified_friction::MollifiedPair;
use crate::contact::obstacle::frame::ObstacleFrame;
pub(crate) use crate::contact::obstacle::frame::Surface;
use crate::contact::pair::PairContact;
use crate::contact::region::Region;
use crate::contact_model::hardening::{ContactId, Hardening};
use crate::contact_model::spillmann_teschner::{PairForce, PairForces};
use crate::kernels::candidates::{Aabb, Broadphase};
use crate::kernels::friction::{Friction, FrictionSolve, PairFriction, SlipLaw, Steering};
use crate::model::Model;
use crate::model::pairs::nearest;
use crate::model::pairs::parts::Parts;
use crate::obstacle::surface::Instants;
use crate::state::{PairAnchor, State};

/// Where a step begins, and what contact is to take from there.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// The start of the step.
    pub state: &'a State,
    /// Unknowns that it is expected to end at, `(dofs)`.
    pub predicted: &'a [f64],
    /// Its instants.
    pub at: Instants,
    /// How friction enters it; friction that remembers its slip is always solved for.
    pub friction: FrictionSolve,
    /// Velocities that friction takes its direction from where that lags, `(dofs)`.
    pub velocity: &'a [f64],
}

impl<'a> Beginning<'a> {
    /// At `state`, where the step is expected to stay, with friction as the model says.
    pub fn new(model: &Model, state: &'a State, at: Instants) -> Self {
        Self {
            state,
            predicted: &state.q,
            at,
            friction: model.contact.policy().friction_solve(),
            velocity: &state.velocity,
        }
    }
}

/// Contact of all rods in one step, before any trial: made from (model, start of the step), it is
/// what the contacts of every trial are found with ([`crate::contact::ContactSet`]).
#[derive(Debug)]
pub struct ContactFrame {
    broadphase: Broadphase,
    boxes: Vec<Aabb>,
    parts: Parts,
    candidates: Vec<(u32, u32)>,
    /// Where the candidates hold.
    region: Region,
    /// Contacts whose stiffness was raised while they were compressed.
    hardening: Hardening,
    /// What pairs remember from before the step.
    memory: Vec<PairAnchor>,
    /// From the start of the step to its stage, and from there to its end, s.
    span: [f64; 2],
    /// How friction between rods, and with obstacles, enters this step.
    friction: FrictionSolve,
    /// Directions of friction that its slope is made with, by pair and end of the overlap.
    directions: HashMap<(u32, u32, u8), Steering>,
    /// Pairs of nearly parallel edges that touch at both ends of their overlap in this step.
    spread: BTreeSet<(u32, u32)>,
    /// Friction with lagged normal forces.
    lagged: Vec<MollifiedPair>,
    /// Velocities that lagged friction takes its direction from, `(dofs)`.
    velocity: Vec<f64>,
    /// With Spillmann and Teschner's contact: the forces of pairs.
    forces: PairForces,
    /// Smallest gap of a pair in contact at any trial of this step, m.
    tightest: Option<f64>,
    /// Factor on the slip tolerance of friction that is solved for.
    smoothness: f64,
    obstacles: ObstacleFrame,
}

impl ContactFrame {
    /// For a step from `from`, with the candidates of the way that it is expected to go.
    pub fn new(model: &Model, from: &Beginning) -> Self {
        let memory = &from.state.contact;
        let lags = from.friction != FrictionSolve::Implicit;
        let mut frame = Self {
            broadphase: Broadphase::default(),
            boxes: Vec::new(),
            parts: Parts::default(),
            candidates: Vec::new(),
            region: Region::default(),
            hardening: Hardening(memory.hardened.clone()),
            memory: memory.anchors.clone(),
            span: from.at.span,
            friction: from.friction,
            directions: HashMap::new(),
            spread: BTreeSet::new(),
            lagged: Vec::new(),
            velocity: from.velocity.to_vec(),
            forces: PairForces::new(&memory.forces),
            tightest: None,
            smoothness: 1.0,
            obstacles: ObstacleFrame::new(model, from.state, &from.at, lags),
        };
        // Along the whole way, so that a prediction that comes true needs no second search.
        frame.find_between(model, &from.state.q, from.predicted);
        frame
    }

    /// How friction enters this step.
    pub fn friction_solve(&self) -> FrictionSolve {
        self.friction
    }

    /// Friction between rods, if it acts and is solved for in this step.
    pub(super) fn solved_friction(&self, model: &Model) -> Option<Friction> {
        let solved = self.friction == FrictionSolve::Implicit;
        let friction = model.rod_friction().filter(|_| solved)?;
        Some(friction.smoothed(self.smoothness))
    }

    /// Makes friction that is solved for smoother by `factor`: so much larger is its slip tolerance
    /// from here on, or as it should be, with 1. The directions that its slope is made with stay, as
    /// the forces that they stand for nearly do; trials are to be evaluated anew.
    pub(crate) fn smooth_friction(&mut self, factor: f64) {
        self.smoothness = factor;
        self.obstacles.smooth_friction(factor);
    }

    /// The slip law of a pair.
    pub(super) fn slip_law(&self, edges: [usize; 2], friction: Friction, model: &Model) -> SlipLaw {
        let touching = model.radius[edges[0]] + model.radius[edges[1]];
        SlipLaw {
            directions: edges.map(|e| model.directions_of(e)),
            ..friction.law(0.5 * touching, self.span)
        }
    }

    /// The slip law of a pair, and its friction at a trial.
    pub(super) fn friction_of(
        &self,
        (edges, contact): ([usize; 2], &PairContact),
        friction: Friction,
        model: &Model,
        at: &Trial,
    ) -> (SlipLaw, PairFriction) {
        let law = self.slip_law(edges, friction, model);
        let friction = self.friction_by(&law, (edges, contact), model, at);
        (law, friction)
    }

    /// The friction of a pair by its slip law.
    #[inline]
    pub(super) fn friction_by(
        &self,
        law: &SlipLaw,
        (edges, contact): ([usize; 2], &PairContact),
        model: &Model,
        at: &Trial,
    ) -> PairFriction {
        let anchor = self.remembered(model, edges);
        crate::contact::set::pair_friction(model, at, law, edges, contact, anchor)
    }

    /// Whether any friction lags.
    pub(crate) fn any_lags(&self) -> bool {
        !self.lagged.is_empty() || !self.obstacles.lagged.is_empty()
    }

    /// Friction with lagged normal forces.
    pub(super) fn lagged(&self) -> &[MollifiedPair] {
        &self.lagged
    }

    /// Velocities that lagged friction takes its direction from, `(dofs)`.
    pub(super) fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Contact with obstacles.
    pub fn obstacles(&self) -> &ObstacleFrame {
        &self.obstacles
    }

    /// Moves obstacles to where they are after a part of the time from the start of the step to its
    /// stage.
    pub(crate) fn move_obstacles(&mut self, model: &Model, progress: f64) {
        self.obstacles.advance(model, progress);
    }

    /// Moves obstacles that ride along with their bodies to a trial, and finds the candidates anew
    /// if they do not hold there.
    pub(super) fn follow(&mut self, model: &Model, at: &Trial) {
        self.obstacles.follow(model, at);
        self.cover(model, at.q);
    }

    /// Moves the ends of the step of obstacles that ride to where the bodies are at its end.
    pub(crate) fn end_obstacles(&mut self, model: &Model, q: &[f64], orientation: &[DQuat]) {
        self.obstacles.end_at(model, q, orientation);
    }

    /// Notes the gap of a pair in contact at a trial, m.
    pub(super) fn note_gap(&mut self, gap: f64) {
        self.tightest = Some(self.tightest.map_or(gap, |t| t.min(gap)));
    }

    /// Smallest gap of a pair in contact at any trial of the step, m.
    pub fn tightest(&self) -> Option<f64> {
        self.tightest
    }

    /// Forces of the pairs that push, N, sorted by pair, with Spillmann and Teschner's contact.
    pub fn forces(&self) -> &[PairForce] {
        self.forces.list()
    }

    /// Replaces the forces of contacts by those of `approaches`, of which the pairs are sorted.
    pub(crate) fn set_forces(&mut self, approaches: &[Approach]) {
        let pairs = approaches.iter().filter_map(|a| match a.contact {
            ContactId::Pair([i, j]) => Some(((i, j), a.force)),
            ContactId::Obstacle { .. } => None,
        });
        self.forces.replace(pairs);
        self.obstacles.set_forces(approaches);
    }

    /// Bound on how far nodes and obstacles near them go, between the unknowns `from` and `to`,
    /// `(dofs)`, m.
    pub(crate) fn largest_motion(&self, model: &Model, from: &[f64], to: &[f64]) -> f64 {
        largest_motion(model, from, to).max(self.obstacles.largest_motion(model, from, to))
    }

    /// Moves obstacles that are part of bodies along with these: centres of mass among the unknowns
    /// `q`, `(dofs)`, and orientations.
    pub(crate) fn ride(&mut self, model: &Model, q: &[f64], orientation: &[DQuat]) {
        self.obstacles.ride(model, q, orientation);
    }

    /// Smallest gap of the candidates at `q`, m, neighbours along a rod left out; `None` without
    /// any. Obstacles are where they are at the end of the step, or where they have come.
    pub fn smallest_gap(&self, model: &Model, q: &[f64], at_end: bool) -> Option<f64> {
        nearest::nearest_of(model, q, &self.candidates)
            .map(|pair| pair.gap)
            .into_iter()
            .chain(self.obstacles.smallest_gap(model, q, at_end))
            .min_by(f64::total_cmp)
    }
}
